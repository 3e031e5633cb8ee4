"""The 2-D Brusselator on a periodic grid: a five-point stencil of two species."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.case import Array, Build, Case, Run, aligned
from benchmarks.cases.sparse_common import Make, Ours, asdex, casadi, matrix, sparsejac
from benchmarks.handwritten import limit

A, B, ALPHA = 3.4, 1.0, 10.0


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).uniform(0.5, 2.0, 2 * size * size),)


def side(x: Any) -> int:
    return math.isqrt(x.shape[0] // 2)


def rates(np: Any, _: Any) -> Any:
    def f(x: Any) -> Any:
        n = side(x)
        u, v = x[: n * n].reshape(n, n), x[n * n :].reshape(n, n)

        def laplacian(w: Any) -> Any:
            around = np.roll(w, 1, 0) + np.roll(w, -1, 0) + np.roll(w, 1, 1) + np.roll(w, -1, 1)
            return ALPHA * n * n * (around - 4.0 * w)

        square = u * u * v
        left = B + square - (A + 1.0) * u + laplacian(u)
        return np.concatenate([left.reshape(-1), (A * u - square + laplacian(v)).reshape(-1)])

    return f


def jacobian(x: Array) -> Any:
    n = side(x)
    u, v = x[: n * n], x[n * n :]
    at = np.arange(n * n).reshape(n, n)
    d = np.full(n * n, ALPHA * n * n)
    here = at.ravel()
    around = [np.roll(at, k, axis).ravel() for k in (1, -1) for axis in (0, 1)]
    blocks = [(here + s, near + s, d) for near in around for s in (0, n * n)]
    blocks += [(here, here, 2 * u * v - (A + 1) - 4 * d), (here, here + n * n, u * u)]
    blocks += [(here + n * n, here, A - 2 * u * v), (here + n * n, here + n * n, -u * u - 4 * d)]
    rows, cols, values = (np.concatenate(part) for part in zip(*blocks))
    return matrix(rows, cols, values, (x.size, x.size))


def reference(x: Array) -> Any:
    return jacobian(x).data


def handwritten(x: Array) -> Run:
    values = aligned(reference(x))
    return limit("brusselator", [x, values], [side(x)], values)


def case(size: int, **more: Build) -> Case:
    make: Make = rates
    return Case(
        name=f"brusselator-{size}",
        title=f"Brusselator 2D, periodic, N={size}",
        table="sparse",
        inputs=inputs,
        reference=reference,
        size=size,
        small=5,
        bar=1.3,
        sides={"ours": Ours(make), "limit": handwritten, "casadi": casadi(make), "asdex": asdex(make), **more},
    )


CASES = (case(64, sparsejac=sparsejac(rates, jacobian)), case(256))
