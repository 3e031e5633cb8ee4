"""A sum of which one part is a product becomes MULACC: a multiply-add, rounded once.

Whether it does is a fact about the sum and its two sources alone: not about what else reads the product, what a pass
after this one stores, how large a batch is. So a row has the same bits whatever it is computed with. A product is known
through its sign and through ops that only move elements, which is where the three ways to write a map differ.

The sum of two products stays as it is: rounding one of them once and the other twice would make ``x * y - y * x`` what
is lost by rounding, and not zero. There is no such symmetry between a product with a constant and one of two variables:
the former is fused. A product with a power of two is no rounding: it may be fused with any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.movement import TAKING
from functrans.ops.multiply_add import FUSED
from functrans.ops.origin import became
from functrans.ops.uop import UOp, rebuilt

_MOVED = TAKING | {Ops.VMAPIN}


def multiply_adds(roots: Sequence[UOp]) -> list[UOp]:
    """The roots with every such sum as MULACC. Linear in the graph, and in what moves each product."""
    below: dict[UOp, UOp] = {}  # the MUL that a node is, but for its sign and for the places of its elements

    def make(node: UOp, built: UOp) -> UOp:
        if node.op in (Ops.ADD, Ops.SUB) and node.dtype in FUSED:
            return became(_fused(built, below) or built, node)
        if built.op is Ops.MUL:
            below[built] = built
        elif (built.op is Ops.NEG or built.op in _MOVED) and built.src[0] in below:
            below[built] = below[built.src[0]]
        return built

    return rebuilt(roots, make)


def _fused(node: UOp, below: dict[UOp, UOp]) -> UOp | None:
    """The sum as a MULACC; None if it stays a sum."""
    first, second = (below.get(s) for s in node.src)
    if first is None and second is None:
        return None
    ranks = [_rank(first), _rank(second)]
    if ranks[0] == ranks[1] < _EXACT:
        return None
    which = int(ranks[1] >= ranks[0])
    a, b, negative = _factors(node.src[which])
    c = node.src[1 - which]
    if node.op is Ops.SUB and which == 0:
        c = _negated(c)
    if negative != (node.op is Ops.SUB and which == 1):
        a = _negated(a)
    return UOp(Ops.MULACC, node.dtype, (a, b, c))


def _factors(product: UOp) -> tuple[UOp, UOp, bool]:
    """Both factors, moved as the product is, and whether it has the other sign."""
    moves, negative = [], False
    while product.op is not Ops.MUL:
        negative ^= product.op is Ops.NEG
        if product.op is not Ops.NEG:
            moves.append(product)
        product = product.src[0]
    a, b = product.src
    for move in reversed(moves):
        a, b = (move.replace((f, *move.src[1:])) for f in (a, b))
    return a, b, negative


_NONE, _VARIABLE, _SCALED, _EXACT = range(4)  # the more, the rather it is fused


def _rank(product: UOp | None) -> int:
    if product is None:
        return _NONE
    constants = [c for c in map(_constant, product.src) if c is not None]
    if any(math.isfinite(c) and abs(math.frexp(c)[0]) == 0.5 for c in constants):
        return _EXACT  # a product with a power of two
    return _SCALED if constants else _VARIABLE


def _constant(node: UOp) -> float | None:
    while node.op in _MOVED:
        node = node.src[0]
    return float(node.arg) if node.op is Ops.CONST else None


def _negated(node: UOp) -> UOp:
    """Of the other sign, which a constant takes below what moves it."""
    moves, at = [], node
    while at.op in _MOVED:
        moves.append(at)
        at = at.src[0]
    if at.op is not Ops.CONST:
        return B.neg(node)
    made = UOp.const(at.dtype, -at.arg)
    for move in reversed(moves):
        made = move.replace((made, *move.src[1:]))
    return made
