"""Sums, derivatives, antiderivatives and fits of polynomials against NumPy."""

import numpy as np
import pytest

import functrans.numpy as fnp
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, same, values

DTYPES = ["float64", "float32", "int8", "uint8", "int64", "bool", "complex64"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_and_derivatives(dtype):
    for n in (0, 1, 2, 5):
        p = values((n,), dtype)
        for m in (0, 1, 2, 7):
            check("polyder", [p], m)
            check("polyint", [p], m)
        check("polyint", [p], 1, 2.5)
        check("polyint", [p], 2, np.float32(2.5))
        check("polyint", [p], 2, [1.0, 3.0, 9.0])
        for other in ("float32", "int64", dtype):
            for k in (0, 1, 3, 6):
                check("polyadd", [p, values((k,), other, 1)])
                if "bool" not in (dtype, other):
                    check("polysub", [p, values((k,), other, 1)])
    check("polyadd", [values((), dtype), values((3,), dtype)])
    for x in (np.array([True]), np.array([3], np.int8), np.array(2.0)):
        check("polyval", [values((3,), dtype), x])
    check("polyval", [values((0,), dtype), np.array([np.nan, 1.0])])


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_and_quotients(dtype):
    rtol = 2e-4 if dtype in ("float32", "complex64") else 1e-9
    for other in ("float32", "int64", dtype):
        for n, k in ((1, 1), (1, 3), (3, 1), (4, 2), (6, 3), (2, 5)):
            p, q = values((n,), dtype, n), values((k,), other, k + 9)
            p[0], q[0] = 1, 1
            check("polymul", [p, q], rtol=rtol)
            quotient, rest = np.polydiv(Tensor(p), q)
            same(quotient, np.polydiv(p, q)[0], rtol)
            assert rest.dtype == np.polydiv(p, q)[1].dtype and rest.size == (n if n < k else max(k - 1, 1))
            whole = np.polyadd(np.polymul(quotient.numpy(), q + 0.0), rest.numpy())
            np.testing.assert_allclose(np.polysub(whole, p + 0.0), 0, atol=rtol * 1000)
    for p, q in (([], [1.0, 2.0]), (2.0, 3.0), ([1.0, 2.0], 3.0)):
        same(fnp.polymul(p, q), np.polymul(p, q))
    same(fnp.polymul([0.0, 1.0], [2.0, 1.0]), np.array([0.0, 2.0, 1.0]))  # NumPy leaves the first out


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_fits(dtype):
    x, y, w = values((9,), dtype, 1), values((9,), "float64", 2), abs(values((9,), "float64", 3)) + 0.5
    x = x + np.arange(9, dtype=dtype) * 2
    for degree in (0, 1, 3):
        check("polyfit", [x, y], degree, rtol=1e-9)
        check("polyfit", [x, np.stack([y, y**2], 1)], degree, rtol=1e-9)
        check("polyfit", [x, y], degree, w=w, rtol=1e-9)
        check("polyfit", [x, np.stack([y, y**2], 1)], degree, w=w, rtol=1e-9)
    check("polyfit", [x.astype("float32"), y.astype("float32")], 2, rtol=2e-3)
    check("polyfit", [np.array([1.0, 1.0, 2.0]), y[:3]], 2, rcond=1e-8, rtol=1e-9)


def test_compiled_mapped_and_differentiated():
    p, q = laws.lanes((5,)), laws.lanes((3,), seed=2)
    more = (lambda a, b: np.polyint(a, 2, b), lambda a, b: np.polyder(np.polyadd(a, b), 2))
    for f in (np.polyadd, np.polysub, np.polymul, np.polydiv, *more):
        laws.compiled(f, p[0], q[0])
        laws.mapped(f, p, q)
        laws.differentiated(f, p[0], q[0])
    x, y = laws.lanes((7,)) + np.arange(7) * 3, laws.lanes((7,), seed=4)
    laws.compiled(lambda a, b: np.polyfit(a, b, 2), x[0], y[0], rtol=1e-9)
    laws.mapped(lambda a, b: np.polyfit(a, b, 2), x, y, rtol=1e-8)
    laws.differentiated(lambda a, b: np.polyfit(a, b, 2), x[0], y[0])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: np.polyder(t, -1), ArgumentValueError),
        (lambda t: np.polyint(t, -1), ArgumentValueError),
        (lambda t: np.polyint(t, 3, [1.0, 2.0]), ShapeError),
        (lambda t: np.polyfit(t, t, -1), ArgumentValueError),
        (lambda t: np.polyfit(t, t[:2], 1), ArgumentError),
        (lambda t: np.polyfit(t, t, 1, w=t[:2]), ArgumentError),
        (lambda t: np.polyfit(t[:0], t[:0], 1), ArgumentError),
    ],
)
def test_errors_are_those_of_numpy(call, error):
    with pytest.raises(error) as ours:
        call(Tensor(np.ones(3)))
    with pytest.raises((ValueError, TypeError)) as theirs:
        call(np.ones(3))
    assert isinstance(ours.value, type(theirs.value))


def test_what_is_refused():
    with pytest.raises(UnsupportedError, match=r"fnp.linalg.lstsq"):
        fnp.polyfit(np.arange(4.0), np.ones(4), 1, cov=True)
    with pytest.raises(ShapeError, match="one axis"):
        fnp.polyadd(np.ones((2, 2)), np.ones(2))
