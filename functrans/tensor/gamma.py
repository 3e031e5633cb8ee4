"""The gamma function and what is made of it: beta functions, polygamma functions."""

from __future__ import annotations

import math
from collections.abc import Callable

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.origin import mark
from functrans.ops.uop import UOp
from functrans.tensor.meanings import isinf, isnan, maximum, minimum, undefined

LARGE = 10.0  # from here on Stirling's series to the eighth term is exact to the last bit
OVERFLOW = 171.0  # gamma of more is near the largest float64, or above it
HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


def gamma(x: UOp) -> UOp:
    """The gamma function: NaN at negative integers, an infinity of the sign of x at 0."""
    return B.alu(Ops.GAMMA, x)


def gammaln(x: UOp) -> UOp:
    """The logarithm of the absolute value of gamma(x)."""
    return B.alu(Ops.LGAMMA, x)


def loggamma(x: UOp) -> UOp:
    """log gamma(x) as a real number: NaN below 0."""
    return undefined(gammaln(x), B.lt(x, B.like(x, 0)))


def digamma(x: UOp) -> UOp:
    """The derivative of gammaln."""
    return B.alu(Ops.DIGAMMA, x)


def zeta(s: UOp, q: UOp) -> UOp:
    """The sum of (q + k)^-s over k = 0, 1, ..., which is Hurwitz's zeta function."""
    node = B.alu(Ops.ZETA, s, q)
    mark(node)  # its derivative by s is refused
    return node


def gammainc(a: UOp, x: UOp) -> UOp:
    """The integral of exp(-t) t^(a - 1) up to x over gamma(a)."""
    node = B.alu(Ops.GAMMAINC, a, x)
    mark(node)  # its derivative by a is refused
    return node


def gammaincc(a: UOp, x: UOp) -> UOp:
    """The integral of exp(-t) t^(a - 1) from x on over gamma(a)."""
    node = B.alu(Ops.GAMMAINCC, a, x)
    mark(node)
    return node


def gammasgn(x: UOp) -> UOp:
    """The sign of gamma(x): of a negative x that of its number of negative factors, NaN at a pole."""
    whole = B.alu(Ops.FLOOR, x)
    half = B.mul(whole, B.like(x, 0.5))
    even = B.eq(B.alu(Ops.FLOOR, half), half)
    below = B.where(B.eq(whole, x), B.like(x, math.nan), B.where(even, B.like(x, 1), B.like(x, -1)))
    positive = B.where(B.eq(x, B.like(x, 0)), B.alu(Ops.COPYSIGN, B.like(x, 1), x), B.like(x, 1))
    return B.where(isnan(x), x, B.where(B.lt(x, B.like(x, 0)), below, positive))


