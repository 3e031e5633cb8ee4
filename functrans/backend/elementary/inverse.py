"""Inverse circular functions of float64: a quotient or a root in two parts near zero, then a polynomial."""

from __future__ import annotations

import math

from functrans.backend.elementary.number import Arithmetic, Num, constant, copysign, sqrt, where
from functrans.backend.elementary.parts import quotient, remainder, sum_error

EIGHTH = 0.41421356237309503  # tan(pi / 8)
HUGE, TINY = 2.0**400, 2.0**-400


def atan2(m: Arithmetic, y: Num, x: Num) -> Num:
    """The angle of the point (x, y)."""
    ay, ax, inf = abs(y), abs(x), math.inf
    swap, both = ay > ax, ax.same(inf) & ay.same(inf)
    n, d = where(swap, ax, ay), where(swap, ay, ax)
    small = where(n < TINY, constant(HUGE, n), 1.0)
    by = where(d > HUGE, 2.0**-600, where(d < TINY, 2.0**600, small))
    infinite = d.same(inf)
    n = where(both, 1.0, where(infinite, 0.0, n * by))
    d = where(both, 1.0, where(infinite, 1.0, where(d.same(0.0), 1.0, d * by)))
    mid = n > EIGHTH * d
    num, den = where(mid, n - d, n), where(mid, n + d, d)
    nl, dl = where(mid, sum_error(n, -d, num), 0.0), where(mid, sum_error(n, d, den), 0.0)
    q, rest = _arc_of_quotient(m, num, nl, den, dl)
    k = where(mid, constant(1.0, n), 0.0)
    k = where(swap, 2.0 - k, k)
    left = copysign(1.0, x) < 0.0
    back = left.differs(swap)
    k = where(left, 4.0 - k, k)
    a, base = where(back, -q, q), k * m.constant("PIO4")
    h = base + a
    low = (base - h) + a
    r = h + (low + (where(back, -rest, rest) + k * m.constant("PIO4", 1)))
    return where((ax <= inf) & (ay <= inf), copysign(r, y), x + y)


def _arc_of_quotient(m: Arithmetic, n: Num, nl: Num, d: Num, dl: Num) -> tuple[Num, Num]:
    """The arc tangent of a small quotient: the quotient, and what is to be added."""
    q, lo = quotient(m, n, nl, d, dl)
    z = q * q
    return q, m.fma(q * z, m.polynomial("atan", z), lo * (1.0 - z))


def atan(m: Arithmetic, x: Num) -> Num:
    """The arc tangent."""
    a = abs(x)
    b = where(a > 1e300, 1e300, a)
    mid, big = a > EIGHTH, a > 2.4142135623730949
    num = where(big, -1.0, where(mid, b - 1.0, b))
    den = where(big, b, where(mid, b + 1.0, 1.0))
    middle = mid & ~big
    nl = where(middle, sum_error(b, -1.0, num), 0.0)
    dl = where(middle, sum_error(b, 1.0, den), 0.0)
    q, rest = _arc_of_quotient(m, num, nl, den, dl)
    k = where(big, 2.0, where(mid, constant(1.0, a), 0.0))
    base = k * m.constant("PIO4")
    h = base + q
    low = (base - h) + q
    return copysign(h + (low + (rest + k * m.constant("PIO4", 1))), x)


def _arc_root(m: Arithmetic, a: Num) -> tuple[Num, Num, Num]:
    """Of 0 <= a <= 1: whether it is at most a half; the number whose arc sine is taken, and what the arc is more."""
    near = a <= 0.5
    z = where(near, a * a, 0.5 * (1.0 - a))
    s = where(near, a, sqrt(z))
    sl = where(near, 0.0, remainder(m, s, s, z) * (0.5 / where(s > 0.0, s, 1.0)))
    return near, s, m.fma(s * z, m.polynomial("asin", z), sl)


def asin(m: Arithmetic, x: Num) -> Num:
    """The arc sine."""
    near, s, rest = _arc_root(m, abs(x))
    quarter = m.constant("PIO2")
    h = quarter - 2.0 * s
    low = (quarter - h) - 2.0 * s
    return copysign(where(near, s + rest, h + (low + (m.constant("PIO2", 1) - 2.0 * rest))), x)


def acos(m: Arithmetic, x: Num) -> Num:
    """The arc cosine."""
    near, s, rest = _arc_root(m, abs(x))
    left = x < 0.0
    k = where(near, 1.0, where(left, constant(2.0, x), 0.0))
    f = where(near, constant(1.0, x), 2.0)
    g = where(near.differs(left), -f, f)
    base = k * m.constant("PIO2")
    h = base + g * s
    low = (base - h) + g * s
    return h + (low + (g * rest + k * m.constant("PIO2", 1)))
