"""A Gaussian kernel matrix: vmap of vmap."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, empty
from benchmarks.cases.common import jax, numba, ours, tinygrad, torch
from benchmarks.handwritten import Limit, halves, limit


def inputs(size: int) -> tuple[Array, Array]:
    draw = np.random.default_rng(0)
    return draw.normal(size=(size, 3)), draw.normal(size=(size, 3))


def kernel(x: Any, y: Any) -> Any:
    return np.exp(-np.sum((x - y) ** 2))


def reference(x: Array, y: Array) -> Array:
    distance: Array = ((x[:, None] - y[None]) ** 2).sum(axis=2)
    return np.exp(-distance)


def handwritten(x: Array, y: Array) -> Limit:
    k = empty((len(x), len(y)))
    return limit("pairwise", [x, y, k], [len(x), len(y)], k)


def with_numba(_: Any) -> Any:
    def loop(x: Array, y: Array, k: Array) -> None:
        for i in range(x.shape[0]):
            for j in range(y.shape[0]):
                u, v, w = x[i, 0] - y[j, 0], x[i, 1] - y[j, 1], x[i, 2] - y[j, 2]
                k[i, j] = np.exp(-(u * u + v * v + w * w))

    return loop


def mapped(library: Any, f: Any) -> Any:
    return library.vmap(library.vmap(f, in_axes=(None, 0)), in_axes=(0, None))


def broadcast(x: Any, y: Any) -> Any:
    return (-((x[:, None] - y[None]) ** 2).sum(2)).exp()


def jax_kernel(np: Any) -> Any:
    return lambda x, y: np.exp(-np.sum((x - y) ** 2))


CASES = (
    Case(
        name="pairwise",
        title="pairwise exp(-d^2), 2000 x 2000 x 3, vmap of vmap",
        table="dense",
        inputs=inputs,
        reference=reference,
        size=2_000,
        small=30,
        bar=1.3,
        two=halves(handwritten, whole=(1,)),
        sides={
            "ours": ours(lambda ft: mapped(ft, kernel)),
            "limit": handwritten,
            "jax": jax(lambda jax: mapped(jax, jax_kernel(jax.numpy))),
            "numba": numba(with_numba, reference),
            "tinygrad": tinygrad(lambda _: broadcast),
            "torch": torch(lambda _: broadcast),
        },
    ),
)
