"""Tangents of the matrix ops. Each is again made of solves and products, so higher derivatives follow.

Source: Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation (2008);
Murray, Differentiation of the Cholesky decomposition (2016).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.source import buffer
from functrans.ops.sparse_systems import Solving, spinverse, spsolve
from functrans.ops.uop import UOp
from functrans.tensor.contract import matmul
from functrans.tensor.create import below, diagonal, on_diagonal
from functrans.tensor.indexing import take
from functrans.tensor.meanings import component, imag_part, real_part
from functrans.tensor.reduce import sum_
from functrans.tensor.sparse_product import product_of_batch

Tangent = UOp | None


def solution(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SOLVE: a dx = db - da x."""
    (a, _), (ta, tb) = node.src, t
    change = None if ta is None else B.neg(matmul(ta, node))
    right = change if tb is None else tb if change is None else B.add(tb, change)
    return None if right is None else B.solve(a, right, node.arg)


def sparse_solution(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SPSOLVE: a dx = db - da x, with the same factors; these have no tangent of their own."""
    values, factored, _ = node.src
    s, (ta, _, tb) = node.arg.symbolic, t
    right = tb
    if ta is not None:
        places = (s.cols, s.rows) if node.arg.turned else (s.rows, s.cols)
        change = B.neg(product_of_batch(*places, ta, node))
        right = change if tb is None else B.add(tb, change)
    return None if right is None else spsolve(values, factored, right, node.arg)


def sparse_log_determinant(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SPSLOGDET: the sum of the entries of the transposed inverse times da; signs and counts are steps."""
    (values, factored), ta = node.src, t[0]
    if ta is None or node.arg.part != 1:
        return None
    return sum_(B.mul(spinverse(values, factored, node.arg.symbolic), ta), -1)


def sparse_inverse(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SPINVERSE: of the transposed -inv(a) da inv(a) the entries at the places of a; it takes all of the inverse."""
    (values, factored), ta, s = node.src, t[0], node.arg
    if ta is None:
        return None
    lead, solving = values.sized[:-1], Solving(s, False)
    identity = B.broadcast(buffer(np.eye(s.n)), (*lead, s.n, s.n))
    inverse = spsolve(values, factored, identity, solving)
    change = spsolve(values, factored, product_of_batch(s.rows, s.cols, ta, inverse), solving)
    places = s.cols.astype(np.int64) * s.n + s.rows
    return B.neg(take(B.reshape(change, (*lead, s.n * s.n)), places, -1))


def determinant(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """DET: the sum of cofactors times da (Jacobi), singular or not."""
    a, ta = node.src[0], t[0]
    return None if ta is None else trace(matmul(B.adjugate(a), ta))


def adjugate(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """ADJUGATE: between singular vectors, so where a is singular too; up to two rows it is linear."""
    a, ta = node.src[0], t[0]
    n = a.sized[-1]
    if ta is None or n < 2:
        return None
    if n == 2:
        return B.sub(_scaled_identity(trace(ta), n), ta)
    return B.adjugate_along(a, ta)


def adjugate_along(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """ADJUGATE_ALONG, node = (tr(c e) c - c e c) / det: linear in e, and of three rows in a as well.

    Of more rows, by the derivative of the quotient, it is NaN where a is singular.
    """
    (a, e), (ta, te) = node.src, t
    along = None if te is None else B.adjugate_along(a, te)
    n = a.sized[-1]
    if ta is None or n < 3:
        return along
    if n == 3:
        turned = B.adjugate_along(e, ta)
        return turned if along is None else B.add(along, turned)
    c, change = B.adjugate(a), B.adjugate_along(a, ta)
    ce, change_e = matmul(c, e), matmul(change, e)
    spread = B.add(B.mul(_spread(trace(change_e), n), c), B.mul(_spread(trace(ce), n), change))
    total = B.sub(spread, B.add(matmul(change_e, c), matmul(ce, change)))
    total = B.sub(total, B.mul(node, _spread(trace(matmul(c, ta)), n)))
    turned = B.div(total, _spread(B.det(a), n))
    return turned if along is None else B.add(along, turned)


def log_determinant(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SLOGDET: of its logarithm Re tr(inv(a) da); a sign turns only in the complex plane.

    By the inverse, not by a solution for da: all directions have the same, and its columns are those of the identity.
    """
    a, ta = node.src[0], t[0]
    if ta is None or (node.arg == 0 and a.dtype.kind != "c"):
        return None
    n = a.sized[-1]
    one = B.broadcast(B.cast(on_diagonal(n, n, 0), a.dtype), a.sized)
    rate = sum_(sum_(B.mul(transposed(B.solve(a, one)), ta), -1), -1)
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
    inner = adjoint(B.triangular(node, adjoint(B.triangular(node, hermitian(ta), True)), True))
    half = B.where(diag, B.mul(inner, B.like(inner, 0.5)), B.like(inner, 0))
    return matmul(node, B.add(B.where(lower, inner, B.like(inner, 0)), half))


def eigen(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """EIGH: the diagonal of v^H da v, and v times what is beside it, over the gaps between the eigenvalues."""
    a, ta = node.src[0], t[0]
    if ta is None:
        return None
    v = B.eigh(a, 1)
    inner = matmul(matmul(adjoint(v), hermitian(ta)), v)
    if node.arg == 0:
        return real_part(diagonal(inner, 0, inner.ndim - 2, inner.ndim - 1))
    w = B.eigh(a, 0)
    return matmul(v, _over(inner, B.sub(_columns(w), _rows(w))))


def singular(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SVD: of s the diagonal of u^H da v, of the vectors what is beside it, over the gaps between the squares.

    Source: Townsend, Differentiating the singular value decomposition (2016).
    """
    a, ta = node.src[0], t[0]
    if ta is None:
        return None
    u, s, vh = (B.svd(a, k) for k in range(3))
    v = adjoint(vh)
    inner = matmul(matmul(adjoint(u), ta), v)
    if node.arg == 1:
        return real_part(diagonal(inner, 0, inner.ndim - 2, inner.ndim - 1))
    gaps = B.mul(B.add(_columns(s), _rows(s)), B.sub(_columns(s), _rows(s)))
    if node.arg == 0:
        scaled = B.mul(inner, B.cast(_columns(s), inner.dtype))
        turn = B.add(_over(B.add(scaled, adjoint(scaled)), gaps), _phases(inner, s))
        return _outside(matmul(u, turn), matmul(ta, v), u, s)
    scaled = B.mul(inner, B.cast(_rows(s), inner.dtype))
    turn = _over(B.add(scaled, adjoint(scaled)), gaps)
    return adjoint(_outside(matmul(v, turn), matmul(adjoint(ta), u), v, s))


def orthogonal(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """QR: dq = q (w - m) + da inv(r), dr = q^H da - w r, m = q^H da inv(r), w antihermitian with the lower part of m.

    Of a wide matrix, by its first columns, which have to be independent.

    Source: Walter and Lehmann, Algorithmic differentiation of the QR decomposition (2010).
    """
    a, ta = node.src[0], t[0]
    if ta is None:
        return None
    q, r = B.qr(a, 0), B.qr(a, 1)
    k = q.sized[-1]
    first, change = (B.shrink(x, (*((0, d) for d in x.sized[:-1]), (0, k))) for x in (r, ta))
    image = transposed(B.triangular(transposed(first), transposed(change), True))
    inner = matmul(adjoint(q), image)
    lower = B.where(_everywhere(below(k, k, -1), inner), inner, B.like(inner, 0))
    turn = B.sub(lower, adjoint(lower))
    if inner.dtype.kind == "c":
        diag = _everywhere(on_diagonal(k, k, 0), inner)
        turn = B.add(turn, B.where(diag, B.sub(inner, _real(inner)), B.like(inner, 0)))
    if node.arg == 0:
        return B.add(matmul(q, B.sub(turn, inner)), image)
    rise = B.sub(matmul(adjoint(q), ta), matmul(turn, r))
    return B.where(_everywhere(below(k, r.sized[-1], -1), rise), B.like(rise, 0), rise)


def pseudo_inverse(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """PINV, p: -p da p + p p^H da^H (1 - a p) + (1 - p a) da^H p^H p, where the rank does not change.

    Source: Golub and Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems whose
    variables separate (1973).
    """
    a, ta = node.src[0], t[0]
    if ta is None:
        return None
    left = matmul(node, matmul(adjoint(node), adjoint(ta)))
    right = matmul(matmul(adjoint(ta), adjoint(node)), node)
    outside = B.sub(left, matmul(matmul(left, a), node))
    beside = B.sub(right, matmul(node, matmul(a, right)))
    return B.sub(B.add(outside, beside), matmul(matmul(node, ta), node))


def _outside(change: UOp, image: UOp, basis: UOp, s: UOp) -> UOp:
    """A change of basis vectors within their span, and what leaves the span where it is not everything."""
    if basis.sized[-2] == basis.sized[-1]:
        return change
    beside = B.sub(image, matmul(basis, matmul(adjoint(basis), image)))
    scale = B.broadcast(B.reshape(s, (*s.sized[:-1], 1, s.sized[-1])), beside.sized)
    return B.add(change, B.div(beside, B.cast(scale, beside.dtype)))


def _phases(inner: UOp, s: UOp) -> UOp:
    """The imaginary diagonal: complex singular vectors turn on the circle, all of it given to the left ones."""
    if inner.dtype.kind != "c":
        return B.like(inner, 0)
    n = inner.sized[-1]
    turn = B.mul(B.sub(inner, adjoint(inner)), B.like(inner, 0.5))
    diag = _everywhere(on_diagonal(n, n, 0), inner)
    return B.where(diag, B.div(turn, B.cast(_columns(s), inner.dtype)), B.like(inner, 0))


def _over(x: UOp, gaps: UOp) -> UOp:
    """X over gaps beside the diagonal, zero on it."""
    n = x.sized[-1]
    diag = _everywhere(on_diagonal(n, n, 0), x)
    return B.where(diag, B.like(x, 0), B.div(x, B.cast(B.where(diag, B.like(gaps, 1), gaps), x.dtype)))


def _columns(w: UOp) -> UOp:
    """The j-th number in the j-th column of a square."""
    n = w.sized[-1]
    return B.expand(B.reshape(w, (*w.sized[:-1], 1, n)), (*w.sized[:-1], n, n))


def _rows(w: UOp) -> UOp:
    """The i-th number in the i-th row of a square."""
    return transposed(_columns(w))


def hermitian(x: UOp) -> UOp:
    """The Hermitian matrix of a lower triangle."""
    n = x.sized[-1]
    strict = B.where(_everywhere(below(n, n, -1), x), x, B.like(x, 0))
    middle = B.where(_everywhere(on_diagonal(n, n, 0), x), _real(x), B.like(x, 0))
    return B.add(B.add(strict, adjoint(strict)), middle)


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
