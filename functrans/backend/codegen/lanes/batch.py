"""An outer loop whose rounds are lanes of vectors of our own: whether it can be one, and its statements.

The statements stay those of one round: `AxisType.LANES` says that the renderer writes the loop with vectors, one lane
for each round, values in registers, loops inside as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from functrans import dtypes
from functrans.backend.codegen.lanes.records import accesses
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.partial import extent_of, partial
from functrans.backend.codegen.regions.jam import jammed
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp

MOST = 4000  # statements that the compiler is given at once
STACK_BYTES = 16 * 1024  # of the arrays of a lane
_KNOWN = (
    GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.RANGE, Ops.DEFINE_LOCAL, Ops.DEFINE_ACC}
    | {Ops.ASSIGN, Ops.IF, Ops.ENDIF, Ops.WMMA} | GroupOp.Custom
)  # fmt: skip


def why_not(loop: Loop) -> str:
    """Why the rounds of a loop cannot be lanes of vectors of our own; nothing if they can."""
    body = list(loop.walk())
    unknown = next((u for u in body if u.op not in _KNOWN), None)
    if unknown is not None:
        return f"{unknown.op.name} is no op on vectors"
    kinds = {u.dtype for u in body if u.dtype.kind not in "xb" and u.dtype != dtypes.void}
    unlike = next((k for k in kinds if k.kind not in "fiu" or k.itemsize not in (4, 8)), None)
    if unlike is not None:
        return f"{unlike.name} has no vectors"
    if len(body) > MOST:
        return f"it has {len(body)} statements"
    if any(u.op is Ops.DEFINE_LOCAL and u.arg.offset is not None for u in body):
        return "it has large arrays"
    if not all(extent_of(inner) for inner in _loops(loop)):
        return "the end of a loop inside is known at run time alone"
    found = accesses(loop)
    if isinstance(found, str):
        return found
    own = sum(u.arg.elements * u.dtype.itemsize for u in body if u.op is Ops.DEFINE_LOCAL)
    own += sum((a.step or 0) * array.dtype.itemsize for (array, _), a in found.items() if a.is_moved)
    return f"its arrays take {own} bytes of a round" if own > STACK_BYTES else ""


def _loops(loop: Loop) -> Iterator[Loop]:
    for item in loop.items:
        if isinstance(item, Loop):
            yield item
            yield from _loops(item)


def in_lanes(uops: list[UOp], r: UOp) -> list[UOp]:
    """The statements with the loop of a RANGE in lanes, what only it uses inside of it."""
    body = jammed(partial(uops))
    top = nest(body)
    writer = Writer(body)
    local = [u for u in top if isinstance(u, UOp) and u.op is Ops.DEFINE_LOCAL]
    for item in top:
        if isinstance(item, UOp):
            if item.op is not Ops.DEFINE_LOCAL:
                writer.copy(item)
            continue
        number, _ = item.range.arg
        opened = writer.open(UOp(Ops.RANGE, r.dtype, (writer.now(item.range.src[0]),), (number, AxisType.LANES)))
        writer.become(item.range, opened)
        for u in local:
            writer.copy(u)
        _copied(item.items, writer)
        writer.close(opened)
    return writer.out


def _copied(items: list[UOp | Loop], writer: Writer) -> None:
    for item in items:
        if isinstance(item, UOp):
            writer.copy(item)
            continue
        opened = writer.open(item.range.replace((writer.now(item.range.src[0]),)))
        writer.become(item.range, opened)
        _copied(item.items, writer)
        writer.close(opened)
