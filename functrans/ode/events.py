"""Events: where functions of time and state cross zero, found on the values in between while the loop runs.

Of each function one crossing is found in a step, all of them over the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans._records import record
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, at_user_line
from functrans.ode.dormand_prince import Between, interpolated
from functrans.ode.problem import chosen
from functrans.tensor.core import Tensor
from functrans.trace import name_of, results
from functrans.transforms.custom import stop_gradient
from functrans.transforms.jvp import jvp
from functrans.transforms.loops.branch import cond
from functrans.transforms.loops.while_loop import fori_loop

_HALVINGS = 54  # of a step: its length times the smallest difference of two numbers


@record
class Event:
    """A function of time and state; at which crossing of zero the loop ends, 0 for none; upwards alone (1), downwards
    (-1).
    """

    value: Callable[[Any, Any], Any]
    terminal: int
    direction: int


class Found(NamedTuple):
    """Of each event its value where the loop is, and how often it has crossed zero."""

    values: tuple[Any, ...]
    counts: tuple[Any, ...]


class Crossing(NamedTuple):
    """Whether an event crosses zero in a step, when, and the state there."""

    is_met: Any
    t: Any
    y: Any


class Watched(NamedTuple):
    """What is found after a step, the crossings in it, and whether the loop ends in it, when, with the state there."""

    found: Found
    crossings: list[Crossing]
    ends: Any
    t: Any
    y: Any


def events_of(given: Any, args: Sequence[Any], what: str) -> tuple[Event, ...]:
    """The events that a user gives: none, a function, or several."""
    functions = () if given is None else (given,) if callable(given) else given
    if not isinstance(functions, (tuple, list)) or not all(map(callable, functions)):
        raise ArgumentError(
            f"events of {what} is {given!r}; expected a function g(t, y, *args) or a list of them{at_user_line()}"
        )
    return tuple(_event(g, args, what) for g in functions)


def _event(g: Callable[..., Any], args: Sequence[Any], what: str) -> Event:
    terminal, direction = getattr(g, "terminal", False), getattr(g, "direction", 0)
    if terminal is None:
        terminal = False
    if not isinstance(terminal, (bool, int, np.bool_, np.integer)) or terminal < 0:
        raise ArgumentValueError(
            f"{name_of(g)}.terminal={terminal!r}, an event of {what}; expected a bool, or the number of the crossing "
            f"that ends the solution{at_user_line()}"
        )

    def value(t: Any, y: Any) -> Any:
        nodes, _ = results(g(t, y, *args), f"the event {name_of(g)}")
        if len(nodes) != 1 or nodes[0].shape != () or nodes[0].dtype.kind == "c":
            found = [f"{u.dtype.name} of shape {u.shape}" for u in nodes]
            raise ShapeError(
                f"the event {name_of(g)} of {what} gives {found}; expected one real number{at_user_line()}"
            )
        return Tensor.from_uop(nodes[0]).astype(t.dtype)

    return Event(value, int(terminal), int(np.sign(direction)))


def begun(events: Sequence[Event], t: Any, y: Any) -> Found | None:
    """Nothing found yet."""
    if not events:
        return None
    return Found(tuple(e.value(t, y) for e in events), (fnp.zeros((), np.int64),) * len(events))


def pairs(found: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """Times and states of all events, each an array with an axis of events."""
    times, states = zip(*found, strict=True)
    return fnp.stack(times), tree.map(lambda *ys: fnp.stack(ys), *states)


def watched(events: Sequence[Event], found: Found, s: Between, t_end: Any, taken: Any) -> Watched:
    """What is found in a step, if it is taken."""
    values = tuple(e.value(t_end, s.y_end) for e in events)
    crossed = [taken & _crosses(e, a, b) for e, a, b in zip(events, found.values, values, strict=True)]
    # the place in a step is from 0 to 1; two is beyond it
    nowhere = (fnp.full_like(s.t, 2.0), s.t, s.y)
    places = [
        cond(c, lambda s, e=e: _located(e, s), lambda s: nowhere, s) for e, c in zip(events, crossed, strict=True)
    ]
    end = nowhere
    for e, place, n in zip(events, places, found.counts, strict=True):
        end = chosen((place[0] < end[0]) & (n + 1 >= e.terminal), place, end) if e.terminal else end
    crossings = [Crossing(c & (p[0] <= end[0]), p[1], p[2]) for c, p in zip(crossed, places, strict=True)]
    kept = tuple(fnp.where(taken, b, a) for a, b in zip(found.values, values, strict=True))
    counts = tuple(n + c.is_met for n, c in zip(found.counts, crossings, strict=True))
    return Watched(Found(kept, counts), crossings, end[0] < 2, end[1], end[2])


def _crosses(e: Event, before: Any, after: Any) -> Any:
    """Whether a value leaves one side of zero: a loop that begins at zero has not crossed it."""
    up, down = (before < 0) & (after >= 0), (before > 0) & (after <= 0)
    return up if e.direction > 0 else down if e.direction < 0 else up | down


def _located(e: Event, s: Between) -> tuple[Any, Any, Any]:
    """Where in a step an event crosses zero, by bisection: the place, the time, the state."""
    frozen = stop_gradient(s)
    before = e.value(frozen.t, frozen.y)

    def half(_: Any, ends: tuple[Any, Any]) -> tuple[Any, Any]:
        a, b = ends
        middle = (a + b) / 2
        at = frozen.t + middle * frozen.h
        is_after = (e.value(at, interpolated(at, frozen)) > 0) != (before > 0)
        return fnp.where(is_after, a, middle), fnp.where(is_after, middle, b)

    none = fnp.zeros_like(frozen.t)
    _, place = fori_loop(0, _HALVINGS, half, (none, none + 1))
    at = corrected(e, frozen.t + place * frozen.h, lambda t: interpolated(t, s))
    return place, at, interpolated(at, s)


def corrected(e: Event, t: Any, state: Callable[[Any], Any]) -> Any:
    """The same time, with the derivative that it has as the zero of an event: by the implicit function theorem."""
    value = e.value(t, state(t))
    _, slope = jvp(lambda t: e.value(t, state(t)), (t,), (fnp.ones_like(t),))
    slope = stop_gradient(slope)
    return t - (value - stop_gradient(value)) / fnp.where(slope == 0, 1.0, slope)
