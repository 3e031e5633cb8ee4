"""Powers with a constant exponent: products, a root and a reciprocal, or a logarithm of few digits more.

Exponents n and n + 1/2 up to ``MAX_CHAIN_EXPONENT`` are products by repeated squaring. The rounding error of a product
(the low part of a fused multiply-add) is carried along wherever more roundings than the last two would count, and so is
that of a reciprocal: the error stays below 2 ULP. The ends are those of pow, for what overflows on the way overflows in
the end; there the error is no number, and the product without it is taken.

Any other exponent up to ``MAX_LOG_EXPONENT`` is 2^(p k) e^(p log(m)) with x = 2^k m: p k is exact, and p log(m) is so
small that the logarithm needs only a few digits more than the result.
"""

from __future__ import annotations

import math
import re

from functrans._lazy import fractions
from functrans.backend.elementary.exponential import less_one
from functrans.backend.elementary.logarithm import in_parts
from functrans.backend.elementary.number import Arithmetic, Num, constant, sqrt, where
from functrans.backend.elementary.parts import one_more_scaled, product_error, remainder

MAX_CHAIN_EXPONENT = 64.0
MAX_LOG_EXPONENT = 8.0
_MIN_EXPONENT = 2.0**-20
_LOG2E = 144269504088896340735992468100189213742664595415298, 10**50  # over
_NAME = re.compile(r"pow(m?)(\d+)(h?)")


def power_name(exponent: float) -> str | None:
    """What the stem of the function for a constant exponent ends on, or None where it is no such product."""
    twice = exponent * 2
    if exponent == 0 or not abs(exponent) <= MAX_CHAIN_EXPONENT or twice != int(twice):
        return None
    whole, half = divmod(int(abs(twice)), 2)
    return f"{'m' if twice < 0 else ''}{whole}{'h' if half else ''}"


def split_exponent(exponent: float) -> tuple[float, float, float, float] | None:
    """The exponent, and it times log2(e), each as a number of few digits and the rest; None where pow is needed."""
    if not _MIN_EXPONENT <= abs(exponent) <= MAX_LOG_EXPONENT:
        return None
    exact = fractions.Fraction(exponent)
    scaled = exact * fractions.Fraction(*_LOG2E)
    p0, c0 = _leading(exact, 42), _leading(scaled, 32)
    return p0, float(exact - fractions.Fraction(p0)), c0, float(scaled - fractions.Fraction(c0))


def _leading(value: fractions.Fraction, bits: int) -> float:
    """The number cut off after so many bits."""
    exponent = bits - abs(value.numerator).bit_length() + value.denominator.bit_length()
    scaled = _shifted(value, exponent)
    if abs(scaled) >= 2**bits:
        exponent, scaled = exponent - 1, _shifted(value, exponent - 1)
    return math.ldexp(scaled, -exponent)


def _shifted(value: fractions.Fraction, exponent: int) -> int:
    """The whole part of a number times a power of two."""
    above, below = value.numerator << max(exponent, 0), value.denominator << max(-exponent, 0)
    return above // below if above >= 0 else -(-above // below)


def power_by(m: Arithmetic, x: Num, p0: Num, p1: Num, c0: Num, c1: Num) -> Num:
    """The power of x, which is not negative, to an exponent as `split_exponent` gives it."""
    a = abs(x)
    k, h, low = in_parts(m, a)
    w, g = h * c0, k * p0
    rest = k * p1 + ((low + h) * c1 + low * c0)
    total = (g + w) + rest
    t = total + m.biased
    n = t - m.biased
    y = one_more_scaled(m, less_one(m, (((g - n) + w) + rest) * m.constant("LN2FULL")), t.bits)
    y = where(total > 1025.0, math.inf, y)
    y = where(total < -1080.0, 0.0, y)
    grows = p0 > 0.0
    y = where(x < 0.0, math.nan, y)
    y = where(a.same(math.inf), where(grows, math.inf, constant(0.0, x)), y)
    y = where(a.same(0.0), where(grows, 0.0, constant(math.inf, x)), y)
    return where(x.same(x), y, x)


def product_of(name: str) -> tuple[bool, int, bool] | None:
    """Of the name of a product, as ``powm1h``: whether it is a reciprocal, the whole power, whether there is a root."""
    match = _NAME.fullmatch(name)
    return None if match is None else (bool(match[1]), int(match[2]), bool(match[3]))


def power_product(m: Arithmetic, x: Num, minus: bool, whole: int, half: bool) -> Num:
    """The power of x with a whole exponent, or one that ends on a half."""
    b = 1.0 / x if minus else x
    y = 1.0 / sqrt(x) if minus and half and not whole else _Product(m, x, b, minus, whole, half).value()
    if not half:
        return y
    y = y + 0.0
    # a root of minus infinity is no number, its half-integer powers are
    y = where(x.same(-math.inf), 0.0 if minus else math.inf, y)
    return where(x.same(0.0), math.inf, y) if minus else y


class _Product:
    """The number b to the power ``whole``, times its root if ``half``: squarings and products from the left.

    Up to the last two steps the value is a number and what it lacks. The last but one rounds that into the number, the
    last is a bare product: together less than 2 ULP. A root or a reciprocal has an error of its own, so that with it
    only the last step may round. What a reciprocal lacks is put in before that, to the power.
    """

    def __init__(self, m: Arithmetic, x: Num, b: Num, minus: bool, whole: int, half: bool) -> None:
        bits = bin(whole)[3:] if whole else ""
        self.m, self.x, self.b, self.root = m, x, b, sqrt(b) if half else b
        self.steps = [by for bit in bits for by in ("hb" if bit == "1" else "h")] + ["s"] * (half and whole > 0)
        self.power, self.half = whole + half / 2, half
        self.corrected = minus and (whole > 0 if half else whole > 2)
        self.high = b
        self.low: Num | None = None  # what the number lacks

    def value(self) -> Num:
        """The power."""
        if not self.steps:
            return self.root
        careful = self.corrected or (self.half and len(self.steps) > 1)
        for i, by in enumerate(self.steps):
            left = len(self.steps) - 1 - i
            factor = {"h": self.high, "b": self.b, "s": self.root}[by]
            if left == 0 and self.corrected:
                self._correct(self.power / 2 if by == "h" else self.power)
            if left == 0 or (left == 1 and not careful):
                self._round(factor, by == "h")
            else:
                self._carry(factor, by == "h")
        return self.high

    def _twice(self, factor: Num, squares: bool) -> Num:
        return factor + factor if squares and self.high is not self.b else factor

    def _carry(self, factor: Num, squares: bool) -> None:
        high = self.high * factor
        lacks = product_error(self.m, self.high, factor, high)
        if self.low is not None:
            lacks = self.m.fma(self.low, self._twice(factor, squares), lacks)
        self.high, self.low = high, lacks

    def _round(self, factor: Num, squares: bool) -> None:
        bare = self.high * factor
        if self.low is not None:  # where something is infinite, what was carried along is too, or no number
            full = self.m.fma(self.high, factor, self.low * self._twice(factor, squares))
            size = abs(full - bare if self.corrected else bare)
            bare = where(size < math.inf, full, bare)
        self.high, self.low = bare, None

    def _correct(self, power: float) -> None:
        rest = remainder(self.m, self.b, self.x, self.m.number(1.0))
        share = power * rest
        self.low = self.high * share if self.low is None else self.m.fma(self.high, share, self.low)
