"""delete, insert, resize, ediff1d, compress, extract, array_equiv, functions of lines: against NumPy."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentValueError, AxisError, DtypeError, IndexOutOfRange, ShapeError, TracedValueError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, same, values

X = values((3, 4), "float64")
PLACES = [1, -1, slice(1, 3), slice(None, None, -2), slice(0, 0), [0, 2], [2, 0, 0], [1], [], np.array([-1, 1])]


@pytest.mark.parametrize("places", PLACES, ids=str)
def test_delete(places):
    empty, small = values((2, 0, 3), "float32"), values((4,), "int8")
    for x, axis in ((X, 0), (X, 1), (X, None), (X, -1), (small, None), (empty, 2)):
        check("delete", [x], places, axis)
    mask = np.array([True, False, True])
    check("delete", [X], mask, 0)
    same(fnp.delete(X, Tensor([0, 2]), 1), np.delete(X, [0, 2], 1))


@pytest.mark.parametrize("places", PLACES, ids=str)
def test_insert(places):
    for x, axis in ((X, 0), (X, 1), (X, None), (X, -1), (values((4,), "int8"), None)):
        check("insert", [x], places, 7.5, axis)
    count = len(np.insert(np.zeros(4), places, 0)) - 4
    if np.ndim(places) == 0 and not isinstance(places, slice):
        check("insert", [X], places, np.arange(4.0), 0)
        check("insert", [X], places, np.arange(3.0), 1)
        check("insert", [X], places, values((2, 4), "float64", 3), 0)
        check("insert", [X], places, values((2, 3), "float64", 3), 1)
        check("insert", [values((2, 3, 4), "float64")], places, values((5, 2, 4), "float64", 3), 1)
    elif count > 1:
        check("insert", [X], places, values((3, count), "float64", 3), 1)
        check("insert", [X], places, values((3, 1), "float64", 3), 1)
        check("insert", [X[0]], places, values((count,), "int64", 3))
    same(np.insert(X, 1, Tensor(np.arange(4.0)), axis=0), np.insert(X, 1, np.arange(4.0), axis=0))
    check("insert", [X], np.array([True, False, True]), 2.0, 0)


def test_insert_of_several_at_one_place():
    check("insert", [X[0]], [1], [7.0, 8.0, 9.0])
    check("insert", [X[0]], 4, [7.0, 8.0, 9.0])
    check("insert", [X[0, :0]], 0, [7.0, 8.0, 9.0])


@pytest.mark.parametrize("shape", [(2, 3), 7, (0,), (2, 0), (), (1,)])
def test_resize(shape):
    for x in (X, X[:0], values((), "int8"), values((5,), "bool")):
        check("resize", [x], shape)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint8", "complex64"])
def test_ediff1d(dtype):
    for shape in ((7,), (2, 3), (1,), (0,), ()):
        x = values(shape, dtype)
        check("ediff1d", [x])
        check("ediff1d", [x], to_end=x)
        check("ediff1d", [x], to_begin=x, to_end=values((2,), dtype, 4))
        if dtype != "uint8":
            check("ediff1d", [x], 3, [[1, 2]])


def test_compress_and_extract():
    for mask in ([True, False, True], [0, 1], []):
        for axis in (None, 0, 1, -1):
            same(np.compress(mask, Tensor(X), axis), np.compress(mask, X, axis))
    same(np.extract(X > 0, Tensor(X)), np.extract(X > 0, X))
    same(fnp.extract(Tensor(X) > 0, X), np.extract(X > 0, X))
    with pytest.raises(TracedValueError, match="how many"):
        ft.jit(lambda t: np.compress(t > 0, t))(X[0])
    with pytest.raises(IndexOutOfRange):
        fnp.compress([False] * 4 + [True], X, 0)


def test_array_equiv():
    for a, b in ((X, X), (X, X[:1]), (X[0], np.stack([X[0]] * 3)), (X, X[:2]), (np.ones(3), np.ones((0, 3)))):
        assert bool(np.array_equiv(Tensor(a), b)) == np.array_equiv(a, b)


@pytest.mark.parametrize("f", [
    lambda v: v.sum(), lambda v: v[::-1], lambda v: np.outer(v, v), lambda v: np.sort(v), lambda v: 3,
    lambda v: v[:0],
])  # fmt: skip
def test_along_an_axis(f):
    for shape, axis in (((3, 4), 0), ((3, 4), -1), ((2, 3, 4), 1), ((5,), 0), ((1, 2), 1)):
        x = values(shape, "float64")
        want = np.apply_along_axis(f, axis, x)
        same(np.apply_along_axis(f, axis, Tensor(x)), want)
        np.testing.assert_allclose(ft.jit(lambda t, k=axis: np.apply_along_axis(f, k, t))(x), want, rtol=1e-13)


def test_along_and_over_axes_with_arguments():
    same(fnp.apply_along_axis(np.quantile, 1, X, 0.3), np.apply_along_axis(np.quantile, 1, X, 0.3))
    same(fnp.apply_along_axis(np.sum, 1, X, keepdims=True), np.apply_along_axis(np.sum, 1, X, keepdims=True))
    same(fnp.apply_along_axis(np.cumsum, 1, np.zeros((2, 0))), np.apply_along_axis(np.cumsum, 1, np.zeros((2, 0))))
    x = values((2, 3, 4), "float64")
    for axes in (0, [0, 2], (-1, 0), []):
        for f in (np.sum, np.cumsum, np.max):
            same(np.apply_over_axes(f, Tensor(x), axes), np.apply_over_axes(f, x, axes))


LAWS = [
    lambda x: np.delete(x, [0, 2], 1), lambda x: np.insert(x, [1, 1], x[:, :2], axis=1), lambda x: np.resize(x, (2, 9)),
    lambda x: np.ediff1d(x, x[0], x[1, 0]), lambda x: np.compress([True, False, True], x, 1),
    lambda x: np.apply_along_axis(lambda v: v * v.sum(), 0, x), lambda x: np.apply_over_axes(np.sum, x, [0, 1]),
    lambda x: np.extract([True, False, True], x),
]  # fmt: skip


@pytest.mark.parametrize("f", LAWS)
def test_compiled_mapped_and_differentiated(f):
    x = laws.lanes((3, 4))
    laws.compiled(f, x[0])
    laws.mapped(f, x)
    laws.differentiated(f, x[0])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: np.delete(t, 3), IndexOutOfRange),
        (lambda t: np.delete(t, [3, 0]), IndexOutOfRange),
        (lambda t: np.delete(t, np.array([True, False])), ShapeError),
        (lambda t: np.delete(t, 0, 1), AxisError),
        (lambda t: np.insert(t, 4, 1.0), IndexOutOfRange),
        (lambda t: np.insert(t, [4, 9], 1.0), IndexOutOfRange),
        (lambda t: np.insert(t, [0, 1], [1.0, 2.0, 3.0]), ShapeError),
        (lambda t: np.resize(t, (-1, 2)), ArgumentValueError),
        (lambda t: np.ediff1d(t, to_end=1j), DtypeError),
        (lambda t: np.compress([[True]], t), ShapeError),
        (lambda t: np.apply_along_axis(np.sum, 1, t[:0].reshape(0, 2)), ShapeError),
        (lambda t: np.apply_over_axes(lambda x, k: x.sum(), t.reshape(1, 1, 3), 0), ShapeError),
    ],
)
def test_errors_are_those_of_numpy(call, error):
    with pytest.raises(error) as ours:
        call(Tensor(np.ones(3)))
    with pytest.raises((ValueError, TypeError, IndexError)) as theirs:
        call(np.ones(3))
    assert isinstance(ours.value, type(theirs.value))


def test_places_are_needed_while_tracing():
    for f in (lambda t, i: np.delete(t, i), lambda t, i: np.insert(t, i, 1.0)):
        with pytest.raises(TracedValueError, match="places"):
            ft.jit(f)(X[0], 1)
