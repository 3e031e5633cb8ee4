"""Assignment: a value as a node of the dtype and shape of the place it goes to."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.dtypes import DType
from functrans.errors import DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import Shape, UOp
from functrans.tensor.lift import Weak, constant_of, is_weak, lift

# the kinds of array that a Python number goes into; bool is an int, so the order matters
KINDS = ((bool, "biufc"), (int, "iufc"), (float, "fc"), (complex, "c"))


def assigned(value: Any, dtype: DType, shape: Shape) -> UOp:
    """The value as NumPy assigns it to a selection of this shape and dtype: same-kind cast, broadcast.

    Raises DtypeError where digits or an imaginary part would be lost (float to int, complex to float), and
    ShapeError where the value does not broadcast; leading axes of size 1 may be more than the selection has.
    """
    node = _weak(value, dtype) if is_weak(value) else lift(value)
    if not np.can_cast(node.dtype.numpy, dtype.numpy, "same_kind"):
        raise DtypeError(
            f"a value of dtype {node.dtype.name} does not go into an array of dtype {dtype.name} without loss; "
            f"convert one of them with .astype{at_user_line()}"
        )
    given = node.sized
    while len(given) > len(shape) and given[0] == 1:
        given = given[1:]
    if len(given) > len(shape) or any(a not in (1, b) for a, b in zip(reversed(given), reversed(shape), strict=False)):
        raise ShapeError(
            f"a value of shape {node.shape} does not broadcast to the selection, of shape {shape}{at_user_line()}"
        )
    return B.broadcast(B.reshape(B.cast(node, dtype), given), shape)


def _weak(value: Weak, dtype: DType) -> UOp:
    kinds = next(k for t, k in KINDS if isinstance(value, t))
    if dtype.kind not in kinds:
        raise DtypeError(
            f"{value!r} does not go into an array of dtype {dtype.name} without loss; "
            f"convert one of them with .astype{at_user_line()}"
        )
    return constant_of(value, dtype)
