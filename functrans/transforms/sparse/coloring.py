"""`Coloring`: which columns and rows of a sparse matrix share one derivative along a direction."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from functrans._records import record
from functrans.errors import SparsityError
from functrans.transforms.sparse import late

__all__ = ["Coloring", "Partition"]

Partition: TypeAlias = Literal["column", "row", "bidirectional", "symmetric"]


@record(eq=False, repr=False)
class Coloring:
    """A color for each column of a matrix, for each row, or for both; one product with a direction for each color.

    Attributes
    ----------
    partition : "column", "row", "bidirectional" or "symmetric"
        What is colored: columns (products ``J @ d``), rows (``d @ J``), rows and columns, or the columns of a
        symmetric matrix, where one entry of a pair is enough.
    colors : read-only int32 array
        Color of each column or row, from 0; "bidirectional": of the rows and then of the columns. -1: in no product,
        as all entries come out of others.
    num_colors : int
        Products needed: one more than the largest color, 0 without columns.
    substitution : bool
        Some entries are what remains of a product when others, known before, are taken away (an acyclic coloring);
        else each is an element of a product.
    num_rows : int
        "bidirectional": how many of the colors are of rows.

    Raises
    ------
    SparsityError
        `colors` is not a one-dimensional array of integers from 0 (from -1 where both sides are colored), or the
        partition is unknown.

    Examples
    --------
    >>> Coloring([0, 1, 0])
    Coloring(partition='column', columns=3, num_colors=2)
    """

    partition: Partition
    colors: NDArray[np.int32]
    num_colors: int
    substitution: bool
    num_rows: int

    def __init__(
        self, colors: ArrayLike, partition: Partition = "column", *, substitution: bool = False, num_rows: int = 0
    ) -> None:
        array = np.asarray(colors)
        if partition not in get_args(Partition):
            known = ", ".join(map(repr, get_args(Partition)))
            raise SparsityError(f"Coloring: partition is {partition!r}; use one of {known}")
        least = 0 if partition in ("column", "row") else -1
        if array.ndim != 1 or (array.size and (array.dtype.kind not in "iu" or array.min() < least)):
            allowed = "nonnegative integer" if least == 0 else "integer from -1 on"
            raise SparsityError(
                f"Coloring: colors has dtype {array.dtype} and shape {array.shape}; expected one {allowed} for each "
                f"{'row' if partition == 'row' else 'column'}"
            )
        array = array.astype(np.int32)
        array.flags.writeable = False
        count = int(array.max(initial=-1)) + 1
        facts = (partition, array, count, substitution, num_rows if partition == "bidirectional" else 0)
        for name, value in zip(self.__match_args__, facts, strict=True):
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Coloring):
            return NotImplemented
        same = (self.partition, self.substitution, self.num_rows)
        return same == (other.partition, other.substitution, other.num_rows) and np.array_equal(
            self.colors, other.colors
        )

    def __hash__(self) -> int:
        return hash((self.partition, self.substitution, self.colors.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return _remade, (self.colors, self.partition, self.substitution, self.num_rows)

    def __repr__(self) -> str:
        counted = {"row": "rows", "bidirectional": "rows_and_columns"}.get(self.partition, "columns")
        by = ", substitution=True" if self.substitution else ""
        return f"Coloring(partition={self.partition!r}, {counted}={len(self.colors)}, num_colors={self.num_colors}{by})"

    def _repr_html_(self) -> str:
        """The same for a notebook, and how many lines each color has."""
        return late.notebook.of_coloring(self)


def _remade(colors: NDArray[np.int32], partition: Partition, substitution: bool, num_rows: int) -> Coloring:
    return Coloring(colors, partition, substitution=substitution, num_rows=num_rows)
