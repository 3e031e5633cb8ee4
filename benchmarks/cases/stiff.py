"""A stiff initial value problem, mapped over many instances: Robertson's reactions, against diffrax's Kvaerno5."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, load
from benchmarks.cases.common import jax, ours

END, RTOL, ATOL = 1e5, 1e-6, 1e-9
MOST = 10_000


def robertson(t: Any, y: Any, k: Any) -> Any:
    a, b, c = y
    slow, back, fast = k * a, 1e4 * b * c, 3e7 * b * b
    return back - slow, slow - back - fast, fast


def rates(size: int) -> tuple[Array]:
    return (0.04 * np.exp(np.random.default_rng(0).uniform(-1.0, 1.0, size)),)


def reference(k: Array) -> tuple[Array, ...]:
    """By SciPy's Radau at nodes between which the solution is a polynomial of the logarithm of k."""
    nodes = np.cos((np.arange(24) + 0.5) * np.pi / 24)
    found = []
    for x in nodes:
        flat = lambda t, y, x=x: np.array(robertson(t, y, 0.04 * np.exp(x)))  # noqa: E731
        s = load("scipy.integrate").solve_ivp(flat, (0.0, END), (1.0, 0.0, 0.0), method="Radau", rtol=1e-10, atol=1e-14)
        found.append(s.y[:, -1])
    return tuple(load("scipy.interpolate").BarycentricInterpolator(nodes, np.array(found))(np.log(k / 0.04)).T)


def mine(ft: Any) -> Any:
    def solve(k: Any) -> Any:
        t = np.array([0.0, END])
        s = ft.ode.solve(robertson, t, (1.0, 0.0, 0.0), k, method="esdirk", rtol=RTOL, atol=ATOL, max_steps=MOST)
        return tuple(x[-1] for x in s.y)

    return ft.vmap(solve)


def of_diffrax(jax: Any) -> Any:
    d = load("diffrax")
    control = d.PIDController(rtol=RTOL, atol=ATOL)

    def solve(k: Any) -> Any:
        found = d.diffeqsolve(
            d.ODETerm(robertson), d.Kvaerno5(), 0.0, END, None, (1.0 + 0 * k, 0 * k, 0 * k), args=k, max_steps=MOST,
            stepsize_controller=control, saveat=d.SaveAt(t1=True), adjoint=d.ForwardMode(), throw=False,
        )  # fmt: skip
        return tuple(x[-1] for x in found.ys)

    return jax.vmap(solve)


CASES = (
    Case(
        name="ode-robertson-diffrax", title="Robertson to t = 10^5, to 1e-6, B = 10^3, against diffrax", table="loops",
        inputs=rates, reference=reference, size=1000, small=20, bar=1 / 5, against="diffrax", tolerance=1e-4,
        sides={"ours": ours(mine), "diffrax": jax(of_diffrax)},
    ),
)  # fmt: skip
