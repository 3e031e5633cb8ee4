"""How long steps are: the norm of errors, the first step, and the next one.

Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4 (norm and first step), and
Hairer and Wanner II, section IV.2 (PI control), with the constants of the program DOPRI5.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import functrans.numpy as fnp
from functrans import tree
from functrans.ode.dormand_prince import ORDER
from functrans.ode.problem import Slope, moved, total

_BETA = 0.04
_ALPHA = 1 / ORDER - 0.75 * _BETA
_SAFETY = 0.9
_SHRINK, _GROW = 0.2, 10.0
LEAST_ERROR = 1e-4
"""What the first step remembers of a step before it, and the least that any does."""


class Tolerance(NamedTuple):
    """Errors may be ``absolute + relative * abs(y)``."""

    relative: Any
    absolute: Any


def norm(error: Any, y: Any, z: Any, tolerance: Tolerance) -> Any:
    """The root of the mean square of errors over what they may be, by the larger of two states."""

    def squares(e: Any, x: Any, w: Any) -> Any:
        allowed = tolerance.absolute + tolerance.relative * fnp.maximum(abs(x), abs(w))
        return fnp.square(abs(e) / allowed).sum()

    size = sum(x.size for x in tree.leaves(y))
    return fnp.sqrt(total(tree.leaves(tree.map(squares, error, y, z))) / max(size, 1))


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


def next_step(h: Any, error: Any, before: Any, is_first_after_rejection: Any) -> Any:
    """The length of the next step after one of an error; an error that is no number counts as a large one."""
    ok = error <= 1
    factor = fnp.clip(_SAFETY * _power(before, _BETA) / _power(error, _ALPHA), _SHRINK, _GROW)
    grown = fnp.where(is_first_after_rejection, fnp.minimum(factor, 1.0), factor)
    shrunk = fnp.clip(_SAFETY / _power(error, _ALPHA), _SHRINK, 1.0)
    return h * fnp.where(ok, grown, fnp.where(error > 1, shrunk, _SHRINK))


def _power(x: Any, exponent: float) -> Any:
    return fnp.exp2(exponent * fnp.log2(x))
