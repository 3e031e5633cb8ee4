"""What a slice of an op's result asks of its sources: a row an op, three functions a row.

``give``: of the slice asked for, the axes along which the op works element by element; ``ask``: the slices of the
sources that this takes; ``build``: the op on sliced sources. An op without a row is computed whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._records import record
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.movement import MOVEMENT_BUILDERS
from functrans.ops.opdef import opdef, ops_that
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent, ranges_of

ZERO = const(0)
Varg = tuple[UOp, ...]


@record
class Rule:
    """How one op passes a slice on."""

    ask: Callable[[UOp, Varg], list[Varg]]
    build: Callable[[UOp, Varg, tuple[UOp, ...]], UOp]
    give: Callable[[UOp, Varg], Varg] = lambda node, varg: varg


def _free(varg: Varg) -> list[int]:
    """The axes that stay."""
    return [k for k, a in enumerate(varg) if a is ZERO]


def _kept(items: Any, varg: Varg) -> tuple[Any, ...]:
    return tuple(items[k] for k in _free(varg))


def _where(keep: Callable[[UOp, int], bool]) -> Callable[[UOp, Varg], Varg]:
    """Gives the axes of which the condition holds."""
    return lambda node, varg: tuple(a if a is not ZERO and keep(node, k) else ZERO for k, a in enumerate(varg))


def _scalars(node: UOp) -> list[Varg]:
    return [() for s in node.src[1:] if s.shape is not None]


_same = Rule(
    ask=lambda node, varg: [varg for _ in node.src],
    build=lambda node, varg, src: node.replace(src),
)
_contiguous = Rule(  # asked for by the user: what belongs together stays so, lanes of a map do not
    give=_where(lambda node, k: k < (node.arg or 0)),
    ask=lambda node, varg: [varg],
    build=lambda node, varg, src: UOp(node.op, node.dtype, src, sum(a is ZERO for a in varg[: node.arg or 0]) or None),
)

# by the axes map of the record


def _axis(node: UOp, axis: int) -> int | None:
    """The axis of the sources that an axis of the result is."""
    axes = opdef(node).axes
    assert axes is not None
    return axes.source(node, axis)


def _asked(node: UOp, source: UOp, varg: Varg) -> Varg:
    """The slice of a source: not along an axis of one element, which is repeated. A number is asked for whole."""
    asked = [ZERO] * source.ndim
    for k, a in enumerate(varg if source.ndim else ()):
        j = None if a is ZERO else _axis(node, k)
        if j is not None and source.sized[j] == node.sized[k]:
            asked[j] = a
    return tuple(asked)


def _unrepeated(node: UOp, varg: Varg, x: UOp) -> UOp:
    """The sliced source of a movement without the axes that would be repeated along sliced ones."""
    sliced = {_axis(node, k) for k, a in enumerate(varg) if a is not ZERO}
    left = [k for k, a in enumerate(_asked(node, node.src[0], varg)) if a is ZERO]
    if sliced.isdisjoint(left):
        return x
    return B.reshape(x, tuple(node.src[0].sized[k] for k in left if k not in sliced))


def _rebuilt(node: UOp, varg: Varg, src: tuple[UOp, ...]) -> UOp:
    axes = opdef(node).axes
    assert axes is not None
    arg = axes.arg(node, _free(varg), ())
    if node.op in MOVEMENT_BUILDERS and len(src) == 1:
        return MOVEMENT_BUILDERS[node.op](_unrepeated(node, varg, src[0]), arg)
    return node.replace(src) if arg == node.arg else UOp(node.op, node.dtype, src, arg)


_by_axes = Rule(
    give=_where(lambda node, k: _axis(node, k) is not None),
    ask=lambda node, varg: [_asked(node, s, varg) for s in node.src if s.shape is not None],
    build=_rebuilt,
)

# brackets


def _in_ask(node: UOp, varg: Varg) -> list[Varg]:
    rest = iter(varg)
    return [tuple(next(rest) if a is ZERO else a for a in node.src[1:]), *_scalars(node)]


def _out_give(node: UOp, varg: Varg) -> Varg:
    closed = ranges_of(node.src[1:])
    if any(a in closed for a in varg):  # it is bound inside
        return (ZERO,) * len(varg)
    return tuple(a if b is ZERO else ZERO for a, b in zip(varg, node.src[1:], strict=True))


_vmapin = Rule(ask=_in_ask, build=lambda node, varg, src: src[0])
_vmapout = Rule(
    give=_out_give,
    ask=lambda node, varg: [tuple(a for a, b in zip(varg, node.src[1:], strict=True) if b is ZERO), *_scalars(node)],
    build=lambda node, varg, src: src[0].vmapout(_kept(node.src[1:], varg)),
)

# indexing by arrays


def _lane_axis(index: UOp) -> int | None:
    """The axis along which an index array counts 0, 1, 2 ..., the same everywhere else: each lane its own."""
    axes = tuple(UOp.range(n, -1 - k) for k, n in enumerate(index.sized))
    at, node, highest = axes, index, _highest(index.dtype)
    while node.op in GroupOp.Movement or node.op is Ops.CAST:
        if node.op is Ops.CAST:
            highest = min(highest, _highest(node.src[0].dtype))
        else:
            ranges = opdef(node).ranges
            assert ranges is not None
            at, condition = ranges(node, at)
            if condition is not None:
                return None
        node = node.src[0]
    if node.op is not Ops.IOTA or node.arg - 1 > highest:  # a narrow integer would begin again
        return None
    return next((k for k, r in enumerate(axes) if at[0] is r and index.sized[k] == node.arg), None)


def _highest(dtype: DType) -> int:
    return int(np.iinfo(dtype.numpy).max) if dtype.kind in "iux" else 0


def _lanes(node: UOp, first: int) -> dict[int, int]:
    """Which index of a gather or scatter is a lane, along which of its axes."""
    found: dict[int, int] = {}
    for j, i in enumerate(node.src[first:]):
        axis = _lane_axis(i) if i.op in GroupOp.Movement or i.op is Ops.IOTA else None
        if axis is not None and axis not in found.values():
            found[j] = axis
    return found


def _gather_lanes(node: UOp, varg: Varg) -> dict[int, UOp]:
    """The indices that a slice makes superfluous, each with the RANGE at which the source is read instead."""
    return {
        j: varg[axis] for j, axis in _lanes(node, 1).items()
        if varg[axis] is not ZERO and extent(varg[axis]) == node.src[0].sized[j]
    }  # fmt: skip


def _gather_ask(node: UOp, varg: Varg) -> list[Varg]:
    indices = node.src[1:]
    lead, lanes = indices[0].ndim, _gather_lanes(node, varg)
    first = tuple(lanes.get(j, ZERO) for j in range(len(indices)))
    return [first + varg[lead:], *(varg[:lead] for _ in indices)]


def _gathered(node: UOp, varg: Varg, src: tuple[UOp, ...]) -> UOp:
    lanes = _gather_lanes(node, varg)
    indices = [i for j, i in enumerate(src[1:]) if j not in lanes]
    if indices:
        return node.replace((src[0], *indices))
    lead = _kept(node.src[1].sized, varg[: node.src[1].ndim])
    return B.expand(B.reshape(src[0], (1,) * len(lead) + src[0].sized), lead + src[0].sized)


def _scatter_lanes(node: UOp, varg: Varg) -> dict[int, tuple[int, UOp]]:
    """The indices that a slice makes superfluous: the axis of the values that is the lane, and its RANGE."""
    found = {
        j: (axis, varg[j]) for j, axis in _lanes(node, 2).items()
        if varg[j] is not ZERO and node.src[2].sized[axis] == node.sized[j]
    }  # fmt: skip
    if len(found) == len(node.src) - 2:  # an update needs an index
        found.pop(next(iter(found)), None)
    return found


def _scatter_give(node: UOp, varg: Varg) -> Varg:
    indices, lanes = len(node.src) - 2, _scatter_lanes(node, varg)
    return tuple(ZERO if k < indices and k not in lanes else a for k, a in enumerate(varg))


def _scatter_ask(node: UOp, varg: Varg) -> list[Varg]:
    indices = len(node.src) - 2
    at = [ZERO] * node.src[2].ndim
    for axis, r in _scatter_lanes(node, varg).values():
        at[axis] = r
    return [varg, (*at, *varg[indices:]), *(tuple(at) for _ in range(indices))]


def _scattered(node: UOp, varg: Varg, src: tuple[UOp, ...]) -> UOp:
    lanes = _scatter_lanes(node, varg)
    return node.replace((*src[:2], *(i for j, i in enumerate(src[2:]) if j not in lanes)))


def _counted(node: UOp, varg: Varg, src: tuple[UOp, ...]) -> UOp:
    if varg[0] is ZERO:
        return node
    return varg[0] if node.dtype == dtypes.index else UOp(Ops.CAST, node.dtype, (varg[0],))


_COMPUTED = (GroupOp.Elementwise | GroupOp.Custom | {Ops.NOOP, Ops.ASSIGN}) - {Ops.CONTIGUOUS}
# a step between kernels is one of all its lanes
_BY_AXES = ops_that(lambda record: record.axes and record.kind != "host")
RULES: dict[Ops, Rule] = dict.fromkeys(_COMPUTED, _same) | dict.fromkeys(_BY_AXES, _by_axes) | {
    Ops.CONTIGUOUS: _contiguous,
    Ops.VMAPIN: _vmapin, Ops.VMAPOUT: _vmapout,
    Ops.INDEX: Rule(give=_where(lambda node, k: node.size > 0), ask=_gather_ask, build=_gathered),
    Ops.SCATTER: Rule(give=_scatter_give, ask=_scatter_ask, build=_scattered),
    Ops.IOTA: Rule(ask=lambda node, varg: [], build=_counted),
}  # fmt: skip
