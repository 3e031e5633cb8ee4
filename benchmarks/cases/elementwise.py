"""A chain of elementwise functions on 10^6 numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, empty
from benchmarks.cases.common import jax, numba, ours, tinygrad, torch
from benchmarks.handwritten import Limit, halves, limit


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).uniform(-3, 3, size),)


def chain(x: Any) -> Any:
    return np.sin(x) * np.exp(-x) / np.sqrt(1.0 + x * x)


def handwritten(x: Array) -> Limit:
    y = empty(x.shape)
    return limit("elementwise", [x, y], [x.size], y)


def with_numba(_: Any) -> Any:
    def loop(x: Array, y: Array) -> None:
        for i in range(x.size):
            y[i] = np.sin(x[i]) * np.exp(-x[i]) / np.sqrt(1.0 + x[i] * x[i])

    return loop


def with_module(module: Any) -> Any:
    return lambda x: module.sin(x) * module.exp(-x) / module.sqrt(1.0 + x * x)


CASES = (
    Case(
        name="elementwise",
        title="elementwise sin/exp/sqrt/div chain, 10^6",
        table="dense",
        inputs=inputs,
        reference=chain,
        size=1_000_000,
        small=1_000,
        bar=1.2,
        two=halves(handwritten),
        sides={
            "ours": ours(lambda ft: chain),
            "limit": handwritten,
            "jax": jax(lambda jax: with_module(jax.numpy)),
            "numba": numba(with_numba, chain),
            "tinygrad": tinygrad(lambda _: lambda x: x.sin() * (-x).exp() / (1.0 + x * x).sqrt()),
            "torch": torch(with_module),
        },
    ),
)
