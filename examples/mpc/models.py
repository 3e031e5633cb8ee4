"""The two machines: a small racing car on a closed track, and a quadrotor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import functrans.numpy as fnp
from examples.mpc.sqp import Control

# the car: a kinematic bicycle of 1:10, in the coordinates of the track
LENGTH, BENDS, WAVE, WIDTH = 30.0, 3, 2.2, 0.6  # of the center line; its bends; how much its curvature varies; half
WHEELBASE, GRIP, PUSH, STEER, RATE, FAST = 0.3, 6.0, 4.0, 0.5, 4.0, 6.0  # m, m/s2, m/s2, rad, rad/s, m/s
OBSTACLE = (0.7, 0.3)  # half axes along and across the track, the car's own size included

GRAVITY, ARM, INERTIA = 9.81, 0.2, (0.01, 0.01, 0.02)
LEAST, MOST, BALL = 0.3, 5.0, 0.7  # thrust of a rotor over mass, m/s2; radius of the obstacle, m


def runge_kutta(rate: Callable[[Any, Any], Any], period: float) -> Callable[[Any, Any], Any]:
    """The state a period later, the control held."""

    def advance(x: Any, u: Any) -> Any:
        a = rate(x, u)
        b = rate(x + period / 2 * a, u)
        c = rate(x + period / 2 * b, u)
        return x + period / 6 * (a + 2 * b + 2 * c + rate(x + period * c, u))

    return advance


def bend(s: Any) -> Any:
    """The curvature of the center line; one that varies in this way closes by itself."""
    return 2 * np.pi / LENGTH * (1 + WAVE * np.cos(2 * np.pi * BENDS / LENGTH * s))


def car_rate(x: Any, u: Any) -> Any:
    """Of way along the track, offset to the left, heading against the track, speed, steering angle."""
    s, side, heading, speed, steer = x
    along = speed * np.cos(heading) * (1 / (1 - side * bend(s)))
    turn = speed * np.tan(steer) * (1 / WHEELBASE) - bend(s) * along
    return fnp.stack([along, speed * np.sin(heading), turn, u[0], u[1]])


def car_residual(x: Any, u: Any, p: Any) -> Any:
    """What is lost against full speed along the track; effort; a little order."""
    s, side, heading, speed, _ = x
    along = speed * np.cos(heading) * (1 / (1 - side * bend(s)))
    return fnp.stack([0.5 * (FAST - along), 0.05 * side, 0.05 * heading, 0.03 * u[0], 0.05 * u[1]])


def car_limits(x: Any, u: Any, p: Any) -> Any:
    """The track's edges, steering angle, grip of the tires, push, rate of steering; obstacles p[k] = (s, side)."""
    s, side, _, speed, steer = x
    pull = speed * speed * np.tan(steer) * (1 / WHEELBASE)
    bounded = [(side, WIDTH), (steer, STEER), (pull, GRIP), (u[0], PUSH), (u[1], RATE)]
    own = [1 + sign / most * v for v, most in bounded for sign in (-1, 1)]
    away = []
    for at, aside in p:
        ahead = LENGTH / np.pi * np.sin(np.pi / LENGTH * (s - at))
        away.append(np.sqrt((ahead * (1 / OBSTACLE[0])) ** 2 + ((side - aside) * (1 / OBSTACLE[1])) ** 2) - 1)
    return fnp.stack([*own, *away])


def quadrotor_rate(x: Any, u: Any) -> Any:
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


def quadrotor_residual(x: Any, u: Any, p: Any) -> Any:
    """The way to the goal p[0], and motion, tilt and effort."""
    parts = [x[:3] - p[0], 0.3 * x[3:6], 0.3 * x[7:10], 0.1 * x[10:], 0.1 * (u - GRAVITY / 4)]
    return np.concatenate(parts)


def quadrotor_limits(x: Any, u: Any, p: Any) -> Any:
    """The least and the most of the rotors; the ball around p[1]."""
    off = (x[:3] - p[1]) / BALL
    return np.concatenate([u - LEAST, MOST - u, (off * off).sum().reshape(1) - 1])


CAR_PERIOD, QUADROTOR_PERIOD = 0.01, 0.02
CAR = Control("car", 5, 2, 2, runge_kutta(car_rate, CAR_PERIOD), car_residual, car_limits,
              ((-PUSH, -RATE), (PUSH, RATE)))  # fmt: skip
QUADROTOR = Control("quadrotor", 13, 4, 3, runge_kutta(quadrotor_rate, QUADROTOR_PERIOD), quadrotor_residual,
                    quadrotor_limits, (4 * (LEAST,), 4 * (MOST,)), jacobian="compressed", written=False)  # fmt: skip
