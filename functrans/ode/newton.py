"""The simplified Newton iteration for the slopes of implicit stages: one matrix a step, a rate that is remembered.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans.transforms.loops.while_loop import while_loop

_MOST = 10  # iterations
_ENOUGH = 0.01  # of the error that a step may have is left to the iteration
_SLOWEST, _FASTEST = 0.9, 1e-2  # rates that are believed before there is one


class Found(NamedTuple):
    """The slopes, NaN where none were found; how fast the iteration converged, and how many iterations it took."""

    slope: Any
    rate: Any
    count: Any


class _Iterate(NamedTuple):
    k: Any
    size: Any
    rate: Any
    count: Any
    near: Any
    apart: Any


def iterated(
    missing: Callable[[Any], Any], guess: Any, correct: Callable[[Any], Any], weighed: Callable[[Any], Any], rate: Any
) -> Found:
    """The k of which nothing is missing, from a guess on.

    ``correct`` gives the change of k for what is missing, ``weighed`` that of the state over the error it may have.
    """
    no = fnp.zeros((), bool)

    def goes_on(s: _Iterate) -> Any:
        return ~s.near & ~s.apart & (s.count < _MOST)

    def iterate(s: _Iterate) -> _Iterate:
        change = correct(missing(s.k))
        part = weighed(change)
        size = fnp.sqrt((part * part).sum() * (1 / max(part.size, 1)))
        is_first = s.count == 0
        rate = fnp.where(is_first, s.rate, size / s.size)
        near = (rate < 1) & (size * rate <= _ENOUGH * (1 - rate))
        return _Iterate(s.k + change, size, rate, s.count + 1, near, ~near & ~(rate < 1))

    zero, rate = fnp.zeros((), guess.dtype), fnp.minimum(fnp.maximum(rate, _FASTEST), _SLOWEST)
    end = while_loop(goes_on, iterate, _Iterate(guess, zero, rate, fnp.zeros((), np.int64), no, no))
    return Found(fnp.where(end.near, end.k, np.nan), fnp.where(end.near, end.rate, 0.5), end.count)
