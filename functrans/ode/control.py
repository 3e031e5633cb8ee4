"""How long steps are: the norm of errors, the first step, and the next one.

The norm is the largest, not the mean: what is asked for is asked for of each component, and one that moves alone, as in
a fast turn, is not made small by others that rest.

Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4 (first step), and Hairer and
Wanner II, section IV.2 (PI control), with the constants of the program DOPRI5.
"""

from __future__ import annotations

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
_SAFETY, _SHRINK, _GROW = (float(np.log2(x)) for x in (0.9, 0.2, 10.0))
_BEND = 0.344  # of the parabola that a logarithm or a power is between two powers of two
_SHARE = 0.3  # of what an error may be, for that of a step: a result has those of all steps, as the equation grows them
LEAST_ERROR = float(np.log2(1e-4))
"""The logarithm of the least error that a step counts with, and of what the first one remembers."""


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
        most = tolerance.absolute + tolerance.relative * fnp.minimum(abs(x), abs(w))
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
    by_turn = fnp.where(flat, fnp.maximum(1e-6, h * 1e-3), _power(0.01 / fnp.where(flat, 1.0, steepest), 1 / ORDER))
    found = fnp.minimum(fnp.minimum(100 * h, by_turn), longest)
    return fnp.where(span < 0, -found, found)


def next_step(h: Any, error: Any, before: Any, may_grow: Any) -> Any:
    """The length of the next step after one whose error has this norm; ``before`` is the logarithm of that of the last
    step taken. An error that is no number counts as a large one.
    """
    ok = error <= 1
    power = _SAFETY + fnp.where(ok, _BETA * before, 0.0) - _ALPHA * near_log2(error)
    power = fnp.where((power > _SHRINK) & (error < np.inf), power, _SHRINK)
    most = fnp.where(ok & may_grow, _GROW, 0.0).astype(h.dtype)
    return h * _near_exp2(fnp.minimum(power, most))


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


def _power(x: Any, exponent: float) -> Any:
    return fnp.exp2(exponent * fnp.log2(x))
