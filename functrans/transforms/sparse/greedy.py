"""Engines of the column coloring: a cyclic one, and greedy ones where Python integers are sets of colors.

Columns are neighbors when they meet in a row.  No engine forms the graph of neighbors (A'A), which a single
dense row would make quadratic: the greedy ones remember for each row the colors its columns have taken.
"""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.transforms.sparse.native import Engine, run
from functrans.transforms.sparse.orders import Incidence, degrees

__all__ = ["cyclic", "first_fit", "saturation"]

_WINDOW = 64  # colors looked at in one sweep
_WORDS = 4  # of 64 colors each, in the C of `saturation`


def cyclic(
    indptr: NDArray[np.int32], cols: NDArray[np.int32], num_cols: int, fewest: int, limit: int
) -> NDArray[np.int32] | None:
    """Color column j with ``j % k`` for the least k from `fewest` to below `limit` that serves, or None.

    `indptr` and `cols` are the csr form of the pattern.  Stencils in space are a few diagonals, and a k that
    divides no distance of two of them often needs no more colors than the stencil has points.  The cost
    is that of visiting all pairs of entries in all rows, a few nanoseconds each.

    Method: the periodic colorings of Goldfarb and Toint, Optimal estimation of Jacobian and Hessian
    matrices that arise in finite difference calculations, Math. Comp. 43 (1984), found by search.

    >>> cyclic(np.array([0, 2, 4], np.int32), np.array([0, 1, 0, 3], np.int32), 4, 2, 4).tolist()
    [0, 1, 0, 1]
    """
    distances = np.zeros(num_cols + 1, np.bool_)
    last = np.repeat(indptr[1:], np.diff(indptr)) - 1  # last entry in the row of each entry
    first, lag = np.arange(len(cols)), 1
    while len(first):
        first = first[first + lag <= last[first]]
        distances[cols[first + lag] - cols[first]] = True
        lag += 1
    for k in range(max(fewest, 1), limit):
        if not distances[k::k].any():
            return np.arange(num_cols, dtype=np.int32) % k
    return None


def first_fit(incidence: Incidence, sequence: NDArray[np.int32]) -> NDArray[np.int32]:
    """Give each column, in the given order, the first color that no column before it has in a shared row.

    Columns that are not in the sequence get color 0.  Colors are handed out a window of 64 at a time, and columns
    that find none in it wait for the next one.  That gives the same colors as looking at all at once, since the
    waiting columns take none of this window.  The cost is linear in the nonzeros for each 64 colors.

    >>> pair = Incidence.of(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), 3, 2)
    >>> first_fit(pair, np.arange(3, dtype=np.int32)).tolist()
    [0, 1, 0]
    """
    colors = np.zeros(incidence.num_vertices, np.int32)
    num_rows = len(incidence.group_ends) - 1
    seen = np.zeros(num_rows, np.uint64)
    buffers: list[NDArray[Any]] = [incidence.vertex_ends, incidence.groups, sequence.copy(), colors, seen]
    sizes = [len(sequence), num_rows]
    if run(Engine.FIRST_FIT, buffers, sizes, len(incidence.groups)) is None:
        _first_fit(_split(incidence.vertex_ends, incidence.groups), sequence.tolist(), num_rows, colors)
    return colors


def _first_fit(rows_of: list[list[int]], pending: list[int], num_rows: int, colors: NDArray[np.int32]) -> None:
    base = 0
    while pending:
        seen = [0] * num_rows
        waiting = []
        for column in pending:
            rows = rows_of[column]
            taken = 0
            for row in rows:
                taken |= seen[row]
            free = ~taken & (taken + 1)  # lowest bit that is not taken
            if free >> _WINDOW:
                waiting.append(column)
                continue
            colors[column] = base + free.bit_length() - 1
            for row in rows:
                seen[row] |= free
        pending, base = waiting, base + _WINDOW


def saturation(incidence: Incidence, columns: NDArray[np.int32]) -> NDArray[np.int32] | None:
    """Color next the column whose neighbors have most colors already, of these the one of largest degree.

    It finds the regular tilings that stencils allow, which a fixed order misses.  None where a large pattern needs
    more than 256 colors.  The cost is that of visiting all neighbors of all columns, the sum of the squared row
    lengths.

    Method: Brelaz, New methods to color the vertices of a graph, Comm. ACM 22 (1979), called DSATUR.

    >>> pair = Incidence.of(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), 3, 2)
    >>> saturation(pair, np.arange(3, dtype=np.int32)).tolist()
    [1, 0, 1]
    """
    n = incidence.num_vertices
    degree, colors = degrees(incidence), np.zeros(n, np.int32)
    heap = columns[np.lexsort((columns, -degree[columns]))].astype(np.int32)
    where = np.full(n, -1, np.int32)
    where[heap] = np.arange(len(heap))
    taken = np.zeros(n * _WORDS, np.uint64)
    buffers: list[NDArray[Any]] = [*incidence, colors, heap, where, np.zeros(n, np.int32), degree, taken]
    status = run(Engine.SATURATION, buffers, [len(heap), _WORDS], len(incidence.groups))
    if status is None:
        rows_of = _split(incidence.vertex_ends, incidence.groups)
        cols_of = _split(incidence.group_ends, incidence.members)
        return _saturation(rows_of, cols_of, columns.tolist(), degree.tolist())
    return None if status else colors


def _saturation(
    rows_of: list[list[int]], cols_of: list[list[int]], columns: list[int], degree: list[int]
) -> NDArray[np.int32]:
    colors = np.zeros(len(rows_of), np.int32)
    taken = [0] * len(rows_of)  # colors among the neighbors of each column
    open_ = bytearray(len(rows_of))
    for column in columns:
        open_[column] = True
    queue = [(0, -degree[column], column) for column in columns]
    heapq.heapify(queue)
    while queue:
        _, _, column = heapq.heappop(queue)
        if not open_[column]:
            continue  # an outdated entry: the column came up before with more colors around it
        open_[column] = False
        color = ~taken[column] & (taken[column] + 1)
        colors[column] = color.bit_length() - 1
        for row in rows_of[column]:
            for other in cols_of[row]:
                if open_[other] and not taken[other] & color:
                    taken[other] |= color
                    heapq.heappush(queue, (-taken[other].bit_count(), -degree[other], other))
    return colors


def _split(ends: NDArray[np.int32], members: NDArray[np.int32]) -> list[list[int]]:
    """The members of each group as a list."""
    items = members.tolist()
    return [items[begin:end] for begin, end in pairwise(ends.tolist())]
