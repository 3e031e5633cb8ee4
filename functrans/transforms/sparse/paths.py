"""Colorings that read an entry from one of two products: rows and columns together, or a symmetric matrix.

Entry (i, j) is an edge between row i and column j, or between columns i and j of a symmetric matrix. In a star
coloring each edge belongs to a star and is read from the product of its hub's color, at the other end: no other
neighbor of that end has that color. In an acyclic coloring each edge belongs to a tree, read from the leaves inward:
from the product of the inner end's color, less the edges behind the outer end, which were read before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from functrans.errors import SparsityError
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.decompress import Compression, narrow
from functrans.transforms.sparse.dense import Both, dense_apart, ranked
from functrans.transforms.sparse.graphs import Graph, acyclic, star
from functrans.transforms.sparse.orders import Incidence, Order, ordered
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.trees import PeeledTrees, peel_leaves

__all__ = ["color_both", "color_symmetric"]

Indices: TypeAlias = NDArray[np.int32]
_MANY = 300_000  # edges from which on "auto" tries two orders and not five


class _Side(NamedTuple):
    """Which colors of vertices are used: the product of each vertex's color (-1: none), and how many there are."""

    product: Indices
    number: int


def color_both(pattern: SparsityPattern, order: str = "auto", substitution: bool = False) -> Compression:
    """Color rows and columns so that each entry comes out of a row's or a column's product.

    A matrix with a few dense rows and a few dense columns takes a few colors, where columns alone take one for each
    entry of the densest row. Greedy, in an order of `ordered`; "auto" tries several and takes the best. With
    ``substitution`` (an acyclic coloring) fewer colors are needed, and entries are known one after another.

    Raises SparsityError for an unknown order, and where substitution would take too many steps one after another.

    Source: Coleman and Verma, The efficient computation of sparse Jacobian matrices using automatic
    differentiation, SIAM J. Sci. Comput. 19 (1998); as a coloring of one symmetric matrix: Montoison, Dalle and
    Gebremedhin, Revisiting sparse matrix coloring and bicoloring (2025).

    >>> rest = list(range(1, 6))
    >>> arrow = SparsityPattern([0] * 6 + rest + rest, [0, *rest, *rest] + [0] * 5, (6, 6))
    >>> color_both(arrow).coloring.num_colors
    3
    """
    pattern = pattern.with_format("csr")
    found = list(_both(pattern, order, substitution))
    if order == "auto" and not substitution:
        found += dense_apart(pattern)
    if not found:
        raise _too_deep()
    rows, cols, by_row, steps = min(found, key=lambda f: f.total)
    (m, n), num_rows = pattern.shape, int(rows.max(initial=-1)) + 1
    colors = np.concatenate([rows, np.where(cols < 0, cols, cols + np.int32(num_rows))])
    coloring = Coloring(colors, "bidirectional", substitution=substitution, num_rows=num_rows)
    by_column = num_rows * n + cols[pattern.cols].astype(np.int64) * m + pattern.rows
    places = np.where(by_row, rows[pattern.rows].astype(np.int64) * n + pattern.cols, by_column)
    return Compression(coloring, narrow(places, num_rows * n + (coloring.num_colors - num_rows) * m), None, steps)


def _both(pattern: SparsityPattern, order: str, substitution: bool) -> Iterator[Both]:
    """The colorings of the graph of rows and columns; only colors that something is read from are kept."""
    m, n = pattern.shape
    graph = Graph.of(m + n, pattern.rows, pattern.cols + np.int32(m))
    side = np.repeat(np.array([0, 1], np.int64), [m, n])
    for colors, peeled in _colored(graph, order, substitution):
        labels, _ = _used(colors.astype(np.int64) * 2 + side, peeled, np.zeros(0, np.int64))
        yield Both(ranked(labels[:m]), ranked(labels[m:]), peeled.inner < m, peeled.steps)


