"""Linearity in the records: an op is additive in what it is linear in, and the transpose is the adjoint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.ops import Ops, UOp, source
from functrans.ops.interpret import interpret
from functrans.ops.opdef import TABLE
from tests.ops.test_axes import given_to, nodes

MAPPED = [op for op, record in TABLE.items() if record.axes is not None and record.linear is not None]
every_op = pytest.mark.parametrize("op", MAPPED, ids=lambda op: op.name)
laws = settings(max_examples=30, deadline=None)


def pair(a: Any, b: Any) -> float:
    """The pairing of cotangents: the real part of the sum of products, of complex numbers not conjugated."""
    return float(np.real(np.sum(a * b)))


def linear_in(node: UOp) -> tuple[int, ...]:
    """The sources that the node is linear in; a running maximum is not."""
    linear = TABLE[node.op].linear
    assert linear is not None
    return tuple(linear(node))


def summed(node: UOp) -> UOp:
    """A sum in place of another reduction."""
    arg = (Ops.ADD, node.arg[1]) if node.op is Ops.CUMULATE else node.arg
    return UOp(node.op, node.dtype, node.src, arg)


@every_op
@laws
@given(data=st.data())
def test_the_op_is_additive_in_what_it_is_linear_in(op: Ops, data: st.DataObject) -> None:
    node = summed(data.draw(nodes(op)))
    one = given_to(node)
    other = [2 * a + 1 if k in linear_in(node) else a for k, a in enumerate(one)]
    both = [a + b if k in linear_in(node) else a for k, (a, b) in enumerate(zip(one, other, strict=True))]
    (x,), (y,), (z,) = (interpret([node], dict(zip(node.src, given, strict=True))) for given in (one, other, both))
    np.testing.assert_allclose(z, x + y, rtol=1e-9, atol=1e-6)


@every_op
@laws
@given(data=st.data())
def test_the_transpose_is_the_adjoint(op: Ops, data: st.DataObject) -> None:
    node = summed(data.draw(nodes(op)))
    transpose, arrays = TABLE[op].transpose, given_to(node)
    assert transpose is not None
    ct = source.param(node.sized, node.dtype)
    c = np.random.default_rng(3).normal(size=node.sized).astype(node.dtype.numpy)
    for k in linear_in(node):
        back = transpose(node, ct, k)
        assert (back.shape, back.dtype) == (node.src[k].shape, node.src[k].dtype)
        alone = [a if j == k or j not in linear_in(node) else 0 * a for j, a in enumerate(arrays)]
        forward, backward = interpret([node, back], {**dict(zip(node.src, alone, strict=True)), ct: c})
        np.testing.assert_allclose(pair(forward, c), pair(backward, alone[k]), rtol=1e-9, atol=1e-6)


def test_another_reduction_is_not_linear() -> None:
    x = source.param((3,), dtypes.float64)
    for arg in ((Ops.MAX, (0,)), (Ops.MUL, (0,))):
        assert linear_in(UOp(Ops.REDUCE_AXIS, x.dtype, (x,), arg)) == ()
    assert linear_in(UOp(Ops.CUMULATE, x.dtype, (x,), (Ops.MAX, 0))) == ()
