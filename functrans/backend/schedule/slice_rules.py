"""What a slice of an op's result asks of its sources: a row an op, three functions a row.

``give``: of the slice asked for, the axes along which the op works element by element; ``ask``: the slices of the
sources that this takes; ``build``: the op on sliced sources. An op without a row is computed whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent, ranges_of

ZERO = const(0)
Varg = tuple[UOp, ...]


@dataclass(frozen=True)
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


def _new_axis(axis: int, varg: Varg) -> int:
    return sum(a is ZERO for a in varg[:axis])


def _where(keep: Callable[[UOp, int], bool]) -> Callable[[UOp, Varg], Varg]:
    """Gives the axes of which the condition holds."""
    return lambda node, varg: tuple(a if a is not ZERO and keep(node, k) else ZERO for k, a in enumerate(varg))


def _lanes_left(varg: Varg, lanes: int) -> int | None:
    return sum(a is ZERO for a in varg[:lanes]) or None


def _scalars(node: UOp) -> list[Varg]:
    return [() for s in node.src[1:] if s.shape is not None]


_same = Rule(
    ask=lambda node, varg: [varg for _ in node.src],
    build=lambda node, varg, src: node.replace(src),
)
_contiguous = Rule(  # asked for by the user: what belongs together stays so, lanes of a map do not
    give=_where(lambda node, k: k < (node.arg or 0)),
    ask=lambda node, varg: [varg],
    build=lambda node, varg, src: UOp(node.op, node.dtype, src, _lanes_left(varg, node.arg or 0)),
)

# movement


def _expanded(node: UOp, varg: Varg, src: tuple[UOp, ...]) -> UOp:
    return B.expand(B.reshape(src[0], _kept(node.src[0].sized, varg)), _kept(node.arg, varg))


_expand = Rule(
    ask=lambda node, varg: [
        tuple(ZERO if n != m else a for n, m, a in zip(node.src[0].sized, node.arg, varg, strict=True))
    ],
    build=_expanded,
)


def _same_axis(node: UOp, axis: int) -> int | None:
    """The axis of the source of a RESHAPE that is this axis of its result.

    A batch axis leads on both sides, so that it is found whatever its size; another of size 1 may be any of several.
    """
    before, n, shape = prod(node.arg[:axis]), node.arg[axis], node.src[0].sized
    if shape[: axis + 1] == node.arg[: axis + 1] and prod(shape[axis + 1 :]) == prod(node.arg[axis + 1 :]):
        return axis
    if n < 2 or node.size == 0:
        return None
    return next((j for j, m in enumerate(shape) if m == n and prod(shape[:j]) == before), None)


def _reshape_ask(node: UOp, varg: Varg) -> list[Varg]:
    asked = [ZERO] * node.src[0].ndim
    for k, a in enumerate(varg):
        j = None if a is ZERO else _same_axis(node, k)
        if j is not None:
            asked[j] = a
    return [tuple(asked)]


_reshape = Rule(
    give=_where(lambda node, k: _same_axis(node, k) is not None),
    ask=_reshape_ask,
    build=lambda node, varg, src: B.reshape(src[0], _kept(node.arg, varg)),
)


def _permuted(node: UOp, varg: Varg, src: tuple[UOp, ...]) -> UOp:
    axes = _kept(node.arg, varg)
    return B.permute(src[0], tuple(sorted(axes).index(a) for a in axes))


_permute = Rule(
    ask=lambda node, varg: [tuple(varg[node.arg.index(i)] for i in range(len(varg)))],
    build=_permuted,
)


def _window(whole: Callable[[UOp, int], bool]) -> Rule:
    return Rule(
        give=_where(whole),
        ask=lambda node, varg: [varg, *_scalars(node)],
        build=lambda node, varg, src: UOp(node.op, node.dtype, src, _kept(node.arg, varg)),
    )


# joins and reductions


def _without(varg: Varg, axis: int) -> Varg:
    return varg[:axis] + varg[axis + 1 :]


_stack = Rule(
    give=_where(lambda node, k: k != node.arg),
    ask=lambda node, varg: [_without(varg, node.arg) for _ in node.src],
    build=lambda node, varg, src: UOp(node.op, node.dtype, src, _new_axis(node.arg, varg)),
)
_cat = Rule(
    give=_where(lambda node, k: k != node.arg),
    ask=lambda node, varg: [varg for _ in node.src],
    build=lambda node, varg, src: UOp(node.op, node.dtype, src, _new_axis(node.arg, varg)),
)


def _reduce_ask(node: UOp, varg: Varg) -> list[Varg]:
    rest = iter(varg)
    return [tuple(ZERO if k in node.arg[1] else next(rest) for k in range(node.src[0].ndim))]


def _reduced(node: UOp, varg: Varg, src: tuple[UOp, ...]) -> UOp:
    (asked,) = _reduce_ask(node, varg)
    return UOp(node.op, node.dtype, src, (node.arg[0], tuple(_new_axis(a, asked) for a in node.arg[1])))


_cumulate = Rule(
    give=_where(lambda node, k: k != node.arg[1]),
    ask=lambda node, varg: [varg],
    build=lambda node, varg, src: UOp(node.op, node.dtype, src, (node.arg[0], _new_axis(node.arg[1], varg))),
)

_sorted = Rule(
    give=_where(lambda node, k: k != node.ndim - 1),
    ask=lambda node, varg: [varg],
    build=lambda node, varg, src: node.replace(src),
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
RULES: dict[Ops, Rule] = dict.fromkeys(_COMPUTED, _same) | {
    Ops.CONTIGUOUS: _contiguous,
    Ops.EXPAND: _expand, Ops.RESHAPE: _reshape, Ops.PERMUTE: _permute,
    Ops.PAD: _window(lambda node, k: node.arg[k] == (0, 0)),
    Ops.SHRINK: _window(lambda node, k: node.arg[k] == (0, node.src[0].sized[k])),
    Ops.FLIP: _window(lambda node, k: not node.arg[k]),
    Ops.STACK: _stack, Ops.CAT: _cat, Ops.REDUCE_AXIS: Rule(ask=_reduce_ask, build=_reduced), Ops.CUMULATE: _cumulate,
    Ops.ARGSORT: _sorted, Ops.SORT: _sorted,
    Ops.VMAPIN: _vmapin, Ops.VMAPOUT: _vmapout,
    Ops.INDEX: Rule(give=_where(lambda node, k: node.size > 0), ask=_gather_ask, build=_gathered),
    Ops.SCATTER: Rule(give=_scatter_give, ask=_scatter_ask, build=_scattered),
    Ops.IOTA: Rule(ask=lambda node, varg: [], build=_counted),
}  # fmt: skip
