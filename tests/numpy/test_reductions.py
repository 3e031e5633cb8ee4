"""Reductions against NumPy: axes, keepdims, dtypes, where, initial, nothing to reduce."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import AxisError, DtypeError, ShapeError
from functrans.tensor import Tensor
from tests.numpy.cases import check, quiet, same, values

PLAIN = ["sum", "prod", "max", "min", "any", "all", "mean", "var", "std", "ptp", "argmax", "argmin", "count_nonzero"]
NAN = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"]
AXES = [None, 0, 1, -1, (0, 2), (-1, 0), (0, 1, 2)]
DTYPES = ["bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "float64", "complex64"]


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("keepdims", [False, True])
def test_axes(name, keepdims):
    x = values((3, 4, 5), "float64")
    for axis in AXES:
        if not (name.startswith("arg") and isinstance(axis, tuple)):
            check(name, [x], axis=axis, keepdims=keepdims)
    for shape in ((1, 1, 4), (1,), (), (2, 1, 3)):
        check(name, [values(shape, "float64")], keepdims=keepdims)


@pytest.mark.parametrize("name", PLAIN)
def test_dtypes(name):
    for dtype in DTYPES:
        x = values((3, 2, 4), dtype, low=-2.5, high=2.5)
        if not (name == "ptp" and dtype == "bool"):
            check(name, [x], axis=1, rtol=5e-3 if dtype == "float16" else None)


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(("shape", "axis"), [((0, 3), 0), ((0, 3), 1), ((2, 0, 4), 1), ((2, 0, 4), None), ((0,), 0)])
def test_nothing_to_reduce(name, shape, axis):
    x = np.empty(shape)
    try:
        quiet(getattr(np, name), x, axis=axis)
    except ValueError:
        with pytest.raises(ShapeError, match=r"zero-size array to reduction operation|empty sequence"):
            getattr(fnp, name)(x, axis=axis)
    else:
        check(name, [x], axis=axis)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std", "any", "all"])
def test_where(name):
    x, mask = values((3, 4, 5), "float64"), values((4, 1), "bool", 9)
    mask[0] = mask[1] = True
    initial = {"initial": 2.0} if name in ("sum", "prod", "max", "min") else {}
    check(name, [x], axis=1, where=mask, **initial)
    check(name, [x], where=mask, **initial)
    for one in (True, False):
        check(name, [x], axis=1, where=one, **initial)
    if initial:
        check(name, [np.empty((0, 2))], axis=0, initial=-3.0)
        check(name, [x], axis=(0, 1), initial=0.5)
    same(getattr(fnp, name)(Tensor(x), where=Tensor(mask), **initial), getattr(np, name)(x, where=mask, **initial))


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "cumsum", "cumprod", "trace"])
def test_dtype_argument(name):
    for given, wanted in (("int8", "int16"), ("float32", "float64"), ("bool", "float32"), ("int32", "float16")):
        check(name, [values((3, 4), given, low=-2, high=2)], dtype=wanted, rtol=5e-3 if wanted == "float16" else 1e-6)
    with pytest.raises(DtypeError, match="expected a float"):
        fnp.var([1.0, 2.0], dtype="int16")


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "sum", "any", "all", "mean", *NAN])
def test_nan(name):
    x = values((3, 4), "float64")
    x[0, 2] = x[0, 3] = x[2] = np.nan
    for axis in (None, 0, 1):
        check(name, [x], axis=axis)
    check(name, [np.array([np.inf, -np.inf, np.nan, 1.0])])


@pytest.mark.parametrize("name", NAN)
def test_without_nan_of_integers(name):
    check(name, [values((3, 4), "int32")], axis=0)
    check(name, [values((3, 4), "float32")], axis=1, keepdims=True)


def test_first_of_equal_positions():
    x = np.array([[1, 3, 3, 0, 0], [2, 2, 2, 2, 2]])
    for name in ("argmax", "argmin"):
        for dtype in ("int64", "bool", "float32", "uint8"):
            for axis in (None, 0, 1, -1):
                check(name, [x.astype(dtype)], axis=axis, keepdims=True)


@pytest.mark.parametrize("dtype", ["float64", "float16", "int8", "bool"])
def test_positions_along_long_axes(dtype, compiler):
    """By parts, whose first and last elements are tried, what is left of the axis, ties, and NaN in any of these."""
    rng = np.random.default_rng(5)
    part = 256 if dtype == "float64" else 1024
    for n in (767, 768, 769, 1023, 1300) if part == 256 else (3071, 3072, 3073, 4095, 5200):
        places = [0, part - 1, part, n // part * part - 1, n // part * part % n, n - 1]
        extremes = {"f": [99, np.nan, -9], "i": [99, -9], "b": [True]}[np.dtype(dtype).kind]
        for shape in ((n,), (18, n), (0, n), (2, 3, n)):
            x = rng.integers(0, 1 if dtype == "bool" else 40, shape).astype(dtype)
            for k, row in enumerate(x.reshape(-1, n) if x.size else ()):
                at = [places[k % 6], *rng.integers(0, n, k % 2)]
                row[at] = extremes[k % len(extremes)]
            for name in ("argmax", "argmin"):
                check(name, [x], axis=-1, keepdims=len(shape) > 1)
                check(name, [x], axis=None if x.size else -1)
                if len(shape) == 3:
                    by_row = ft.vmap(ft.vmap(getattr(fnp, name), in_axes=1), in_axes=0)
                    np.testing.assert_array_equal(by_row(x.transpose(0, 2, 1)), getattr(np, name)(x, -1))


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running(name):
    for dtype in ("bool", "int8", "uint8", "float32", "float64", "complex128"):
        x = values((3, 2, 4), dtype, low=-2, high=2)
        for axis in (None, 0, 1, -1):
            check(name, [x], axis=axis)
    for shape in ((0,), (2, 0, 3), (1, 1)):
        check(name, [np.ones(shape)], axis=-1)
    cumulative = {"cumsum": "cumulative_sum", "cumprod": "cumulative_prod"}[name]
    check(cumulative, [values((3, 4), "float64")], axis=1, include_initial=True)
    check(cumulative, [values((4,), "int16")])


def test_differences():
    x = values((3, 4, 5), "float64")
    for n in range(6):
        check("diff", [x], n, axis=1)
    check("diff", [x], prepend=0.0, append=x[..., :2])
    check("diff", [values((5,), "bool")])
    check("diff", [np.ones((2, 0))])
    check("trapezoid", [x], dx=0.5, axis=0)
    check("trapezoid", [x, values((4,), "float64", 2)], axis=1)
    check("trapezoid", [values((3, 4), "float32")], axis=1)
    check("trapezoid", [values((3,), "float32"), values((2, 3), "float32")])  # more axes than y
    check("trapezoid", [values((3,), "float32")], dx=np.ones((4, 2)))
    check("trapezoid", [values((3,), "float32")], dx=np.float64(0.5))
    check("trapezoid", [np.array([200, 100, 3], np.uint8), np.array([0, 5, 3], np.uint8)])
    check("trapezoid", [np.array([True, True, False])], dx=np.ones(2, np.float32))
    with pytest.raises(TypeError):
        fnp.diff(x, np.array([2, 1]))


def test_average():
    x, w = values((3, 4), "float64"), values((3, 4), "float64", 5, low=0.5)
    check("average", [x], axis=1)
    check("average", [x], weights=w)
    check("average", [x], axis=0, weights=w[:, 0], returned=True)
    check("average", [values((3,), "int32")], weights=[1, 2, 3], keepdims=True)
    with pytest.raises(ShapeError, match="average: weights of shape"):
        fnp.average(x, axis=1, weights=w[:, :2])


def test_ddof():
    x = values((3, 4), "float64")
    for name in ("var", "std"):
        check(name, [x], ddof=1, axis=0)
        check(name, [x[:1]], ddof=1, axis=0)
        check(name, [x], correction=1.5)
        check(name, [values((3, 4), "complex128")], ddof=1, axis=1)


def test_sums_of_float16_are_accumulated_in_float32():
    x = np.full(4096, 1.0, np.float16)
    assert float(fnp.sum(x)) == 4096.0
    assert float(fnp.mean(np.full(4096, 60.0, np.float16))) == 60.0


def test_keepdim_is_keepdims():
    t = Tensor(np.ones((2, 3)))
    for name in ("sum", "prod", "max", "min", "any", "all", "mean", "var", "std", "argmax", "count_nonzero"):
        assert getattr(t, name)(axis=1, keepdim=True).shape == (2, 1)


@pytest.mark.parametrize("axis", [3, -4, (0, 3)])
def test_axis_out_of_range(axis):
    with pytest.raises(AxisError, match=r"out of bounds for array of dimension 3 \(test_reductions.py"):
        fnp.sum(np.ones((1, 2, 3)), axis=axis)


def test_axis_named_twice():
    with pytest.raises(AxisError, match="duplicate"):
        fnp.sum(np.ones((1, 2)), axis=(0, -2))


@pytest.mark.parametrize("shape", [(1,), (1, 2), (2, 1), (1, 1), (3,)])
def test_the_sum_of_negative_zeros_is_zero(shape):
    x = np.full(shape, -0.0)
    for axis in (None, 0, -1):
        for name in ("sum", "mean"):
            assert not np.signbit(getattr(fnp, name)(x, axis=axis).numpy()).any()
    assert np.signbit(fnp.prod(x, axis=0).numpy()).all() == np.signbit(np.prod(x, axis=0)).all()


@pytest.mark.parametrize(
    ("of_column", "of_row"),
    [
        (lambda c: c.sum(0), np.sum), (lambda c: np.max(c, axis=0), np.max),
        (lambda c: np.argmax(c, axis=0), np.argmax), (lambda c: np.prod(c[None], (0, 1)), np.prod),
        (lambda c: np.any(c > 0.9, axis=0, keepdims=True), lambda x: np.any(x > 0.9)),
    ],
)  # fmt: skip
def test_axes_of_one_beside_a_reduction_are_no_loops(of_column, of_row):
    x = np.random.default_rng(5).uniform(-1, 1, 3000)
    texts = [ft.jit(f).lower(a).c_source for f, a in ((of_column, x[:, None]), (of_row, x))]
    assert texts[0] == texts[1]
    np.testing.assert_allclose(ft.jit(of_column)(x[:, None]), of_column(x[:, None]), rtol=1e-13)
