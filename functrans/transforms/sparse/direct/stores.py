"""Which coefficients are stored together, in which order, and how: set, or added to what is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]


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
        lives = [to[to >= 0] for to in writes]
        times = np.bincount(np.concatenate(lives), minlength=len(seen))
        again = seen | (times > 1)
        group = _group(writes, [bool(again[live].any()) for live in lives])
        for live, store in zip(lives, group.stores, strict=True):
            if store.adds:
                zero[live[~seen[live]]] = True
        seen |= times > 0
        made.append(group)
    return made, np.flatnonzero(zero).astype(np.int32)


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


def apart(to: Places) -> bool:
    """Whether no two elements go to one place."""
    live = to[to >= 0]
    seen = np.zeros(int(live.max(initial=0)) + 1, np.bool_)
    seen[live] = True
    return int(np.count_nonzero(seen)) == len(live)
