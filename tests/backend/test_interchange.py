"""Lanes around the loop that they stand in: products in a loop over a batch, with the bits of the other order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lanes
from functrans.backend.codegen.statements import lower
from functrans.ops import Ops
from functrans.ops.enums import AxisType
from tests.plans import plan_anew

SIZES = [(2, 32, 32, 16), (3, 9, 40, 13), (2, 31, 17, 31), (1, 24, 24, 24), (2, 5, 64, 9), (4, 16, 33, 20)]


def softmax(s: Any) -> Any:
    e = np.exp(s - s.max(-1)[..., None])
    return e / e.sum(-1)[..., None]


def scores(q: Any, k: Any) -> Any:
    return softmax(q @ np.swapaxes(k, -1, -2))


def heads(q: Any, k: Any) -> Any:
    """Of rows that lie apart, as the heads of attention do, and a factor that each row changes."""
    return softmax((q * 2.0)[:, :, ::-1] @ np.swapaxes(k, -1, -2) + np.arange(k.shape[1])) - q.sum(-1)[..., None]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("f", [scores, heads])
def test_the_bits_are_those_of_the_order_as_written(
    f: Any, dtype: Any, size: tuple[int, ...], compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, rows, columns, terms = size
    rng = np.random.default_rng(size)
    q, k = (rng.normal(size=(batch, n, terms)).astype(dtype) for n in (rows, columns))
    found = ft.jit(f)(q, k)
    plan_anew(monkeypatch)
    monkeypatch.setattr(lanes, "lanes_outside", lambda uops, wanted: list(uops))
    np.testing.assert_array_equal(found, ft.jit(lambda q, k: f(q, k))(q, k))
    np.testing.assert_allclose(found, f(q, k), rtol=1e-12 if dtype is np.float64 else 1e-3, atol=1e-5)


def test_a_loop_over_rows_stands_inside_of_the_lanes() -> None:
    q = np.ones((2, 32, 16))
    (kernel,) = ft.jit(scores).lower(q, q).kernels
    opened = [u for u in lower(kernel).uops if u.op is Ops.RANGE]
    at = next(k for k, u in enumerate(opened) if u.arg[1] is AxisType.LANES)
    assert [u.src[0].arg for u in opened[at:][:3]] == [32, 8, 16]  # columns, four rows at a time, terms


def test_rows_that_build_on_those_before_stay() -> None:
    def f(q: Any, k: Any) -> Any:
        return np.exp(-np.abs(np.cumsum(q @ np.swapaxes(k, -1, -2), 1)).max(-1))

    rng = np.random.default_rng(1)
    q, k = rng.normal(size=(2, 20, 12)), rng.normal(size=(2, 20, 12))
    np.testing.assert_allclose(ft.jit(f)(q, k), f(q, k), rtol=1e-12)
