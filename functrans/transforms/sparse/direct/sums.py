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
from functrans.transforms.sparse.direct.stores import alive
from functrans.transforms.sparse.numbering import distinct, firsts, in_groups, in_order, named

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


def in_turn(coefficients: Sequence[Places]) -> Places:
    """The order of the elements of an index space in which the k-th addends of as many entries as possible are in a
    row.

    coefficients : the entry to which each element goes, for each coefficient; -1 for nowhere
    """
    size = len(coefficients[0])
    entry = np.full(size, -1, np.int32)
    alive = np.zeros(size, np.int64)
    several = sorted(filter(_repeats, coefficients), key=lambda to: -int(np.count_nonzero(to >= 0)))
    for k, to in enumerate(several):
        entry = np.where(entry < 0, to, entry)
        alive |= (to >= 0).astype(np.int64) << min(k, 62)
    group, groups = named(entry + 1)
    by_group, begin = in_groups(group, groups)
    count = np.diff(begin)
    shorter = int(count.max(initial=0)) - count
    order = in_order(distinct(alive[by_group[begin[:-1]]])[1])
    order = order[in_order(shorter[order])]  # groups, the longest first, of one length those of the same coefficients
    length, rank = count[order], np.arange(size, dtype=np.int32)
    rank -= np.repeat(np.cumsum(length, dtype=np.int32) - length, length)
    elements = by_group[np.repeat(begin[order], length) + rank]
    turned: Places = elements[in_order(np.repeat(_begins(length), length) + rank)]
    return turned


def _begins(length: Places) -> Places:
    """For falling lengths how much room all those that are longer take, one of a length for all."""
    last = np.append(length[1:] != length[:-1], [False] * bool(len(length)))
    ends = np.cumsum(np.where(last, length, 0), dtype=np.int32)
    return ends - np.where(last, length, 0).astype(np.int32)


def is_often(coefficients: int, addends: int, entries: int) -> bool:
    """Whether places are met often enough to lay elements out: twice on average, or by elements of few coefficients,
    each of which has a part of the list.
    """
    return 2 * entries <= addends or (coefficients <= 2 * SHORT and SHORT * (addends - entries) >= entries)


def equal(tables: Sequence[Places]) -> tuple[Places, Places] | None:
    """One element of those that read the same, in the order of what they read, and the number of the one that each is
    equal to; None where more than half of them would be left.

    tables : where the elements of an index space read
    """
    size = len(tables[0]) if tables else 0
    number, count, first = np.zeros(size, np.int32), 1, np.zeros(1, np.int32)
    every = np.arange(size, dtype=np.int32)
    for at in tables:
        width = int(at.max(initial=0)) + 1
        keys = number * np.int64(width) + at
        if count * width > 2 * size:
            same = firsts(keys)
            if 2 * int(np.count_nonzero(same == every)) > size:
                return None
            first, number = distinct(keys, same)
        else:
            number, count = named(keys)
            first = np.empty(count, np.int32)
            first[number[::-1]] = every[::-1]
        count = len(first)
        if 2 * count > size:
            return None
    return (first, number) if tables else None


def sums(coefficients: Sequence[tuple[int, Places, Places]], every: bool, size: int) -> Sums:
    """How entries are made.

    coefficients : where in the list the part of each begins, where its elements are, and the entry to which each of
        them goes or -1
    every : whether all entries may be set, also those that nothing goes to
    """
    to, at = _by_entry(coefficients)
    starts = np.unique([start for start, _, _ in coefficients])
    lengths = np.diff(starts, append=int(at.max(initial=starts[-1])) + 1)
    kind = np.repeat(np.arange(len(starts), dtype=np.int32), lengths)[at - starts[0]]
    begin = np.flatnonzero(np.concatenate([[True], to[1:] != to[:-1]])).astype(np.int32) if len(to) else to
    count = np.diff(begin, append=np.int32(len(to)))
    entry, first = to[begin], _first_alike(at, begin, count)
    del to
    whole = every and 2 * np.count_nonzero(count == 1) < len(count)  # all are read from the sums then
    own = np.flatnonzero((first == np.arange(len(first), dtype=np.int32)) & (whole | (count > 1)))
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


