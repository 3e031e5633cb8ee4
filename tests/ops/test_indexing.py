"""Gather and scatter against plain Python loops, indices far out of range included."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import UOp, source
from functrans.ops import build as B
from functrans.ops.indexing import MODE_OPS, MODES
from functrans.ops.interpret import interpret

laws = settings(max_examples=80, deadline=None)
INDEX = st.sampled_from([0, 1, 2, 3, 4, -1, -5, 7, np.iinfo(np.int64).max, np.iinfo(np.int64).min])


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, list[np.ndarray]]:
    """An array, and index arrays of one shape for some of its leading axes."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    lead = draw(st.integers(1, len(shape)))
    at = tuple(draw(st.lists(st.integers(0, 3), max_size=2)))
    n = int(np.prod(at, dtype=int))
    indices = [np.array(draw(st.lists(INDEX, min_size=n, max_size=n)), np.int64).reshape(at) for _ in range(lead)]
    return np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape), indices


def params(*arrays: np.ndarray) -> list[UOp]:
    """A PARAM for each array."""
    return [source.param(a.shape, dtypes.from_numpy(a.dtype)) for a in arrays]


@laws
@given(cases())
def test_gather_clamps(case: tuple[np.ndarray, list[np.ndarray]]) -> None:
    x, indices = case
    nodes = params(x, *indices)
    node = B.gather(*nodes)
    (got,) = interpret([node], dict(zip(nodes, [x, *indices], strict=True)))
    assert got.shape == node.shape == (*indices[0].shape, *x.shape[len(indices) :])
    for at in itertools.product(*map(range, indices[0].shape)):
        where = tuple(min(max(int(i[at]), 0), n - 1) for i, n in zip(indices, x.shape, strict=False))
        np.testing.assert_array_equal(got[at], x[where])


@pytest.mark.parametrize("mode", MODES)
@laws
@given(case=cases())
def test_scatter_drops_and_keeps_the_order(mode: str, case: tuple[np.ndarray, list[np.ndarray]]) -> None:
    base, indices = case
    shape = (*indices[0].shape, *base.shape[len(indices) :])
    value = np.random.default_rng(0).uniform(-2, 2, shape)
    nodes = params(base, value, *indices)
    node = B.scatter(nodes[0], nodes[1], tuple(nodes[2:]), mode)
    (got,) = interpret([node], dict(zip(nodes, [base, value, *indices], strict=True)))
    step: Any = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}.get(
        mode, lambda old, new: new
    )
    want = base.copy()
    for at in itertools.product(*map(range, indices[0].shape)):
        where = tuple(int(i[at]) for i in indices)
        if all(0 <= w < n for w, n in zip(where, base.shape, strict=False)):
            want[where] = step(want[where], value[at])
    assert node.shape == base.shape
    np.testing.assert_array_equal(got, want)


def test_scatter_leaves_the_base_alone() -> None:
    base, value, index = np.zeros(3), np.ones(1), np.array([1])
    nodes = params(base, value, index)
    node = B.scatter(nodes[0], nodes[1], (nodes[2],), "set")
    kept, got = interpret([nodes[0], node], dict(zip(nodes, [base, value, index], strict=True)))
    assert kept.tolist() == [0.0, 0.0, 0.0]
    assert got.tolist() == [0.0, 1.0, 0.0]


def test_every_mode_but_those_that_set_has_its_op() -> None:
    assert set(MODE_OPS) == set(MODES) - {"set", "place"}


@pytest.mark.parametrize("dtype", [dtypes.int8, dtypes.int32, dtypes.uint8, dtypes.int64], ids=repr)
def test_indices_of_other_integers(dtype: dtypes.DType) -> None:
    x, index = np.arange(5.0), np.array([0, 4, 100, 2]).astype(dtype.numpy)
    nodes = params(x, index)
    (got,) = interpret([B.gather(*nodes)], dict(zip(nodes, [x, index], strict=True)))
    assert got.tolist() == [0.0, 4.0, 4.0, 2.0]


def test_wrong_indices_are_refused() -> None:
    x = source.param((3, 4), dtypes.float64)
    i, j = source.param((2,), dtypes.int64), source.param((3,), dtypes.int64)
    real, wide = source.param((2,), dtypes.float64), source.param((2,), dtypes.uint64)
    for indices, says in (
        ((), "0 indices"),
        ((i, i, i), "3 indices for shape"),
        ((i, j), "expected integer arrays of one shape"),
        ((real,), "expected integer arrays of one shape"),
        ((wide,), "fit into int64"),
    ):
        with pytest.raises(SpecError, match=says):
            B.gather(x, *indices)
    with pytest.raises(SpecError, match="nothing to take from an axis of size 0"):
        B.gather(source.param((0, 4), dtypes.float64), i)
    none = source.param((0,), dtypes.int64)
    assert B.gather(source.param((0, 4), dtypes.float64), none).shape == (0, 4)


def test_wrong_updates_are_refused() -> None:
    x = source.param((3, 4), dtypes.float64)
    i, j = source.param((2,), dtypes.int64), source.param((5,), dtypes.int64)
    value = source.param((2, 4), dtypes.float64)
    assert B.scatter(x, value, (i,), "add").shape == (3, 4)
    for indices, mode, says in (
        ((i,), "subtract", "mode 'subtract'"),
        ((), "add", "0 indices"),
        ((i, j), "add", "expected integer arrays of one shape"),
        ((B.cast(i, dtypes.float64),), "add", "expected integer arrays"),
        ((B.cast(i, dtypes.uint64),), "add", "fit into int64"),
        ((j,), "add", r"expected \(5, 4\)"),
        ((i, i), "add", r"expected \(2,\)"),
    ):
        with pytest.raises(SpecError, match=says):
            B.scatter(x, value, indices, mode)
