"""solve: initial value problems with steps that follow a tolerance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans.errors import ArgumentValueError, ShapeError, at_user_line
from functrans.implicit.options import named
from functrans.ode.backward import backward, check_backward
from functrans.ode.mass import given_mass, traced_mass
from functrans.ode.methods import check_method, method_of
from functrans.ode.problem import times_of
from functrans.ode.solution import Solution
from functrans.ode.solver import Inputs, Solver
from functrans.tensor.core import Tensor
from functrans.trace import call
from functrans.transforms.loops.sequences import natural


def solve(
    f: Callable[..., Any],
    t: Any,
    y0: Any,
    *args: Any,
    method: str = "dopri5",
    rtol: Any = 1e-6,
    atol: Any = 1e-9,
    jac: Any = None,
    mass: Any = None,
    events: Any = None,
    dense: bool = False,
    max_steps: int = 10_000,
    first_step: Any = None,
    adjoint: str = "checkpoint",
    max_events: int = 16,
) -> Solution:
    """The solution of ``dy/dt = f(t, y, *args)`` from ``y0`` at ``t[0]``, at the times ``t``, to a tolerance.

    ``t`` has shape (m,) and goes forward or backward; ``y0`` is a pytree, and f returns the same structure and shapes.
    In the `Solution` y has leaves of shape ``(m, *leaf.shape)``, the first row y0 itself. Integers in y0 become
    float64, and t takes the precision of y0.

    Dormand and Prince's method of order 5: steps are as long as an error estimate below ``atol + rtol * abs(y)`` lets
    them be, whatever times are wanted; values in between are of order 4. ``first_step`` is the length to try first, by
    default it is estimated. The loop ends after ``max_steps`` steps, accepted and rejected: `Solution.status` says how
    it ended, and y is NaN at times that were not reached. Under `vmap` each element takes the steps it takes alone.

    ``events`` is a function ``g(t, y, *args)``, a real number, or a list of them: `Solution.t_events` says when each
    crossed zero, found by bisection on the values in between; zeros that one step goes over and back are not seen. The
    first ``max_events`` crossings are kept, `Solution.event_counts` says how many there were. With ``g.terminal``, True
    or a number, the loop ends at the first crossing or that one; with ``g.direction`` of 1 or -1 it crosses upwards or
    downwards alone, all as in SciPy.

    With ``dense=True`` `Solution.sol` is the solution as a function of time. It takes room for ``max_steps`` steps, of
    3 n + 1 numbers each for n states, whatever number is taken.

    ``method="esdirk"`` is for stiff problems: Kvaerno's method of order 5, whose stages are equations, solved by
    Newton's method with one matrix ``M - 0.26 h df/dy`` a step, factored. The derivative of f is ``jac``: ``"dense"``
    (the default), by `jacfwd`; ``"sparse"``, by `spjacobian` and `spsolve`; or a function ``jac(t, y, *args)`` to an
    array of shape (n, n), for n numbers of y, one leaf behind the other; that one may be near. A dense step costs n**3
    operations, but that of more than 20 states keeps factors while its length and the derivative serve, as do sparse
    factors that are costly: give ``"sparse"`` where each equation reads few states; a line of 200 cells takes a
    hundredth of the time. It evaluates f
    a little beyond the last time, real states alone. Derivatives are those of the stages' equations, whatever the
    iterations were. `Stats.evaluations` leaves those for ``df/dy`` out. ``"radau"`` is Radau IIA of order 5, with all
    of this; its three stages are one system, as two matrices of n and 2 n rows. Its steps end at a stage. Its error
    estimate is of order 3: held to ``0.1 * rtol**(2/3)``, and ``atol`` in proportion, as in RADAU5.

    With ``mass``, a constant matrix M of shape (n, n), the equation is ``M dy/dt = f``, for these two methods: an array
    or, with ``jac="sparse"``, a SciPy matrix or `ft.sparse` one. A singular M makes some of the equations algebraic, of
    index 1: they must determine y where M does not. In a sparse M these are its empty rows. ``y0`` should satisfy them;
    where it does not, the first step goes to a state that does. A higher index ends with status 2.

    ``"dopri5"`` costs 6 evaluations of f a step, one of each event; nothing else is stored but y at the times t,
    which are read off the steps that pass them. Derivatives by t, y0 and args take the lengths of steps for
    constants; each time has its own, those too that equal the first or the last one. Tangents go along in the loop.
    For reverse mode, with ``adjoint="checkpoint"``, the state is recorded
    once in 32 steps (in 64, 128 and so on of more than 4000), with the beginnings of steps that pass the times, cross
    zero of events or make up ``sol``; steps are taken again, a block of 32 at a time. Time is that of the steps that
    each element takes, whatever ``max_steps`` is. With ``adjoint="forward"`` derivatives are by what f closes over,
    too; reverse mode raises. With ``adjoint="backward"`` reverse mode solves the adjoint equation backward from time
    to time, by the same method and tolerances, with the state along: memory is that of y at the times t, whatever the
    number of steps. The gradient is that of the exact solution, to the tolerances; where states run apart backward in
    time, as those of stiff and of chaotic problems do, it needs close times or is wrong. Forward mode, ``events``,
    ``dense`` and ``mass`` raise.

    Raises ArgumentError (f is no function, or returns another structure), ShapeError and DtypeError (arguments, mass,
    or what f returns), ArgumentValueError (times not in order, tolerances and options that are none), UnsupportedError
    for what is not built: ``jac`` and ``mass`` for an explicit method, and as said above.

    >>> import numpy as np, functrans as ft
    >>> s = ft.ode.solve(lambda t, y: -y, np.array([0.0, 1.0]), 1.0)
    >>> bool(abs(s.y[-1] - np.exp(-1.0)) < 1e-6), int(s.status)
    (True, 0)

    Source: Dormand and Prince, A family of embedded Runge-Kutta formulae (1980); Hairer, Norsett and Wanner, Solving
    Ordinary Differential Equations I, sections II.4 to II.6.
    """
    what = named(f, "ode.solve")
    check_method(what, method, jac, mass)
    if adjoint not in ("checkpoint", "backward", "forward"):
        raise ArgumentValueError(
            f"adjoint={adjoint!r} of {what}; expected 'checkpoint', 'backward' or 'forward'{at_user_line()}"
        )
    max_steps, max_events = natural(max_steps, "max_steps", what, 1), natural(max_events, "max_events", what, 1)
    t = times_of(t)
    _check_values(what, t, rtol, atol, first_step)

    matrix = given_mass(mass, jac, what)
    solver = Solver(f, what, method_of(method, jac, what), max_steps, events, max_events, bool(dense))
    if adjoint == "backward":
        check_backward(what, mass, events, bool(dense))
        run = backward(solver)
    else:
        run = solver.checkpointed() if adjoint == "checkpoint" else solver.run

    def body(t: Any, y0: Any, args: Any, mass: Any, rtol: Any, atol: Any, h: Any) -> Solution:
        _check_shapes(what, rtol=rtol, atol=atol, first_step=h)
        t, y = solver.started(t, y0)
        rtol, atol = rtol.astype(t.dtype), atol.astype(t.dtype)
        return run(t, y, Inputs(args, traced_mass(mass, y, what)), rtol, atol, h)

    names = ["t", "y0", "args", "mass", "rtol", "atol", "first_step"]
    return call(body, (t, y0, args, matrix, rtol, atol, first_step), {}, what, lambda: names)  # type: ignore[no-any-return]


def _check_values(what: str, t: Any, rtol: Any, atol: Any, first_step: Any) -> None:
    """What is known of values before they are traced."""
    for name, x in (("rtol", rtol), ("atol", atol), ("first_step", first_step)):
        if isinstance(x, (int, float, np.generic, np.ndarray)):
            found = np.asarray(x)
            if not np.all(np.isfinite(found) & (found > 0 if name == "first_step" else found >= 0)):
                raise ArgumentValueError(f"{name}={x!r} of {what}; expected a positive number{at_user_line()}")
    if isinstance(t, np.ndarray) and t.ndim == 1 and t.dtype.kind in "iuf":
        steps = np.diff(t.astype(np.float64))
        if not np.isfinite(t).all() or ((steps > 0).any() and (steps < 0).any()):
            raise ArgumentValueError(
                f"t of {what} is {np.array2string(t, threshold=6)}; expected finite times that only grow or only "
                f"fall{at_user_line()}"
            )


def _check_shapes(what: str, **numbers: Any) -> None:
    for name, x in numbers.items():
        if x is not None and getattr(x, "shape", None) != ():
            given = f"has shape {x.shape}" if isinstance(x, Tensor) else f"is a {type(x).__name__}"
            raise ShapeError(f"{name} of {what} {given}; expected one number{at_user_line()}")
