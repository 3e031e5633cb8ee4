"""Derivatives of solve: against differences of tight solutions, forward against reverse, lanes against alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import functrans as ft
from tests.laws.references import alone
from tests.ode.problems import rotation, van_der_pol


def _loss(t: Any, y0: Any, mu: Any, rtol: float = 1e-9, **options: Any) -> Any:
    x, v = ft.ode.solve(van_der_pol, t, y0, mu, rtol=rtol, atol=rtol, **options).y
    return (x * x + v * np.arange(x.shape[0])).sum()


_AT = (2.0, 0.5), 3.0
_ALONG = (0.2, 0.1), 0.7


def _difference(t: Any, dt: Any) -> Any:
    def moved(e: float) -> Any:
        return _loss(t + dt * e, (2.0 + 0.2 * e, 0.5 + 0.1 * e), 3.0 + 0.7 * e, 1e-12)

    return (moved(1e-4) - moved(-1e-4)) / 2e-4


@pytest.mark.parametrize("m", [2, 4])
def test_tangents_are_those_of_differences(m: int) -> None:
    t = np.linspace(0.1, 2.0, m)
    dt = np.linspace(0.3, -0.2, m)
    wanted = _difference(t, dt)
    for adjoint in ("forward", "checkpoint"):
        value, slope = ft.jvp(lambda *a, how=adjoint: _loss(*a, adjoint=how), (t, *_AT), (dt, *_ALONG))
        assert value == pytest.approx(_loss(t, *_AT), rel=1e-12)
        assert slope == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("m", [2, 4])
def test_gradients_are_tangents_transposed(m: int) -> None:
    t = np.linspace(0.1, 2.0, m)
    dt = np.linspace(0.3, -0.2, m)
    by_t, (by_x, by_v), by_mu = ft.grad(_loss, (0, 1, 2))(t, *_AT)
    _, slope = ft.jvp(_loss, (t, *_AT), (dt, *_ALONG))
    assert by_t @ dt + 0.2 * by_x + 0.1 * by_v + 0.7 * by_mu == pytest.approx(slope, rel=1e-11)
    assert ft.grad(_loss, 2)(t, *_AT) == pytest.approx(by_mu, rel=1e-12)


@pytest.mark.parametrize("m", [2, 4])
def test_gradients_of_lanes(m: int) -> None:
    mus = np.array([1.0, 9.0, 2.0, 0.5, 4.0, 3.0, 1.0, 7.0, 2.5, 0.1, 5.0])
    t = np.linspace(0.0, 1.5, m)

    def gradient(mu: Any) -> Any:
        return ft.grad(lambda mu: _loss(t, (2.0, 0.5), mu, 1e-6, max_steps=200))(mu)

    assert ft.vmap(gradient)(mus).tolist() == alone(gradient, mus)


def test_rejected_steps_that_are_no_numbers_leave_no_trace() -> None:
    # the first try steps past where the square root ends, and is refused
    def last(a: Any) -> Any:
        s = ft.ode.solve(lambda t, y, a: -np.sqrt(y) * a, np.array([0.0, 1.0]), 1.0, a, first_step=1.0, rtol=1e-8)
        return s.y[-1], s.stats.rejected

    value, rejected = last(1.9)
    assert rejected > 0 and value == pytest.approx((1 - 1.9 / 2) ** 2, rel=1e-4)
    gradient = ft.grad(lambda a: last(a)[0])(1.9)
    assert gradient == pytest.approx(-(1 - 1.9 / 2), rel=1e-4)


def test_second_derivatives() -> None:
    def last(w: Any) -> Any:
        t = np.array([0.0, 1.0])
        return ft.ode.solve(rotation, t, np.array([0.0, 1.0]), w, rtol=1e-10, atol=1e-10, max_steps=100).y[-1, 0]

    assert ft.grad(last)(2.0) == pytest.approx(np.cos(2.0), rel=1e-7)
    assert ft.hessian(last)(2.0) == pytest.approx(-np.sin(2.0), rel=1e-7)


def test_second_derivatives_over_many_blocks_of_steps_and_none() -> None:
    # the points that a derivative is computed at move with the arguments, too
    def last(mu: Any, most: int) -> Any:
        t = np.array([0.0, 3.0])
        s = ft.ode.solve(van_der_pol, t, (2.0, 0.5), mu, rtol=1e-11, atol=1e-11, max_steps=most)
        return s.y[0][-1], s.stats.accepted

    assert last(2.0, 1000)[1] > 4 * 32
    by_two = ft.jvp(ft.grad(lambda mu: last(mu, 1000)[0]), (2.0,), (1.0,))[1]
    e = 1e-4
    first = [float(ft.grad(lambda mu: last(mu, 1000)[0])(2.0 + d)) for d in (e, -e)]
    assert by_two == pytest.approx((first[0] - first[1]) / (2 * e), rel=1e-5)
    assert ft.grad(ft.grad(lambda mu: last(mu, 1000)[0]))(2.0) == pytest.approx(by_two, rel=1e-9)
    # so many rounds are no whole number of blocks, and unused blocks change nothing
    assert ft.grad(lambda mu: last(mu, 5000)[0])(2.0) == ft.grad(lambda mu: last(mu, 1001)[0])(2.0)


def test_times_of_no_length_and_one_time() -> None:
    for t in (np.array([0.0, 0.0]), np.array([1.0]), np.array([0.0, 0.0, 0.0])):
        gradient = ft.grad(lambda y, t=t: ft.ode.solve(rotation, t, y, 1.0).y.sum())(np.array([0.5, 2.0]))
        assert gradient.tolist() == [float(len(t))] * 2


def test_one_time_with_dense_output_or_events() -> None:
    for options in ({"dense": True}, {"events": lambda t, y, w: y[0] - 1.0}):
        def total(y: Any, options: Any = options) -> Any:
            return ft.ode.solve(rotation, np.array([1.0]), y, 1.0, **options).y.sum()

        assert ft.grad(total)(np.array([0.5, 2.0])).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("t", "options"),
    [
        ((0, 0, 0), {}),
        ((0, 0, 0.25, 1, 1), {"first_step": 0.25}), ((1, 1, 0.5, 0, 0), {}),
    ],
)
def test_times_that_are_ends_of_steps_have_derivatives_of_their_own(t: tuple[float, ...], options: Any) -> None:
    # of y' = A y: y_i moves by A y_i with its time, by -A y_i with the first one; a first step of .25 is refused
    a, y0, times = np.array([[-1.0, 2.0], [-2.0, -0.3]]), np.array([0.5, 2.0]), np.array(t, np.float64)
    exact = np.stack([scipy.linalg.expm(a * (s - times[0])) @ y0 for s in times])
    ends = np.eye(len(t)) - np.eye(len(t))[0]
    by_times = np.einsum("ik,ij->ikj", exact @ a.T, ends)
    twice = np.einsum("ik,ij,il->ikjl", exact @ a.T @ a.T, ends, ends)

    def y(t: Any) -> Any:
        return ft.ode.solve(lambda t, y: a @ y, t, y0, rtol=1e-9, atol=1e-9, **options).y

    np.testing.assert_allclose(y(times), exact, atol=1e-7)
    for found in (ft.jacfwd(y), ft.jacrev(y)):
        np.testing.assert_allclose(found(times), by_times, atol=1e-6)
    if len(t) == 3:
        np.testing.assert_allclose(ft.jacfwd(ft.jacrev(y))(times), twice, atol=1e-9)


@pytest.mark.parametrize("adjoint", ["forward", "checkpoint"])
def test_times_that_equal_the_first_where_no_step_is_taken_have_second_derivatives(adjoint: str) -> None:
    """Of y' = -y y from 1: y'' = 2 where the one step that may be tried is refused."""

    def y(t: Any) -> Any:
        options = {"first_step": 1e3, "max_steps": 1, "adjoint": adjoint}
        return ft.ode.solve(lambda t, y: -y * y, t, 1.0, rtol=1e-9, **options).y[:3]

    times = np.array([0.0, 0.0, 0.0, 1.0])
    ends = np.eye(3, 4) - np.eye(4)[0]
    np.testing.assert_allclose(ft.jacfwd(y)(times), -ends, atol=1e-12)
    np.testing.assert_allclose(ft.jacfwd(ft.jacfwd(y))(times), 2 * np.einsum("ij,il->ijl", ends, ends), atol=1e-12)


