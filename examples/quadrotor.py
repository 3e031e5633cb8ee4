"""A quadrotor flies from goal to goal around a ball, in the wind: model predictive control, many flights in one call.

Run it as ``python -m examples.quadrotor``. In each period the controller improves its plan by one step of Gauss and
Newton's method (Diehl, Bock and Schloeder, A real-time iteration scheme for nonlinear optimization in optimal feedback
control, 2005). The step is a Riccati recursion: Rao, Wright and Rawlings, Application of interior-point methods to
model predictive control (1998). Limits are relaxed barriers: Feller and Ebenbauer, Relaxed logarithmic barrier function
based model predictive control of linear systems (2017).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import functrans as ft
import functrans.numpy as fnp

Floats = NDArray[np.float64]
GRAVITY, ARM, INERTIA = 9.81, 0.2, (0.01, 0.01, 0.02)
LEAST, MOST = 0.3, 5.0  # thrust of a rotor over mass, m/s2
BALL, SIZE = np.array([2.0, 0.1, 1.2]), 0.7  # the center of the ball and the distance to keep, m
PERIOD, STAGES = 0.04, 50  # a plan is for two seconds
BARRIER, RELAXED = 5e-2, 2e-2
START = np.array([0.0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
HOVER = np.full(4, GRAVITY / 4)
GOALS = ((0.0, (4.0, 0.0, 1.5)), (4.0, (4.0, 2.5, 2.0)), (7.0, (0.0, 0.0, 1.0)))  # from these seconds on
END = 11.0


def rate(x: Any, u: Any) -> Any:
    """Of position, velocity, attitude (a quaternion) and the rates of the body; u: thrusts of the rotors over mass."""
    vx, vy, vz, a, b, c, d, p, q, r = x[3:]
    lift = u.sum()
    i, j, k = INERTIA
    rates = [
        vx, vy, vz,
        2 * (b * d + a * c) * lift, 2 * (c * d - a * b) * lift, (1 - 2 * (b * b + c * c)) * lift - GRAVITY,
        0.5 * (-b * p - c * q - d * r), 0.5 * (a * p + c * r - d * q), 0.5 * (a * q - b * r + d * p),
        0.5 * (a * r + b * q - c * p),
        (ARM * (u[1] - u[3]) - (k - j) * q * r) / i, (ARM * (u[2] - u[0]) - (i - k) * r * p) / j,
        (0.05 * (u[0] - u[1] + u[2] - u[3]) - (j - i) * p * q) / k,
    ]  # fmt: skip
    return fnp.stack(rates)


def runge_kutta(rate: Callable[[Any, Any], Any], period: float) -> Callable[[Any, Any], Any]:
    """The state a period later, the control held."""

    def advance(x: Any, u: Any) -> Any:
        a = rate(x, u)
        b = rate(x + period / 2 * a, u)
        c = rate(x + period / 2 * b, u)
        return x + period / 6 * (a + 2 * b + 2 * c + rate(x + period * c, u))

    return advance


def residual(x: Any, u: Any, goal: Any) -> Any:
    """What is squared and summed: the way to the goal, motion, tilt and effort."""
    return np.concatenate([x[:3] - goal, 0.3 * x[3:6], 0.3 * x[7:10], 0.1 * x[10:], 0.1 * (u - GRAVITY / 4)])


def limits(x: Any, u: Any, ball: Any) -> Any:
    """What is to be positive: the least and the most of the rotors, the way to the ball."""
    off = (x[:3] - ball) / SIZE
    return np.concatenate([u - LEAST, MOST - u, (off * off).sum().reshape(1) - 1])


def wall(room: Any, barrier: float, relaxed: float) -> tuple[Any, Any]:
    """Slope and curvature of a logarithmic barrier that goes over into a parabola near zero."""
    near = room < relaxed
    inverse = 1 / np.where(near, relaxed, room)
    return -barrier * inverse * np.where(near, 2 - room * (1 / relaxed), 1.0), barrier * inverse * inverse


def stage(x: Any, u: Any, goal: Any) -> Any:
    """Of one stage: its end, the derivatives of its end, gradient and Hessian (of Gauss and Newton) of its cost."""
    w, n = np.concatenate([x, u]), len(x)

    def advance(w: Any) -> Any:
        return runge_kutta(rate, PERIOD)(w[:n], w[n:])

    def wish(w: Any) -> Any:
        return residual(w[:n], w[n:], goal)

    def room(w: Any) -> Any:
        return limits(w[:n], w[n:], BALL)

    slope, curvature = wall(room(w), BARRIER, RELAXED)
    R, L = ft.jacfwd(wish)(w), ft.jacfwd(room)(w)
    return advance(w), ft.jacfwd(advance)(w), R.T @ wish(w) + L.T @ slope, R.T @ R + L.T @ (curvature[:, None] * L)


def riccati(J: Any, g: Any, H: Any, gaps: Any, last: tuple[Any, Any]) -> tuple[Any, Any, Any, Any]:
    """Changes of states and controls that solve the quadratic problem; the cost to go after each stage."""
    n = gaps.shape[1]

    def backward(after: Any, stage: Any) -> Any:
        (P, q), (J, g, H, gap) = after, stage
        M, h = H + J.T @ (P @ J), g + J.T @ (P @ gap + q)
        L = np.linalg.cholesky(M[n:, n:])
        G = ft.scipy.linalg.solve_triangular(L, np.concatenate([M[n:, :n], h[n:, None]], axis=1), lower=True)
        P = M[:n, :n] - G[:, :n].T @ G[:, :n]
        return (P, h[:n] - G[:, :n].T @ G[:, n]), (L, G, *after)

    _, (L, G, P, q) = ft.scan(backward, last, (J, g, H, gaps), reverse=True)

    def forward(dx: Any, stage: Any) -> Any:
        J, gap, L, G = stage
        du = -ft.scipy.linalg.solve_triangular(L, G[:, :n] @ dx + G[:, n], trans=1, lower=True)
        after = J @ np.concatenate([dx, du]) + gap
        return after, (after, du)

    _, (dxs, dus) = ft.scan(forward, np.zeros(n), (J, gaps, L, G))
    return np.concatenate([np.zeros((1, n)), dxs]), dus, P, q


def improve(xs: Any, us: Any, goal: Any) -> tuple[Any, Any]:
    """A plan after one step from it; its first state stays."""
    ends, J, g, H = ft.vmap(stage, in_axes=(0, 0, None))(xs[:-1], us, goal)
    _, _, slope, hessian = stage(xs[-1], HOVER, goal)
    n = xs.shape[1]
    dxs, dus, _, _ = riccati(J, g, H, ends - xs[1:], (hessian[:n, :n], slope[:n]))
    return xs + dxs, us + dus


def fly(wind: Any, noise: Any) -> tuple[Any, Any]:
    """States and controls of a flight: a wind that the controller does not know, noise of what it measures."""
    push = np.concatenate([np.zeros(3), wind, np.zeros(7)])
    times = PERIOD * np.arange(len(noise))
    goals = np.array([[goal for begin, goal in GOALS if begin <= t + 1e-9][-1] for t in times])
    plant = runge_kutta(lambda x, u: rate(x, u) + push, PERIOD)

    def period(carry: Any, given: Any) -> Any:
        (x, xs, us), (goal, error) = carry, given
        xs, us = improve(np.concatenate([(x + error)[None], xs[1:]]), us, goal)
        u = np.clip(us[0], LEAST, MOST)
        later = np.concatenate([xs[1:], runge_kutta(rate, PERIOD)(xs[-1], us[-1])[None]])
        return (plant(x, u), later, np.concatenate([us[1:], us[-1:]])), (x, u)

    first = np.tile(START, (STAGES + 1, 1)), np.tile(HOVER, (STAGES, 1))
    return ft.scan(period, (START, *first), (goals, noise))[1]


def weather(flights: int, seconds: float = END) -> tuple[Floats, Floats]:
    """Winds as accelerations, and noise for each period."""
    rng = np.random.default_rng(0)
    size = np.repeat([0.01, 0.002], [3, 10])
    return 0.4 * rng.normal(size=(flights, 3)), size * rng.uniform(-1, 1, (flights, round(seconds / PERIOD), 13))


def main() -> int:
    """Fly a hundred times; 0 if all keep off the ball and arrive."""
    flights = ft.jit(ft.vmap(fly))
    wind, noise = weather(100)
    begin = perf_counter()
    flights(wind, noise)
    first, begin = perf_counter() - begin, perf_counter()
    states, _ = flights(wind, noise)
    seconds = perf_counter() - begin
    print(f"{len(wind)} flights of {END:g} s in {seconds:.2f} s, the first call {first:.1f} s: "
          f"{1e6 * seconds / len(wind) / noise.shape[1]:.0f} us for each step of the controller")  # fmt: skip
    near = np.linalg.norm(states[:, :, :3] - BALL, axis=2).min()
    off = np.linalg.norm(states[:, -1, :3] - GOALS[-1][1], axis=1)
    print(f"nearest to the center of the ball: {near:.2f} m; off the last goal: {off.max():.2f} m at most")
    return 0 if near > 0.8 * SIZE and off.max() < 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
