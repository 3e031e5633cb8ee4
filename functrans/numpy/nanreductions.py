"""Reductions, running ones, positions and quantiles that leave NaN out."""

from __future__ import annotations

from typing import Any

from functrans.numpy._wrap import of
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import order, running, statistics
from functrans.tensor.core import Tensor
from functrans.tensor.handle import kept, refuse_out
from functrans.tensor.lift import lift
from functrans.tensor.meanings import isnan
from functrans.tensor.reduce import all_

__all__ = [
    "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile",
    "nanprod", "nanquantile", "nanstd", "nansum", "nanvar",
]  # fmt: skip


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


def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Tensor:
    """The running sums along an axis, or of the flattened array, in which NaN is 0.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nancumsum([1.0, float("nan"), 2.0])
    Tensor([1., 1., 3.], dtype=float64)
    """
    refuse_out("nancumsum", out)
    return of(running.cumulate(_with(lift(a), 0), Ops.ADD, axis, dtype))


def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Tensor:
    """The running products along an axis, or of the flattened array, in which NaN is 1.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nancumprod([3.0, float("nan"), 2.0])
    Tensor([3., 3., 6.], dtype=float64)
    """
    refuse_out("nancumprod", out)
    return of(running.cumulate(_with(lift(a), 1), Ops.MUL, axis, dtype))


def nanargmax(a: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Tensor:
    """The first position of the largest element that is not NaN, as int64; -1 where all are, where NumPy raises.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanargmax([1.0, float("nan"), 3.0])
    Tensor(2, dtype=int64)
    """
    refuse_out("nanargmax", out)
    return _position("argmax", lift(a), axis, kept(keepdims, None))


def nanargmin(a: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Tensor:
    """The first position of the smallest element that is not NaN, as int64; -1 where all are, where NumPy raises.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanargmin([float("nan"), 1.0, 3.0])
    Tensor(1, dtype=int64)
    """
    refuse_out("nanargmin", out)
    return _position("argmin", lift(a), axis, kept(keepdims, None))


def nanmedian(
    a: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Tensor:
    """The median of what is not NaN; NaN where there is nothing. Costs a sort.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanmedian([1.0, float("nan"), 4.0, 2.0])
    Tensor(2., dtype=float64)
    """
    refuse_out("nanmedian", out)
    return of(order.median_without_nan(lift(a), axis, kept(keepdims, None)))


def nanquantile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False,
) -> Tensor:  # fmt: skip
    """The values below which fractions q (0 to 1) of what is not NaN lie; NaN where there is nothing. See `quantile`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanquantile([1.0, float("nan"), 2.0, 4.0], 0.75)
    Tensor(3., dtype=float64)
    """
    refuse_out("nanquantile", out)
    return of(order.quantile_without_nan(lift(a), q, axis, method, kept(keepdims, None)))


def nanpercentile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False,
) -> Tensor:  # fmt: skip
    """The values below which q percent of what is not NaN lie; see `nanquantile`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nanpercentile([1.0, float("nan"), 2.0, 4.0], 75)
    Tensor(3., dtype=float64)
    """
    refuse_out("nanpercentile", out)
    return of(order.quantile_without_nan(lift(a), q, axis, method, kept(keepdims, None), 100))


def _with(x: UOp, value: float) -> UOp:
    """X with a number in place of NaN."""
    return B.where(isnan(x), B.like(x, value), x) if x.dtype.kind in "fc" else x


def _position(name: str, x: UOp, axis: Any, keepdims: bool) -> Tensor:
    worst = float("-inf") if name == "argmax" else float("inf")
    found = statistics.arg_extreme(_with(x, worst), name, axis, keepdims)
    if x.dtype.kind not in "fc":
        return of(found)
    nothing = all_(isnan(x), axis, keepdims)
    return of(B.where(nothing, B.like(found, -1), found))
