"""Exponentials: e^x = 2^n e^r with |r| <= log(2) / 2, and a polynomial for e^r. Some of float32 have ways of their own.

A large number added to n leaves n + 2046 (n + 254) in the low bits of the sum, m. ``exp_pair`` gives e^(x + c) as
(high + low) 2^(m - 2046), which may be larger or smaller than any float64; ``scaled`` puts the power in by two factors,
so that what is subnormal is rounded once. Of m it takes the low 12 bits.

A hyperbolic tangent is e / (e + 2) with e = expm1(2x), whose n is rounded down: so e is at least 1 where n is not 0,
and nothing cancels. Where n is 0, e = 2x + v, and the quotient is x + (v - x e) / (e + 2), whose second part is small.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.elementary.number import Arithmetic, Num, copysign, where
from functrans.backend.elementary.parts import capped, clamped, cut, one_more_scaled, power_of_two, scaled

# beyond them results are 0 or infinite, so that nothing is left to select, and NaN stays
_ENDS = {dtypes.float64: (-746.0, 709.8), dtypes.float32: (-105.0, 89.0)}
_ENDS_OF_2 = {dtypes.float64: (-1076.0, 1024.0), dtypes.float32: (-151.0, 129.0)}


def exp_pair(m: Arithmetic, x: Num, c: Num | float) -> tuple[Num, Num, Num]:
    """The exponential of x + c: two numbers, and the power of two."""
    t = x * m.constant("INVLN2") + m.biased
    n = t - m.biased
    h, w = m.fma(-n, m.constant("LN2"), x), n * m.constant("LN2", 1)
    r = h - w
    c = ((h - r) - w) + c
    q = r * r * m.polynomial("exp", r)
    a = 1.0 + r
    return a, ((1.0 - a) + r) + m.fma(c, a + q, q), t.bits


def less_one(m: Arithmetic, r: Num) -> Num:
    """The exponential of |r| <= log(2) / 2, less one."""
    z = r * r
    return m.fma(m.polynomial("exp", r, z), z, r)


def less_ln2(m: Arithmetic, x: Num, n: Num) -> Num:
    """The difference x - n log(2)."""
    return m.fma(-n, m.constant("LN2", 1), m.fma(-n, m.constant("LN2"), x))


def exp(m: Arithmetic, x: Num) -> Num:
    """The exponential."""
    c = cut(m, x, *_ENDS[m.dtype])
    t = m.fma(c, m.constant("INVLN2"), m.biased)
    return one_more_scaled(m, less_one(m, less_ln2(m, c, t - m.biased)), t.bits)


def exp_near(m: Arithmetic, x: Num) -> Num:
    """The exponential where it is neither subnormal nor near the largest number."""
    t = m.fma(x, m.constant("INVLN2"), m.once)
    s = power_of_two(t.bits)
    return m.fma(less_one(m, less_ln2(m, x, t - m.once)), s, s)


def exp2(m: Arithmetic, x: Num) -> Num:
    """The power of two."""
    c = cut(m, x, *_ENDS_OF_2[m.dtype])
    t = c + m.biased
    return one_more_scaled(m, less_one(m, (c - (t - m.biased)) * m.constant("LN2FULL")), t.bits)


def expm1(m: Arithmetic, x: Num) -> Num:
    """The exponential less one."""
    c = clamped(x, -45.0, 710.0)
    t = c * m.constant("INVLN2") + m.shift
    n = t - m.shift
    h, w = m.fma(-n, m.constant("LN2"), c), n * m.constant("LN2", 1)
    r = h - w
    s = power_of_two(t.bits - (0x4338000000000000 - 1022))
    u, v = s - 0.5, s * r
    y = u + v
    lo = ((u - y) + v) + s * m.fma(r * r, m.polynomial("exp", r), (h - r) - w)
    return where(abs(x) < 2.0**-54, x, 2.0 * (y + lo))


def sinh(m: Arithmetic, x: Num) -> Num:
    """The hyperbolic sine."""
    a = abs(x)
    z = a * a
    e, lo, power = exp_pair(m, capped(a, 712.0), 0.0)
    half = power - 1
    y = scaled(e, half) + (scaled(lo, half) - 0.25 / scaled(e + lo, half))
    return copysign(where(a < 1.0, m.fma(a * z, m.polynomial("sinh", z), a), y), x)


def cosh(m: Arithmetic, x: Num) -> Num:
    """The hyperbolic cosine."""
    e, lo, power = exp_pair(m, capped(abs(x), 712.0), 0.0)
    half = power - 1
    return scaled(e, half) + (scaled(lo, half) + 0.25 / scaled(e + lo, half))


def tanh(m: Arithmetic, x: Num) -> Num:
    """The hyperbolic tangent."""
    a = capped(abs(x), 22.0)
    d = a + a
    t = m.fma(d, m.constant("INVLN2"), -0.4999) + m.once
    r = less_ln2(m, d, t - m.once)
    z = r * r
    v = m.polynomial("expm1", r, z) * z
    s = power_of_two(t.bits)
    e = m.fma(s, v + r, s - 1.0)
    near = a < 0.3465
    return copysign(where(near, a, 0.0) + where(near, m.fma(-a, e, v), e) / (e + 2.0), x)
