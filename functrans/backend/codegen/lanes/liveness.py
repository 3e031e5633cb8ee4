"""Liveness analysis of the values that one region computes and another one uses."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable

from functrans.backend.codegen.lanes.regions import Inner, Node, Region, Row
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

Kept = dict[Region, dict[UOp, int]]
"""For each region the values that live beyond it, each with the last node of its list that uses it."""


def liveness(nodes: list[Node], facts: Uniformity) -> Kept:
    """The values that need a local array. Linear in the statements times the depth of the loops."""
    found = _Liveness(facts)
    found.scan(nodes, ())
    return found.kept


class _Liveness:
    def __init__(self, facts: Uniformity) -> None:
        self.facts = facts
        self.kept: Kept = {}
        # by which region, and at which depth, a value was computed last; a statement may stand in several scopes, so
        # each loop and each condition has a table, and what is after it sees those of the scopes around alone
        self.made: ChainMap[UOp, tuple[Region, int]] = ChainMap()

    def scan(self, nodes: list[Node], path: tuple[int, ...]) -> None:
        """Scan statements in order; ``path`` holds the position in each list around them."""
        for k, node in enumerate(nodes):
            if isinstance(node, Inner):
                self.made = self.made.new_child()
                self.scan(node.nodes, (*path, k))
                self.made = self.made.parents
            elif isinstance(node, Region):
                self._region(node, (*path, k))
            elif isinstance(node, Row):
                self._row(node, (*path, k))

    def _row(self, row: Row, path: tuple[int, ...]) -> None:
        body = list(row.loop.walk())
        own = set(body)
        for u in body:
            self._use([v for v in self.facts.values_of(u) if v not in own], None, path)

    def _region(self, region: Region, path: tuple[int, ...]) -> None:
        self.kept[region] = {}
        for u in region.items:
            self._use(self.facts.values_of(u), region, path)
            if u.op is Ops.IF:
                self.made = self.made.new_child()
            elif u.op is Ops.ENDIF:
                self.made = self.made.parents
            elif self.facts.is_value(u):
                self.made[u] = (region, len(path) - 1)

    def _use(self, values: Iterable[UOp], region: Region | None, path: tuple[int, ...]) -> None:
        """Record a use of values, which may be in the region that computes them."""
        for v in values:
            maker, depth = self.made[v]
            if maker is not region:
                self.kept[maker][v] = max(self.kept[maker].get(v, 0), path[depth])