def _by_entry(coefficients: Sequence[tuple[int, Places, Places]]) -> tuple[Places, Places]:
    """The entries that something goes to and what goes there, in their order and then in that of the list."""
    both = [(to, at) if live is to else (live, at[to >= 0]) for _, at, to in coefficients for live in (alive(to),)]
    to, at = (np.concatenate(part) for part in zip(*both, strict=True))
    order = in_order(at)
    order = order[in_order(to[order])]
    return to[order], at[order]


def _first_alike(at: Places, begin: Places, count: Places) -> Places:
    """For each run of addends the first one that is the same: of a symmetric matrix (i, j) and (j, i) are."""
    if not len(begin):
        return begin
    codes = at.astype(np.uint64)
    codes *= np.uint64(0x9E3779B97F4A7C15)
    codes ^= codes >> np.uint64(29)
    codes *= np.uint64(0xBF58476D1CE4E5B9)
    first = firsts(np.add.reduceat(codes, begin) ^ count.astype(np.uint64))
    del codes
    rank = np.arange(len(at), dtype=np.int32) - np.repeat(begin - begin[first], count)
    other = np.minimum(rank, np.int32(len(at) - 1))
    same = (count == count[first]) & np.logical_and.reduceat(at == at[other], begin)
    return np.where(same, first, np.arange(len(begin), dtype=np.int32))


def _made(at: Places, kind: Places, begin: Places, count: Places) -> tuple[tuple[Sum, ...], Sum, Places]:
    """How runs of addends are added up, and the number that each of them gets."""
    groups: list[Places] = []
    done = np.zeros(len(begin), np.bool_)
    for code, in_a_row in ((_code(kind, begin, count), True), (count, False)):
        for chosen in _many(code, count, ~done & (count <= MAX_ADDENDS), MAX_LOOPS):
            chosen = chosen[in_order(at[begin[chosen]])]
            if in_a_row and not _in_a_row(at, begin[chosen], int(count[chosen[0]])):
                continue  # read by lists, and then with others of as many addends
            groups.append(chosen)
            done[chosen] = True
    left = np.flatnonzero(~done).astype(np.int32)
    groups.append(left)
    number = np.empty(len(begin), np.int32)
    number[np.concatenate(groups)] = np.arange(len(begin), dtype=np.int32)
    alike = [Sum(number[g], np.stack([at[begin[g] + p] for p in range(count[g[0]])])) for g in groups[:-1]]
    if len(left):
        alike.append(Sum(number[left], at[begin[left]][None]))
    more = count[left] - 1
    ends = np.cumsum(more, dtype=np.int32)
    rank = np.arange(int(more.sum()), dtype=np.int32) - np.repeat(ends - more, more)
    read = np.repeat(begin[left] + 1, more) + rank
    order = in_order(rank)
    return tuple(alike), Sum(np.repeat(number[left], more)[order], at[read[order]][None]), number


def _in_a_row(at: Places, begin: Places, count: int) -> bool:
    """Whether most of the addends of some sums are read in steps, without a list."""
    return sum(_is_even(at[begin + p]) for p in range(count)) * 2 > count


def _is_even(at: Places) -> bool:
    return len(at) > 1 and bool((at[1:] - at[:-1] == at[1] - at[0]).all())


def _code(kind: Places, begin: Places, count: Places) -> NDArray[Any]:
    """A number for each entry: the same where as many addends are of the same coefficients in the same order."""
    code = count.astype(np.uint64)
    for p in range(MAX_ADDENDS):
        here = np.flatnonzero(count > p)
        code[here] = code[here] * np.uint64(0x9E3779B97F4A7C15) + kind[begin[here] + p].astype(np.uint64)
    return code


def _many(code: NDArray[Any], count: Places, wanted: NDArray[np.bool_], loops: int) -> list[Places]:
    """Entries of one code and one number of addends, where they are many; those with most addends in all."""
    some = np.flatnonzero(wanted).astype(np.int32)
    one, which = distinct(code[some])
    order, begin = in_groups(which, len(one))
    times, addends = np.diff(begin), count[some]
    most = np.argsort(-times * addends[one], kind="stable")[:loops]
    parts = [order[begin[c] : begin[c + 1]] for c in most if times[c] >= MIN_LOOP_ENTRIES]
    return [some[part[addends[part] == addends[part[0]]]] for part in parts]


def _repeats(to: Places) -> bool:
    live = to[to >= 0]
    return len(live) > 0 and int(np.bincount(live).max()) > 1
