"""Sums over rows that are in lanes: the values of NumPy, the bits of the loop row by row, lanes where that pays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen.statements import lower
from functrans.ops import Ops
from functrans.ops.enums import AxisType
from tests.plans import plan_anew

ROWS: dict[str, Callable[[Any], Any]] = {
    "logsumexp": lambda x: np.log(np.exp(x - x.max(-1)[..., None]).sum(-1)) + x.max(-1),
    "largest": lambda x: x.max(-1),
    "norm": lambda x: np.sqrt((x * x).sum(-1)),
    "sum squared": lambda x: (abs(x) * np.arange(1, x.shape[-1] + 1, dtype=x.dtype)).sum(-1) ** 2,
}
WAYS: dict[str, Callable[[Any], Any]] = {
    "mean": lambda y: (y.mean(-1),),
    "sum and largest": lambda y: (y.sum(-1), y.max(-1)),
    "sums of two": lambda y: (y.sum(-1), np.tanh(y).sum(-1)),
    "product and least": lambda y: ((1 + np.tanh(y) / 10**4).prod(-1), y.min(-1)),
}


def has_lanes(f: Callable[[Any], Any], x: np.ndarray) -> bool:
    uops = [u for kernel in ft.jit(f).lower(x).kernels for u in lower(kernel).uops]
    return any(u.op is Ops.RANGE and u.arg[1] is AxisType.LANES for u in uops)


@pytest.mark.parametrize("count", [32, 33, 4096, 4097, 5000, 8192, 10_001])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("batch", [(), (3,), (2, 2)])
def test_the_bits_are_those_of_the_loop_row_by_row(
    count: int, way: str, batch: tuple[int, ...], compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng([count, len(way), len(batch)])
    row = ROWS[list(ROWS)[rng.integers(len(ROWS))]]
    dtype = (np.float64, np.float32)[rng.integers(2)]
    x = rng.normal(size=(*batch, count, int(rng.integers(5, 31)))).astype(dtype)
    found = ft.jit(lambda x: WAYS[way](row(x)))(x)
    plan_anew(monkeypatch)
    monkeypatch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p.name != "sums"))
    for a, b, want in zip(found, ft.jit(lambda x: WAYS[way](row(x)))(x), WAYS[way](row(x)), strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, want, rtol=1e-12 if dtype is np.float64 else 2e-3, atol=1e-12 * count)


@pytest.mark.parametrize("width", [31, 33, 40, 55])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("count", [3000, 8192, 20_000])
def test_a_row_has_its_bits_in_a_sum(count: int, dtype: Any, width: int, compiler: None) -> None:
    """Also a long sum in the last block, which is another length and is written a second time."""
    rng = np.random.default_rng([count, width])
    x, weights = rng.normal(size=(count, width)).astype(dtype), rng.normal(size=width).astype(dtype)

    def of_rows(x: Any, weights: Any) -> Any:
        return ft.vmap(lambda row: np.log1p(np.exp(-(row @ weights))))(x)

    rows, only = ft.jit(of_rows)(x, weights), ft.jit(lambda x, w, chosen: (of_rows(x, w) * chosen).sum())
    for k in rng.integers(count, size=20):
        chosen = np.zeros(count, dtype)
        chosen[k] = 1
        assert only(x, weights, chosen) == rows[k]


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("count", [1000, 5000, 8192])
def test_rows_of_a_sum_are_lanes(name: str, dtype: Any, count: int) -> None:
    row = ROWS[name]
    for width in (5, 8, 13, 24):
        assert has_lanes(lambda x: row(x).mean(), np.ones((count, width), dtype)), width


def test_what_vectors_have_anyway_stays() -> None:
    assert not has_lanes(lambda x: (x * x).sum(), np.ones(10_000))
    assert not has_lanes(lambda x: np.sqrt((x * x).sum(-1)).mean(), np.ones((1000, 64)))


def test_integers_and_what_loops_write_inside() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(-50, 50, (777, 9))
    assert ft.jit(lambda x: x.max(1).sum())(x) == x.max(1).sum()

    def softmax_entropy(x: Any) -> Any:
        p = np.exp(x - x.max(-1)[:, None])
        p = p / p.sum(-1)[:, None]
        return -(p * np.log(p)).sum(-1).mean()

    y = rng.normal(size=(4500, 11))
    np.testing.assert_allclose(ft.jit(softmax_entropy)(y), softmax_entropy(y), rtol=1e-13)
