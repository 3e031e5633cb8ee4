"""Ufuncs that are found by name: those of scipy.special, which is never imported, and NumPy's private clip."""

from __future__ import annotations

import math
from collections.abc import Callable

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.origin import mark
from functrans.ops.uop import UOp
from functrans.tensor.meanings import clip, isfinite, isnan


def erf(x: UOp) -> UOp:
    """The error function."""
    return B.alu(Ops.ERF, x)


def erfc(x: UOp) -> UOp:
    """1 - erf(x), accurate where erf(x) is near 1."""
    return B.alu(Ops.ERFC, x)


def gammaln(x: UOp) -> UOp:
    """log |gamma(x)|."""
    return B.alu(Ops.LGAMMA, x)


def digamma(x: UOp) -> UOp:
    """The derivative of gammaln."""
    return B.alu(Ops.DIGAMMA, x)


def zeta(s: UOp, q: UOp) -> UOp:
    """The sum of (q + k)^-s over k = 0, 1, ..., which is Hurwitz's zeta function."""
    node = B.alu(Ops.ZETA, s, q)
    mark(node)  # its derivative by s is refused
    return node


def expit(x: UOp) -> UOp:
    """1 / (1 + exp(-x)), by an exponential that cannot overflow: derivatives stay finite too."""
    e = B.alu(Ops.EXP, B.neg(B.alu(Ops.ABS, x)))
    return B.div(B.where(B.lt(x, B.like(x, 0)), e, B.like(x, 1)), B.add(B.like(x, 1), e))


def logit(x: UOp) -> UOp:
    """log(x / (1 - x))."""
    return B.alu(Ops.LOG, B.div(x, B.sub(B.like(x, 1), x)))


def ndtr(x: UOp) -> UOp:
    """The distribution function of the normal distribution, accurate in both tails."""
    return B.mul(B.like(x, 0.5), B.alu(Ops.ERFC, B.mul(x, B.like(x, -math.sqrt(0.5)))))


def _times_log(op: Ops, pole: float) -> Callable[[UOp, UOp], UOp]:
    def meaning(x: UOp, y: UOp) -> UOp:
        # only where the logarithm is not finite is x = 0 a special case: elsewhere d/dx is the logarithm
        finite = B.alu(Ops.AND, B.lt(B.like(y, pole), y), isfinite(y))
        zero = B.alu(Ops.AND, B.eq(x, B.like(x, 0)), B.alu(Ops.NOT, B.alu(Ops.OR, finite, isnan(y))))
        return B.where(zero, B.like(x, 0), B.mul(x, B.alu(op, B.where(zero, B.like(y, 1), y))))

    return meaning


def rel_entr(x: UOp, y: UOp) -> UOp:
    """X log(x / y); 0 where x is 0 and y is not negative, else infinite outside of the positive numbers."""
    zero, inf = B.like(x, 0), B.like(x, math.inf)
    inside = B.alu(Ops.AND, B.lt(zero, x), B.lt(zero, y))
    ratio = B.where(inside, B.div(x, B.where(inside, y, B.like(y, 1))), B.like(x, 1))
    edge = B.where(B.alu(Ops.AND, B.eq(x, zero), B.alu(Ops.CMPLE, zero, y)), zero, inf)
    wrong = B.alu(Ops.OR, isnan(x), isnan(y))
    return B.where(wrong, B.add(x, y), B.where(inside, B.mul(x, B.alu(Ops.LOG, ratio)), edge))


def entr(x: UOp) -> UOp:
    """-x log(x); 0 at 0, -inf below."""
    zero = B.like(x, 0)
    inside = B.lt(zero, x)
    safe = B.where(inside, x, B.like(x, 1))
    edge = B.where(B.eq(x, zero), zero, B.like(x, -math.inf))
    return B.where(isnan(x), x, B.where(inside, B.neg(B.mul(safe, B.alu(Ops.LOG, safe))), edge))


BY_NAME: dict[str, Callable[..., UOp]] = {
    "erf": erf, "erfc": erfc, "gammaln": gammaln, "psi": digamma, "digamma": digamma, "expit": expit, "logit": logit,
    "ndtr": ndtr, "xlogy": _times_log(Ops.LOG, 0.0), "xlog1py": _times_log(Ops.LOG1P, -1.0), "rel_entr": rel_entr,
    "entr": entr, "_zeta": zeta, "clip": clip,
}  # fmt: skip
