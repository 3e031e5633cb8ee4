"""Sorting, searching and quantiles against NumPy: every axis, dtype, NaN, ties; mapped and differentiated."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentError, ArgumentValueError, AxisError, DtypeError, ShapeError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy.cases import check, values

DTYPES = ["bool", "int8", "uint8", "int64", "uint64", "float16", "float32", "float64", "complex64", "complex128"]
SHAPES = [(3, 4, 5), (1,), (7,), (2, 1, 3), (0, 3), (3, 0), (40,)]


def messy(shape, dtype):
    """Values with ties, NaN and zeros of both signs."""
    x = np.round(values(shape, dtype)) if np.dtype(dtype).kind in "fc" else values(shape, dtype)
    if np.dtype(dtype).kind in "fc" and x.size > 4:
        x.flat[:4] = np.nan, -0.0, 0.0, np.inf
    return x


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_sort_and_argsort(shape, dtype):
    x = messy(shape, dtype)
    for axis in [None, *range(-len(shape), len(shape))]:
        check("sort", [x], axis=axis, kind="stable")
        check("argsort", [x], axis=axis, stable=True)
        y, k = (x.ravel(), 0) if axis is None else (x, axis)
        back = np.flip(np.argsort(np.flip(y, k), k, "stable"), k)
        n = x.size if axis is None else shape[axis]
        np.testing.assert_array_equal(fnp.argsort(x, axis, descending=True).numpy(), n - 1 - back)


def test_zeros_keep_their_signs_and_order():
    x = np.array([0.0, -0.0, -1.0, -0.0, 0.0])
    np.testing.assert_array_equal(np.signbit(fnp.sort(x).numpy()), [True, False, True, True, False])
    np.testing.assert_array_equal(np.signbit(ft.jit(fnp.sort)(x)), [True, False, True, True, False])


@pytest.mark.parametrize("q", [0, 1, [0, 1], np.array([[1, 0]], "uint8"), 0.0, [0.0, 1.0]], ids=str)
def test_whole_fractions_are_elements_in_their_dtype(q):
    x = np.array([2**62 + 1, 3, 2**62 + 3])
    for a in (x, x.astype("float32"), x.astype("uint8"), np.array([3.0, np.nan, 1.0], "float16")):
        for method in ("linear", "nearest", "higher", "midpoint"):
            check("quantile", [a], q, axis=0, method=method)
            check("nanquantile", [a], q, axis=0, method=method)


@pytest.mark.covering(1, empty={"shape": [(0, 3), (3, 0)]})
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32", "uint8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_quantiles(shape, dtype):
    x = values(shape, dtype)
    if x.dtype.kind == "f" and x.size > 20:
        x.flat[3] = np.nan
    rtol = 5e-3 if dtype == "float16" else None
    for axis in [None, *range(-len(shape), len(shape)), tuple(range(len(shape)))]:
        check("median", [x], axis=axis, rtol=rtol)
        check("median", [x], axis=axis, keepdims=True, rtol=rtol)
        if 0 in shape:
            continue
        for q in (0.3, 0.0, 1.0, [0.1, 0.5]):
            check("quantile", [x], q, axis=axis, rtol=rtol)
        for method in ("linear", "lower", "higher", "nearest", "midpoint"):
            check("quantile", [x], np.array([[0.2, 0.9, 0.3], [0.0, 1.0, 0.5]]), axis=axis, method=method, rtol=rtol)
        check("percentile", [x], 50, axis=axis, keepdims=True, rtol=rtol)


def test_traced_fractions():
    x = values((9,), "float64")
    for q in (0.0, 0.31, 0.5, 1.0):
        assert ft.jit(fnp.quantile)(x, q) == pytest.approx(np.quantile(x, q), rel=1e-14)
    assert ft.jit(fnp.quantile)(x, 7.0) == x.max()
    check("quantile", [values((9,), "float32")], np.float64(0.7))  # no Python number: the result is float64
    assert np.isnan(ft.jit(fnp.quantile)(x, np.nan))


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(side):
    a, few = np.sort(values((13,), "float64")), values((4,), "float64", 3)
    v = np.concatenate([few, a[:3], [np.nan, np.inf, -np.inf]])
    check("searchsorted", [a, v], side=side)
    check("searchsorted", [np.append(a, [np.nan, np.nan]), v], side=side)
    check("searchsorted", [np.array([1, 1, 2, 9]), np.arange(12).reshape(3, 4)], side=side)
    check("searchsorted", [np.array([]), few], side=side)
    check("searchsorted", [a[:1], np.array(2.5)], side=side)
    check("searchsorted", [a[::-1].copy(), v], side=side, sorter=np.arange(13)[::-1].copy())


def test_lexsort_and_partition():
    keys = [values((9,), "int8"), values((9,), "bool"), np.round(values((9,), "float64") / 3)]
    check("lexsort", [], keys)
    check("lexsort", [], [k.reshape(3, 3) for k in keys], axis=0)
    x = values((3, 8), "float64")
    np.testing.assert_array_equal(np.partition(Tensor(x), 3, axis=1).numpy(), np.sort(x, 1))
    np.testing.assert_array_equal(np.argpartition(Tensor(x), (0, -1)).numpy(), np.argsort(x, 1))


def body(x):
    return np.sort(x * x) * 2 + np.median(x) - np.argsort(x)[0]


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_mapped_over_each_axis(axis):
    x = values((4, 3, 5), "float64")
    lanes = [np.take(x, i, axis) for i in range(x.shape[axis])]
    np.testing.assert_array_equal(ft.vmap(np.sort, axis)(x), [np.sort(y) for y in lanes])
    np.testing.assert_array_equal(ft.vmap(lambda y: np.sort(y, 0), axis)(x), [np.sort(y, 0) for y in lanes])
    nested = ft.vmap(ft.vmap(body), axis)(x)
    np.testing.assert_allclose(nested, [[body(row) for row in y] for y in lanes], rtol=1e-13)


@pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
@pytest.mark.parametrize("kind", ["loop", "outer"])
def test_every_way_to_map(method, kind):
    x = messy((3, 4, 5), "float64")

    def f(t):
        return fnp.argsort(t), fnp.sort(t) + fnp.searchsorted(fnp.sort(t), t[::-1])

    def mapped(g, axis):
        return ft.vmap(g, axis, method=method, axis_type=kind)

    got = mapped(mapped(f, 0), 1)(x)
    want = [[f(x[i, j]) for i in range(3)] for j in range(4)]
    for k in range(2):
        np.testing.assert_array_equal(got[k], [[np.asarray(y[k]) for y in row] for row in want])
    assert [g.shape for g in mapped(f, 0)(x[:0, 0])] == [(0, 5), (0, 5)]


def test_derivatives_follow_the_permutation():
    x, v = values((3, 6), "float64"), values((3, 6), "float64", 1)
    for f in (lambda t: fnp.sort(t * t, 0), lambda t: fnp.quantile(t * t, 0.3, 1), lambda t: fnp.median(t * t)):
        _, tangent = ft.jvp(f, (x,), (v,))
        h = 1e-7
        want = (f(x + h * v).numpy() - f(x - h * v).numpy()) / (2 * h)
        np.testing.assert_allclose(tangent, want, rtol=1e-6, atol=1e-8)
    _, tangent = ft.jvp(fnp.sort, (np.array([2.0, 1.0, 2.0]),), (np.array([1.0, 2.0, 3.0]),))
    np.testing.assert_array_equal(tangent, [2.0, 1.0, 3.0])  # of equal elements the first comes first
    mapped = ft.vmap(lambda t, s: ft.jvp(fnp.sort, (t,), (s,))[1])(x, v)
    np.testing.assert_array_equal(mapped, [ft.jvp(fnp.sort, (a,), (b,))[1] for a, b in zip(x, v, strict=True)])


def test_gradients_are_the_transposed_permutation():
    x, c = values((3, 6), "float64"), values((3, 6), "float64", 1)
    _, pullback = ft.vjp(lambda t: fnp.sort(t, 1), x)
    want = np.zeros((3, 6))
    np.put_along_axis(want, np.argsort(x, 1), c, 1)
    np.testing.assert_array_equal(pullback(c)[0], want)
    each = ft.vmap(ft.grad(lambda t: fnp.median(t * t)))(x)
    np.testing.assert_array_equal(each, [ft.grad(lambda t: fnp.median(t * t))(row) for row in x])
    assert ((each != 0).sum(1) == 2).all()


def test_sparse_derivative():
    x = values((2, 4), "float64")
    f = ft.spjacobian(lambda t: fnp.sort(t, 1))
    dense = np.zeros((8, 8))
    dense[np.arange(8), (np.argsort(x, 1) + [[0], [4]]).ravel()] = 1
    np.testing.assert_array_equal(f(x).toarray(), dense)
    np.testing.assert_array_equal(f.pattern(x).to_scipy().toarray() != 0, np.kron(np.eye(2), np.ones((4, 4))) != 0)


def test_mistakes():
    x = values((3, 4), "float64")
    with pytest.raises(AxisError, match="axis 2 is out of bounds"):
        fnp.sort(x, 2)
    with pytest.raises(AxisError, match="a scalar has no axes"):
        fnp.argsort(1.0)
    with pytest.raises(ArgumentValueError, match="kind is 'bubble'"):
        fnp.sort(x, kind="bubble")
    with pytest.raises(ArgumentValueError, match="names fields"):
        fnp.argsort(x, order="a")
    with pytest.raises(ArgumentValueError, match=r"q must lie in \[0, 1\]; given is 1.5"):
        fnp.quantile(x, 1.5)
    with pytest.raises(UnsupportedError, match="method 'weibull' is not built"):
        fnp.quantile(x, 0.5, method="weibull")
    with pytest.raises(ShapeError, match="quantile of nothing"):
        fnp.quantile(x[:0], 0.5)
    with pytest.raises(DtypeError, match="complex numbers have no order"):
        fnp.quantile(x + 1j, 0.5)
    with pytest.raises(ArgumentValueError, match="side is 'middle'"):
        fnp.searchsorted(x[0], 1.0, "middle")
    with pytest.raises(ShapeError, match="expected one axis"):
        fnp.searchsorted(x, 1.0)
    with pytest.raises(ArgumentError, match="at least one key"):
        fnp.lexsort([])
    with pytest.raises(ArgumentValueError, match="kth is 4 for an axis of size 4"):
        fnp.partition(x, 4)
    with pytest.raises(UnsupportedError, match=r"fnp.sort\(t\)"):
        Tensor(x).sort()
