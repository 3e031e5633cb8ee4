"""What each NumPy ufunc means in the graph: nodes of the dtypes NumPy computes in, all of one shape."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import ArgumentValueError, DtypeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.powers import power_of
from functrans.ops.uop import UOp
from functrans.tensor.constants import known

Meaning = Callable[..., Any]

LN2 = math.log(2.0)


def real_part(x: UOp) -> UOp:
    """The real part; x itself where it is real."""
    return x if x.dtype.kind != "c" else UOp(Ops.REAL, component(x.dtype), (x,))


def imag_part(x: UOp) -> UOp:
    """The imaginary part; zeros where x is real."""
    return B.like(x, 0) if x.dtype.kind != "c" else UOp(Ops.IMAG, component(x.dtype), (x,))


def component(dtype: DType) -> DType:
    """The dtype of the parts of a complex dtype."""
    return dtypes.float32 if dtype == dtypes.complex64 else dtypes.float64


def root(squares: UOp) -> UOp:
    """The square root of a sum of squares: a length, whose derivative is 0 where it has none, at zero."""
    nothing = B.eq(squares, B.like(squares, 0))
    return B.where(nothing, B.like(squares, 0), B.alu(Ops.SQRT, B.where(nothing, B.like(squares, 1), squares)))


def complex_of(re: UOp, im: UOp) -> UOp:
    """The complex number of two parts, exact for signed zeros, infinities and NaN."""
    dtype = dtypes.complex64 if re.dtype == dtypes.float32 else dtypes.complex128
    # a product with i adds 0 to a part, which hides a negative one, and NaN where the other is infinite: so with
    # -0 + i, of the size alone, what is infinite by itself, and the sign last
    below = UOp(Ops.SIGNBIT, dtypes.bool_, (im,))
    size = B.where(below, B.neg(im), im)
    finite = isfinite(im)
    wide = B.cast(B.where(finite, size, B.like(im, 0)), dtype)
    end = B.where(isnan(im), B.like(wide, complex(-0.0, math.nan)), B.like(wide, complex(-0.0, math.inf)))
    z = B.add(B.cast(re, dtype), B.where(finite, B.mul(wide, B.like(wide, complex(-0.0, 1.0))), end))
    return B.where(below, B.alu(Ops.CONJ, z), z)


def truth(x: UOp) -> UOp:
    """Whether an element is not zero (NaN is not)."""
    return x if x.dtype.kind == "b" else B.alu(Ops.CMPNE, x, B.like(x, 0))


def isnan(x: UOp) -> UOp:
    """Whether an element is NaN, or has a NaN part."""
    if x.dtype.kind == "c":
        return B.alu(Ops.OR, isnan(real_part(x)), isnan(imag_part(x)))
    return UOp(Ops.ISNAN, dtypes.bool_, (x,)) if x.dtype.kind == "f" else never(x)


def undefined(y: UOp, where: UOp) -> UOp:
    """Y, and NaN where it is undefined: by a factor, so that the derivatives are NaN there, forward and in reverse."""
    return B.mul(y, B.where(where, B.like(y, math.nan), B.like(y, 1)))


def isinf(x: UOp) -> UOp:
    """Whether an element is infinite, or has an infinite part."""
    if x.dtype.kind == "c":
        return B.alu(Ops.OR, isinf(real_part(x)), isinf(imag_part(x)))
    return UOp(Ops.ISINF, dtypes.bool_, (x,)) if x.dtype.kind == "f" else never(x)


def isfinite(x: UOp) -> UOp:
    """Whether an element is neither NaN nor infinite."""
    if x.dtype.kind == "c":
        return B.alu(Ops.AND, isfinite(real_part(x)), isfinite(imag_part(x)))
    return B.lt(B.alu(Ops.ABS, x), B.like(x, math.inf)) if x.dtype.kind == "f" else negate(never(x))


def never(x: UOp) -> UOp:
    """False of the shape of x."""
    return B.full(x.sized, dtypes.bool_, False)


def negate(x: UOp) -> UOp:
    """Logical not of a bool node; a constant stays one."""
    value = B.const_value(x)
    return B.alu(Ops.NOT, x) if value is None else B.like(x, not value)


def less(a: UOp, b: UOp) -> UOp:
    """a < b; complex numbers by their real, then their imaginary parts, as NumPy."""
    return _ordered(Ops.CMPLT, a, b)


def less_equal(a: UOp, b: UOp) -> UOp:
    """a <= b; complex numbers by their real, then their imaginary parts, as NumPy."""
    return _ordered(Ops.CMPLE, a, b)


def _ordered(op: Ops, a: UOp, b: UOp) -> UOp:
    if a.dtype.kind == "c":
        re, im = (real_part(a), real_part(b)), (imag_part(a), imag_part(b))
        tie = B.alu(Ops.AND, B.eq(*re), B.alu(op, *im))
        return B.alu(Ops.OR, B.alu(Ops.AND, B.lt(*re), negate(B.alu(Ops.OR, *map(isnan, im)))), tie)
    if a.dtype != b.dtype:  # int64 beside uint64: neither holds the other
        if a.dtype.kind == "i":
            return B.alu(Ops.OR, B.lt(a, B.like(a, 0)), B.alu(op, B.cast(a, b.dtype), b))
        return B.alu(Ops.AND, B.alu(Ops.CMPLE, B.like(b, 0), b), B.alu(op, a, B.cast(b, a.dtype)))
    return B.alu(op, a, b)


def _equal(a: UOp, b: UOp) -> UOp:
    if a.dtype != b.dtype:
        signed, other = (a, b) if a.dtype.kind == "i" else (b, a)
        return B.alu(Ops.AND, B.alu(Ops.CMPLE, B.like(signed, 0), signed), B.eq(B.cast(signed, other.dtype), other))
    return B.eq(a, b)


def _not_equal(a: UOp, b: UOp) -> UOp:
    return B.alu(Ops.CMPNE, a, b) if a.dtype == b.dtype else negate(_equal(a, b))


COMPARISONS: dict[Any, Callable[[Any, Any], bool]] = {
    np.equal: operator.eq, np.not_equal: operator.ne, np.less: operator.lt, np.less_equal: operator.le,
    np.greater: operator.gt, np.greater_equal: operator.ge,
}  # fmt: skip


def _unary(op: Ops) -> Meaning:
    return lambda x: B.alu(op, x)


def _binary(op: Ops) -> Meaning:
    return lambda a, b: B.alu(op, a, b)


def _rounded(op: Ops) -> Meaning:
    return lambda x: B.alu(op, x) if x.dtype.kind == "f" else x


def absolute(x: UOp) -> UOp:
    """|x|; of a complex number without overflow in between."""
    if x.dtype.kind == "c":
        return B.alu(Ops.HYPOT, real_part(x), imag_part(x))
    return x if x.dtype.kind in "ub" else B.alu(Ops.ABS, x)


def reciprocal(x: UOp) -> UOp:
    """1 / x; of integers truncated, and 0 for 0."""
    return B.recip(x) if x.dtype.kind in "fc" else B.alu(Ops.IDIV, B.like(x, 1), x)


def power(a: UOp, b: UOp) -> UOp:
    """a ** b; a constant exponent is folded, and 1 / 2 is a square root, as in NumPy. Integers stay integers."""
    n = B.const_value(b)
    if n == 0.5 and a.dtype.kind == "f":
        return B.alu(Ops.SQRT, a)
    return float_power(a, b) if a.dtype.kind in "fc" else _integer_power(a, b, n)


def float_power(a: UOp, b: UOp) -> UOp:
    """a ** b of floats, with the ends of pow for every exponent: (-inf) ** 0.5 is inf, where a square root is NaN."""
    n = B.const_value(b)
    n = _repeated(b) if n is None else n
    return B.alu(Ops.POW, a, b) if n is None else power_of(a, n)


def _repeated(b: UOp) -> float | None:
    """The value of a captured array that holds one number alone; None where that is no multiple of 1 / 2.

    Other exponents are not worth a program of their own for each value.
    """
    value = known(b)
    if value is None or value.size == 0 or value.dtype.kind != "f":
        return None
    first = float(value.flat[0])
    return first if math.isfinite(first) and 2 * first == int(2 * first) and (value == first).all() else None


def _integer_power(a: UOp, b: UOp, n: Any) -> UOp:
    if n is not None and n < 0:
        raise ArgumentValueError(
            f"integers to the negative power {n} are not allowed{at_user_line()}; use float(x) ** {n}, "
            "or fnp.float_power"
        )
    if n is not None:
        return power_of(a, n)
    if b.dtype.kind == "u":
        return B.alu(Ops.POW, a, b)
    # the exponent is not known to be positive: a negative one gives what 1 / a**|b| truncates to
    zero, one, minus = B.like(a, 0), B.like(a, 1), B.like(a, -1)
    odd = B.alu(Ops.CMPNE, B.alu(Ops.AND, b, B.like(b, 1)), B.like(b, 0))
    small = B.where(B.eq(a, one), one, B.where(B.eq(a, minus), B.where(odd, minus, one), zero))
    return B.where(B.lt(b, B.like(b, 0)), small, B.alu(Ops.POW, a, B.alu(Ops.MAX, b, B.like(b, 0))))


def _larger(op: Ops) -> Meaning:
    def meaning(a: UOp, b: UOp) -> UOp:
        if a.dtype.kind == "b":
            return B.alu(Ops.OR if op is Ops.MAX else Ops.AND, a, b)
        if a.dtype.kind == "c":
            first = less_equal(b, a) if op is Ops.MAX else less_equal(a, b)
            return B.where(B.alu(Ops.OR, isnan(a), first), a, b)
        return B.alu(op, a, b)

    return meaning


maximum, minimum = _larger(Ops.MAX), _larger(Ops.MIN)


def _ignoring_nan(choose: Meaning) -> Meaning:
    def meaning(a: UOp, b: UOp) -> UOp:
        if a.dtype.kind not in "fc":
            return choose(a, b)  # type: ignore[no-any-return]
        return B.where(isnan(b), a, B.where(isnan(a), b, choose(a, b)))

    return meaning


def heaviside(x: UOp, h: UOp) -> UOp:
    """0 below zero, 1 above, h at zero, NaN at NaN."""
    step = B.where(B.lt(x, B.like(x, 0)), B.like(x, 0), B.like(x, 1))
    return B.where(isnan(x), x, B.where(B.eq(x, B.like(x, 0)), h, step))


def _in_single(meaning: Meaning) -> Meaning:
    """The same in float32 for float16, rounded once, as NumPy's loops: for what is more than one operation."""

    def wide(*x: UOp) -> UOp:
        if x[0].dtype != dtypes.float16:
            return meaning(*x)  # type: ignore[no-any-return]
        return B.cast(meaning(*(B.cast(u, dtypes.float32) for u in x)), dtypes.float16)

    return wide


