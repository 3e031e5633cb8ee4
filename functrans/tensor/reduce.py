"""Reductions under NumPy's rules: axes, keepdims, accumulator dtypes, empty arrays."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    AxisError,
    DtypeError,
    FunctransError,
    ShapeError,
    at_user_line,
)
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import Shape, UOp
from functrans.tensor.lexical import extreme
from functrans.tensor.lift import broadcast_shape, is_weak, lift
from functrans.tensor.meanings import maximum, minimum, truth

Axis = int | Sequence[int] | None


def normal_axis(axis: Any, ndim: int) -> int:
    """An axis counted from the front; AxisError where there is no such axis."""
    try:
        k = operator.index(axis)
    except FunctransError:
        raise
    except TypeError as error:
        raise ArgumentError(f"axis is {axis!r}; expected an integer{at_user_line()}") from error
    if axis is True or axis is False:  # as NumPy does
        raise ArgumentError(f"axis is {axis!r}; expected an integer{at_user_line()}")
    if not -ndim <= k < ndim:
        raise AxisError(
            f"axis {k} is out of bounds for array of dimension {ndim}{at_user_line()}; "
            + (f"expected {-ndim} to {ndim - 1}" if ndim else "a scalar has no axes")
        )
    return k % ndim


def normal_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that an axis argument means, ascending; None means all."""
    if axis is None:
        return tuple(range(ndim))
    given = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    axes = tuple(normal_axis(a, ndim) for a in given)
    if len(set(axes)) != len(axes):
        raise AxisError(f"duplicate value in axis {axis!r}{at_user_line()}; name each axis once")
    return tuple(sorted(axes))


def keep(shape: Shape, axes: tuple[int, ...]) -> Shape:
    """The shape after a reduction that keeps its axes."""
    return tuple(1 if i in axes else d for i, d in enumerate(shape))


def fold(x: UOp, op: Ops, axes: tuple[int, ...], empty: Any) -> UOp:
    """The reduction of x over axes; where nothing is reduced, the value `empty`."""
    if any(x.sized[a] == 0 for a in axes):
        return B.full(tuple(d for i, d in enumerate(x.sized) if i not in axes), x.dtype, empty)
    single = tuple(a for a in axes if x.sized[a] == 1)
    if single:  # nothing is added up along an axis of one
        x = B.reshape(x, tuple(d for i, d in enumerate(x.sized) if i not in single))
        axes = tuple(a - sum(s < a for s in single) for a in axes if a not in single)
        if not axes and op is Ops.ADD and x.dtype.kind in "fc":
            return B.add(x, B.like(x, 0))  # a sum starts from +0: that of -0.0 is +0
    if axes and axes[-1] < x.ndim - 1 and all(d == 1 for k, d in enumerate(x.sized) if k not in axes):
        # of one number: what is reduced lies side by side, though its axis is not the last
        kept, whole = (1,) * (x.ndim - len(axes)), B.reshape(x, tuple(d for d in x.sized if d != 1))
        return B.reshape(B.reduce_axis(whole, op, tuple(range(whole.ndim))), kept)
    return B.reduce_axis(x, op, axes)


def mask_of(where: Any, shape: Shape) -> UOp:
    """The mask of a reduction in the shape it masks; DtypeError unless of bools, ShapeError unless it broadcasts."""
    mask = lift(bool(where) if is_weak(where) else where)
    if mask.dtype.kind != "b":
        raise DtypeError(
            f"where= of a reduction has dtype {mask.dtype.name}{at_user_line()}; expected bool: write where=w != 0"
        )
    if broadcast_shape([mask.sized, shape], "where= of a reduction") != shape:
        raise ShapeError(
            f"where= of a reduction has shape {mask.shape}{at_user_line()}, which does not broadcast to {shape}"
        )
    return B.broadcast(mask, shape)


def masked(x: UOp, where: Any, value: Any) -> UOp:
    """X with the elements that `where` leaves out replaced by a value that changes nothing."""
    if where is None or where is True:
        return x
    return B.where(mask_of(where, x.sized), x, B.like(x, value))


def finish(x: UOp, y: UOp, axes: tuple[int, ...], keepdims: bool) -> UOp:
    """Y, the reduction of x over axes, with those axes put back where asked."""
    return B.reshape(y, keep(x.sized, axes)) if keepdims else y


def sum_dtype(dtype: DType) -> DType:
    """What NumPy adds up in: 64 bits for bools and integers."""
    if dtype.kind in "bi":
        return dtypes.int64
    return dtypes.uint64 if dtype.kind == "u" else dtype


