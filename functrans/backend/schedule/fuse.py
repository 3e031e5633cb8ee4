"""Every buffer that the cost model lets go, replaced by its value where it is read."""

from __future__ import annotations

from functrans.backend.schedule.costmodel import Decided
from functrans.backend.schedule.inline import rebuild
from functrans.ops.uop import UOp


def fuse(buffers: list[UOp], decided: Decided) -> list[UOp]:
    """The roots without the buffers that do not stay, the loops of every store in the order that was decided."""
    gone = {d.buffer for d in decided.decisions if not d.stays}
    return rebuild(buffers, gone, decided.loop_order)
