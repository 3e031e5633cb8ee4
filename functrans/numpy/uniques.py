"""The different values of an array: as many as there are where that is known, else a given number of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.errors import ArgumentValueError, ShapeError, TracedValueError, UnsupportedError, at_user_line
from functrans.numpy._wrap import of, tensor
from functrans.numpy.joining import concatenate
from functrans.ops import build as B
from functrans.tensor import compose, order
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import integer

__all__ = ["unique"]


def unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: Any = None,
    *, equal_nan: bool = True, sorted: bool = True, size: int | None = None, fill_value: Any = None,
) -> Any:  # fmt: skip
    """The different values in ascending order; their first places, the number of each element, how often they occur.

    How many there are must be known: a traced array raises TracedValueError, unless size says how many are given. Of
    more values than size those that come first are given. Of fewer, values are filled up by fill_value (by default the
    first), places by that of the first, and counts by 0; the number of an element is that among all values. The
    derivative is that of the elements at the first places. equal_nan=False takes each NaN as another value; sorted is
    accepted for NumPy's sake.

    UnsupportedError for size with an axis of several, ShapeError for a negative size, ArgumentValueError for size of
    an empty array without fill_value. Costs a sort.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.unique([3.0, 1.0, 3.0, 2.0], size=4, fill_value=0.0)
    Tensor([1., 2., 3., 0.], dtype=float64)
    """
    x = tensor(ar)
    k = 0 if axis is None else normal_axis(axis, x.ndim)
    if size is None:
        if is_traced(x.uop) and x.size:
            raise TracedValueError(
                f"unique of a traced array of shape {x.shape}{at_user_line()}: how many values it finds is not known "
                "while tracing; write fnp.unique(x, size=n), with fill_value= where there are less"
            )
        options: dict[str, Any] = {
            "return_index": return_index, "return_inverse": return_inverse, "return_counts": return_counts,
            "axis": axis if axis is None else k, "equal_nan": equal_nan,
        }  # fmt: skip
        found = np.unique(x.numpy() if x.size else np.zeros(x.shape, x.dtype), **options)
        return tuple(map(Tensor, found)) if isinstance(found, tuple) else Tensor(found)
    count = integer(size, "size")
    if count < 0:
        raise ShapeError(f"unique: size is {count}{at_user_line()}; expected 0 or more")
    if axis is not None and x.ndim != 1:
        raise UnsupportedError(f"unique: size with axis {axis} of shape {x.shape} is not built{at_user_line()}")
    parts = _found(x, count, fill_value, equal_nan)
    made = [parts[0], *(p for p, w in zip(parts[1:], (return_index, return_inverse, return_counts), strict=True) if w)]
    return tuple(made) if len(made) > 1 else made[0]


def _found(x: Tensor, count: int, fill: Any, equal_nan: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Values, their first places, the number of each element, and how often each value occurs."""
    n, flat = x.size, x.ravel()
    if not n:
        if count and fill is None:
            raise ArgumentValueError(f"unique: size is {count} for an empty array{at_user_line()}; give fill_value=")
        zeros = of(B.like(lift(np.zeros(count, np.int64)), 0))
        empty = of(B.broadcast(lift(0 if fill is None else fill, x.uop.dtype), (count,)))
        return empty, zeros, x.astype(np.int64), zeros
    by_order, number = _numbered(flat, equal_nan)
    at, times = _occurring(by_order, number, count)
    values = of(B.gather(flat.uop, B.inside(at.uop, n)))
    if fill is not None:
        values = of(compose.where(times > 0, values, lift(fill, x.uop.dtype)))
    own = of(lift(np.zeros(n, np.int64))).at[of(B.inside(by_order.uop, n))].set(number)
    return values, at, own.reshape(x.shape), times


def places(x: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Where the different values of an array of one axis come first, in ascending order; whether there are so many."""
    at, times = _occurring(*_numbered(x, True), count)
    return at, times > 0


def _numbered(flat: Tensor, equal_nan: bool) -> tuple[Tensor, Tensor]:
    """The places of elements in ascending order, and the numbers of the values there."""
    by_order = of(order.argsort(flat.uop))
    ordered = of(B.gather(flat.uop, B.inside(by_order.uop, flat.size)))
    return by_order, concatenate(([0], _other(ordered, equal_nan).cumsum(dtype=np.int64)))


def _occurring(by_order: Tensor, number: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The first places of the first values, and how often each occurs."""
    wanted = lift(np.arange(count))
    first = of(order.searchsorted(number.uop, wanted))
    times = of(order.searchsorted(number.uop, wanted, "right")) - first
    first = of(compose.where(first < number.size, first, 0))
    return of(B.gather(by_order.uop, B.inside(first.uop, number.size))), times


def _other(ordered: Tensor, equal_nan: bool) -> Tensor:
    """Whether an element is another value than the one before it, of sorted ones but the first."""
    other = ordered[1:] != ordered[:-1]
    if equal_nan and ordered.dtype.kind in "fc":
        other = other & (ordered[1:].isnan() & ordered[:-1].isnan()).logical_not()
    return other
