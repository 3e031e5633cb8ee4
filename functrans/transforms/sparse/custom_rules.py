"""Custom rules in detection: the dependences of a call are those of the tangent that its rule gives."""

from __future__ import annotations

from collections.abc import Sequence

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.tensor.constants import is_traced


def with_custom_tangents(roots: Sequence[UOp]) -> list[UOp]:
    """Replace each call with an opaque rule by the tangent that the rule gives along the arguments.

    The derivatives of the graphs stay. The rule takes its coefficients at placeholders, since the dependence of a
    coefficient on an argument is no first derivative.
    """
    order = toposort(roots, sources=_sources)
    if not any(map(_is_opaque, order)):
        return list(roots)
    new: dict[UOp, UOp] = {}
    for u in order:
        if not _is_opaque(u):
            new[u] = u.replace(tuple(new[s] for s in u.src))
        else:
            new[u] = _tangent(u, [new[s] for s in u.src[1:]]) if dtypes.is_inexact(u.dtype) else u
    return [new[r] for r in roots]


def _is_opaque(node: UOp) -> bool:
    return node.op is Ops.CUSTOM_RULE and node.arg[0].opaque


def _sources(node: UOp) -> Sequence[UOp]:
    return node.src[1:] if _is_opaque(node) else node.src


def _tangent(node: UOp, along: list[UOp]) -> UOp:
    rule, _ = node.arg
    points = [param(x.sized, x.dtype) if is_traced(x) else x for x in node.src[1:]]
    tangents = [a if is_traced(a) and dtypes.is_inexact(a.dtype) else None for a in along]
    _, tangent = rule.begin(points, tangents, False)(node)
    return B.like(node, 0) if tangent is None else tangent
