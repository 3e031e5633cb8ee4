"""Facts of records that say where elements come from and go to, held against the NumPy meaning of the ops."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans.ops import GroupOp, Ops, UOp
from functrans.ops import symbolic as sym
from functrans.ops.opdef import TABLE
from functrans.ops.reduce import REDUCERS
from tests.ops.test_axes import given_to, nodes, value

laws = settings(max_examples=30, deadline=None)
ARRANGED = GroupOp.Movement | GroupOp.Join | GroupOp.Reduce | GroupOp.Order


def having(fact: str) -> Any:
    """For every op of tensors whose record has a fact."""
    found = sorted((op for op in ARRANGED if getattr(TABLE[op], fact)), key=lambda op: op.value)
    return pytest.mark.parametrize("op", found, ids=lambda op: op.name)


def record(node: UOp) -> Any:
    """The record of a node's op, facts that are missing being errors of the test."""
    return TABLE[node.op]


def constants(at: tuple[int, ...]) -> tuple[UOp, ...]:
    """A place as index expressions."""
    return tuple(map(sym.const, at))


def numbers(at: tuple[UOp, ...]) -> tuple[int, ...]:
    """Index expressions of constants as a place."""
    assert all(i.op is Ops.CONST for i in at)
    return tuple(int(i.arg) for i in at)


@having("lands")
@laws
@given(data=st.data())
def test_each_element_lands_where_it_is_found(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    arrays = given_to(node)
    whole = value(node, node.arg, arrays)
    filled = np.zeros(node.sized, int)
    for k, a in enumerate(arrays):
        for at in itertools.product(*map(range, a.shape)):
            place = numbers(record(node).lands(node, k, constants(at)))
            assert whole[place] == a[at]
            filled[place] += 1
    assert (filled == 1).all()


@having("select")
@laws
@given(data=st.data())
def test_a_join_says_which_source_has_an_element(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    arrays = given_to(node)
    whole = value(node, node.arg, arrays)
    for at in itertools.product(*map(range, node.sized)):
        k, place = record(node).select(node, constants(at))
        assert whole[at] == arrays[k][numbers(place)]


@having("repeats")
@laws
@given(data=st.data())
def test_along_what_is_repeated_all_elements_are_the_same(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    whole, axes = value(node, node.arg, given_to(node)), record(node).repeats(node)
    assert {k for k, n in enumerate(node.sized) if n != node.src[0].sized[k]} == set(axes)
    if node.size:
        np.testing.assert_array_equal(whole, np.broadcast_to(whole.take([0], axes[0]), node.sized) if axes else whole)


@having("fill")
@laws
@given(data=st.data())
def test_where_nothing_comes_to_stand_the_fill_does(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    whole = value(node, node.arg, [a + 1 for a in given_to(node)])
    outside = np.sort(whole, axis=None)[: whole.size - node.src[0].size]
    np.testing.assert_array_equal(outside, np.full(outside.shape, record(node).fill(node).arg))


@having("reduces")
@laws
@given(data=st.data())
def test_a_reduction_is_numpys_over_its_axes(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    (x,), (combine, axes) = given_to(node), record(node).reduces(node)
    np.testing.assert_allclose(value(node, node.arg, [x]), REDUCERS[combine].reduce(x, axis=axes))


@having("runs")
@laws
@given(data=st.data())
def test_what_runs_along_an_axis_goes_line_by_line(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    (x,), (_, axis) = given_to(node), record(node).runs(node)
    whole = value(node, node.arg, [x])
    for at in np.ndindex(*(1 if k == axis else n for k, n in enumerate(x.shape))):
        line = tuple(slice(None) if k == axis else slice(i, i + 1) for k, i in enumerate(at))
        np.testing.assert_array_equal(whole[line], value(node, node.arg, [x[line]]))


def test_which_ops_have_them() -> None:
    def of(fact: str) -> set[Ops]:
        return {op for op, found in TABLE.items() if getattr(found, fact)}

    assert of("lands") == {Ops.RESHAPE, Ops.PERMUTE, Ops.FLIP, Ops.STACK, Ops.CAT}
    assert of("select") == {Ops.STACK, Ops.CAT}
    assert of("repeats") == {Ops.EXPAND}
    assert of("fill") == {Ops.PAD}
    assert of("reduces") == {Ops.REDUCE_AXIS}
    assert of("runs") == {Ops.CUMULATE, Ops.ARGSORT, Ops.SORT}
    assert of("places") == {Ops.INDEX, Ops.SCATTER}
    assert of("updates") == {Ops.SCATTER}
