"""Column and row coloring: which columns of a sparse matrix may share one directional derivative.

Columns that meet in no row are structurally orthogonal.  If all columns of one color are, one product
``J @ (colors == k)`` holds each of their entries unmixed (Curtis, Powell and Reid, 1974).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from functrans.errors import SparsityError
from functrans.transforms.sparse.greedy import cyclic, first_fit, saturation
from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["Coloring", "Order", "color_columns", "color_rows"]

Partition: TypeAlias = Literal["column", "row"]
Order: TypeAlias = Literal["auto", "natural", "cyclic", "largest_first", "saturation"]

_ORDERS = ("auto", "natural", "cyclic", "largest_first", "saturation")
_Attempt: TypeAlias = Callable[[int, int], NDArray[np.int32] | None]  # of the least and the limit of colors
_CYCLIC_VISITS = 40_000_000  # visits of pairs in a row, a few nanoseconds each, that "auto" spends
_SATURATION_VISITS = 4_000_000  # visits of neighbors, about half a microsecond each, that "auto" spends


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Coloring:
    """A color for each column of a matrix (`partition` "column") or each row ("row").

    Attributes
    ----------
    partition : "column" or "row"
    colors : read-only int32 array
        Color of each column (row), from 0; empty ones have color 0.
    num_colors : int
        Products needed: one more than the largest color, 0 without columns.

    Raises
    ------
    SparsityError
        `colors` is not a one-dimensional array of nonnegative integers, or the partition is unknown.

    Examples
    --------
    >>> Coloring([0, 1, 0])
    Coloring(partition='column', columns=3, num_colors=2)
    """

    partition: Partition
    colors: NDArray[np.int32]
    num_colors: int

    def __init__(self, colors: ArrayLike, partition: Partition = "column") -> None:
        array = np.asarray(colors)
        if array.ndim != 1 or (array.size and (array.dtype.kind not in "iu" or array.min() < 0)):
            raise SparsityError(
                f"Coloring: colors has dtype {array.dtype} and shape {array.shape}; "
                "expected one nonnegative integer for each column"
            )
        if partition not in ("column", "row"):
            raise SparsityError(f"Coloring: partition is {partition!r}; use 'column' or 'row'")
        array = array.astype(np.int32)
        array.flags.writeable = False
        object.__setattr__(self, "partition", partition)
        object.__setattr__(self, "colors", array)
        object.__setattr__(self, "num_colors", int(array.max()) + 1 if array.size else 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Coloring):
            return NotImplemented
        return self.partition == other.partition and np.array_equal(self.colors, other.colors)

    def __hash__(self) -> int:
        return hash((self.partition, self.colors.tobytes()))

    def __reduce__(self) -> tuple[type[Coloring], tuple[NDArray[np.int32], Partition]]:
        return Coloring, (self.colors, self.partition)

    def __repr__(self) -> str:
        return (
            f"Coloring(partition={self.partition!r}, {self.partition}s={len(self.colors)}, "
            f"num_colors={self.num_colors})"
        )


def color_columns(pattern: SparsityPattern, order: Order = "auto") -> Coloring:
    """Color the columns so that no two of a color share a row, with few colors.

    Greedy: each column in turn takes the first color that its rows have not seen.  `order` is "natural"
    (left to right: exact on banded matrices), "largest_first" (columns with most neighbors first) or
    "saturation" (next the column with most colors around it: exact on plane stencils).  Not greedy is
    "cyclic", column j modulo the least number that serves (good on stencils in space).  "auto" tries one
    after the other until no row allows fewer colors, and takes the best.  Empty columns get color 0.

    Raises SparsityError for an unknown order.  The cost is linear in the nonzeros (for each 4096 colors);
    for "saturation" and "cyclic", in the sum of squared row lengths, and "auto" leaves them out where that
    is large.

    Method: Gebremedhin, Manne and Pothen, What color is your Jacobian? SIAM Review 47 (2005), algorithm
    3.1 and section 7.

    >>> tridiagonal = SparsityPattern([0, 0, 1, 1, 1, 2, 2], [0, 1, 0, 1, 2, 1, 2], (3, 3))
    >>> color_columns(tridiagonal).colors.tolist()
    [0, 1, 2]
    """
    return Coloring(_color(pattern.with_format("csc"), order), "column")


def color_rows(pattern: SparsityPattern, order: Order = "auto") -> Coloring:
    """Color the rows so that no two of a color share a column; as `color_columns` of the transpose.

    >>> color_rows(SparsityPattern([0, 1, 2], [0, 0, 1], (3, 2))).colors.tolist()
    [0, 1, 0]
    """
    return Coloring(_color(pattern.with_format("csr").transpose().with_format("csc"), order), "row")


def _color(pattern: SparsityPattern, order: Order) -> NDArray[np.int32]:
    """Colors of the columns of a pattern in csc format."""
    if order not in _ORDERS:
        raise SparsityError(f"order is {order!r}; use one of {', '.join(map(repr, _ORDERS))}")
    num_rows, num_cols = pattern.shape
    filled = np.flatnonzero(np.diff(pattern.indptr))
    row_counts = np.bincount(pattern.rows, minlength=num_rows)
    # Columns of the fullest row all need their own color, so no coloring has fewer.
    fewest = int(row_counts.max(initial=0))
    if fewest == len(filled):
        colors = np.zeros(num_cols, np.int32)
        colors[filled] = np.arange(fewest)
        return colors
    best: NDArray[np.int32] | None = None
    for attempt in _attempts(pattern, order, row_counts, filled):
        found = attempt(fewest, num_cols + 1 if best is None else int(best.max()) + 1)
        if found is not None:
            colors = np.zeros(num_cols, np.int32)
            colors[filled] = np.unique(found[filled], return_inverse=True)[1]
            best = colors if best is None or colors.max() < best.max() else best
        if best is not None and best.max() + 1 == fewest:
            break
    assert best is not None  # only "auto" asks for fewer colors than it has
    return best


def _attempts(
    pattern: SparsityPattern, order: Order, row_counts: NDArray[np.intp], filled: NDArray[np.intp]
) -> Iterator[_Attempt]:
    """The engines that `order` stands for, cheapest first, each made ready when its turn comes."""
    num_rows, num_cols = pattern.shape
    auto, visits = order == "auto", int(np.square(row_counts).sum())
    rows_of = _split(pattern)
    if auto or order == "natural":
        yield lambda fewest, limit: first_fit(rows_of, filled.tolist(), num_rows)
    by_row = pattern.with_format("csr")
    if order == "cyclic" or (auto and visits <= _CYCLIC_VISITS):
        yield lambda fewest, limit: cyclic(by_row.indptr, by_row.indices, num_cols, fewest, limit)
    # Neighbors, counted once for each shared row: the exact degree would need A'A.
    degree = np.bincount(pattern.cols, weights=row_counts[pattern.rows] - 1, minlength=num_cols)
    if auto or order == "largest_first":
        sequence = filled[np.argsort(-degree[filled], kind="stable")].tolist()
        yield lambda fewest, limit: first_fit(rows_of, sequence, num_rows)
    if order == "saturation" or (auto and visits <= _SATURATION_VISITS):
        cols_of, degrees = _split(by_row), degree.astype(np.int64).tolist()
        yield lambda fewest, limit: saturation(rows_of, cols_of, filled.tolist(), degrees)


def _split(pattern: SparsityPattern) -> list[list[int]]:
    """Rows of each column of a csc pattern; columns of each row of a csr pattern."""
    entries, ends = pattern.indices.tolist(), pattern.indptr.tolist()
    return [entries[begin:end] for begin, end in pairwise(ends)]
