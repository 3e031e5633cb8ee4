"""What the rounds of a loop that was unrolled read: a node and its likes in all rounds are a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.source import buffer, in_file, stored
from functrans.ops.uop import UOp
from functrans.ops.window import is_window
from functrans.transforms.loops.periods import Run

Column = tuple[UOp, ...]


class Fixed(NamedTuple):
    """The same in all rounds."""

    value: UOp


class Given(NamedTuple):
    """An element of an array for each round."""

    array: UOp


class Made(NamedTuple):
    """Node ``place`` of the round, or of so many ``rounds`` before it; ``begin`` are its values in the rounds before
    the first, the nearest one first.
    """

    place: int
    begin: tuple[UOp, ...] = ()


Read = Fixed | Given | Made


class Columns:
    """The columns of whole rounds that begin at ``start`` in an order."""

    def __init__(self, order: Sequence[UOp], run: Run) -> None:
        self._order, self.period = order, run.period
        self._at = {u: k for k, u in enumerate(order)}
        self.start = _narrowest(order, self._at, run)
        self.rounds = (run.stop - self.start) // run.period
        self._arrays: dict[Column, Fixed | Given | None] = {}

    def of(self, place: int) -> Column:
        """A node in all rounds."""
        return tuple(self._order[self.start + place :: self.period][: self.rounds])

    def where(self, node: UOp) -> tuple[int, int] | None:
        """The round and the place of a node that is in one."""
        at = self._at.get(node, -1) - self.start
        return divmod(at, self.period) if 0 <= at < self.rounds * self.period else None

    def array(self, column: Column) -> Fixed | Given | None:
        """What is given from outside: one value, or windows of one, constants, and what moves these; else None."""
        if column not in self._arrays:
            self._arrays[column] = self._array(column)
        return self._arrays[column]

    def _array(self, column: Column) -> Fixed | Given | None:
        first = column[0]
        if all(u is first for u in column):
            return Fixed(first) if self.where(first) is None else None
        if any(u.op is not first.op or u.shape != first.shape or u.dtype != first.dtype for u in column):
            return None
        if first.op is Ops.CONST:
            return Given(buffer(np.array([u.arg for u in column], first.dtype.numpy)))
        if first.op is Ops.BUFFER and not any(map(in_file, column)):
            data = [stored(u) for u in column]
            same = all(a.tobytes() == data[0].tobytes() for a in data)
            return Fixed(first) if same else Given(buffer(np.stack(data)))
        if first.op not in GroupOp.Movement or any(len(u.src) > 1 for u in column):
            return None
        below = self.array(tuple(u.src[0] for u in column))
        if isinstance(below, Fixed):
            if all(u.arg == first.arg for u in column):  # of buffers of the same content: other nodes would be one
                return Fixed(first) if self.where(first) is None else None
            return _windows(column, below.value) if is_window(first) else None
        if below is None or any(u.arg != first.arg for u in column):
            return None
        return Given(_in_all(first, below.array))

    def read(self, column: Column) -> Read | None:
        """How a column is read in every round alike; None where there is no such way."""
        given = self.array(column)
        if given is not None:
            return given
        at = [self.where(u) for u in column]
        last = at[-1]
        if last is None:
            return None
        lag, place = self.rounds - 1 - last[0], last[1]
        if any(at[k] != (k - lag, place) for k in range(lag, self.rounds)):
            return None
        begin = column[:lag]
        like = self._order[self.start + place]
        if any(self.where(u) is not None or u.shape != like.shape or u.dtype != like.dtype for u in begin):
            return None
        return Made(place, begin[::-1])


def _windows(column: Column, x: UOp) -> Given | None:
    """Windows of one array, which are equally far apart along one axis."""
    starts = np.array([[s for s, _ in u.arg] for u in column])
    steps = np.diff(starts, axis=0)
    moving = np.flatnonzero(steps.any(axis=0))
    if len(moving) != 1 or (steps != steps[0]).any():
        return None
    (axis,) = moving.tolist()
    step, first, sizes, count = int(steps[0, axis]), starts[0].tolist(), column[0].sized, len(column)
    bounds = [(s, s + n) for s, n in zip(first, sizes, strict=True)]
    size = sizes[axis]
    if abs(step) == size:
        low = first[axis] if step > 0 else first[axis] - (count - 1) * size
        bounds[axis] = (low, low + count * size)
        part = B.reshape(B.shrink(x, tuple(bounds)), (*sizes[:axis], count, *sizes[axis:]))
    else:
        bounds[axis] = (0, x.sized[axis])
        at = first[axis] + step * np.arange(count)[:, None] + np.arange(size)
        moved = B.shrink(x, tuple(bounds))
        front = B.permute(moved, (axis, *(k for k in range(x.ndim) if k != axis)))
        part = B.gather(front, B.inside(buffer(at), x.sized[axis]))  # count, size, then the other axes
        others = [k + 2 for k in range(x.ndim - 1)]
        return Given(B.permute(part, (0, *others[:axis], 1, *others[axis:])))
    if step < 0:
        part = B.flip(part, tuple(k == axis for k in range(part.ndim)))
    return Given(B.permute(part, (axis, *(k for k in range(part.ndim) if k != axis))))


def _in_all(node: UOp, array: UOp) -> UOp:
    """A node that moves elements, of an element for each round."""
    axes = opdef(node).axes
    assert axes is not None  # of all that moves
    return UOp(node.op, node.dtype, (array,), axes.arg(node, range(node.ndim), array.sized[:1]))


def _narrowest(order: Sequence[UOp], at: dict[UOp, int], run: Run) -> int:
    """Where in its first period to begin, so that rounds hand on as few numbers as can be."""
    last = [0] * len(order)
    outside = [False] * len(order)  # moves what is no part of any round
    for k in range(run.start, run.stop):
        u = order[k]
        places = [at.get(s, -1) for s in u.src]
        outside[k] = u.op in GroupOp.Movement and all(p < run.start or outside[p] for p in places)
        for p in places:
            if p >= 0:
                last[p] = k
    middle = run.start + (run.rounds // 2) * run.period
    crossing = np.zeros(run.period)
    for k in range(middle, middle + run.period):
        if not outside[k] and last[k] > k:
            times, rest = divmod(last[k] - k, run.period)
            crossing += times * order[k].size
            crossing[(np.arange(k + 1, k + 1 + rest) - run.start) % run.period] += order[k].size
    return run.start + int(np.argmin(crossing))
