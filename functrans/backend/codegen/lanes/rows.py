"""Loops that write records: each lane runs them by itself, along the record, where its numbers lie together."""

from __future__ import annotations

from collections.abc import Iterator

from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop
from functrans.ops import symbolic as sym
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

SHORTEST = 8  # numbers that lie together in a record from which on lanes write it by itself
LONGEST = 512  # and of arrays that they read so: they are copied, and both are to be at hand
STRIDES = range(1, 5)  # between numbers that the compiler fills from a few vectors
_ALLOWED = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE}


def is_row(loop: Loop, facts: Uniformity) -> bool:
    """Whether all that a loop does, with those in it, is to store numbers of a record that lie side by side."""
    stores = 0
    for around, item in _statements(loop):
        if item.op not in _ALLOWED:
            return False
        if item.op is Ops.LOAD and item.src[0].src[0].op is Ops.DEFINE_GLOBAL:
            if along(around, item.src[0].src[1]) not in (0, 1):
                return False
        elif item.op is Ops.STORE:
            array, place = item.src[0].src
            end = around.range.src[0]
            apart = array.op is Ops.DEFINE_GLOBAL and facts.stride(place) not in (0, 1, None)
            if not apart or end.op is not Ops.CONST or end.arg < SHORTEST or along(around, place) not in STRIDES:
                return False
            stores += 1
    return stores > 0 and all(a.arg.elements <= LONGEST for a in turned(loop, facts))


def along(loop: Loop, place: UOp) -> int | None:
    """By how much a place moves in each round of a loop; None where that differs."""
    _, terms = sym.linear(place)
    if any(t is not loop.range and loop.range in toposort((t,)) for t in terms):
        return None
    return terms.get(loop.range, 0)


def turned(loop: Loop, facts: Uniformity) -> list[UOp]:
    """The arrays with a place for each lane that such loops read along the record."""
    found: dict[UOp, None] = {}
    for around, item in _statements(loop):
        if item.op is Ops.LOAD and item.src[0].src[0].op is Ops.DEFINE_LOCAL:
            array, place = item.src[0].src
            if array in facts.varying and along(around, place) == 1:
                found[array] = None
    return list(found)


def _statements(loop: Loop) -> Iterator[tuple[Loop, UOp]]:
    """Each statement of a loop and of those in it, with the loop that it stands in."""
    todo = [loop]
    while todo:
        around = todo.pop()
        for item in around.items:
            if isinstance(item, Loop):
                todo.append(item)
            else:
                yield around, item
