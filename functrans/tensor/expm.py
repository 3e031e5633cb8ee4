"""The exponential of a matrix: a Padé approximant of a matrix that is halved until it is small, squared as often.

Source: Higham, The scaling and squaring method for the matrix exponential revisited (2005).
"""

from __future__ import annotations

import numpy as np

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, region
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.tensor.contract import matmul
from functrans.tensor.create import eye
from functrans.tensor.linalg import norm, square

SMALL = 5.371920351148152  # the norm up to which the approximant is exact to rounding
ROUNDS = 40  # squarings, at the most
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def expm(a: UOp) -> UOp:
    """The exponential of each matrix; NaN where its norm is 6e12 and more."""
    a = square("expm", a)
    if a.size == 0:
        return a
    lead, wide = a.sized[:-2], dtypes.complex128 if a.dtype.kind == "c" else dtypes.float64
    lanes = tuple(map(UOp.range, lead))
    x = B.cast(a.vmapin((*lanes, const(0), const(0))) if lanes else a, wide)
    found = B.cast(_of_lane(x), a.dtype)
    return found.vmapout((*lanes, const(0), const(0))) if lanes else found


def _of_lane(x: UOp) -> UOp:
    size = norm(x, 1, (-2, -1), False)
    size = UOp(Ops.DETACH, size.dtype, (size,))
    halvings = B.alu(Ops.CEIL, B.alu(Ops.LOG2, B.mul(size, B.like(size, 1 / SMALL))))
    halvings = B.where(B.lt(halvings, B.like(halvings, 0)), B.like(halvings, 0), halvings)
    scale = B.cast(B.alu(Ops.EXP2, B.neg(halvings)), x.dtype)
    found = _squared(_approximant(B.mul(x, B.broadcast(scale, x.sized))), halvings)
    inside = B.broadcast(B.lt(size, B.like(size, SMALL * 2.0**ROUNDS)), x.sized)
    return B.where(inside, found, B.like(found, np.nan))


def _approximant(x: UOp) -> UOp:
    """Of degree 13, with six products and one system of equations."""
    one = eye(x.sized[-1], dtype=x.dtype.numpy)
    second = matmul(x, x)
    fourth = matmul(second, second)
    sixth = matmul(fourth, second)

    def total(*terms: tuple[int, UOp]) -> UOp:
        each = [B.mul(p, B.like(p, _PADE[k])) for k, p in terms]
        return B.add(B.add(each[0], each[1]), each[2] if len(each) == 3 else B.add(each[2], each[3]))

    odd = B.add(
        matmul(sixth, total((13, sixth), (11, fourth), (9, second))),
        total((7, sixth), (5, fourth), (3, second), (1, one)),
    )
    even = B.add(
        matmul(sixth, total((12, sixth), (10, fourth), (8, second))),
        total((6, sixth), (4, fourth), (2, second), (0, one)),
    )
    odd = matmul(x, odd)
    return B.solve(B.sub(even, odd), B.add(even, odd))


def _squared(x: UOp, times: UOp) -> UOp:
    """A matrix squared so many times: rounds of a loop, of which those behind that do nothing."""
    same, once = (param(x.sized, x.dtype) for _ in range(2))
    choice = Switch((Function((same,), (same,)), Function((once,), (matmul(once, once),))))
    now, k, of = param(x.sized, x.dtype), param((), dtypes.int64), param((), times.dtype)
    taken = B.cast(B.lt(B.cast(k, of.dtype), of), dtypes.int64)
    body = Function((now, k, of), (UOp(Ops.RESULT, x.dtype, (region(Ops.SWITCH, (taken, now), choice),), 0),))
    loop = region(Ops.SCAN, (x, B.iota(ROUNDS), times), Scan(body, 1, 1, ROUNDS))
    return UOp(Ops.RESULT, x.dtype, (loop,), 0)
