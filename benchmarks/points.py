"""Where each elementary function is measured, and its value to 40 digits by mpmath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np

mp.mp.prec = 140
Array = np.ndarray[Any, np.dtype[Any]]

# name: intervals of arguments; "log" draws magnitudes between the powers of ten of both ends, with both signs if any
UNARY: dict[str, list[tuple[float, float]]] = {
    "exp": [(-745.2, 709.8), (-1, 1), (-745.2, -700)], "exp2": [(-1075, 1024), (-1, 1)],
    "expm1": [(-40, 709), (-2, 2), (-0.01, 0.01)], "log": [(0, 4), (0.9, 1.1), (0, 1e6)],
    "log2": [(0, 4), (0.9, 1.1), (0, 1e6)], "log10": [(0, 4), (0.9, 1.1), (0, 1e6)],
    "log1p": [(-1, 3), (-0.01, 0.01), (0, 1e6)], "sin": [(-4, 4), (-1e3, 1e3), (-1.04e6, 1.04e6), (-1e9, 1e9)],
    "cos": [(-4, 4), (-1e3, 1e3), (-1.04e6, 1.04e6), (-1e9, 1e9)],
    "tan": [(-4, 4), (-1e3, 1e3), (-1.04e6, 1.04e6), (-1e9, 1e9)],
    "sinh": [(-3, 3), (-710, 710)], "cosh": [(-3, 3), (-710, 710)], "tanh": [(-3, 3), (-25, 25), (-0.01, 0.01)],
    "asin": [(-1, 1), (0.999, 1)], "acos": [(-1, 1), (0.999, 1)], "atan": [(-3, 3), (-100, 100)],
    "asinh": [(-3, 3), (-1e6, 1e6)], "acosh": [(1, 1.01), (1, 10), (1, 1e6)], "atanh": [(-1, 1), (-0.1, 0.1)],
    "cbrt": [(-8, 8), (-1e6, 1e6)], "erf": [(-3, 3), (-6, 6)], "erfc": [(-3, 3), (-6, 27.2)],
    "lgamma": [(0, 4), (0, 20), (0, 1e6), (-20, 0)],
}  # fmt: skip
WIDE = {"log", "log2", "log10", "log1p", "sin", "cos", "tan", "asinh", "acosh", "atan", "cbrt", "lgamma", "expm1",
        "sinh", "tanh", "asin", "atanh", "erf"}  # fmt: skip
BINARY = ("pow", "atan2", "hypot")
NAMES = (*UNARY, *BINARY)


REFERENCE: dict[str, Callable[..., Any]] = {
    "exp": mp.exp, "exp2": lambda x: mp.power(2, x), "expm1": mp.expm1, "log": mp.log,
    "log2": lambda x: mp.log(x) / mp.log(2), "log10": mp.log10, "log1p": mp.log1p, "sin": mp.sin, "cos": mp.cos,
    "tan": mp.tan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "asin": mp.asin, "acos": mp.acos,
    "atan": mp.atan, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)), "erf": mp.erf, "erfc": mp.erfc,
    "lgamma": lambda x: mp.re(mp.loggamma(x)), "pow": mp.power, "atan2": mp.atan2,
    "hypot": mp.hypot,
}  # fmt: skip


def points(name: str, count: int, dtype: type[np.floating[Any]], seed: int = 0) -> tuple[Array, ...]:
    """Arguments of a function: its intervals, and magnitudes of every size where it has any."""
    rng = np.random.default_rng(seed)
    if name in BINARY:
        return _pairs(name, count, dtype, rng)
    parts = list(UNARY[name])
    share = count // (len(parts) + (name in WIDE))
    drawn = [rng.uniform(low, high, share) for low, high in parts]
    if name in WIDE:
        low, high = np.log10(np.finfo(dtype).smallest_subnormal), np.log10(np.finfo(dtype).max)
        high = 2.0 if name in ("sinh", "expm1", "erf", "tanh") else high
        sizes = 10.0 ** rng.uniform(low, high, count - sum(map(len, drawn)))
        if UNARY[name][0][0] < 0 and name != "log1p":
            sizes *= rng.choice([-1.0, 1.0], len(sizes))
        drawn.append(sizes)
    x = np.concatenate(drawn).astype(dtype)
    low, high = {"asin": (-1, 1), "acos": (-1, 1), "atanh": (-1, 1), "acosh": (1, np.inf)}.get(name, (-np.inf, np.inf))
    return (x[(x >= low) & (x <= high)],)


def _pairs(name: str, count: int, dtype: type[np.floating[Any]], rng: np.random.Generator) -> tuple[Array, ...]:
    half = count // 2
    sizes = 10.0 ** rng.uniform(-30, 30, (2, count - half))
    if name == "hypot":
        low, high = np.log10(np.finfo(dtype).tiny) + 20.0, np.log10(np.finfo(dtype).max) - 9.0  # that all is normal
        sizes[:] = 10.0 ** rng.uniform(low, high, count - half)
        sizes[1] *= 2.0 ** rng.uniform(-30, 30, count - half)
    if name in ("atan2", "hypot"):
        near = rng.uniform(-2, 2, (2, half))
        both = np.concatenate([near, sizes * rng.choice([-1.0, 1.0], sizes.shape)], axis=1)
        return both[0].astype(dtype), both[1].astype(dtype)
    base = np.concatenate([rng.uniform(0, 4, half), sizes[0]])
    limit = np.log(float(np.finfo(dtype).max)) * 1.04
    exponent = rng.uniform(-limit, limit, count) / np.log(base)
    exponent[: half // 2] = rng.uniform(-8, 8, half // 2)
    return base.astype(dtype), exponent.astype(dtype)


def reference(name: str, *arguments: Any) -> tuple[float, float]:
    """The value as a float64 and what that lacks; infinity beyond the largest."""
    exact = REFERENCE[name](*(mp.mpf(float(a)) for a in arguments))
    if not mp.isfinite(exact) or abs(exact) > mp.mpf(2) ** 1025:
        return float(exact), 0.0
    rounded = float(exact)
    return rounded, float(exact - mp.mpf(rounded)) if np.isfinite(rounded) else 0.0
