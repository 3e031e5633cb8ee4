"""Solvers that take a pattern once and nonzeros again and again: those of the guide, where their packages are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.sparse.linalg import splu

import functrans as ft

K = np.geomspace(1e2, 1.0, 9)
Y0 = np.eye(10)[0]
H = 0.01


def rates(t: Any, y: Any) -> Any:
    flow = K * y[:-1] / (0.1 + y[:-1])
    return np.concatenate([-flow, np.zeros(1)]) + np.concatenate([np.zeros(1), flow])


def step(y: Any, before: Any, h: Any) -> Any:
    return y - before - h * rates(0.0, y)


def stepped() -> Any:
    """The step by dense matrices of differences by hand."""
    y = Y0.copy()
    for _ in range(30):
        slopes = 0.1 * K / (0.1 + y[:-1]) ** 2
        matrix = np.eye(10) + H * (np.diag([*slopes, 0.0]) - np.diag(slopes, -1))
        y = y - np.linalg.solve(matrix, step(y, Y0, H))
    assert np.abs(step(y, Y0, H)).max() < 1e-13
    return y


def test_superlu() -> None:
    J = ft.spjacobian(step, format="csc")
    y, numbers = Y0.copy(), J.empty_values(Y0, Y0, H)
    matrix = J.pattern(Y0, Y0, H).to_scipy(numbers)
    for _ in range(30):
        assert J.values(y, Y0, H, out=numbers) is numbers
        y = y - splu(matrix).solve(step(y, Y0, H))
    np.testing.assert_allclose(y, stepped(), rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:Custom sparse Jacobian")
def test_cvode() -> None:
    cvode = pytest.importorskip("sksundae.cvode")
    f, J = ft.jit(rates), ft.spjacobian(rates, argnums=1, format="csc")
    calls = []

    def rhs(t: Any, y: Any, yp: Any) -> None:
        f(t, y, out=yp)

    def jacobian(t: Any, y: Any, yp: Any, JJ: Any) -> None:
        calls.append(J.values(t, y, out=JJ) is JJ)

    pattern = J.pattern(0.0, Y0).to_scipy()
    solver = cvode.CVODE(rhs, jacfn=jacobian, linsolver="sparse", sparsity=pattern, rtol=1e-8, atol=1e-10)
    found = solver.solve(np.array([0.0, 1.0]), Y0)
    want = solve_ivp(rates, (0.0, 1.0), Y0, method="Radau", rtol=1e-9, atol=1e-11)
    assert calls and all(calls)
    np.testing.assert_allclose(found.y[-1], want.y[:, -1], atol=1e-6)


def test_klu_from_jax() -> None:
    jax, klujax = pytest.importorskip("jax"), pytest.importorskip("klujax")
    with jax.enable_x64(True):
        J = ft.spjacobian(step)
        pattern = J.pattern(Y0, Y0, H)
        rows, cols = jax.numpy.asarray(pattern.rows), jax.numpy.asarray(pattern.cols)
        value, nonzeros, symbolic = ft.jax.wrap(step), ft.jax.wrap(J.values), klujax.analyze(rows, cols, 10)

        def newton(_: Any, y: Any) -> Any:
            return y - klujax.solve_with_symbol(rows, cols, nonzeros(y, Y0, H), value(y, Y0, H), symbolic)

        found = jax.jit(lambda y: jax.lax.fori_loop(0, 30, newton, y))(jax.numpy.asarray(Y0))
    np.testing.assert_allclose(found, stepped(), rtol=0, atol=1e-12)


def test_petsc() -> None:
    petsc = pytest.importorskip("petsc4py.PETSc")
    J = ft.spjacobian(step)
    pattern = J.pattern(Y0, Y0, H)
    matrix = petsc.Mat().createAIJ(pattern.shape, comm=petsc.COMM_SELF)
    matrix.setPreallocationCOO(pattern.rows, pattern.cols)
    for y in (Y0, np.full(10, 0.5)):
        matrix.setValuesCOO(J.values(y, Y0, H))
        v = np.cos(np.arange(10.0))
        given, found = matrix.createVecs()
        given.setArray(v)
        matrix.mult(given, found)
        np.testing.assert_allclose(found.getArray(), J(y, Y0, H) @ v)
