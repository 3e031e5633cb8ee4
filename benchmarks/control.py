"""Programs of optimal control, for functrans and for CasADi: the bicycle around a hill, the quadrotor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Array, load

GRAVITY, ARM, INERTIA = 9.81, 0.2, (0.01, 0.01, 0.02)


@dataclass(frozen=True)
class Control:
    """An optimal control problem by multiple shooting with Runge and Kutta's method.

    The unknowns are the stages (state, control), one after another, and the last state; the parameter is where to go.
    Constraints stand in the order of the stages, as fatrop wants them: the gap after a stage, then what else it has.
    ``rate`` is given components and the functions of a library; ``cost`` sums one stage.
    """

    name: str
    stages: int
    states: int
    controls: int
    step: float
    rate: Callable[[Any, Any, Any], list[Any]]
    cost: Callable[[Any, Any, Any], Any]
    first: tuple[float, ...]
    goal: tuple[float, ...]
    ends: tuple[int, ...]  # which states of the last are fixed: to the goal and then to zero
    hover: float
    limit: float

    def advance(self, m: Any, s: list[Any], u: list[Any]) -> list[Any]:
        """The components of the state a step later."""
        h = self.step

        def moved(k: list[Any], by: float) -> list[Any]:
            return [x + by * d for x, d in zip(s, k)]

        a = self.rate(m, s, u)
        b = self.rate(m, moved(a, h / 2), u)
        c = self.rate(m, moved(b, h / 2), u)
        d = self.rate(m, moved(c, h), u)
        return [x + h / 6 * (i + 2 * j + 2 * k + n) for x, i, j, k, n in zip(s, a, b, c, d)]

    def start(self) -> Array:
        """A straight line, and controls that hover."""
        first, last = np.array(self.first), np.array(self.first)
        last[list(self.ends[: len(self.goal)])] = self.goal
        t = np.linspace(0, 1, self.stages + 1)[:, None]
        states = first * (1 - t) + last * t
        rows = np.hstack([states[:-1], np.full((self.stages, self.controls), self.hover)])
        return np.concatenate([rows.ravel(), states[-1]])

    def bounds(self) -> tuple[Array, Array]:
        """Of the unknowns: controls are limited."""
        high = np.full((self.stages, self.states + self.controls), np.inf)
        high[:, self.states :] = self.limit
        low = -high
        if self.hover:
            low[:, self.states :] = 0.0
        free = np.full(self.states, np.inf)
        return np.concatenate([low.ravel(), -free]), np.concatenate([high.ravel(), free])


def bicycle_rate(m: Any, s: list[Any], u: list[Any]) -> list[Any]:
    _, _, heading, speed, steer = s
    return [speed * m.cos(heading), speed * m.sin(heading), speed * m.tan(steer), u[0], u[1]]


def bicycle_cost(m: Any, s: list[Any], u: list[Any]) -> Any:
    hill = m.exp(-4 * ((s[0] - 5.0) ** 2 + (s[1] - 0.1) ** 2) / 1.5**2)
    return 0.2 * (u[0] ** 2 + u[1] ** 2 + 30 * hill)


def quadrotor_rate(m: Any, s: list[Any], u: list[Any]) -> list[Any]:
    """Position, quaternion, velocity, rates of the body; four rotors."""
    a, b, c, d, vx, vy, vz, p, q, r = s[3:]
    lift = u[0] + u[1] + u[2] + u[3]
    turn = [ARM * (u[1] - u[3]), ARM * (u[2] - u[0]), 0.05 * (u[0] - u[1] + u[2] - u[3])]
    i, j, k = INERTIA
    return [
        vx, vy, vz,
        0.5 * (-b * p - c * q - d * r), 0.5 * (a * p + c * r - d * q), 0.5 * (a * q - b * r + d * p),
        0.5 * (a * r + b * q - c * p),
        2 * (b * d + a * c) * lift, 2 * (c * d - a * b) * lift, (1 - 2 * (b * b + c * c)) * lift - GRAVITY,
        (turn[0] - (k - j) * q * r) / i, (turn[1] - (i - k) * r * p) / j, (turn[2] - (j - i) * p * q) / k,
    ]  # fmt: skip


def quadrotor_cost(m: Any, s: list[Any], u: list[Any]) -> Any:
    effort = sum((v - GRAVITY / 4) ** 2 for v in u)
    return 0.02 * (effort + 0.1 * sum(w * w for w in s[7:]) + 4 * m.exp(-((s[0] - 1.5) ** 2 + (s[1] - 1.0) ** 2)))


PROBLEMS = (
    Control("bicycle", 200, 5, 2, 0.2 * 50 / 200, bicycle_rate, bicycle_cost, (0.0, 0.0, 0.0, 1.0, 0.0), (10.0, 0.0),
            (0, 1, 2, 4), 0.0, 10.0),
    Control("quadrotor", 100, 13, 4, 0.03, quadrotor_rate, quadrotor_cost, (0.0,) * 3 + (1.0,) + (0.0,) * 9,
            (3.0, 2.0, 1.0), (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12), GRAVITY / 4, 4.0),
)  # fmt: skip


def ours(c: Control) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Objective and constraints for functrans: NumPy on arrays, a map over the stages."""
    ft = load("functrans")
    width = c.states + c.controls

    def split(z: Any) -> tuple[Any, Any]:
        return z[: c.stages * width].reshape(c.stages, width), z[c.stages * width :]

    def f(z: Any, p: Any) -> Any:
        rows, _ = split(z)
        return ft.vmap(lambda r: c.cost(np, list(r[: c.states]), list(r[c.states :])))(rows).sum()

    def g(z: Any, p: Any) -> Any:
        rows, last = split(z)
        after = ft.vmap(lambda r: np.stack(c.advance(np, list(r[: c.states]), list(r[c.states :]))))(rows)
        gaps = np.concatenate([rows[1:, : c.states], last[None]]) - after
        ends = np.concatenate([p, np.zeros(len(c.ends) - len(c.goal))])
        begin, end = rows[0, : c.states] - np.array(c.first), last[np.array(c.ends)] - ends
        return np.concatenate([gaps[0], begin, gaps[1:].reshape(-1), end])

    return f, g


