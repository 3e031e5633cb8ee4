"""Exact sums, products and quotients of two numbers: what a rounded result lacks, and rounding to whole numbers.

Where the target fuses multiply-adds they are used; elsewhere products are split (Dekker, 1971), and a result may differ
in its last bit from machine to machine.
"""

from __future__ import annotations

from functrans.backend.elementary.number import Arithmetic, Num, copysign, where

ROUNDS = 4503599627370496.0  # 2^52: what is added to it is rounded to a whole number


def sum_error(a: Num, b: Num | float, s: Num) -> Num:
    """What s = a + b lacks of the exact sum."""
    t = s - a
    return (a - (s - t)) + (b - t)


def product_error(m: Arithmetic, a: Num, b: Num | float, p: Num) -> Num:
    """What p = a * b lacks of the exact product."""
    if m.fused:
        return m.fma(a, b, -p)
    b = b if isinstance(b, Num) else m.number(b)
    s, t = ((x.bits & -134217728).float for x in (a, b))
    u, v = a - s, b - t
    return ((s * t - p) + s * v + u * t) + u * v


def remainder(m: Arithmetic, a: Num, b: Num, c: Num) -> Num:
    """The difference c - a * b, nearly exact."""
    if m.fused:
        return m.fma(-a, b, c)
    p = a * b
    return (c - p) - product_error(m, a, b, p)


def quotient(m: Arithmetic, n: Num, nl: Num | float, d: Num, dl: Num) -> tuple[Num, Num]:
    """The quotient (n + nl) / (d + dl) in two numbers."""
    r = 1.0 / d
    q = n * r
    rest = remainder(m, q, d, n)
    return q, (rest + (nl - q * dl)) * r


def rounded(x: Num) -> Num:
    """The nearest whole number."""
    a = abs(x)
    r = (a + ROUNDS) - ROUNDS
    return copysign(where(a < ROUNDS, r, a), x)


def power_of_two(biased: Num) -> Num:
    """A power of two by its biased exponent."""
    return (biased << (52 if biased.dtype.itemsize == 8 else 23)).float


def two_factors(m: Num) -> tuple[Num, Num]:
    """Two powers of two whose product is 2^(m - bias - bias)."""
    digits, exponents = (52, 0x7FF << 52) if m.dtype.itemsize == 8 else (23, 0xFF << 23)
    half = (m << digits - 1) & exponents
    return half.float, ((m << digits) - half).float


def scaled(x: Num, m: Num) -> Num:
    """The product of x and 2^(m - bias - bias) by two factors, so that what is subnormal is rounded once."""
    first, second = two_factors(m)
    return (x * first) * second


def one_more_scaled(m: Arithmetic, p: Num, power: Num) -> Num:
    """The same of 1 + p; of |p| < 1/2, so that the first factor is put in as 1 is added."""
    first, second = two_factors(power)
    return m.fma(p, first, first) * second


def cut(m: Arithmetic, x: Num, low: float, high: float) -> Num:
    """The number, cut at two ends by one instruction each; NaN stays."""
    least, most = low * m.one, high * m.one
    c = where(most < x, most, x)
    return where(least > c, least, c)


def clamped(x: Num, low: float, high: float) -> Num:
    """The number, cut at two ends."""
    x = capped(x, high)
    return where(x < low, low, x)


def capped(x: Num, high: float) -> Num:
    """The number, cut at the upper end."""
    return where(x > high, high, x)
