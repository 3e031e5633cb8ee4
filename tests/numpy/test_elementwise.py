"""Every ufunc against NumPy: dtypes, shapes, NaN, infinities, Python scalars."""

import math

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentValueError, DtypeError, ShapeError, UnsupportedError
from functrans.numpy import elementwise
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import COMPLEX, FLOATS, INTS, SHAPES, check, quiet, same, values

UFUNCS = {n: getattr(np, n) for n in elementwise.__all__}
UNARY = [n for n, u in UFUNCS.items() if u.nin == 1]
BINARY = [n for n, u in UFUNCS.items() if u.nin == 2]
DTYPES = ["bool", *INTS, *FLOATS, *COMPLEX]
SPECIALS = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.5, np.inf, -np.inf, np.nan, 1e300, -1e-300])


def defined(ufunc, *dtypes):
    try:
        ufunc.resolve_dtypes((*map(np.dtype, dtypes), *(None,) * ufunc.nout))
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    for dtype in DTYPES:
        if not defined(UFUNCS[name], dtype):
            with pytest.raises(DtypeError):
                getattr(fnp, name)(values((2,), dtype))
            continue
        low, high = (-0.9, 0.9) if "arc" in name or name.startswith("a") else (-4, 4)
        if name in ("arccosh", "acosh"):
            low, high = 1.1, 5
        shapes = SHAPES if dtype == "float64" else SHAPES[:1]
        for shape in shapes:
            x = values(shape, dtype, low=low, high=high)
            if name == "reciprocal" and x.dtype.kind in "iu":  # of 0 NumPy's value is undefined
                x = np.where(x == 0, 1, x).astype(dtype)
            check(name, [x])


def test_reciprocal_of_integer_zero():
    assert fnp.reciprocal(np.array([0, 1, 2, -1])).tolist() == [0, 1, 0, -1]


@pytest.mark.parametrize("name", ["gcd", "lcm"])
def test_divisors(name):
    rng = np.random.default_rng(0)
    for dtype in INTS:
        info = np.iinfo(dtype)
        a, b = rng.integers(info.min, info.max, (2, 40), dtype, endpoint=True)
        a[:5], b[:5] = (info.min, info.min, 0, info.max, 1), (info.min, 0, 0, info.min, info.min)
        check(name, [a, b])
        check(name, [a[:, None], b])
        check(name, [a[:0], b[:0]])
        check(name, [a[3], b[:2]])
    check(name, [np.array([2**62 + 2, 6]), np.array([4, 9], np.int8)])
    f = getattr(np, name)
    x, y = rng.integers(-50, 50, (2, 4, 3))
    laws.compiled(f, x, y)
    laws.mapped(f, x, y)
    laws.compiled(lambda i, j: getattr(np, name)(i, j), np.int64(12), np.int64(18))
    slope = ft.grad(lambda t: t.sum() * getattr(np, name)(np.floor(t).astype(int), 4)[1])(np.array([6.5, 8.5]))
    np.testing.assert_array_equal(slope, float(f(8, 4)))
    assert ft.jit(lambda i: sum(f(i, k) for k in range(1, 4)))(6) == sum(f(6, k) for k in range(1, 4))


