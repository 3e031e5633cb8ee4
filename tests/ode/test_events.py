"""Events: where they are against closed forms and SciPy, whether they end the loop, with derivatives and lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import functrans as ft
import functrans.numpy as fnp
from tests.laws.references import alone
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
    assert s.status == 4 and s.t_events.shape == (3, 16)
    np.testing.assert_allclose(s.t_events[:2, 0], _ground_and_top(9.81), rtol=1e-9)
    assert np.isnan(s.t_events[2]).all()  # later than the end, though in the same step
    assert np.isnan(s.t_events[:, 1:]).all() and s.event_counts.tolist() == [1, 1, 0]
    assert abs(s.y_events[0][0, 0]) < 1e-12 and abs(s.y_events[1][1, 0]) < 1e-12
    assert s.y_events[1][0, 0] == pytest.approx(-np.sqrt(25 + 20 * 9.81), rel=1e-9)
    before = t < s.t_events[0, 0]
    np.testing.assert_allclose(s.y[0][before], (10 + 5 * t - 9.81 / 2 * t * t)[before], rtol=1e-7)
    assert np.isnan(s.y[0][~before]).all()
    weak = _thrown(2.0, t)  # still in the air
    assert weak.status == 0 and np.isnan(weak.t_events[0]).all()
    np.testing.assert_allclose(weak.t_events[1:, 0], 2.5, rtol=1e-12)


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
    s = ft.ode.solve(van_der_pol, np.array([0.0, end]), (2.0, 0.0), 2.0, rtol=1e-9, atol=1e-9, events=events)
    assert s.status == 0 and s.event_counts.tolist() == [len(t) for t in exact] and s.event_counts.any()
    for found, wanted, n in zip(s.t_events, exact, s.event_counts, strict=True):
        np.testing.assert_allclose(found[:n], wanted, rtol=1e-6)
        assert np.isnan(found[n:]).all()


def _counted(terminal: Any, direction: int = 0) -> Any:
    g = _crossing(direction)
    g.terminal = terminal
    return g


@pytest.mark.covering(1)
@pytest.mark.parametrize("terminal", [False, True, 3, np.int64(2)])
@pytest.mark.parametrize("direction", [0, -1])
def test_all_crossings_are_those_of_scipy(terminal: Any, direction: int) -> None:
    def flat(t: Any, y: Any) -> Any:
        return [float(x) for x in van_der_pol(t, y, 1.0)]

    def fast(t: Any, y: Any, *args: Any) -> Any:
        return y[1] - 1.0

    events = [_counted(terminal, direction), fast]
    exact = solve_ivp(flat, (0.0, 30.0), [2.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-12, events=events)
    t = np.linspace(0.0, 30.0, 40)
    s = ft.ode.solve(van_der_pol, t, (2.0, 0.0), 1.0, rtol=1e-10, atol=1e-10, events=events, max_events=6)
    assert s.event_counts.tolist() == [len(t) for t in exact.t_events]
    assert s.status == (4 if terminal else 0) and (exact.status == 1) == bool(terminal)
    for k, (times, states) in enumerate(zip(exact.t_events, exact.y_events, strict=True)):
        n = min(len(times), 6)  # for the others there is no room
        np.testing.assert_allclose(s.t_events[k, :n], times[:n], rtol=1e-7)
        np.testing.assert_allclose(np.stack([y[k, :n] for y in s.y_events], 1), states[:n].reshape(n, 2), atol=1e-6)
        assert np.isnan(s.t_events[k, n:]).all() and np.isnan(s.y_events[0][k, n:]).all()


def test_derivatives_of_all_crossings() -> None:
    def times(w: Any, adjoint: str = "checkpoint") -> Any:
        t = np.array([0.0, 10.0])
        options: dict[str, Any] = {"events": _crossing(0), "max_events": 4, "max_steps": 400, "adjoint": adjoint}
        return ft.ode.solve(lambda t, y, w: (w * y[1], -w * y[0]), t, (0.5, 0.5), w, rtol=1e-10, **options).t_events[0]

    exact = (np.arange(1, 5) - 0.25) * np.pi / 1.3
    np.testing.assert_allclose(times(1.3), exact, rtol=1e-7)
    np.testing.assert_allclose(ft.jacrev(times)(1.3), -exact / 1.3, rtol=1e-6)
    for adjoint in ("forward", "checkpoint"):
        slope = ft.jvp(lambda w, how=adjoint: times(w, how), (1.3,), (1.0,))[1]
        np.testing.assert_allclose(slope, -exact / 1.3, rtol=1e-6)


def test_a_value_that_begins_at_zero_has_not_crossed_it() -> None:
    s = ft.ode.solve(_fall, np.array([0.0, 3.0]), (0.0, 5.0), 9.81, events=_ground)
    assert s.status == 4
    assert s.t_events[0, 0] == pytest.approx(10 / 9.81, rel=1e-9)


def test_derivatives_of_events() -> None:
    t = np.linspace(0.0, 3.0, 4)
    e = 1e-6
    by_time = (_ground_and_top(9.81 + e) - _ground_and_top(9.81 - e)) / (2 * e)
    wanted = [*by_time, -10 / np.sqrt(25 + 20 * 9.81)]

    def times_and_speed(g: Any, how: str = "checkpoint") -> Any:
        s = _thrown(g, t, adjoint=how, max_steps=50)
        return fnp.stack([s.t_events[0, 0], s.t_events[1, 0], s.y_events[1][0, 0]])

    for adjoint in ("forward", "checkpoint"):
        slope = ft.jvp(lambda g, how=adjoint: times_and_speed(g, how), (9.81,), (1.0,))[1]
        np.testing.assert_allclose(slope, wanted, rtol=1e-7)
    np.testing.assert_allclose(ft.jacrev(times_and_speed)(9.81), wanted, rtol=1e-7)


@pytest.mark.parametrize(("m", "most"), [(2, 16), (4, 16), (4, 100)])
def test_lanes_are_what_they_are_alone(m: int, most: int) -> None:
    gs = np.linspace(1.0, 15.0, 11)

    def run(g: Any) -> Any:
        return _thrown(g, np.linspace(0.0, 3.0, m), max_steps=100, max_events=most)

    together = ft.tree.leaves(ft.vmap(run)(gs))
    apart = [ft.tree.leaves(x) for x in alone(run, gs)]
    for k, lanes in enumerate(together):
        assert lanes.tobytes() == np.array([x[k] for x in apart]).tobytes()


def test_errors() -> None:
    t = np.array([0.0, 1.0])

    def vector(t: Any, y: Any, g: Any) -> Any:
        return np.ones(2)

    def third(t: Any, y: Any, g: Any) -> Any:
        return y[0]

    third.terminal = -3  # type: ignore[attr-defined]
    with pytest.raises(ft.ArgumentError, match=r"events of ode.solve of _fall is 3"):
        ft.ode.solve(_fall, t, (1.0, 0.0), 1.0, events=3)
    with pytest.raises(ft.ShapeError, match=r"the event vector .*float64 of shape \(2,\)"):
        ft.ode.solve(_fall, t, (1.0, 0.0), 1.0, events=[vector])
    with pytest.raises(ft.ArgumentValueError, match=r"third.terminal=-3"):
        ft.ode.solve(_fall, t, (1.0, 0.0), 1.0, events=third)
