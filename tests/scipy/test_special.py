"""functrans.scipy.special against SciPy: values, extremes, dtypes, derivatives, maps, compiled."""

import doctest
import itertools

import numpy as np
import pytest
import scipy.special as theirs

import functrans as ft
from functrans.errors import ArgumentValueError, AxisError, DtypeError, ShapeError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import quiet, same, values

ours = ft.scipy.special
EXTREMES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-300, -1e-5, 1 + 1e-15, 2.0, -3.0, 30.0, -25.0, -40.0, 170.5,
                     -1e5, 1e300, np.inf, -np.inf, np.nan])  # fmt: skip
INNER = {  # where a function is smooth
    "erf": (-3, 3), "erfc": (-3, 3), "expit": (-9, 9), "logit": (0.01, 0.99), "ndtr": (-5, 5), "gammaln": (0.1, 20),
    "psi": (0.1, 20), "digamma": (0.1, 20), "entr": (0.1, 3), "gamma": (-0.9, -0.1), "loggamma": (0.1, 20),
    "log_ndtr": (-30, 5), "ndtri": (0.01, 0.99), "erfinv": (-0.99, 0.99), "erfcinv": (0.01, 1.99),
    "log_expit": (-30, 30), "exp10": (-2, 2), "gammasgn": (-0.9, -0.1),
}  # fmt: skip
TWO = ["beta", "betaln", "xlogy", "xlog1py", "rel_entr", "kl_div"]
ALIASES = ["expm1", "log1p", "exp2", "cbrt"]  # SciPy's ufuncs of what NumPy has, too



def test_names_are_those_of_scipy():
    assert all(hasattr(theirs, name) for name in ours.__all__)
    assert ours.__all__ == sorted(ours.__all__)


@pytest.mark.parametrize("name", ours.__all__)
def test_examples(name):
    examples = doctest.DocTestParser().get_doctest(getattr(ours, name).__doc__, {}, name, None, None)
    assert examples.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples).failed == 0


@pytest.mark.parametrize("name", [*INNER, *ALIASES])
def test_of_one(name):
    f = getattr(theirs, name)
    own = getattr(ours, name, f)
    for dtype in ("float64", "float32", "float16", "int8", "int64"):
        x = values((2, 3, 4), dtype, low=INNER.get(name, (-0.9, 2))[0], high=INNER.get(name, (-1, 2))[1])
        rtol = 2e-12 if np.dtype(dtype).itemsize == 8 else 3e-4 if name in ("erfcinv", "logit") else 2e-5
        same(f(Tensor(x)), quiet(f, x), rtol, name)
        same(own(Tensor(x)), quiet(f, x), rtol, name)
    with pytest.raises(DtypeError):
        f(Tensor(values((2,), "complex128")))
    x = EXTREMES if name != "gammaln" else EXTREMES[EXTREMES != -np.inf]  # where log |gamma| of -inf is inf here
    want = quiet(f, x)
    np.testing.assert_allclose(f(Tensor(x)).numpy(), want, rtol=1e-12)
    np.testing.assert_allclose(ft.jit(own)(x), want, rtol=1e-12)


@pytest.mark.parametrize("name", INNER)
def test_of_one_mapped_and_differentiated(name):
    low, high = INNER[name]
    x = laws.lanes((2, 3), low=low + 0.05 * (high - low), high=high - 0.05 * (high - low))
    f = getattr(theirs, name)
    laws.mapped(f, x, rtol=2e-13)
    laws.differentiated(f, x[0])
    laws.patterned(f, x[0], np.eye(6))


