"""The tangent and the inverse functions for float32 by itself: the ways are those of float64 in one number.

A tangent is a polynomial on a quarter of a turn, or minus one over it; what its rounding and that of its argument lost
is put back into the quotient.
"""

from __future__ import annotations

import math

from functrans.backend.elementary.number import Arithmetic, Num, constant, copysign, sqrt, where

LIMIT = 2.0**16
"""Up to here, which float16 does not exceed, sine, cosine and tangent are right."""


def tan(m: Arithmetic, x: Num) -> Num:
    """The tangent."""
    t = m.fma(x, m.constant("TWO_OVER_PI"), m.shift)
    h = 0.5 * (t - m.shift)
    f, g = m.fma(-h, m.constant("PI"), x), h * m.constant("PI", 1)
    r = f - g
    v, z = r - f, r * r
    off = ((f - (r - v)) - (g + v)) - m.fma(h, m.constant("PI", 1), -g)
    lost = m.fma(-h, m.constant("PI", 2), off)
    p = m.fma(z * r, m.polynomial("tan", z, z * z), m.fma(z, lost, lost))
    y = r + p
    rest, q = (r - y) + p, -1.0 / y
    turned = m.fma(q, m.fma(q, rest, m.fma(q, y, 1.0)), q)
    return where((t.bits & 1).same(0), copysign(y, r), turned)


def _arc_root(m: Arithmetic, x: Num, a: Num) -> tuple[Num, Num]:
    """Whether |x| is small; the arc sine of x, or twice that of the root of (1 - |x|) / 2."""
    near = a < 0.5625
    z = where(near, a * a, 0.5 - 0.5 * a)
    s = where(near, x, 2.0 * sqrt(z))
    return near, m.fma(s * z, m.polynomial("asin", z, z * z), s)


def asin(m: Arithmetic, x: Num) -> Num:
    """The arc sine."""
    a = abs(x)
    near, y = _arc_root(m, a, a)
    return copysign(where(near, y, m.constant("PIO2") - (y - m.constant("PIO2", 1))), x)


def acos(m: Arithmetic, x: Num) -> Num:
    """The arc cosine."""
    near, y = _arc_root(m, x, abs(x))
    half = [m.number(m.constant("PIO2", k)) for k in (0, 1)]
    far = where(x < 0.0, 2.0 * half[0] - (y - 2.0 * half[1]), y)
    return where(near, half[0] - (y - half[1]), far)


def atan(m: Arithmetic, x: Num) -> Num:
    """The arc tangent."""
    a = abs(x)
    big = a > 1.0
    q = where(big, -1.0, a) / where(big, a, 1.0)
    z = q * q
    p = z * q * m.polynomial("atan", z, z * z)
    return copysign(where(big, m.constant("PIO2") + (q + (p + m.constant("PIO2", 1))), q + p), x)


def atan2(m: Arithmetic, y: Num, x: Num) -> Num:
    """The angle of the point (x, y)."""
    ay, ax, inf = abs(y), abs(x), math.inf
    swap, both, left = ay > ax, ax.same(inf) & ay.same(inf), copysign(1.0, x) < 0.0
    n = where(both, 1.0, where(swap, ax, ay))
    d = where(both, 1.0, where(swap, ay, ax))
    q = n / where(d.same(0.0), 1.0, d)
    z = q * q
    p = z * q * m.polynomial("atan", z, z * z)
    k = where(swap, 1.0, where(left, constant(2.0, x), 0.0))
    sign = where(swap.differs(left), constant(-1.0, x), 1.0)
    r = m.fma(k, m.constant("PIO2"), m.fma(sign, q, m.fma(sign, p, k * m.constant("PIO2", 1))))
    return where((ax <= inf) & (ay <= inf), copysign(r, y), x + y)