def color_symmetric(pattern: SparsityPattern, order: str = "auto", substitution: bool = False) -> Compression:
    """Color the columns of a symmetric matrix so that of each pair (i, j), (j, i) one comes out of a product.

    The pattern is square and symmetric. Greedy, in an order of `ordered`; "auto" tries several and takes the best.
    With ``substitution`` an acyclic coloring, else a star coloring.

    Raises SparsityError as `color_both`, and for a pattern that is not symmetric.

    Source: Coleman and More, Estimation of sparse Hessian matrices and graph coloring problems, Math. Programming 28
    (1984); Coleman and Cai, The cyclic coloring problem and estimation of sparse Hessian matrices, SIAM J. Alg.
    Disc. Meth. 7 (1986).

    >>> tridiagonal = SparsityPattern([0, 0, 1, 1, 1, 2, 2], [0, 1, 0, 1, 2, 1, 2], (3, 3))
    >>> color_symmetric(tridiagonal).coloring.colors.tolist()
    [0, 1, 0]
    """
    pattern = pattern.with_format("csr")
    if pattern.shape[0] != pattern.shape[1] or pattern.transpose() != pattern:
        raise SparsityError(f"color_symmetric: the pattern of shape {pattern.shape} is not symmetric")
    n = pattern.shape[0]
    lower, diagonal = pattern.rows > pattern.cols, pattern.rows == pattern.cols
    low, high, own = pattern.cols[lower], pattern.rows[lower], pattern.rows[diagonal]
    best: tuple[_Side, PeeledTrees] | None = None
    for colors, peeled in _colored(Graph.of(n, low, high), order, substitution):
        used = _used(colors.astype(np.int64), peeled, own)
        if best is None or used.number < best[0].number:
            best = used, peeled
    if best is None:
        raise _too_deep()
    (labels, count), peeled = best
    product, at = labels[np.concatenate([peeled.inner, own])].astype(np.int64), np.concatenate([peeled.outer, own])
    elements = np.zeros(pattern.nnz, np.int64)
    elements[lower] = np.arange(len(low))
    elements[diagonal] = len(low) + np.arange(len(own))
    # the upper triangle, row by row, is the lower one column by column
    elements[~lower & ~diagonal] = np.lexsort((high, low))
    coloring = Coloring(labels, "symmetric", substitution=substitution)
    return Compression(coloring, narrow(product * n + at, count * n), elements, peeled.steps)


def _too_deep() -> SparsityError:
    return SparsityError("substitution would take too many steps one after another; use a star coloring")


def _colored(graph: Graph, order: str, substitution: bool) -> Iterator[tuple[Indices, PeeledTrees]]:
    """Colorings in the orders that the name stands for, with the reading order of their stars or trees."""
    if order != "auto" and order not in get_args(Order):
        raise SparsityError(f"order is {order!r}; use one of 'auto', {', '.join(map(repr, get_args(Order)))}")
    edges = np.arange(len(graph.low), dtype=np.int32)
    ends = np.concatenate([graph.low, graph.high])
    incidence = Incidence.of(ends, np.concatenate([edges, edges]), graph.size, len(edges))
    names = get_args(Order) if order == "auto" else (order,)
    for name in names[:2] if len(edges) > _MANY else names:
        sequence = ordered(incidence, name)
        if substitution:
            colors, trees = acyclic(graph, sequence)
            peeled = peel_leaves(graph, trees)
        else:
            colors, stars, hubs = star(graph, sequence)
            hub = hubs[stars] if len(edges) else edges
            alone = hub < 0
            inner = np.where(alone, graph.low, hub)
            peeled = PeeledTrees(inner, graph.low + graph.high - inner, alone, ())
        if peeled is not None:
            yield colors, peeled


def _used(keys: NDArray[np.int64], peeled: PeeledTrees, own: NDArray[np.integer]) -> _Side:
    """The colors that some entry is read from; an edge that is alone is read from an end whose color is used anyway.

    Turns those edges around in ``peeled``. ``own`` are the vertices that are read from their own color's product.
    """
    distinct, number = np.unique(keys, return_inverse=True)
    used = np.zeros(len(distinct), np.bool_)
    used[number[peeled.inner[~peeled.alone]]] = True
    used[number[own]] = True
    alone = np.flatnonzero(peeled.alone)
    left = alone
    while len(left):
        ends = number[peeled.inner[left]], number[peeled.outer[left]]
        left = left[~(used[ends[0]] | used[ends[1]])]
        if len(left):  # the color at most of them
            both = peeled.inner[left], peeled.outer[left]
            counts = sum(np.bincount(number[part], minlength=len(distinct)) for part in both)
            used[np.argmax(counts)] = True
    turn = alone[~used[number[peeled.inner[alone]]]]
    peeled.inner[turn], peeled.outer[turn] = peeled.outer[turn], peeled.inner[turn]
    rank = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
    return _Side(rank[number], int(used.sum()))
