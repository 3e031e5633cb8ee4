"""The logarithm of a sum of 64 exponentials, mapped over a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, empty
from benchmarks.cases.common import jax, numba, ours, tinygrad, torch
from benchmarks.cases.softmax import inputs
from benchmarks.handwritten import Limit, halves, limit


def logsumexp(x: Any) -> Any:
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def reference(x: Array) -> Array:
    top: Array = x.max(axis=1)
    result: Array = top + np.log(np.exp(x - top[:, None]).sum(axis=1))
    return result


def handwritten(x: Array) -> Limit:
    y = empty((len(x),))
    return limit("logsumexp", [x, y], [len(x)], y)


def with_numba(_: Any) -> Any:
    def loop(x: Array, y: Array) -> None:
        for b in range(x.shape[0]):
            top = x[b].max()
            total = 0.0
            for i in range(x.shape[1]):
                total += np.exp(x[b, i] - top)
            y[b] = top + np.log(total)

    return loop


CASES = (
    Case(
        name="logsumexp",
        title="logsumexp over 64, B = 10^5",
        table="dense",
        inputs=inputs,
        reference=reference,
        size=100_000,
        small=100,
        bar=1.2,
        two=halves(handwritten),
        sides={
            "ours": ours(lambda ft: ft.vmap(logsumexp)),
            "limit": handwritten,
            "jax": jax(lambda jax: jax.vmap(jax.nn.logsumexp)),
            "numba": numba(with_numba, reference),
            "tinygrad": tinygrad(lambda _: lambda x: x.logsumexp(1)),
            "torch": torch(lambda torch: lambda x: torch.logsumexp(x, 1)),
        },
    ),
)
