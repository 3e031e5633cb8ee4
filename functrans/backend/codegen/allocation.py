"""Scratch allocation: local arrays of one kernel that are not live at the same time share memory.

Only where there is much of it: arrays that share bytes cannot be promised to the compiler to be apart, and its loops
over them are slower for it.
"""

from __future__ import annotations

from functrans._records import replace
from functrans.backend.policy import L2_BYTES
from functrans.backend.schedule.memory import first_fit
from functrans.ops.enums import Ops
from functrans.ops.kernel import acts
from functrans.ops.uop import UOp, substitute


def allocate(uops: list[UOp], scratch: int) -> tuple[list[UOp], int]:
    """Give the local arrays new offsets, first fit in the order of birth; return the bytes of scratch memory too."""
    if scratch <= L2_BYTES:
        return uops, scratch
    placed, size = first_fit({u: (*span, u.arg.elements * u.dtype.itemsize) for u, span in _spans(uops).items()})
    new = {u: UOp(u.op, u.dtype, u.src, replace(u.arg, offset=low, shared=True)) for u, low in placed.items()}
    return substitute(uops, new), size


def _spans(uops: list[UOp]) -> dict[UOp, tuple[int, int]]:
    """Where in the list each array of the scratch memory is needed.

    From its definition to the last statement that a value read from it goes into (the C may read it as late as there),
    or to the end of the loop that this is in, if the array was there before the loop.
    """
    place = {u: k for k, u in enumerate(uops)}
    last = dict(place)
    for k in range(len(uops) - 1, -1, -1):
        reach = k if acts(uops[k]) or uops[k].op is Ops.SINK else last[uops[k]]
        for s in uops[k].src:
            if s in last:
                last[s] = max(last[s], reach)
    loops, ends = _loops(uops)
    spans: dict[UOp, tuple[int, int]] = {}
    for k, u in enumerate(uops):
        if u.op is Ops.DEFINE_LOCAL and u.arg.offset is not None:
            entered = next((start for start in loops[last[u]] if start > k), None)
            spans[u] = (k, last[u] if entered is None else ends[entered])
    return spans


def _loops(uops: list[UOp]) -> tuple[list[tuple[int, ...]], dict[int, int]]:
    """For each statement where the loops around it begin, outer ones first; and where each of them ends."""
    opened: tuple[int, ...] = ()
    around, ends = [], {}
    for k, u in enumerate(uops):
        if u.op is Ops.RANGE:
            opened = (*opened, k)
        around.append(opened)
        if u.op is Ops.ENDRANGE:
            ends[opened[-1]] = k
            opened = opened[:-1]
    return around, ends
