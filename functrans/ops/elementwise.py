"""Elementwise ops: NumPy meaning and partial derivatives. Shape, jvp, transpose, batching and sparsity follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._lazy import scipy_special
from functrans.errors import UnsupportedError
from functrans.ops.build import add, alu, const_value, div, eq, like, lt, mul, neg, recip, sub, where
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.failure import raises
from functrans.ops.multiply_add import multiply_add
from functrans.ops.opdef import TABLE, OpDef, Partial, first, register, same_shape
from functrans.ops.origin import line_of
from functrans.ops.powers import power_partial
from functrans.ops.uop import UOp

U = UOp
_KINDS = {"b": "bool", "i": "a signed integer", "u": "an unsigned integer", "f": "a float", "c": "a complex dtype"}
ANY, REAL, INTEGER = "biufcx", "biufx", "iux"


def _check(node: UOp) -> str | None:
    kinds, given = TABLE[node.op].kinds, node.src[-1].dtype
    if given.kind not in kinds:
        return f"not defined for {given.name}; expected {' or '.join(_KINDS[k] for k in kinds if k != 'x')}"
    first = node.src[0].shape
    if first is None:
        return f"source {node.src[0]!r} is no array"
    for s in node.src[1:]:
        if s.shape != first:
            return f"sources of shapes {[u.shape for u in node.src]}; an elementwise op needs equal shapes"
    return None


def _op(
    op: Ops,
    meaning: str,
    fn: Callable[..., Any],
    *partials: Partial | None,
    kinds: str = "fc",
    linear: Callable[[UOp], Sequence[int]] | None = None,
) -> None:
    def numpy(node: UOp, *a: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.asarray(fn(*a)).astype(node.dtype.numpy, copy=False)

    def shape(node: UOp) -> tuple[int, ...] | None:
        return node.src[0].shape

    facts = None if linear else tuple(partials)
    register(OpDef(op, "elementwise", meaning, shape, numpy, facts, linear=linear, check=_check, kinds=kinds))


def _half(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    # special functions that have no float16 loop compute in float32, as the rest of NumPy does
    return lambda x: f(x.astype(np.float32)) if x.dtype == np.float16 else f(x)


def square(x: UOp) -> UOp:
    """X times x."""
    return mul(x, x)


def _one_minus_sq(x: UOp) -> UOp:
    return mul(sub(like(x, 1), x), add(like(x, 1), x))


def _log1p(x: Any) -> Any:
    # of a small complex number NumPy takes the logarithm of |1 + x|, which is 1 there: its real part has no digit
    y = np.asarray(np.log1p(x))
    if x.dtype.kind != "c":
        return y
    re, im = x.real, x.imag
    near = (np.abs(re) < 0.5) & (np.abs(im) < 0.5)
    y.real = np.where(near, np.log1p(re * (2 + re) + im * im) / 2, y.real)
    return y


_op(Ops.NEG, "-x", lambda x: ~x if x.dtype == bool else np.negative(x), lambda n, x: like(x, -1),
    kinds=ANY)  # fmt: skip
_op(Ops.RECIP, "1/x", np.reciprocal, lambda n, x: neg(square(n)))
_op(Ops.SQRT, "square root", np.sqrt, lambda n, x: div(like(x, 0.5), n))
_op(Ops.CBRT, "cube root", np.cbrt, lambda n, x: div(like(x, 1), mul(like(x, 3), square(n))),
    kinds="f")  # fmt: skip
_op(Ops.EXP, "e^x", np.exp, lambda n, x: n)
_op(Ops.EXP2, "2^x", np.exp2, lambda n, x: mul(like(x, math.log(2)), n))
_op(Ops.EXPM1, "e^x - 1", np.expm1, lambda n, x: add(n, like(x, 1)))
_op(Ops.LOG, "natural logarithm", np.log, lambda n, x: recip(x))
_op(Ops.LOG2, "logarithm to base 2", np.log2, lambda n, x: div(like(x, 1 / math.log(2)), x))
_op(Ops.LOG10, "logarithm to base 10", np.log10, lambda n, x: div(like(x, 1 / math.log(10)), x))
_op(Ops.LOG1P, "log(1 + x)", _log1p, lambda n, x: recip(add(x, like(x, 1))))
_op(Ops.SIN, "sine", np.sin, lambda n, x: alu(Ops.COS, x))
_op(Ops.COS, "cosine", np.cos, lambda n, x: neg(alu(Ops.SIN, x)))
_op(Ops.TAN, "tangent", np.tan, lambda n, x: add(like(x, 1), square(n)))
_op(Ops.ASIN, "inverse sine", np.arcsin, lambda n, x: recip(alu(Ops.SQRT, _one_minus_sq(x))))
_op(Ops.ACOS, "inverse cosine", np.arccos, lambda n, x: neg(recip(alu(Ops.SQRT, _one_minus_sq(x)))))
_op(Ops.ATAN, "inverse tangent", np.arctan, lambda n, x: recip(add(like(x, 1), square(x))))
_op(Ops.SINH, "hyperbolic sine", np.sinh, lambda n, x: alu(Ops.COSH, x))
_op(Ops.COSH, "hyperbolic cosine", np.cosh, lambda n, x: alu(Ops.SINH, x))
_op(Ops.TANH, "hyperbolic tangent", np.tanh, lambda n, x: sub(like(x, 1), square(n)))
_op(Ops.ASINH, "inverse of sinh", np.arcsinh, lambda n, x: recip(alu(Ops.SQRT, add(square(x), like(x, 1)))))
_op(
    Ops.ACOSH, "inverse of cosh", np.arccosh,
    lambda n, x: recip(mul(alu(Ops.SQRT, sub(x, like(x, 1))), alu(Ops.SQRT, add(x, like(x, 1))))),
)  # fmt: skip
_op(Ops.ATANH, "inverse of tanh", np.arctanh, lambda n, x: recip(_one_minus_sq(x)))
_op(
    Ops.ERF, "error function", _half(lambda x: scipy_special.erf(x)),
    lambda n, x: mul(like(x, 2 / math.sqrt(math.pi)), alu(Ops.EXP, neg(square(x)))), kinds="f",
)  # fmt: skip
_op(
    Ops.ERFC, "1 - erf(x)", _half(lambda x: scipy_special.erfc(x)),
    lambda n, x: mul(like(x, -2 / math.sqrt(math.pi)), alu(Ops.EXP, neg(square(x)))), kinds="f",
)  # fmt: skip


def _lgamma(x: Any) -> Any:
    # SciPy has -inf at -inf, and inf for the least numbers, where gamma(x) is 1/x
    tiny = np.abs(x) < 1e-300
    y = np.where(tiny, -np.log(np.abs(np.where(tiny, x, 1.0))), scipy_special.gammaln(x))
    return np.where(x == -np.inf, np.inf, y)


_op(Ops.LGAMMA, "log |gamma(x)|", _half(_lgamma), lambda n, x: alu(Ops.DIGAMMA, x),
    kinds="f")  # fmt: skip
_op(Ops.DIGAMMA, "derivative of lgamma", _half(lambda x: scipy_special.digamma(x)),
    lambda n, x: alu(Ops.ZETA, like(x, 2), x), kinds="f")  # fmt: skip
_op(Ops.GAMMA, "Euler's gamma function", _half(lambda x: scipy_special.gamma(x)),
    lambda n, x: mul(n, alu(Ops.DIGAMMA, x)), kinds="f")  # fmt: skip
_op(Ops.EXPI, "the exponential integral Ei", _half(lambda x: scipy_special.expi(x)),
    lambda n, x: div(alu(Ops.EXP, x), x), kinds="f")  # fmt: skip


def sign_partial(x: UOp) -> UOp:
    """The derivative of |x|: sign, with +1 at zero (the one-sided derivative from the right)."""
    return where(lt(x, like(x, 0)), like(x, -1), like(x, 1))


_op(Ops.ABS, "|x|", np.abs, lambda n, x: sign_partial(x), kinds=ANY)
_op(Ops.SIGN, "-1, 0 or 1; x / |x| if complex", np.sign, None, kinds="iufcx")
_op(Ops.FLOOR, "largest integer <= x", np.floor, None, kinds=REAL)
_op(Ops.CEIL, "smallest integer >= x", np.ceil, None, kinds=REAL)
_op(Ops.TRUNC, "towards zero", np.trunc, None, kinds=REAL)
_op(Ops.RINT, "to the nearest, ties to even", lambda x: np.rint(x) if x.dtype.kind in "fc" else x,
    None, kinds=ANY)  # fmt: skip
_op(Ops.ISNAN, "x != x", np.isnan, None, kinds=ANY)
_op(Ops.ISINF, "x is infinite", np.isinf, None, kinds=ANY)
_op(Ops.SIGNBIT, "the sign bit", np.signbit, None, kinds=REAL)
_op(Ops.NOT, "bitwise not", np.invert, None, kinds="biux")
_op(Ops.REAL, "real part", np.real, kinds=ANY, linear=first)
_op(Ops.IMAG, "imaginary part", np.imag, kinds=ANY, linear=first)
_op(Ops.CONJ, "complex conjugate", np.conj, kinds=ANY, linear=first)


def saturating_cast(x: Any, dtype: Any) -> Any:
    """NumPy's astype, but float to integer saturates and NaN gives 0 (defined for every input)."""
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        x = x.real
    if x.dtype.kind == "f" and dtype.kind in "iu":
        info = np.iinfo(dtype)
        wide = x.astype(np.float64)
        safe = np.where(wide == wide, np.clip(wide, float(info.min), float(info.max)), 0.0)
        top = wide >= float(info.max)
        return np.where(top, info.max, np.where(top, 0.0, safe).astype(dtype)).astype(dtype)
    return x.astype(dtype)


