"""What a row of the benchmark is made of, and how its sides are built."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Run = Callable[[], Any]  # one evaluation; what it gives is turned into arrays for the comparison only
Build = Callable[..., Run]

LINE = 64  # bytes of a cache line


class Absent(Exception):
    """A side or a row that cannot be timed here, and why."""


@dataclass(frozen=True)
class Case:
    """One row: inputs of a given size, and one builder for each side that takes them.

    ``sides`` are "ours", "limit" (where there is hand-written C) and libraries by name; a builder prepares whatever
    is prepared once (tracing, compiling, buffers) and returns what is timed. ``bar`` is what ours may take, in times
    of ``against``: of the faster of limit and peers for "limit", of that side otherwise.
    """

    name: str
    title: str
    table: str
    inputs: Callable[[int], tuple[Any, ...]]
    reference: Callable[..., Any]
    size: int
    small: int
    bar: float
    sides: Mapping[str, Build] = field(repr=False)
    against: str = "limit"
    tolerance: float = 1e-12
    two: Build | None = field(default=None, repr=False)  # the limit on two threads, where a second core must pay
    needs: str = ""  # a name of functrans that ours waits for
    data: str = ""  # the file of the store that inputs are read from

    def builder(self, side: str) -> Build:
        """What prepares a side; "limit-two" is the limit on two threads."""
        return self.two if side == "limit-two" and self.two is not None else self.sides[side]

    def arguments(self, size: int) -> tuple[Any, ...]:
        """The inputs, arrays at the start of a cache line."""
        return tuple(aligned(a) if isinstance(a, np.ndarray) else a for a in self.inputs(size))


def load(name: str) -> Any:
    """Import a library that only some sides have: a case is read in environments of several libraries."""
    return importlib.import_module(name)


def waits(case: Case, side: str) -> bool:
    """Whether ours is written with something that functrans does not have yet."""
    return side == "ours" and bool(case.needs) and not hasattr(load("functrans"), case.needs)


def empty(shape: tuple[int, ...], dtype: Any = np.float64) -> Array:
    """A new array that begins at a cache line."""
    wanted = np.dtype(dtype)
    nbytes = int(np.prod(shape)) * wanted.itemsize
    memory = np.empty(nbytes + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    result: Array = memory[start : start + nbytes].view(wanted).reshape(shape)
    result.fill(0)  # pages are there before the first timing
    return result


def aligned(array: Array) -> Array:
    """A copy that begins at a cache line."""
    result = empty(array.shape, array.dtype)
    result[...] = array
    return result


def results(given: Any) -> list[Array]:
    """The arrays of a result: a side may give one or a tuple of them."""
    parts = given if isinstance(given, (tuple, list)) else (given,)
    return [np.asarray(p) for p in parts]


def deviation(given: Any, expected: Any) -> float:
    """The largest difference, relative to the largest expected number of its array; infinite where shapes differ."""
    left, right = results(given), results(expected)
    if [a.shape for a in left] != [a.shape for a in right]:
        return float("inf")
    worst = 0.0
    for a, b in zip(left, right):
        if b.size:
            difference = float(np.abs(a - b).max() / max(float(np.abs(b).max()), 1e-300))
            worst = max(worst, difference if difference == difference else float("inf"))
    return worst
