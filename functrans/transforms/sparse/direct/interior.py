"""The part of an index space in which every position is arithmetic, apart from its borders.

A stencil reads and writes by steps everywhere but at the ends of its axes. One loop over all elements would take lists
for the sake of these few; instead the interior has a loop of its own, without lists, and the borders one with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.transforms.sparse.direct.spaces import SHORT, Shape, form

Places = NDArray[np.int32]


class Interior(NamedTuple):
    """The shape of the interior, its elements and those around it, by their numbers."""

    shape: Shape
    inside: NDArray[np.int32]
    around: NDArray[np.int32]


def interior(read: Sequence[Places], written: Sequence[Places], shapes: Iterable[Shape]) -> Interior | None:
    """The largest interior in which all that is read and written is in steps, less than a short axis from the borders;
    None where it is less than half of the space, or all of it, or no more than a cell may have elements.

    read, written : the places of each array; -1 for what is not written
    shapes : that the space may have

    Linear in the elements of all tables, for each width of a border.
    """
    size = len(written[0])
    tables = [*written, *read]
    if size < SHORT**2:
        return None
    candidates = list(dict.fromkeys([(size,), *shapes]))
    if any(_in_steps(tables, np.arange(size, dtype=np.int32), shape) for shape in candidates):
        return None
    for width in range(1, SHORT):
        for shape in candidates:
            box = tuple(slice(width, n - width) if n > 2 * width + 1 else slice(None) for n in shape)
            inside = np.arange(size, dtype=np.int32).reshape(shape)[box]
            if 2 * inside.size >= size and _in_steps(tables, inside.reshape(-1), inside.shape):
                around = np.ones(size, np.bool_)
                around[inside.reshape(-1)] = False
                return Interior(inside.shape, inside.reshape(-1), np.flatnonzero(around).astype(np.int32))
    return None


def _in_steps(tables: Sequence[Places], inside: Places, shape: Shape) -> bool:
    """Whether all places of some elements are somewhere, and arithmetic over a shape."""
    for table in tables:
        at = table[inside]
        found = form(at, shape)
        if found is None or (found.cost and (not found.is_inward or shape[-1] < 2 * SHORT)):
            return False
        if int(at.min()) < 0:
            return False
    return True
