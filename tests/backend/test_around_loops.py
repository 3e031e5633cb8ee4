"""What stands before and after a loop has the same bits whatever of it is mapped, and so has the loop itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree

pytestmark = pytest.mark.usefixtures("compiler")
N = 36  # more terms than are summed in order
MATRIX = np.random.default_rng(N).normal(size=(N, N)) / np.sqrt(N)


def rounds(x: Any, each: Any = 0.0) -> Any:
    w = MATRIX.astype(x.dtype)
    return ft.scan(lambda h, _: (np.tanh(w @ h + each), None), x, None, 4)[0]


def long_before(u: Any, x: Any) -> Any:
    """With more numbers than lanes go through in each round."""
    w, s = MATRIX.astype(x.dtype), np.sin(u)
    return ft.scan(lambda h, _: (np.tanh(w @ h + (s * h[0]).max()), None), x, None, 4)[0]


def sum_before(u: Any, x: Any) -> Any:
    return rounds(x * u.sum())


def sums_before(u: Any, x: Any) -> Any:
    w = MATRIX.astype(x.dtype)
    return rounds(x * (u[:N, None] + w).sum(0))


def many_before(u: Any, x: Any) -> Any:
    return rounds(x, np.outer(u, u).reshape(-1)[:300].sum())


def short_floats_before(u: Any, x: Any) -> Any:
    return rounds(x, u[:N].astype(np.float16).astype(x.dtype))


def complex_before(u: Any, x: Any) -> Any:
    return rounds(x, (u[:N] * (1 + 1j)).real.astype(x.dtype))


def sum_after(u: Any, x: Any) -> Any:
    return (rounds(x) * np.sin(u[:N])).sum()


def sum_of_data_after(u: Any, x: Any) -> Any:
    return (rounds(x) * u[:N]).sum()


PROGRAMS = [
    long_before, sum_before, sums_before, many_before, short_floats_before, complex_before, sum_after,
    sum_of_data_after,
]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("axes", [(None, 0), (0, None), (0, 0)])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_a_lane_has_the_bits_that_it_has_alone(f: Callable[..., Any], axes: Any, dtype: Any) -> None:
    rng = np.random.default_rng(5)
    given = [rng.normal(size=(3, n)).astype(dtype) for n in (50, N)]
    args = [a if axis == 0 else a[0] for a, axis in zip(given, axes, strict=True)]
    lanes = np.asarray(ft.jit(ft.vmap(f, axes))(*args))
    for k, lane in enumerate(lanes):
        alone = ft.jit(f)(*(a[k] if axis == 0 else a for a, axis in zip(args, axes, strict=True)))
        assert np.asarray(alone).tobytes() == lane.tobytes()


def outer_products(x: Any) -> Any:
    step = lambda c, _: (c * 0.5 + np.outer(x, np.tanh(c @ x)), None)  # noqa: E731
    return ft.scan(step, np.outer(x, x), None, 3)[0]


@pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
@pytest.mark.parametrize("batch", [1, 9])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [31, 32, 33, 40])
def test_a_matrix_that_nearly_fills_the_cache(n: int, dtype: Any, batch: int, method: Any) -> None:
    """A lane has a copy of what it is given: that does not count where it is asked whether the arrays are too many."""
    xs = np.random.default_rng(1).normal(size=(batch, n)).astype(dtype)
    lanes = tree.leaves(ft.jit(ft.vmap(outer_products, method=method))(xs))[0]
    for x, lane in zip(xs, lanes, strict=True):
        assert np.asarray(ft.jit(outer_products)(x)).tobytes() == lane.tobytes()
