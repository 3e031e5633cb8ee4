"""Sums into places: bincount and segment_sum, both one scatter."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    DtypeError,
    ShapeError,
    TracedValueError,
    at_user_line,
)
from functrans.ops import build as B
from functrans.ops.uop import Shape, UOp
from functrans.tensor.constants import constant, evaluate, is_traced
from functrans.tensor.indexing import integers
from functrans.tensor.lift import lift, node_of
from functrans.tensor.static_index import Index


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> UOp:
    """How often each value 0, 1, ... occurs in x, or the sum of the weights at its occurrences.

    The result is int64, with weights float64 (also where x is empty), and as long as NumPy makes it: at least
    ``minlength``, and long enough for the greatest value. A traced x cannot tell its greatest value: the
    length is then ``minlength``, which must be given, and what lies outside is dropped.

    Raises
    ------
    TracedValueError
        x is traced and minlength is not given.
    ArgumentValueError
        A constant value is negative.
    ShapeError, DtypeError
        x has not one axis or weights another shape; x is not of integers, or weights are complex.

    Examples
    --------
    >>> from functrans.ops.interpret import interpret
    >>> interpret([bincount([1, 3, 1], weights=[0.5, 2.0, 0.25], minlength=6)])[0]
    array([0.  , 0.75, 0.  , 2.  , 0.  , 0.  ])
    """
    given = node_of(x)
    shape = np.shape(x) if given is None else given.sized
    if len(shape) != 1:
        raise ShapeError(f"bincount: x has shape {shape}; expected one axis{at_user_line()}")
    index = _settled(integers(x, "x"))
    if isinstance(index, UOp):
        if not minlength:
            raise TracedValueError(
                f"bincount: x is traced, so the length of the result is not known{at_user_line()}; give minlength"
            )
        n = _length(minlength, "minlength")
    else:
        if index.size and index.min() < 0:
            raise ArgumentValueError(f"bincount: x holds {index.min()}{at_user_line()}; expected integers from 0")
        n = max(_length(minlength, "minlength"), int(index.max()) + 1 if index.size else 0)
    if weights is None:
        value = B.full(shape, dtypes.int64, 1)
    else:
        value = lift(weights)
        if value.shape != shape:
            raise ShapeError(f"bincount: weights has shape {value.shape}, x has {shape}{at_user_line()}")
        if value.dtype.kind == "c":
            raise DtypeError(f"bincount: weights has dtype {value.dtype.name}; expected real numbers{at_user_line()}")
        value = B.cast(value, dtypes.float64)
    return _sum_into(n, value, index)


def segment_sum(data: Any, segment_ids: Any, num_segments: int | None = None) -> UOp:
    """``out[k]`` is the sum of the ``data[j]`` with ``segment_ids[j] == k``, for k from 0 to num_segments - 1.

    The ids go with the leading axes of data; those out of range, negative ones too, are dropped. Without
    num_segments there are as many segments as the greatest id says, which a traced id cannot.

    Raises
    ------
    TracedValueError
        segment_ids is traced and num_segments is not given.
    ShapeError, DtypeError
        The ids do not have the leading axes of data, or are no integers.

    Examples
    --------
    >>> from functrans.ops.interpret import interpret
    >>> interpret([segment_sum([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [2, 0, 2], 3)])[0]
    array([[3., 4.],
           [0., 0.],
           [6., 8.]])
    """
    value, index = lift(data), _settled(integers(segment_ids, "segment_ids"))
    shape = _shape_of(index)
    if not shape or shape != value.sized[: len(shape)]:
        raise ShapeError(
            f"segment_sum: segment_ids has shape {shape} and data {value.shape}; "
            f"expected the leading axes of data{at_user_line()}"
        )
    if num_segments is not None:
        return _sum_into(_length(num_segments, "num_segments"), value, index)
    if isinstance(index, UOp):
        raise TracedValueError(
            f"segment_sum: segment_ids is traced, so the number of segments is not known{at_user_line()}; "
            f"give num_segments"
        )
    return _sum_into(max(int(index.max()) + 1, 0) if index.size else 0, value, index)


def _settled(index: Index) -> Index:
    return evaluate(index) if isinstance(index, UOp) and not is_traced(index) else index


def _shape_of(index: Index) -> Shape:
    return index.sized if isinstance(index, UOp) else index.shape


def _length(value: Any, name: str) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ArgumentError(f"{name} is {value!r}; expected an integer{at_user_line()}")
    if value < 0:
        raise ShapeError(f"{name} is {value}; expected at least 0{at_user_line()}")
    return int(value)


def _sum_into(n: int, value: UOp, index: Index) -> UOp:
    """N sums, each of the entries of value whose index it is, in order; what is out of range is dropped."""
    rest = value.sized[len(_shape_of(index)) :]
    zeros = B.full((n, *rest), value.dtype, 0)
    # the larger half of uint64 turns negative here, which is out of range as well
    node = B.cast(index, dtypes.int64) if isinstance(index, UOp) else constant(index.astype(np.int64))
    if not isinstance(index, UOp) and (not index.size or (index.min() >= 0 and index.max() < n)):
        node = B.inside(node, n)
    return B.scatter(zeros, value, (node,), "add")
