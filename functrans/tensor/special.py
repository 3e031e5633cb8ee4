"""Ufuncs that are found by name: those of scipy.special, which is never imported, NumPy's private clip, gcd, ldexp."""

from __future__ import annotations

import math
from collections.abc import Callable

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import bessel, bessel_waves, divisors, gamma, normal, powers_of_two
from functrans.tensor.meanings import Meaning, clip, isfinite, isnan, undefined


def expit(x: UOp) -> UOp:
    """1 / (1 + exp(-x)), by an exponential that cannot overflow: derivatives stay finite too."""
    e = B.alu(Ops.EXP, B.neg(B.alu(Ops.ABS, x)))
    return B.div(B.where(B.lt(x, B.like(x, 0)), e, B.like(x, 1)), B.add(B.like(x, 1), e))


def logit(x: UOp) -> UOp:
    """log(x / (1 - x))."""
    return B.alu(Ops.LOG, B.div(x, B.sub(B.like(x, 1), x)))


def log_expit(x: UOp) -> UOp:
    """The logarithm of `expit`, by an exponential that cannot overflow."""
    zero = B.like(x, 0)
    negative = B.lt(x, zero)
    low, high = B.where(negative, x, zero), B.where(negative, zero, x)
    below = B.sub(low, B.alu(Ops.LOG1P, B.alu(Ops.EXP, low)))
    return B.where(negative, below, B.neg(B.alu(Ops.LOG1P, B.alu(Ops.EXP, B.neg(high)))))


def _times_log(op: Ops, pole: float) -> Callable[[UOp, UOp], UOp]:
    def meaning(x: UOp, y: UOp) -> UOp:
        # only where the logarithm is not finite is x = 0 a special case: elsewhere d/dx is the logarithm
        finite = B.alu(Ops.AND, B.lt(B.like(y, pole), y), isfinite(y))
        zero = B.alu(Ops.AND, B.eq(x, B.like(x, 0)), B.alu(Ops.NOT, B.alu(Ops.OR, finite, isnan(y))))
        return B.where(zero, B.like(x, 0), B.mul(x, B.alu(op, B.where(zero, B.like(y, 1), y))))

    return meaning


def _positive(x: UOp, y: UOp) -> UOp:
    """Whether both are positive, or one is NaN: there a formula is NaN, and its derivatives."""
    both = B.alu(Ops.AND, B.lt(B.like(x, 0), x), B.lt(B.like(y, 0), y))
    return B.alu(Ops.OR, both, B.alu(Ops.OR, isnan(x), isnan(y)))


def rel_entr(x: UOp, y: UOp) -> UOp:
    """X log(x / y); 0 where x is 0 and y is not negative, else infinite outside of the positive numbers."""
    zero, inf = B.like(x, 0), B.like(x, math.inf)
    inside = _positive(x, y)
    ratio = B.where(inside, B.div(x, B.where(inside, y, B.like(y, 1))), B.like(x, 1))
    edge = B.where(B.alu(Ops.AND, B.eq(x, zero), B.alu(Ops.CMPLE, zero, y)), zero, inf)
    return B.where(inside, B.mul(x, B.alu(Ops.LOG, ratio)), edge)


def entr(x: UOp) -> UOp:
    """-x log(x); 0 at 0, -inf below."""
    zero = B.like(x, 0)
    inside = B.alu(Ops.OR, B.lt(zero, x), isnan(x))
    safe = B.where(inside, x, B.like(x, 1))
    edge = B.where(B.eq(x, zero), zero, B.like(x, -math.inf))
    return B.where(inside, B.neg(B.mul(safe, B.alu(Ops.LOG, safe))), edge)


def kl_div(x: UOp, y: UOp) -> UOp:
    """X log(x / y) - x + y; y where x is 0 and y is not negative, else infinite outside of the positive numbers."""
    zero = B.like(x, 0)
    inside = _positive(x, y)
    edge = B.alu(Ops.AND, B.eq(x, zero), B.alu(Ops.CMPLE, zero, y))
    a, b = B.where(inside, x, B.like(x, 1)), B.where(inside, y, B.like(y, 1))
    value = B.add(B.sub(B.mul(a, B.alu(Ops.LOG, B.div(a, b))), a), b)
    return B.where(inside, value, B.where(edge, y, B.like(x, math.inf)))


def expi(x: UOp) -> UOp:
    """The exponential integral Ei: the integral of exp(t) / t up to x, a principal value for positive x."""
    return B.alu(Ops.EXPI, x)


def exp1(x: UOp) -> UOp:
    """The exponential integral E1: the integral of exp(-t) / t from x on; NaN below 0."""
    return undefined(B.neg(expi(B.neg(x))), B.lt(x, B.like(x, 0)))


def exp10(x: UOp) -> UOp:
    """10 to the power x."""
    return B.alu(Ops.POW, B.like(x, 10), x)


def _unary(op: Ops) -> Callable[[UOp], UOp]:
    return lambda x: B.alu(op, x)


BY_NAME: dict[str, Meaning] = {
    **bessel.FUNCTIONS, **bessel_waves.FUNCTIONS, **gamma.FUNCTIONS, **normal.FUNCTIONS,
    "expit": expit, "logit": logit, "log_expit": log_expit, "xlogy": _times_log(Ops.LOG, 0.0),
    "xlog1py": _times_log(Ops.LOG1P, -1.0), "rel_entr": rel_entr, "kl_div": kl_div, "entr": entr, "clip": clip,
    "expm1": _unary(Ops.EXPM1), "log1p": _unary(Ops.LOG1P), "exp2": _unary(Ops.EXP2), "cbrt": _unary(Ops.CBRT),
    "exp10": exp10, "exp1": exp1, "expi": expi, "gcd": divisors.gcd, "lcm": divisors.lcm,
    "ldexp": powers_of_two.ldexp, "frexp": powers_of_two.frexp,
}  # fmt: skip
