"""Elements left out, put in between and repeated at known places; functions of lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    DtypeError,
    IndexOutOfRange,
    ShapeError,
    TracedValueError,
    at_user_line,
)
from functrans.numpy._wrap import of, tensor
from functrans.numpy.composed import flatnonzero
from functrans.numpy.joining import concatenate, take
from functrans.ops import build as B
from functrans.tensor import late
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.handle import refuse_out
from functrans.tensor.lift import lift
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import expand_dims, moveaxis, sizes

__all__ = [
    "apply_along_axis", "apply_over_axes", "array_equiv", "compress", "delete", "ediff1d", "extract", "insert",
    "resize",
]  # fmt: skip


def delete(arr: Any, obj: Any, axis: Any = None) -> Tensor:
    """The elements but those at known places along an axis, of the flattened array where axis is None.

    obj is an integer, a slice, or an array of integers or of bools. IndexOutOfRange for a place that is not there.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.delete([1.0, 2.0, 3.0], 1)
    Tensor([1., 3.], dtype=float64)
    """
    x, k = _line(arr, axis)
    n = x.shape[k]
    return take(x, _placed("delete", np.delete, n, _constant("delete", obj, n)), k)


def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Tensor:
    """Values put in before known places along an axis, in the dtype of arr; flattened where axis is None.

    obj is an integer, a slice, or an array of integers or of bools: places in arr as it was before. IndexOutOfRange for
    a place that is not there, ShapeError for values that do not fit.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.insert([1.0, 2.0], 1, [7.0, 8.0])
    Tensor([1., 7., 8., 2.], dtype=float64)
    """
    x, k = _line(arr, axis)
    n, at = x.shape[k], _constant("insert", obj, x.shape[k])
    new = tensor(values).astype(x.dtype)
    new = new.reshape((1,) * (x.ndim - new.ndim) + new.shape)
    if not at.ndim:  # values come first along the axis of what is put in at one place
        new = of(moveaxis(new.uop, 0, k))
    one = (at.sum() if at.dtype == bool else at.size) == 1
    count = new.shape[k] if one else int(at.sum()) if at.dtype == bool else at.size
    wanted = tuple(count if i == k else m for i, m in enumerate(x.shape))
    if new.ndim != x.ndim or any(m not in (1, w) for m, w in zip(new.shape, wanted, strict=True)):
        raise ShapeError(f"insert: values of shape {new.shape} for {wanted}{at_user_line()}; expected to broadcast")
    places = _placed("insert", np.insert, n, at, n + np.arange(count))
    return take(concatenate((x, of(B.broadcast(new.uop, wanted))), axis=k), places, k)


def resize(a: Any, new_shape: Any) -> Tensor:
    """The elements in C order, again and again until a shape is filled; zeros of an empty array.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.resize([1.0, 2.0, 3.0], (2, 2))
    Tensor([[1., 2.],
            [3., 1.]], dtype=float64)
    """
    x, shape = tensor(a).ravel(), sizes(new_shape, "new_shape")
    if any(n < 0 for n in shape):
        raise ArgumentValueError(f"resize: new_shape is {new_shape!r}{at_user_line()}; expected no negative size")
    count = int(np.prod(shape, dtype=np.int64))
    if not x.size or not count:
        return of(B.broadcast(lift(0, x.uop.dtype), shape))
    return take(x, np.arange(count) % x.size).reshape(shape)


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """The differences of neighbors in C order, between what stands at the begin and at the end.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.ediff1d([1, 2, 4, 7], to_begin=-99, to_end=[88, 99])
    Tensor([-99,   1,   2,   3,  88,  99], dtype=int64)
    """
    x = tensor(ary).ravel()
    parts = [x[1:] - x[:-1]]
    for name, given in (("to_begin", to_begin), ("to_end", to_end)):
        if given is None:
            continue
        end = tensor(given)
        if not np.can_cast(end.dtype, x.dtype, casting="same_kind"):
            raise DtypeError(f"ediff1d: {name} has dtype {end.dtype} for {x.dtype}{at_user_line()}; expected its kind")
        part = end.astype(x.dtype).ravel()
        parts = [part, *parts] if name == "to_begin" else [*parts, part]
    return concatenate(parts)


def compress(condition: Any, a: Any, axis: Any = None, out: None = None) -> Tensor:
    """The elements along an axis where a known condition holds, of the flattened array where axis is None.

    How many there are must be known: a traced condition raises TracedValueError. ShapeError for one of several axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.compress([True, False, True], [1.0, 2.0, 3.0])
    Tensor([1., 3.], dtype=float64)
    """
    refuse_out("compress", out)
    wanted = tensor(condition)
    if wanted.ndim != 1:
        raise ShapeError(f"compress: condition has shape {wanted.shape}{at_user_line()}; expected one axis")
    x, k = _line(a, axis)
    return take(x, flatnonzero(wanted).numpy(), k)


def extract(condition: Any, arr: Any) -> Tensor:
    """The elements of the flattened array where a known condition holds; see `compress`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.extract([[True, False], [False, True]], [[1.0, 2.0], [3.0, 4.0]])
    Tensor([1., 4.], dtype=float64)
    """
    return take(tensor(arr).ravel(), flatnonzero(condition).numpy())


def array_equiv(a1: Any, a2: Any) -> Tensor:
    """Whether two arrays broadcast and their elements are equal.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> bool(fnp.array_equiv([1, 2], [[1, 2], [1, 2]]))
    True
    """
    a, b = tensor(a1), tensor(a2)
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return Tensor(False)
    return (a == b).all()


def apply_along_axis(func1d: Callable[..., Any], axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Tensor:
    """A function of each line along an axis, with more arguments; the axes of its result stand where the axis was.

    func1d is traced once, on a Tensor of one axis, and mapped by `vmap`. ShapeError where there is no line.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.apply_along_axis(lambda line: line[0] + line[-1], 1, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    Tensor([ 4., 10.], dtype=float64)
    """
    _check_callable("apply_along_axis", func1d)
    x = tensor(arr)
    k = normal_axis(axis, x.ndim)
    others = (*x.shape[:k], *x.shape[k + 1 :])
    if 0 in others:
        raise ShapeError(f"apply_along_axis: shape {x.shape} has no line along axis {k}{at_user_line()}; expected one")
    lines = of(moveaxis(x.uop, k, -1)).reshape(-1 if x.size else int(np.prod(others)), x.shape[k])
    found = tensor(late.vmap.vmap(lambda line: tensor(func1d(line, *args, **kwargs)))(lines))
    y = found.reshape(*others, *found.shape[1:]).uop
    for i in range(found.ndim - 1):
        y = moveaxis(y, x.ndim - 1 + i, k + i)
    return of(y)


def apply_over_axes(func: Callable[[Any, int], Any], a: Any, axes: Any) -> Tensor:
    """A function of an array and an axis, for one axis after the other; an axis it folds is kept, with one element.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.apply_over_axes(fnp.sum, [[1.0, 2.0], [3.0, 4.0]], [0, 1])
    Tensor([[10.]], dtype=float64)
    """
    _check_callable("apply_over_axes", func)
    y = tensor(a)
    for axis in sizes(axes, "axes"):
        k = axis + y.ndim if axis < 0 else axis
        made = tensor(func(y, k))
        made = made if made.ndim == y.ndim else of(expand_dims(made.uop, k))
        if made.ndim != y.ndim:
            raise ShapeError(f"apply_over_axes: func gives shape {made.shape} of {y.shape}{at_user_line()}")
        y = made
    return y


def _check_callable(name: str, f: Any) -> None:
    if not callable(f):
        raise ArgumentError(f"{name}: the function is {f!r}{at_user_line()}; expected one that can be called")


def _line(x: Any, axis: Any) -> tuple[Tensor, int]:
    """An array and the number of an axis; flattened without one."""
    y = tensor(x)
    return (y.ravel(), 0) if axis is None else (y, normal_axis(axis, y.ndim))


def _constant(name: str, places: Any, n: int) -> Any:
    """Places along an axis of n elements as an array; those of Tensors must be known."""
    if isinstance(places, slice):
        return np.arange(*places.indices(n))
    node = lift(places)
    if is_traced(node) and node.size:
        raise TracedValueError(
            f"{name}: places are a traced array of shape {node.shape}{at_user_line()}; expected constants, since the "
            "shape of the result is needed while tracing"
        )
    value = of(node).numpy() if node.size else np.zeros(node.sized)
    return value.astype(np.int64) if not node.size and node.dtype.kind == "f" else value


def _placed(name: str, function: Callable[..., Any], n: int, places: Any, *rest: Any) -> Any:
    """What NumPy's function makes of the numbers of n places."""
    try:
        return function(np.arange(n), places, *rest)
    except IndexError as error:
        raise IndexOutOfRange(f"{name}: places {places} of {n} elements{at_user_line()}: {error}") from error
    except TypeError as error:
        raise ArgumentError(f"{name}: places {places} of {n} elements{at_user_line()}; expected integers") from error
    except ValueError as error:
        raise ShapeError(f"{name}: places {places} of {n} elements{at_user_line()}: {error}") from error
