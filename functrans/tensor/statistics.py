"""Reductions made of others: means, deviations, positions of extremes, counts, and those that skip NaN."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.elementwise import call
from functrans.tensor.lexical import extreme_position
from functrans.tensor.lift import broadcast, lift
from functrans.tensor.meanings import imag_part, isnan, negate, real_part, root, truth
from functrans.tensor.reduce import (
    Axis,
    all_,
    fold,
    keep,
    mask_of,
    masked,
    max_,
    min_,
    normal_axes,
    normal_axis,
    prod_,
    sum_,
)  # fmt: skip
from functrans.tensor.shape import moveaxis


def _inexact(x: UOp, dtype: Any) -> tuple[UOp, Any]:
    """X in the dtype a mean is computed in, and the dtype of the result."""
    if dtype is not None:
        wanted = dtypes.from_numpy(dtype)
        return B.cast(x, wanted), wanted
    if x.dtype.kind not in "fc":
        return B.cast(x, dtypes.float64), dtypes.float64
    return (B.cast(x, dtypes.float32) if x.dtype == dtypes.float16 else x), x.dtype


def _count(x: UOp, axes: tuple[int, ...], where: Any) -> UOp:
    """How many elements a reduction takes together, as a number of the dtype of x, axes kept."""
    if where is None or where is True:
        return B.full(keep(x.sized, axes), x.dtype, prod(x.sized[a] for a in axes))
    mask = mask_of(where, x.sized)
    return B.reshape(B.cast(sum_(mask, axes), x.dtype), keep(x.sized, axes))


def mean(x: UOp, axis: Axis = None, dtype: Any = None, keepdims: bool = False, where: Any = None) -> UOp:
    """The arithmetic mean over axes; NaN of nothing."""
    wide, out = _inexact(x, dtype)
    axes = normal_axes(axis, x.ndim)
    total = sum_(wide, axes, keepdims=True, where=where)
    y = B.cast(call(np.divide, total, _count(wide, axes, where)), out)
    return y if keepdims else B.reshape(y, fold_shape(x, axes))


def fold_shape(x: UOp, axes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of x without axes."""
    return tuple(d for i, d in enumerate(x.sized) if i not in axes)


def var(
    x: UOp, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False, where: Any = None
) -> UOp:
    """The mean squared distance to the mean, over the number of elements less ddof."""
    y, out = _variance(x, axis, dtype, ddof, keepdims, where)
    return B.cast(y, out)


def _variance(
    x: UOp, axis: Axis, dtype: Any, ddof: float, keepdims: bool, where: Any
) -> tuple[UOp, DType]:  # fmt: skip
    """The variance, in real numbers, and the dtype of the result: a complex one only where it is asked for."""
    wide, out = _inexact(x, dtype)
    if wide.dtype.kind not in "fc":
        raise DtypeError(f"var and std in {wide.dtype.name}{at_user_line()}; expected a float or complex dtype")
    if not isinstance(ddof, (int, float, np.integer, np.floating)):
        raise ArgumentError(f"ddof (or correction) is {ddof!r}{at_user_line()}; expected a number")
    if x.dtype.kind == "c" and wide.dtype.kind != "c":
        raise DtypeError(
            f"var and std of {x.dtype.name} in {wide.dtype.name}{at_user_line()}: the imaginary parts would be lost; "
            "take those of x.real, or a complex dtype"
        )
    axes = normal_axes(axis, x.ndim)
    count = _count(wide, axes, where)
    center = B.div(sum_(wide, axes, keepdims=True, where=where), count)
    away = B.sub(wide, B.broadcast(center, wide.sized))
    re, im = real_part(away), imag_part(away)
    square = B.mul(re, re) if away.dtype.kind != "c" else B.add(B.mul(re, re), B.mul(im, im))
    real = square.dtype
    free = B.sub(B.cast(count, real), B.full(count.sized, real, ddof))
    free = B.alu(Ops.MAX, free, B.like(free, 0))
    y = B.div(sum_(square, axes, keepdims=True, where=where), free)
    y = y if keepdims else B.reshape(y, fold_shape(x, axes))
    return (y, out) if dtype is not None else (y, out if out.kind != "c" else real)


