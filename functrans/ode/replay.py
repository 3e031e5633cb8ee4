"""The derivative of a solution: its steps are recorded once, and taken again without a controller.

The lengths of accepted steps count as constants. Rounds go in short blocks: what is recorded is the state that each of
them begins with, the controller included, from which the rounds of one block at a time are computed again. Blocks
after the end cost a test each.

Source: Griewank and Walther, Evaluating Derivatives, chapter 12; discrete adjoints of Runge-Kutta methods as in Hager,
Runge-Kutta methods in optimal control and the transformed adjoint system (2000).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans.ode.dormand_prince import Between, interpolated
from functrans.ode.events import Event, corrected, pairs
from functrans.ode.kept import Knots, stored
from functrans.ode.march import Problem, State, attempt, begin, goes_on, length
from functrans.ode.problem import chosen
from functrans.ode.solution import NOT_IN_ORDER
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jvp import jvp
from functrans.transforms.loops.branch import cond
from functrans.transforms.loops.scan import scan
from functrans.transforms.vmap import vmap

_ROUNDS = 32  # of a block: a lane's states in them lie in the nearest cache


class Point(NamedTuple):
    """A time, the state there and its slope."""

    t: Any
    y: Any
    slope: Any


class Schedule(NamedTuple):
    """The states that blocks of rounds begin with, and whether a block has a round in which a step is tried."""

    start: State
    is_used: Any


def record(problem: Problem, s: State, marks: Marked) -> tuple[State, Marked, Schedule]:
    """The state at the end, crossings of events, and the states on the way from which steps are taken again."""

    def block(x: tuple[State, Marked], _: Any) -> tuple[tuple[State, Marked], Schedule]:
        is_used = goes_on(problem, x[0])
        return cond(is_used, lambda x: lengths(problem, *x)[0], lambda x: x, x), Schedule(x[0], is_used)

    (s, marks), schedule = scan(block, (s, marks), None, length=-(-problem.max_steps // _ROUNDS))
    return s, marks, schedule


def lengths(problem: Problem, s: State, marks: Marked = ()) -> tuple[tuple[State, Marked], tuple[Any, Point]]:
    """The state after a block of rounds, with the crossings that are marked; and of each round how long its step is and
    the point at which it begins. A length is zero where no step was taken, infinite where it ends at the last time.
    """

    def tried(s: State, marks: Marked) -> tuple[tuple[State, Marked], Any]:
        h, is_last = length(problem, s.t, s.h)
        new, found = attempt(problem, s)
        if marks and s.found is not None:
            each = zip(marks, s.found.counts, found.crossings, strict=True)
            marks = tuple(stored(m, k, c.t, c.is_met) for m, k, c in each)
        return (new, marks), fnp.where(found.is_taken, fnp.where(is_last, np.inf, h), 0.0)

    def idle(s: State, marks: Marked) -> tuple[tuple[State, Marked], Any]:
        return (s, marks), fnp.zeros_like(s.t)

    def round_of(x: tuple[State, Marked], _: Any) -> Any:
        s, marks = x
        new, h = cond(goes_on(problem, s), tried, idle, s, marks)
        return new, (h, Point(s.t, s.y, s.slope))

    return scan(round_of, (s, marks), None, length=_ROUNDS)  # type: ignore[no-any-return]


def rounds(problem: Problem, first: Point, h: Any) -> tuple[Point, Any]:
    """The point after recorded steps, and time and state that each round begins with."""
    return scan(lambda p, h: (after(problem, p, h), p[:2]), first, h)  # type: ignore[no-any-return]


def after(problem: Problem, p: Point, h: Any) -> Point:
    """The point after a recorded round."""

    def taken(p: Point, h: Any) -> Point:
        h, end = _ends(problem, p.t, h)
        new = problem.step(p.t, p.y, p.slope, h)
        return Point(end, new.y, new.slope)

    return cond(h != 0, taken, lambda p, h: p, p, h)  # type: ignore[no-any-return]


def again(problem: Problem, schedule: Schedule, first: Point) -> Any:
    """Time and state that each recorded round begins with, and its length."""

    def used(p: Point, x: Schedule) -> Any:
        h = stop_gradient(lengths(problem, x.start)[1][0])
        p, kept = rounds(problem, p, h)
        return p, (*kept, h)

    def unused(p: Point, x: Schedule) -> Any:
        kept = tree.map(lambda x: fnp.broadcast_to(x, (_ROUNDS, *x.shape)), p[:2])
        return p, (*kept, fnp.zeros((_ROUNDS,), p.t.dtype))

    _, kept = scan(lambda p, x: cond(x.is_used, used, unused, p, x), first, schedule)
    return tree.map(lambda x: x.reshape(-1, *x.shape[2:]), kept)


def _ends(problem: Problem, t: Any, h: Any) -> tuple[Any, Any]:
    """How long a recorded step is, and when it ends."""
    is_last = fnp.isinf(h)
    h = fnp.where(is_last, problem.end - t, h)
    return h, fnp.where(is_last, problem.end, t + h)


Marked = tuple[Any, ...]
"""Of each event when it crossed zero, then NaN."""
Make = Callable[..., Problem]
"""Times, arguments and tolerances to a problem."""


def recorded(make: Make, most: int, what: str) -> Callable[..., tuple[State, Marked, Schedule]]:
    """What `record` finds for (t, y0, args, rtol, atol, first_step), with its derivative; of each event ``most``
    crossings.

    Rounds are linear maps of tangents at points that a block finds again: reverse mode stores nothing beside the
    schedule but the points of one block. That the points depend on the arguments too is what the rule says by calling
    the function itself, so that derivatives of any order are right.
    """

    def plain(t: Any, y: Any, args: Any, rtol: Any, atol: Any, h: Any) -> tuple[State, Marked, Schedule]:
        problem = make(t, args, rtol, atol)
        marks = (fnp.full((most,), np.nan, t.dtype),) * len(problem.events)
        return record(problem, begin(problem, t, y, h), marks)

    plain.__name__ = what
    found = custom_jvp(plain)

    def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        (t, y, args, *tolerances), (dt, dy, dargs) = primals[:5], tangents[:3]
        s, marks, schedule = found(*primals)

        def at_first(t: Any, y: Any, args: Any) -> Point:
            return Point(t[0], y, make(t, args, *tolerances).slope(t[0], y))

        def used(dp: Point, x: Schedule) -> Any:
            _, (h, points) = lengths(make(t, args, *tolerances), x.start)

            def round_of(dp: Point, x: tuple[Any, Point]) -> tuple[Point, None]:
                def end(p: Point, t: Any, args: Any) -> Point:
                    return after(make(t, args, *tolerances), p, x[0])

                return jvp(end, (x[1], t, args), (dp, dt, dargs))[1], None

            return scan(round_of, dp, (stop_gradient(h), points))[0]

        def block(dp: Point, x: Schedule) -> tuple[Point, Point]:
            return cond(x.is_used, used, lambda dp, x: dp, dp, x), dp

        last, starts = scan(block, jvp(at_first, (t, y, args), (dt, dy, dargs))[1], schedule)
        every = s, marks, schedule
        unmoved = tree.map(lambda x: fnp.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else np.float64), every)
        ends = unmoved[0]._replace(t=last.t, y=last.y, slope=last.slope)
        begun = unmoved[2].start._replace(t=starts.t, y=starts.y, slope=starts.slope)
        return every, (ends, unmoved[1], unmoved[2]._replace(start=begun))

    found.defjvp(rule)
    return found


def replay(
    problem: Problem, end: State, marks: Marked, schedule: Schedule, first: Point, times: Any, is_dense: bool
) -> tuple[Any, Any, Knots | None]:
    """y at times, NaN at those that were not reached; when events were, with the state there; and the steps."""
    is_in_order = end.status != NOT_IN_ORDER
    *kept, h_of_round = again(problem, schedule, first)
    starts = stop_gradient(kept[0]) * problem.sign

    def read(t: Any) -> Any:
        # the last round that begins before: none at the first time
        k = fnp.maximum(fnp.searchsorted(starts, stop_gradient(t) * problem.sign) - 1, 0)
        start, y = tree.map(lambda x: x[k], kept)
        p = Point(start, y, problem.slope(start, y))
        h, stop = _ends(problem, p.t, h_of_round[k])
        new = problem.step(p.t, p.y, p.slope, h)  # of no length at the first time, and at those not reached
        curve = Between(p.t, fnp.where(h == 0, 1.0, h), p.y, p.slope, new.y, new.slope, new.curve)
        y = chosen(t == stop, new.y, interpolated(t, curve))
        is_there = ~problem.is_before(end.t, t) & is_in_order
        return tree.map(lambda x: fnp.where(is_there, x, np.nan).astype(x.dtype), chosen(t == p.t, p.y, y))

    def event(e: Event, t: Any) -> Any:
        return vmap(lambda t: _event(e, t, first.t, read))(t)

    found = [event(e, t) for e, t in zip(problem.events, marks, strict=True)]
    knots = _knots(problem, kept, h_of_round) if is_dense else None
    return vmap(read)(times), pairs(found) if found else None, knots


def _knots(problem: Problem, kept: Any, h_of_round: Any) -> Knots:
    """The ends of steps, in their order, and NaN behind them."""
    taken = fnp.cumsum(h_of_round != 0)

    def knot(j: Any) -> Knots:
        k = fnp.minimum(fnp.searchsorted(taken, j + 1), taken.shape[0] - 1)
        is_there = j < taken[-1]
        t, y = tree.map(lambda x: x[k], kept)
        h, stop = _ends(problem, t, fnp.where(is_there, h_of_round[k], 0.0))
        new = problem.step(t, y, problem.slope(t, y), h)
        found = Knots(stop, new.y, new.slope, new.curve)
        return tree.map(lambda x: fnp.where(is_there, x, np.nan).astype(x.dtype), found)  # type: ignore[no-any-return]

    return vmap(knot)(fnp.arange(problem.max_steps))  # type: ignore[no-any-return]


def _event(e: Event, t: Any, instead: Any, read: Callable[[Any], Any]) -> tuple[Any, Any]:
    """When an event was, known to the last digit, and the state there, with derivatives; NaN where it was not."""
    was_not = fnp.isnan(t)
    at = corrected(e, fnp.where(was_not, instead, t), read)
    return tree.map(lambda x: fnp.where(was_not, np.nan, x).astype(x.dtype), (at, read(at)))  # type: ignore[no-any-return]
