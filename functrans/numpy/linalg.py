"""Linear algebra under NumPy's names: `functrans.numpy.linalg`, where `numpy.linalg` called on Tensors comes.

Matrices are the last two axes; axes in front are a batch. Real ones of up to 40 rows are computed in the kernels,
others by LAPACK between them, in float32, float64, complex64 and complex128.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as _np

from functrans.errors import LinAlgError
from functrans.numpy._wrap import of
from functrans.numpy.contraction import cross, matmul, outer, tensordot, vecdot
from functrans.numpy.diagonals import diagonal as _diagonal
from functrans.numpy.diagonals import trace as _trace
from functrans.numpy.shaping import matrix_transpose
from functrans.tensor import least_squares
from functrans.tensor import linalg as _linalg
from functrans.tensor.core import Tensor
from functrans.tensor.join import sequence
from functrans.tensor.lift import lift, nodes_of
from functrans.tensor.protocols import implement
from functrans.tensor.reduce import normal_axes

__all__ = [
    "EighResult", "LinAlgError", "QRResult", "SVDResult", "SlogdetResult", "cholesky", "cond", "cross", "det",
    "diagonal", "eigh", "eigvalsh", "inv", "lstsq", "matmul", "matrix_norm", "matrix_power", "matrix_rank",
    "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
    "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]  # fmt: skip


class SlogdetResult(NamedTuple):
    """What `slogdet` returns."""

    sign: Any
    logabsdet: Any


class EighResult(NamedTuple):
    """What `eigh` returns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """What `qr` returns."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """What `svd` returns."""

    U: Any
    S: Any
    Vh: Any


def solve(a: Any, b: Any) -> Tensor:
    """The solution x of ``a @ x = b``.

    b is a vector, or matrices whose axes in front broadcast with those of a. Raises LinAlgError where a matrix is
    singular, when it is run, naming the one of a batch; ShapeError unless a is square and b fits; DtypeError for
    float16. One factorization a matrix; one matrix that a whole ``vmap`` shares is factored once. Derivatives are
    solves with the same matrix and its transpose.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.solve([[2.0, 0.0], [1.0, 4.0]], [2.0, 9.0])
    Tensor([1., 2.], dtype=float64)
    """
    return of(_linalg.solve(*nodes_of(a, b)))


def inv(a: Any) -> Tensor:
    """The inverse of a matrix. LinAlgError, as by `solve`, where there is none.

    To multiply by an inverse, `solve` is faster and more exact.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.inv([[2.0, 0.0], [0.0, 4.0]])
    Tensor([[0.5 , 0.  ],
            [0.  , 0.25]], dtype=float64)
    """
    return of(_linalg.inv(lift(a)))


def det(a: Any) -> Tensor:
    """The determinant.

    Its derivative is that of the polynomial it is, where a is singular too; so is the second one; the third, of
    four and more rows, is NaN there. The first and the second cost a singular value decomposition.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.det([[2.0, 0.0], [1.0, 4.0]])
    Tensor(8., dtype=float64)
    """
    return of(_linalg.det(lift(a)))


def slogdet(a: Any) -> SlogdetResult:
    """The sign of the determinant, and the logarithm of its size, which neither over- nor underflows.

    (0, -inf) where a is singular; the derivative raises LinAlgError there.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> sign, log = fnp.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> sign, log
    (Tensor(-1., dtype=float64), Tensor(0., dtype=float64))
    """
    return SlogdetResult(*map(of, _linalg.slogdet(lift(a))))


def cholesky(a: Any, /, *, upper: bool = False) -> Tensor:
    """The lower triangle l with ``a = l @ l.conj().T``, or with upper its conjugate transpose.

    Reads the triangle of a that the result fills, and of the diagonal the real part; the derivative by what is not
    read is zero. LinAlgError where a matrix is not positive definite, naming the one of a batch.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
    Tensor([[2., 0.],
            [1., 2.]], dtype=float64)
    """
    return of(_linalg.cholesky(lift(a), upper))


def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """Eigenvalues, in ascending order, and eigenvectors of a Hermitian matrix, read from one triangle.

    The derivative of eigenvectors is NaN or infinite where eigenvalues are equal, and a vector may be turned: use what
    does not depend on its sign.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.eigh([[2.0, 0.0], [0.0, 1.0]]).eigenvalues
    Tensor([1., 2.], dtype=float64)
    """
    return EighResult(*map(of, _linalg.eigh(lift(a), UPLO)))


def eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    """The eigenvalues of a Hermitian matrix, in ascending order.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]])
    Tensor([1., 3.], dtype=float64)
    """
    return of(_linalg.eigh(lift(a), UPLO)[0])


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """The singular value decomposition ``a = U @ diag(S) @ Vh``, values in descending order.

    UnsupportedError for full_matrices of matrices that are not square. Derivatives of vectors need distinct values.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.svd([[0.0, 2.0], [1.0, 0.0]]).S
    Tensor([2., 1.], dtype=float64)
    """
    factors = _linalg.svd(lift(a), full_matrices and compute_uv)
    return SVDResult(*map(of, factors)) if compute_uv else of(factors[1])


def svdvals(x: Any, /) -> Tensor:
    """The singular values of a matrix, in descending order.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]])
    Tensor([4., 3.], dtype=float64)
    """
    return of(_linalg.svd(lift(x), False)[1])


def qr(a: Any, mode: str = "reduced") -> Any:
    """The factors of ``a = Q @ R``: Q has orthonormal columns, R is upper triangular. With mode 'r', R alone.

    UnsupportedError for mode 'complete' of a matrix with more rows than columns, and for 'raw'. The derivative needs
    independent columns, of a wide matrix the first ones, and raises LinAlgError where they are not.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> q, r = fnp.linalg.qr([[3.0, 1.0], [4.0, 3.0]])
    >>> abs(r)
    Tensor([[5., 3.],
            [0., 1.]], dtype=float64)
    """
    q, r = _linalg.qr(lift(a), mode)
    return of(r) if mode == "r" else QRResult(of(q), of(r))


def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Tensor:
    """The pseudo-inverse of a matrix: of all x with least ``|a @ x - b|``, ``pinv(a) @ b`` is the shortest.

    Singular values up to rcond (or rtol; 1e-15) times the largest count as zero. The derivative is that among matrices
    of the same rank. rcond may be an array, one number for each matrix; TracedValueError where it is traced.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.pinv([[2.0, 0.0], [0.0, 0.0], [0.0, 4.0]])
    Tensor([[0.5 , 0.  , 0.  ],
            [0.  , 0.  , 0.25]], dtype=float64)
    """
    given = rtol if rcond is None else rcond
    return of(least_squares.pinv(lift(a), 1e-15 if given is None else given))


def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The shortest x with least ``|a @ x - b|``; besides the squares of what is left, the rank, the singular values.

    By the pseudo-inverse of a. Singular values up to rcond (by default the rounding unit times the larger extent)
    times the largest count as zero. As the rank is not known before, the squares are there for every a with more rows
    than columns, where NumPy leaves them out for a smaller rank. ShapeError unless a is a matrix and b fits.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> x, left, rank, s = fnp.linalg.lstsq([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [1.0, 2.0, 3.0])
    >>> fnp.round(x, 12)
    Tensor([1., 1.], dtype=float64)
    """
    x, left, rank, s = least_squares.lstsq(lift(a), lift(b), rcond)
    return of(x), of(left), of(rank), of(s)


