"""Positions as arithmetic: a table over an index space whose axes contribute one by one, by a step or by a short list.

The space of m elements gets the axes that make most tables arithmetic: those of the arrays of the function that have m
elements, or those that the differences of the tables show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import UOp
from functrans.transforms.sparse.direct.tables import LOOKED_AT

Shape = tuple[int, ...]
SHORT = 8  # indices of an axis: fewer are worth a loop only where no lists are read for it
Axis = int | NDArray[np.int32]


class Form(NamedTuple):
    """The position of an element: a base, and what each axis adds: a step for each index, or a list by index.

    steps : of two axes, the step along the last one by the index of the first; None where it is the same for all
    """

    base: int
    axes: tuple[Axis, ...]
    steps: NDArray[np.int32] | None = None

    @property
    def cost(self) -> int:
        """About how much is read beside the arithmetic."""
        return sum(not isinstance(a, int) for a in self.axes) + (self.steps is not None)

    @property
    def is_inward(self) -> bool:
        """Whether no list is read along the last axis."""
        return isinstance(self.axes[-1], int)


def form(at: NDArray[np.int32], shape: Shape) -> Form | None:
    """The positions of a table over a shape as a form; None where its axes do not contribute one by one."""
    if len(shape) == 1:
        axis = _axis(at)
        return Form(int(at[0]), (axis,)) if isinstance(axis, int) else None
    a = at.reshape(shape)
    base = int(at[0])
    parts: list[NDArray[np.int32]] = [
        np.ascontiguousarray(a[tuple(slice(None) if j == k else 0 for j in range(len(shape)))]) - base
        for k in range(len(shape))
    ]
    if base + sum(int(p[-1]) for p in parts) != at[-1] or not _is_sum(a, base, parts):
        return _by_lines(a) if len(shape) == 2 and shape[1] >= 2 * SHORT else None
    return Form(base, tuple(map(_axis, parts)))


def _is_sum(a: NDArray[np.int32], base: int, parts: Sequence[NDArray[np.int32]]) -> bool:
    """Whether positions are sums of what the axes contribute; a few of them are looked at before all are."""
    some = np.arange(0, a.size, a.size // LOOKED_AT + 1)
    at = np.unravel_index(some, a.shape)
    if not np.array_equal(base + sum(p[k].astype(np.int64) for p, k in zip(parts, at, strict=True)), a[at]):
        return False
    total = np.asarray(base, np.int64)
    for k, p in enumerate(parts):
        total = total + p.reshape(tuple(-1 if j == k else 1 for j in range(a.ndim)))
    return np.array_equal(total, a)


def _by_lines(a: NDArray[np.int32]) -> Form | None:
    """The positions of lines that have a step each."""
    steps = a[:, 1] - a[:, 0]
    if not np.array_equal(a[:, 2:] - a[:, 1:-1], np.broadcast_to(steps[:, None], (len(a), a.shape[1] - 2))):
        return None
    return Form(int(a[0, 0]), (_axis(a[:, 0] - a[0, 0]), 0), steps.astype(np.int32))


def _axis(part: NDArray[np.int32]) -> Axis:
    first, last, n = int(part[0]), int(part[-1]), len(part)
    step = int(part[1]) - first if n > 1 else 0
    is_even = last == first + step * (n - 1) and bool((part[1:] - part[:-1] == step).all())
    return step if is_even else part.astype(np.int32, copy=False)


def best_shape(tables: Sequence[NDArray[np.int32]], shapes: Iterable[Shape]) -> Shape:
    """The shape of an index space under which its tables cost least; the flat one where none is better."""
    m = len(tables[0])
    rough = [t for t in tables if form(t, (m,)) is None]
    if not rough or m < 2:
        return (m,)
    of_arrays = [s for s in shapes if len(s) > 1 and np.prod(s) == m]
    periods = dict.fromkeys(map(_periods, rough))
    candidates = [*of_arrays, *(s for s in periods if len(s) > 1 and s not in of_arrays)]

    def cost(shape: Shape) -> int:
        found = [form(t, shape) for t in rough]
        if shape[-1] < SHORT and shape not in of_arrays and any(f is None or f.cost for f in found):
            return 4 * len(rough)
        return sum(4 if f is None else f.cost for f in found)

    found = min(candidates, key=lambda s: (cost(s), len(s)), default=(m,))
    return found if found != (m,) and cost(found) < 4 * len(rough) else (m,)


@lru_cache(maxsize=64)
def components(shape: Shape) -> tuple[NDArray[np.int32], ...]:
    """The elements of an array by their place in its cells, which are its short axes; nothing where it has none.

    A stack of matrices is one of as many vectors, as if each of their elements had a name of its own.
    """
    short = [1 < n <= SHORT for n in shape]
    size, count = int(np.prod(shape)), int(np.prod([n for n in shape if n <= SHORT]))
    if not 1 < count <= SHORT**2 or size < count * count:  # fewer cells than elements in one
        return ()
    every = np.arange(size, dtype=np.int32).reshape(shape)
    cells = np.moveaxis(every, [k for k, s in enumerate(short) if s], range(sum(short)))
    return tuple(cells.reshape(count, -1))


def _periods(at: NDArray[np.int32]) -> Shape:
    """Two axes, of which the inner one ends where the differences first change."""
    d = np.diff(at)
    changes = np.flatnonzero(d != d[0])
    n = int(changes[0]) + 1 if len(changes) else len(at)
    return (len(at) // n, n) if n > 1 and len(at) % n == 0 else (len(at),)


class Lists:
    """Stored lists of positions, each content once: what is read by the same list is read at the same place. Arrays are
    given away: one that is no part of another is kept as it is.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], list[tuple[NDArray[Any], UOp]]] = {}

    def of(self, a: NDArray[Any]) -> UOp:
        """The list as a node."""
        a = np.ascontiguousarray(a)
        alike = self._known.setdefault((a.shape, a.dtype.str, *_told_apart(a.reshape(-1))), [])
        bits = a.reshape(-1).view(np.uint8)
        for known, node in alike:
            if np.array_equal(known.reshape(-1).view(np.uint8), bits):
                return node
        whole = a.base is None or (isinstance(a.base, np.ndarray) and a.base.nbytes == a.nbytes)
        kept = a if whole else a.copy()
        alike.append((kept, buffer(kept)))
        return alike[-1][1]


