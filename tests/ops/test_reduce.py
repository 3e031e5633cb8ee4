"""Reductions, running reductions and joins: NumPy's values, and a batch is a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.opdef import opdef
from functrans.ops.reduce import REDUCERS, identity
from tests.ops.movements import shapes

UFUNCS = {Ops.ADD: np.add, Ops.MUL: np.multiply, Ops.MAX: np.maximum, Ops.MIN: np.minimum,
          Ops.AND: np.bitwise_and, Ops.OR: np.bitwise_or}  # fmt: skip
every_reducer = pytest.mark.parametrize("op", UFUNCS, ids=lambda op: op.name)
laws = settings(max_examples=50, deadline=None)


def integers(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Small integers, on which every reduction is exact in any order."""
    return np.random.default_rng(seed).integers(-3, 4, shape)


def of(x: np.ndarray) -> UOp:
    """A PARAM for the array."""
    return source.param(x.shape, dtypes.from_numpy(x.dtype))


def one(node: UOp, x: np.ndarray) -> np.ndarray:
    """The value of a node over one PARAM."""
    return interpret([node], {node.src[0]: x})[0]


def test_the_table_holds_these_reducers() -> None:
    assert set(REDUCERS) == set(UFUNCS)


@every_reducer
@laws
@given(data=st.data())
def test_reduce_axis_is_numpys(op: Ops, data: st.DataObject) -> None:
    shape = data.draw(shapes.filter(lambda s: len(s) > 0))
    axes = tuple(sorted(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1))))
    x = integers(shape)
    node = UOp(Ops.REDUCE_AXIS, dtypes.int64, (of(x),), (op, axes))
    got = one(node, x)
    start: dict[str, Any] = {"initial": identity(op, dtypes.int64)} if x.size == 0 else {}
    want = UFUNCS[op].reduce(x, axis=axes, **start)
    assert got.shape == node.shape == want.shape
    np.testing.assert_array_equal(got, want)


@every_reducer
@laws
@given(data=st.data())
def test_cumulate_is_numpys(op: Ops, data: st.DataObject) -> None:
    shape = data.draw(shapes.filter(lambda s: len(s) > 0))
    axis = data.draw(st.integers(0, len(shape) - 1))
    x = integers(shape)
    node = UOp(Ops.CUMULATE, dtypes.int64, (of(x),), (op, axis))
    want = x.copy()
    for k in range(1, shape[axis]):
        at, before = [slice(None)] * len(shape), [slice(None)] * len(shape)
        at[axis], before[axis] = k, k - 1  # type: ignore[call-overload]
        want[tuple(at)] = UFUNCS[op](want[tuple(before)], x[tuple(at)])
    assert node.shape == shape
    np.testing.assert_array_equal(one(node, x), want)


@every_reducer
@pytest.mark.parametrize("dtype", dtypes.ALL, ids=repr)
def test_the_identity_changes_nothing(op: Ops, dtype: dtypes.DType) -> None:
    bits = op in (Ops.AND, Ops.OR)
    if (bits and dtype.kind in "fc") or (op in (Ops.MAX, Ops.MIN) and dtype.kind == "c"):
        return  # not a reduction of this dtype
    values = [0, 1] if dtype.kind == "b" else [0, 1, 100] if dtype.kind == "u" else [0, 1, 100, -100]
    x = np.array(values).astype(dtype.numpy)
    if dtype.kind == "f":
        x = np.concatenate([x, np.array([np.inf, -np.inf, np.nan, -0.0], dtype.numpy)])
    for running in (False, True):
        start = np.asarray(identity(op, dtype, running)).astype(dtype.numpy)
        assert start == identity(op, dtype, running)
        got = UFUNCS[op](start, x)
        np.testing.assert_array_equal(got, x)
        if running and dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(got), np.signbit(x))


@every_reducer
@pytest.mark.parametrize("dtype", [dtypes.bool_, dtypes.uint8, dtypes.int32, dtypes.float32], ids=repr)
def test_the_reduction_of_nothing_is_the_identity(op: Ops, dtype: dtypes.DType) -> None:
    if op in (Ops.AND, Ops.OR) and dtype.kind == "f":
        return
    x = np.zeros((3, 0, 2), dtype.numpy)
    got = one(B.reduce_axis(of(x), op, (1,)), x)
    assert got.dtype == dtype.numpy
    np.testing.assert_array_equal(got, np.full((3, 2), identity(op, dtype), dtype.numpy))


