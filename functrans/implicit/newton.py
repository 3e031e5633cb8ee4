"""Newton's method with a line search, as one loop.

Source: Dennis and Schnabel, Numerical Methods for Unconstrained Optimization and Nonlinear Equations, chapters 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans.tensor.core import Tensor
from functrans.transforms.loops.while_loop import while_loop

_ENOUGH = 1e-4  # of the decrease that the derivative promises
_SHORTEST = 2.0**-20  # part of a step that is tried


class State(NamedTuple):
    """An iterate, what f is there, its square and the largest of it; ``stuck`` where no part of a step makes f smaller.

    ``shared`` is what evaluating f left for the step.
    """

    x: Any
    value: Any
    shared: Any
    square: Any
    residual: Any
    iterations: Any
    stuck: Any


def newton(
    f: Callable[[Any], tuple[Tensor, Any]],
    step: Callable[[Any, Any, Any], Tensor],
    x0: Tensor,
    tol: Any,
    rtol: Any,
    maxiter: int,
    line_search: bool,
) -> tuple[State, Any]:
    """The last state, and whether it is a solution: ``max(abs(f(x))) <= tol + rtol * max(abs(f(x0)))``.

    f gives its value and what ``step`` takes of it: that takes x, f(x) and it to what Newton's method adds to x.
    """
    value, shared = f(x0)
    first, square = _largest(value), (value * value).sum()
    enough = tol + rtol * first
    begun = State(x0, value, shared, square, first, fnp.zeros((), np.int64), fnp.zeros((), bool))

    def goes_on(s: State) -> Any:
        return (s.residual > enough) & (s.iterations < maxiter) & ~s.stuck & fnp.isfinite(s.residual)

    def iterate(s: State) -> State:
        along = step(s.x, s.value, s.shared)
        if line_search:
            part, x, value, shared, square = _searched(f, s, along)
        else:
            part, x = 1.0, s.x + along
            value, shared = f(x)
            square = (value * value).sum()
        return State(x, value, shared, square, _largest(value), s.iterations + 1, fnp.asarray(part < _SHORTEST))

    last = while_loop(goes_on, iterate, begun)
    return last, last.residual <= enough


def _searched(f: Callable[[Any], tuple[Tensor, Any]], s: State, along: Any) -> Any:
    """How much of a step makes f smaller, by halves, where it leads, and f there; f that is no number is too large.

    The whole step is the first round of the loop, so that f stands in it once and each point is computed once.
    """

    def is_too_long(tried: Any) -> Any:
        part, *_, square = tried
        small = square <= (1 - 2 * _ENOUGH * part) * s.square
        return (part > 1) | (~small & (part >= _SHORTEST))

    def half(tried: Any) -> Any:
        part = tried[0] / 2
        x = s.x + part * along
        value, shared = f(x)
        return part, x, value, shared, (value * value).sum()

    return while_loop(is_too_long, half, (fnp.full((), 2.0, s.x.dtype), s.x, s.value, s.shared, s.square))


def _largest(x: Tensor) -> Any:
    """The largest size of an element, NaN where one is no number."""
    return abs(x).max() if x.size else fnp.zeros((), x.dtype)
