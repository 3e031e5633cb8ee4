"""Python numbers beside arrays: equal ones are not the same, and each keeps its own sign, dtype and errors."""

import numpy as np
import pytest

import functrans as ft

X = np.array([1.5, -2.0, np.inf])


@pytest.mark.parametrize("first, second", [(0.0, -0.0), (-0.0, 0.0), (0, -0.0), (1, 1.0), (True, 1), (1.0, True)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_equal_numbers_are_told_apart(first, second, dtype):
    x = np.array([3, -4, 5], dtype)
    for c in (first, second, first):
        for ufunc in (np.multiply, np.add, np.copysign) if dtype != np.int32 else (np.multiply, np.add):
            got, want = ft.vmap(lambda v, ufunc=ufunc, c=c: ufunc(c, v))(x), ufunc(c, x)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(np.signbit(got), np.signbit(want))
            np.testing.assert_array_equal(got, want)


def test_a_number_that_is_not_one_is_itself_each_time():
    for c in (np.nan, float("nan"), np.inf, np.nan):
        np.testing.assert_array_equal(ft.vmap(lambda v, c=c: v + c)(X), X + c)


def test_a_class_of_floats_is_a_python_number():
    class Metres(float):
        pass

    x = np.ones(3, np.float32)
    assert ft.vmap(lambda v: v * Metres(2.0))(x).dtype == np.float32


def test_a_number_that_does_not_fit_raises_every_time():
    for _ in range(2):
        with pytest.raises(OverflowError, match="300"):
            ft.vmap(lambda v: v + 300)(np.ones(3, np.int8))


def test_functions_of_real_numbers_refuse_complex_ones_every_time():
    for _ in range(2):
        with pytest.raises(TypeError, match="complex"):
            ft.vmap(lambda v: np.floor(v))(np.ones(3, complex))
