"""Optimal control and matrix equations: collocation, one stage, Python loops, Riccati's equation."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, aligned, empty
from benchmarks.cases import bicycle
from benchmarks.cases.bicycle import step
from benchmarks.cases.families.common import family
from benchmarks.handwritten import limit


def thrust_inputs(size: int) -> tuple[Array]:
    """Distance, angle, two speeds, mass and two thrusts at so many times."""
    rng = np.random.default_rng(0)
    return ((rng.normal(size=(size, 7)) * 0.1 + [1, 0, 0, 1, 1, 0, 0]).reshape(-1),)


def thrust(np: Any, segments: Any) -> Any:
    """An orbit raised by a low thrust: the defects of Hermite and Simpson."""
    h = 0.05

    def rate(z: Any) -> Any:
        r, speed, round_, mass, out, along = z[:, 0], z[:, 2], z[:, 3], z[:, 4], z[:, 5], z[:, 6]
        size = np.sqrt(out * out + along * along + 1e-6)
        pull, turn = round_**2 / r - 1 / r**2, speed * round_ / r
        return np.stack([speed, round_ / r, pull + out / mass, along / mass - turn, -0.1 * size], 1)

    def f(x: Any) -> Any:
        z = x.reshape(-1, 7)
        a, b = z[:-1], z[1:]
        fa, fb = rate(a), rate(b)
        middle = 0.5 * (a[:, :5] + b[:, :5]) + h / 8 * (fa - fb)
        fm = rate(np.concatenate([middle, 0.5 * (a[:, 5:] + b[:, 5:])], 1))
        return (b[:, :5] - a[:, :5] - h / 6 * (fa + 4 * fm + fb)).reshape(-1)

    return f


def stage_inputs(size: int) -> tuple[Array]:
    rng = np.random.default_rng(0)
    return ((rng.normal(size=(size, 6)) * [10, 10, 1, 3, 1, 0.3] + [0, 0, 0, 5, 0, 0]).reshape(-1),)


def stage(np: Any, segments: Any) -> Any:
    """Steps of the bicycle, each on its own."""
    return lambda x: np.stack(step(np, x.reshape(-1, 6)), axis=-1).reshape(-1)


def rounds(np: Any, segments: Any) -> Any:
    """Multiple shooting in a Python loop: each stage is traced."""

    def f(x: Any) -> Any:
        z = x.reshape(-1, 6)
        return np.concatenate([z[k + 1, :4] - np.stack(step(np, z[k])) for k in range(z.shape[0] - 1)])

    return f


def stage_by_hand(x: Array) -> Run:
    values = aligned(bicycle.of_batch(x))
    return limit("bicycle", [x, values], [x.size // 6], values)


def rounds_by_hand(x: Array) -> Run:
    """That of the whole problem, which says where the first state is as well."""
    values = aligned(bicycle.of_shooting(x)[: 20 * (x.size // 6 - 1)])
    return limit("bicycle", [x, values], [x.size // 6], values, name="limit_shooting")


def riccati_inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(1).normal(size=size * size),)


def riccati(np: Any, segments: Any) -> Any:
    """The residual of the algebraic equation for a full matrix."""

    def f(x: Any) -> Any:
        n = round(x.shape[0] ** 0.5)
        A, B, Q = matrices(n)
        X = x.reshape(n, n)
        return (A.T @ X + X @ A - X @ B @ X + Q).reshape(-1)

    return f


def riccati_by_hand(x: Array) -> Run:
    n = round(x.size**0.5)
    A, B, _ = matrices(n)
    values = empty((n * n * (2 * n - 1),))
    arrays = [x, np.ascontiguousarray(A), np.ascontiguousarray(B), empty((2 * n * n,)), values]
    return limit("control", arrays, [n], values, name="riccati")


def matrices(n: int) -> Array:
    return np.random.default_rng(0).normal(size=(3, n, n))


CASES: tuple[Case, ...] = (
    *family("thrust", "low thrust by Hermite and Simpson, times", thrust, thrust_inputs,
            {"50": 50, "500": 500, "5 000": 5_000}, 6, symbolic="500"),
    *family("stage", "stages of the bicycle", stage, stage_inputs, {"1": 1, "8": 8, "100": 100}, 3, stage_by_hand,
            symbolic="100"),
    *family("rounds", "multiple shooting in a Python loop, stages", rounds, stage_inputs,
            {"50": 50, "200": 200, "1 000": 1_000}, 4, rounds_by_hand, symbolic="200"),
    *family("riccati", "Riccati's equation, order", riccati, riccati_inputs, {"10": 10, "30": 30, "60": 60}, 4,
            riccati_by_hand, symbolic="10"),
)  # fmt: skip
