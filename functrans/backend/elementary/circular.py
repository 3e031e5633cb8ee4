"""Sine and cosine, and the tangent of float64. Sine and cosine: x = h pi + r with |r| <= pi/2, h whole for a sine and
half of an odd number for a cosine, and one polynomial for sin r, cut at 1 and -1. Tangent: x = n pi/2 + r with
|r| <= pi/4, and one for each of sin r and cos r.

``most`` is r before its last part, which only r itself needs: the polynomial need not wait for it. Its argument is
-s^2, as 0 - s s, which is +0 for a zero: so the sine of a zero is a zero of the same sign.

All are for |x| <= LIMIT, where pi in three parts is enough.
"""

from __future__ import annotations

from functrans.backend.elementary.number import Arithmetic, Num, constant, where
from functrans.backend.elementary.parts import quotient, rounded, sum_error

LIMIT = 2.0**20
"""Up to here these functions are right."""
SIGN = -(2**63)


def _less_pi(m: Arithmetic, x: Num, h: Num) -> tuple[Num, Num]:
    """The difference x - h pi, and the same before its last part."""
    if m.fused:
        most = m.fma(-h, m.constant("PI", 1), m.fma(-h, m.constant("PI"), x))
        return m.fma(-h, m.constant("PI", 2), most), most
    part = [m.constant("PI_SPLIT", k) for k in range(4)]
    u, v, w = x - h * part[0], h * part[1], h * part[2]
    p = u - v
    q = p - w
    lost = (sum_error(u, -v, p) + sum_error(p, -w, q)) - h * part[3]
    r = where(x.same(0.0), x, q + lost)
    return r, r


def _arc(m: Arithmetic, r: Num, s: Num, turns: Num) -> Num:
    """The sine of |r| <= pi/2, negative after an odd number of half turns."""
    z = m.fma(-s, s, 0.0)
    w = z * z
    y, one = m.fma(z * s, m.polynomial("arc", z, w), r), m.one
    top = where(one < y, one, y)
    cut = where(-one > top, -one, top)
    return (cut.bits ^ (turns << 8 * m.dtype.itemsize - 1)).float


def sin(m: Arithmetic, x: Num) -> Num:
    """The sine."""
    t = m.fma(x, m.constant("INVPI"), m.shift)
    r, s = _less_pi(m, x, t - m.shift)
    return _arc(m, r, s, t.bits)


def cos(m: Arithmetic, x: Num) -> Num:
    """The cosine."""
    a = abs(x)
    t = m.fma(a, m.constant("INVPI"), -0.5) + (m.shift + 1)
    r, s = _less_pi(m, a, (t - (m.shift + 1)) + 0.5)
    return _arc(m, r, s, t.bits)


def tan(m: Arithmetic, x: Num) -> Num:
    """The tangent."""
    a = abs(x)
    t = m.fma(a, m.constant("TWO_OVER_PI"), m.shift)
    r, _ = _less_pi(m, a, 0.5 * (t - m.shift))
    z = r * r
    w = 1.0 - 0.5 * z
    sl, cl = z * r * m.polynomial("sin", z), ((1.0 - w) - 0.5 * z) + z * z * m.polynomial("cos", z)
    s, c = r + sl, w + cl
    se, ce = (r - s) + sl, (w - c) + cl
    even = (t.bits & 1).same(0)
    q, lo = quotient(m, where(even, s, -c), where(even, se, -ce), where(even, c, s), where(even, ce, se))
    y = where(a < 2.0**-28, a, q + lo)
    return (y.bits ^ (x.bits & SIGN)).float


def sin_pi(m: Arithmetic, x: Num) -> Num:
    """The absolute value of the sine of pi x."""
    f = abs(x - rounded(x))
    low = f <= 0.25
    r = m.constant("PI") * where(low, f, 0.5 - f)
    z = r * r
    sine = m.fma(z * r, m.polynomial("sin", z), r)
    cosine = m.fma(z * z, m.polynomial("cos", z), m.fma(z, -0.5, constant(1.0, z)))
    return where(low, sine, cosine)
