"""Sorting, searching and quantiles. All sorts are stable and put NaN last."""

from __future__ import annotations

from typing import Any

from functrans.numpy._wrap import of
from functrans.tensor import order as _order
from functrans.tensor.core import Tensor
from functrans.tensor.handle import kept, refuse_out
from functrans.tensor.join import sequence
from functrans.tensor.lift import lift

__all__ = [
    "argpartition", "argsort", "lexsort", "median", "partition", "percentile", "quantile", "searchsorted", "sort",
]  # fmt: skip


def sort(
    a: Any, axis: Any = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None,
    descending: bool = False,
) -> Tensor:  # fmt: skip
    """The elements along an axis in ascending order, NaN last; without an axis those of the flattened array.

    Always stable: kind and stable are accepted for NumPy's sake. The derivative follows the permutation.
    AxisError for an axis that is not there. n log n comparisons a line.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.sort([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])
    Tensor([[1., 2., 3.],
            [0., 4., 5.]], dtype=float64)
    """
    _order.check_kind("sort", kind, order)
    return of(_order.sort(lift(a), axis, descending))


def argsort(
    a: Any, axis: Any = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None,
    descending: bool = False,
) -> Tensor:  # fmt: skip
    """The positions that put the elements along an axis into ascending order, as int64.

    Always stable, NaN last, as `sort`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.argsort([3.0, 1.0, 2.0, 1.0])
    Tensor([1, 3, 2, 0], dtype=int64)
    """
    _order.check_kind("argsort", kind, order)
    return of(_order.argsort(lift(a), axis, descending))


def partition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: None = None) -> Tensor:
    """The elements along an axis with the kth in its sorted place: here all of them are sorted.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.partition([3.0, 1.0, 2.0], 1)
    Tensor([1., 2., 3.], dtype=float64)
    """
    _order.check_kind("partition", kind, order, ("introselect",))
    x = lift(a)
    _order.partition_axis("partition", x, kth, axis)
    return of(_order.sort(x, axis))


def argpartition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: None = None) -> Tensor:
    """The positions that put the kth element along an axis into its sorted place: here those of `argsort`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.argpartition([3.0, 1.0, 2.0], 1)
    Tensor([1, 2, 0], dtype=int64)
    """
    _order.check_kind("argpartition", kind, order, ("introselect",))
    x = lift(a)
    _order.partition_axis("argpartition", x, kth, axis)
    return of(_order.argsort(x, axis))


def lexsort(keys: Any, axis: Any = -1) -> Tensor:
    """The positions in order by the last key, equal ones by the key before it, and so on.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.lexsort(([2, 1, 3], [5, 5, 4]))
    Tensor([2, 1, 0], dtype=int64)
    """
    return of(_order.lexsort(sequence(keys, "lexsort"), axis))


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """Where each element of v would be inserted into the sorted vector a to keep it sorted, as int64.

    ``side="left"`` before equal elements, ``"right"`` behind them. ShapeError unless a has one axis. As many
    steps as the size of a has binary digits.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.searchsorted([1.0, 2.0, 2.0, 5.0], [2.0, 9.0])
    Tensor([1, 4], dtype=int64)
    """
    return of(_order.searchsorted(lift(a), lift(v), side, None if sorter is None else lift(sorter)))


def median(a: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False) -> Tensor:
    """The middle of the elements over axes in order; of an even number the mean of the two in the middle.

    NaN where an element is, or where there is nothing. Costs a sort.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.median([[1.0, 9.0, 4.0], [2.0, 3.0, 5.0]], axis=1)
    Tensor([4., 3.], dtype=float64)
    """
    refuse_out("median", out)
    return of(_order.median(lift(a), axis, kept(keepdims, None)))


def quantile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False,
) -> Tensor:  # fmt: skip
    """The values below which fractions q (0 to 1) of the elements over axes lie; the axes of q come first.

    method is linear, lower, higher, nearest or midpoint. NaN where an element is. A q outside is taken as the
    nearest end, since a traced one cannot be refused. ShapeError of nothing. Costs a sort.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.quantile([1.0, 2.0, 4.0, 8.0], [0.0, 0.5, 0.75])
    Tensor([1., 3., 5.], dtype=float64)
    """
    refuse_out("quantile", out)
    return of(_order.quantile(lift(a), q, axis, method, kept(keepdims, None)))


def percentile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False,
) -> Tensor:  # fmt: skip
    """The values below which q percent of the elements over axes lie; see `quantile`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.percentile([1.0, 2.0, 4.0, 8.0], 50)
    Tensor(3., dtype=float64)
    """
    refuse_out("percentile", out)
    return of(_order.quantile(lift(a), q, axis, method, kept(keepdims, None), 100))