def theirs(c: Control, kind: str) -> dict[str, Any]:
    """The program of CasADi's: scalars, or a map of one stage."""
    ca = load("casadi")
    s, u = ca.SX.sym("s", c.states), ca.SX.sym("u", c.controls)
    parts = [[v[k] for k in range(v.numel())] for v in (s, u)]
    stage = ca.Function("stage", [s, u], [ca.vertcat(*c.advance(ca, *parts)), c.cost(ca, *parts)])
    width, sym = c.states + c.controls, ca.SX.sym if kind == "SX" else ca.MX.sym
    z, p = sym("z", c.stages * width + c.states), sym("p", len(c.goal))
    rows, last = ca.reshape(z[: c.stages * width], width, c.stages), z[c.stages * width :]
    states, controls = rows[: c.states, :], rows[c.states :, :]
    if kind == "SX":
        each = [stage(states[:, k], controls[:, k]) for k in range(c.stages)]
        after, costs = (ca.horzcat(*(e[k] for e in each)) for k in range(2))
    else:
        after, costs = stage.map(c.stages)(states, controls)
    gaps = ca.horzcat(states[:, 1:], last) - after
    ends = ca.vertcat(p, np.zeros(len(c.ends) - len(c.goal)))
    g = ca.vertcat(gaps[:, 0], states[:, 0] - ca.DM(c.first), ca.vec(gaps[:, 1:]), last[list(c.ends)] - ends)
    return {"x": z, "p": p, "f": ca.sum2(costs), "g": g}
