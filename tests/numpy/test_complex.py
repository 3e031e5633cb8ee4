"""Complex functions against NumPy: zeros of both signs, infinities, NaN, cuts, and near zero, on every route."""

import itertools

import mpmath as mp
import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.tensor import Tensor
from tests.laws.references import interpreted
from tests.numpy.cases import quiet

INF, NAN = np.inf, np.nan
ENDS = [0.0, -0.0, INF, -INF, NAN]
NEAR = [s * x for x in (1e-5, 1e-8, 1e-9, 1e-20, 1e-200, 1e-310) for s in (1, -1)]
REST = [1.0, -1.0, 0.5, -2.5, 3.0, 1.5, 1 + 2.0**-30, 1 - 2.0**-30, 40.0, -40.0, 710.5, -745.0, 1e200, -1e200]
UNARY = (
    "positive negative conjugate absolute exp exp2 expm1 log log2 log10 log1p sqrt square reciprocal sin cos tan "
    "arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh rint round sign angle real imag sinc nan_to_num isnan "
    "isinf isfinite isreal iscomplex logical_not"
).split()
BINARY = (
    "add subtract multiply divide power float_power maximum minimum fmax fmin equal not_equal less less_equal greater "
    "greater_equal logical_and logical_or logical_xor isclose"
).split()
ROUTES = {
    "jit": lambda f, *x: ft.jit(f)(*x), "vmap": lambda f, *x: ft.jit(ft.vmap(f))(*x),
    "eager": lambda f, *x: f(*map(Tensor, x)).numpy(), "interpreter": lambda f, *x: interpreted(f, *x)[0],
}  # fmt: skip
each_route = pytest.mark.parametrize("route", ROUTES)
each_dtype = pytest.mark.parametrize("dtype", ["complex128", "complex64"])


def square(parts, dtype):
    """Every pair of parts as a complex number."""
    with np.errstate(all="ignore"):
        re, im = np.meshgrid(np.array(parts), np.array(parts))
        z = np.empty(re.size, dtype)
        z.real, z.imag = re.ravel(), im.ravel()
    return z


@np.errstate(all="ignore")
def agree(want, got):
    """Where two arrays agree: NaN, infinities and signs of zero exactly, numbers to a few ULP of their size."""
    if want.dtype.kind == "c":
        parts = agree(want.real, got.real) & agree(want.imag, got.imag)
        size = np.abs(want.astype(np.clongdouble))
        near = np.isfinite(want) & (np.abs(want - got) <= 8 * np.finfo(want.dtype).eps * size)
        for w, g in ((want.real, got.real), (want.imag, got.imag)):
            near &= (w != 0) | (np.signbit(w) == np.signbit(g)) | (g != 0)
        return parts | near
    if want.dtype.kind != "f":
        return want == got
    info = np.finfo(want.dtype)
    equal = (want == got) & ((want != 0) | (np.signbit(want) == np.signbit(got)))
    slack = 8 * (info.eps * np.abs(want) + info.smallest_subnormal)
    near = np.isfinite(want) & (want != 0) & (np.abs(want - got) <= slack)
    return equal | near | (np.isnan(want) & np.isnan(got))


def check(route, name, *args, want=None):
    want = quiet(getattr(np, name), *args) if want is None else want
    got = np.asarray(quiet(ROUTES[route], getattr(fnp, name), *args))
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    bad = np.flatnonzero(~agree(want, got))
    shown = [(*(x[k] for x in args), "NumPy", want[k], "here", got[k]) for k in bad[:4]]
    assert not bad.size, f"{name}: {bad.size} of {want.size}, as {shown}"


def log1p(z):
    """log1p of NumPy, and where that has no digits, near zero, by mpmath."""
    y = quiet(np.log1p, z)
    for k in np.flatnonzero((np.abs(z.real) < 0.5) & (np.abs(z.imag) < 0.5)):
        re, im = (mp.mpf(float(part)) for part in (z[k].real, z[k].imag))
        with mp.workprec(3000):
            y.real[k] = float(mp.log(1 + re * (2 + re) + im * im) / 2)
    return y


@pytest.mark.usefixtures("compiler")
@each_route
@each_dtype
@pytest.mark.parametrize("name", UNARY)
def test_one_argument(name, dtype, route):
    z = square([*ENDS, *NEAR, *REST], dtype)
    check(route, name, z, want=log1p(z) if name == "log1p" else None)


@pytest.mark.usefixtures("compiler")
@each_route
@each_dtype
@pytest.mark.parametrize("name", BINARY)
def test_two_arguments(name, dtype, route):
    # sums of parts of one size cancel one rounding or the other: a product is fused
    z = square([*ENDS, 1.0, -1.5, 2.0, -3.0, 1e-9], dtype)
    check(route, name, np.repeat(z, z.size), np.tile(z, z.size))


@pytest.mark.usefixtures("compiler")
@each_dtype
def test_sign_where_the_length_overflows(dtype):
    big = float(np.finfo(dtype).max)
    check("jit", "sign", square([big, -big, 0.75 * big, 1.0], dtype))


