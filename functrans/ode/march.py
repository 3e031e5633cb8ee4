"""The loop over steps: a step is tried, and taken where its error is small enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans.ode import control
from functrans.ode.control import Tolerance
from functrans.ode.dormand_prince import Between, Step, interpolated
from functrans.ode.events import Event, Found, begun, watched
from functrans.ode.problem import Slope, chosen
from functrans.ode.solution import AT_EVENT, NOT_IN_ORDER, OK, STEP_TOO_SMALL, TOO_MANY_STEPS
from functrans.transforms.custom import stop_gradient
from functrans.transforms.loops.scan import scan
from functrans.transforms.loops.while_loop import while_loop


@dataclass(frozen=True)
class Problem:
    """What does not change from step to step; ``sign`` is that of steps, ``step`` the method."""

    slope: Slope
    step: Callable[[Any, Any, Any, Any], Step]
    end: Any
    sign: Any
    tolerance: Tolerance
    max_steps: int
    events: tuple[Event, ...]

    def is_before(self, t: Any, other: Any) -> Any:
        """Whether a time comes before another one."""
        return (other - t) * self.sign > 0


class State(NamedTuple):
    """Where the loop is. ``h``, ``error`` and ``rejected`` are the controller's: the next length to try, the error of
    the last step taken, whether the last one tried was refused. ``last`` is the step that led here, where values in
    between are wanted, ``found`` what is known of events, where there are any.
    """

    t: Any
    y: Any
    slope: Any
    h: Any
    error: Any
    rejected: Any
    accepted_steps: Any
    rejected_steps: Any
    status: Any
    last: Between | None
    found: Found | None
    evaluations: Any


def problem_of(
    slope: Slope,
    step: Callable[..., Step],
    t: Any,
    tolerance: Tolerance,
    max_steps: int,
    events: tuple[Event, ...],
) -> Problem:
    """A problem over times."""
    sign = fnp.where(t[-1] >= t[0], 1.0, -1.0).astype(t.dtype)
    return Problem(slope, step, t[-1], sign, tolerance, max_steps, events)


def begin(problem: Problem, t: Any, y: Any, first_step: Any, reads_between: bool) -> State:
    """The state before the first step."""
    first = problem.slope(t[0], y)
    span = stop_gradient(problem.end - t[0])
    if first_step is None:
        at, there, along = stop_gradient((t[0], y, first))
        h = stop_gradient(control.first_step(problem.slope, at, there, along, span, problem.tolerance))
    else:
        h = stop_gradient(fnp.minimum(first_step, fnp.where(span == 0, 1.0, abs(span))) * problem.sign)
    in_order = ((t[1:] - t[:-1]) * problem.sign >= 0).all() & fnp.isfinite(t).all()
    zeros = tree.map(fnp.zeros_like, y)
    last = Between(t[0], fnp.ones_like(t[0]), y, first, y, first, zeros) if reads_between else None
    none, least = fnp.zeros((), np.int64), fnp.full((), control.LEAST_ERROR, t.dtype)
    status = fnp.where(in_order, OK, NOT_IN_ORDER)
    found = begun(problem.events, t[0], y)
    return State(t[0], y, first, h.astype(t.dtype), least, none > 0, none, none, status, last, found, none)


def goes_on(problem: Problem, s: State, until: Any) -> Any:
    """Whether a time is not reached yet and can be."""
    left = s.accepted_steps + s.rejected_steps < problem.max_steps
    return problem.is_before(s.t, until) & (s.status == OK) & left


def length(problem: Problem, t: Any, h: Any) -> tuple[Any, Any]:
    """How long the next step is, and whether it is the last: that one is a little longer, rather than followed by a
    very short one.
    """
    is_last = problem.is_before(problem.end, t + 1.01 * h)
    return fnp.where(is_last, problem.end - t, h), is_last


def attempt(problem: Problem, s: State) -> State:
    """The state after a step was tried. The lengths of steps count as constants in derivatives."""
    h, is_last = length(problem, s.t, s.h)
    new = problem.step(s.t, s.y, s.slope, h)
    estimate, before, after = stop_gradient((new.error, s.y, new.y))
    square = control.mean_square(estimate, before, after, problem.tolerance)
    ok = square <= 1
    following = control.next_step(stop_gradient(h), square, s.error, ~s.rejected)
    t = fnp.where(is_last, problem.end, s.t + h)
    is_stuck = ~ok & ~(abs(following) > 8 * np.finfo(s.t.dtype).eps * abs(s.t))
    status = fnp.where(is_stuck, STEP_TOO_SMALL, s.status)
    between = Between(s.t, h, s.y, s.slope, new.y, new.slope, new.curve)
    last = None if s.last is None else chosen(ok, between, s.last)
    y, found = new.y, s.found
    if found is not None:
        found, ends, t_event, y_event = watched(problem.events, found, between, t, ok)
        t, y, status = fnp.where(ends, t_event, t), chosen(ends, y_event, y), fnp.where(ends, AT_EVENT, status)
    return State(
        fnp.where(ok, t, s.t), chosen(ok, y, s.y), chosen(ok, new.slope, s.slope), following,
        fnp.where(ok, fnp.maximum(control.near_log2(square), control.LEAST_ERROR), s.error), ~ok, s.accepted_steps + ok,
        s.rejected_steps + ~ok, status, last, found, s.evaluations + new.evaluations,
    )  # fmt: skip


def ended(problem: Problem, s: State) -> Any:
    """The status at the end."""
    return fnp.where((s.status == OK) & problem.is_before(s.t, problem.end), TOO_MANY_STEPS, s.status)


def march(problem: Problem, s: State, times: Any) -> tuple[State, Any]:
    """The state at the last of ``times``, and y at each of them."""

    def to(s: State, until: Any) -> tuple[State, Any]:
        s = while_loop(lambda s: goes_on(problem, s, until), lambda s: attempt(problem, s), s)
        return s, read(problem, s, until)

    if times.shape[0] != 1:
        return scan(to, s, times)  # type: ignore[no-any-return]
    s, y = to(s, times[0])  # one loop alone, whose lanes do not wait for each other
    return s, tree.map(lambda x: x[None], y)


def read(problem: Problem, s: State, t: Any) -> Any:
    """y at a time that the step which ends here has reached; NaN elsewhere."""
    is_there = (s.t == t) if s.last is None else ~problem.is_before(s.t, t)
    y = s.y if s.last is None else chosen(s.t == t, s.y, interpolated(t, s.last))
    return tree.map(lambda x: fnp.where(is_there & (s.status != NOT_IN_ORDER), x, np.nan).astype(x.dtype), y)
