"""Memory-mapped arrays as windows of their files: nothing is read before it is computed with."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

from functrans.ops import build as B
from functrans.ops.placement import buffer_view
from functrans.ops.source import file_buffer
from functrans.ops.uop import UOp


def mapped(array: np.memmap[Any, Any]) -> UOp | None:
    """A memory-mapped array as a window of its file; None for one whose elements do not lie in order, or not aligned.

    Nothing is read. The mapping is shared with whoever made it, and never written.
    """
    mapping = _mapping(array)
    dtype = array.dtype
    if mapping is None or not dtype.isnative or not array.flags.aligned or not array.size:
        return None
    if not array.flags.c_contiguous:
        if not array.flags.f_contiguous:
            return None
        node = mapped(array.T)
        return None if node is None else B.permute(node, tuple(reversed(range(array.ndim))))
    first = _address(np.frombuffer(mapping, np.uint8))
    distance = _address(array) - first
    phase = distance % dtype.itemsize
    flat = np.frombuffer(mapping, dtype, (len(mapping) - phase) // dtype.itemsize, phase)
    start = array.offset - array.offset % mmap.ALLOCATIONGRANULARITY  # of the mapping in the file
    base = file_buffer(flat, mapping, start + phase, str(array.filename))
    return B.reshape(buffer_view(base, array.size, (distance - phase) // dtype.itemsize), array.shape)


def _mapping(array: np.ndarray[Any, Any]) -> mmap.mmap | None:
    base: Any = array
    while isinstance(base, (np.ndarray, memoryview)):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    return base if isinstance(base, mmap.mmap) else None


def _address(array: np.ndarray[Any, Any]) -> int:
    return int(array.__array_interface__["data"][0])