def _scaled(factor: float) -> Meaning:
    return _in_single(lambda x: B.mul(x, B.like(x, factor)))


def _logaddexp(exp: Ops, unit: float) -> Meaning:
    def meaning(a: UOp, b: UOp) -> UOp:
        # a + log1p(exp(b - a)) on the side that cannot overflow: smooth where the sides meet, unlike max and |.|. The
        # side is chosen before the functions, so that each is computed once
        same = B.alu(Ops.AND, B.eq(a, b), isinf(a))
        d = B.where(same, B.like(a, 0), B.sub(b, a))
        above = B.lt(B.like(d, 0), d)
        power = B.where(above, B.neg(d), d)
        # a quotient: where both are equal it is 1 to the last bit, and -1 + 1 is 0
        rest = B.div(B.alu(Ops.LOG1P, B.alu(exp, power)), B.like(d, unit))
        return B.add(B.where(above, b, a), rest)

    return meaning


def _modf(x: UOp) -> tuple[UOp, UOp]:
    whole = B.alu(Ops.TRUNC, x)
    rest = B.where(isinf(x), B.like(x, 0), B.sub(x, whole))
    return B.alu(Ops.COPYSIGN, rest, x), whole


def clip(x: UOp, low: UOp, high: UOp) -> UOp:
    """The smaller of high and (the larger of x and low)."""
    return minimum(maximum(x, low), high)  # type: ignore[no-any-return]


