"""``ft.sparse(A)``: a constant SciPy sparse matrix as an operand, with its exact pattern."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._lazy import scipy_sparse
from functrans.dtypes import DType
from functrans.errors import ArgumentError, ShapeError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import UOp
from functrans.tensor.constants import IntArray, constant
from functrans.tensor.core import Tensor
from functrans.tensor.indexing import take
from functrans.tensor.lift import lift

Array = np.ndarray[Any, Any]


class SparseMatrix:
    """A constant matrix of m rows and n columns with nnz stored entries; made by `sparse`.

    ``S @ x`` takes an x of shape (n,) or (n, k), ``x @ S`` one of shape (m,) or (k, m); both give a Tensor
    of the promoted dtype and cost one multiplication and addition an entry (and column). The entries are
    a gather, a product and an ordered sum into rows, so a derivative has exactly the pattern of the
    matrix, explicit zeros included.

    Attributes
    ----------
    shape : tuple[int, int]
    dtype : numpy.dtype
    """

    __array_ufunc__ = None  # so that ndarray @ S asks S

    def __init__(self, shape: tuple[int, int], rows: IntArray, cols: IntArray, data: Array) -> None:
        self.shape = shape
        self.dtype = data.dtype
        self._rows, self._cols, self._data = rows, cols, data
        self._nodes: dict[DType, UOp] = {}

    @property
    def nnz(self) -> int:
        """The number of stored entries, explicit zeros included."""
        return self._data.size

    @property
    def ndim(self) -> int:
        """2."""
        return 2

    @cached_property
    def T(self) -> SparseMatrix:
        """The transposed matrix."""
        order = np.lexsort((self._rows, self._cols))
        return SparseMatrix(self.shape[::-1], self._cols[order], self._rows[order], self._data[order])

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

    def product(self, x: UOp) -> UOp:
        """A x, for a node of shape (n,) or (n, k)."""
        m, n = self.shape
        if x.ndim not in (1, 2) or x.sized[0] != n:
            raise ShapeError(
                f"a sparse matrix of shape {self.shape} meets an array of shape {x.shape}; "
                f"expected ({n},) or ({n}, k){at_user_line()}"
            )
        dtype = dtypes.from_numpy(np.result_type(self.dtype, x.dtype.numpy))
        picked = take(B.cast(x, dtype), self._cols, 0)
        factor = B.reshape(self._factor(dtype), (self.nnz, *(1 for _ in x.sized[1:])))
        terms = B.mul(B.broadcast(factor, picked.sized), picked)
        if self.nnz == m and bool((self._rows == np.arange(m)).all()):
            return terms  # one entry in every row: there is nothing to add
        return B.scatter(B.full((m, *x.sized[1:]), dtype, 0), terms, (constant(self._rows),), "add")

    def _factor(self, dtype: DType) -> UOp:
        """The entries in a dtype; a matrix of ones (or of minus ones) needs no multiplication."""
        if dtype not in self._nodes:
            unit = next((u for u in (1, -1) if self.nnz and (self._data == u).all()), None)
            if unit is not None:
                self._nodes[dtype] = B.full((self.nnz,), dtype, unit)
            else:
                self._nodes[dtype] = buffer(self._data.astype(dtype.numpy))
        return self._nodes[dtype]


def _operand(x: Any) -> UOp:
    if isinstance(x, SparseMatrix) or scipy_sparse.issparse(x):
        raise UnsupportedError(
            f"the product of two sparse matrices is asked for{at_user_line()}; multiply them before: ft.sparse(A @ B)"
        )
    return lift(x)


def sparse(A: Any) -> SparseMatrix:
    """A constant SciPy sparse matrix, of any format, as an operand of ``@``.

    The entries are copied. Duplicates of COO are added, as SciPy does; explicit zeros stay in the pattern.

    Raises
    ------
    ArgumentError
        A is no SciPy sparse matrix.
    ShapeError
        A has not two axes.
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
    """
    is_sparse: bool = scipy_sparse.issparse(A)
    if not is_sparse:
        raise ArgumentError(
            f"ft.sparse got a {type(A).__name__}; expected a SciPy sparse matrix, for example "
            f"scipy.sparse.csr_array(A){at_user_line()}"
        )
    if A.ndim != 2:
        raise ShapeError(f"ft.sparse got a sparse array of shape {A.shape}; expected two axes{at_user_line()}")
    dtypes.from_numpy(A.dtype)  # raises for what has no node
    rows = A.tocsr(copy=True)
    rows.sum_duplicates()  # sorts the columns of a row, too
    m, n = rows.shape
    counts = np.diff(rows.indptr)
    return SparseMatrix(
        (int(m), int(n)), np.repeat(np.arange(m, dtype=np.int64), counts), rows.indices.astype(np.int64), rows.data
    )
