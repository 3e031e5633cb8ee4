"""The quadrotor of the gallery: a step against Newton's system solved whole, flights that keep off the ball."""

from __future__ import annotations

import numpy as np
import pytest

import functrans as ft
from examples import quadrotor

RNG = np.random.default_rng(0)


def test_a_step_is_that_of_the_whole_system() -> None:
    N, n, m = 4, 13, 4
    xs = np.tile(quadrotor.START, (N + 1, 1)) + 0.02 * RNG.normal(size=(N + 1, n))
    us = np.tile(quadrotor.HOVER, (N, 1)) + 0.2 * RNG.normal(size=(N, m))
    goal = np.array([1.0, 0.5, 1.5])
    size, rows = N * (n + m) + n, (N + 1) * n
    K, right = np.zeros((size + rows, size + rows)), np.zeros(size + rows)
    A = K[size:, :size]
    A[:n, :n] = np.eye(n)
    stage = ft.jit(quadrotor.stage)
    for k in range(N + 1):
        end, J, g, H = stage(xs[k], us[k] if k < N else quadrotor.HOVER, goal)
        at = slice(k * (n + m), min((k + 1) * (n + m), size))  # the last stage has no control
        width = at.stop - at.start
        K[at, at], right[at] = H[:width, :width], -g[:width]
        if k < N:
            place = slice((k + 1) * n, (k + 2) * n)
            A[place, at], A[place, at.stop : at.stop + n] = J, -np.eye(n)
            right[size:][place] = xs[k + 1] - end
    K[:size, size:] = A.T
    found = np.concatenate([np.linalg.solve(K, right)[:size], np.zeros(m)]).reshape(N + 1, n + m)
    better = ft.jit(quadrotor.improve)(xs, us, goal)
    np.testing.assert_allclose(better[0], xs + found[:, :n], rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(better[1], us + found[:-1, n:], rtol=1e-8, atol=1e-9)


def test_gradients_are_those_of_the_cost() -> None:
    x, u, goal = quadrotor.START + 0.02 * RNG.normal(size=13), quadrotor.HOVER + 0.1 * RNG.normal(size=4), np.ones(3)

    def cost(w: np.ndarray) -> float:
        room = quadrotor.limits(w[:13], w[13:], quadrotor.BALL)
        squares = quadrotor.residual(w[:13], w[13:], goal)
        return (squares**2).sum() / 2 - quadrotor.BARRIER * np.log(room).sum()

    _, _, g, _ = ft.jit(quadrotor.stage)(x, u, goal)
    w, h = np.concatenate([x, u]), 1e-6
    differences = [(cost(w + h * e) - cost(w - h * e)) / (2 * h) for e in np.eye(17)]
    np.testing.assert_allclose(g, differences, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("room", [0.3, 0.02, 0.01, -0.2])
def test_the_barrier_is_a_parabola_near_zero(room: float) -> None:
    t, h = 0.02, 1e-6

    def wall(z: float) -> float:
        return -0.1 * np.log(z) if z >= t else 0.1 * (((z - 2 * t) / t) ** 2 / 2 - 0.5 - np.log(t))

    slope, curvature = quadrotor.wall(np.float64(room), 0.1, t)
    np.testing.assert_allclose(slope, (wall(room + h) - wall(room - h)) / (2 * h), rtol=1e-3)
    np.testing.assert_allclose(curvature, 0.1 / max(room, t) ** 2, rtol=1e-12)


def test_flights_keep_off_the_ball(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quadrotor, "STAGES", 25)
    wind, noise = quadrotor.weather(8, 4.0)
    states, controls = ft.jit(ft.vmap(quadrotor.fly))(wind, noise)
    assert states.shape == (8, 100, 13) and (controls >= quadrotor.LEAST).all() and (controls <= quadrotor.MOST).all()
    ball = np.linalg.norm(states[:, :, :3] - quadrotor.BALL, axis=2)
    assert ball.min() > 0.8 * quadrotor.SIZE
    straight = quadrotor.START[:3] + np.linspace(0, 1, 100)[:, None] * (quadrotor.GOALS[0][1] - quadrotor.START[:3])
    assert np.linalg.norm(straight - quadrotor.BALL, axis=1).min() < 0.6 * quadrotor.SIZE  # the straight way meets it
    assert np.linalg.norm(states[:, -1, :3] - quadrotor.GOALS[0][1], axis=1).max() < 0.5
