"""The order of complex numbers: by their real, then by their imaginary parts, as NumPy has it."""

from __future__ import annotations

import math

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.meanings import imag_part, isnan, less, negate, real_part


def extreme_position(x: UOp, op: Ops) -> UOp:
    """Along the last axis the first position of the largest (MAX) or smallest (MIN) complex number, or of a NaN.

    Three reductions: over real parts, over the imaginary parts of those that attain it, over positions.
    """
    lost, re, im = isnan(x), real_part(x), imag_part(x)
    worst = -math.inf if op is Ops.MAX else math.inf
    first = B.eq(re, _repeated(_over(B.where(lost, B.like(re, worst), re), op), re))
    tie = B.alu(Ops.AND, first, negate(lost))
    among = B.where(tie, im, B.like(im, worst))
    hit = B.alu(Ops.AND, tie, B.eq(among, _repeated(_over(among, op), im)))
    hit = B.where(_repeated(_over(lost, Ops.OR), lost), lost, hit)
    n = x.sized[-1]
    line = B.broadcast(B.iota(n), x.sized)
    return _over(B.where(hit, line, B.full(x.sized, dtypes.int64, n)), Ops.MIN)


def extreme(x: UOp, op: Ops, axes: tuple[int, ...]) -> UOp:
    """The largest or smallest complex number over axes, which disappear; the first of equal ones, or of the NaN.

    Its derivative is that of the element at its position: equal elements do not share.
    """
    rest = tuple(i for i in range(x.ndim) if i not in axes)
    shape = tuple(x.sized[i] for i in rest)
    n = math.prod(x.sized[i] for i in axes)
    if x.size == 0:
        return B.full(shape, x.dtype, 0)
    lines = B.reshape(B.permute(x, (*rest, *axes)), (*shape, n))
    at = extreme_position(lines, op)
    rows = math.prod(shape)
    place = B.add(B.mul(B.reshape(B.iota(rows), shape), B.full(shape, dtypes.int64, n)), at)
    return B.gather(B.reshape(lines, (rows * n,)), B.inside(place, rows * n))


def before(a: UOp, b: UOp) -> UOp:
    """Whether a complex a is strictly before b in sorted order: numbers, then those with NaN in the imaginary part,
    in the real part, in both; each kind by the parts that are no NaN.
    """
    (p, r), (q, s) = (real_part(a), real_part(b)), (imag_part(a), imag_part(b))
    lost_p, lost_q, lost_r, lost_s = (isnan(part) for part in (p, q, r, s))

    def either(left: UOp, right: UOp) -> UOp:
        return B.alu(Ops.OR, left, right)

    def both(left: UOp, right: UOp) -> UOp:
        return B.alu(Ops.AND, left, right)

    later = both(lost_s, negate(lost_q))
    same = either(B.eq(p, r), both(lost_p, lost_r))
    tied = either(less(q, s), later)
    otherwise = B.where(same, tied, lost_r)
    return B.where(B.lt(p, r), either(negate(lost_q), lost_s), B.where(B.lt(r, p), later, otherwise))


def _over(x: UOp, op: Ops) -> UOp:
    return B.reduce_axis(x, op, (x.ndim - 1,))


def _repeated(y: UOp, x: UOp) -> UOp:
    return B.broadcast(B.reshape(y, (*y.sized, 1)), x.sized)
