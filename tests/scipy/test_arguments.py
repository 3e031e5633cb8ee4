"""Arguments for SciPy's solvers: every method that is named takes them, and gets the derivatives of the dense case."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
import scipy.sparse as sps

import functrans as ft

N = 6
START = np.linspace(0.2, 0.6, N)


def residuals(x: Any, k: Any = 3.0) -> Any:
    return np.concatenate([x[:1] - 1.0, k * (x[1:] - x[:-1] ** 2)])


def cost(x: Any, k: Any = 3.0) -> Any:
    return (residuals(x, k) ** 2).sum()


def dense_of(x: Any, k: float = 3.0) -> Any:
    """The Jacobian of the residuals, by hand."""
    return np.vstack([np.eye(N)[:1], k * (np.eye(N)[1:] - 2 * x[:-1, None] * np.eye(N)[:-1])])


@pytest.mark.parametrize(("method", "options"), [
    ("trf", {}), ("dogbox", {}), ("lm", {}), ("trf", {"tr_solver": "exact"}), ("trf", {"args": (2.0,)}),
])  # fmt: skip
def test_least_squares(method: str, options: dict[str, Any]) -> None:
    given = ft.scipy.arguments.least_squares(residuals, START, method=method, **options)
    found = scipy.optimize.least_squares(**given)
    np.testing.assert_allclose(found.x, 1.0, atol=1e-6)
    matrix = given["jac"](START, *options.get("args", ()))
    assert sps.issparse(matrix) == (method != "lm" and "tr_solver" not in options)
    whole = matrix.toarray() if sps.issparse(matrix) else matrix
    np.testing.assert_allclose(whole, dense_of(START, *options.get("args", ())))


METHODS = [
    None, "Nelder-Mead", "Powell", "COBYLA", "COBYQA", "CG", "BFGS", "L-BFGS-B", "TNC", "SLSQP", "Newton-CG",
    "trust-constr", "trust-ncg", "trust-krylov", "trust-exact", "dogleg",
]  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore:delta_grad")
def test_minimize(method: str | None) -> None:
    start = np.array([0.95, 0.95, 0.95] if method == "dogleg" else [0.5, 0.6, 0.7])  # dogleg: where it is convex
    given = ft.scipy.arguments.minimize(cost, start, method=method, args=(0.5,))
    found = scipy.optimize.minimize(**given)
    np.testing.assert_allclose(found.x, 1.0, atol=2e-2)


def test_second_derivatives() -> None:
    J = dense_of(START)
    bent = -2.0 * 2 * 3.0 * residuals(START)[1:]
    wanted = 2 * J.T @ J + np.diag([*bent, 0.0])
    p = np.cos(np.arange(N))
    for method in ("Newton-CG", "trust-constr"):
        matrix = ft.scipy.arguments.minimize(cost, START, method=method)["hess"](START)
        assert sps.issparse(matrix)
        np.testing.assert_allclose(matrix.toarray(), wanted)
    np.testing.assert_allclose(ft.scipy.arguments.minimize(cost, START, method="dogleg")["hess"](START), wanted)
    for method in ("trust-ncg", "trust-krylov"):
        product = ft.scipy.arguments.minimize(cost, START, method=method)["hessp"]
        np.testing.assert_allclose(product(START, p), wanted @ p)
        np.testing.assert_allclose(product(START, p, 3.0), wanted @ p)


@pytest.mark.parametrize("method", ["trust-constr", "SLSQP", "COBYLA", "COBYQA"])
@pytest.mark.filterwarnings("ignore:delta_grad")
def test_constraints(method: str) -> None:
    arguments = ft.scipy.arguments
    g = lambda x: x[1:] * x[:-1]  # noqa: E731
    given = arguments.nonlinear_constraint(g, -np.inf, 0.25, method=method)
    constraint = scipy.optimize.NonlinearConstraint(**given)
    found = scipy.optimize.minimize(**arguments.minimize(cost, START[:2], method=method), constraints=constraint)
    want = scipy.optimize.minimize(cost, START[:2], method="SLSQP", constraints=[
        {"type": "ineq", "fun": lambda x: 0.25 - x[1:] * x[:-1]}])  # fmt: skip
    np.testing.assert_allclose(found.x, want.x, atol=2e-3)
    if method == "trust-constr":
        v = np.arange(1.0, N)
        assert sps.issparse(given["hess"](START, v)) and sps.issparse(given["jac"](START))
        np.testing.assert_array_equal(given["hess"](START, v).toarray(), np.diag(v, 1) + np.diag(v, -1))


@pytest.mark.parametrize("method", ["hybr", "lm", "krylov", "df-sane", "broyden1"])
def test_root(method: str) -> None:
    f = lambda x, k: x + k * np.sin(x[::-1]) - 1  # noqa: E731
    given = ft.scipy.arguments.root(f, np.full(3, 0.3), method=method, args=(0.5,))
    found = scipy.optimize.root(**given)
    assert np.abs(f(found.x, 0.5)).max() < 1e-4
    if "jac" in given:
        np.testing.assert_allclose(given["jac"](np.zeros(3), 0.5), np.eye(3) + 0.5 * np.eye(3)[::-1])


@pytest.mark.parametrize("method", ["BDF", "Radau", "LSODA", "RK45", "RK23", "DOP853", scipy.integrate.BDF])
def test_solve_ivp(method: Any) -> None:
    def chain(t: Any, y: Any, k: Any) -> Any:
        return np.concatenate([-k * y[:1], k * (y[:-1] - y[1:])])

    y0 = np.array([1.0, 0.0, 0.0, 0.0])
    given = ft.scipy.arguments.solve_ivp(chain, (0.0, 2.0), y0, method=method, args=(3.0,), rtol=1e-6, atol=1e-9)
    found = scipy.integrate.solve_ivp(**given)
    want = np.exp(-6.0) * 6.0 ** np.arange(4) / np.array([1, 1, 2, 6])
    np.testing.assert_allclose(found.y[:, -1], want, rtol=1e-3)
    if "jac" in given:
        matrix = given["jac"](0.0, y0, 3.0)
        assert method == "LSODA" or matrix.format == "csc"
        whole = matrix if method == "LSODA" else matrix.toarray()
        np.testing.assert_array_equal(whole, 3.0 * (np.eye(4, k=-1) - np.eye(4)))


def test_they_are_pickled() -> None:
    arguments = ft.scipy.arguments
    for given in (
        arguments.minimize(cost, START, method="trust-ncg"), arguments.root(residuals, START),
        arguments.nonlinear_constraint(residuals, 0, 1),
    ):  # fmt: skip
        again = pickle.loads(pickle.dumps(given))
        assert again.keys() == given.keys()
        np.testing.assert_array_equal(again["fun"](START)[0], given["fun"](START)[0])
    np.testing.assert_array_equal(again["hess"](START, START).toarray(), given["hess"](START, START).toarray())


def test_refusals() -> None:
    arguments = ft.scipy.arguments
    with pytest.raises(ft.ArgumentValueError, match=r"method='newton' of scipy.arguments.minimize.*; expected one of "):
        arguments.minimize(cost, START, method="newton")
    with pytest.raises(ft.ArgumentValueError, match=r"method='LSODE' of scipy.arguments.solve_ivp"):
        arguments.solve_ivp(residuals, (0, 1), START, method="LSODE")
    with pytest.raises(ft.ArgumentError, match=r"jac given to scipy.arguments.least_squares.*computes the derivatives"):
        arguments.least_squares(residuals, START, jac="2-point")
    with pytest.raises(ft.ArgumentError, match="lband, uband given"):
        arguments.solve_ivp(residuals, (0, 1), START, method="LSODA", lband=1, uband=0)
    with pytest.raises(ft.ArgumentError, match="function"):
        arguments.root(3.0, START)  # type: ignore[arg-type]
