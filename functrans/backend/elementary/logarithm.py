"""Logarithms of float64, and what is made of them: x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2).

log(1 + f) = 2 atanh(s) with s = f / (2 + f), of which 2s = f - f^2/2 + s f^2/2 takes the part that needs no rounding.
"""

from __future__ import annotations

import math

from functrans.backend.elementary.exponential import exp_pair
from functrans.backend.elementary.number import Arithmetic, Num, constant, copysign, sqrt, where
from functrans.backend.elementary.parts import (
    clamped,
    power_of_two,
    product_error,
    quotient,
    remainder,
    rounded,
    scaled,
    sum_error,
)

ONE = 0x3FF0000000000000
ROOT = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
MANTISSA = 0xFFFFFFFFFFFFF
WHOLE = 0x4330000000000000  # the bits of 2^52: a whole number or-ed to them is that number more
BIG = 2.0**56


def split(x: Num) -> tuple[Num, Num]:
    """The number as 2^k (1 + f): k and f."""
    small = x < 2.0**-1022
    b = where(small, x * 2.0**54, x).bits + (ONE - ROOT)
    k = (((b >> 52) | WHOLE).float - 4503599627371519.0) - where(small, constant(54.0, x), 0.0)
    return k, ((b & MANTISSA) + ROOT).float - 1.0


def _rest(m: Arithmetic, f: Num, half: Num) -> tuple[Num, Num]:
    """What log(1 + f) is more than f less f^2 / 2, and s."""
    s = f / (2.0 + f)
    z = s * s
    return s * m.fma(z, m.polynomial("log", z), half), s


def log_ends(x: Num, y: Num) -> Num:
    """The logarithm y of x, or what it is at infinity, at zero and below."""
    y = where(x < math.inf, y, x)
    y = where(x < 0.0, math.nan, y)
    return where(x.same(0.0), -math.inf, y)


def log(m: Arithmetic, x: Num) -> Num:
    """The natural logarithm."""
    k, f = split(x)
    half = 0.5 * f * f
    r, _ = _rest(m, f, half)
    return log_ends(x, m.fma(k, m.constant("LN2"), f - (half - m.fma(k, m.constant("LN2", 1), r))))


def log2(m: Arithmetic, x: Num) -> Num:
    """The logarithm to base 2."""
    k, h, low = in_parts(m, x)
    p = h * m.constant("LOG2E")
    y = k + p
    rest = (low + h) * m.constant("LOG2E", 1) + low * m.constant("LOG2E")
    return log_ends(x, y + (((k - y) + p) + rest))


def log10(m: Arithmetic, x: Num) -> Num:
    """The logarithm to base 10."""
    k, h, low = in_parts(m, x)
    p, g = h * m.constant("LOG10E"), k * m.constant("LOG10_2")
    y = g + p
    rest = k * m.constant("LOG10_2", 1) + ((low + h) * m.constant("LOG10E", 1) + low * m.constant("LOG10E"))
    return log_ends(x, y + (((g - y) + p) + rest))


def in_parts(m: Arithmetic, x: Num) -> tuple[Num, Num, Num]:
    """The power of two, and log(1 + f): a number of few bits, and the rest."""
    k, f = split(x)
    half = 0.5 * f * f
    r, _ = _rest(m, f, half)
    h = ((f - half).bits & -4294967296).float
    return k, h, ((f - h) - half) + r


def log1p_pair(m: Arithmetic, x: Num, lo: Num | float) -> Num:
    """The logarithm of 1 + x + lo."""
    u = 1.0 + x
    k, g = split(u)
    c = sum_error(m.number(1.0), x, u) + lo
    near = k.same(0.0)
    f = where(near, x, g)
    unit = power_of_two((0x4338000000000000 + 1023) - (k + m.shift).bits)
    back = where(near, lo, where(k > 60.0, 0.0, c * unit))
    half = 0.5 * f * f
    r, s = _rest(m, f, half)
    d = back * (1.0 - 2.0 * s * (1.0 - s * (1.0 - s * (1.0 - s))))
    y = k * m.constant("LN2") - ((half - (r + (k * m.constant("LN2", 1) + d))) - f)
    return where(u < math.inf, y, u)


def log1p(m: Arithmetic, x: Num) -> Num:
    """The logarithm of 1 + x."""
    y = log1p_pair(m, x, 0.0)
    y = where(x < -1.0, math.nan, y)
    y = where(x.same(-1.0), -math.inf, y)
    return where(abs(x) < 2.0**-54, x, y)


