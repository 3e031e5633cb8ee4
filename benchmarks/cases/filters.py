"""Small systems in the rounds of a loop, mapped over many instances: a Kalman filter whose gain is a solution, against
the same with its inverse written out; linear-quadratic control by Riccati's recursion, against a loop over SciPy.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, load
from benchmarks.cases.common import ours
from benchmarks.cases.loops import STEPS, F, H, Q, R, kalman

STATES, CONTROLS, STAGES = 4, 2, 50


def tracks(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=(size, STEPS, 2)),)


def filtered(zs: Array) -> Array:
    """By NumPy, all tracks at once."""
    x, p = np.zeros((len(zs), STATES)), np.eye(STATES)
    found = np.empty((*zs.shape[:2], STATES))
    for t in range(zs.shape[1]):
        x, p = x @ F.T, F @ p @ F.T + Q
        k = np.linalg.solve(H @ p @ H.T + R, H @ p).T
        x, p = x + (zs[:, t] - x @ H.T) @ k.T, p - k @ (H @ p)
        found[:, t] = x
    return found


def by_solving(ft: Any) -> Any:
    def step(carry: Any, z: Any) -> Any:
        x, p = carry
        x, p = F @ x, F @ p @ F.T + Q
        k = np.linalg.solve(H @ p @ H.T + R, H @ p).T
        x, p = x + k @ (z - H @ x), p - k @ (H @ p)
        return (x, p), x

    return ft.vmap(lambda zs: ft.scan(step, (np.zeros(STATES), np.eye(STATES)), zs)[1])


def problems(size: int) -> tuple[Array, Array, Array, Array]:
    """Dynamics of each stage, and the weights of states and controls."""
    rng = np.random.default_rng(0)
    a = np.eye(STATES) + 0.1 * rng.normal(size=(size, STAGES, STATES, STATES))
    b = 0.3 * rng.normal(size=(size, STAGES, STATES, CONTROLS))
    half, less = rng.normal(size=(size, STATES, STATES)), rng.normal(size=(size, CONTROLS, CONTROLS))
    return a, b, half @ half.swapaxes(1, 2), less @ less.swapaxes(1, 2) + np.eye(CONTROLS)


def gains(scan: Any, solve: Any, a: Any, b: Any, q: Any, r: Any) -> Any:
    """Feedback of each stage, the last one first."""

    def stage(p: Any, of: Any) -> Any:
        a, b = of
        pa, pb = p @ a, p @ b
        k = solve(r + b.T @ pb, b.T @ pa)
        return q + a.T @ (pa - pb @ k), k

    return scan(stage, q, (a, b))


def riccati(ft: Any) -> Any:
    return ft.vmap(partial(gains, lambda f, p, of: ft.scan(f, p, of, reverse=True)[1], np.linalg.solve))


def one_by_one(a: Array, b: Array, q: Array, r: Array) -> Array:
    """By SciPy, problem after problem and stage after stage."""
    linalg = load("scipy.linalg")

    def scan(f: Any, p: Array, of: tuple[Array, Array]) -> Array:
        found = np.empty((STAGES, CONTROLS, STATES))
        for t in reversed(range(STAGES)):
            p, found[t] = f(p, (of[0][t], of[1][t]))
        return found

    solve = partial(linalg.solve, assume_a="pos", check_finite=False)
    return np.stack([gains(scan, solve, *of) for of in zip(a, b, q, r)])


def numpy(a: Array, b: Array, q: Array, r: Array) -> Run:
    return lambda: one_by_one(a, b, q, r)


CASES = (
    Case(
        name="kalman-solve", title="Kalman filter by solve, 100 steps, 10^4 tracks, against its inverse written out",
        table="loops", inputs=tracks, reference=filtered, size=10_000, small=20, bar=1.3, against="by-hand",
        tolerance=1e-9,
        sides={
            "ours": ours(by_solving),
            "by-hand": ours(lambda ft: ft.vmap(kalman(ft, np))),
        },
    ),
    Case(
        name="riccati-batch", title="10^3 linear-quadratic problems of 50 stages, against a loop over SciPy",
        table="loops", inputs=problems, reference=one_by_one, size=1000, small=3, bar=0.1, against="numpy",
        tolerance=1e-8, sides={"ours": ours(riccati), "numpy": numpy},
    ),
)  # fmt: skip
