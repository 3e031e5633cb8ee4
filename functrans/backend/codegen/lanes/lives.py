"""Which values of a piece other pieces need, and for how long."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable

from functrans.backend.codegen.lanes.facts import Facts
from functrans.backend.codegen.lanes.pieces import Inner, Node, Piece, Row
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

Kept = dict[Piece, dict[UOp, int]]
"""For each piece its values that others need; each up to which node, of the list that the piece is in, it lives."""


def lives(nodes: list[Node], facts: Facts) -> Kept:
    """What is kept in local arrays. Linear in the statements times the depth of the loops."""
    found = _Lives(facts)
    found.scan(nodes, ())
    return found.kept


class _Lives:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.kept: Kept = {}
        # by which piece, and at which depth, a value was computed last; a statement may stand in several scopes, so
        # each loop and each condition has a table, and what is after it sees those of the scopes around alone
        self.made: ChainMap[UOp, tuple[Piece, int]] = ChainMap()

    def scan(self, nodes: list[Node], path: tuple[int, ...]) -> None:
        """Statements in order; ``path`` says which node of each list around them they are in."""
        for k, node in enumerate(nodes):
            if isinstance(node, Inner):
                self.made = self.made.new_child()
                self.scan(node.nodes, (*path, k))
                self.made = self.made.parents
            elif isinstance(node, Piece):
                self._piece(node, (*path, k))
            elif isinstance(node, Row):
                self._row(node, (*path, k))

    def _row(self, row: Row, path: tuple[int, ...]) -> None:
        body = list(row.loop.walk())
        own = set(body)
        for u in body:
            self._use([v for v in self.facts.values_of(u) if v not in own], None, path)

    def _piece(self, piece: Piece, path: tuple[int, ...]) -> None:
        self.kept[piece] = {}
        for u in piece.items:
            self._use(self.facts.values_of(u), piece, path)
            if u.op is Ops.IF:
                self.made = self.made.new_child()
            elif u.op is Ops.ENDIF:
                self.made = self.made.parents
            elif self.facts.is_value(u):
                self.made[u] = (piece, len(path) - 1)

    def _use(self, values: Iterable[UOp], piece: Piece | None, path: tuple[int, ...]) -> None:
        """Values are needed at a place, which may be in the piece that makes them."""
        for v in values:
            maker, depth = self.made[v]
            if maker is not piece:
                self.kept[maker][v] = max(self.kept[maker].get(v, 0), path[depth])
