"""Axes and elements rearranged."""

from __future__ import annotations

from typing import Any

from functrans.numpy._wrap import of, tensor
from functrans.tensor import border
from functrans.tensor import shape as S
from functrans.tensor.core import Tensor
from functrans.tensor.create import extents
from functrans.tensor.lift import broadcast, broadcast_shape, lift
from functrans.tensor.reduce import normal_axis

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes", "broadcast_to",
    "expand_dims", "flip", "fliplr", "flipud", "matrix_transpose", "moveaxis", "ndim", "pad",
    "permute_dims", "ravel", "reshape", "roll", "rollaxis", "rot90", "shape", "size", "squeeze",
    "swapaxes", "transpose",
]  # fmt: skip


def shape(a: Any) -> tuple[int, ...]:
    """The sizes of the axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.shape([[1, 2, 3]])
    (1, 3)
    """
    return lift(a).sized


def ndim(a: Any) -> int:
    """The number of axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ndim([[1, 2, 3]])
    2
    """
    return lift(a).ndim


def size(a: Any, axis: Any = None) -> int:
    """The number of elements, or the size of an axis.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.size([[1, 2, 3]])
    3
    """
    node = lift(a)
    return node.size if axis is None else node.sized[normal_axis(axis, node.ndim)]


def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Tensor:
    """The elements in C order (or with ``order="F"`` in Fortran order) under another shape; one size may be -1.

    Nothing is moved in memory. ShapeError where the number of elements differs.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.reshape([1, 2, 3, 4], (2, -1))
    Tensor([[1, 2],
            [3, 4]], dtype=int64)
    """
    return of(S.reshape(lift(a), shape, order))


def ravel(a: Any, order: str = "C") -> Tensor:
    """One axis of all elements.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ravel([[1, 2], [3, 4]])
    Tensor([1, 2, 3, 4], dtype=int64)
    """
    return tensor(a).ravel(order)


def transpose(a: Any, axes: Any = None) -> Tensor:
    """Axis i of the result is axis axes[i] of a; the axes reversed where none are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.transpose([[1, 2], [3, 4]])
    Tensor([[1, 3],
            [2, 4]], dtype=int64)
    """
    return of(S.transpose(lift(a), axes))


def permute_dims(a: Any, axes: Any) -> Tensor:
    """The axes permuted, as `transpose`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.permute_dims([[1, 2], [3, 4]], (1, 0))
    Tensor([[1, 3],
            [2, 4]], dtype=int64)
    """
    return of(S.transpose(lift(a), axes))


def matrix_transpose(x: Any, /) -> Tensor:
    """The last two axes exchanged.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.matrix_transpose([[[1, 2], [3, 4]]])
    Tensor([[[1, 3],
             [2, 4]]], dtype=int64)
    """
    return of(S.swapaxes(lift(x), -1, -2))


def swapaxes(a: Any, axis1: Any, axis2: Any) -> Tensor:
    """Two axes exchanged.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.swapaxes([[1, 2, 3]], 0, 1)
    Tensor([[1],
            [2],
            [3]], dtype=int64)
    """
    return of(S.swapaxes(lift(a), axis1, axis2))


def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """Axes moved to other places, the others staying in their order.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.moveaxis(fnp.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return of(S.moveaxis(lift(a), source, destination))


def rollaxis(a: Any, axis: Any, start: Any = 0) -> Tensor:
    """An axis moved before another; `moveaxis` is easier to read.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.rollaxis(fnp.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    return of(S.rollaxis(lift(a), axis, start))


def squeeze(a: Any, axis: Any = None) -> Tensor:
    """Without the axes of size 1, or those of them that are named; ShapeError where one is longer.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.squeeze([[[1, 2]]])
    Tensor([1, 2], dtype=int64)
    """
    return of(S.squeeze(lift(a), axis))


def expand_dims(a: Any, axis: Any) -> Tensor:
    """New axes of size 1, at the places they have in the result.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.expand_dims([1, 2], (0, 2)).shape
    (1, 2, 1)
    """
    return of(S.expand_dims(lift(a), axis))


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Tensor:
    """The array repeated to a shape it broadcasts to; nothing is copied. ShapeError where it does not.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.broadcast_to([1, 2], (2, 2))
    Tensor([[1, 2],
            [1, 2]], dtype=int64)
    """
    return of(S.broadcast_to(lift(array), shape))


def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Tensor, ...]:
    """Arrays broadcast against each other.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.broadcast_arrays([[1], [2]], 3)
    (Tensor([[1],
            [2]], dtype=int64), Tensor([[3],
            [3]], dtype=int64))
    """
    return tuple(map(of, broadcast([lift(x) for x in args], "broadcast_arrays"))) if args else ()


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """The shape that shapes broadcast to; ShapeError where they do not.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.broadcast_shapes((2, 1), (3,), 1)
    (2, 3)
    """
    return broadcast_shape([extents(s) for s in shapes], "broadcast_shapes") if shapes else ()


