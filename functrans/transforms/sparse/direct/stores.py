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
        adds = [bool(again[live].any()) for live in lives]
        # what goes nowhere may be set at a place that is set again later: by the next element of the same coefficient,
        # or in the end by the last one of another, which comes after it
        end = next((int(to[-1]) for a, to in zip(adds, writes, strict=True) if not a and to[-1] >= 0), None)
        adds = [a or (to[-1] < 0 and end is None) for a, to in zip(adds, writes, strict=True)]
        for live, a in zip(lives, adds, strict=True):
            if a:
                zero[live[~seen[live]]] = True
        seen |= times > 0
        stores = tuple(_store(to, a, end) for to, a in zip(writes, adds, strict=True))
        made.append(Group(stores, any(s.mask is not None and not s.adds for s in stores)))
    return made, np.flatnonzero(zero).astype(np.int32)


def apart(to: Places) -> bool:
    """Whether no two elements go to one place."""
    live = to[to >= 0]
    seen = np.zeros(int(live.max(initial=0)) + 1, np.bool_)
    seen[live] = True
    return int(np.count_nonzero(seen)) == len(live)


def _store(to: Places, adds: bool, end: int | None) -> Store:
    """``end``: a place that is set after all that is stored here."""
    live = to >= 0
    if live.all():
        return Store(to, adds, None)
    n = len(to)
    next_ = np.minimum.accumulate(np.where(live, np.arange(n), n)[::-1])[::-1]
    last = int(np.flatnonzero(live)[-1])
    places = to[np.minimum(next_, last)]
    if not adds and last < n - 1:
        assert end is not None
        places[last + 1 :] = end
    return Store(places, adds, live)
