"""The law of plans: what ``J.plan`` predicts is within twice what the scheduled kernels count. Counted, never timed.

What counts is operations and numbers that are stored, of the values and of f; so does their ratio.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.plans import schedule_cost

Function = Callable[[Any], Any]
Problem = tuple[Function, np.ndarray]
SEEDS = range(3)
FUNCTIONS: tuple[Function, ...] = (np.sin, np.exp, np.sqrt, np.square, np.tanh)


def stencil(rng: np.random.Generator) -> Problem:
    """A sum of functions of neighbors, in some an own factor."""
    count = int(rng.integers(1, 6))
    parts = list(zip(rng.integers(-4, 5, count), rng.integers(0, 5, count), rng.random(count), strict=True))
    own = rng.random() < 0.5

    def f(u: Any) -> Any:
        total = sum(c * FUNCTIONS[k](u[4 + at : len(u) - 4 + at]) for at, k, c in parts)
        return total * u[4:-4] if own else total

    return f, rng.random(200) + 0.5


def window(rng: np.random.Generator) -> Problem:
    """A weighted sum over a square around each point, zero outside."""
    n, width = 15, int(rng.integers(1, 3))
    weights = rng.random((2 * width + 1, 2 * width + 1))

    def f(u: Any) -> Any:
        p = np.pad(np.tanh(u), width)
        return sum(w * p[i : i + n, j : j + n] for (i, j), w in np.ndenumerate(weights))

    return f, rng.random((n, n))


def chain(rng: np.random.Generator) -> Problem:
    """Stencils one after the other."""
    rounds = int(rng.integers(1, 4))

    def f(u: Any) -> Any:
        for _ in range(rounds):
            u = np.sin(u[1:] - u[:-1]) + u[1:] * u[:-1]
        return u

    return f, rng.random(100)


def layers(rng: np.random.Generator) -> Problem:
    """Dense matrices one after the other."""
    n, m = (int(v) for v in rng.integers(5, 40, 2))
    a, b = rng.random((m, n)), rng.random((n, m))
    return lambda u: b @ np.tanh(a @ u), rng.random(n)


def limiter(rng: np.random.Generator) -> Problem:
    """Differences of limited fluxes between cells."""

    def f(q: Any) -> Any:
        d = q[1:] - q[:-1]
        steep = np.where(d[1:] * d[:-1] > 0, np.where(np.abs(d[1:]) < np.abs(d[:-1]), d[1:], d[:-1]), 0.0)
        left, right = (q[1:-1] + 0.5 * steep)[:-1], (q[1:-1] - 0.5 * steep)[1:]
        flux = 0.25 * (left**2 + right**2) - 0.5 * np.maximum(np.abs(left), np.abs(right)) * (right - left)
        return flux[1:] - flux[:-1]

    return f, rng.normal(size=100)


def assembly(rng: np.random.Generator) -> Problem:
    """What elements add to their nodes."""
    nodes = 80
    elements = rng.integers(0, nodes, (int(rng.integers(2, 5)), 200))

    def f(u: Any) -> Any:
        v = [u[i] for i in elements]
        force = np.tanh(sum(v)) * v[0] + v[-1] ** 2
        return sum(np.bincount(i, weights=force * (k + 1), minlength=nodes) for k, i in enumerate(elements))

    return f, rng.random(nodes)


def water(rng: np.random.Generator) -> Problem:
    """Fluxes over the edges of a mesh, by the faster wave of two cells."""
    cells = 60
    left, right = rng.integers(0, cells, (2, 150))
    normal = rng.normal(size=150)

    def f(q: Any) -> Any:
        h, u = np.reshape(q, (2, cells))
        h = h + 1.0
        wave = np.maximum(np.abs(u[left]) + np.sqrt(h[left]), np.abs(u[right]) + np.sqrt(h[right]))
        mass = normal * (h[left] * u[left] + h[right] * u[right]) - wave * (h[right] - h[left])
        force = normal * (h[left] ** 2 + h[right] ** 2) - wave * (h[right] * u[right] - h[left] * u[left])
        return np.concatenate([np.bincount(left, v, cells) - np.bincount(right, v, cells) for v in (mass, force)])

    return f, rng.random(2 * cells)


def elements(rng: np.random.Generator) -> Problem:
    """A determinant and a system in each element."""
    order, nodes = int(rng.integers(2, 5)), 60
    ends, right = rng.integers(0, nodes, (100, order)), rng.random((100, order, 1))

    def f(u: Any) -> Any:
        a = 3 * np.eye(order) + u[ends][:, :, None] * np.sin(u[ends])[:, None, ::-1]
        found = np.linalg.solve(a, right)[:, :, 0].sum(1)
        return np.bincount(ends[:, 0], weights=np.linalg.det(a) * found, minlength=nodes)

    return f, rng.random(nodes)


def rounds(rng: np.random.Generator) -> Problem:
    """The last state of a loop, or all."""
    last = rng.random() < 0.5

    def step(s: Any, v: Any) -> Any:
        return s + 0.1 * np.stack([s[1], -np.sin(s[0]) + v * np.cos(s[1])]), s

    def f(u: Any) -> Any:
        found = ft.scan(step, np.array([0.1, 0.2]), u)
        return found[0] if last else found[1]

    return f, rng.random(int(rng.integers(20, 50)))


def soil(rng: np.random.Generator) -> Problem:
    """Powers, and what is made of them on both sides of a cell."""
    order = float(rng.uniform(1.2, 3))

    def f(head: Any) -> Any:
        filled = (1 + np.abs(head) ** order) ** (1 / order - 1)
        flow = (filled[1:] ** 2.5 + filled[:-1] ** 2.5) * (head[1:] - head[:-1])
        return filled[1:-1] - (flow[1:] - flow[:-1])

    return f, rng.uniform(0.5, 2, 90)


def chained(rng: np.random.Generator) -> Problem:
    """A matrix between known ones, and twice in a product."""
    n = int(rng.integers(9, 13))
    a, b = rng.random((2, n, n))
    return lambda x: (a @ x.reshape(n, n) - x.reshape(n, n) @ b @ x.reshape(n, n)).reshape(-1), rng.random(n * n)


def counted(f: Function, x: Any) -> float:
    """Operations and stores of the kernels that are made of a function."""
    cost = schedule_cost(ft.jit(f).lower(x).program)
    return cost.flops + cost.bytes_written / 8


@pytest.mark.covering(1)
@pytest.mark.parametrize("method", ["auto", "compressed"])
@pytest.mark.parametrize(
    "family", [stencil, window, chain, layers, limiter, assembly, water, elements, rounds, soil, chained]
)
def test_a_plan_predicts_what_is_counted(family: Callable[[np.random.Generator], Problem], method: str) -> None:
    for seed in SEEDS:
        f, x = family(np.random.default_rng(seed))
        J = ft.spjacobian(f, method=method)
        plan = J.plan(x)
        values, function = counted(J.values, x), counted(f, x)
        assert 0.5 < plan.cost / values < 2, (seed, plan, values)
        assert 0.5 < plan.function_cost / function < 2, (seed, plan, function)
        assert 0.5 < (plan.cost / plan.function_cost) / (values / function) < 2, (seed, plan, values, function)
