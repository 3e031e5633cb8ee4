"""Entries that are sums of elements here and there, without adding to memory.

All elements are computed into one list; each entry then reads what it is made of. So nothing is read that was just
written, elements that go nowhere are never moved, and the order of the elements is free: it is chosen so that the k-th
addends of many entries stand in a row, and whole vectors of sums are made of vectors (jagged diagonals: Saad,
Iterative Methods for Sparse Linear Systems (2003), section 3.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
MIN_LOOP_ENTRIES = 8  # that are worth a loop of their own
MAX_ADDENDS = 16  # that are written out
MAX_LOOPS = 32  # of such sums in one plan


class Sum(NamedTuple):
    """Entries made alike: row p of ``at`` says where the p-th addend of each is in the list."""

    places: Places
    at: Places


class Sums(NamedTuple):
    """How the entries are made of the list.

    places, first : entries, and what each is set to, before all else; for those in ``alike`` it does not matter
    alike : entries that are set to a sum
    rest : entries, and what is added to each in the end, one after the other
    """

    places: Places
    first: Places
    alike: tuple[Sum, ...]
    rest: Sum


def in_turn(coefficients: Sequence[Places]) -> NDArray[np.intp]:
    """The order of the elements of an index space in which the k-th addends of as many entries as possible are in a
    row.

    coefficients : the entry to which each element goes, for each coefficient; -1 for nowhere
    """
    size = len(coefficients[0])
    entry = np.full(size, -1, np.int64)
    alive = np.zeros(size, np.int64)
    several = sorted(filter(_repeats, coefficients), key=lambda to: -int(np.count_nonzero(to >= 0)))
    for k, to in enumerate(several):
        entry = np.where((entry < 0) & (to >= 0), to, entry)
        alive |= (to >= 0).astype(np.int64) << min(k, 62)
    group, count = np.unique(entry, return_inverse=True, return_counts=True)[1:]
    by_group = np.argsort(group, kind="stable")
    rank = np.empty(size, np.int64)
    rank[by_group] = np.arange(size) - np.repeat(np.cumsum(count) - count, count)
    head = by_group[(np.cumsum(count) - count)[group]]
    return np.lexsort((group, alive[head], rank, -count[group]))


def sums(coefficients: Sequence[tuple[int, Places]], every: bool, size: int) -> Sums:
    """How entries are made.

    coefficients : where in the list the elements of each begin, and the entry to which each of them goes or -1
    every : whether all entries may be set, also those that nothing goes to
    """
    at = np.concatenate([np.arange(start, start + len(to), dtype=np.int32) for start, to in coefficients])
    kind = np.repeat(np.arange(len(coefficients), dtype=np.int64), [len(to) for _, to in coefficients])
    to = np.concatenate([to for _, to in coefficients])
    order = np.argsort(to, kind="stable")
    order = order[np.count_nonzero(to < 0) :]
    at, kind, to = at[order], kind[order], to[order]
    begin = np.flatnonzero(np.concatenate([[True], to[1:] != to[:-1]])) if len(to) else np.zeros(0, np.intp)
    count = np.diff(np.append(begin, len(to)))
    alike: list[Sum] = []
    done = count == 1
    for code in (_code(kind, begin, count), count):  # of the same coefficients; of as many, read by lists
        for chosen in _many(code, count, ~done & (count <= MAX_ADDENDS), MAX_LOOPS - len(alike)):
            chosen = chosen[np.argsort(at[begin[chosen]], kind="stable")]
            alike.append(Sum(to[begin[chosen]], np.stack([at[begin[chosen] + p] for p in range(count[chosen[0]])])))
            done[chosen] = True
    rank = np.arange(len(to)) - np.repeat(begin, count)
    left = np.flatnonzero((rank > 0) & ~np.repeat(done, count))
    left = left[np.lexsort((to[left], rank[left]))]
    rest = Sum(to[left], at[left][None])
    if every:
        first = np.zeros(size, np.int32)
        first[to[begin]] = at[begin]
        return Sums(np.arange(size, dtype=np.int32), first, tuple(alike), rest)
    single = begin[(count == 1) | ~done]
    return Sums(to[single], at[single], tuple(alike), rest)


def _code(kind: NDArray[np.int64], begin: NDArray[np.intp], count: NDArray[np.intp]) -> NDArray[Any]:
    """A number for each entry: the same where as many addends are of the same coefficients in the same order."""
    code = count.astype(np.uint64)
    for p in range(MAX_ADDENDS):
        here = np.flatnonzero(count > p)
        code[here] = code[here] * np.uint64(0x9E3779B97F4A7C15) + kind[begin[here] + p].astype(np.uint64)
    return code


def _many(
    code: NDArray[Any], count: NDArray[np.intp], wanted: NDArray[np.bool_], loops: int
) -> list[NDArray[np.intp]]:  # fmt: skip
    """Entries of one code and one number of addends, where they are many; those with most addends in all."""
    some = np.flatnonzero(wanted)
    _, one, which, times = np.unique(code[some], return_index=True, return_inverse=True, return_counts=True)
    most = np.argsort(-times * count[some[one]], kind="stable")[:loops]
    return [some[(which == c) & (count[some] == count[some[one[c]]])] for c in most if times[c] >= MIN_LOOP_ENTRIES]


def _repeats(to: Places) -> bool:
    live = to[to >= 0]
    return len(live) > 0 and int(np.bincount(live).max()) > 1
