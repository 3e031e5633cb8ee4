"""Orders of the vertices of a greedy coloring: by degree, by the degree that is left, by colored neighbors.

Two vertices are neighbors if a group holds both: two columns in one row, the two ends of one edge.
"""

from __future__ import annotations

import heapq
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.transforms.sparse.native import Engine, run

__all__ = ["Incidence", "Order", "degrees", "ordered"]

Indices: TypeAlias = NDArray[np.int32]
Order: TypeAlias = Literal["natural", "largest_first", "smallest_last", "incidence_degree", "dynamic_largest_first"]

DYNAMIC = {"smallest_last": 1, "incidence_degree": 2, "dynamic_largest_first": 3}


class Incidence(NamedTuple):
    """The incidence of vertices and groups, compressed in both directions: ends and members."""

    vertex_ends: Indices
    groups: Indices
    group_ends: Indices
    members: Indices

    @staticmethod
    def of(vertices: Indices, groups: Indices, num_vertices: int, num_groups: int) -> Incidence:
        """Build from pairs (vertex, group)."""
        shape = (num_vertices, num_groups)
        pairs: Any = scipy_sparse.coo_array((np.ones(len(groups), np.bool_), (vertices, groups)), shape=shape)
        by_vertex = pairs.tocsr()
        by_group = by_vertex.tocsc()
        arrays = by_vertex.indptr, by_vertex.indices, by_group.indptr, by_group.indices
        return Incidence(*(np.ascontiguousarray(a, np.int32) for a in arrays))

    @property
    def num_vertices(self) -> int:
        """The number of vertices."""
        return len(self.vertex_ends) - 1

    def neighbors(self, v: int) -> set[int]:
        """The other vertices in the groups of v."""
        mine = self.groups[self.vertex_ends[v] : self.vertex_ends[v + 1]]
        found = {int(u) for g in mine for u in self.members[self.group_ends[g] : self.group_ends[g + 1]]}
        return found - {v}


def degrees(incidence: Incidence) -> Indices:
    """The number of neighbors of each vertex."""
    n = incidence.num_vertices
    found, spare = np.zeros(n, np.int32), np.zeros(n, np.int32)
    buffers = [*incidence, spare, found, np.zeros(n, np.int32), spare, spare, spare]
    if run(Engine.ORDER, buffers, [n, 0], len(incidence.groups)) is None:
        found[:] = [len(incidence.neighbors(v)) for v in range(n)]
    return found


def ordered(incidence: Incidence, order: str) -> Indices:
    """All vertices in an order.

    "natural" is as they are numbered; "largest_first" by falling number of neighbors; "smallest_last" takes away
    the vertex with fewest neighbors left, and is that sequence backward; "incidence_degree" goes on with the vertex
    that has most neighbors before it, "dynamic_largest_first" with the one that has most neighbors left.

    Costs a visit of all pairs in all groups.

    Source: Gebremedhin, Manne and Pothen, What color is your Jacobian? SIAM Review 47 (2005), section 7.

    >>> edges = Incidence.of(np.array([0, 1, 1, 2, 2, 3, 1, 3]), np.array([0, 0, 1, 1, 2, 2, 3, 3]), 4, 4)
    >>> [ordered(edges, name).tolist() for name in ("largest_first", "smallest_last")]
    [[1, 2, 3, 0], [2, 3, 1, 0]]
    """
    n = incidence.num_vertices
    if order == "natural":
        return np.arange(n, dtype=np.int32)
    if order == "largest_first":
        return np.argsort(-degrees(incidence), kind="stable").astype(np.int32)
    sequence = np.zeros(n, np.int32)
    work = [np.zeros(n, np.int32) for _ in range(5)]
    if run(Engine.ORDER, [*incidence, sequence, *work], [n, DYNAMIC[order]], len(incidence.groups)) is None:
        sequence[:] = _dynamic(incidence, order)
    return sequence


def _dynamic(incidence: Incidence, order: str) -> list[int]:
    """The same in Python: of equal vertices the one whose number changed last, and else the first."""
    count = incidence.num_vertices
    rising, sign = order == "incidence_degree", 1 if order == "smallest_last" else -1
    keys = [0] * count if rising else [len(incidence.neighbors(v)) for v in range(count)]
    changed = [-v for v in range(count)]
    queue = [(sign * keys[v], v, v) for v in range(count)]  # key, minus the time of its last change, vertex
    heapq.heapify(queue)
    left, found, clock = set(range(count)), [], 0
    while queue:
        _, time, v = heapq.heappop(queue)
        if v not in left or time != -changed[v]:
            continue  # outdated: its number has changed since
        left.remove(v)
        found.append(v)
        for u in _in_order(incidence, v):
            if u in left:
                clock += 1
                keys[u] += 1 if rising else -1
                changed[u] = clock
                heapq.heappush(queue, (sign * keys[u], -clock, u))
    return found[::-1] if order == "smallest_last" else found


def _in_order(incidence: Incidence, v: int) -> list[int]:
    """The neighbors of v, group by group."""
    mine = incidence.groups[incidence.vertex_ends[v] : incidence.vertex_ends[v + 1]]
    met = [int(u) for g in mine for u in incidence.members[incidence.group_ends[g] : incidence.group_ends[g + 1]]]
    return list(dict.fromkeys(met))
