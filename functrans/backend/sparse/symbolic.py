"""The pattern of the factors of a matrix, from its own and an order of elimination: the symbolic factorization.

Both triangles have the pattern of the factor of A + A^T, which the elimination tree gives. Time and memory are linear
in that, but for sorting it once.

Source: Davis, Direct Methods for Sparse Linear Systems (2006), chapter 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.backend.sparse.native import Engine, run

__all__ = ["factor_pattern"]

Indices = NDArray[Any]


def factor_pattern(rows: Indices, cols: Indices, n: int) -> tuple[Indices, Indices, Indices]:
    """Of L + U by rows: indptr, indices and the places of the diagonal, of a matrix with entries at the given places
    that is eliminated from its first row on. The diagonal belongs to the pattern, given or not.
    """
    low, high = np.minimum(rows, cols).astype(np.int64), np.maximum(rows, cols).astype(np.int64)
    keys = np.unique((high * n + low)[low < high])
    after, before = (keys // max(n, 1)).astype(np.int32), (keys % max(n, 1)).astype(np.int32)
    ptr = _pointers(np.bincount(after, minlength=n))
    columns, below = _columns(ptr, np.ascontiguousarray(before), n)
    # the column of L is the row of U; rows of L are its columns in order
    up = np.repeat(np.arange(n, dtype=np.int32), columns)
    by_row = np.argsort(below, kind="stable")
    lower, upper = np.bincount(below, minlength=n), columns
    indptr = _pointers(lower + upper + 1)
    diagonal = (indptr[:-1] + lower).astype(np.int32)
    indices = np.empty(indptr[-1], np.int32)
    indices[diagonal] = np.arange(n)
    indices[_spread(indptr[:-1], lower)] = up[by_row]
    indices[_spread(diagonal + 1, upper)] = below
    return indptr, indices, diagonal


def _pointers(counts: Indices) -> Indices:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _spread(starts: Indices, counts: Indices) -> Indices:
    """The places from each start on, so many."""
    firsts = np.cumsum(counts) - counts
    return np.repeat(starts.astype(np.int64) - firsts, counts) + np.arange(int(counts.sum()))


def _columns(ptr: Indices, index: Indices, n: int) -> tuple[Indices, Indices]:
    """How many entries each column of L has below its diagonal, and their rows, ascending."""
    parent, ancestor, mark, count = (np.empty(n, np.int32) for _ in range(4))
    if not run(Engine.TREE, [ptr, index, parent, ancestor, mark, count], [n], len(index)):
        found = _in_python(ptr.tolist(), index.tolist(), n)
        counts = np.array([len(c) for c in found], np.int64)
        return counts, np.array([i for c in found for i in c], np.int32)
    where = _pointers(count)[:-1].copy()
    below = np.empty(int(count.sum()), np.int32)
    run(Engine.FILL, [ptr, index, parent, mark, where, below], [n], len(index))
    return count.astype(np.int64), below


def _in_python(ptr: list[int], index: list[int], n: int) -> list[list[int]]:
    parent, ancestor, mark = [-1] * n, [-1] * n, [-1] * n
    below: list[list[int]] = [[] for _ in range(n)]
    for i in range(n):
        for k in index[ptr[i] : ptr[i + 1]]:
            while k != -1 and k < i:
                up, ancestor[k] = ancestor[k], i
                if up == -1:
                    parent[k] = i
                k = up
        mark[i] = i
        for k in index[ptr[i] : ptr[i + 1]]:
            while mark[k] != i:
                mark[k] = i
                below[k].append(i)
                k = parent[k]
    return below
