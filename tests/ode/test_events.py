"""Events: where they are against closed forms, whether they end the loop, with derivatives and lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import functrans as ft
from tests.ode.problems import van_der_pol


def _fall(t: Any, y: Any, g: Any) -> Any:
    return y[1], -g


def _ground(t: Any, y: Any, g: Any) -> Any:
    return y[0]


_ground.terminal = True  # type: ignore[attr-defined]


def _top(t: Any, y: Any, g: Any) -> Any:
    return y[1]


def _late(t: Any, y: Any, g: Any) -> Any:
    return t - 2.5


_EVENTS = [_ground, _top, _late]


def _thrown(g: Any, t: Any, **options: Any) -> Any:
    """From a height of 10 up with a speed of 5."""
    return ft.ode.solve(_fall, t, (10.0, 5.0), g, events=_EVENTS, **options)


def _ground_and_top(g: Any) -> Any:
    return np.array([(5 + np.sqrt(25 + 20 * g)) / g, 5 / g])


@pytest.mark.parametrize("m", [2, 4])
def test_a_body_that_is_thrown(m: int) -> None:
    t = np.linspace(0.0, 3.0, m)
    s = _thrown(9.81, t)
    assert s.status == 4
    np.testing.assert_allclose(s.t_events[:2], _ground_and_top(9.81), rtol=1e-9)
    assert np.isnan(s.t_events[2])  # later than the end, though in the same step
    assert abs(s.y_events[0][0]) < 1e-12 and abs(s.y_events[1][1]) < 1e-12
    assert s.y_events[1][0] == pytest.approx(-np.sqrt(25 + 20 * 9.81), rel=1e-9)
    before = t < s.t_events[0]
    np.testing.assert_allclose(s.y[0][before], (10 + 5 * t - 9.81 / 2 * t * t)[before], rtol=1e-7)
    assert np.isnan(s.y[0][~before]).all()
    weak = _thrown(2.0, t)  # still in the air
    assert weak.status == 0 and np.isnan(weak.t_events[0])
    np.testing.assert_allclose(weak.t_events[1:], 2.5, rtol=1e-12)


def _crossing(direction: int) -> Any:
    def g(t: Any, y: Any, *args: Any) -> Any:
        return y[0]

    g.direction = direction  # type: ignore[attr-defined]
    return g


@pytest.mark.parametrize("end", [12.0, -1.5])
def test_directions(end: float) -> None:
    def flat(t: Any, y: Any) -> Any:
        return [float(x) for x in van_der_pol(t, y, 2.0)]

    events = [_crossing(1), _crossing(-1), _crossing(0)]
    exact = solve_ivp(flat, (0.0, end), [2.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-12, events=events).t_events
    wanted = [t[0] if t.size else np.nan for t in exact]
    s = ft.ode.solve(van_der_pol, np.array([0.0, end]), (2.0, 0.0), 2.0, rtol=1e-9, atol=1e-9, events=events)
    np.testing.assert_allclose(s.t_events, wanted, rtol=1e-6)
    assert s.status == 0 and np.isfinite(s.t_events).any()


def test_a_value_that_begins_at_zero_has_not_crossed_it() -> None:
    s = ft.ode.solve(_fall, np.array([0.0, 3.0]), (0.0, 5.0), 9.81, events=_ground)
    assert s.status == 4
    assert s.t_events[0] == pytest.approx(10 / 9.81, rel=1e-9)


@pytest.mark.parametrize("m", [2, 4])
def test_derivatives_of_events(m: int) -> None:
    t = np.linspace(0.0, 3.0, m)
    e = 1e-6
    by_time = (_ground_and_top(9.81 + e) - _ground_and_top(9.81 - e)) / (2 * e)
    for adjoint in ("forward", "checkpoint"):

        def times(g: Any, how: str = adjoint) -> Any:
            return _thrown(g, t, adjoint=how, max_steps=50).t_events[:2]

        def speed(g: Any, how: str = adjoint) -> Any:
            return _thrown(g, t, adjoint=how, max_steps=50).y_events[1][0]

        np.testing.assert_allclose(ft.jvp(times, (9.81,), (1.0,))[1], by_time, rtol=1e-7)
        assert ft.jvp(speed, (9.81,), (1.0,))[1] == pytest.approx(-10 / np.sqrt(25 + 20 * 9.81), rel=1e-9)
    np.testing.assert_allclose(ft.jacrev(times)(9.81), by_time, rtol=1e-7)
    assert ft.grad(speed)(9.81) == pytest.approx(-10 / np.sqrt(25 + 20 * 9.81), rel=1e-9)


@pytest.mark.parametrize("m", [2, 4])
def test_lanes_are_what_they_are_alone(m: int) -> None:
    gs = np.linspace(1.0, 15.0, 11)

    def run(g: Any) -> Any:
        return _thrown(g, np.linspace(0.0, 3.0, m), max_steps=100)

    together = ft.tree.leaves(ft.vmap(run)(gs))
    alone = [ft.tree.leaves(run(g)) for g in gs]
    for k, lanes in enumerate(together):
        assert lanes.tobytes() == np.array([x[k] for x in alone]).tobytes()


def test_errors() -> None:
    t = np.array([0.0, 1.0])

    def vector(t: Any, y: Any, g: Any) -> Any:
        return np.ones(2)

    def third(t: Any, y: Any, g: Any) -> Any:
        return y[0]

    third.terminal = 3  # type: ignore[attr-defined]
    with pytest.raises(ft.ArgumentError, match=r"events of ode.solve of _fall is 3"):
        ft.ode.solve(_fall, t, (1.0, 0.0), 1.0, events=3)
    with pytest.raises(ft.ShapeError, match=r"the event vector .*float64 of shape \(2,\)"):
        ft.ode.solve(_fall, t, (1.0, 0.0), 1.0, events=[vector])
    with pytest.raises(ft.UnsupportedError, match=r"third.terminal=3"):
        ft.ode.solve(_fall, t, (1.0, 0.0), 1.0, events=third)
