"""Logarithms, hyperbolic and error functions of float32 by itself: the ways are those of float64 in one number instead
of two, as the bound of 2 ULP leaves room for an error of each step.

log(1 + f) is f + f^2 P(f) without a quotient, for base 2 and 10 with a P of their own. From 0.625 on a hyperbolic
tangent is 1 - 2 / (e^2x + 1). erf from 1 on is 1 - e^P(x), where an error of a few units in the exponential is a part
of one.
"""

from __future__ import annotations

import math

from functrans import dtypes
from functrans.backend.elementary.exponential import exp_near, less_ln2, less_one
from functrans.backend.elementary.logarithm import log_ends
from functrans.backend.elementary.number import Arithmetic, Num, constant, copysign, where
from functrans.backend.elementary.parts import cut, one_more_scaled, power_of_two

ROOT = 0x3F3504F3  # the bits of sqrt(1/2)
MANTISSA = 0x7FFFFF


def expm1(m: Arithmetic, x: Num) -> Num:
    """The exponential less one."""
    c = cut(m, x, -18.0, 89.0)
    t = m.fma(c, m.constant("INVLN2"), m.shift + 126)
    r = less_ln2(m, c, t - (m.shift + 126))
    s = power_of_two(t.bits)
    y = m.fma(s, less_one(m, r), s - 0.5)
    return where(abs(x) < 2.0**-26, x, y + y)


def _half_exp(m: Arithmetic, a: Num) -> Num:
    """Half of the exponential of a >= 0."""
    c = cut(m, a, 0.0, 91.0)
    t = m.fma(c, m.constant("INVLN2"), m.shift + 253)
    return one_more_scaled(m, less_one(m, less_ln2(m, c, t - (m.shift + 253))), t.bits)


def sinh(m: Arithmetic, x: Num) -> Num:
    """The hyperbolic sine."""
    a = abs(x)
    z, s = a * a, _half_exp(m, a)
    return copysign(where(a < 1.0, m.fma(a * z, m.polynomial("sinh", z), a), s - 0.25 / s), x)


def cosh(m: Arithmetic, x: Num) -> Num:
    """The hyperbolic cosine."""
    s = _half_exp(m, abs(x))
    return s + 0.25 / s


def tanh(m: Arithmetic, x: Num) -> Num:
    """The hyperbolic tangent."""
    a = abs(x)
    z = a * a
    w, e = z * z, exp_near(m, 2.0 * cut(m, a, 0.0, 9.5))
    return copysign(where(a < 0.625, m.fma(a * z, m.polynomial("tanh", z, w), a), 1.0 - 2.0 / (e + 1.0)), x)


def split(x: Num) -> tuple[Num, Num]:
    """The number as 2^k (1 + f): k and f."""
    small = x < 2.0**-126
    b = where(small, x * 2.0**25, x).bits + (0x3F800000 - ROOT)
    k = ((b >> 23) - 127).cast(dtypes.float32) - where(small, constant(25.0, x), 0.0)
    return k, ((b & MANTISSA) + ROOT).float - 1.0


def log(m: Arithmetic, x: Num) -> Num:
    """The natural logarithm."""
    k, f = split(x)
    z = f * f
    y = m.fma(z, m.polynomial("log", f, z), f)
    return log_ends(x, m.fma(k, m.constant("LN2"), m.fma(k, m.constant("LN2", 1), y)))


def log2(m: Arithmetic, x: Num) -> Num:
    """The logarithm to base 2."""
    k, f = split(x)
    z = f * f
    y = m.fma(f, m.constant("LOG2E", 1), z * m.polynomial("log2", f, z))
    return log_ends(x, k + m.fma(f, m.constant("LOG2E"), y))


def log10(m: Arithmetic, x: Num) -> Num:
    """The logarithm to base 10."""
    k, f = split(x)
    z = f * f
    y = m.fma(f, m.constant("LOG10E", 1), z * m.polynomial("log10", f, z))
    p = m.fma(f, m.constant("LOG10E"), m.fma(k, m.constant("LOG10_2", 1), y))
    return log_ends(x, m.fma(k, m.constant("LOG10_2"), p))


def log1p(m: Arithmetic, x: Num) -> Num:
    """The logarithm of 1 + x."""
    u = 1.0 + x
    b = u - 1.0
    c = (1.0 - (u - b)) + (x - b)
    k, g = split(u)
    far = k > 60.0
    whole = where(far, 60.0, k) + m.shift  # ends on the bits of k
    unit = power_of_two((0x4B400000 + 127) - whole.bits)
    f = where(k.same(0.0), x, where(far, g, m.fma(c, unit, g)))
    z = f * f
    y = m.fma(k, m.constant("LN2", 1), m.fma(z, m.polynomial("log", f, z), f))
    y = m.fma(k, m.constant("LN2"), y)
    y = where(x < math.inf, y, x)
    y = where(x < -1.0, math.nan, y)
    y = where(x.same(-1.0), -math.inf, y)
    return where(abs(x) < 2.0**-26, x, y)


def erf(m: Arithmetic, x: Num) -> Num:
    """The error function."""
    a = abs(x)
    z, b = a * a, cut(m, a, 1.0, 4.0)
    far = 1.0 - exp_near(m, m.polynomial("erffar", b, b * b))
    return copysign(where(a < 1.0, m.fma(a, m.polynomial("erf", z), a), far), x)