def std(
    x: UOp, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False, where: Any = None
) -> UOp:
    """The square root of the variance; where that is zero its derivative is 0."""
    y, out = _variance(x, axis, dtype, ddof, keepdims, where)
    return root(B.cast(y, out)) if out.kind != "c" else B.cast(root(y), out)


def average(x: UOp, axis: Axis = None, weights: Any = None, keepdims: bool = False) -> tuple[UOp, UOp]:
    """The weighted mean over axes, and the sum of the weights."""
    if weights is None:
        y = mean(x, axis, keepdims=keepdims)
        axes = normal_axes(axis, x.ndim)
        return y, B.full(y.sized, y.dtype, prod(x.sized[a] for a in axes))
    w = lift(weights)
    if w.shape != x.shape:
        if axis is None:
            raise ArgumentError(
                f"average: weights of shape {w.shape} for an array of shape {x.shape}{at_user_line()}; give the axis "
                "that they belong to, or weights of the same shape"
            )
        w = _along(w, x, [normal_axis(k, x.ndim) for k in (axis if isinstance(axis, (tuple, list)) else (axis,))])
    dtype = np.result_type(x.dtype.numpy, w.dtype.numpy, *([] if x.dtype.kind in "fc" else [np.float64]))
    wide, heavy = broadcast([lift(x, dtypes.from_numpy(dtype)), lift(w, dtypes.from_numpy(dtype))])
    total = sum_(heavy, axis, keepdims=keepdims)
    return B.div(sum_(B.mul(wide, heavy), axis, keepdims=keepdims), total), total


def _along(w: UOp, x: UOp, axes: list[int]) -> UOp:
    """Weights of some axes of x, in the order that the axes are named in, with an axis of one for each other one."""
    normal_axes(axes, x.ndim)
    wanted = tuple(x.sized[k] for k in axes)
    if w.sized != wanted:
        raise ShapeError(
            f"average: weights of shape {w.shape} for axes {tuple(axes)} of shape {x.shape}{at_user_line()}; "
            f"expected {wanted}"
        )
    w = B.permute(w, tuple(sorted(range(len(axes)), key=axes.__getitem__)))
    return B.reshape(w, tuple(n if k in axes else 1 for k, n in enumerate(x.sized)))


def ptp(x: UOp, axis: Axis = None, keepdims: bool = False) -> UOp:
    """The largest element less the smallest."""
    return call(np.subtract, max_(x, axis, keepdims), min_(x, axis, keepdims))


def count_nonzero(x: UOp, axis: Axis = None, keepdims: bool = False) -> UOp:
    """How many elements are not zero, as int64."""
    return sum_(truth(x), axis, dtypes.int64, keepdims)


def arg_extreme(x: UOp, name: str, axis: Any = None, keepdims: bool = False) -> UOp:
    """The first position of the largest or smallest element (the first NaN if there is one), as int64."""
    shape = (1,) * x.ndim
    if axis is None:
        x, k = B.reshape(x, (x.size,)), 0
    else:
        k = normal_axis(axis, x.ndim)
        shape = keep(x.sized, (k,))
    n = x.sized[k]
    if n == 0:
        raise ShapeError(f"attempt to get {name} of an empty sequence{at_user_line()}: shape {x.shape}, axis {axis}")
    if x.dtype.kind == "c":
        y = extreme_position(moveaxis(x, k, -1), Ops.MAX if name == "argmax" else Ops.MIN)
        return B.reshape(y, shape) if keepdims else y
    extreme = max_ if name == "argmax" else min_
    left = x.sized[:k] + x.sized[k + 1 :]
    if all(d == 1 for d in x.sized[k + 1 :]):
        x = B.reshape(x, x.sized[: k + 1])
    is_long = k == x.ndim - 1 and n >= 3 * _part(x.dtype) and x.size > 0
    y = _by_parts(x, extreme) if is_long else B.cast(_first(x, extreme(x, k), k), dtypes.int64)
    return B.reshape(y, shape if keepdims else left)


