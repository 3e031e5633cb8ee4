"""What messages advise: functions that exist and mean the same, and the function that was called."""

import inspect
import re

import numpy as np
import pytest
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.sparse
import scipy.special
import scipy.stats

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import TracedValueError, UnsupportedError
from functrans.tensor import Tensor
from functrans.tensor.hints import ATTRIBUTES, HINTS, NOTHING, called, full_name, hint, native
from functrans.tensor.meanings import MEANINGS
from functrans.tensor.protocols import _CORE, FUNCTIONS
from functrans.tensor.special import BY_NAME

SPACES = {"fnp": fnp, "np": np, "ft": ft, "functrans": ft, "scipy": scipy}
NO_FUNCTIONS = {
    "ndarray[...]", "ndarray[...] = t", "ndarray.dot", "np.r_", "np.c_", "np.mgrid", "np.ogrid", "scipy.sparse",
    *(n for n in HINTS if n.startswith("scipy.stats.norm.")),
}  # fmt: skip


def offered(name):
    """What a full name stands for."""
    root, *path = name.split(".")
    found = SPACES[root]
    for part in path:
        found = getattr(found, part)
    return found


def handled(function):
    """Whether NumPy passes the function on to functrans, which has it."""
    if isinstance(function, np.ufunc):
        return function in MEANINGS or (function.__name__ in BY_NAME) or function.__name__ in _CORE
    return function in FUNCTIONS


def refused():
    """The full names of all public functions of NumPy and SciPy that do not work on Tensors."""
    for module in (np, np.linalg, np.fft, scipy.special, scipy.linalg):
        for plain in sorted(module.__all__):
            function = getattr(module, plain)
            if not callable(function) or inspect.isclass(function) or inspect.ismodule(function):
                continue
            dispatched = isinstance(function, np.ufunc) or hasattr(function, "_implementation")
            if not (handled(function) if dispatched else module is np):  # of the rest of np, most take no array
                yield f"{module.__name__.replace('numpy', 'np')}.{plain}"


REFUSED = sorted(set(refused()))


def test_what_hints_name_exists():
    for name in REFUSED:
        text = hint(name)
        assert text == NOTHING or text.startswith("write "), name
        named = re.findall(r"\b(?:fnp|np|ft|scipy|functrans)(?:\.[A-Za-z_]\w*)+", text)
        for found in named:
            offered(found)
        assert [m for m in re.findall(r"\bx\.(\w+)", text) if not hasattr(Tensor, m)] == [], name
        ours = [offered(n) for n in named if n.startswith(("np.", "scipy."))]
        assert not any(full_name(f) in REFUSED for f in ours if f is not np.delete), text


def test_there_are_many_and_some_have_a_hint():
    assert len(REFUSED) > 300 and sum(hint(n) != NOTHING for n in REFUSED) > 80


def test_only_what_is_missing_has_a_hint():
    functions = {n: offered(n) for n in HINTS if n not in NO_FUNCTIONS}
    # those of functrans take no traced length, or less
    less = ("np.arange", "np.array", "np.asarray")
    had = [n for n, f in functions.items() if handled(f) or (n not in less and native(n) is not None)]
    assert had == [], "functrans has them: the hints are to go"
    assert {n: full_name(f) for n, f in functions.items() if full_name(f) != n} == {}


def test_what_is_implemented_is_found_by_its_name():
    assert native("np.full") == "fnp.full" and native("np.linalg.inv") == "fnp.linalg.inv"
    assert native("np.nothing") is native("scipy.nothing.at_all") is native("math.sin") is None
    assert native("np.float32") == "t.astype(np.float32)"


