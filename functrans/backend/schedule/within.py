"""Work on the results of a loop in all lanes becomes work of a lane, where a loop or a reduction in the lane follows.

Between a mapped loop and what follows it stands a bracket that closes the lanes; a cotangent opens them again: twice
the results of all lanes, of which each lane takes its own, is a lane's own results twice. A reduction of each lane's
results is one in the lane, as it is where the map is written around both.
"""

from __future__ import annotations

from functrans.backend.policy import SMALL_ARRAY
from functrans.backend.schedule.along import Along, Axis, between, closed, of_numbers, opened, without
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.loops import Scan
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, rebuilt, toposort

_ZERO = const(0)


def within(roots: list[UOp]) -> list[UOp]:
    """The graph with brackets opened at the results of loops. Linear in the graph, but for what is computed twice."""
    order = toposort(roots)
    looped = set[UOp]()  # what depends on a loop or branch
    numbers = of_numbers(order)
    sequences = {s for u in order if isinstance(u.arg, Scan) for s in u.src[u.arg.carries :][: u.arg.sequences]}

    def make(u: UOp, made: UOp) -> UOp:
        nonlocal looped
        if made.op is Ops.VMAPIN and (value := B.const_value(made.src[0])) is not None:
            made = B.full(made.sized, made.dtype, value)
        late = made.op in GroupOp.Region or not looped.isdisjoint(made.src)
        if late and made.op is Ops.VMAPIN and (made.size <= SMALL_ARRAY or u in sequences):
            made = _opened(made, looped | numbers)
        elif late and made.op is Ops.REDUCE_AXIS:
            made = _reduced(made, looped | numbers)
        if late:
            looped = _with(made, looped)
            looped.add(made)
        return made

    return rebuilt(roots, make)


class _Lane(Along):
    """What an array is in the lane of a RANGE."""

    def __init__(self, array: UOp, axis: int, inner: set[UOp], lane: UOp) -> None:
        super().__init__(array, axis, inner)
        self.lane, self.is_closed = lane, False

    def _sources(self, u: UOp, axis: Axis) -> list[tuple[UOp, Axis]]:
        return [] if isinstance(axis, UOp) else super()._sources(u, axis)

    def _find_axes(self, order: list[UOp]) -> bool:
        # a map over the same RANGE along another axis would be taken for the lane
        return super()._find_axes(order) and not any(
            self.lane in u.free_ranges for u, axis in self.axes.items() if not isinstance(axis, UOp)
        )

    def leaf(self, u: UOp, axis: Axis) -> UOp | None:
        """A value of the lane, or an array at it."""
        if isinstance(axis, UOp):
            self.is_closed |= axis is self.lane
            return u if axis is self.lane else None
        if u in self.inner or axis is None or self.lane in u.free_ranges:
            return None
        return opened(u, tuple(self.lane if k == axis else _ZERO for k in range(u.ndim)))


def _in_lane(array: UOp, axis: int, lane: UOp, inner: set[UOp]) -> UOp | None:
    """An array along an axis at a RANGE, if it is made of what is closed at that."""
    if lane in array.free_ranges:
        return None
    along = _Lane(array, axis, inner, lane)
    made = along.element()
    return made if along.is_closed else None


def _with(made: UOp, known: set[UOp]) -> set[UOp]:
    """The known nodes, and those that are made of them."""
    found = set(known)
    for v in toposort((made,), enter=lambda v: v not in known):
        if not found.isdisjoint(v.src):
            found.add(v)
    return found


def _opened(opening: UOp, inner: set[UOp]) -> UOp:
    """A VMAPIN as ops of a lane, if what it opens begins at brackets that close the same lanes."""
    array, axes = opening.src[0], opening.src[1:]
    for r in (a for a in opening.src[1:] if a.op is Ops.RANGE):
        made = _in_lane(array, axes.index(r), r, inner)
        if made is None:
            return opening
        inner = _with(made, inner)
        array, axes = made, without(axes, axes.index(r))
    return array


def _reduced(u: UOp, inner: set[UOp]) -> UOp:
    """A reduction in the lanes that are axes of its source."""
    x, (op, reduced) = u.src[0], u.arg
    order = between(x, inner)
    lanes = dict.fromkeys(a for v in order or () if v.op is Ops.VMAPOUT for a in v.src[1:] if a.op is Ops.RANGE)
    for axis in (k for k in range(x.ndim) if k not in reduced):
        for lane in lanes:
            made = _in_lane(x, axis, lane, inner) if x.sized[axis] == lane.src[0].arg else None
            if made is not None:
                value = B.reduce_axis(made, op, tuple(k - (k > axis) for k in reduced))
                at = axis - sum(k < axis for k in reduced)
                inside = _reduced(value, _with(value, inner))
                return closed(inside, tuple(lane if k == at else _ZERO for k in range(u.ndim)))
    return u
