"""An outer loop whose rounds are lanes of vectors of our own: whether it can be one, and its statements.

The statements stay those of one round: `AxisType.LANES` says that the renderer writes the loop with vectors, one lane
for each round, values in registers, loops inside as they are.
"""

from __future__ import annotations

from functrans import dtypes
from functrans._records import replace
from functrans.backend.codegen.lanes.records import accesses
from functrans.backend.codegen.nest import Loop, Marked, nest, scratch_of
from functrans.backend.codegen.partial import extent_of, partial
from functrans.backend.codegen.regions.jam import jammed
from functrans.backend.codegen.regions.pieces import is_in_pieces
from functrans.backend.codegen.vectors.spelling import held_as
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import KERNEL_STATEMENTS, L1_BYTES, L2_BYTES, share
from functrans.backend.schedule.memory import aligned
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp, substitute

SIDES = 2  # vectors that go side by side, at the most
KNOWN = (
    GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.RANGE, Ops.DEFINE_LOCAL, Ops.DEFINE_ACC}
    | {Ops.ASSIGN, Ops.IF, Ops.ENDIF, Ops.WMMA} | GroupOp.Custom
)  # fmt: skip


def why_not(loop: Loop) -> str:
    """Why the rounds of a loop cannot be lanes of vectors of our own; nothing if they can."""
    if not target().has_vectors:
        return "the machine it is written for has no vectors"
    body = list(loop.walk())
    unknown = next((u for u in body if u.op not in KNOWN), None)
    if unknown is not None:
        return f"{unknown.op.name} is no op on vectors"
    narrow = narrow_in_memory(body)
    kinds = {u.dtype for u in body if u.dtype.kind not in "xb" and u.dtype != dtypes.void and u not in narrow}
    unlike = next((k for k in kinds if k.kind not in "fiu" or k.itemsize not in (4, 8)), None)
    if unlike is not None or not kinds:
        return f"{'a truth' if unlike is None else unlike.name} has no vectors"
    if len(body) > 2 * KERNEL_STATEMENTS and not is_in_pieces(body):
        return f"it has {len(body)} statements"
    if any(u.op is Ops.DEFINE_LOCAL and u.dtype.kind == "b" and u.arg.elements > share(L1_BYTES, 8) for u in body):
        return "it has large arrays of truths"
    if not all(extent_of(inner) for inner in loop.every() if inner is not loop):
        return "the end of a loop inside is known at run time alone"
    found = accesses(loop)
    if isinstance(found, str):
        return found
    own = sum(u.arg.elements * u.dtype.itemsize for u in body if u.op is Ops.DEFINE_LOCAL)
    return f"its arrays take {own} bytes of a round" if own > L2_BYTES else ""


def narrow_in_memory(body: list[UOp]) -> set[UOp]:
    """The reads of integers of 8 and 16 bits that are only converted, as they are read as int32; the conversions from
    int32 that are only stored, as they are cut there; and the places of both.
    """
    narrow = {u for u in body if u.dtype.kind in "iu" and u.dtype != held_as(u.dtype)}
    read = {u for u in narrow if u.op is Ops.LOAD and len(u.src) == 1 and u.src[0].src[0].op is Ops.DEFINE_GLOBAL}
    read -= {s for u in body if u.op is not Ops.CAST or u.dtype != held_as(u.dtype) for s in u.src}
    cut = {u for u in narrow if u.op is Ops.CAST and u.src[0].dtype == held_as(u.dtype)}
    cut -= {s for u in body if u.op is not Ops.STORE for s in u.src}
    return read | cut | {u.src[0] for u in body if (u.op is Ops.STORE and u.src[1] in cut) or u in read}


def in_lanes(uops: list[UOp], wanted: tuple[UOp, ...]) -> list[UOp]:
    """The statements with the loops of some RANGEs in lanes, long reductions split everywhere."""
    writer = Marked(uops, lambda loop: AxisType.LANES if loop.range in wanted else None)
    writer.items(nest(uops))
    return _far(jammed(partial(writer.out), of_lanes=True))


def _far(uops: list[UOp]) -> list[UOp]:
    """The statements with large arrays of rounds in scratch memory, as many of each as there are rounds in a block."""
    new: dict[UOp, UOp] = {}
    end, depth, at = scratch_of(uops), 0, 0
    for u in uops:
        at = depth + 1 if u.op is Ops.RANGE and u.arg[1] is AxisType.LANES else at
        depth += (u.op is Ops.RANGE) - (u.op is Ops.ENDRANGE)
        at = 0 if depth < at else at
        if (
            u.op is Ops.DEFINE_LOCAL
            and at
            and (u.arg.offset is not None or u.arg.elements * u.dtype.itemsize > share(L1_BYTES, 8))
        ):
            elements = u.arg.elements * SIDES * target().lanes(4)
            new[u] = UOp(u.op, u.dtype, u.src, replace(u.arg, elements=elements, offset=end))
            end += aligned(elements * u.dtype.itemsize)
    return substitute(uops, new) if new else uops
