"""Innermost loops that compilers are to make no vectors of.

gcc 12 does not get those right that take several elements of a record into one sum, the later ones first: it vectorizes
a sum in its order, loads the fields of several records as one vector and adds its elements one by one, and where the
fields are taken in another order than they lie in, it adds wrong ones (decision 0077).

Of those that take large records apart or put them together, vectors of many fields are shuffled for longer than numbers
take one by one, and the compiler takes seconds. Those that add up elements at places of many lists load each by itself
in any case: vectors are put together of them, which gains nothing from eight on, and of 24 takes a quarter of a second.
"""

from __future__ import annotations

from collections import Counter

from functrans import dtypes
from functrans.backend.policy import REGISTERS, SHORT_ROUNDS
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_MOVES = frozenset({Ops.LOAD, Ops.STORE, Ops.INDEX, Ops.CONST})
_SIMPLE = frozenset({Ops.ADD, Ops.SUB, Ops.MUL, Ops.MULACC, Ops.NEG})
_INEXACT = "fc"  # the order of a sum of integers is free, and another way is taken


def left_alone(uops: list[UOp]) -> set[int]:
    """The positions of the RANGEs of such loops. Linear in the list for chains of a few terms."""
    found, start = set(), None
    for k, node in enumerate(uops):
        if node.op is Ops.RANGE:
            start = k
        elif node.op is Ops.ENDRANGE and start is not None:
            body = uops[start + 1 : k]
            if _is_backwards(body) or _moves(body):
                found.add(start)
            start = None
    return found


def _moves(body: list[UOp]) -> bool:
    """Whether a loop moves elements, many of one array or by many lists, with an operation for each at the most."""
    simple = [u for u in body if u.op in _SIMPLE and u.dtype.kind == "f"]
    others = (u for u in set(body).difference(simple) if u.op not in _MOVES and u.dtype != dtypes.index)
    if not all(u.op is Ops.CAST and u.dtype.kind in "iux" and u.src[0].dtype.kind in "iux" for u in others):
        return False
    gathered = _gathered(body)
    if SHORT_ROUNDS <= gathered and len(simple) <= gathered:
        return True
    if len(simple) > sum(u.op is Ops.STORE for u in body):
        return False
    places = {u.src[0] for u in body if u.op in (Ops.LOAD, Ops.STORE)}
    fields = Counter(place.src[0] for place in places if place.src[0].op is Ops.DEFINE_GLOBAL)
    return max(fields.values(), default=0) > REGISTERS


def _gathered(body: list[UOp]) -> int:
    """How many elements a loop reads at places that it reads in a list."""
    listed: set[UOp] = set()
    for u in body:
        if u.dtype.kind in "iux" and (u.op is Ops.LOAD or not listed.isdisjoint(u.src)):
            listed.add(u)
    return sum(u.op is Ops.LOAD and u.dtype.kind == "f" and u.src[0].src[1] in listed for u in body)


def _is_backwards(body: list[UOp]) -> bool:
    """Whether a later term of a sum over the loop reads an array before where an earlier one read it."""
    inside, chains = set(body), dict[UOp, dict[UOp, int]]()
    assigned = [u for u in body if u.op is Ops.ASSIGN and u.dtype.kind in _INEXACT and _accumulator(u) not in inside]
    if len(assigned) == len({_accumulator(u) for u in assigned}):
        return False
    for node in assigned:
        last = chains.setdefault(_accumulator(node), {})
        reads = _reads(node.src[1], inside)
        if any(place < last.get(array, place) for array, place in reads):
            return True
        for array, place in reads:
            last[array] = max(place, last.get(array, place))
    return False


def _accumulator(node: UOp) -> UOp:
    while node.op is Ops.ASSIGN:
        node = node.src[0]
    return node


def _reads(term: UOp, inside: set[UOp]) -> list[tuple[UOp, int]]:
    """The arrays that a term reads in this round, with the constant part of the place."""
    reads, seen, todo = [], {term}, [term]
    while todo:
        node = todo.pop()
        if node.op is Ops.LOAD:
            array, place = node.src[0].src
            reads.append((array, sym.linear(place)[0]))
            continue
        new = [s for s in dict.fromkeys(node.src) if s in inside and s not in seen and s.op is not Ops.ASSIGN]
        seen.update(new)
        todo.extend(new)
    return reads
