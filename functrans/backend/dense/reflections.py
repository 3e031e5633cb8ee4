"""Unitary reductions of complex matrices, by loops over columns: what is left of a Hermitian matrix is tridiagonal and
real, of any other bidiagonal and real, or triangular. So what is iterative is left to routines of real numbers.

Reflections and their signs are LAPACK's, xLARFG.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 5.1, 5.4.8 and 8.3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.linalg import turned
from functrans.ops.loops import scanned
from functrans.ops.source import param
from functrans.ops.uop import UOp


def part(op: Ops, x: UOp) -> UOp:
    """The real or the imaginary part, or the absolute value."""
    return UOp(op, dtypes.real_of(x.dtype), (x,))


def conj(x: UOp) -> UOp:
    """The conjugate numbers."""
    return B.alu(Ops.CONJ, x) if x.dtype.kind == "c" else x


def total(x: UOp, axis: int = 0) -> UOp:
    """The sum along an axis."""
    return B.reduce_axis(x, Ops.ADD, (axis,))


def along(x: UOp, n: int) -> UOp:
    """A column for each of n columns."""
    return B.broadcast(B.reshape(x, (x.size, 1)), (x.size, n))


def down(x: UOp, m: int) -> UOp:
    """A row for each of m rows."""
    return B.broadcast(B.reshape(x, (1, x.size)), (m, x.size))


def reflected(a: UOp) -> tuple[UOp, list[UOp]]:
    """Of matrices that are no wider than high what reflections of the rows leave, triangular, and these."""
    m, n = a.sized
    left, *made = scanned(_triangular_step(m, n), (a,), (B.iota(n),), n)
    return left, made


def tridiagonal(a: UOp) -> tuple[UOp, list[UOp]]:
    """Of a Hermitian matrix the lower triangle of a real tridiagonal one, and the reflections."""
    n = a.sized[0]
    if n == 1:
        return part(Ops.REAL, a), []
    left, *made = scanned(_tridiagonal_step(n), (a,), (B.iota(n - 1),), n - 1)
    return _banded(part(Ops.REAL, left), 1), made


def bidiagonal(a: UOp) -> tuple[UOp, list[UOp], list[UOp]]:
    """Of a matrix no wider than high a real upper bidiagonal square, the reflections of rows and of columns."""
    m, n = a.sized
    left, *made = scanned(_bidiagonal_step(m, n), (a,), (B.iota(n),), n)
    square = part(Ops.REAL, B.shrink(left, ((0, n), (0, n))))
    return turned(_banded(turned(square), 1)), made[:2], made[2:]


def applied(reflections: Sequence[UOp], q: UOp) -> UOp:
    """The product of the reflections, the first one leftmost, times a matrix."""
    if not reflections:
        return q
    (count, m), (_, c) = reflections[0].sized, q.sized
    return scanned(_back_step(m, c), (q,), reflections, count, True)[0]


def _banded(a: UOp, below: int) -> UOp:
    """The diagonal and so many bands below it, zero elsewhere."""
    n = a.sized[0]
    off = B.sub(along(B.iota(n), n), down(B.iota(n), n))
    inside = B.alu(Ops.AND, B.lt(B.like(off, -1), off), B.lt(off, B.like(off, below + 1)))
    return B.where(inside, a, B.like(a, 0))


def _reflection(x: UOp, first: UOp) -> tuple[UOp, UOp]:
    """V and t of 1 - t v v^H, whose conjugate transpose makes of x one real number, at ``first``, and zeros behind."""
    places = B.iota(x.size)
    start = B.broadcast(first, places.sized)
    at, behind = B.eq(places, start), B.lt(start, places)
    zeros = B.like(x, 0)
    head = total(B.where(at, x, zeros))
    re, im = (part(op, x) for op in (Ops.REAL, Ops.IMAG))
    rest = total(B.where(behind, B.add(B.mul(re, re), B.mul(im, im)), B.like(re, 0)))
    re, im = (part(op, head) for op in (Ops.REAL, Ops.IMAG))
    zero, one = B.like(re, 0), B.like(head, 1)
    none = B.alu(Ops.AND, B.eq(rest, zero), B.eq(im, zero))
    size = B.alu(Ops.SQRT, B.add(B.add(B.mul(re, re), B.mul(im, im)), rest))
    end = B.cast(B.where(B.lt(re, zero), size, B.neg(size)), x.dtype)
    change = B.sub(end, head)
    scale = B.where(none, B.like(head, 0), B.div(change, B.where(none, one, end)))
    inverse = B.where(none, B.like(head, 0), B.div(B.like(head, -1), B.where(none, one, change)))
    return B.where(at, B.like(x, 1), B.where(behind, B.mul(x, B.broadcast(inverse, x.sized)), zeros)), scale


def _rows_turned(a: UOp, v: UOp, t: UOp) -> UOp:
    """(1 - t v v^H) a."""
    m, n = a.sized
    product = total(B.mul(along(conj(v), n), a), 0)
    return B.sub(a, B.mul(along(B.mul(v, B.broadcast(t, v.sized)), n), down(product, m)))


def _columns_turned(a: UOp, v: UOp, t: UOp) -> UOp:
    """A (1 - t v v^H)."""
    m, n = a.sized
    product = total(B.mul(a, down(v, m)), 1)
    return B.sub(a, B.mul(along(B.mul(product, B.broadcast(t, product.sized)), n), down(conj(v), m)))


def _next(k: UOp) -> UOp:
    return B.add(k, B.like(k, 1))


@cache
def _triangular_step(m: int, n: int) -> Function:
    a, k = param((m, n), dtypes.complex128), param((), dtypes.int64)
    v, t = _reflection(B.gather(turned(a), B.inside(k, n)), k)
    return Function((a, k), (_rows_turned(a, v, conj(t)), v, t))


@cache
def _tridiagonal_step(n: int) -> Function:
    a, k = param((n, n), dtypes.complex128), param((), dtypes.int64)
    v, t = _reflection(B.gather(turned(a), B.inside(k, n)), _next(k))
    return Function((a, k), (_columns_turned(_rows_turned(a, v, conj(t)), v, t), v, t))


@cache
def _bidiagonal_step(m: int, n: int) -> Function:
    a, k = param((m, n), dtypes.complex128), param((), dtypes.int64)
    v, t = _reflection(B.gather(turned(a), B.inside(k, n)), k)
    upper = _rows_turned(a, v, conj(t))
    w, s = _reflection(conj(B.gather(upper, B.inside(k, m))), _next(k))
    return Function((a, k), (_columns_turned(upper, w, s), v, t, w, s))


@cache
def _back_step(m: int, c: int) -> Function:
    q, v, t = param((m, c), dtypes.complex128), param((m,), dtypes.complex128), param((), dtypes.complex128)
    return Function((q, v, t), (_rows_turned(q, v, t),))