def _total(x: UOp, op: Ops, axes: tuple[int, ...], unit: int) -> UOp:
    if x.dtype == dtypes.float16:  # accumulate in float32
        return B.cast(fold(B.cast(x, dtypes.float32), op, axes, unit), x.dtype)
    if x.dtype.kind == "b":
        return fold(x, Ops.OR if op is Ops.ADD else Ops.AND, axes, unit)
    return fold(x, op, axes, unit)


def _initial(initial: Any, dtype: DType) -> UOp:
    start = lift(initial, dtype)
    if start.ndim:
        raise ShapeError(f"initial= of a reduction has shape {start.shape}{at_user_line()}; expected a number")
    return start


def _totaled(x: UOp, op: Ops, unit: int, axis: Axis, dtype: Any, keepdims: bool, initial: Any, where: Any) -> UOp:
    x = B.cast(x, dtypes.from_numpy(dtype) if dtype is not None else sum_dtype(x.dtype))
    axes = normal_axes(axis, x.ndim)
    x = masked(x, where, unit)
    y = _total(x, op, axes, unit)
    if initial is not None:
        start = B.broadcast(_initial(initial, x.dtype), y.sized)
        y = B.alu(op, start, y)
    return finish(x, y, axes, keepdims)


def sum_(
    x: UOp, axis: Axis = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> UOp:
    """The sum over axes; 0 of nothing."""
    return _totaled(x, Ops.ADD, 0, axis, dtype, keepdims, initial, where)


def prod_(
    x: UOp, axis: Axis = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> UOp:
    """The product over axes; 1 of nothing."""
    return _totaled(x, Ops.MUL, 1, axis, dtype, keepdims, initial, where)


def _extreme(x: UOp, name: str, axis: Axis, keepdims: bool, initial: Any, where: Any) -> UOp:
    op, choose = (Ops.MAX, maximum) if name == "max" else (Ops.MIN, minimum)
    where = None if where is None or where is True else mask_of(where, x.sized)
    if where is not None and initial is None:
        raise ArgumentValueError(f"{name} with where= needs initial={at_user_line()}; nothing has no {name}")
    axes = normal_axes(axis, x.ndim)
    start = None if initial is None else _initial(initial, x.dtype)
    if start is None and any(x.sized[a] == 0 for a in axes):
        raise ShapeError(
            f"zero-size array to reduction operation {name} which has no identity{at_user_line()}: "
            f"shape {x.shape}, axis {axis}; give initial="
        )
    if where is not None and start is not None:
        x = B.where(where, x, B.broadcast(start, x.sized))
    if x.dtype.kind == "b":
        op = Ops.OR if op is Ops.MAX else Ops.AND
    y = _chosen(x, op, axes) if start is None else _started(x, op, axes, start, choose)
    return finish(x, y, axes, keepdims)


def _chosen(x: UOp, op: Ops, axes: tuple[int, ...]) -> UOp:
    """The extreme over axes, none of which is empty unless the result is."""
    return extreme(x, op, axes) if x.dtype.kind == "c" else fold(x, op, axes, op is Ops.AND)


def _started(x: UOp, op: Ops, axes: tuple[int, ...], start: UOp, choose: Any) -> UOp:
    shape = tuple(d for i, d in enumerate(x.sized) if i not in axes)
    start = B.broadcast(start, shape)
    if any(x.sized[a] == 0 for a in axes):
        return start
    return choose(start, _chosen(x, op, axes))  # type: ignore[no-any-return]


def max_(x: UOp, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> UOp:
    """The largest element over axes; NaN where there is one. Complex numbers by their real, then imaginary parts."""
    return _extreme(x, "max", axis, keepdims, initial, where)


def min_(x: UOp, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> UOp:
    """The smallest element over axes; NaN where there is one. Complex numbers by their real, then imaginary parts."""
    return _extreme(x, "min", axis, keepdims, initial, where)


def any_(x: UOp, axis: Axis = None, keepdims: bool = False, where: Any = None) -> UOp:
    """Whether an element is not zero."""
    x = masked(truth(x), where, False)
    axes = normal_axes(axis, x.ndim)
    return finish(x, fold(x, Ops.OR, axes, False), axes, keepdims)


def all_(x: UOp, axis: Axis = None, keepdims: bool = False, where: Any = None) -> UOp:
    """Whether no element is zero."""
    x = masked(truth(x), where, True)
    axes = normal_axes(axis, x.ndim)
    return finish(x, fold(x, Ops.AND, axes, True), axes, keepdims)