@pytest.mark.usefixtures("compiler")
@each_dtype
@pytest.mark.parametrize("options", [{"posinf": INF}, {"neginf": -INF}, {"nan": NAN}, {"nan": -0.0, "posinf": 7.0}])
def test_parts_that_are_put_in(dtype, options):
    z = square([*ENDS, 1.0, -2.0], dtype)
    want = np.nan_to_num(z, **options)
    for route in ROUTES.values():
        assert agree(want, np.asarray(route(lambda x: fnp.nan_to_num(x, **options), z))).all()


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 4, 5, -1, -2, 0.5, 1.5, 2 + 0j, 1j])
@each_dtype
def test_constant_powers(dtype, exponent):
    z = square([0.0, -0.0, 1.0, -1.5, 0.7, INF, -INF, NAN], dtype)
    for f in (lambda x: x**exponent, lambda x: np.power(x, exponent)):
        want = quiet(f, z)
        for route in (ft.jit(f), ft.jit(ft.vmap(f))):
            got = route(z)
            finite = np.isfinite(want)
            np.testing.assert_allclose(got[finite], want[finite], rtol=8e-6 if dtype == "complex64" else 4e-15,
                                       atol=2e-6 if dtype == "complex64" else 1e-15)  # fmt: skip
            assert np.array_equal(np.isfinite(got), finite)


@pytest.mark.parametrize("name", ["exp2", "expm1", "log2", "log10", "log1p", "sign", "reciprocal", "nan_to_num"])
def test_derivatives_along_both_axes(name):
    f, z = getattr(np, name), np.array([0.4 + 0.3j, -1.2 + 0.7j, 2.0 - 1.5j, 1e-3j])
    for along in (1.0, 1j, 0.6 - 0.8j):
        h = 1e-5
        rows = [(f(z + s * along) - f(z - s * along)) / (2 * s) for s in (h, h / 2)]
        want = (4 * rows[1] - rows[0]) / 3
        np.testing.assert_allclose(ft.jvp(f, (z,), (np.full(4, along, complex),))[1], want, rtol=2e-8, atol=1e-9)


ORDERED = "max min argmax argmin nanmax nanmin ptp sort argsort".split()


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", ORDERED)
@pytest.mark.parametrize("ends", [False, True])
def test_order(name, ends):
    """By real, then by imaginary parts; what has a NaN last, or found first."""
    parts = [*ENDS, 1.0, -2.0] if ends else [0.0, 1.0, -2.0, INF, -INF]
    options = {"kind": "stable"} if "sort" in name else {}
    routes = itertools.cycle(("jit", "eager", "interpreter"))
    for dtype, axis in itertools.product(("complex128", "complex64"), (1, 2 if "sort" in name else None)):
        x = np.random.default_rng(len(dtype)).choice(square(parts, dtype), (3, 4, 5))
        route = next(routes)
        want = np.asarray(quiet(getattr(np, name), x, axis=axis, **options))
        got = np.asarray(ROUTES[route](lambda v, a=axis: getattr(fnp, name)(v, axis=a, **options), x))
        assert agree(want, got).all() and want.shape == got.shape, (dtype, axis, route)
    if "sort" not in name and ends:
        want = np.stack([quiet(getattr(np, name), row) for row in x])
        assert agree(want, ft.jit(ft.vmap(getattr(np, name)))(x)).all()


def test_order_with_masks_and_starts():
    x = np.array([[1 + 2j, 1 - 2j, 3j], [2.0, 1j, -1.0]])
    for name in ("max", "min"):
        for options in ({"initial": 1 + 0j}, {"initial": 0j, "where": x.real > 0}, {"axis": (0, 1), "keepdims": True}):
            assert np.array_equal(getattr(fnp, name)(x, **options).numpy(), getattr(np, name)(x, **options))
    assert fnp.max(np.zeros((0, 3), complex), axis=1).shape == (0,)
    s = np.sort(square([0.0, 1.0, NAN], "complex128"))
    for side in ("left", "right"):
        assert np.array_equal(fnp.searchsorted(s, s, side).numpy(), np.searchsorted(s, s, side))


def test_the_derivative_of_an_extreme_is_that_of_its_element():
    x = np.array([1.0, 3.0, 3.0])
    assert ft.grad(lambda x: np.max(x + 1j * x[::-1]).real)(x).tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("name", ["var", "std"])
def test_a_complex_dtype_of_a_variance(name):
    x = np.array([[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]])
    for given in (x, x + 1j * x[::-1], x.astype("float32"), x.astype(int), (x - 2j * x).astype("complex64")):
        for dtype in (None, "complex128", "complex64"):
            for axis in (None, 1):
                want = getattr(np, name)(given, axis, dtype)
                got = getattr(fnp, name)(given, axis, dtype)
                assert got.dtype == want.dtype
                np.testing.assert_allclose(got.numpy(), want, rtol=2e-6)
    with pytest.raises(ft.DtypeError, match="the imaginary parts would be lost"):
        getattr(fnp, name)(x + 1j, dtype=float)
