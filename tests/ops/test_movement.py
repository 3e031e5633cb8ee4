"""Movement ops: the facts of each record agree with one another, element by element."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import GroupOp, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.movement import MOVEMENT_BUILDERS
from functrans.ops.opdef import opdef
from tests.ops.movements import movement
from tests.ops.test_symbolic import value

MOVEMENTS = sorted(GroupOp.Movement, key=lambda op: op.value)
every_movement = pytest.mark.parametrize("op", MOVEMENTS, ids=lambda op: op.name)
laws = settings(max_examples=60, deadline=None)


def array(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Distinct random numbers, none of them zero."""
    return np.random.default_rng(seed).uniform(1.0, 2.0, shape)


def numpy_meaning(node: UOp, x: np.ndarray) -> np.ndarray:
    """What NumPy says, written down a second time and without the record."""
    arg: Any = node.arg
    if node.op is Ops.RESHAPE:
        return x.reshape(arg)
    if node.op is Ops.PERMUTE:
        return x.transpose(arg)
    if node.op is Ops.EXPAND:
        return np.broadcast_to(x, arg)
    if node.op is Ops.PAD:
        out = np.zeros(tuple(b + n + a for n, (b, a) in zip(x.shape, arg, strict=True)))
        out[tuple(slice(b, b + n) for n, (b, _) in zip(x.shape, arg, strict=True))] = x
        return out
    if node.op is Ops.SHRINK:
        return x[tuple(slice(s, e) for s, e in arg)]
    return x[tuple(slice(None, None, -1 if f else 1) for f in arg)]


@every_movement
@laws
@given(data=st.data())
def test_the_meaning_is_numpys(op: Ops, data: st.DataObject) -> None:
    node = data.draw(movement(op))
    x = array(node.src[0].sized)
    (got,) = interpret([node], {node.src[0]: x})
    assert got.shape == node.shape
    np.testing.assert_array_equal(got, numpy_meaning(node, x))


@every_movement
@laws
@given(data=st.data())
def test_ranges_say_where_each_element_comes_from(op: Ops, data: st.DataObject) -> None:
    node = data.draw(movement(op))
    x = array(node.src[0].sized)
    want = numpy_meaning(node, x)
    ranges = tuple(UOp.range(n) for n in node.sized)
    rule = opdef(node).ranges
    assert rule is not None
    indices, valid = rule(node, ranges)
    assert len(indices) == x.ndim
    for at in itertools.product(*map(range, node.sized)):
        env = dict(zip(ranges, at, strict=True))
        if valid is not None and not value(valid, env):
            assert want[at] == 0.0
            continue
        found = tuple(value(i, env) for i in indices)
        assert all(0 <= i < n for i, n in zip(found, x.shape, strict=True))
        assert x[found] == want[at]


@every_movement
@laws
@given(data=st.data())
def test_transpose_is_the_adjoint(op: Ops, data: st.DataObject) -> None:
    # <A x, y> = <x, A' y>, in integers, so exactly
    node = data.draw(movement(op))
    cotangent = source.param(node.sized, dtypes.float64)
    rule = opdef(node).transpose
    assert rule is not None
    back = rule(node, cotangent, 0)
    assert back.shape == node.src[0].shape
    assert back.dtype == node.dtype
    rng = np.random.default_rng(1)
    x = rng.integers(-9, 9, node.src[0].sized).astype(float)
    y = rng.integers(-9, 9, node.sized).astype(float)
    forward, backward = interpret([node, back], {node.src[0]: x, cotangent: y})
    assert np.vdot(forward, y) == np.vdot(x, backward)


@every_movement
@laws
@given(data=st.data(), n=st.sampled_from([0, 1, 3]))
def test_batch_is_a_loop(op: Ops, data: st.DataObject, n: int) -> None:
    node = data.draw(movement(op))
    shape = node.src[0].sized
    rule = opdef(node).axes
    assert rule is not None
    batched = UOp(op, node.dtype, (source.param((n, *shape), dtypes.float64),), rule.arg(node, range(node.ndim), (n,)))
    assert batched.shape == (n, *node.sized)
    xs = array((n, *shape))
    (got,) = interpret([batched], {batched.src[0]: xs})
    for k in range(n):
        np.testing.assert_array_equal(got[k], numpy_meaning(node, xs[k]))


@every_movement
@laws
@given(data=st.data())
def test_builders_mean_the_same_as_the_node(op: Ops, data: st.DataObject) -> None:
    node = data.draw(movement(op))
    x = array(node.src[0].sized)
    built = MOVEMENT_BUILDERS[op](node.src[0], node.arg)
    assert built.shape == node.shape
    (got,) = interpret([built], {node.src[0]: x})
    np.testing.assert_array_equal(got, numpy_meaning(node, x))


@laws
@given(data=st.data())
def test_builders_fold_chains(data: st.DataObject) -> None:
    # two of a kind in a row mean what they mean apart, whatever the builder makes of them
    op = data.draw(st.sampled_from(MOVEMENTS))
    first = data.draw(movement(op))
    x = array(first.src[0].sized)
    second = data.draw(movement(op, first.sized))
    build = MOVEMENT_BUILDERS[op]
    (got,) = interpret([build(build(first.src[0], first.arg), second.arg)], {first.src[0]: x})
    np.testing.assert_array_equal(got, numpy_meaning(second, numpy_meaning(first, x)))


def test_nothing_to_move_makes_no_node() -> None:
    x = source.param((2, 1, 3), dtypes.float64)
    assert B.reshape(x, (2, 1, 3)) is x
    assert B.permute(x, (0, 1, 2)) is x
    assert B.expand(x, (2, 1, 3)) is x
    assert B.pad(x, ((0, 0),) * 3) is x
    assert B.shrink(x, ((0, 2), (0, 1), (0, 3))) is x
    assert B.flip(x, (False,) * 3) is x
    assert B.permute(B.permute(x, (2, 0, 1)), (1, 2, 0)) is x
    assert B.reshape(B.reshape(x, (6,)), (2, 1, 3)) is x
    assert B.broadcast(x, (2, 1, 3)) is x
    assert B.broadcast(x, (4, 2, 5, 3)).shape == (4, 2, 5, 3)


@pytest.mark.parametrize(
    ("op", "arg", "says"),
    [
        (Ops.RESHAPE, (5,), "6 elements cannot take the shape"),
        (Ops.PERMUTE, (0, 0), "no permutation of 2 axes"),
        (Ops.PERMUTE, (0,), "no permutation of 2 axes"),
        (Ops.EXPAND, (2, 4), "only an axis of size 1 is repeated"),
        (Ops.EXPAND, (2,), "does not expand"),
        (Ops.PAD, ((0, -1), (0, 0)), "expected one pair >= 0 an axis"),
        (Ops.PAD, ((1, 1),), "expected one pair >= 0 an axis"),
        (Ops.SHRINK, ((0, 3), (0, 3)), "does not lie in shape"),
        (Ops.SHRINK, ((-1, 2), (0, 3)), "does not lie in shape"),
        (Ops.SHRINK, ((0, 2),), "does not lie in shape"),
        (Ops.FLIP, (True,), "for 2 axes"),
    ],
)
def test_wrong_arguments_are_refused(op: Ops, arg: Any, says: str) -> None:
    x = source.param((2, 3), dtypes.float64)
    with pytest.raises(SpecError, match=says):
        UOp(op, x.dtype, (x,), arg)
