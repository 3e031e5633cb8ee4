"""Star and acyclic colorings of a graph, whose vertices are the columns of a symmetric matrix, or rows and columns.

Both are colorings in which neighbors differ. In a star coloring every two colors together span stars only, in an
acyclic one trees only: values on the edges then come out of one product a color, directly or by substitution.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.transforms.sparse.native import Engine, run

__all__ = ["Graph", "acyclic", "star"]

Indices: TypeAlias = NDArray[np.int32]


class Graph(NamedTuple):
    """Vertices 0 to size - 1; edge e joins ``low[e]`` and ``high[e]``; the edges around each vertex, compressed."""

    size: int
    low: Indices
    high: Indices
    ends: Indices
    adjacent: Indices
    edge: Indices

    @staticmethod
    def of(size: int, low: Indices, high: Indices) -> Graph:
        """From distinct edges between different vertices."""
        number = np.arange(len(low), dtype=np.int32)
        at = np.concatenate([low, high]), np.concatenate([high, low])
        found: Any = scipy_sparse.coo_array((np.concatenate([number, number]), at), shape=(size, size)).tocsr()
        arrays = found.indptr, found.indices, found.data
        return Graph(size, low, high, *(np.ascontiguousarray(a, np.int32) for a in arrays))

    def around(self, v: int) -> list[tuple[int, int]]:
        """The neighbors of a vertex, each with the edge."""
        here = slice(self.ends[v], self.ends[v + 1])
        return list(zip(self.adjacent[here].tolist(), self.edge[here].tolist(), strict=True))


def star(graph: Graph, sequence: Indices) -> tuple[Indices, Indices, Indices]:
    """The color of each vertex, the star of each edge, and the hub of each star: -1 for a single edge.

    Greedy in the given order. Linear in the edges, times the colors around a vertex.

    Method: Gebremedhin, Tarafdar, Manne and Pothen, New acyclic and star coloring algorithms with application to
    computing Hessians, SIAM J. Sci. Comput. 29 (2007), algorithm 4.1; with a list of colors for each vertex
    instead of visits to the neighbors of neighbors.

    >>> path = Graph.of(4, np.arange(3, dtype=np.int32), np.arange(1, 4, dtype=np.int32))
    >>> [part.tolist() for part in star(path, np.arange(4, dtype=np.int32))]
    [[0, 1, 0, 2], [0, 0, 1], [1, -1]]
    """
    n, m = graph.size, len(graph.low)
    colors, stars, hubs = np.full(n, -1, np.int32), np.zeros(m, np.int32), np.zeros(m, np.int32)
    work = [np.full(n + 1, -1, np.int32) for _ in range(5)]
    if run(Engine.STAR, [*graph[3:], *_lists(graph), sequence, colors, stars, hubs, *work], [n], 2 * m) is None:
        return _star(graph, sequence.tolist())
    return colors, stars, hubs


def acyclic(graph: Graph, sequence: Indices) -> tuple[Indices, Indices]:
    """The color of each vertex, and the tree of each edge, numbered by one of its edges.

    Greedy in the given order; costs as `star`.

    Method: the second algorithm of the paper named there (section 4.2), likewise with lists of colors.

    >>> path = Graph.of(4, np.arange(3, dtype=np.int32), np.arange(1, 4, dtype=np.int32))
    >>> acyclic(path, np.arange(4, dtype=np.int32))[0].tolist()
    [0, 1, 0, 1]
    """
    n, m = graph.size, len(graph.low)
    colors, trees = np.full(n, -1, np.int32), np.arange(m, dtype=np.int32)
    work = [np.full(size, -1, np.int32) for size in (n + 1, m, m)]
    if run(Engine.ACYCLIC, [*graph[3:], *_lists(graph), sequence, colors, trees, *work], [n, m], 2 * m) is None:
        return _acyclic(graph, sequence.tolist())
    return colors, trees


def _lists(graph: Graph) -> list[Indices]:
    """Room for the colors around each vertex: their number, and for each the color, an edge, its other end."""
    slots = len(graph.adjacent)
    return [np.zeros(graph.size, np.int32), *(np.zeros(slots, np.int32) for _ in range(3))]


def _star(graph: Graph, sequence: list[int]) -> tuple[Indices, Indices, Indices]:
    colors, stars, hubs = [-1] * graph.size, [-1] * len(graph.low), list[int]()
    near: list[dict[int, tuple[int, int]]] = [{} for _ in range(graph.size)]  # color: an edge, its end if there is one
    for v in sequence:
        forbidden, first, treated = set[int](), dict[int, tuple[int, int]](), set[int]()
        around = [(w, e) for w, e in graph.around(v) if colors[w] >= 0]
        for w, e in around:
            c = colors[w]
            forbidden.add(c)
            if c in first:  # v would be the hub of both: nothing around them may have its color
                for x in {w, first[c][0]} - treated:
                    forbidden |= near[x].keys()
                    treated.add(x)
            else:
                first[c] = w, e
                forbidden |= {k for k, (f, x) in near[w].items() if x >= 0 and hubs[stars[f]] == x}
        own = next(k for k in range(graph.size) if k not in forbidden)
        colors[v] = own
        for w, e in around:
            if own in near[w]:
                stars[e] = stars[near[w][own][0]]
                hubs[stars[e]] = w
            elif first[colors[w]][0] != w:
                stars[e] = stars[first[colors[w]][1]]
                hubs[stars[e]] = v
            else:
                stars[e] = len(hubs)
                hubs.append(-1)
            _enter(near[w], own, e, v)
            _enter(near[v], colors[w], e, w)
    return np.array(colors, np.int32), np.array(stars, np.int32), np.array(hubs, np.int32)


def _enter(near: dict[int, tuple[int, int]], color: int, e: int, end: int) -> None:
    near[color] = (near[color][0], -1) if color in near else (e, end)


def _acyclic(graph: Graph, sequence: list[int]) -> tuple[Indices, Indices]:
    colors, trees = [-1] * graph.size, list(range(len(graph.low)))
    near: list[dict[int, int]] = [{} for _ in range(graph.size)]  # color: an edge

    def root(e: int) -> int:
        while trees[e] != e:
            trees[e] = trees[trees[e]]
            e = trees[e]
        return e

    for v in sequence:
        around = [(w, e) for w, e in graph.around(v) if colors[w] >= 0]
        forbidden, visitor = {colors[w] for w, _ in around}, dict[int, int]()
        for w, _ in around:
            for c, e in near[w].items():
                if c not in forbidden and visitor.setdefault(root(e), w) != w:
                    forbidden.add(c)  # it would close a circle through v
        own = next(k for k in range(graph.size) if k not in forbidden)
        colors[v] = own
        for w, e in around:
            for other in (near[w].get(own), near[v].get(colors[w])):
                if other is not None:
                    trees[root(e)] = root(other)
            near[w].setdefault(own, e)
            near[v].setdefault(colors[w], e)
    found = [root(e) for e in range(len(trees))]
    return np.array(colors, np.int32), np.array(found, np.int32)
