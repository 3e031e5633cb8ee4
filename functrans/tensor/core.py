"""The Tensor: a lazy array over a node, which NumPy code can use as it uses an ndarray."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, TracedValueError, at_user_line
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import Shape, UOp
from functrans.tensor import elementwise, indexing, protocols, reduce, shape
from functrans.tensor.constants import evaluate, is_traced
from functrans.tensor.lift import Array, lift


def _binary(ufunc: Any) -> Callable[[Tensor, Any], Tensor]:
    def method(self: Tensor, other: Any) -> Tensor:
        if other is None or isinstance(other, str) or getattr(other, "__array_ufunc__", ufunc) is None:
            return NotImplemented  # type: ignore[no-any-return]
        return Tensor.from_uop(elementwise.call(ufunc, self._uop, other))

    return method


def _reflected(ufunc: Any) -> Callable[[Tensor, Any], Tensor]:
    def method(self: Tensor, other: Any) -> Tensor:
        if other is None or isinstance(other, str):
            return NotImplemented  # type: ignore[no-any-return]
        return Tensor.from_uop(elementwise.call(ufunc, other, self._uop))

    return method


def _unary(ufunc: Any) -> Callable[[Tensor], Tensor]:
    return lambda self: Tensor.from_uop(elementwise.call(ufunc, self._uop))


class Tensor:
    """A lazy array: a node of the graph that behaves as an ndarray."""

    __slots__ = ("__weakref__", "_uop")
    __array_priority__ = 1000.0

    def __init__(self, data: Any, dtype: Any = None) -> None:
        self._uop = lift(data, None if dtype is None else dtypes.from_numpy(dtype))

    @classmethod
    def from_uop(cls, uop: UOp) -> Tensor:
        """The Tensor of a node."""
        made = object.__new__(cls)
        made._uop = uop
        return made

    @property
    def uop(self) -> UOp:
        """The node."""
        return self._uop

    @property
    def shape(self) -> Shape:
        """The sizes of the axes."""
        return self._uop.sized

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype of the elements."""
        return self._uop.dtype.numpy

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._uop.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._uop.size

    @property
    def T(self) -> Tensor:  # noqa: N802
        """The axes reversed."""
        return self.transpose()

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentError(f"len() of a Tensor without axes{at_user_line()}")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self.shape:
            raise ArgumentError(f"iteration over a Tensor without axes{at_user_line()}")
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Tensor:
        return Tensor.from_uop(indexing.getitem(self._uop, key))

    __hash__ = object.__hash__
    __add__, __radd__ = _binary(np.add), _reflected(np.add)
    __sub__, __rsub__ = _binary(np.subtract), _reflected(np.subtract)
    __mul__, __rmul__ = _binary(np.multiply), _reflected(np.multiply)
    __truediv__, __rtruediv__ = _binary(np.divide), _reflected(np.divide)
    __floordiv__, __rfloordiv__ = _binary(np.floor_divide), _reflected(np.floor_divide)
    __mod__, __rmod__ = _binary(np.remainder), _reflected(np.remainder)
    __pow__, __rpow__ = _binary(np.power), _reflected(np.power)
    __and__, __rand__ = _binary(np.bitwise_and), _reflected(np.bitwise_and)
    __or__, __ror__ = _binary(np.bitwise_or), _reflected(np.bitwise_or)
    __xor__, __rxor__ = _binary(np.bitwise_xor), _reflected(np.bitwise_xor)
    __lshift__, __rlshift__ = _binary(np.left_shift), _reflected(np.left_shift)
    __rshift__, __rrshift__ = _binary(np.right_shift), _reflected(np.right_shift)
    __lt__, __le__ = _binary(np.less), _binary(np.less_equal)
    __gt__, __ge__ = _binary(np.greater), _binary(np.greater_equal)
    __eq__ = _binary(np.equal)  # type: ignore[assignment]
    __ne__ = _binary(np.not_equal)  # type: ignore[assignment]
    __neg__, __pos__, __abs__, __invert__ = map(_unary, (np.negative, np.positive, np.absolute, np.invert))

    def reshape(self, *new: Any) -> Tensor:
        """The elements in C order under another shape."""
        return Tensor.from_uop(shape.reshape(self._uop, shape.spread(new)))

    def transpose(self, *axes: Any) -> Tensor:
        """The axes permuted, or reversed."""
        return Tensor.from_uop(shape.transpose(self._uop, shape.spread(axes) if axes else None))

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
        """The sum over axes."""
        return Tensor.from_uop(reduce.sum_(self._uop, axis, dtype, keepdims))

    def max(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """The largest element over axes."""
        return Tensor.from_uop(reduce.max_(self._uop, axis, keepdims))

    def min(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """The smallest element over axes."""
        return Tensor.from_uop(reduce.min_(self._uop, axis, keepdims))

    def _value(self, what: str) -> Array:
        if is_traced(self._uop):
            raise TracedValueError(f"{what} reads a traced value{at_user_line()}")
        value = evaluate(self._uop)
        self._uop = buffer(value)
        return value

    def numpy(self) -> Array:
        """The values."""
        return np.array(self._value(".numpy()"))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._value("np.asarray"), dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return protocols.nodes_to(Tensor.from_uop, protocols.array_ufunc(ufunc, method, inputs, kwargs))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return protocols.array_function(function, args, kwargs)
