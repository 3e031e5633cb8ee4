"""``A.factor()``: triangular factors of a sparse matrix, and what is computed from them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from functrans import dtypes, tree
from functrans._records import record
from functrans.backend.sparse.engine import form
from functrans.backend.sparse.plan import symbolic
from functrans.dtypes import DType
from functrans.errors import ArgumentValueError, DtypeError, ShapeError, SparsityError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.sparse_systems import NEGATIVE, Solving, spfactor, spslogdet, spsolve
from functrans.ops.uop import UOp
from functrans.tensor.constants import IntArray
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.tensor.sparse_product import product

FloatArray = np.ndarray[Any, np.dtype[np.float64]]

__all__ = ["Factor", "FactorPlan", "Inertia", "SlogdetResult", "factor"]


class SlogdetResult(NamedTuple):
    """What `Factor.slogdet` returns.

    Examples
    --------
    >>> import functrans as ft, scipy.sparse
    >>> ft.sparse(scipy.sparse.csr_array([[2.0, 1.0], [0.0, -3.0]])).factor().slogdet().sign.numpy()
    array(-1.)
    """

    sign: Any
    logabsdet: Any


class Inertia(NamedTuple):
    """What `Factor.inertia` returns.

    Examples
    --------
    >>> import functrans as ft, scipy.sparse
    >>> int(ft.sparse(scipy.sparse.csr_array([[2.0]])).factor("ldl").inertia().positive)
    1
    """

    positive: Any
    negative: Any


@record
class FactorPlan:
    """What a factorization will do, known from the pattern alone; it prints as a few lines.

    Attributes
    ----------
    n, nnz : int
        Rows, and entries of the matrix.
    fill : int
        Entries of both triangular factors, the diagonal once.
    flops : int
        Multiplications and additions of one factorization.
    kernel : str
        How the numbers are computed.

    Examples
    --------
    >>> import functrans as ft, scipy.sparse
    >>> plan = ft.sparse(scipy.sparse.csr_array([[2.0, 1.0], [0.0, 3.0]])).factor().plan
    >>> plan.n, plan.nnz, plan.fill
    (2, 3, 3)
    """

    n: int
    nnz: int
    fill: int
    flops: int
    kernel: str

    def __str__(self) -> str:
        size = f"{self.n} rows, {self.nnz} entries; {self.fill} in L + U"
        return f"{size}; {self.flops} operations a factorization; {self.kernel}"


class Factor:
    """Triangular factors of a sparse matrix; made by ``A.factor()``.

    A pytree, so that it may be an argument or result of a transformed function. Derivatives go by way of the matrix.

    >>> import numpy as np, functrans as ft
    >>> A = ft.sparse(np.array([2.0, 1.0, 4.0]), ft.SparsityPattern([0, 0, 1], [0, 1, 1], (2, 2)))
    >>> A.factor().solve(np.array([4.0, 8.0]))
    Tensor([1., 2.], dtype=float64)
    """

    def __init__(self, structure: Symbolic, dtype: DType, values: Any, factors: Any) -> None:
        self._symbolic, self._dtype, self._values, self._factors = structure, dtype, values, factors

    def __repr__(self) -> str:
        return f"<ft.Factor: {self.plan}>"

    @property
    def plan(self) -> FactorPlan:
        """What is known from the pattern alone: fill, operations, the form of the kernel."""
        s = self._symbolic
        return FactorPlan(s.n, s.nnz, s.fill, 2 * s.products + s.n, form(s))

    def solve(self, b: Any, trans: bool = False) -> Tensor:
        """The x of ``A @ x = b``, or of ``A.T @ x = b``, for a b of shape (n,) or (n, k).

        Raises ShapeError for another shape, DtypeError for complex numbers, and LinAlgError, when it is run, where the
        matrix is singular.
        """
        return self._solution(b, Solving(self._symbolic, trans))

    def _solution(self, b: Any, solving: Solving) -> Tensor:
        right = lift(b)
        n = self._symbolic.n
        if right.ndim not in (1, 2) or right.sized[0] != n:
            raise ShapeError(
                f"a right-hand side of shape {right.shape} for a matrix of shape {(n, n)}; expected ({n},) or "
                f"({n}, k){at_user_line()}"
            )
        dtype = _real(dtypes.from_numpy(np.result_type(self._dtype.numpy, right.dtype.numpy)), "right-hand sides")
        columns = right if right.ndim == 2 else B.reshape(right, (n, 1))
        wide = B.cast(columns, dtypes.float64)
        x = spsolve(*self._nodes(), wide, solving) if n else wide  # loops have no step for what has no rows
        return Tensor.from_uop(B.cast(B.reshape(x, right.sized), dtype))

    def slogdet(self) -> SlogdetResult:
        """Sign and logarithm of the size of the determinant: (0, -inf) of a singular matrix."""
        return SlogdetResult(self._determinant(0), self._determinant(1))

    def logdet(self) -> Tensor:
        """The logarithm of the size of the determinant; of a Cholesky factorization, of the determinant.

        Its gradient by the entries is the transposed inverse at their places, and costs as much as two factorizations.
        A second derivative takes n solutions and n^2 numbers.
        """
        return self._determinant(1)

    def inertia(self) -> Inertia:
        """How many eigenvalues of a symmetric matrix are positive, and how many negative, by the signs of its pivots.

        For factors of kind "ldl" or "cholesky": other kinds, and patterns whose pivots are not those of a symmetric
        elimination, raise SparsityError. LinAlgError, when it is run, where the matrix is singular, or needs other
        pivots than its pattern suggests; both counts are -1 by ``ft.config.linalg_errors``. One step of refinement
        decides: an eigenvalue below some 1e-8 of the largest may count with the other sign.

        >>> import functrans as ft, scipy.sparse
        >>> F = ft.sparse(scipy.sparse.csr_array([[2.0, 1.0], [1.0, -3.0]])).factor("ldl")
        >>> [int(count) for count in F.inertia()]
        [1, 1]
        """
        if self._symbolic.twins is None:
            raise SparsityError(
                f"the inertia is asked for of factors whose pivots are not symmetric{at_user_line()}; give "
                "kind='ldl', for a symmetric matrix of which all entries are stored"
            )
        count = self._determinant(NEGATIVE).uop
        negative = B.cast(B.where(B.eq(count, count), count, B.like(count, -1)), dtypes.int64)
        rest = B.sub(B.like(negative, self._symbolic.n), negative)
        positive = B.where(B.lt(negative, B.like(negative, 0)), negative, rest)
        return Inertia(Tensor.from_uop(positive), Tensor.from_uop(negative))

    def _determinant(self, part: int) -> Tensor:
        if self._symbolic.n == 0:
            return Tensor.from_uop(B.full((), dtypes.float64, int(part == 0)))
        return Tensor.from_uop(spslogdet(*self._nodes(), self._symbolic, part))

    @property
    def residual(self) -> Tensor:
        """The componentwise backward error of a solution by these factors, for a right-hand side of ones.

        The largest row of ``abs(b - A @ x) / (abs(A) @ abs(x) + abs(b))``, after the refinement that `solve` does; that
        of a solution that is right to rounding is some 1e-16.
        """
        values, _ = self._nodes()
        n, rows, cols = self._symbolic.n, self._symbolic.rows.astype(np.int64), self._symbolic.cols.astype(np.int64)
        ones = np.ones(n)
        x = self.solve(ones).uop
        left = ones - Tensor.from_uop(product(rows, cols, n, values, x))
        sizes = (B.alu(Ops.ABS, a) for a in (values, x))
        size = ones + Tensor.from_uop(product(rows, cols, n, *sizes))
        found: Tensor = (abs(left) / size).max()
        return found

    def _nodes(self) -> tuple[UOp, UOp]:
        return lift(self._values), lift(self._factors)


def quiet_solution(factor: Factor, b: Any) -> Tensor:
    """What `Factor.solve` gives, but NaN where a matrix is singular, whatever ``ft.config.linalg_errors``."""
    return factor._solution(b, Solving(factor._symbolic, False, quiet=True))


tree.register_pytree(
    Factor,
    lambda f: ((f._values, f._factors), (f._symbolic, f._dtype)),
    lambda info, leaves: Factor(*info, *leaves),
)


def factor(
    shape: tuple[int, int], rows: IntArray, cols: IntArray, values: Any, kind: str, ordering: str, nominal: Any
) -> Factor:  # fmt: skip
    """The factors of the matrix with values at places; see `SparseMatrix.factor`."""
    if shape[0] != shape[1]:
        raise ShapeError(f"a matrix of shape {shape} is factored; expected a square one{at_user_line()}")
    node = lift(values)
    dtype = _real(node.dtype, "entries")
    structure = symbolic(rows, cols, shape[0], kind, ordering, _nominal(nominal, len(rows)))
    own = B.cast(node, dtypes.float64)
    return Factor(structure, dtype, Tensor.from_uop(own), Tensor.from_uop(spfactor(own, structure)))


def _nominal(values: Any, nnz: int) -> FloatArray | None:
    """Numbers that are known when the pivots are chosen."""
    if values is None:
        return None
    if isinstance(values, Tensor):
        raise ArgumentValueError(
            f"nominal entries that are traced{at_user_line()}: pivots are chosen before there are values; give an array"
        )
    given = np.array(values)
    if given.shape != (nnz,) or given.dtype.kind not in "biuf":
        raise ShapeError(
            f"nominal entries of shape {given.shape} and dtype {given.dtype}; expected real numbers of shape "
            f"({nnz},){at_user_line()}"
        )
    found: FloatArray = given.astype(np.float64)
    if not np.isfinite(found).all():
        raise ArgumentValueError(f"nominal entries that are not finite{at_user_line()}; no pivots follow from these")
    return found


def _real(dtype: DType, what: str) -> DType:
    """The dtype of results: float32 or float64."""
    if dtype.kind == "c":
        raise DtypeError(
            f"{what} of dtype {dtype.name}{at_user_line()}; sparse factors are real: solve for real and imaginary parts"
        )
    return dtype if dtype == dtypes.float32 else dtypes.float64
