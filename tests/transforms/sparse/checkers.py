"""Slow and obviously right checks of colorings, and random patterns.  Not coded with efficiency in mind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
from hypothesis import strategies as st

from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.pattern import SparsityPattern


def entries(pattern: SparsityPattern) -> set[tuple[int, int]]:
    return set(zip(pattern.rows.tolist(), pattern.cols.tolist()))


def structurally_orthogonal(pattern: SparsityPattern, colors: Sequence[int]) -> bool:
    """Whether no two columns of one color have an entry in the same row (Gebremedhin et al. 2005)."""
    positions = entries(pattern)
    for i in range(pattern.shape[0]):
        for j in range(pattern.shape[1]):
            for k in range(j):
                if colors[j] == colors[k] and (i, j) in positions and (i, k) in positions:
                    return False
    return True


def distance_one(edges: set[tuple[int, int]], colors: Sequence[int]) -> bool:
    """Whether the ends of every edge differ."""
    return all(colors[a] != colors[b] for a, b in edges)


def no_path_of_four(edges: set[tuple[int, int]], colors: Sequence[int]) -> bool:
    """Whether no path on four vertices has two colors only: a star coloring."""
    joined = edges | {(b, a) for a, b in edges}
    return distance_one(edges, colors) and not any(
        {(a, b), (b, c), (c, d)} <= joined and len({colors[v] for v in (a, b, c, d)}) == 2
        for a, b, c, d in permutations(range(len(colors)), 4)
    )


def no_circle_of_two_colors(edges: set[tuple[int, int]], colors: Sequence[int]) -> bool:
    """Whether every two colors span a forest: an acyclic coloring."""
    for pair in combinations(set(colors), 2):
        parts = [{v} for v in range(len(colors))]
        for a, b in edges:
            if {colors[a], colors[b]} == set(pair):
                mine, other = (next(p for p in parts if v in p) for v in (a, b))
                if mine is other:
                    return False
                parts = [p for p in parts if p is not mine and p is not other] + [mine | other]
    return distance_one(edges, colors)


def directly_readable(pattern: SparsityPattern, coloring: Coloring) -> bool:
    """Whether each entry stands alone in the product of its row's or its column's color, or its mirror image does."""
    positions, (m, n) = entries(pattern), pattern.shape
    if coloring.partition == "bidirectional":
        rows, cols = coloring.colors[:m], coloring.colors[m:]
    else:
        rows, cols = coloring.colors, coloring.colors
    for i, j in positions:
        in_row = [k for k in range(n) if (i, k) in positions and cols[k] == cols[j]]
        in_column = [k for k in range(m) if (k, j) in positions and rows[k] == rows[i]]
        if not ((cols[j] >= 0 and in_row == [j]) or (rows[i] >= 0 and in_column == [i])):
            return False
    return True


def directions(coloring: Coloring, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """The directions of a coloring, a row each: those from the left and those from the right."""
    every = np.equal.outer(np.arange(coloring.num_colors), coloring.colors).astype(float)
    if coloring.partition == "row":
        return every, np.zeros((0, shape[1]))
    if coloring.partition != "bidirectional":
        return np.zeros((0, shape[0])), every
    rows = coloring.num_rows
    assert not every[:rows, shape[0] :].any() and not every[rows:, : shape[0]].any()
    return every[:rows, : shape[0]], every[rows:, shape[0] :]


@st.composite
def patterns(draw: st.DrawFn, max_size: int = 12) -> SparsityPattern:
    """Any shape from (0, 0), any density, empty and full rows and columns, any format."""
    shape = draw(st.tuples(st.integers(0, max_size), st.integers(0, max_size)))
    format = draw(st.sampled_from(["csr", "csc", "coo"]))
    cells = [(i, j) for i in range(shape[0]) for j in range(shape[1])]
    chosen = draw(st.lists(st.sampled_from(cells))) if cells else []
    if shape[1] and shape[0] and draw(st.booleans()):
        full = draw(st.integers(0, shape[0] - 1))
        chosen += [(full, j) for j in range(shape[1])]
    return SparsityPattern([i for i, _ in chosen], [j for _, j in chosen], shape, format)


@st.composite
def symmetric_patterns(draw: st.DrawFn, max_size: int = 10) -> SparsityPattern:
    """Square and symmetric, with or without a diagonal entry here and there."""
    n = draw(st.integers(0, max_size))
    cells = [(i, j) for i in range(n) for j in range(i + 1)]
    chosen = draw(st.lists(st.sampled_from(cells))) if cells else []
    if n and draw(st.booleans()):
        hub = draw(st.integers(0, n - 1))
        chosen += [(hub, j) for j in range(n)]
    both = chosen + [(j, i) for i, j in chosen]
    return SparsityPattern([i for i, _ in both], [j for _, j in both], (n, n), draw(st.sampled_from(["csr", "csc"])))
