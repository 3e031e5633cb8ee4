"""From products with directions back to the nonzeros: where each entry is read, and what is taken away from it."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from functrans._records import record
from functrans.errors import SparsityError
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["Compression", "gather_indices", "locate", "seeds"]

Places: TypeAlias = NDArray[np.int32] | NDArray[np.int64]


@record
class Compression:
    """A coloring of a pattern, and how the nonzeros come out of its products.

    The products are one vector: first ``(colors == k) @ J`` for each row color k, then ``J @ (colors == k)`` for each
    color of columns. An *element* is what is read off it; two nonzeros of a symmetric matrix may be the same one.

    Attributes
    ----------
    coloring : Coloring
    places : the flat position of each element in the products
    elements : the element of each nonzero, None where they are the same in the same order
    steps : pairs (to, of) in order: from the elements ``to`` take away the elements ``of``, which are final by then
    """

    coloring: Coloring
    places: Places
    elements: Places | None = None
    steps: tuple[tuple[Places, Places], ...] = ()

    def read(self, products: NDArray[np.float64]) -> NDArray[np.float64]:
        """The nonzeros, in the order of the pattern, from the products: what the compiled code does, step by step.

        >>> diagonal = Compression(Coloring([0, 0]), np.array([0, 1]))
        >>> diagonal.read(np.array([[3.0, 4.0]])).tolist()
        [3.0, 4.0]
        """
        found = products.reshape(-1)[self.places]
        for to, of in self.steps:
            np.subtract.at(found, to, found[of])
        return found if self.elements is None else found[self.elements]

    def only(self, places: Places | None) -> Compression:
        """The same for some of the nonzeros, in another order; None: for all."""
        if places is None:
            return self
        if self.elements is None and not self.steps:
            return Compression(self.coloring, self.places[places])
        return Compression(
            self.coloring, self.places, places if self.elements is None else self.elements[places], self.steps
        )


def gather_indices(pattern: SparsityPattern, coloring: Coloring) -> Places:
    """Flat position of each nonzero in the products of a column or row coloring, in the order of the pattern.

    A column coloring compresses J of shape (m, n) to C of shape (num_colors, m) with rows
    ``C[k] = J @ (colors == k)``: entry (i, j) is ``C[colors[j], i]``.  A row coloring compresses it to
    (num_colors, n) with rows ``C[k] = (colors == k) @ J``: the entry is ``C[colors[i], j]``.

    Returns int32 where that can address all of C, else int64.  Raises SparsityError when the coloring is
    for another number of columns or rows.  The cost is linear in the nonzeros.

    >>> pattern = SparsityPattern([0, 1, 1], [0, 0, 2], (2, 3))
    >>> gather_indices(pattern, Coloring([0, 0, 1])).tolist()
    [0, 1, 3]
    """
    by_column = coloring.partition == "column"
    colored, kept = (pattern.cols, pattern.rows) if by_column else (pattern.rows, pattern.cols)
    count, length = (pattern.shape[1], pattern.shape[0]) if by_column else pattern.shape
    if len(coloring.colors) != count:
        raise SparsityError(
            f"gather_indices: the coloring has {len(coloring.colors)} {coloring.partition}s "
            f"and the pattern {count}; color this pattern"
        )
    return narrow(coloring.colors[colored].astype(np.int64) * length + kept, coloring.num_colors * length)


def narrow(places: NDArray[np.int64], size: int) -> Places:
    """As int32 where that reaches all of an array."""
    return places.astype(np.int32) if size < 2**31 else places


def locate(pattern: SparsityPattern, rows: NDArray[np.int32], cols: NDArray[np.int32]) -> NDArray[np.intp] | None:
    """Where entries stand in a pattern in csr order; None where they are just its own. All must be in it.

    >>> locate(SparsityPattern([0, 0, 1], [0, 1, 1], (2, 2)), np.array([1, 0]), np.array([1, 1])).tolist()
    [2, 1]
    """
    if np.array_equal(rows, pattern.rows) and np.array_equal(cols, pattern.cols):
        return None
    width = max(pattern.shape[1], 1)
    keys = pattern.rows.astype(np.int64) * width + pattern.cols
    return np.searchsorted(keys, rows.astype(np.int64) * width + cols)


def seeds(coloring: Coloring) -> NDArray[np.float64]:
    """Directions to differentiate along, one row a color: ``seeds[k] = (colors == k)``.

    Dense, of shape (num_colors, number of columns or rows); code that can compare ``colors`` with ``k`` in
    its loop needs only `Coloring.colors`.

    >>> seeds(Coloring([0, 1, 0])).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    numbers = np.arange(coloring.num_colors)[:, None]
    return np.asarray(coloring.colors == numbers, np.float64)
