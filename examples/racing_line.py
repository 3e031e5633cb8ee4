"""The racing line: the fastest lap of a closed track, as one nonlinear program and a one-page barrier method.

Run it as ``python -m examples.racing_line``. The unknowns are taken at stations along the center line, as in Perantoni
and Limebeer, Optimal control for a Formula One car with variable parameters (2014); the car is a point on tires. The
method is Newton's on the conditions of a logarithmic barrier, whose weight falls: Nocedal and Wright, Numerical
Optimization (2006), chapter 19.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.sparse import block_array, eye_array
from scipy.sparse.linalg import splu

import functrans as ft
import functrans.numpy as fnp

Floats = NDArray[np.float64]
HALF_WIDTH, GRIP, ENGINE = 5.0, 12.0, 5.0  # m; what the tires hold and what the engine gives, m/s2
SLOW = 8.0  # of the first guess, m/s
CORNERS = np.array([(0, 0), (160, -10), (260, 40), (240, 130), (150, 120), (110, 190), (10, 200), (-40, 110)], float)


@dataclass
class Track:
    """A closed line through corners, with stations at equal distances: places, directions, curvatures."""

    points: Floats
    turn: Floats
    bend: Floats
    step: float

    @staticmethod
    def through(corners: Floats, stations: int) -> Track:
        """The smooth line through corners."""
        closed = np.concatenate([corners, corners[:1]])
        line = CubicSpline(np.arange(len(closed)), closed, bc_type="periodic")
        at = np.linspace(0, len(corners), 20001)
        arcs = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line(at), axis=0).T))])
        at = np.interp(np.arange(stations) / stations * arcs[-1], arcs, at)
        (dx, dy), (ddx, ddy) = line(at, 1).T, line(at, 2).T
        bend = (dx * ddy - dy * ddx) / (dx**2 + dy**2) ** 1.5
        return Track(line(at), np.arctan2(dy, dx), bend, arcs[-1] / stations)

    def plane(self, side: Any) -> Floats:
        """Points that are to the left of the center line, closed."""
        points = self.points + np.multiply(side, [-np.sin(self.turn), np.cos(self.turn)]).T
        return np.concatenate([points, points[:1]])

    def split(self, z: Any) -> Any:
        """At each station: way to the left, heading against the track, speed; curvature of the way, acceleration."""
        return z.reshape(-1, 5).T

    def pace(self, z: Any) -> Any:
        """Seconds for each meter of the center line."""
        side, heading, speed, _, _ = self.split(z)
        return (1 - side * self.bend) / (speed * np.cos(heading))

    def cost(self, z: Any) -> Any:
        """The time of a lap, and a little for a wheel and pedals that are moved fast."""
        _, _, _, curve, push = self.split(z)
        moved = (10 * (curve - np.roll(curve, 1))) ** 2 + (0.02 * (push - np.roll(push, 1))) ** 2
        return self.step * self.pace(z).sum() + moved.sum()

    def defects(self, z: Any) -> Any:
        """How far each station misses the next, by the trapezoidal rule; the last is followed by the first."""
        side, heading, speed, curve, push = self.split(z)
        pace = self.pace(z)
        rates = [speed * np.sin(heading) * pace, curve * speed * pace - self.bend, push * pace]
        gaps = [
            np.roll(x, -1) - x - self.step / 2 * (rate + np.roll(rate, -1))
            for x, rate in zip((side, heading, speed), rates, strict=True)
        ]
        return fnp.stack(gaps, axis=1).reshape(-1)

    def rooms(self, z: Any) -> Any:
        """What is to be positive: the edges of the track, the grip of the tires, the engine, the direction."""
        side, heading, speed, curve, push = self.split(z)
        pull = (speed * speed * curve / GRIP) ** 2 + (push / GRIP) ** 2
        edges, engine = 1 - (side / HALF_WIDTH) ** 2, 1 - push / ENGINE
        return fnp.stack([edges, 1 - pull, engine, np.cos(heading) - 0.5, speed / 100])

    def start(self) -> Floats:
        """Slowly along the center line."""
        zero = np.zeros(len(self.bend))
        return np.stack([zero, zero, zero + SLOW, self.bend, zero], axis=1).ravel()


@dataclass
class Result:
    """The solution; for each iteration the barrier's weight, the violation of the constraints and of optimality."""

    z: Floats
    history: list[tuple[float, float, float]]


