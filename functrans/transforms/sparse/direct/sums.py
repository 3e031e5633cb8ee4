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

from functrans.transforms.sparse.direct.spaces import SHORT

Places = NDArray[np.int32]
MIN_LOOP_ENTRIES = 8  # that are worth a loop of their own
MAX_ADDENDS = 32  # that are written out
MAX_LOOPS = 32  # of such sums in one plan


class Sum(NamedTuple):
    """Entries made alike: row p of ``at`` says where the p-th addend of each is in the list."""

    places: Places
    at: Places


class Sums(NamedTuple):
    """How the entries are made of the list.

    made : the number of sums, each once however many entries it is for
    alike : sums of a few addends, by their numbers
    rest : sums by their numbers, and what is added to each in the end, one after the other
    single : entries, and the element of the list that each is set to
    several : entries, and the sum that each is set to then
    """

    made: int
    alike: tuple[Sum, ...]
    rest: Sum
    single: Sum
    several: Sum


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


def is_often(coefficients: int, addends: int, entries: int) -> bool:
    """Whether places are met often enough to lay elements out: twice on average, or by elements of few coefficients,
    each of which has a part of the list.
    """
    return 2 * entries <= addends or (coefficients <= 2 * SHORT and SHORT * (addends - entries) >= entries)


def equal(tables: Sequence[Places]) -> tuple[NDArray[np.intp], Places] | None:
    """One element of those that read the same, in the order of what they read, and the number of the one that each is
    equal to; None where more than half of them would be left.

    tables : where the elements of an index space read
    """
    size = len(tables[0]) if tables else 0
    number, count, first = np.zeros(size, np.int64), 1, np.zeros(1, np.intp)
    for at in tables:
        width = int(at.max(initial=0)) + 1
        number = number * width + at
        if count * width > 2 * size:
            _, first, number = np.unique(number, return_index=True, return_inverse=True)
        else:
            seen = np.zeros(count * width, np.bool_)
            seen[number] = True
            number = (np.cumsum(seen) - 1)[number]
            first = np.empty(int(np.count_nonzero(seen)), np.intp)
            first[number[::-1]] = np.arange(size)[::-1]
        count = len(first)
        if 2 * count > size:
            return None
    return (first, number.astype(np.int32)) if tables else None


def sums(coefficients: Sequence[tuple[int, Places, Places]], every: bool, size: int) -> Sums:
    """How entries are made.

    coefficients : where in the list the part of each begins, where its elements are, and the entry to which each of
        them goes or -1
    every : whether all entries may be set, also those that nothing goes to
    """
    live = [to >= 0 for _, _, to in coefficients]
    both = [(to[here].astype(np.int64) << 32) | at[here] for (_, at, to), here in zip(coefficients, live, strict=True)]
    key = np.sort(np.concatenate(both))
    to, at = (key >> 32).astype(np.int32), key.astype(np.int32)  # the lower half
    starts = np.unique([start for start, _, _ in coefficients])
    lengths = np.diff(starts, append=int(at.max(initial=starts[-1])) + 1)
    kind = np.repeat(np.arange(len(starts)), lengths)[at - starts[0]]
    begin = np.flatnonzero(np.concatenate([[True], to[1:] != to[:-1]])) if len(to) else np.zeros(0, np.intp)
    count = np.diff(np.append(begin, len(to)))
    entry, first = to[begin], _first_alike(at, begin, count)
    whole = every and 2 * np.count_nonzero(count == 1) < len(count)  # all are read from the sums then
    own = np.flatnonzero((first == np.arange(len(first))) & (whole | (count > 1)))
    alike, rest, numbers = _made(at, kind, begin[own], count[own])
    number = np.full(len(first), -1, np.int32)
    number[own] = numbers
    number = number[first]
    if not every:
        single, several = count == 1, count > 1
        return Sums(
            len(own), alike, rest, Sum(entry[single], at[begin[single]][None]),
            Sum(entry[several], number[several][None]),
        )  # fmt: skip
    source = np.zeros(size, np.int32)
    source[entry] = number if whole else at[begin]
    all_ = Sum(np.arange(size, dtype=np.int32), source[None])
    none = Sum(np.zeros(0, np.int32), np.zeros((1, 0), np.int32))
    if whole:
        return Sums(len(own), alike, rest, none, all_)
    several = count > 1
    return Sums(len(own), alike, rest, all_, Sum(entry[several], number[several][None]))


def _first_alike(at: Places, begin: NDArray[np.intp], count: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each run of addends the first one that is the same: of a symmetric matrix (i, j) and (j, i) are."""
    if not len(begin):
        return begin
    codes = at.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    codes = (codes ^ (codes >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    code = np.add.reduceat(codes, begin) ^ count.astype(np.uint64)
    _, one, which = np.unique(code, return_index=True, return_inverse=True)
    first = one[which]
    rank = np.arange(len(at)) - np.repeat(begin, count)
    other = np.minimum(np.repeat(begin[first], count) + rank, len(at) - 1)
    same = (count == count[first]) & np.logical_and.reduceat(at == at[other], begin)
    return np.where(same, first, np.arange(len(begin)))


def _made(
    at: Places, kind: NDArray[np.int64], begin: NDArray[np.intp], count: NDArray[np.intp]
) -> tuple[tuple[Sum, ...], Sum, Places]:
    """How runs of addends are added up, and the number that each of them gets."""
    groups: list[NDArray[np.intp]] = []
    done = np.zeros(len(begin), np.bool_)
    for code, in_a_row in ((_code(kind, begin, count), True), (count, False)):
        for chosen in _many(code, count, ~done & (count <= MAX_ADDENDS), MAX_LOOPS):
            chosen = chosen[np.argsort(at[begin[chosen]], kind="stable")]
            if in_a_row and not _in_a_row(at, begin[chosen], int(count[chosen[0]])):
                continue  # read by lists, and then with others of as many addends
            groups.append(chosen)
            done[chosen] = True
    left = np.flatnonzero(~done)
    groups.append(left)
    number = np.empty(len(begin), np.int32)
    number[np.concatenate(groups)] = np.arange(len(begin), dtype=np.int32)
    alike = [Sum(number[g], np.stack([at[begin[g] + p] for p in range(count[g[0]])])) for g in groups[:-1]]
    if len(left):
        alike.append(Sum(number[left], at[begin[left]][None]))
    more = count[left] - 1
    rank = np.arange(int(more.sum())) - np.repeat(np.cumsum(more) - more, more)
    read = np.repeat(begin[left] + 1, more) + rank
    order = np.lexsort((np.repeat(left, more), rank))
    return tuple(alike), Sum(np.repeat(number[left], more)[order], at[read[order]][None]), number


def _in_a_row(at: Places, begin: NDArray[np.intp], count: int) -> bool:
    """Whether most of the addends of some sums are read in steps, without a list."""
    return sum(len(np.unique(np.diff(at[begin + p]))) == 1 for p in range(count)) * 2 > count


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
