"""Which values of a piece other pieces need, and for how long."""

from __future__ import annotations

from collections.abc import Iterable

from functrans.backend.codegen.lanes.facts import Facts
from functrans.backend.codegen.lanes.pieces import Inner, Node, Piece, Row
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
        self.made: dict[UOp, tuple[Piece, int]] = {}  # by which piece, at which depth, a value was computed last

    def scan(self, nodes: list[Node], path: tuple[int, ...]) -> None:
        """Statements in order; ``path`` says which node of each list around them they are in."""
        for k, node in enumerate(nodes):
            if isinstance(node, Inner):
                self.scan(node.nodes, (*path, k))
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
        kept = self.kept.setdefault(piece, {})
        for u in piece.items:
            self._use(self.facts.values_of(u), piece, path)
            if self.facts.is_value(u):
                self.made[u] = (piece, len(path) - 1)
                kept.pop(u, None)

    def _use(self, values: Iterable[UOp], piece: Piece | None, path: tuple[int, ...]) -> None:
        """Values are needed at a place, which may be in the piece that makes them."""
        for v in values:
            maker, depth = self.made[v]
            if maker is not piece:
                self.kept[maker][v] = max(self.kept[maker].get(v, 0), path[depth])
