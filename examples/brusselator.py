"""A stiff reaction and diffusion in the plane, by SciPy's BDF with the exact sparse Jacobian.

Run it as ``python -m examples.brusselator``. The problem is that of Hairer and Wanner, Solving Ordinary Differential
Equations II, section IV.10, with periodic boundaries.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import functrans as ft

Floats = NDArray[np.float64]
DIFFUSION = 0.1


def brusselator(n: int) -> Callable[[Any, Any], Any]:
    """The right-hand side ``f(t, y)`` on an n by n grid: y holds u and then v, in C order."""

    def laplacian(u: Any) -> Any:
        around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        return (around - 4 * u) * n**2

    x, y = np.meshgrid(np.arange(n) / n, np.arange(n) / n, indexing="ij")
    disc = (x - 0.3) ** 2 + (y - 0.6) ** 2 <= 0.01

    def f(t: Any, state: Any) -> Any:
        u, v = state.reshape(2, n, n)
        heating = np.where(disc & (t >= 1.1), 5.0, 0.0)
        du = 1 + u**2 * v - 4.4 * u + DIFFUSION * laplacian(u) + heating
        dv = 3.4 * u - u**2 * v + DIFFUSION * laplacian(v)
        return np.stack([du, dv]).reshape(-1)

    return f


def start(n: int) -> Floats:
    """The state at time 0."""
    x, y = np.meshgrid(np.arange(n) / n, np.arange(n) / n, indexing="ij")
    return np.concatenate([(22 * y * (1 - y) ** 1.5).ravel(), (27 * x * (1 - x) ** 1.5).ravel()])


@dataclass
class Run:
    """One integration: the solver's result, its evaluations of f, and the time it took in seconds."""

    solution: Any
    calls: int
    seconds: float


def integrate(n: int, end: float = 2.0, *, exact: bool = True, points: int = 5) -> Run:
    """Integrate with our Jacobian, or (not ``exact``) with SciPy's differences on our pattern."""
    f = brusselator(n)
    fast, J = ft.jit(f), ft.spjacobian(f, argnums=1, format="csc")
    calls = 0

    def counted(t: float, y: Floats) -> Any:
        nonlocal calls
        calls += 1
        return fast(t, y)

    y0 = start(n)
    how: dict[str, Any] = {"jac": J} if exact else {"jac_sparsity": J.pattern(0.0, y0).to_scipy()}
    fast(0.0, y0), J(0.0, y0)  # compiled before the clock starts
    begin = perf_counter()
    times = np.linspace(0.0, end, points)
    solution = solve_ivp(counted, (0.0, end), y0, method="BDF", t_eval=times, rtol=1e-5, atol=1e-7, **how)
    return Run(solution, calls, perf_counter() - begin)


def main() -> int:
    """Integrate both ways and compare; 0 if the results agree."""
    n = 32
    J = ft.spjacobian(brusselator(n), argnums=1)
    print(J.plan(0.0, start(n)))
    print(J.pattern(0.0, start(n)).spy(width=40))
    ours, differences = integrate(n), integrate(n, exact=False)
    for name, run in (("exact Jacobian", ours), ("differences on our pattern", differences)):
        print(
            f"{name}: {run.solution.t.size} outputs, {run.solution.njev} Jacobians, {run.calls} calls of f, "
            f"{run.seconds:.2f} s"
        )
    far = float(np.abs(ours.solution.y - differences.solution.y).max())
    print(f"largest difference of the two: {far:.1e}")
    return 0 if ours.solution.success and far < 1e-2 else 1


if __name__ == "__main__":
    sys.exit(main())
