"""Terms: parts of a Jacobian, each an index space with a row, a column and one expression for all its elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._records import record
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.direct.expressions import add
from functrans.transforms.sparse.direct.spaces import SHORT
from functrans.transforms.sparse.direct.tables import Places, Table
from functrans.transforms.sparse.direct.values import NoTermsError, Values, weight

CONSTANT_RATIO = 4  # elements per entry, from which on a constant drops its dead elements
COMPUTED_RATIO = 16  # the same for what is computed, which may share its work with other terms of its space
ZEROS_RATIO = 16  # elements for each that is not known to be zero: up to there terms of one space stay together
ZEROS_IN_CONSTANTS = 8  # the same for what is constant so far


@record
class Term:
    """Element k adds ``coefficient`` at k to the entry (rows[k], cols[k]), or nothing where its row is -1.

    among : the rows before elements were left out in which the coefficient is known to be zero; None where none were.
        Terms that differ in what was left out are added up all the same.
    """

    rows: Table
    cols: Table
    coefficient: UOp
    among: Table | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def every(self) -> Table:
        """The rows, those that were left out as zeros too: the coefficient holds in all of them."""
        return self.among or self.rows


class Terms:
    """What is done to terms, whatever the op.

    values : the expressions of the plan, and its tables
    limit : entries of one node from which on it is given up

    Attributes
    ----------
    again : nodes of expressions that were written down once more, at other places, to be added up
    """

    def __init__(self, values: Values, limit: int) -> None:
        self.values, self.tables, self.limit = values, values.tables, limit
        self.again = 0

    def taken(self, term: Term, places: NDArray[Any]) -> Term:
        """The elements of a term at some places, as a term over a space of their own."""
        return self._taken(term, self.tables.of(places))

    def _taken(self, term: Term, at: Table) -> Term:
        t = self.tables
        rows, among = t.composed(term.rows, at), t.composed(term.every, at)
        coefficient = self.values.moved(term.coefficient, at)
        return Term(rows, t.composed(term.cols, at), coefficient, None if among is rows else among)

    def renamed(self, term: Term, to: Table) -> Term:
        """The term with its rows mapped, elements that go nowhere among them."""
        among = None if term.among is None else self.tables.composed(to, term.among)
        return Term(self.tables.composed(to, term.rows), term.cols, term.coefficient, among)

    def moved(self, term: Term, to: Table, size: int) -> Term | None:
        """The term with its rows mapped, each to one of ``size`` places or to nowhere; None where nothing is left."""
        return self.compact(self.renamed(term, to), size)

    def compact(self, term: Term, size: int) -> Term | None:
        """The term of a node of so many elements without most of what is dead in it; None where nothing is left.

        A constant is moved freely: where it meets many elements, the index space is that of the elements themselves,
        so that terms of one node are over one space.
        """
        live = term.rows.alive
        count = len(term) if live is None else int(np.count_nonzero(live))
        if not count:
            return None
        if term.coefficient.op is Ops.CONST and term.rows.distinct:
            if CONSTANT_RATIO * count >= size:
                return self._spread(term, size)
            if live is None and term.rows.increasing:
                return term
            order = np.argsort(term.rows.at, kind="stable")
            return self.taken(term, order[len(term) - count :])
        reached = count if term.among is None else int(np.count_nonzero(term.every.at >= 0))
        if COMPUTED_RATIO * reached >= len(term):
            return term
        return self.taken(term, np.flatnonzero(term.every.at >= 0))

    def without(self, term: Term, zeros: NDArray[np.bool_]) -> Term | None:
        """A term that is about to be multiplied by zeros in some rows of its node; None where nothing is left."""
        rows = self.tables.of(np.where(zeros.reshape(-1)[term.rows.at], np.int32(-1), term.rows.at))
        live = np.flatnonzero(rows.at >= 0)
        if not len(live):
            return None
        left = Term(rows, term.cols, term.coefficient, None if rows is term.every else term.every)
        ratio = ZEROS_IN_CONSTANTS if term.coefficient.op is Ops.CONST else ZEROS_RATIO
        return left if ratio * len(live) >= len(term) else self.taken(left, live)

    def _spread(self, term: Term, size: int) -> Term:
        """A constant term over the elements of its node, those that it has not being dead."""
        if term.rows.is_identity and len(term) == size:
            return term
        entry = self.tables.inverse(term.rows, size)
        rows = np.where(entry.at >= 0, np.arange(size), -1)
        cols = np.where(entry.at >= 0, term.cols.at[entry.at], np.int32(0))
        return Term(self.tables.of(rows), self.tables.of(cols), term.coefficient)

    def apart(self, term: Term) -> list[Term]:
        """The entries of a term that share a row in terms of their own, if that takes a few."""
        rows = term.rows
        if rows.distinct:
            return [term]
        order = np.argsort(rows.at, kind="stable")
        order = order[np.count_nonzero(rows.at < 0) :]
        here = rows.at[order]
        starts = np.flatnonzero(np.concatenate([[True], here[1:] != here[:-1]]))
        counts = np.diff(starts, append=len(here))
        most = int(counts.max())
        if most > SHORT or most * len(starts) > 2 * len(here):
            return [term]
        rank = np.arange(len(here)) - np.repeat(starts, counts)
        return [self.taken(term, order[rank == k]) for k in range(most)]

    def joined(self, term: Term, source: Table) -> Term | None:
        """The rows of the term read by every element of a result: result k has the row source[k]."""
        rows, size = term.every, len(source)
        if rows.distinct:
            t = self.tables
            back = t.inverse(rows, 1 + max(source.highest, rows.highest))
            if term.coefficient.op is not Ops.CONST and (few := self._few(back, source)) is not None:
                return self._read_by(term, *few)
            entry = t.composed(back, source)
            if entry.is_nowhere:
                return None
            here = t.once(("read", entry), None, lambda: t.of(np.where(entry.at >= 0, t.iota(size).at, np.int32(-1))))
            part = self._taken(term, t.somewhere(entry, len(term)))
            among = None if part.among is None else here
            left = here if among is None else self.tables.of(np.where(part.rows.at >= 0, here.at, np.int32(-1)))
            return self.compact(Term(left, part.cols, part.coefficient, among), size)
        rows = term.rows
        pairs, found = self._pairs(rows, source)
        if not len(pairs):
            return None
        part = self.taken(term, found)
        return Term(self.tables.of(pairs), part.cols, part.coefficient)

    def _few(self, back: Table, source: Table) -> tuple[Places, Places] | None:
        """The elements that read an entry, and which one, where they are few: no list of all elements is made."""
        live = source.alive
        if live is None or COMPUTED_RATIO * np.count_nonzero(live) >= len(source):
            return None
        here = np.flatnonzero(live).astype(np.int32)
        entry = back.at[source.at[here]]
        there = entry >= 0
        return here[there], entry[there]

    def _read_by(self, term: Term, here: Places, entry: Places) -> Term | None:
        """The entries of a term read by some elements of a result: what `compact` leaves where they are few."""
        if not len(here):
            return None
        part, among = self._taken(term, self.tables.of(entry)), self.tables.of(here)
        if part.among is None:
            return Term(among, part.cols, part.coefficient)
        rows = self.tables.of(np.where(part.rows.at >= 0, here, np.int32(-1)))
        return None if rows.is_nowhere else Term(rows, part.cols, part.coefficient, among)

    def by_rows(self, term: Term, size: int) -> Term:
        """The term over the elements of its node, in their order; as it is where rows repeat or most have no entry."""
        rows = term.every
        live = int(np.count_nonzero(rows.at >= 0))
        if (rows.is_identity and len(rows) == size) or not rows.distinct or 2 * live < size:
            return term
        found = self.joined(term, self.tables.iota(size))
        return term if found is None else found

    def merged(self, terms: Iterable[Term]) -> list[Term]:
        """Terms of the same entries added up, in whatever order they have them. Linear in the entries."""
        found: dict[tuple[Table, Table], Term] = {}
        for term in terms:
            key = (term.every, term.cols)
            other = found.get(key)
            found[key] = term if other is None else self._added(other, term.rows, term.coefficient)
        if len(found) < 2:
            return list(found.values())
        made: dict[tuple[Table, Table], Term] = {}
        for term in found.values():
            key = self._by_row(term)[0]
            other = made.get(key)
            made[key] = term if other is None else self._sum(other, term)
        return list(made.values())

    def _by_row(self, term: Term) -> tuple[tuple[Table, Table], Table]:
        """What entries a term has, by rows, and which of its elements has each; as they stand where rows repeat."""
        rows, t = term.every, self.tables
        if rows.increasing or not rows.distinct:
            return (rows, term.cols), t.iota(len(term))
        order = t.once(("by row", rows), None, lambda: t.of(_live_by_row(rows)))
        return (t.composed(rows, order), t.composed(term.cols, order)), order

    def _sum(self, a: Term, b: Term) -> Term:
        """The sum of terms of the same entries, over the elements of the one that takes more operations."""
        if weight(b.coefficient) > weight(a.coefficient):
            a, b = b, a
        first, order = self._by_row(a)[1], self._by_row(b)[1]
        place = self.tables.composed(order, self.tables.inverse(first, len(a)))
        at = self.tables.somewhere(place, len(b))
        if not at.is_identity:
            self.again += len(toposort((b.coefficient,)))
        rows = self.tables.of(b.rows.at[at.at])
        return self._added(a, rows, self.values.moved(b.coefficient, at))

    def _added(self, a: Term, rows: Table, coefficient: UOp) -> Term:
        """A term and another of the same rows among which they are and the same columns."""
        rows = self.union(a.rows, rows, a.every)
        return Term(rows, a.cols, add(a.coefficient, coefficient), None if rows is a.every else a.every)

    def union(self, a: Table, b: Table, every: Table) -> Table:
        """What is in one of two tables, out of every row."""
        if a is b:
            return a
        return self.tables.of(np.where((a.at >= 0) | (b.at >= 0), every.at, np.int32(-1)))

    def _pairs(self, rows: Table, source: Table) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Every pair (k, e) of a result element k and an entry e of the row that it reads."""
        order = np.argsort(rows.at, kind="stable")
        in_order = rows.at[order]
        wanted = np.flatnonzero(source.at >= 0)
        low = np.searchsorted(in_order, source.at[wanted], "left")
        count = np.searchsorted(in_order, source.at[wanted], "right") - low
        total = int(count.sum())
        if total > self.limit:
            raise NoTermsError(f"a broadcast repeats nonzeros until there are {total}, more than {self.limit}")
        here = np.repeat(wanted, count)
        first = np.cumsum(count) - count
        found = order[np.arange(total) - np.repeat(first - low, count)]
        return here, found


def _live_by_row(rows: Table) -> NDArray[np.intp]:
    order = np.argsort(rows.at, kind="stable")
    return order[np.count_nonzero(rows.at < 0) :]


def is_constant(term: Term, values: Values) -> bool:
    """Whether the entries are the same at every point."""
    return values.is_constant(term.coefficient)


def operations(terms: Iterable[Term]) -> int:
    """Operations on elements that the coefficients of terms take, and their stores: what they share counts once.

    Elements that none of the terms of a space has are left out, as they are when it is computed.
    """
    spaces: dict[int, list[Term]] = {}
    for t in terms:
        spaces.setdefault(len(t), []).append(t)
    total = 0
    for part in spaces.values():
        roots = [t.coefficient for t in part]
        live = int(np.count_nonzero(np.logical_or.reduce([t.rows.at >= 0 for t in part])))
        total += live * (sum(map(_is_operation, toposort(roots))) + len(roots))
    return total


def _is_operation(node: UOp) -> bool:
    """Whether a node computes with numbers: conditions of conditions and casts are nothing beside."""
    return node.op is not Ops.CAST and any(s.dtype.kind != "b" for s in node.src)
