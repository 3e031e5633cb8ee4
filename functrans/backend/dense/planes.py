"""Complex matrices of a lane as planes of real and of imaginary parts, which routines eliminate."""

from __future__ import annotations

import numpy as np

from functrans import dtypes
from functrans.backend.dense.reflections import part, total
from functrans.backend.dense.routines import made
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.linalg import turned
from functrans.ops.routines import Kind, Routine
from functrans.ops.uop import UOp


def solution(node: UOp) -> tuple[UOp, UOp]:
    """SOLVE, and whether the matrix is singular."""
    a, b = node.src
    n, m = b.sized
    x, flag = made((planes(a), planes(b)), Routine(Kind.COMPLEX_SOLVE, n, m))
    return of_finite(a, joined(x)), flag


def solution_of_transposed(node: UOp) -> tuple[UOp, UOp]:
    """SOLVE of a large matrix, by the factors of its transpose, and whether the matrix is singular."""
    a, b = node.src
    n, m = b.sized
    re, im = (part(op, turned(a)) for op in (Ops.REAL, Ops.IMAG))
    lu, rows, flag = made((B.stack((re, im, im), 0),), Routine(Kind.COMPLEX_LU, n))
    (x,) = made((lu, rows, planes(b)), Routine(Kind.AFTER_COMPLEX_LU, n, m))
    whole = joined(x)
    return of_finite(a, B.where(B.broadcast(flag, whole.sized), B.like(whole, np.nan), whole)), flag


def factor(node: UOp) -> tuple[UOp, UOp]:
    """CHOLESKY, and whether the matrix is not positive definite."""
    lower, flag = made((planes(node.src[0]),), Routine(Kind.COMPLEX_CHOLESKY, node.sized[-1]))
    return joined(lower), flag


def determinant(node: UOp) -> tuple[UOp, None]:
    """DET: no part over- or underflows but where the whole does."""
    return joined(_determinant(node)[1]), None


def logarithm(node: UOp) -> tuple[UOp, None]:
    """SLOGDET: the sign of the determinant, or the logarithm of its size."""
    _, _, scaled, times, singular = _determinant(node)
    found = joined(scaled)
    size = part(Ops.ABS, found)
    if node.arg:
        log = B.add(B.alu(Ops.LOG, size), B.mul(times, B.like(times, 500 * np.log(2))))
        return B.where(singular, B.like(log, -np.inf), log), None
    sign = B.div(found, B.cast(size, found.dtype))
    return B.where(singular, B.like(sign, 0), sign), None


def _determinant(node: UOp) -> list[UOp]:
    return made((planes(node.src[0]),), Routine(Kind.COMPLEX_DET, node.src[0].sized[-1]))


def planes(x: UOp) -> UOp:
    """The real and the imaginary parts, one behind the other."""
    return B.stack((part(Ops.REAL, x), part(Ops.IMAG, x)), 0)


def joined(x: UOp) -> UOp:
    """The complex numbers of two planes."""
    shape = x.sized[1:]
    ends = [(0, d) for d in shape]
    return number(*(B.reshape(B.shrink(x, ((k, k + 1), *ends)), shape) for k in (0, 1)))


def number(re: UOp, im: UOp) -> UOp:
    """The complex numbers of two real ones each."""
    re, im = (B.cast(x, dtypes.complex128) for x in (re, im))
    return B.add(re, B.mul(im, B.like(im, 1j)))


def of_finite(a: UOp, x: UOp) -> UOp:
    """X, NaN where the matrix has NaN or infinity: of an infinite pivot's two parts the real matrix has one by one."""
    parts = (B.reshape(part(op, a), (a.size,)) for op in (Ops.REAL, Ops.IMAG))
    none = total(B.add(*(B.mul(x, B.like(x, 0)) for x in parts)))
    return B.where(B.broadcast(B.eq(none, B.like(none, 0)), x.sized), x, B.like(x, np.nan))
