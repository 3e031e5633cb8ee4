"""Reductions and running reductions, with NumPy's arguments; `keepdim` is another name of `keepdims`."""

from __future__ import annotations

from typing import Any

from functrans.numpy._wrap import of, tensor
from functrans.ops.enums import Ops
from functrans.tensor import running, statistics
from functrans.tensor.core import Tensor
from functrans.tensor.handle import kept
from functrans.tensor.lift import lift

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "count_nonzero", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod", "ptp", "std", "sum", "trapezoid", "var",
]  # fmt: skip


def sum(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, *, keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """The sum over axes: all of them, one, or a tuple; 0 where there is nothing.

    bool and integers add up in 64 bits unless dtype says otherwise. AxisError for an axis that is not there.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.sum([[1, 2], [3, 4]], axis=0)
    Tensor([4, 6], dtype=int64)
    """
    return tensor(a).sum(axis, dtype, out, keepdims, initial, where, keepdim=keepdim)


def prod(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, *, keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """The product over axes; 1 where there is nothing.

    bool and integers multiply in 64 bits unless dtype says otherwise.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.prod([[1.0, 2.0], [3.0, 4.0]], axis=1)
    Tensor([ 2., 12.], dtype=float64)
    """
    return tensor(a).prod(axis, dtype, out, keepdims, initial, where, keepdim=keepdim)


def max(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None,
    *, keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """The largest element over axes; NaN where there is one.

    Complex numbers by their real, then by their imaginary parts, the first of equal ones, whose derivative it has.
    ShapeError where there is nothing and no initial value.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.max([[1.0, 4.0], [3.0, 2.0]], axis=0)
    Tensor([3., 4.], dtype=float64)
    """
    return tensor(a).max(axis, out, keepdims, initial, where, keepdim=keepdim)


def min(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None,
    *, keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """The smallest element over axes; NaN where there is one.

    Complex numbers by their real, then by their imaginary parts, the first of equal ones, whose derivative it has.
    ShapeError where there is nothing and no initial value.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.min([[1.0, 4.0], [3.0, 2.0]], axis=0)
    Tensor([1., 2.], dtype=float64)
    """
    return tensor(a).min(axis, out, keepdims, initial, where, keepdim=keepdim)


amax, amin = max, min


def any(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None,
    keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """Whether an element is not zero (NaN is not); False where there is nothing.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.any([[0, 1], [0, 0]], axis=1)
    Tensor([ True, False], dtype=bool)
    """
    return tensor(a).any(axis, out, keepdims, where=where, keepdim=keepdim)


def all(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None,
    keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """Whether no element is zero (NaN is not); True where there is nothing.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.all([[0, 1], [1, 1]], axis=1)
    Tensor([False,  True], dtype=bool)
    """
    return tensor(a).all(axis, out, keepdims, where=where, keepdim=keepdim)


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None,
    keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """The arithmetic mean over axes, integers in float64; NaN where there is nothing.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.mean([[1, 2], [3, 4]], axis=0)
    Tensor([2., 3.], dtype=float64)
    """
    return tensor(a).mean(axis, dtype, out, keepdims, where=where, keepdim=keepdim)


def var(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False, *,
    where: Any = None, correction: float | None = None, keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """The variance over axes: the sum of squared distances to the mean, over the count less ddof.

    Two passes: the mean first, then the distances, as NumPy.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.var([1.0, 2.0, 4.0], ddof=1)
    Tensor(2.33333333, dtype=float64)
    """
    return tensor(a).var(axis, dtype, out, ddof, keepdims, where=where, correction=correction, keepdim=keepdim)


def std(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False, *,
    where: Any = None, correction: float | None = None, keepdim: bool | None = None,
) -> Tensor:  # fmt: skip
    """The standard deviation over axes: the square root of `var`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.std([1.0, 3.0])
    Tensor(1., dtype=float64)
    """
    return tensor(a).std(axis, dtype, out, ddof, keepdims, where=where, correction=correction, keepdim=keepdim)


def ptp(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Tensor:
    """The largest element less the smallest.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ptp([1.0, 5.0, 2.0])
    Tensor(4., dtype=float64)
    """
    return tensor(a).ptp(axis, out, keepdims)


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    """How many elements are not zero, as int64.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.count_nonzero([[0, 1], [2, 3]], axis=1)
    Tensor([1, 2], dtype=int64)
    """
    return tensor(a).count_nonzero(axis, keepdims=keepdims)


def argmax(a: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Tensor:
    """The first position of the largest element, the first NaN if there is one, as int64.

    Without an axis, in the flattened array. ShapeError where there is nothing.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.argmax([[1.0, 4.0, 4.0], [3.0, 2.0, 1.0]], axis=1)
    Tensor([1, 0], dtype=int64)
    """
    return tensor(a).argmax(axis, out, keepdims=keepdims)


def argmin(a: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Tensor:
    """The first position of the smallest element, the first NaN if there is one, as int64.

    Without an axis, in the flattened array. ShapeError where there is nothing.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.argmin([3.0, 1.0, 1.0])
    Tensor(1, dtype=int64)
    """
    return tensor(a).argmin(axis, out, keepdims=keepdims)


def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    """The weighted mean over axes; with returned, also the sum of the weights.

    weights has the shape of a, or is one weight for each element of the axis: ShapeError otherwise.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.average([1.0, 2.0, 4.0], weights=[1.0, 1.0, 2.0])
    Tensor(2.75, dtype=float64)
    """
    y, total = statistics.average(lift(a), axis, weights, kept(keepdims, None))
    return (of(y), of(total).reshape(y.shape) if total.shape == y.shape else of(total)) if returned else of(y)


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Tensor:
    """The running sum along an axis, or of the flattened array; bools and integers in 64 bits.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.cumsum([[1, 2], [3, 4]], axis=0)
    Tensor([[1, 2],
            [4, 6]], dtype=int64)
    """
    return tensor(a).cumsum(axis, dtype, out)


def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Tensor:
    """The running product along an axis, or of the flattened array; bools and integers in 64 bits.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.cumprod([1.0, 2.0, 3.0])
    Tensor([1., 2., 6.], dtype=float64)
    """
    return tensor(a).cumprod(axis, dtype, out)


def cumulative_sum(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Tensor:
    """The running sum along an axis, which only an array of one axis may leave out; may begin with 0.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.cumulative_sum([1.0, 2.0], include_initial=True)
    Tensor([0., 1., 3.], dtype=float64)
    """
    return of(running.cumulative(lift(x), Ops.ADD, axis, dtype, include_initial))


def cumulative_prod(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Tensor:
    """The running product along an axis, which only an array of one axis may leave out; may begin with 1.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.cumulative_prod([2.0, 3.0])
    Tensor([2., 6.], dtype=float64)
    """
    return of(running.cumulative(lift(x), Ops.MUL, axis, dtype, include_initial))


def diff(a: Any, n: int = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """The n-th differences of neighbors along an axis; of bools, whether they differ.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.diff([1.0, 4.0, 9.0])
    Tensor([3., 5.], dtype=float64)
    """
    return of(running.diff(lift(a), n, axis, prepend, append))


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Tensor:
    """The integral of y along an axis by the trapezoidal rule, over positions x or steps dx.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.trapezoid([0.0, 1.0, 4.0], dx=0.5)
    Tensor(1.5, dtype=float64)
    """
    return of(running.trapezoid(lift(y), x, dx, axis))
