"""What loops and branches cost, counted from their functions: rounds times bodies, for all lanes."""

from __future__ import annotations

from collections.abc import Callable

from functrans import dtypes
from functrans.backend.schedule.operations import of_element
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.loops import Program, Scan, Switch, While, regions_in
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp, toposort

_PRODUCT = UOp(Ops.MUL, dtypes.float64, (UOp.const(dtypes.float64, 1.0),) * 2)


def of_region(region: Program, of: Callable[[UOp], float]) -> float:
    """Operations of one lane; of a loop whose rounds nobody knows one round, of branches the longest."""
    if isinstance(region, Routine):
        return region.operations * of(_PRODUCT)
    each = [of_function(f, of) for f in region.functions]
    if isinstance(region, Switch):
        return max(each)
    return sum(each) * (region.length if isinstance(region, Scan) else 1)


def is_open(region: Program) -> bool:
    """Whether nobody knows how many rounds a lane has: a loop with a test, or one in a body."""
    return any(isinstance(r, While) for r in regions_in(region))


def of_function(f: Function, of: Callable[[UOp], float]) -> float:
    """Operations of a body, ``of`` giving those of one element of a node."""
    total = 0.0
    for u in toposort(f.outputs):
        if u.op in GroupOp.Region:
            total += of_region(u.arg, of)
        elif u.op in GroupOp.Reduce:
            total += u.src[0].size
        elif u.shape is not None and (of_element(u) or u.op in GroupOp.Order):
            total += u.size * of(u)
    return total
