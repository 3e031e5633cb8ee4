"""``ft.sparse``: a sparse matrix with its exact pattern as an operand, of constant or of traced entries."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans._lazy import hashlib, scipy_sparse
from functrans._records import record
from functrans.dtypes import DType
from functrans.errors import ArgumentError, ShapeError, SparsityError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import UOp
from functrans.tensor.constants import IntArray, constant
from functrans.tensor.core import Tensor
from functrans.tensor.factor import Factor, factor
from functrans.tensor.lift import lift, node_of
from functrans.tensor.sparse_product import product

Array = np.ndarray[Any, Any]


@record(eq=False)
class Places:
    """Where the entries of a matrix stand, each once."""

    shape: tuple[int, int]
    rows: IntArray
    cols: IntArray

    @cached_property
    def key(self) -> str:
        """Equal for equal ones."""
        return hashlib.sha256(repr(self.shape).encode() + self.rows.tobytes() + self.cols.tobytes()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Places) and self.key == other.key)

    def __hash__(self) -> int:
        return hash((self.shape, len(self.rows)))

    @cached_property
    def turned(self) -> tuple[Places, IntArray]:
        """Those of the transpose, row by row, and which entry each one is."""
        order = np.lexsort((self.rows, self.cols))
        return Places(self.shape[::-1], self.cols[order], self.rows[order]), order


class SparseMatrix:
    """A matrix of m rows and n columns with nnz stored entries; made by `sparse`.

    ``S @ x`` takes an x of shape (n,) or (n, k), ``x @ S`` one of shape (m,) or (k, m); both give a Tensor
    of the promoted dtype and cost one multiplication and addition an entry (and column). The entries are
    a gather, a product and an ordered sum into rows, so a derivative has exactly the pattern of the
    matrix, explicit zeros included.

    A pytree of one leaf, its entries: `ft.vmap` maps over matrices of one pattern, and derivatives are those of the
    entries.

    Attributes
    ----------
    shape : tuple[int, int]
    dtype : numpy.dtype
    values : array of shape (nnz,)

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> A = ft.sparse(np.array([2.0, 1.0, 4.0]), ft.SparsityPattern([0, 0, 1], [0, 1, 1], (2, 2)))
    >>> A, A @ np.array([1.0, 2.0])
    (<ft.sparse of shape (2, 2), 3 entries, float64>, Tensor([4., 8.], dtype=float64))
    """

    __array_ufunc__ = None  # so that ndarray @ S asks S

    def __init__(self, places: Places, values: Any) -> None:
        self._places, self.values = places, values
        self._nodes: dict[DType, UOp] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._places.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the entries."""
        found: np.dtype[Any] = np.dtype(self.values.dtype)
        return found

    @property
    def nnz(self) -> int:
        """The number of stored entries, explicit zeros included."""
        return len(self._places.rows)

    @property
    def ndim(self) -> int:
        """2."""
        return 2

    @cached_property
    def T(self) -> SparseMatrix:
        """The transposed matrix."""
        places, order = self._places.turned
        return SparseMatrix(places, self.values[order])

    def __repr__(self) -> str:
        return f"<ft.sparse of shape {self.shape}, {self.nnz} entries, {self.dtype}>"

    def __matmul__(self, x: Any) -> Tensor:
        """``A @ x`` for an x of shape (n,) or (n, k)."""
        return Tensor.from_uop(self.product(_operand(x)))

    def __rmatmul__(self, x: Any) -> Tensor:
        """``x @ A`` for an x of shape (m,) or (k, m)."""
        node = _operand(x)
        if node.ndim != 2:
            return Tensor.from_uop(self.T.product(node))
        return Tensor.from_uop(B.permute(self.T.product(B.permute(node, (1, 0))), (1, 0)))

    def __add__(self, other: Any) -> SparseMatrix:
        """``A + B`` of two matrices of one pattern; SparsityError for different ones."""
        if not isinstance(other, SparseMatrix):
            return NotImplemented
        if self._places != other._places:
            raise SparsityError(
                f"two sparse matrices of different patterns are added ({self!r} and {other!r}){at_user_line()}; give "
                "both the union of their patterns, zeros included"
            )
        return SparseMatrix(self._places, self.values + other.values)

    def diagonal(self) -> Tensor:
        """The elements (i, i), zero where there is no entry: shape (min(m, n),)."""
        own = np.flatnonzero(self._places.rows == self._places.cols)
        zeros = B.full((min(self.shape),), self._entries().dtype, 0)
        picked = Tensor.from_uop(self._entries())[own].uop
        return Tensor.from_uop(B.scatter(zeros, picked, (constant(self._places.rows[own]),), "add"))

    def toarray(self) -> Tensor:
        """The dense matrix."""
        values = self._entries()
        at = constant(self._places.rows), constant(self._places.cols)
        return Tensor.from_uop(B.scatter(B.full(self.shape, values.dtype, 0), values, at, "add"))

    def factor(self, kind: str = "auto", ordering: str = "auto", nominal: Any = None) -> Factor:
        """Triangular factors of a square matrix, for any number of right-hand sides.

        Parameters
        ----------
        kind : "auto", "lu", "ldl" or "cholesky"
            ``"ldl"`` and ``"cholesky"`` are for symmetric matrices, of which all entries are given; ``"cholesky"``
            raises LinAlgError (or gives NaN, by ``ft.config.linalg_errors``) where the matrix is not positive definite.
        ordering : "auto", "amd" or "natural"
            The order of elimination: approximate minimum degree, or the rows as they come.
        nominal : array of shape (nnz,), optional
            Numbers, known when the function is traced, that the entries will be like: pivots are chosen by them,
            so that solutions take fewer steps of refinement. Without them the pattern decides, by the fill. Worth it
            for a diagonal with holes or small numbers. Costs a factorization for each of up to four choices, once.

        Raises
        ------
        ShapeError
            The matrix is not square, or ``nominal`` has another shape than its entries.
        ArgumentValueError
            ``nominal`` is traced, or not finite.
        LinAlgError
            The pattern is structurally singular; the message names the rows.
        SparsityError
            A symmetric kind for a pattern that is not symmetric.
        DtypeError
            Complex entries.
        """
        return factor(self.shape, self._places.rows, self._places.cols, self.values, kind, ordering, nominal)

    def product(self, x: UOp) -> UOp:
        """A x, for a node of shape (n,) or (n, k)."""
        m, n = self.shape
        if x.ndim not in (1, 2) or x.sized[0] != n:
            raise ShapeError(
                f"a sparse matrix of shape {self.shape} meets an array of shape {x.shape}; "
                f"expected ({n},) or ({n}, k){at_user_line()}"
            )
        dtype = dtypes.from_numpy(np.result_type(self.dtype, x.dtype.numpy))
        return product(self._places.rows, self._places.cols, m, self._factor(dtype), B.cast(x, dtype))

    def _entries(self) -> UOp:
        """The entries as a node of shape (nnz,)."""
        return self._factor(dtypes.from_numpy(self.dtype))

    def _factor(self, dtype: DType) -> UOp:
        """The entries in a dtype; a matrix of ones (or of minus ones) needs no multiplication."""
        node = node_of(self.values)
        if node is not None:
            return B.cast(node, dtype)
        if dtype not in self._nodes:
            unit = next((u for u in (1, -1) if self.nnz and (self.values == u).all()), None)
            if unit is not None:
                self._nodes[dtype] = B.full((self.nnz,), dtype, unit)
            else:
                self._nodes[dtype] = buffer(np.array(self.values, dtype.numpy))
        return self._nodes[dtype]


