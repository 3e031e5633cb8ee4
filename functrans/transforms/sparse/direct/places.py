"""Where the elements of terms go among the entries of a pattern.

Elements of neighboring terms mostly go side by side: those of a finite element, of a cell or of a stage by the next
unknown of the same node. So a few elements of each term are looked up; where another term of the same rows or columns
is as far away at most of them it says where all the others should be, and the pattern says whether they are. What is
elsewhere is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from functrans.transforms.sparse.direct.tables import Places, Table
from functrans.transforms.sparse.direct.terms import Term
from functrans.transforms.sparse.pattern import SparsityPattern

_SAMPLES = 16  # elements of a term that are looked up before


class Entries:
    """The entries of a pattern, by row, or by column where it is in that order.

    start : the first column that is the pattern's among those of the terms
    """

    def __init__(self, pattern: SparsityPattern, start: int) -> None:
        self._by_column, self._first = pattern.format == "csc", start
        self._pointer, self._minor = pattern.indptr, pattern.indices
        self._most = int(np.diff(self._pointer).max(initial=0))

    def places(self, terms: Sequence[Term]) -> list[Places]:
        """For each term where its elements go; -1 for what is no entry."""
        if not (terms and len(self._minor)):
            return [np.full(len(t), -1, np.int32) for t in terms]
        some = self._of_samples(terms)
        made: list[Places] = []
        known: dict[tuple[bool, Table], list[int]] = {}
        for k, term in enumerate(terms):
            major, minor = self._ordered(term.rows, term.cols)
            to = None
            for same in ((True, major), (False, minor)):
                others = known.setdefault(same, [])
                if to is None and others:
                    to = self._beside(terms, k, others, some, made)
                others.append(k)
            made.append(self._searched(*self._of(term)) if to is None else to)
        return made

    def _beside(
        self, terms: Sequence[Term], k: int, others: Sequence[int], some: Places, made: Sequence[Places]
    ) -> Places | None:
        """The places of a term by those of the one of the others that most of its samples are as far from."""
        mine, theirs = some[k], some[others]
        both = (mine >= 0) & (theirs >= 0)
        away = mine - theirs
        first = away[np.arange(len(others)), np.argmax(both, axis=1)]
        agree = np.count_nonzero(both & (away == first[:, None]), axis=1)
        best = int(np.argmax(agree))
        if 2 * int(agree[best]) <= int(np.count_nonzero(mine >= 0)):
            return None
        (major, minor), (beside, _) = self._of(terms[k]), self._of(terms[others[best]])
        begin = self._pointer.take(major, mode="clip")
        to: Places = made[others[best]] + first[best]
        if beside is not major:
            to += begin
            to -= self._pointer.take(beside, mode="clip")
        wrong = self._minor.take(to, mode="clip") != minor
        wrong |= to < begin
        wrong |= to >= self._pointer.take(major + np.int32(1), mode="clip")
        there = np.flatnonzero(wrong)
        to[there] = self._searched(major[there], minor[there])
        return to

    def _of_samples(self, terms: Sequence[Term]) -> Places:
        """How far from the begin of its row some elements of each term are; -1 for what is no entry."""
        at = [np.linspace(0, len(t) - 1, _SAMPLES).astype(np.intp) if len(t) else None for t in terms]
        ends = [
            [np.full(_SAMPLES, -1, np.int32) if k is None else table.at[k] for table, k in zip(tables, at, strict=True)]
            for tables in zip(*(self._ordered(t.rows, t.cols) for t in terms), strict=True)
        ]
        major, minor = (self._shifted(np.concatenate(e), c) for e, c in zip(ends, self._are_columns, strict=True))
        to = self._searched(major, minor)
        to = np.where(to < 0, to, to - self._pointer.take(major, mode="clip"))
        return to.reshape(len(terms), _SAMPLES)

    def _searched(self, major: Places, minor: Places) -> Places:
        """Where entries are, by halving rows; -1 for what is none."""
        low, end = self._pointer.take(major, mode="clip"), self._pointer.take(major + np.int32(1), mode="clip")
        high = end
        for _ in range(self._most.bit_length()):
            middle = low + ((high - low) >> 1)
            less = (self._minor.take(middle, mode="clip") < minor) & (low < high)
            low, high = np.where(less, middle + np.int32(1), low), np.where(less, high, middle)
        return np.where((low < end) & (self._minor.take(low, mode="clip") == minor), low, np.int32(-1))

    def _ordered(self, rows: Table, cols: Table) -> tuple[Table, Table]:
        return (cols, rows) if self._by_column else (rows, cols)

    @property
    def _are_columns(self) -> tuple[bool, bool]:
        return self._by_column, not self._by_column

    def _shifted(self, at: Places, columns: bool) -> Places:
        return at - np.int32(self._first) if columns and self._first else at

    def _of(self, term: Term) -> tuple[Places, Places]:
        """Rows and columns of the elements, what the pattern is in the order of first."""
        major, minor = self._ordered(term.rows, term.cols)
        return self._shifted(major.at, self._by_column), self._shifted(minor.at, not self._by_column)
