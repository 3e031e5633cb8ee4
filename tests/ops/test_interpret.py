"""The oracle itself: whole programs against NumPy written by hand, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret

F = dtypes.float64
ZERO = UOp.const(dtypes.index, 0)


def row_softmax(x: UOp) -> UOp:
    """Softmax of a vector."""
    largest = B.broadcast(B.reduce_axis(x, Ops.MAX, (0,)), x.sized)
    e = B.alu(Ops.EXP, B.sub(x, largest))
    return B.div(e, B.broadcast(B.reduce_axis(e, Ops.ADD, (0,)), x.sized))


def test_a_program_by_hand() -> None:
    x, w = source.param((4, 3), F), source.param((3, 2), F)
    product = B.reduce_axis(
        B.mul(B.broadcast(B.reshape(x, (4, 3, 1)), (4, 3, 2)), B.broadcast(w, (4, 3, 2))), Ops.ADD, (1,)
    )
    clipped = B.alu(Ops.MAX, product, B.like(product, 0.0))
    a, b = np.random.default_rng(0).normal(size=(4, 3)), np.random.default_rng(1).normal(size=(3, 2))
    got, largest = interpret([clipped, B.reduce_axis(clipped, Ops.MAX, (0, 1))], {x: a, w: b})
    np.testing.assert_allclose(got, np.maximum(a @ b, 0), rtol=1e-14)
    assert largest == got.max()


@pytest.mark.parametrize("lanes", [0, 1, 5])
def test_brackets_are_a_python_loop(lanes: int) -> None:
    x = source.param((3, lanes), F)
    r = UOp.range(lanes)
    out = row_softmax(x.vmapin((ZERO, r))).vmapout((r, ZERO))
    values = np.random.default_rng(0).normal(size=(3, lanes))
    (got,) = interpret([out], {x: values})
    assert got.shape == (lanes, 3)
    for k in range(lanes):
        e = np.exp(values[:, k] - values[:, k].max())
        np.testing.assert_allclose(got[k], e / e.sum(), rtol=1e-14)


def test_brackets_nest_to_any_depth() -> None:
    shape = (2, 3, 2, 3, 2, 2)
    x = source.param(shape, F)
    ranges = [UOp.range(n) for n in shape]
    inner = x.vmapin(tuple(ranges))
    y = B.add(inner, B.like(inner, 1.0))
    for r in reversed(ranges):
        y = y.vmapout((r, *[ZERO] * y.ndim))
    values = np.random.default_rng(0).normal(size=shape)
    np.testing.assert_array_equal(interpret([y], {x: values})[0], values + 1.0)


def test_a_lane_may_read_another_bracket() -> None:
    x = source.param((3, 2), F)
    r, q = UOp.range(3), UOp.range(3)
    sums = B.reduce_axis(x.vmapin((r, ZERO)), Ops.ADD, (0,)).vmapout((r,))
    total = B.broadcast(B.reduce_axis(sums, Ops.ADD, (0,)), (2,))  # reads every lane of the first bracket
    share = B.div(x.vmapin((q, ZERO)), total).vmapout((q, ZERO))
    values = np.arange(1.0, 7.0).reshape(3, 2)
    np.testing.assert_allclose(interpret([share], {x: values})[0], values / values.sum(), rtol=1e-15)


def test_results_are_shared_and_in_order() -> None:
    x = source.param((2,), F)
    y = B.neg(x)
    a, b, c = interpret([y, x, y], {x: np.array([1.0, -0.0])})
    assert a is c
    assert b.tolist() == [1.0, 0.0]
    assert np.signbit(a).tolist() == [True, False]
    assert interpret([]) == []


def test_sources_of_data() -> None:
    kept = np.arange(6).reshape(2, 3)
    values = interpret([
        source.buffer(kept), B.iota(4), B.full((2, 1), dtypes.complex64, 1 - 2j), UOp(Ops.EMPTY, F, (), (2, 0)),
    ])  # fmt: skip
    assert [v.tolist() for v in values] == [[[0, 1, 2], [3, 4, 5]], [0, 1, 2, 3], [[1 - 2j], [1 - 2j]], [[], []]]
    assert [v.dtype.name for v in values] == ["int64", "int64", "complex64", "float64"]


def test_a_buffer_is_not_written_to() -> None:
    node = source.buffer(np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        source.stored(node)[0] = 1.0


def test_dtypes_are_those_of_the_nodes() -> None:
    for dtype in dtypes.ALL:
        x = source.param((2, 2), dtype)
        y = B.where(B.eq(x, B.like(x, 1)), x, B.like(x, 0))
        values = np.array([[0, 1], [1, 0]]).astype(dtype.numpy)
        (got,) = interpret([B.cat((y, y), 1)], {x: values})
        assert got.dtype == dtype.numpy
        np.testing.assert_array_equal(got, np.concatenate([values, values], 1))


def test_what_has_no_value() -> None:
    x = source.param((2,), F)
    r = UOp.range(2)
    with pytest.raises(SpecError, match="a PARAM or variable without a binding"):
        interpret([B.neg(x)])
    with pytest.raises(SpecError, match="RANGEs are open"):
        interpret([x.vmapin((r,))], {x: np.zeros(2)})
    with pytest.raises(SpecError, match="it is no array"):
        interpret([UOp.sink(x)], {x: np.zeros(2)})
    with pytest.raises(SpecError, match="has no value"):
        interpret([UOp(Ops.DEFINE_VAR, dtypes.index, (), ("n", 0, 4))])


def test_a_chain_of_brackets() -> None:
    # each bracket reads the result of the one before: no recursion, no exponential re-evaluation
    x = source.param((3,), F)
    y = x
    for _ in range(2000):
        r = UOp.range(3)
        inner = y.vmapin((r,))
        y = B.add(inner, B.like(inner, 1.0)).vmapout((r,))
    assert interpret([y], {x: np.array([0.0, 1.0, 2.0])})[0].tolist() == [2000.0, 2001.0, 2002.0]