tree.register_pytree(
    SparseMatrix, lambda s: ((s.values,), s._places), lambda places, leaves: SparseMatrix(places, leaves[0])
)


def _operand(x: Any) -> UOp:
    if isinstance(x, SparseMatrix) or scipy_sparse.issparse(x):
        raise UnsupportedError(
            f"the product of two sparse matrices is asked for{at_user_line()}; multiply them before: ft.sparse(A @ B)"
        )
    return lift(x)


def sparse(A: Any, pattern: Any = None) -> SparseMatrix:
    """A sparse matrix as an operand of ``@`` and of `spsolve`: of a SciPy matrix, or of entries and a pattern.

    Parameters
    ----------
    A : SciPy sparse matrix of any format, or an array of shape (nnz,)
        A SciPy matrix is a constant, and copied: duplicates of COO are added, as SciPy does; explicit zeros stay in
        the pattern. With ``pattern`` these are the entries, traced or not, in the order of the pattern: that of
        ``J.values`` for ``J.pattern``.
    pattern : ft.SparsityPattern, SciPy sparse matrix or (rows, cols, shape), optional
        Where the entries stand. Of a SciPy matrix the order is that of its ``data``.

    Raises
    ------
    ArgumentError
        A is no SciPy sparse matrix, and no pattern is given; the pattern is none.
    ShapeError
        A SciPy matrix has not two axes; another number of entries than the pattern has.
    SparsityError
        A pattern with a place that is out of range, or given twice.
    DtypeError
        The entries are no numbers of a supported dtype.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> S = sparse(scipy.sparse.csr_array([[0.0, 2.0, 0.0], [1.0, 0.0, -1.0]]))
    >>> (S @ np.array([1.0, 2.0, 3.0])).numpy()
    array([ 4., -2.])
    >>> (np.array([1.0, 10.0]) @ S).numpy()
    array([ 10.,   2., -10.])
    >>> sparse(np.array([3.0, 4.0]), ([0, 1], [1, 0], (2, 2))).toarray().numpy()
    array([[0., 3.],
           [4., 0.]])
    """
    if pattern is not None:
        return _of_entries(A, pattern)
    is_sparse: bool = scipy_sparse.issparse(A)
    if not is_sparse:
        raise ArgumentError(
            f"ft.sparse got a {type(A).__name__}; expected a SciPy sparse matrix, for example "
            f"scipy.sparse.csr_array(A), or entries with their pattern: ft.sparse(values, pattern){at_user_line()}"
        )
    if A.ndim != 2:
        raise ShapeError(f"ft.sparse got a sparse array of shape {A.shape}; expected two axes{at_user_line()}")
    dtypes.from_numpy(A.dtype)  # raises for what has no node
    rows = A.tocsr(copy=True)
    rows.sum_duplicates()  # sorts the columns of a row, too
    m, n = rows.shape
    at = np.repeat(np.arange(m, dtype=np.int64), np.diff(rows.indptr))
    return SparseMatrix(Places((int(m), int(n)), at, rows.indices.astype(np.int64)), rows.data)


