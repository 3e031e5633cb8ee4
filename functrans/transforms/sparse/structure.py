"""Which inputs each element of an array depends on: a table of distinct rows, and the row of each element.

Moving elements moves row numbers and never touches a row. Only a union of different rows makes new ones, by
a product of sparse boolean matrices. Elements with the same row share it, so a broadcast costs nothing per nonzero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse

Ids = NDArray[np.int32]
_SHARING = 8  # how often a row must be used on average before looking for unions that need no new row


class Rows:
    """Distinct sorted rows of a boolean matrix. Row 0 is empty; ``full`` is the row with every column, 0 if none."""

    __slots__ = ("full", "lengths", "matrix")

    def __init__(self, matrix: Any, full: int = 0) -> None:
        self.matrix, self.full = matrix, full
        self.lengths: NDArray[np.int64] = np.diff(matrix.indptr).astype(np.int64)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return int(self.matrix.shape[1])

    @staticmethod
    def identity(columns: int) -> Rows:
        """Row 1 + j holds column j alone."""
        pointer = np.arange(-1, columns + 1, dtype=np.int32)
        pointer[0] = 0
        return Rows(_matrix(np.arange(columns, dtype=np.int32), pointer, columns), full=int(columns == 1))

    @staticmethod
    def every(columns: int) -> Rows:
        """Row 1 holds every column."""
        pointer = np.array([0, 0, columns], np.int32)
        return Rows(_matrix(np.arange(columns, dtype=np.int32), pointer, columns), full=int(columns > 0))


class Structure:
    """The rows of an array's elements: ``at`` has the array's shape and holds row numbers, 0 for no input."""

    __slots__ = ("__weakref__", "at", "rows")

    def __init__(self, rows: Rows, at: Any) -> None:
        self.rows, self.at = rows, np.asarray(at)

    @property
    def entries(self) -> int:
        """Number of nonzeros, each element counted by itself."""
        return int(self.rows.lengths[self.at].sum())

    def matrix(self) -> Any:
        """The nonzeros as a boolean csr_array of shape (elements, columns), sorted."""
        return self.rows.matrix[np.ascontiguousarray(self.at).reshape(-1)]


def _matrix(indices: NDArray[Any], pointer: NDArray[Any], columns: int) -> Any:
    return scipy_sparse.csr_array((np.ones(len(indices), np.bool_), indices, pointer), (len(pointer) - 1, columns))


def common(items: Sequence[Structure | None], like: Rows) -> tuple[Rows, list[Any]]:
    """One table for all items, and their row numbers in it; an item that is None has none (the number 0)."""
    tables: dict[int, Rows] = {}
    small = [s if s is None else _compact(s) for s in items]
    for s in small:
        if s is not None:
            tables.setdefault(id(s.rows), s.rows)
    if len(tables) < 2:
        rows = next(iter(tables.values()), like)
        return rows, [np.int32(0) if s is None else s.at for s in small]
    full, start, offsets = 0, 1, {}
    for key, table in tables.items():
        offsets[key] = start - 1
        full = full or (table.full and table.full + start - 1)
        start += len(table.lengths) - 1
    rows = Rows(scipy_sparse.vstack([t.matrix if k == 0 else t.matrix[1:] for k, t in enumerate(tables.values())],
                                    format="csr"), full)  # fmt: skip
    found = []
    for s in small:
        shift = 0 if s is None else offsets[id(s.rows)]
        at = np.int32(0) if s is None else s.at if shift == 0 else np.where(s.at, s.at + np.int32(shift), np.int32(0))
        if s is not None and full and s.rows.full:
            at = np.where(at == s.rows.full + shift, np.int32(full), at)
        found.append(at)
    return rows, found


def _compact(s: Structure) -> Structure:
    """The structure over a table without unused rows, where most are unused."""
    if len(s.rows.lengths) < 4 * s.at.size + 4:
        return s
    rows, number = _only(s.rows, np.unique(s.at))
    return Structure(rows, number(s.at))


def _only(rows: Rows, used: Ids) -> tuple[Rows, Callable[[Ids], Ids]]:
    """The table of the used rows alone (ascending numbers), and the new number of an old one."""
    if not len(used) or used[0] != 0:
        used = np.concatenate([np.zeros(1, np.int32), used])
    full = int(np.searchsorted(used, rows.full))
    full = full if rows.full and full < len(used) and used[full] == rows.full else 0
    return Rows(rows.matrix[used], full), lambda at: np.searchsorted(used, at).astype(np.int32)


def union(items: Sequence[Structure]) -> Structure:
    """The elementwise union of structures of one shape; one of them itself where it holds the others."""
    rows, numbers = common(items, items[0].rows)
    shape = items[0].at.shape
    ids = np.stack([np.broadcast_to(n, shape).reshape(-1) for n in numbers], axis=1)
    united, at = unite(rows, ids)
    result = Structure(united, at.reshape(shape))
    size = result.entries
    return next((s for s in items if s.entries == size), result)


def reduce(s: Structure, axes: Sequence[int]) -> Structure:
    """The union over axes, which disappear."""
    kept = [k for k in range(s.at.ndim) if k not in axes]
    shape = tuple(s.at.shape[k] for k in kept)
    count = int(np.prod([s.at.shape[k] for k in axes], dtype=np.int64))
    if count == 0:
        return Structure(s.rows, np.zeros(shape, np.int32))
    ids = np.transpose(s.at, (*kept, *axes)).reshape(-1, count)
    rows, at = unite(s.rows, ids)
    return Structure(rows, at.reshape(shape))


def unite(rows: Rows, ids: Ids) -> tuple[Rows, Ids]:
    """For each line of ``ids`` (n, k >= 1) the row that unites the rows it lists."""
    n, k = ids.shape
    return unite_groups(rows, np.ascontiguousarray(ids).reshape(-1), np.arange(0, n * k, k, dtype=np.int64))


def unite_groups(rows: Rows, ids: Ids, start: NDArray[np.int64]) -> tuple[Rows, Ids]:
    """For each group of ``ids`` (from one start to the next, none empty) the row that unites the rows it lists."""
    if len(start) == 0:
        return rows, np.zeros(0, np.int32)
    at: Ids = np.maximum.reduceat(ids, start)
    counts = np.diff(start, append=len(ids))
    mixed = np.logical_or.reduceat((ids != 0) & (ids != np.repeat(at, counts)), start)
    if rows.full:
        whole = np.logical_or.reduceat(ids == rows.full, start)
        at[whole], mixed = rows.full, mixed & ~whole
    if not mixed.any():
        return rows, at
    keep = np.repeat(mixed, counts)
    ids, counts = ids[keep], counts[mixed]
    start = np.cumsum(counts) - counts
    used = np.zeros(len(rows.lengths), np.bool_)
    used[ids] = True
    expanded = int(rows.lengths[ids].sum())
    if expanded > _SHARING * int(rows.lengths[used].sum()):
        holder = _holders(rows, ids, start, counts)
        held = np.flatnonzero(mixed)[holder > 0]
        at[held], mixed[held] = holder[holder > 0], False
        keep = np.repeat(holder == 0, counts)
        ids, counts = ids[keep], counts[holder == 0]
        if not len(counts):
            return rows, at
    return _with_new_rows(rows, at, mixed, ids, counts)


def _holders(rows: Rows, ids: Ids, start: NDArray[np.int64], counts: NDArray[np.int64]) -> Ids:
    """For each group the number of a row of its own that holds all the others, or 0."""
    longest = np.maximum.reduceat(rows.lengths[ids] << 32 | ids, start) & 0xFFFFFFFF
    lengths = np.where(ids == np.repeat(longest, counts), 0, rows.lengths[ids])
    others = rows.matrix[ids[lengths > 0]].indices
    columns = rows.columns
    keys = np.repeat(np.arange(len(rows.lengths)), rows.lengths) * columns + rows.matrix.indices
    group = np.repeat(np.arange(len(counts)), counts)
    wanted = np.repeat(longest[group], lengths) * columns + others
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    misses = np.repeat(group, lengths)[keys[place] != wanted]
    longest[misses] = 0
    return longest.astype(np.int32)


def _with_new_rows(
    rows: Rows, at: Ids, mixed: NDArray[np.bool_], ids: Ids, counts: NDArray[np.int64]
) -> tuple[Rows, Ids]:
    """The table with the unions of the groups appended, and the numbers of all elements in it."""
    pointer = np.concatenate([[0], np.cumsum(counts)])
    number = np.arange(len(counts))
    if (counts == counts[0]).all():
        first, number = _distinct(ids.reshape(len(counts), -1), rows)
        ids, pointer = first.reshape(-1), np.arange(0, first.size + 1, first.shape[1])
    picked = _matrix(ids, pointer.astype(np.int32), len(rows.lengths))
    made = picked @ rows.matrix
    made.sort_indices()
    stay = at[~mixed]
    seen = np.zeros(len(rows.lengths), np.bool_)
    seen[stay] = True
    base, renumbered = _only(rows, np.flatnonzero(seen).astype(np.int32))
    fresh = (len(base.lengths) + np.arange(made.shape[0])).astype(np.int32)
    whole = np.flatnonzero(np.diff(made.indptr) == rows.columns)
    full = base.full
    if len(whole):
        full = full or int(fresh[whole[0]])
        fresh[whole] = full
    result: Ids = np.empty(len(at), np.int32)
    result[~mixed] = renumbered(stay)
    result[mixed] = fresh[number]
    return Rows(scipy_sparse.vstack([base.matrix, made], format="csr"), full), result


def _distinct(ids: Ids, rows: Rows) -> tuple[Ids, NDArray[np.intp]]:
    """The distinct lines of ``ids``, and the number of each line among them; all lines where few would be equal."""
    used = np.zeros(len(rows.lengths), np.bool_)
    used[ids] = True
    if ids.size <= _SHARING * int(used.sum()):
        return ids, np.arange(len(ids))
    lines = np.ascontiguousarray(ids).view(np.dtype((np.void, ids.itemsize * ids.shape[1]))).reshape(-1)
    _, first, number = np.unique(lines, return_index=True, return_inverse=True)
    return ids[first], number.reshape(-1)
