"""How long steps are: the norm of errors, the first step, and the next one.

The norm is the largest, not the mean: what is asked for is asked for of each component, and one that moves alone, as in
a fast turn, is not made small by others that rest.

Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4 (first step), and Hairer and
Wanner II, sections IV.2 (PI control) and IV.8 (predictive control), with the constants of the programs DOPRI5 and
RADAU5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans.ode.dormand_prince import ORDER
from functrans.ode.problem import Slope, moved

_BETA = 0.04
_ALPHA = 1 / ORDER - 0.75 * _BETA
# logarithms to base 2 of what a length is multiplied by
_SAFETY, _SHRINK, _GROW, _GROW_IMPLICIT = (float(np.log2(x)) for x in (0.9, 0.2, 10.0, 8.0))
_BEND = 0.344  # of the parabola that a logarithm or a power is between two powers of two
_SHARE = 0.3  # of what an error may be, for that of a step: a result has those of all steps, as the equation grows them
LEAST_ERROR = float(np.log2(1e-4))
"""The logarithm of the least error that a step counts with, and of what the first one remembers."""
_LEAST_PREDICTED = float(np.log2(1e-2))
_TENTH = float(np.log2(0.1 / _SHARE))
_NOTHING = -1e6  # what is remembered of a step before the first: so short a one foresees no error


class Tolerance(NamedTuple):
    """Errors may be ``absolute + relative * abs(y)``."""

    relative: Any
    absolute: Any


def norm(error: Any, y: Any, z: Any, tolerance: Tolerance) -> Any:
    """The largest error of a component over what a step's may be, by the smaller of two states; NaN if one is.

    By the smaller: in a step into a fast turn the state grows tenfold, and what the larger one allows is an error of
    phase before the turn, which multiplies it.
    """

    def largest(e: Any, x: Any, w: Any) -> Any:
        x, w = abs(x), abs(w)
        most = tolerance.absolute + tolerance.relative * fnp.where(x < w, x, w)  # a number that is none is w, or in e
        found = abs(e) / (_SHARE * most)
        return fnp.max(found) if e.size else fnp.zeros((), found.dtype)

    return reduce(fnp.maximum, tree.leaves(tree.map(largest, error, y, z)))


def first_step(slope: Slope, t: Any, y: Any, first: Any, span: Any, tolerance: Tolerance) -> Any:
    """A length to begin with, of the sign of ``span`` and not longer; from one more evaluation."""
    size, change = norm(y, y, y, tolerance), norm(first, y, y, tolerance)
    longest = fnp.where(span == 0, 1.0, abs(span))
    small = (size < 1e-5) | (change < 1e-5)
    h = fnp.minimum(fnp.where(small, 1e-6, 0.01 * size / fnp.where(small, 1.0, change)), longest)
    signed = fnp.where(span < 0, -h, h)
    bent = slope(t + signed, moved(y, signed, (1.0,), (first,)))
    turn = norm(tree.map(lambda a, b: a - b, bent, first), y, y, tolerance) / h
    steepest = fnp.maximum(change, turn)
    flat = steepest <= 1e-15
    by_turn = fnp.where(flat, fnp.maximum(1e-6, h * 1e-3), _root(0.01 / fnp.where(flat, 1.0, steepest)))
    found = fnp.minimum(fnp.minimum(100 * h, by_turn), longest)
    return fnp.where(span < 0, -found, found)


class Controller(NamedTuple):
    """How lengths follow errors: what is remembered ``before`` the first step; ``next`` of the length of a step, its
    error, what is remembered and whether it may grow, the next length and what is remembered then; and the tolerance
    for an estimated ``error`` where one for results is given.
    """

    before: float
    next: Callable[[Any, Any, Any, Any], tuple[Any, Any]]
    tolerance: Callable[[Tolerance], Tolerance]


def next_step(h: Any, error: Any, before: Any, may_grow: Any) -> tuple[Any, Any]:
    """The length of the next step after one whose error has this norm; ``before`` is the logarithm of that of the last
    step taken, of which there is a new one. An error that is no number counts as a large one.
    """
    ok, size = error <= 1, near_log2(error)
    power = _SAFETY + fnp.where(ok, _BETA * before, 0.0) - _ALPHA * size
    following = _scaled(h, error, power, ok & may_grow, _GROW)
    return following, fnp.where(ok, fnp.maximum(size, LEAST_ERROR), before)


def predicted_step(h: Any, error: Any, before: Any, may_grow: Any) -> tuple[Any, Any]:
    """The same for an error of the fourth power of the length, that is taken to change on as it did since the last step
    taken. Of that the logarithm of its length less a quarter of that of its error is remembered.
    """
    ok, size, length = error <= 1, near_log2(error), near_log2(abs(h))
    power = _SAFETY - 0.25 * size
    ahead = _SAFETY + length - 0.5 * size - before
    power = fnp.where(ok, fnp.minimum(power, ahead), power)
    following = _scaled(h, error, power, ok & may_grow, _GROW_IMPLICIT)
    return following, fnp.where(ok, length - 0.25 * fnp.maximum(size, _LEAST_PREDICTED), before)


def _scaled(h: Any, error: Any, power: Any, may_grow: Any, growth: float) -> Any:
    power = fnp.where((power > _SHRINK) & (error < np.inf), power, _SHRINK)
    return h * _near_exp2(fnp.minimum(power, fnp.where(may_grow, growth, fnp.zeros((), h.dtype))))


def of_order_three(tolerance: Tolerance) -> Tolerance:
    """For an estimate of order 3 of the error of a result of order 5: all of a tenth of the power 2/3 of the relative
    tolerance, and the absolute one in proportion; to the nearest power of two times what was given, a product that is
    exact. So a constant and an argument make the same steps, whatever sums are multiply-adds.
    """
    relative = tolerance.relative
    is_given = relative > 0
    power = fnp.round(_TENTH - fnp.log2(fnp.where(is_given, relative, 1.0)) / 3)
    factor = fnp.where(is_given, fnp.exp2(power), 1.0)
    return Tolerance(factor * relative, factor * tolerance.absolute)


PROPORTIONAL = Controller(LEAST_ERROR, next_step, lambda tolerance: tolerance)
PREDICTIVE = Controller(_NOTHING, predicted_step, of_order_three)


def near_log2(x: Any) -> Any:
    """The logarithm of a positive number to 0.01, from its bits: a controller needs no more. Some number otherwise."""
    bits, unit, bias = _layout(x.dtype)
    exponent = x.bitcast(bits).astype(x.dtype) / unit - bias
    rest = exponent - fnp.floor(exponent)
    return exponent + rest * (_BEND - _BEND * rest)


def _near_exp2(x: Any) -> Any:
    """A power of two to 0.5 percent, where it is a normal number."""
    bits, unit, bias = _layout(x.dtype)
    whole = fnp.floor(x)
    rest = x - whole
    return ((whole + bias) * unit).astype(bits).bitcast(x.dtype) * (1.0 + rest * (1.0 - _BEND + _BEND * rest))


def _layout(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], float, float]:
    """Integers of the size of a number, one unit of its exponent in them, and the exponent's bias."""
    info = np.finfo(dtype)
    return np.dtype(f"i{dtype.itemsize}"), 2.0 ** int(info.nmant), int(info.maxexp) - 1.0


def _root(x: Any) -> Any:
    """Of the order of the method, of a number that may be as small or large as a step; to a few thousandths."""
    return _near_exp2(near_log2(x) * (1 / ORDER))
