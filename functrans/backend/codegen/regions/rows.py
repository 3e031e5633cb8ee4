"""Loops of a round that do nothing but write a record that is moved as no whole: vectors go along it, lane by lane.

What such loops read of the lanes' own is turned once: it is less than what they write.
"""

from __future__ import annotations

from collections.abc import Callable

from functrans import dtypes
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.partial import extent_of
from functrans.backend.codegen.regions.pieces import values_of
from functrans.backend.codegen.varying import step_of
from functrans.backend.codegen.vectors.values import Shape
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp, substitute

_KNOWN = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.RANGE}


def is_row(loop: Loop, shape: Shape, is_record: Callable[[UOp], bool]) -> bool:
    """Whether a loop, with those in it, only stores numbers of records that lie side by side."""
    stores = 0
    for around in loop.every():
        inner, n = around.inner, extent_of(around)
        for u in (x for x in around.items if isinstance(x, UOp)):
            if not _is_plain(u, shape):
                return False
            if u.op is Ops.LOAD and not inner and step_of(around.range, u.src[0].src[1]) not in (0, 1):
                return False
            if u.op is Ops.STORE:
                array, place = u.src[0].src
                if inner or not n or n < shape.lanes or not is_record(array) or step_of(around.range, place) != 1:
                    return False
                stores += 1
    return stores > 0


def _is_plain(u: UOp, shape: Shape) -> bool:
    """Whether a statement is one on places, truths or numbers that fill a vector, under no condition."""
    if u.op not in _KNOWN or (u.op in (Ops.LOAD, Ops.STORE) and len(u.src) != 1 + (u.op is Ops.STORE)):
        return False
    if u.dtype == dtypes.index or u.op in (Ops.INDEX, Ops.STORE):
        return True
    given = [s for s in u.src if s.op is not Ops.INDEX]
    return all(s.dtype.kind == "b" or (s.dtype.kind == "f" and 8 * s.dtype.itemsize == shape.bits) for s in (u, *given))


def along(loop: Loop) -> list[UOp]:
    """Such a loop as statements, the innermost loops with vectors."""
    inner = loop.inner
    r = loop.range if inner else UOp(Ops.RANGE, loop.range.dtype, loop.range.src, (loop.range.arg[0], AxisType.VECTOR))
    found = [r, *(u for x in loop.items for u in (along(x) if isinstance(x, Loop) else [x]))]
    found.append(UOp(Ops.ENDRANGE, dtypes.void, (r,)))
    return found if inner else substitute(found, {loop.range: r})


def given_to(loop: Loop) -> dict[UOp, None]:
    """The values from outside that the statements of a loop use."""
    every = [loop.range, *loop.walk()]
    own = set(every)
    return dict.fromkeys(v for u in every for v in values_of(u) if v not in own and v.dtype != dtypes.void)
