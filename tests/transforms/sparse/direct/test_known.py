"""What is the same at every point is computed once, also where the values are a part of another program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.transforms.sparse.direct.stores import Places, grouped

RNG = np.random.default_rng(3)
ENDS = RNG.integers(0, 30, (70, 3))
MATRIX, WEIGHT, X = RNG.normal(size=(70, 3)), RNG.uniform(1, 2, 70), RNG.normal(size=30)


def springs(x: Any, weight: Any = WEIGHT) -> Any:
    """A quadratic energy of elements: its Hessian is sums of products of what is stored."""
    return (weight * (MATRIX * x[ENDS]).sum(1) ** 2).sum()


def some_springs(x: Any) -> Any:
    """The same beside entries that vary, at places of their own and at those of elements."""
    return springs(x) + (x[:5] ** 4).sum() + np.sin(x[1:] * x[:-1]).sum()


@pytest.mark.parametrize("f", [springs, some_springs])
def test_values(f: Any) -> None:
    want = ft.hessian(f)(X)
    H = ft.sphessian(f)
    pattern = H.pattern(X)
    for got in (H.values(X), ft.jit(H.values)(X), ft.vmap(H.values)(np.stack([X, 2 * X]))[0]):
        np.testing.assert_allclose(got, want[pattern.rows, pattern.cols], rtol=1e-12, atol=1e-12)


def test_a_constant_matrix_is_no_work() -> None:
    assert ft.jit(ft.sphessian(springs).values).lower(X).cost().flops == 0
    own = ft.jit(ft.sphessian(lambda x: some_springs(x) - springs(x, 2 * WEIGHT)).values).lower(X).cost().flops
    both = ft.jit(ft.sphessian(some_springs).values).lower(X).cost().flops
    assert both <= own + 2 * len(X)  # an addition for each entry that is the sum of both


def test_an_array_of_a_lane_is_not_constant() -> None:
    """f closes over a lane of what a map outside of it maps over: stored, and yet another one in each lane."""
    lanes = RNG.uniform(1, 2, (4, 70))

    def of_lane(w: Any) -> Any:
        return ft.sphessian(lambda x: (w * (MATRIX * x[ENDS]).sum(1) ** 2).sum()).values(X)

    want = [of_lane(w) for w in lanes]
    np.testing.assert_allclose(ft.vmap(of_lane)(lanes), want, rtol=1e-12, atol=1e-12)
    stored = ft.jit(lambda k: k * ft.vmap(of_lane)(lanes))
    np.testing.assert_allclose(stored(1.0), want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(14))
def test_stores_come_to_the_sums_of_all_writes(seed: int) -> None:
    """In the order of rounds, and within a round of statements: whatever goes nowhere, wherever places are shared."""
    rng = np.random.default_rng(seed)
    groups: list[list[Places]] = []
    size = int(rng.integers(1, 12))
    for _ in range(int(rng.integers(1, 4))):
        n = int(rng.integers(1, size + 1))
        places = rng.permutation(size).astype(np.int32) if rng.random() < 0.7 else None
        writes = []
        for _ in range(int(rng.integers(1, 5))):
            to = rng.integers(0, size, n).astype(np.int32) if places is None else np.resize(places, n)
            places = None if places is None else np.roll(places, -n)
            to = np.where(rng.random(n) < rng.choice([0, 0.3, 0.7]), -1, to).astype(np.int32)
            to[rng.integers(0, n)] = rng.integers(0, size)
            writes.append(to)
        groups.append(writes)
    want, got = np.zeros(size), np.full(size, np.nan)
    met = np.zeros(size, np.bool_)
    made, zero = grouped(groups, np.zeros(size, np.bool_))
    got[zero] = 0
    for writes, group in zip(groups, made, strict=True):
        values = rng.integers(1, 9, (len(writes), len(writes[0]))).astype(float)
        rounds = range(len(writes[0])) if group.ordered else rng.permutation(len(writes[0]))
        for k in rounds:
            for store, value, to in zip(group.stores, values, writes, strict=True):
                if to[k] >= 0:
                    want[to[k]] += value[k]
                    met[to[k]] = True
                if store.adds:
                    got[store.to[k]] += value[k] if to[k] >= 0 else 0
                else:
                    got[store.to[k]] = value[k]
    np.testing.assert_array_equal(got[met], want[met])
