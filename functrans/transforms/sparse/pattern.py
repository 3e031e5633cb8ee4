"""`SparsityPattern`: which entries of a matrix may be nonzero, immutable and in canonical order."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from functrans._lazy import matplotlib_pyplot, scipy_sparse
from functrans._records import record
from functrans.errors import ArgumentError, IndexOutOfRange, ShapeError, SparsityError
from functrans.transforms.sparse import late
from functrans.transforms.sparse.entries import INT32_MAX, canonical, check_indices, check_shape, frozen, turned
from functrans.transforms.sparse.stages import Stages

__all__ = ["Explainer", "Format", "SparsityPattern"]

Format: TypeAlias = Literal["csr", "csc", "coo"]
Explainer: TypeAlias = Callable[[int, int], str]
Indices: TypeAlias = NDArray[np.int32]

_FORMATS = ("csr", "csc", "coo")


@runtime_checkable
class _Colored(Protocol):
    """What `SparsityPattern.to_svg` needs to know of a coloring."""

    @property
    def partition(self) -> str: ...

    @property
    def colors(self) -> Indices: ...


@record(eq=False, repr=False)
class SparsityPattern:
    """The positions of a sparse matrix's stored entries, without their values.

    Parameters
    ----------
    rows, cols : integer arrays of one length
        Positions, in any order; repeated ones count once.
    shape : (int, int)
    format : "csr", "csc" or "coo"
        Order of the entries: by row and then column for "csr" and "coo", by column and then row for "csc".
    explainer : function of (i, j), optional
        Says why an entry may be nonzero; `explain` hands on to it.

    Attributes
    ----------
    rows, cols : read-only int32 arrays of length `nnz`, in the order of `format`
    indptr, indices : read-only int32 arrays, the compressed form of `format` ("coo": that of "csr")
    shape, format, nnz

    Raises
    ------
    SparsityError
        An index is out of range, an unknown format, or more rows, columns or entries than int32 counts.
    ShapeError, DtypeError, ArgumentError
        `rows` and `cols` differ in length, are not integers, or `shape` is not a pair of sizes.

    Notes
    -----
    Costs one sort of the entries, none where they come in order.  The compressed forms are those of
    Saad, Iterative Methods for Sparse Linear Systems (2003), section 3.4.

    Examples
    --------
    >>> pattern = SparsityPattern([1, 0, 1], [2, 0, 0], (2, 3))
    >>> pattern
    SparsityPattern(shape=(2, 3), nnz=3, format='csr', density=50%)
    >>> pattern.rows.tolist(), pattern.cols.tolist(), pattern.indptr.tolist()
    ([0, 1, 1], [0, 0, 2], [0, 1, 3])
    """

    rows: Indices
    cols: Indices
    shape: tuple[int, int]
    format: Format
    explainer: Explainer | None = field(default=None)

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        shape: Sequence[int],
        format: str = "csr",
        explainer: Explainer | None = None,
    ) -> None:
        checked = check_shape(shape)
        row, col = check_indices("rows", rows, checked[0]), check_indices("cols", cols, checked[1])
        if len(row) != len(col):
            raise ShapeError(
                f"SparsityPattern: rows has {len(row)} entries and cols has {len(col)}; "
                "give one row and one column for each nonzero"
            )
        if format not in _FORMATS:
            raise SparsityError(f"SparsityPattern: format is {format!r}; use 'csr', 'csc' or 'coo'")
        if format == "csc":
            col, row = canonical(col, row, checked[0])
        else:
            row, col = canonical(row, col, checked[1])
        if len(row) > INT32_MAX:
            raise SparsityError(f"SparsityPattern: {len(row)} nonzeros are more than int32 indices can count")
        for name, value in (("rows", frozen(row)), ("cols", frozen(col)), ("shape", checked)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "format", format)
        object.__setattr__(self, "explainer", explainer)

    @staticmethod
    def of_rows(
        pointer: Indices, cols: Indices, shape: tuple[int, int], format: str = "csr", explainer: Explainer | None = None
    ) -> SparsityPattern:
        """Make a pattern of compressed rows in canonical order, which nobody writes to: they are not copied.

        >>> SparsityPattern.of_rows(np.int32([0, 1, 1]), np.int32([3]), (2, 4)).rows.tolist()
        [0]
        """
        if len(cols) > INT32_MAX:
            raise SparsityError(f"SparsityPattern: {len(cols)} nonzeros are more than int32 indices can count")
        pointer, cols = pointer.astype(np.int32, copy=False), cols.astype(np.int32, copy=False)
        if format == "csc":
            cols, rows = turned(pointer, cols, shape[1])
        else:
            rows = np.repeat(np.arange(shape[0], dtype=np.int32), np.diff(pointer))
        made = object.__new__(SparsityPattern)
        parts = (frozen(rows), frozen(cols), shape, format, explainer)
        for name, value in zip(("rows", "cols", "shape", "format", "explainer"), parts, strict=True):
            object.__setattr__(made, name, value)
        return made

    @staticmethod
    def from_user(pattern: Any, format: str = "csr") -> SparsityPattern:
        """Make a pattern of what a user may give: a pattern, a SciPy sparse matrix, or (rows, cols, shape).

        Stored zeros of a SciPy matrix are entries.  Raises ArgumentError for anything else.

        >>> SparsityPattern.from_user(([0, 1], [0, 1], (2, 2)), "csc")
        SparsityPattern(shape=(2, 2), nnz=2, format='csc', density=50%)
        """
        if isinstance(pattern, SparsityPattern):
            return pattern.with_format(format)
        if scipy_sparse.issparse(pattern):
            entries = cast(Any, pattern).tocoo()
            if entries.ndim != 2:
                raise SparsityError(f"pattern: the sparse array has {entries.ndim} dimensions; it needs 2")
            return SparsityPattern(entries.row, entries.col, entries.shape, format)
        if isinstance(pattern, tuple) and len(pattern) == 3:
            return SparsityPattern(*pattern, format)
        dense = isinstance(pattern, np.ndarray)
        hint = "; for a dense mask give scipy.sparse.coo_array(mask)" if dense else ""
        raise ArgumentError(
            "pattern: expected a SparsityPattern, a SciPy sparse matrix or a tuple (rows, cols, shape), "
            f"got {type(pattern).__name__}{hint}"
        )

    @property
    def nnz(self) -> int:
        """Number of entries that may be nonzero."""
        return len(self.rows)

    @cached_property
    def indptr(self) -> Indices:
        """Where each row's entries begin in `indices` (each column's for "csc"), and the end."""
        by_column = self.format == "csc"
        major, size = (self.cols, self.shape[1]) if by_column else (self.rows, self.shape[0])
        pointer = np.zeros(size + 1, np.int32)
        np.cumsum(np.bincount(major, minlength=size), out=pointer[1:])
        return frozen(pointer)

    @property
    def indices(self) -> Indices:
        """Column of each entry (row for "csc")."""
        return self.rows if self.format == "csc" else self.cols

    def to_scipy(self, data: NDArray[Any] | None = None) -> Any:
        """Make a `csr_array`, `csc_array` or `coo_array` of the pattern, with `data` or True as values.

        `data` has shape (nnz,), in the order of `rows` and `cols`, and is not copied, but float16, which SciPy's
        matrices have not: it becomes float32.  The index arrays are
        this pattern's own, read-only: a SciPy operation in place that would move entries raises.

        >>> SparsityPattern([0, 1], [1, 0], (2, 2)).to_scipy(np.array([3.0, 4.0])).toarray().tolist()
        [[0.0, 3.0], [4.0, 0.0]]
        """
        if data is None:
            data = np.ones(self.nnz, np.bool_)
        elif np.shape(data) != (self.nnz,):
            raise ShapeError(f"to_scipy: data has shape {np.shape(data)}; this pattern needs ({self.nnz},)")
        elif (values := np.asarray(data)).dtype == np.float16:
            data = values.astype(np.float32)
        matrix: Any
        if self.format == "coo":
            matrix = scipy_sparse.coo_array((data, (self.rows, self.cols)), shape=self.shape)
        else:
            make: Any = scipy_sparse.csr_array if self.format == "csr" else scipy_sparse.csc_array
            matrix = make((data, self.indices, self.indptr), shape=self.shape)
            matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        return matrix

    def with_format(self, format: str) -> SparsityPattern:
        """Return the same entries in the order of another format.

        >>> SparsityPattern([0, 0, 1], [0, 1, 0], (2, 2)).with_format("csc").rows.tolist()
        [0, 1, 0]
        """
        if format == self.format:
            return self
        rows, cols = self.rows, self.cols
        if self.format == "csc":
            rows, cols = self._turned
        elif format == "csc":
            cols, rows = self._turned
        return SparsityPattern(rows, cols, self.shape, format, self.explainer)

    def transpose(self) -> SparsityPattern:
        """Return the pattern of the transposed matrix, in the same format.

        >>> SparsityPattern([0, 0], [0, 2], (2, 3)).transpose()
        SparsityPattern(shape=(3, 2), nnz=2, format='csr', density=33.3%)
        """
        inner = self.explainer
        explainer = None if inner is None else lambda i, j: inner(j, i)
        major, minor = self._turned
        rows, cols = (minor, major) if self.format == "csc" else (major, minor)
        return SparsityPattern(rows, cols, self.shape[::-1], self.format, explainer)

    @property
    def _turned(self) -> tuple[Indices, Indices]:
        """The other index and this one of the entries, in the order of the other."""
        return turned(self.indptr, self.indices, self.shape[0 if self.format == "csc" else 1])

    def lower(self) -> SparsityPattern:
        """Return the entries on and below the diagonal, as solvers want of a symmetric matrix."""
        return self._select(self.rows >= self.cols)

    def upper(self) -> SparsityPattern:
        """Return the entries on and above the diagonal."""
        return self._select(self.rows <= self.cols)

    def places_of(self, other: SparsityPattern) -> NDArray[np.intp]:
        """Where the entries of another pattern stand among those of this one: ``values[places]`` are its values.

        So values go from one format into another, or into a triangle. Raises ShapeError for another shape, and
        SparsityError where an entry of the other is none here.

        >>> pattern = SparsityPattern([0, 0, 1], [0, 1, 0], (2, 2))
        >>> pattern.places_of(pattern.with_format("csc")), pattern.places_of(pattern.lower())
        (array([0, 2, 1]), array([0, 2]))
        """
        if other.shape != self.shape:
            raise ShapeError(f"places_of: the other pattern has shape {other.shape}, this one {self.shape}")
        found: NDArray[np.intp] = np.minimum(self._ordered(other.rows, other.cols), max(self.nnz - 1, 0))
        same = [mine[found] == theirs if self.nnz else np.zeros(other.nnz, np.bool_)
                for mine, theirs in ((self.rows, other.rows), (self.cols, other.cols))]  # fmt: skip
        if not np.all(same):
            k = int(np.argmin(same[0] & same[1]))
            raise SparsityError(f"places_of: entry ({other.rows[k]}, {other.cols[k]}) is not in this pattern")
        return found

    def along_diagonal(self, count: int, step: Sequence[int] | None = None) -> Stages:
        """``count`` blocks of this pattern, each ``step`` = (rows, columns) below and to the right of the one before.

        By default the step is the shape of a block, and the matrix is block-diagonal; with a smaller one blocks
        overlap, as the Jacobians of multiple shooting do in the states that two stages share. The shape of the matrix
        is what the blocks fill, its format that of the block. Raises ArgumentError for a negative count or step.

        >>> chain = SparsityPattern([0, 0], [0, 1], (1, 2)).along_diagonal(3, (1, 1))
        >>> chain.pattern.to_scipy(chain.values(np.arange(1.0, 7.0).reshape(3, 2))).toarray()
        array([[1., 2., 0., 0.],
               [0., 3., 4., 0.],
               [0., 0., 5., 6.]])
        """
        down, right = self.shape if step is None else map(operator.index, step)
        if operator.index(count) < 0 or min(down, right) < 0:
            raise ArgumentError(f"along_diagonal: count is {count} and step {(down, right)}; neither may be negative")
        at, more = np.arange(count)[:, None], max(count - 1, 0)
        rows, cols = self.rows + down * at, self.cols + right * at
        shape = (down * more + self.shape[0], right * more + self.shape[1]) if count else (0, 0)
        whole = SparsityPattern(rows.reshape(-1), cols.reshape(-1), shape, self.format)
        return Stages(whole, whole._ordered(rows, cols))

    def _ordered(self, rows: NDArray[Any], cols: NDArray[Any]) -> NDArray[np.intp]:
        """Where entries of this pattern stand among its values."""
        by_column, size = self.format == "csc", max(*self.shape, 1)
        first, second = (cols, rows) if by_column else (rows, cols)
        major, minor = (self.cols, self.rows) if by_column else (self.rows, self.cols)
        keys, wanted = major.astype(np.int64) * size + minor, first.astype(np.int64) * size + second
        return np.asarray(np.searchsorted(keys, wanted), np.intp)

    def _select(self, keep: NDArray[np.bool_]) -> SparsityPattern:
        return SparsityPattern(self.rows[keep], self.cols[keep], self.shape, self.format, self.explainer)

    def explain(self, i: int, j: int) -> str:
        """Say by which operations input `j` reaches output `i`.

        Raises IndexOutOfRange outside of the shape, and SparsityError (a ValueError) when the pattern did not
        come from detection.
        """
        for name, value, size in (("row", i, self.shape[0]), ("column", j, self.shape[1])):
            if not 0 <= operator.index(value) < size:
                raise IndexOutOfRange(f"explain: {name} {value} is outside of 0 to {size - 1}")
        if self.explainer is None:
            raise SparsityError(
                "explain: the pattern was given by the user, so there are no operations to name; "
                "only a detected pattern can be explained"
            )
        return self.explainer(operator.index(i), operator.index(j))

    def spy(self, width: int | None = None) -> str:
        """Draw the pattern as text, at most `width` braille characters wide (60).

        >>> print(SparsityPattern([0, 1, 2, 3], [0, 1, 2, 3], (4, 4)).spy())
        [⠑⢄]
        """
        if width is None:
            return late.draw.spy(self.rows, self.cols, self.shape)
        if operator.index(width) < 1:
            raise ArgumentError(f"spy: width is {width}; it must be at least 1")
        return late.draw.spy(self.rows, self.cols, self.shape, width)

    def to_svg(self, colors: ArrayLike | _Colored | None = None) -> str:
        """Draw the pattern as a self-contained SVG image, less than 1 MB.

        `colors` is a `Coloring`, or an integer for each column. Where rows and columns are colored an entry has the
        color of its row, if that is in a product.

        >>> SparsityPattern([0, 1], [0, 1], (2, 2)).to_svg(colors=[0, 1]).count("<path")
        2
        """
        if colors is None:
            return late.draw.svg(self.rows, self.cols, self.shape)
        if isinstance(colors, _Colored) and colors.partition == "bidirectional":
            return late.draw.svg(self.rows, self.cols, self.shape, self._of_both(colors.colors))
        if isinstance(colors, _Colored):
            numbers, by_row = colors.colors, colors.partition == "row"
        else:
            numbers, by_row = np.asarray(colors), False
        size, index = (self.shape[0], self.rows) if by_row else (self.shape[1], self.cols)
        if numbers.shape != (size,):
            raise ShapeError(f"to_svg: colors has shape {numbers.shape}; this pattern needs ({size},)")
        return late.draw.svg(self.rows, self.cols, self.shape, numbers[index])

    def _of_both(self, colors: Indices) -> Indices:
        """The color of each entry where rows and columns have one: that of its row, if that is in a product."""
        if colors.shape != (sum(self.shape),):
            raise ShapeError(f"to_svg: colors has shape {colors.shape}; this pattern needs ({sum(self.shape)},)")
        by_row = colors[self.rows]
        return np.where(by_row < 0, colors[self.shape[0] + self.cols], by_row)

    def plot(self, ax: Any = None) -> Any:
        """Draw the pattern into a matplotlib axes, the current one by default, and return the axes."""
        axes = matplotlib_pyplot.gca() if ax is None else ax
        size = 200.0 / max(*self.shape, 1)
        axes.spy(self.to_scipy(), precision="present", markersize=min(max(size, 0.5), 12.0))
        return axes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SparsityPattern):
            return NotImplemented
        return (
            (self.shape, self.format) == (other.shape, other.format)
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.cols, other.cols)
        )

    @cached_property
    def _hash(self) -> int:
        return hash((self.shape, self.format, self.rows.tobytes(), self.cols.tobytes()))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        # An explainer holds on to a traced graph, which stays in its process.
        return SparsityPattern, (self.rows, self.cols, self.shape, self.format)

    def __repr__(self) -> str:
        size = self.shape[0] * self.shape[1]
        density = f", density={100 * self.nnz / size:.3g}%" if size else ""
        return f"SparsityPattern(shape={self.shape}, nnz={self.nnz}, format={self.format!r}{density})"

    def _repr_html_(self) -> str:
        return f"<figure>{self.to_svg()}<figcaption><code>{self!r}</code></figcaption></figure>"
