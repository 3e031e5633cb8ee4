"""Quadratic subproblems: what each solver finds satisfies the conditions of a minimum; numbers go in place."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sps

import functrans as ft
from functrans._lazy import LazyModule
from functrans.programs import quadratic_solvers
from functrans.programs.quadratic_solvers import SOLVERS, Quadratic, Rows, Solver

N = 8
PACKAGES = {"osqp": "osqp", "piqp": "piqp", "clarabel": "clarabel", "highs": "highspy"}
EXACT = {"eps_abs": 1e-9, "eps_rel": 1e-9, "max_iter": 100_000}
SETTINGS: dict[str, dict[str, Any]] = {"osqp": EXACT, "piqp": {}, "clarabel": {}, "highs": {}, "dense": {}}


def cost(x: Any, p: Any) -> Any:
    return ((1 - x[:-1]) ** 2).sum() + p * ((x[1:] - x[:-1] ** 2) ** 2).sum()


def bends(x: Any, p: Any) -> Any:
    return {"a": x[1:] * x[:-1], "b": x[0] * p + x[-1] ** 2}


class Dense(Solver):
    """Active sets by enumeration are too many; equalities alone, by the conditions themselves: it needs no package."""

    calls: list[str]

    def _setup(self, q: Quadratic) -> None:
        self.calls = ["setup"]
        self._memory = q.hessian.data, q.rows.data

    def _update(self, q: Quadratic) -> None:
        self.calls.append("update")
        assert self._memory[0] is q.hessian.data and self._memory[1] is q.rows.data

    def _kind(self, q: Quadratic) -> bytes:
        return q.equal.tobytes()

    def _solve(self, q: Quadratic) -> tuple[Any, Any, object]:
        upper = q.hessian.toarray()
        h = np.triu(upper, 1).T + upper
        b, m = q.rows.toarray()[: q.constraints], q.constraints
        system = np.block([[h, b.T], [b, np.zeros((m, m))]])
        found = np.linalg.solve(system, np.concatenate([-q.gradient, q.high[:m]]))
        return found[: len(h)], np.concatenate([found[len(h) :], np.zeros(len(h))]), "solved"


def residual(x: Any, lam: Any, p: Any, step: Any, damping: float) -> Any:
    """The gradient of the subproblem's Lagrangian at a step."""
    joined = lambda x: np.concatenate([x[1:] * x[:-1], (x[0] * p + x[-1] ** 2)[None]])  # noqa: E731
    h = ft.hessian(lambda x: cost(x, p) + lam @ joined(x))(x) + damping * np.eye(N)
    return h @ step.d + ft.grad(lambda x: cost(x, p))(x) + ft.jacfwd(joined)(x).T @ step.lam_g + step.lam_x


def installed(name: str) -> str:
    """A solver that is here."""
    if importlib.util.find_spec(PACKAGES[name]) is None:
        pytest.skip(f"{PACKAGES[name]} is not installed")
    return name


@pytest.fixture(params=PACKAGES)
def solver(request: pytest.FixtureRequest) -> str:
    return installed(str(request.param))


@pytest.fixture(params=[*PACKAGES, "dense"])
def any_solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(SOLVERS, "dense", Dense)
    return "dense" if request.param == "dense" else installed(str(request.param))


def test_the_conditions_of_a_minimum(any_solver: str) -> None:
    solver = any_solver
    x, lam, low, high = np.linspace(0.3, 0.6, N), np.linspace(-0.1, 0.1, N), np.full(N, -1.0), np.full(N, 0.5)
    low[0], low[-1], high[-1] = -np.inf, 2.0, 2.0
    bounds = {"lbg": low, "ubg": high, "lbx": -0.5, "ubx": np.where(np.arange(N) == 2, np.inf, 0.6)}
    if solver == "dense":
        bounds = {"lbg": 0.2, "ubg": 0.2}
    program = ft.nlp(cost, bends)
    step = program.quadratic(x, np.float64(0.0), solver=solver, **SETTINGS[solver])
    for p in (4.0, 3.0, 5.0):  # set up once, then new numbers
        found = step(x, lam, p, damping=8.0, **bounds)
        np.testing.assert_allclose(residual(x, lam, p, found, 8.0), 0, atol=2e-5)
        rows = ft.jit(lambda x, p: np.concatenate([bends(x, p)["a"], bends(x, p)["b"][None]]))(x, p)
        rows = rows + ft.spjacobian(bends)(x, p) @ found.d
        sides = [(rows, bounds["lbg"], bounds["ubg"], found.lam_g)]
        if solver != "dense":
            sides.append((x + found.d, bounds["lbx"], bounds["ubx"], found.lam_x))
        for value, lower, upper, multiplier in sides:
            lower, upper = np.broadcast_to(lower, N), np.broadcast_to(upper, N)
            assert (value >= lower - 1e-6).all() and (value <= upper + 1e-6).all()
            off_upper, off_lower = value < upper - 1e-4, value > lower + 1e-4
            assert (multiplier[off_upper] <= 1e-4).all() and (multiplier[off_lower] >= -1e-4).all()
        x, lam = x + 0.3 * found.d, found.lam_g


