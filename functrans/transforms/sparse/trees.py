"""Reading order of the trees of an acyclic coloring: leaves are peeled off, round by round."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from functrans.transforms.sparse.graphs import Graph

__all__ = ["PeeledTrees", "peel_leaves"]

Indices: TypeAlias = NDArray[np.int32]
DEEPEST = 16  # rounds: each is a pass over the values, and hands on its rounding error


class PeeledTrees(NamedTuple):
    """Each edge with its two ends: it is read from the product of the inner end's color, at the outer end.

    ``alone`` marks trees of one edge, whose ends may be exchanged; ``steps`` are those of `Compression`.
    """

    inner: Indices
    outer: Indices
    alone: NDArray[np.bool_]
    steps: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]


def peel_leaves(graph: Graph, trees: Indices) -> PeeledTrees | None:
    """Peel the leaves off all trees at once, round by round; None if that takes more than `DEEPEST` rounds.

    ``trees`` gives the tree of each edge. Linear in the edges, each round in the trees that are left.

    >>> path = Graph.of(4, np.arange(3, dtype=np.int32), np.arange(1, 4, dtype=np.int32))
    >>> peeled = peel_leaves(path, np.zeros(3, np.int32))
    >>> peeled.inner.tolist(), [(to.tolist(), of.tolist()) for to, of in peeled.steps]
    ([1, 2, 2], [([1], [0])])
    """
    m = len(trees)
    keys = np.concatenate([trees, trees]).astype(np.int64) * graph.size + np.concatenate([graph.low, graph.high])
    distinct, node = np.unique(keys, return_inverse=True)
    vertex = distinct % max(graph.size, 1)
    both = node[:m] + node[m:]  # less one end it is the other
    degree = np.bincount(node, minlength=len(distinct))
    number = np.concatenate([np.arange(m), np.arange(m)])
    left = np.bincount(node, number, len(distinct)).astype(np.int64)  # the sum of the edges that are left at a node
    alone = (degree[node[:m]] == 1) & (degree[node[m:]] == 1)
    outer, inner, round_of = np.zeros(m, np.int64), np.zeros(m, np.int64), np.zeros(m, np.int64)
    edge_out = np.full(len(distinct), -1, np.int64)  # the edge between a node and its parent
    leaves, rounds = np.flatnonzero(degree == 1), 0
    while len(leaves):
        if rounds > DEEPEST:
            return None
        edges, first = np.unique(left[leaves], return_index=True)  # the last edge of a tree has two leaves
        leaves = leaves[first]
        ends = both[edges] - leaves
        outer[edges], inner[edges], round_of[edges], edge_out[leaves] = leaves, ends, rounds, edges
        degree[leaves] = 0
        np.subtract.at(degree, ends, 1)
        np.subtract.at(left, ends, edges)
        ends = np.unique(ends)
        leaves, rounds = ends[degree[ends] == 1], rounds + 1
    behind = np.flatnonzero(edge_out[inner] >= 0)  # edges that are read only after some other edge
    to = edge_out[inner[behind]]
    steps = []
    for k in range(1, rounds):
        now = round_of[to] == k
        if now.any():
            steps.append((to[now], behind[now].astype(np.int64)))
    return PeeledTrees(vertex[inner].astype(np.int32), vertex[outer].astype(np.int32), alone, tuple(steps))
