"""An arrow matrix: one dense row, one dense column, the diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.sparse_common import Ours, asdex, casadi, matrix
from benchmarks.handwritten import limit


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=size),)


def arrow(np: Any, _: Any) -> Any:
    def f(x: Any) -> Any:
        return np.concatenate([np.sum(x * x).reshape(1), x[1:] ** 3 + x[0] * x[1:]])

    return f


def arrow_of_scalars(np: Any, _: Any) -> Any:
    """The same for symbols, which have no sum that is an array."""
    return lambda x: [np.sum(x * x), *(y**3 + x[0] * y for y in x[1:])]


def reference(x: Array) -> Any:
    k, zero = np.arange(1, x.size), np.zeros(x.size - 1, int)
    rows = np.concatenate([[0], zero, k, k])
    cols = np.concatenate([[0], k, zero, k])
    values = np.concatenate([2 * x, x[1:], 3 * x[1:] ** 2 + x[0]])
    return matrix(rows, cols, values, (x.size, x.size)).data


def handwritten(x: Array) -> Run:
    values = empty((3 * x.size - 2,))
    return limit("arrow", [x, values], [x.size], values)


CASES = (
    Case(
        name="arrow",
        title="arrow matrix (one dense row, one dense column), n = 3 000",
        table="sparse",
        inputs=inputs,
        reference=reference,
        size=3000,
        small=20,
        bar=1.5,
        sides={
            "ours": Ours(arrow),
            "limit": handwritten,
            "casadi": casadi(arrow_of_scalars),
            "asdex": asdex(arrow),
        },
    ),
)