def _cast(node: UOp, x: Any) -> Any:
    with np.errstate(all="ignore"):
        return saturating_cast(x, node.dtype.numpy)


def _bitcast_check(node: UOp) -> str | None:
    a, b = node.src[0].dtype, node.dtype
    if b.kind == "b" and a.kind != "b":
        return f"to bool from {a.name}: not every byte is a bool; compare with 0"
    return None if a.itemsize == b.itemsize else f"{a.name} has {a.itemsize} bytes, {b.name} {b.itemsize}"


register(OpDef(Ops.CAST, "elementwise", "the values in another dtype", same_shape, _cast, linear=first))
register(
    OpDef(Ops.BITCAST, "elementwise", "the bits as another dtype", same_shape,
          lambda n, x: np.asarray(x, order="C").view(n.dtype.numpy), (None,), check=_bitcast_check)
)  # fmt: skip
for _pass in (Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD):
    _op(_pass, "its source", lambda x: x, lambda n, x: like(x, 1), kinds=ANY)
_op(Ops.DETACH, "its source; no derivative passes", lambda x: x, None, kinds=ANY)


def _passed(node: UOp, x: Any) -> Any:
    """The source; ConvergenceError where it is a flag that is set."""
    if raises(node) and np.any(x):
        raise node.arg.error(tuple(int(k) for k in np.argwhere(x)[0]))
    return x


