"""Implicit methods with sparse matrices whose factors are worth keeping."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import functrans as ft
import functrans.numpy as fnp
from tests.ode.problems import derivatives_are_differences

M = 15
T = np.array([0.0, 0.1, 0.4])


def heat(t: Any, y: Any, w: Any) -> Any:
    """On a square, with a reaction."""
    u = y.reshape(M, M)
    p = fnp.pad(u, 1)
    flow = p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u
    return (20 * flow + w * u * u * (1 - u) + fnp.sin(9 * t)).reshape(-1)


def run(y0: Any, w: Any, method: str = "radau", dense: bool = False) -> Any:
    return ft.ode.solve(heat, T, y0, w, method=method, jac="sparse", rtol=1e-7, atol=1e-9, dense=dense, max_steps=200)


STARTS = np.random.default_rng(0).uniform(0, 1, (3, M * M))


@pytest.mark.covering(1)
@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_against_scipy_and_lanes_take_the_steps_they_take_alone(method: str) -> None:
    def both(y0: Any) -> Any:
        s = run(y0, 5.0, method)
        return s.y, s.stats, s.status

    found = ft.jit(ft.vmap(both))(STARTS)
    for got, wanted in zip(ft.tree.leaves(found), ft.tree.leaves(ft.jit(both)(STARTS[2])), strict=True):
        np.testing.assert_array_equal(got[2], wanted)
    plain = ft.jit(lambda t, y: heat(t, y, 5.0))
    exact = solve_ivp(plain, (0.0, T[-1]), STARTS[2], "Radau", T, rtol=1e-9, atol=1e-11).y.T
    np.testing.assert_allclose(found[0][2], exact, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_steps_of_one_length_share_their_factors(method: str) -> None:
    s = run(STARTS[0], 5.0, method, dense=True)
    lengths = np.diff(s.sol.knots.t[: s.stats.accepted])
    assert np.isclose(lengths[1:], lengths[:-1], rtol=1e-9).sum() > 0.5 * len(lengths)


def test_no_iteration_factors() -> None:
    """A call that finds its factors on the way is one of another routine."""
    source = ft.jit(lambda y0: run(y0, 5.0).y).lower(STARTS[0]).c_source
    assert "matrix_sparse_factor" in source and not re.search(r"\n +matrix_sparse(_searched)?_f64\(", source)


def test_derivatives() -> None:
    def loss(w: Any) -> Any:
        return (run(STARTS[0], w).y[-1] ** 2).sum()

    derivatives_are_differences(loss, 5.0, 1e-3)


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_float32(method: str) -> None:
    def last(dtype: Any) -> Any:
        t, y0 = np.array([0.0, 1.0], dtype), np.linspace(0.5, 1.0, 5, dtype=dtype)
        f = lambda t, y: fnp.append(y[1:], 0.0).astype(dtype) - 2 * y  # noqa: E731
        return ft.ode.solve(f, t, y0, method=method, jac="sparse", rtol=1e-4, atol=1e-6).y[-1]

    assert last(np.float32).dtype == np.float32
    np.testing.assert_allclose(last(np.float32), last(np.float64), rtol=1e-3)
