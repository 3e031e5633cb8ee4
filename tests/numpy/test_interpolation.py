"""interp, gradient and unwrap against NumPy: values, errors, derivatives, patterns, maps."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentError, ArgumentValueError, AxisError, DtypeError, ShapeError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, values

NAN, INF = np.nan, np.inf
XP = np.array([-2.0, -0.5, 0.0, 1.5, 4.0])
FP = np.array([1.0, -3.0, 2.0, 2.0, 0.5])
POINTS = np.array([-3.0, -2.0, -1.0, -0.5, -0.0, 0.7, 1.5, 3.999, 4.0, 4.5, NAN, INF, -INF])


@pytest.mark.parametrize("shape", [(2, 3, 5), (0, 3), (1,), ()])
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32", "uint8", "bool"])
def test_interp_of_shapes_and_dtypes(shape, dtype):
    check("interp", [values(shape, dtype), XP, FP])


@pytest.mark.parametrize(
    "options",
    [{}, {"left": -9.0}, {"right": 7}, {"left": NAN, "right": INF}, {"period": 3.0}, {"period": -2.25, "left": 4.0}],
)
def test_interp_ends_and_periods(options):
    check("interp", [POINTS, XP, FP], **options)
    check("interp", [POINTS[:10], XP[::-1].copy() if "period" in options else XP, FP], **options)
    check("interp", [POINTS, XP, FP + 1j * FP[::-1]], **options)
    check("interp", [POINTS[:10], XP[:1], FP[:1]], **options)
    check("interp", [np.arange(4), np.array([0, 2, 3]), np.array([1, 5, 0])], **options)


def test_interp_where_a_slope_is_not_finite():
    steps = np.array([0.0, 1.0, 1.0, 2.0, 3.0])
    at = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0])
    for fp in ([0, 1, 5, 6, 7.0], [0, INF, INF, 1, -INF], [INF, INF, NAN, 2, 3], [0, 0, INF, 0, 0]):
        check("interp", [at, steps, np.array(fp)])
    check("interp", [at, np.array([-INF, 1.0, 1.5, INF]), np.array([0.0, 1.0, 3.0, 3.0])])


def test_interp_compiled_mapped_and_differentiated():
    at = np.array([-3.0, -1.2, 0.3, 1.1, 2.0, 9.0])
    laws.compiled(fnp.interp, at, XP, FP)
    laws.compiled(lambda x, xp, fp: fnp.interp(x, xp, fp, period=3.3), at, XP, FP)
    laws.mapped(np.interp, laws.lanes((4,)), np.sort(laws.lanes((5,), seed=6)), laws.lanes((5,), seed=7))
    laws.differentiated(np.interp, at, XP, FP)
    laws.differentiated(np.interp, at, XP, FP + 1j * FP[::-1])
    laws.differentiated(lambda x, xp, fp: fnp.interp(x, xp, fp, period=3.3), at, XP, FP)
    laws.differentiated(lambda x, a, b: fnp.interp(x, XP, FP, a, b), at, np.float64(2.0), np.float64(3.0))


def test_interp_derivative_at_its_points():
    slopes = np.diff(FP) / np.diff(XP)
    _, tangent = ft.jvp(lambda x: np.interp(x, XP, FP), (XP,), (np.ones(5),))
    np.testing.assert_allclose(tangent, [*slopes, slopes[-1]])
    np.testing.assert_array_equal(ft.jacfwd(lambda fp: np.interp(XP, XP, fp))(FP), np.eye(5))


def test_interp_patterns():
    at = np.array([-3.0, -1.2, 0.3, 0.0, 4.0, 9.0])  # a point of xp depends on itself alone
    want = np.zeros((6, 5))
    for row, columns in enumerate([[0], [0, 1], [2, 3], [2], [4], [4]]):
        want[row, columns] = 1
    laws.patterned(lambda fp: np.interp(at, XP, fp), FP, want)
    laws.patterned(lambda x: np.interp(x, XP, FP), at, np.eye(6))
    laws.patterned(lambda x: np.sin(fnp.interp(x, XP, FP, period=2.0)), at, np.eye(6))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: np.interp(t, [], []), ShapeError),
        (lambda t: np.interp(t, [1.0, 2.0], [1.0]), ShapeError),
        (lambda t: np.interp(t, [[1.0]], [[1.0]]), ShapeError),
        (lambda t: np.interp(t, [1.0], [1.0], period=0), ArgumentValueError),
        (lambda t: np.interp(t, [1j], [1.0]), DtypeError),
        (lambda t: np.interp(t, [1.0], [1.0], left=1j), ArgumentError),
        (lambda t: np.gradient(t, edge_order=3), ArgumentValueError),
        (lambda t: np.gradient(t, 1.0, 2.0), ArgumentError),
        (lambda t: np.gradient(t, [1.0, 2.0]), ShapeError),
        (lambda t: np.gradient(t[:1]), ShapeError),
        (lambda t: np.gradient(t[:2], edge_order=2), ShapeError),
        (lambda t: np.gradient(t, axis=1), AxisError),
        (lambda t: np.gradient(t > 0), DtypeError),
        (lambda t: np.unwrap(t, axis=1), AxisError),
        (lambda t: np.unwrap(t * 1j), DtypeError),
    ],
)
def test_errors_are_those_of_numpy(call, error):
    with pytest.raises(error) as ours:
        call(Tensor(np.ones(3)))
    with pytest.raises(Exception) as theirs:
        call(np.ones(3))
    builtin = next(c for c in type(theirs.value).__mro__ if c.__module__ == "builtins")
    assert isinstance(ours.value, builtin)


UNEVEN = np.array([0.0, 0.5, 2.0, 2.5, 4.5])


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "complex64", "int16", "int64"])
@pytest.mark.parametrize("edge_order", [1, 2])
def test_gradient(dtype, edge_order):
    x = values((4, 3, 5), dtype)
    several = (0.5, 2.0, np.float64(3.0)), (UNEVEN[:4], 2.0, UNEVEN), (np.arange(4), 1, [0, 1, 4, 5, 9])
    for spacing in ((), (0.5,), (2,), *several):
        check("gradient", [x], *spacing, edge_order=edge_order, rtol=1e-2 if dtype == "float16" else None)
    for axis in (0, 2, -1, (2, 0)):
        check("gradient", [x], axis=axis, edge_order=edge_order)
    check("gradient", [x], UNEVEN, axis=2, edge_order=edge_order, rtol=1e-2 if dtype == "float16" else None)
    check("gradient", [x], np.arange(5) * 0.25, axis=2, edge_order=edge_order)
    check("gradient", [x[:, :, :2]], axis=2)
    check("gradient", [x[:, :0]], axis=2)


def test_gradient_compiled_mapped_and_differentiated():
    x = laws.lanes((4, 5))
    laws.compiled(np.gradient, x[0])
    laws.mapped(lambda f: np.gradient(f, 0.5, UNEVEN, edge_order=2), x)
    laws.mapped(lambda f, at: np.gradient(f, at, axis=1), x, np.cumsum(np.abs(laws.lanes((5,))) + 0.1, 1))
    for order in (1, 2):
        laws.differentiated(lambda f, h: np.gradient(f, h, edge_order=order), x[0], np.float64(0.3))
        laws.differentiated(lambda f, at: np.gradient(f, at, axis=1, edge_order=order), x[0], UNEVEN)


def test_gradient_patterns():
    n = 5
    central = np.eye(n, k=1) + np.eye(n, k=-1)
    first = central.copy()
    first[0, 0] = first[-1, -1] = 1
    second = central.copy()
    second[0, :3] = second[-1, -3:] = 1
    x = values((n,), "float64")
    laws.patterned(np.gradient, x, first)
    laws.patterned(lambda t: np.gradient(t, np.arange(5) * 0.5), x, first)
    laws.patterned(lambda t: np.gradient(t, edge_order=2), x, second)
    inner = np.eye(n)
    inner[0] = inner[-1] = 0
    laws.patterned(lambda t: np.gradient(t, UNEVEN), x, first + inner)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "int8", "uint8"])
@pytest.mark.parametrize("shape", [(3, 4, 5), (7,), (1,), (2, 0), (0, 2)])
def test_unwrap(dtype, shape):
    x = values(shape, dtype, low=-20, high=20)
    for options in ({}, {"discont": 4.0}, {"discont": 0.5}, {"axis": 0}, {"period": 5.0}, {"axis": 0, "period": 7.5}):
        check("unwrap", [x], rtol=2e-2 if dtype == "float16" else 1e-5 if dtype == "float32" else None, **options)
    if dtype[0] == "i":
        for period in (4, 5, 6):
            check("unwrap", [x], period=period)


def test_unwrap_at_half_a_period():
    check("unwrap", [np.array([0.0, 0.5, 1.0, 0.5, 0.0, -0.5, 2.0])], period=1.0)
    check("unwrap", [np.array([0, 2, 4, 2, 0, -2])], period=4)


def test_unwrap_compiled_mapped_and_differentiated():
    x = laws.lanes((3, 6), low=-9, high=9)
    laws.compiled(np.unwrap, x[0])
    laws.mapped(lambda p: np.unwrap(p, axis=0), x)
    laws.differentiated(np.unwrap, x[0])
    laws.patterned(np.unwrap, x[0], np.eye(18))