def _either(ints: Ops, bools: Ops) -> Meaning:
    return lambda a, b: B.alu(bools if a.dtype.kind == "b" else ints, a, b)


def _signbit(x: UOp) -> UOp:
    return UOp(Ops.SIGNBIT, dtypes.bool_, (x,))


def refuse_complex(dtype: DType, what: str) -> None:
    """DtypeError for complex operands of a function of real numbers."""
    if dtype.kind == "c":
        raise DtypeError(f"{what} is defined for real numbers, not for {dtype.name}{at_user_line()}")


_SIMPLE: dict[Any, Ops] = {
    np.sqrt: Ops.SQRT, np.cbrt: Ops.CBRT, np.exp: Ops.EXP, np.log: Ops.LOG, np.sin: Ops.SIN, np.cos: Ops.COS,
    np.tan: Ops.TAN, np.arcsin: Ops.ASIN, np.arccos: Ops.ACOS, np.arctan: Ops.ATAN, np.sinh: Ops.SINH,
    np.cosh: Ops.COSH, np.tanh: Ops.TANH, np.arcsinh: Ops.ASINH, np.arccosh: Ops.ACOSH, np.arctanh: Ops.ATANH,
    np.rint: Ops.RINT, np.exp2: Ops.EXP2, np.expm1: Ops.EXPM1, np.log2: Ops.LOG2, np.log10: Ops.LOG10,
    np.log1p: Ops.LOG1P, np.sign: Ops.SIGN, np.invert: Ops.NOT,
}  # fmt: skip
_TWO: dict[Any, Ops] = {
    np.divide: Ops.FDIV, np.floor_divide: Ops.FLOORDIV, np.remainder: Ops.FLOORMOD, np.fmod: Ops.MOD,
    np.arctan2: Ops.ATAN2, np.hypot: Ops.HYPOT, np.copysign: Ops.COPYSIGN, np.nextafter: Ops.NEXTAFTER,
    np.bitwise_and: Ops.AND, np.bitwise_or: Ops.OR, np.bitwise_xor: Ops.XOR, np.left_shift: Ops.SHL,
    np.right_shift: Ops.SHR,
}  # fmt: skip

