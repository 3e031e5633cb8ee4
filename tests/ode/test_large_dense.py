"""Implicit methods with dense matrices of many rows: against SciPy, lanes against alone, derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import functrans as ft
from tests.ode.problems import derivatives_are_differences

T = np.array([0.0, 0.2, 0.5])


def coupled(n: int) -> Any:
    """A stiff system in which every equation reads every state."""
    drawn = np.random.default_rng(n).standard_normal((n, n)) / n**0.5
    a = -30 * drawn @ drawn.T - np.eye(n)
    return lambda t, y, w: a @ y - w * y**3


@pytest.mark.covering(1)
@pytest.mark.parametrize("method", ["radau", "esdirk"])  # radau also of the largest: it factors two
@pytest.mark.parametrize("n", [9, 21, 45])
def test_against_scipy_and_lanes_take_the_steps_they_take_alone(method: str, n: int) -> None:
    f, y0 = coupled(n), np.random.default_rng(1).standard_normal((3, n))

    def run(y0: Any) -> Any:
        s = ft.ode.solve(f, T, y0, 0.3, method=method, rtol=1e-7, atol=1e-9)
        return s.y, s.stats, s.status

    found = ft.jit(ft.vmap(run))(y0)
    for lane in (0, 2):
        for got, wanted in zip(ft.tree.leaves(found), ft.tree.leaves(ft.jit(run)(y0[lane])), strict=True):
            np.testing.assert_array_equal(got[lane], wanted)
        exact = solve_ivp(f, (T[0], T[-1]), y0[lane], "Radau", T, args=(0.3,), rtol=1e-8, atol=1e-10).y.T
        np.testing.assert_allclose(found[0][lane], exact, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_derivatives(method: str) -> None:
    n = 24
    f, y0 = coupled(n), np.random.default_rng(1).standard_normal(n)

    def loss(w: Any) -> Any:
        s = ft.ode.solve(f, T, y0, w, method=method, rtol=1e-9, atol=1e-11)
        return (s.y[-1] ** 2).sum()

    derivatives_are_differences(loss, 0.3, 1e-4)


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_a_matrix_that_is_no_number_ends_the_steps(method: str) -> None:
    n = 24
    s = ft.ode.solve(coupled(n), T, np.full(n, np.nan), 0.3, method=method)
    assert s.status != 0


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_steps_of_one_length_share_their_factors(method: str) -> None:
    """A step that could be a little longer is not, so that what was factored serves for it."""

    def lengths(n: int) -> Any:
        s = ft.ode.solve(
            coupled(n), T, np.random.default_rng(1).standard_normal(n), 0.3, method=method, rtol=1e-7, dense=True
        )
        return np.diff(s.sol.knots.t[: s.stats.accepted])

    found, few = lengths(24), lengths(9)
    assert np.isclose(found[1:], found[:-1], rtol=1e-9).sum() > 0.6 * len(found)
    assert np.isclose(few[1:], few[:-1], rtol=1e-9).sum() < 0.2 * len(few)


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_a_derivative_that_is_old_is_made_again_where_nothing_converges_by_it(method: str) -> None:
    """The equations turn a thousand times as stiff in the midst of a step."""
    n, t = 24, np.array([0.0, 0.4, 1.0])
    a = np.random.default_rng(n).standard_normal((n, n)) / n

    def f(t: Any, y: Any) -> Any:
        return a @ y - 2000 * (1 + np.tanh(300 * (t - 0.7))) * (y - np.cos(t))

    y0 = np.linspace(-1, 1, n)
    s = ft.ode.solve(f, t, y0, method=method, rtol=1e-6, atol=1e-8)
    wanted = solve_ivp(f, (0.0, 1.0), y0, "Radau", t, rtol=1e-8, atol=1e-10).y.T
    assert s.status == 0 and s.stats.accepted + s.stats.rejected < 300
    np.testing.assert_allclose(s.y, wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_steps_taken_again_are_the_same(method: str) -> None:
    """Of more than a block: where one begins nothing is shared, in the first run as in those for derivatives."""
    n, times = 21, np.linspace(0.0, 0.5, 40)
    f, y0 = coupled(n), np.random.default_rng(1).standard_normal(n)

    def run(w: Any) -> Any:
        s = ft.ode.solve(f, times, y0, w, method=method, rtol=1e-6, atol=1e-8)
        return s.y, s.stats

    stats = ft.jit(run)(0.3)[1]
    assert stats.accepted > 50
    (_, same), (dy, _) = ft.jit(lambda w: ft.jvp(run, (w,), (1.0,)))(0.3)
    assert ft.tree.leaves(same) == ft.tree.leaves(stats)
    gradient = ft.jit(ft.grad(lambda w: run(w)[0].sum()))(0.3)
    np.testing.assert_allclose(gradient, dy.sum(), rtol=1e-8)
