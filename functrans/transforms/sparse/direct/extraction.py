"""The entries of a Jacobian as terms: the tangent of a graph, which is linear, walked once, sources first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.transforms.forward import push_forward
from functrans.transforms.sparse.detection import flattened, wanted
from functrans.transforms.sparse.direct.gathers import Gathers
from functrans.transforms.sparse.direct.rules import Rules
from functrans.transforms.sparse.direct.tables import Tables
from functrans.transforms.sparse.direct.terms import Term, Terms
from functrans.transforms.sparse.direct.values import NoTermsError, Values
from functrans.transforms.sparse.known import Known

ENTRIES = 8  # times the nonzeros: from so many entries of terms on another method is cheaper


def identity(tables: Tables, p: UOp, start: int) -> Term:
    """An input as a term: each element is the column of its own."""
    columns = tables.of(np.arange(start, start + p.size))
    return Term(tables.iota(p.size), columns, UOp.const(p.dtype, 1))


class Extraction:
    """The terms of outputs, flattened and laid end to end, by inputs likewise.

    Parameters
    ----------
    outputs, inputs : nodes and PARAMs, in the order of rows and columns
    limit, budget : entries of one node's terms, and nodes of all expressions, from which on it is given up

    Raises
    ------
    NoTermsError
        Terms do not carry the derivative, or there would be too many of them.

    Notes
    -----
    Linear in the nodes and in the entries of all terms. Forward propagation of sparse vectors: Griewank and Walther,
    Evaluating Derivatives (2008), section 7.1.
    """

    def __init__(self, outputs: Sequence[UOp], inputs: Sequence[UOp], limit: int, budget: int) -> None:
        if any(u.free_ranges for u in outputs):
            raise NoTermsError("the function closes over a value of a map around it")
        directions = [param(p.sized, p.dtype) for p in inputs]
        tangents = push_forward(outputs, dict(zip(inputs, directions, strict=True)))
        roots = flattened([t for t in tangents if t is not None])
        order = toposort(roots)
        self._known, self._limit = Known(order, wanted(order)), limit
        self._budget = budget
        found = self._found(directions, roots)
        self.terms: list[Term] = []
        rest, offset = iter(roots), 0
        for o, t in zip(outputs, tangents, strict=True):
            if t is not None:
                self.terms.extend(self._shifted(found[next(rest)], offset))
            offset += o.size

    def _found(self, directions: Sequence[UOp], roots: Sequence[UOp]) -> dict[UOp, list[Term]]:
        """The terms of the roots. What turns out to be read at several places of others is then computed before."""
        try:
            found = self._begun(directions, frozenset())
            self._walk(roots, found)
        except NoTermsError:
            if not self.values.read_again():
                raise
        if not self.values.read_again():
            return found
        found = self._begun(directions, self.values.read_again())
        self._walk(roots, found)
        return found

    def _begun(self, directions: Sequence[UOp], stored: frozenset[UOp]) -> dict[UOp, list[Term]]:
        """New tables and expressions, and the terms of the directions."""
        self.tables = Tables()
        self.values = Values(self.tables, Gathers(self.tables, self._known), self._budget, stored)
        self.carriers = Terms(self.values, self._limit)
        self._rules = Rules(self.carriers, self._known)
        found: dict[UOp, list[Term]] = {}
        start = 0
        for d in directions:
            found[d] = [identity(self.tables, d, start)] if d.size else []
            start += d.size
        return found

    def _sources(self, node: UOp) -> Sequence[UOp]:
        """What the terms of a node come from: of pieces of an array put together the array itself."""
        gather = self.values.gathers.of(node)
        return node.src if gather is None else gather.sources

    def _walk(self, roots: Sequence[UOp], found: dict[UOp, list[Term]]) -> None:
        order = toposort(roots, sources=self._sources)
        uses = Counter(s for u in order for s in self._sources(u))
        uses.update(roots)
        for node in order:
            if node not in found:
                found[node] = self._rules.of(node, [found[s] for s in self._sources(node)])
                if sum(map(len, found[node])) > self._limit:
                    raise NoTermsError(f"{node.op.name} of shape {node.shape} has more than {self._limit} entries")
            for s in self._sources(node):
                uses[s] -= 1
                if not uses[s]:
                    found[s] = []  # dead: its memory is free for those to come

    def _shifted(self, terms: Sequence[Term], offset: int) -> list[Term]:
        if not offset:
            return list(terms)
        def rows(t: Term) -> Term:
            at = t.rows.at
            moved = at + np.int32(offset) if t.rows.alive is None else np.where(at < 0, at, at + np.int32(offset))
            return Term(self.tables.of(moved), t.cols, t.coefficient)

        return [rows(t) for t in terms]


