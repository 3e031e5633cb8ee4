"""Which innermost loops are written with vectors of our own: the one place that decides it, and why not."""

from __future__ import annotations

from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.partial import Group, groups_of
from functrans.backend.codegen.vectors.analysis import body_of
from functrans.backend.codegen.vectors.emission import NARROWEST
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
    splits = [] if reduction is None else reduction.splits
    if not all(s.op in FOLDED and s.start.dtype.kind in "fiu" for s in splits):
        return "its accumulators are not folded by halves"
    body = body_of(loop, [s.start for s in splits])
    if isinstance(body, str):
        return body
    if any(s.is_watched and s.start.dtype.itemsize < body.widest for s in splits):
        return "its NaN would be noted among wider numbers"
    lanes = target().lanes(body.widest)
    if body.rounds < lanes:
        return "it is shorter than a vector"
    return "" if lanes * body.narrowest >= NARROWEST else "vectors of its narrower numbers would be too short"


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
