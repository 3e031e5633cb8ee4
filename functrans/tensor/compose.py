"""Elementwise functions that NumPy composes of ufuncs: choosing, clipping, rounding, cleaning, comparing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import meanings as M
from functrans.tensor.elementwise import call
from functrans.tensor.lift import broadcast, lift, lifted, promote
from functrans.tensor.shape import broadcast_to


def where(condition: Any, x: Any, y: Any) -> UOp:
    """X where the condition holds, else y."""
    condition, x, y = lifted((condition, x, y))
    mask, a, b = broadcast([M.truth(lift(condition)), *promote(x, y)], "where")
    return B.where(mask, a, b)


def clip(x: Any, low: Any, high: Any) -> UOp:
    """X, at least low and at most high; None sets no bound, nor does a Python integer that no element can pass."""
    dtype = lift(x).dtype
    if dtype.kind in "iu":  # as NumPy has it, whether or not the bound fits the dtype
        low = None if type(low) is int and low <= dtype.low else low
        high = None if type(high) is int and high >= dtype.high else high
    given = [v for v in (x, low, high) if v is not None]
    a, *bounds = promote(*given)
    if low is not None:
        a = M.maximum(a, bounds[0])
    return a if high is None else M.minimum(a, bounds[-1])


def round_(x: UOp, decimals: Any = 0) -> UOp:
    """To the nearest, ties to even, at a decimal place."""
    if not isinstance(decimals, (int, np.integer)):
        raise ArgumentError(f"round: decimals is {decimals!r}{at_user_line()}; expected an integer")
    if x.dtype.kind == "b":
        return B.cast(x, dtypes.float16) if decimals == 0 else round_(B.cast(x, dtypes.float64), decimals)
    if x.dtype.kind in "iu":
        return x if decimals >= 0 else B.cast(_scaled(B.cast(x, dtypes.float64), int(decimals)), x.dtype)
    return _scaled(x, int(decimals))


def _scaled(x: UOp, decimals: int) -> UOp:
    if decimals == 0:
        return call(np.rint, x)
    factor = B.like(x, 10.0 ** abs(decimals))
    up, down = (B.mul, B.div) if decimals > 0 else (B.div, B.mul)
    return down(call(np.rint, up(x, factor)), factor)


def fix(x: UOp) -> UOp:
    """Towards zero, as a float."""
    return call(np.trunc, x)


def nan_to_num(x: UOp, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> UOp:
    """NaN and the infinities replaced by numbers; by default 0 and the largest floats."""
    if x.dtype.kind == "c":
        return M.complex_of(*(nan_to_num(p, nan, posinf, neginf) for p in (M.real_part(x), M.imag_part(x))))
    if x.dtype.kind != "f":
        return x
    top = float(np.finfo(x.dtype.numpy).max)
    values = [nan, top if posinf is None else posinf, -top if neginf is None else neginf]
    n, p, m = (broadcast_to(lift(v, x.dtype), x.sized) for v in values)
    y = B.where(B.eq(x, B.like(x, math.inf)), p, B.where(B.eq(x, B.like(x, -math.inf)), m, x))
    return B.where(M.isnan(x), n, y)


SINC_SERIES = 0.02  # below it the series to the sixth power is exact to the last bits, and smooth through 0


def sinc(x: UOp) -> UOp:
    """sin(pi x) / (pi x), 1 at 0."""
    y = call(np.multiply, x, math.pi)
    if y.dtype.kind == "c":
        zero = B.eq(y, B.like(y, 0))
        return B.where(zero, B.like(y, 1), B.div(B.alu(Ops.SIN, y), B.where(zero, B.like(y, 1), y)))
    square = B.mul(y, y)
    near = B.lt(square, B.like(y, SINC_SERIES**2))
    series = B.like(y, -1 / 5040)
    for c in (1 / 120, -1 / 6, 1.0):
        series = B.add(B.mul(series, square), B.like(y, c))
    return B.where(near, series, B.div(B.alu(Ops.SIN, y), B.where(near, B.like(y, 1), y)))


def angle(x: UOp, deg: bool = False) -> UOp:
    """The argument of a complex number, in radians or degrees."""
    turned = call(np.arctan2, *((M.imag_part(x), M.real_part(x)) if x.dtype.kind == "c" else (0, x)))
    return B.mul(turned, B.like(turned, 180 / math.pi)) if deg else turned


def real(x: UOp) -> UOp:
    """The real part."""
    return M.real_part(x)


def imag(x: UOp) -> UOp:
    """The imaginary part."""
    return M.imag_part(x)


def isclose(x: Any, y: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> UOp:
    """Whether ``|x - y| <= atol + rtol |y|``; infinities must be equal."""
    a, b = promote(x, y)
    if a.dtype.kind not in "fc":
        a, b = B.cast(a, dtypes.float64), B.cast(b, dtypes.float64)
    bound = call(np.add, atol, call(np.multiply, rtol, M.absolute(b)))
    near = call(np.logical_and, call(np.less_equal, M.absolute(B.sub(a, b)), bound), M.isfinite(b))
    close = call(np.logical_or, near, call(np.equal, a, b))
    return call(np.logical_or, close, call(np.logical_and, M.isnan(a), M.isnan(b))) if equal_nan else close


def infinite(x: UOp, sign: float) -> UOp:
    """Whether an element is the infinity of a sign."""
    M.refuse_complex(x.dtype, "isposinf" if sign > 0 else "isneginf")
    return B.eq(x, B.like(x, math.copysign(math.inf, sign))) if x.dtype.kind == "f" else M.never(x)


def iscomplex(x: UOp) -> UOp:
    """Whether the imaginary part is not zero."""
    return B.alu(Ops.NOT, isreal(x))


def isreal(x: UOp) -> UOp:
    """Whether the imaginary part is zero."""
    im = M.imag_part(x)
    return B.eq(im, B.like(im, 0))


def select(conditions: Sequence[Any], choices: Sequence[Any], default: Any = 0) -> UOp:
    """The choice of the first condition that holds, else the default."""
    for name, given in (("conditions", conditions), ("choices", choices)):
        if not isinstance(given, (tuple, list, np.ndarray)):
            raise ArgumentError(f"select: {name} are {given!r}{at_user_line()}; expected a list of arrays")
    if len(conditions) != len(choices) or not len(choices):
        raise ShapeError(
            f"select: {len(conditions)} conditions and {len(choices)} choices{at_user_line()}; expected as many, "
            "at least one"
        )
    masks = [lift(c) for c in conditions]
    for k, mask in enumerate(masks):
        if mask.dtype.kind != "b":
            raise DtypeError(
                f"select: condition {k} has dtype {mask.dtype.name}{at_user_line()}; expected bool: write c != 0"
            )
    *values, y = promote(*choices, default)
    for condition, value in zip(reversed(masks), reversed(values), strict=True):
        y = where(condition, value, y)
    return y


def bitcast(x: UOp, dtype: Any) -> UOp:
    """The bits of each element read as another dtype of the same size."""
    target = dtypes.from_numpy(dtype)
    if target.itemsize != x.dtype.itemsize:
        raise ArgumentValueError(
            f"bitcast of {x.dtype.name} to {target.name}{at_user_line()}: {x.dtype.itemsize} and {target.itemsize} "
            "bytes; expected a dtype of the same size"
        )
    return x if target == x.dtype else UOp(Ops.BITCAST, target, (x,))


def passed(x: UOp, op: Ops) -> UOp:
    """X through an op that passes its value on: CONTIGUOUS, DETACH and their like."""
    return UOp(op, x.dtype, (x,))
