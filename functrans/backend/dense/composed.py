"""Ops on matrices that bodies of loops compute by others: those of complex numbers by real ones, and what the host
finds by singular values. Each is a function of one matrix, in float64 or complex128.

Triangular and banded systems and large Cholesky factors are those of real matrices of twice the size, where each number
R + iS is [R -S; S R], of the same condition: of a factor with a real diagonal this is triangular again. Eigenvalues and
singular values are those of what unitary reductions leave.
"""

from __future__ import annotations

import numpy as np

from functrans import dtypes
from functrans.backend.dense.planes import number, of_finite
from functrans.backend.dense.reflections import (
    along,
    applied,
    bidiagonal,
    conj,
    down,
    part,
    reflected,
    total,
    tridiagonal,
)
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.linalg import turned
from functrans.ops.origin import became
from functrans.ops.uop import UOp


def triangular(node: UOp) -> UOp:
    """TRIANGULAR: columns are turned until the diagonal is real, and so are the solutions after them."""
    t, b = node.src
    n, m = b.sized
    lower, unit = node.arg
    diag = _places(n, n, Ops.CMPEQ)
    if unit:
        ones = B.where(diag, B.like(t, 1), t)
        return _numbers(became(B.triangular(_twice(ones), _pairs(b), lower, True), node), m)
    diagonal = total(B.where(diag, t, B.like(t, 0)), 1)
    size = part(Ops.ABS, diagonal)
    none = B.eq(size, B.like(size, 0))
    one = B.like(diagonal, 1)
    phase = B.where(none, one, B.div(conj(diagonal), B.where(none, one, B.cast(size, diagonal.dtype))))
    real = B.where(diag, down(B.cast(size, t.dtype), n), B.mul(t, down(phase, n)))
    x = became(B.triangular(_twice(real), _pairs(b), lower, False), node)
    return B.mul(_numbers(x, m), along(phase, m))


def banded(node: UOp) -> UOp:
    """BANDED: for a column a zero and its parts in turn, and one with what is above these."""
    (bands, b), (below, above) = node.src, node.arg
    columns = B.pad(_pairs(bands), ((1, 0), (0, 0))), B.pad(_turned_pairs(bands), ((0, 1), (0, 0)))
    return of_finite(bands, _of_bands(node, columns, b, (2 * below + 1, 2 * above + 1)))


def positive(node: UOp) -> UOp:
    """POSITIVE, of the same form."""
    (bands, b), (below, above) = node.src, node.arg
    rows = 2 * bands.sized[0]
    minus = B.shrink(_turned_pairs(bands), ((1, rows), (0, bands.sized[1])))
    return _of_bands(node, (_pairs(bands), B.pad(minus, ((0, 1), (0, 0)))), b, (2 * below + 1, above))


def _of_bands(node: UOp, columns: tuple[UOp, UOp], b: UOp, arg: tuple[int, int]) -> UOp:
    (rows, n), m = columns[0].sized, b.sized[1]
    bands = B.reshape(B.stack(columns, 2), (rows, 2 * n))
    return _numbers(became(UOp(node.op, dtypes.float64, (bands, _pairs(b)), arg), node), m)


def _turned_pairs(x: UOp) -> UOp:
    """Rows of imaginary parts, negated, and of real parts in turn."""
    return B.reshape(B.stack((B.neg(part(Ops.IMAG, x)), part(Ops.REAL, x)), 1), (2 * x.sized[0], x.sized[1]))


def factor(node: UOp) -> UOp:
    """CHOLESKY, of twice the size: a factor with a real diagonal is triangular there, too."""
    n = node.sized[0]
    lower = became(UOp(node.op, dtypes.float64, (_twice(_hermitian(node.src[0])),)), node)
    every = B.reshape(B.shrink(B.reshape(lower, (n, 2, n, 2)), ((0, n), (0, 2), (0, n), (0, 1))), (2 * n, n))
    return _real_diagonal(_numbers(every, n))


