"""What goes into an exported function and comes out of it: arrays, and the nonzeros of sparse matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._records import record
from functrans.ops.uop import Shape


@record
class Pattern:
    """The structure of a sparse matrix: compressed rows where the file is row-major, columns where it is not."""

    shape: tuple[int, int]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int64]

    @staticmethod
    def of(rows: NDArray[np.int64], cols: NDArray[np.int64], shape: tuple[int, int], by_columns: bool) -> Pattern:
        """The pattern of entries that are in that order already."""
        major, minor = (cols, rows) if by_columns else (rows, cols)
        counts = np.bincount(major, minlength=shape[1 if by_columns else 0])
        return Pattern(shape, np.concatenate([[0], np.cumsum(counts)]), minor)

    @property
    def nnz(self) -> int:
        """Entries."""
        return len(self.indices)

    def integers(self) -> list[int]:
        """Rows, columns, where each row or column begins, and the indices of its entries."""
        return [*self.shape, *self.indptr.tolist(), *self.indices.tolist()]


@record
class Value:
    """An argument or a result.

    ``shape`` is the user's, ``pattern`` that of the matrix whose nonzeros it is. What is ``void`` is there for the
    interface alone: nobody reads or writes it.
    """

    name: str
    shape: Shape
    dtype: np.dtype[Any]
    pattern: Pattern | None = None
    void: bool = False

    @property
    def size(self) -> int:
        """Numbers of it in memory."""
        return 0 if self.void else int(np.prod(self.shape, dtype=np.int64))

    @property
    def matrix(self) -> tuple[int, int]:
        """Rows and columns: a vector is a column."""
        rows, columns = (*self.shape, 1, 1)[:2]
        return rows, columns


@record
class Entry:
    """A function that is seen from outside: its name, its arguments and its results."""

    name: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]


@record
class Routine(Entry):
    """A function that is computed, and what it computes of flat leaves."""

    run: Callable[..., Sequence[Any]]


@record
class Part:
    """What an entry calls: ``NAME_run`` of a routine, which works in so many bytes.

    Attributes
    ----------
    inputs, outputs : which of the entry's arguments and results those of the routine are
    """

    name: str
    work: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
