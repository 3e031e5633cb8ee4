"""Patterns of a loop whose rounds are all alike: that of one round, followed as a matrix, and put where it belongs.

What a round does to small changes is one boolean matrix, found once. What carries depend on after so many rounds is
given by powers of it, which end in a fixed point (or a cycle) after few of them; the rest is arithmetic on row numbers.

Source: boolean forward propagation as in Griewank and Walther, Evaluating Derivatives, section 7.1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.transforms.sparse.powers import powers
from functrans.transforms.sparse.room import check_room
from functrans.transforms.sparse.rows import Rows, unite_groups

Ids = NDArray[np.int64]


class Round(NamedTuple):
    """The pattern of one round: what carries and stacked outputs are made of, by carries, elements and constants.

    carries, stacked : boolean matrices, whose columns are carries, elements and constants laid end to end
    ends : of the carries and of the elements among the columns
    """

    carries: Any
    stacked: list[Any]
    ends: tuple[int, int]

    def parts(self, matrix: Any) -> tuple[Any, Any, Any]:
        """By carries, by elements, by constants; the last beside as many columns as there are carries."""
        a, b = self.ends
        aside = scipy_sparse.csr_array((matrix.shape[0], a), dtype=np.bool_)
        return matrix[:, :a], matrix[:, a:b], scipy_sparse.hstack([aside, matrix[:, b:]], format="csr")


class Given(NamedTuple):
    """Row numbers of what a loop is given: of carries before the first round, of the elements of each round (a line for
    each, in their order), of constants; and the table.
    """

    carries: Ids
    elements: Ids
    constants: Ids
    rows: Rows


class Recurrence:
    """The patterns of a loop of so many rounds, of which there are some, given the pattern of a round.

    Linear in the rounds that differ and in the entries of the result.
    """

    def __init__(self, round_: Round, given: Given, length: int) -> None:
        self._round, self._given, self._length = round_, given, length
        self._fixed = np.append(given.carries, given.constants)
        step, elements, constants = round_.parts(round_.carries)
        alive = np.flatnonzero(given.carries)
        own = scipy_sparse.csr_array((np.ones(len(alive), np.bool_), (alive, alive)), constants.shape)
        self._by_fixed = powers(step, own, length + 1, constants)
        self._by_lag = powers(step, elements, length)
        _, first = np.unique(given.elements, axis=0, return_index=True)
        self._new = np.sort(first)  # rounds whose elements depend on other columns than those before

    def ended(self) -> tuple[Rows, Any]:
        """The rows of carries after the last round."""
        last = np.array([self._length - 1])
        found = [self._of_fixed(self._by_fixed[self._length], np.zeros(1, np.int64))]
        for item, lags in self._by_lag.numbered(self._length):
            _, element = self._reads(lags, last)
            found.append(self._of_elements(item, np.zeros(len(element), np.int64), element))
        return self._united(found, self._round.carries.shape[0])

    def stacked(self, k: int) -> tuple[Rows, Any]:
        """The rows of a stacked output, round by round."""
        n = self._length
        step, elements, constants = self._round.parts(self._round.stacked[k])
        every = np.arange(n)
        found = [self._of_elements(elements, every, every)]
        for item, times in self._by_fixed.numbered(n):
            found.append(self._of_fixed(step @ item + constants, np.asarray(times)))
        for item, lags in self._by_lag.numbered(n - 1):
            made = step @ item
            if made.nnz:
                later = range(lags.start + 1, lags.stop + 1, lags.step)
                found.append(self._of_elements(made, *self._reads(later, every)))
        return self._united(found, n * step.shape[0])

    def _reads(self, lags: range, times: Ids) -> tuple[Ids, Ids]:
        """Pairs of a time, the round of one of these times, and a round before it by one of the lags.

        Of lags without an end, one for each, a round is left out whose elements depend on no more than those before.
        """
        if len(lags) > 1 and lags.step == 1:
            rounds = self._new
            begin = np.searchsorted(times, rounds + lags.start)
            counts = len(times) - begin
            check_room(int(counts.sum()))
            return _ranged(times, begin, counts), np.repeat(rounds, counts)
        steps = np.asarray(lags, np.int64)
        begin = np.searchsorted(times, steps)
        counts = len(times) - begin
        check_room(int(counts.sum()))
        time = _ranged(times, begin, counts)
        return time, time - np.repeat(steps, counts)

    def _of_fixed(self, matrix: Any, times: Ids) -> tuple[Ids, Ids]:
        m = matrix.tocoo()
        check_room(len(times) * m.nnz)
        rows = times[:, None] * matrix.shape[0] + m.row
        return rows.reshape(-1), np.broadcast_to(self._fixed[m.col], rows.shape).reshape(-1)

    def _of_elements(self, matrix: Any, times: Ids, elements: Ids) -> tuple[Ids, Ids]:
        m = matrix.tocoo()
        check_room(len(times) * m.nnz)
        rows = times[:, None] * matrix.shape[0] + m.row
        return rows.reshape(-1), self._given.elements[elements[:, None], m.col].reshape(-1)

    def _united(self, found: list[tuple[Ids, Ids]], size: int) -> tuple[Rows, Any]:
        rows, ids = (np.concatenate(parts) for parts in zip(*found, strict=True))
        there = np.flatnonzero(ids)
        order = there[np.argsort(rows[there], kind="stable")]
        which, start = np.unique(rows[order], return_index=True)
        at = np.zeros(size, np.int32)
        if not len(which):
            return self._given.rows, at
        made, numbers = unite_groups(self._given.rows, ids[order].astype(np.int32), start)
        at[which] = numbers
        return made, at


def _ranged(values: Ids, begin: Ids, counts: Ids) -> Ids:
    """From each beginning so many values, one behind the other."""
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    found: Ids = values[np.repeat(begin, counts) + within]
    return found