def orthogonal(node: UOp) -> UOp:
    """QR: of a wide matrix q is that of its first columns."""
    a, level = _leveled(node.src[0])
    m, n = a.sized
    k = min(m, n)
    left, reflections = reflected(B.shrink(a, ((0, m), (0, k))))
    q = applied(reflections, B.cast(_places(m, k, Ops.CMPEQ), dtypes.complex128))
    if node.arg == 0:
        return q
    rest = B.shrink(a, ((0, m), (k, n)))
    square = _real_diagonal(B.shrink(left, ((0, k), (0, k))))
    upper = B.where(_places(k, k, Ops.CMPLE), square, B.like(square, 0))
    r = upper if n == k else B.cat((upper, _product(_adjoint(q), rest)), 1)
    return B.mul(r, B.cast(B.broadcast(level, r.sized), r.dtype))


def eigen(node: UOp) -> UOp:
    """EIGH, of the real tridiagonal matrix that reflections leave."""
    a, level = _leveled(_hermitian(node.src[0]))
    real, reflections = tridiagonal(a)
    found = became(B.eigh(real, node.arg), node)
    return applied(reflections, B.cast(found, a.dtype)) if node.arg else B.mul(found, B.broadcast(level, found.sized))


def singular(node: UOp) -> UOp:
    """SVD: one of the factors."""
    a = node.src[0]
    return _factors(a, node)[node.arg]


def _factors(a: UOp, node: UOp) -> tuple[UOp, UOp, UOp]:
    """The factors u, s and vh of a complex matrix."""
    m, n = a.sized
    if m < n:
        u, s, vh = _factors(_adjoint(a), node)
        return _adjoint(vh), s, _adjoint(u)
    a, level = _leveled(a)
    real, rows, columns = bidiagonal(a)
    u, s, vh = (became(B.svd(real, k), node) for k in range(3))
    left = applied(rows, B.pad(B.cast(u, a.dtype), ((0, m - n), (0, 0))))
    right = applied(columns, B.cast(turned(vh), a.dtype))
    return left, B.mul(s, B.broadcast(level, s.sized)), _adjoint(right)


def pseudo_inverse(node: UOp) -> UOp:
    """PINV, by singular values."""
    u, s, vh = _factors(node.src[0], node)
    largest = B.broadcast(B.reduce_axis(s, Ops.MAX, (0,)), s.sized)
    counts = B.lt(B.mul(largest, B.like(s, node.arg)), s)
    inverse = B.where(counts, B.recip(B.where(counts, s, B.like(s, 1))), B.like(s, 0))
    return _product(B.mul(_adjoint(vh), down(B.cast(inverse, u.dtype), vh.sized[1])), _adjoint(u))


def adjugate(node: UOp) -> UOp:
    """ADJUGATE, between singular vectors."""
    a = node.src[0]
    if a.sized[0] < 2:
        return B.like(a, 1)
    u, s, vh = _parts(a, node)
    n = s.size
    products = B.cast(_multiplied(B.where(_places(n, n, Ops.CMPEQ), B.like(down(s, n), 1), down(s, n))), a.dtype)
    scaled = B.mul(products, B.broadcast(_turn(u, vh), products.sized))
    return _product(B.mul(_adjoint(vh), down(scaled, n)), _adjoint(u))


def adjugate_along(node: UOp) -> UOp:
    """ADJUGATE_ALONG between singular vectors, by products of all values but two, as `functrans.ops.linalg` has it."""
    a, e = node.src
    n = a.sized[0]
    if n < 2:
        return B.like(a, 0)
    u, s, vh = _parts(a, node)
    inner = _product(_product(_adjoint(u), e), _adjoint(vh))
    diag = _places(n, n, Ops.CMPEQ)
    one, other = (B.broadcast(B.reshape(diag, shape), (n, n, n)) for shape in ((n, 1, n), (1, n, n)))
    values = B.broadcast(B.reshape(s, (1, 1, n)), (n, n, n))
    products = B.cast(_multiplied(B.where(B.alu(Ops.OR, one, other), B.like(values, 1), values)), a.dtype)
    products = B.where(diag, B.like(products, 0), products)
    sums = total(B.mul(products, down(total(B.where(diag, inner, B.like(inner, 0)), 1), n)), 1)
    change = B.where(diag, along(sums, n), B.neg(B.mul(inner, products)))
    change = B.mul(change, B.broadcast(_turn(u, vh), change.sized))
    return _product(_product(_adjoint(vh), change), _adjoint(u))