def test_as_many_times_as_one_likes_equal_the_first() -> None:
    def run(t: Any) -> Any:
        return ft.ode.solve(rotation, t, np.array([0.5, -0.0]), 0.0)

    for t in (np.zeros(11), np.array([0.0] * 10 + [1.0]), np.array([[0.0] * 10 + [x] for x in (0.0, 1.0, 0.0, 2.0)])):
        s = (run if t.ndim == 1 else ft.vmap(run))(t)
        rows = s.y.reshape(-1, 11, 2)[:, :10]
        assert (rows == [0.5, 0.0]).all() and np.signbit(rows[..., 1]).all()
        assert not np.any(s.status)


def test_values_beside_derivatives_are_those_without() -> None:
    # times in order and not, reached and not
    t = np.array([[0.0, 0.0, 0.4, 0.7], [0.0, 0.2, 0.4, 2.0], [0.0, -1.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0]])

    def run(t: Any, y: Any) -> Any:
        return ft.ode.solve(lambda t, y: y * y, t, y, max_steps=30)

    plain = ft.vmap(lambda t: run(t, 1.0))(t)
    beside, _ = ft.vmap(lambda t: ft.jvp(lambda y: run(t, y), (1.0,), (1.0,)))(t)
    assert plain.status.tolist() == beside.status.tolist() == [0, 1, 3, 0]
    assert plain.stats.accepted.tolist() == beside.stats.accepted.tolist()
    np.testing.assert_allclose(plain.y, beside.y, rtol=1e-13)
    assert np.isnan(plain.y).sum() == 1 + 3