register(OpDef(Ops.NOOP, "elementwise", "its source", same_shape, _passed, (lambda n, x: like(x, 1),), check=_check,
               kinds=ANY))  # fmt: skip

_op(Ops.ADD, "a + b", np.add, lambda n, a, b: like(a, 1), lambda n, a, b: like(a, 1), kinds=ANY)
_op(Ops.SUB, "a - b", np.subtract, lambda n, a, b: like(a, 1), lambda n, a, b: like(a, -1), kinds="iufcx")
_op(Ops.MUL, "a * b", np.multiply, lambda n, a, b: b, lambda n, a, b: a, kinds=ANY)
_op(Ops.FDIV, "a / b", np.true_divide, lambda n, a, b: recip(b), lambda n, a, b: neg(div(n, b)))


def _pow_base(n: UOp, a: UOp, b: UOp) -> UOp:
    exponent = const_value(b)
    if exponent is not None:
        return power_partial(a, exponent)
    # b * a**(b-1), and 0 where b is 0 whatever a is: x**0 is constant
    zero = eq(b, like(b, 0))
    safe = where(zero, like(b, 1), b)
    return where(zero, like(a, 0), mul(b, alu(Ops.POW, a, sub(safe, like(b, 1)))))


def _pow_exponent(n: UOp, a: UOp, b: UOp) -> UOp:
    # a**b log a, whose limit at a = 0 is 0 for b > 0
    zero = eq(a, like(a, 0))
    log = alu(Ops.LOG, where(zero, like(a, 1), a))
    return where(zero, where(lt(like(b, 0), b), like(a, 0), mul(n, alu(Ops.LOG, a))), mul(n, log))


