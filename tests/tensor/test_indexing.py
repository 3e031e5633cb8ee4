"""Reading by index is NumPy's x[key]; integer nodes wrap and clamp; regular indices stay movement."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans import dtypes
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    AxisError,
    DtypeError,
    IndexOutOfRange,
    ShapeError,
    TracedValueError,
)
from functrans.ops import build as B
from functrans.ops import source
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.uop import UOp
from functrans.tensor.constants import is_traced
from functrans.tensor.indexing import getitem, take, take_along_axis
from tests.tensor.indices import accepted, arange, dynamic, indexed, masks

LAW = settings(max_examples=300, deadline=None)


def value(node, values=None):
    return interpret([node], values or {})[0]


def same(got, want):
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


def ops(node):
    return {u.op for u in node.toposort()}


@LAW
@given(indexed(), st.sampled_from([np.float64, np.int8, np.bool_, np.complex64]))
def test_every_key_is_numpys(case, dtype):
    shape, key = case
    if accepted(shape, key):
        x = arange(shape, dtype)
        same(value(getitem(source.buffer(x.copy()), key)), x[key])


@LAW
@given(indexed())
def test_nodes_as_indices_are_constants_known_later(case):
    shape, key = case
    x, values = arange(shape), {}
    if not accepted(shape, key):
        return
    try:
        node = getitem(source.buffer(x), dynamic(key, values))
    except IndexOutOfRange:
        assert 0 in shape  # nothing a node could be clamped to
        return
    same(value(node, values), x[key])


@given(
    st.integers(1, 5), st.lists(st.integers(-12, 12), max_size=6), st.sampled_from(["int8", "int64", "uint8", "uint64"])
)
def test_nodes_wrap_once_and_are_clamped(n, raw, name):
    index = np.array(raw, np.int64).astype(name)
    node = source.param(index.shape, dtypes.from_numpy(index.dtype))
    x = arange((n, 2))
    wide = [int(i) for i in index]
    at = [min(max(i + n if i < 0 else i, 0), n - 1) for i in wide]
    same(value(getitem(source.buffer(x), node), {node: index}), x[at])


def test_a_list_a_range_and_an_empty_list():
    x = arange((5, 3))
    node = source.buffer(x)
    same(value(getitem(node, [0, 1])), x[[0, 1]])
    same(value(getitem(node, [])), x[[]])
    same(value(getitem(node, range(3))), x[range(3)])
    same(value(getitem(node, ([[0, 1], [2, 4]], 1))), x[[[0, 1], [2, 4]], 1])


@pytest.mark.parametrize(
    "key",
    [
        (slice(None, None, 2), slice(None, None, -3)),
        (3, slice(1, 2)),
        ([1, 3, 5],),
        ([[5, 4], [3, 2]],),
        np.ix_([0, 2, 4], [3, 1]),
        (slice(None), [6], [[0], [1]]),
        (np.arange(6), np.arange(6)),
        (np.arange(6)[::-1], np.arange(6)),
        (np.arange(6) % 2 == 0,),
        np.ones((6, 7), bool),
    ],
)
def test_regular_indices_are_movement(key):
    x = source.param((6, 7, 2), dtypes.float64)
    node = getitem(x, key)
    assert Ops.INDEX not in ops(node)
    given = arange((6, 7, 2))
    same(value(node, {x: given}), given[key])


def test_an_index_of_constants_is_a_constant():
    x = source.param((6, 2), dtypes.float64)
    index = B.add(B.iota(3), B.full((3,), dtypes.int64, 2))
    assert Ops.INDEX not in ops(getitem(x, index))
    assert getitem(x, index) is getitem(x, [2, 3, 4])


def test_equal_gathers_are_one_node():
    x = source.param((6,), dtypes.float64)
    assert getitem(x, [0, 5, 1]) is getitem(x, np.array([0, -1, 1], np.int32))


def test_reading_a_join_reads_its_parts():
    parts = tuple(source.param((2, 3), dtypes.float64) for _ in range(3))
    assert getitem(B.stack(parts, 0), 1) is parts[1]
    assert getitem(B.stack(parts, 2), (..., -1)) is parts[2]
    assert getitem(B.cat(parts, 1), (slice(None), slice(3, 6))) is parts[1]
    assert parts[0] not in getitem(B.cat(parts, 1), (slice(None), slice(4, 8))).toposort()


def test_a_lane_of_indices_under_a_range():
    x, index = arange((4, 3)), np.array([[0, 2], [3, -1], [9, -9]])
    node, r = source.param((3, 2), dtypes.int64), UOp.range(3)
    zero = UOp.const(dtypes.index, 0)
    inner = getitem(source.buffer(x), node.vmapin((r, zero)))
    got = value(inner.vmapout((r, zero, zero)), {node: index})
    same(got, np.stack([x[[0, 2]], x[[3, 3]], x[[3, 0]]]))


@given(masks((2, 3)))
def test_a_mask_that_is_a_node_of_constants(mask):
    x = arange((2, 3, 2))
    same(value(getitem(source.buffer(x), B.cast(source.buffer(mask.astype(np.int8)), dtypes.bool_))), x[mask])


def test_traced_masks_and_bounds_name_the_way_out():
    x, flag = source.param((3,), dtypes.float64), source.param((3,), dtypes.bool_)
    with pytest.raises(TracedValueError, match=r"boolean mask.*test_indexing.py.*fnp\.where"):
        getitem(x, flag)
    with pytest.raises(TracedValueError, match=r"stop of a slice is traced.*fnp\.arange"):
        getitem(x, slice(0, source.param((), dtypes.int64)))


@pytest.mark.parametrize(
    ("key", "error", "text"),
    [
        (6, IndexOutOfRange, "index 6 is out of bounds for axis 0 with size 6"),
        ((0, -4), IndexOutOfRange, "index -4 is out of bounds for axis 1 with size 3"),
        ((slice(None), [0, 3]), IndexOutOfRange, "index 3 is out of bounds for axis 1"),
        (np.array([2**63], np.uint64), IndexOutOfRange, "out of bounds"),
        ((0, 0, 0), AxisError, "too many indices: 3 for an array of 2 axes"),
        ((..., 0, ...), AxisError, "2 ellipses"),
        (np.ones(5, bool), IndexOutOfRange, r"mask of shape \(5,\) indexes axes of sizes \(6,\)"),
        (([0, 1], [0, 1, 2]), IndexOutOfRange, r"\(2,\), \(3,\) do not broadcast"),
        ([0.5], IndexOutOfRange, "no index"),
        ("a", IndexOutOfRange, "no index"),
        ([[0], [1, 2]], ShapeError, "rows of different lengths"),
        (slice(None, None, 0), ShapeError, "step of a slice is 0"),
        (slice(0.5, None), ArgumentError, "start of a slice is 0.5"),
        ([source.param((), dtypes.int64)], ArgumentError, r"fnp\.stack"),
        (source.param((2,), dtypes.float32), IndexOutOfRange, "float32; expected integers or booleans"),
    ],
)
def test_what_is_no_index_raises(key, error, text):
    with pytest.raises(error, match=text):
        getitem(source.param((6, 3), dtypes.float64), key)


def test_a_node_has_nothing_to_read_in_an_empty_axis():
    with pytest.raises(IndexOutOfRange, match="size 0"):
        getitem(source.param((0, 2), dtypes.float64), source.param((3,), dtypes.int64))


@LAW
@given(st.data())
def test_take_is_numpys(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    axis = data.draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    n = int(np.prod(shape)) if axis is None else shape[axis]
    mode = data.draw(st.sampled_from(["raise", "wrap", "clip"]))
    bound = n - 1 if mode == "raise" else 100
    index = np.array(data.draw(st.lists(st.integers(-bound - (mode == "raise"), bound), max_size=6)), np.int8)
    index = index.reshape(data.draw(st.sampled_from([(-1,), (1, -1)] + ([(2, -1)] if index.size % 2 == 0 else []))))
    x = arange(shape)
    want = np.take(x, index, axis, mode=mode)
    same(value(take(source.buffer(x), index, axis, mode)), want)
    node = source.param(index.shape, dtypes.int8)
    same(value(take(source.buffer(x), node, axis, mode), {node: index}), want)


@LAW
@given(st.data())
def test_take_along_axis_is_numpys(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=4)))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    length = data.draw(st.integers(0, 4))
    index_shape = list(data.draw(st.tuples(*(st.sampled_from([d, 1]) for d in shape))))
    index_shape[axis] = length
    size = int(np.prod(index_shape))
    n = shape[axis]
    index = np.array(data.draw(st.lists(st.integers(-n, n - 1), min_size=size, max_size=size)), np.int64)
    index = index.reshape(index_shape)
    x = arange(shape)
    want = np.take_along_axis(x, index, axis)
    same(value(take_along_axis(source.buffer(x), index, axis)), want)
    node = source.param(index.shape, dtypes.int64)
    same(value(take_along_axis(source.buffer(x), node, axis), {node: index}), want)


def test_take_along_the_flat_array_sorts_it():
    x = np.array([[3.0, 1.0], [2.0, 0.0]])
    same(value(take_along_axis(source.buffer(x), np.argsort(x, None), None)), np.sort(x, None))


def test_an_empty_mask_selects_nothing_traced_or_not():
    x = np.zeros((0, 2))
    same(ft.jit(lambda t: t[t > 0])(x), x[x > 0])
    same(ft.jit(lambda t: t[t[:, 0] > 0])(x), x[x[:, 0] > 0])
    same(ft.jit(lambda t: np.nonzero(t > 0)[1])(x), np.nonzero(x > 0)[1])
    same(ft.vmap(lambda t: t[t > 0].sum())(np.zeros((3, 0))), np.zeros(3))
    same(ft.jit(lambda t: t.at[t > 0].set(1.0))(x), x)


def test_what_take_refuses():
    x = source.param((3, 2), dtypes.float64)
    with pytest.raises(IndexOutOfRange, match="index 3 is out of bounds for axis 0"):
        take(x, [3], 0)
    with pytest.raises(AxisError, match="axis 2 is out of bounds"):
        take(x, [0], 2)
    with pytest.raises(ArgumentValueError, match="mode is 'nearest'"):
        take(x, [0], 0, "nearest")
    with pytest.raises(DtypeError, match="bool; expected integers"):
        take(x, [True], 0)
    with pytest.raises(ShapeError, match="expected as many"):
        take_along_axis(x, [0], 0)
    with pytest.raises(IndexOutOfRange, match="do not broadcast"):
        take_along_axis(x, np.zeros((1, 3), int), 0)


def test_what_counts_as_traced():
    p, r = source.param((2,), dtypes.float64), UOp.range(2)
    fixed = source.buffer(np.zeros((2, 2)))
    zero = UOp.const(dtypes.index, 0)
    lane = fixed.vmapin((r, zero))
    assert is_traced(B.add(B.neg(p), p)) and is_traced(lane)
    assert not is_traced(fixed) and not is_traced(lane.vmapout((r, zero)))
    assert is_traced(B.add(p.vmapin((r,)), B.full((), dtypes.float64, 1)).vmapout((r,)))


def test_a_long_chain_is_asked_without_recursion():
    flag = source.param((1,), dtypes.bool_)
    for _ in range(50_000):
        flag = B.alu(Ops.NOT, flag)
    assert is_traced(flag)


def test_constant_indices_are_read_unchecked_in_loops_too():
    places, sums = np.array([3, 0, 2, -1]), np.array([1, 0, 1, 2])

    def step(x):
        return np.bincount(sums, weights=x[places], minlength=4) + x

    f = ft.jit(lambda x: ft.scan(lambda x, _: (step(x), None), x, None, length=3)[0])
    x = want = np.arange(1.0, 5.0)
    for _ in range(3):
        want = step(want)
    np.testing.assert_array_equal(f(x), want)
    assert "ft_min_i64(ft_max" not in f.lower(x).c_source


def test_indices_that_are_given_are_still_kept_inside():
    f = ft.jit(lambda x, i: ft.scan(lambda c, _: (c + x[i], None), np.zeros(3), None, length=2)[0])
    np.testing.assert_array_equal(f(np.arange(4.0), np.array([1, 9, -2])), [2.0, 6.0, 4.0])