def test_what_is_refused() -> None:
    t = np.array([0.0, 1.0])
    with pytest.raises(ft.UnsupportedError, match=r"ode.solve with adjoint='forward'"):
        ft.grad(lambda a: ft.ode.solve(rotation, t, np.ones(2), a, adjoint="forward").y.sum())(1.0)
    with pytest.raises(ft.ArgumentError, match=r"ode.solve of <lambda>.*pass the value as an argument"):
        ft.grad(lambda a: ft.ode.solve(lambda t, y: -a * y, t, 1.0).y.sum())(1.0)
    _, slope = ft.jvp(
        lambda a: ft.ode.solve(lambda t, y: -a * y, t, 1.0, adjoint="forward", rtol=1e-9).y[-1], (1.0,), (1.0,)
    )
    assert slope == pytest.approx(-np.exp(-1.0), rel=1e-6)


@pytest.mark.covering(1)
@pytest.mark.parametrize("t", [np.linspace(0.0, 0.5, 30), np.array([0.0, 0.0, 0.0, 0.4, 0.4, 0.9]), np.ones(3)])
@pytest.mark.parametrize("sign", [1, -1])
def test_times_that_one_step_passes_and_equal_times(t: Any, sign: int) -> None:
    def rows(adjoint: str) -> Any:
        def f(mu: Any, y0: Any) -> Any:
            return ft.ode.solve(van_der_pol, sign * t, y0, mu, rtol=1e-9, max_steps=300, adjoint=adjoint).y

        return ft.jvp(f, (3.0, (2.0, 0.5)), (0.7, (0.2, 0.1)))[1]

    for got, wanted in zip(rows("checkpoint"), rows("forward"), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-13)


def test_times_that_are_not_reached_leave_the_gradient_of_others() -> None:
    t = np.array([0.0, 0.01, 0.02, 50.0, 60.0])

    def first(mu: Any) -> Any:
        return ft.ode.solve(van_der_pol, t, (2.0, 0.5), mu, max_steps=40).y[0][1:3].sum()

    def alone(mu: Any) -> Any:
        return ft.ode.solve(van_der_pol, t[:3], (2.0, 0.5), mu).y[0][1:3].sum()

    assert ft.grad(first)(3.0) == pytest.approx(ft.grad(alone)(3.0), rel=1e-6)


def _last(mu: Any, most: int, rtol: float = 1e-7, adjoint: str = "checkpoint") -> Any:
    return ft.ode.solve(van_der_pol, np.array([0.0, 2.0]) * mu, (2.0, 0.5), mu, rtol=rtol, max_steps=most,
                        adjoint=adjoint).y[0][-1]  # fmt: skip


_MUS = np.array([0.3, 6.0, 1.0, 2.5, 0.1, 4.0, 9.0, 1.5, 3.0, 0.7, 5.0])


@pytest.mark.parametrize(("spans", "rounds"), [(2, 4), (4, 8), (128, 32)])
def test_joined_spans_give_the_same_gradients(monkeypatch: pytest.MonkeyPatch, spans: int, rounds: int) -> None:
    # lanes have 24 to 400 rounds; where there is room for few spans they are doubled, in some lanes more than once
    monkeypatch.setattr("functrans.ode.replay._SPANS", spans)
    for module in ("replay", "reuse"):
        monkeypatch.setattr(f"functrans.ode.{module}.ROUNDS", rounds)

    def tangent(mu: Any) -> Any:
        return ft.jvp(lambda mu: _last(mu, 1000, adjoint="forward"), (mu,), (1.0,))[1]

    found = ft.vmap(ft.grad(lambda mu: _last(mu, 1000)))(_MUS)
    np.testing.assert_allclose(found, ft.vmap(tangent)(_MUS), rtol=1e-9)
    assert found[:3].tolist() == alone(ft.grad(lambda mu: _last(mu, 1000)), _MUS[:3])


def test_gradients_do_not_depend_on_how_many_steps_there_may_be() -> None:
    few, many = (ft.vmap(ft.grad(lambda mu, most=most: _last(mu, most))) for most in (2000, 100_000))
    assert few(_MUS).tolist() == many(_MUS).tolist()
    costs = [ft.jit(f).lower(_MUS).cost().temporaries for f in (few, many)]
    assert costs[1] < 16 * costs[0]


def test_tangents_go_along_in_the_loop_and_can_be_transposed() -> None:
    along = ft.jvp(lambda mu: _last(mu, 500), (2.0,), (1.0,))
    assert along == ft.jvp(lambda mu: _last(mu, 500, adjoint="forward"), (2.0,), (1.0,))

    def slope(mu: Any) -> Any:
        return ft.jvp(lambda mu: _last(mu, 500, 1e-10), (mu,), (1.0,))[1]

    both = ft.jvp(slope, (2.0,), (1.0,))[1]
    e = 1e-4
    assert both == pytest.approx((slope(2.0 + e) - slope(2.0 - e)) / (2 * e), rel=1e-5)
    assert ft.grad(slope)(2.0) == pytest.approx(both, rel=1e-9)
