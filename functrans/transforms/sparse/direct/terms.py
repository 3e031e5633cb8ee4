"""Terms: parts of a Jacobian, each an index space with a row, a column and one expression for all its elements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.transforms.sparse.direct.expressions import add
from functrans.transforms.sparse.direct.tables import Table
from functrans.transforms.sparse.direct.values import Values


@dataclass(frozen=True)
class Term:
    """Element k adds ``coefficient`` at k to the entry (rows[k], cols[k]), or nothing where its row is -1."""

    rows: Table
    cols: Table
    coefficient: UOp

    def __len__(self) -> int:
        return len(self.rows)


class Terms:
    """What is done to terms, whatever the op.

    values : the expressions of the plan, and its tables
    """

    def __init__(self, values: Values) -> None:
        self.values, self.tables = values, values.tables

    def taken(self, term: Term, places: NDArray[np.intp]) -> Term:
        """The elements of a term at some places, as a term over a space of their own."""
        t = self.tables
        at = t.of(places)
        return Term(t.of(term.rows.at[places]), t.of(term.cols.at[places]), self.values.moved(term.coefficient, at))

    def moved(self, term: Term, to: Table) -> Term | None:
        """The term with its rows mapped, each to one place or to nowhere; None where nothing is left of it."""
        rows = self.tables.composed(to, term.rows)
        return self.compact(Term(rows, term.cols, term.coefficient))

    def compact(self, term: Term) -> Term | None:
        """Without its dead elements, where they are many or no work is lost by it."""
        live = term.rows.alive
        if live is None:
            return term if len(term) else None
        count = int(np.count_nonzero(live))
        if not count:
            return None
        if 2 * count >= len(term) and term.coefficient.op is not Ops.CONST:
            return term
        return self.taken(term, np.flatnonzero(live))

    def joined(self, term: Term, source: Table) -> Term | None:
        """The rows of the term read by every element of a result: result k has the row source[k]."""
        rows = term.rows
        if rows.distinct:
            entry = self.tables.composed(self.tables.inverse(rows, self._height(source, rows)), source)
            here = np.arange(len(entry)) if entry.alive is None else np.flatnonzero(entry.alive)
            found: NDArray[np.intp] = entry.at[here].astype(np.intp)
        else:
            here, found = _pairs(rows, source)
        if not len(here):
            return None
        part = self.taken(term, found)
        return Term(self.tables.of(here), part.cols, part.coefficient)

    def _height(self, source: Table, rows: Table) -> int:
        return 1 + int(max(source.at.max(initial=0), rows.at.max(initial=0)))

    def merged(self, terms: Iterable[Term]) -> list[Term]:
        """Terms of the same entries added up. Linear in the entries, but for sorting what is not in order."""
        found: dict[tuple[Table, Table], Term] = {}
        for term in terms:
            key = (term.rows, term.cols)
            if key not in found:
                key, term = self._in_order(term)
            other = found.get(key)
            found[key] = term if other is None else Term(*key, add(other.coefficient, term.coefficient))
        return list(found.values())

    def _in_order(self, term: Term) -> tuple[tuple[Table, Table], Term]:
        """The term by rows, if that costs no work: its coefficient is one constant."""
        rows = term.rows
        if term.coefficient.op is not Ops.CONST or rows.increasing:
            return (rows, term.cols), term
        order = np.lexsort((term.cols.at, rows.at))
        order = order[rows.at[order] >= 0]
        term = self.taken(term, order)
        return (term.rows, term.cols), term


def _pairs(rows: Table, source: Table) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Every pair (k, e) of a result element k and an entry e of the row that it reads."""
    order = np.argsort(rows.at, kind="stable")
    in_order = rows.at[order]
    wanted = np.flatnonzero(source.at >= 0)
    low = np.searchsorted(in_order, source.at[wanted], "left")
    count = np.searchsorted(in_order, source.at[wanted], "right") - low
    here = np.repeat(wanted, count)
    first = np.cumsum(count) - count
    found = order[np.arange(len(here)) - np.repeat(first - low, count)]
    return here, found



def is_constant(term: Term, values: Values) -> bool:
    """Whether the entries are the same at every point."""
    return values.is_constant(term.coefficient)
