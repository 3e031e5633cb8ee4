"""One step of Dormand and Prince's method of order 5, its error, and its values in between.

Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, table II.5.2 and equation (II.6.12), in
the form of the program DOPRI5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from functrans import tree
from functrans.ode.problem import Slope, combined, moved

_NODES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0)
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
)
_WEIGHTS = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
_ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
_CURVE = (
    -12715105075 / 11282082432,
    0.0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
)
EVALUATIONS = 6
"""Calls of f in a step; the seventh stage is the first of the next step."""
ORDER = 5


class Step(NamedTuple):
    """The end of a step: state and slope there, the estimated error, what bends the values in between, and how many
    evaluations of f it took. ``again`` makes a better estimate of one that is too large, by one evaluation; ``used`` is
    what the next step may share.
    """

    y: Any
    slope: Any
    error: Any
    curve: Any
    evaluations: Any
    again: Callable[[Any], Any] | None = None
    used: Any = None


class Between(NamedTuple):
    """A step that can be read in between: where it begins, how long it is, both ends."""

    t: Any
    h: Any
    y: Any
    slope: Any
    y_end: Any
    slope_end: Any
    curve: Any


def step(slope: Slope, t: Any, y: Any, first: Any, h: Any) -> Step:
    """A step of length h from y at t, where the slope is ``first``."""
    slopes = [first]
    for node, weights in zip(_NODES, _STAGES, strict=True):
        slopes.append(slope(t + node * h, moved(y, h, weights, slopes)))
    end = moved(y, h, _WEIGHTS, slopes)
    slopes.append(slope(t + h, end))
    return Step(end, slopes[-1], combined(h, _ERROR, slopes), combined(h, _CURVE, slopes), EVALUATIONS)


def interpolated(t: Any, s: Between) -> Any:
    """The state at a time within a step, of order 4, once differentiable from step to step."""
    a = (t - s.t) / s.h
    b = 1 - a

    def leaf(y: Any, slope: Any, end: Any, slope_end: Any, curve: Any) -> Any:
        rise = end - y
        bent = s.h * slope - rise
        return (y + a * (rise + b * (bent + a * (rise - s.h * slope_end - bent + b * curve)))).astype(y.dtype)

    return tree.map(leaf, s.y, s.slope, s.y_end, s.slope_end, s.curve)
