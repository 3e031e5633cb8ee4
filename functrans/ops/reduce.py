"""Reductions, running reductions, and the joins of several arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans.errors import SpecError
from functrans.ops import symbolic as sym
from functrans.ops.axes import Axes, all_but, axis_number
from functrans.ops.build import expand, flip, neutral, reshape, shrink
from functrans.ops.enums import Ops
from functrans.ops.opdef import Indices, OpDef, every, like_all, like_first, register, same_shape
from functrans.ops.uop import Shape, UOp

REDUCERS: dict[Ops, Any] = {
    Ops.ADD: np.add, Ops.MUL: np.multiply, Ops.MAX: np.maximum, Ops.MIN: np.minimum,
    Ops.AND: np.bitwise_and, Ops.OR: np.bitwise_or,
}  # fmt: skip


def identity(op: Ops, dtype: Any, running: bool = False) -> bool | int | float | complex:
    """The value that a reduction starts from: ``op(identity, x) == x`` for every x of the dtype.

    A sum starts from +0, so that of -0.0 alone it is +0, as NumPy's is; a ``running`` one gives back its first
    element as it is.
    """
    kind = dtype.kind
    if op is Ops.ADD:
        return neutral(dtype) if running else 0
    if op is Ops.OR:
        return 0
    if op is Ops.MUL:
        return 1
    if op is Ops.AND:
        return True if kind == "b" else int(np.iinfo(dtype.numpy).max) if kind == "u" else -1
    if kind == "f":
        return float("-inf") if op is Ops.MAX else float("inf")
    if kind == "b":
        return op is Ops.MIN
    info = np.iinfo(dtype.numpy)
    return int(info.min if op is Ops.MAX else info.max)


def _reduce_shape(node: UOp) -> Shape:
    axes = node.arg[1]
    return tuple(d for i, d in enumerate(node.src[0].sized) if i not in axes)


def _reduce_check(node: UOp) -> str | None:
    op, axes = node.arg
    shape = node.src[0].sized
    if op not in REDUCERS:
        return f"{op!r} is no reduction"
    if not axes or any(not 0 <= a < len(shape) for a in axes) or tuple(sorted(set(axes))) != axes:
        return f"axes {axes} for shape {shape}; expected distinct axes in ascending order"
    return None


def _reduce_numpy(node: UOp, x: Any) -> Any:
    op, axes = node.arg
    with np.errstate(all="ignore"):
        empty = x.size == 0
        start = {"initial": identity(op, node.dtype)} if empty else {}
        return np.asarray(REDUCERS[op].reduce(_rows(x, axes), axis=-1, dtype=node.dtype.numpy, **start))


def _rows(x: Any, axes: tuple[int, ...]) -> Any:
    """The reduced axes as one, the last and contiguous: NumPy's order of summation is then a function of its length."""
    rest = tuple(a for a in range(x.ndim) if a not in axes)
    size = math.prod(x.shape[a] for a in axes)
    return np.ascontiguousarray(np.transpose(x, (*rest, *axes))).reshape(*(x.shape[a] for a in rest), size)


def _left(node: UOp, axis: int) -> int:
    return [k for k in range(node.src[0].ndim) if k not in node.arg[1]][axis]


def _renumbered(node: UOp, kept: Sequence[int], lead: Sequence[int]) -> tuple[Ops, tuple[int, ...]]:
    op, axes = node.arg
    left = sorted((*axes, *(_left(node, k) for k in kept)))
    return op, tuple(len(lead) + left.index(a) for a in axes)


def _if_sum(node: UOp) -> tuple[int, ...]:
    return (0,) if node.arg[0] is Ops.ADD else ()


def _repeated(node: UOp, ct: UOp, k: int) -> UOp:
    shape = node.src[0].sized
    return expand(reshape(ct, tuple(1 if i in node.arg[1] else n for i, n in enumerate(shape))), shape)


register(
    OpDef(
        Ops.REDUCE_AXIS, "reduce", "the reduction over axes, which disappear", _reduce_shape, _reduce_numpy,
        axes=Axes(_left, _renumbered), reduces=lambda n: n.arg, linear=_if_sum, transpose=_repeated,
        check=_reduce_check, typed=like_first,
    )
)  # fmt: skip


def _range_check(node: UOp) -> str | None:
    if node.arg not in REDUCERS:
        return f"{node.arg!r} is no reduction"
    if node.arg in (Ops.AND, Ops.OR) and node.dtype.kind not in "biu":
        return f"{node.arg!r} of dtype {node.dtype.name}; it is for bool and integers"
    closed = node.src[1:]
    ok = closed and all(r.op is Ops.RANGE for r in closed) and len(set(closed)) == len(closed)
    return None if ok else f"it reduces over {closed}; expected one or several RANGEs"


