"""An order of elimination of the same fill whose longest chain is shorter: of a chain from both of its ends.

Minimum degree goes along a chain from one end to the other, and each row waits for the one before it. What elimination
fills in is a chordal graph, and every order that fills in nothing more than that is as good. Its cliques are a tree, at
whose root elimination ends: here that is put into the middle. The sizes of columns stay what they were, all in all, and
so do the products.

Sources: Jess and Kees, A data structure for parallel L/U decomposition, IEEE Transactions on Computers C-31 (1982);
Liu, Reordering sparse matrices for parallel elimination, Parallel Computing 11 (1989).
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["balanced"]

Indices = NDArray[Any]


def balanced(parents: Indices, after: Indices, before: Indices) -> Indices:
    """The vertices in the new order, of those numbered in an order.

    ``parents`` is the elimination tree, -1 above a root; each entry below the diagonal is in row ``after`` and column
    ``before``. An order whose longest chain would not be halved stays: there is enough beside it to do meanwhile. Time
    linear in entries and vertices.
    """
    n = len(parents)
    parent = parents.tolist()
    height, deepest = [1] * n, [-1] * n  # of the tree below each vertex, and the child that it is due to
    for v in range(n):
        p = parent[v]
        if p >= 0 and height[v] >= height[p]:
            height[p], deepest[p] = height[v] + 1, v
    if n == 0:
        return np.arange(0)
    path = [max(range(n), key=height.__getitem__)]  # from the root down
    while deepest[path[-1]] >= 0:
        path.append(deepest[path[-1]])
    on = np.zeros(n + 1, bool)
    on[path] = True
    beside = np.zeros(n, np.int64)  # the height of what else is below a vertex of the path
    side = np.flatnonzero(~on[:n] & on[parents])
    np.maximum.at(beside, parents[side], np.array(height, np.int64)[side])
    # with the root at the k-th vertex those above hang below it, each with what is beside it
    hanging = list(accumulate((int(beside[v]) + 1 for v in path), lambda above, own: max(above + 1, own)))
    at = min(range(len(path)), key=lambda k: max(height[path[k]], hanging[k]))
    moved = np.array(path[: at + 1], np.int64)
    rank = [-1] * n  # of the vertex of that part of the path which is on the way up from each one: 0 for the new root
    for k, v in enumerate(path[at::-1]):
        rank[v] = k
    for v in reversed(range(n)):
        if rank[v] < 0 and parent[v] >= 0:
            rank[v] = rank[parent[v]]
    ranks, is_moved = np.array(rank, np.int64), np.zeros(n, bool)
    is_moved[moved] = True
    # the clique nearest to the new root that each vertex is in
    nearest, own = ranks.copy(), is_moved[after]
    np.minimum.at(nearest, after[own], ranks[before[own]])
    root = np.count_nonzero(nearest[moved] == 0)
    if 2 * max(height[path[at]], hanging[at]) > height[path[0]] + root:  # no chain with two ends
        return np.arange(n)
    moved.sort()
    moved = moved[np.argsort(-nearest[moved], kind="stable")]
    return np.concatenate([np.flatnonzero(~is_moved), moved])
