"""Short loops written out: the same statements in the same order, places as constants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lanes
from functrans.backend.codegen.statements import lower
from functrans.backend.pipeline import Program
from functrans.backend.schedule.passes import schedule
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from tests.backend.executed import executed

F = dtypes.float64
ZERO = UOp.const(dtypes.index, 0)


def loops(y: UOp) -> int:
    (kernel,) = schedule(y)
    return sum(u.op is Ops.RANGE for u in lower(kernel).uops)


def rows(n: int, m: int) -> tuple[UOp, UOp, UOp]:
    x, r = source.param((n, m), F), UOp.range(n)
    return x, r, x.vmapin((r, ZERO))


@pytest.fixture(autouse=True)
def no_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the lanes off: they add loops of their own."""
    monkeypatch.setattr(lanes, "chosen", lambda uops: ())


@pytest.mark.parametrize("m, left", [(1, 1), (3, 1), (8, 1), (9, 2)])
def test_a_short_sum_has_no_loop(m: int, left: int) -> None:
    x, r, row = rows(5, m)
    y = B.reduce_axis(B.mul(row, row), Ops.ADD, (0,)).vmapout((r,))
    assert loops(y) == left
    a = np.random.default_rng(m).normal(size=(5, m))
    np.testing.assert_allclose(Program([y], [x])([a])[0], (a * a).sum(1), rtol=1e-15)
    np.testing.assert_array_equal(executed([y], {x: a})[0], Program([y], [x])([a])[0])


def test_pairs_of_long_sums_are_written_out_and_meet_in_one_loop() -> None:
    x = source.param((5, 2, 40), F)
    r, i, j = UOp.range(5), UOp.range(2), UOp.range(2)
    row = x.vmapin((r, ZERO, ZERO))
    first, second = row.vmapin((i, ZERO)), row.vmapin((j, ZERO))
    larger = B.alu(Ops.MAX, first, second)  # no product of matrices
    y = B.reduce_axis(larger, Ops.ADD, (0,)).vmapout((i, j)).vmapout((r, ZERO, ZERO))
    a = np.random.default_rng(3).normal(size=(5, 2, 40))
    found = Program([y], [x])([a])[0]
    np.testing.assert_allclose(found, np.maximum(a[:, :, None], a[:, None]).sum(-1), rtol=1e-13)
    np.testing.assert_array_equal(executed([y], {x: a})[0], found)
    (kernel,) = schedule(y)
    ends = [u.src[0].arg for u in lower(kernel).uops if u.op is Ops.RANGE]
    assert ends[1] == 16  # accumulators, in no loop over rows or pairs of them


def test_what_is_heavy_stays_a_loop() -> None:
    _, r, row = rows(5, 8)
    assert loops(B.alu(Ops.LGAMMA, B.alu(Ops.LGAMMA, row)).vmapout((r, ZERO))) == 2
    assert loops(B.neg(row).vmapout((r, ZERO))) == 1


@pytest.mark.parametrize("shape", [(2, 3, 4), (6, 6, 6), (1, 8, 2), (3, 1, 3), (9, 2, 5)])
def test_products_of_small_matrices(shape: tuple[int, int, int]) -> None:
    n, k, m = shape
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(11, n, k)), rng.normal(size=(11, k, m))
    np.testing.assert_allclose(ft.vmap(lambda p, q: p @ q)(a, b), a @ b, rtol=1e-13, atol=1e-14)
    x, y = source.param(a.shape, F), source.param(b.shape, F)
    r = UOp.range(11)
    p, q = (ft.Tensor.from_uop(v.vmapin((r, ZERO, ZERO))) for v in (x, y))
    z = (p @ q).uop.vmapout((r, ZERO, ZERO))
    np.testing.assert_array_equal(executed([z], {x: a, y: b})[0], Program([z], [x, y])([a, b])[0])


def test_a_running_sum_and_updates_keep_their_order() -> None:
    a = np.random.default_rng(0).normal(size=(4, 6))
    np.testing.assert_array_equal(ft.vmap(np.cumsum)(a), np.add.accumulate(a, axis=1))
    at = np.array([1, 1, 0, 1, 0, 1])
    got = ft.vmap(lambda row: ft.numpy.zeros(2).at[at].set(row))(a)
    np.testing.assert_array_equal(got, a[:, [4, 5]])


def test_a_value_read_before_and_after_it_is_written() -> None:
    # each round reads the accumulator that the round before has left
    x, r, row = rows(3, 4)
    run = UOp(Ops.CUMULATE, F, (row,), (Ops.ADD, 0))
    y = B.add(run, UOp(Ops.CUMULATE, F, (run,), (Ops.MUL, 0))).vmapout((r, ZERO))
    a = np.random.default_rng(1).normal(size=(3, 4))
    want = np.cumsum(a, 1) + np.cumprod(np.cumsum(a, 1), 1)
    np.testing.assert_allclose(Program([y], [x])([a])[0], want, rtol=1e-14)


@pytest.mark.parametrize("width", [2, 3, 4, 6, 8])
@pytest.mark.parametrize("side", [(2, 1), (0, 3), (3, 0)])
def test_records_read_under_a_condition_keep_the_order_of_their_fields(side: tuple[int, int], width: int) -> None:
    # gcc 12 mixes them up where it makes masked loads of the fields (decision 0017)
    a = np.random.default_rng(width).normal(size=(20, width))
    padded = np.pad(a, (side, (0, 0)))
    bodies = [
        lambda row: row[::-1], lambda row: row * row.sum(), lambda row: row * row.sum() + row.max(),
        lambda row: np.cumsum(row) * row[0],
    ]  # fmt: skip
    for body in bodies:
        got = ft.jit(lambda x, body=body: ft.vmap(body)(np.pad(x, (side, (0, 0)))))(a)
        np.testing.assert_allclose(got, np.array([body(row) for row in padded]), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("width", [2, 3, 4, 5, 8])
def test_fields_chosen_twice_by_one_condition_are_those_of_their_side(width: int) -> None:
    # gcc 12 makes one branch of both choices, and masked loads of the fields below it (decision 0017)
    x, y, dx, dy = np.random.default_rng(width).normal(size=(4, 30, width))

    def chosen(x: Any, y: Any) -> Any:
        return np.where(x > -0.5, x, y)

    value, tangent = ft.jit(lambda *a: ft.jvp(chosen, a[:2], a[2:]))(x, y, dx, dy)
    np.testing.assert_array_equal(value, chosen(x, y))
    np.testing.assert_array_equal(tangent, np.where(x > -0.5, dx, dy))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("n", [9, 12, 20])
def test_complex_numbers_under_a_condition_keep_their_parts(n: int, dtype: Any) -> None:
    """A complex number is a record of two fields, also where numbers are read side by side."""
    rng = np.random.default_rng(n)
    x, c = ((rng.uniform(-1, 1, (2, n)) + 1j * rng.uniform(-1, 1, (2, n))).astype(dtype) for _ in range(2))

    def pulled(x: Any) -> Any:
        return ft.vjp(np.cumprod, x)[1](c[0])[0]

    f = ft.jit(ft.vmap(pulled))
    graph = f.lower(x).graph
    (want,) = executed(graph.outputs, {graph.params[0]: x})
    np.testing.assert_allclose(f(x), want, rtol=1e-5 if dtype is np.complex64 else 1e-13)
