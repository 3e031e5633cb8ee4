"""The Tensor: a lazy array over a node, which NumPy code uses as it uses an ndarray."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.ops import placement
from functrans.ops.index_operators import INDICES, index_of
from functrans.ops.operators import array_rule
from functrans.ops.uop import UOp
from functrans.tensor import indexing, protocols
from functrans.tensor.assign import assign
from functrans.tensor.constants import is_traced
from functrans.tensor.handle import Handle, place
from functrans.tensor.join import unstack
from functrans.tensor.lift import lift
from functrans.tensor.operators import Operators
from functrans.tensor.placing import Placing
from functrans.tensor.reading import KEEP, Reading, refuse
from functrans.tensor.reductions import Reductions
from functrans.tensor.shaping import Shaping

DLPACK_CPU = (1, 0)
_ON_INDICES: dict[Any, str] = {np.add: "add", np.subtract: "sub", np.multiply: "mul"}


class Tensor(Operators, Reductions, Shaping, Placing, Reading, Handle):
    """A lazy array: it records operations and computes when it is read.

    Plain NumPy works on Tensors: operators, ufuncs (``np.sin(t)``), functions (``np.concatenate([t, u])``),
    indexing and array methods, with NumPy's dtypes, broadcasting and errors. Inside a transformed function
    a Tensor is *traced*: shape, dtype and ``len`` are known, values are not.

    Parameters
    ----------
    data : array_like
        A Tensor, an array (copied), nested sequences of numbers, or a number.
    dtype : dtype, optional
        Another dtype for the elements.

    Raises
    ------
    DtypeError
        Elements that are no bool, integer, float or complex number of at most 128 bits.
    ArgumentError
        A sequence that holds Tensors: use `functrans.numpy.stack`.
    ShapeError
        Nested sequences of different lengths.

    Examples
    --------
    >>> import numpy as np
    >>> t = Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> np.sqrt(t * t).sum(axis=0)
    Tensor([4., 6.], dtype=float64)
    >>> (np.ones(2) @ t).numpy()
    array([4., 6.])
    """

    __slots__ = ()

    def __init__(self, data: Any, dtype: Any = None) -> None:
        self._uop = lift(data, None if dtype is None else dtypes.from_numpy(dtype))
        self._made_in = place.now

    def realize(self) -> Self:
        """This Tensor, computed and stored."""
        self._value(".realize()")
        return self

    def assign(self, value: Any) -> Self:
        """This Tensor, given another value of its shape and dtype; a Python number fills it.

        Lazy, and in order: expressions made of this Tensor before keep the old value, those made afterwards have the
        new one, and ``t.assign(t + 1)`` is what it says. When the value is computed it is written into the memory
        that the Tensor had, if no expression, compiled function, other Tensor or array still sees that; else into
        new memory. Other Tensors that were made of this one (a reshape, a copy) keep their values.

        In a traced function it works on Tensors made in that function, its arguments included: the Tensor stands for
        the value from then on, in each lane of a map for that of the lane. The derivative is that of the value.

        Raises ShapeError, DtypeError, and ArgumentError for a Tensor without memory of its own (a constant, the result
        of an operation) or, in a traced function, one that was made outside of it.

        >>> import numpy as np
        >>> t = Tensor(np.zeros(2))
        >>> before = t + 10
        >>> t.assign(t + 1).assign(t * 3)
        Tensor([3., 3.], dtype=float64)
        >>> before
        Tensor([10., 10.], dtype=float64)
        """
        self._uop = assign(self, value, refuse)
        return self

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentError(f"len() of a Tensor without axes{at_user_line()}; its shape is ()")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        if not self.shape:
            raise ArgumentError(f"iteration over a Tensor without axes{at_user_line()}; its shape is ()")
        return map(self.from_uop, unstack(self._uop))

    def __getitem__(self, key: Any) -> Self:
        return self.from_uop(indexing.getitem(self._uop, key))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        result = protocols.array_ufunc(ufunc, method, inputs, kwargs)
        return protocols.wrapped(self.from_uop, result)

    def __array_function__(self, function: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not all(issubclass(t, (Tensor, np.ndarray)) for t in types):
            return NotImplemented
        return protocols.array_function(function, args, kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """The Array API namespace: `functrans.numpy`."""
        return sys.modules["functrans.numpy"]

    def to_device(self, device: str, /, *, stream: None = None) -> Self:
        """This Tensor on a thread domain; the Array API's name of `to`."""
        return self if placement.domain(device) == self.device else self.to(device)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """A DLPack capsule of a copy of the elements."""
        if dl_device is not None and tuple(dl_device) != DLPACK_CPU:
            raise UnsupportedError(f"DLPack to device {dl_device}{at_user_line()}; Tensors are on the CPU")
        if copy is False:
            raise UnsupportedError(f"DLPack without a copy{at_user_line()}: a Tensor does not share its memory")
        return np.array(self._value("DLPack")).__dlpack__(max_version=max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLPACK_CPU

    def __reduce__(self) -> Any:
        if is_traced(self._uop):
            raise refuse("pickle", self._uop, KEEP)
        return (Tensor, (self.numpy(),))

    def __copy__(self) -> Self:
        return self.from_uop(self._uop)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.from_uop(self._uop)


def _ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A ufunc of loop variables: another index where it is one, else an array."""
    if method == "__call__" and ufunc in _ON_INDICES and all(map(_is_index, inputs)):
        return INDICES[_ON_INDICES[ufunc]](*map(index_of, inputs))
    return protocols.wrapped(Tensor.from_uop, protocols.array_ufunc(ufunc, method, inputs, kwargs))


def _is_index(x: Any) -> bool:
    return x.dtype == dtypes.index if isinstance(x, UOp) else isinstance(x, (int, np.integer))


def _operator(ufunc: Any) -> Any:
    return lambda *operands: _ufunc(ufunc, "__call__", operands, {})


_OPERATORS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide, "mod": np.mod,
              "floordiv": np.floor_divide}  # fmt: skip
array_rule.update(ufunc=_ufunc, function=protocols.array_function, **{k: _operator(f) for k, f in _OPERATORS.items()})
