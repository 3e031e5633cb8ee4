"""One sparse system by SuperLU, which chooses its pivots by size: where those of the pattern are too small."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans._lazy import scipy_sparse, scipy_sparse_linalg
from functrans.ops.sparse_pattern import Symbolic, parity

Array = np.ndarray[Any, Any]
_COLUMNS = 128  # of an inverse that are in memory at a time


def one_solution(symbolic: Symbolic, values: Array, b: Array, turned: bool) -> Array | None:
    """The solution by SuperLU, which chooses pivots by size; None of a singular matrix, NaN of one that holds NaN.

    b has shape (n, k). Refined until each row of the residual is as small as rounding lets it be, or no longer shrinks.
    """
    finite = np.isfinite(b).all(0)
    if not np.isfinite(values).all() or not finite.any():
        return np.full_like(b, np.nan)
    if symbolic.n == 0:
        return b.copy()
    places = (symbolic.cols, symbolic.rows) if turned else (symbolic.rows, symbolic.cols)
    a = scipy_sparse.csc_array((values, places), shape=(symbolic.n, symbolic.n))
    try:
        lu = scipy_sparse_linalg.splu(a)
    except RuntimeError:  # exactly singular
        return None
    x = np.full_like(b, np.nan)
    right = b[:, finite]
    with np.errstate(all="ignore"):
        best = lu.solve(right)
        error = backward_error(a, best, right)
        for _ in range(3):
            if not (error > TOLERANCE).any():
                break
            better = best + lu.solve(right - a @ best)
            found = backward_error(a, better, right)
            take = found < error
            best, error = np.where(take, better, best), np.where(take, found, error)
    if not (error <= LARGEST).all():
        return None
    x[:, finite] = best
    return x


TOLERANCE = 1e-14
"""The componentwise backward error up to which a solution counts as exact."""
LARGEST = 1e-10
"""That of a solution by SuperLU beyond which the matrix counts as singular."""


def backward_error(a: Any, x: Array, b: Array) -> Array:
    """Of each column the largest row of abs(b - A x) over abs(A) abs(x) + abs(b).

    Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), section 7.2.
    """
    size = abs(a) @ abs(x) + abs(b)
    left = abs(b - a @ x)
    return np.asarray(np.max(np.divide(left, size, out=np.zeros_like(left), where=left != 0), 0))


def one_logarithm(symbolic: Symbolic, values: Array) -> tuple[float, float]:
    """Sign and logarithm of the size of the determinant, by SuperLU."""
    if not np.isfinite(values).all():
        return np.nan, np.nan
    if symbolic.n == 0:
        return 1.0, 0.0
    a = scipy_sparse.csc_array((values, (symbolic.rows, symbolic.cols)), shape=(symbolic.n, symbolic.n))
    try:
        lu = scipy_sparse_linalg.splu(a)
    except RuntimeError:  # exactly singular
        return 0.0, -np.inf
    pivots = lu.U.diagonal()
    turn = parity(lu.perm_r) * parity(lu.perm_c)
    return float(turn * np.prod(np.sign(pivots))), float(np.log(np.abs(pivots)).sum())


def one_inverse(symbolic: Symbolic, values: Array) -> Array | None:
    """Of the transposed inverse the entries at the places of the matrix; None of a singular matrix."""
    found, n = np.empty(symbolic.nnz), symbolic.n
    for first in range(0, n, _COLUMNS):
        columns = np.eye(n, min(_COLUMNS, n - first), -first)
        x = one_solution(symbolic, values, columns, False)
        if x is None:
            return None
        at = np.flatnonzero((symbolic.rows >= first) & (symbolic.rows < first + _COLUMNS))
        found[at] = x[symbolic.cols[at], symbolic.rows[at] - first]
    return found
