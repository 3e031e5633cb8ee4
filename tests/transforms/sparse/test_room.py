"""Patterns that no machine holds are refused by our own class before they are made, and say what to do instead."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.transforms.sparse import room

N = 100_000
BIG = ft.ShapeDtype((N,))


def dense(x: Any) -> Any:
    return x * x.sum()


CALLS: dict[str, Callable[[], Any]] = {
    "pattern": lambda: ft.spjacobian(dense).pattern(BIG),
    "matrix": lambda: ft.spjacobian(dense)(np.ones(N)),
    "values": lambda: ft.spjacobian(dense).values(np.ones(N)),
    "values under jit": lambda: ft.jit(ft.spjacobian(dense).values)(np.ones(N)),
    "direct values": lambda: ft.spjacobian(dense, method="direct").values(np.ones(N)),
    "plan": lambda: ft.spjacobian(dense).plan(BIG),
    "coloring": lambda: ft.spjacobian(dense).coloring(BIG),
    "two arguments": lambda: ft.spjacobian(lambda x, y: x * y.sum(), (0, 1)).pattern(BIG, BIG),
    "Hessian": lambda: ft.sphessian(lambda x: x.sum() ** 3).pattern(BIG),
    "a triangle": lambda: ft.sphessian(lambda x: x.sum() ** 3, triangle="lower")(np.ones(N)),
    "nlp": lambda: ft.nlp(lambda x: x.sum() ** 3, lambda x: x[:1]).values(np.ones(N), np.ones(1)),
    "a running sum": lambda: ft.spjacobian(lambda x: np.cumsum(x * x)).pattern(BIG),
    "order": lambda: ft.spjacobian(np.sort).pattern(BIG),
    "a large array in between": lambda: ft.spjacobian(lambda x: (x[:, None] * x).sum(1)).pattern(BIG),
    "more inputs than int32 counts": lambda: ft.spjacobian(lambda x: 2 * x).pattern(ft.ShapeDtype((3 * 10**9,))),
}  # fmt: skip


@pytest.mark.parametrize("what", CALLS)
def test_it_is_refused_before_memory_is_taken(what: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ft.OutOfMemory, match=r"the sparsity pattern .*; use J\.linear_operator"):
            CALLS[what]()
        assert tracemalloc.get_traced_memory()[1] < 300 * 2**20
    finally:
        tracemalloc.stop()


def test_what_this_machine_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "memory", lambda: 1000 * room.BYTES)
    assert ft.spjacobian(dense).pattern(np.ones(30)).nnz == 900
    with pytest.raises(ft.OutOfMemory, match="needs at least 1600 entries, and this machine has room for 1000"):
        ft.spjacobian(dense).pattern(np.ones(40))


def test_the_way_out_works() -> None:
    x = np.ones(N)
    A = ft.spjacobian(dense).linear_operator(x)
    np.testing.assert_allclose(A @ x, 2.0 * N)
    one = ft.spjacobian(dense, pattern=([0], [0], (N, N)))
    assert one.values(x).shape == (1,)
    for method in ("direct", "compressed"):
        diagonal = ft.spjacobian(lambda x: 3 * x, pattern=([0], [0], (N, N)), method=method)
        assert diagonal.empty_values(x).tolist() == [3.0]


def test_a_running_union_of_overlapping_rows() -> None:
    x = np.arange(1.0, 8.0)
    found = ft.spjacobian(lambda x: np.cumsum((x[1:] * x[:-1]).reshape(2, 3), axis=1)).pattern(x)
    want = np.zeros((6, 7), np.bool_)
    for k in range(6):
        want[k, 3 * (k // 3) : k + 2] = True
    np.testing.assert_array_equal(found.to_scipy().toarray(), want)
