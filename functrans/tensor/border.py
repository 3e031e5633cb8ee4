"""What moves elements along an axis and what surrounds them: roll and pad."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.ops.window import moving
from functrans.ops.window import pad as pad_at
from functrans.tensor import margins
from functrans.tensor.lift import lift
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import option, sizes
from functrans.tensor.window import join, part, progression, whole, window

MODES: dict[str, str | None] = {  # with the option that each takes
    "constant": "constant_values", "empty": None, "edge": None, "reflect": "reflect_type",
    "symmetric": "reflect_type", "wrap": None, "linear_ramp": "end_values",
    **dict.fromkeys(margins.STATISTICS, "stat_length"),
}  # fmt: skip
Widths = tuple[tuple[int, int], ...]


def roll(x: UOp, shift: Any, axis: Any = None) -> UOp:
    """Elements shifted along axes, those that fall off at one end coming in at the other."""
    if axis is None:
        flat = B.reshape(x, (x.size,))
        return B.reshape(_rolled(flat, sum(sizes(shift, "shift")), 0), x.sized)
    shifts, axes = sizes(shift, "shift"), [normal_axis(a, x.ndim) for a in sizes(axis, "axis")]
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ShapeError(f"roll: {len(shifts)} shifts for {len(axes)} axes{at_user_line()}; expected as many")
    count = max(len(shifts), len(axes)) if shifts and axes else 0
    for i in range(count):
        x = _rolled(x, shifts[i % len(shifts)], axes[i % len(axes)])
    return x


def _rolled(x: UOp, shift: int, axis: int) -> UOp:
    n = x.sized[axis]
    cut = -shift % n if n else 0
    return B.cat((part(x, axis, cut, n), part(x, axis, 0, cut)), axis) if cut else x


def widths_of(pad_width: Any, x: UOp, name: str = "pad_width") -> Widths:
    """NumPy's pad_width, one pair an axis: an integer, a pair, a pair for each axis, or a dict by axis."""
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * x.ndim
        for axis, width in pad_width.items():
            before, after = sizes(width, name) if isinstance(width, (tuple, list)) else sizes(width, name) * 2
            pairs[normal_axis(axis, x.ndim)] = (before, after)
    else:
        given = np.asarray(pad_width)
        if given.dtype.kind not in "iu" and given.size:
            raise ArgumentError(f"pad: {name} is {pad_width!r}{at_user_line()}; expected integers")
        try:
            rows = np.broadcast_to(given, (x.ndim, 2)).tolist()
        except ValueError as error:
            raise ShapeError(
                f"pad: {name} {pad_width!r} for an array of {x.ndim} axes{at_user_line()}; expected a pair an axis"
            ) from error
        pairs = [(int(b), int(a)) for b, a in rows]
    if any(w < 0 for pair in pairs for w in pair):
        raise ShapeError(f"pad: {name} is {pad_width!r}{at_user_line()}; index values can't contain negative values")
    return tuple(pairs)


def pad(x: UOp, pad_width: Any, mode: Any = "constant", **options: Any) -> UOp:
    """Elements put around: a constant, the edge, the array mirrored or continued, ramps, or statistics of its ends.

    Widths that are expressions of RANGEs put zeros around, and have a sum that is a number.
    """
    options = {k: v for k, v in options.items() if v is not None}
    if moving(pad_width):
        if mode != "constant" or options.get("constant_values", 0) != 0 or len(pad_width) != x.ndim:
            raise UnsupportedError(
                f"pad: widths of RANGEs {pad_width!r} with mode {mode!r} and {options!r} for "
                f"shape {x.shape}{at_user_line()}; expected a pair an axis, and zeros"
            )
        return pad_at(x, pad_width)
    widths = widths_of(pad_width, x)
    if callable(mode):
        raise UnsupportedError(f"pad: mode is a function{at_user_line()}, which would be called with arrays of numbers")
    if mode not in MODES:
        raise ArgumentValueError(f"pad: mode is {mode!r}{at_user_line()}; expected one of {', '.join(MODES)}")
    if extra := sorted(options.keys() - {MODES[mode]}):
        raise ArgumentValueError(
            f"pad: mode {mode!r} with {', '.join(extra)}{at_user_line()}; it takes {MODES[mode] or 'no option'}"
        )
    if mode in ("constant", "empty"):
        return _constant(x, widths, options.get("constant_values", 0))
    for axis, pair in enumerate(widths):
        if x.sized[axis] == 0 and any(pair):
            raise ShapeError(f"pad: can't extend empty axis {axis} using mode {mode!r}{at_user_line()}")
    return _around(x, widths, mode, **options) if x.size else _constant(x, widths, 0)


