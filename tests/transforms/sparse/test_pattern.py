"""SparsityPattern: canonical order, immutability, conversions, refusals."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from functrans.errors import ArgumentError, DtypeError, IndexOutOfRange, ShapeError, SparsityError
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.pattern import SparsityPattern
from tests.transforms.sparse.checkers import entries, patterns

FORMATS = ["csr", "csc", "coo"]


@given(patterns(), st.randoms(use_true_random=False))
def test_order_is_canonical_whatever_came_in(pattern: SparsityPattern, random) -> None:
    pairs = list(zip(pattern.rows.tolist(), pattern.cols.tolist()))
    if pattern.format == "csc":
        assert pairs == sorted(set(pairs), key=lambda pair: pair[::-1])
    else:
        assert pairs == sorted(set(pairs))
    shuffled = pairs + pairs[: len(pairs) // 2]
    random.shuffle(shuffled)
    again = SparsityPattern([i for i, _ in shuffled], [j for _, j in shuffled], pattern.shape, pattern.format)
    assert again == pattern and hash(again) == hash(pattern)
    for array in (pattern.rows, pattern.cols, pattern.indptr, pattern.indices):
        assert array.dtype == np.int32 and not array.flags.writeable


@given(patterns())
def test_compressed_form_is_scipys(pattern: SparsityPattern) -> None:
    dense = np.zeros(pattern.shape)
    dense[pattern.rows, pattern.cols] = 1 + np.arange(pattern.nnz)
    reference = sp.csc_array(dense) if pattern.format == "csc" else sp.csr_array(dense)
    np.testing.assert_array_equal(pattern.indptr, reference.indptr)
    np.testing.assert_array_equal(pattern.indices, reference.indices)
    np.testing.assert_array_equal(reference.data, 1 + np.arange(pattern.nnz))


@given(patterns())
def test_to_scipy_has_the_same_entries_and_flags(pattern: SparsityPattern) -> None:
    data = np.arange(pattern.nnz, dtype=float)  # one explicit zero
    matrix = pattern.to_scipy(data)
    assert matrix.format == pattern.format and matrix.shape == pattern.shape and matrix.nnz == pattern.nnz
    assert matrix.has_canonical_format
    dense = np.zeros(pattern.shape)
    dense[pattern.rows, pattern.cols] = data
    np.testing.assert_array_equal(matrix.toarray(), dense)
    assert pattern.to_scipy().dtype == np.bool_ and pattern.to_scipy().sum() == pattern.nnz
    assert (pattern.to_scipy(data.astype(np.float16)).toarray() == pattern.to_scipy(data).toarray()).all()  # in float32


@pytest.mark.parametrize("format", FORMATS)
def test_to_scipy_shares_indices_and_data(format: str) -> None:
    pattern = SparsityPattern([2, 0, 1], [1, 3, 0], (3, 4), format)
    data = np.ones(3)
    matrix = pattern.to_scipy(data)
    assert matrix.data is data or np.shares_memory(matrix.data, data)
    shared = [(matrix.row, pattern.rows), (matrix.col, pattern.cols)] if format == "coo" else [
        (matrix.indices, pattern.indices), (matrix.indptr, pattern.indptr)
    ]  # fmt: skip
    for theirs, ours in shared:
        assert np.shares_memory(theirs, ours) and theirs.dtype == np.int32


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_scipy_cannot_move_shared_entries(format: str) -> None:
    pattern = SparsityPattern([0, 1, 1], [0, 0, 1], (2, 2), format)
    before = entries(pattern)
    with pytest.raises(ValueError, match="read-only"):
        pattern.to_scipy(np.array([1.0, 0.0, 2.0])).eliminate_zeros()
    assert entries(pattern) == before
    copied = pattern.to_scipy(np.array([1.0, 0.0, 2.0])).copy()
    copied.eliminate_zeros()
    assert copied.nnz == 2 and pattern.nnz == 3


@given(patterns(), st.sampled_from(FORMATS))
def test_with_format_and_transpose_keep_the_entries(pattern: SparsityPattern, format: str) -> None:
    other = pattern.with_format(format)
    assert other.format == format and entries(other) == entries(pattern)
    assert other.with_format(pattern.format) == pattern
    flipped = pattern.transpose()
    assert flipped.shape == pattern.shape[::-1] and flipped.format == pattern.format
    assert entries(flipped) == {(j, i) for i, j in entries(pattern)}
    assert flipped.transpose() == pattern


@given(patterns())
def test_triangles(pattern: SparsityPattern) -> None:
    lower, upper = pattern.lower(), pattern.upper()
    assert entries(lower) == {(i, j) for i, j in entries(pattern) if i >= j}
    assert entries(upper) == {(i, j) for i, j in entries(pattern) if i <= j}
    assert lower.shape == upper.shape == pattern.shape and lower.format == pattern.format


@given(patterns(), st.sampled_from(FORMATS))
def test_from_user_reads_every_kind(pattern: SparsityPattern, format: str) -> None:
    wanted = pattern.with_format(format)
    assert SparsityPattern.from_user(pattern, format) == wanted
    assert SparsityPattern.from_user((pattern.rows, pattern.cols, pattern.shape), format) == wanted
    zeros = pattern.to_scipy(np.zeros(pattern.nnz))  # stored zeros are entries
    for matrix in (zeros, zeros.tocsr(), zeros.tocsc(), sp.coo_matrix(zeros)):
        assert SparsityPattern.from_user(matrix, format) == wanted


def test_from_user_merges_duplicates_and_refuses_others() -> None:
    twice = sp.coo_array((np.ones(3), ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert SparsityPattern.from_user(twice).nnz == 2
    with pytest.raises(ArgumentError, match=r"coo_array\(mask\)"):
        SparsityPattern.from_user(np.eye(2))
    with pytest.raises(ArgumentError, match="got list"):
        SparsityPattern.from_user([[1, 0], [0, 1]])
    with pytest.raises(SparsityError, match="1 dimensions"):
        SparsityPattern.from_user(sp.coo_array(np.ones(3)))


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (([2], [0], (2, 3)), SparsityError, r"rows\[0\] is 2, outside of 0 to 1"),
        (([0, 1], [0, -1], (2, 3)), SparsityError, r"cols\[1\] is -1"),
        (([0], [0], (0, 3)), SparsityError, r"rows\[0\]"),
        (([0, 1], [0], (2, 3)), ShapeError, "2 entries and cols has 1"),
        (([[0]], [[0]], (2, 3)), ShapeError, "one dimension"),
        (([0.0], [0], (2, 3)), DtypeError, "float64"),
        (([True], [0], (2, 3)), DtypeError, "bool"),
        (([0], [0], (2,)), ArgumentError, "pair"),
        (([0], [0], 4), ArgumentError, "pair"),
        (([0], [0], (2.0, 3)), ArgumentError, "pair"),
        (([], [], (-1, 3)), SparsityError, "between 0"),
        (([], [], (2**31, 3)), SparsityError, "between 0"),
        (([0], [0], (2, 3), "bsr"), SparsityError, "'bsr'"),
    ],
)
def test_refusals(arguments, error, text: str) -> None:
    with pytest.raises(error, match=text):
        SparsityPattern(*arguments)


def test_largest_shape_and_unsigned_indices() -> None:
    size = 2**31 - 1
    pattern = SparsityPattern(np.array([size - 1, 0], np.uint64), [size - 1, 7], (size, size), "coo")
    assert pattern.rows.tolist() == [0, size - 1] and pattern.cols.tolist() == [7, size - 1]


def test_immutable_and_does_not_alias_the_input() -> None:
    rows = np.array([0, 1], np.int32)
    pattern = SparsityPattern(rows, rows, (2, 2))
    rows[0] = 1
    assert pattern.rows.tolist() == [0, 1]
    with pytest.raises(AttributeError):
        pattern.shape = (3, 3)  # type: ignore[misc]
    with pytest.raises(ValueError):
        pattern.indptr[0] = 1


def test_equality_sees_shape_format_and_entries() -> None:
    base = SparsityPattern([0, 1], [0, 1], (2, 2))
    others = [
        SparsityPattern([0, 1], [0, 1], (2, 3)),
        SparsityPattern([0, 1], [0, 1], (2, 2), "csc"),
        SparsityPattern([0, 1], [1, 0], (2, 2)),
        SparsityPattern([0], [0], (2, 2)),
    ]
    assert all(base != other for other in others) and base != "pattern"
    assert len({base, SparsityPattern([1, 0], [1, 0], (2, 2)), *others}) == 5


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_stay_equal_and_read_only(clone) -> None:
    pattern = SparsityPattern([0, 1], [1, 0], (2, 3), "csc", lambda i, j: "not picklable")
    again = clone(pattern)
    assert again == pattern and not again.rows.flags.writeable


def test_explain_hands_on_and_follows_every_derived_pattern() -> None:
    pattern = SparsityPattern([0, 1], [2, 0], (2, 3), explainer=lambda i, j: f"{i} from {j}")
    assert pattern.explain(1, 2) == "1 from 2"
    assert pattern.with_format("csc").explain(1, 2) == "1 from 2"
    assert pattern.lower().explain(1, 2) == "1 from 2"
    assert pattern.transpose().explain(2, 1) == "1 from 2"
    for i, j in ((2, 0), (0, 3), (-1, 0)):
        with pytest.raises(IndexOutOfRange, match="outside"):
            pattern.explain(i, j)


def test_explain_of_a_given_pattern_says_so() -> None:
    with pytest.raises(ValueError, match="given by the user"):
        SparsityPattern([0], [0], (1, 1)).explain(0, 0)


def test_repr() -> None:
    assert repr(SparsityPattern([0, 1], [0, 1], (2, 2), "csc")) == (
        "SparsityPattern(shape=(2, 2), nnz=2, format='csc', density=50%)"
    )
    assert repr(SparsityPattern([], [], (0, 2))) == "SparsityPattern(shape=(0, 2), nnz=0, format='csr')"
    assert "<svg" in SparsityPattern([0], [0], (1, 1))._repr_html_()


def test_pictures_take_colorings() -> None:
    pattern = SparsityPattern([0, 1, 2], [0, 1, 0], (3, 2))
    by_column, by_row = Coloring([0, 1]), Coloring([0, 1, 2], "row")
    assert pattern.to_svg(by_column) == pattern.to_svg([0, 1]) != pattern.to_svg()
    assert pattern.to_svg(by_row).count("<path") == 3
    with pytest.raises(ShapeError, match=r"\(3,\)"):
        pattern.to_svg([0, 1, 2])
    with pytest.raises(ArgumentError, match="at least 1"):
        pattern.spy(width=0)


def test_plot_draws_stored_zeros_into_the_given_axes() -> None:
    class Axes:
        def spy(self, matrix, *, precision: str, markersize: float) -> None:
            self.drawn = matrix, precision, markersize

    axes = Axes()
    pattern = SparsityPattern([0, 1], [0, 1], (2, 2))
    assert pattern.plot(axes) is axes
    matrix, precision, markersize = axes.drawn
    assert precision == "present" and markersize > 0
    np.testing.assert_array_equal(matrix.toarray(), np.eye(2))
