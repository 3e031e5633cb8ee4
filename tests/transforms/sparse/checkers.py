"""Slow and obviously right checks of colorings, and random patterns.  Not coded with efficiency in mind."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

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
