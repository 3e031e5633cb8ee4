"""Triangular factors of whole matrices by LAPACK, kept for all that reads them, and systems that are triangular.

Factors by exchanges of rows lie as LAPACK has them, column by column: n lines of the packed triangles, and one with the
number of the row that each row was exchanged with. Nothing is transposed on the way from one step to the next.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans._lazy import scipy_linalg_blas, scipy_linalg_lapack

Array = np.ndarray[Any, Any]
BLOCK = 32
"""Rows up to which NumPy solves a batch of triangular systems at once; LAPACK's blocks are twice as wide."""


def _prefix(a: Array) -> str:
    """What LAPACK's functions of numbers of a dtype begin with."""
    return {"f": "s", "d": "d", "F": "c", "D": "z"}[a.dtype.char]


def lu(a: Array) -> Array:
    """The factors of square matrices."""
    *lead, n, _ = a.shape
    step = getattr(scipy_linalg_lapack, _prefix(a) + "getrf")
    found = np.empty((*lead, n + 1, n), a.dtype)
    for lane in np.ndindex(*lead):
        packed, rows, _ = step(a[lane])
        found[lane][:n], found[lane][n] = packed.T, rows
    return found


def _pivots(packed: Array) -> Array:
    return np.asarray(np.diagonal(packed[..., :-1, :], axis1=-2, axis2=-1))


def solved(packed: Array, b: Array, turned: bool) -> Array:
    """X of a x = b, or of a^T x = b, by the factors of a; np.linalg.LinAlgError where one of them is singular."""
    if (_pivots(packed) == 0).any():
        raise np.linalg.LinAlgError("singular matrix")
    n = packed.shape[-1]
    columns, inverse = (getattr(scipy_linalg_lapack, _prefix(packed) + name) for name in ("getrs", "getri"))

    def one(factors: Array, right: Array) -> Array:
        rows = factors[n].real.astype(np.int32)
        if _is_identity(right):  # half the operations; in blocks of columns, for which it asks for memory
            x, _ = inverse(factors[:n].T, rows, lwork=2 * BLOCK * n)
            return np.asarray(x.T if turned else x)
        x, _ = columns(factors[:n].T, rows, right, trans=int(turned))
        return np.asarray(x)

    return _each(one, packed, b)


def _is_identity(b: Array) -> bool:
    n, m = b.shape
    return n == m and bool((np.diagonal(b) == 1).all()) and np.count_nonzero(b) == n


def slogdet(packed: Array) -> tuple[Array, Array]:
    """The sign of the determinant and the logarithm of its size."""
    pivots = _pivots(packed)
    size = np.abs(pivots)
    signs = np.where(size == 0, 0, pivots / np.where(size == 0, 1, size))
    sign = np.asarray(_parity(packed) * np.prod(signs, -1), packed.dtype)
    return sign, np.asarray(np.sum(np.log(size), -1))


def det(packed: Array) -> Array:
    """The determinant, as NumPy from its logarithm: products of some pivots may overflow."""
    sign, size = slogdet(packed)
    return np.asarray(sign * np.exp(size), packed.dtype)


def _parity(packed: Array) -> Array:
    exchanged = packed[..., -1, :].real != np.arange(packed.shape[-1])
    return np.asarray(1 - 2 * (np.count_nonzero(exchanged, axis=-1) % 2))


def substituted(t: Array, b: Array, lower: bool, unit: bool) -> Array:
    """X of t x = b, t the lower or the upper triangle, as it lies; np.linalg.LinAlgError for a zero on the diagonal."""
    n = t.shape[-1]
    if not unit and (np.diagonal(t, axis1=-2, axis2=-1) == 0).any():
        raise np.linalg.LinAlgError("zero on the diagonal")
    if n <= BLOCK:
        t = np.tril(t) if lower else np.triu(t)
        if unit:
            t[..., range(n), range(n)] = 1
        return np.asarray(np.linalg.solve(t, b))
    step = getattr(scipy_linalg_blas, _prefix(t) + "trsm")

    def one(own: Array, right: Array) -> Array:
        # x^T t^T = b^T: rows of NumPy are columns of BLAS
        along = own.flags.f_contiguous
        given, low = (own, lower) if along else (own.T, not lower)
        return np.asarray(step(1.0, given, right.T, side=1, lower=low, trans_a=int(along), diag=int(unit))).T

    return _each(one, t, b)


def _each(step: Any, a: Array, b: Array) -> Array:
    """A step for each matrix and its right-hand sides; for all of these at once where they have one matrix."""
    if a.ndim == 2:
        columns = np.moveaxis(b, -2, 0)
        x = step(a, columns.reshape(len(columns), columns[:1].size)).reshape(columns.shape)
        return np.asarray(np.moveaxis(x, 0, -2))
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    given = [np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (a, b)]
    found = np.empty(given[1].shape, b.dtype)
    for lane in np.ndindex(*lead):
        found[lane] = step(*(g[lane] for g in given))
    return found