X, P, S = np.array([0.5, -1.5, 2.0, 3.25]), np.array([0.5, 1.5, 2.0, 3.0]), np.array([[4.0, 1.0], [1.0, 3.0]])
SAMES = {
    "np.choose": (np.array([1, 0, 1, 0]), [X, P]), "np.sort_complex": (X,),
    "np.bitwise_count": (np.array([5, 7, 0]),), "np.diag_indices_from": (S,), "np.tril_indices_from": (S,),
    "np.triu_indices_from": (S,),
    **{f"scipy.special.{n}": (P,) for n in
       ["cosm1", "sindg", "cosdg", "tandg", "cotdg", "exprel", "softplus"]},
    "scipy.special.round": (np.array([0.4, 1.7, -2.2]),), "scipy.special.radian": (P, X, X),
    **{f"scipy.special.{n}": (P, 0.75) for n in ["boxcox", "boxcox1p", "inv_boxcox", "inv_boxcox1p"]},
    "scipy.special.powm1": (P, X), "scipy.special.huber": (1.0, X), "scipy.special.pseudo_huber": (1.5, X),
    **{f"scipy.linalg.{n}": (S,) for n in
       ["inv", "det", "eigh", "eigvalsh", "svdvals", "pinv", "pinvh", "norm", "svd"]},
    "scipy.linalg.solve": (S, S[0]), "scipy.linalg.circulant": (P,),
    **{f"scipy.stats.norm.{n}": (X,) for n in ("pdf", "logpdf", "cdf", "logcdf", "sf")},
    "scipy.stats.norm.ppf": (X / 10 + 0.5,), "scipy.stats.zscore": (X,),
    **{f"scipy.signal.{n}": (X, P, "full") for n in ("convolve", "correlate", "fftconvolve")},
    **{f"scipy.ndimage.{n}": (X, P[:3]) for n in ("convolve1d", "correlate1d")},
    "scipy.signal.lfilter": (P[:2], 1.0, X), "scipy.ndimage.gaussian_filter1d": (X, 0.8),
}  # fmt: skip
LETTERS = {
    "np.choose": "i choices",
    "scipy.special.radian": "d m s", "scipy.special.huber": "d r", "scipy.special.pseudo_huber": "d r",
    "scipy.special.powm1": "x y", "scipy.linalg.solve": "a b",
    "scipy.signal.convolve": "x p mode", "scipy.signal.correlate": "x p mode", "scipy.signal.lfilter": "b a x",
    "scipy.ndimage.convolve1d": "x w", "scipy.ndimage.correlate1d": "x w", "scipy.ndimage.gaussian_filter1d": "x sigma",
    "scipy.linalg.circulant": "c",
}  # fmt: skip


@pytest.mark.parametrize("name", SAMES)
def test_a_recipe_gives_what_the_function_gives(name):
    args = SAMES[name]
    letters = LETTERS.get(name, "a" if "linalg" in name else "x p").split()
    space = {k: Tensor(v) if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v for k, v in zip(letters, args)}
    size = len(args[0]) if isinstance(args[0], np.ndarray) else 0
    space = {"n": size, "bits": 3, "x": Tensor(np.asarray(args[0])), **SPACES, **space}
    if name == "scipy.signal.fftconvolve":
        space["n"] = len(X) + len(P) - 1
    if "ndimage" in name:
        space["r"] = r = 1 if "1d" in name and "gaussian" not in name else int(4 * 0.8 + 0.5)
        space.setdefault("w", np.exp(-np.arange(-r, r + 1) ** 2 / (2 * 0.8 * 0.8)))
    got = eval(HINTS[name].partition(";")[0], space)
    want = offered(name)(*args)
    got, want = (got, want) if isinstance(want, tuple) else ((got,), (want,))
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(np.asarray(a), b, rtol=1e-12, atol=1e-14)


A = scipy.sparse.csr_array(S)


def store(a, i, t):
    a[i] = t
    return a


