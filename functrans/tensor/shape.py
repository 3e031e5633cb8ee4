"""Rearranging axes and elements under NumPy's rules: every function is movement, no arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from types import NoneType
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, ArgumentValueError, AxisError, FunctransError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import Shape, UOp
from functrans.ops.window import moving
from functrans.ops.window import shrink as shrink_at
from functrans.tensor.at_ranges import close
from functrans.tensor.reduce import normal_axes, normal_axis


def sizes(shape: Any, name: str = "shape") -> Shape:
    """A shape argument, an integer or a sequence of integers, as a tuple."""
    given = shape if isinstance(shape, (tuple, list)) else (shape,)
    if isinstance(shape, np.ndarray) and shape.ndim == 1:
        given = tuple(shape)
    try:
        return tuple(operator.index(n) for n in given)
    except FunctransError:
        raise
    except TypeError as error:
        raise ArgumentError(
            f"{name} is {shape!r}; expected an integer or a tuple of integers{at_user_line()}"
        ) from error


def integer(value: Any, name: str) -> int:
    """An argument that is one integer; ArgumentError for what is none, a sequence of one among it."""
    if isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim):
        raise ArgumentError(f"{name} is {value!r}; expected an integer{at_user_line()}")
    return sizes(value, name)[0]


def option(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """Raise for a value that is not among those an argument may have; for what is no text, unless a text is told."""
    if isinstance(value, (str, NoneType)) and value in allowed:
        return
    kind = ArgumentValueError if isinstance(value, str) else ArgumentError
    raise kind(f"{name} is {value!r}{at_user_line()}; expected one of {', '.join(map(repr, allowed))}")


def spread(args: tuple[Any, ...]) -> Any:
    """The argument of methods that take both ``f((2, 3))`` and ``f(2, 3)``."""
    return args[0] if len(args) == 1 and (args[0] is None or isinstance(args[0], (tuple, list))) else args


def reshape(x: UOp, shape: Any, order: Any = "C") -> UOp:
    """The elements in C order (or with ``order="F"`` in Fortran order) under another shape; one size may be -1."""
    if order == "F":
        flipped = reshape(transpose(x), sizes(shape)[::-1])
        return transpose(flipped)
    option("reshape: order", order, ("C", "F", "A", None))
    want = sizes(shape)
    open_axes = [i for i, n in enumerate(want) if n < 0]
    if len(open_axes) > 1 or any(n < -1 for n in want):
        raise ShapeError(f"reshape of {x.shape} into {want}{at_user_line()}; one size may be -1, the others are >= 0")
    known = prod(n for n in want if n >= 0)
    filled = tuple(x.size // known if n < 0 and known else n for n in want)
    if prod(filled) != x.size or -1 in filled:
        raise ShapeError(f"cannot reshape array of size {x.size} (shape {x.shape}) into shape {want}{at_user_line()}")
    return B.reshape(x, filled)


def transpose(x: UOp, axes: Any = None) -> UOp:
    """Axis i of the result is axis axes[i] of x; the axes reversed where none are given."""
    if axes is None:
        return B.permute(x, tuple(reversed(range(x.ndim))))
    order = sizes(axes, "axes")
    if len(order) != x.ndim:
        raise AxisError(f"axes {order} for an array of shape {x.shape}{at_user_line()}; expected {x.ndim} axes")
    order = tuple(normal_axis(a, x.ndim) for a in order)
    if len(set(order)) != len(order):
        raise AxisError(f"axes {axes!r} name an axis twice{at_user_line()}; expected a permutation")
    return B.permute(x, order)


def swapaxes(x: UOp, axis1: Any, axis2: Any) -> UOp:
    """Two axes exchanged."""
    a, b = normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim)
    order = list(range(x.ndim))
    order[a], order[b] = b, a
    return B.permute(x, tuple(order))


def moveaxis(x: UOp, source: Any, destination: Any) -> UOp:
    """Axes moved to other places, the others in their order."""
    src = [normal_axis(a, x.ndim) for a in sizes(source, "source")]
    dst = [normal_axis(a, x.ndim) for a in sizes(destination, "destination")]
    if len(src) != len(dst) or len(set(src)) != len(src) or len(set(dst)) != len(dst):
        raise AxisError(
            f"moveaxis from {source} to {destination}{at_user_line()}; expected as many distinct axes in both"
        )
    order = [a for a in range(x.ndim) if a not in src]
    for to, a in sorted(zip(dst, src, strict=True)):
        order.insert(to, a)
    return B.permute(x, tuple(order))


def rollaxis(x: UOp, axis: Any, start: Any = 0) -> UOp:
    """An axis moved before another."""
    a = normal_axis(axis, x.ndim)
    to = integer(start, "start")
    to = to + x.ndim if to < 0 else to
    if not 0 <= to <= x.ndim:
        raise AxisError(f"rollaxis: start is {start} for an array of {x.ndim} axes{at_user_line()}")
    return moveaxis(x, a, to - 1 if a < to else to)


def squeeze(x: UOp, axis: Any = None) -> UOp:
    """Without the axes of size 1, or those of them that are named."""
    if axis is None:
        return B.reshape(x, tuple(n for n in x.sized if n != 1))
    axes = normal_axes(axis, x.ndim)
    if any(x.sized[a] != 1 for a in axes):
        raise ShapeError(
            f"cannot select an axis to squeeze out which has size not equal to one{at_user_line()}: "
            f"axis {axis} of shape {x.shape}"
        )
    return B.reshape(x, tuple(n for i, n in enumerate(x.sized) if i not in axes))


def expand_dims(x: UOp, axis: Any) -> UOp:
    """New axes of size 1 at the places they have in the result."""
    given = sizes(axis, "axis")
    axes = normal_axes(given, x.ndim + len(given))
    rest = iter(x.sized)
    return B.reshape(x, tuple(1 if i in axes else next(rest) for i in range(x.ndim + len(given))))


def broadcast_to(x: UOp, shape: Any) -> UOp:
    """The array repeated to a shape it broadcasts to."""
    want = sizes(shape)
    if min(want, default=0) < 0:
        raise ShapeError(f"broadcast_to: shape {want}{at_user_line()}; sizes are at least 0")
    fits = len(want) >= x.ndim and all(a in (1, b) for a, b in zip(reversed(x.sized), reversed(want), strict=False))
    if not fits:
        raise ShapeError(f"broadcast_to: shape {x.shape} does not broadcast to {want}{at_user_line()}")
    return B.broadcast(x, want)


def expand(x: UOp, shape: Any) -> UOp:
    """`broadcast_to` where -1 leaves an axis as it is, and a RANGE for an axis of size 1 closes it there."""
    if isinstance(shape, (tuple, list)):
        x, shape = close(x, tuple(shape))
    want = sizes(shape)
    own = (1,) * (len(want) - x.ndim) + x.sized
    return broadcast_to(x, tuple(a if n == -1 else n for a, n in zip(own, want, strict=False)) + want[len(own) :])


def atleast(x: UOp, ndim: int) -> UOp:
    """Axes of size 1 added, where NumPy adds them, until there are ndim (at most 3)."""
    if ndim == 3 and x.ndim in (1, 2):
        return B.reshape(x, (1, x.size, 1) if x.ndim == 1 else (*x.sized, 1))
    return B.reshape(x, (1,) * (ndim - x.ndim) + x.sized)


def flip(x: UOp, axis: Any = None) -> UOp:
    """Reversed along axes; along all where axis is None."""
    axes = normal_axes(axis, x.ndim)
    return B.flip(x, tuple(i in axes for i in range(x.ndim)))


def rot90(x: UOp, k: Any = 1, axes: Any = (0, 1)) -> UOp:
    """Turned by k quarters in the plane of two axes, from the first towards the second."""
    if not isinstance(axes, (tuple, list, np.ndarray)):
        raise ArgumentError(f"rot90: axes are {axes!r}{at_user_line()}; expected two")
    pair = sizes(axes, "axes")
    if len(pair) != 2 or len(normal_axes(pair, x.ndim)) != 2:
        raise AxisError(f"rot90: axes are {axes!r}{at_user_line()}; expected two")
    a, b = (normal_axis(p, x.ndim) for p in pair)
    turns = integer(k, "k") % 4
    if turns == 0:
        return x
    if turns == 2:
        return flip(x, (a, b))
    return swapaxes(flip(x, b), a, b) if turns == 1 else flip(swapaxes(x, a, b), b)


def shrink(x: UOp, bounds: Any) -> UOp:
    """The window [start, stop) along each axis; None leaves an axis whole. Of RANGEs, stop - start is a number."""
    if not isinstance(bounds, (tuple, list)) or len(bounds) != x.ndim:
        raise ShapeError(f"shrink: bounds are {bounds!r} for shape {x.shape}{at_user_line()}; expected a pair an axis")
    if moving(bounds):
        return shrink_at(x, [(0, n) if b is None else b for b, n in zip(bounds, x.sized, strict=True)])
    pairs = tuple((0, n) if b is None else sizes(b, "bounds") for b, n in zip(bounds, x.sized, strict=True))
    if any(len(p) != 2 or not 0 <= p[0] <= p[1] <= n for p, n in zip(pairs, x.sized, strict=True)):
        raise ShapeError(f"shrink: bounds {pairs} do not lie in shape {x.shape}{at_user_line()}")
    return B.shrink(x, tuple((p[0], p[1]) for p in pairs))
