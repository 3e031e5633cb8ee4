"""Memory for results and intermediate values."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from functrans.errors import OutOfMemory, at_user_line

Array = np.ndarray[Any, Any]


def allocate(shape: tuple[int, ...], dtype: np.dtype[Any], what: str) -> Array:
    """New memory, or OutOfMemory with the sizes: nothing has run yet, nothing is half written."""
    try:
        return np.empty(shape, dtype)
    except (MemoryError, ValueError) as error:
        size = prod(shape) * dtype.itemsize
        raise OutOfMemory(
            f"{size / 2**30:.3g} GiB for {what} of shape {shape} and dtype {dtype} cannot be had{at_user_line()}; "
            "map over fewer elements at a time, or use a smaller dtype"
        ) from error


def shaped(array: Array, shape: tuple[int, ...]) -> Array:
    """The array itself where it has the shape, so that it owns its memory; else a view of it."""
    return array if array.shape == shape else array.reshape(shape)
