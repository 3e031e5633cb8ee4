"""Derivatives of systems of equations with triangular matrices and matrices of bands: solves with the same matrix, its
transposed, and products of their structure; nothing is filled in.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops import build as B
from functrans.ops.banded import both_bands, product
from functrans.ops.uop import UOp
from functrans.tensor.contract import matmul
from functrans.tensor.create import below
from functrans.transforms.linalg_rules import transposed

Tangent = UOp | None


def _system(node: UOp, right: Tangent, change: Tangent) -> Tangent:
    """The solution for a tangent of the right-hand sides less what a tangent of the matrix does to the solution."""
    if change is not None:
        right = B.neg(change) if right is None else B.sub(right, change)
    return None if right is None else node.replace((node.src[0], right))


def triangular(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """TRIANGULAR: t dx = db - dt x, of dt the triangle that is read."""
    ta, tb = t
    if ta is None:
        return _system(node, tb, None)
    lower, unit = node.arg
    n = ta.sized[-1]
    read = below(n, n, -1 if unit else 0)
    if not lower:
        read = transposed(read)
    kept = B.where(B.broadcast(read, ta.sized), ta, B.like(ta, 0))
    return _system(node, tb, matmul(kept, node))


def banded(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """BANDED: a dx = db - da x."""
    ta, tb = t
    return _system(node, tb, None if ta is None else product(ta, node, *node.arg))


def positive(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """POSITIVE: a dx = db - da x, da Hermitian."""
    ta, tb = t
    k = node.arg[0]
    return _system(node, tb, None if ta is None else product(both_bands(ta), node, k, k))
