"""y at times that are ends of steps: the state there, with the derivatives by time of what goes through it."""

from __future__ import annotations

from typing import Any

import functrans.numpy as fnp
from functrans import tree
from functrans.ode.dormand_prince import Between, interpolated
from functrans.ode.problem import Slope, chosen, moved
from functrans.transforms.custom import custom_jvp
from functrans.transforms.loops.branch import cond
from functrans.transforms.vmap import vmap


def exactly(y: Any, through: Any) -> Any:
    """``y``, with the derivatives of ``through``, which is the same but for rounding."""
    return y


exactly = custom_jvp(exactly)
exactly.defjvp(lambda primals, tangents: (exactly(*primals), tangents[1]))


def within(t: Any, s: Between, stop: Any, y: Any) -> Any:
    """The state at a time within a step, which comes to ``y`` at ``stop``: at its ends just theirs."""
    through = interpolated(t, s)
    return exactly(chosen(t == stop, y, chosen(t == s.t, s.y, through)), through)


def nowhere(t: Any, y: Any, slope: Any) -> Between:
    """A step that is not taken, of length one."""
    return Between(t, fnp.ones_like(t), y, slope, tree.map(fnp.add, y, slope), slope, tree.map(fnp.zeros_like, slope))


def from_start(t: Any, start: Any, y: Any, slope: Any, f: Slope) -> Any:
    """y at a time that equals the first one, for its derivatives by both: a step of the midpoint rule."""
    h = t - start
    return moved(y, h, (1.0,), [f(start + h / 2, moved(y, h, (0.5,), [slope]))])


def of_no_length(ys: Any, times: Any, y: Any, slope: Any, f: Slope, steps: Any) -> Any:
    """The same values at times; the derivatives by those that equal the first one where no step was taken, because all
    do or because the first step failed.
    """

    def at_start(t: Any, row: Any) -> Any:
        is_first = t == times[0]
        here = from_start(fnp.where(is_first, t, times[0]), times[0], y, slope, f)
        return chosen(is_first, here, row)

    return exactly(ys, cond(steps == 0, lambda: vmap(at_start)(times, ys), lambda: ys))
