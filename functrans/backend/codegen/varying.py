"""Uniformity: which nodes of some statements differ from lane to lane, in lanes of all kinds.

A fixed point: an accumulator varies where something that varies is assigned to it, or under a condition that varies; an
array where that is stored, or at a place that varies. What is read at a place that varies, or from such an array, does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


def step_of(r: UOp, place: UOp) -> int | None:
    """How far a place is from that of the round before; None where that differs."""
    _, terms = sym.linear(place)
    if any(t is not r and r in t.free_ranges for t in terms):
        return None
    return terms.get(r, 0)


def varying(statements: Sequence[UOp], lanes: Iterable[UOp], arrays: Collection[UOp] = ()) -> set[UOp]:
    """The nodes that vary where ``lanes`` do: addresses, conditions and stores among them, and those of the ``arrays``,
    whose elements lanes have each their own if they differ. Linear in the statements, a few times over.
    """
    found, before = set(lanes), -1
    while len(found) > before:
        before = len(found)
        conditions: list[UOp] = []
        for u in statements:
            if u.op is Ops.ENDIF:
                conditions.pop()
                continue
            if not found.isdisjoint(u.src):
                found.add(u)
            if u.op is Ops.IF:
                conditions.append(u)
            elif u.op is Ops.ASSIGN and not found.isdisjoint((u, *conditions)):
                found.update((u, u.src[0]))
            elif u.op is Ops.STORE and not found.isdisjoint((u, *conditions)):
                found.add(u)
                found.update({u.src[0].src[0]}.intersection(arrays))
            elif u.op is Ops.WMMA and u in found:
                found.update({u.src[0].src[0]}.intersection(arrays))
    return found
