"""A window of a file as an array that stays there."""

from __future__ import annotations

import os
from math import prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor.mapped import mapped
from functrans.tensor.shape import sizes


def from_file(path: Any, dtype: Any, shape: Any, offset: Any) -> UOp:
    """The window of a file from a byte on, as an array of a dtype and a shape."""
    kind = np.dtype(dtypes.from_numpy(dtype).numpy)
    if not np.dtype(dtype).isnative:
        raise DtypeError(
            f"dtype {np.dtype(dtype).str} is in the other byte order{at_user_line()}; read the part you need by "
            "np.memmap and .astype"
        )
    shape, (start,) = sizes(shape), sizes(offset, "offset")
    if min((start, *shape)) < 0:
        raise ArgumentError(f"shape {shape} at offset {start} of a file{at_user_line()}; none may be negative")
    if start % kind.alignment:
        raise ArgumentError(
            f"offset {start} bytes{at_user_line()}: elements of dtype {kind} begin at multiples of {kind.alignment}; "
            "read the part you need by np.fromfile"
        )
    name, end = os.fspath(path), start + prod(shape) * kind.itemsize
    held = os.stat(name).st_size
    if held < end:
        raise ShapeError(
            f"file {name!r} has {held} bytes; shape {shape} of {kind} from byte {start} on needs {end}{at_user_line()}"
        )
    if not prod(shape):
        return B.full(shape, dtypes.from_numpy(kind), 0)
    node = mapped(np.memmap(name, kind, "r", start, shape))
    assert node is not None  # in order and aligned
    return node