def _atleast(ndim: int, arrays: tuple[Any, ...]) -> Any:
    made = tuple(of(S.atleast(lift(x), ndim)) for x in arrays)
    return made[0] if len(made) == 1 else made


def atleast_1d(*arys: Any) -> Any:
    """Arrays of at least one axis; a tuple where several are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.atleast_1d(3.0)
    Tensor([3.], dtype=float64)
    """
    return _atleast(1, arys)


def atleast_2d(*arys: Any) -> Any:
    """Arrays of at least two axes, new ones first; a tuple where several are given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.atleast_2d([1, 2])
    Tensor([[1, 2]], dtype=int64)
    """
    return _atleast(2, arys)


def atleast_3d(*arys: Any) -> Any:
    """Arrays of at least three axes, as NumPy adds them: (n,) to (1, n, 1), (m, n) to (m, n, 1).

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
    return _atleast(3, arys)


def flip(m: Any, axis: Any = None) -> Tensor:
    """Reversed along axes; along all where axis is None.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.flip([[1, 2], [3, 4]], 0)
    Tensor([[3, 4],
            [1, 2]], dtype=int64)
    """
    return of(S.flip(lift(m), axis))


def flipud(m: Any) -> Tensor:
    """Reversed along axis 0.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.flipud([1, 2])
    Tensor([2, 1], dtype=int64)
    """
    return of(S.flip(lift(m), 0))


def fliplr(m: Any) -> Tensor:
    """Reversed along axis 1.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.fliplr([[1, 2]])
    Tensor([[2, 1]], dtype=int64)
    """
    return of(S.flip(lift(m), 1))


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Tensor:
    """Turned by k quarters, from the first of two axes towards the second.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.rot90([[1, 2], [3, 4]])
    Tensor([[2, 4],
            [1, 3]], dtype=int64)
    """
    return of(S.rot90(lift(m), k, axes))


def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """Elements shifted along axes (of the flattened array where axis is None), and around its ends.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.roll([1, 2, 3], 1)
    Tensor([3, 1, 2], dtype=int64)
    """
    return of(border.roll(lift(a), shift, axis))


def pad(
    array: Any, pad_width: Any, mode: str = "constant", *, constant_values: Any = None, end_values: Any = None,
    stat_length: Any = None, reflect_type: str | None = None,
) -> Tensor:  # fmt: skip
    """Elements put around: a constant (0), the edge, the array mirrored or continued, or what is computed of it.

    mode is "constant", "empty", "edge", "reflect" or "symmetric" (with reflect_type="odd" about the edge), "wrap",
    "linear_ramp" to end_values (0), or "maximum", "mean", "median", "minimum" of stat_length elements at each end (of
    all). pad_width is a number, a pair, a pair for each axis, or a dict by axis. Values may be Tensors.
    ArgumentValueError for another mode, or an option that a mode does not take.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.pad([1, 2, 3], (1, 2), mode="reflect")
    Tensor([2, 1, 2, 3, 2, 1], dtype=int64)
    """
    made = border.pad(
        lift(array), pad_width, mode, constant_values=constant_values, end_values=end_values, stat_length=stat_length,
        reflect_type=reflect_type,
    )  # fmt: skip
    return of(made)
