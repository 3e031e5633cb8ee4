"""Functions in pieces: another one for each condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, IndexOutOfRange, ShapeError, at_user_line
from functrans.numpy._wrap import of, tensor
from functrans.ops import build as B
from functrans.ops.uop import Shape
from functrans.tensor import compose
from functrans.tensor.core import Tensor

__all__ = ["piecewise"]


def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Tensor:
    """For each element of x the function of the last condition that holds, called with args and kw, or a number.

    A further function stands for where no condition holds, which is else 0. The result has the shape and the dtype of
    x. Functions are called once each with all of x, unlike NumPy's with a selection, so they have to be elementwise;
    nothing of what is not chosen gets through, in derivatives either. All functions are computed everywhere.

    ShapeError where the number of functions, the shapes of conditions among each other or the shape of a value do not
    fit; IndexOutOfRange for conditions of another shape than x; ArgumentError for a funclist that is no list, and for
    an array of several axes in place of a number.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.piecewise(fnp.array([-1.0, 4.0]), [[True, False]], [0.5, fnp.sqrt])
    Tensor([0.5, 2. ], dtype=float64)
    """
    at = tensor(x)
    if isinstance(condlist, (list, tuple)) and not condlist:
        raise IndexOutOfRange(f"piecewise: condlist is empty{at_user_line()}; expected one condition or more")
    if not hasattr(funclist, "__len__"):
        raise ArgumentError(f"piecewise: funclist is {funclist!r}{at_user_line()}; expected a list")
    conditions = [tensor(c).astype(bool) for c in _conditions(condlist, at.ndim)]
    shapes = {c.shape for c in conditions}
    if len(shapes) > 1:
        raise ShapeError(
            f"piecewise: conditions of shapes {[c.shape for c in conditions]}{at_user_line()}; expected one shape"
        )
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ShapeError(
            f"piecewise: {len(funclist)} functions for {len(conditions)} conditions{at_user_line()}; expected as many, "
            "or one more"
        )
    (lead,) = shapes
    if lead != at.shape[: len(lead)]:
        raise IndexOutOfRange(f"piecewise: conditions of shape {lead} for x of shape {at.shape}{at_user_line()}")
    values = [_called(f, at, len(lead), *args, **kw) if callable(f) else _spread(f, at, len(lead)) for f in funclist]
    y = of(B.like(at.uop, 0)) if len(values) == len(conditions) else values[-1]
    for condition, value in zip(conditions, values, strict=False):
        mask = condition.reshape(*lead, *(1 for _ in at.shape[len(lead) :]))
        y = of(compose.where(mask, value, y))
    return y


def _conditions(given: Any, ndim: int) -> list[Any]:
    """The conditions of a list of arrays, an array of rows, or one condition."""
    if np.isscalar(given) or getattr(given, "ndim", 1) == 0:
        return [given]
    rows = isinstance(given[0], (list, tuple)) or getattr(given[0], "ndim", 0) > 0
    return list(given) if rows or ndim == 0 else [given]


def _called(f: Callable[..., Any], x: Tensor, lead: int, *args: Any, **kw: Any) -> Tensor:
    value = tensor(f(x, *args, **kw))
    return value.astype(x.dtype) if value.shape == x.shape else _spread(value, x, lead)


def _spread(given: Any, x: Tensor, lead: int) -> Tensor:
    """A value that is the same for every condition on the leading axes of x, like x.

    NumPy deals several values out to the elements that are chosen, one after the other, and raises where their numbers
    are not the same: that is not known here.
    """
    value = tensor(given).astype(x.dtype)
    each: Shape = x.shape[lead:]
    own = value.shape[-len(each) :] if each else ()
    if any(n != 1 for n in value.shape[: value.ndim - len(own)]) or value.ndim > len(each) + 1 or not _fits(own, each):
        kind = ArgumentError if value.ndim > 1 and not each else ShapeError
        raise kind(
            f"piecewise: a value of shape {value.shape} for x of shape {x.shape}{at_user_line()}; expected a number, "
            "or a function of x"
        )
    return of(B.broadcast(value.reshape(own).uop, x.shape))


def _fits(shape: Shape, wanted: Shape) -> bool:
    return all(m in (1, n) for m, n in zip(shape[::-1], wanted[::-1], strict=False))
