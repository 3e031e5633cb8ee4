"""Stiff initial value problems, mapped over many instances: Robertson's reactions, and van der Pol's oscillator with a
large parameter; against diffrax's Kvaerno5, and a loop over SciPy's LSODA.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.case import Array, Build, Case, Run, load
from benchmarks.cases.common import jax, ours
from benchmarks.cases.odes import van_der_pol

END, RTOL = 1e5, 1e-6
MOST = 10_000
Problem = tuple[Callable[..., Any], Callable[[Any], Any], tuple[float, ...], float]
"""f, the last time for a parameter, the state to begin with, and the absolute tolerance."""


def robertson(t: Any, y: Any, k: Any) -> Any:
    a, b, c = y
    slow, back, fast = k * a, 1e4 * b * c, 3e7 * b * b
    return back - slow, slow - back - fast, fast


def rates(size: int) -> tuple[Array]:
    return (0.04 * np.exp(np.random.default_rng(0).uniform(-1.0, 1.0, size)),)


def stiffness(size: int) -> tuple[Array]:
    """Of van der Pol's equation, from 100 to 1000."""
    return (np.exp(np.random.default_rng(0).uniform(np.log(100.0), np.log(1000.0), size)),)


REACTIONS: Problem = (robertson, lambda k: END + 0.0 * k, (1.0, 0.0, 0.0), 1e-9)
OSCILLATOR: Problem = (van_der_pol, lambda mu: 2.0 * mu, (2.0, 0.0), 1e-6)


def alone(problem: Problem, k: float, method: str, rtol: float, atol: float) -> Array:
    """One instance by SciPy."""
    f, end, y0, _ = problem
    s = load("scipy.integrate").solve_ivp(f, (0.0, end(k)), y0, method=method, rtol=rtol, atol=atol, args=(k,))
    found: Array = s.y[:, -1]
    return found


def reference(problem: Problem, nodes: int) -> Callable[[Array], tuple[Array, ...]]:
    """By SciPy's LSODA at nodes between which the solution is a polynomial of the logarithm of the parameter."""

    def run(k: Array) -> tuple[Array, ...]:
        low, high = np.log(k.min()), np.log(k.max())
        x = (low + high) / 2 + (high - low) / 2 * np.cos((np.arange(nodes) + 0.5) * np.pi / nodes)
        found = np.array([alone(problem, float(np.exp(a)), "LSODA", 1e-11, 1e-14) for a in x])
        return tuple(load("scipy.interpolate").BarycentricInterpolator(x, found)(np.log(k)).T)

    return run


def mine(problem: Problem, method: str) -> Build:
    f, end, y0, atol = problem

    def make(ft: Any) -> Any:
        def solve(k: Any) -> Any:
            t = np.array([0.0, 1.0]) * end(k)
            s = ft.ode.solve(f, t, y0, k, method=method, rtol=RTOL, atol=atol, max_steps=MOST)
            return tuple(x[-1] for x in s.y)

        return ft.vmap(solve)

    return ours(make)


def of_diffrax(problem: Problem) -> Build:
    f, end, y0, atol = problem

    def make(jax: Any) -> Any:
        d = load("diffrax")
        control = d.PIDController(rtol=RTOL, atol=atol)

        def solve(k: Any) -> Any:
            found = d.diffeqsolve(
                d.ODETerm(f), d.Kvaerno5(), 0.0, end(k), None, tuple(x + 0 * k for x in y0), args=k, max_steps=MOST,
                stepsize_controller=control, saveat=d.SaveAt(t1=True), adjoint=d.ForwardMode(), throw=False,
            )  # fmt: skip
            return tuple(x[-1] for x in found.ys)

        return jax.vmap(solve)

    return jax(make)


def of_scipy(problem: Problem) -> Build:
    """A loop over instances."""

    def build(k: Array) -> Run:
        return lambda: tuple(np.array([alone(problem, x, "LSODA", RTOL, problem[3]) for x in k.tolist()]).T)

    return build


def rows(
    name: str, title: str, problem: Problem, inputs: Any, nodes: int, method: str, sizes: tuple[int, int]
) -> list[Case]:
    """Ours against diffrax, and, of fewer instances, against SciPy."""
    peers = (
        ("diffrax", "diffrax", of_diffrax(problem), sizes[0]),
        ("scipy", "SciPy's LSODA", of_scipy(problem), sizes[1]),
    )
    return [
        Case(
            name=f"{name}-{peer}", title=f"{title}, B = 10^{len(str(size)) - 1}, against {what}", table="loops",
            inputs=inputs, reference=reference(problem, nodes), size=size, small=20, bar=1 / 5, against=peer,
            tolerance=1e-3, sides={"ours": mine(problem, method), peer: side},
        )
        for peer, what, side, size in peers
    ]  # fmt: skip


CASES = (
    *rows("ode-robertson", "Robertson to t = 10^5, to 1e-6", REACTIONS, rates, 24, "esdirk", (10_000, 1000)),
    *rows("ode-stiff", "van der Pol, mu 100 to 1000, to 1e-6", OSCILLATOR, stiffness, 24, "radau", (10_000, 1000)),
)
