"""Tangents of the matrix ops. Each is again made of solves and products, so higher derivatives follow.

Source: Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation (2008);
Murray, Differentiation of the Cholesky decomposition (2016).
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.contract import matmul
from functrans.tensor.create import below, diagonal, on_diagonal
from functrans.tensor.meanings import component, imag_part, real_part
from functrans.tensor.reduce import sum_

Tangent = UOp | None


def solution(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SOLVE: a dx = db - da x."""
    (a, _), (ta, tb) = node.src, t
    change = None if ta is None else B.neg(matmul(ta, node))
    right = change if tb is None else tb if change is None else B.add(tb, change)
    return None if right is None else B.solve(a, right)


def determinant(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """DET: the sum of cofactors times da (Jacobi), singular or not."""
    a, ta = node.src[0], t[0]
    return None if ta is None else trace(matmul(B.adjugate(a), ta))


def adjugate(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """ADJUGATE: (tr(c da) c - c da c) / det, which is NaN where a is singular; exact up to two rows."""
    a, ta = node.src[0], t[0]
    n = a.sized[-1]
    if ta is None or n < 2:
        return None
    if n == 2:
        return B.sub(_scaled_identity(trace(ta), n), ta)
    inner = matmul(node, ta)
    total = B.sub(B.mul(_spread(trace(inner), n), node), matmul(inner, node))
    return B.div(total, _spread(B.det(a), n))


def log_determinant(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SLOGDET: of its logarithm Re tr(inv(a) da); a sign turns only in the complex plane."""
    a, ta = node.src[0], t[0]
    if ta is None or (node.arg == 0 and a.dtype.kind != "c"):
        return None
    rate = trace(B.solve(a, ta))
    if node.arg == 1:
        return real_part(rate)
    turn = B.cast(imag_part(rate), a.dtype)
    return B.mul(node, B.mul(turn, B.like(turn, 1j)))


def cholesky(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """CHOLESKY: l phi(inv(l) da inv(l)^H), phi the lower triangle with half the diagonal.

    Of da, as of a, the lower triangle counts.
    """
    ta = t[0]
    if ta is None:
        return None
    n = ta.sized[-1]
    lower, diag = (_everywhere(m, ta) for m in (below(n, n, -1), on_diagonal(n, n, 0)))
    strict = B.where(lower, ta, B.like(ta, 0))
    middle = B.where(diag, _real(ta), B.like(ta, 0))
    whole = B.add(B.add(strict, adjoint(strict)), middle)
    inner = adjoint(B.solve(node, adjoint(B.solve(node, whole))))
    half = B.where(diag, B.mul(inner, B.like(inner, 0.5)), B.like(inner, 0))
    return matmul(node, B.add(B.where(lower, inner, B.like(inner, 0)), half))


def transposed(x: UOp) -> UOp:
    """The last two axes exchanged."""
    return B.permute(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def adjoint(x: UOp) -> UOp:
    """The conjugate transpose."""
    y = transposed(x)
    return B.alu(Ops.CONJ, y) if y.dtype.kind == "c" else y


def trace(x: UOp) -> UOp:
    """The sum of the diagonals of matrices."""
    return sum_(diagonal(x, 0, x.ndim - 2, x.ndim - 1), -1)


def _real(x: UOp) -> UOp:
    return x if x.dtype.kind != "c" else B.cast(UOp(Ops.REAL, component(x.dtype), (x,)), x.dtype)


def _everywhere(mask: UOp, x: UOp) -> UOp:
    return B.broadcast(mask, x.sized)


def _spread(x: UOp, n: int) -> UOp:
    """A number for each matrix, at each of its elements."""
    return B.expand(B.reshape(x, (*x.sized, 1, 1)), (*x.sized, n, n))


def _scaled_identity(x: UOp, n: int) -> UOp:
    spread = _spread(x, n)
    return B.where(_everywhere(on_diagonal(n, n, 0), spread), spread, B.like(spread, 0))
