"""Numbers taken apart into mantissa and exponent, and put together: multiplied by powers of two, which are exact."""

from __future__ import annotations

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.meanings import isfinite, maximum, minimum

DIGITS = {4: 24, 8: 53}  # of a mantissa, by bytes
LARGEST = {4: 127, 8: 1023}  # the exponent of the largest power of two; of the smallest normal one it is 1 - that


def ldexp(x: UOp, n: UOp) -> UOp:
    """X times 2 to the power n, rounded once."""
    if x.dtype.itemsize == 2:
        return B.cast(ldexp(B.cast(x, dtypes.float32), n), x.dtype)
    high, size = LARGEST[x.dtype.itemsize], x.dtype.itemsize
    low, down = 1 - high, 1 - high + DIGITS[size]  # by less than down, what is left after it is 0 where it rounds
    rest = minimum(maximum(n, B.like(n, 2 * down + low)), B.like(n, 3 * high))
    for _ in range(3):
        above, below = B.lt(B.like(rest, high), rest), B.lt(rest, B.like(rest, low))
        step = B.where(above, B.like(rest, high), B.where(below, B.like(rest, down), rest))
        x, rest = B.mul(x, _power(step, size)), B.sub(rest, step)
    return x


def frexp(x: UOp) -> tuple[UOp, UOp]:
    """The mantissa, from 1/2 to 1, and the exponent; x and 0 of 0, infinities and NaN."""
    if x.dtype.itemsize == 2:
        mantissa, exponent = frexp(B.cast(x, dtypes.float32))
        return B.cast(mantissa, x.dtype), exponent
    size = x.dtype.itemsize
    none = B.alu(Ops.OR, B.eq(x, B.like(x, 0)), B.alu(Ops.NOT, isfinite(x)))
    small = B.alu(Ops.AND, B.lt(B.alu(Ops.ABS, x), B.like(x, 2.0 ** (1 - LARGEST[size]))), B.alu(Ops.NOT, none))
    more = B.like(x, 2.0 ** DIGITS[size])
    bits = _integers(B.where(small, B.mul(x, more), x), size)
    field = B.alu(Ops.AND, B.alu(Ops.SHR, bits, B.like(bits, DIGITS[size] - 1)), B.like(bits, 2 * LARGEST[size] + 1))
    exponent = B.sub(B.cast(field, dtypes.int32), B.like(B.cast(field, dtypes.int32), LARGEST[size] - 1))
    exponent = B.sub(exponent, B.where(small, B.like(exponent, DIGITS[size]), B.like(exponent, 0)))
    exponent = B.where(none, B.like(exponent, 0), exponent)
    return ldexp(x, B.neg(exponent)), exponent


def _power(n: UOp, size: int) -> UOp:
    """2 to the power n, that of a normal number, by its bits."""
    wide = B.cast(n, dtypes.int64 if size == 8 else dtypes.int32)
    bits = B.alu(Ops.SHL, B.add(wide, B.like(wide, LARGEST[size])), B.like(wide, DIGITS[size] - 1))
    return UOp(Ops.BITCAST, dtypes.float64 if size == 8 else dtypes.float32, (bits,))


def _integers(x: UOp, size: int) -> UOp:
    return UOp(Ops.BITCAST, dtypes.int64 if size == 8 else dtypes.int32, (x,))
