"""What is known of the factors of a sparse matrix without its values."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from functrans._records import record

Array = np.ndarray[Any, Any]
Indices = np.ndarray[Any, np.dtype[np.int32]]


@record(eq=False)
class Symbolic:
    """What is known of a factorization without values: positions, the order of elimination, and the pattern of L + U.

    Attributes
    ----------
    n : int
        Rows and columns.
    rows, cols : int32 arrays
        The place of each entry of the matrix.
    row_order, col_order : int32 arrays
        Which row and column of the matrix each one of L U is.
    indptr, indices : int32 arrays
        The places of the entries of L (without its ones) and U, row by row, columns ascending.
    diagonal : int32 array
        Where in ``indices`` the pivot of each row stands.
    entries : int32 array
        Where in ``indices`` each entry of the matrix stands.
    definite : bool
        Whether a pivot that is not positive is refused.
    symmetric : bool
        Whether the matrix equals its transpose in the order of elimination too: L is then U with its rows divided by
        the pivots.
    mirrored : bool
        Whether the matrix is said to equal its transpose.
    key : str
        Equal for equal ones.
    """

    n: int
    rows: Indices
    cols: Indices
    row_order: Indices
    col_order: Indices
    indptr: Indices
    indices: Indices
    diagonal: Indices
    entries: Indices
    definite: bool
    symmetric: bool
    mirrored: bool
    key: str

    @property
    def nnz(self) -> int:
        """Entries of the matrix."""
        return len(self.rows)

    @property
    def fill(self) -> int:
        """Entries of the factors, the pivots once."""
        return len(self.indices)

    @cached_property
    def products(self) -> int:
        """Multiplications of a factorization: for each entry of L, that with the pivot and those with a row of U, or,
        of a symmetric matrix, with the part of it from the same column on.
        """
        below = self.indices < self._rows
        met = self.indices[below]
        first = self.above[below] if self.symmetric else self.diagonal[met] + 1
        return int((self.indptr[1:][met] - first + 1).sum())

    @property
    def is_light(self) -> bool:
        """Whether factors are found again as fast as they are stored and read."""
        return self.products <= 4 * self.fill

    @cached_property
    def above(self) -> Indices:
        """For each entry of the factors of a symmetric matrix the place of that with row and column exchanged."""
        if not self.symmetric:
            return np.zeros(1, np.int32)
        places = self._rows.astype(np.int64) * self.n + self.indices
        return np.searchsorted(places, self.indices.astype(np.int64) * self.n + self._rows).astype(np.int32)

    @cached_property
    def columns(self) -> tuple[Indices, Indices]:
        """Where in ``indices`` the entries of L stand, column by column, and where each column begins in that."""
        below = np.flatnonzero(self.indices < self._rows)
        column = self.indices[below]
        starts = np.concatenate([[0], np.cumsum(np.bincount(column, minlength=self.n))])
        return starts.astype(np.int32), below[np.argsort(column, kind="stable")].astype(np.int32)

    @cached_property
    def parity(self) -> int:
        """The sign by which the determinant of the matrix and the product of its pivots differ."""
        return parity(self.row_order) * parity(self.col_order)

    @cached_property
    def twins(self) -> tuple[Indices, Indices] | None:
        """Of a symmetric matrix for each pivot that with its row and column exchanged: itself, or the other of a pivot
        of two rows; and of such two where in ``indices`` the first's row meets the other's column, -1 where it does
        not. None where pivots go round in longer cycles, or the matrix is not said to be symmetric.
        """
        place, numbers = np.empty(self.n, np.int64), np.arange(self.n)
        place[self.col_order] = numbers
        twin = place[self.row_order]
        if not self.mirrored or not np.array_equal(twin[twin], numbers):
            return None
        places, wanted = self._rows.astype(np.int64) * self.n + self.indices, numbers * self.n + twin
        found = np.minimum(np.searchsorted(places, wanted), max(self.fill - 1, 0))
        beside = np.where((twin > numbers) & (places[found] == wanted), found, -1) if self.n else numbers
        return twin.astype(np.int32), beside.astype(np.int32)

    @property
    def _rows(self) -> Indices:
        """The row of each entry of the factors."""
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.indptr))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbolic) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<{self.n} rows, {self.nnz} entries, {self.fill} in L + U>"


def parity(order: Array) -> int:
    """The sign of a permutation."""
    seen, sign = np.zeros(len(order), bool), 1
    for start in range(len(order)):
        length, k = 0, start
        while not seen[k]:
            seen[k] = True
            k, length = int(order[k]), length + 1
        sign = -sign if length and length % 2 == 0 else sign
    return sign
