"""Which innermost loops are written with vectors of our own: the one place that decides it, and why not."""

from __future__ import annotations

from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.partial import Group, groups_of
from functrans.backend.codegen.tiles import WAVES
from functrans.backend.codegen.vectors.analysis import Body, body_of
from functrans.backend.codegen.vectors.target import target
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import FOLDED
from functrans.ops.uop import UOp


def vectors(uops: list[UOp]) -> list[UOp]:
    """The statements with those loops marked. Linear in their number times the depth of the loops."""
    top = nest(uops)
    reductions = {g.loops[-1]: g for g in groups_of(uops, top)}
    writer = _Marked(uops, reductions)
    writer.items(top)
    return writer.out if writer.found else uops


def why_not(loop: Loop, reduction: Group | None) -> str:
    """Why a loop is left to the compiler; nothing if it is written with vectors."""
    folded = [] if reduction is None else [s.start for s in reduction.splits]
    if reduction is not None and not all(s.op in FOLDED and s.start.dtype.kind == "f" for s in reduction.splits):
        return "its accumulators are not folded by halves"
    body = body_of(loop, folded)
    return body if isinstance(body, str) else _not_better(body, reduction)


def _not_better(body: Body, reduction: Group | None) -> str:
    """Why vectors of a body are not better than what the compiler makes."""
    lanes = target().lanes(body.dtype)
    step = lanes if reduction is None else reduction.lanes
    if body.rounds < lanes:
        return "it is shorter than a vector"
    if reduction is None and any(u.op in WAVES for u in body.items):
        return "its sines are tested by tiles, without a call"
    conditions = any(u.op is Ops.LOAD and u.dtype.kind == "b" for u in body.items)
    if body.rounds % step == 0 and not (reduction is not None and conditions):
        return "it is whole vectors, which the compiler makes as well"  # but of sums under conditions from memory
    return ""


class _Marked(Writer):
    def __init__(self, uops: list[UOp], reductions: dict[Loop, Group]) -> None:
        super().__init__(uops)
        self.reductions = reductions
        self.found = False

    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops."""
        for item in items:
            if isinstance(item, UOp):
                self.copy(item)
                continue
            number, kind = item.range.arg
            if kind is not AxisType.ORDERED and not why_not(item, self.reductions.get(item)):
                kind, self.found = AxisType.VECTOR, True
            end = self.now(item.range.src[0])
            opened = self.open(UOp(Ops.RANGE, item.range.dtype, (end,), (number, kind)))
            self.become(item.range, opened)
            self.items(item.items)
            self.close(opened)
