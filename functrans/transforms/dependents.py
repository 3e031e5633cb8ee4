"""Which nodes of a graph depend on given ones."""

from __future__ import annotations

from collections.abc import Iterable

from functrans.ops.uop import UOp


def dependents(order: Iterable[UOp], nodes: Iterable[UOp]) -> set[UOp]:
    """The nodes of an order, sources first, that depend on one of the given nodes."""
    found = set(nodes)
    for u in order:
        if u not in found and not found.isdisjoint(u.src):
            found.add(u)
    return found
