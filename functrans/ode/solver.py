"""A solve from arrays to arrays: the loop over steps, and the rule for its derivative."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import functrans.numpy as fnp
from functrans._records import record
from functrans.implicit.unreached import as_it_is
from functrans.ode.control import Tolerance
from functrans.ode.dense import DenseOutput, check_room
from functrans.ode.events import events_of, pairs
from functrans.ode.instants import of_no_length
from functrans.ode.kept import nothing_yet
from functrans.ode.march import Problem, State, begin, ended, ends, march, problem_of
from functrans.ode.mass import Mass
from functrans.ode.methods import Method
from functrans.ode.model import consistent
from functrans.ode.problem import slope_of, stacked, start
from functrans.ode.replay import Point, recorded, replay
from functrans.ode.solution import AT_EVENT, OK, Solution, Stats
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jvp import jvp


class Inputs(NamedTuple):
    """What f, its events and its Jacobian are given besides time and state, and the mass matrix."""

    args: Any
    mass: Mass | None


@record
class Solver:
    """What does not depend on arrays. Methods take times, a state, inputs, tolerances and a first step or None."""

    f: Callable[..., Any]
    what: str
    method: Method
    max_steps: int
    events: Any
    max_events: int
    dense: bool

    def problem(self, t: Any, inputs: Inputs, rtol: Any, atol: Any) -> Problem:
        """What the loop is about."""
        args, mass = inputs
        f, events = slope_of(self.f, args, self.what), events_of(self.events, args, self.what)
        tolerance = Tolerance(*stop_gradient((rtol, atol)))
        step, slope = self.method.stepper(f, args, tolerance, mass), consistent(f, self.method.jac, mass)
        nothing = partial(self.method.nothing, f, mass)
        return problem_of(slope, step, t, tolerance, self.max_steps, events, self.method.controller, nothing)

    def run(self, t: Any, y: Any, inputs: Inputs, rtol: Any, atol: Any, h: Any) -> Solution:
        """The solution by one loop."""
        problem = self.problem(t, inputs, rtol, atol)
        begun = begin(problem, t, y, h)
        room = nothing_yet(t[0], y, t, self.max_steps * self.dense, len(problem.events), self.max_events)
        s, kept = march(problem, begun, t, room)
        ys = ends(s, y, t) if kept.rows is None else as_it_is(kept.rows.y)
        ys = of_no_length(ys, t, y, begun.slope, problem.slope, s.accepted_steps)
        met = as_it_is(pairs(kept.marks)) if kept.marks else None
        return self._found(problem, t, y, begun.slope, s, ys, met, kept.knots, h)

    def _found(
        self, problem: Problem, t: Any, y: Any, slope: Any, s: State, ys: Any, met: Any, knots: Any, first_step: Any
    ) -> Solution:
        status = ended(problem, s)
        reached = (status == OK) | (status == AT_EVENT)
        sol = None if knots is None else DenseOutput(t[0], y, slope, knots, s.accepted_steps, reached)
        t_events, y_events = met or (None, None)
        counts = fnp.stack(s.found.counts) if s.found else None
        return Solution(t, ys, _counted(s, first_step), status, sol, t_events, y_events, counts)

    def checkpointed(self) -> Callable[..., Solution]:
        """`run` with derivatives by steps that are recorded, and taken again."""
        steps = recorded(self.problem, self.max_events, self.max_steps * self.dense, self.what)

        def again(t: Any, y: Any, inputs: Inputs, rtol: Any, atol: Any, h: Any) -> Solution:
            problem = self.problem(t, inputs, rtol, atol)
            first = Point(t[0], y, problem.slope(t[0], y))
            s, found, _ = steps(t, y, inputs, rtol, atol, h)
            if found.spots:
                s = stop_gradient(s)
                rows, met, knots = replay(problem, s, found, first, t[1:], self.dense, (t, y, inputs))
                ys = stacked(y, rows)
            else:
                ys, met, knots = ends(s, y, t, (t, y, inputs)), None, None
                ys = of_no_length(ys, t, y, first.slope, problem.slope, s.accepted_steps)
            return self._found(problem, t, y, first.slope, s, ys, met, knots, h)

        def plain(*given: Any) -> Solution:
            return self.run(*given)

        return two_ways(plain, again, self.what)

    def started(self, t: Any, y0: Any) -> tuple[Any, Any]:
        """Times and state in their dtypes, where there is room for what is kept."""
        t, y = start(t, y0, self.what)
        if self.dense:
            check_room(y, self.max_steps, self.what)
        return t, y


def two_ways(plain: Callable[..., Any], again: Callable[..., Any], what: str) -> custom_jvp:
    """A function given twice: tangents go along in ``plain``, whose loop reverse mode does not pass; what is to be
    transposed is the derivative of ``again``. So are derivatives of derivatives.
    """

    def f(*args: Any) -> Any:
        return plain(*args)

    f.__name__ = what
    made = custom_jvp(f)
    made.defjvp(lambda primals, tangents: jvp(again, primals, tangents))

    def forward(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        pushed = two_ways(partial(_pushed, plain), partial(_pushed, again), what)
        return pushed(primals, tangents)

    made.forward = forward
    return made


def _pushed(f: Callable[..., Any], primals: Any, tangents: Any) -> Any:
    return jvp(f, tuple(primals), tuple(tangents))


def _counted(s: State, first_step: Any) -> Stats:
    begun = 1 if first_step is not None else 2
    return Stats(s.accepted_steps, s.tried_steps - s.accepted_steps, begun + s.evaluations)
