"""OUTER ranges: the kernel is launched once an element, and the numbers are those of LOOP to the last bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from functrans.backend.pipeline import Program
from functrans.ops import AxisType, Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret

ZERO = UOp.const(dtypes.index, 0)
LOOP, OUTER = AxisType.LOOP, AxisType.OUTER


def softmax(x: UOp) -> UOp:
    n = x.sized
    e = B.alu(Ops.EXP, B.sub(x, B.broadcast(B.reduce_axis(x, Ops.MAX, (0,)), n)))
    return B.div(e, B.broadcast(B.reduce_axis(e, Ops.ADD, (0,)), n))


def scattered(x: UOp) -> UOp:
    return B.scatter(B.full((3,), x.dtype, 0.5), x, (source.buffer(np.array([2, 0, 2, 1])),), "add")


def joined(x: UOp) -> UOp:
    return B.cat((B.neg(x), B.reshape(B.reduce_axis(x, Ops.ADD, (0,)), (1,))))


def running(x: UOp) -> UOp:
    return UOp(Ops.CUMULATE, x.dtype, (x,), (Ops.ADD, 0))


BODIES = [softmax, scattered, joined, running]


@pytest.mark.parametrize("body", BODIES)
def test_launches_and_values(body) -> None:
    results = []
    for kind in (LOOP, OUTER):
        x, r = source.param((5, 4), dtypes.float64), UOp.range(5, None, kind)
        y = body(x.vmapin((r, ZERO))).vmapout((ZERO, r))
        p = Program([y], [x])
        assert sum(k.launches for k in p.kernels) == (5 if kind is OUTER else 1)
        a = np.random.default_rng(0).normal(size=(5, 4))
        results.append(p([a])[0])
        np.testing.assert_allclose(results[-1], interpret([y], {x: a})[0], rtol=1e-14)
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("kinds", list(itertools.product((LOOP, OUTER), repeat=3)))
def test_mixed_nests(kinds) -> None:
    sizes = (3, 2, 5)
    x = source.param((*sizes, 4), dtypes.float64)
    ranges = [UOp.range(n, None, k) for n, k in zip(sizes, kinds, strict=True)]
    row = x
    for r in ranges:
        row = row.vmapin((r, *(ZERO,) * (row.ndim - 1)))
    y = softmax(row)
    for r in reversed(ranges):
        y = y.vmapout((r, *(ZERO,) * y.ndim))
        y = B.mul(y, y)  # something between the brackets
    a = np.random.default_rng(0).normal(size=x.sized)
    np.testing.assert_allclose(Program([y], [x])([a])[0], interpret([y], {x: a})[0], rtol=1e-13)


@pytest.mark.parametrize("batch", [0, 1])
def test_empty_and_single_batch(batch: int) -> None:
    x, r = source.param((batch, 4), dtypes.float64), UOp.range(batch, None, OUTER)
    y = softmax(x.vmapin((r, ZERO))).vmapout((r, ZERO))
    a = np.ones((batch, 4))
    np.testing.assert_array_equal(Program([y], [x])([a])[0], np.full((batch, 4), 0.25))


def test_an_outer_part_of_a_join_has_a_kernel_of_its_own() -> None:
    x, r = source.param((5, 4), dtypes.float64), UOp.range(5, None, OUTER)
    mapped = softmax(x.vmapin((r, ZERO))).vmapout((r, ZERO))
    y = B.cat((mapped, x))
    p = Program([y], [x])
    a = np.random.default_rng(0).normal(size=(5, 4))
    np.testing.assert_allclose(p([a])[0], interpret([y], {x: a})[0], rtol=1e-14)
    assert [k.launches for k in p.kernels] == [5, 1]


def test_another_batch_size_is_the_same_text() -> None:
    texts = set()
    for batch in (2, 90):
        x, r = source.param((batch, 4), dtypes.float64), UOp.range(batch, None, OUTER)
        texts.add(Program([softmax(x.vmapin((r, ZERO))).vmapout((ZERO, r))], [x]).c_source)
    assert len(texts) == 1
