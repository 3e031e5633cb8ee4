"""The loop over steps: a step is tried, and taken where its error is small enough.

Each lane goes through all times in one loop; what is wanted on the way is read off the step that passes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans._records import record
from functrans.implicit.unreached import where_reached
from functrans.ode import control, reuse
from functrans.ode.control import Controller, Tolerance
from functrans.ode.dormand_prince import Between, Step
from functrans.ode.events import Crossing, Event, Found, begun, watched
from functrans.ode.instants import nowhere
from functrans.ode.kept import Kept, Knots, stored, waits, with_crossings, with_times
from functrans.ode.problem import Slope, chosen
from functrans.ode.reuse import Shared
from functrans.ode.solution import AT_EVENT, NOT_IN_ORDER, OK, STEP_TOO_SMALL, TOO_MANY_STEPS
from functrans.ops import Ops, UOp
from functrans.tensor.core import Tensor
from functrans.transforms.custom import stop_gradient
from functrans.transforms.loops.branch import cond
from functrans.transforms.loops.while_loop import while_loop


@record
class Problem:
    """What does not change from step to step; ``sign`` is that of steps, ``step`` the method, ``tolerance`` that of the
    errors it estimates, ``nothing`` what steps share before the first one.
    """

    slope: Slope
    step: Callable[..., Step]
    end: Any
    sign: Any
    tolerance: Tolerance
    max_steps: int
    events: tuple[Event, ...]
    controller: Controller
    nothing: Callable[[Any, Any], Shared | None]

    def is_before(self, t: Any, other: Any) -> Any:
        """Whether a time comes before another one. Not by their difference: where one of them is a product, that is
        rounded once, and is not zero of equal times.
        """
        return t * self.sign < other * self.sign


class State(NamedTuple):
    """Where the loop is. ``h``, ``before`` and ``rejected`` are the controller's: the next length to try, what it
    remembers of the last step taken, whether the last one tried was refused. ``found`` is what is known of events,
    where there are any, ``evaluations`` the calls of f, ``shared`` what steps share.
    """

    t: Any
    y: Any
    slope: Any
    h: Any
    before: Any
    rejected: Any
    accepted_steps: Any
    tried_steps: Any
    status: Any
    found: Found | None
    evaluations: Any
    shared: Shared | None


class Tried(NamedTuple):
    """A step that was tried: whether it is taken, when it ends, and the crossings of events in it."""

    is_taken: Any
    t_end: Any
    between: Between
    crossings: list[Crossing]


def problem_of(
    slope: Slope,
    step: Callable[..., Step],
    t: Any,
    tolerance: Tolerance,
    max_steps: int,
    events: tuple[Event, ...],
    controller: Controller,
    nothing: Callable[[Any, Any], Shared | None],
) -> Problem:
    """A problem over times."""
    sign = fnp.where(t[-1] >= t[0], 1.0, -1.0).astype(t.dtype)
    return Problem(slope, step, t[-1], sign, controller.tolerance(tolerance), max_steps, events, controller, nothing)


def begin(problem: Problem, t: Any, y: Any, first_step: Any) -> State:
    """The state before the first step."""
    first = problem.slope(t[0], y)
    span = stop_gradient(problem.end - t[0])
    if first_step is None:
        at, there, along = stop_gradient((t[0], y, first))
        h = stop_gradient(control.first_step(problem.slope, at, there, along, span, problem.tolerance))
    else:
        h = stop_gradient(fnp.minimum(first_step, fnp.where(span == 0, 1.0, abs(span))) * problem.sign)
    in_order = ((t[1:] - t[:-1]) * problem.sign >= 0).all() & fnp.isfinite(t).all()
    in_order = in_order if t.shape[0] <= 2 else _stored(in_order)
    none, least = fnp.zeros((), np.int64), fnp.full((), problem.controller.before, t.dtype)
    status = fnp.where(in_order, OK, NOT_IN_ORDER)
    found = begun(problem.events, t[0], y)
    shared = problem.nothing(t[0], y)
    return State(t[0], y, first, h.astype(t.dtype), least, none > 0, none, none, status, found, none, shared)


def _stored(x: Any) -> Any:
    """What is computed before the loop, once for each lane. A lane that takes the next instance begins along with those
    beside it, and what it begins with is computed for all of them.
    """
    return Tensor.from_uop(UOp(Ops.CONTIGUOUS, x.uop.dtype, (x.uop,)))


def goes_on(problem: Problem, s: State) -> Any:
    """Whether the last time is not reached yet and can be."""
    return problem.is_before(s.t, problem.end) & (s.status == OK) & (s.tried_steps < problem.max_steps)


def length(problem: Problem, t: Any, h: Any) -> tuple[Any, Any]:
    """How long the next step is, and whether it is the last: that one is a little longer, rather than followed by a
    very short one.
    """
    is_last = problem.is_before(problem.end, t + 1.01 * h)
    return fnp.where(is_last, problem.end - t, h), is_last


def attempt(problem: Problem, s: State) -> tuple[State, Tried]:
    """The state after a step was tried, and that step. The lengths of steps count as constants in derivatives."""
    h, is_last = length(problem, s.t, s.h)
    new = problem.step(s.t, s.y, s.slope, h, reuse.fresh(s.shared, s.tried_steps))
    error, more = _error(problem, s, new)
    ok = error <= 1
    following, remembered = problem.controller.next(stop_gradient(h), error, s.before, ~s.rejected)
    shared = None
    if s.shared is not None:
        following, shared = reuse.following(stop_gradient(new.used), stop_gradient(h), error, following)
    t = t_end = fnp.where(is_last, problem.end, s.t + h)
    is_stuck = (t_end == s.t) | (~ok & ~(abs(following) > 8 * np.finfo(s.t.dtype).eps * abs(s.t)))
    status = fnp.where(is_stuck, STEP_TOO_SMALL, s.status)
    between = Between(s.t, h, s.y, s.slope, new.y, new.slope, new.curve)
    y, found, crossings = new.y, s.found, []
    if found is not None:
        seen = watched(problem.events, found, between, t, ok)
        found, crossings = seen.found, seen.crossings
        t, y = fnp.where(seen.ends, seen.t, t), chosen(seen.ends, seen.y, y)
        status = fnp.where(seen.ends, AT_EVENT, status)
    reached = State(
        fnp.where(ok, t, s.t), chosen(ok, y, s.y), chosen(ok, new.slope, s.slope), following,
        remembered, ~ok, s.accepted_steps + ok, s.tried_steps + 1, status, found,
        s.evaluations + new.evaluations + more, shared,
    )  # fmt: skip
    return reached, Tried(ok, t_end, between, crossings)


def _error(problem: Problem, s: State, new: Step) -> tuple[Any, Any]:
    """The norm of a step's error, and how many evaluations it took.

    An estimate that is too large is made once more in the first step and after one that was refused, where the method
    can: elsewhere it is seldom a fast part that has died out already.
    """
    estimate, before, after = stop_gradient((new.error, s.y, new.y))
    error = control.norm(estimate, before, after, problem.tolerance)
    better = new.again
    if better is None:
        return error, 0
    is_rough = (error >= 1) & (s.rejected | (s.accepted_steps == 0))

    def again(estimate: Any) -> Any:
        return control.norm(stop_gradient(better(estimate)), before, after, problem.tolerance)

    return cond(is_rough, again, lambda _: error, estimate), is_rough


def ended(problem: Problem, s: State) -> Any:
    """The status at the end."""
    return fnp.where((s.status == OK) & problem.is_before(s.t, problem.end), TOO_MANY_STEPS, s.status)


def march(problem: Problem, s: State, times: Any, kept: Kept) -> tuple[State, Kept]:
    """The state at the last time, and what is kept on the way there, of y at ``times``."""

    def has_more(x: tuple[State, Kept]) -> Any:
        s, (rows, _, _) = x
        more = goes_on(problem, s)
        return more if rows is None else more | waits(rows, times, problem.sign, s.status != NOT_IN_ORDER, s.t)

    def further(x: tuple[State, Kept]) -> tuple[State, Kept]:
        s, kept = x
        new, tried = attempt(problem, s)
        rows, knots, marks = kept
        if rows is not None:
            # where there is nowhere to go, there are the rows of the first time to store
            more = goes_on(problem, s)
            new, shared = chosen(more, _without(new), _without(s)), new.shared
            between = chosen(more, tried.between, nowhere(s.t, s.y, s.slope))
            in_order = s.status != NOT_IN_ORDER
            reached = fnp.where(more & ~tried.is_taken, -problem.sign * np.inf, new.t)
            rows, has_more_rows = with_times(rows, times, problem.sign, in_order, between, reached, new.y)
            # the same step again in the next round, for the rest of them, by the same matrices
            new = chosen(has_more_rows, _without(s), new)
            if shared is not None:
                shared = shared._replace(is_near=shared.is_near | has_more_rows)
            new = new._replace(shared=shared)
        if knots is not None:
            end = Knots(tried.t_end, tried.between.y_end, tried.between.slope_end, tried.between.curve)
            knots = Knots(*stored(tuple(knots), s.accepted_steps, tuple(end), tried.is_taken))
        if s.found is not None:
            marks = with_crossings(marks, s.found.counts, tried.crossings)
        return new, Kept(rows, knots, marks)

    return while_loop(has_more, further, (s, kept))  # type: ignore[no-any-return]


def _without(s: State) -> State:
    """A state without what is shared."""
    return s._replace(shared=None)


def ends(s: State, y: Any, times: Any, instead: Any = ()) -> Any:
    """y at one or two times, from the states at first and in the end; NaN where the end was not reached, which then is
    the gradient by ``instead``, too.
    """

    def leaf(first: Any, last: Any) -> Any:
        is_there = ((times[1:] == s.t) & (s.status != NOT_IN_ORDER)).reshape(-1, *(1,) * first.ndim)
        rows = fnp.broadcast_to(last, (times.shape[0] - 1, *last.shape))
        return fnp.concatenate([first[None], where_reached(is_there, rows, instead)])

    return tree.map(leaf, y, s.y)
