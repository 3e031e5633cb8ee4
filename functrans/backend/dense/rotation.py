"""Eigenvalues and eigenvectors of symmetric matrices of two rows, written out: one rotation makes them diagonal.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), section 8.5.2.
"""

from __future__ import annotations

from functrans.backend.dense.elements import elements, joined, larger, size_of
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

STATEMENTS = 50  # with values and vectors
FAR, UNIT = 2.0**300, 2.0**600  # of numbers whose squares are far from one, and by what they are scaled


def eigen(node: UOp) -> tuple[UOp, None]:
    """EIGH: the eigenvalues in ascending order, or the vectors; NaN of a matrix that has NaN or infinity."""
    (a, _), (b, c) = elements(node.src[0])
    one, zero = B.like(a, 1), B.like(a, 0)
    most = _larger(size_of(a), _larger(size_of(b), size_of(c)))
    up, down = larger(B.like(a, 1 / FAR), most), larger(most, B.like(a, FAR))
    scale = B.where(down, B.like(a, 1 / UNIT), B.where(up, B.like(a, UNIT), one))
    a, b, c = (B.mul(x, scale) for x in (a, b, c))
    twice, apart = B.add(b, b), B.sub(c, a)
    under = B.add(size_of(apart), B.alu(Ops.SQRT, B.add(B.mul(apart, apart), B.mul(twice, twice))))
    turned = larger(zero, apart)  # the first diagonal element is the larger one
    ratio = B.mul(twice, B.recip(B.where(B.eq(under, zero), one, under)))
    strange = B.mul(B.add(apart, b), zero)  # zero, or NaN; of the difference of two infinities, too
    tangent = B.add(B.where(turned, B.neg(ratio), ratio), strange)
    if node.arg == 0:
        change = B.mul(tangent, b)
        first, second = B.sub(a, change), B.add(c, change)
        back = B.recip(scale)
        pair = (B.where(turned, second, first), B.where(turned, first, second))
        return joined([[B.mul(x, back) for x in pair]], node.sized), None
    cosine = B.recip(B.alu(Ops.SQRT, B.add(one, B.mul(tangent, tangent))))
    sine = B.mul(tangent, cosine)
    rows = [[B.where(turned, sine, cosine), B.where(turned, cosine, sine)],
            [B.where(turned, cosine, B.neg(sine)), B.where(turned, B.neg(sine), cosine)]]  # fmt: skip
    return joined(rows, node.sized), None


def _larger(a: UOp, b: UOp) -> UOp:
    return B.where(larger(a, b), a, b)
