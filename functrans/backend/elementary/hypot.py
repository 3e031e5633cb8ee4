"""The length of a vector of two numbers, sqrt(x^2 + y^2).

Both numbers are scaled by a power of two, so that nothing overflows or is lost, and the root of the rounded sum of
squares is corrected by what its square lacks of the exact sum, over twice the root. The correction is as small as the
rounding errors are: of 1 / (2 h) two digits will do, which a polynomial has. Errors stay below 0.6 ULP.
Source: Borges, An improved algorithm for hypot(a, b), arXiv:1904.09481 (2019).
"""

from __future__ import annotations

import math

from functrans.backend.elementary.number import Arithmetic, Num, sqrt, where
from functrans.backend.elementary.parts import product_error, remainder

_FIELDS = {8: (0x7FF0000000000000, 2.0**-1021), 4: (0x7F800000, 2.0**-125)}
"""The bits of an exponent, and the least power of two whose half is no subnormal number."""
_HALF_OVER = (0.4457, -0.1235, 0.01075)
"""1 / (2 h) from 2 to 4 sqrt(2), to a thirtieth: the Chebyshev polynomial of degree 3 is what it lacks, relatively."""


def hypot(m: Arithmetic, x: Num, y: Num) -> Num:
    """The root of the sum of the squares of two numbers."""
    a, b = abs(x), abs(y)
    bits, least = _FIELDS[m.dtype.itemsize]
    large, small = where(a > b, a, b), where(a > b, b, a)
    power = (large.bits & bits).float
    power = where(power > least, power, least)
    unit = (bits - power.bits).float  # 2 / power: the larger number is from 2 to 4
    u, v = large * unit, small * unit
    square = u * u
    h = sqrt(m.fma(u, u, v * v))
    again = h * h
    excess = remainder(m, v, v, again - square) + (product_error(m, h, h, again) - product_error(m, u, u, square))
    first, second, third = _HALF_OVER
    h = h - excess * m.fma(m.fma(m.number(third), h, second), h, first)
    return where(a.same(math.inf) | b.same(math.inf), math.inf, h * (0.5 * power))
