"""What is put around an array and computed from it: ramps, statistics of its ends, and what is reflected at a point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentValueError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor.create import linspace
from functrans.tensor.elementwise import call
from functrans.tensor.lift import lift
from functrans.tensor.order import median
from functrans.tensor.reduce import max_, min_
from functrans.tensor.statistics import mean
from functrans.tensor.window import join, part, progression, whole, window

STATISTICS: dict[str, Callable[..., UOp]] = {"maximum": max_, "mean": mean, "median": median, "minimum": min_}
Pair = tuple[int, int]


def ramps(x: UOp, axis: int, widths: Pair, ends: tuple[Any, Any]) -> UOp:
    """Straight lines from values at the ends to the edges, computed in float64 at least, as NumPy does."""
    wide = dtypes.from_numpy(np.result_type(x.dtype.numpy, np.float64))
    made = [x]
    for after, (width, end) in enumerate(zip(widths, ends, strict=True)):
        if width:
            edge = _line(x, axis, x.sized[axis] - 1 if after else 0)
            ramp, _ = linspace(lift(end, wide), edge, width, False, x.dtype.numpy, axis)
            made = [*made, _reversed(ramp, axis)] if after else [ramp, *made]
    return join(made, axis)


def statistics(x: UOp, axis: int, widths: Pair, lengths: Pair, mode: str) -> UOp:
    """One number for each line, of as many elements at each end as lengths say."""
    made, n = [x], x.sized[axis]
    for after, (width, length) in enumerate(zip(widths, lengths, strict=True)):
        if not length and (mode in ("maximum", "minimum") or (width and x.dtype.kind not in "fc")):
            raise ArgumentValueError(
                f"pad: stat_length of 0 yields no value for padding by {mode!r}{at_user_line()}; expected 1 or more"
            )
        if width:
            near = part(x, axis, n - length if after else 0, n if after else length)
            y = STATISTICS[mode](near, axis, keepdims=True)
            y = call(np.rint, y) if x.dtype.kind in "iu" and y.dtype.kind == "f" else y
            filled = B.expand(B.cast(y, x.dtype), tuple(width if i == axis else m for i, m in enumerate(x.sized)))
            made = [*made, filled] if after else [filled, *made]
    return join(made, axis)


def reflected_oddly(x: UOp, axis: int, widths: Pair, mode: str) -> UOp:
    """Twice the edge less what is on the other side of it, and so on from the new edge until all is filled."""
    period, (left, right) = x.sized[axis], widths
    first = 0 if mode == "symmetric" else 1
    while left or right:
        n = x.sized[axis]
        most = (n - first) // (period - first) * (period - first)
        before, after = min(most, left), min(most, right)
        made = [x]
        if before:
            made = [_mirrored(x, axis, 0, first + before - 1, before), x]
        if after:
            made += [_mirrored(x, axis, n - 1, n - 1 - first, after)]
        x, left, right = join(made, axis), left - before, right - after
    return x


def _mirrored(x: UOp, axis: int, edge: int, start: int, count: int) -> UOp:
    """Twice an edge less the elements from a position down."""
    span = progression(start, -1, count)
    chunk = window(x, tuple(span if i == axis else whole(n) for i, n in enumerate(x.sized)))
    return B.cast(call(np.subtract, call(np.multiply, 2, part(x, axis, edge, edge + 1)), chunk), x.dtype)


def _line(x: UOp, axis: int, at: int) -> UOp:
    return B.reshape(part(x, axis, at, at + 1), (*x.sized[:axis], *x.sized[axis + 1 :]))


def _reversed(x: UOp, axis: int) -> UOp:
    span = progression(x.sized[axis] - 1, -1, x.sized[axis])
    return window(x, tuple(span if i == axis else whole(n) for i, n in enumerate(x.sized)))
