"""Medians, quantiles, positions and running sums that leave NaN out, against NumPy and by the laws."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import DtypeError, UnsupportedError
from tests.numpy import laws
from tests.numpy.cases import check, quiet, values

AXES = [((7,), None), ((7,), 0), ((4, 5), 0), ((4, 5), 1), ((3, 4, 5), (0, 2)), ((6, 1), -1), ((), None)]
METHODS = ["linear", "lower", "higher", "nearest", "midpoint"]


def holes(shape, dtype="float64", share=0.3, seed=3):
    """Numbers with NaN among them; a last line of NaN alone where there are lines.

    Not a first one: there NumPy's dtype is that of the elements, whatever that of q.
    """
    x = values(shape, dtype, seed)
    if np.dtype(dtype).kind in "fc":
        x[np.random.default_rng([seed, *shape]).random(shape) < share] = np.nan
        x.flat[0] = 1
        if x.ndim > 1:
            x[-1] = np.nan
    return x


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32"])
@pytest.mark.parametrize(("shape", "axis"), AXES)
def test_medians_and_quantiles(shape, axis, dtype):
    x = holes(shape, dtype)
    for keepdims in (False, True):
        check("nanmedian", [x], axis=axis, keepdims=keepdims)
        for method in METHODS:
            check("nanquantile", [x], 0.3, axis=axis, method=method, keepdims=keepdims)
            check("nanquantile", [x], np.array([0.0, 0.5, 0.81, 1.0]), axis=axis, method=method, keepdims=keepdims)
    check("nanpercentile", [x], [5, 50, 99.5], axis=axis)


def test_axes_of_q_come_first():
    """NumPy has them among the others where axis is a tuple."""
    x, q = values((3, 4, 5), "float64"), np.array([[0.1, 0.3], [0.4, 0.5]])
    found = fnp.nanquantile(x, q, axis=(0, 2)).numpy()
    np.testing.assert_array_equal(found, fnp.quantile(x, q, axis=(0, 2)).numpy())


@pytest.mark.parametrize(("shape", "axis"), [((0,), None), ((3, 0), 1), ((0, 3), 1), ((0, 2), 0)])
def test_of_nothing(shape, axis):
    for dtype in ("float64", "float32"):
        check("nanmedian", [np.zeros(shape, dtype)], axis=axis)
        check("nanquantile", [np.zeros(shape, dtype)], 0.5, axis=axis)
    assert fnp.nanquantile(np.zeros(shape), [0.2, 0.3], axis=axis).shape == (2, *np.zeros(shape).sum(axis).shape)


def test_medians_of_complex_numbers():
    check("nanmedian", [holes((4, 5), "complex128")], axis=0)


def test_without_nan_they_are_those_of_all():
    x = values((9, 4), "float64")
    np.testing.assert_array_equal(fnp.nanquantile(x, 0.37, axis=0).numpy(), fnp.quantile(x, 0.37, axis=0).numpy())
    np.testing.assert_array_equal(fnp.nanmedian(x, axis=0).numpy(), fnp.median(x, axis=0).numpy())
    np.testing.assert_array_equal(fnp.nanmedian([np.inf, np.inf, np.nan]).numpy(), np.inf)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int32"])
@pytest.mark.parametrize(("shape", "axis"), [c for c in AXES if not isinstance(c[1], tuple) and c[0]])
def test_positions_and_running_sums(shape, axis, dtype):
    x = holes(shape, dtype)
    if x.dtype.kind == "c":
        x = x + np.where(values(shape, "float64", 9) > 2, np.nan, 0)
    check("nancumsum", [x], axis=axis)
    check("nancumprod", [x], axis=axis)
    full = np.where(np.isnan(x).all(axis, keepdims=True), 1.5, x) if x.dtype.kind != "i" else x
    for name in ("nanargmax", "nanargmin"):
        check(name, [full.astype(x.dtype)], axis=axis)
        check(name, [full.astype(x.dtype)], axis=axis, keepdims=True)


def test_where_all_is_nan_a_position_is_minus_one():
    assert fnp.nanargmax([[np.nan, np.nan], [np.nan, 1.0]], axis=1).tolist() == [-1, 1]
    assert ft.jit(np.nanargmin)(np.full(3, np.nan)) == -1


@pytest.mark.parametrize("f", [
    lambda x: np.nanmedian(x, axis=0), lambda x: np.nanquantile(x, [0.2, 0.7], axis=1), lambda x: np.nancumsum(x, 1),
    lambda x: np.nanpercentile(x, 40), lambda x: np.nancumprod(x, 0),
    lambda x: np.nanquantile(x, 0.3, 0, method="lower"),  # a place read from where a count of the same loop says
])  # fmt: skip
def test_laws(f):
    batch = np.stack([holes((4, 5), seed=k) for k in range(3)])
    batch[:, 0, :2] = 0.5, 0.75
    quiet(laws.compiled, f, batch[0])
    quiet(laws.mapped, f, batch)
    some = np.where(np.isnan(batch[1]), 0.25 + np.arange(20.0).reshape(4, 5), batch[1])
    laws.differentiated(f, some)


def test_a_derivative_passes_by_nan():
    x = np.array([3.0, np.nan, 1.0, 2.0, 7.0])
    np.testing.assert_array_equal(ft.grad(np.nanmedian)(x), [0.5, 0.0, 0.0, 0.5, 0.0])
    np.testing.assert_array_equal(ft.grad(lambda x: np.nanquantile(x, 1.0))(x), [0.0, 0.0, 0.0, 0.0, 1.0])


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 5)])
def test_pullbacks_along_short_lines(shape):
    """GCC 12 could not compile the one of nanmedian."""
    x = np.random.default_rng(0).normal(size=shape)
    x[0, 0] = np.nan
    for axis in (0, 1):
        back = ft.vjp(lambda t, k=axis: np.nanmedian(t, axis=k), x)[1](np.ones(shape[1 - axis]))[0]
        np.testing.assert_array_equal(back.sum(axis), 1.0)
        assert back[0, 0] == 0.0


def test_what_is_refused():
    with pytest.raises(UnsupportedError, match="'hazen' is not built"):
        fnp.nanquantile(np.ones(3), 0.5, method="hazen")
    with pytest.raises(DtypeError, match="no order"):
        fnp.nanquantile(np.ones(3) * 1j, 0.5)