def _power(a: Any, b: Any) -> Any:
    if a.dtype.kind != "i":
        return np.power(a, b)
    # NumPy raises for a negative power of an integer, which compiled code cannot: the exact value truncated,
    # that is 0 but for the bases 1 and -1 (and 0, whose negative powers are 0 here as 1 // 0 is)
    whole = np.power(a, np.maximum(b, 0))
    unit = np.where(a == -1, 1 - 2 * (b & 1), a == 1).astype(a.dtype)
    return np.where(b < 0, unit, whole)


_op(Ops.POW, "a to the power b", _power, _pow_base, _pow_exponent, kinds="iufc")


def _share(n: UOp, a: UOp, b: UOp) -> UOp:
    # ties share equally; a NaN operand owns the result
    chosen = where(eq(a, b), like(a, 0.5), where(eq(n, a), like(a, 1), like(a, 0)))
    return where(alu(Ops.CMPNE, a, a), like(a, 1), chosen)


for _m, _text, _fn in ((Ops.MAX, "the larger; NaN if either is", np.maximum),
                       (Ops.MIN, "the smaller; NaN if either is", np.minimum)):  # fmt: skip
    _op(_m, _text, _fn, lambda n, a, b: _share(n, a, b), lambda n, a, b: _share(n, b, a), kinds=REAL)


def _trunc_div(a: Any, b: Any) -> Any:
    q = np.floor_divide(a, b)
    up = (np.remainder(a, b) != 0) & ((a < 0) != (b < 0))
    return q + up.astype(q.dtype)


_op(Ops.IDIV, "integer division, truncating", _trunc_div, None, None, kinds=INTEGER)
_op(
    Ops.MOD, "remainder with the dividend's sign", np.fmod,
    lambda n, a, b: like(a, 1), lambda n, a, b: neg(alu(Ops.TRUNC, div(a, b))), kinds="iufx",
)  # fmt: skip
_op(Ops.FLOORDIV, "NumPy's floor_divide", np.floor_divide, None, None, kinds="iufx")
_op(
    Ops.FLOORMOD, "NumPy's remainder", np.remainder,
    lambda n, a, b: like(a, 1), lambda n, a, b: neg(alu(Ops.FLOORDIV, a, b)), kinds="iufx",
)  # fmt: skip


def _over_square(n: UOp, x: UOp, a: UOp, b: UOp) -> UOp:
    # x / (a^2 + b^2) without squares, which overflow; 0 at the origin, where no direction is better, and at infinity
    length = alu(Ops.HYPOT, a, b)
    end = alu(Ops.OR, eq(length, like(length, 0)), UOp(Ops.ISINF, dtypes.bool_, (length,)))
    safe = where(end, like(length, 1), length)
    return where(end, mul(n, like(n, 0)), div(div(x, safe), safe))


_op(
    Ops.ATAN2, "angle of the point (b, a)", np.arctan2,
    lambda n, a, b: _over_square(n, b, a, b), lambda n, a, b: neg(_over_square(n, a, a, b)), kinds="f",
)  # fmt: skip


def _share_of_length(n: UOp, a: UOp) -> UOp:
    # a / n, and 0 at the origin, where the length has no direction
    return div(a, where(eq(n, like(n, 0)), like(n, 1), n))


_op(Ops.HYPOT, "sqrt(a^2 + b^2)", np.hypot,
    lambda n, a, b: _share_of_length(n, a), lambda n, a, b: _share_of_length(n, b), kinds="f")  # fmt: skip


def _copysign_partial(n: UOp, a: UOp, b: UOp) -> UOp:
    one = like(a, 1)
    return mul(alu(Ops.COPYSIGN, one, a), alu(Ops.COPYSIGN, one, b))


_op(Ops.COPYSIGN, "|a| with the sign of b", np.copysign, _copysign_partial, None, kinds="f")
_op(Ops.NEXTAFTER, "the neighbor of a towards b", np.nextafter, lambda n, a, b: like(a, 1), None, kinds="f")


def _zeta(s: Any, q: Any) -> Any:
    # SciPy adds up all terms below 0, one by one; their sum is the difference of two with q > 0
    s, q = s.astype(np.float64), q.astype(np.float64)
    p, integer = np.where(q < 0, -q, 0.5), np.floor(q) == q
    f = p - np.floor(p)
    mirrored = np.where(s % 2 == 1, -1.0, 1.0) * (_zeta_above(s, f) - _zeta_above(s, p + 1)) + _zeta_above(s, 1 - f)
    y = np.where(q < 0, np.where(np.floor(s) == s, mirrored, np.nan), _zeta_above(s, np.where(q < 0, 1.0, q)))
    y = np.where((s == 1) | ((q <= 0) & integer), np.inf, y)
    return np.where((s >= 1) & ~np.isnan(q), y, np.nan)