def barrier_method(
    cost: Callable[[Any], Any], defects: Callable[[Any], Any], rooms: Callable[[Any], Any], z: Floats,
    last: float = 1e-6, most: int = 200,
) -> Result:  # fmt: skip
    """Minimize the cost where defects are zero and rooms positive, from a z whose rooms are positive."""

    def walled(z: Any, weight: Any) -> Any:
        return cost(z) - weight * np.log(rooms(z)).sum()

    program = ft.nlp(walled, lambda z, weight: defects(z), triangle="full")
    merit = ft.jit(lambda z, weight, price: walled(z, weight) + price * np.abs(defects(z)).sum())
    least = ft.jit(lambda z: rooms(z).min())
    weight, price, damping, history = 0.02, 1.0, 0.0, []
    jacobian = program.jacobian.pattern(z, weight)
    lam = np.zeros(jacobian.shape[0])
    hessian = program.hessian.pattern(z, lam, 1.0, weight)
    for _ in range(most):
        at = program.values(z, lam, 1.0, weight)
        J, H = jacobian.to_scipy(at.jacobian), hessian.to_scipy(at.hessian)
        history.append((weight, float(np.abs(at.g).max()), float(np.abs(at.gradient + J.T @ lam).max())))
        if max(history[-1][1:]) < 10 * weight:
            if weight <= last:
                break
            weight = max(last, weight / 5)
            at = program.values(z, lam, 1.0, weight)
            H = hessian.to_scipy(at.hessian)
        while True:  # more damping until the step goes downhill
            system = block_array([[H + damping * eye_array(len(z)), J.T], [J, None]], format="csc")
            found = splu(system).solve(-np.concatenate([at.gradient, at.g]))
            step, target = found[: len(z)], found[len(z) :]
            price = max(price, 2 * float(np.abs(target).max()))
            slope = float(at.gradient @ step) - price * float(np.abs(at.g).sum())
            if step @ (H @ step) + damping * (step @ step) > 0 and slope < 0:
                break
            damping = max(4 * damping, 1e-4)
        length, now = 1.0, merit(z, weight, price)
        while least(z + length * step) <= 0 or merit(z + length * step, weight, price) > now + 1e-4 * length * slope:
            length /= 2
            if length < 1e-10:  # rounding is all that is left
                return Result(z, history)
        z, lam = z + length * step, lam + length * (target - lam)
        damping = damping / 4 if damping > 1e-6 else 0.0
    return Result(z, history)


def main() -> int:
    """Find the line; 0 if it is optimal."""
    track = Track.through(CORNERS, 300)
    z = track.start()
    program = ft.nlp(track.cost, track.defects)
    print(program.jacobian.plan(z))
    print(program.hessian.plan(z, np.zeros(3 * len(track.bend))))
    begin = perf_counter()
    found = barrier_method(track.cost, track.defects, track.rooms, z)
    for k, (weight, missed, optimality) in enumerate(found.history):
        print(f"iteration {k:2}: barrier {weight:.0e}, defects {missed:.0e}, optimality {optimality:.0e}")
    side, _, speed, _, _ = track.split(found.z)
    lap = track.step * track.pace(found.z).sum()
    print(f"a lap of {len(track.bend) * track.step:.0f} m in {lap:.2f} s, found in {perf_counter() - begin:.1f} s")
    print(f"{3.6 * speed.min():.0f} to {3.6 * speed.max():.0f} km/h, at most {np.abs(side).max():.2f} m aside")
    return 0 if max(found.history[-1][1:]) < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
