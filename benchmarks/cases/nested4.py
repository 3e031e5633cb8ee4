"""Four nested vmaps: every scalar of four vectors against every other, with work that some of the loops share."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.common import jax, numba, ours, torch
from benchmarks.handwritten import limit


def inputs(size: int) -> tuple[Array, ...]:
    draw = np.random.default_rng(0)
    return tuple(draw.uniform(-2, 2, size) for _ in range(4))


def scalar(np: Any) -> Any:
    return lambda a, b, c, d: np.sin(a * b + c * d) + np.exp(-a * c)


def mapped(library: Any, f: Any) -> Any:
    for axis in reversed(range(4)):
        f = library.vmap(f, in_axes=tuple(0 if k == axis else None for k in range(4)))
    return f


def broadcast(module: Any) -> Any:
    f = scalar(module)
    return lambda a, b, c, d: f(a[:, None, None, None], b[:, None, None], c[:, None], d)


def handwritten(*vectors: Array) -> Run:
    y = empty(4 * (vectors[0].size,))
    return limit("nested4", [*vectors, y], [vectors[0].size], y)


def with_numba(_: Any) -> Any:
    def loop(a: Array, b: Array, c: Array, d: Array, y: Array) -> None:
        for i in range(a.size):
            for j in range(b.size):
                for k in range(c.size):
                    e = np.exp(-a[i] * c[k])
                    for m in range(d.size):
                        y[i, j, k, m] = np.sin(a[i] * b[j] + c[k] * d[m]) + e

    return loop


CASES = (
    Case(
        name="nested4",
        title="4-deep nested vmap, 30^4",
        table="dense",
        inputs=inputs,
        reference=broadcast(np),
        size=30,
        small=5,
        bar=1.3,
        sides={
            "ours": ours(lambda ft: mapped(ft, scalar(np))),
            "limit": handwritten,
            "jax": jax(lambda jax: mapped(jax, scalar(jax.numpy))),
            "numba": numba(with_numba, broadcast(np)),
            "torch": torch(broadcast),
        },
    ),
)
