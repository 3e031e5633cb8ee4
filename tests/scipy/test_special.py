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
    "log_expit": (-30, 30), "exp10": (-2, 2), "gammasgn": (-0.9, -0.1), "i0": (-12, 12), "i1": (-12, 12),
    "i0e": (0.1, 20), "i1e": (0.1, 20), "expi": (0.6, 30), "exp1": (0.1, 30),
    "j0": (0.1, 2), "j1": (0.1, 3),
}  # fmt: skip
TWO = ["beta", "betaln", "gammainc", "gammaincc", "xlogy", "xlog1py", "rel_entr", "kl_div"]
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
    # where log |gamma| of -inf is inf here, I0 and I1 of infinities are no NaN, and waves of SciPy's have few digits
    left = {"gammaln": [-np.inf], "i0": [-np.inf, np.inf], "i1": [-np.inf, np.inf], "j0": [-1e5, 1e300]}
    left["j1"] = left["j0"]
    x = EXTREMES[~np.isin(EXTREMES, left.get(name, []))]
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
    if name in ("gammainc", "gammaincc"):
        laws.differentiated(lambda t: f(x[0], t), y[0])
    else:
        laws.differentiated(f, x[0], y[0])
    same(own(Tensor(x.astype("float32")), 2), f(x.astype("float32"), 2), 2e-5)


def test_derivatives_are_nan_where_a_function_is():
    """At NaN and outside of the domain, forward and in reverse, and nothing of it elsewhere."""
    outside = {"ndtri": (-1, 1.5), "erfinv": (-1.5, 1.5), "erfcinv": (-1, 2.5), "exp1": (-1,), "loggamma": (-0.5,)}
    one = sorted(set(INNER) - {"gammasgn", "logit"})
    x = {n: np.array([0.3, np.nan, *outside.get(n, ()), 0.4]) for n in one}
    y = np.array([0.3, np.nan, 1.0, np.nan, 0.4])

    def f(x, y):
        two = [n for n in TWO if "inc" not in n]  # which have no derivative in a
        return {n: getattr(ours, n)(x[n]) for n in one}, {n: getattr(ours, n)(y, y[::-1] + 1) for n in two}

    ones = ft.tree.map(np.ones_like, (x, y))
    forward = ft.jit(lambda x, y: ft.jvp(f, (x, y), ones)[1])(x, y)
    back = ft.jit(ft.grad(lambda x, y: sum(v.sum() for v in ft.tree.leaves(f(x, y))), argnums=(0, 1)))(x, y)
    for n in one:
        assert np.isnan(forward[0][n]).tolist() == [False, *[True] * (x[n].size - 2), False], n
        assert np.isnan(back[0][n]).tolist() == [False, *[True] * (x[n].size - 2), False], n
    for n, d in forward[1].items():
        assert np.isnan(d).tolist() == [False, True, False, True, False], n
    assert np.isnan(back[1]).tolist() == [False, True, False, True, False]
    ends = {"ndtri": [0.0, 1.0], "erfinv": [-1.0, 1.0], "erfcinv": [2.0, 0.0]}
    for n, at in ends.items():
        assert np.abs(ft.grad(lambda x, n=n: getattr(ours, n)(x).sum())(np.array(at))).tolist() == [np.inf, np.inf]


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


# (x, I0(x), I1(x), exp(-x) I0(x), exp(-x) I1(x)) by 40 digits, rounded
BESSEL = [
    (0.0, 1.0, 0.0, 1.0, 0.0),
    (0.001, 1.0000002500000156, 0.0005000000625000026, 0.9990007495835156, 0.0004995003123542213),
    (0.75, 1.1456467780440014, 0.4019924615809222, 0.5411652192034954, 0.18988779330485503),
    (3.2, 5.747207187180551, 4.734253894709621, 0.2342688316697859, 0.19297862294152823),
    (7.9, 389.406283282158, 363.8539440845084, 0.14436986414104191, 0.13489649943989376),
    (8.0, 427.5641157218048, 399.8731367825601, 0.14343178185685032, 0.13414249329269817),
    (8.1, 469.5006067101215, 439.48430891035844, 0.14251180948829528, 0.13340068832583662),
    (12.5, 30596.335155785153, 29345.74964207113, 0.1140219294622889, 0.10936143099065089),
    (50.0, 2.9325537838493362e+20, 2.903078590103557e+20, 0.05656162664745419, 0.0559931238928954),
    (700.0, 1.5295933476718737e+302, 1.5285003902339006e+302, 0.015081295651531358, 0.015070519444716848),
]