def test_other_bounds_are_taken(solver: str) -> None:
    program = ft.nlp(lambda x: ((x - 1) ** 2).sum(), lambda x: x.sum())
    step = program.quadratic(np.zeros(2), solver=solver, **SETTINGS[solver])
    for bounds, wanted in (
        ({}, [1.0, 1.0]), ({"ubg": 1.0}, [0.5, 0.5]), ({"lbg": 3.0, "ubg": 3.0}, [1.5, 1.5]),
        ({"ubx": [0.2, 9.0]}, [0.2, 1.0]), ({"lbx": [2.0, -np.inf]}, [2.0, 1.0]),
    ):  # fmt: skip
        found = step(np.zeros(2), np.zeros(1), **{k: np.array(v) for k, v in bounds.items()})
        np.testing.assert_allclose(found.d, wanted, atol=1e-5)
        np.testing.assert_allclose(2 * (found.d - 1) + found.lam_g + found.lam_x, 0, atol=1e-4)


def test_damping_where_the_hessian_has_no_diagonal(any_solver: str) -> None:
    program = ft.nlp(lambda x: x.sum() + x[0] * x[1], lambda x: x[2] - x[3])
    step = program.quadratic(np.zeros(4), solver=any_solver, **SETTINGS[any_solver])
    for damping in (2.0, 2.0, 4.0):
        found = step(np.zeros(4), np.zeros(1), lbg=0.0, ubg=0.0, damping=damping)
        wanted = [-1 / (damping + 1), -1 / (damping + 1), -1 / damping, -1 / damping]
        np.testing.assert_allclose(found.d, wanted, atol=1e-5)


def test_no_constraints(any_solver: str) -> None:
    solver = any_solver
    step = ft.nlp(lambda x: ((x - 3) ** 2).sum()).quadratic(np.zeros(3), solver=solver, **SETTINGS[solver])
    found = step(np.zeros(3), np.zeros(0))
    np.testing.assert_allclose(found.d, 3.0, atol=1e-5)
    assert found.lam_g.shape == (0,)


def test_what_has_no_minimum(solver: str) -> None:
    program = ft.nlp(lambda x: (x**2).sum(), lambda x: np.stack([x.sum(), x.sum()]))
    step = program.quadratic(np.zeros(2), solver=solver)
    with pytest.raises(ft.ConvergenceError, match="found no minimum of the subproblem"):
        step(np.zeros(2), np.zeros(2), lbg=np.array([1.0, -np.inf]), ubg=np.array([np.inf, -1.0]))


def test_negative_curvature_is_noticed() -> None:
    name = installed("osqp")
    step = ft.nlp(lambda x: -(x @ x), lambda x: x.sum()).quadratic(np.zeros(2), solver=name)
    with pytest.raises(ft.ConvergenceError, match="OSQP refuses the subproblem"):
        step(np.zeros(2), np.zeros(1), lbg=0.0, ubg=1.0)
    assert abs(step(np.zeros(2), np.zeros(1), lbg=0.5, ubg=1.0, damping=4.0).d.sum() - 0.5) < 1e-3


def test_numbers_go_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SOLVERS, "dense", Dense)
    step = ft.nlp(cost, bends).quadratic(np.zeros(N), np.float64(0.0), solver="dense")
    for lam in (0.0, 0.1, 0.2):
        step(np.linspace(0.3, 0.6, N), np.full(N, lam), 10.0, lbg=0.2, ubg=0.2, damping=8.0)
    assert step._solver.calls == ["setup", "update", "update"]
    step(np.linspace(0.3, 0.6, N), np.zeros(N), 10.0, lbg=np.linspace(0.1, 0.2, N), ubg=0.2, damping=8.0)
    assert step._solver.calls == ["setup"]


def test_rows_of_a_matrix() -> None:
    whole = sps.random(7, 5, 0.6, "csc", random_state=1)
    rows, signs = np.array([6, 2, 2, 0]), np.array([1.0, -1.0, 1.0, 2.0])
    picked = Rows(sps.csc_matrix(whole), rows, signs)
    for factor in (1.0, 3.0):
        found = picked.matrix(sps.csc_matrix(factor * whole))
        np.testing.assert_array_equal(found.toarray(), factor * signs[:, None] * whole.toarray()[rows])
        assert found.has_sorted_indices
    assert Rows(sps.csc_matrix(whole), rows[:0]).matrix(sps.csc_matrix(whole)).shape == (0, 5)


@pytest.mark.parametrize(("solver", "package"), PACKAGES.items())
def test_a_package_that_is_missing(solver: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(quadratic_solvers, package, LazyModule(package))
    step = ft.nlp(cost, bends).quadratic(np.zeros(N), np.float64(1.0), solver=solver)
    with pytest.raises(ModuleNotFoundError, match=rf"{package} is needed here.*: pip install {package}"):
        step(np.zeros(N), np.zeros(N), 1.0)


def test_refusals() -> None:
    program = ft.nlp(cost, bends)
    with pytest.raises(ft.ArgumentValueError, match=r"solver='qp' of nlp.quadratic.*osqp, piqp, clarabel, highs"):
        program.quadratic(np.zeros(N), np.float64(1.0), solver="qp")
    with pytest.raises(ft.ShapeError, match=r"vectors x, got shape \(2, 2\)"):
        program.quadratic(np.zeros((2, 2)), np.float64(1.0))
    step = program.quadratic(np.zeros(N), np.float64(1.0))
    with pytest.raises(ft.ShapeError, match=r"lam has shape \(3,\).*needs \(8,\)"):
        step(np.zeros(N), np.zeros(3), 1.0)
