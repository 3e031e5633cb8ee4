"""Colorings: valid on anything, as few colors as theory proves, and products that give the matrix back."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from functrans.errors import SparsityError
from functrans.transforms.sparse import greedy
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.decompress import gather_indices, seeds
from functrans.transforms.sparse.onesided import ORDERS, color_columns, color_rows
from functrans.transforms.sparse.orders import Incidence
from functrans.transforms.sparse.pattern import SparsityPattern
from tests.transforms.sparse.checkers import patterns, structurally_orthogonal


def banded(rows: int, cols: int, below: int, above: int) -> SparsityPattern:
    i, j = np.indices((rows, cols))
    return SparsityPattern(*np.nonzero((j - i <= above) & (i - j <= below)), (rows, cols))


def stencil(*sizes: int, fields: int = 1) -> SparsityPattern:
    """Each point and its direct neighbors on a grid; all fields of a point coupled."""
    total = sp.csr_array((1, 1))
    for size in sizes:
        line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(size, size))
        total = sp.kron(total, sp.eye_array(size)) + sp.kron(sp.eye_array(total.shape[0]), line)
    return SparsityPattern.from_user(sp.kron(total, np.ones((fields, fields))))


def fullest_row(pattern: SparsityPattern) -> int:
    return int(np.diff(pattern.with_format("csr").indptr).max(initial=0))


@pytest.mark.parametrize("order", ORDERS)
@given(pattern=patterns())
def test_every_order_is_orthogonal_and_uses_every_color(order, pattern: SparsityPattern) -> None:
    coloring = color_columns(pattern, order)
    colors = coloring.colors
    assert coloring.partition == "column" and colors.dtype == np.int32 and colors.shape == pattern.shape[1:]
    assert structurally_orthogonal(pattern, colors.tolist())
    assert set(colors.tolist()) == set(range(coloring.num_colors))
    assert coloring.num_colors >= fullest_row(pattern)
    empty = np.setdiff1d(np.arange(pattern.shape[1]), pattern.cols)
    assert not colors[empty].any()


@given(patterns())
def test_auto_is_the_best_and_ignores_the_format(pattern: SparsityPattern) -> None:
    best = color_columns(pattern)
    assert best.num_colors == min(color_columns(pattern, order).num_colors for order in ORDERS[1:])
    assert color_columns(pattern.with_format("coo")) == best


@given(patterns())
def test_rows_are_columns_of_the_transpose(pattern: SparsityPattern) -> None:
    coloring = color_rows(pattern)
    assert coloring.partition == "row"
    assert structurally_orthogonal(pattern.transpose(), coloring.colors.tolist())
    np.testing.assert_array_equal(coloring.colors, color_columns(pattern.transpose()).colors)


@given(patterns(), st.booleans(), st.integers(0, 2**32 - 1))
def test_compressed_products_give_the_matrix_back(pattern: SparsityPattern, by_row: bool, seed: int) -> None:
    data = np.random.default_rng(seed).normal(size=pattern.nnz)
    matrix = pattern.to_scipy(data)
    coloring = color_rows(pattern) if by_row else color_columns(pattern)
    directions = seeds(coloring)
    assert directions.shape == (coloring.num_colors, pattern.shape[0 if by_row else 1])
    assert directions.dtype == np.float64
    for k in range(coloring.num_colors):
        np.testing.assert_array_equal(directions[k], coloring.colors == k)
    compressed = directions @ matrix.toarray() if by_row else directions @ matrix.toarray().T
    flat = gather_indices(pattern, coloring)
    assert flat.dtype == np.int32
    np.testing.assert_array_equal(compressed.ravel()[flat], data)


@pytest.mark.parametrize("order", ["auto", "natural", "cyclic"])
@pytest.mark.parametrize(("below", "above"), [(0, 0), (1, 1), (0, 2), (2, 5), (7, 0)])
def test_banded_matrices_take_their_bandwidth(order, below: int, above: int) -> None:
    pattern = banded(40, 40, below, above)
    coloring = color_columns(pattern, order)
    assert coloring.num_colors == below + above + 1
    np.testing.assert_array_equal(coloring.colors, np.arange(40) % (below + above + 1))


@pytest.mark.parametrize(
    ("sizes", "colors"), [((31, 17), 5), ((20, 20), 5), ((40, 33), 5), ((10, 10, 10), 7), ((17, 13, 13), 9)]
)
def test_grid_stencils(sizes: tuple[int, ...], colors: int) -> None:
    pattern = stencil(*sizes)
    coloring = color_columns(pattern)
    assert coloring.num_colors <= colors
    seen = {(i, c) for i, c in zip(pattern.rows.tolist(), coloring.colors[pattern.cols].tolist())}
    assert len(seen) == pattern.nnz


def test_fields_on_a_grid_and_independent_blocks() -> None:
    assert color_columns(stencil(19, 14, fields=2)).num_colors == 10
    blocks = sp.block_diag([np.ones((2, k)) for k in (3, 1, 4, 2)])
    assert color_columns(SparsityPattern.from_user(blocks)).num_colors == 4


def test_dense_row_needs_every_column_alone() -> None:
    n = 20_000
    arrow = SparsityPattern(np.r_[np.arange(n), np.full(n, n)], np.r_[np.arange(n), np.arange(n)], (n + 1, n))
    np.testing.assert_array_equal(color_columns(arrow).colors, np.arange(n))
    tall = color_rows(arrow)
    assert tall.num_colors == 2 and set(tall.colors[:n].tolist()) == {1 - tall.colors[n]}


def test_nearly_dense_row_passes_the_color_window() -> None:
    # Columns 0 to 8999 meet in row 0, and each of the last 1000 meets one of them.
    n = 10_000
    pairs = np.arange(1000)
    rows = np.r_[np.zeros(9000, int), 1 + pairs, 1 + pairs]
    cols = np.r_[np.arange(9000), 8000 + pairs, 9000 + pairs]
    coloring = color_columns(SparsityPattern(rows, cols, (1001, n)), "natural")
    np.testing.assert_array_equal(coloring.colors[:9000], np.arange(9000))
    np.testing.assert_array_equal(coloring.colors[9000:], np.zeros(1000))


@given(patterns(max_size=9), st.integers(1, 4))
def test_a_narrow_window_changes_no_color(pattern: SparsityPattern, window: int) -> None:
    incidence = Incidence.of(pattern.cols, pattern.rows, pattern.shape[1], pattern.shape[0])
    filled = np.unique(pattern.cols)
    wide = greedy.first_fit(incidence, filled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy, "_WINDOW", window)
        np.testing.assert_array_equal(greedy.first_fit(incidence, filled), wide)


def test_the_checker_sees_a_shared_row() -> None:
    pattern = SparsityPattern([0, 0, 1], [0, 2, 1], (2, 3))
    assert structurally_orthogonal(pattern, [0, 0, 1])
    assert not structurally_orthogonal(pattern, [0, 1, 0])


def test_coloring_is_a_value() -> None:
    coloring = Coloring([0, 2, 1], "row")
    assert coloring.num_colors == 3 and repr(coloring) == "Coloring(partition='row', rows=3, num_colors=3)"
    assert Coloring([]).num_colors == 0
    assert coloring == copy.deepcopy(coloring) != Coloring([0, 2, 1])
    assert len({coloring, copy.deepcopy(coloring), Coloring([0, 2, 1])}) == 2 and coloring != [0, 2, 1]
    with pytest.raises(ValueError):
        coloring.colors[0] = 1


def test_large_compressed_matrices_get_wide_indices() -> None:
    rows = 2**30
    pattern = SparsityPattern([rows - 1] * 3, [0, 1, 2], (rows, 3), "coo")
    flat = gather_indices(pattern, Coloring([0, 1, 2]))
    assert flat.dtype == np.int64 and flat.tolist() == [rows - 1, 2 * rows - 1, 3 * rows - 1]


def test_refusals() -> None:
    pattern = SparsityPattern([0], [1], (2, 3))
    with pytest.raises(SparsityError, match="'random'"):
        color_columns(pattern, "random")  # type: ignore[arg-type]
    with pytest.raises(SparsityError, match="2 columns and the pattern 3"):
        gather_indices(pattern, Coloring([0, 1]))
    with pytest.raises(SparsityError, match="'both'"):
        Coloring([0], "both")  # type: ignore[arg-type]
    for colors in ([-1], [0.5], [[0]]):
        with pytest.raises(SparsityError, match="nonnegative integer"):
            Coloring(colors)
