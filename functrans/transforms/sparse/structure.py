"""Which inputs each element of an array depends on: a table of distinct rows, and the row of each element.

Moving elements moves row numbers and never touches a row. Elements with the same row share it, so a broadcast
costs nothing for each nonzero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans._lazy import scipy_sparse
from functrans.transforms.sparse.rows import Ids, Rows, unite, unite_lines


class Structure:
    """The rows of an array's elements: ``at`` has the array's shape and holds row numbers, 0 for no input."""

    __slots__ = ("__weakref__", "at", "rows")

    def __init__(self, rows: Rows, at: Any) -> None:
        self.rows, self.at = rows, np.asarray(at)

    @property
    def width(self) -> int:
        """The most inputs that an element depends on."""
        return int(self.rows.lengths[self.at].max(initial=0))

    def matrix(self) -> Any:
        """The nonzeros as a boolean csr_array of shape (elements, columns), sorted."""
        return self.rows.matrix[np.ascontiguousarray(self.at).reshape(-1)]


def common(items: Sequence[Structure | None], like: Rows) -> tuple[Rows, list[Any]]:
    """One table for all items, and their row numbers in it; an item that is None has none (the number 0)."""
    small = [s if s is None else _compact(s) for s in items]
    tables = list({id(s.rows): s.rows for s in small if s is not None}.values())
    if len(tables) < 2:
        return tables[0] if tables else like, [np.int32(0) if s is None else s.at for s in small]
    full, start, offsets = 0, 0, {}
    for table in tables:
        offsets[id(table)] = start
        full = full or (table.full and table.full + start)
        start += len(table.lengths) - 1
    parts = [tables[0].matrix, *(t.matrix[1:] for t in tables[1:])]
    found: list[Any] = []
    for s in small:
        if s is None:
            found.append(np.int32(0))
            continue
        shift = np.int32(offsets[id(s.rows)])
        at = np.where(s.at, s.at + shift, np.int32(0)) if shift else s.at
        if s.rows.full and s.rows.full + shift != full:
            at = np.where(s.at == s.rows.full, np.int32(full), at)
        found.append(at)
    return Rows(scipy_sparse.vstack(parts, format="csr"), full), found


def _compact(s: Structure) -> Structure:
    """The structure over a table without unused rows, where most are unused."""
    if len(s.rows.lengths) < 4 * s.at.size + 4:
        return s
    used = np.zeros(len(s.rows.lengths), np.bool_)
    used[s.at] = True
    rows, number = s.rows.only(used)
    return Structure(rows, number[s.at])


def _flat(at: Any, shape: tuple[int, ...]) -> Ids:
    flat: Ids = np.ascontiguousarray(np.broadcast_to(at, shape)).reshape(-1)
    return flat


def union(items: Sequence[Structure]) -> Structure:
    """The elementwise union of structures of one shape; one of them itself where it holds the others."""
    rows, numbers = common(items, items[0].rows)
    shape = items[0].at.shape
    united, at = unite(rows, [_flat(n, shape) for n in numbers])
    size = united.entries(at)
    return next((s for s in items if s.rows.entries(s.at) == size), Structure(united, at.reshape(shape)))


def reduce(s: Structure, axes: Sequence[int]) -> Structure:
    """The union over axes, which disappear."""
    kept = [k for k in range(s.at.ndim) if k not in axes]
    shape = tuple(s.at.shape[k] for k in kept)
    count = int(np.prod([s.at.shape[k] for k in axes], dtype=np.int64))
    size = int(np.prod(shape, dtype=np.int64))
    if count == 0 or size == 0:
        return Structure(s.rows, np.zeros(shape, np.int32))
    rows, at = unite_lines(s.rows, np.transpose(s.at, (*kept, *axes)).reshape(size, count))
    return Structure(rows, at.reshape(shape))
