"""Functions as primitives of JAX: the numbers and derivatives of functrans itself, in any word of JAX's transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import DtypeError

jax = pytest.importorskip("jax")
jnp = jax.numpy

pytestmark = pytest.mark.usefixtures("compiler")
X = np.random.default_rng(0).uniform(0.5, 1.5, (3, 4))


@pytest.fixture(autouse=True)
def wide() -> Any:
    with jax.enable_x64(True):
        yield


def f(x: Any, y: Any) -> Any:
    return np.sin(x * y) + (x * y).sum()


def test_values_are_those_of_functrans() -> None:
    g = ft.jax.wrap(f)
    want = ft.jit(f)(X, X[0])
    assert (g(X, X[0]) == want).all()
    assert (jax.jit(g)(X, X[0]) == want).all()


def test_pytrees_and_keywords_go_in_and_out() -> None:
    def of(d: Any, k: Any) -> Any:
        return {"a": d["x"] * k, "b": (d["x"].sum(), d["n"] + 1)}

    found = jax.jit(ft.jax.wrap(of))({"x": X, "n": np.arange(3)}, k=2.0)
    assert (found["a"] == 2 * X).all()
    assert np.allclose(found["b"][0], X.sum())
    assert found["b"][1].tolist() == [1, 2, 3]
    assert found["b"][1].dtype == np.int64


WORDS = {
    "jvp": lambda g: lambda x, y: jax.jvp(g, (x, y), (jnp.cos(x), y * y)),
    "half a jvp": lambda g: lambda x, y: jax.jvp(lambda x: g(x, y), (x,), (jnp.cos(x),)),
    "grad": lambda g: jax.grad(lambda x, y: g(x, y).sum(), (0, 1)),
    "vjp": lambda g: lambda x, y: jax.vjp(g, x, y)[1](jnp.cos(x)),
    "vmap": lambda g: jax.vmap(g, (0, None)),
    "vmap of the other axis": lambda g: jax.vmap(g, (1, 0), 1),
    "vmap of grad": lambda g: jax.vmap(jax.grad(lambda x, y: g(x, y).sum()), (0, None)),
    "grad of vmap": lambda g: jax.grad(lambda x, y: jax.vmap(g, (0, None))(x, y).sum(), (0, 1)),
    "hessian": lambda g: jax.hessian(lambda y, x: g(x, y).sum()),
    "jacrev of jacfwd": lambda g: jax.jacrev(jax.jacfwd(g, 1), 0),
    "linearize": lambda g: lambda x, y: jax.linearize(g, x, y)[1](x, y),
    "nested vmap": lambda g: jax.vmap(jax.vmap(g, (0, 0)), (0, None)),
    "scan": lambda g: lambda x, y: jax.lax.scan(lambda c, r: (g(c, r), c.sum()), y, x),
    "grad of scan": lambda g: jax.grad(lambda x, y: jax.lax.scan(lambda c, r: (g(c, r), c.sum()), y, x)[0].sum()),
}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("jit", [False, True])
def test_words_of_transforms_agree_with_jax(word: str, jit: bool) -> None:
    def of_jax(x: Any, y: Any) -> Any:
        return jnp.sin(x * y) + (x * y).sum()

    args = (X[0], X) if word == "hessian" else (X, X[0])
    transform = WORDS[word]
    run = jax.jit if jit else lambda g: g
    found, want = (jax.tree.leaves(run(transform(g))(*args)) for g in (ft.jax.wrap(f), of_jax))
    assert len(found) == len(want)
    for a, b in zip(found, want, strict=True):
        assert a.shape == b.shape
        assert np.allclose(a, b, rtol=1e-12, atol=1e-12)


def test_integers_have_no_derivative() -> None:
    g = ft.jax.wrap(lambda x, n: (x * n, n + 1))
    value, tangent = jax.jvp(lambda x: g(x, np.arange(4)), (X[0],), (X[1],))
    assert np.allclose(tangent[0], X[1] * np.arange(4))
    assert tangent[1].dtype == jax.dtypes.float0
    assert value[1].tolist() == [1, 2, 3, 4]


def test_captured_arrays_and_intermediate_ones() -> None:
    weights = np.random.default_rng(1).normal(size=(4, 50))

    def layers(x: Any) -> Any:
        return np.tanh(np.tanh(x @ weights) @ weights.T) @ weights

    assert (jax.jit(ft.jax.wrap(layers))(X) == ft.jit(layers)(X)).all()


def test_what_needs_lapack_goes_through_python() -> None:
    a = np.eye(60) * 3 + np.random.default_rng(2).uniform(-1, 1, (60, 60)) / 60
    g = ft.jax.wrap(np.linalg.solve)
    b = np.arange(60.0)
    assert np.allclose(jax.jit(g)(a, b), np.linalg.solve(a, b))
    assert np.allclose(jax.grad(lambda b: g(a, b).sum())(b), np.linalg.solve(a.T, np.ones(60)))


def test_matrices_that_are_refused_end_the_computation() -> None:
    g = ft.jax.wrap(np.linalg.inv)
    with pytest.raises(Exception, match="matrix is singular"):
        jax.block_until_ready(jax.jit(g)(np.zeros((3, 3))))


def test_results_of_64_bits_are_refused_where_jax_has_none() -> None:
    g = ft.jax.wrap(lambda x: x + np.arange(3.0))
    with jax.enable_x64(False):
        with pytest.raises(DtypeError, match="jax_enable_x64"):
            g(jnp.zeros(3))
        found = ft.jax.wrap(lambda x: x * 2.0 + 1)(jnp.zeros(3))
    assert found.dtype == np.float32


def test_what_is_not_linear_is_not_transposed() -> None:
    with pytest.raises(ft.UnsupportedError, match="not linear"):
        jax.linear_transpose(ft.jax.wrap(lambda x: x * x), X)(X)


def test_empty_arrays_and_numbers() -> None:
    g = ft.jax.wrap(lambda x, k: (x * k).sum(0))
    assert g(np.zeros((0, 3)), 2.0).shape == (3,)
    assert (g(np.ones((2, 3)), 2.0) == 4).all()
