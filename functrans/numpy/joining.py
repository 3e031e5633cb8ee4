"""Arrays joined, split and repeated; elements picked by index."""

from __future__ import annotations

from typing import Any

from functrans.errors import ShapeError, at_user_line
from functrans.numpy._wrap import of
from functrans.tensor import indexing, join, scatter
from functrans.tensor.core import Tensor
from functrans.tensor.handle import refuse_out
from functrans.tensor.lift import lift

__all__ = [
    "append", "array_split", "bincount", "block", "column_stack", "concat", "concatenate", "dsplit", "dstack",
    "hsplit", "hstack", "repeat", "split", "stack", "take", "take_along_axis", "tile", "unstack", "vsplit",
    "vstack",
]  # fmt: skip


def concatenate(arrays: Any, /, axis: Any = 0, out: None = None, *, dtype: Any = None) -> Tensor:
    """Arrays one after another along an axis they have; flattened where axis is None.

    ShapeError where another axis differs, or there is no array.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.concatenate([[1, 2], [3.0]])
    Tensor([1., 2., 3.], dtype=float64)
    """
    refuse_out("concatenate", out)
    return of(join.concatenate(arrays, axis, dtype))


concat = concatenate


def stack(arrays: Any, axis: Any = 0, out: None = None, *, dtype: Any = None) -> Tensor:
    """Arrays of one shape along a new axis: what ``np.array([t0, t1])`` cannot do.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.stack([1.0, 2.0])
    Tensor([1., 2.], dtype=float64)
    """
    refuse_out("stack", out)
    return of(join.stack(arrays, axis, dtype))


def vstack(tup: Any, *, dtype: Any = None) -> Tensor:
    """Arrays below each other; an array of one axis is a row.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.vstack([[1, 2], [3, 4]])
    Tensor([[1, 2],
            [3, 4]], dtype=int64)
    """
    return of(join.vstack(tup, dtype))


def hstack(tup: Any, *, dtype: Any = None) -> Tensor:
    """Arrays side by side: along axis 1, or axis 0 where they have one axis.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.hstack([[1, 2], [3]])
    Tensor([1, 2, 3], dtype=int64)
    """
    return of(join.hstack(tup, dtype))


def dstack(tup: Any) -> Tensor:
    """Arrays behind each other, along axis 2.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.dstack([[1, 2], [3, 4]]).shape
    (1, 2, 2)
    """
    return of(join.dstack(tup))


def column_stack(tup: Any) -> Tensor:
    """Arrays of one axis as the columns of a matrix.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.column_stack([[1, 2], [3, 4]])
    Tensor([[1, 3],
            [2, 4]], dtype=int64)
    """
    return of(join.column_stack(tup))


def block(arrays: Any) -> Tensor:
    """An array of nested lists of blocks: the innermost lists along the last axis, and so outwards.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.block([[fnp.eye(2), fnp.zeros((2, 1))], [fnp.ones((1, 3))]]).shape
    (3, 3)
    """
    return of(join.block(arrays))


def append(arr: Any, values: Any, axis: Any = None) -> Tensor:
    """Values after an array along an axis; both flattened where axis is None.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.append([1, 2], 3)
    Tensor([1, 2, 3], dtype=int64)
    """
    return of(join.append(lift(arr), values, axis))


def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Tensor]:
    """Windows along an axis: so many of equal size, or cut at the given positions.

    ShapeError where the axis does not divide; see `array_split`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.split([1, 2, 3, 4], 2)
    [Tensor([1, 2], dtype=int64), Tensor([3, 4], dtype=int64)]
    """
    return [of(x) for x in join.split(lift(ary), indices_or_sections, axis)]


def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Tensor]:
    """Windows along an axis, the first ones longer by one where it does not divide.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.array_split([1, 2, 3], 2)
    [Tensor([1, 2], dtype=int64), Tensor([3], dtype=int64)]
    """
    return [of(x) for x in join.split(lift(ary), indices_or_sections, axis, equal=False)]


def vsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """`split` along axis 0 of an array of two axes and more; ShapeError of fewer.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> len(fnp.vsplit([[1], [2]], 2))
    2
    """
    return _split("vsplit", ary, indices_or_sections, 2, 0)


def hsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """`split` along axis 1, or axis 0 of an array of one axis; ShapeError of none.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.hsplit([1, 2], 2)
    [Tensor([1], dtype=int64), Tensor([2], dtype=int64)]
    """
    return _split("hsplit", ary, indices_or_sections, 1, 1 if lift(ary).ndim > 1 else 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """`split` along axis 2 of an array of three axes and more; ShapeError of fewer.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> len(fnp.dsplit([[[1, 2]]], 2))
    2
    """
    return _split("dsplit", ary, indices_or_sections, 3, 2)


def _split(name: str, ary: Any, indices_or_sections: Any, least: int, axis: int) -> list[Tensor]:
    ndim = lift(ary).ndim
    if ndim < least:
        raise ShapeError(f"{name} of an array of {ndim} axes{at_user_line()}; expected at least {least}")
    return split(ary, indices_or_sections, axis)


def unstack(x: Any, /, *, axis: Any = 0) -> tuple[Tensor, ...]:
    """The arrays that lie along an axis.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.unstack([[1, 2], [3, 4]])
    (Tensor([1, 2], dtype=int64), Tensor([3, 4], dtype=int64))
    """
    return tuple(map(of, join.unstack(lift(x), axis)))


def tile(A: Any, reps: Any) -> Tensor:
    """An array repeated as a whole, reps times along each axis.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.tile([1, 2], 2)
    Tensor([1, 2, 1, 2], dtype=int64)
    """
    return of(join.tile(lift(A), reps))


def repeat(a: Any, repeats: Any, axis: Any = None) -> Tensor:
    """Each element (along an axis) repeated: as often for all, or as a constant array says.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.repeat([1, 2], [1, 3])
    Tensor([1, 2, 2, 2], dtype=int64)
    """
    return of(join.repeat(lift(a), repeats, axis))


def take(a: Any, indices: Any, axis: Any = None, out: None = None, mode: str = "raise") -> Tensor:
    """The elements at integer indices along an axis, or of the flattened array.

    Constant indices out of range raise IndexOutOfRange; those of Tensors wrap when negative and are clamped.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.take([1.0, 2.0, 3.0], [2, 0])
    Tensor([3., 1.], dtype=float64)
    """
    refuse_out("take", out)
    return of(indexing.take(lift(a), indices, axis, mode))


def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Tensor:
    """Along an axis, the elements at the indices that a result of argmax or argsort holds.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.take_along_axis([[3.0, 1.0], [2.0, 4.0]], [[1], [0]], axis=1)
    Tensor([[1.],
            [2.]], dtype=float64)
    """
    return of(indexing.take_along_axis(lift(arr), indices, axis))


def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Tensor:
    """How often each of 0, 1, ... occurs, or the sum of the weights where it occurs, added in order.

    A traced x needs minlength, which then is the length: what lies outside is dropped.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.bincount([0, 2, 2], weights=[1.0, 2.0, 3.0])
    Tensor([1., 0., 5.], dtype=float64)
    """
    return of(scatter.bincount(x, weights, minlength))
