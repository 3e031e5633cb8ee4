"""What an array is at one place along one of its axes, as a function of such elements of other arrays.

Elementwise work, movements and reductions of the other axes act on each place by itself, so they are ops on elements.
What is the same at all places is one element repeated. A map along the axis, between brackets, is that already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from functrans.backend.policy import LOOP_STATEMENTS
from functrans.backend.schedule.realize import BIJECTIVE, REDUCING
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef, ops_that
from functrans.ops.symbolic import const
from functrans.ops.uop import Shape, UOp, toposort

ELEMENTWISE = GroupOp.Elementwise - {Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD}
WITHIN = ELEMENTWISE | GroupOp.Movement | REDUCING
# of data too: one element, repeated, is a constant
_SEEN_THROUGH = BIJECTIVE | ops_that(lambda record: record.repeats is not None)
_ZERO = const(0)
T = TypeVar("T")

Axis = int | UOp | None
"""Where the places are: along one of the array's axes, at a RANGE that is open in it, or nowhere."""


def of_numbers(order: Iterable[UOp]) -> set[UOp]:
    """The nodes that are made of numbers of the program alone."""
    found: set[UOp] = set()
    for u in order:
        if u.op is Ops.CONST or (u.op in WITHIN and found.issuperset(u.src)):
            found.add(u)
    return found


def between(array: UOp, inner: set[UOp]) -> list[UOp] | None:
    """The nodes that an array is made of, as far as they may be ops on elements; None if these are many."""
    count = 0

    def enter(u: UOp) -> bool:
        nonlocal count
        count += u in inner
        return count <= 2 * LOOP_STATEMENTS and _may_enter(u, inner)

    order = toposort((array,), enter=enter)
    return order if count <= 2 * LOOP_STATEMENTS else None


def _may_enter(u: UOp, inner: set[UOp]) -> bool:
    return u.op in _SEEN_THROUGH or (u in inner and (u.op in WITHIN or u.op in GroupOp.VMap))


def same_axis(a: Axis, b: Axis) -> bool:
    """Whether two axes are one; a node is compared as an object, since == makes another one of it."""
    return a is b or (isinstance(a, int) and isinstance(b, int) and a == b)


class Along:
    """Makes what an array is at a place; ``inner``: nodes that may be made of what their sources are there."""

    def __init__(self, array: UOp, axis: int, inner: set[UOp]) -> None:
        self.array, self.inner = array, inner
        self.axes: dict[UOp, Axis] = {array: axis}
        self.new: dict[UOp, UOp] = {}

    def element(self) -> UOp | None:
        """The array at a place, None if that is no function of elements, or one of too many nodes."""
        order = between(self.array, self.inner)
        if order is None or not self._find_axes(order):
            return None
        return self.new[self.array] if all(self._add(u) for u in order if u in self.axes) else None

    def leaf(self, u: UOp, axis: Axis) -> UOp | None:
        """What an array is at a place that is not made of what its sources are there."""
        raise NotImplementedError

    def same(self, u: UOp, shape: Shape) -> UOp:
        """An array that is the same at all places, in a shape."""
        return B.reshape(u, shape)

    def _find_axes(self, order: list[UOp]) -> bool:
        """Where the places are in each node; whether that is one axis of it."""
        for u in reversed(order):
            if u in self.axes:
                for s, k in self._sources(u, self.axes[u]):
                    if not same_axis(self.axes.setdefault(s, k), k):
                        return False
        return True

    def _sources(self, u: UOp, axis: Axis) -> list[tuple[UOp, Axis]]:
        """The arrays that a node is made of at a place, and where the places are in these."""
        if axis is None or not _may_enter(u, self.inner):
            return []
        if isinstance(axis, UOp):
            if u.op is Ops.VMAPIN and axis in u.src[1:]:
                return [(u.src[0], u.src[1:].index(axis))]
            if any(s.dtype.kind == "x" and axis in s.free_ranges for s in u.src):
                return []
            return [(s, axis if axis in s.free_ranges else None) for s in u.src if s.dtype.kind != "x"]
        if u.op in ELEMENTWISE:
            return [(s, axis) for s in u.src]
        k = _axis_of_source(u, axis)
        return [(u.src[0], k)] if k is not None or opdef(u).repeats is not None else []

    def _add(self, u: UOp) -> bool:
        axis = self.axes[u]
        made = self._made(u, axis) if self._sources(u, axis) else self._leaf(u, axis)
        if made is not None:
            self.new[u] = made
        return made is not None

    def _leaf(self, u: UOp, axis: Axis) -> UOp | None:
        if axis is None:
            return self.same(u, u.sized)
        value = B.const_value(u) if isinstance(axis, int) else None
        if value is not None and isinstance(axis, int):
            return B.full(without(u.sized, axis), u.dtype, value)
        if isinstance(axis, int) and _is_repeated(u, axis):
            return self._repeated(u, axis)
        return self.leaf(u, axis)

    def _repeated(self, u: UOp, axis: int) -> UOp:
        x = u.src[0]
        return B.expand(self.same(x, without(x.sized, axis)), without(u.sized, axis))

    def _made(self, u: UOp, axis: Axis) -> UOp:
        if isinstance(axis, UOp):
            if u.op is Ops.VMAPIN and axis in u.src[1:]:
                return opened(self.new[u.src[0]], tuple(a for a in u.src[1:] if a is not axis))
            return u.replace(tuple(self.new.get(s, s) for s in u.src))
        assert axis is not None
        if u.op in ELEMENTWISE:
            return u.replace(tuple(self.new[s] for s in u.src))
        return self._repeated(u, axis) if self.axes[u.src[0]] is None else self._moved(u, axis)

    def _moved(self, u: UOp, axis: int) -> UOp:
        x, at = self.new[u.src[0]], self.axes[u.src[0]]
        if u.op is Ops.VMAPOUT:
            return closed(x, without(u.src[1:], axis))
        assert isinstance(at, int)
        if u.op is Ops.VMAPIN:
            return opened(x, without(u.src[1:], at))
        axes = opdef(u).axes
        assert axes is not None
        return UOp(u.op, u.dtype, (x, *u.src[1:]), axes.arg(u, [k for k in range(u.ndim) if k != axis], ()))


def without(values: tuple[T, ...], axis: int) -> tuple[T, ...]:
    """All values but that of an axis."""
    return (*values[:axis], *values[axis + 1 :])


def opened(x: UOp, varg: tuple[UOp, ...]) -> UOp:
    """X at RANGEs, if there are any."""
    return x.vmapin(varg) if any(a is not _ZERO for a in varg) else x


def closed(x: UOp, varg: tuple[UOp, ...]) -> UOp:
    """X for all values of RANGEs, if there are any."""
    return x.vmapout(varg) if any(a is not _ZERO for a in varg) else x


def _is_repeated(u: UOp, axis: int) -> bool:
    repeats = opdef(u).repeats
    return repeats is not None and axis in repeats(u)


def _axis_of_source(u: UOp, axis: int) -> Axis:
    """Which axis of its source is one of a node's, place by place; None if none is."""
    if u.op in GroupOp.VMap:
        kept = [k for k, a in enumerate(u.src[1:]) if a is _ZERO]
        if u.op is Ops.VMAPIN:
            return kept[axis]
        return kept.index(axis) if axis in kept else u.src[1 + axis]
    axes = opdef(u).axes
    return None if axes is None or _is_repeated(u, axis) else axes.source(u, axis)
