"""Colorings of rows and columns together, and of symmetric matrices: valid, small, and readable; C as Python."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from functrans.errors import SparsityError
from functrans.transforms.sparse import native, trees
from functrans.transforms.sparse.graphs import Graph, acyclic, star
from functrans.transforms.sparse.onesided import ORDERS, color_columns
from functrans.transforms.sparse.orders import Incidence, Order, ordered
from functrans.transforms.sparse.paths import color_both, color_symmetric
from functrans.transforms.sparse.pattern import SparsityPattern
from tests.transforms.sparse.checkers import (
    directions,
    directly_readable,
    entries,
    no_circle_of_two_colors,
    no_path_of_four,
    patterns,
    symmetric_patterns,
)

NAMES = get_args(Order)


def arrow(n: int) -> SparsityPattern:
    i = np.arange(n)
    return SparsityPattern(np.r_[i, i * 0, i], np.r_[i, i, i * 0], (n, n))


def band(n: int, half: int) -> SparsityPattern:
    i, j = np.indices((n, n))
    return SparsityPattern(*np.nonzero(np.abs(i - j) <= half), (n, n))


def plane(n: int) -> SparsityPattern:
    line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(n, n))
    return SparsityPattern.from_user(sp.kron(line, sp.eye_array(n)) + sp.kron(sp.eye_array(n), line))


def graph_of(pattern: SparsityPattern) -> Graph:
    below = pattern.rows > pattern.cols
    return Graph.of(pattern.shape[0], pattern.cols[below], pattern.rows[below])


def products(matrix: np.ndarray, coloring: Any) -> np.ndarray:
    left, right = directions(coloring, matrix.shape)
    return np.concatenate([(left @ matrix).ravel(), (right @ matrix.T).ravel()])


@settings(deadline=None)
@given(patterns(max_size=9), st.sampled_from(["auto", *NAMES]), st.integers(0, 2**32 - 1))
def test_rows_and_columns_give_the_matrix_back(pattern: SparsityPattern, order: str, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=pattern.nnz)
    matrix = pattern.to_scipy(values).toarray()
    found = color_both(pattern, order)
    assert found.coloring.partition == "bidirectional" and not found.steps
    assert directly_readable(pattern, found.coloring)
    csr = pattern.with_format("csr")
    np.testing.assert_array_equal(found.read(products(matrix, found.coloring)), matrix[csr.rows, csr.cols])


@settings(deadline=None)
@given(symmetric_patterns(), st.sampled_from(["auto", *NAMES]), st.integers(0, 2**32 - 1))
def test_a_star_coloring_gives_the_symmetric_matrix_back(pattern: SparsityPattern, order: str, seed: int) -> None:
    half = np.tril(np.random.default_rng(seed).normal(size=pattern.shape)) * pattern.to_scipy().toarray()
    matrix = half + np.tril(half, -1).T
    found = color_symmetric(pattern, order)
    assert found.coloring.partition == "symmetric" and not found.steps
    assert directly_readable(pattern, found.coloring)
    csr = pattern.with_format("csr")
    np.testing.assert_array_equal(found.read(products(matrix, found.coloring)), matrix[csr.rows, csr.cols])


@settings(deadline=None)
@given(symmetric_patterns(), st.sampled_from(["auto", *NAMES]), st.integers(0, 2**32 - 1), st.booleans())
def test_substitution_gives_the_matrix_back(pattern: SparsityPattern, order: str, seed: int, both: bool) -> None:
    half = np.tril(np.random.default_rng(seed).normal(size=pattern.shape)) * pattern.to_scipy().toarray()
    matrix = half + np.tril(half, -1).T
    color = color_both if both else color_symmetric
    found = color(pattern, order, substitution=True)
    assert found.coloring.substitution
    csr = pattern.with_format("csr")
    want = matrix[csr.rows, csr.cols]
    np.testing.assert_allclose(found.read(products(matrix, found.coloring)), want, atol=1e-12)


@pytest.mark.parametrize("order", NAMES)
@settings(deadline=None)
@given(pattern=symmetric_patterns(max_size=8))
def test_stars_and_trees(order: str, pattern: SparsityPattern) -> None:
    graph = graph_of(pattern)
    edges = {(i, j) for i, j in entries(pattern) if i > j}
    number = np.arange(len(graph.low))
    incidence = Incidence.of(np.r_[graph.low, graph.high], np.r_[number, number], graph.size, len(number))
    sequence = ordered(incidence, order)
    assert sorted(sequence.tolist()) == list(range(graph.size))
    colors, stars, hubs = star(graph, sequence)
    assert no_path_of_four(edges, colors.tolist())
    for s in range(len(hubs)):
        inside = stars == s
        ends = set(graph.low[inside].tolist()) | set(graph.high[inside].tolist())
        assert inside.sum() == len(ends) - 1  # a tree
        at_hub = (graph.low == hubs[s]) | (graph.high == hubs[s])
        assert hubs[s] < 0 if inside.sum() == 1 else at_hub[inside].all()
    assert no_circle_of_two_colors(edges, acyclic(graph, sequence)[0].tolist())


@settings(deadline=None)  # the C is compiled in the first of them
@given(symmetric_patterns(), st.sampled_from(NAMES))
def test_c_does_what_python_does(pattern: SparsityPattern, order: str) -> None:
    graph, number = graph_of(pattern), np.arange(len(entries(pattern)))
    incidence = Incidence.of(pattern.cols, pattern.rows, *pattern.shape)
    found = []
    for least in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(native, "LARGE", least)
            sequence = ordered(incidence, order)
            hubs = star(graph, sequence)[2]
            found.append([
                sequence, *star(graph, sequence)[:2], hubs[: len(np.unique(star(graph, sequence)[1]))],
                acyclic(graph, sequence)[0], *(color_columns(pattern, name).colors for name in ORDERS),
            ])  # fmt: skip
    for c, python in zip(*found):
        np.testing.assert_array_equal(c, python)
    assert len(number) == pattern.nnz


def test_large_patterns_are_colored_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = plane(40)
    assert pattern.nnz > native.LARGE
    found = [color_symmetric(pattern).coloring, color_both(pattern).coloring, color_columns(pattern)]
    monkeypatch.setattr(native, "native", lambda text, what: None)
    assert [color_symmetric(pattern).coloring, color_both(pattern).coloring, color_columns(pattern)] == found


def test_a_million_nonzeros_are_colored() -> None:
    pattern = plane(450)
    assert pattern.nnz > 1_000_000 and color_columns(pattern).num_colors == 5
    assert color_symmetric(pattern).coloring.num_colors == 5


@settings(deadline=None)
@given(symmetric_patterns())
def test_smallest_last_takes_the_least(pattern: SparsityPattern) -> None:
    neighbors = [{j for i, j in entries(pattern) if i == v and j != v} for v in range(pattern.shape[0])]
    edges = {(i, j) for i, j in entries(pattern) if i > j}
    assume(edges)
    number = np.repeat(np.arange(len(edges)), 2)
    incidence = Incidence.of(np.array([v for e in edges for v in e]), number, pattern.shape[0], len(edges))
    left = set(range(pattern.shape[0]))
    for v in reversed(ordered(incidence, "smallest_last").tolist()):
        assert len(neighbors[v] & left) == min(len(neighbors[u] & left) for u in left)
        left.remove(v)
    for v in ordered(incidence, "dynamic_largest_first").tolist():
        left = left or set(range(pattern.shape[0]))
        assert len(neighbors[v] & left) == max(len(neighbors[u] & left) for u in left)
        left.remove(v)
    done: set[int] = set()
    for v in ordered(incidence, "incidence_degree").tolist():
        rest = set(range(pattern.shape[0])) - done
        assert len(neighbors[v] & done) == max(len(neighbors[u] & done) for u in rest)
        done.add(v)


@pytest.mark.parametrize("n", [2, 3, 7, 3000])
def test_arrows_take_three_products(n: int) -> None:
    assert color_both(arrow(n)).coloring.num_colors == min(n, 3)
    assert color_symmetric(arrow(n)).coloring.num_colors == 2


@pytest.mark.parametrize("half", [1, 2, 3])
def test_bands(half: int) -> None:
    """A band of half width k: 2 k + 1 one-sided, k + 1 acyclic, and a star coloring in between."""
    pattern = band(100, half)
    assert color_columns(pattern).num_colors == 2 * half + 1
    direct = color_symmetric(pattern, "natural").coloring.num_colors
    assert half + 1 < direct <= 2 * half + 1
    with pytest.raises(SparsityError, match="one after another"):
        color_symmetric(pattern, "natural", substitution=True)
    short = band(2 * half + 8, half)
    assert color_symmetric(short, "natural", substitution=True).coloring.num_colors == half + 1


def test_the_plane_has_star_chromatic_number_five() -> None:
    """Fertin, Raspaud and Reed, Star coloring of graphs (2004): grids from 4 x 4 on."""
    assert color_symmetric(plane(12)).coloring.num_colors == 5
    assert color_symmetric(plane(300)).coloring.num_colors == 5


def test_nothing_to_read() -> None:
    for n in (0, 1, 3):
        empty = SparsityPattern([], [], (n, n))
        for found in (color_both(empty), color_symmetric(empty), color_both(empty, substitution=True)):
            assert found.coloring.num_colors == 0 and found.read(np.zeros(0)).shape == (0,)
            assert (found.coloring.colors == -1).all()
    one = SparsityPattern([0], [0], (1, 1))
    assert color_both(one).coloring.num_colors == color_symmetric(one).coloring.num_colors == 1


def test_refusals() -> None:
    with pytest.raises(SparsityError, match="not symmetric"):
        color_symmetric(SparsityPattern([0], [1], (2, 2)))
    with pytest.raises(SparsityError, match="'random'"):
        color_symmetric(arrow(3), "random")
    assert trees.DEEPEST == 16
