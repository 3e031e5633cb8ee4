"""nlp: all of a nonlinear program at once is what its parts are one by one, in the forms that solvers take."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import NonlinearConstraint, minimize

import functrans as ft
from functrans import nlp
from functrans.errors import ArgumentError, ShapeError
from functrans.programs.nlp import ProgramValues

X = np.random.default_rng(0).uniform(0.5, 1.5, 7)
LAM = np.random.default_rng(1).normal(size=6)


def cost(x: Any) -> Any:
    return (x**4).sum() + (x[1:] * x[:-1]).sum()


def bends(x: Any) -> Any:
    return np.sin(x[1:]) * x[:-1] ** 2


@pytest.mark.covering(1)
@pytest.mark.parametrize("triangle", ["lower", "upper", "full"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_the_parts(triangle: str, format: str) -> None:
    problem = nlp(cost, bends, format=format, triangle=triangle)
    gradient, dense = ft.grad(cost)(X), ft.jacfwd(bends)(X)
    hessian = ft.jit(lambda s: ft.hessian(lambda x: s * cost(x) + LAM @ bends(x))(X))
    for factor in (1.0, 0.0, 2.5):
        at = problem.values(X, LAM, factor)
        np.testing.assert_allclose(at.f, cost(X), rtol=1e-15)
        np.testing.assert_allclose(at.gradient, gradient, rtol=1e-14)
        np.testing.assert_allclose(at.g, bends(X), rtol=1e-15)
        np.testing.assert_allclose(problem.jacobian.pattern(X).to_scipy(at.jacobian).toarray(), dense, rtol=1e-14)
        part = {"lower": np.tril, "upper": np.triu, "full": np.asarray}[triangle](hessian(factor))
        pattern = problem.hessian.pattern(X, LAM, factor)
        assert pattern.format == format
        np.testing.assert_allclose(pattern.to_scipy(at.hessian).toarray(), part, rtol=1e-13, atol=1e-14)


def test_the_factor_is_one_if_not_given() -> None:
    problem = nlp(cost, bends)
    for a, b in zip(problem.values(X, LAM), problem.values(X, LAM, 1.0)):
        np.testing.assert_array_equal(a, b)


def test_values_into_given_memory() -> None:
    problem = nlp(cost, bends)
    out = problem.empty_values(X, LAM, 0.5)
    assert isinstance(out, ProgramValues) and out.f.shape == () and out.hessian.shape == (13,)
    assert problem.values(X, LAM, 0.5, out=out) is out
    for a, b in zip(out, problem.values(X, LAM, 0.5)):
        np.testing.assert_array_equal(a, b)
    with pytest.raises(ShapeError, match=r"out\[4\] has shape \(3,\)"):
        problem.values(X, LAM, 0.5, out=out._replace(hessian=np.zeros(3)))


def test_single_precision_stays() -> None:
    at = nlp(cost, bends).values(X.astype(np.float32), LAM.astype(np.float32), 0.5)
    assert {np.asarray(a).dtype for a in at} == {np.dtype(np.float32)}


def test_values_under_vmap() -> None:
    problem = nlp(cost, bends)
    points, multipliers = np.stack([X, X + 1]), np.stack([LAM, -LAM])
    both = ft.vmap(problem.values, in_axes=(0, 0, None))(points, multipliers, 0.5)
    for k in range(2):
        for a, b in zip(both, problem.values(points[k], multipliers[k], 0.5)):
            np.testing.assert_allclose(a[k], b, rtol=1e-15)


def test_trees_of_arguments_and_constraints() -> None:
    f = lambda x: (x["u"] ** 2).sum() + x["v"] ** 2  # noqa: E731
    g = lambda x: (x["u"] * x["v"], x["u"].sum())  # noqa: E731
    x = {"u": X[:3], "v": X[3]}
    problem = nlp(f, g)
    at = problem.values(x, np.ones(4), 1.0)
    np.testing.assert_array_equal(at.gradient["u"], 2 * X[:3])
    np.testing.assert_array_equal(at.g[0], X[:3] * X[3])
    flat = nlp(lambda z: f({"u": z[:3], "v": z[3]}), lambda z: np.concatenate([z[:3] * z[3], z[:3].sum()[None]]))
    same = flat.values(X[:4], np.ones(4), 1.0)
    np.testing.assert_array_equal(at.jacobian, same.jacobian)
    np.testing.assert_array_equal(at.hessian, same.hessian)


def test_sizes_zero_and_one() -> None:
    problem = nlp(lambda x: (x**2).sum(), lambda x: x[:0])
    at = problem.values(np.ones(1), np.zeros(0))
    assert at.g.shape == (0,) and at.jacobian.shape == (0,) and at.hessian.tolist() == [2.0]
    nothing = problem.values(np.zeros(0), np.zeros(0))
    assert nothing.f == 0 and nothing.gradient.shape == nothing.hessian.shape == (0,)


def test_callbacks_have_one_structure() -> None:
    calls = nlp(cost, bends).callbacks(X)
    rows, cols = calls.jacobianstructure()
    found = sp.coo_array((calls.jacobian(X), (rows, cols)), shape=(6, 7)).toarray()
    np.testing.assert_allclose(found, ft.jacfwd(bends)(X), rtol=1e-14)
    rows, cols = calls.hessianstructure()
    assert (rows >= cols).all() and rows.dtype == np.int32
    found = sp.coo_array((calls.hessian(X, LAM, 0.5), (rows, cols)), shape=(7, 7)).toarray()
    want = np.tril(ft.hessian(lambda x: 0.5 * cost(x) + LAM @ bends(x))(X))
    np.testing.assert_allclose(found, want, rtol=1e-13, atol=1e-14)
    assert calls.objective(X) == ft.jit(cost)(X)
    np.testing.assert_array_equal(calls.gradient(X), ft.grad(cost)(X))
    np.testing.assert_array_equal(calls.constraints(X), ft.jit(bends)(X))
    with pytest.raises(ShapeError, match="vectors x"):
        nlp(cost, bends).callbacks(np.ones((2, 2)))


def weighted(x: Any, p: Any) -> Any:
    return p["a"] * (x**4).sum() + (x[1:] * x[:-1] * p["w"]).sum()


def bent(x: Any, p: Any) -> Any:
    return np.sin(x[1:]) * x[:-1] ** 2 * p["a"]


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_parameters(factor: float) -> None:
    problem = nlp(weighted, bent)
    for scale in (1.0, 3.0):
        p = {"a": scale, "w": scale * LAM}
        f, g = (lambda x: weighted(x, p)), (lambda x: bent(x, p))
        at, want = problem.values(X, LAM, factor, p), nlp(f, g).values(X, LAM, factor)
        for a, b in zip(at, want):
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-14)
        out = problem.empty_values(X, LAM, factor, p)
        assert problem.values(X, LAM, factor, p, out=out) is out
        np.testing.assert_array_equal(out.hessian, at.hessian)
        H = ft.lagrangian_hessian(weighted, bent)
        np.testing.assert_allclose(H(X, LAM, factor, p).data, at.hessian, rtol=1e-13)
        calls = problem.callbacks(X, p)
        np.testing.assert_allclose(calls.jacobian(X), at.jacobian, rtol=1e-13)
        np.testing.assert_allclose(calls.hessian(X, LAM, factor), at.hessian, rtol=1e-13)
        assert calls.objective(X) == at.f
        calls.parameters = ({"a": 0.0, "w": 0 * LAM},)
        assert calls.objective(X) == 0 and not calls.constraints(X).any() and not calls.gradient(X).any()


def test_no_constraints() -> None:
    problem = nlp(cost)
    at = problem.values(X, np.zeros(0))
    np.testing.assert_allclose(at.hessian, nlp(cost, bends).values(X, 0 * LAM).hessian[: len(at.hessian)], rtol=1e-13)
    assert at.g.shape == at.jacobian.shape == (0,)
    assert nlp(weighted).values(X, np.zeros(0), 1.0, {"a": 1.0, "w": LAM}).g.shape == (0,)
    assert pickle.loads(pickle.dumps(problem)).values(X, np.zeros(0)).f == at.f


def test_scipy_solves_it() -> None:
    problem = nlp(lambda x: ((x - 1) ** 2).sum(), lambda x: x[1:] * x[:-1], triangle="full")
    inside = NonlinearConstraint(
        ft.jit(problem.g), 2.0, np.inf, jac=problem.jacobian, hess=lambda x, v: problem.hessian(x, v, 0.0)
    )
    found = minimize(
        ft.jit(problem.f), np.full(5, 3.0), jac=ft.jit(ft.grad(problem.f)), hess=ft.sphessian(problem.f),
        method="trust-constr", constraints=[inside], options={"gtol": 1e-9},
    )  # fmt: skip
    assert (found.x[1:] * found.x[:-1] >= 2 - 1e-6).all() and found.optimality < 1e-6


def test_refusals_and_pickling() -> None:
    with pytest.raises(ArgumentError, match="nlp differentiates a function"):
        nlp(cost, 3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="triangle='left'"):
        nlp(cost, bends, triangle="left")
    with pytest.raises(ArgumentError, match="the objective bends has results of shapes"):
        nlp(bends, bends).values(X, LAM)
    with pytest.raises(ShapeError, match="lam has 2 elements and bends has 6"):
        nlp(cost, bends).values(X, LAM[:2])
    again = pickle.loads(pickle.dumps(nlp(cost, bends, format="csc")))
    np.testing.assert_array_equal(again.values(X, LAM).hessian, nlp(cost, bends, format="csc").values(X, LAM).hessian)


def test_what_is_found_out_is_pickled() -> None:
    J = ft.spjacobian(bends)
    pattern = J.pattern(X)
    for thing in (J.plan(X), J.coloring(X), pattern, J.empty_values(X)):
        again = pickle.loads(pickle.dumps(thing))
        assert np.array_equal(again, thing) if isinstance(thing, np.ndarray) else again == thing
    stages = pattern.along_diagonal(3, (2, 2))
    again = pickle.loads(pickle.dumps(stages))
    assert again.pattern == stages.pattern and np.array_equal(again.places, stages.places)
    matrix = pickle.loads(pickle.dumps(J(X)))
    np.testing.assert_array_equal(matrix.toarray(), J(X).toarray())


class TestOperator:
    def test_products_are_those_of_the_matrix(self) -> None:
        J = ft.spjacobian(bends)
        A, B = J.linear_operator(X), J(X)
        v, w = np.random.default_rng(2).normal(size=7), LAM
        assert A.shape == B.shape and A.dtype == np.float64
        np.testing.assert_allclose(A @ v, B @ v, rtol=1e-13)
        np.testing.assert_allclose(A.T @ w, B.T @ w, rtol=1e-13)
        np.testing.assert_allclose(A @ np.stack([v, -v], 1), B @ np.stack([v, -v], 1), rtol=1e-13)

    def test_it_keeps_its_point(self) -> None:
        x = X.copy()
        A = ft.spjacobian(bends).linear_operator(x)
        x[:] = 0
        np.testing.assert_allclose(A @ np.ones(7), ft.spjacobian(bends)(X) @ np.ones(7), rtol=1e-13)

    def test_several_arguments_stand_side_by_side(self) -> None:
        f = lambda a, b: (a * b[0], (a**2).sum(), np.argmax(a))  # noqa: E731
        J = ft.spjacobian(f, argnums=(1, 0))
        whole = sp.hstack(J(X[:3], X[3:5])).toarray()
        A = J.linear_operator(X[:3], X[3:5])
        np.testing.assert_allclose(A @ np.eye(5), whole, rtol=1e-14)
        np.testing.assert_allclose(A.T @ np.eye(5), whole.T, rtol=1e-14)

    def test_a_hessian_is_its_own_transpose(self) -> None:
        A = ft.sphessian(cost, triangle="lower").linear_operator(X)
        want = np.asarray(ft.hessian(cost)(X))
        np.testing.assert_allclose(A @ np.eye(7), want, rtol=1e-13)
        np.testing.assert_allclose(A.T @ np.eye(7), want, rtol=1e-13)

    def test_complex_results_have_no_transpose(self) -> None:
        A = ft.spjacobian(lambda x: x * 1j).linear_operator(X)
        np.testing.assert_array_equal(A @ np.ones(7), np.full(7, 1j))
        with pytest.raises(ft.UnsupportedError, match="no rmatvec"):
            A.T @ np.ones(7)
