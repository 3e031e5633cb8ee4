"""What should each generator of a grid produce? The AC optimal power flow by a small interior-point method.

Run it as ``python -m examples.optimal_power_flow``. The problem is that of PYPOWER's ``runopf``; the method is the
primal-dual one of Nocedal and Wright, Numerical Optimization (2006), section 19.2, without a line search.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pypower.api import case30, case118
from pypower.ext2int import ext2int
from scipy.sparse import block_array, diags_array
from scipy.sparse.linalg import spsolve

import functrans as ft

Floats = NDArray[np.float64]


def flow(near: Any, far: Any, angle: Any, own: Any, mutual: Any) -> tuple[Any, Any]:
    """Active and reactive power that enter branches at one end, for the voltages at both."""
    cosine, sine, product = np.cos(angle), np.sin(angle), near * far
    active = own.real * near**2 + product * (mutual.real * cosine + mutual.imag * sine)
    return active, product * (mutual.real * sine - mutual.imag * cosine) - own.imag * near**2


@dataclass(eq=False)
class Dispatch:
    """Unknowns: angles and magnitudes of the voltages at buses, active and reactive power of generators, and the
    squares of the flows through both ends of the branches that have a limit.
    """

    case: dict[str, Any]

    def __post_init__(self) -> None:
        case = self.case = ext2int(self.case)
        self.base, bus, gen, branch = case["baseMVA"], case["bus"], case["gen"], case["branch"]
        self.buses, self.generators = len(bus), len(gen)
        self.load, self.shunt = (bus[:, [2, 3]] / self.base).T, (bus[:, [4, 5]] / self.base).T
        self.source, self.target = branch[:, 0].astype(int), branch[:, 1].astype(int)
        self.at, self.reference = gen[:, 0].astype(int), int(np.flatnonzero(bus[:, 1] == 3)[0])
        series = 1 / (branch[:, 2] + 1j * branch[:, 3])
        tap = np.where(branch[:, 8] == 0, 1.0, branch[:, 8]) * np.exp(1j * np.deg2rad(branch[:, 9]))
        far = series + 0.5j * branch[:, 4]
        self.admittances = far / abs(tap) ** 2, -series / tap.conj(), far, -series / tap
        self.limited = np.flatnonzero((branch[:, 5] > 0) & (branch[:, 5] < 9000))
        limit = np.tile((branch[self.limited, 5] / self.base) ** 2, 2)
        free = np.full(self.buses, np.inf)
        self.low = np.concatenate([-free, bus[:, 12], gen[:, 9] / self.base, gen[:, 4] / self.base, 0 * limit - np.inf])
        self.high = np.concatenate([free, bus[:, 11], gen[:, 8] / self.base, gen[:, 3] / self.base, limit])

    def split(self, x: Any) -> list[Any]:
        """Angles, magnitudes, active and reactive powers, squares of flows."""
        ends = np.cumsum([0, self.buses, self.buses, self.generators, self.generators, 2 * len(self.limited)])
        return [x[a:b] for a, b in itertools.pairwise(ends)]

    def prices(self, multipliers: Floats) -> Floats:
        """What a megawatt hour more would cost at each bus."""
        return multipliers[: self.buses] / self.base

    def cost(self, x: Any) -> Any:
        """What the active power costs an hour: a polynomial a generator."""
        a, b, c = self.case["gencost"][:, 4:7].T
        megawatts = self.base * self.split(x)[2]
        return (a * megawatts**2 + b * megawatts + c).sum()

    def flows(self, angle: Any, magnitude: Any) -> tuple[Any, Any]:
        """Active and reactive power that enter each branch at its source and at its target."""
        one, other = magnitude[self.source], magnitude[self.target]
        across = angle[self.source] - angle[self.target]
        own, mutual, far, back = self.admittances
        return flow(one, other, across, own, mutual), flow(other, one, -across, far, back)

    def balance(self, x: Any) -> Any:
        """What is zero: active and reactive power at buses, the angle of reference, errors of squares."""
        angle, magnitude, *powers, squares = self.split(x)
        begin, end = self.flows(angle, magnitude)
        signed = magnitude**2 * np.array([1.0, -1.0])[:, None] * self.shunt
        at_buses = [
            ft.segment_sum(begin[k], self.source, self.buses)
            + ft.segment_sum(end[k], self.target, self.buses)
            + signed[k] + self.load[k]
            - ft.segment_sum(powers[k], self.at, self.buses)
            for k in (0, 1)
        ]  # fmt: skip
        through = [(p**2 + q**2)[self.limited] for p, q in (begin, end)]
        errors = np.concatenate(through) - squares
        return np.concatenate([*at_buses, angle[self.reference][None], errors])

    def start(self) -> Floats:
        """Flat voltages, the middle of what is allowed; half of the limits of branches."""
        low, high = np.maximum(self.low, -1.0), np.minimum(self.high, 1e3)
        x = (low + high) / 2
        x[: self.buses] = 0.0
        x[len(x) - 2 * len(self.limited) :] = self.high[len(x) - 2 * len(self.limited) :] / 2
        return x


@dataclass
class Result:
    """The solution, the multipliers of the constraints, and for each iteration (violation, optimality, barrier)."""

    x: Floats
    multipliers: Floats
    history: list[tuple[float, float, float]]


def interior_point(
    f: Callable[[Any], Any], g: Callable[[Any], Any], x: Floats, low: Floats, high: Floats,
    most: int = 80,
) -> Result:  # fmt: skip
    """Minimize f(x) where g(x) = 0 and low < x < high, from an x between the bounds."""
    program = ft.nlp(f, g, triangle="full")
    lam = np.zeros(program.jacobian.pattern(x).shape[0])
    jacobian, hessian = program.jacobian.pattern(x), program.hessian.pattern(x, lam)
    barrier, history = 1.0, []
    push = barrier / (x - low), barrier / (high - x)  # multipliers of bounds: zero where there is none
    for _ in range(most):
        at = program.values(x, lam)
        J, H = jacobian.to_scipy(at.jacobian), hessian.to_scipy(at.hessian)
        slope = at.gradient + J.T @ lam
        size = max(1.0, float(np.abs(lam).max()), float(max(p.max() for p in push)))
        optimality = float(np.abs(slope - push[0] + push[1]).max()) / size
        history.append((float(np.abs(at.g).max()), optimality, barrier))
        if max(history[-1]) < 1e-8:
            break
        room = x - low, high - x
        stiff = push[0] / room[0] + push[1] / room[1]
        system = block_array([[H + diags_array(stiff + 1e-9), J.T], [J, None]], format="csc")
        step = spsolve(system, -np.concatenate([slope - barrier / room[0] + barrier / room[1], at.g]))
        dx, dlam = step[: len(x)], step[len(x) :]
        moved = [barrier / r - p * (1 + d / r) for p, r, d in zip(push, room, (dx, -dx), strict=True)]
        far = min(reach(room[0], dx), reach(room[1], -dx))
        wide = min(reach(push[0], moved[0]), reach(push[1], moved[1]))
        x, lam = x + far * dx, lam + wide * dlam
        push = push[0] + wide * moved[0], push[1] + wide * moved[1]
        lower, upper = np.isfinite(low), np.isfinite(high)
        gaps = [(x - low)[lower] * push[0][lower], (high - x)[upper] * push[1][upper]]
        barrier = 0.1 * float(np.concatenate(gaps).mean())
    return Result(x, lam, history)


def reach(room: Floats, change: Floats) -> float:
    """The largest step up to one that keeps room + step * change positive, with something to spare."""
    less = change < 0
    return min(1.0, 0.9995 * float((room[less] / -change[less]).min(initial=np.inf)))


def main() -> int:
    """Dispatch two grids; 0 if the cost is that of PYPOWER (recorded)."""
    right = True
    for case, cost in ((case30, 576.8923362), (case118, 129660.6863)):
        problem = Dispatch(case())
        begin = perf_counter()
        found = interior_point(problem.cost, problem.balance, problem.start(), problem.low, problem.high)
        print(f"{problem.buses} buses: {problem.cost(found.x):.4f} $/h, PYPOWER {cost:.4f}; "
              f"{len(found.history)} iterations, {perf_counter() - begin:.2f} s")  # fmt: skip
        right &= max(found.history[-1]) < 1e-8 and abs(problem.cost(found.x) / cost - 1) < 1e-6
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