def _told_apart(a: NDArray[Any]) -> tuple[bytes, int]:
    """What differs for most lists that differ: some numbers, and the sum of all bits, taken as integers."""
    whole = a.view(np.uint8)
    words = whole[: len(whole) & -8].view(np.int64)
    return a[:: len(a) // LOOKED_AT + 1].tobytes(), int(words.sum())


def position(at: NDArray[np.int32], shape: Shape, variables: Sequence[UOp], lists: Lists) -> UOp:
    """The positions as a node over the variables of the axes: RANGEs, or arrays that count along an axis.

    Variables are int64; so is the node.
    """
    found = form(at, shape)
    if found is None:  # from the first one on: places that lie side by side have one list
        first = int(at[0])
        listed = lists.of((at - np.int32(first)).reshape(shape))
        place = B.cast(B.gather(listed, *map(_counted, variables, shape)), dtypes.int64)
        return B.add(place, B.like(place, first)) if first else place
    total = None
    for axis, v, n in zip(found.axes, variables, shape, strict=True):
        if isinstance(axis, int):
            if not axis:
                continue
            part = B.mul(v, B.like(v, axis))
        else:
            part = B.cast(B.gather(lists.of(axis), _counted(v, n)), dtypes.int64)
        total = part if total is None else B.add(total, part)
    if found.steps is not None:
        steps = B.cast(B.gather(lists.of(found.steps), _counted(variables[0], shape[0])), dtypes.int64)
        part = B.mul(variables[1], steps)
        total = part if total is None else B.add(total, part)
    if total is None:
        return B.like(variables[0], found.base)
    return B.add(total, B.like(total, found.base)) if found.base else total


def positions(tables: Sequence[NDArray[np.int32]], shape: Shape, variables: Sequence[UOp], lists: Lists) -> list[UOp]:
    """The positions of several tables. Many that take a list each are one list, in the order in which it is read: one
    element after the other.
    """
    columns: dict[tuple[bytes, int], list[int]] = {}
    parts: list[NDArray[np.int32]] = []
    listed: dict[int, int] = {}
    for k, at in enumerate(tables):
        if form(at, shape) is None:  # places that lie side by side have one list
            alike = columns.setdefault(_told_apart(at - at[0]), [])
            found = next((c for c in alike if np.array_equal(parts[c] + (at[0] - parts[c][0]), at)), len(parts))
            listed[k] = found
            if found == len(parts):
                alike.append(found)
                parts.append(at)
    if len(parts) <= 2 * SHORT:  # the processor follows some at a time, and reads vectors of them
        return [position(at, shape, variables, lists) for at in tables]
    lines = np.empty((len(parts[0]), len(parts)), np.int32)
    for column, at in zip(lines.T, parts, strict=True):
        np.subtract(at, at[0], out=column)
    whole = lists.of(lines.reshape((*shape, len(parts))))
    at_all = [_counted(v, n) for v, n in zip(variables, shape, strict=True)]

    def place(k: int, at: NDArray[np.int32]) -> UOp:
        if k not in listed:
            return position(at, shape, variables, lists)
        column = _counted(B.like(at_all[0], listed[k]), len(parts))
        found = B.cast(B.gather(whole, *at_all, column), dtypes.int64)
        return B.add(found, B.like(found, int(at[0])))

    return [place(k, at) for k, at in enumerate(tables)]


def _counted(v: UOp, n: int) -> UOp:
    return B.inside(v, n)
