"""Tables of distinct boolean rows, and new rows as unions of old ones.

A union of rows is a row of a product of sparse boolean matrices. Before that is made, cheaper answers are looked for:
one row only, a row with every column, groups that are equal, a row of the group that holds the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.transforms.sparse.room import check_room, room

Ids = NDArray[np.int32]
_AT_ONCE = 2**26  # entries, with those that are there several times, of a product
_MIXED = np.uint64(0x9E3779B97F4A7C15)  # whose powers, modulo 2**64, mix the numbers of a line
_BESIDE = 32  # entries of a union, on average, up to which it is sorted; a product of longer ones takes less time
_SHARING = 8  # how often a row must be used on average before looking for unions that need no new row


class Rows:
    """Distinct sorted rows of a boolean matrix. Row 0 is empty; ``full`` is the row with every column, 0 if none."""

    __slots__ = ("full", "lengths", "matrix")

    def __init__(self, matrix: Any, full: int = 0) -> None:
        self.matrix, self.full = matrix, full
        self.lengths: Ids = np.diff(matrix.indptr)

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

    def entries(self, ids: Ids) -> int:
        """The number of nonzeros of these rows together."""
        return int(self.lengths[ids].sum(dtype=np.int64))

    def only(self, used: NDArray[np.bool_]) -> tuple[Rows, Ids]:
        """The table of the marked rows and the empty one, and the new number of each old row."""
        used[0] = True
        number = np.cumsum(used, dtype=np.int32) - np.int32(1)
        if used.all():
            return self, number
        full = int(number[self.full]) if used[self.full] else 0
        return Rows(self.matrix[np.flatnonzero(used)], full), number


def _matrix(indices: NDArray[Any], pointer: NDArray[Any], columns: int) -> Any:
    return scipy_sparse.csr_array((np.ones(len(indices), np.bool_), indices, pointer), (len(pointer) - 1, columns))


def unite(rows: Rows, columns: Sequence[Ids]) -> tuple[Rows, Ids]:
    """For each place the row that unites the rows that the columns, a few arrays of one length, list there."""
    at = columns[0].copy()
    for c in columns[1:]:
        np.maximum(at, c, out=at)
    mixed = np.zeros(len(at), np.bool_)
    for c in columns:
        mixed |= (c != at) & (c != 0)
    if rows.full:
        for c in columns:
            whole = c == rows.full
            at[whole], mixed[whole] = rows.full, False
    if not mixed.any():
        return rows, at
    return _completed(rows, at, mixed, np.stack([c[mixed] for c in columns], axis=1))


def unite_lines(rows: Rows, ids: Ids) -> tuple[Rows, Ids]:
    """For each line of ``ids`` (n, k >= 1) the row that unites the rows it lists."""
    n, k = ids.shape
    some = ids != 0
    if _SHARING * int(np.count_nonzero(some)) <= ids.size:  # most are empty: groups of the others
        counts = np.count_nonzero(some, axis=1)
        filled = np.flatnonzero(counts)
        at = np.zeros(n, np.int32)
        if len(filled):
            ends = np.cumsum(counts[filled])
            rows, at[filled] = unite_groups(rows, ids[some], ends - counts[filled])
        return rows, at
    at, mixed = _simple(rows, np.ascontiguousarray(ids).reshape(-1), np.arange(0, n * k, k), np.full(n, k))
    return _completed(rows, at, mixed, ids[mixed]) if mixed.any() else (rows, at)


def unite_groups(rows: Rows, ids: Ids, start: NDArray[np.int64]) -> tuple[Rows, Ids]:
    """For each group of ``ids`` (from one start to the next, none empty) the row that unites the rows it lists."""
    counts = np.diff(start, append=len(ids))
    at, mixed = _simple(rows, ids, start, counts)
    if not mixed.any():
        return rows, at
    counts, ids = counts[mixed], ids[np.repeat(mixed, counts)]
    at[mixed] = -1 - np.arange(len(counts))
    return _renewed(rows, at, ids, counts)


def _simple(rows: Rows, ids: Ids, start: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[Ids, NDArray[np.bool_]]:
    """A row that serves for each group, and the groups for which it does not."""
    if not len(start):
        return np.zeros(0, np.int32), np.zeros(0, np.bool_)
    at: Ids = np.maximum.reduceat(ids, start)
    mixed = np.logical_or.reduceat((ids != 0) & (ids != np.repeat(at, counts)), start)
    if rows.full:
        whole = np.logical_or.reduceat(ids == rows.full, start)
        at[whole], mixed = rows.full, mixed & ~whole
    return at, mixed


def _completed(rows: Rows, at: Ids, mixed: NDArray[np.bool_], ids: Ids) -> tuple[Rows, Ids]:
    """The numbers of all places, the mixed ones united from the lines of ``ids``."""
    lines, number = _distinct(rows, ids)
    n, k = lines.shape
    found = -1 - np.arange(n, dtype=np.int32)
    if rows.lengths.max() > 1:  # of rows of one column none holds another
        used = np.zeros(len(rows.lengths), np.bool_)
        used[lines] = True
        if rows.entries(lines.reshape(-1)) > _SHARING * int(rows.lengths[used].sum(dtype=np.int64)):
            holder = _holders(rows, lines)
            found = np.where(holder > 0, holder, -np.cumsum(holder == 0, dtype=np.int32))
            lines = lines[holder == 0]
    at[mixed] = found if number is None else found[number]
    return _renewed(rows, at, lines.reshape(-1), np.full(len(lines), k))


def _distinct(rows: Rows, ids: Ids) -> tuple[Ids, NDArray[np.intp] | None]:
    """The distinct lines of ``ids`` and the number of each line among them; all lines where few would be equal."""
    used = np.zeros(len(rows.lengths), np.bool_)
    used[ids] = True
    if ids.size <= _SHARING * int(used.sum()):
        return ids, None
    keys = np.zeros(len(ids), np.uint64)  # equal lines have equal ones
    for column in ids.T:
        keys = (keys + column.astype(np.uint64)) * _MIXED
    ordered = np.sort(keys)
    if not np.any(ordered[1:] == ordered[:-1]):
        return ids, None
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(ids[first][number], ids):  # and others almost never
        lines = np.ascontiguousarray(ids).view(np.dtype((np.void, ids.itemsize * ids.shape[1]))).reshape(-1)
        _, first, number = np.unique(lines, return_index=True, return_inverse=True)
    return ids[first], number.reshape(-1)


def _holders(rows: Rows, lines: Ids) -> Ids:
    """For each line the number of a row of its own that holds all the others, or 0 where there is none."""
    lengths = rows.lengths[lines].astype(np.int64)
    place = lengths.argmax(axis=1)
    holder = lines[np.arange(len(lines)), place]
    lengths[lines == holder[:, None]] = 0
    if lengths.sum() > _SHARING * lines.size:
        return np.zeros(len(lines), np.int32)  # the others are long: a look at every entry costs more than a new row
    others = rows.matrix[lines[lengths > 0]].indices
    group = np.repeat(np.arange(len(lines)), lengths.sum(axis=1))
    keys = np.repeat(np.arange(len(rows.lengths)), rows.lengths) * rows.columns + rows.matrix.indices
    wanted = holder[group].astype(np.int64) * rows.columns + others
    near = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(np.bincount(group[keys[near] != wanted], minlength=len(lines)) > 0, np.int32(0), holder)


def _united(rows: Rows, ids: Ids, counts: NDArray[np.int64]) -> Any:
    """A row without entries and the union of each group, sorted; refused before it takes more memory than there is."""
    pointer = np.zeros(len(counts) + 2, np.int32)
    np.cumsum(counts, out=pointer[2:])
    ends, lengths = np.zeros(len(pointer), np.int64), rows.lengths[ids]
    if len(ids):
        ends[2:] = np.cumsum(lengths, dtype=np.int64)[pointer[2:] - 1]
        if ends[-1] > room():  # with what is there twice: a union is at least as long as the longest of its rows
            check_room(int(np.maximum.reduceat(lengths, pointer[1:-1]).sum(dtype=np.int64)))
    if ends[-1] <= min(_BESIDE * len(counts), _AT_ONCE):  # laid side by side, without what is there twice
        matrix = rows.matrix
        single = ends[-1] == len(ids) and bool(lengths.all())
        columns = matrix.indices[matrix.indptr[ids]] if single else matrix[ids].indices
        made = _matrix(columns, ends.astype(np.int32), rows.columns)
        made.sum_duplicates()
        return made
    chosen = _matrix(ids, pointer, len(rows.lengths))
    ends = ends[1:]
    parts, start, entries = [], 0, 0
    while start < chosen.shape[0]:  # so many rows at a time that what they may come to is known to fit
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + _AT_ONCE, "right")), start + 1)
        parts.append(chosen[start:stop] @ rows.matrix)
        start, entries = stop, entries + parts[-1].nnz
        check_room(entries)
    made = parts[0] if len(parts) == 1 else scipy_sparse.vstack(parts, format="csr")
    made.sort_indices()
    return made


def _renewed(rows: Rows, at: Ids, ids: Ids, counts: NDArray[np.int64]) -> tuple[Rows, Ids]:
    """A table of the rows that ``at`` still names, then one new row a group; -1 - g in ``at`` names that of group g."""
    made = _united(rows, ids, counts)
    old = np.maximum(at, 0)
    used = np.zeros(len(rows.lengths), np.bool_)
    used[old] = True
    kept, number = rows.only(used)
    first, full = len(kept.lengths), kept.full
    fresh = np.arange(first, first + len(counts), dtype=np.int32)
    whole = np.flatnonzero(np.diff(made.indptr)[1:] == rows.columns)
    if len(whole):
        full = full or int(fresh[whole[0]])
        fresh[whole] = full
    matrix = made if first == 1 else scipy_sparse.vstack([kept.matrix, made[1:]], format="csr")
    new = at < 0
    if new.all():
        return Rows(matrix, full), fresh[-1 - at]
    result = number[old]
    result[new] = fresh[-1 - at[new]]
    return Rows(matrix, full), result
