"""digitize, isin and piecewise against NumPy: orders, dtypes, NaN, derivatives, maps."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, IndexOutOfRange, ShapeError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, values

EDGES = np.array([-3.0, -1.0, -1.0, 0.5, 2.0])
AT = np.array([-9.0, -3.0, -1.0, 0.0, 0.5, 2.0, 7.0, np.nan, np.inf, -np.inf])


@pytest.mark.parametrize("right", [False, True])
def test_digitize(right):
    whole = np.array([1, 2, 9])
    for edges in (EDGES, EDGES[::-1].copy(), EDGES[:1], EDGES[:0], np.ones(3), whole, whole[::-1].copy()):
        check("digitize", [AT, edges], right=right)
        check("digitize", [values((2, 3, 4), "int8"), edges], right)
    for dtype in ("float32", "int64", "uint8", "bool"):
        check("digitize", [values((3, 1, 2), dtype), EDGES], right=right)
        check("digitize", [values((), dtype), EDGES], right=right)


def test_digitize_compiled_and_mapped():
    for edges in (EDGES, EDGES[::-1].copy()):
        laws.compiled(fnp.digitize, AT, edges)
        laws.compiled(lambda x, edges=edges: fnp.digitize(x, edges, True), AT)
    x, edges = laws.lanes((4,)), np.sort(laws.lanes((5,), seed=6))
    edges[1] = edges[1, ::-1]
    laws.mapped(np.digitize, x, edges)


SETS = [(0,), (1,), (5,), (40,), (3, 25)]  # a few are compared, many are searched


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("shape", SETS)
@pytest.mark.parametrize("dtype", "float64 float32 float16 int8 int64 uint8 uint64 bool complex128".split())
def test_isin(shape, dtype, invert):
    rng = np.random.default_rng(2)
    tests = np.round(rng.uniform(-9, 9, shape)).astype(dtype if dtype[0] != "u" else "int64").astype(dtype)
    for other in (dtype, "int64", "float64", "uint8"):
        x = np.arange(-6, 6).reshape(2, 3, 2).astype(other)
        check("isin", [x, tests], invert=invert)
    check("isin", [np.asarray(3), tests], invert=invert, assume_unique=True)
    check("isin", [np.zeros((2, 0)), tests], invert=invert)


def test_isin_of_nan_and_of_what_no_common_dtype_holds():
    many = np.concatenate([np.arange(50.0), [np.nan, np.inf, -0.0]])
    for tests in (many, many[-5:]):
        check("isin", [np.array([np.nan, np.inf, 0.0, -0.0, 3.5, -np.inf]), tests])
    top = np.array([2**63, 2**63 + 1, 5], np.uint64)
    check("isin", [top, np.array([5, -1])])
    many = np.array([2**63 - 1, *range(40)])  # as floats the first one is 2**63, also to NumPy
    np.testing.assert_array_equal(fnp.isin(top, many).numpy(), [False, False, True])
    check("isin", [np.array([2**62, 2**62 + 1]), np.arange(2**62 + 1, 2**62 + 60)])


def test_isin_compiled_and_mapped():
    x = np.round(laws.lanes((2, 5), low=-6, high=6))
    for count in (4, 40):
        tests = np.round(laws.lanes((count,), seed=9, low=-6, high=6))
        laws.compiled(fnp.isin, x[0], tests[0])
        laws.mapped(np.isin, x, tests)


PIECES = [
    lambda f: f([-1.0, 0.0, 2.0], lambda t: [t < 0, t >= 0], [lambda t: -t, np.sqrt]),
    lambda f: f([-1.0, 0.0, 2.0], lambda t: [t < 0], [lambda t: -t, np.sqrt]),
    lambda f: f([-1.0, 0.0, 2.0], lambda t: t < 0, [7, 2.5]),
    lambda f: f([-1.0, 0.0, 2.0], lambda t: [t < 1, t < 0], [10, 20, 30]),  # the last that holds
    lambda f: f([-1.0, np.nan, 2.0], lambda t: [t < 0], [1]),  # 0 where none holds
    lambda f: f([-1, 0, 2], lambda t: [t < 0], [lambda t: t + 0.75, 2.5]),  # of the dtype of x
    lambda f: f(-1.0, lambda t: [t < 0, t >= 0], [lambda t: -t, np.sqrt]),
    lambda f: f(-1.0, lambda t: t < 0, [3.0, 4.0]),
    lambda f: f([[-1.0, 0.5], [2.0, 3.0]], lambda t: [t < 0, t > 1], [lambda t: t * 2, lambda t: t * 3]),
    lambda f: f([[-1.0, 0.5], [2.0, 3.0]], lambda t: [[True, False], [False, True]], [5, 6]),
    lambda f: f([1.0, 2.0], lambda t: [t > 1], [lambda t, a, b=0: t * a + b, 0.0], 3.0, b=1.0),
    lambda f: f([[-1.0, 0.5], [2.0, 3.0]], lambda t: [[True, False]], [[5, 6]]),  # a row for each condition
    lambda f: f(-1.0, lambda t: [t < 0], [[3.0]]),
    lambda f: f([1.0, 2.0], lambda t: [t > 1], [[3.0], [4.0]]),
]


@pytest.mark.parametrize("case", PIECES)
def test_piecewise(case):
    def theirs(x, conditions, functions, *args, **kw):
        x = np.array(x)
        with np.errstate(all="ignore"):
            return np.piecewise(x, conditions(x), functions, *args, **kw)

    def ours(x, conditions, functions, *args, **kw):
        t = Tensor(np.array(x))
        return np.piecewise(t, conditions(t), functions, *args, **kw).numpy()

    def traced(x, conditions, functions, *args, **kw):
        return ft.jit(lambda t: np.piecewise(t, conditions(t), functions, *args, **kw))(np.array(x))

    for way in (ours, traced):
        got, want = case(way), case(theirs)
        assert np.asarray(got).dtype == want.dtype
        np.testing.assert_array_equal(got, want)


def test_values_that_piecewise_of_numpy_deals_out_are_refused():
    x, v = np.array([[1.0, 2.0, -1.0], [-1.0, -1.0, 3.0]]), [7.0, 8.0, 9.0]
    np.testing.assert_array_equal(np.piecewise(x, [x > 0], [v]), [[7.0, 8.0, 0.0], [0.0, 0.0, 9.0]])
    for at in (x, x[0]):
        with pytest.raises(ShapeError, match=r"value of shape \(3,\).*expected a number, or a function of x"):
            fnp.piecewise(at, [at > 0], [v])


def test_piecewise_mapped_and_differentiated():
    def f(x):
        return np.piecewise(x, [x < -1, x > 1], [lambda t: t**2, np.sqrt, lambda t: 3 * t])

    x = laws.lanes((2, 3, 4))
    laws.mapped(f, x)
    laws.differentiated(f, x[0])
    laws.patterned(f, x[0], np.eye(24))
    g = ft.grad(lambda x: np.piecewise(x, [x > 0], [np.log, 0.0]).sum())(np.array([0.0, -1.0, 2.0]))
    np.testing.assert_array_equal(g, [0.0, 0.0, 0.5])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: np.digitize(t, [1.0, 0.0, 2.0]), ArgumentValueError),
        (lambda t: np.digitize(t, [[1.0]]), ShapeError),
        (lambda t: np.digitize(t * 1j, [1.0]), DtypeError),
        (lambda t: np.isin(t, [1], kind="none"), ArgumentValueError),
        (lambda t: np.isin(t, [1], kind="table"), ArgumentValueError),
        (lambda t: np.piecewise(t, [t > 0], [1, 2, 3]), ShapeError),
        (lambda t: np.piecewise(t, [t > 0, t < 0], [1]), ShapeError),
        (lambda t: np.piecewise(t, [[True, False, True], [True]], [1, 2]), ShapeError),
        (lambda t: np.piecewise(t, [[True, False]], [1]), IndexOutOfRange),
        (lambda t: np.piecewise(t, [t > 0], [[1, 2, 3, 4]]), ShapeError),
        (lambda t: np.piecewise(t, [t > 0], [[[1, 2, 3]]]), ArgumentError),
        (lambda t: np.piecewise(t.reshape(1, 3), [t.reshape(1, 3) > 0], [[[1, 2]]]), ArgumentError),
        (lambda t: np.piecewise(t.reshape(3, 1) * t, [[True, False, False]], [[[1], [2], [3]]]), ShapeError),
    ],
)
def test_errors_are_those_of_numpy(call, error):
    with pytest.raises(error) as ours:
        call(Tensor(np.ones(3)))
    with pytest.raises((ValueError, TypeError, IndexError)) as theirs:
        call(np.ones(3))
    assert isinstance(ours.value, type(theirs.value))
