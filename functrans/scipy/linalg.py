"""Linear algebra under SciPy's names: `functrans.scipy.linalg`, what `functrans.numpy.linalg` does not have.

Matrices are the last two axes; axes in front are a batch, in which those of the right-hand sides broadcast. Arguments
of SciPy's that say what may be overwritten are taken and mean nothing; nothing is checked to be finite.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans.errors import ArgumentError, ShapeError, at_user_line
from functrans.numpy._wrap import of
from functrans.scipy import elimination
from functrans.tensor import linalg as _linalg
from functrans.tensor import systems
from functrans.tensor.core import Tensor
from functrans.tensor.expm import expm as _expm
from functrans.tensor.lift import lift, nodes_of
from functrans.tensor.linalg import square

__all__ = [
    "block_diag", "cho_factor", "cho_solve", "cholesky", "expm", "lu", "lu_factor", "lu_solve", "solve_banded",
    "solve_triangular", "solveh_banded", "toeplitz",
]  # fmt: skip


def solve_triangular(
    a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
    check_finite: bool = True,
) -> Tensor:  # fmt: skip
    """The solution x of ``a @ x = b``, of a the upper triangle, or the lower one; the other one is not read.

    With trans 1 or 'T' of ``a.T @ x = b``, with 2 or 'C' of ``a.conj().T @ x = b``. Raises LinAlgError for a zero on
    the diagonal, when it is run; ShapeError and DtypeError as `functrans.numpy.linalg.solve`. n^2 operations.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.solve_triangular([[2.0, 0.0], [1.0, 4.0]], [2.0, 9.0], lower=True)
    Tensor([1., 2.], dtype=float64)
    """
    matrix, right = nodes_of(a, b)
    return of(systems.triangular(matrix, right, trans, bool(lower), bool(unit_diagonal)))


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """The triangular R with ``R.conj().T @ R = a``, or with lower the L with ``L @ L.conj().T = a``.

    SciPy's default is the upper one, that of `functrans.numpy.linalg.cholesky` the lower one. One triangle of a is
    read. Raises LinAlgError where a matrix is not positive definite.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
    Tensor([[2., 1.],
            [0., 2.]], dtype=float64)
    """
    return of(_linalg.cholesky(lift(a), not lower))


def cho_factor(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, bool]:  # fmt: skip
    """The Cholesky factor of a, and which triangle it is, for `cho_solve`; the other triangle is zero.

    Raises LinAlgError where a matrix is not positive definite.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.cho_factor([[4.0, 2.0], [2.0, 5.0]])
    (Tensor([[2., 1.],
            [0., 2.]], dtype=float64), False)
    """
    return cholesky(a, lower), bool(lower)


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Tensor:
    """The solution of ``a @ x = b`` by what `cho_factor` made of a: two triangular systems.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.cho_solve(ft.scipy.linalg.cho_factor([[4.0, 2.0], [2.0, 5.0]]), [8.0, 8.0])
    Tensor([1.5, 1. ], dtype=float64)
    """
    c, lower = c_and_lower
    factor, right, (first, last) = square("cho_solve", lift(c)), lift(b), (0, 2) if lower else (2, 0)
    x = systems.columns("cho_solve", right, factor.sized[-1])
    for trans in (first, last):
        x = systems.triangular(factor, x, trans, bool(lower), False, "cho_solve")
    return of(x)[..., 0] if right.ndim == 1 else of(x)


def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, Tensor]:
    """Both triangular factors of a in one matrix, and the row that each row was exchanged with, for `lu_solve`.

    A loop over the columns, each of which goes over the whole matrix; real or complex, in loops, too. A singular matrix
    has a zero on the diagonal, without a warning. Derivatives hold the exchanges fixed; vjp stores a matrix a column.
    Raises ShapeError for what is no matrix, DtypeError for float16.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.lu_factor([[1.0, 2.0], [4.0, 4.0]])
    (Tensor([[4.  , 4.  ],
            [0.25, 1.  ]], dtype=float64), Tensor([1, 1], dtype=int64))
    """
    return elimination.eliminated(a, "lu_factor")


def lu_solve(
    lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Tensor:  # fmt: skip
    """The solution of ``a @ x = b`` by what `lu_factor` made of a: two triangular systems.

    With trans 1 of ``a.T @ x = b``, with 2 of ``a.conj().T @ x = b``. Raises LinAlgError for a singular matrix, when it
    is run, where SciPy returns infinities; ShapeError for a b of another number of rows.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.lu_solve(ft.scipy.linalg.lu_factor([[1.0, 2.0], [4.0, 4.0]]), [3.0, 8.0])
    Tensor([1., 1.], dtype=float64)
    """
    factors, pivots = lu_and_piv
    return elimination.solution(factors, pivots, b, trans)


def lu(
    a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False
) -> tuple[Tensor, ...]:  # fmt: skip
    """Factors p, l and u with ``a = p @ l @ u``, by exchanges of rows, as `lu_factor`.

    With permute_l p @ l and u; with p_indices p is row numbers, ``a = (l @ u)[p]``.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.lu([[1.0, 2.0], [4.0, 4.0]], permute_l=True)[0]
    Tensor([[0.25, 1.  ],
            [1.  , 0.  ]], dtype=float64)
    """
    rows, lower, upper = elimination.factors(a, "lu")
    if permute_l:
        return fnp.take_along_axis(lower, fnp.broadcast_to(rows[..., None], lower.shape), axis=-2), upper
    if p_indices:
        return rows, lower, upper
    p = fnp.where(rows[..., None] == np.arange(lower.shape[-2]), 1.0, 0.0)
    return p.astype(fnp.real(lower).dtype), lower, upper


def solve_banded(
    l_and_u: Any, ab: Any, b: Any, overwrite_ab: bool = False, overwrite_b: bool = False, check_finite: bool = True
) -> Tensor:  # fmt: skip
    """The solution of ``a @ x = b``, a of l bands below and u above its diagonal: ``ab[u + i - j, j] == a[i, j]``.

    By elimination with exchanges of rows, as LAPACK: n l (l + u) operations in order, a batch in lanes. Raises
    LinAlgError where a matrix is singular, ShapeError where ab has not l + u + 1 rows.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.solve_banded((1, 1), [[0.0, 1.0, 1.0], [2.0, 2.0, 2.0], [1.0, 1.0, 0.0]], [3.0, 4.0, 3.0])
    Tensor([1., 1., 1.], dtype=float64)
    """
    given = tuple(l_and_u) if isinstance(l_and_u, (tuple, list)) else ()
    if len(given) != 2 or not all(isinstance(k, int) for k in given):
        raise ArgumentError(f"solve_banded: l_and_u is {l_and_u!r}{at_user_line()}; expected two integers")
    below, above = given
    bands, right = nodes_of(ab, b)
    return of(systems.banded(below, above, bands, right))


def solveh_banded(
    ab: Any, b: Any, overwrite_ab: bool = False, overwrite_b: bool = False, lower: bool = False,
    check_finite: bool = True,
) -> Tensor:  # fmt: skip
    """The solution of ``a @ x = b``, a positive definite, of which ab is the bands above, or below, the diagonal.

    ``ab[u + i - j, j] == a[i, j]`` for the u bands above, ``ab[i - j, j] == a[i, j]`` for those below. Of the diagonal
    the real parts are read. By Cholesky's factorization. Raises LinAlgError where a matrix is not positive definite.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.solveh_banded([[4.0, 4.0, 4.0], [1.0, 1.0, 0.0]], [5.0, 6.0, 5.0], lower=True)
    Tensor([1., 1., 1.], dtype=float64)
    """
    bands, right = nodes_of(ab, b)
    return of(systems.positive(bands, right, bool(lower)))


def expm(A: Any) -> Tensor:
    """The exponential of a matrix, by scaling and squaring; NaN where the norm is 6e12 and more.

    float32 is computed in float64. Derivatives are those of the program that it is, to rounding those of the function.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.expm([[0.0, 1.0], [0.0, 0.0]])
    Tensor([[1., 1.],
            [0., 1.]], dtype=float64)
    """
    return of(_expm(lift(A)))


def toeplitz(c: Any, r: Any = None) -> Tensor:
    """The matrix with first column c and first row r (c conjugated), alike along each diagonal; ``r[0]`` is not read.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.toeplitz([1.0, 2.0, 3.0], [0.0, 5.0])
    Tensor([[1., 5.],
            [2., 1.],
            [3., 2.]], dtype=float64)
    """
    column = fnp.ravel(c)
    row = fnp.conj(column) if r is None else fnp.ravel(r)
    values = fnp.concatenate([fnp.flip(column), row[1:]])
    n, m = column.shape[0], row.shape[0]
    i, j = np.indices((n, m))
    return fnp.take(values, n - 1 - i + j)


def block_diag(*arrs: Any) -> Tensor:
    """The matrix with the given ones along its diagonal and zeros beside them; a vector is a row.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.linalg.block_diag([[1.0, 2.0]], 3.0)
    Tensor([[1., 2., 0.],
            [0., 0., 3.]], dtype=float64)
    """
    blocks = [fnp.atleast_2d(x) for x in arrs or ([],)]
    for k, x in enumerate(blocks):
        if x.ndim != 2:
            raise ShapeError(f"block_diag: argument {k} has shape {x.shape}{at_user_line()}; expected a matrix")
    width = sum(x.shape[1] for x in blocks)
    rows, left = [], 0
    for x in blocks:
        rows.append(fnp.pad(x, ((0, 0), (left, width - left - x.shape[1]))))
        left += x.shape[1]
    return fnp.concatenate(rows)
