"""Grids: a window of tanh, the separation of phases, the Hessian of the total variation of a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.families.common import Places, family
from benchmarks.handwritten import limit

WEIGHTS = np.random.default_rng(0).random((5, 5))


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(1).uniform(-1, 1, size * size),)


def _side(u: Any) -> int:
    side: int = round(u.shape[0] ** 0.5)
    return side


def window(np: Any, segments: Any) -> Any:
    """A weighted sum of tanh over the 5 by 5 points around each, zero outside."""

    def f(u: Any) -> Any:
        n = _side(u)
        p = np.pad(np.tanh(u.reshape(n, n)), 2)
        return sum(WEIGHTS[i, j] * p[i : i + n, j : j + n] for i in range(5) for j in range(5)).reshape(-1)

    return f


def window_by_hand(u: Array) -> Run:
    n = _side(u)
    values = empty(((5 * n - 6) ** 2,))
    return limit("grids", [u, WEIGHTS, empty((u.size,)), values], [n], values, name="window")


def phases(np: Any, segments: Any) -> Any:
    """The equation of Cahn and Hilliard on a torus."""

    def around(u: Any) -> Any:
        return sum(np.roll(u, k, axis) for k in (1, -1) for axis in (0, 1)) - 4 * u

    def f(u: Any) -> Any:
        n = _side(u)
        u = u.reshape(n, n)
        return around(u**3 - u - 0.5 * around(u)).reshape(-1)

    return f


def phases_by_hand(u: Array) -> Run:
    n = _side(u)
    rows, cols = np.arange(n * n), []
    offsets = [(i, j) for i in range(-2, 3) for j in range(-2, 3) if abs(i) + abs(j) <= 2]
    for i, j in offsets:
        cols.append((rows // n + i) % n * n + (rows % n + j) % n)
    at = np.stack(cols, 1)
    places = Places(np.repeat(rows, 13), at.reshape(-1), (n * n, n * n))
    order = places.of(rows[:, None], at)
    values = empty((places.count,))
    for k, (i, j) in enumerate(offsets):
        values[order[:, k]] = -1.0 if i and j else -0.5
    return limit("grids", [u, order[:, [2, 5, 6, 7, 10]].copy(), values], [n], values, name="phases")


def variation(np: Any, segments: Any) -> Any:
    """The total variation of a picture, rounded at zero."""

    def f(u: Any) -> Any:
        n = _side(u)
        u = u.reshape(n, n)
        across, down = u[:-1, 1:] - u[:-1, :-1], u[1:, :-1] - u[:-1, :-1]
        return np.sqrt(across**2 + down**2 + 0.01).sum()

    return f


def variation_by_hand(u: Array) -> Run:
    n = _side(u)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).reshape(-1)
    three = np.stack([corner, corner + 1, corner + n], 1)
    rows, cols = np.broadcast_arrays(three[:, :, None], three[:, None, :])
    places = Places(rows, cols, (n * n, n * n))
    values = empty((places.count,))
    return limit("grids", [u, places.of(rows, cols), values], [n, places.count], values, name="variation")


SIDES = {"30 x 30": 30, "100 x 100": 100, "300 x 300": 300}
CASES: tuple[Case, ...] = (
    *family("window", "5 by 5 window of tanh", window, inputs, SIDES, 7, window_by_hand, symbolic="100 x 100"),
    *family("phases", "separation of phases", phases, inputs, SIDES, 7, phases_by_hand, symbolic="100 x 100"),
    *family("variation", "Hessian of the total variation", variation, inputs, SIDES, 5, variation_by_hand, hessian=True,
            symbolic="30 x 30"),
)  # fmt: skip
