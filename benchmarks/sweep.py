"""Time by length, for cliffs: ``python -m benchmarks.sweep [BODY ...] [--dtype float32] [--to 130] [--every 1]``.

Each body is mapped over rows of N numbers, so many that they are some 16 000 numbers, on one thread; the least of
several runs counts. A length is a cliff where a number takes more than 1.7 times what it takes at the best length from
there to one and a half times it, 2 times at 31 and shorter, where equal bits have sums in order. NumPy's time for the
same array stands beside it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import functrans as ft
from benchmarks.case import Array

NUMBERS, RUNS, SECONDS = 16_000, 7, 0.004
Body = Callable[[Any], Any]


def _matrix(x: Any) -> Any:
    n = x.shape[-1]
    return np.cos(np.arange(n)[:, None] * 0.7 + np.arange(n)).astype(x.dtype)


def _softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def _layernorm(x: Any) -> Any:
    d = x - x.mean()
    return d / np.sqrt((d * d).mean() + 1e-5)


def _sines(x: Any) -> Any:
    for _ in range(8):
        x = np.sin(x)
    return x


# of one row
BODIES: dict[str, Body] = {
    "softmax": _softmax,
    "logsumexp": lambda x: np.log(np.exp(x - x.max()).sum()) + x.max(),
    "norm": lambda x: np.sqrt((x * x).sum()),
    "layernorm": _layernorm,
    "variance": lambda x: ((x - x.mean()) ** 2).mean(),
    "max": lambda x: x.max(),
    "argmax": lambda x: x.argmax() + 0.0,
    "count": lambda x: (x > 0.3).sum(),
    "masked": lambda x: np.where(x > 0, x, 0.0).sum() / ((x > 0).sum() + 1),
    "entropy": lambda x: -(x * x * np.log(x * x + 1.0)).sum(),
    "cumsum": lambda x: np.cumsum(x),
    "sines": _sines,
    "matvec": lambda x: _matrix(x) @ x,
    "tanh": lambda x: np.tanh(_matrix(x) @ x),
    "outer": lambda x: x[:, None] * x,
    "stencil": lambda x: x[2:] - 2.0 * x[1:-1] + x[:-2],
    "roll": lambda x: np.roll(x, 1) - 2.0 * x + np.roll(x, -1),
    "gather": lambda x: x[np.arange(x.shape[-1])[::-1] // 2],
    "distances": lambda x: ((x[:, None] - x) ** 2).sum(1),
    "sort": lambda x: np.sort(x),
    "gradient": lambda x: ft.grad(lambda v: (_softmax(v) ** 2).sum())(x),
}
SQUARE = frozenset({"matvec", "tanh", "outer", "distances"})  # work for each number grows with the length


def nanoseconds(f: Callable[[Array], Any], x: Array) -> float:
    """Of one number of x, the least of several runs."""
    f(x)
    start = time.perf_counter()
    f(x)
    calls = max(1, int(SECONDS / max(time.perf_counter() - start, 1e-9)))
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        for _ in range(calls):
            f(x)
        best = min(best, (time.perf_counter() - start) / calls)
    return best / x.size * 1e9


def swept(body: Body, lengths: list[int], dtype: Any) -> dict[int, float]:
    """Nanoseconds a number by length."""
    rng, found = np.random.default_rng(0), {}
    for n in lengths:
        x = rng.standard_normal((max(NUMBERS // n, 8), n)).astype(dtype)
        found[n] = nanoseconds(ft.jit(ft.vmap(body)), x)
    return found


def cliffs(found: dict[int, float], square: bool = False) -> dict[int, float]:
    """The lengths whose numbers take too long beside those of longer rows, and how many times as long.

    >>> cliffs({32: 1.0, 33: 2.0, 40: 1.0, 48: 1.1})
    {33: 2.0}
    """
    each = {n: t / n if square else t for n, t in found.items()}
    ratios = {n: t / min(u for m, u in each.items() if n <= m <= 1.5 * n) for n, t in each.items()}
    return {n: round(r, 2) for n, r in ratios.items() if r > (2.0 if n < 32 else 1.7)}


def main(arguments: list[str] | None = None) -> None:
    """Print a line a body: its times at some lengths, and its cliffs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweep", description=__doc__)
    parser.add_argument("bodies", nargs="*", help=f"of {', '.join(BODIES)} (default: all)")
    parser.add_argument("--dtype", default="float64")
    parser.add_argument("--to", type=int, default=130)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.bodies) - set(BODIES))
    if unknown:
        parser.error(f"no body {', '.join(unknown)}")
    ft.config.threads = 1
    lengths = list(range(3, options.to + 1, options.every))
    for name in options.bodies or BODIES:
        found = swept(BODIES[name], lengths, options.dtype)
        steep = cliffs(found, name in SQUARE)
        some = "  ".join(f"{n}: {found[n]:.3g}" for n in lengths[:: max(1, len(lengths) // 10)])
        print(f"{name}: {len(steep)} cliffs of {len(found)} lengths; ns a number at {some}", flush=True)
        if steep:
            print("  " + "  ".join(f"{n}: {r} x" for n, r in steep.items()), flush=True)


if __name__ == "__main__":
    main()
