"""custom_linear_solve and custom_root: against the dense solve, in every mode, mapped, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp

custom_root, custom_linear_solve = ft.implicit.custom_root, ft.implicit.custom_linear_solve
METHODS = ["vmapin", "rewrite", "pad_reduce"]
RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(5, 3, 3)) + 3 * np.eye(3), RNG.normal(size=(5, 3))


def richardson(matvec: Any, b: Any) -> Any:
    """A loop without bounds, which has no reverse mode."""
    return ft.while_loop(
        lambda x: abs(b - matvec(x)).max() > 1e-14 * (1 + abs(b).max()), lambda x: x + 0.2 * (b - matvec(x)), b
    )


def ours(a: Any, b: Any) -> Any:
    return custom_linear_solve(lambda x: a @ x, b, richardson, richardson)


def theirs(a: Any, b: Any) -> Any:
    return fnp.linalg.solve(a, b)


def close(x: Any, y: Any) -> None:
    for got, wanted in zip(ft.tree.leaves(x), ft.tree.leaves(y), strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-10)


def test_value_and_derivatives_are_those_of_the_solution() -> None:
    a, b = A[0], B[0]
    close(ours(a, b), theirs(a, b))
    along = (RNG.normal(size=(3, 3)), RNG.normal(size=3))
    close(ft.jvp(ours, (a, b), along), ft.jvp(theirs, (a, b), along))
    for of in (ft.grad, ft.hessian):
        pair = [of(lambda a, b, f=f: (f(a, b) ** 3).sum(), (0, 1))(a, b) for f in (ours, theirs)]
        close(*pair)


def test_symmetric() -> None:
    def f(a: Any, b: Any) -> Any:
        s = (a + a.T) / 2
        return custom_linear_solve(lambda x: s @ x, b, richardson, symmetric=True)

    found = ft.grad(lambda a, b: f(a, b).sum(), (0, 1))(A[1], B[1])
    close(found, ft.grad(lambda a, b: theirs((a + a.T) / 2, b).sum(), (0, 1))(A[1], B[1]))


@pytest.mark.parametrize("method", METHODS)
def test_mapped_then_differentiated_and_the_other_way_round(method: str) -> None:
    def loss(a: Any, b: Any) -> Any:
        return (ours(a, b) ** 2).sum()

    wanted = [ft.grad(lambda a, b: (theirs(a, b) ** 2).sum(), (0, 1))(a, b) for a, b in zip(A, B, strict=True)]
    inside = ft.vmap(ft.grad(loss, (0, 1)), method=method)(A, B)
    outside = ft.grad(lambda a, b: ft.vmap(loss, method=method)(a, b).sum(), (0, 1))(A, B)
    for k in range(2):
        close(inside[k], np.stack([w[k] for w in wanted]))
        close(outside[k], np.stack([w[k] for w in wanted]))
    shared = ft.grad(lambda b: ft.vmap(loss, in_axes=(0, None), method=method)(A, b).sum())(B[0])
    close(shared, sum(ft.grad(lambda b, a=a: (theirs(a, b) ** 2).sum())(B[0]) for a in A))


@pytest.mark.parametrize("method", METHODS)
def test_lanes_are_as_alone(method: str) -> None:
    found = ft.vmap(ours, method=method)(A, B)
    np.testing.assert_array_equal(found, [ours(a, b) for a, b in zip(A, B, strict=True)])


def test_a_linear_function_of_it_is_transposed_and_has_a_pattern() -> None:
    a = A[2]
    (back,) = ft.linear_transpose(lambda b: ours(a, b), B[0])(B[1])
    close(back, np.linalg.solve(a.T, B[1]))
    assert ft.spjacobian(lambda b: ours(a, b))(B[0]).nnz == 9


def test_what_the_solver_closes_over_is_constant() -> None:
    def f(a: Any) -> Any:
        # the step depends on a, the solution does not depend on the step
        step = 1 / abs(a).sum(1).max()
        return custom_linear_solve(
            lambda x: a @ x, B[0],
            lambda m, b: ft.while_loop(lambda x: abs(b - m(x)).max() > 1e-13, lambda x: x + step * (b - m(x)), b),
            richardson,
        ).sum()  # fmt: skip

    wanted = np.stack([ft.grad(lambda a: theirs(a, B[0]).sum())(a) for a in A])
    for method in METHODS:
        found = ft.vmap(ft.grad(f), method=method)(A)
        close(found, wanted)
    found = ft.grad(lambda a: ft.vmap(f, method="rewrite")(a).sum())(A)
    close(found, wanted)


def test_trees_and_what_goes_along() -> None:
    def f(a: Any) -> Any:
        return custom_linear_solve(
            lambda x: {"u": a * x["u"], "v": 2.0 * x["v"]}, {"u": np.ones(2), "v": 3.0},
            lambda m, b: ({"u": b["u"] / a, "v": b["v"] / 2.0}, 7),
            lambda m, b: ({"u": b["u"] / a, "v": b["v"] / 2.0}, 7), has_aux=True,
        )  # fmt: skip

    x, aux = f(4.0)
    close(x, {"u": np.full(2, 0.25), "v": 1.5})
    assert aux == 7
    assert ft.grad(lambda a: f(a)[0]["u"].sum())(4.0) == pytest.approx(-2 / 16)


def test_in_the_body_of_a_loop() -> None:
    def f(a: Any) -> Any:
        return ft.scan(lambda c, _: (ours(a, c) + 1.0, None), B[0], None, length=4)[0]

    ft.testing.check_jvp(f, (A[3],))
    ft.testing.check_vjp(f, (A[3],))


def test_custom_root_in_every_mode() -> None:
    def newton(f: Any, x0: Any) -> Any:
        return ft.while_loop(lambda x: abs(f(x)) > 1e-13, lambda x: x - f(x) / ft.grad(f)(x), x0)

    def cube(a: Any) -> Any:
        return custom_root(lambda x: x**3 - a, 2.0, newton, lambda g, y: y / g(1.0))

    a = np.array([1.0, 8.0, 27.0])
    for method in METHODS:
        second = ft.vmap(ft.grad(ft.grad(cube)), method=method)(a)
        np.testing.assert_allclose(second, -2 / 9 * a ** (-5 / 3), rtol=1e-12)
        of_sum = ft.grad(lambda a, m=method: ft.vmap(cube, method=m)(a).sum())(a)
        np.testing.assert_allclose(of_sum, a ** (-2 / 3) / 3, rtol=1e-12)
    ft.testing.check_vmap(cube, (a,))


def test_errors() -> None:
    one = np.ones(2)
    with pytest.raises(ft.ArgumentError, match="solve of custom_linear_solve"):
        custom_linear_solve(lambda x: x, one, 3)
    with pytest.raises(ft.ShapeError, match=r"the result of matvec .* has shapes \[\(1,\)\]; expected \[\(2,\)\]"):
        custom_linear_solve(lambda x: x[:1], one, lambda m, b: b)
    with pytest.raises(ft.ArgumentError, match=r"the result of solve .* structure"):
        custom_linear_solve(lambda x: x, one, lambda m, b: (b, b))
    with pytest.raises(ft.UnsupportedError, match="no transpose_solve"):
        ft.grad(lambda b: custom_linear_solve(lambda x: x, b, lambda m, b: b).sum())(one)
    with pytest.raises(ft.UnsupportedError, match="not linear"):
        custom_linear_solve(lambda x: x * x, one, lambda m, b: b, lambda m, b: b)
    with pytest.raises(ft.ArgumentError, match="structure"):
        custom_root(lambda x: (x, x), 1.0, lambda f, x: x, lambda g, y: y)
    with pytest.raises(ft.ArgumentError, match=r"tangent_solve .* structure None"):
        ft.grad(lambda a: custom_root(lambda x: x - a, 1.0, lambda f, x: x, lambda g, y: None))(1.0)
    with pytest.raises(ft.ArgumentError, match="expected a function"):
        custom_root(lambda x: x, 1.0, None, lambda g, y: y)