def test_bessel_functions_within_five_units():
    x, *want = np.array(BESSEL).T
    for name, right in zip(("i0", "i1", "i0e", "i1e"), want, strict=True):
        f = ft.jit(getattr(ours, name))
        for sign in (1.0, -1.0):
            error = np.abs(f(sign * x) * (sign if "1" in name else 1.0) - right)
            assert (error <= 5 * np.spacing(right)).all(), name
    assert ft.jit(ours.i0)(np.array([712.0, 715.0, np.inf])).tolist() == [ours.i0(712.0).item(), np.inf, np.inf]
    assert np.isfinite(ours.i0(712.0).item())  # SciPy's exponential is infinite from 709.8 on
    assert ft.jit(ours.i1)(np.array([-np.inf, 1e300])).tolist() == [-np.inf, np.inf]


def test_bessel_functions_over_the_whole_domain():
    rng = np.random.default_rng(5)
    small, large = -(10 ** rng.uniform(-9, 2, 99)), 10 ** rng.uniform(-300, 2.85, 400)
    x = np.concatenate([np.linspace(-30, 30, 1201), small, large])
    for name in ("i0", "i1", "i0e", "i1e"):
        f, own = getattr(theirs, name), getattr(ours, name)
        np.testing.assert_allclose(ft.jit(own)(x), f(x), rtol=2e-15, atol=0)
        single = x[np.abs(x) < 88].astype("float32")
        np.testing.assert_allclose(ft.jit(own)(single), f(single), rtol=5e-7, atol=1e-45)


def test_derivatives_of_bessel_functions():
    x = np.array([0.0, 1e-300, 1e-8, 0.3, -2.0, 7.9, 8.0, 8.1, -15.0, 40.0, 600.0])
    i0, i1 = theirs.i0(x), theirs.i1(x)
    i2, i3 = theirs.iv(2, x), theirs.iv(3, x)
    orders = {"i0": (i1, (i0 + i2) / 2), "i1": ((i0 + i2) / 2, (3 * i1 + i3) / 4)}
    for name, (first, second) in orders.items():
        f = getattr(ours, name)
        along = ft.jit(lambda t, f=f: ft.jvp(f, (t,), (np.ones(x.size),))[1])
        np.testing.assert_allclose(along(x), first, rtol=2e-14, atol=1e-300)
        np.testing.assert_allclose(ft.jit(ft.grad(lambda t, f=f: f(t).sum()))(x), first, rtol=2e-14, atol=1e-300)
        twice = ft.grad(lambda t, f=f: ft.grad(lambda s: f(s).sum())(t).sum())
        np.testing.assert_allclose(ft.jit(twice)(x), second, rtol=1e-12, atol=1e-300)
    x = x[x != 0]
    e0, e1, e2 = theirs.i0e(x), theirs.i1e(x), theirs.ive(2, x)
    for name, want in (("i0e", e1 - np.sign(x) * e0), ("i1e", (e0 + e2) / 2 - np.sign(x) * e1)):
        got = ft.jit(ft.grad(lambda t, f=getattr(ours, name): f(t).sum()))(x)
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15)
    assert ft.grad(ours.i0)(1000.0) == np.inf
    assert ft.grad(ours.i1)(-1000.0) == np.inf


# (x, Ei(x), E1(x)) by 40 digits, rounded; Ei has a root at 0.3725
INTEGRALS = [
    (1e-05, -10.935699800043695, 10.935719800043696),
    (0.3725, -2.8874183188745963e-05, 0.7507958038725263),
    (0.37250741, -3.0443730423541984e-09, 0.7507820978542139),
    (0.3725074107813666, -5.1196989365556847e-17, 0.750782096408967),
    (0.3725074107813667, 1.6508643146897012e-16, 0.7507820964089669),
    (0.4, 0.10476521861932488, 0.7023801188656624),
    (0.98, 1.8407485185040215, 0.22689116741400336),
    (1.0, 1.8951178163559368, 0.21938393439552029),
    (1.5, 3.301285449129798, 0.10001958240663265),
    (3.0, 9.933832570625416, 0.013048381094197037),
    (5.9, 79.5381901448876, 0.00040390350894312923),
    (6.1, 93.00200998696366, 0.0003210870279496548),
    (11.0, 6071.406374098611, 1.4003003042474418e-06),
    (13.0, 37197.688490689034, 1.6218662188014328e-07),
    (25.0, 3005950906.5255485, 5.348899755340217e-13),
    (200.0, 3.6312352331593567e+84, 6.885226106307636e-90),
]


@pytest.mark.usefixtures("compiler")
def test_exponential_integrals_within_four_units():
    x, above, below = np.array(INTEGRALS).T
    assert (np.abs(ft.jit(ours.expi)(x) - above) <= 4 * np.spacing(np.abs(above))).all()
    assert (np.abs(ft.jit(ours.expi)(-x) + below) <= 4 * np.spacing(below)).all()
    assert (np.abs(ft.jit(ours.exp1)(x) - below) <= 4 * np.spacing(below)).all()


