"""The error functions of float64, and log gamma.

erfc(x) = e^(-x^2) g(t) / (x + 0.9) with t = 2x / (x + 4) - 1 for x >= 0 (after Shepherd and Laframboise, 1981): g
hardly changes where x is small, so what t lacks is not felt there. e^r is taken as g + g (e^r - 1), the rounding of x^2
put into r. erf by its own polynomial below 1; above, where it is near 1, by a shorter one of the same kind. log gamma
by a polynomial on [1, 3], one on [3, 8], Stirling's series above, and by reflection below 0, where it is exact to an
absolute error only, as it is near its zeros at 1 and 2.
"""

from __future__ import annotations

import math

from functrans.backend.elementary.circular import sin_pi
from functrans.backend.elementary.exponential import exp_near, less_ln2
from functrans.backend.elementary.logarithm import log
from functrans.backend.elementary.number import Arithmetic, Num, copysign, where
from functrans.backend.elementary.parts import product_error, scaled


def erfc(m: Arithmetic, x: Num) -> Num:
    """The complement of the error function."""
    a = abs(x)
    b = where(a > 28.0, 28.0, a)
    h, c = b * b, (b + b) / (b + 4.0) - 1.0
    w = c * c
    g = m.polynomial("erfcx", c, w) / (b + 0.9)
    t = m.fma(h, -m.constant("INVLN2"), m.biased)
    r = less_ln2(m, -h, t - m.biased) - product_error(m, b, b, h)
    z = r * r
    y = scaled(m.fma(g, m.fma(m.polynomial("exp", r, z), z, r), g), t.bits)
    return where(x < 0.0, 2.0 - y, y)


def erf(m: Arithmetic, x: Num) -> Num:
    """The error function."""
    a = abs(x)
    b = where(a > 6.0, 6.0, a)
    z, u = b * b, 1.0 / (b + 3.0) - 0.18
    y = 1.0 - m.polynomial("erffar", u) * exp_near(m, -z)
    return copysign(where(a < 1.0, m.fma(a, m.polynomial("erf", z), a), y), x)


def _lgamma_part(m: Arithmetic, a: Num) -> Num:
    """The logarithm of gamma for a >= 0, or what it is more than -log(a) for a < 1."""
    low, first = a < 1.0, a < 3.0
    w, u = where(low, a, a - 1.0), where(low, a - 1.0, a - 2.0)
    v = where(first, u, a - 5.5)
    p = where(first, w * u, a - 2.0) * m.either_polynomial(first, "lgamma1", "lgamma3", v)
    y = 1.0 / a
    series = m.constant("STIRLING0") + y * m.polynomial("stirling", y * y)
    return where(a < 8.0, p, (a - 0.5) * (log(m, a) - 1.0) + series)


def lgamma(m: Arithmetic, x: Num) -> Num:
    """The logarithm of the absolute value of gamma."""
    a = abs(x)
    s = sin_pi(m, a) * (1.0 / m.number(m.constant("PI")))
    b = where(x < 0.0, where(a < 1.0, s, a * s), where(a < 1.0, a, 1.0))
    p = _lgamma_part(m, a)
    y = (where(x < 0.0, -p, p) - log(m, b)) + 0.0
    return where(a < math.inf, where(b.same(0.0), math.inf, y), a)
