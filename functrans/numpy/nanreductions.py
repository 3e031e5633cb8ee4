"""Reductions that leave NaN out."""

from __future__ import annotations

from typing import Any

from functrans.numpy._wrap import of
from functrans.tensor import statistics
from functrans.tensor.core import Tensor
from functrans.tensor.handle import kept, refuse_out
from functrans.tensor.lift import lift

__all__ = ["nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar"]


def nansum(a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False) -> Tensor:
    """The sum of what is not NaN.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nansum([1.0, float("nan"), 2.0])
    Tensor(3., dtype=float64)
    """
    refuse_out("nansum", out)
    return of(statistics.without_nan("sum", lift(a), axis, kept(keepdims, None), dtype=dtype))


def nanprod(a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False) -> Tensor:
    """The product of what is not NaN.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanprod([3.0, float("nan"), 2.0])
    Tensor(6., dtype=float64)
    """
    refuse_out("nanprod", out)
    return of(statistics.without_nan("prod", lift(a), axis, kept(keepdims, None), dtype=dtype))


def nanmean(a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False) -> Tensor:
    """The mean of what is not NaN; NaN where there is nothing.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanmean([1.0, float("nan"), 2.0])
    Tensor(1.5, dtype=float64)
    """
    refuse_out("nanmean", out)
    return of(statistics.without_nan("mean", lift(a), axis, kept(keepdims, None), dtype=dtype))


def nanvar(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False
) -> Tensor:
    """The variance of what is not NaN.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanvar([1.0, float("nan"), 3.0])
    Tensor(1., dtype=float64)
    """
    refuse_out("nanvar", out)
    return of(statistics.without_nan("var", lift(a), axis, kept(keepdims, None), dtype=dtype, ddof=ddof))


def nanstd(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False
) -> Tensor:
    """The standard deviation of what is not NaN.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanstd([1.0, float("nan"), 3.0])
    Tensor(1., dtype=float64)
    """
    refuse_out("nanstd", out)
    return of(statistics.without_nan("std", lift(a), axis, kept(keepdims, None), dtype=dtype, ddof=ddof))


def nanmax(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Tensor:
    """The largest element that is not NaN; NaN where all are.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanmax([1.0, float("nan"), 3.0])
    Tensor(3., dtype=float64)
    """
    refuse_out("nanmax", out)
    return of(statistics.without_nan("max", lift(a), axis, kept(keepdims, None)))


def nanmin(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Tensor:
    """The smallest element that is not NaN; NaN where all are.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanmin([1.0, float("nan"), 3.0])
    Tensor(1., dtype=float64)
    """
    refuse_out("nanmin", out)
    return of(statistics.without_nan("min", lift(a), axis, kept(keepdims, None)))
