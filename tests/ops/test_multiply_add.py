"""The exact meaning of MULACC: the fraction a * b + c rounded once, in every range."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.ops import Ops, source
from functrans.ops.build import alu
from functrans.ops.interpret import interpret
from functrans.ops.multiply_add import multiply_add

NUMBERS = st.one_of(
    st.floats(),
    st.floats(-4, 4),
    st.builds(math.ldexp, st.integers(-(2**53), 2**53).map(float), st.integers(-1074, 960)),
    st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 2.0**-1022, 1.7976931348623157e308]),
)
SINGLE = st.one_of(st.floats(width=32), st.floats(-4, 4, width=32))


def rounded(a: float, b: float, c: float, dtype: type) -> float:
    """The exact result in the dtype, by way of fractions."""
    with np.errstate(all="ignore"):
        if not all(map(math.isfinite, (a, b, c))):
            wide = np.float64(c) if math.isinf(c) and math.isfinite(a) and math.isfinite(b) else np.float64(a) * b + c
            return float(wide)
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        if exact == 0:
            zero = float(dtype(a) * dtype(b) + dtype(c))
            return zero if zero == 0 and (a == 0 or b == 0) else 0.0
        return nearest(exact, 24 if dtype is np.float32 else 53, -149 if dtype is np.float32 else -1074)


def nearest(x: Fraction, digits: int, least: int) -> float:
    """The nearest number of so many digits that is a multiple of two to the power ``least``; ties to even."""
    size = abs(x)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent += size >= Fraction(2) ** exponent
    unit = Fraction(2) ** max(exponent - digits, least)
    count = round(size / unit)  # to even
    most = 2.0**127 * (2 - 2.0**-23) if digits == 24 else 1.7976931348623157e308
    value = math.inf if count * unit > Fraction(most) else float(count * unit)
    return math.copysign(value, 1 if x > 0 else -1)


def same(got: float, wanted: float) -> bool:
    if math.isnan(wanted):
        return math.isnan(got)
    return got == wanted and math.copysign(1, got) == math.copysign(1, wanted)


def check(a: float, b: float, c: float, dtype: type) -> None:
    with np.errstate(all="ignore"):
        (got,) = multiply_add(*(np.array([x], dtype) for x in (a, b, c)))
    assert same(float(got), rounded(a, b, c, dtype)), (a.hex(), b.hex(), c.hex(), got)


@settings(max_examples=600, deadline=None)
@given(NUMBERS, NUMBERS, NUMBERS)
def test_double(a: float, b: float, c: float) -> None:
    check(a, b, c, np.float64)


@settings(max_examples=300, deadline=None)
@given(SINGLE, SINGLE, SINGLE)
def test_single(a: float, b: float, c: float) -> None:
    check(a, b, c, np.float32)


@settings(max_examples=200, deadline=None)
@given(st.floats(-4, 4), st.floats(-4, 4), st.integers(-3, 3))
def test_what_a_product_loses(a: float, b: float, near: int) -> None:
    product = -(a * b)
    for _ in range(abs(near)):
        product = math.nextafter(product, math.copysign(math.inf, near))
    check(a, b, product, np.float64)


@pytest.mark.parametrize("dtype", [dtypes.float16, dtypes.int32, dtypes.complex128])
def test_other_dtypes_round_twice(dtype: dtypes.DType) -> None:
    a, b, c = (np.array([3, 5, 7]).astype(dtype.numpy) for _ in range(3))
    (got,) = interpret([alu(Ops.MULACC, *map(source.buffer, (a, b, c)))])
    np.testing.assert_array_equal(got, a * b + c)


def test_of_arrays_without_axes_and_without_elements() -> None:
    x = np.array(1 + 2.0**-30)
    assert multiply_add(x, x, -(x * x)) == 2.0**-60
    assert multiply_add(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3))).shape == (0, 3)
