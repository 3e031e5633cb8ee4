"""Terms through an elementwise part: op by op, or by the derivatives between what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.transforms.sparse.direct.expressions import times
from functrans.transforms.sparse.direct.regions import Edge, Elimination, Region, linear_sources
from functrans.transforms.sparse.direct.rules import Rules
from functrans.transforms.sparse.direct.tables import Table
from functrans.transforms.sparse.direct.terms import Term
from functrans.transforms.sparse.direct.values import costs, weight

Found = Mapping[UOp, Sequence[Term]]


class Through:
    """The terms of the results of one part.

    region : the part
    rules : of the plan
    late : the nodes of its graph that depend on a direction
    """

    def __init__(self, region: Region, rules: Rules, late: Collection[UOp]) -> None:
        self.region, self._rules, self._late = region, rules, late
        self._reaching = region.reaching(late)
        self._most: int | None = None
        self._made: dict[Table, Elimination] = {}

    def sources(self, node: UOp) -> list[UOp]:
        """What a result depends on."""
        return list(self._reaching[node])

    def terms(self, node: UOp, found: Found) -> list[Term]:
        """The terms of a result."""
        if self._most is None:
            self._most = self._op_by_op(found)
        inputs = self._reaching[node]
        first = next((t for k in inputs for t in found[k]), None)
        if first is None:
            return []
        own = self._edges(node, self._rules.tables.somewhere(first.every, node.size))
        if own is None:
            return self._in_turn(node, found)
        read = {k: found[k] for k in own}
        if self._is_dear(read, own):
            read = {k: [self._rules.terms.by_rows(t, node.size) for t in terms] for k, terms in read.items()}
        return self._rules.merged([self._scaled(t, node, k) for k, terms in read.items() for t in terms])

    def _is_dear(self, read: Found, edges: Mapping[UOp, Edge]) -> bool:
        """Whether the derivatives in the orders of all terms take more than the terms in the order of the elements."""
        terms = [t for part in read.values() for t in part]
        orders = len({t.every for t in terms})
        if orders == 1:
            return False
        theirs = (orders - 1) * max((weight(e.value) for e in edges.values()), default=0)
        return not costs((t.coefficient for t in terms), theirs)

    def _edges(self, node: UOp, at: Table) -> Mapping[UOp, Edge] | None:
        """The derivatives of a result at some of its elements; None where they take more than op by op."""
        made = self._made.get(at)
        if made is None:
            values = self._rules.values
            made = Elimination(self.region, self._late, lambda factor: values.of(factor, at), self._most or 0)
            self._made[at] = made
        return None if made.found is None else made.found[node]

    def _scaled(self, term: Term, node: UOp, source: UOp) -> Term | None:
        edges = self._edges(node, self._rules.tables.somewhere(term.every, node.size))
        assert edges is not None  # the same products as at all elements
        edge = edges.get(source)
        product = None if edge is None else times(term.coefficient, edge.value)
        if edge is None or product is None:
            return None
        if edge.where is not None:
            product = B.where(edge.where, product, B.like(product, 0))
        return Term(term.rows, term.cols, product, term.among)

    def _op_by_op(self, found: Found) -> int:
        """Products of all results op by op, if all that goes in has the columns of what is known by now."""
        keys: dict[UOp, set[tuple[Table, Table]]] = {}
        for k in self.region.inputs:
            keys[k] = {(t.every, t.cols) for t in found[k]} if k in found else set()
        total = 0
        for u in self.region.nodes:
            keys[u] = {key for s in linear_sources(u, self._late) for key in keys[s]}
            total += len(keys[u])
        return total

    def _in_turn(self, node: UOp, found: Found) -> list[Term]:
        """The terms by the rules of each op."""
        inputs = self._reaching[node]
        made: dict[UOp, list[Term]] = {k: list(found[k]) for k in inputs}
        for u in self.region.nodes:
            if self._reaching[u].keys() <= inputs.keys():
                made[u] = self._rules.of(u, [made.get(s, []) for s in u.src])
        return made[node]