@pytest.mark.parametrize("dtype", [*FLOATS, "int8"])
def test_powers_of_two(dtype):
    """Mantissas and exponents, and what is rounded once where it is no longer normal."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.standard_normal(40) * s for s in (1.0, 1e-300, 1e300, 5e-322, 1e-44, 1e38, 1e-6, 1e4)])
    with np.errstate(all="ignore"):
        x = np.append(rng.integers(-9, 9, 40) if dtype == "int8" else np.append(x, SPECIALS), [2.0, 0.5]).astype(dtype)
    some = [rng.integers(-s, s, x.size) for s in (30, 200, 1100, 2300)]
    for n in (*some, some[0].astype("int32"), some[0].astype("int8"), np.full(x.size, 2**31 - 1), np.int64(-1060)):
        check("ldexp", [x, n])
        laws.compiled(lambda t, k: quiet(np.ldexp, t, k), x, n, rtol=0)
    check("frexp", [x])
    laws.compiled(lambda t: np.frexp(t), x, rtol=0)
    far = ft.jit(lambda t: np.ldexp(np.ldexp(t, 2000), -2000))(x)  # no factor is infinite, or 0
    np.testing.assert_array_equal(far, quiet(lambda: np.ldexp(np.ldexp(x, 2000), -2000)))
    if dtype == "float64":
        t, n = laws.lanes((3,)), np.array([[3, -2, 0], [1, 1, 1], [60, -60, 7]])
        laws.mapped(np.ldexp, t, n)
        laws.differentiated(lambda a: np.ldexp(a, n[0]), t[0])
        laws.differentiated(lambda a: np.frexp(a)[0], t[0], h=1e-8)


@pytest.mark.parametrize("name", UNARY)
def test_unary_special_values(name):
    if defined(UFUNCS[name], "float64"):
        check(name, [SPECIALS])


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    for dtype in DTYPES:
        if not defined(UFUNCS[name], dtype, dtype):
            with pytest.raises(DtypeError):
                getattr(fnp, name)(values((2,), dtype), values((2,), dtype))
            continue
        a, b = values((2, 3, 5), dtype, 1), values((3, 1), dtype, 2)
        if "pow" in name:
            a, b = abs(a), abs(b).astype(dtype) if np.dtype(dtype).kind != "c" else b
        check(name, [a, b])
    for left, right in (("int8", "float32"), ("uint64", "int64"), ("int32", "float32"), ("bool", "int16")):
        if defined(UFUNCS[name], left, right):
            check(name, [abs(values((4, 1), left, 3)), abs(values((3,), right, 4))])
    if defined(UFUNCS[name], "float64", "float64"):
        check(name, [np.zeros((0, 3)), np.ones((1, 3))])


@pytest.mark.parametrize("name", BINARY)
def test_binary_special_values(name):
    if defined(UFUNCS[name], "float64", "float64") and name not in ("floor_divide", "remainder", "mod", "fmod"):
        check(name, [SPECIALS[:, None], SPECIALS])


@pytest.mark.parametrize("name", ["add", "multiply", "divide", "power", "maximum", "arctan2", "floor_divide", "less"])
@pytest.mark.parametrize("scalar", [True, 2, 2.5, 1j])
def test_python_scalars_are_weak(name, scalar):
    for dtype in ("int8", "float16", "float32", "complex64", "uint64"):
        x = abs(values((2, 3), dtype))
        try:
            theirs = quiet(UFUNCS[name], x, scalar)
        except TypeError:
            continue
        same(getattr(fnp, name)(Tensor(x), scalar), theirs, what=f"{name} {dtype}")
        if name != "power":
            same(getattr(fnp, name)(scalar, Tensor(x)), quiet(UFUNCS[name], scalar, x), what=f"{name} {dtype}")


def test_numpy_scalars_are_strong():
    x = np.ones(2, np.float32)
    assert (Tensor(x) * np.float64(2)).dtype == (x * np.float64(2)).dtype == np.float64
    assert (np.float64(2) * Tensor(x)).dtype == np.float64
    assert isinstance(np.float64(2) * Tensor(x), Tensor)


INTEGERS = np.array([0, 1, -1, 2, -7, 127, -128, 63, 64, 100], np.int8)


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod", "left_shift", "right_shift"])
@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "uint64", "int32"])
def test_integer_edges_are_those_of_numpy(name, dtype):
    x = INTEGERS.astype(dtype) if np.dtype(dtype).kind == "i" else abs(INTEGERS.astype(np.int64)).astype(dtype)
    check(name, [x[:, None], x])
    if dtype == "int64":
        check(name, [np.array([np.iinfo(np.int64).min]), np.array([-1])])


@pytest.mark.parametrize("name", ["equal", "less", "greater_equal"])
def test_integers_beyond_the_dtype_compare(name):
    x = np.array([0, 200], np.uint8)
    for n in (-1, 300, 2**70):
        same(getattr(fnp, name)(Tensor(x), n), getattr(np, name)(x, n))
        same(getattr(fnp, name)(n, Tensor(x)), getattr(np, name)(n, x))
    with pytest.raises(DtypeError, match="300 is out of bounds for uint8"):
        Tensor(x) + 300


def test_powers():
    x = values((2, 3), "float64", low=0.1)
    for n in (0, 1, 2, 3, 4, 5, -1, 0.5, -2.5, 2.0):
        same(Tensor(x) ** n, x**n, rtol=4e-16)
    i = np.array([[-3, 2, 0], [1, 5, -1]])
    for n in range(6):
        same(Tensor(i) ** n, i**n)
    same(2 ** Tensor(i + 3), 2 ** (i + 3))
    with pytest.raises(ArgumentValueError, match="negative power -2"):
        Tensor(i) ** -2
    exponents = Tensor(np.array([-1, -2, -3]))
    for base, want in ((1, [1, 1, 1]), (-1, [-1, 1, -1]), (2, [0, 0, 0])):
        assert (Tensor(np.full(3, base)) ** exponents).tolist() == want


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2", "deg2rad", "radians", "rad2deg", "degrees"])
def test_float16_is_rounded_once(name):
    x = (np.arange(-40, 40) / 7).astype("float16")
    args = (x[:, None], x) if name.startswith("logaddexp") else (x,)
    theirs = quiet(getattr(np, name), *args)
    for ours in (getattr(fnp, name)(*map(Tensor, args)).numpy(), ft.jit(getattr(fnp, name))(*args)):
        assert ours.dtype == theirs.dtype and (abs(ours - theirs) <= np.spacing(abs(theirs))).all()
        assert (ours != theirs).mean() < 0.01  # a float32 between two of them


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_logaddexp_extremes(name):
    x = np.array([-np.inf, -1000.0, 0.0, 1e-20, 800.0, np.inf])
    check(name, [x[:, None], x])


ROUNDED = np.array([0.5, 1.5, 2.5, -0.5, 2.675, 1e-3, -1234.5678])


def test_composed_functions():
    x = values((2, 3, 5), "float64")
    for options in ({}, {"decimals": 2}, {"decimals": -1}):
        check("round", [ROUNDED], **options)
        check("round", [np.array([15, 25, -14])], **options)
    for name in ("fix", "sinc", "real", "imag", "angle", "isreal", "iscomplex"):
        check(name, [x])
        check(name, [values((2, 3), "complex128")]) if name not in ("fix",) else None
    for name in ("isposinf", "isneginf", "nan_to_num"):
        check(name, [SPECIALS])
    check("nan_to_num", [SPECIALS], nan=3.0, posinf=1.0, neginf=-2.0)
    check("sinc", [np.array([0.0, 1e-8, 0.001, 0.02 / math.pi, 0.0063, 0.5, 3.0])])
    check("angle", [np.array([1 + 1j, -1.0, 1j])], deg=True)
    check("angle", [np.array([-3, 0, 5], "int8")])  # a float16, as of every function of it
    check("clip", [x, np.float64(-1), np.float64(2)])
    check("clip", [x], -1, None)
    check("clip", [x], None, x[0])
    check("clip", [values((3,), "int8")], -1, 2)
    check("isclose", [SPECIALS, SPECIALS * (1 + 1e-9)])
    check("isclose", [SPECIALS, SPECIALS], equal_nan=True)
    check("where", [x > 0, x, -x[0]])
    check("where", [x > 0, x.astype(np.float32)], 1.0)
    check("select", [], [x > 1, x > 0], [x, -x], 7.0, dispatched=False)
    check("modf", [SPECIALS])
    check("divmod", [x, np.float64(1.5)])


def test_comparing_arrays():
    x = values((2, 3), "float64")
    assert bool(fnp.allclose(Tensor(x), x + 1e-12)) is np.allclose(x, x + 1e-12) is True
    assert not bool(fnp.array_equal(Tensor(x), x[0]))
    assert bool(np.array_equal(Tensor([1.0, np.nan]), [1.0, np.nan], equal_nan=True))


def test_nonzero():
    x = np.array([[0, 3], [5, 0]])
    same(fnp.nonzero(Tensor(x)), np.nonzero(x))
    same(fnp.where(Tensor(x)), np.where(x))


def test_errors_name_what_was_given():
    a, b = Tensor(np.ones((2, 3))), Tensor(np.ones(4))
    with pytest.raises(ShapeError, match=r"add: shapes \(2, 3\) and \(4,\) .*test_elementwise.py:\d+"):
        a + b
    with pytest.raises(ShapeError, match=r"where: shapes"):
        fnp.where(a > 0, b, 0.0)
    with pytest.raises(DtypeError, match=r"bitwise_and of float64, float64"):
        a & a
    with pytest.raises(DtypeError, match="negative"):
        -Tensor([True])
    with pytest.raises(UnsupportedError, match="out="):
        fnp.sin(a, out=np.empty((2, 3)))
