"""The two machines: a small racing car on a closed track, and the quadrotor of ``examples.quadrotor``."""

from __future__ import annotations

from typing import Any

import numpy as np

import functrans.numpy as fnp
from examples.mpc.sqp import Control
from examples.quadrotor import LEAST, MOST, limits, rate, residual, runge_kutta

# the car: a kinematic bicycle of 1:10, in the coordinates of the track
LENGTH, BENDS, WAVE, WIDTH = 30.0, 3, 2.2, 0.6  # of the center line; its bends; how much its curvature varies; half
WHEELBASE, GRIP, PUSH, STEER, RATE, FAST = 0.3, 6.0, 4.0, 0.5, 4.0, 6.0  # m, m/s2, m/s2, rad, rad/s, m/s
OBSTACLE = (0.7, 0.3)  # half axes along and across the track, the car's own size included


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


def quadrotor_residual(x: Any, u: Any, p: Any) -> Any:
    """The quadrotor's, with the goal p[0]."""
    return residual(x, u, p[0])


def quadrotor_limits(x: Any, u: Any, p: Any) -> Any:
    """The quadrotor's, with the ball around p[1]."""
    return limits(x, u, p[1])


CAR_PERIOD, QUADROTOR_PERIOD = 0.01, 0.02
CAR = Control("car", 5, 2, 2, runge_kutta(car_rate, CAR_PERIOD), car_residual, car_limits,
              ((-PUSH, -RATE), (PUSH, RATE)))  # fmt: skip
QUADROTOR = Control("quadrotor", 13, 4, 3, runge_kutta(rate, QUADROTOR_PERIOD), quadrotor_residual,
                    quadrotor_limits, (4 * (LEAST,), 4 * (MOST,)), jacobian="compressed", written=False)  # fmt: skip
