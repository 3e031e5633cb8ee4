"""cov and corrcoef against NumPy: every argument, dtypes, one variable, no freedom, derivatives, maps."""

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError, ArgumentValueError, IndexOutOfRange, ShapeError, WeightsError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, values

COUNTS, SIZES = np.array([1, 2, 0, 3, 1]), np.array([0.5, 1.0, 2.0, 0.25, 3.0])


@pytest.mark.parametrize(
    "options",
    [{}, {"bias": True}, {"ddof": 2}, {"ddof": 0}, {"fweights": COUNTS}, {"aweights": SIZES}, {"dtype": "float32"},
     {"fweights": COUNTS, "aweights": SIZES}, {"fweights": COUNTS, "ddof": 3}, {"aweights": SIZES, "bias": True},
     {"dtype": "float32", "aweights": SIZES}, {"ddof": 9}, {"aweights": SIZES, "ddof": 40}],
)  # fmt: skip
def test_cov(options):
    for dtype in ("float64", "float32", "int8", "bool", "complex128"):
        if dtype == "complex128" and ("dtype" in options or options.get("ddof", 0) > 5):
            continue  # without freedom the sign of what is infinite is that of a rounding error
        x, y = values((3, 5), dtype), values((2, 5), dtype, 1)
        rtol = 1e-5 if "dtype" in options else 1e-11
        check("cov", [x], rtol=rtol, **options)
        check("cov", [x, y], rtol=rtol, **options)
        check("cov", [x.T.copy()], rowvar=False, rtol=rtol, **options)
        check("cov", [x[0], y[1]], rtol=rtol, **options)
        check("cov", [x[0]], rtol=rtol, **options)


def test_cov_of_little():
    for x in (np.zeros((0, 3)), np.zeros((3, 1)), np.ones((2, 0)), np.asarray(3.0), values((1, 4), "float64")):
        check("cov", [x])
    check("cov", [values((4, 1), "float64"), values((4, 2), "float64")], rowvar=False)
    check("cov", [values((4,), "float64"), values((1, 4), "float64", 1)], rowvar=False)


def test_corrcoef():
    for dtype in ("float64", "float32", "int8", "complex128"):
        x, y = values((3, 5), dtype), values((2, 5), dtype, 1)
        for arrays in ([x], [x, y], [x[0]], [x[0], y[0]], [x[:1]]):
            check("corrcoef", arrays, rtol=1e-11)
        check("corrcoef", [x.T.copy()], rowvar=False, rtol=1e-11)
    check("corrcoef", [np.stack([np.arange(4.0), np.ones(4), -2 * np.arange(4.0)])])
    check("corrcoef", [values((3, 5), "float64")], dtype="float32", rtol=1e-5)


def test_compiled_mapped_and_differentiated():
    x, w = laws.lanes((3, 5)), np.abs(laws.lanes((5,))) + 0.1
    for f in (np.cov, np.corrcoef):
        laws.compiled(f, x[0])
        laws.mapped(f, x)
        laws.differentiated(f, x[0])
    laws.mapped(lambda m, a: np.cov(m, fweights=COUNTS, aweights=a), x, w)
    laws.differentiated(lambda m, y, a: np.cov(m, y, aweights=a), x[0], x[1, :2], w[0])
    laws.differentiated(lambda m: np.cov(m, aweights=w[0]), x[0] + 1j * x[1])


def test_corrcoef_is_flat_at_its_bounds():
    line = np.arange(4.0)
    assert np.isfinite(ft.jacfwd(lambda t: np.corrcoef(np.stack([t, 2 * t])))(line)).all()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: np.cov(t.reshape(1, 1, 4)), ShapeError),
        (lambda t: np.cov(t.reshape(1, 4), t.reshape(1, 4), rowvar=False), ShapeError),
        (lambda t: np.cov(t, ddof=0.5), ArgumentValueError),
        (lambda t: np.cov(t, fweights=[1, 2, 3, -1]), ArgumentValueError),
        (lambda t: np.cov(t, aweights=[1, 2, 3, -1]), ArgumentValueError),
        (lambda t: np.cov(t, fweights=[1, 2, 3, 0.5]), ArgumentError),
        (lambda t: np.cov(t, fweights=[1, 2]), WeightsError),
        (lambda t: np.cov(t, aweights=[[1, 2, 3, 4]]), WeightsError),
        (lambda t: np.cov(t, fweights=[0.5, 2]), ArgumentError),
        (lambda t: np.cov(t, aweights=1.0), IndexOutOfRange),
        (lambda t: np.cov(t, ddof=[1]), ArgumentError),
        (lambda t: np.cov(t, ddof=1j), ArgumentError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error) as ours:
        call(Tensor(np.arange(4.0)))
    with pytest.raises((ValueError, TypeError, RuntimeError, IndexError)) as theirs:
        call(np.arange(4.0))
    assert isinstance(ours.value, type(theirs.value))
