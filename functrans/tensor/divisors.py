"""The greatest common divisor and the least common multiple of integers: loops of a number of rounds of their own."""

from __future__ import annotations

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import late
from functrans.tensor.core import Tensor


def gcd(a: UOp, b: UOp) -> UOp:
    """The greatest common divisor, without a sign; that of 0 and x is x."""
    return B.cast(_euclid(_magnitude(a), _magnitude(b)), a.dtype)


def lcm(a: UOp, b: UOp) -> UOp:
    """The least common multiple, without a sign; 0 where one of both is 0."""
    x, y = _magnitude(a), _magnitude(b)
    common = _euclid(x, y)
    nothing = B.eq(common, B.like(common, 0))
    parts = B.alu(Ops.FLOORDIV, x, B.where(nothing, B.like(common, 1), common))
    return B.cast(B.mul(parts, y), a.dtype)


def _magnitude(x: UOp) -> UOp:
    """|x| in unsigned integers, which hold that of the least integer too."""
    if x.dtype.kind == "u":
        return x
    y = B.cast(x, dtypes.from_numpy(f"u{x.dtype.itemsize}"))
    return B.where(B.lt(x, B.like(x, 0)), B.sub(B.like(y, 0), y), y)


def _euclid(a: UOp, b: UOp) -> UOp:
    """Euclid's algorithm, for each element as many rounds as it takes."""
    if not a.size:
        return a
    found: Tensor = late.vmap.vmap(_rounds)(*(Tensor.from_uop(B.reshape(x, (x.size,))) for x in (a, b)))
    return B.reshape(found.uop, a.sized)


def _rounds(a: Tensor, b: Tensor) -> Tensor:
    found: Tensor
    found, _ = late.loops.while_loop(lambda c: c[1] != 0, lambda c: (c[1], c[0] % c[1]), (a, b))
    return found
