"""vjp and linearize: structures, integers, what is stored, what is refused, and use inside of every transform."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.laws.references import assert_close

RNG = np.random.default_rng(5)
X, Y, C = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
Pair = namedtuple("Pair", "left right")


def test_value_and_pullback() -> None:
    value, pullback = ft.vjp(np.sin, X)
    assert type(value) is np.ndarray
    assert_close(value, np.sin(X))
    (back,) = pullback(C)
    assert type(back) is np.ndarray
    assert_close(back, np.cos(X) * C)
    assert_close(pullback(2 * C)[0], 2 * np.cos(X) * C)


def test_scalars() -> None:
    value, pullback = ft.vjp(lambda x, y: x * y, 2.0, np.float64(3.0))
    back = pullback(10.0)
    assert type(value) is np.float64 and [type(b) for b in back] == [np.float64, np.float64]
    assert back == (30.0, 20.0)
    assert pullback(1) == (3.0, 2.0)


def test_tensors_in_tensors_out() -> None:
    value, pullback = ft.vjp(np.sin, ft.Tensor(X))
    assert type(value) is ft.Tensor
    assert type(pullback(ft.Tensor(C))[0]) is ft.Tensor
    assert_close(pullback(C)[0], np.cos(X) * C)


def test_structures() -> None:
    def f(state: Any, scale: Any) -> Any:
        return {"out": Pair(state["a"] * scale, None), "list": [state["b"][0].sum()]}, ()

    state = {"a": X, "b": (Y, None)}
    value, pullback = ft.vjp(f, state, 2.0)
    assert type(value[0]["out"]) is Pair
    of_state, of_scale = pullback(({"out": Pair(C, None), "list": [3.0]}, ()))
    assert_close(of_state["a"], 2 * C)
    assert_close(of_state["b"][0], np.full_like(Y, 3.0))
    assert of_state["b"][1] is None
    assert_close(of_scale, (X * C).sum())


def test_auxiliary_results_pass() -> None:
    value, pullback, aux = ft.vjp(lambda x: (x * x, {"n": 3, "x": x}), X, has_aux=True)
    assert_close(value, X * X)
    assert_close(pullback(C)[0], 2 * X * C)
    assert aux["n"] == 3
    assert_close(aux["x"], X)
    _, f_jvp, aux = ft.linearize(lambda x: (x * x, x + 1), X, has_aux=True)
    assert_close(f_jvp(C), 2 * X * C)
    assert_close(aux, X + 1)


def test_integers_do_not_vary() -> None:
    def f(n: Any, x: Any) -> Any:
        return x * n, n + 1, x > 0

    (_, count, positive), pullback = ft.vjp(f, np.array([2, 3]), 0.5)
    assert (count.dtype, positive.dtype) == (np.int64, np.bool_)
    for ignored in (None, np.ones(2), np.array([1, 2])):
        of_n, of_x = pullback((np.array([1.0, 10.0]), ignored, None))
        assert_close(of_n, np.zeros(2))
        assert_close(of_x, np.float64(32.0))
    _, f_jvp = ft.linearize(f, np.array([2, 3]), 0.5)
    tangent = f_jvp(None, 1.0)
    assert_close(tangent[0], np.array([2.0, 3.0]))
    assert_close(tangent[1], np.zeros(2))
    assert_close(tangent[2], np.float64(0.0))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64, np.complex128])
def test_dtypes_stay(dtype: Any) -> None:
    x = np.array([1.0, 2.0], dtype)
    value, pullback = ft.vjp(lambda x: x * x, x)
    (back,) = pullback(np.ones(2, dtype))
    assert value.dtype == back.dtype == dtype
    assert_close(back, 2 * x)


def test_a_result_that_varies_not() -> None:
    _, pullback = ft.vjp(lambda x, y: (x, 1.0, np.arange(2.0)), X, Y)
    of_x, of_y = pullback((C, 1.0, np.ones(2)))
    assert_close(of_x, C)
    assert_close(of_y, np.zeros_like(Y))


def test_the_same_argument_twice_and_the_same_result_twice() -> None:
    _, pullback = ft.vjp(lambda x: (x, x, x * x), X)
    assert_close(pullback((C, 2 * C, C))[0], 3 * C + 2 * X * C)


def test_a_closed_over_primal_is_constant() -> None:
    assert ft.grad(lambda x: x * ft.vjp(lambda y: x * y, x)[1](1.0)[0])(3.0) == 6.0
    assert ft.jit(lambda x: ft.vjp(lambda y: x * y, x)[1](1.0))(3.0) == (3.0,)


def test_the_point_is_kept_when_the_argument_changes() -> None:
    x = X.copy()
    _, pullback = ft.vjp(lambda x: x * x, x)
    _, f_jvp = ft.linearize(lambda x: x * x, x)
    x[:] = 0.0
    assert_close(pullback(C)[0], 2 * X * C)
    assert_close(f_jvp(C), 2 * X * C)


def test_the_function_is_run_once() -> None:
    calls = []

    def f(x: Any) -> Any:
        calls.append(x)
        return np.exp(x).sum()

    _, pullback = ft.vjp(f, X)
    _, f_jvp = ft.linearize(f, X)
    for _ in range(3):
        pullback(1.0)
        f_jvp(X)
    assert len(calls) == 2


def test_what_is_stored_is_not_computed_again() -> None:
    """The graph of a pullback reads the exponentials; inside brackets too, one for every element of the batch."""
    for f in (lambda x: np.exp(x) * 2.0, ft.vmap(lambda row: np.exp(row) * row.sum())):
        _, pullback = ft.vjp(f, X)
        ops = ft.make_graph(lambda c, pullback=pullback: pullback(c)[0])(C).ops()  # type: ignore[misc]
        assert "EXP" not in ops and ops["BUFFER"] >= 1
    _, pullback = ft.vjp(lambda x: np.broadcast_to(x, (5, 3, 4)) * np.ones((5, 1, 1)), X)
    assert "EXP" not in ft.make_graph(lambda c: pullback(c)[0])(np.ones((5, 3, 4))).ops()


def test_maps_of_a_pullback() -> None:
    _, pullback = ft.vjp(lambda x: np.sin(x).sum(axis=1), X)
    rows = ft.vmap(pullback)(np.eye(3))[0]
    assert_close(rows, np.eye(3)[:, :, None] * np.cos(X))
    _, f_jvp = ft.linearize(lambda x: np.sin(x).sum(axis=1), X)
    columns = ft.vmap(f_jvp)(np.eye(12).reshape(12, 3, 4))
    assert_close(columns.T.reshape(3, 3, 4), rows)


def test_a_pullback_is_differentiated() -> None:
    """It is linear in the cotangent; inside of a function, its derivative by the point is the second derivative."""
    _, pullback = ft.vjp(np.sin, X)
    assert_close(ft.jvp(lambda c: pullback(c)[0], (C,), (Y,))[1], np.cos(X) * Y)
    assert_close(ft.vjp(lambda c: pullback(c)[0], C)[1](Y)[0], np.cos(X) * Y)
    assert_close(ft.jvp(lambda x: ft.vjp(np.sin, x)[1](C)[0], (X,), (Y,))[1], -np.sin(X) * Y * C)
    assert_close(ft.vjp(lambda x: ft.vjp(np.sin, x)[1](C)[0], X)[1](Y)[0], -np.sin(X) * Y * C)


def test_linearize_inside() -> None:
    def f(x: Any) -> Any:
        value, f_jvp = ft.linearize(lambda y: y**3, x)
        return value + f_jvp(x)

    assert_close(ft.jit(f)(X), 4 * X**3)
    assert_close(ft.vmap(f)(X), 4 * X**3)
    assert_close(ft.grad(lambda x: f(x).sum())(X), 12 * X**2)


def test_jit_outside_and_inside() -> None:
    f = ft.jit(lambda x: np.sin(x) * x.sum())
    by_hand = np.cos(X) * X.sum() * C + (np.sin(X) * C).sum()
    assert_close(ft.vjp(f, X)[1](C)[0], by_hand)
    assert_close(ft.jit(lambda x, c: ft.vjp(f, x)[1](c)[0])(X, C), by_hand)
    assert_close(ft.jit(ft.vjp(f, X)[1])(C)[0], by_hand)


def test_values_of_a_sparse_jacobian() -> None:
    jacobian = ft.spjacobian(lambda x: np.sin(x[1:]) * x[:-1])
    x = np.array([0.3, -0.5, 0.7, 1.1])
    value, pullback = ft.vjp(jacobian.values, x)
    c = RNG.normal(size=value.shape)
    t = RNG.normal(size=4)
    tangent = ft.jvp(jacobian.values, (x,), (t,))[1]
    np.testing.assert_allclose(pullback(c)[0] @ t, c @ tangent, rtol=1e-13)
    assert tangent.any()


def test_a_pullback_that_leaves_its_trace_is_refused() -> None:
    kept: list[Any] = []
    ft.jit(lambda x: kept.append(ft.vjp(np.sin, x)[1]) or x)(X)
    with pytest.raises(ft.LeakedValueError):
        kept[0](C)


ERRORS: dict[str, tuple[Any, type[Exception], str]] = {
    "no function": (lambda: ft.vjp(3, X), TypeError, "vjp differentiates a function, but got 3 of type int"),
    "no array": (lambda: ft.vjp(np.sin, "x"), TypeError, r"argument primals\[0\] of vjp of sin is 'x' of type str"),
    "shape": (
        lambda: ft.vjp(lambda x: x, X)[1](np.ones(2)), ValueError,
        r"got float64\[2\], but expected float64\[3,4\] because the corresponding output of the function <lambda> had",
    ),
    "dtype": (
        lambda: ft.vjp(lambda x: x, X)[1](C.astype(np.float32)), TypeError,
        r"got float32\[3,4\], but expected float64\[3,4\] because the corresponding output",
    ),
    "complex": (lambda: ft.vjp(lambda x: x, 1.0)[1](1j), TypeError, r"got complex128\[\], but expected float64\[\]"),
    "structure": (
        lambda: ft.vjp(lambda x: (x, {"a": x}), X)[1]((C, C)), TypeError,
        r"unexpected tree structure of argument to vjp function: got \(\*, \*\), but expected to match",
    ),
    "none": (lambda: ft.vjp(lambda x: (x, x), 1.0)[1]((1.0, None)), TypeError, r"result\[1\] of the argument to vjp"),
    "leaf": (lambda: ft.vjp(lambda x: x, 1.0)[1]("a"), TypeError, "'a' of type str"),
    "result": (lambda: ft.vjp(lambda x: "a", 1.0), TypeError, "'a' of type str"),
    "aux": (lambda: ft.vjp(lambda x: x, 1.0, has_aux=True), TypeError, "must return"),
    "tangents": (lambda: ft.linearize(np.sin, X)[1](), TypeError, "unexpected tree structure of argument to linearize"),
    "tangent": (
        lambda: ft.linearize(np.sin, X)[1](np.ones(2)), ValueError,
        r"at primals\[0\]: got float64\[2\], but expected float64\[3,4\]",
    ),
    "int primal": (lambda: ft.linear_transpose(lambda x: x, 3), TypeError, r"primals\[0\] has dtype int64"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    call, kind, text = ERRORS[name]
    with pytest.raises(kind, match=text) as caught:
        call()
    assert isinstance(caught.value, ft.FunctransError)
    assert "test_vjp.py" in str(caught.value)
