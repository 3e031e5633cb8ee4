"""Systems of equations of matrices with a structure: triangular, of bands."""

from __future__ import annotations

from typing import Any

from functrans.errors import ArgumentError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.banded import lower_bands, real_diagonal
from functrans.ops.enums import Ops
from functrans.ops.origin import mark
from functrans.ops.uop import UOp
from functrans.tensor.lift import broadcast_shape
from functrans.tensor.linalg import adjoint, lapack_dtype, square, transposed


def triangular(a: UOp, b: UOp, trans: Any, lower: bool, unit: bool, name: str = "solve_triangular") -> UOp:
    """X of op(a) x = b: a itself, transposed or the conjugate of that, by ``trans`` 0, 1, 2 or N, T, C."""
    a = square(name, a)
    ways = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}
    if not isinstance(trans, (int, str)) or trans not in ways:
        raise ArgumentError(f"{name}: trans is {trans!r}{at_user_line()}; expected 0, 1, 2, 'N', 'T' or 'C'")
    if ways[trans]:
        a, lower = (transposed(a), adjoint(a))[ways[trans] - 1], not lower
    return _system(name, Ops.TRIANGULAR, a, b, (lower, unit))


def banded(below: int, above: int, bands: UOp, b: UOp) -> UOp:
    """X of a x = b, of a so many bands below and above its diagonal."""
    if bands.ndim < 2 or bands.sized[-2] != below + above + 1 or below < 0 or above < 0:
        raise ShapeError(
            f"solve_banded: ab has shape {bands.shape}{at_user_line()}; expected (..., {below + above + 1}, n) for "
            f"{below} bands below the diagonal and {above} above it"
        )
    return _system("solve_banded", Ops.BANDED, bands, b, (below, above))


def positive(bands: UOp, b: UOp, lower: bool) -> UOp:
    """X of a x = b, a positive definite, of which one half of the bands is given."""
    if bands.ndim < 2 or bands.sized[-2] == 0:
        raise ShapeError(f"solveh_banded: ab has shape {bands.shape}{at_user_line()}; expected (..., bands, n)")
    own = real_diagonal(bands if lower else lower_bands(bands))
    return _system("solveh_banded", Ops.POSITIVE, own, b, (bands.sized[-2] - 1, 0))


def columns(name: str, b: UOp, n: int) -> UOp:
    """Right-hand sides of n rows as columns: a vector is one."""
    if b.ndim == 0 or b.sized[0 if b.ndim == 1 else -2] != n:
        raise ShapeError(
            f"{name}: b has shape {b.shape} for matrices of {n} rows{at_user_line()}; expected ({n},) or (..., {n}, k)"
        )
    return B.reshape(b, (n, 1)) if b.ndim == 1 else b


def _system(name: str, op: Ops, a: UOp, b: UOp, arg: Any) -> UOp:
    n = a.sized[-1]
    dtype = lapack_dtype(name, a.dtype, b.dtype)
    a, right = B.cast(a, dtype), columns(name, B.cast(b, dtype), n)
    lead = broadcast_shape([a.sized[:-2], right.sized[:-2]], f"{name}: a of {a.shape} and b of {b.shape}")
    given = B.broadcast(a, (*lead, *a.sized[-2:])), B.broadcast(right, (*lead, n, right.sized[-1]))
    x = UOp(op, dtype, given, arg)
    mark(x)
    return B.reshape(x, (*lead, n)) if b.ndim == 1 else x
