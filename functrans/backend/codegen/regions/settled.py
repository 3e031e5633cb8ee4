"""Carries that a round changes in place: the next value needs no array of its own.

The gradient by a matrix adds a product to each of its elements in each round. If every read of the carry is of the
element that is stored next, or is done before, the new element goes where the old one was. And a carry of an inner loop
that begins with that of the loop around, and ends as its next value, is that carry, if nothing else reads it from there
on. Lanes that have ended keep what they have: their stores are masked.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from functrans.backend.codegen.regions.program import Builder
from functrans.backend.codegen.regions.tree import (
    Array,
    Block,
    Branch,
    Call,
    Carry,
    Item,
    Move,
    Part,
    Rounds,
    Statements,
)
from functrans.backend.policy import SMALL_ARRAY
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent


def settle(program: Block, builder: Builder) -> None:
    """Let carries of loops be changed in place. Linear in their bodies, for each carry."""
    for item in reversed([x for x in program.walk() if isinstance(x, Rounds)]):  # inner loops first
        for c in item.carries:
            if c.next is not c.now and _is_settled(item, c):
                _replace(item.body.walk(), c.next, c.now)
                builder.arrays.remove(c.next)
                c.next = c.now
                c.now.moving = True
                c.now.settled = item.test is not None
        for c in item.carries:
            if c.next is not c.now and c.now.is_own:
                _join(item, c, builder)


def _replace(items: Iterable[Item], old: Array, new: Array) -> None:
    """Let statements work on another array."""
    for x in items:
        if isinstance(x, Statements):
            x.parts = {u: Part(new, p.offset) if p.array is old else p for u, p in x.parts.items()}


def _join(item: Rounds, c: Carry, builder: Builder) -> None:
    """Let a carry be that of the inner loop which makes its next value of it, if it can be."""
    found = [(k, x, d) for k, x in enumerate(item.body.items) if isinstance(x, Rounds)
             for d in x.carries if d.now is c.next]  # fmt: skip
    if len(found) != 1:
        return
    ((k, inner, d),) = found
    later = [*Block([inner]).walk(), *Block(item.body.items[k + 1 :]).walk()]
    others = [y for y in later if y is not inner]
    if d.next is not d.now or d.start != Part(c.now) or any(_touches(y, c.now) for y in others):
        return
    if any(e.start.array is c.now for e in inner.carries if e is not d):
        return
    earlier = Block(item.body.items[:k]).walk()
    if any(_touches(y, c.next) for y in earlier) or not all(isinstance(y, Statements) or not _touches(y, c.next)
                                                           for y in others):  # fmt: skip
        return
    _replace(later, c.next, c.now)
    builder.arrays.remove(c.next)
    d.now = d.next = c.next = c.now
    c.now.moving = c.now.settled = True


def _is_settled(item: Rounds, c: Carry) -> bool:
    stored = False
    own = {id(x) for x in item.body.items}
    for x in item.body.walk():
        if not isinstance(x, Statements):
            if _touches(x, c.now) or _touches(x, c.next):
                return False
            continue
        now, new = ({u for u, p in x.parts.items() if p.array is a} for a in (c.now, c.next))
        stores = [u for u in x.uops if u.op is Ops.STORE and u.src[0].src[0] in new]
        if not stores:
            if (stored and now) or (new and not stored):
                return False
            continue
        if id(x) not in own or any(p.offset for p in map(x.parts.get, now | new) if p):
            return False
        if now or c.elements <= SMALL_ARRAY:
            if stored or not _in_place(x, stores, now, c.elements):
                return False
        stored = True
    return stored


def _touches(x: Item, array: Array) -> bool:
    """Whether an item, not what is inside of it, reads or writes an array."""
    if isinstance(x, Statements):
        return any(p.array is array for p in x.parts.values())
    arrays: list[Array | None] = []
    if isinstance(x, Move):
        arrays = [x.source.array, x.to.array]
    elif isinstance(x, Rounds):
        arrays = [a for k in x.carries for a in (k.now, k.start.array, None if k.end is None else k.end.array)]
    elif isinstance(x, Call):
        arrays = [*x.arrays, *(p.array for p in x.shares)]
    elif isinstance(x, Branch):
        arrays = [x.index.array, *(a for made in x.made for a in made), *(p.array for p in x.results)]
    return array in arrays


def _in_place(x: Statements, stores: list[UOp], now: set[UOp], elements: int) -> bool:
    """Whether stores fill an array once, under loops alone, each read of the carry done before these begin; or before
    the store, if it is one, and at its own place.
    """
    if any(len(s.src) != 2 or s.src[0].src[1].op is Ops.CONST for s in stores):
        return False
    around: list[UOp] = []
    within, begun, filled = set[UOp](), False, 0  # reads since the outermost loop at hand has begun
    for u in x.uops:
        if u.op in (Ops.RANGE, Ops.IF):
            within = within if around else set()
            around.append(u)
        elif u.op in (Ops.ENDRANGE, Ops.ENDIF):
            around.pop()
        elif u in stores:
            if any(r.op is Ops.IF or r.src[0].op is not Ops.CONST for r in around):
                return False
            if within and (len(stores) > 1 or any(i.src[1] is not u.src[0].src[1] for i in within)):
                return False
            begun, filled = True, filled + prod(map(extent, around))
        elif u.op is Ops.LOAD and u.src[0].src[0] in now:
            if begun:
                return False
            within.add(u.src[0])
    return filled == elements
