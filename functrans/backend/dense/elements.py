"""Matrices as lists of rows of elements, each a number of a lane."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import Shape, UOp

Rows = list[list[UOp]]


def elements(x: UOp) -> Rows:
    """The elements of a matrix."""
    m, n = x.sized
    return [[B.reshape(B.shrink(x, ((i, i + 1), (j, j + 1))), ()) for j in range(n)] for i in range(m)]


def joined(rows: Sequence[Sequence[UOp]], shape: Shape) -> UOp:
    """The matrix of some elements."""
    return B.reshape(B.stack(tuple(x for row in rows for x in row)), shape)


def larger(a: UOp, b: UOp) -> UOp:
    """Whether a > b."""
    return B.lt(b, a)


def size_of(x: UOp) -> UOp:
    """The absolute value."""
    return B.alu(Ops.ABS, x)


def both(a: UOp, b: UOp) -> UOp:
    """Whether two conditions hold."""
    return B.alu(Ops.AND, a, b)


def either(a: UOp, b: UOp) -> UOp:
    """Whether one of two conditions holds."""
    return B.alu(Ops.OR, a, b)


def no(a: UOp) -> UOp:
    """Whether a condition does not hold."""
    return B.alu(Ops.NOT, a)


def less(x: UOp, a: UOp, b: UOp) -> UOp:
    """X - a b, the product rounded: of multiples, what is left of a row is zero, and not what rounding lost."""
    return without(x, (a,), (b,))


def without(x: UOp, left: Sequence[UOp], right: Sequence[UOp]) -> UOp:
    """X less the sum of products of two lists, each product rounded, summed before it is subtracted as LAPACK does:
    so of small matrices of integers the same ones are singular.
    """
    products = [UOp(Ops.DETACH, x.dtype, (B.mul(a, b),)) for a, b in zip(left, right, strict=True)]
    return B.sub(x, reduce(B.add, products)) if products else x
