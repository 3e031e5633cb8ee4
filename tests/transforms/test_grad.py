"""grad, Jacobians and Hessians: argnums, auxiliary results, pytrees, kwargs, complex numbers, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.laws.references import assert_close

RNG = np.random.default_rng(6)
X, Y, M = RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=(2, 3))


def product(x: Any, y: Any, scale: Any = 1.0) -> Any:
    return (np.sin(x) * y).sum() * scale


def test_argnums() -> None:
    assert_close(ft.grad(product)(X, Y), np.cos(X) * Y)
    assert_close(ft.grad(product, 1)(X, Y), np.sin(X))
    assert_close(ft.grad(product, -1)(X, Y), np.sin(X))
    both = ft.grad(product, (1, 0))(X, Y)
    assert type(both) is tuple
    assert_close(both[0], np.sin(X))
    assert_close(both[1], np.cos(X) * Y)
    assert type(ft.grad(product, [0])(X, Y)) is tuple


def test_keyword_arguments_are_not_differentiated() -> None:
    assert_close(ft.grad(product)(X, Y, scale=2.0), 2 * np.cos(X) * Y)
    assert_close(ft.jacrev(product)(X, y=Y, scale=2.0), 2 * np.cos(X) * Y)


def test_value_and_grad() -> None:
    value, gradient = ft.value_and_grad(product, (0, 1))(X, Y)
    assert type(value) is np.float64
    assert_close(value, product(X, Y))
    assert_close(gradient[1], np.sin(X))


def test_auxiliary_results() -> None:
    def f(x: Any) -> Any:
        return (x * x).sum(), {"x": x}

    gradient, aux = ft.grad(f, has_aux=True)(X)
    assert_close(gradient, 2 * X)
    assert_close(aux["x"], X)
    (value, aux), gradient = ft.value_and_grad(f, has_aux=True)(X)
    assert_close(value, (X * X).sum())
    assert_close(aux["x"], X)
    for jacobian in (ft.jacfwd, ft.jacrev):
        found, aux = jacobian(f, has_aux=True)(X)
        assert_close(found, 2 * X)
        assert_close(aux["x"], X)
    found, aux = ft.hessian(f, has_aux=True)(X)
    assert_close(found, 2 * np.eye(3))
    assert_close(aux["x"], X)


def test_pytrees() -> None:
    def f(p: Any) -> Any:
        return (p["w"] @ p["x"][0]).sum()

    p = {"w": M, "x": (X, None)}
    gradient = ft.grad(f)(p)
    assert_close(gradient["w"], np.broadcast_to(X, (2, 3)).copy())
    assert_close(gradient["x"][0], M.sum(0))
    assert gradient["x"][1] is None


@pytest.mark.parametrize("jacobian", [ft.jacfwd, ft.jacrev])
def test_jacobians_of_pytrees(jacobian: Any) -> None:
    def f(p: Any, y: Any) -> Any:
        return {"a": p["w"] @ y, "b": (p["s"] * y.sum(),)}

    p = {"w": M, "s": 2.0}
    found = jacobian(f)(p, Y)
    assert_close(found["a"]["w"], np.einsum("ij,k->ijk", np.eye(2), Y))
    assert_close(found["a"]["s"], np.zeros(2))
    assert_close(found["b"][0]["s"], Y.sum())
    assert_close(found["b"][0]["w"], np.zeros((2, 3)))
    several = jacobian(f, argnums=(1, 0))(p, Y)
    assert type(several["a"]) is tuple
    assert_close(several["a"][0], M)
    assert_close(several["b"][0][0], np.full(3, 2.0))
    assert_close(several["a"][1]["w"], found["a"]["w"])


@pytest.mark.parametrize("jacobian", [ft.jacfwd, ft.jacrev])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3, 4), (0,), (2, 0), (1, 1)])
def test_shapes(jacobian: Any, shape: tuple[int, ...]) -> None:
    x = RNG.normal(size=shape)
    found = jacobian(lambda x: np.sin(x) * 2)(x)
    wanted = np.diag((2 * np.cos(x)).reshape(-1)).reshape(shape + shape)
    assert_close(found, wanted if shape else np.float64(wanted))
    assert np.shape(jacobian(lambda x: x.sum())(x)) == shape


def test_hessians_of_several_arguments() -> None:
    found = ft.hessian(lambda x, y: x**2 * y**3, (0, 1))(2.0, 3.0)
    np.testing.assert_allclose(found, ((54.0, 108.0), (108.0, 72.0)))
    nested = ft.hessian(lambda p: p["a"] * p["b"] ** 2)({"a": 2.0, "b": 3.0})
    assert nested == {"a": {"a": 0.0, "b": 6.0}, "b": {"a": 6.0, "b": 4.0}}


def test_products_with_the_hessian() -> None:
    def f(x: Any, y: Any) -> Any:
        return (np.sin(x) * y).sum()

    v, w = RNG.normal(size=3), RNG.normal(size=3)
    assert_close(ft.hvp(f)(X, Y, v), -np.sin(X) * Y * v)
    assert_close(ft.hvp(f, 1)(X, Y, w), np.zeros(3))
    of_x, of_y = ft.hvp(f, (0, 1))(X, Y, (v, w))
    assert_close(of_x, -np.sin(X) * Y * v + np.cos(X) * w)
    assert_close(of_y, np.cos(X) * v)
    assert_close(ft.vmap(ft.hvp(f), in_axes=(None, None, 0))(X, Y, np.eye(3)), np.diag(-np.sin(X) * Y))


def test_complex_numbers() -> None:
    """The plain transpose, as in JAX: of |z|^2 the conjugate of 2 z; of a holomorphic function its derivative."""
    z = 1.0 + 2.0j
    assert ft.grad(lambda z: (z * np.conj(z)).real)(z) == 2.0 - 4.0j
    assert ft.grad(lambda z: z * z, holomorphic=True)(z) == 2.0 + 4.0j
    assert ft.jacrev(lambda z: z * z, holomorphic=True)(z) == ft.jacfwd(lambda z: z * z, holomorphic=True)(z)
    assert ft.grad(np.abs)(3.0 + 4.0j) == 0.6 - 0.8j
    assert ft.grad(np.abs)(0j) == 0.0


def test_ints_if_allowed() -> None:
    gradient = ft.grad(lambda n, x: n * x, (0, 1), allow_int=True)(3, 2.0)
    assert gradient == (0.0, 3.0)
    assert gradient[0].dtype == np.float64


def test_gradients_under_maps() -> None:
    rows = RNG.normal(size=(4, 3))
    assert_close(ft.vmap(ft.grad(lambda x: (x**3).sum()))(rows), 3 * rows**2)
    assert_close(ft.vmap(ft.grad(product), in_axes=(None, 0))(X, rows), np.cos(X) * rows)
    assert_close(ft.grad(lambda x: ft.vmap(lambda row: product(row, x))(rows).sum())(X), np.sin(rows).sum(0))
    per_row = ft.jit(ft.vmap(ft.value_and_grad(product), in_axes=(0, None)))(rows, Y)
    assert_close(per_row[1], np.cos(rows) * Y)


def test_names_and_results() -> None:
    assert ft.grad(product).__name__ == "product"
    assert type(ft.grad(lambda x: x * x)(2.0)) is np.float64
    assert type(ft.grad(lambda x: (x * x).sum())(ft.Tensor(X))) is ft.Tensor


ERRORS: dict[str, tuple[Any, str]] = {
    "vector": (lambda: ft.grad(lambda x: x)(X), r"Output had shape: \(3,\)\."),
    "pytree": (lambda: ft.grad(lambda x: (x, x))(1.0), "Gradient only defined for scalar-output functions"),
    "int argument": (lambda: ft.grad(lambda x: x * 1.0)(3), "grad requires real- or complex-valued .* but got int64"),
    "bool argument": (lambda: ft.grad(lambda x: x * 1.0)(True), "but got bool for x"),
    "int leaf": (lambda: ft.grad(lambda p: p["a"] * 1.0)({"a": 1}), r"but got int64 for p\['a'\]"),
    "int result": (lambda: ft.grad(lambda x: x.astype(int).sum())(X), "requires real-valued outputs, but got int64"),
    "complex result": (lambda: ft.grad(lambda z: z * z)(1j), "pass holomorphic=True"),
    "real argument": (lambda: ft.grad(lambda z: z * z, holomorphic=True)(1.0), "requires inputs with complex dtype"),
    "no argument": (lambda: ft.grad(product)(), "requires at least 1 positional arguments"),
    "argnums": (lambda: ft.grad(product, 2)(X, Y), "argnums=2 requires at least 3 positional arguments"),
    "float argnums": (lambda: ft.grad(product, 1.0), "expected an int or a tuple of ints"),  # type: ignore[arg-type]
    "jacfwd, int": (lambda: ft.jacfwd(np.sin)(3), "jacfwd requires real- or complex-valued inputs"),
    "jacfwd, complex": (lambda: ft.jacfwd(np.sin)(1j), "jacfwd requires real-valued inputs"),
    "jacrev, int": (lambda: ft.jacrev(np.sin)(3), "jacrev requires real- or complex-valued inputs"),
    "jacrev, complex": (lambda: ft.jacrev(np.sin)(1j), "jacrev requires real-valued outputs"),
    "no function": (lambda: ft.hessian(3), "differentiates a function"),  # type: ignore[arg-type]
    "no vector": (lambda: ft.hvp(product)(), "takes the arguments of product and a vector"),
    "no array": (lambda: ft.grad(product)("a", Y), "argument x of grad of product is 'a'"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    call, text = ERRORS[name]
    with pytest.raises(TypeError, match=text) as caught:
        call()
    assert isinstance(caught.value, ft.FunctransError)
    assert "test_grad.py" in str(caught.value)