CALLS = [
    (lambda t: np.array([t[0], t[1]]), "np.array", "fnp.stack"),
    (lambda t: np.asarray(t), "np.asarray", "the Tensor itself"),
    (lambda t: np.r_[t, t], "np.r_", r"fnp.concatenate\(\[t, u\]\)"),
    (lambda t: np.c_[t, t], "np.c_", "fnp.column_stack"),
    (lambda t: np.full(2, t[0]), "np.full", "fnp.full"),
    (lambda t: np.full_like(X, t[0]), "np.full_like", "fnp.full_like"),
    (lambda t: fnp.arange(t[0]), "fnp.arange", "static_argnums"),
    (lambda t: np.repeat(t, t.astype(int)), "np.repeat", "static_argnums"),
    (lambda t: np.arange(t[0]), "np.arange", "a length that does not depend"),
    (lambda t: X[t.astype(int)], r"ndarray\[...\]", r"ft.Tensor\(a\)\[t\]"),
    (lambda t: store(np.zeros(4), slice(1, 3), t), r"ndarray\[...\] = t", r"a = ft.at\(a\)\[i\].set\(t\)"),
    (lambda t: store(np.zeros(2), t > 1, 3.0), r"ndarray\[...\] = t", r"fnp.where\(mask, t, a\)"),
    (lambda t: X[:2].dot(t), "ndarray.dot", "a @ t"),
    (lambda t: X.take(t.astype(int)), "ndarray.take", "fnp.take"),
    (lambda t: np.vectorize(abs)(t), "np.vectorize", "ft.vmap"),
    (lambda t: np.frompyfunc(abs, 1, 1)(t), "np.frompyfunc", "ft.vmap"),
    (lambda t: np.float32(t), "np.float32", r"t.astype\(np.float32\)"),
    (lambda t: np.linalg.eig(np.outer(t, t)), "np.linalg.eig", "where a is Hermitian"),
    (lambda t: np.trim_zeros(t), "np.trim_zeros", "constant bounds"),
    (lambda t: scipy.linalg.solve(S, t), "scipy.linalg.solve", "linalg.solve"),
    (lambda t: scipy.linalg.cholesky(S * t), "scipy.linalg.cholesky", "functrans.scipy.linalg.cholesky"),
    (lambda t: scipy.linalg.expm(S * t), "scipy.linalg.expm", ""),
    (lambda t: scipy.special.comb(5, t), "scipy.special.comb", ""),
    (lambda t: scipy.special.erfcx(t), "scipy.special.erfcx", ""),
    (lambda t: scipy.interpolate.CubicSpline(P, X)(t), "scipy.interpolate.CubicSpline", r"np.eye\(n\)"),
    (lambda t: scipy.stats.norm.pdf(t), "scipy.stats.norm.pdf", "fnp.exp"),
    (lambda t: scipy.signal.fftconvolve(t, t), "scipy.signal.fftconvolve", "fnp.fft.rfft"),
    (lambda t: A @ t, "scipy.sparse", r"ft.sparse\(A\) @ t"),
    (lambda t: np.random.default_rng(0).normal(t), r"np.random.default_rng\(0\).normal", ""),
]  # fmt: skip


@pytest.mark.parametrize(("call", "name", "way"), CALLS)
def test_a_refusal_names_the_function_that_was_called(call, name, way):
    with pytest.raises((TracedValueError, UnsupportedError), match=rf"(?s)^({name}) (reads|is not).*({way})") as caught:
        ft.jit(call)(np.array([1.0, 2.0]))
    assert "test_hints.py" in str(caught.value)


def test_splines_are_linear_in_their_values():
    space = {"scipy": scipy, "np": np, "xp": P, "n": 4, "x": np.linspace(0.5, 3.0, 7), "y": Tensor(X)}
    for name in ("CubicSpline", "make_interp_spline"):
        got = eval(HINTS[f"scipy.interpolate.{name}"].partition(";")[0], space)
        np.testing.assert_allclose(got.numpy(), getattr(scipy.interpolate, name)(P, X)(space["x"]), rtol=1e-12)
    got = eval(HINTS["scipy.interpolate.interp1d"].partition(";")[0], {**space, "fnp": fnp, "fp": X})
    np.testing.assert_allclose(got.numpy(), scipy.interpolate.interp1d(P, X)(space["x"]), rtol=1e-12)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_attribute_that_is_missing_names_the_way_out(name):
    assert not hasattr(Tensor, name)
    with pytest.raises(AttributeError, match=rf"no attribute '{name}' \(test_hints.py:\d+\); write ") as caught:
        ft.jit(lambda t: getattr(t, name))(np.ones(3))
    text = str(caught.value)
    for found in re.findall(r"\b(?:fnp|ft)(?:\.[A-Za-z_]\w*)+", text):
        offered(found)
    assert [m for m in re.findall(r"\bt\.(\w+)", text) if not hasattr(Tensor, m)] == []


def test_where_no_source_is_kept():
    space = {"np": np, "made": None}
    exec("def f(t): return np.array([t])", space)
    with pytest.raises(TracedValueError, match=r"NumPy reads a traced value.*fnp\.stack"):
        ft.jit(space["f"])(1.0)
    assert called(None) is None