def test_exponential_integrals_over_the_whole_domain():
    rng = np.random.default_rng(5)
    x = np.concatenate([np.linspace(1e-3, 40, 1201), 10 ** rng.uniform(-300, 2.85, 400)])
    x = x[np.abs(x - 0.3725) > 0.02]  # where SciPy's has fewer digits
    for name, at in (("expi", x), ("expi", -x), ("exp1", x)):
        f, own = getattr(theirs, name), getattr(ours, name)
        np.testing.assert_allclose(ft.jit(own)(at), f(at), rtol=2e-14, atol=1e-307)
        single = at[(np.abs(at) < 85) & (np.abs(at) > 1e-37)].astype("float32")
        np.testing.assert_allclose(ft.jit(own)(single), f(single), rtol=3e-7)
    ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 709.0, 711.0, -740.0, 1e300, -1e300, 5e-324])
    for name in ("expi", "exp1"):
        want = quiet(getattr(theirs, name), ends)
        np.testing.assert_allclose(ft.jit(getattr(ours, name))(ends), want, rtol=2e-14, atol=1e-320)


def test_derivatives_of_exponential_integrals():
    x = np.array([1e-100, 0.3725, 0.9, 3.0, 30.0, -1e-5, -0.5, -2.0, -50.0])
    slope = np.exp(x) / x
    assert_slopes(ours.expi, x, slope, slope - slope / x)
    assert_slopes(ours.exp1, x[:5], -np.exp(-x[:5]) / x[:5], np.exp(-x[:5]) * (1 + 1 / x[:5]) / x[:5])
    assert ft.grad(ours.exp1)(0.0) == -np.inf


# (x, J0(x), J1(x)) by 50 digits, rounded
WAVES = [
    (0.25, 0.9844359292958527, 0.12402597732272692),
    (1.5, 0.5118276717359181, 0.5579365079100996),
    (2.404825557695773, -6.10876525973673e-17, 0.5191474972894667),
    (3.8317059702075125, -0.402759395702553, -6.149807356994906e-17),
    (5.0, -0.1775967713143383, -0.32757913759146523),
    (7.9, 0.19436184484127825, 0.2191793999217512),
    (8.25, 0.10920747150610137, 0.2622035519927438),
    (11.0, -0.1711903004071961, -0.17678529895672151),
    (29.5, -0.1331478582983982, -0.0643043780991924),
    (1000.0, 0.024786686152420176, 0.004728311907089524),
    (100000.0, -0.0017192011162359723, 0.0018467575628825677),
    (12345678.0, -0.00021388763043370183, -7.627770748497009e-05),
]


def test_bessel_functions_of_the_first_kind():
    x, zeroth, first = np.array(WAVES).T
    for f, want, sign in ((ours.j0, zeroth, 1), (ours.j1, first, -1)):
        for at, turned in ((x, 1), (-x, sign)):
            assert (np.abs(ft.jit(f)(at) - turned * want) <= 1e-15).all()
            assert (np.abs(ft.jit(f)(at.astype("float32"))[:9] - turned * want[:9]) <= 4e-6).all()
    some = np.concatenate([np.linspace(-30, 30, 801), [8.0, -8.0, np.nextafter(8, 9), 0.0, 1e-200]])
    for name in ("j0", "j1"):
        np.testing.assert_allclose(getattr(ours, name)(some), getattr(theirs, name)(some), rtol=0, atol=2e-15)
    x = np.array([0.1, 0.5, 2.4048, 7.9, 8.1, 20.0, -3.0, -12.0])
    slope = theirs.j0(x) - theirs.j1(x) / x
    assert_slopes(ours.j0, x, -theirs.j1(x), -slope, 1e-14)
    assert_slopes(ours.j1, x, slope, -theirs.j1(x) - slope / x + theirs.j1(x) / x**2, 1e-13)