def _part(dtype: DType) -> int:
    """The elements of a part: of rows of two parts both ways take as long, of a million one a half to a fifth. Short
    numbers are looked through sooner, by more in one vector.
    """
    return 256 if dtype.itemsize >= 4 else 1024


def _by_parts(x: UOp, extreme: Callable[..., UOp]) -> UOp:
    """The first position along the last axis of its extreme element, or of a NaN; that of a long axis by parts: the
    first part with such an element, then the first element in it. So each element is read once.
    """
    *batch, n = x.sized
    part = _part(x.dtype)
    parts, rest = divmod(n, part)
    all_of = [(0, k) for k in batch]
    bests = extreme(B.reshape(B.shrink(x, (*all_of, (0, n - rest))), (*batch, parts, part)), -1)
    best = extreme(bests, -1)
    if rest:
        last = extreme(B.shrink(x, (*all_of, (n - rest, n))), -1)
        best = extreme(B.stack((best, last), best.ndim), -1)
    # where no whole part has it, the last elements are looked through: those before the rest have it neither
    start = B.cast(_first(bests, best, len(batch)), dtypes.int64)
    start = B.alu(Ops.MIN, B.mul(start, B.like(start, part)), B.like(start, n - part))
    rows = B.reshape(B.iota(best.size), best.sized)
    rows = B.mul(rows, B.like(rows, n))
    places = B.reshape(B.add(rows, start), (*batch, 1))
    line = B.reshape(B.iota(part), (*(1 for _ in batch), part))
    places = B.add(*(B.broadcast(u, (*batch, part)) for u in (places, line)))
    read = B.gather(B.reshape(x, (x.size,)), B.inside(places, x.size))
    return B.add(start, B.cast(_first(read, best, len(batch)), dtypes.int64))


def _first(x: UOp, best: UOp, k: int) -> UOp:
    """The first position along axis k of an element that is the best or NaN; the length of the axis if none is."""
    hit = B.eq(x, B.broadcast(B.reshape(best, keep(x.sized, (k,))), x.sized))
    if x.dtype.kind == "f":
        hit = B.alu(Ops.OR, hit, isnan(x))
    n = x.sized[k]
    dtype = dtypes.int32 if x.dtype.itemsize <= 4 and n < 1 << 31 else dtypes.int64  # as wide as what is compared
    line = B.reshape(B.iota(n, dtype), tuple(n if i == k else 1 for i in range(x.ndim)))
    return fold(B.where(hit, B.broadcast(line, x.sized), B.full(x.sized, dtype, n)), Ops.MIN, (k,), 0)


_PLAIN: dict[str, Callable[..., UOp]] = {
    "sum": sum_, "prod": prod_, "max": max_, "min": min_, "mean": mean, "var": var, "std": std,
}  # fmt: skip


def without_nan(name: str, x: UOp, axis: Axis, keepdims: bool, **options: Any) -> UOp:
    """A reduction that leaves NaN out: the sum, prod, mean, var, std, max or min of the others."""
    plain = _PLAIN[name]
    if x.dtype.kind not in "fc":
        return plain(x, axis, keepdims=keepdims, **options)
    valid = negate(isnan(x))
    if name in ("sum", "prod"):
        return plain(masked(x, valid, int(name == "prod")), axis, keepdims=keepdims, **options)
    if name in ("mean", "var", "std"):
        clean = B.where(valid, x, B.like(x, 0))
        return plain(clean, axis, keepdims=keepdims, where=valid, **options)
    worst = float("-inf") if name == "max" else float("inf")
    last = complex(worst, worst) if x.dtype.kind == "c" else worst
    y = plain(B.where(valid, x, B.like(x, last)), axis, keepdims=keepdims, **options)
    nothing = plain(x, axis, keepdims=keepdims, **options) if x.dtype.kind == "c" else B.like(y, float("nan"))
    return B.where(all_(isnan(x), axis, keepdims), nothing, y)


def one_of(name: str, first: Any, second: Any, default: Any) -> Any:
    """The value of an argument that goes by two names, such as ddof and correction."""
    if first != default and second is not None:
        raise ArgumentError(f"{name} are two names of one argument; give one{at_user_line()}")
    return first if second is None else second
