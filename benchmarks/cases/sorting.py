"""Rows and arrays in order; the bound is NumPy's sort, in place in a copy."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.common import jax, ours

NUMBERS = 1_000_000


def inputs(size: int, width: int, dtype: str) -> tuple[Array]:
    return ((1e8 * np.random.default_rng(0).normal(size=(size, width))).astype(dtype),)


def in_place(x: Array) -> Run:
    y = empty(x.shape, x.dtype)

    def run() -> Any:
        np.copyto(y, x)
        y.sort(-1)
        return y

    return run


def case(width: int, dtype: str) -> Case:
    """So many numbers in rows of one width."""
    rows = NUMBERS // width if width <= 1000 else 1
    return Case(
        name=f"sort-{dtype}-{width}",
        title=f"sort of {dtype}, {rows} x {width}",
        table="dense",
        inputs=partial(inputs, width=width, dtype=dtype),
        reference=partial(np.sort, axis=-1),
        size=rows,
        small=min(rows, 3),
        bar=1.3,
        against="numpy",
        sides={
            "ours": ours(lambda ft: np.sort),
            "numpy": in_place,
            "jax": jax(lambda jax: jax.numpy.sort),
        },
    )


CASES = (
    *(case(width, "float64") for width in (4, 8, 16, 33, 64, 256, 1000, 10_000, 100_000, 1_000_000)),
    *(case(width, dtype) for dtype in ("int64", "float32") for width in (8, 64, 1000, 1_000_000)),
)
