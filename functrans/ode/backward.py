"""The derivative of a solution by the adjoint equation, solved backward in time: no step is recorded.

Between two wanted times the state, its adjoint and the integrals that make the derivatives by arguments are the
solution of one initial value problem, from the later time to the earlier one, with steps of its own.

Source: Pontryagin, The Mathematical Theory of Optimal Processes; Chen, Rubanova, Bettencourt and Duvenaud, Neural
ordinary differential equations (2018), appendix B.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans import dtypes, tree
from functrans._records import replace
from functrans.errors import UnsupportedError, at_user_line
from functrans.ode.problem import slope_of
from functrans.ode.solution import Solution
from functrans.ode.solver import Inputs, Solver
from functrans.transforms.custom import custom_vjp
from functrans.transforms.loops.scan import scan
from functrans.transforms.vjp import vjp


def check_backward(what: str, mass: Any, events: Any, dense: bool) -> None:
    """Raises for what the adjoint equation is not built for."""
    for name, given in (("mass", mass is not None), ("events", events is not None), ("dense", dense)):
        if given:
            raise UnsupportedError(
                f"{name}= of {what} with adjoint='backward' is not built{at_user_line()}; use adjoint='checkpoint'"
            )


def backward(solver: Solver) -> Callable[..., Solution]:
    """`Solver.run` with cotangents by the adjoint equation; forward mode raises."""

    def run(t: Any, y: Any, inputs: Inputs, rtol: Any, atol: Any, h: Any) -> Solution:
        leaves, treedef = tree.flatten(inputs.args)
        varies = [dtypes.is_inexact(x.uop.dtype) for x in leaves]

        def args_of(moving: Any, fixed: Any) -> Any:
            left, rest = iter(moving), iter(fixed)
            return treedef.unflatten([next(left if is_moving else rest) for is_moving in varies])

        def plain(t: Any, y: Any, moving: Any, fixed: Any, rtol: Any, atol: Any, h: Any) -> Solution:
            return solver.run(t, y, Inputs(args_of(moving, fixed), None), rtol, atol, h)

        def forward(*given: Any) -> tuple[Solution, Any]:
            s = plain(*given)
            return s, (*given, s.y)

        def pulled(kept: Any, found: Solution) -> Any:
            t, _, moving, fixed, rtol, atol, _, ys = kept
            return (*_cotangents(solver, t, ys, found.y, moving, lambda x: args_of(x, fixed), rtol, atol), *[None] * 4)

        plain.__name__ = solver.what
        solved = custom_vjp(plain)
        solved.defvjp(forward, pulled)
        some, others = ([x for x, is_moving in zip(leaves, varies) if is_moving is wanted] for wanted in (True, False))
        return solved(t, y, some, others, rtol, atol, h)  # type: ignore[no-any-return]

    return run


def _cotangents(
    solver: Solver, t: Any, ys: Any, given: Any, moving: Any, args_of: Callable[[Any], Any], rtol: Any, atol: Any
) -> tuple[Any, Any, Any]:
    """Those of the times, of the first state, and of the arguments that vary."""

    def f(t: Any, y: Any, moving: Any) -> Any:
        return slope_of(solver.f, args_of(moving), solver.what)(t, y)

    def as_precise(x: Any) -> Any:
        """A derivative by an argument in the precision of times, which is that of steps, where its own is higher."""
        if np.finfo(x.dtype).bits <= np.finfo(t.dtype).bits:
            return x
        return x.astype(np.result_type(t.dtype, np.complex64) if x.dtype.kind == "c" else t.dtype)

    def adjoint(t: Any, z: Any, moving: Any) -> Any:
        y, a, _ = z
        slope, pull = vjp(lambda y, moving: f(t, y, moving), y, moving)
        by_y, by_moving = tree.map(lambda x: -x, pull(a))
        return slope, by_y, tree.map(as_precise, by_moving)

    def of_time(t: Any, y: Any, a: Any) -> Any:
        """The derivative by a time of what has the cotangent a there."""
        slope = f(t, y, moving)
        return vjp(lambda s: tree.map(lambda k: (s * k).astype(k.dtype), slope), fnp.ones_like(t))[1](a)[0]

    back = replace(solver, f=adjoint, method=solver.method.of_another(solver.what))

    def between(x: Any, interval: Any) -> tuple[Any, Any]:
        a, sums = x
        start, end, y, added = interval
        a = tree.map(fnp.add, a, added)
        s = back.run(fnp.stack([start, end]), (y, a, sums), Inputs((moving,), None), rtol, atol, None)
        _, a, sums = tree.map(lambda rows: rows[-1], s.y)
        return (a, sums), of_time(start, y, added)

    def rows(x: Any, of: slice) -> Any:
        return tree.map(lambda x: x[of], x)

    later, zero = slice(1, None), tree.map(fnp.zeros_like, ([x[0] for x in tree.leaves(given)], moving))
    zero = tree.structure(given).unflatten(zero[0]), tree.map(as_precise, zero[1])
    (a, sums), by_times = scan(between, zero, (t[1:], t[:-1], rows(ys, later), rows(given, later)), reverse=True)
    first, own = tree.map(lambda x: x[0], (ys, given))
    by_t = fnp.concatenate([-of_time(t[0], first, a)[None], by_times])
    return by_t, tree.map(fnp.add, a, own), tree.map(lambda x, like: x.astype(like.dtype), sums, moving)
