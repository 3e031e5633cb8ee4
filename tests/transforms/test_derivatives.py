"""jvp: structure, integers, kinks, products with zeros, updates, and derivatives of derivatives."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.testing.updates import at
from tests.laws.references import assert_close, complex_step, interpreted

RNG = np.random.default_rng(3)
X, T = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
Pair = namedtuple("Pair", "left right")


def tangent(f: Callable[..., Any], x: Any, t: Any) -> Any:
    """The tangent alone, by the interpreter."""
    return interpreted(lambda x, t: ft.jvp(f, (x,), (t,))[1], x, t)[0]


def second(f: Callable[..., Any], x: Any, t: Any, s: Any) -> Any:
    """The derivative along s of the derivative along t."""
    return tangent(lambda x: ft.jvp(f, (x,), (t,))[1], x, s)


def differenced(f: Callable[..., Any], x: Any, t: Any, s: Any) -> Any:
    """The same of a polynomial of low degree: differences of complex steps, over steps of powers of two."""
    h = 2.0**-10
    rows = [complex_step(f, (x + k * h * s,), (t,)) for k in (-2, -1, 1, 2)]
    return (rows[0] - 8 * rows[1] + 8 * rows[2] - rows[3]) / (12 * h)


# what goes in and comes out


def test_value_and_tangent() -> None:
    value, change = ft.jvp(np.sin, (X,), (T,))
    assert type(value) is np.ndarray and type(change) is np.ndarray
    assert_close(value, np.sin(X))
    assert_close(change, np.cos(X) * T)


def test_scalars_are_numpy_scalars() -> None:
    value, change = ft.jvp(lambda x, y: x * y, (2.0, np.float64(3)), (1.0, 10.0))
    assert type(value) is np.float64 and type(change) is np.float64
    assert (value, change) == (6.0, 23.0)


def test_tensors_in_tensors_out() -> None:
    value, change = ft.jvp(np.sum, (ft.Tensor(X),), (T,))
    assert type(value) is ft.Tensor and type(change) is ft.Tensor
    assert_close(change.numpy(), T.sum())


def test_structures() -> None:
    def f(state: Any, scale: Any) -> Any:
        return {"out": Pair(state["a"] * scale, None), "list": [state["b"][0].sum()]}, ()

    primals = ({"a": X, "b": (X, None)}, 2.0)
    value, change = ft.jvp(f, primals, ({"a": T, "b": (2 * T, None)}, 0.5))
    assert type(value) is type(change) is tuple and value[1] == change[1] == ()
    assert type(change[0]["out"]) is Pair and change[0]["out"].right is None
    assert_close(change[0]["out"].left, T * 2 + X * 0.5)
    assert_close(change[0]["list"][0], 2 * T.sum())
    assert_close(ft.jvp(np.sin, [X], [T])[1], np.cos(X) * T)


def test_auxiliary_results_pass() -> None:
    value, change, aux = ft.jvp(lambda x: (x * x, {"count": 3, "x": x}), (X,), (T,), has_aux=True)
    assert_close(value, X * X)
    assert_close(change, 2 * X * T)
    assert aux["count"] == 3
    assert_close(aux["x"], X)


@pytest.mark.parametrize("none", [None, 0, np.zeros(2, np.int64), np.zeros(2), np.zeros(2, bool)])
def test_integers_do_not_vary(none: Any) -> None:
    n = 5 if np.ndim(none) == 0 else np.array([5, 7])
    value, change = ft.jvp(lambda x, n: (x * n, n + 1, x > 0), (0.5, n), (2.0, none))
    assert_close(value[0], 0.5 * n)
    assert_close(change[0], np.float64(2.0) * n)
    assert_close(change[1], np.zeros(np.shape(n)))
    assert_close(change[2], np.float64(0))


def test_constant_results_have_zero_tangents() -> None:
    _, change = ft.jvp(lambda x: (1.0, np.arange(3), np.float32(2), np.round(x)), (X,), (T,))
    for got, wanted in zip(change, (0.0, np.zeros(3), np.float32(0), np.zeros_like(X)), strict=True):
        assert_close(got, wanted)


def test_a_closed_over_primal_is_constant() -> None:
    """f(y) = x y at y = x: the derivative is x, not 2 x; in a trace, where x is the very node it is called at."""
    assert ft.jvp(lambda x: ft.jvp(lambda y: x * y, (x,), (1.0,))[1], (3.0,), (0.0,))[0] == 3.0
    assert ft.jit(lambda x: ft.jvp(lambda y: x * y, (x,), (1.0,)))(3.0) == (9.0, 3.0)


def test_zero_tangents_cost_nothing() -> None:
    """A tangent known to be zero leaves no operation behind."""

    def f(a: Any, b: Any) -> Any:
        return np.sin(a) * np.exp(b) + b

    pushed = ft.make_graph(lambda a, b, t: ft.jvp(f, (a, b), (fnp.zeros_like(a), t))[1])(X, X, T).ops()
    assert "COS" not in pushed and pushed["SIN"] == 1
    idle = ft.make_graph(lambda n, a: ft.jvp(lambda n, a: n % 3, (n, a), (None, a))[1])(np.arange(3), X).ops()
    assert set(idle) <= {"CONST", "EXPAND", "RESHAPE"}


def test_detach_stops() -> None:
    assert ft.jvp(lambda x: ft.Tensor.detach(x) * x, (3.0,), (1.0,)) == (9.0, 3.0)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.complex64, np.complex128])
def test_every_dtype_keeps_itself(dtype: Any) -> None:
    x, t = X.astype(dtype), T.astype(dtype)
    value, change = ft.jvp(lambda x: x * x + x.sum(), (x,), (t,))
    assert value.dtype == change.dtype == dtype
    tolerance = 1e-14 if dtype is np.complex128 else 2e-2 if dtype is np.float16 else 1e-5
    assert_close(change, (2 * x * t + t.sum()).astype(dtype), tolerance)


def test_holomorphic() -> None:
    z, t = X + 1j * T, T - 0.5j * X
    assert_close(ft.jvp(lambda z: np.exp(z) * np.sin(z), (z,), (t,))[1], np.exp(z) * (np.sin(z) + np.cos(z)) * t)
    assert_close(ft.jvp(lambda z: z**3 / (z + 2), (z,), (t,))[1], (2 * z + 6) * z * z / (z + 2) ** 2 * t)
    assert_close(ft.jvp(np.abs, (z,), (t,))[1], np.real(np.conj(z) * t) / np.abs(z))
    assert_close(ft.jvp(lambda z: z.real * z.imag, (z,), (t,))[1], t.real * z.imag + z.real * t.imag)


# kinks


KINKS: list[tuple[str, Callable[[Any], Any], float, float]] = [
    ("abs", np.abs, 0.0, 1.0), ("relu", lambda x: np.maximum(x, 0.0), 0.0, 0.5),
    ("tie", lambda x: np.minimum(x, 3 * x), 0.0, 2.0), ("sqrt", np.sqrt, 0.0, np.inf),
    ("norm", lambda x: np.sqrt(x * x), 0.0, np.nan), ("constant power", lambda x: x**0, 0.0, 0.0),
    ("square", lambda x: x**2, 0.0, 0.0), ("floor", np.floor, 1.0, 0.0), ("sign", np.sign, 0.0, 0.0),
    ("max of equals", lambda x: np.max(np.stack([x, 2 * x, x - 1]) * 1.0), 0.0, 1.5),
    ("where", lambda x: np.where(x > 0, np.sqrt(x), 0.0), 0.0, 0.0),
    ("where of log", lambda x: np.where(x > 0, x * np.log(x), 0.0), 0.0, 0.0),
    ("clip inside", lambda x: np.clip(x, -1, 1), 0.5, 1.0), ("clip outside", lambda x: np.clip(x, -1, 1), 2.0, 0.0),
    ("remainder", lambda x: x % 2.0, 3.0, 1.0), ("arctan2", lambda x: np.arctan2(x, 1.0), 0.0, 1.0),
    ("nan", lambda x: np.maximum(x, 0.0), np.nan, 1.0),
]  # fmt: skip


@pytest.mark.parametrize("f, x, slope", [k[1:] for k in KINKS], ids=[k[0] for k in KINKS])
def test_kinks(f: Callable[[Any], Any], x: float, slope: float) -> None:
    assert_close(tangent(f, x, 1.0), np.float64(slope))


def test_nothing_of_the_branch_not_taken_gets_through() -> None:
    """Infinite and NaN tangents of the other branch, elementwise and in a reduction after it."""
    x = np.array([-1.0, 0.0, 4.0])
    safe = tangent(lambda x: np.where(x > 0, np.sqrt(x), x), x, np.ones(3))
    assert_close(safe, np.array([1.0, 1.0, 0.25]))
    assert_close(tangent(lambda x: np.where(x > 0, 1 / x, 0.0).sum(), x, np.ones(3)), np.float64(-1 / 16))


# reductions, running reductions, updates


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "f", [np.prod, np.cumprod, lambda x: np.prod(x.reshape(2, 2), axis=0)], ids=["prod", "cumprod", "columns"]
)
def test_products_with_zeros(zeros: int, f: Callable[..., Any]) -> None:
    """First and second derivatives, where no division by an element would do."""
    x = np.array([0.5, -2.0, 3.0, 1.5])
    x[:zeros] = 0.0
    t, s = np.array([1.0, 2.0, -1.0, 0.5]), np.array([-0.5, 1.0, 2.0, 3.0])
    assert_close(tangent(f, x, t), complex_step(f, (x,), (t,)))
    assert_close(second(f, x, t, s), differenced(f, x, t, s), 1e-10)


@pytest.mark.parametrize("axis", [0, 1, None, (0, 1)])
def test_extrema_share_ties(axis: Any) -> None:
    x = np.array([[1.0, 2.0, 2.0], [2.0, -1.0, 2.0]])
    t = np.array([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
    for f in (np.max, np.min):
        hit = x == f(x, axis=axis, keepdims=True)
        assert_close(tangent(lambda x: f(x, axis=axis), x, t), (t * hit).sum(axis) / hit.sum(axis))


def test_running_extrema() -> None:
    x = np.array([1.0, 3.0, 2.0, 3.0, 5.0, 4.0])
    t = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    assert_close(tangent(np.maximum.accumulate, x, t), np.array([1.0, 2.0, 2.0, 5.0, 16.0, 16.0]))
    assert_close(tangent(np.minimum.accumulate, -x, t), np.array([1.0, 2.0, 2.0, 5.0, 16.0, 16.0]))


def test_nan_owns_an_extremum() -> None:
    x, t = np.array([[1.0, np.nan, 3.0], [1.0, 2.0, 3.0]]), np.array([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0]])
    assert_close(tangent(lambda x: np.max(x, axis=1), x, t), np.array([2.0, 4.0]))


PLACES = np.array([2, 0, 2, 3, 2])
BASE = np.array([1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize("mode", ["set", "add", "multiply", "min", "max"])
@pytest.mark.parametrize("traced", [False, True])
def test_updates(mode: str, traced: bool) -> None:
    """Duplicates in order, with constant indices and with computed ones."""
    value = np.array([0.5, 1.5, 3.5, -1.0, 2.5])
    tb, tv = np.array([1.0, 2.0, 4.0, 8.0]), np.array([16.0, 32.0, 64.0, 128.0, 256.0])

    def pushed(i: Any, b: Any, v: Any, s: Any, t: Any) -> Any:
        return ft.jvp(lambda b, v: at(b, i if traced else PLACES, mode, v), (b, v), (s, t))

    got = interpreted(pushed, PLACES, BASE, value, tb, tv)
    assert_close(got[0], at(BASE, PLACES, mode, value))
    assert_close(got[1], complex_step(lambda b, v: at(b, PLACES, mode, v), (BASE, value), (tb, tv)))


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("zeros", [(), (0,), (0, 2), (0, 2, 4), (3,)])
def test_updates_by_factors_with_zeros(zeros: tuple[int, ...], traced: bool) -> None:
    """First and second derivatives of x.at[i].multiply(v), i with duplicates and v with zeros."""
    value = np.array([0.5, 1.5, 3.5, -1.0, 2.5])
    value[list(zeros)] = 0.0
    t, s = RNG.normal(size=9), RNG.normal(size=9)
    x = np.concatenate([BASE, value])

    def f(x: Any, i: Any = PLACES) -> Any:
        return at(x[:4], i, "multiply", x[4:])

    def g(x: Any, i: Any) -> Any:
        return ft.jvp(lambda x: ft.jvp(lambda x: f(x, i if traced else PLACES), (x,), (t,))[1], (x,), (s,))

    first, both = interpreted(g, x, PLACES)
    assert_close(first, complex_step(f, (x,), (t,)))
    assert_close(both, differenced(f, x, t, s), 1e-10)


@pytest.mark.parametrize("mode", ["set", "add", "multiply", "min", "max"])
def test_writes_out_of_range_have_no_tangent(mode: str) -> None:
    def f(x: Any, i: Any) -> Any:
        return ft.jvp(lambda x: getattr(x.at[i], mode)(x[0] * 0.5), (x,), (np.ones(3),))

    value, change = interpreted(f, np.array([4.0, 5.0, 6.0]), np.array([7, -9, 3]))
    assert_close(value, np.array([4.0, 5.0, 6.0]))
    assert_close(change, np.ones(3))


def test_reads_at_computed_places() -> None:
    x, t, i = RNG.normal(size=5), RNG.normal(size=5), np.array([0, 3, 3, -1])
    value, change = ft.jvp(lambda x, i: x[i] * x[0], (x, i), (t, None))
    assert_close(value, x[i] * x[0])
    assert_close(change, t[i] * x[0] + x[i] * t[0])


# derivatives of derivatives


def test_third_derivative() -> None:
    def derivative(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: ft.jvp(f, (x,), (1.0,))[1]

    f = derivative(derivative(derivative(lambda x: np.sin(2 * x) * x)))
    assert_close(f(0.3), -8 * 0.3 * np.cos(0.6) - 12 * np.sin(0.6))


def test_columns_of_a_jacobian_by_a_map() -> None:
    """The rows of the identity as a batch of tangents."""

    def f(x: Any) -> Any:
        return np.concatenate([x[1:] * x[:-1], np.sum(x * x).reshape(1)])

    x = RNG.normal(size=4)
    got = ft.vmap(lambda t: ft.jvp(f, (x,), (t,))[1], out_axis=1)(np.eye(4))
    wanted = np.vstack([np.eye(4, k=1)[:3] * x[:3, None] + np.eye(4)[:3] * x[1:, None], 2 * x])
    assert_close(got, wanted)


def test_jit_in_and_around() -> None:
    f = ft.jit(lambda x: np.sin(x) * x.sum())
    wanted = np.cos(X) * T * X.sum() + np.sin(X) * T.sum()
    assert_close(ft.jvp(f, (X,), (T,))[1], wanted)
    assert_close(ft.jit(lambda x, t: ft.jvp(f, (x,), (t,)))(X, T)[1], wanted)
