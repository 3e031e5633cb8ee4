"""Hessians of functions of few arguments with long sums of products: products with tangents, not a pass backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.ops.uop import toposort

RNG = np.random.default_rng(11)
N = 13  # terms of a sum: more than four times the elements of most arguments here
W, V, U = (RNG.normal(size=s) / 3 for s in ((N, 2), (N, N), (3, N)))
X = RNG.normal(size=2)


def network(x: Any) -> Any:
    return np.tanh(V @ np.sin(W @ x))


def mapped(x: Any) -> Any:
    """Sums of products inside of a map, over which the result is summed."""
    return ft.vmap(lambda p: np.exp(0.1 * (V[0] @ np.tanh(V @ np.sin(W @ x + p)))))(np.linspace(0.0, 1.0, 5)).sum()


def of_both(x: Any) -> Any:
    """Both factors vary, and so does what is squared."""
    h = np.sin(W @ x)
    return (V @ h) @ np.cos(h) + (np.tanh(V @ h) @ h) ** 2


def chosen(x: Any) -> Any:
    """The sum has an infinite tangent where it does not count."""
    y = V[0] @ np.sqrt(np.abs(W @ x))
    return fnp.where(x[0] > 0, np.exp(y), x[1] ** 2)


FUNCTIONS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "scalar": (lambda x: U[0] @ network(x), X),
    "several results": (lambda x: {"a": U @ network(x), "b": network(x).sum() ** 2}, X),
    "one element": (lambda x: np.exp(V[0] @ np.tanh(V @ np.sin(W[:, 0] * x))), 0.3),
    "a matrix": (lambda x: np.sum(np.tanh(V @ np.sin(W @ x))), RNG.normal(size=(2, 1))),
    "in a map": (mapped, X),
    "both factors": (of_both, X),
    "sum by its own": (lambda x: np.log(1 + (V @ np.sin(W @ x)).sum() ** 2), X),
    "two leaves": (lambda p: U[0] @ network(fnp.stack([p["a"], p["b"][0]])) * p["a"], {"a": 0.3, "b": (-0.7,)}),
    "a leaf that no sum knows": (lambda p: U[0] @ network(p[0] * W[0]) + p[1] ** 3 * p[0], (0.3, 0.4)),
    "float32": (lambda x: (V.astype(np.float32) @ np.sin(W.astype(np.float32) @ x)) @ U[0], X.astype(np.float32)),
    "integers": (lambda x: np.exp((V @ np.sin(W @ x)) @ np.arange(N) / 50), X),
    "chosen": (chosen, X * np.array([-1.0, 1.0])),
    "linear": (lambda x: U @ (V @ (W @ x)), X),
}


def stops(f: Callable[..., Any], x: Any) -> bool:
    """Whether the Hessian is not that of forward over reverse."""
    second, usual = (len(toposort(ft.make_graph(g)(x).outputs)) for g in (ft.hessian(f), ft.jacfwd(ft.jacrev(f))))
    return second != usual


@pytest.mark.parametrize("name", FUNCTIONS)
def test_forward_over_reverse_gives_the_same(name: str) -> None:
    f, x = FUNCTIONS[name]
    assert stops(f, x)
    found, want = ft.hessian(f)(x), ft.jacfwd(ft.jacrev(f))(x)
    leaves, structure = ft.tree.flatten(found)
    others, wanted = ft.tree.flatten(want)
    assert structure == wanted
    for a, b in zip(leaves, others, strict=True):
        assert np.shape(a) == np.shape(b)
        assert a.dtype == b.dtype
        near = 1e-10 if a.dtype == np.float64 else 1e-4
        np.testing.assert_allclose(a, b, rtol=near, atol=near)


@pytest.mark.parametrize("name", ["scalar", "in a map", "both factors", "chosen"])
def test_under_maps_and_compiled(name: str) -> None:
    f, _ = FUNCTIONS[name]
    rows = RNG.normal(size=(7, 2))
    want = [ft.hessian(f)(row) for row in rows]
    each = ft.vmap(ft.hessian(f))
    np.testing.assert_allclose(each(rows), want, rtol=1e-11, atol=1e-12)
    whole = np.asarray(ft.jit(each)(rows))
    np.testing.assert_allclose(whole, want, rtol=1e-11, atol=1e-12)
    assert all(np.array_equal(ft.jit(each)(rows[:k]), whole[:k]) for k in (1, 3))


def test_weights_of_a_map_around_it() -> None:
    x, w = RNG.normal(size=(3, 2)), RNG.normal(size=(3, N))

    def second(derivative: Callable[..., Any]) -> Callable[..., Any]:
        return ft.vmap(lambda x, w: derivative(lambda z: w @ np.tanh(V @ (w * np.sin(W @ z))))(x))

    want = second(lambda f: ft.jacfwd(ft.jacrev(f)))(x, w)
    np.testing.assert_allclose(second(ft.hessian)(x, w), want, rtol=1e-10, atol=1e-11)


def test_derivatives_of_it() -> None:
    f, _ = FUNCTIONS["scalar"]
    third = ft.jacfwd(ft.hessian(f))(X)
    np.testing.assert_allclose(third, ft.jacfwd(ft.jacfwd(ft.jacfwd(f)))(X), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(ft.jacrev(ft.hessian(f))(X), third, rtol=1e-9, atol=1e-10)


def test_arguments_and_auxiliary_results() -> None:
    def f(s: Any, x: Any, k: Any) -> Any:
        return s * (fnp.asarray(U)[k] @ network(x)), {"x": x}

    found, aux = ft.hessian(f, (1, 0), has_aux=True)(2.0, X, 1)
    want, _ = ft.jacfwd(ft.jacrev(f, (1, 0), has_aux=True), (1, 0), has_aux=True)(2.0, X, 1)
    for row, other in zip(found, want, strict=True):
        for a, b in zip(row, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(aux["x"], X)


def test_where_sums_are_short_or_rules_are_given_it_is_forward_over_reverse() -> None:
    assert not stops(lambda x: U[0] @ np.tanh(V @ x), RNG.normal(size=N))
    assert not stops(lambda x: np.sum(x * x), X)
    f = ft.custom_jvp(lambda x: np.tanh(x))
    f.defjvp(lambda p, t: (np.tanh(p[0]), t[0] * (1 - np.tanh(p[0]) ** 2)))
    g = lambda x: U[0] @ f(V @ np.sin(W @ x))  # noqa: E731
    assert not stops(g, X)
    np.testing.assert_allclose(ft.hessian(g)(X), ft.hessian(FUNCTIONS["scalar"][0])(X), rtol=1e-10, atol=1e-11)


def test_the_second_derivative_of_tanh_is_exact_near_zero() -> None:
    x = np.array([1e-10, 1e-3, 0.5, 3.0])
    want = -2 * np.tanh(x) / np.cosh(x) ** 2
    np.testing.assert_allclose(ft.vmap(ft.grad(ft.grad(np.tanh)))(x), want, rtol=1e-13)