def _zeta_above(s: Any, q: Any) -> Any:
    # beyond 1e4 the first term is all that a double can hold
    return np.where(s > 1e4, np.power(q, -s), scipy_special.zeta(np.minimum(s, 1e4), q))


def _by_exponent(n: UOp, s: UOp, q: UOp) -> UOp:
    raise UnsupportedError(f"the derivative of ZETA by its exponent is not available{line_of(n)}")


_op(Ops.ZETA, "sum of (b + k)^-a over k = 0, 1, ...", _zeta, _by_exponent,
    lambda n, s, q: neg(mul(s, alu(Ops.ZETA, add(s, like(s, 1)), q))), kinds="f")  # fmt: skip


def _by_shape(n: UOp, a: UOp, x: UOp) -> UOp:
    raise UnsupportedError(f"the derivative of {n.op.name} by its first argument, a, is not available{line_of(n)}")


def _gamma_share(upper: bool) -> Callable[[Any, Any], Any]:

    def share(a: Any, x: Any) -> Any:
        # at the ends of the range SciPy has NaN, 0 or no subnormal numbers
        y = scipy_special.gammaincc(a, x) if upper else scipy_special.gammainc(a, x)
        inside = (a > 0) & (x > 0) & (x < np.inf) & (a < np.inf)
        y = np.where(inside & (a > 1e300) & (x < 1e299), float(upper), y)
        if not upper:
            y = np.where(inside & (x < 1e-290) & (a < 100), np.power(x, a) / scipy_special.gamma(a + 1), y)
        return np.where(inside & (a < 1e-290), a * scipy_special.exp1(x) if upper else 1.0, y)

    return share


def _gamma_density(a: UOp, x: UOp) -> UOp:
    # exp(-x) x^(a - 1) / gamma(a), whose power is 1 at 0 where a is 1
    one = eq(a, like(a, 1))
    log = where(one, like(x, 0), mul(sub(a, like(a, 1)), alu(Ops.LOG, where(one, like(x, 1), x))))
    return alu(Ops.EXP, sub(sub(log, x), alu(Ops.LGAMMA, a)))


_op(Ops.GAMMAINC, "regularized lower incomplete gamma function", _gamma_share(False), _by_shape,
    lambda n, a, x: _gamma_density(a, x), kinds="f")  # fmt: skip
_op(Ops.GAMMAINCC, "regularized upper incomplete gamma function", _gamma_share(True), _by_shape,
    lambda n, a, x: neg(_gamma_density(a, x)), kinds="f")  # fmt: skip
for _o, _meaning, _ufunc in (
    (Ops.CMPLT, "a < b", np.less), (Ops.CMPLE, "a <= b", np.less_equal),
    (Ops.CMPEQ, "a == b", np.equal), (Ops.CMPNE, "a != b", np.not_equal),
    (Ops.AND, "bitwise and", np.bitwise_and), (Ops.OR, "bitwise or", np.bitwise_or),
    (Ops.XOR, "bitwise exclusive or", np.bitwise_xor),
    (Ops.SHL, "a * 2^b; 0 when b is out of range", np.left_shift),
    (Ops.SHR, "a / 2^b, floor; the sign when b is out of range", np.right_shift),
):  # fmt: skip
    _kinds = ANY if _o in (Ops.CMPEQ, Ops.CMPNE) else REAL if _o in GroupOp.Compare else "biux"
    _op(_o, _meaning, _ufunc, None, None, kinds=INTEGER if _o in (Ops.SHL, Ops.SHR) else _kinds)

# linear in its two branches: engines select tangents, they never multiply by a mask
_op(Ops.WHERE, "b where a, else c", np.where, kinds=ANY, linear=lambda n: (1, 2))
_op(Ops.MULACC, "a * b + c, rounded once in float32 and float64", multiply_add,
    lambda n, a, b, c: b, lambda n, a, b, c: a, lambda n, a, b, c: like(a, 1), kinds="iufcx")  # fmt: skip
