"""``at(a)[i].add(v)`` and segment_sum, of arrays as of Tensors: one source for NumPy and functrans."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import DtypeError, at_user_line
from functrans.tensor import scatter
from functrans.tensor.assigned import assigned
from functrans.tensor.at import AtIndexer, AtSelection, Updates
from functrans.tensor.constants import evaluate
from functrans.tensor.core import Tensor
from functrans.tensor.lift import holds_tensor, lift
from functrans.tensor.plan import plan

Array = np.ndarray[Any, Any]
_UFUNCS = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}


def at(a: Any) -> AtIndexer[Tensor] | ArrayIndexer:
    """Updates that leave ``a`` as it is: ``at(a)[i].set(v)``, and add, subtract, multiply, divide, min, max, get.

    Where none of a, i and v is or holds a Tensor, NumPy computes the result at once, an ndarray of the shape and dtype
    of a, inside a trace too; else it is the Tensor ``a.at[i].add(v)``. So one source serves both. ``i`` is anything
    that indexes. ``v`` broadcasts to the shape of ``a[i]`` and is cast to the dtype of a. Of an index that occurs
    twice the updates happen in order. Costs a copy of a.

    Raises IndexOutOfRange for a constant index out of range (that of a traced index is dropped), DtypeError where the
    cast loses more than digits, ShapeError where v does not broadcast.

    >>> import numpy as np, functrans as ft
    >>> def histogram(i, n):
    ...     return ft.at(np.zeros(n))[i].add(1.0)
    >>> histogram(np.array([0, 2, 2]), 3)
    array([1., 0., 2.])
    >>> ft.jit(lambda i: histogram(i, 3))(np.array([0, 2, 2]))
    array([1., 0., 2.])

    Source: semantics of ``jax.numpy.ndarray.at``.
    """
    if holds_tensor(a):
        return AtIndexer(lift(a), Tensor.from_uop)
    return ArrayIndexer(a if type(a) is np.ndarray else evaluate(lift(a)))


class ArrayIndexer:
    """What ``at(a)`` of an array is: index it to say which part of a the update concerns.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> ft.at(np.zeros(3))[1:].set(2.0)
    array([0., 2., 2.])
    """

    def __init__(self, a: Array) -> None:
        self._a = np.asarray(a, dtypes.from_numpy(a.dtype).numpy)

    def __getitem__(self, key: Any) -> AtSelection[Tensor] | ArraySelection:
        """The part of a at an index: anything that indexes."""
        parts = key if isinstance(key, tuple) else (key,)
        if any(map(holds_tensor, parts)):
            return AtIndexer(lift(self._a), Tensor.from_uop)[key]
        return ArraySelection(self._a, key)

    def __repr__(self) -> str:
        return f"<at of an array of shape {self._a.shape}; index it, as in ft.at(a)[i].set(v)>"


class ArraySelection(Updates[Any]):
    """A part of an array: each method gives the array with it updated, ``get`` the part.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> last = ft.at(np.arange(3.0))[-1]
    >>> last.add(5.0), last.get()
    (array([0., 1., 7.]), np.float64(2.0))
    """

    def __init__(self, a: Array, key: Any) -> None:
        self._a, self._key = a, key
        self._shape = plan(key, a.shape).shape  # raises what the index of a Tensor raises
        self._dtype = dtypes.from_numpy(a.dtype)

    def get(self) -> Any:
        """``a[i]``."""
        return self._a[self._key].copy()

    def subtract(self, value: Any) -> Any:
        """A with ``a[i] -= value``, for every occurrence of an index."""
        if holds_tensor(value) or self._dtype.kind == "b":
            return self._of_tensors().subtract(value)
        return self._update(-self._value(value), "add")

    def divide(self, value: Any) -> Any:
        """A with ``a[i] /= value``: divided once, by the product of the values where an index occurs often."""
        if self._dtype.kind not in "fc":
            raise DtypeError(
                f"ft.at(a)[i].divide gives fractions, and a has dtype {self._dtype.name}; "
                f"convert it first with .astype{at_user_line()}"
            )
        if holds_tensor(value):
            return self._of_tensors().divide(value)
        by = np.ones_like(self._a)
        np.multiply.at(by, self._key, self._value(value))
        with np.errstate(all="ignore"):
            return (self._a / by)[()]

    def _of_tensors(self) -> AtSelection[Tensor]:
        return AtIndexer(lift(self._a), Tensor.from_uop)[self._key]

    def _update(self, value: Any, mode: str) -> Any:
        if holds_tensor(value):
            return getattr(self._of_tensors(), mode)(value)
        new = np.array(self._a, order="C")
        if mode == "set":
            new[self._key] = self._value(value)
        else:
            with np.errstate(all="ignore"):
                _UFUNCS[mode].at(new, self._key, self._value(value))
        return new[()]

    def _value(self, value: Any) -> Array:
        """The value in the dtype and shape of the selection, for ufunc.at broadcasts along one axis only."""
        if type(value) is np.ndarray and value.dtype == self._a.dtype and value.shape == self._shape:
            return value
        return evaluate(assigned(value, self._dtype, self._shape))


def segment_sum(data: Any, segment_ids: Any, num_segments: int | None = None) -> Any:
    """The sums of the rows of ``data`` that share a segment: row k of the result is the sum where the id is k.

    ``data`` has shape ``(n, ...)``, ``segment_ids`` is an integer array of shape ``(n,)``; the result has shape
    ``(num_segments, ...)``. It is an ndarray where neither is a Tensor, inside a trace too. An id out of range is
    dropped. Rows are added in order. Linear in ``data``.

    Raises ShapeError where the lengths differ, and ShapeError or TracedValueError where ``num_segments`` is needed
    and missing.

    >>> import functrans as ft
    >>> ft.segment_sum([1.0, 2.0, 3.0], [0, 1, 0], 2)
    array([4., 2.])

    Source: semantics of ``jax.ops.segment_sum``.
    """
    total = scatter.segment_sum(data, segment_ids, num_segments)
    return Tensor.from_uop(total) if holds_tensor(data) or holds_tensor(segment_ids) else evaluate(total)