def test_special_values() -> None:
    nan = np.array([[1.0, np.nan, 2.0], [-0.0, -0.0, -0.0]])
    for op in (Ops.ADD, Ops.MUL, Ops.MAX, Ops.MIN):
        assert np.isnan(one(B.reduce_axis(of(nan), op, (1,)), nan)[0])
    total = one(B.reduce_axis(of(nan), Ops.ADD, (1,)), nan)[1]
    assert (total, np.signbit(total)) == (0.0, False)  # as np.sum
    first = one(UOp(Ops.CUMULATE, dtypes.float64, (of(nan),), (Ops.ADD, 1)), nan)[1]
    assert np.signbit(first).all()  # as np.cumsum
    small = np.full(300, 200, np.uint8)
    assert one(B.reduce_axis(of(small), Ops.ADD, (0,)), small) == 60000 % 256
    flags = np.array([True, True, False])
    assert one(B.reduce_axis(of(flags), Ops.ADD, (0,)), flags).dtype == bool


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize(
    ("op", "arg"),
    [
        (Ops.REDUCE_AXIS, (Ops.ADD, (0,))),
        (Ops.REDUCE_AXIS, (Ops.MAX, (0, 2))),
        (Ops.CUMULATE, (Ops.ADD, 1)),
        (Ops.CUMULATE, (Ops.MIN, 2)),
    ],
)
def test_batch_is_a_loop(op: Ops, arg: Any, n: int) -> None:
    xs = integers((n, 2, 3, 4))
    node = UOp(op, dtypes.int64, (source.param((2, 3, 4), dtypes.int64),), arg)
    rule = opdef(node).axes
    assert rule is not None
    batched = UOp(op, dtypes.int64, (of(xs),), rule.arg(node, range(node.ndim), (n,)))
    assert batched.shape == (n, *node.sized)
    got = one(batched, xs)
    for k in range(n):
        np.testing.assert_array_equal(got[k], one(node, xs[k]))


# joins


@laws
@given(data=st.data())
def test_joins_are_numpys_and_batch(data: st.DataObject) -> None:
    shape = data.draw(shapes)
    count = data.draw(st.integers(1, 4))
    join = data.draw(st.sampled_from([Ops.STACK, Ops.CAT])) if shape else Ops.STACK
    axis = data.draw(st.integers(0, len(shape) if join is Ops.STACK else len(shape) - 1))
    sizes = [data.draw(st.integers(0, 3)) for _ in range(count)]
    each = [(*shape[:axis], s, *shape[axis + 1 :]) if join is Ops.CAT else shape for s in sizes]
    xs = [integers(s, k) for k, s in enumerate(each)]
    params = [of(x) for x in xs]
    node = UOp(join, dtypes.int64, tuple(params), axis)
    want = np.stack(xs, axis) if join is Ops.STACK else np.concatenate(xs, axis)
    (got,) = interpret([node], dict(zip(params, xs, strict=True)))
    assert node.shape == want.shape
    np.testing.assert_array_equal(got, want)
    rule = opdef(node).axes
    assert rule is not None
    many = [np.stack([x, -x, 2 * x]) for x in xs]
    batched = UOp(join, dtypes.int64, tuple(of(m) for m in many), rule.arg(node, range(node.ndim), (3,)))
    (loop,) = interpret([batched], dict(zip(batched.src, many, strict=True)))
    np.testing.assert_array_equal(loop, np.stack([want, -want, 2 * want]))


@pytest.mark.parametrize(
    ("op", "arg", "says"),
    [
        (Ops.REDUCE_AXIS, (Ops.SUB, (0,)), "Ops.SUB is no reduction"),
        (Ops.REDUCE_AXIS, (Ops.ADD, ()), "expected distinct axes in ascending order"),
        (Ops.REDUCE_AXIS, (Ops.ADD, (1, 0)), "expected distinct axes in ascending order"),
        (Ops.REDUCE_AXIS, (Ops.ADD, (0, 0)), "expected distinct axes in ascending order"),
        (Ops.REDUCE_AXIS, (Ops.ADD, (2,)), "for shape"),
        (Ops.REDUCE_AXIS, (Ops.ADD, (-1,)), "for shape"),
        (Ops.CUMULATE, (Ops.ADD, 2), "along axis 2"),
        (Ops.CUMULATE, (Ops.POW, 0), "Ops.POW along axis 0"),
        (Ops.STACK, 3, "along a new axis 3"),
        (Ops.CAT, 2, "along axis 2"),
    ],
)
def test_wrong_arguments_are_refused(op: Ops, arg: Any, says: str) -> None:
    x = source.param((2, 3), dtypes.float64)
    with pytest.raises(SpecError, match=says):
        UOp(op, x.dtype, (x,), arg)


def test_joins_of_unequal_shapes_are_refused() -> None:
    x, y, z = (source.param(s, dtypes.float64) for s in ((2, 3), (2, 4), (2, 3, 1)))
    with pytest.raises(SpecError, match="expected equal shapes"):
        B.stack((x, y))
    with pytest.raises(SpecError, match="the other axes must agree"):
        B.cat((x, y), 0)
    with pytest.raises(SpecError, match="the other axes must agree"):
        B.cat((x, z), 0)
    assert B.cat((x, y), 1).shape == (2, 7)
