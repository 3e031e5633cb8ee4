"""Softmax of 64 numbers, mapped over a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, empty
from benchmarks.cases.common import jax, numba, ours, tinygrad, torch
from benchmarks.handwritten import Limit, halves, limit

M = 64


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=(size, M)),)


def softmax(x: Any) -> Any:
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


def reference(x: Array) -> Array:
    e: Array = np.exp(x - x.max(axis=1, keepdims=True))
    result: Array = e / e.sum(axis=1, keepdims=True)
    return result


def handwritten(x: Array) -> Limit:
    y = empty(x.shape)
    return limit("softmax", [x, y], [len(x)], y)


def with_numba(_: Any) -> Any:
    def loop(x: Array, y: Array) -> None:
        for b in range(x.shape[0]):
            top = x[b].max()
            total = 0.0
            for i in range(x.shape[1]):
                y[b, i] = np.exp(x[b, i] - top)
                total += y[b, i]
            for i in range(x.shape[1]):
                y[b, i] /= total

    return loop


CASES = (
    Case(
        name="softmax",
        title="softmax over 64, B = 10^5",
        table="dense",
        inputs=inputs,
        reference=reference,
        size=100_000,
        small=100,
        bar=1.3,
        two=halves(handwritten),
        sides={
            "ours": ours(lambda ft: ft.vmap(softmax)),
            "limit": handwritten,
            "jax": jax(lambda jax: jax.vmap(jax.nn.softmax)),
            "numba": numba(with_numba, reference),
            "tinygrad": tinygrad(lambda _: lambda x: x.softmax(1)),
            "torch": torch(lambda torch: lambda x: torch.softmax(x, 1)),
        },
    ),
)
