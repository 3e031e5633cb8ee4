"""New arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, ArgumentValueError, at_user_line, text_of
from functrans.numpy._wrap import of, placed
from functrans.tensor import create
from functrans.tensor.core import Tensor
from functrans.tensor.join import stack
from functrans.tensor.lift import holds_tensor, lift
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import integer, moveaxis

__all__ = [
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "copy", "empty", "empty_like",
    "from_dlpack", "full", "full_like", "geomspace", "indices", "linspace", "logspace", "meshgrid",
    "ones", "ones_like", "zeros", "zeros_like",
]  # fmt: skip


def array(object: Any, dtype: Any = None, *, copy: bool | None = True, order: str = "K", ndmin: int = 0) -> Tensor:
    """A Tensor of array-like data, copied; nested lists may hold Tensors, which are stacked.

    DtypeError for elements that are no numbers, ShapeError for rows of different lengths.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> x = fnp.asarray(2.0)
    >>> fnp.array([x, 3 * x])
    Tensor([2., 6.], dtype=float64)
    """
    made = asarray(object, dtype, order)
    return made.reshape((1,) * (integer(ndmin, "ndmin") - made.ndim) + made.shape)


def asarray(
    a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None, device: str | None = None
) -> Tensor:
    """A Tensor of array-like data; a Tensor itself. See `array`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.asarray([1, 2], dtype=fnp.float32)
    Tensor([1., 2.], dtype=float32)
    """
    return placed(lift(_joined(a), None if dtype is None else dtypes.from_numpy(dtype)), order, device)


asanyarray = ascontiguousarray = asarray


def _joined(x: Any) -> Any:
    if isinstance(x, (list, tuple)) and holds_tensor(x):
        return stack([_joined(y) for y in x])
    return x


def copy(a: Any, order: str = "K", subok: bool = False) -> Tensor:
    """A Tensor of array-like data.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.copy([1, 2])
    Tensor([1, 2], dtype=int64)
    """
    return placed(lift(a), order)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A Tensor of a copy of an array of another library, through DLPack.

    Examples
    --------
    >>> import numpy as np
    >>> import functrans.numpy as fnp
    >>> fnp.from_dlpack(np.ones(2))
    Tensor([1., 1.], dtype=float64)
    """
    return x if isinstance(x, Tensor) else Tensor(np.from_dlpack(x))


def zeros(shape: Any, dtype: Any = None, order: str = "C", *, device: str | None = None) -> Tensor:
    """Zeros, of float64 unless another dtype is given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.zeros((1, 2))
    Tensor([[0., 0.]], dtype=float64)
    """
    return placed(create.full(shape, 0, np.float64 if dtype is None else dtype), order, device)


def ones(shape: Any, dtype: Any = None, order: str = "C", *, device: str | None = None) -> Tensor:
    """Ones, of float64 unless another dtype is given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ones(2)
    Tensor([1., 1.], dtype=float64)
    """
    return placed(create.full(shape, 1, np.float64 if dtype is None else dtype), order, device)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: str | None = None) -> Tensor:
    """One value everywhere: a number, a Tensor, or an array that broadcasts.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.full((2, 2), [1.0, 2.0])
    Tensor([[1., 2.],
            [1., 2.]], dtype=float64)
    """
    return placed(create.full(shape, fill_value, dtype), order, device)


def empty(shape: Any, dtype: Any = None, order: str = "C", *, device: str | None = None) -> Tensor:
    """An array whose values do not matter.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.empty((2, 3)).shape
    (2, 3)
    """
    return placed(create.empty(shape, dtype), order, device)


def zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: str | None = None
) -> Tensor:
    """Zeros of the shape and dtype of an array, unless others are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.zeros_like([1, 2])
    Tensor([0, 0], dtype=int64)
    """
    return placed(create.like(lift(a), 0, dtype, shape), order, device)


def ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: str | None = None
) -> Tensor:
    """Ones of the shape and dtype of an array, unless others are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ones_like([1, 2])
    Tensor([1, 1], dtype=int64)
    """
    return placed(create.like(lift(a), 1, dtype, shape), order, device)


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *,
    device: str | None = None,
) -> Tensor:  # fmt: skip
    """One value, in the shape and dtype of an array, unless others are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.full_like([1.0, 2.0], 7)
    Tensor([7., 7.], dtype=float64)
    """
    return placed(create.like(lift(a), fill_value, dtype, shape), order, device)


def empty_like(
    prototype: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *,
    device: str | None = None,
) -> Tensor:  # fmt: skip
    """An array of the shape and dtype of another, whose values do not matter.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.empty_like([1, 2]).dtype
    dtype('int64')
    """
    x = lift(prototype)
    node = create.empty(x.sized if shape is None else shape, x.dtype if dtype is None else dtype)
    return placed(node, order, device)


def arange(start: Any, /, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: str | None = None) -> Tensor:
    """start, start + step, ... before stop; from 0 where one number is given. The bounds must be constant.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.arange(1, 7, 2)
    Tensor([1, 3, 5], dtype=int64)
    """
    return placed(create.arange(start, stop, step, dtype), None, device)


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
    axis: Any = 0, *, device: str | None = None,
) -> Any:  # fmt: skip
    """num values evenly spaced from start to stop, which may be Tensors; with retstep, also the step.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linspace(0.0, 1.0, 5)
    Tensor([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float64)
    """
    y, step = create.linspace(start, stop, num, endpoint, dtype, axis)
    made = placed(y, None, device)
    return (made, of(step)) if retstep else made


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: Any = 0
) -> Tensor:
    """num powers of a base, the exponents evenly spaced from start to stop.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.logspace(0.0, 2.0, 3)
    Tensor([  1.,  10., 100.], dtype=float64)
    """
    made: Tensor = base ** linspace(start, stop, num, endpoint, axis=axis)
    return made if dtype is None else made.astype(dtype)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: Any = 0) -> Tensor:
    """num values from start to stop, each the same multiple of the one before, of constant bounds.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.geomspace(1.0, 100.0, 3)
    Tensor([  1.,  10., 100.], dtype=float64)
    """
    bounds = [np.asarray(x) for x in (start, stop)]
    try:
        made: Any = np.geomspace(bounds[0], bounds[1], integer(num, "num"), endpoint, dtype=dtype)
    except (TypeError, ValueError) as error:
        kind = ArgumentError if isinstance(error, TypeError) else ArgumentValueError
        raise kind(f"geomspace from {start!r} to {stop!r}{at_user_line()}: {text_of(error)}") from error
    return of(moveaxis(lift(made), 0, normal_axis(axis, made.ndim)))


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Tensor, ...]:
    """The coordinates of the grid that vectors span, one array for each.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.meshgrid([1, 2], [3, 4, 5])[0].shape
    (3, 2)
    """
    return tuple(map(of, create.meshgrid(xi, indexing, sparse)))


def indices(dimensions: Any, dtype: Any = int) -> Tensor:
    """The indices of every element of a grid, one array for each axis, stacked.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.indices((1, 2)).shape
    (2, 1, 2)
    """
    lines = [create.arange(n, dtype=dtype) for n in create.extents(dimensions)]
    grid = create.meshgrid(tuple(lines), "ij", False)
    return of(stack(grid))
