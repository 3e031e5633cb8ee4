"""Small powers become products, which other passes know: they are fused into sums, and shared between powers."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops.enums import Ops
from functrans.ops.origin import became
from functrans.ops.powers import as_products
from functrans.ops.uop import UOp, rebuilt


def products(roots: Sequence[UOp]) -> list[UOp]:
    """The roots with every POW that is one as products of its base. Linear in the graph."""
    return rebuilt(roots, lambda node, new: became(as_products(new) or new, node) if new.op is Ops.POW else new)
