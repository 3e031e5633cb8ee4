"""Polynomials by their coefficients, the highest first."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, UnsupportedError, at_user_line
from functrans.numpy._wrap import of, tensor
from functrans.numpy.filters import convolve
from functrans.numpy.joining import concatenate, stack
from functrans.tensor import create, least_squares
from functrans.tensor.core import Tensor
from functrans.tensor.shape import integer

__all__ = ["polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub"]


def polyadd(a1: Any, a2: Any) -> Tensor:
    """The sum of two polynomials, with as many coefficients as the longer one.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.polyadd([1, 2], [9, 5, 4])
    Tensor([9, 6, 6], dtype=int64)
    """
    a, b = _of_one_length(a1, a2)
    return a + b


def polysub(a1: Any, a2: Any) -> Tensor:
    """The difference of two polynomials, with as many coefficients as the longer one.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.polysub([2, 10, -2], [10, -4])
    Tensor([2, 0, 2], dtype=int64)
    """
    a, b = _of_one_length(a1, a2)
    return a - b


def polymul(a1: Any, a2: Any) -> Tensor:
    """The product of two polynomials, with as many coefficients as its degree says, one less than both have.

    Coefficients that are 0 in front of others stay, where NumPy leaves them out. ShapeError for more than one axis.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.polymul([1, 2, 3], [9, 5, 1])
    Tensor([ 9, 23, 38, 17,  3], dtype=int64)
    """
    return convolve(*map(_some, (a1, a2)))


def polydiv(u: Any, v: Any) -> tuple[Tensor, Tensor]:
    """The quotient of two polynomials, and the rest, which has one coefficient less than v, or those of a shorter u.

    Coefficients of the rest that are 0 in front of others stay, where NumPy leaves them out. The first coefficient of v
    divides: where it is 0 the results are infinite or NaN. ShapeError for more than one axis. A step for each
    coefficient of the quotient.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    (Tensor([1.5 , 1.75], dtype=float64), Tensor([0.25], dtype=float64))
    """
    rest, divisor = (_some(t) + 0.0 for t in (u, v))
    many, both = rest.size - divisor.size + 1, rest[:1] + divisor[:1]
    rest, scale, found = rest.astype(both.dtype), 1.0 / divisor[0], []
    if many < 1:
        return of(create.full((1,), 0, both.dtype)), rest
    for k in range(many):
        found.append(scale * rest[k])
        rest = rest.at[k : k + divisor.size].subtract(found[-1] * divisor)
    return stack(found).astype(both.dtype), rest[max(rest.size - max(divisor.size - 1, 1), 0) :]


def polyder(p: Any, m: int = 1) -> Tensor:
    """The m-th derivative of a polynomial; without coefficients where it is of a lower degree.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.polyder([1, 1, 1, 1])
    Tensor([3, 2, 1], dtype=int64)
    """
    y = _coefficients("polyder", p)
    for _ in range(_times("polyder", m)):
        y = y[:-1] * np.arange(y.size - 1, 0, -1)
    return y


def polyint(p: Any, m: int = 1, k: Any = None) -> Tensor:
    """The m-th antiderivative of a polynomial, with constants k (by default 0), the one of the first first.

    One constant counts for all; ShapeError for other fewer than m.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.polyint([3.0, 2.0, 1.0], k=5.0)
    Tensor([1., 1., 1., 5.], dtype=float64)
    """
    y, times = _coefficients("polyint", p), _times("polyint", m)
    constants = tensor(np.zeros(times) if k is None else k).ravel()
    if constants.size < times and constants.size != 1:
        raise ShapeError(f"polyint: k has {constants.size} elements, m is {times}{at_user_line()}; expected m, or 1")
    for i in range(times):
        last = constants[:1] if constants.size == 1 else constants[i : i + 1]
        y = concatenate((y / np.arange(y.size, 0, -1), last))
    return y


def polyfit(x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Tensor:
    """The polynomial of a degree with the least sum of squares of w times what it is off y at x; one for each column.

    By `linalg.lstsq` of scaled powers, as NumPy; rcond is the rounding unit times the number of points, unless given.
    It does not warn where the rank is less than deg + 1. UnsupportedError for full and cov, ArgumentValueError for a
    negative degree, ArgumentError for arrays that do not fit.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.round(fnp.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 7.0], 2), 12)
    Tensor([1., 1., 1.], dtype=float64)
    """
    if full or cov:
        raise UnsupportedError(
            f"polyfit with full or cov{at_user_line()}; fnp.linalg.lstsq(fnp.vander(x, deg + 1), y) gives what they do"
        )
    degree = integer(deg, "deg")
    if degree < 0:
        raise ArgumentValueError(f"polyfit: deg is {degree}{at_user_line()}; expected 0 or more")
    at, values = tensor(x) + 0.0, tensor(y) + 0.0
    if at.ndim != 1 or not at.size or values.ndim not in (1, 2) or values.shape[0] != at.size:
        raise ArgumentError(
            f"polyfit: x has shape {at.shape}, y {values.shape}{at_user_line()}; expected a vector of points, and as "
            "many values, or rows of them"
        )
    powers = of(create.vander(at.uop, degree + 1, False))
    if w is not None:
        weights = tensor(w) + 0.0
        if weights.shape != at.shape:
            raise ArgumentError(f"polyfit: w has shape {weights.shape}{at_user_line()}; expected {at.shape}")
        powers = powers * weights[:, None]
        values = values * (weights[:, None] if values.ndim == 2 else weights)
    scale = (powers * powers).sum(0).sqrt()
    least = at.size * np.finfo(at.dtype).eps if rcond is None else rcond
    found = of(least_squares.lstsq((powers / scale).uop, values.uop, least)[0])
    return found / (scale[:, None] if values.ndim == 2 else scale)


def _at_most_one_axis(p: Any) -> Tensor:
    y = tensor(p)
    if y.ndim > 1:
        raise ShapeError(f"a polynomial of shape {y.shape}{at_user_line()}; expected one axis")
    return y.ravel()


def _some(p: Any) -> Tensor:
    """Coefficients, 0 where there are none."""
    y = _at_most_one_axis(p)
    return y if y.size else of(create.full((1,), 0, y.dtype))


def _of_one_length(a1: Any, a2: Any) -> tuple[Tensor, Tensor]:
    a, b = map(_at_most_one_axis, (a1, a2))
    n = max(a.size, b.size)
    longer = [concatenate((np.zeros(n - t.size, t.dtype), t)) if t.size < n else t for t in (a, b)]
    return longer[0], longer[1]


def _coefficients(name: str, p: Any) -> Tensor:
    y = tensor(p)
    if y.ndim != 1:
        kind = ShapeError if y.ndim else ArgumentError
        raise kind(f"{name}: p has shape {y.shape}{at_user_line()}; expected one axis")
    return y


def _times(name: str, m: Any) -> int:
    times = integer(m, "m")
    if times < 0:
        raise ArgumentValueError(f"{name}: m is {times}{at_user_line()}; expected 0 or more")
    return times
