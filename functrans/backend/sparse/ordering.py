"""An order of elimination of small fill: approximate minimum degree, with groups of rows that are eliminated together.

Source: Amestoy, Davis and Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix Anal. Appl. 17
(1996), 886-905; symbolic.c is that. In Python: exact minimum degree of the quotient graph.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.backend.sparse.native import Engine, run

__all__ = ["minimum_degree"]

Indices = NDArray[np.int64]


def minimum_degree(rows: Indices, cols: Indices, n: int, weights: Indices) -> Indices:
    """The vertices of a graph in order. The edges are given in both directions, without loops, each once.

    ``weights`` says how many rows of the matrix a vertex is. Vertices next to very many others come last. Time about
    linear in the fill.
    """
    degrees = np.bincount(rows, minlength=n)
    dense = degrees > max(16.0, 10 * math.sqrt(n))
    if dense.any():
        sparse = np.flatnonzero(~dense)
        number = np.cumsum(~dense) - 1
        kept = ~(dense[rows] | dense[cols])
        inner = minimum_degree_of(number[rows[kept]], number[cols[kept]], len(sparse), weights[sparse])
        return np.concatenate([sparse[inner], np.flatnonzero(dense)])
    return minimum_degree_of(rows, cols, n, weights)


def minimum_degree_of(rows: Indices, cols: Indices, n: int, weights: Indices) -> Indices:
    """The same, all vertices alike."""
    if n == 0:
        return np.zeros(0, np.int64)
    order = np.lexsort((cols, rows))
    index, counts = cols[order], np.bincount(rows, minlength=n)
    found = _in_c(index, counts, n, weights)
    return found if found is not None else np.array(_in_python(index, counts, weights), np.int64)


def _in_c(index: Indices, counts: Indices, n: int, weights: Indices) -> Indices | None:
    total = int(weights.sum())
    start = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    store = np.empty(len(index) + len(index) // 4 + 2 * n, np.int32)
    store[: len(index)] = index
    numbers = [np.empty(n, np.int32) for _ in range(10)]
    elements, kind, size, next_, prev, bucket, chain, pivots, follow, last = numbers
    tag, head = np.empty(n, np.int64), np.empty(total + 1, np.int32)
    buffers: list[NDArray[Any]] = [
        start, tag, store, counts.astype(np.int32), elements, weights.astype(np.int32), kind, size, head,
        next_, prev, bucket, chain, pivots, follow, last,
    ]  # fmt: skip
    if not run(Engine.DEGREE, buffers, [n, total, len(store), len(index)], len(index)):
        return None
    order: list[int] = []
    after = follow.tolist()
    for p in pivots[: int(tag[0])].tolist():
        while p >= 0:
            order.append(p)
            p = after[p]
    return np.array(order, np.int64)


def _in_python(index: Indices, counts: Indices, weights: Sequence[int] | Indices) -> list[int]:
    ends = np.cumsum(counts)
    lists = [set(index[e - c : e].tolist()) for e, c in zip(ends.tolist(), counts.tolist(), strict=True)]
    elements: list[set[int]] = [set() for _ in lists]
    members: dict[int, set[int]] = {}
    weight = [int(w) for w in weights]
    degree = {v: sum(weight[u] for u in near) for v, near in enumerate(lists)}
    order = []
    while degree:
        p = min(degree, key=lambda v: (degree[v], v))
        del degree[p]
        order.append(p)
        near = lists[p].union(*(members.pop(e) for e in elements[p])) - {p}
        gone = elements[p]
        members[p] = near
        for i in near:
            lists[i] -= near
            lists[i].discard(p)
            elements[i] = (elements[i] - gone) | {p}
        for i in near:
            outer = lists[i].union(*(members[e] for e in elements[i])) - {i}
            degree[i] = sum(weight[u] for u in outer)
    return order