def asinh(m: Arithmetic, x: Num) -> Num:
    """The inverse hyperbolic sine."""
    a = abs(x)
    z = a * a
    q = z / (1.0 + sqrt(1.0 + z))
    h, big = a + q, a > BIG
    y = log1p_pair(m, where(big, a, h), where(big, 0.0, (a - h) + q)) + _ln2_where(m, big)
    return where(a < 2.0**-28, x, copysign(y, x))


def acosh(m: Arithmetic, x: Num) -> Num:
    """The inverse hyperbolic cosine."""
    t, p = x - 1.0, x + 1.0
    w = t * p
    s = sqrt(w)
    h = s + t
    wl = product_error(m, t, p, w) + t * sum_error(x, 1.0, p)
    sl = (remainder(m, s, s, w) + wl) * (0.5 / where(s > 0.0, s, 1.0))
    big = x > BIG
    y = log1p_pair(m, where(big, x, h), where(big, 0.0, ((s - h) + t) + sl)) + _ln2_where(m, big)
    return where(x < 1.0, math.nan, y)


def _ln2_where(m: Arithmetic, big: Num) -> Num:
    return where(big, m.number(m.constant("LN2FULL")), 0.0)


def atanh(m: Arithmetic, x: Num) -> Num:
    """The inverse hyperbolic tangent."""
    a = abs(x)
    d = 1.0 - a
    q, ql = quotient(m, 2.0 * a, 0.0, d, (1.0 - d) - a)
    h = q + ql
    y = 0.5 * log1p_pair(m, h, (q - h) + ql)
    y = where(a.same(1.0), math.inf, y)
    y = where(a > 1.0, math.nan, y)
    return where(a < 2.0**-28, x, copysign(y, x))


def log_pair(m: Arithmetic, x: Num) -> tuple[Num, Num]:
    """The natural logarithm in two numbers."""
    k, f = split(x)
    d = 2.0 + f
    q, sl = quotient(m, f, 0.0, d, (2.0 - d) + f)
    s = q + sl
    t, z = (q - s) + sl, s * s
    zl = product_error(m, s, s, z) + 2.0 * s * t
    third, third_low = m.constant("TWOTHIRDS"), m.constant("TWOTHIRDS", 1)
    p = z * third
    pl = product_error(m, z, third, p) + z * third_low + zl * third + z * z * m.polynomial("logtail", z)
    g = s * p
    gl = product_error(m, s, p, g) + (s * pl + t * p)
    h = 2.0 * s + g
    hl = ((2.0 * s - h) + g) + (gl + 2.0 * t)
    kh = k * m.constant("LN2")
    y = kh + h
    yl = sum_error(kh, h, y) + (hl + k * m.constant("LN2", 1))
    total = y + yl
    return total, (y - total) + yl


def power(m: Arithmetic, x: Num, y: Num) -> Num:
    """The power x^y."""
    a = abs(x)
    high, low = log_pair(m, a)
    high = where(a < math.inf, high, a)
    high = where(a.same(0.0), -math.inf, high)
    p = y * high
    pl = product_error(m, y, high, p) + y * low
    e, lo, k = exp_pair(m, clamped(p, -746.0, 710.0), where(abs(p) < 1000.0, pl, 0.0))
    r = scaled(e + lo, k)
    r = where(a.same(1.0), where(y.same(y), 1.0, y), r)
    half, whole = 0.5 * y, rounded(y)
    odd = whole.same(y) & rounded(half).differs(half)
    r = where(odd, copysign(r, x), r)
    r = where((x < 0.0) & (a < math.inf) & whole.differs(y), math.nan, r)
    return where(y.same(0.0) | x.same(1.0), 1.0, r)


def cbrt(m: Arithmetic, x: Num) -> Num:
    """The cube root."""
    a = abs(x)
    k, f = split(a)
    part = 0.5 * f + 0.5
    q = (k * 0.33333333333333331 + m.shift) - m.shift
    j = k + 1.0 - 3.0 * q
    none, single = j.same(0.0), j.same(1.0)
    v = where(none, 1.0, where(single, m.number(m.constant("CBRT2")), m.constant("CBRT4")))
    big = part * where(none, 1.0, where(single, m.number(2.0), 4.0))
    w = v * m.polynomial("cbrt", part)
    c = w * w * w
    t = w * ((c + 2.0 * big) / (2.0 * c + big))
    h = t * t
    p = h * t
    rest = (p - big) + (product_error(m, h, t, p) + product_error(m, t, t, h) * t)
    s = power_of_two((q + m.shift).bits - (0x4338000000000000 - 1023))
    y = (t - rest / (3.0 * h)) * s
    return where((a < math.inf) & (a > 0.0), copysign(y, x), x)
