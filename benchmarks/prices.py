"""What one element of each operation takes, in picoseconds: ``python -m benchmarks.prices [NAME ...]``.

Arrays of 3000 numbers, which are near, go through a long chain of an operation that the processor has an instruction
for, or through one elementary function; what reading, one addition and writing take is subtracted. The least of several
runs counts. ``functrans/ops/price.py`` holds the figures, rounded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import functrans as ft
from benchmarks.case import Array, empty
from functrans.config import config
from functrans.ops import Ops, build

N, CHAIN = 3000, 24
RUNS, CALLS = 9, 60
Step = Callable[[Any, Any], Any]
CHAINS: dict[str, Step] = {
    "ADD": lambda a, y: a + y, "MUL": lambda a, y: a * y, "FDIV": lambda a, y: a / y,
    "SQRT": lambda a, y: np.sqrt(a), "FLOOR": lambda a, y: np.floor(a + y) + y,
    "MAX": lambda a, y: np.maximum(a + y, y) + y,
}  # fmt: skip
UNARY = (
    "EXP EXP2 EXPM1 LOG LOG2 LOG10 LOG1P SIN COS TAN SINH COSH TANH ASIN ACOS ATAN ASINH ACOSH ATANH CBRT ERF ERFC "
    "LGAMMA DIGAMMA EXPI"
).split()
BINARY = ("ATAN2", "HYPOT", "POW", "FLOORMOD", "FLOORDIV", "ZETA", "GAMMAINC", "GAMMAINCC")


def applied(op: str, *args: Any) -> Any:
    """An operation by its name in the graph, which NumPy may have under another."""
    return ft.Tensor(build.alu(Ops[op], *(a.uop for a in args)))


def picoseconds(f: Step, x: Array, y: Array) -> float:
    """Of one element."""
    g = ft.jit(f)
    out = g(x, y)
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        for _ in range(CALLS):
            g(x, y, out=out)
        best = min(best, (time.perf_counter() - start) / CALLS)
    return best / x.size * 1e12


def long(step: Step) -> Step:
    """The chain of a step."""

    def f(x: Any, y: Any) -> Any:
        for _ in range(CHAIN):
            x = step(x, y)
        return x

    return f


def main(names: list[str]) -> None:
    """Print the table, a column for each dtype."""
    config.threads = 1
    wanted = names or [*CHAINS, *UNARY, *BINARY]
    columns = []
    for dtype in (np.float64, np.float32):
        x, y = empty((N,), dtype), empty((N,), dtype)
        x[...], y[...] = np.random.default_rng(0).uniform(0.1, 0.9, (2, N))
        base = picoseconds(lambda x, y: x + y, x, y)
        columns.append([_of(name, x, y, base) for name in wanted])
    for name, *found in zip(wanted, *columns, strict=True):
        print(f"{name:10s} {found[0]:8.0f} {found[1]:8.0f}")


def _of(name: str, x: Array, y: Array, base: float) -> float:
    if name in CHAINS:
        return (picoseconds(long(CHAINS[name]), x, y) - base) / CHAIN
    if name in BINARY:
        return picoseconds(lambda x, y: applied(name, x + 1, y) + y, x, y) - base
    shift = 1 if name == "ACOSH" else 0
    return picoseconds(lambda x, y: applied(name, x + shift) + y, x, y) - base


if __name__ == "__main__":
    main(sys.argv[1:])
