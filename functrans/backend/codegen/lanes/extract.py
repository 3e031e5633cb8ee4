"""Extraction of an inner loop: the local arrays that it shares with its surroundings become arguments."""

from __future__ import annotations

from functrans.backend.codegen.nest import Loop
from functrans.ops.enums import Ops
from functrans.ops.kernel import GlobalArg
from functrans.ops.uop import UOp, substitute


def arguments(loop: Loop) -> dict[UOp, UOp]:
    """Make an argument for each local array that the loop shares with its surroundings."""
    body = list(loop.walk())
    touched = [(u.op, u.src[0].src[0]) for u in body if u.op in (Ops.LOAD, Ops.STORE)]
    outer = {array for _, array in touched if array.op is Ops.DEFINE_LOCAL} - set(body)
    written = {array for op, array in touched if op is Ops.STORE}
    return {
        a: UOp(Ops.DEFINE_GLOBAL, a.dtype, (), GlobalArg(f"s{a.arg.number}", written=a in written))
        for a in sorted(outer, key=lambda a: int(a.arg.number))
    }


def extracted(loop: Loop) -> Loop:
    """Replace the shared arrays of the loop by arguments."""
    found = arguments(loop)
    body = list(loop.walk())
    now = dict(zip(body, substitute(body, found), strict=True))

    def moved(part: Loop) -> Loop:
        items = [moved(item) if isinstance(item, Loop) else now[item] for item in part.items]
        return Loop(now.get(part.range, part.range), items)

    return moved(loop) if found else loop