def _parts(a: UOp, node: UOp) -> tuple[UOp, UOp, UOp]:
    """The factors u, s and vh."""
    if a.dtype.kind == "c":
        return _factors(a, node)
    u, s, vh = (became(B.svd(a, k), node) for k in range(3))
    return u, s, vh


def _turn(u: UOp, vh: UOp) -> UOp:
    """The product of the determinants of two unitary matrices."""
    return B.mul(*(B.det(x) for x in (u, vh)))


def _multiplied(x: UOp) -> UOp:
    """The products along the last axis."""
    return B.reduce_axis(x, Ops.MUL, (x.ndim - 1,))


def _places(m: int, n: int, compared: Ops) -> UOp:
    """Where the number of the row compares so with that of the column."""
    return B.alu(compared, along(B.iota(m), n), down(B.iota(n), m))


def _adjoint(a: UOp) -> UOp:
    return conj(turned(a))


def _product(a: UOp, b: UOp) -> UOp:
    """The product of two matrices."""
    (m, k), n = a.sized, b.sized[1]
    left, right = B.reshape(a, (m, 1, k)), B.reshape(turned(b), (1, n, k))
    return total(B.mul(B.broadcast(left, (m, n, k)), B.broadcast(right, (m, n, k))), 2)


def _hermitian(a: UOp) -> UOp:
    """The Hermitian matrix of a lower triangle."""
    n = a.sized[0]
    below = B.where(_places(n, n, Ops.CMPLT), _adjoint(a), a)
    return _real_diagonal(below)


def _real_diagonal(a: UOp) -> UOp:
    return B.where(_places(a.sized[0], a.sized[1], Ops.CMPEQ), B.cast(part(Ops.REAL, a), a.dtype), a)


def _twice(a: UOp) -> UOp:
    """The real matrix of twice the size: [R -S; S R] for each number R + iS."""
    (m, n), re, im = a.sized, part(Ops.REAL, a), part(Ops.IMAG, a)
    rows = B.stack((re, B.neg(im)), 2), B.stack((im, re), 2)
    return B.reshape(B.stack(rows, 1), (2 * m, 2 * n))


def _pairs(b: UOp) -> UOp:
    """Rows of real and of imaginary parts in turn."""
    return B.reshape(B.stack((part(Ops.REAL, b), part(Ops.IMAG, b)), 1), (2 * b.sized[0], b.sized[1]))


def _numbers(x: UOp, m: int) -> UOp:
    """The complex numbers of rows in turn."""
    n = x.sized[0] // 2
    halves = B.reshape(x, (n, 2, m))
    re, im = (B.reshape(B.shrink(halves, ((0, n), (k, k + 1), (0, m))), (n, m)) for k in (0, 1))
    return number(re, im)


def _leveled(a: UOp) -> tuple[UOp, UOp]:
    """A matrix over its largest number, where squares would be far from one, and that number; else over one."""
    flat = B.reshape(a, (a.size,))
    sizes = [B.alu(Ops.ABS, part(op, flat)) for op in (Ops.REAL, Ops.IMAG)]
    most = B.reduce_axis(B.alu(Ops.MAX, *sizes), Ops.MAX, (0,))
    limits = [B.like(most, x) for x in (2.0**-50, 2.0**50, 0.0, np.inf)]
    far = B.alu(Ops.OR, B.lt(most, limits[0]), B.lt(limits[1], most))
    far = B.alu(Ops.AND, far, B.alu(Ops.AND, B.lt(limits[2], most), B.lt(most, limits[3])))
    level = B.where(far, most, B.like(most, 1))
    return number(*(B.div(part(op, a), B.broadcast(level, a.sized)) for op in (Ops.REAL, Ops.IMAG))), level
