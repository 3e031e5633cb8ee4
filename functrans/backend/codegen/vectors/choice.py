"""Which innermost loops are written with vectors of our own: the one place that decides it, and why not."""

from __future__ import annotations

from collections import Counter

from functrans.backend.codegen.nest import Loop, Marked, nest
from functrans.backend.codegen.partial import Group, groups_of
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.codegen.vectors.analysis import Body, body_of
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import FEW_ROUNDS, MOVED_VALUES, NARROWEST_BYTES
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.kernel import FOLDED
from functrans.ops.price import additions
from functrans.ops.uop import UOp


def vectors(uops: list[UOp]) -> list[UOp]:
    """The statements with those loops marked. Linear in their number times the depth of the loops."""
    top = nest(uops)
    reductions = {g.loops[-1]: g for g in groups_of(uops, top)}
    writer = Marked(uops, lambda loop: None if why_not(loop, reductions.get(loop)) else AxisType.VECTOR)
    writer.items(top)
    return writer.out


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
    return _why_not_of(body)


def _why_not_of(body: Body) -> str:
    if _is_too_little(body):
        return "it is little beside what is read here and there and done round by round"
    if _is_of_records(body):
        return "it takes records apart, which the compiler does as well"
    lanes = target().lanes(body.widest)
    if body.rounds < FEW_ROUNDS and not any(u.op in ELEMENTARY for u in body.items):
        return "it has too few rounds"
    return "" if lanes * body.narrowest >= NARROWEST_BYTES else "vectors of its narrower numbers would be too short"


def is_scattered(loop: Loop) -> bool:
    """Whether a loop is vectors of which some are stored one by one: anywhere, or functions of numbers."""
    body = body_of(loop)
    if isinstance(body, str) or not body.serial or _why_not_of(body):
        return False
    stores = [u for u in body.serial if u.op is Ops.STORE]
    much = any(u.op is Ops.LOAD for u in body.serial) or any(u.op in ELEMENTARY for u in body.items)
    return bool(stores) and (much or any(len(u.src) > 2 or body.stride(u.src[0].src[1]) is None for u in stores))


def _is_too_little(body: Body) -> bool:
    """Whether a body has too few values for what is moved one by one."""
    acts = sum(u in body.serial and u.op in (Ops.STORE, Ops.ASSIGN) for u in body.items)
    loads = [u for u in body.items if u.op is Ops.LOAD and u in body.needed and u not in body.serial]
    acts += sum(body.stride(u.src[0].src[1]) is None and not body.slots(u.src[0].src[1]) for u in loads)
    values = [u for u in body.needed & body.varying - body.serial if u.op in GroupOp.Elementwise]
    return sum(map(additions, values)) < MOVED_VALUES * acts


def _is_of_records(body: Body) -> bool:
    """Whether several fields of records are read, and little is done with them."""
    fields: Counter[UOp] = Counter()
    for index in dict.fromkeys(u.src[0] for u in body.items if u.op is Ops.LOAD and u not in body.serial):
        stride = 0 if body.slots(index.src[1]) else body.stride(index.src[1])
        fields[index.src[0]] += stride not in (None, -1, 0, 1)
    return max(fields.values(), default=0) > 1 and not any(u.op in ELEMENTARY for u in body.items)
