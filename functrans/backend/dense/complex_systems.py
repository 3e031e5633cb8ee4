"""Complex systems in bodies of loops, as real ones of twice the size.

(R + iS)(x + iy) = b + ic is [R -S; S R] [x; y] = [b; c], which has the same condition; it takes twice the operations of
complex elimination.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_PARTS: dict[DType, DType] = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}


def real_system(node: UOp) -> UOp:
    """The system of real numbers, x above y."""
    a, b = ([_part(Ops.REAL, s), _part(Ops.IMAG, s)] for s in node.src)
    rows = B.cat((a[0], B.neg(a[1])), a[0].ndim - 1), B.cat((a[1], a[0]), a[0].ndim - 1)
    axis = a[0].ndim - 2
    return B.solve(B.cat(rows, axis), B.cat((b[0], b[1]), axis), node.arg)


def complex_solution(x: UOp, dtype: DType) -> UOp:
    """x + iy of x above y."""
    *lead, n, m = x.sized
    parts = [B.cast(B.shrink(x, (*((0, k) for k in lead), half, (0, m))), dtype) for half in ((0, n // 2), (n // 2, n))]
    return B.add(parts[0], B.mul(parts[1], B.like(parts[1], 1j)))


def _part(op: Ops, x: UOp) -> UOp:
    return UOp(op, _PARTS[x.dtype], (x,))