@pytest.mark.parametrize("name", TWO)
def test_of_two(name):
    f, own = getattr(theirs, name), getattr(ours, name)
    some = np.array([0.0, 0.5, 1.0, 2.0, 3.0, 30.0, 250.0, 1e5, -1.0, -2.5, -3.0, np.inf])
    a, b = np.repeat(some, some.size), np.tile(some, some.size)
    if name in ("beta", "betaln"):  # a negative one beside an infinity has no limit, and cancels beside a large one
        kept = ((np.minimum(a, b) >= 0) & (np.minimum(a, b) < np.inf)) | (np.maximum(a, b) < 1e3)
        a, b = a[kept], b[kept]
    want = quiet(f, a, b)
    np.testing.assert_allclose(f(Tensor(a), Tensor(b)).numpy(), want, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(ft.jit(own)(a, b), want, rtol=1e-10, atol=1e-14)
    assert np.isnan(own([np.nan, 1.0], [1.0, np.nan]).numpy()).all()
    x, y = laws.lanes((2, 3), low=0.2, high=4.0), laws.lanes((3,), low=0.2, high=14.0, seed=6)
    laws.mapped(f, x, y, rtol=2e-13)
    laws.differentiated(f, x[0], y[0])
    same(own(Tensor(x.astype("float32")), 2), f(x.astype("float32"), 2), 2e-5)


def test_beta_of_large_arguments():
    a, b = np.array([1e6, 2e8, 3.0, 1e-3]), np.array([2.5, 1e9, 1e12, 1e7])
    # by 40 digits
    want = [-34.254095399436515, -540673459.1863803, -82.1999161672287, 6.891060789782846]
    np.testing.assert_allclose(ours.betaln(a, b).numpy(), want, rtol=4e-15)


def test_gamma_where_it_overflows_and_at_poles():
    x = np.array([171.62, 171.63, 1e308, -170.5, -170.6, -200.5, -201.5, -1.0, -1e300, 1e-309, -1e-309, 5e-324])
    want = quiet(theirs.gamma, x)
    got = ft.jit(ours.gamma)(x)
    np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-307)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(want) | np.isnan(want) & np.signbit(got))
    np.testing.assert_array_equal(ft.jit(ours.gamma)(np.arange(1.0, 23.0)), theirs.factorial(np.arange(22)))
    single = np.array([35.0, 35.1, -0.5, -3.0], np.float32)
    np.testing.assert_allclose(ft.jit(ours.gamma)(single), quiet(theirs.gamma, single), rtol=2e-7)


# (x, gamma(x)) by 40 digits, rounded
GAMMA = [(0.1, 9.51350769866873), (1.4616, 0.885603194853648), (2.9, 1.827355080624036), (17.3, 48647628546156.97),
         (-0.5, -3.544907701811032), (-5.7, 0.009393206267354336)]  # fmt: skip


def test_gamma_within_four_units():
    x, want = np.array(GAMMA).T
    assert (np.abs(ft.jit(ours.gamma)(x) - want) <= 4 * np.spacing(np.abs(want))).all()


def test_polygamma_and_zeta():
    x = np.array([0.3, 1.0, 4.5, 30.0])
    for n in (0, 1, 2, 5, [[0], [1], [3]]):
        np.testing.assert_allclose(ours.polygamma(n, x).numpy(), theirs.polygamma(n, x), rtol=1e-13)
    laws.compiled(lambda t: ours.polygamma(2, t), x)
    laws.differentiated(lambda t: ours.polygamma(1, t), x)
    np.testing.assert_allclose(ours.zeta([2.0, 3.5], 1.5).numpy(), theirs.zeta([2.0, 3.5], 1.5), rtol=1e-14)
    for bad in (-1, 0.5, 1j):
        with pytest.raises(ArgumentValueError):
            ours.polygamma(bad, x)
    with pytest.raises(UnsupportedError, match=r"zeta\(x, 1.0\)"):
        ours.zeta(2.0)


AXES = [None, 0, 1, -1, (0, 2), (0, 1, 2)]


@pytest.mark.parametrize("name", ["logsumexp", "softmax", "log_softmax"])
@pytest.mark.parametrize("axis", AXES)
def test_sums_of_exponentials(name, axis):
    f, own = getattr(theirs, name), getattr(ours, name)
    for dtype in ("float64", "float32", "int8", "complex128"):
        if dtype == "complex128" and name != "logsumexp":
            continue
        x = values((2, 3, 5), dtype, low=-9, high=9)
        same(own(x, axis=axis), f(x, axis=axis), {"float32": 1e-5, "int8": 5e-3}.get(dtype, 1e-12))
    x = laws.lanes((2, 3, 5), low=-30, high=30)
    laws.compiled(lambda t: own(t, axis=axis), x[0])
    for method in ("vmapin", "rewrite", "pad_reduce"):
        got = ft.vmap(lambda t: own(t, axis=axis), method=method)(x)
        np.testing.assert_allclose(got, [f(lane, axis=axis) for lane in x], rtol=1e-12, atol=1e-15)