MEANINGS: dict[Any, Meaning] = {
    **{u: _unary(op) for u, op in _SIMPLE.items()},
    **{u: _binary(op) for u, op in _TWO.items()},
    np.floor: _rounded(Ops.FLOOR), np.ceil: _rounded(Ops.CEIL), np.trunc: _rounded(Ops.TRUNC),
    np.add: _either(Ops.ADD, Ops.OR), np.multiply: lambda a, b: _times(a, b), np.subtract: B.sub,
    np.negative: B.neg, np.positive: lambda x: x, np.absolute: absolute, np.fabs: absolute,
    np.square: lambda x: _times(x, x), np.reciprocal: reciprocal, np.power: power, np.float_power: float_power,
    np.divmod: lambda a, b: (B.alu(Ops.FLOORDIV, a, b), B.alu(Ops.FLOORMOD, a, b)), np.modf: _modf,
    np.logaddexp: _in_single(_logaddexp(Ops.EXP, 1.0)), np.logaddexp2: _in_single(_logaddexp(Ops.EXP2, LN2)),
    np.deg2rad: _scaled(math.pi / 180), np.radians: _scaled(math.pi / 180), np.rad2deg: _scaled(180 / math.pi),
    np.degrees: _scaled(180 / math.pi),
    np.conjugate: lambda x: B.alu(Ops.CONJ, x) if x.dtype.kind == "c" else x,
    np.equal: _equal, np.not_equal: _not_equal, np.less: less, np.less_equal: less_equal,
    np.greater: lambda a, b: less(b, a), np.greater_equal: lambda a, b: less_equal(b, a),
    np.logical_not: lambda x: negate(truth(x)),
    np.logical_and: lambda a, b: B.alu(Ops.AND, truth(a), truth(b)),
    np.logical_or: lambda a, b: B.alu(Ops.OR, truth(a), truth(b)),
    np.logical_xor: lambda a, b: B.alu(Ops.XOR, truth(a), truth(b)),
    np.maximum: maximum, np.minimum: minimum, np.fmax: _ignoring_nan(maximum), np.fmin: _ignoring_nan(minimum),
    np.isnan: isnan, np.isinf: isinf, np.isfinite: isfinite, np.signbit: _signbit, np.heaviside: heaviside,
}  # fmt: skip


def _times(a: UOp, b: UOp) -> UOp:
    return B.alu(Ops.AND, a, b) if a.dtype.kind == "b" else B.mul(a, b)
