"""Rearranging axes and elements under NumPy's rules: every function is movement, no arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

from functrans.errors import ArgumentError, AxisError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import Shape, UOp
from functrans.tensor.reduce import normal_axis, normal_axes


def sizes(shape: Any, name: str = "shape") -> Shape:
    """A shape argument, an integer or a sequence of integers, as a tuple."""
    given = shape if isinstance(shape, (tuple, list)) else (shape,)
    try:
        return tuple(operator.index(n) for n in given)
    except TypeError as error:
        raise ArgumentError(f"{name} is {shape!r}; expected an integer or a tuple of integers{at_user_line()}") from error


def spread(args: tuple[Any, ...]) -> Any:
    """The argument of methods that take both ``f((2, 3))`` and ``f(2, 3)``."""
    return args[0] if len(args) == 1 and (args[0] is None or isinstance(args[0], (tuple, list))) else args


def reshape(x: UOp, shape: Any) -> UOp:
    """The elements in C order under another shape; one size may be -1."""
    want = sizes(shape)
    open_axes = [i for i, n in enumerate(want) if n < 0]
    if len(open_axes) > 1 or any(n < -1 for n in want):
        raise ShapeError(f"cannot reshape {x.shape} into {want}{at_user_line()}; one size may be -1, the others are >= 0")
    if open_axes:
        rest = prod(n for n in want if n >= 0)
        if rest == 0 or x.size % rest:
            raise ShapeError(f"cannot reshape array of size {x.size} (shape {x.shape}) into shape {want}{at_user_line()}")
        want = tuple(x.size // rest if n < 0 else n for n in want)
    if prod(want) != x.size:
        raise ShapeError(f"cannot reshape array of size {x.size} (shape {x.shape}) into shape {want}{at_user_line()}")
    return B.reshape(x, want)


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
