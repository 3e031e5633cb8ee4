"""The pseudo-inverse, and least squares by it."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, LinAlgError, ShapeError, TracedValueError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor import reduce
from functrans.tensor.constants import evaluate, is_traced
from functrans.tensor.contract import matmul
from functrans.tensor.elementwise import call
from functrans.tensor.indexing import take
from functrans.tensor.lift import broadcast_shape, node_of
from functrans.tensor.linalg import lapack_dtype, matrices, matrix_rank


def pinv(a: UOp, cutoff: Any) -> UOp:
    """The pseudo-inverse; cutoff, one number or one for each matrix, is relative to the largest singular value."""
    a = matrices("pinv", a)
    node = node_of(cutoff)
    if node is not None and is_traced(node):
        raise TracedValueError(
            f"pinv: rcond (or rtol) is traced{at_user_line()}, and which singular values count as zero must be known; "
            "give numbers"
        )
    levels = np.asarray(cutoff if node is None else evaluate(node))
    lead = a.sized[:-2]
    if broadcast_shape([lead, levels.shape], "pinv: the matrices and rcond") != lead:
        raise ShapeError(
            f"pinv: rcond (or rtol) has shape {levels.shape} for matrices of shape {a.shape}{at_user_line()}; expected "
            f"one that broadcasts to {lead}"
        )
    if levels.dtype.kind not in "biuf":
        raise ArgumentError(f"pinv: rcond (or rtol) is {cutoff!r}{at_user_line()}; expected real numbers")
    if levels.ndim == 0:
        return B.pinv(a, float(levels))
    return _by_level(a, np.broadcast_to(levels, lead))


def _by_level(a: UOp, levels: np.ndarray[Any, Any]) -> UOp:
    """Pseudo-inverses by a level for each matrix: those of one level are computed together."""
    *lead, m, n = a.sized
    flat, given = B.reshape(a, (prod(lead), m, n)), levels.ravel()
    kinds = np.unique(given)
    if kinds.size < 2:
        return B.pinv(a, float(kinds[0]) if kinds.size else 0.0)
    groups = [np.flatnonzero(given == level) for level in kinds]
    parts = [B.pinv(take(flat, at, 0), float(level)) for at, level in zip(groups, kinds, strict=True)]
    back = np.argsort(np.concatenate(groups))
    return B.reshape(take(B.cat(tuple(parts), 0), back, 0), (*lead, n, m))


def lstsq(a: UOp, b: UOp, cutoff: Any) -> tuple[UOp, UOp, UOp, UOp]:
    """The shortest x with least |a x - b|, the squares of those lengths, the rank of a, its singular values."""
    if a.ndim != 2 or b.ndim not in (1, 2) or b.sized[0] != a.sized[0]:
        raise LinAlgError(
            f"lstsq: a has shape {a.shape} and b {b.shape}{at_user_line()}; expected (m, n) and (m,) or (m, k)"
        )
    dtype = lapack_dtype("lstsq", a.dtype, b.dtype)
    a, b = B.cast(a, dtype), B.cast(b, dtype)
    m, n = a.sized
    if cutoff is not None and not isinstance(cutoff, (int, float, np.integer, np.floating)):
        raise ArgumentError(f"lstsq: rcond is {cutoff!r}{at_user_line()}; expected a number")
    unit = float(np.finfo(dtype.numpy).eps)
    level = unit * max(m, n) if cutoff is None else cutoff if 0 < cutoff < 1 else unit / 2  # as LAPACK does
    columns = B.reshape(b, (m, 1)) if b.ndim == 1 else b
    x = matmul(pinv(a, level), columns)
    off = call(np.absolute, B.sub(columns, matmul(a, x)))
    squares = reduce.sum_(B.mul(off, off), 0)
    s = B.svd(a, 1)
    left = squares if m > n else B.shrink(squares, ((0, 0),))
    return (B.reshape(x, (n,)) if b.ndim == 1 else x), left, matrix_rank(a, None, level), s
