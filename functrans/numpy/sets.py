"""Arrays as sets of values: their union, what both have, and what one has alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.errors import ShapeError, TracedValueError, at_user_line
from functrans.numpy._wrap import of, tensor
from functrans.numpy.joining import concatenate
from functrans.numpy.membership import isin
from functrans.numpy.uniques import places, unique
from functrans.ops import build as B
from functrans.tensor import compose, order
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift, result_dtype
from functrans.tensor.shape import integer

__all__ = ["intersect1d", "setdiff1d", "union1d"]


def union1d(ar1: Any, ar2: Any, *, size: int | None = None, fill_value: Any = None) -> Tensor:
    """The different values of two arrays together; see `unique`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.union1d([3, 1], [1, 2])
    Tensor([1, 2, 3], dtype=int64)
    """
    made: Tensor = unique(concatenate((ar1, ar2), axis=None), size=size, fill_value=fill_value)
    return made


def setdiff1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, *, size: int | None = None, fill_value: Any = None
) -> Tensor:
    """The different values of ar1 that ar2 has not, in ascending order; as they come where ar1 is said to be unique.

    How many there are must be known: traced arrays raise TracedValueError, unless size says how many are given. Of
    more than size those that come first are given; fewer are filled up by fill_value, by default the first of them, or
    0. The derivative is that of the elements of ar1. ShapeError for a negative size. Costs sorts.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.setdiff1d([4, 1, 2, 4], [2, 3])
    Tensor([1, 4], dtype=int64)
    """
    x, y = tensor(ar1).ravel(), tensor(ar2).ravel()
    if size is None:
        _refuse_traced("setdiff1d", x, y)
        return Tensor(np.setdiff1d(x.numpy(), y.numpy(), assume_unique))
    at, there = (of(lift(np.arange(x.size))), np.True_) if assume_unique else _first_places(x)
    return _picked(x, at, isin(_taken(x, at), y, invert=True) & there, _size("setdiff1d", size), fill_value)[0]


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False, *, size: int | None = None,
    fill_value: Any = None,
) -> Any:  # fmt: skip
    """The different values that both arrays have, in ascending order; with return_indices their first places in each.

    How many there are must be known: traced arrays raise TracedValueError, unless size says how many are given. Of
    more than size those that come first are given; fewer are filled up by fill_value, by default the first of them, or
    0, places by the number of elements. NaN is in no other array. assume_unique is accepted for NumPy's sake. The
    derivative is that of the elements of ar1. ShapeError for a negative size. Costs sorts.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.intersect1d([4, 1, 2, 4], [2, 4, 5])
    Tensor([2, 4], dtype=int64)
    """
    given = tensor(ar1).ravel(), tensor(ar2).ravel()
    if size is None:
        _refuse_traced("intersect1d", *given)
        options: dict[str, Any] = {"assume_unique": assume_unique, "return_indices": return_indices}
        found: Any = np.intersect1d(given[0].numpy(), given[1].numpy(), **options)
        return tuple(map(Tensor, found)) if isinstance(found, tuple) else Tensor(found)
    common = result_dtype([t.uop for t in given]).numpy
    x, y = given[0].astype(common), given[1].astype(common)
    at, there = _first_places(x)
    count = _size("intersect1d", size)
    values, first = _picked(x, at, isin(_taken(x, at), y) & there, count, fill_value)
    if not return_indices:
        return values
    sorted_ = of(order.argsort(y.uop)) if y.size else of(lift(np.zeros(1, np.int64)))
    place = of(order.searchsorted(_taken(y, sorted_).uop, _taken(x, first).uop)) if y.size else first * 0
    second = of(B.gather(sorted_.uop, B.inside(place.clip(0, max(y.size - 1, 0)).uop, max(y.size, 1))))
    missing = first >= x.size
    return values, first, of(compose.where(missing.uop, y.size, second.uop))


def _refuse_traced(name: str, *given: Tensor) -> None:
    if any(is_traced(t.uop) and t.size for t in given):
        raise TracedValueError(
            f"{name} of a traced array{at_user_line()}: how many values it finds is not known while tracing; "
            f"write fnp.{name}(x, y, size=n), with fill_value= where there are less"
        )


def _size(name: str, size: Any) -> int:
    count = integer(size, "size")
    if count < 0:
        raise ShapeError(f"{name}: size is {count}{at_user_line()}; expected 0 or more")
    return count


def _taken(x: Tensor, at: Tensor) -> Tensor:
    """Elements at places that may be behind the last."""
    if not x.size:
        return of(B.full(at.shape, x.uop.dtype, 0))
    return of(B.gather(x.uop, B.inside(at.clip(0, x.size - 1).uop, x.size)))


def _first_places(x: Tensor) -> tuple[Tensor, Tensor]:
    """Where the different values of x come first, in ascending order of the values, and which of them there are."""
    if not x.size:
        none = of(lift(np.zeros(0, np.int64)))
        return none, none > 0
    return places(x, x.size)


def _picked(x: Tensor, at: Tensor, chosen: Tensor, count: int, fill: Any) -> tuple[Tensor, Tensor]:
    """As many of the chosen places, the first first, and the elements of x there; else fill, and the size of x."""
    number = concatenate((chosen.cumsum(dtype=np.int64), [np.iinfo(np.int64).max]))
    nth = of(order.searchsorted(number.uop, lift(np.arange(1, count + 1))))
    place = _taken(concatenate((at, [x.size])), nth)
    values = _taken(x, place)
    rest = compose.where((place[:1] < x.size).uop, values[:1].uop, 0) if fill is None else lift(fill, x.uop.dtype)
    return of(compose.where((place < x.size).uop, values.uop, B.cast(rest, x.uop.dtype))), place