def _around(
    x: UOp, widths: Widths, mode: str, reflect_type: str = "even", end_values: Any = 0, stat_length: Any = None
) -> UOp:  # fmt: skip
    """One axis after the other, with what was put around those before."""
    option("reflect_type", reflect_type, ("even", "odd"))
    ends = _values(end_values, x.ndim, "end_values")
    lengths = None if stat_length is None else widths_of(stat_length, x, "stat_length")
    for axis, (before, after) in enumerate(widths):
        n = x.sized[axis]
        if mode in margins.STATISTICS:
            length = (n, n) if lengths is None else (min(lengths[axis][0], n), min(lengths[axis][1], n))
            x = margins.statistics(x, axis, (before, after), length, mode)
        elif mode == "linear_ramp":
            x = margins.ramps(x, axis, (before, after), ends[axis])
        elif reflect_type == "odd" and n > 1:
            x = margins.reflected_oddly(x, axis, (before, after), mode)
        elif before or after:
            at = np.pad(np.arange(n), (before, after), mode=mode)  # type: ignore[call-overload]
            x = join([*_pieces(x, at[:before], axis), x, *_pieces(x, at[before + n :], axis)], axis)
    return x


def _pieces(x: UOp, at: Any, axis: int) -> list[UOp]:
    """X at positions of an axis, as windows that the positions fall into."""
    made = []
    k = 0
    while k < len(at):
        step = int(at[k + 1] - at[k]) if k + 1 < len(at) else 1
        end = k + 1
        while end < len(at) and at[end] - at[end - 1] == step:
            end += 1
        span = progression(int(at[k]), step or 1, end - k if step else 1)
        piece = window(x, tuple(span if i == axis else whole(n) for i, n in enumerate(x.sized)))
        made.append(piece if step else B.expand(piece, (*x.sized[:axis], end - k, *x.sized[axis + 1 :])))
        k = end
    return made


def _constant(x: UOp, widths: Widths, values: Any) -> UOp:
    pairs = [tuple(lift(v, x.dtype) for v in pair) for pair in _values(values, x.ndim)]
    if len({v for pair in pairs for v in pair}) <= 1:
        return _filled(x, widths, pairs[0][0]) if pairs else x
    for axis, (before, after) in enumerate(widths):
        for width, value in zip(((before, 0), (0, after)), pairs[axis], strict=True):
            x = _filled(x, tuple(width if i == axis else (0, 0) for i in range(x.ndim)), value)
    return x


def _values(values: Any, ndim: int, name: str = "constant_values") -> list[tuple[Any, Any]]:
    """NumPy's constant_values, one pair an axis: a number, a pair, or a pair for each axis."""
    values = values.tolist() if isinstance(values, np.ndarray) else values
    if not isinstance(values, (tuple, list)):
        return [(values, values)] * ndim
    pairs = [tuple(v) for v in values] if isinstance(values[0], (tuple, list)) else [tuple(values)]
    pairs = [p * 2 if len(p) == 1 else p for p in pairs]
    pairs = pairs * ndim if len(pairs) == 1 else pairs
    if len(pairs) != ndim or any(len(p) != 2 for p in pairs):
        raise ShapeError(
            f"pad: {name} is {values!r} for an array of {ndim} axes{at_user_line()}; expected a pair an axis"
        )
    return [(p[0], p[1]) for p in pairs]


def _filled(x: UOp, widths: Widths, value: UOp) -> UOp:
    if not any(w for pair in widths for w in pair):
        return x
    padded = B.pad(x, widths)
    if value is UOp.const(x.dtype, 0):
        return padded
    inside = B.pad(B.full(x.sized, dtypes.bool_, True), widths)
    return B.where(inside, padded, B.broadcast(value, padded.sized))
