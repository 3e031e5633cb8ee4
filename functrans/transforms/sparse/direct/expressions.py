"""Coefficients as scalar expressions, folded as they are made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp, toposort


def add(a: UOp, b: UOp) -> UOp:
    """The sum of two coefficients; multiples of one are a multiple of it, numbers one number, rounded less often."""
    (j, x), (k, y) = multiple(a), multiple(b)
    if x is y and x.dtype.kind == "f" and x.op is not Ops.CONST and j + k:
        return x if j + k == 1 else B.mul(UOp.const(x.dtype, j + k), x)
    (m, p), (n, q) = _number(a), _number(b)
    if not m and not n:
        return _sum(a, b)
    rest = q if p is None else p if q is None else _sum(p, q)
    total = UOp.const(a.dtype, m + n)
    return total if rest is None else rest if not total.arg else _sum(total, rest)


def _sum(a: UOp, b: UOp) -> UOp:
    return B.sub(a, b.src[0]) if b.op is Ops.NEG else B.sub(b, a.src[0]) if a.op is Ops.NEG else B.add(a, b)


def _number(c: UOp) -> tuple[float, UOp | None]:
    """A coefficient as a number and what is added to it."""
    if c.op is Ops.CONST:
        return c.arg, None
    if c.op in (Ops.ADD, Ops.SUB) and c.src[0].op is Ops.CONST and c.dtype.kind == "f":
        return c.src[0].arg, B.neg(c.src[1]) if c.op is Ops.SUB else c.src[1]
    if c.op is Ops.NEG:
        k, x = _number(c.src[0])
        return -k, None if x is None else x.src[0] if x.op is Ops.NEG else B.neg(x)
    return 0, c


def multiple(c: UOp) -> tuple[float, UOp]:
    """A coefficient as a number times what else it is."""
    if c.op is Ops.NEG:
        k, x = multiple(c.src[0])
        return -k, x
    if c.op is Ops.MUL and c.src[0].op is Ops.CONST:
        return c.src[0].arg, c.src[1]
    return 1, c


def times(c: UOp, factor: UOp) -> UOp | None:
    """The product of a coefficient and a factor; None where that is zero whatever the arguments are."""
    if factor.op is Ops.CONST:
        if factor.arg == 0:
            return None
        if c.op is Ops.CONST:
            return UOp.const(c.dtype, c.arg * factor.arg)
        if c.op is Ops.MUL and c.src[0].op is Ops.CONST:
            return B.mul(UOp.const(c.dtype, c.src[0].arg * factor.arg), c.src[1])
    elif factor.op is Ops.NEG:
        product = times(c, factor.src[0])
        return None if product is None else B.neg(product)
    elif c.op is Ops.NEG:
        return B.neg(B.mul(c.src[0], factor))
    return B.mul(c, factor) if c.op is Ops.CONST else B.mul(factor, c)


def quotient(c: UOp, divisor: UOp) -> UOp:
    """A coefficient by a divisor."""
    if divisor.op is Ops.CONST:
        tiny = 4 * float(np.finfo(divisor.dtype.numpy).tiny)
        if tiny < abs(divisor.arg) < 1 / tiny:  # the reciprocal is a number, and a product is cheaper
            product = times(c, UOp.const(c.dtype, 1 / divisor.arg))
            assert product is not None
            return product
    if c.op is Ops.NEG:
        return B.neg(B.div(c.src[0], divisor))
    return B.div(c, divisor)


def alike(expressions: Sequence[UOp]) -> list[UOp]:
    """The same values, bit for bit: sums and products that differ in the order of their operands are one node."""
    new: dict[UOp, UOp] = {}
    number: dict[UOp, int] = {}
    for u in toposort(expressions):
        src = [new[s] for s in u.src]
        if u.op in (Ops.ADD, Ops.MUL):
            src.sort(key=lambda s: -1 if s.op is Ops.CONST else number[s])
        new[u] = u.replace(tuple(src))
        number.setdefault(new[u], len(number))
    return [new[e] for e in expressions]


def alone(source: UOp) -> UOp:
    """The product of two matrices as an array of its own, which tiles compute; other sources as they are."""
    reduces, whole = opdef(source).reduces, source.src[0] if source.src else source
    if reduces is None or whole.op is not Ops.MUL:
        return source
    _, axes = reduces(source)
    repeated = [set(r(s)) - set(axes) if (r := opdef(s).repeats) is not None else set() for s in whole.src]
    is_product = all(repeated) and repeated[0].isdisjoint(repeated[1])
    return UOp(Ops.CONTIGUOUS, source.dtype, (source,)) if is_product else source
