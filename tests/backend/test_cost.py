"""Costs counted from kernels, against counts by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.facts import Cost
from functrans.backend.pipeline import Program
from functrans.ops import AxisType, UOp, dtypes, source
from functrans.ops import build as B

X, W = np.ones((5, 6)), np.ones((6, 7))


def cost_of(f: Any, *args: Any) -> Cost:
    return ft.jit(f).lower(*args).cost()


def test_elementwise_and_reductions() -> None:
    assert cost_of(lambda x: np.sin(x) * x + 1, X) == Cost(3 * 30, 240, 240, 1, 1, 0)
    assert cost_of(lambda x: (x * x).sum(axis=1), X) == Cost(2 * 30, 240, 40, 1, 1, 0)
    assert cost_of(np.matmul, X, W) == Cost(2 * 5 * 6 * 7, 240 + 336, 280, 1, 1, 0)
    assert cost_of(lambda x: x.astype(np.float32), X) == Cost(0, 240, 120, 1, 1, 0)
    assert cost_of(np.cumsum, np.ones(9)).flops == 9


def test_what_a_loop_does_not_change_is_counted_once_outside() -> None:
    shared = cost_of(lambda x, s: ft.vmap(lambda r: r * np.exp(s))(x), X, 2.0)
    assert shared.flops == 30 + 1
    rows = cost_of(lambda x: ft.vmap(lambda r: r * r[0])(np.exp(x)), X)
    assert rows.flops <= 2 * 30 + 30


def test_updates_and_indices() -> None:
    at = np.array([0, 1, 1])
    assert cost_of(lambda x, v: x.at[at].add(v), np.zeros(4), np.ones(3)).flops == 3
    assert cost_of(lambda x, v: x.at[at].set(v), np.zeros(4), np.ones(3)).flops == 0
    assert cost_of(lambda x: np.roll(x, 1)[::-1].reshape(6, 5), X).flops == 0


def test_more_than_one_kernel_and_the_memory_between() -> None:
    def f(x: Any) -> Any:
        s = np.cumsum(x, axis=0)
        return np.cumsum(s[::-1] * 2, axis=1).sum()

    lowered = ft.jit(f).lower(X)
    found = lowered.cost()
    assert found.kernels == found.launches == len(lowered.kernels) > 1
    assert found.temporaries >= 240
    assert found.bytes_read >= 480


def test_a_kernel_launched_for_each_element() -> None:
    x, zero = source.param((5, 6), dtypes.float64), UOp.const(dtypes.index, 0)
    r = UOp.range(5, axis_type=AxisType.OUTER)
    row = x.vmapin((r, zero))
    found = Program([B.mul(row, row).vmapout((r, zero))], [x]).cost()
    assert (found.kernels, found.launches, found.flops) == (1, 5, 30)


def test_sizes_of_nothing_and_one() -> None:
    assert cost_of(lambda x: x * 2, np.ones((0, 3))).flops == 0
    assert cost_of(lambda x: x * 2, np.float64(1)) == Cost(1, 8, 8, 1, 1, 0)
    assert "flops=" in repr(cost_of(lambda x: x, 1.0))


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_cost_is_linear_in_the_batch(batch: int) -> None:
    def f(x: Any) -> Any:
        e = np.exp(x - x.max())
        return e / e.sum()

    one, many = (cost_of(ft.vmap(f), np.ones((n, 6))) for n in (1, batch))
    assert (many.flops, many.bytes_read, many.bytes_written) == tuple(
        batch * k for k in (one.flops, one.bytes_read, one.bytes_written)
    )
    assert (many.kernels, many.temporaries) == (one.kernels, one.temporaries)


def test_steps_between_kernels() -> None:
    """One for a whole batch, and none of its work in the other numbers."""
    rows = np.stack([np.eye(400)] * 4)
    found = cost_of(ft.vmap(lambda a: np.linalg.solve(a, a[0]) * 2), rows)
    assert (found.host_steps, found.flops) == (1, 1600)
    # the matrix is factored by a step of its own
    assert cost_of(lambda a: np.linalg.det(a) * np.linalg.inv(a), rows[0]).host_steps == 3
