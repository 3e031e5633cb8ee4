"""From compressed products back to the nonzeros: seeds going in, and where each entry comes out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from functrans.errors import SparsityError
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["gather_indices", "seeds"]


def gather_indices(pattern: SparsityPattern, coloring: Coloring) -> NDArray[np.int32] | NDArray[np.int64]:
    """Flat position of each nonzero in the compressed matrix, in the order of the pattern.

    A column coloring compresses J of shape (m, n) to C of shape (num_colors, m) with rows
    ``C[k] = J @ (colors == k)``: entry (i, j) is ``C[colors[j], i]``.  A row coloring compresses it to
    (num_colors, n) with rows ``C[k] = (colors == k) @ J``: the entry is ``C[colors[i], j]``.

    Returns int32 where that can address all of C, else int64.  Raises SparsityError when the coloring is
    for another number of columns or rows.  The cost is linear in the nonzeros.

    >>> pattern = SparsityPattern([0, 1, 1], [0, 0, 2], (2, 3))
    >>> gather_indices(pattern, Coloring([0, 0, 1])).tolist()
    [0, 1, 3]
    """
    by_column = coloring.partition == "column"
    colored, kept = (pattern.cols, pattern.rows) if by_column else (pattern.rows, pattern.cols)
    count, length = (pattern.shape[1], pattern.shape[0]) if by_column else pattern.shape
    if len(coloring.colors) != count:
        raise SparsityError(
            f"gather_indices: the coloring has {len(coloring.colors)} {coloring.partition}s "
            f"and the pattern {count}; color this pattern"
        )
    flat = coloring.colors[colored].astype(np.int64) * length + kept
    return flat.astype(np.int32) if coloring.num_colors * length < 2**31 else flat


def seeds(coloring: Coloring) -> NDArray[np.float64]:
    """Directions to differentiate along, one row a color: ``seeds[k] = (colors == k)``.

    Dense, of shape (num_colors, number of columns or rows); code that can compare ``colors`` with ``k`` in
    its loop needs only `Coloring.colors`.

    >>> seeds(Coloring([0, 1, 0])).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    result = np.zeros((coloring.num_colors, len(coloring.colors)))
    result[coloring.colors, np.arange(len(coloring.colors))] = 1.0
    return result
