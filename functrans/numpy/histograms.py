"""How many elements lie in each of some bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    DtypeError,
    ShapeError,
    UnsupportedError,
    at_user_line,
)
from functrans.numpy._wrap import of, tensor
from functrans.numpy.composed import where
from functrans.numpy.creation import linspace
from functrans.numpy.joining import bincount
from functrans.tensor import order, running
from functrans.tensor.constants import known
from functrans.tensor.core import Tensor

__all__ = ["histogram", "histogram2d", "histogram_bin_edges"]


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Tensor:
    """The edges of bins: as many equal ones as an integer says over a range, or those that are given.

    The range is that of the elements where none is given; a range of one point becomes half a unit longer at both ends.
    The names of rules for the number of bins raise UnsupportedError, since that number depends on values.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.histogram_bin_edges([0.0, 1.0, 4.0], bins=4)
    Tensor([0., 1., 2., 3., 4.], dtype=float64)
    """
    return _edges(tensor(a).ravel(), bins, range)


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Tensor, Tensor]:
    """How many elements, or how much weight, lie in each bin, and the edges of the bins; see `histogram_bin_edges`.

    A bin holds its lower edge, the last one the upper edge too. Elements outside, and NaN, do not count; without a
    range NaN makes all edges NaN, where NumPy raises. With density=True the integral over the bins is 1. A search by
    halves for each element.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.histogram([0.0, 1.0, 1.0, 4.0], bins=4)
    (Tensor([1, 2, 0, 1], dtype=int64), Tensor([0., 1., 2., 3., 4.], dtype=float64))
    """
    x = tensor(a)
    w = None if weights is None else tensor(weights)
    if w is not None and w.shape != x.shape:
        raise ShapeError(f"histogram: weights have shape {w.shape}, a has shape {x.shape}{at_user_line()}")
    edges = _edges(x.ravel(), bins, range)
    n = edges.shape[0] - 1
    counts = _sums(_bin(x.ravel(), edges), None if w is None else w.ravel(), n)
    if density:
        return counts / of(running.diff(edges.uop)) / counts.sum(), edges
    return counts, edges


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Tensor, Tensor, Tensor]:
    """How many points (x, y), or how much weight, lie in each cell of a grid, as float64, and the edges in x and in y.

    bins and range are those of `histogram`, or pairs of them; edges for both axes may be given as one vector.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.histogram2d([0.0, 1.0, 1.0], [0.0, 2.0, 2.0], bins=2)[0]
    Tensor([[1., 0.],
            [0., 2.]], dtype=float64)
    """
    points = tuple(u.astype(np.result_type(tensor(x).dtype, tensor(y).dtype)) for u in (tensor(x), tensor(y)))
    w = None if weights is None else tensor(weights)
    for u in (*points, *(() if w is None else (w,))):
        if u.ndim != 1 or u.shape != points[0].shape:
            raise ShapeError(
                f"histogram2d of shapes {points[0].shape} and {u.shape}{at_user_line()}; expected vectors of one length"
            )
    pair = bins if isinstance(bins, (tuple, list)) and len(bins) == 2 else (bins, bins)
    ranges = (None, None) if range is None else _pair(range, "a pair of numbers for each of two axes")
    edges = [_edges(u, b, r) for u, b, r in zip(points, pair, ranges, strict=True)]
    rows, columns = (e.shape[0] - 1 for e in edges)
    i, j = (_bin(u, e) for u, e in zip(points, edges, strict=True))
    cell = where((i < rows) & (j < columns), i * columns + j, rows * columns)
    counts = _sums(cell, w, rows * columns).astype(np.float64).reshape(rows, columns)
    if density:
        wide, high = (of(running.diff(e.uop)) for e in edges)
        counts = counts / (wide[:, None] * high) / counts.sum()
    return counts, edges[0], edges[1]


def _edges(x: Tensor, bins: Any, limits: Any) -> Tensor:
    if isinstance(bins, str):
        raise UnsupportedError(
            f"histogram with bins={bins!r}{at_user_line()}: the number of bins would depend on values; give it"
        )
    given = None if isinstance(bins, (int, np.integer)) else tensor(bins)
    if given is not None and given.ndim == 0:
        raise ArgumentError(f"histogram: bins is {bins!r}{at_user_line()}; expected an int, or a vector of edges")
    if given is not None:
        value = known(given.uop)
        if given.ndim != 1 or (value is not None and (value[1:] < value[:-1]).any()):
            raise ArgumentValueError(f"histogram: bins is {bins!r}{at_user_line()}; edges are a vector that ascends")
        return given
    if bins < 1:
        raise ArgumentValueError(f"histogram: bins is {bins}{at_user_line()}; expected at least 1")
    if x.dtype.kind == "c":
        raise DtypeError(f"histogram of {x.dtype.name}{at_user_line()}: complex numbers have no order")
    low, high = _limits(x, limits)
    found = np.result_type(x.dtype, *(u.dtype for u in (low, high) if isinstance(u, Tensor)))
    found = found if found.kind == "f" else np.dtype(np.float64)
    low, high = tensor(low).astype(found), tensor(high).astype(found)
    point = low == high
    low, high = where(point, low - 0.5, low), where(point, high + 0.5, high)
    edges: Tensor = linspace(low, high, int(bins) + 1, dtype=found)
    return edges


def _limits(x: Tensor, limits: Any) -> tuple[Any, Any]:
    """The ends of a range, of which Python numbers give way to the dtype of the elements."""
    if limits is None:
        return (x.min(), x.max()) if x.size else (0.0, 1.0)
    low, high = _pair(limits, "two numbers")
    ends = known(tensor(low).uop), known(tensor(high).uop)
    if ends[0] is not None and ends[1] is not None and not -np.inf < ends[0] <= ends[1] < np.inf:
        raise ArgumentValueError(f"histogram: range is {limits}{at_user_line()}; expected finite ends in order")
    return _weak(low), _weak(high)


def _weak(value: Any) -> Any:
    return value if isinstance(value, (int, float)) and not isinstance(value, np.generic) else tensor(value)


def _pair(limits: Any, expected: str) -> tuple[Any, Any]:
    """The two parts of a range."""
    is_array = isinstance(limits, (np.ndarray, Tensor)) and limits.ndim
    if not (is_array or isinstance(limits, (tuple, list))):
        raise ArgumentError(f"histogram: range is {limits!r}{at_user_line()}; expected {expected}")
    if len(limits) != 2:
        raise ArgumentValueError(f"histogram: range has {len(limits)} parts{at_user_line()}; expected {expected}")
    low, high = limits
    return low, high


def _bin(x: Tensor, edges: Tensor) -> Tensor:
    """The bin of each element; their number where it lies in none."""
    n = edges.shape[0] - 1
    found = of(order.searchsorted(edges.uop, x.uop, "right")) - 1
    found = where(x == edges[-1], n - 1, found)
    inside: Tensor = where((found < 0) | (found > n), n, found)
    return inside


def _sums(bins: Tensor, weights: Tensor | None, n: int) -> Tensor:
    """Counts or sums of weights, in their dtype; what is in no bin is left out."""
    counts = bincount(bins, weights, minlength=n + 1)[:n]
    return counts if weights is None else counts.astype(weights.dtype)
