"""Matrices too large to be written out, as ROUTINEs: functions with loops, lanes side by side.

A matrix of several solves and determinants, or of one and its transposed, is factored once for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.linalg import turned
from functrans.ops.loops import region, results
from functrans.ops.routines import Kind, Routine
from functrans.ops.uop import UOp

FACTORED = frozenset({Ops.SOLVE, Ops.DET, Ops.SLOGDET})


def base_of(a: UOp) -> tuple[UOp, bool]:
    """A matrix, and whether it is to be transposed."""
    whole = a.src[0] if len(a.src) == 1 and a.src[0].shape is not None and a.src[0].ndim == a.ndim else a
    return (whole, True) if whole is not a and a is turned(whole) else (a, False)


def shared(order: Sequence[UOp]) -> frozenset[UOp]:
    """The matrices of a graph that are factored for more than one purpose."""
    uses = [base_of(u.src[0])[0] for u in order if u.op in FACTORED]
    return frozenset(a for a, n in Counter(uses).items() if n > 1)


def solution(node: UOp, transposed: bool, factored: bool) -> tuple[UOp, UOp]:
    """SOLVE of a lane, and whether the matrix is singular."""
    a, b = node.src
    n, m = b.sized
    if not factored:
        x, flag = _made((a, b), Routine(Kind.SOLVE, n, m))
        return x, flag
    lu, rows, _, _, _, flag = _made((a,), Routine(Kind.LU, n))
    (x,) = _made((lu, rows, b), Routine(Kind.AFTER_LU, n, m, transposed=transposed))
    return B.where(B.broadcast(flag, b.sized), B.like(x, np.nan), x), flag


def determinant(node: UOp) -> tuple[UOp, None]:
    """DET of a lane."""
    return _made((node.src[0],), Routine(Kind.LU, node.src[0].sized[-1]))[4], None


def logarithm(node: UOp) -> tuple[UOp, None]:
    """SLOGDET of a lane: the sign, or the logarithm of the size."""
    _, _, pivots, sign, _, _ = _made((node.src[0],), Routine(Kind.LU, node.src[0].sized[-1]))
    if node.arg == 0:
        return sign, None
    return B.reduce_axis(B.alu(Ops.LOG, B.alu(Ops.ABS, pivots)), Ops.ADD, (0,)), None


def adjugate(node: UOp) -> tuple[UOp, None]:
    """ADJUGATE of a lane."""
    return _made(node.src, Routine(Kind.ADJUGATE, node.sized[-1]))[0], None


def factor(node: UOp) -> tuple[UOp, UOp]:
    """CHOLESKY of a lane, and whether the matrix is not positive definite."""
    lower, flag = _made(node.src, Routine(Kind.CHOLESKY, node.sized[-1]))
    return lower, flag


def substituted(node: UOp) -> tuple[UOp, UOp]:
    """TRIANGULAR of a lane, and whether the matrix is singular; a transposed one is read as it lies."""
    (matrix, turned), (lower, unit) = base_of(node.src[0]), node.arg
    n, m = node.src[1].sized
    routine = Routine(Kind.TRIANGULAR, n, m, lower != turned, turned, unit)
    x, flag = _made((matrix, node.src[1]), routine)
    return x, flag


def banded(node: UOp) -> tuple[UOp, UOp]:
    """BANDED and POSITIVE of a lane, and whether the matrix is refused."""
    n, m = node.src[1].sized
    kind = Kind.BANDED if node.op is Ops.BANDED else Kind.POSITIVE
    x, flag = _made(node.src, Routine(kind, n, m, below=node.arg[0], above=node.arg[1]))
    return x, flag


def _made(sources: Sequence[UOp], routine: Routine) -> list[UOp]:
    return results(region(Ops.ROUTINE, sources, routine))
