"""What the loop over steps keeps besides its state: y at the times that are wanted, the steps themselves, crossings.

These are arrays of which a round changes a few rows, each lane its own: they are stored into, not copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans.ode.dormand_prince import Between
from functrans.ode.events import Crossing
from functrans.ode.instants import within
from functrans.tensor.at_array import at
from functrans.transforms.loops.while_loop import while_loop

AT_ONCE = 4
"""Times that a lane stores in one round: while it stores more, the lanes beside it wait, or else take steps."""


class Rows(NamedTuple):
    """y at wanted times: how many of them are reached, the next one, and the rows, NaN where they are not reached."""

    reached: Any
    next: Any
    y: Any


class Knots(NamedTuple):
    """The ends of steps that were taken, with state and slope there, and what bends the values before; then NaN."""

    t: Any
    y: Any
    slope: Any
    curve: Any


class Marks(NamedTuple):
    """When an event crossed zero, with the state there; then NaN."""

    t: Any
    y: Any


class Kept(NamedTuple):
    """All that is kept; None of what is not wanted, for each event its marks."""

    rows: Rows | None
    knots: Knots | None
    marks: tuple[Marks, ...]


def nothing_yet(t: Any, y: Any, times: Any, steps: int, events: int, crossings: int) -> Kept:
    """Room for y at times, but for two, which are the ends; for so many steps, and crossings of each event."""
    rows = Rows(fnp.zeros((), np.int64), times[0], _room(y, times.shape[0])) if times.shape[0] > 2 else None
    knots = Knots(_room(t, steps), *(_room(y, steps) for _ in range(3))) if steps else None
    return Kept(rows, knots, (Marks(_room(t, crossings), _room(y, crossings)),) * events)


def _room(x: Any, n: int) -> Any:
    return tree.map(lambda x: fnp.full((n, *x.shape), np.nan, x.dtype), x)


def stored(rows: Any, k: Any, row: Any, condition: Any) -> Any:
    """Row k of every leaf, where a condition holds; the index behind the last one is dropped."""
    return tree.map(lambda x, new: at(x)[fnp.where(condition, k, x.shape[0])].set(new), rows, row)


def waits(rows: Rows, times: Any, sign: Any, in_order: Any, t: Any) -> Any:
    """Whether the next time is one that steps of this sign have come to at t. Of times that are not in order the first
    alone.
    """
    return (rows.reached < times.shape[0]) & ((t - rows.next) * sign >= 0) & (in_order | (rows.reached == 0))


def with_times(rows: Rows, times: Any, sign: Any, in_order: Any, s: Between, t: Any, y: Any) -> tuple[Rows, Any]:
    """With y at the times that a step, of this sign, has reached, which has come to y at t, but at most `AT_ONCE` of
    them; and whether there are more.
    """
    last, most = times.shape[0] - 1, rows.reached + AT_ONCE

    def goes_on(rows: Rows) -> Any:
        return waits(rows, times, sign, in_order, t) & (rows.reached < most)

    def store(rows: Rows) -> Rows:
        k, row = rows.reached, within(rows.next, s, t, y)
        return Rows(k + 1, times[fnp.minimum(k + 1, last)], tree.map(lambda x, new: at(x)[k].set(new), rows.y, row))

    rows = while_loop(goes_on, store, rows)
    return rows, waits(rows, times, sign, in_order, t)


def with_crossings(marks: Sequence[Marks], counts: Sequence[Any], found: Sequence[Crossing]) -> tuple[Marks, ...]:
    """With the crossings of a step; ``counts`` says how many there were before. Those for which there is no room are
    dropped.
    """
    return tuple(
        Marks(*stored(tuple(m), k, (c.t, c.y), c.is_met)) for m, k, c in zip(marks, counts, found, strict=True)
    )
