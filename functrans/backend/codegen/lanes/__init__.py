"""The lanes of a kernel: one of its loops in tiles, the statements of its body as loops over the tile."""

from __future__ import annotations

from functrans.backend.codegen.lanes.choice import chosen
from functrans.backend.codegen.lanes.facts import Facts
from functrans.backend.codegen.lanes.gang import Gang
from functrans.backend.codegen.lanes.products import columns
from functrans.backend.codegen.lanes.straight import straight
from functrans.backend.codegen.nest import Loop, nest
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

__all__ = ["lanes"]

WIDTHS = (128, 64, 32, 16)
NEAR = 48 * 1024  # bytes of local arrays that are always at hand


def lanes(uops: list[UOp]) -> list[UOp]:
    """The statements with their outermost loop in tiles, where that pays. Each of its steps writes places of its own.
    Linear in their number times the depth of the loops.
    """
    wanted = chosen(uops)
    if wanted is None:
        return uops
    uops = straight(uops, wanted)
    top = nest(uops)
    facts = Facts(next(item for item in top if isinstance(item, Loop) and item.range is wanted))
    size = _size(next(item for item in top if isinstance(item, Loop) and item.range is wanted), facts)
    narrow = min((u.dtype.itemsize for u in facts.body if u in facts.varying and u.dtype.kind in "if"), default=8)
    unit = 16 if narrow <= 4 else 8
    width = columns(facts, unit) or next((w for w in WIDTHS if w * size <= NEAR), WIDTHS[-1])
    gang = Gang(uops, facts, width, unit)
    gang.items(top)
    return gang.out


def _size(loop: Loop, facts: Facts) -> int:
    """The bytes that a lane needs at a time."""
    own = [u for u in loop.items if isinstance(u, UOp) and u.op is Ops.DEFINE_LOCAL and u in facts.varying]
    inner = max((_size(item, facts) for item in loop.items if isinstance(item, Loop)), default=0)
    here: int = sum(u.arg.elements * u.dtype.itemsize for u in own)
    return here + inner
