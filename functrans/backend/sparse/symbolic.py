"""The pattern of the factors of a matrix, from its own and an order of elimination: the symbolic factorization.

First that of the factor of A + A^T in both triangles, which the elimination tree gives: time and memory are linear in
it, but for sorting it once. Of an unsymmetric A then what elimination makes in it, where that is few steps an entry.

Source: Davis, Direct Methods for Sparse Linear Systems (2006), chapter 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.backend.sparse.native import Engine, run
from functrans.errors import SparsityError, at_user_line

__all__ = ["elimination_tree", "factor_pattern"]

Indices = NDArray[Any]
_ENTRIES = 2**31 - 1
_STEPS = 100  # of elimination for each entry: what is linear in the fill stays so


def factor_pattern(rows: Indices, cols: Indices, n: int) -> tuple[Indices, Indices, Indices]:
    """Of L + U by rows: indptr, indices and the places of the diagonal, of a matrix with entries at the given places
    that is eliminated from its first row on. The diagonal belongs to the pattern, given or not.
    """
    after, before = _below(rows, cols, n)
    ptr = _pointers(np.bincount(after, minlength=n))
    columns, below = _columns(ptr, before, n)
    # the column of L is the row of U; rows of L are its columns in order
    up = np.repeat(np.arange(n, dtype=np.int32), columns)
    by_row = np.argsort(below, kind="stable")
    lower, upper = np.bincount(below, minlength=n), columns
    indptr = _pointers(lower + upper + 1)
    diagonal = (indptr[:-1] + lower).astype(np.int32)
    indices = np.empty(indptr[-1], np.int32)
    indices[diagonal] = np.arange(n)
    indices[spread(indptr[:-1], lower)] = up[by_row]
    indices[spread(diagonal + 1, upper)] = below
    steps = int((columns * columns).sum())
    if len(after) * 2 == np.count_nonzero(rows != cols) or steps > _STEPS * len(indices):
        return indptr, indices, diagonal
    return _made(rows, cols, n, indptr, indices, diagonal)


def elimination_tree(rows: Indices, cols: Indices, n: int) -> tuple[Indices, Indices, Indices]:
    """The parent of each row in the elimination tree of A + A^T, -1 of a root, and the entries below the diagonal."""
    after, before = _below(rows, cols, n)
    ptr = _pointers(np.bincount(after, minlength=n))
    parent, ancestor, mark, count = (np.empty(n, np.int32) for _ in range(4))
    if not run(Engine.TREE, [ptr, before, parent, ancestor, mark, count], [n], len(before)):
        parent[:] = _in_python(ptr.tolist(), before.tolist(), n)[0]
    return parent, after, before


def _below(rows: Indices, cols: Indices, n: int) -> tuple[Indices, Indices]:
    """Rows and columns of the entries of A + A^T below the diagonal, row by row."""
    low, high = np.minimum(rows, cols).astype(np.int64), np.maximum(rows, cols).astype(np.int64)
    keys = np.unique((high * n + low)[low < high])
    return (keys // max(n, 1)).astype(np.int32), (keys % max(n, 1)).astype(np.int32)


def _made(
    rows: Indices, cols: Indices, n: int, indptr: Indices, indices: Indices, diagonal: Indices
) -> tuple[Indices, Indices, Indices]:
    """The part of a pattern of factors that elimination makes of the entries."""
    places = np.repeat(np.arange(n, dtype=np.int64), np.diff(indptr)) * n + indices
    live = np.zeros(len(indices), np.int32)
    live[np.searchsorted(places, rows.astype(np.int64) * n + cols)] = 1
    if not run(Engine.LIVE, [indptr, indices, diagonal, live, np.empty(n, np.int32)], [n], len(indices)):
        _live_in_python(indptr.tolist(), indices.tolist(), diagonal.tolist(), live)
    kept = live > 0
    before = np.concatenate([[0], np.cumsum(kept)]).astype(np.int32)
    return before[indptr], indices[kept], before[diagonal]


def _live_in_python(ptr: list[int], indices: list[int], diagonal: list[int], live: Indices) -> None:
    for i in range(len(diagonal)):
        live[diagonal[i]] = 1
        place = {indices[p]: p for p in range(ptr[i], ptr[i + 1])}
        for p in range(ptr[i], diagonal[i]):
            k = indices[p]
            for q in range(diagonal[k] + 1, ptr[k + 1]) if live[p] else ():
                if live[q]:
                    live[place[indices[q]]] = 1


def _pointers(counts: Indices) -> Indices:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def spread(starts: Indices, counts: Indices) -> Indices:
    """The places from each start on, so many."""
    firsts = np.cumsum(counts) - counts
    return np.repeat(starts.astype(np.int64) - firsts, counts) + np.arange(int(counts.sum()))


def _columns(ptr: Indices, index: Indices, n: int) -> tuple[Indices, Indices]:
    """How many entries each column of L has below its diagonal, and their rows, ascending."""
    parent, ancestor, mark, count = (np.empty(n, np.int32) for _ in range(4))
    if not run(Engine.TREE, [ptr, index, parent, ancestor, mark, count], [n], len(index)):
        found = _in_python(ptr.tolist(), index.tolist(), n)[1]
        counts = np.array([len(c) for c in found], np.int64)
        return counts, np.array([i for c in found for i in c], np.int32)
    if 2 * int(count.sum(dtype=np.int64)) + n > _ENTRIES:
        raise SparsityError(
            f"factors of {2 * int(count.sum(dtype=np.int64)) + n} entries{at_user_line()}; int32 indices count "
            f"{_ENTRIES}: another ordering may give fewer"
        )
    where = _pointers(count)[:-1].copy()
    below = np.empty(int(count.sum()), np.int32)
    run(Engine.FILL, [ptr, index, parent, mark, where, below], [n], len(index))
    return count.astype(np.int64), below


def _in_python(ptr: list[int], index: list[int], n: int) -> tuple[list[int], list[list[int]]]:
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
    return parent, below
