"""One large matrix product; the limit is the BLAS of NumPy."""

from __future__ import annotations

import numpy as np

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.common import jax, ours


def inputs(size: int) -> tuple[Array, Array]:
    draw = np.random.default_rng(0)
    return draw.normal(size=(size, size)), draw.normal(size=(size, size))


def blas(a: Array, b: Array) -> Run:
    c = empty(a.shape)
    return lambda: np.matmul(a, b, out=c)


CASES = (
    Case(
        name="matmul1024",
        title="matmul 1024^3 (limit: NumPy's BLAS)",
        table="dense",
        inputs=inputs,
        reference=np.matmul,
        size=1024,
        small=33,
        bar=1.15,
        two=blas,
        sides={"ours": ours(lambda ft: np.matmul), "limit": blas, "jax": jax(lambda jax: jax.numpy.matmul)},
    ),
)