def _of_entries(values: Any, pattern: Any) -> SparseMatrix:
    places = _places(pattern)
    node = node_of(values)
    given = values if node is not None else np.array(values)
    if node is None:
        dtypes.from_numpy(given.dtype)
    if given.shape != (len(places.rows),):
        raise ShapeError(
            f"ft.sparse got entries of shape {given.shape} for a pattern of {len(places.rows)}; expected "
            f"({len(places.rows)},){at_user_line()}"
        )
    return SparseMatrix(places, given)


def _places(pattern: Any) -> Places:
    if isinstance(pattern, tuple) and len(pattern) == 3:
        rows, cols, shape = pattern
    elif scipy_sparse.issparse(pattern):
        coo = pattern.tocoo()  # type: ignore[attr-defined]
        rows, cols, shape = coo.row, coo.col, coo.shape
    elif hasattr(pattern, "rows") and hasattr(pattern, "cols"):
        rows, cols, shape = pattern.rows, pattern.cols, pattern.shape
    else:
        raise ArgumentError(
            f"ft.sparse got a pattern that is a {type(pattern).__name__}; expected an ft.SparsityPattern, a SciPy "
            f"sparse matrix or (rows, cols, shape){at_user_line()}"
        )
    m, n = (int(d) for d in shape)
    at = [np.array(x) for x in (rows, cols)]
    if any(x.ndim != 1 or (x.size and x.dtype.kind not in "iu") for x in at) or len(at[0]) != len(at[1]):
        raise SparsityError(f"rows and columns of a pattern are two lists of integers of one length{at_user_line()}")
    row, col = (x.astype(np.int64) for x in at)
    for name, x, size in (("row", row, m), ("column", col, n)):
        if x.size and not (x.min() >= 0 and x.max() < size):
            wrong = int(x.min() if x.min() < 0 else x.max())
            raise SparsityError(f"{name} {wrong} of a pattern of shape {(m, n)} is out of range{at_user_line()}")
    if len(np.unique(row * n + col)) < len(row):
        raise SparsityError(f"a pattern of shape {(m, n)} names a place twice{at_user_line()}; add such entries before")
    return Places((m, n), row, col)


def spsolve(A: Any, b: Any) -> Tensor:
    """The solution x of ``A @ x = b`` for a sparse A and a b of shape (n,) or (n, k).

    A is a `SparseMatrix` (`sparse`) or a SciPy sparse matrix. What depends on the pattern alone, an order of
    elimination of small fill and the places of the factors, is worked out once a pattern; under `ft.vmap` eight systems
    are solved side by side. Pivots are chosen with the pattern; each solution is checked, row by row of its residual,
    refined, and where that does not help solved by SuperLU, with one warning.

    Derivatives in the entries and in b are solves with the same factors, or their transposes.

    Raises
    ------
    LinAlgError
        A matrix is singular, when it is run, naming the one of a batch (or NaN by ``ft.config.linalg_errors``); or
        every matrix of the pattern is, when it is traced, naming the rows.
    ShapeError, DtypeError
        A is not square, or b does not fit; complex numbers.

    Examples
    --------
    >>> import numpy as np
    >>> A = sparse(np.array([2.0, 1.0, 4.0]), ([0, 1, 1], [0, 0, 1], (2, 2)))
    >>> spsolve(A, np.array([2.0, 9.0])).numpy()
    array([1., 2.])
    """
    matrix = A if isinstance(A, SparseMatrix) else sparse(A)
    return matrix.factor().solve(b)
