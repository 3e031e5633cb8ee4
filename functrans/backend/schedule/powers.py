"""Small powers become products, which other passes know: they are fused into sums, and shared between powers."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops.enums import Ops
from functrans.ops.origin import became
from functrans.ops.powers import as_products
from functrans.ops.uop import UOp, toposort


def products(roots: Sequence[UOp]) -> list[UOp]:
    """The roots with every POW that is one as products of its base. Linear in the graph."""
    new: dict[UOp, UOp] = {}
    for node in toposort(roots):
        built = node.replace(tuple(new[s] for s in node.src))
        if built.op is Ops.POW:
            built = became(as_products(built) or built, node)
        new[node] = built
    return [new[r] for r in roots]
