"""bincount is NumPy's, segment_sum is np.add.at; what a traced index cannot say must be said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, ShapeError, TracedValueError
from functrans.ops import build as B
from functrans.ops import source
from functrans.ops.interpret import interpret
from functrans.tensor.scatter import bincount, segment_sum

integers = st.sampled_from([np.int8, np.int64, np.uint8, np.uint64])


def value(node, values=None):
    return interpret([node], values or {})[0]


@given(st.lists(st.integers(0, 9), max_size=8), st.integers(0, 12), integers, st.booleans())
def test_constants_count_as_numpy_does(raw, minlength, dtype, weighted):
    index = np.array(raw, dtype)
    weights = np.arange(len(raw)) * 0.7 if weighted else None
    want = np.bincount(index.astype(np.int64), weights, minlength)
    if weighted:
        want = want.astype(np.float64)  # NumPy drops the weights of no elements, dtype and all
    for given_index in (index, source.buffer(index), raw):
        got = value(bincount(given_index, weights, minlength))
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_array_equal(got, want)


@given(st.lists(st.integers(-3, 9), max_size=8), st.integers(1, 6))
def test_traced_indices_out_of_range_are_dropped(raw, n):
    index, node = np.array(raw, np.int64), source.param((len(raw),), dtypes.int64)
    weights = np.arange(len(raw)) + 0.5
    keep = (index >= 0) & (index < n)
    want = np.bincount(index[keep], weights[keep], n)
    np.testing.assert_array_equal(value(bincount(node, weights, n), {node: index}), want)
    np.testing.assert_array_equal(value(bincount(node, minlength=n), {node: index}), np.bincount(index[keep], None, n))


def test_weights_become_float64():
    got = value(bincount([0, 0, 2], np.array([1, 2, 3], np.int8)))
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, [3, 0, 3])
    assert value(bincount([0], np.ones(1, np.float32))).dtype == np.float64


def test_what_bincount_refuses():
    traced = source.param((2,), dtypes.int64)
    with pytest.raises(TracedValueError, match=r"length of the result is not known.*test_scatter.py.*give minlength"):
        bincount(traced)
    with pytest.raises(ArgumentValueError, match="holds -1"):
        bincount([0, -1])
    with pytest.raises(ShapeError, match="expected one axis"):
        bincount([[0, 1]])
    with pytest.raises(ShapeError, match=r"weights has shape \(3,\), x has \(2,\)"):
        bincount([0, 1], [1.0, 2.0, 3.0])
    with pytest.raises(DtypeError, match="float64; expected integers"):
        bincount([0.5])
    with pytest.raises(DtypeError, match="complex128; expected real"):
        bincount([0], [1j])
    with pytest.raises(ShapeError, match="minlength is -1"):
        bincount([0], minlength=-1)
    with pytest.raises(ArgumentError, match=r"minlength is 2.5; expected an integer"):
        bincount([0], minlength=2.5)


@given(st.data())
def test_segment_sum_is_add_at(data):
    lead = tuple(data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=2)))
    rest = tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    n = data.draw(st.integers(0, 4))
    size = int(np.prod(lead))
    ids = np.array(data.draw(st.lists(st.integers(-2, 5), min_size=size, max_size=size)), np.int64).reshape(lead)
    v = np.random.default_rng(0).normal(size=(*lead, *rest))
    want, keep = np.zeros((n, *rest)), (ids >= 0) & (ids < n)
    np.add.at(want, ids[keep], v[keep])
    node = source.param(lead, dtypes.int64)
    for given_ids in (ids, node):
        got = value(segment_sum(v, given_ids, n), {node: ids})
        assert got.shape == want.shape
        np.testing.assert_array_equal(got, want)


def test_segments_are_as_many_as_the_greatest_id_says():
    np.testing.assert_array_equal(value(segment_sum([1.0, 2.0, 4.0], [3, 0, 3])), [2, 0, 0, 5])
    assert value(segment_sum(np.zeros((0, 2)), np.zeros(0, int))).shape == (0, 2)
    assert value(segment_sum(np.ones(2, np.float32), [0, 1])).dtype == np.float32


def test_what_segment_sum_refuses():
    with pytest.raises(TracedValueError, match="give num_segments"):
        segment_sum([1.0, 2.0], source.param((2,), dtypes.int64))
    with pytest.raises(ShapeError, match=r"segment_ids has shape \(3,\) and data \(2,\)"):
        segment_sum([1.0, 2.0], [0, 1, 2], 3)
    with pytest.raises(ShapeError, match="num_segments is -2"):
        segment_sum([1.0], [0], -2)


def test_an_expression_of_constants_is_a_constant_index():
    index = B.add(B.iota(3), B.full((3,), dtypes.int64, 1))
    np.testing.assert_array_equal(value(bincount(index)), [0, 1, 1, 1])