WEIGHTS = np.array([[1.0, -2.0, 0.0, 0.5], [0.0, 0.0, 0.0, 0.0], [-1.0, 1.0, 3.0, 2.0]])


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("return_sign", [False, True])
def test_weights_signs_and_kept_axes(keepdims, return_sign):
    x = values((3, 4), "float64", low=-9, high=9)
    x[0, 2] = np.inf  # without weight
    options = {"keepdims": keepdims, "return_sign": return_sign}
    for axis in (None, 0, 1, (0, 1)):
        for b in (None, WEIGHTS, 2.0, np.array([1, 0, 2, 3])):
            same(ours.logsumexp(x, axis, b, **options), quiet(theirs.logsumexp, x, axis, b, **options), 1e-12)
        z = x[1:] + 1j * values((2, 4), "float64", 1)
        for b in (None, 1j * WEIGHTS[1:] + 1):
            same(ours.logsumexp(z, axis, b, **options), theirs.logsumexp(z, axis, b, **options), 1e-12)


def test_sums_of_exponentials_at_infinities():
    inf = np.inf
    edges = [-inf, -inf], [inf, 1.0], [inf, -inf], [np.nan, 1.0]
    for row in (*edges, [0.0, -40.0], [-745.0, -745.0], [1e300, 1e300], [7.0]):
        x = np.array(row)
        for name in ("logsumexp", "softmax", "log_softmax"):
            want = quiet(getattr(theirs, name), x)
            np.testing.assert_allclose(quiet(getattr(ours, name), x).numpy(), want, rtol=1e-13)
            np.testing.assert_allclose(ft.jit(getattr(ours, name))(x), want, rtol=1e-13)
    assert ours.logsumexp(np.ones((3, 0)), 1).tolist() == [-inf] * 3
    assert ours.logsumexp(5.0).item() == 5.0
    with pytest.raises(AxisError):
        ours.logsumexp(np.ones(3), 1)
    with pytest.raises(ShapeError):
        ours.softmax(np.ones((3, 0)), 1)


@pytest.mark.parametrize("row", [[0.3, -1.0, 2.0], [1.0, 1.0, 0.0], [2.0, 2.0, 2.0], [0.5, -np.inf, 0.0]])
def test_derivatives_of_every_order_are_those_of_softmax(row):
    x = np.array(row)
    p = theirs.softmax(x)
    for f in (ours.logsumexp, lambda t: ours.logsumexp(t, b=np.ones(3)), lambda t: t[0] - ours.log_softmax(t)[0]):
        np.testing.assert_allclose(ft.jacfwd(f)(x), p, atol=1e-15)
        np.testing.assert_allclose(ft.grad(f)(x), p, atol=1e-15)
        np.testing.assert_allclose(ft.hessian(f)(x), np.diag(p) - np.outer(p, p), atol=1e-15)
    np.testing.assert_allclose(ft.jacrev(ours.softmax)(x), np.diag(p) - np.outer(p, p), atol=1e-15)


def test_complex_logsumexp_differentiated():
    z = values((4,), "complex128")
    laws.differentiated(lambda t: ours.logsumexp(t, b=np.array([1.0, 2.0, -1.0, 0.5])), z)
    laws.differentiated(lambda t, b: ours.logsumexp(t, b=b), values((4,), "float64"), np.array([1.0, 2.0, 3.0, 0.5]))


@pytest.mark.parametrize("name", [*(n for n in INNER if n != "zeta"), *TWO])
def test_dtypes_are_those_of_scipy_however_they_are_mixed(name):
    f, count = getattr(theirs, name), 2 if name in TWO else 1
    arrays = [np.ones(2, d) for d in ("float64", "float32", "float16", "int64", "int8", "bool")]
    given = [*arrays, np.float32(1.0), 1, 1.0, True]
    for x in itertools.product(given, repeat=count):
        assert getattr(ours, name)(*x).dtype == quiet(f, *x).dtype, x
    for wrong in (values((2,), "complex128"), 1j):
        with pytest.raises(DtypeError):
            getattr(ours, name)(*[np.ones(2)] * (count - 1), wrong)
    with pytest.raises(DtypeError):
        getattr(ours, name)(*[np.ones(2)] * (count + 1))
