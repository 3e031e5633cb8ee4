"""Elementwise work on the results of a loop in all lanes, for a loop in the same lanes, becomes work of a lane.

Between a mapped loop and what follows it stands a bracket that closes the lanes; a cotangent opens them again: twice
the results of all lanes, of which each lane takes its own, is a lane's own results twice.
"""

from __future__ import annotations

from functrans.backend.policy import LOOP_STATEMENTS, SMALL_ARRAY
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

_OPS = GroupOp.Elementwise - {Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD}
_DATA = frozenset({Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW})


def within(roots: list[UOp]) -> list[UOp]:
    """The graph with brackets opened at the results of loops. Linear in the graph, but for what is computed twice."""
    new: dict[UOp, UOp] = {}
    looped: set[UOp] = set()  # what depends on a loop or branch
    for u in toposort(roots):
        made = u.replace(tuple(new[s] for s in u.src))
        if made.op is Ops.VMAPIN and made.src[0] in looped:
            made = _opened(made, looped)
        new[u] = made
        if made.op in GroupOp.Region or not looped.isdisjoint(made.src):
            looped.add(made)
    return [new[r] for r in roots]


def _opened(opening: UOp, looped: set[UOp]) -> UOp:
    """A VMAPIN of elementwise ops as these ops of a lane, if they begin at brackets that close the same lanes."""
    array, axes = opening.src[0], opening.src[1:]
    if array.op not in _OPS or opening.size > SMALL_ARRAY or all(s.op is not Ops.RANGE and s.arg != 0 for s in axes):
        return opening
    order = toposort((array,), enter=lambda v: v.op in _OPS and B.const_value(v) is None)
    lane: dict[UOp, UOp] = {}
    for v in order:
        value = B.const_value(v)
        if value is not None:
            lane[v] = B.full(opening.sized, v.dtype, value)
        elif v.op is Ops.EXPAND and v not in looped and _is_same_in_all(v.src[0], axes):
            own = tuple(n for n, s in zip(v.src[0].sized, axes, strict=True) if s.op is not Ops.RANGE)
            lane[v] = B.expand(B.reshape(v.src[0], own), opening.sized)
        elif v.op is Ops.VMAPOUT and v.src[1:] == axes:
            lane[v] = v.src[0]
        elif _is_data(v):
            lane[v] = v.vmapin(axes)
        elif v.op in _OPS and v.shape == array.shape:
            lane[v] = v.replace(tuple(lane[s] for s in v.src))
        else:
            return opening
        looped.update([lane[v]] if v in looped else [])
    return lane[array] if len(order) <= LOOP_STATEMENTS else opening


def _is_data(v: UOp) -> bool:
    """Whether a value is an array that is given."""
    while v.op is Ops.RESHAPE:
        v = v.src[0]
    return v.op in _DATA


def _is_same_in_all(v: UOp, axes: tuple[UOp, ...]) -> bool:
    """Whether an array has one value along the axes that lanes are."""
    return all(n == 1 for n, s in zip(v.sized, axes, strict=True) if s.op is Ops.RANGE)
