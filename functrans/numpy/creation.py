"""New arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.numpy._wrap import of
from functrans.tensor import create
from functrans.tensor.core import Tensor
from functrans.tensor.join import stack
from functrans.tensor.lift import holds_tensor, lift

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
    made = asarray(object, dtype)
    return made.reshape((1,) * (ndmin - made.ndim) + made.shape)


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
    made = of(lift(_joined(a), None if dtype is None else dtypes.from_numpy(dtype)))
    return made if device is None else made.to_device(device)


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
    return of(lift(a))


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


def zeros(shape: Any, dtype: Any = None, order: str = "C") -> Tensor:
    """Zeros, of float64 unless another dtype is given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.zeros((1, 2))
    Tensor([[0., 0.]], dtype=float64)
    """
    return of(create.full(shape, 0, np.float64 if dtype is None else dtype))


def ones(shape: Any, dtype: Any = None, order: str = "C") -> Tensor:
    """Ones, of float64 unless another dtype is given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ones(2)
    Tensor([1., 1.], dtype=float64)
    """
    return of(create.full(shape, 1, np.float64 if dtype is None else dtype))


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> Tensor:
    """One value everywhere: a number, a Tensor, or an array that broadcasts.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.full((2, 2), [1.0, 2.0])
    Tensor([[1., 2.],
            [1., 2.]], dtype=float64)
    """
    return of(create.full(shape, fill_value, dtype))


def empty(shape: Any, dtype: Any = None, order: str = "C") -> Tensor:
    """An array whose values do not matter.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.empty((2, 3)).shape
    (2, 3)
    """
    return of(create.empty(shape, dtype))


def zeros_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Tensor:
    """Zeros of the shape and dtype of an array, unless others are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.zeros_like([1, 2])
    Tensor([0, 0], dtype=int64)
    """
    return of(create.like(lift(a), 0, dtype, shape))


def ones_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Tensor:
    """Ones of the shape and dtype of an array, unless others are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ones_like([1, 2])
    Tensor([1, 1], dtype=int64)
    """
    return of(create.like(lift(a), 1, dtype, shape))


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Tensor:
    """One value, in the shape and dtype of an array, unless others are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.full_like([1.0, 2.0], 7)
    Tensor([7., 7.], dtype=float64)
    """
    return of(create.like(lift(a), fill_value, dtype, shape))


def empty_like(prototype: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Tensor:
    """An array of the shape and dtype of another, whose values do not matter.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.empty_like([1, 2]).dtype
    dtype('int64')
    """
    x = lift(prototype)
    return of(create.empty(x.sized if shape is None else shape, x.dtype if dtype is None else dtype))


def arange(start: Any, /, stop: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
    """start, start + step, ... before stop; from 0 where one number is given. The bounds must be constant.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.arange(1, 7, 2)
    Tensor([1, 3, 5], dtype=int64)
    """
    return of(create.arange(start, stop, step, dtype))


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
    axis: Any = 0,
) -> Any:  # fmt: skip
    """num values evenly spaced from start to stop, which may be Tensors; with retstep, also the step.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linspace(0.0, 1.0, 5)
    Tensor([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float64)
    """
    y, step = create.linspace(start, stop, num, endpoint, dtype, axis)
    return (of(y), of(step)) if retstep else of(y)


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
    made: Any = np.geomspace(bounds[0], bounds[1], num, endpoint, dtype=dtype, axis=axis)
    return Tensor(made)


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