# (a, x, P(a, x), Q(a, x)) by 55 digits, rounded
INCOMPLETE = [
    (1e-05, 0.2, 0.9999877735047572, 1.2226495242840313e-05),
    (0.001, 1.05, 0.9997979132836744, 0.00020208671632562252),
    (0.3, 0.01, 0.27924099635901484, 0.7207590036409851),
    (0.5, 0.4, 0.6289066304773024, 0.37109336952269756),
    (0.55, 0.9, 0.7984372219577894, 0.20156277804221057),
    (0.9, 3.0, 0.9593279040036885, 0.04067209599631154),
    (1.0, 1.0, 0.6321205588285577, 0.36787944117144233),
    (1.5, 1.2, 0.506365377288272, 0.49363462271172803),
    (2.5, 1.0, 0.15085496391539036, 0.8491450360846097),
    (4.0, 9.0, 0.9787735136970911, 0.02122648630290888),
    (8.0, 7.5, 0.47536147351239455, 0.5246385264876054),
    (12.0, 11.0, 0.42073323707828797, 0.5792667629217121),
    (20.0, 35.0, 0.9976754933921579, 0.0023245066078420914),
    (40.0, 0.001, 1.22442229823491e-168, 1.0),
    (59.0, 59.0, 0.5173141886980737, 0.48268581130192634),
    (70.0, 60.0, 0.1117896469588367, 0.8882103530411634),
    (70.0, 72.5, 0.6312099774461155, 0.3687900225538845),
    (500.0, 430.0, 0.0005288220251922987, 0.9994711779748077),
    (500.0, 500.0, 0.5059471461707603, 0.49405285382923964),
    (2000.0, 2100.0, 0.9863525323166297, 0.013647467683370378),
    (200000.0, 200300.0, 0.7489631617051791, 0.25103683829482093),
]


def test_incomplete_gamma_functions_by_many_digits():
    a, x, lower, upper = np.array(INCOMPLETE).T
    for f, want in ((ours.gammainc, lower), (ours.gammaincc, upper)):
        slack = 5e-15 - 3e-16 * np.log(want)  # an exponent is rounded: more in the tails
        assert (np.abs(ft.jit(f)(a, x) - want) <= slack * want).all()


def test_incomplete_gamma_functions_over_the_whole_domain():
    rng = np.random.default_rng(5)
    a = 10 ** rng.uniform(-6, 5, 4000)
    near = np.abs(a[2000:] + rng.uniform(-0.5, 0.5, 2000) * np.sqrt(a[2000:]))
    x = np.concatenate([10 ** rng.uniform(-6, 5, 2000), near])
    for name in ("gammainc", "gammaincc"):
        f, own = getattr(theirs, name), getattr(ours, name)
        np.testing.assert_allclose(ft.jit(own)(a, x), f(a, x), rtol=2e-12, atol=1e-300)
        few, single = a[a < 1e3].astype("float32"), x[a < 1e3].astype("float32")
        want = f(few, single)
        assert want.dtype == np.float32
        np.testing.assert_allclose(ft.jit(own)(few, single), want, rtol=3e-7, atol=1e-37)
    ends = np.array([0.0, -0.0, 1e-280, 0.5, 1.0, -1.0, 30.0, 1e10, 1e300, np.inf, -np.inf, np.nan])
    a, x = np.repeat(ends, ends.size), np.tile(ends, ends.size)
    for name in ("gammainc", "gammaincc"):
        want = quiet(getattr(theirs, name), a, x)
        np.testing.assert_allclose(ft.jit(getattr(ours, name))(a, x), want, rtol=1e-12, atol=1e-300, err_msg=name)


def test_derivatives_of_incomplete_gamma_functions():
    x = np.array([1e-3, 0.4, 1.05, 2.0, 9.0, 30.0])
    for a in (0.3, 1.0, 2.5, 20.0):
        slope = x ** (a - 1) * np.exp(-x) / theirs.gamma(a)
        assert_slopes(lambda t, a=a: ours.gammainc(a, t), x, slope, slope * ((a - 1) / x - 1), 1e-13)
        assert_slopes(lambda t, a=a: ours.gammaincc(a, t), x, -slope, -slope * ((a - 1) / x - 1), 1e-13)
    assert [ft.grad(lambda t, a=a: ours.gammainc(a, t))(0.0).item() for a in (0.5, 1.0, 2.0)] == [np.inf, 1.0, 0.0]
    for f in (ours.gammainc, theirs.gammaincc):
        with pytest.raises(UnsupportedError, match="its first argument, a, is not available"):
            ft.grad(lambda a, f=f: f(a, 2.0))(1.5)


def assert_slopes(f, x, first, second, rtol=1e-14):
    """Both derivatives of a function of one element, forward and in reverse."""
    along = ft.jit(lambda t: ft.jvp(f, (t,), (np.ones(x.size),))[1])
    np.testing.assert_allclose(along(x), first, rtol=rtol)
    np.testing.assert_allclose(ft.jit(ft.grad(lambda t: f(t).sum()))(x), first, rtol=rtol)
    twice = ft.jit(ft.grad(lambda t: ft.grad(lambda s: f(s).sum())(t).sum()))
    np.testing.assert_allclose(twice(x), second, rtol=10 * rtol)


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


@pytest.mark.covering(1)
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
