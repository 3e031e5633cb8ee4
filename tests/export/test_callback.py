"""Functions as C function pointers: what SciPy, numba and ctypes get from them is what f gives."""

from __future__ import annotations

import ctypes
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy
import scipy.integrate
import scipy.ndimage

import functrans as ft

pytestmark = pytest.mark.usefixtures("compiler")
IMAGE = np.random.default_rng(0).uniform(size=(7, 9))


def bell(x: Any) -> Any:
    return np.exp(-x * x)


def test_numbers() -> None:
    made = ft.cfunc(bell, "double (double)")
    assert made.ctypes(0.5) == pytest.approx(np.exp(-0.25), rel=1e-15)
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(made.address)(0.5) == made.ctypes(0.5)
    assert scipy.integrate.quad(made.low_level(), -np.inf, np.inf)[0] == pytest.approx(np.pi**0.5)
    two = ft.cfunc(lambda x, y: x - 2 * y, "double (double, double, void *)")
    assert two.ctypes(5.0, 1.0, None) == 3.0
    assert scipy.integrate.quad(ft.cfunc(bell, "double (double, void *)").low_level(), 0, 1)[0] == pytest.approx(
        scipy.integrate.quad(bell, 0, 1)[0]
    )


@pytest.mark.parametrize("signature", ["double (int, double *)", "double (int, double *, void *)"])
def test_numbers_by_a_pointer(signature: str) -> None:
    made = ft.cfunc(lambda x, y, a: a * x * x + y, signature)
    found = scipy.integrate.nquad(made.low_level(), [(0, 1), (0, 2)], args=(3.0,))[0]
    assert found == pytest.approx(2 * 1.0 + 2.0)
    more = [None] if "void" in signature else []
    assert np.isnan(made.ctypes(2, (ctypes.c_double * 2)(1.0, 2.0), *more))


def test_windows_of_an_image() -> None:
    def spread(v: Any) -> Any:
        return v.max() - v.min()

    made = ft.cfunc(spread, "int (double *, npy_intp, double *, void *)", np.zeros(9))
    found = scipy.ndimage.generic_filter(IMAGE, made.low_level(), size=3)
    np.testing.assert_array_equal(found, scipy.ndimage.generic_filter(IMAGE, spread, size=3))
    with pytest.raises(RuntimeError):  # windows of another size
        scipy.ndimage.generic_filter(IMAGE, made.low_level(), size=5)


def test_lines_and_places_of_an_image() -> None:
    def means(line: Any) -> Any:
        return (line[:-2] + line[1:-1] + line[2:]) / 3

    made = ft.cfunc(means, "int (double *, npy_intp, double *, npy_intp, void *)", np.zeros(11))
    found = scipy.ndimage.generic_filter1d(IMAGE, made.low_level(), 3)
    np.testing.assert_allclose(found, scipy.ndimage.uniform_filter1d(IMAGE, 3), rtol=1e-14)
    places = ft.cfunc(lambda p: p * 0.5 + 0.25, "int (npy_intp *, double *, int, int, void *)", np.zeros(2, np.int64))
    found = scipy.ndimage.geometric_transform(IMAGE, places.low_level(), order=1)
    want = scipy.ndimage.geometric_transform(IMAGE, lambda p: (p[0] * 0.5 + 0.25, p[1] * 0.5 + 0.25), order=1)
    np.testing.assert_allclose(found, want, rtol=1e-14)


def test_arrays_and_threads() -> None:
    def f(a: Any, v: Any) -> Any:
        return np.tanh(np.tanh(a @ v) @ a) @ a.T, v.sum()

    a, v = IMAGE[:5, :5], IMAGE[5, :5]
    made = ft.cfunc(f, "int (double *, double *, double *, double *)", a, v)
    double = ctypes.POINTER(ctypes.c_double)

    def call(factor: float) -> bool:
        given, y, s = np.ascontiguousarray(a * factor), np.empty(5), np.empty(())
        assert made.ctypes(*(x.ctypes.data_as(double) for x in (given, np.ascontiguousarray(v), y, s))) == 0
        want = f(given, v)
        return np.allclose(y, want[0], rtol=1e-13) and bool(np.isclose(s, want[1]))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, np.linspace(0.1, 1, 50)))


def test_a_matrix_that_is_refused() -> None:
    made = ft.cfunc(lambda a: np.linalg.inv(a), "int (double *, double *)", ft.ShapeDtype((2, 2)))
    double, out = ctypes.POINTER(ctypes.c_double), np.zeros((2, 2))
    call = lambda a: made.ctypes(a.ctypes.data_as(double), out.ctypes.data_as(double))  # noqa: E731
    assert call(np.ones((2, 2))) == 3
    assert call(2 * np.eye(2)) == 0
    np.testing.assert_array_equal(out, np.eye(2) / 2)
    number = ft.cfunc(lambda x: np.linalg.inv(np.stack([x, x])[:, None] * np.ones(2))[0, 0], "double (double)")
    assert np.isnan(number.ctypes(1.0))


def test_it_is_pickled() -> None:
    again = pickle.loads(pickle.dumps(ft.cfunc(bell, "double (double)")))
    assert again.ctypes(0.0) == 1.0 and repr(again) == "<bell as double (double)>"


def test_refusals() -> None:
    with pytest.raises(ft.ArgumentValueError, match=r"signature='float \(float\)'.*; expected one of double \(double"):
        ft.cfunc(bell, "float (float)")
    with pytest.raises(ft.ShapeError, match=r"results have the shapes \[\(2,\)\].*; expected a number"):
        ft.cfunc(lambda x: np.stack([x, x]), "double (double)")
    with pytest.raises(ft.ArgumentError, match="it takes none, as f is given numbers"):
        ft.cfunc(bell, "double (double)", np.zeros(3))
    with pytest.raises(ft.ArgumentError, match="expected a vector of float64"):
        ft.cfunc(bell, "int (double *, npy_intp, double *, void *)")
    with pytest.raises(ft.ShapeError, match="expected a vector"):
        ft.cfunc(np.sum, "int (double *, npy_intp, double *, npy_intp, void *)", np.zeros(3))
    with pytest.raises(ft.ArgumentError, match=r"has 3 pointers.*1 arguments and 1 results"):
        ft.cfunc(bell, "int (double *, double *, double *)", np.zeros(3))
    with pytest.raises(ft.ArgumentError, match="expected arrays of float64"):
        ft.cfunc(bell, "int (double *, double *)", np.zeros(3, np.float32))


def test_numba_calls_it() -> None:
    numba = pytest.importorskip("numba")
    number = ft.cfunc(lambda x, y: np.sin(x) * y, "double (double, double)").ctypes
    pair = ft.cfunc(lambda v: v[::-1] * 2, "int (double *, double *)", np.zeros(3)).ctypes

    @numba.njit
    def total(x: Any, v: Any) -> Any:
        out = np.empty(3)
        status = pair(v.ctypes, out.ctypes)
        s = 0.0
        for k in range(len(x)):
            s += number(x[k], 2.0)
        return s, out, status

    x = np.linspace(0, 1, 5)
    s, out, status = total(x, np.arange(3.0))
    assert s == pytest.approx((np.sin(x) * 2).sum()) and status == 0 and out.tolist() == [4.0, 2.0, 0.0]
