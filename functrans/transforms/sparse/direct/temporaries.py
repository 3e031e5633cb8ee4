"""Parts of a Jacobian that are computed into arrays, from which the terms go on: an entry then costs a read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import UOp
from functrans.transforms.sparse.direct.emission import Emission, empty
from functrans.transforms.sparse.direct.joining import Laid
from functrans.transforms.sparse.direct.numbers import numbers
from functrans.transforms.sparse.direct.stores import Places
from functrans.transforms.sparse.direct.terms import Term, Terms, operations
from functrans.transforms.sparse.direct.values import MIN_ADDITIONS, costs

MAX_UNSTORED_ENTRIES = 64  # that are never worth an array
TIMES = 2  # as many entries of terms as of the matrix: from there on they are added up before they are read again
MAX_UNSTORED_NODES = 48  # of an expression that may be written down twice


class Temporaries:
    """The arrays of one plan.

    carriers, emission : of the plan's terms
    columns : of the whole matrix

    Attributes
    ----------
    cost : operations on elements that the arrays take
    made : those that are computed, as they were made
    """

    def __init__(self, carriers: Terms, emission: Emission, columns: int) -> None:
        self.carriers, self.values, self.tables = carriers, carriers.values, carriers.tables
        self._emission, self._columns = emission, columns
        self.cost = 0
        self.made: list[Laid] = []

    def keys(self, term: Term) -> NDArray[np.int64]:
        """Row and column of each entry as one number."""
        live = term.rows.alive
        rows, cols = (a if live is None else a[live] for a in (term.rows.at, term.cols.at))
        return rows.astype(np.int64) * self._columns + cols

    def entries(self, terms: Sequence[Term]) -> NDArray[np.int64]:
        """The distinct keys of terms, ascending."""
        keys = np.concatenate([self.keys(t) for t in terms])
        if not np.all(keys[1:] > keys[:-1]):
            keys.sort()  # much faster than np.unique, which hashes
            keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
        return keys

    def shortened(self, terms: Sequence[Term], dtype: DType) -> list[Term]:
        """Terms that are about to be read several times, with no more than about the entries that there are.

        The sum of a few elements is told apart into as many terms, which merge where they meet; what is left over of
        repetitions is added up in an array.
        """
        if len(terms) <= TIMES and all(t.rows.distinct for t in terms):
            return list(terms)
        told = self.carriers.merged(p for t in terms for p in self.carriers.apart(t))
        count = sum(len(t) if t.rows.alive is None else int(np.count_nonzero(t.rows.alive)) for t in told)
        if count <= MAX_UNSTORED_ENTRIES:
            return told
        entries = self.entries(told)
        return [self._collapsed(told, entries, dtype)] if count > TIMES * len(entries) else told

    def _collapsed(self, terms: Sequence[Term], entries: NDArray[np.int64], dtype: DType) -> Term:
        """One term for all, over its entries in the order of rows."""
        to = []
        for t in terms:
            places = np.full(len(t), -1, np.int32)
            places[t.rows.at >= 0] = np.searchsorted(entries, self.keys(t))
            to.append(places)
        values = self.laid(terms, to, len(entries), dtype)
        rows, cols = np.divmod(entries, self._columns)
        at = self.tables.iota(len(entries))
        return Term(self.tables.of(rows), self.tables.of(cols), self.values.leaf(values, at))

    def laid(self, terms: Sequence[Term], to: Sequence[Places], size: int, dtype: DType) -> UOp:
        """An array of so many sums of coefficients: each term's at the places it is given, -1 for nowhere."""
        if all(self.values.is_constant(t.coefficient) for t in terms):
            data = np.zeros(size, dtype.numpy)
            for t, places in zip(terms, to, strict=True):
                live = places >= 0
                np.add.at(data, places[live], numbers(t.coefficient, len(t), self.values, dtype)[live])
            return buffer(data)
        self.cost += operations(terms)
        hit = np.zeros(size, np.bool_)
        for places in to:
            hit[places[places >= 0]] = True
        base = empty(size, dtype) if hit.all() else B.full((size,), dtype, 0)
        writes = tuple(zip(terms, to, strict=True))
        self.made.append(Laid(self._emission.filled(base, writes, dtype), writes, bool(hit.all())))
        return self.made[-1].array

    def kept(self, terms: Sequence[Term], dtype: DType, heavy: bool) -> list[Term]:
        """The terms with long coefficients in arrays, entry by entry; ``heavy``: and those worth more than a read."""
        chosen = [t for t in terms if self._is_kept(t.coefficient, heavy)]
        if not chosen:
            return list(terms)
        kept = [self._living(t) for t in chosen]
        ends = np.cumsum([0, *map(len, kept)])
        places = [np.arange(a, b, dtype=np.int32) for a, b in pairwise(ends)]
        values = self.laid(kept, places, int(ends[-1]), dtype)
        new = {
            t: Term(k.rows, k.cols, self.values.leaf(values, self.tables.of(p)))
            for t, k, p in zip(chosen, kept, places, strict=True)
        }
        return [new.get(t, t) for t in terms]

    def _living(self, term: Term) -> Term:
        """A term without its dead elements, in the order of the array that it reads, if there is one of its size."""
        live = term.rows.alive
        term = term if live is None else self.carriers.taken(term, np.flatnonzero(live))
        read = [self.values.leaves[u] for u in self.values.read_in(term.coefficient)]
        whole = [at for source, at in read if source.size == len(term) and at.alive is None and at.distinct]
        if not whole or any(at.is_identity for at in whole):
            return term
        return self.carriers.taken(term, np.argsort(whole[0].at))

    def _is_kept(self, coefficient: UOp, heavy: bool) -> bool:
        if self.values.is_constant(coefficient):
            return False
        return _is_long(coefficient) or (heavy and costs((coefficient,), MIN_ADDITIONS))


def _is_long(expression: UOp) -> bool:
    """Whether an expression has more nodes than may be written down twice; no more of them are looked at."""
    seen = {expression}
    todo = [expression]
    while todo and len(seen) <= MAX_UNSTORED_NODES:
        new = [s for s in dict.fromkeys(todo.pop().src) if s not in seen]
        seen.update(new)
        todo += new
    return len(seen) > MAX_UNSTORED_NODES
