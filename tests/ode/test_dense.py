"""Dense output: against SciPy's and exact solutions, with derivatives, each lane its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import functrans as ft
from tests.laws.references import alone
from tests.ode.problems import rotation, van_der_pol

INSIDE = np.linspace(0.1, 3.9, 41)


def _solved(mu: Any, t: Any = None, **options: Any) -> Any:
    t = np.array([0.0, 4.0]) if t is None else t
    options = {"rtol": 1e-9, "atol": 1e-9, "max_steps": 400, **options}
    return ft.ode.solve(van_der_pol, t, (2.0, 0.0), mu, dense=True, **options)


@pytest.mark.parametrize("ends", [(0.0, 4.0), (1.0, -1.0)])
def test_it_is_the_solution_scipy_finds(ends: tuple[float, float]) -> None:
    s = _solved(3.0, np.linspace(*ends, 5))

    def flat(t: Any, y: Any) -> Any:
        return van_der_pol(t, y, 3.0)

    exact = solve_ivp(flat, ends, [2.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-12, dense_output=True).sol
    t = np.linspace(*ends, 200)
    found = s.sol(t)
    np.testing.assert_allclose(np.stack(found), exact(t), rtol=1e-6, atol=1e-6)
    for x, rows in zip(s.sol(s.t), s.y, strict=True):
        np.testing.assert_allclose(x, rows, rtol=1e-12, atol=1e-14)
    # outside as in the first and last step
    near = np.array([ends[0] - (ends[1] - ends[0]) * 1e-3, ends[1] + (ends[1] - ends[0]) * 1e-3])
    back = solve_ivp(flat, ends[::-1], exact(ends[1]), method="DOP853", rtol=1e-12, atol=1e-12, dense_output=True).sol
    np.testing.assert_allclose(s.sol(near)[0], back(near)[0], atol=1e-5)


def test_shapes() -> None:
    s = ft.ode.solve(rotation, np.array([0.0, 1.0]), np.array([0.0, 1.0]), 1.0, dense=True, max_steps=50)
    for shape in ((), (3,), (0,), (2, 3)):
        t = np.full(shape, 0.5)
        assert s.sol(t).shape == (*shape, 2)
        np.testing.assert_allclose(s.sol(t)[..., 0], np.sin(t), atol=1e-6)
    np.testing.assert_allclose(s.sol(0.5), s.sol([0.5])[0])
    assert s.sol(1).shape == (2,)
    with pytest.raises(ft.DtypeError, match="expected real numbers"):
        s.sol(1j)


def test_of_order_four() -> None:
    errors = []
    for h in (0.4, 0.2):
        options: dict[str, Any] = {"rtol": 1e3, "atol": 1e3, "first_step": h, "dense": True, "max_steps": 3}
        s = ft.ode.solve(rotation, np.array([0.0, h]), np.array([0.0, 1.0]), 1.0, **options)
        assert s.stats.accepted == 1
        t = np.linspace(0.0, h, 9)
        errors.append(np.abs(s.sol(t)[:, 0] - np.sin(t)).max())
    assert 4.5 < np.log2(errors[0] / errors[1]) < 5.5  # of one step: one more


def test_where_the_end_was_not_reached() -> None:
    # after too few steps, at a singularity, not at all
    s = _solved(3.0, max_steps=10)
    end = s.sol.knots.t[int(s.stats.accepted) - 1]
    assert s.status == 1 and np.isfinite(s.sol(end)[0]) and np.isnan(s.sol(end * 1.001)[0])
    assert np.isfinite(s.sol(-0.01)[0])
    blows_up = ft.ode.solve(lambda t, y: y * y, np.array([0.0, 2.0]), 1.0, dense=True, max_steps=3000)
    assert blows_up.status == 2 and abs(blows_up.sol(0.5) - 2.0) < 1e-5 and np.isnan(blows_up.sol(1.5))
    nowhere = ft.ode.solve(lambda t, y: y * np.nan, np.array([0.0, 2.0]), 1.0, dense=True, max_steps=40)
    assert nowhere.sol(0.0) == 1.0 and np.isnan(nowhere.sol(1.0))
    still = ft.ode.solve(lambda t, y: y, np.array([1.0, 1.0]), 2.0, dense=True, max_steps=40)
    assert still.status == 0 and still.sol(np.array([0.0, 1.0, 5.0])).tolist() == [2.0] * 3


def test_an_event_ends_it() -> None:
    def ground(t: Any, y: Any) -> Any:
        return y[0]

    ground.terminal = True  # type: ignore[attr-defined]
    t = np.array([0.0, 5.0])
    s = ft.ode.solve(lambda t, y: (y[1], -10.0), t, (10.0, 0.0), events=ground, dense=True, max_steps=50)
    at = np.linspace(0.0, np.sqrt(2.0), 7)
    np.testing.assert_allclose(s.sol(at)[0], 10 - 5 * at**2, atol=1e-6)
    np.testing.assert_allclose(s.sol(s.t_events[0, :1])[0], 0.0, atol=1e-12)


def test_lanes_are_what_they_are_alone() -> None:
    mus = np.array([1.0, 9.0, 2.0, 0.5, 4.0, 3.0, 1.0, 7.0, 2.5, 0.1, 5.0, 1.5, 2.0, 3.3, 0.2, 8.0, 6.0, 1.2, 0.3])

    def run(mu: Any) -> Any:
        return _solved(mu, rtol=1e-5, atol=1e-5, max_steps=150).sol

    together = ft.vmap(run)(mus)
    apart = alone(run, mus)
    for k, lanes in enumerate(ft.tree.leaves(together)):
        assert lanes.tobytes() == np.array([ft.tree.leaves(x)[k] for x in apart]).tobytes()
    at = ft.vmap(lambda sol, t: sol(t), (0, None))(together, INSIDE)
    inside = ft.vmap(lambda mu: run(mu)(INSIDE))(mus)
    for k, wanted in enumerate(alone(lambda sol: sol(INSIDE), apart)):
        for x, y, z in zip(at, inside, wanted, strict=True):
            np.testing.assert_allclose(x[k], z, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(y[k], z, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("adjoint", ["forward", "checkpoint"])
def test_tangents(adjoint: str) -> None:
    def at(mu: Any, t: Any) -> Any:
        return _solved(mu, adjoint=adjoint, rtol=1e-11, atol=1e-11, max_steps=1000).sol(t)[0]

    t = np.array([0.5, 1.7, 3.9])
    value, slope = ft.jvp(at, (2.0, t), (1.0, np.ones(3)))
    e = 1e-5
    np.testing.assert_allclose(value, at(2.0, t), rtol=1e-12)
    np.testing.assert_allclose(slope, (at(2.0 + e, t + e) - at(2.0 - e, t - e)) / (2 * e), rtol=1e-6)


def test_gradients() -> None:
    def loss(y: Any, mu: Any, t: Any) -> Any:
        ends = np.array([0.0, 2.0])
        s = ft.ode.solve(van_der_pol, ends, y, mu, dense=True, rtol=1e-8, atol=1e-8, max_steps=200)
        x, v = s.sol(t)
        return (x * x + 0.3 * v).sum()

    at = ((2.0, 0.5), 3.0, np.array([0.3, 0.31, 1.2, 2.0]))
    ft.testing.check_vjp(loss, at)
    ft.testing.check_jvp(loss, at, rtol=1e-3)  # differences change the lengths of steps


def test_too_much_memory() -> None:
    with pytest.raises(ft.ArgumentValueError, match=r"dense=True of ode.solve of .* would keep \d+ bytes"):
        ft.ode.solve(lambda t, y: -y, np.array([0.0, 1.0]), np.ones(10_000), dense=True)
