"""Which coefficients are stored together, in which order, and how: set, or added to what is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.transforms.sparse.direct.spaces import SHORT

Places = NDArray[np.int32]
_AT_ONCE = 2**14  # places that are counted by one list of ones


class Store(NamedTuple):
    """What becomes of one coefficient of a group.

    to : where its elements go, every one somewhere
    adds : added to what is there, and not set
    mask : the elements that count, the others being zero or overwritten later; None where all do
    """

    to: Places
    adds: bool
    mask: NDArray[np.bool_] | None


class Group(NamedTuple):
    """The stores of one loop; they must be stored in order where a place is set several times."""

    stores: tuple[Store, ...]
    ordered: bool


def grouped(groups: Sequence[Sequence[Places]], seen: NDArray[np.bool_]) -> tuple[list[Group], Places]:
    """Stores that come to the sums of all writes, group by group, and the places to be zero before the first.

    groups : for each loop the places of its coefficients, -1 for elements that go nowhere, those that end nowhere
        first; loops in which each place is written once come first
    seen : the places that hold a part of their sum already
    """
    seen, zero = seen.copy(), np.zeros(len(seen), np.bool_)
    made = []
    for writes in groups:
        lives = [alive(to) for to in writes]
        times = counted(lives, len(seen))
        again = seen | (times > 1)
        group = _group(writes, [bool(again[live].any()) for live in lives])
        added = np.zeros(len(seen), np.bool_)
        for live, store in zip(lives, group.stores, strict=True):
            if store.adds:
                added[live] = True
        zero |= added & ~seen
        seen |= times > 0
        made.append(group)
    return made, np.arange(len(zero), dtype=np.int32)[zero]


def _group(writes: Sequence[Places], adds: Sequence[bool]) -> Group:
    """The stores of one loop, of which some have to add.

    An element that goes nowhere may be set early at a place that is set later: by a store behind it in the same round;
    or else, with rounds in order, by the next element of its own store or of one behind it. Where there is no such
    place the store adds, too: zero.
    """
    behind = np.full(len(writes[0]), -1, np.int32)
    stores: list[Store] = []
    ordered = False
    for to, adding in zip(reversed(writes), reversed(adds), strict=True):
        live = to >= 0
        store = Store(to, adding, None) if live.all() else _partial(to, live, behind, adding)
        ordered = ordered or (not store.adds and bool((store.to != np.where(live, to, behind)).any()))
        if not store.adds:
            behind = np.where(live, to, behind)
        stores.append(store)
    return Group(tuple(reversed(stores)), ordered)


def _partial(to: Places, live: NDArray[np.bool_], behind: Places, adding: bool) -> Store:
    now, own = np.where(live, to, behind), _next(to)
    for early in (now, np.where(own >= 0, own, _next(behind))):
        if not adding and (early >= 0).all():
            return Store(early, False, live)
    last = int(to[np.flatnonzero(live)[-1]])
    return Store(np.where(own >= 0, own, last), True, live)


def _next(to: Places) -> Places:
    """The place of the next element that goes anywhere, from each on; -1 where there is none."""
    n = len(to)
    at = np.minimum.accumulate(np.where(to >= 0, np.arange(n), n)[::-1])[::-1]
    return np.append(to, np.int32(-1))[at]


def alive(to: Places) -> Places:
    """The places of elements that go somewhere: the same array where all do."""
    return to if len(to) and int(to.min()) >= 0 else to[to >= 0]


def counted(places: Iterable[Places], size: int) -> NDArray[np.int32]:
    """How often each place is met; none is -1."""
    times, ones = np.zeros(size, np.int32), np.ones(_AT_ONCE, np.int32)
    for to in places:
        for start in range(0, len(to), _AT_ONCE):
            part = to[start : start + _AT_ONCE]
            np.add.at(times, part, ones[: len(part)])
    return times


def halves(writes: Sequence[Places]) -> list[tuple[Places, ...]] | None:
    """Writes in two where a few elements of one go to a place that another of its own has, and no other write goes:
    those that are there first, and the rest. None where there are no such.
    """
    size = 1 + max(int(to.max()) for to in writes)
    first = np.empty(size, np.int32)
    again = [_again(to, first) for to in writes]
    if not any(map(len, again)):
        return None
    times = counted(map(alive, writes), size)
    found = [_halved(to, a, times) for a, to in zip(again, writes, strict=True)]
    return found if any(len(both) > 1 for both in found) else None


def _again(to: Places, first: NDArray[np.int32]) -> NDArray[np.int32]:
    """The elements that go where one before them goes, in room for a number of each place; none where they are many."""
    at = np.flatnonzero(to >= 0).astype(np.int32)
    live = to[at]
    first[live[::-1]] = at[::-1]
    again: NDArray[np.int32] = at[first[live] != at]
    return again if len(again) * SHORT <= len(to) else again[:0].copy()


def _halved(to: Places, again: NDArray[np.int32], times: NDArray[np.int32]) -> tuple[Places, ...]:
    if not len(again):
        return (to,)
    live = alive(to)
    if (times[live] > counted([live], len(times))[live]).any():
        return (to,)  # others go there, too, so that all are added
    once, rest = to.copy(), np.full(len(to), -1, np.int32)
    once[again] = -1
    rest[again] = to[again]
    return once, rest


def apart(to: Places) -> bool:
    """Whether no two elements go to one place."""
    live = alive(to)
    seen = np.zeros(int(live.max(initial=0)) + 1, np.bool_)
    seen[live] = True
    return int(np.count_nonzero(seen)) == len(live)
