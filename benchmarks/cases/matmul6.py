"""Products of many 6 x 6 matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.common import jax, numba, ours, torch
from benchmarks.handwritten import limit

N = 6


def inputs(size: int) -> tuple[Array, Array]:
    draw = np.random.default_rng(0)
    return draw.normal(size=(size, N, N)), draw.normal(size=(size, N, N))


def product(a: Any, b: Any) -> Any:
    return a @ b


def handwritten(a: Array, b: Array) -> Run:
    c = empty(a.shape)
    return limit("matmul6", [a, b, c], [len(a)], c)


def with_numpy(a: Array, b: Array) -> Run:
    c = empty(a.shape)
    return lambda: np.matmul(a, b, out=c)


def with_numba(_: Any) -> Any:
    def loop(a: Array, b: Array, c: Array) -> None:
        for k in range(a.shape[0]):
            for i in range(N):
                for j in range(N):
                    c[k, i, j] = 0.0
                for m in range(N):
                    for j in range(N):
                        c[k, i, j] += a[k, i, m] * b[k, m, j]

    return loop


CASES = (
    Case(
        name="matmul6",
        title="6x6 @ 6x6, B = 10^5",
        table="dense",
        inputs=inputs,
        reference=product,
        size=100_000,
        small=50,
        bar=1.3,
        sides={
            "ours": ours(lambda ft: ft.vmap(product)),
            "limit": handwritten,
            "numpy": with_numpy,
            "jax": jax(lambda jax: jax.vmap(product)),
            "numba": numba(with_numba, product),
            "torch": torch(lambda torch: torch.bmm),
        },
    ),
)
