"""Matrices too large to be written out, as ROUTINEs: functions with loops, lanes side by side.

A matrix of several solves and determinants, or of one and its transposed, is factored once for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from functrans.backend.dense.policy import is_by_two_diagonals
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.linalg import turned
from functrans.ops.loops import region, results
from functrans.ops.routines import Kind, Routine
from functrans.ops.uop import UOp

_OF_PIVOTS = frozenset({Ops.DET, Ops.SLOGDET})
FACTORED = _OF_PIVOTS | {Ops.SOLVE}


def base_of(a: UOp) -> tuple[UOp, bool]:
    """A matrix, and whether it is to be transposed."""
    whole = a.src[0] if len(a.src) == 1 and a.src[0].shape is not None and a.src[0].ndim == a.ndim else a
    return (whole, True) if whole is not a and a is turned(whole) else (a, False)


def sharing(order: Sequence[UOp]) -> frozenset[UOp]:
    """The ops of a graph that share a factorization with others, or are one that has eigenvectors."""
    uses = {u: base_of(u.src[0])[0] for u in order if u.op in FACTORED}
    count, known = Counter(uses.values()), set(order)
    eigen = (u for u in order if u.op is Ops.EIGH and B.eigh(u.src[0], 1) in known)
    singular = (u for u in order if u.op is Ops.SVD and sum(B.svd(u.src[0], k) in known for k in range(3)) > 1)
    return frozenset((*(u for u, a in uses.items() if count[a] > 1), *eigen, *singular))


def together(order: Sequence[UOp]) -> frozenset[UOp]:
    """Of these the ops of which routines do more than for one by itself: pivots are all that determinants read."""
    solved = {base_of(u.src[0])[0] for u in order if u.op is Ops.SOLVE}
    return frozenset(u for u in sharing(order) if u.op not in _OF_PIVOTS or base_of(u.src[0])[0] in solved)


def solution(node: UOp, transposed: bool, factored: bool) -> tuple[UOp, UOp]:
    """SOLVE of a lane, and whether the matrix is singular."""
    a, b = node.src
    n, m = b.sized
    if not factored:
        x, flag = made((a, b), Routine(Kind.SOLVE, n, m))
        return x, flag
    lu, rows, _, _, _, flag = made((a,), Routine(Kind.LU, n, n))
    (x,) = made((lu, rows, b), Routine(Kind.AFTER_LU, n, m, transposed=transposed))
    return B.where(B.broadcast(flag, b.sized), B.like(x, np.nan), x), flag


def determinant(node: UOp, factored: bool) -> tuple[UOp, None]:
    """DET of a lane, of factors that others read, or by its pivots alone."""
    n = node.src[0].sized[-1]
    return made((node.src[0],), Routine(Kind.LU, n, n if factored else 0))[4], None


def logarithm(node: UOp, factored: bool) -> tuple[UOp, None]:
    """SLOGDET of a lane: the sign, or the logarithm of the size."""
    n = node.src[0].sized[-1]
    _, _, pivots, sign, _, flag = made((node.src[0],), Routine(Kind.LU, n, n if factored else 0))
    if node.arg == 0:
        return sign, None
    total = B.reduce_axis(B.alu(Ops.LOG, B.alu(Ops.ABS, pivots)), Ops.ADD, (0,))
    return B.where(flag, B.like(total, -np.inf), total), None


def adjugate(node: UOp) -> tuple[UOp, None]:
    """ADJUGATE of a lane."""
    return made(node.src, Routine(Kind.ADJUGATE, node.sized[-1]))[0], None


def factor(node: UOp) -> tuple[UOp, UOp]:
    """CHOLESKY of a lane, and whether the matrix is not positive definite."""
    lower, flag = made(node.src, Routine(Kind.CHOLESKY, node.sized[-1]))
    return lower, flag


def substituted(node: UOp) -> tuple[UOp, UOp]:
    """TRIANGULAR of a lane, and whether the matrix is singular; a transposed one is read as it lies."""
    (matrix, turned), (lower, unit) = base_of(node.src[0]), node.arg
    n, m = node.src[1].sized
    routine = Routine(Kind.TRIANGULAR, n, m, lower != turned, turned, unit)
    x, flag = made((matrix, node.src[1]), routine)
    return x, flag


def orthogonal(node: UOp) -> tuple[UOp, None]:
    """QR of a lane: one of its factors."""
    n, m = node.src[0].sized
    upper, q = made(node.src, Routine(Kind.QR, n, m))
    return (q, upper)[node.arg], None


def eigen(node: UOp, vectors: bool) -> tuple[UOp, UOp | None]:
    """EIGH of a lane, and whether it does not converge or has NaN; without ``vectors`` where nobody reads them.

    As in NumPy, nothing is refused of one or two rows, and one row is its own value.
    """
    n = node.src[0].sized[-1]
    if n == 1:
        return B.like(node.src[0], 1) if node.arg else B.reshape(node.src[0], (1,)), None
    if not vectors:
        values, flag = made(node.src, Routine(Kind.EIGENVALUES, n))
        return values, flag if n > 2 else None
    *parts, flag = made(node.src, Routine(Kind.EIGEN, n))
    return parts[1 - node.arg], flag if n > 2 else None


def singular(node: UOp, vectors: bool) -> tuple[UOp, UOp]:
    """SVD of a lane: one of its factors, and whether it does not converge; without ``vectors`` if nobody reads them."""
    if not vectors and node.arg == 1 and is_by_two_diagonals(node):
        (n, m), a = node.src[0].sized, node.src[0]
        values, flag = made((a if n <= m else turned(a),), Routine(Kind.SINGULAR_VALUES, min(n, m), max(n, m)))
        return values, flag
    (u, s, vh), flag = _singular(node.src[0])
    return (u, s, vh)[node.arg], flag


def pseudo_inverse(node: UOp) -> tuple[UOp, UOp]:
    """PINV of a lane, by singular values."""
    (u, s, vh), flag = _singular(node.src[0])
    largest = B.broadcast(B.reshape(B.reduce_axis(s, Ops.MAX, (0,)), (1,)), s.sized)
    counts = B.lt(B.mul(largest, B.like(s, node.arg)), s)
    inverse = B.where(counts, B.recip(B.where(counts, s, B.like(s, 1))), B.like(s, 0))
    (n, m), k = node.sized, s.size
    scaled = B.mul(turned(vh), B.broadcast(B.reshape(inverse, (1, k)), (n, k)))
    terms = [B.broadcast(B.reshape(scaled, (n, 1, k)), (n, m, k)), B.broadcast(B.reshape(u, (1, m, k)), (n, m, k))]
    return B.reduce_axis(B.mul(*terms), Ops.ADD, (2,)), flag


def _singular(a: UOp) -> tuple[tuple[UOp, UOp, UOp], UOp]:
    n, m = a.sized
    wide = n <= m
    right, s, left, flag = made((a if wide else turned(a),), Routine(Kind.SVD, min(n, m), max(n, m)))
    return ((turned(left), s, right) if wide else (turned(right), s, left)), flag


def banded(node: UOp) -> tuple[UOp, UOp]:
    """BANDED and POSITIVE of a lane, and whether the matrix is refused."""
    n, m = node.src[1].sized
    kind = Kind.BANDED if node.op is Ops.BANDED else Kind.POSITIVE
    x, flag = made(node.src, Routine(kind, n, m, below=node.arg[0], above=node.arg[1]))
    return x, flag


def made(sources: Sequence[UOp], routine: Routine) -> list[UOp]:
    """The results of a routine."""
    return results(region(Ops.ROUTINE, sources, routine))
