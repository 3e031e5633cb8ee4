"""Binomial checkpointing: in which order rounds are computed again, so that few carries are stored at a time.

A plan is for a loop that runs backward: before each of its rounds, the carries of the last snapshot are taken forward,
and stored on the way, until those that the round begins with are there. Each round is a list of legs.

Source: Griewank and Walther, Algorithm 799: revolve, ACM Transactions on Mathematical Software 26 (2000).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from functrans._records import record


@record
class Leg:
    """A number of rounds forward; before them the carries are stored in a slot, or in none."""

    slot: int | None
    rounds: int


@record
class Return:
    """A round backward: from which slot, which holds the carries of which round, by which legs it is reached."""

    slot: int
    start: int
    legs: tuple[Leg, ...]


def plan(length: int, slots: int) -> Iterator[Return]:
    """For each round, the last one first, how it is reached; slot 0 holds what the loop begins with.

    No order takes fewer rounds forward, `fewest` of them.

    >>> [sum(leg.rounds for leg in r.legs) for r in plan(6, 3)]
    [5, 0, 0, 2, 0, 0]
    """
    bases = [(0, length)] if length else []  # what is stored: from which round, how many are to be returned from it
    while bases:
        slot = len(bases) - 1
        start, left = bases[slot]
        begin, legs, into = start, list[Leg](), None
        while left > 1 and len(bases) < slots:
            ahead = _split(left, slots - len(bases) + 1)
            bases[-1] = (start, ahead)
            legs.append(Leg(into, ahead))
            start, left, into = start + ahead, left - ahead, None
            if left > 1:
                into = len(bases)
                bases.append((start, left))
        if left > 1:
            legs.append(Leg(into, left - 1))
            bases[-1] = (start, left - 1)
        elif bases[-1] == (start, 1):
            bases.pop()
        yield Return(slot, begin, tuple(legs))


def fewest(length: int, slots: int) -> int:
    """The least number of rounds forward.

    >>> fewest(10, 3), fewest(10, 1)
    (15, 45)
    """
    times = _times(length, slots)
    return times * length - comb(slots + times, times - 1) if times else 0


def _times(length: int, slots: int) -> int:
    """How often a round is computed at most."""
    times = 0
    while comb(slots + times, slots) < length:
        times += 1
    return times


def _split(length: int, slots: int) -> int:
    """How many rounds ahead the next snapshot is."""
    times = _times(length, slots)
    return min(comb(slots + times - 1, slots), length - comb(slots + times - 2, slots - 1))
