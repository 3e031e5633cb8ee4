"""The entries of a Jacobian as terms: the tangent of a graph, which is linear, walked once, sources first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.transforms.forward import push_forward
from functrans.transforms.loops.independent import independent
from functrans.transforms.sparse.blocks import Block
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.detection import flattened, wanted
from functrans.transforms.sparse.direct.cells import apart
from functrans.transforms.sparse.direct.chains import chained
from functrans.transforms.sparse.direct.emission import AGAIN, Emission
from functrans.transforms.sparse.direct.gathers import Gathers
from functrans.transforms.sparse.direct.inverses import multiplied
from functrans.transforms.sparse.direct.loops import Loops
from functrans.transforms.sparse.direct.minors import written_out
from functrans.transforms.sparse.direct.nonzeros import TIMES
from functrans.transforms.sparse.direct.parts import Through
from functrans.transforms.sparse.direct.powers import related
from functrans.transforms.sparse.direct.products import Products, contraction
from functrans.transforms.sparse.direct.regions import regions
from functrans.transforms.sparse.direct.rules import Rules
from functrans.transforms.sparse.direct.spaces import SHORT, Shape
from functrans.transforms.sparse.direct.tables import Table, Tables
from functrans.transforms.sparse.direct.temporaries import Temporaries
from functrans.transforms.sparse.direct.terms import Term, Terms
from functrans.transforms.sparse.direct.values import ELEMENTARY, NoTermsError, Values
from functrans.transforms.sparse.loops import loop_of, sources_of

DENSE = 2048  # entries that a product with a matrix has to have before it is worth a loop of its own


class Limits(NamedTuple):
    """Where terms are given up: entries of all terms, operations computed before, nodes of all expressions, numbers of
    the tables that are alive at once.

    Terms have tables in common, as those of an element's energy have: entries say what they may cost, tables how much
    memory they take.
    """

    entries: int
    work: int
    expressions: int
    numbers: int

    @property
    def of_a_node(self) -> int:
        """Entries of one node, whose tables nothing has in common yet."""
        return min(self.entries, self.numbers)


def identity(tables: Tables, p: UOp, start: int) -> Term:
    """An input as a term: each element is the column of its own."""
    columns = tables.of(np.arange(start, start + p.size))
    return Term(tables.iota(p.size), columns, UOp.const(p.dtype, 1))


class Extraction:
    """The terms of linear nodes, by directions flattened and laid end to end.

    Parameters
    ----------
    roots : vectors without brackets, linear in all directions together
    directions : PARAMs, in the order of columns
    shapes : that index spaces may have
    limits : where it is given up
    stored : nodes that somebody else computes, too: coefficients read them

    Attributes
    ----------
    order : the linear nodes and their factors, sources first
    found : the terms of each root

    Raises
    ------
    NoTermsError
        Terms do not carry the derivative, or there would be too many of them.

    Notes
    -----
    Linear in the nodes and in the entries of all terms. Forward propagation of sparse vectors: Griewank and Walther,
    Evaluating Derivatives (2008), section 7.1.
    """

    def __init__(
        self, roots: Sequence[UOp], directions: Sequence[UOp], shapes: Sequence[Shape], limits: Limits,
        stored: frozenset[UOp] = frozenset(),
    ) -> None:  # fmt: skip
        self.order = toposort(roots)
        self._constants, self._limits = Constants(self.order, wanted(self.order)), limits
        self._columns = sum(d.size for d in directions)
        self._late = self._carrying(directions)
        self._shapes = shapes
        self.found = self._found(directions, roots, stored)
        self.values.decided()
        self.values.gathers.forget(self._columns)

    @property
    def cost(self) -> int:
        """Operations on elements of what is computed before the entries."""
        return self.temporaries.cost + self.products.cost + self.loops.cost

    def forget(self) -> None:
        """Let go of what only served to find the terms; what is asked for again is made anew."""
        self.tables.forget(0)
        self.values.gathers.forget(0)

    def _carrying(self, directions: Sequence[UOp]) -> set[UOp]:
        """The nodes that depend on a direction; a product with zeros alone does not."""
        found = set(directions)
        for u in self.order:
            if not found.isdisjoint(u.src):
                zeros = [self._constants.zeros(s) for s in u.src] if u.op is Ops.MUL else []
                if not any(z is not None and z.all() for z in zeros):
                    found.add(u)
        return found

    def _found(self, directions: Sequence[UOp], roots: Sequence[UOp], stored: frozenset[UOp]) -> dict[UOp, list[Term]]:
        """The terms of the roots. What turns out to be read or written down several times is then computed before."""
        try:
            found = self._begun(directions, roots, stored, False)
            self._walk(roots, found)
        except NoTermsError:
            if not self._learned():
                raise
        if not self._learned():
            return found
        again = self.values.read_again()
        below = {u for u in toposort(again) if u.op in ELEMENTARY}  # of what is computed before: computed once, too
        found = self._begun(directions, roots, stored | again | below, self.carriers.again > AGAIN)
        self._walk(roots, found)
        return found

    def _learned(self) -> bool:
        return bool(self.values.read_again()) or self.carriers.again > AGAIN

    def _begun(
        self, directions: Sequence[UOp], roots: Sequence[UOp], stored: frozenset[UOp], cut: bool
    ) -> dict[UOp, list[Term]]:
        """New tables and expressions, and the terms of the directions."""
        self.tables, self._cut = Tables(), cut
        self.values = Values(self.tables, Gathers(self.tables, self._constants), self._limits.expressions, stored, cut)
        self.carriers = Terms(self.values, self._limits.of_a_node)
        self.emission = Emission(self.carriers, self._shapes)
        self.temporaries = Temporaries(self.carriers, self.emission, self._columns)
        self.products = Products(self.temporaries, self._constants, self._columns, self._limits.of_a_node)
        self._rules = Rules(self.carriers, self._constants)
        self.loops = Loops(self.carriers, self._constants, self.order, directions, self._inside)
        self._pending: dict[UOp, dict[UOp, list[Term]]] = {}
        self._regions = {}
        self._regions = self._found_regions(roots)
        self._entries = 0
        found: dict[UOp, list[Term]] = {}
        start = 0
        for d in directions:
            found[d] = [identity(self.tables, d, start)] if d.size else []
            start += d.size
        return found

    def _sources(self, node: UOp) -> Sequence[UOp]:
        """What the terms of a node come from: of pieces of an array put together the array itself, of a result of a
        loop what the loop is given, of a result of an elementwise part what goes into that.
        """
        if node not in self._late:
            return ()
        if node in self._regions:
            return self._regions[node].sources(node)
        gather = self.values.gathers.of(node)
        return sources_of(node) if gather is None else gather.sources

    def _found_regions(self, roots: Sequence[UOp]) -> dict[UOp, Through]:
        """For each result of an elementwise part its derivatives."""
        order = toposort(roots, sources=self._sources)
        found = regions(order, self._late, self._sources, frozenset(roots), self._rules.is_factored)
        made = [Through(r, self._rules, self._late) for r in found]
        return {u: t for t in made for u in t.region.outputs}

    def _inside(self, roots: Sequence[UOp], directions: Sequence[UOp]) -> Extraction:
        """The terms of the body of a loop."""
        shapes = [u.sized for u in toposort(roots) if u.shape is not None]
        return Extraction(roots, directions, shapes, self._limits)

    def _walk(self, roots: Sequence[UOp], found: dict[UOp, list[Term]]) -> None:
        order = toposort(roots, sources=self._sources)
        self._readers: dict[UOp, list[UOp]] = {}
        for u in order:
            for s in dict.fromkeys(self._sources(u)):
                self._readers.setdefault(s, []).append(u)
        uses = Counter(s for u in order for s in self._sources(u))
        uses.update(roots)
        self._ends = set(roots)
        for node in order:
            if node not in found:
                self._visit(node, found)
                if node in self._ends or len(self._readers[node]) > 1:
                    self._settle(node, found)
            self.tables.forget(self._columns)
            for s in self._sources(node):
                uses[s] -= 1
                if not uses[s]:
                    found[s] = []  # dead: its memory is free for those to come
                    self._pending.pop(s, None)

    def _visit(self, node: UOp, found: dict[UOp, list[Term]]) -> None:
        """The terms of a node, or what they will be made of."""
        if node not in self._late:
            found[node] = []
            return
        sources = self._sources(node)
        if self._is_product(node, sources, found):
            cut: dict[UOp, list[Term]] = {}
            for s in sources:
                if s in self._late:  # it may have no terms, where all of them are multiplied by zeros
                    cut.update(self._pending.get(s) or {s: found[s]})
            self._pending[node], found[node] = cut, []
            return
        for s in sources:
            self._settle(s, found)
        parts = [found[s] for s in sources]
        if node in self._regions:
            made = self._regions[node].terms(node, found)
        elif loop_of(node):
            made = self.loops.of(node, parts)
        else:
            made = self._rules.of(node, parts, self._unread(node))
        found[node] = self._ready(node, made)
        self._spend(node, sum(map(len, made)))

    def _settle(self, node: UOp, found: dict[UOp, list[Term]]) -> None:
        """The terms of a node that has been left to products."""
        if node in self._pending:
            found[node] = self._ready(node, self.products.terms(node, self._pending.pop(node)))
            self._spend(node, 0)

    def _spend(self, node: UOp, entries: int) -> None:
        """Give up where what was made, and what is computed before, is too much."""
        self._entries += entries
        here = f"up to {node.op.name} of shape {node.shape}"
        if self._entries > self._limits.entries:
            raise NoTermsError(f"{here} there are more than {self._limits.entries} intermediate nonzeros")
        if self.tables.most > self._limits.numbers:
            raise NoTermsError(f"{here} the places of nonzeros take more than {self._limits.numbers} numbers of memory")
        if self.cost > self._limits.work:
            raise NoTermsError(f"{here} intermediate arrays have taken more than {self._limits.work} operations")

    def _is_product(self, node: UOp, sources: Sequence[UOp], found: dict[UOp, list[Term]]) -> bool:
        """Whether the terms of a node are left to products."""
        reached = [s for s in sources if found[s] or s in self._pending]
        if not reached or not self._rules.has_terms(node) or loop_of(node) is not None:
            return False
        if not self._rules.carries(node):
            self.products.opaque.add(node)
            return True
        if all(s in self._pending for s in reached):
            if self._rules.is_scattered(node) and len(reached) == 1 and self._widens(node, reached[0]):
                return False
            return node.size <= max(s.size for s in reached) or contraction(node, self._readers) is not None
        return len(reached) == 1 and self._is_dense(node, reached[0], found[reached[0]])

    def _widens(self, node: UOp, source: UOp) -> bool:
        """Whether elements of a node depend on more columns than those of its source, which is left to products.

        All of the part would take as many directions; what a cell of a mesh adds depends on the cell's columns alone.
        """
        cut = self._pending[source]
        after, before = (self.products.structure(u, cut) for u in (node, source))
        return after is not None and before is not None and after.width > before.width

    def _is_dense(self, node: UOp, source: UOp, terms: Sequence[Term]) -> bool:
        """Whether a node repeats what a sum with many factors then adds up, as a product with a matrix does."""
        table = self._repeats(node)
        if table is None or (total := contraction(node, self._readers)) is None:
            return False
        if total.src[0].size <= SHORT * total.size:
            return False  # told apart by terms, which then merge with others of the same elements
        counts = np.zeros(source.size + 1, np.int64)
        for t in terms:
            counts += np.bincount(t.rows.at + 1, minlength=len(counts))
        live, unread = table.at >= 0, self._unread(node)
        if unread is not None:
            live &= ~unread
        read = table.at[live]
        entries = int(counts[1:][read].sum()) if source.size > int(read.max(initial=0)) else 0
        if entries < DENSE:
            return False
        structure = self.products.structure(total, {source: terms})
        colors = 0 if structure is None else structure.width
        return colors * total.src[0].size <= TIMES * entries

    def _unread(self, node: UOp) -> NDArray[np.bool_] | None:
        """Elements of a node that its only reader multiplies by a constant zero, as a matrix has them; None where
        they are few.
        """
        readers = self._readers.get(node, ())
        if node in self._ends or len(readers) != 1 or readers[0].op is not Ops.MUL:
            return None
        (reader,) = readers
        factors = [s for s in reader.src if s is not node]
        zeros = self._rules.many_zeros(factors[0]) if len(factors) == 1 else None
        return zeros.reshape(-1) if zeros is not None and zeros.size == node.size else None

    def _repeats(self, node: UOp) -> Table | None:
        """Where a node reads its sources, if it reads some of their elements several times."""
        gather = self.values.gathers.of(node)
        return None if gather is None or gather.table.distinct else gather.table

    def _ready(self, node: UOp, terms: list[Term]) -> list[Term]:
        """The terms of a node as those that read it want them."""
        if not terms:
            return terms
        readers = self._readers.get(node, ())
        repeated = [(r, t) for r in readers if (t := self._repeats(r)) is not None]
        if repeated:
            terms = self.temporaries.shortened(terms, node.dtype)
            if any(len(t) >= 2 * node.size and not self._rules.is_local(r.sized, t) for r, t in repeated):
                terms = self.temporaries.kept(terms, node.dtype, heavy=True)
        if self._cut and any(self.values.gathers.of(r) is not None for r in readers):
            terms = self.temporaries.kept(terms, node.dtype, heavy=False)
        return terms


def extracted(
    blocks: Sequence[Block], inputs: Sequence[UOp], limits: Limits, stored: frozenset[UOp] = frozenset()
) -> tuple[Extraction, list[Term]]:
    """The terms of blocks of outputs, by inputs flattened and laid end to end, and the plan that they are of."""
    given = [b.node for b in blocks]
    outputs = apart(given)
    # The tangent of a long function is a body that goes through memory, strip by strip, and better off with matrices:
    # chains of tanh of 3 x 3 products, with them and apart: 580 nodes 66 and 31 us, 748 75 and 80, 916 61 and 100. Of a
    # Hessian the gradient is apart before, and better so whatever its size.
    if len(toposort(outputs)) > 3 * AGAIN:
        outputs = given
    outputs = written_out(outputs)
    if any(u.free_ranges for u in outputs):
        raise NoTermsError("the function closes over a value of an ft.vmap around it; make that value an argument")
    directions = [param(p.sized, p.dtype) for p in inputs]
    tangents = push_forward(outputs, dict(zip(inputs, directions, strict=True)))
    reached = [(b, t) for b, t in zip(blocks, tangents, strict=True) if t is not None]
    linear = independent(flattened([t for _, t in reached]), directions)
    roots = related(chained(multiplied(linear, directions), directions), stored)
    shapes = [u.sized for u in toposort(outputs) if u.shape is not None]
    made = Extraction(roots, directions, shapes, limits, stored)
    terms = []
    for (block, _), root in zip(reached, roots, strict=True):
        rows = made.tables.of(block.rows)
        terms += [made.carriers.renamed(t, rows) for t in made.found[root]]
    return made, terms
