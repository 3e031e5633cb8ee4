"""Systems of equations, a matrix for each element of a batch: dense ones, and tridiagonal ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case
from benchmarks.cases.common import jax, ours

N = 16
LONG = 100


def matrices(size: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(size, N, N)), rng.normal(size=(size, N))


def bands(size: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(size, 3, LONG)) + [[0.0], [3.0], [0.0]], rng.normal(size=(size, LONG))


def dense(a: Array, b: Array) -> Array:
    x: Array = np.linalg.solve(a, b[..., None])[..., 0]
    return x


def tridiagonal(ab: Array, b: Array) -> Array:
    a = np.zeros((*b.shape, b.shape[-1]))
    i = np.arange(b.shape[-1])
    a[:, i, i] = ab[:, 1]
    a[:, i[:-1], i[1:]] = ab[:, 0, 1:]
    a[:, i[1:], i[:-1]] = ab[:, 2, :-1]
    return dense(a, b)


def of_jax(library: Any) -> Any:
    def solve(ab: Any, b: Any) -> Any:
        below, above = library.numpy.roll(ab[2], 1).at[0].set(0.0), library.numpy.roll(ab[0], -1).at[-1].set(0.0)
        return library.lax.linalg.tridiagonal_solve(below, ab[1], above, b[:, None])[:, 0]

    return library.vmap(solve)


CASES = (
    Case(
        name="solve16", title="solve, 16 x 16, B = 10^4", table="dense", inputs=matrices, reference=dense,
        size=10_000, small=20, bar=0.5, against="jax", tolerance=1e-7,
        sides={
            "ours": ours(lambda ft: ft.vmap(np.linalg.solve)),
            "jax": jax(lambda library: library.vmap(library.numpy.linalg.solve)),
        },
    ),
    Case(
        name="tridiagonal100", title="tridiagonal systems, n = 100, B = 10^4", table="dense", inputs=bands,
        reference=tridiagonal, size=10_000, small=20, bar=0.5, against="jax", tolerance=1e-7,
        sides={
            "ours": ours(lambda ft: ft.vmap(lambda ab, b: ft.scipy.linalg.solve_banded((1, 1), ab, b))),
            "jax": jax(of_jax),
        },
    ),
)  # fmt: skip
