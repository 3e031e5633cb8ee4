"""Direct values: the entries of a pattern, each computed once by its own expression and stored where it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.blocks import Block, Multiplied
from functrans.transforms.sparse.choice import operations as evaluated
from functrans.transforms.sparse.compressed import nonzeros, products
from functrans.transforms.sparse.direct.emission import empty
from functrans.transforms.sparse.direct.extraction import Limits, extracted
from functrans.transforms.sparse.direct.joining import groups, joined
from functrans.transforms.sparse.direct.numbers import numbers
from functrans.transforms.sparse.direct.places import Entries
from functrans.transforms.sparse.direct.scattering import gathered
from functrans.transforms.sparse.direct.stores import Places, alive, counted
from functrans.transforms.sparse.direct.symmetry import shared
from functrans.transforms.sparse.direct.terms import Term, operations
from functrans.transforms.sparse.direct.values import ELEMENTARY, NoTermsError
from functrans.transforms.sparse.pattern import SparsityPattern


class Direct:
    """The values of the matrices of some outputs by blocks of inputs.

    Parameters
    ----------
    blocks : of outputs, by terms
    inputs : PARAMs behind all columns, those of each matrix one after the other
    patterns : of each matrix
    dtype : of the values
    limits : where terms are given up
    multiplied : blocks of outputs by products with directions
    stored : nodes that somebody else computes, too
    symmetric : whether the matrix is, of which there is one

    Raises
    ------
    NoTermsError
        Terms do not carry the derivative, or there would be too many of them.

    Notes
    -----
    Linear in the graph, in the nonzeros and in the entries of the terms on the way.
    """

    def __init__(
        self, blocks: Sequence[Block], inputs: Sequence[UOp], patterns: Sequence[SparsityPattern], dtype: DType,
        limits: Limits, multiplied: Sequence[Multiplied] = (), stored: frozenset[UOp] = frozenset(),
        symmetric: bool = False,
    ) -> None:  # fmt: skip
        self.blocks, self.patterns, self.dtype = list(blocks), list(patterns), dtype
        self.multiplied = list(multiplied)
        self._inputs, self._limits, self._symmetric = list(inputs), limits, symmetric
        self.extraction, terms = extracted(blocks, inputs, limits, stored)
        rows = patterns[0].shape[0] if patterns else 0
        terms = shared(terms) if symmetric else gathered(terms, self.extraction.temporaries, rows, dtype)
        self.terms = [*terms, *(self._read(m, inputs) for m in multiplied)]
        starts = np.cumsum([0, *(p.shape[1] for p in patterns)]).tolist()
        self.writes = [self._places(p, start) for p, start in zip(self.patterns, starts, strict=False)]
        self.extraction.forget()

    def beside(self, results: Sequence[UOp]) -> Direct:
        """The values for a program that computes these results, too: elementary functions in both are computed once.

        The results are without brackets. Where there are none, where terms would be too many, and where what is
        constant would not be the same, the values as they are.
        """
        stored = frozenset(u for u in toposort(results) if u.op in ELEMENTARY)
        if not stored:
            return self
        try:
            made = Direct(
                self.blocks,
                self._inputs,
                self.patterns,
                self.dtype,
                self._limits,
                self.multiplied,
                stored,
                self._symmetric,
            )
        except NoTermsError:
            return self
        same = all(np.array_equal(a, b) for a, b in zip(made.constant, self.constant, strict=True))
        return made if same else self

    def _read(self, part: Multiplied, inputs: Sequence[UOp]) -> Term:
        """The entries of a block as they are read off its products."""
        block, pattern, how, _ = part
        tables = self.extraction.tables
        found = nonzeros(products([block.node], inputs, how), how)
        at = tables.iota(pattern.nnz) if how.elements is None else tables.of(how.elements)
        coefficient = self.extraction.values.leaf(found, at)
        return Term(tables.of(block.rows[pattern.rows]), tables.of(pattern.cols), coefficient)

    def _places(self, pattern: SparsityPattern, start: int) -> list[tuple[Term, Places]]:
        """The terms of a matrix, and where their elements are among its values; -1 for what is no entry."""
        found = zip(self.terms, Entries(pattern, start).places(self.terms), strict=True)
        return [(t, to) for t, to in found if (to >= 0).any()]  # not a term of the other triangle alone

    @cached_property
    def constant(self) -> list[NDArray[np.bool_]]:
        """Which entries of each matrix are the same at every point."""
        found = []
        for pattern, writes in zip(self.patterns, self.writes, strict=True):
            fixed = np.ones(pattern.nnz, np.bool_)
            for term, to in writes:
                if not self._is_constant(term):
                    fixed[alive(to)] = False
            found.append(fixed)
        return found

    def _is_constant(self, term: Term) -> bool:
        return self.extraction.values.is_constant(term.coefficient)

    def fixed(self) -> list[NDArray[Any]]:
        """The constant values of each matrix, and zero elsewhere."""
        found = []
        for pattern, writes, constant in zip(self.patterns, self.writes, self.constant, strict=True):
            data = np.zeros(pattern.nnz, self.dtype.numpy)
            for term, to in (w for w in writes if self._is_constant(w[0])):
                here = np.flatnonzero((to >= 0) & constant[to])
                if len(here):
                    values = numbers(term.coefficient, len(term), self.extraction.values, self.dtype)
                    np.add.at(data, to[here], values[here])
            found.append(data)
        return found

    @cached_property
    def cost(self) -> int:
        """Operations on elements in one evaluation of what varies, and of what that reads of the function itself."""
        writes = [t for part in self.writes for t, _ in part if not self._is_constant(t)]
        made = self.extraction
        arrays = sum(operations(t for x in group for t, _ in x.writes) for group in groups(made.temporaries.made))
        products = sum(m.cost for m in self.multiplied)
        own = arrays + made.products.cost + made.loops.cost + operations(writes) + products
        return own + evaluated(self._read_of_function(writes))

    def _read_of_function(self, writes: Sequence[Term]) -> list[UOp]:
        """What is read as arrays of the function and of the factors of its tangent."""
        leaves, made = self.extraction.values.leaves, self.extraction.temporaries.made
        terms = [*writes, *(t for laid in made for t, _ in laid.writes)]
        read = {leaves[u].source for u in toposort([t.coefficient for t in terms]) if u in leaves}
        return [u for u in self.extraction.order if u in read]

    @property
    def expressions(self) -> int:
        """Nodes of all expressions: statements that are compiled."""
        made = self.extraction.temporaries.made
        writes = [*(w for part in self.writes for w in part), *(w for x in made for w in x.writes)]
        return len(toposort([t.coefficient for t, _ in writes]))

    def values(self) -> list[UOp]:
        """All values of each matrix, as vectors."""
        return [self._vector(k, None) for k in range(len(self.patterns))]

    def varying(self, k: int) -> UOp:
        """The values of a matrix that are not constant, of which there are some; what else is in the vector does not
        matter.
        """
        return self._vector(k, self.constant[k])

    def _vector(self, k: int, left_out: NDArray[np.bool_] | None) -> UOp:
        size, writes = self.patterns[k].nnz, self.writes[k]
        base = empty(size, self.dtype)
        if left_out is not None:
            if left_out.any():
                writes = [(t, _without(to, left_out)) for t, to in writes if len(t)]
            return self._filled(base, self._known(writes, size), k)
        written = np.zeros(size, np.bool_)
        for _, to in writes:
            written[alive(to)] = True
        if not written.all():
            base = B.full((size,), self.dtype, 0)
        return self._filled(base, self._known(writes, size), k)

    def _known(self, writes: list[tuple[Term, Places]], size: int) -> list[tuple[Term, Places]]:
        """The writes without those that go nowhere, and without work on what is the same at every point: one array.

        A number that no other constant is added to stays one, which takes no memory.
        """
        constant = [self._is_constant(t) for t, _ in writes]
        if not any(constant):
            return [w for w in writes if (w[1] >= 0).any()]
        times = counted((alive(to) for _, to in compress(writes, constant)), size)
        left: list[tuple[Term, Places]] = []
        total, known = np.zeros(size, self.dtype.numpy), np.zeros(size, np.bool_)
        for (term, to), same in zip(writes, constant, strict=True):
            live = to >= 0
            if not live.any():
                continue
            if not same or (term.coefficient.op is Ops.CONST and bool((times[to[live]] == 1).all())):
                left.append((term, to))
                continue
            np.add.at(total, to[live], numbers(term.coefficient, len(term), self.extraction.values, self.dtype)[live])
            known[to[live]] = True
        if not known.any():
            return left
        tables, places = self.extraction.tables, np.flatnonzero(known).astype(np.int32)
        array = self.extraction.values.leaf(buffer(total[places]), tables.iota(len(places)))
        return [(Term(tables.of(places), tables.of(places), array), places), *left]

    def _filled(self, base: UOp, writes: Sequence[tuple[Term, Places]], k: int) -> UOp:
        made, entries = self.extraction, (self.patterns[k].rows, self.patterns[k].cols)
        whole = made.emission.filled(base, writes, self.dtype, entries)
        (found,) = joined([whole], made.temporaries.made, made.emission)
        return found


def _without(to: Places, left_out: NDArray[np.bool_]) -> Places:
    """Places without those that are left out."""
    out = left_out[to]
    return np.where(out, np.int32(-1), to) if out.any() else to
