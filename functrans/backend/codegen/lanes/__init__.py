"""Outer-loop vectorization: rounds of a loop become the lanes of vectors, the loops inside of it stay loops."""

from __future__ import annotations

from functrans.backend.codegen.lanes.batch import in_lanes, why_not
from functrans.backend.codegen.lanes.call_table import as_call_table
from functrans.backend.codegen.lanes.choice import chosen, pays, side_by_side, sole
from functrans.backend.codegen.lanes.columns import columns
from functrans.backend.codegen.lanes.complex_lowering import is_complex, lower_complex
from functrans.backend.codegen.lanes.interchange import lanes_outside
from functrans.backend.codegen.lanes.sums import sums
from functrans.backend.codegen.lanes.widened import lie_side_by_side, widened
from functrans.backend.codegen.partial import partial
from functrans.backend.policy import L1_BYTES, share
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

__all__ = ["lanes", "sums"]


def lanes(uops: list[UOp]) -> list[UOp]:
    """The statements with loops in lanes, where that pays. Each step of the outermost one writes places of its own.
    Linear in their number times the depth of the loops.
    """
    found = as_call_table(uops) or _by_rows(uops)
    if found is not None:
        return found
    if any(map(is_complex, uops)):
        return _of_pairs(uops)
    wanted = chosen(uops)
    wide = None if wanted else widened(uops)
    if wide is not None and (in_wide := chosen(wide)) and lie_side_by_side(wide, in_wide):
        uops, wanted = wide, in_wide
    return in_lanes(lanes_outside(uops, wanted), wanted) if wanted else uops


def _by_rows(uops: list[UOp]) -> list[UOp] | None:
    """The statements with columns made rows, where their lanes would keep more than stays near."""
    own = {u for u in uops if u.op is Ops.DEFINE_LOCAL and u.arg.elements * u.dtype.itemsize > share(L1_BYTES, 8)}
    loop = sole(uops) if own else None
    if loop is None or own.isdisjoint(loop.walk()) or any(map(is_complex, uops)):
        return None
    return columns(uops, loop) if pays(loop) else None


def _of_pairs(uops: list[UOp]) -> list[UOp]:
    """Complex numbers as two reals each, where the outermost loop is in lanes; sums are split as those of complex."""
    real = lower_complex(uops)
    loop = None if real is None else sole(real)
    if real is None or loop is None or side_by_side(real) or chosen(real) != (loop.range,):
        return uops
    real = lower_complex(partial(uops))
    loop = None if real is None else sole(real)
    return uops if real is None or loop is None or why_not(loop) else in_lanes(real, (loop.range,))
