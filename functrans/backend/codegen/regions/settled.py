"""Carries that a round changes element by element, in place: the next value needs no array of its own.

The gradient by a matrix adds a product to each of its elements in each round. If every read of the carry is of the
element that is stored next, or is done before, the new element goes where the old one was.
"""

from __future__ import annotations

from functrans.backend.codegen.regions.program import Builder
from functrans.backend.codegen.regions.tree import Branch, Call, Carry, Move, Part, Rounds, Statements
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent


def settle(item: Rounds, builder: Builder) -> None:
    """Let carries of a counted loop be changed in place. Linear in its body, for each carry."""
    for c in item.carries:
        if c.next is not c.now and _is_settled(item, c):
            for x in item.body.walk():
                if isinstance(x, Statements):
                    x.parts = {u: Part(c.now, p.offset) if p.array is c.next else p for u, p in x.parts.items()}
            builder.arrays.remove(c.next)
            c.next = c.now
            c.now.moving = True


def _is_settled(item: Rounds, c: Carry) -> bool:
    stored = False
    own = {id(x) for x in item.body.items}
    for x in item.body.walk():
        if not isinstance(x, Statements):
            if _touches(x, c):
                return False
            continue
        now, new = ({u for u, p in x.parts.items() if p.array is a} for a in (c.now, c.next))
        stores = [u for u in x.uops if u.op is Ops.STORE and u.src[0].src[0] in new]
        if not stores:
            if (stored and (now or new)) or new:
                return False
            continue
        if stored or id(x) not in own or len(stores) > 1 or any(p.offset for p in map(x.parts.get, now | new) if p):
            return False
        if not _in_place(x, stores[0], now, c.elements):
            return False
        stored = True
    return stored


def _touches(x: Move | Rounds | Branch | Call, c: Carry) -> bool:
    """Whether something else than statements reads or writes a carry."""
    arrays = []
    if isinstance(x, Move):
        arrays = [x.source.array, x.to.array]
    elif isinstance(x, Rounds):
        arrays = [a for k in x.carries for a in (k.now, k.start.array, *([k.end.array] if k.end is not None else []))]
    elif isinstance(x, Call):
        arrays = [*x.arrays, *(p.array for p in x.shares)]
    else:
        arrays = [x.index.array, *(a for made in x.made for a in made), *(p.array for p in x.results)]
    return c.now in arrays or c.next in arrays


def _in_place(x: Statements, store: UOp, now: set[UOp], elements: int) -> bool:
    """Whether a store fills an array once, under loops alone, each read of the carry before it at its own place."""
    if len(store.src) != 2 or store.src[0].src[1].op is Ops.CONST:
        return False
    around: list[UOp] = []
    done = False
    for u in x.uops:
        if u.op in (Ops.RANGE, Ops.IF):
            around.append(u)
        elif u.op in (Ops.ENDRANGE, Ops.ENDIF):
            around.pop()
        elif u is store:
            done, rounds = True, 1
            for r in around:
                if r.op is Ops.IF or r.src[0].op is not Ops.CONST:
                    return False
                rounds *= extent(r)
            if rounds != elements:
                return False
        elif u.op is Ops.LOAD and u.src[0].src[0] in now and (done or u.src[0].src[1] is not store.src[0].src[1]):
            return False
    return True