def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Tensor:
    """The number of singular values above tol, or above rtol times the largest.

    rtol is the rounding unit times the larger extent, unless given.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]])
    Tensor(1, dtype=int64)
    """
    return of(_linalg.matrix_rank(lift(A), tol, rtol))


def matrix_power(a: Any, n: int) -> Tensor:
    """The n-th power of a matrix, by squaring; a negative n takes the inverse.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.matrix_power([[1, 1], [0, 1]], 5)
    Tensor([[1, 5],
            [0, 1]], dtype=int64)
    """
    return of(_linalg.matrix_power(lift(a), n))


def multi_dot(arrays: Any, *, out: None = None) -> Tensor:
    """The product of two and more matrices in the order that takes the fewest multiplications.

    The first and the last may be vectors.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.multi_dot([[1.0, 2.0], [[1.0, 0.0], [0.0, 3.0]], [1.0, 1.0]])
    Tensor(7., dtype=float64)
    """
    return of(_linalg.multi_dot(sequence(arrays, "multi_dot")))


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The norm of all elements, of vectors along an axis, or of matrices in two axes.

    ord is None, a number, inf or -inf; for matrices None, 'fro', 'nuc', 1, -1, 2, -2, inf or -inf. The derivative of
    vector norms and of 'fro' at the origin is 0.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.norm([[3.0, 4.0], [0.0, 2.0]], axis=1)
    Tensor([5., 2.], dtype=float64)
    """
    return of(_linalg.norm(lift(x), ord, axis, keepdims))


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    """The norm of the elements over axes (all of them), taken as one vector.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.vector_norm([[1.0, 2.0], [4.0, 10.0]])
    Tensor(11., dtype=float64)
    """
    node = lift(x)
    return of(_linalg.vector_norm(node, ord, normal_axes(axis, node.ndim), keepdims))


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """The norm of the matrices in the last two axes; see `norm`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.matrix_norm([[1.0, -2.0], [3.0, 4.0]], ord=1)
    Tensor(6., dtype=float64)
    """
    return of(_linalg.norm(lift(x), ord, (-2, -1), keepdims))


def cond(x: Any, p: Any = None) -> Tensor:
    """The condition number: singular values' ratio, or ``norm(x, p) * norm(inv(x), p)``; infinite where x is singular.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.cond([[1.0, 0.0], [0.0, 4.0]], 1)
    Tensor(4., dtype=float64)
    """
    return of(_linalg.cond(lift(x), p))


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Tensor:
    """The x of ``tensordot(a, x, x.ndim) = b``.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.tensorsolve(fnp.eye(4).reshape(2, 2, 2, 2), [[1.0, 2.0], [3.0, 4.0]])
    Tensor([[1., 2.],
            [3., 4.]], dtype=float64)
    """
    return of(_linalg.tensorsolve(lift(a), lift(b), axes))


def tensorinv(a: Any, ind: int = 2) -> Tensor:
    """The inverse of a under ``tensordot(a, x, ind)``.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.tensorinv(2.0 * fnp.eye(4).reshape(2, 2, 4)).shape
    (4, 2, 2)
    """
    return of(_linalg.tensorinv(lift(a), ind))


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """The sum of the diagonals of the last two axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.trace([[1.0, 2.0], [3.0, 4.0]])
    Tensor(5., dtype=float64)
    """
    return _trace(x, offset, -2, -1, dtype)


def diagonal(x: Any, /, *, offset: int = 0) -> Tensor:
    """The diagonals of the last two axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.linalg.diagonal([[1.0, 2.0], [3.0, 4.0]])
    Tensor([1., 4.], dtype=float64)
    """
    return _diagonal(x, offset, -2, -1)


def _dispatch() -> None:
    """Let NumPy's functions of these names come here."""
    for name in __all__:
        theirs: Callable[..., Any] | type | None = getattr(_np.linalg, name, None)
        if theirs is not None and not isinstance(theirs, type):
            implement(theirs, globals()[name])


_dispatch()
