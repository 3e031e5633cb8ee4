"""root and fixed_point: against SciPy, derivatives against differences, lanes against alone, and what fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.dense.policy import is_routine
from functrans.ops import build as B
from functrans.ops.source import param
from tests.laws.references import alone, interpreted

root, fixed_point = ft.implicit.root, ft.implicit.fixed_point
METHODS = ["vmapin", "rewrite", "pad_reduce"]


def kepler(e: Any, m: Any, **options: Any) -> Any:
    return root(lambda x, e, m: x - e * np.sin(x) - m, m, e, m, **options)


def coupled(a: Any, **options: Any) -> Any:
    def f(x: Any, a: Any) -> Any:
        return x["u"] - 0.5 * np.cos(a * x["v"]), x["v"] - 0.5 * x["u"] * a

    return root(f, {"u": 1.0, "v": 2}, a, tol=1e-13, **options)


def system(n: int) -> Any:
    w = np.random.default_rng(n).normal(size=(n, n)) / n**0.5
    return lambda x, c: x + 0.3 * np.tanh(w @ x) + 0.1 * x**3 - c


@pytest.mark.parametrize("n", [1, 2, 5, 8, 9, 14])
def test_against_scipy_and_derivatives_of_the_equations(n: int) -> None:
    f, c = system(n), np.random.default_rng(0).normal(size=n)
    x = root(f, np.zeros(n), c, tol=1e-13)
    wanted = scipy.optimize.root(lambda x: f(x, c), np.zeros(n), tol=1e-14).x
    np.testing.assert_allclose(x, wanted, atol=1e-11)
    j = ft.jacfwd(f)(x, c)
    for jacobian in (ft.jacfwd, ft.jacrev):
        found = jacobian(lambda c: root(f, np.zeros(n), c, tol=1e-13))(c)
        np.testing.assert_allclose(found, np.linalg.inv(j), atol=1e-11)


@pytest.mark.parametrize("n", [9, 60])
def test_bodies_solve_dense_systems_by_one_routine(n: int) -> None:
    """Not by a loop over columns that goes over the whole matrix in each round."""
    f = system(n)
    text = ft.jit(lambda c: root(f, np.zeros(n), c)).lower(np.ones(n)).c_source
    assert "matrix_solve" in text
    one = param((n, n), ft.dtypes.float64)
    assert is_routine(B.solve(one, param((n, 1), ft.dtypes.float64)), True, False)


@pytest.mark.parametrize("f", [kepler, lambda e, m: coupled(e + m)])
def test_derivatives(f: Any) -> None:
    args = 0.3, 1.0
    ft.testing.check_jvp(f, args)
    ft.testing.check_vjp(f, args)
    first = ft.grad(lambda e, m: sum(ft.tree.leaves(f(e, m))), (0, 1))
    ft.testing.check_jvp(first, args)
    ft.testing.check_vjp(first, args)


def test_second_derivative_in_closed_form() -> None:
    # x = a ** (1 / 3)
    f = ft.vmap(ft.grad(ft.grad(lambda a: root(lambda x: x**3 - a, 2.0))))
    a = np.array([1.0, 8.0, 27.0])
    np.testing.assert_allclose(f(a), -2 / 9 * a ** (-5 / 3), rtol=1e-9)


def test_the_beginning_has_no_derivative_and_what_is_closed_over_has_one() -> None:
    assert ft.grad(lambda x0: root(lambda x: x * x - 2.0, x0))(1.5) == 0
    assert ft.grad(lambda a: root(lambda x, a: x * x - 2.0, 1.5, a))(2.0) == 0
    assert ft.jvp(lambda a: root(lambda x, a: x * x - 2.0, 1.5, a), (2.0,), (1.0,))[1] == 0
    assert ft.grad(lambda a: root(lambda x: x * x - a, 1.5))(2.0) == pytest.approx(0.5 / 2**0.5)
    jac = lambda x: fnp.reshape(2 * x, (1, 1))  # noqa: E731
    assert ft.grad(lambda a: root(lambda x: x * x - a, 1.5, jac=jac))(2.0) == pytest.approx(0.5 / 2**0.5)


def test_a_rough_jacobian_changes_the_iterations_and_not_the_derivative() -> None:
    rough = lambda x: fnp.reshape(2.6 * x, (1, 1))  # noqa: E731

    def f(a: Any, **options: Any) -> Any:
        return root(lambda x: x * x - a, 1.0, full_output=True, **options)

    assert f(2.0, jac=rough)[1].iterations > f(2.0)[1].iterations
    assert ft.grad(lambda a: f(a, jac=rough)[0])(2.0) == pytest.approx(0.5 / 2**0.5)


@pytest.mark.parametrize("method", METHODS)
def test_lanes_are_bit_for_bit_as_alone(method: str) -> None:
    rng = np.random.default_rng(3)
    e, m = rng.uniform(0, 0.9, 37), rng.uniform(0, 6, 37)

    def f(e: Any, m: Any) -> Any:
        return kepler(e, m, full_output=True), ft.grad(kepler, (0, 1))(e, m)

    found = ft.tree.leaves(ft.vmap(f, method=method)(e, m))
    apart = [ft.tree.leaves(x) for x in alone(f, e, m)]
    assert len(np.unique(found[2])) > 1  # not all take the same number of iterations
    for got, *wanted in zip(found, *apart, strict=True):
        np.testing.assert_array_equal(got, np.array(wanted))


def test_in_loops_and_branches() -> None:
    def f(p: Any) -> Any:
        def step(c: Any, a: Any) -> Any:
            x = root(lambda x: x**3 + x - a * c * p, 1.0)
            return x, ft.cond(x > 1.0, lambda: root(lambda z: z * z - x, 1.0), lambda: x)

        return ft.scan(step, 1.0, np.array([1.0, 2.0, 3.0, 9.0]))[1].sum()

    ft.testing.check_jvp(f, (0.7,))
    ft.testing.check_vjp(f, (0.7,))


def test_line_search_reaches_what_whole_steps_do_not() -> None:
    f = lambda x: np.arctan(x)  # noqa: E731
    assert abs(root(f, 3.0)) < 1e-10
    with pytest.raises(ft.ConvergenceError):
        root(f, 3.0, line_search=False)


def none(x: Any, a: Any) -> Any:
    """No root where a is positive."""
    return x * x + a


def test_a_lane_without_a_root_is_named() -> None:
    f = ft.vmap(lambda a: root(none, 1.0, a))
    np.testing.assert_allclose(f(np.array([-1.0, -4.0])), [1.0, 2.0])
    with pytest.raises(ft.ConvergenceError, match=r"root of none .* at batch index 2 \(test_root.py:\d+\); begin"):
        f(np.array([-1.0, -2.0, 3.0, 4.0]))
    with pytest.raises(ft.ConvergenceError, match="batch index 1"):
        ft.jit(f)(np.array([-1.0, 3.0]))
    twice = ft.vmap(ft.vmap(lambda a: root(none, 1.0, a)))
    with pytest.raises(ft.ConvergenceError, match=r"batch index \(1, 0\)"):
        twice(np.array([[-1.0, -2.0], [1.0, -1.0]]))


def test_the_interpreter_raises_too() -> None:
    with pytest.raises(ft.ConvergenceError, match=r"did not converge .* RootInfo.residual says how far"):
        interpreted(lambda a: root(none, 1.0, a), 1.0)
    (found,) = interpreted(lambda a: root(none, 1.0, a), -4.0)
    np.testing.assert_allclose(found, 2.0)


def test_a_branch_that_is_not_taken_raises_nothing() -> None:
    f = lambda a: ft.cond(a < 0, lambda a: root(none, 1.0, a), lambda a: a, a)  # noqa: E731
    np.testing.assert_allclose(ft.vmap(f)(np.array([-4.0, 3.0])), [2.0, 3.0])


def test_nan_for_lanes_that_fail() -> None:
    x, info = ft.vmap(lambda a: root(none, 1.0, a, on_failure="nan", full_output=True))(np.array([-4.0, 3.0, np.nan]))
    np.testing.assert_allclose(x, [2.0, np.nan, np.nan])
    np.testing.assert_array_equal(info.converged, [True, False, False])
    assert info.iterations[2] == 0 and info.residual[0] <= 1e-10
    slope = ft.vmap(ft.grad(lambda a: root(none, 1.0, a, on_failure="nan")))(np.array([-4.0, 3.0]))
    np.testing.assert_allclose(slope, [-0.25, np.nan])

    def apart(x: Any, a: Any) -> Any:
        """An equation that does not depend on the argument where it has no solution."""
        return np.where(a > 0, x**3 - a, np.sin(x) + 2.0)

    def found(a: Any) -> Any:
        return root(apart, 1.0, a, on_failure="nan")

    a = np.array([8.0, -1.0])
    for f in (ft.grad(found), lambda a: ft.jvp(found, (a,), (1.0,))[1]):
        np.testing.assert_allclose(ft.vmap(f)(a), [1 / 12, np.nan])
    np.testing.assert_allclose(ft.grad(lambda a: ft.vmap(found)(a)[0])(a), [1 / 12, 0.0])


@pytest.mark.parametrize("n", [2, 12])
def test_singular_jacobian(n: int) -> None:
    def f(x: Any) -> Any:
        return fnp.concatenate([x[:1] + x[1:2] - 1, x[:1] + x[1:2] - 5, x[2:]])

    with pytest.raises(ft.ConvergenceError):
        root(f, np.zeros(n))
    assert np.isnan(root(f, np.zeros(n), on_failure="nan")).all()


def test_maxiter_zero_is_a_test_of_the_beginning() -> None:
    assert root(lambda x: x - 1.0, 1.0, maxiter=0) == 1.0
    with pytest.raises(ft.ConvergenceError):
        root(lambda x: x - 1.0, 2.0, maxiter=0)


def test_no_unknowns_and_dtypes() -> None:
    assert all(root(lambda x: x, np.zeros(0), jac=jac).shape == (0,) for jac in ("dense", "sparse"))
    assert root(lambda x: x * x - 2, np.float32(1), tol=1e-6).dtype == np.float32
    assert root(lambda x: x * x - 4, 1).dtype == np.float64


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: root(3, 1.0), ft.ArgumentError, "expected a function"),
        (lambda: root(lambda x: x, ()), ft.ArgumentError, "holds no arrays"),
        (lambda: root(lambda x: x[:1], np.zeros(2)), ft.ShapeError, "1 numbers, of shapes .* for 2 unknowns"),
        (lambda: root(lambda x: x > 0, 1.0), ft.UnsupportedError, "gives bool"),
        (lambda: root(lambda x: x * x, 1j), ft.UnsupportedError, "complex"),
        (lambda: root(lambda x: x, 1.0, maxiter=-1), ft.ArgumentValueError, "int >= 0"),
        (lambda: root(lambda x: x, 1.0, tol=-1.0), ft.ArgumentValueError, "number >= 0"),
        (lambda: root(lambda x: x, 1.0, tol=np.ones(2)), ft.ShapeError, "one number"),
        (lambda: root(lambda x: x, 1.0, on_failure="x"), ft.ArgumentValueError, "'raise' or 'nan'"),
        (lambda: root(lambda x: x, 1.0, jac="x"), ft.ArgumentValueError, "'auto'"),
        (lambda: root(lambda x: x, 1.0, jac=lambda x: x), ft.ShapeError, r"expected \(1, 1\)"),
    ],
)
def test_errors(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_fixed_point() -> None:
    f = lambda a: fixed_point(lambda x, a: np.cos(a * x), 1.0, a)  # noqa: E731
    assert f(1.0) == pytest.approx(0.7390851332151607, abs=1e-9)
    ft.testing.check_jvp(f, (0.8,))
    ft.testing.check_vjp(f, (0.8,))
    ft.testing.check_vmap(f, (np.array([0.3, 0.9, 1.1]),))
    tree = lambda a: fixed_point(lambda x, a: {"u": 0.5 * np.cos(x["v"]), "v": a * x["u"]}, {"u": 1, "v": 0.0}, a)  # noqa: E731
    ft.testing.check_vjp(tree, (0.5,))
    with pytest.raises(ft.ConvergenceError, match="batch index 1"):
        ft.vmap(lambda a: fixed_point(lambda x: a * x + 1.0, 0.0))(np.array([0.5, 2.0]))
    x, info = fixed_point(lambda x: 0.5 * x + 1.0, 0.0, full_output=True, on_failure="nan", maxiter=3)
    assert np.isnan(x) and info.iterations == 3 and not info.converged
    with pytest.raises(ft.ShapeError, match="2 numbers"):
        fixed_point(lambda x: fnp.stack([x, x]), 0.0)
    with pytest.raises(ft.ShapeError, match="0 numbers"):
        fixed_point(lambda x: None, 0.0)


def test_one_loop_in_the_code(compiler: None) -> None:
    made = ft.jit(ft.vmap(kepler)).lower(np.full(9, 0.3), np.ones(9))
    assert ["WHILE" in str(k) for k in made.kernels] == [True]
