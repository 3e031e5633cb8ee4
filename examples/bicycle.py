"""A car finds its way around an obstacle: optimal control by multiple shooting, and a one-page SQP.

Run it as ``python -m examples.bicycle``. The method is Newton's on the conditions of Karush, Kuhn and Tucker, with a
line search on an exact penalty function: Nocedal and Wright, Numerical Optimization (2006), chapter 18.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array, eye_array
from scipy.sparse.linalg import splu

import functrans as ft
import functrans.numpy as fnp

Floats = NDArray[np.float64]
STATES, CONTROLS = 5, 2  # position, heading, speed, steering angle; acceleration, rate of steering
STEP, WHEELBASE = 0.2, 1.0
FIRST, LAST = np.array([0.0, 0.0, 0.0, 1.0, 0.0]), np.array([10.0, 0.0, 0.0, 1.0, 0.0])
OBSTACLE = (5.0, 0.1, 1.5)  # x, y and size


def drive(state: Any, control: Any) -> Any:
    """The rate of change of the state: the kinematic bicycle."""
    _, _, heading, speed, steer = state
    rates = [speed * np.cos(heading), speed * np.sin(heading), speed * np.tan(steer) / WHEELBASE]
    return fnp.stack([*rates, control[0], control[1]])


def advance(state: Any, control: Any) -> Any:
    """The state a step later, by Runge and Kutta's method."""
    a = drive(state, control)
    b = drive(state + STEP / 2 * a, control)
    c = drive(state + STEP / 2 * b, control)
    d = drive(state + STEP * c, control)
    return state + STEP / 6 * (a + 2 * b + 2 * c + d)


@dataclass
class Problem:
    """The unknowns are the stages (state, control), one after another, and the last state."""

    stages: int

    def split(self, z: Any) -> tuple[Any, Any, Any]:
        """States and controls of the stages, and the last state."""
        rows = z[: self.stages * (STATES + CONTROLS)].reshape(self.stages, STATES + CONTROLS)
        return rows[:, :STATES], rows[:, STATES:], z[self.stages * (STATES + CONTROLS) :]

    def cost(self, z: Any) -> Any:
        """Effort, and a hill where the obstacle is."""
        states, controls, _ = self.split(z)
        x, y, size = OBSTACLE
        far = (states[:, 0] - x) ** 2 + (states[:, 1] - y) ** 2
        return STEP * ((controls**2).sum() + 30 * np.exp(-4 * far / size**2).sum())

    def defects(self, z: Any) -> Any:
        """How far each stage misses the next, and the ends what they should be."""
        states, controls, last = self.split(z)
        after = np.concatenate([states[1:], last[None]])
        gaps = after - ft.vmap(advance)(states, controls)
        return np.concatenate([states[0] - FIRST, gaps.reshape(-1), last - LAST])

    def start(self) -> Floats:
        """A drive in an arc that no car could follow."""
        t = np.linspace(0, 1, self.stages + 1)[:, None]
        states = FIRST * (1 - t) + LAST * t
        states[:, 1] = -1.5 * np.sin(np.pi * t[:, 0])
        rows = np.hstack([states[:-1], np.full((self.stages, CONTROLS), 0.01)])
        return np.concatenate([rows.ravel(), states[-1]])


@dataclass
class Result:
    """The way found, and for each iteration the violation of the constraints and of optimality."""

    z: Floats
    history: list[tuple[float, float]]
    seconds: float


def solve(cost: Callable[[Any], Any], defects: Callable[[Any], Any], z: Floats, most: int = 60) -> Result:
    """Minimize the cost where the defects are zero."""
    program = ft.nlp(cost, defects, triangle="full")
    g = ft.jit(defects)
    merit = ft.jit(lambda z, weight: cost(z) + weight * np.abs(defects(z)).sum())
    lam = np.zeros(program.jacobian.pattern(z).shape[0])
    jacobian, hessian = program.jacobian.pattern(z), program.hessian.pattern(z, lam)
    history, weight, damping, begin = [], 1.0, 1e-8, perf_counter()
    for _ in range(most):
        at = program.values(z, lam)
        J, H = jacobian.to_scipy(at.jacobian), hessian.to_scipy(at.hessian)
        history.append((float(np.abs(at.g).max()), float(np.abs(at.gradient + J.T @ lam).max())))
        if max(history[-1]) < 1e-9:
            break
        while True:  # more damping until the step goes downhill
            system = block_array([[H + damping * eye_array(len(z)), J.T], [J, None]], format="csc")
            factors = splu(system)
            found = factors.solve(-np.concatenate([at.gradient, at.g]))
            step, target = found[: len(z)], found[len(z) :]
            weight = max(weight, 2 * float(np.abs(target).max()))
            slope = float(at.gradient @ step) - weight * float(np.abs(at.g).sum())
            if (step @ (H @ step) + damping * (step @ step) > 0 and slope < 0) or damping > 1e6:
                break
            damping = max(10 * damping, 1e-4)
        length, now = 1.0, merit(z, weight)
        bend = factors.solve(np.concatenate([0 * z, -g(z + step)]))[: len(z)]  # back onto the curved constraints
        if merit(z + step + bend, weight) <= now + 1e-4 * slope:
            step = step + bend
        while merit(z + length * step, weight) > now + 1e-4 * length * slope and length > 1e-8:
            length /= 2
        z, lam = z + length * step, lam + length * (target - lam)
        damping = damping / 10 if damping > 1e-8 else 1e-8
    return Result(z, history, perf_counter() - begin)


def main() -> int:
    """Find the way; 0 if it is optimal."""
    problem = Problem(stages=50)
    program = ft.nlp(problem.cost, problem.defects)
    z = problem.start()
    print(program.jacobian.plan(z))
    print(program.hessian.plan(z, np.zeros(program.jacobian.pattern(z).shape[0])))
    found = solve(problem.cost, problem.defects, z)
    for k, (violation, gradient) in enumerate(found.history):
        print(f"iteration {k:2}: constraints missed by {violation:.1e}, optimality by {gradient:.1e}")
    states, _, _ = problem.split(found.z)
    aside = np.abs(states[:, 1]).max()
    print(f"cost {float(problem.cost(found.z)):.4f} in {found.seconds:.2f} s, at most {aside:.2f} off the line")
    return 0 if max(found.history[-1]) < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