def _stirling(x: UOp) -> UOp:
    """What log gamma(x), x at least LARGE, is more than (x - 1/2) log x - x + log(2 pi) / 2."""
    y = B.recip(x)
    z = B.mul(y, y)
    series = B.like(x, 1 / 156)
    for c in (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        series = B.add(B.mul(series, z), B.like(x, c))
    return B.mul(series, y)


def _log_beta(a: UOp, b: UOp) -> UOp:
    """log |beta(a, b)| but for poles, without what cancels between large terms.

    Source: Didonato and Morris, Algorithm 708, ACM Transactions on Mathematical Software 18 (1992).
    """
    p, q = minimum(a, b), maximum(a, b)
    total = B.add(a, b)
    few = B.sub(B.add(gammaln(a), gammaln(b)), gammaln(total))
    large, both = B.lt(B.like(q, LARGE), q), B.lt(B.like(p, LARGE), p)
    inside = B.alu(Ops.AND, large, B.lt(B.like(p, 0), p))
    safe_q, safe_p = (B.where(m, u, B.like(u, 2 * LARGE)) for m, u in ((inside, q), (both, p)))
    part = B.where(inside, p, B.like(p, 1))
    whole = B.add(part, safe_q)
    rest = B.alu(Ops.LOG1P, B.neg(B.div(part, whole)))  # log(q / (p + q))
    more = B.sub(_stirling(safe_q), _stirling(whole))
    one = B.add(B.sub(B.add(gammaln(part), part), B.mul(part, B.alu(Ops.LOG, whole))), more)
    one = B.add(one, B.mul(B.sub(safe_q, B.like(q, 0.5)), rest))
    two = B.add(B.add(_stirling(safe_p), more), B.like(q, HALF_LOG_TWO_PI))
    two = B.sub(two, B.mul(B.like(q, 0.5), B.alu(Ops.LOG, safe_q)))
    share = B.alu(Ops.LOG, B.div(part, whole))
    two = B.add(B.add(two, B.mul(B.sub(safe_p, B.like(p, 0.5)), share)), B.mul(safe_q, rest))
    far = B.alu(Ops.AND, inside, isinf(q))
    return B.where(far, B.like(q, -math.inf), B.where(inside, B.where(both, two, one), few))


def _beta(a: UOp, b: UOp) -> UOp:
    """gamma(a) gamma(b) / gamma(a + b) but for poles, by logarithms where one of them is too large."""
    total = B.add(a, b)
    size = maximum(maximum(B.alu(Ops.ABS, a), B.alu(Ops.ABS, b)), B.alu(Ops.ABS, total))
    direct = B.lt(size, B.like(size, OVERFLOW if size.dtype.itemsize == 8 else 34.0))
    x, y, z = (B.where(direct, u, B.like(u, 1)) for u in (a, b, total))
    near = B.mul(B.div(gamma(maximum(x, y)), gamma(z)), gamma(minimum(x, y)))
    sign = B.mul(B.mul(gammasgn(a), gammasgn(b)), gammasgn(total))
    return B.where(direct, near, B.mul(sign, B.alu(Ops.EXP, _log_beta(a, b))))


def _at_poles(value: Callable[[UOp, UOp], UOp], signed: bool) -> Callable[[UOp, UOp], UOp]:
    """A beta function at integers up to 0, too: of an integer that makes up for the pole it is finite."""

    def function(a: UOp, b: UOp) -> UOp:
        at_a, at_b = (B.alu(Ops.AND, _pole(u), B.alu(Ops.NOT, isnan(v))) for u, v in ((a, b), (b, a)))
        pole, other = B.where(at_a, a, b), B.where(at_a, b, a)
        at, one = B.alu(Ops.OR, at_a, at_b), B.like(a, 1)
        turned = B.sub(B.sub(one, pole), other)
        whole = B.eq(B.alu(Ops.FLOOR, other), other)
        finite = B.alu(Ops.AND, B.alu(Ops.AND, whole, B.lt(B.like(a, 0), turned)), B.alu(Ops.NOT, _pole(other)))
        y = value(B.where(at, B.where(finite, turned, one), a), B.where(at, B.where(finite, other, one), b))
        nothing = B.alu(Ops.AND, _pole(B.add(a, b)), B.alu(Ops.NOT, at))
        y = B.where(nothing, B.like(a, 0.0 if signed else -math.inf), y)
        y = B.where(B.alu(Ops.AND, at, B.alu(Ops.NOT, finite)), B.like(a, math.inf), y)
        if signed:
            half = B.mul(other, B.like(other, 0.5))
            odd = B.alu(Ops.AND, whole, B.alu(Ops.CMPNE, B.alu(Ops.FLOOR, half), half))
            turns = B.alu(Ops.AND, B.alu(Ops.AND, at, odd), B.lt(B.like(a, 0), turned))
            y = B.where(turns, B.neg(y), y)
        return y

    return function


def _pole(x: UOp) -> UOp:
    """Whether gamma has a pole at x."""
    return B.alu(Ops.AND, B.alu(Ops.CMPLE, x, B.like(x, 0)), B.eq(B.alu(Ops.FLOOR, x), x))


beta = _at_poles(_beta, True)
betaln = _at_poles(_log_beta, False)

FUNCTIONS: dict[str, Callable[..., UOp]] = {
    "gamma": gamma, "gammaln": gammaln, "loggamma": loggamma, "gammasgn": gammasgn, "psi": digamma, "digamma": digamma,
    "_zeta": zeta, "beta": beta, "betaln": betaln, "gammainc": gammainc,
    "gammaincc": gammaincc,
}  # fmt: skip