register(
    OpDef(Ops.REDUCE, "reduce", "the reduction over RANGEs, which are closed", same_shape,
          closes=lambda n: n.src[1:], check=_range_check)
)  # fmt: skip


def _cumulate_check(node: UOp) -> str | None:
    op, axis = node.arg
    ok = op in REDUCERS and 0 <= axis < node.src[0].ndim
    return None if ok else f"{op!r} along axis {axis} of shape {node.src[0].shape}"


def _cumulate_numpy(node: UOp, x: Any) -> Any:
    with np.errstate(all="ignore"):
        return REDUCERS[node.arg[0]].accumulate(x, axis=node.arg[1], dtype=node.dtype.numpy)


def _from_the_end(node: UOp, ct: UOp, k: int) -> UOp:
    back = tuple(i == node.arg[1] for i in range(node.ndim))
    return flip(node.replace((flip(ct, back),)), back)


register(
    OpDef(
        Ops.CUMULATE, "reduce", "the running reduction along one axis",
        lambda n: n.src[0].shape, _cumulate_numpy,
        axes=Axes(all_but(lambda n: n.arg[1]), lambda n, kept, lead: (n.arg[0], len(lead) + kept.index(n.arg[1]))),
        runs=lambda n: n.arg, linear=_if_sum, transpose=_from_the_end, check=_cumulate_check, typed=like_first,
    )
)  # fmt: skip


def _stack_check(node: UOp) -> str | None:
    shapes = [s.shape for s in node.src]
    ok = len(set(shapes)) == 1 and 0 <= node.arg <= node.src[0].ndim
    return None if ok else f"shapes {shapes} along a new axis {node.arg}; expected equal shapes"


def _cat_check(node: UOp) -> str | None:
    rest = {s.sized[: node.arg] + s.sized[node.arg + 1 :] for s in node.src}
    ok = len(rest) == 1 and 0 <= node.arg < node.src[0].ndim and len({s.ndim for s in node.src}) == 1
    shapes = [s.shape for s in node.src]
    return None if ok else f"shapes {shapes} along axis {node.arg}; the other axes must agree"


def _stack_shape(node: UOp) -> Shape:
    first = node.src[0].sized
    return (*first[: node.arg], len(node.src), *first[node.arg :])


def _unstacked(node: UOp, axis: int) -> int | None:
    return None if axis == node.arg else axis - (axis > node.arg)


def _window(ct: UOp, axis: int, start: int, stop: int) -> UOp:
    return shrink(ct, tuple((start, stop) if i == axis else (0, n) for i, n in enumerate(ct.sized)))


def _taken(node: UOp, ct: UOp, k: int) -> UOp:
    return reshape(_window(ct, node.arg, k, k + 1), node.src[k].sized)


def _cut(node: UOp, ct: UOp, k: int) -> UOp:
    start = sum(s.sized[node.arg] for s in node.src[:k])
    return _window(ct, node.arg, start, start + node.src[k].sized[node.arg])


def _layer(node: UOp, k: int, at: Indices) -> Indices:
    return (*at[: node.arg], sym.const(k), *at[node.arg :])


def _layer_at(node: UOp, at: Indices) -> tuple[int, Indices]:
    axis = node.arg
    return int(at[axis].arg), at[:axis] + at[axis + 1 :]


def _behind(node: UOp, k: int, at: Indices) -> Indices:
    axis = node.arg
    before = sum(s.sized[axis] for s in node.src[:k])
    return (*at[:axis], sym.add(at[axis], sym.const(before)), *at[axis + 1 :])


def _part_at(node: UOp, at: Indices) -> tuple[int, Indices]:
    axis = node.arg
    place = int(at[axis].arg)
    for k, s in enumerate(node.src):
        if place < s.sized[axis]:
            return k, (*at[:axis], sym.const(place), *at[axis + 1 :])
        place -= s.sized[axis]
    raise SpecError(f"index {at[axis].arg} of {node!r} is out of range")


def _cat_shape(node: UOp) -> Shape:
    first = node.src[0].sized
    return (*first[: node.arg], sum(s.sized[node.arg] for s in node.src), *first[node.arg + 1 :])


register(
    OpDef(Ops.STACK, "join", "equal shapes joined along a new axis", _stack_shape,
          lambda n, *xs: np.stack(xs, n.arg), axes=Axes(_unstacked, axis_number), linear=every,
          transpose=_taken, lands=_layer, select=_layer_at, check=_stack_check, typed=like_all)
)  # fmt: skip
register(
    OpDef(Ops.CAT, "join", "joined along an axis all have", _cat_shape,
          lambda n, *xs: np.concatenate(xs, n.arg), axes=Axes(all_but(lambda n: n.arg), axis_number), linear=every,
          transpose=_cut, lands=_behind, select=_part_at, check=_cat_check, typed=like_all)
)  # fmt: skip
