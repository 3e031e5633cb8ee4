"""The gradient by what a batch shares: factors are kept, no product for each element, nothing is computed twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.ops import Ops
from tests.counted import computed

RNG = np.random.default_rng(8)
LANES, N = 40, 12
MATRICES = [RNG.normal(size=(N, N)) * 0.3 for _ in range(3)]
ROWS = RNG.normal(size=(LANES, N))


def network(matrices: Any, x: Any) -> Any:
    for m in matrices:
        x = np.tanh(m @ x)
    return (x * x).sum()


def of_batch(matrices: Any, rows: Any) -> Any:
    return ft.vmap(lambda x: network(matrices, x))(rows).mean()


def test_the_sum_of_the_gradients_of_all_elements() -> None:
    got = ft.jit(ft.grad(of_batch))(MATRICES, ROWS)
    each = [ft.grad(network)(MATRICES, x) for x in ROWS]
    for k, g in enumerate(got):
        np.testing.assert_allclose(g, np.mean([e[k] for e in each], axis=0), atol=1e-14)


def test_no_matrix_for_each_element() -> None:
    gradient = ft.jit(ft.grad(of_batch))
    once, twice = (gradient.lower(MATRICES, rows).cost().temporaries for rows in (ROWS, np.concatenate([ROWS, ROWS])))
    # of each element two vectors, which are packed besides: less than a matrix
    assert twice - once <= 6 * len(MATRICES) * LANES * N * 8


def test_nothing_is_computed_again_for_each_entry() -> None:
    """One pass over the batch, forward and backward; then a sum of products a matrix."""
    lowered = ft.jit(ft.grad(of_batch)).lower(MATRICES, ROWS)
    assert len(lowered.kernels) == 1 + len(MATRICES)
    assert computed(lowered.kernels, Ops.TANH) == len(MATRICES)


@pytest.mark.parametrize("depth", [1, 2])
def test_maps_in_maps(depth: int) -> None:
    """A vector shared by two levels, times what either level has."""
    table, column = RNG.normal(size=(3, 4, 2)), RNG.normal(size=3)

    def f(s: Any) -> Any:
        def row(a: Any, k: Any) -> Any:
            if depth == 1:
                return np.outer(s, a.sum(0) * k).sum()
            return ft.vmap(lambda e: (np.outer(s, e) * np.outer(s * k, np.cos(e))).sum())(a).sum()

        return ft.vmap(row)(table, column).sum()

    s = RNG.normal(size=5)
    np.testing.assert_allclose(ft.grad(f)(s), ft.jacfwd(f)(s), rtol=1e-12)
    np.testing.assert_allclose(ft.hessian(f)(s), ft.jacfwd(ft.jacfwd(f))(s), atol=1e-12)
    np.testing.assert_allclose(ft.vmap(ft.grad(f))(np.stack([s, -s]))[1], ft.grad(f)(-s), rtol=1e-12)
