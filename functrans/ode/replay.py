"""The derivative of a solution: its steps are recorded once, and taken again without a controller.

The lengths of accepted steps count as constants. Rounds go in short blocks, and these in spans. What is recorded is the
state that each span begins with, the controller included, from which the blocks of one span at a time, and the rounds
of one block at a time, are computed again. There is room for few spans; where it is full every second one is joined to
the one before. So time is that of the steps that are taken, and memory grows with the third root of ``max_steps``; each
lane has its own number of all of these.

Source: Griewank and Walther, Evaluating Derivatives, chapter 12; discrete adjoints of Runge-Kutta methods as in Hager,
Runge-Kutta methods in optimal control and the transformed adjoint system (2000).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans._records import record
from functrans.implicit.unreached import where_reached
from functrans.ode.dormand_prince import Between
from functrans.ode.events import Event, corrected, pairs
from functrans.ode.instants import exactly, from_start, within
from functrans.ode.kept import Knots, stored
from functrans.ode.march import Problem, State, Tried, attempt, begin, goes_on, length
from functrans.ode.problem import chosen
from functrans.ode.reuse import ROUNDS
from functrans.ode.solution import NOT_IN_ORDER, OK
from functrans.tensor.at_array import at
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jvp import jvp
from functrans.transforms.loops.branch import cond
from functrans.transforms.loops.scan import scan
from functrans.transforms.loops.while_loop import bounded, counted, while_loop
from functrans.transforms.vmap import vmap

_SPANS = 128  # so many of one block each are cheaper than fewer of several: lanes side by side wait for the longest


class Point(NamedTuple):
    """A time, the state there and its slope."""

    t: Any
    y: Any
    slope: Any


class Schedule(NamedTuple):
    """The states that spans begin with, how many of these there are, and how often their length was doubled."""

    start: State
    spans: Any
    doubled: Any

    def row(self, k: Any) -> Any:
        """Where the state of a span is. The number is rotated by a bit each time that lengths are doubled: spans with
        even numbers stay where they are, and new ones take the places of those with odd numbers.
        """
        most = tree.leaves(self.start)[0].shape[0]
        bits = most.bit_length() - 1
        return ((k << self.doubled) | (k >> (bits - self.doubled))) & (most - 1)

    @property
    def blocks(self) -> Any:
        """How many blocks a span has, but for the last one."""
        return fnp.ones((), np.int64) << self.doubled


class Room(NamedTuple):
    """Of how many spans there are states, and how many blocks a span may come to have: powers of two."""

    spans: int
    blocks: int

    @staticmethod
    def of(max_steps: int) -> Room:
        """Of as many spans as blocks up to some, of about as many as the longest one has blocks where it has more."""
        bits = (-(-max_steps // ROUNDS) - 1).bit_length()
        spans = max(min(bits, _SPANS.bit_length() - 1), -(-bits // 2), 1)
        return Room(1 << spans, 1 << max(bits - spans, 0))


class Spots(NamedTuple):
    """Time and state that steps begin with which something is read from, and the lengths of these; zero where there is
    no such step.
    """

    t: Any
    y: Any
    h: Any


class Found(NamedTuple):
    """When events crossed zero, each a row, then NaN; and the steps to read from: that which passes a wanted time, in
    the row of the first time it passes; those with the crossings of each event; and those for dense output.
    """

    marks: tuple[Any, ...]
    spots: tuple[Spots, ...]


@record
class Wanted:
    """What is read from steps: y at times, so many crossings of events, the steps themselves (or 0 of these)."""

    times: Any
    crossings: int
    steps: int

    def is_read(self, problem: Problem) -> bool:
        """Whether y at times is read from steps: one last time is the end, where no event is before."""
        return self.times.shape[0] > 1 or bool(problem.events) or bool(self.steps)

    def room(self, problem: Problem, t: Any, y: Any) -> Found:
        """Nothing found yet."""
        events = len(problem.events)
        rows = [self.times.shape[0]] * self.is_read(problem) + [self.crossings] * events
        rows += [self.steps] * bool(self.steps)
        marks = (fnp.full((self.crossings,), np.nan, t.dtype),) * events
        return Found(marks, tuple(Spots(*_zeros((t, y, t), n)) for n in rows))

    def places(self, problem: Problem, s: State, new: State, tried: Tried) -> tuple[Any, ...]:
        """Of each of the spots the row that a step which was tried goes into, -1 where it goes into none."""
        found = []
        if self.is_read(problem):
            times = self.times * problem.sign
            before, after = (fnp.searchsorted(times, t * problem.sign, "right") for t in (s.t, new.t))
            found.append(fnp.where(tried.is_taken & (after > before), before, -1))
        if s.found is not None:
            found += [fnp.where(c.is_met, k, -1) for c, k in zip(tried.crossings, s.found.counts, strict=True)]
        return (*found, fnp.where(tried.is_taken, s.accepted_steps, -1)) if self.steps else tuple(found)


def _zeros(x: Any, n: int) -> Any:
    return tree.map(lambda x: fnp.zeros((n, *x.shape), x.dtype), x)


def driven(problem: Problem, wanted: Wanted, s: State) -> tuple[State, Found, Schedule]:
    """The state at the end, what is found on the way, and the states from which steps are taken again."""
    most = Room.of(problem.max_steps).spans
    none = fnp.zeros((), np.int64)

    def has_more_spans(x: tuple[State, Found, Schedule]) -> Any:
        return goes_on(problem, x[0])

    def span(x: tuple[State, Found, Schedule]) -> tuple[State, Found, Schedule]:
        s, found, kept = x
        is_full = kept.spans == most
        spans, doubled = fnp.where(is_full, most // 2, kept.spans), kept.doubled + is_full
        kept = Schedule(kept.start, spans + 1, doubled)
        start = tree.map(lambda rows, x: at(rows)[kept.row(spans)].set(x), kept.start, _lean(s))
        rounds = kept.blocks * ROUNDS

        def has_more(x: tuple[Any, State, Found]) -> Any:
            return (x[0] < rounds) & goes_on(problem, x[1])

        return (*while_loop(has_more, one_round, (none, s, found))[1:], kept._replace(start=start))

    def one_round(x: tuple[Any, State, Found]) -> tuple[Any, State, Found]:
        k, s, (marks, spots) = x
        new, h, places, crossings = _tried(problem, wanted, s)
        if s.found is not None:
            each = zip(marks, s.found.counts, crossings, strict=True)
            marks = tuple(stored(m, k, c.t, c.is_met) for m, k, c in each)
        row = Spots(s.t, s.y, h)
        spots = tuple(stored(x, k, row, k >= 0) for x, k in zip(spots, places, strict=True))
        return k + 1, new, Found(marks, spots)

    start = s, wanted.room(problem, s.t, s.y), Schedule(_zeros(_lean(s), most), none, none)
    return while_loop(has_more_spans, span, start)  # type: ignore[no-any-return]


def _tried(problem: Problem, wanted: Wanted, s: State) -> tuple[State, Any, tuple[Any, ...], Any]:
    """The state after a round, how long its step is, its rows of spots, and crossings. A length is zero where no step
    was taken, infinite where it ends at the last time.
    """
    h, is_last = length(problem, s.t, s.h)
    new, tried = attempt(problem, s)
    h = fnp.where(tried.is_taken, fnp.where(is_last, np.inf, h), 0.0)
    return new, h, wanted.places(problem, s, new, tried), tried.crossings


class Round(NamedTuple):
    """How long the step of a round is, the point at which it begins, and its rows of spots."""

    h: Any
    point: Point
    places: tuple[Any, ...]


def blocks_again(problem: Problem, s: State, blocks: Any) -> tuple[Any, State]:
    """How many blocks a span has that begins with a state, so many at most; and the states that these begin with."""
    none = fnp.zeros((), np.int64)

    def has_more(x: tuple[Any, State, State]) -> Any:
        return (x[0] < blocks) & goes_on(problem, x[1])

    def block(x: tuple[Any, State, State]) -> tuple[Any, State, State]:
        k, s, rows = x
        rows = tree.map(lambda rows, x: at(rows)[k].set(x), rows, _lean(s))
        is_last = k + 1 == blocks  # behind it there is none that begins with its end

        def has_more(x: tuple[Any, State]) -> Any:
            return (x[0] < ROUNDS) & ~is_last & goes_on(problem, x[1])

        _, s = bounded(has_more, lambda x: (x[0] + 1, attempt(problem, x[1])[0]), (none, s), ROUNDS)
        return k + 1, s, rows

    most = Room.of(problem.max_steps).blocks
    count, _, rows = bounded(has_more, block, (none, s, _zeros(_lean(s), most)), most)
    return count, rows


def again(problem: Problem, wanted: Wanted, s: State) -> Round:
    """The rounds of a block that begins with a state, a row each; those after the end have no length. Lanes beside each
    other are in the same row.
    """

    def tried(s: State) -> tuple[State, Any, tuple[Any, ...]]:
        return _tried(problem, wanted, s)[:3]

    none = tuple(fnp.full((), -1, np.int64) for _ in wanted.room(problem, s.t, s.y).spots)

    def round_of(s: State, _: Any) -> tuple[State, Round]:
        new, h, places = cond(goes_on(problem, s), tried, lambda s: (s, fnp.zeros_like(s.t), none), s)
        return new, Round(h, Point(s.t, s.y, s.slope), places)

    return scan(round_of, s, None, length=ROUNDS)[1]  # type: ignore[no-any-return]


def after(problem: Problem, p: Point, h: Any) -> Point:
    """The point after a recorded round."""

    def taken(p: Point, h: Any) -> Point:
        h, end = _ends(problem, p.t, h)
        new = problem.step(p.t, p.y, p.slope, h)
        return Point(end, new.y, new.slope)

    return cond(h != 0, taken, lambda p, h: p, p, h)  # type: ignore[no-any-return]


def _ends(problem: Problem, t: Any, h: Any) -> tuple[Any, Any]:
    """How long a recorded step is, and when it ends."""
    is_last = fnp.isinf(h)
    h = fnp.where(is_last, problem.end - t, h)
    return h, fnp.where(is_last, problem.end, t + h)


Make = Callable[..., Problem]
"""Times, arguments and tolerances to a problem."""


def recorded(make: Make, most: int, steps: int, what: str) -> Callable[..., tuple[State, Found, Schedule]]:
    """What `driven` finds for (t, y0, args, rtol, atol, first_step), with its derivative; of each event ``most``
    crossings, and so many steps for dense output.

    Rounds are linear maps of tangents at points that a block finds again: reverse mode stores nothing beside the
    schedule and the spots but the points of one block. That the points depend on the arguments too is what the rule
    says by calling the function itself, so that derivatives of any order are right.
    """

    def wanted(t: Any) -> Wanted:
        return Wanted(stop_gradient(t[1:]), most, steps)

    def plain(t: Any, y: Any, args: Any, rtol: Any, atol: Any, h: Any) -> tuple[State, Found, Schedule]:
        problem = make(t, args, rtol, atol)
        return driven(problem, wanted(t), begin(problem, t, y, h))

    plain.__name__ = what
    found = custom_jvp(plain)

    def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        (t, y, args, *tolerances), (dt, dy, dargs) = primals[:5], tangents[:3]
        every = found(*primals)

        def at_first(t: Any, y: Any, args: Any) -> Point:
            return Point(t[0], y, make(t, args, *tolerances).slope(t[0], y))

        def round_of(dp: Point, r: Round) -> Point:
            def end(p: Point, t: Any, args: Any) -> Point:
                return after(make(t, args, *tolerances), p, r.h)

            return jvp(end, (r.point, t, args), (dp, dt, dargs))[1]  # type: ignore[no-any-return]

        first = jvp(at_first, (t, y, args), (dt, dy, dargs))[1]
        last, spots, starts = _along(make(t, args, *tolerances), wanted(t), every[1], every[2], first, round_of)
        s, (marks, unmoved), schedule = tree.map(
            lambda x: fnp.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else np.float64), every
        )
        s = s._replace(t=last.t, y=last.y, slope=last.slope)
        moved = tuple(x._replace(t=dt, y=dy) for x, (dt, dy) in zip(unmoved, spots, strict=True))
        start = schedule.start._replace(t=starts.t, y=starts.y, slope=starts.slope)
        return every, (s, Found(marks, moved), schedule._replace(start=start))

    found.defjvp(rule)
    return found


def _along(
    problem: Problem, wanted: Wanted, found: Found, schedule: Schedule, first: Point,
    round_of: Callable[[Point, Round], Point],
) -> tuple[Point, Any, Any]:  # fmt: skip
    """The tangent of the last point, of time and state of spots, and of the points that spans begin with; ``round_of``
    takes the tangent of a point through a round.
    """
    room = Room.of(problem.max_steps)

    def span(k: Any, x: Any) -> Any:
        dp, spots, starts = x
        place = schedule.row(k)
        starts = tree.map(lambda rows, x: at(rows)[place].set(x), starts, dp)
        s = _begun(problem, schedule.start, place)
        if room.blocks == 1:
            return *block(s, (dp, spots)), starts
        count, rows = blocks_again(problem, s, schedule.blocks)
        return *counted(count, room.blocks, lambda k, x: block(_begun(problem, rows, k), x), (dp, spots)), starts

    def block(s: State, x: Any) -> Any:
        def one_round(x: Any, r: Round) -> tuple[Any, None]:
            dp, spots = x
            spots = [_added(d, k, (dp.t, dp.y)) for d, k in zip(spots, r.places, strict=True)]
            return (round_of(dp, r), spots), None

        rounds = again(problem, wanted, s)
        return scan(one_round, x, rounds._replace(h=stop_gradient(rounds.h)))[0]

    none = [_zeros((first.t, first.y), x.h.shape[0]) for x in found.spots]
    start = first, none, _zeros(first, room.spans)
    return counted(schedule.spans, room.spans, span, start)  # type: ignore[no-any-return]


def _row(rows: Any, k: Any) -> Any:
    return tree.map(lambda rows: rows[k], rows)


def _lean(s: State) -> State:
    """A state that the loop goes on from, without what is then known or wanted in the end alone."""
    return s._replace(status=None, evaluations=None, shared=None)


def _begun(problem: Problem, rows: State, k: Any) -> State:
    """The state again that is in a row. In rounds that spans and blocks begin with steps share nothing."""
    none, s = fnp.zeros((), np.int64), _row(rows, k)
    return s._replace(status=none + OK, evaluations=none, shared=problem.nothing(s.t, s.y))  # type: ignore[no-any-return]


def _added(rows: Any, k: Any, row: Any) -> Any:
    """With a row added to row k of every leaf, and to none where k is negative."""
    return tree.map(lambda x, new: at(x)[fnp.where(k < 0, x.shape[0], k)].add(new), rows, row)


def replay(
    problem: Problem, end: State, found: Found, first: Point, times: Any, is_dense: bool, instead: Any
) -> tuple[Any, Any, Knots | None]:
    """y at times, NaN at those that were not reached, and there the gradient by ``instead`` too; when events were, with
    the state there; and the steps.
    """
    is_in_order = end.status != NOT_IN_ORDER
    spots = list(found.spots)

    def read(spot: Spots, t: Any) -> Any:
        is_none = spot.h == 0  # at the first time, and at those not reached
        p = chosen(is_none, Point(first.t, first.y, first.slope), Point(spot.t, spot.y, problem.slope(spot.t, spot.y)))
        h, stop = _ends(problem, p.t, spot.h)
        new = problem.step(p.t, p.y, p.slope, h)
        curve = Between(p.t, fnp.where(is_none, 1.0, h), p.y, p.slope, new.y, new.slope, new.curve)
        y = within(t, curve, stop, new.y)
        here = exactly(p.y, from_start(t, p.t, p.y, p.slope, problem.slope))
        return where_reached(~problem.is_before(end.t, t) & is_in_order, chosen(t == p.t, here, y), instead)

    def event(e: Event, t: Any, spots: Spots) -> Any:
        return vmap(lambda t, spot: _event(e, t, first.t, lambda t: read(spot, t), instead))(t, spots)

    passing = spots.pop(0)
    stepped = fnp.cumsum(passing.h != 0)  # times that one step passes have the row of the first of them
    places = fnp.minimum(fnp.searchsorted(stepped, stepped), times.shape[0] - 1)
    ys = vmap(lambda t, k: read(_row(passing, k), t))(times, places) if times.shape[0] else _zeros(first.y, 0)
    met = [event(*x) for x in zip(problem.events, found.marks, spots)]
    return ys, pairs(met) if met else None, vmap(lambda x: _knot(problem, x))(spots[-1]) if is_dense else None


def _knot(problem: Problem, spot: Spots) -> Knots:
    """The end of a step, NaN where there is none."""
    h, stop = _ends(problem, spot.t, spot.h)
    new = problem.step(spot.t, spot.y, problem.slope(spot.t, spot.y), h)
    end = Knots(stop, new.y, new.slope, new.curve)
    return tree.map(lambda x: fnp.where(spot.h != 0, x, np.nan).astype(x.dtype), end)  # type: ignore[no-any-return]


def _event(e: Event, t: Any, instead: Any, read: Callable[[Any], Any], others: Any) -> tuple[Any, Any]:
    """When an event was, known to the last digit, and the state there, with derivatives; NaN where it was not."""
    was_not = fnp.isnan(t)
    at = corrected(e, fnp.where(was_not, instead, t), read)
    when, y = where_reached(~was_not, (at, read(at)), others)
    return when, y
