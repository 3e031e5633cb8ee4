"""Errors of the compiled elementary functions against mpmath: ``python -m benchmarks.accuracy [COUNT [NAME ...]]``.

Writes docs/reference/accuracy.md (for all names), and with ``--references`` the correctly rounded values that the tests
hold the functions against.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import every
from benchmarks.points import NAMES, Array, points, reference
from functrans import dtypes
from functrans.backend.pipeline import Program
from functrans.ops import Ops, UOp, source

ROOT = Path(__file__).resolve().parent.parent
PAGE, STORED = ROOT / "docs/reference/accuracy.md", ROOT / "tests/backend/elementary_references.npz"
ALLOWED = {"pow": 4.0, "erfc": 4.0, "lgamma": 4.0}
DTYPES = {"float64": dtypes.float64, "float32": dtypes.float32}
_HEAD = """# Accuracy of elementary functions

The table shows the largest error of each compiled function in units in the last place (ULP) of the exact value, and the
argument where it occurs. mpmath computes the exact values. Each dtype is tested at {count} points: dense where a
function bends, and at magnitudes of every size where the function takes them. Functions of one argument that have
float32 code of their own are tested at every float32, against the function of float64.

Rounding alone costs 0.5 ULP. The bar is 2 ULP, and 4 for pow, erfc and lgamma. Powers with a constant exponent are
within 2. Denser searches found larger errors for sin (1.72), cos (1.74) and erfc (3.25) of float64. Near zeros of
lgamma, and below 0, where lgamma is a difference, its error is counted in units of the larger of 1 and lgamma(|x|).

Square roots, floor and similar functions are exact instructions. Tests compare infinities, NaN, zeros of both signs and
subnormal numbers with NumPy. The table leaves out complex functions, fmod and float16, which is rounded from
float32.

Measured on {machine} with fused multiply-add. Without it the last digit differs. `python -m benchmarks.accuracy` writes
the table.

| function | float64 | at | float32 | at |
| --- | ---: | --- | ---: | --- |
"""


class Worst(NamedTuple):
    """The largest error of a function, and its argument."""

    ulps: float
    at: str


def evaluate(name: str, arguments: tuple[Array, ...]) -> Array:
    """The compiled function."""
    dtype = DTYPES[str(arguments[0].dtype)]
    params = [source.param((len(a),), dtype) for a in arguments]
    return Program([UOp(Ops[name.upper()], dtype, tuple(params))], params)(list(arguments))[0]


def errors(name: str, arguments: tuple[Array, ...], got: Array, exact: Array, rest: Array) -> Array:
    """Errors in units in the last place, infinite where only one of two is finite."""
    size = np.abs(exact)
    with np.errstate(all="ignore"):
        if name == "lgamma":
            size = np.maximum(size, np.maximum(1.0, _positive_part(arguments[0])))
        unit = np.spacing(size.astype(got.dtype)).astype(np.float64)
        off = np.abs((got.astype(np.float64) - exact) - rest) / unit
        rounded = exact.astype(got.dtype)
    same = (got == rounded) & ~np.isfinite(rounded)
    return np.where(same, 0.0, np.where(np.isfinite(off), off, np.inf))


def _positive_part(x: Array) -> Array:
    a = np.abs(x.astype(np.float64))
    return np.where((x < 0) & (a > 1.0), np.abs(a * np.log(a) - a), 0.0)  # Stirling's formula will do


def worst(name: str, count: int, dtype: str) -> Worst:
    """The largest error of a function on so many points, or on every float32."""
    if dtype == "float32" and name in every.NAMES:
        error, at = every.every(name)
        return Worst(error, f"{at:.9g}")
    given = points(name, count, np.dtype(dtype).type)
    got = evaluate(name, given)
    pairs = np.array([reference(name, *row) for row in zip(*given, strict=True)])
    found = errors(name, given, got, pairs[:, 0], pairs[:, 1])
    k = int(np.argmax(found))
    return Worst(float(found[k]), ", ".join(f"{a[k]:.17g}" if dtype == "float64" else f"{a[k]:.9g}" for a in given))


def references(count: int = 300) -> dict[str, Any]:
    """Arguments and exact values of every function, for the tests."""
    stored: dict[str, Any] = {}
    for name in NAMES:
        given = points(name, count, np.float64, seed=1)
        pairs = np.array([reference(name, *row) for row in zip(*given, strict=True)])
        stored |= {f"{name}_{k}": a for k, a in enumerate([*given, pairs[:, 0], pairs[:, 1]])}
    return stored


def main() -> int:
    """Measure, print, and write the page."""
    if sys.argv[1:] == ["--references"]:
        np.savez_compressed(STORED, **references())
        return 0
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    names = sys.argv[2:] or list(NAMES)
    lines, failed = [], False
    for name in names:
        found = [worst(name, count, dtype) for dtype in DTYPES]
        failed |= any(w.ulps > ALLOWED.get(name, 2.0) for w in found)
        lines.append(f"| {name} | " + " | ".join(f"{w.ulps:.3f} | {w.at}" for w in found) + " |")
        print(lines[-1], flush=True)
    if names == list(NAMES):
        machine = platform.machine()
        PAGE.write_text(_HEAD.format(count=f"{count:,}".replace(",", " "), machine=machine) + "\n".join(lines) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
