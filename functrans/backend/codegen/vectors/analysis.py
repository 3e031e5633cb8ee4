"""Whether the rounds of an innermost loop can be the lanes of vectors, and what its statements are then.

A value is uniform, the same in every round, or varying, a vector of the numbers of some rounds. Addresses stay single
numbers: that of the first lane, from which the others lie one number apart. Rounds are independent where each element
of an array that the loop writes belongs to one round; a reduction whose elements may go to several accumulators is one
array of these, and round k uses element k modulo their number.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from functrans import dtypes
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.vectors.spelling import has_spelling
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

_INDEX = frozenset({Ops.ADD, Ops.SUB, Ops.MUL, Ops.IDIV, Ops.MOD, Ops.MIN, Ops.MAX, Ops.CONST})
WIDEST = 64  # bytes of a vector


@dataclass(eq=False)
class Body:
    """The statements of a loop of so many rounds, the dtype of its numbers, and which of its nodes vary."""

    loop: UOp
    rounds: int
    items: list[UOp]
    dtype: DType
    varying: set[UOp] = field(default_factory=set)

    def stride(self, place: UOp) -> int | None:
        """By how much a place moves in a round; None if not by a constant."""
        return stride_of(place, self.loop, self.varying)

    def slots(self, place: UOp) -> int:
        """The number of accumulators, where a place is the round modulo it; 0 of other places. It is a power of two and
        no less than the longest vector that there is, so that none goes beyond the last of them.
        """
        modulo = place.op is Ops.MOD and place.src[0] is self.loop and place.src[1].op is Ops.CONST
        number = int(place.src[1].arg) if modulo else 0
        return number if number >= WIDEST // self.dtype.itemsize and number & (number - 1) == 0 else 0


def stride_of(place: UOp, loop: UOp, varying: Collection[UOp]) -> int | None:
    """By how much a place moves in a round of the loop; None if not by a constant."""
    _, terms = sym.linear(place)
    if any(t is not loop and t in varying for t in terms):
        return None
    return terms.get(loop, 0)


def body_of(loop: Loop, folded: Collection[UOp] = ()) -> Body | str:
    """The body of a loop that vectors can be made of, or why not. ``folded`` are the accumulators, of those that start
    before the loop, whose elements may go to several.
    """
    end = loop.range.src[0]
    if end.op is not Ops.CONST:
        return "only the call knows how many rounds it has"
    items = [u for u in loop.items if isinstance(u, UOp)]
    if len(items) < len(loop.items):
        return "it has loops inside"
    numbers = {u.src[0].dtype for u in items if u.op is Ops.STORE} | {u.dtype for u in items if u.op is Ops.ASSIGN}
    if len(numbers) != 1 or (dtype := numbers.pop()).kind != "f" or dtype.itemsize < 4:
        return "it is not of real numbers of one width"
    return _Analysis(Body(loop.range, int(end.arg), items, dtype), frozenset(folded)).run()


class _Analysis:
    def __init__(self, body: Body, folded: frozenset[UOp]) -> None:
        self.body, self.folded = body, folded
        self.inside = set(body.items)
        self.own = {u for u in body.items if u.op is Ops.DEFINE_ACC}
        self.stored = {u.src[0].src[0] for u in body.items if u.op is Ops.STORE}

    def run(self) -> Body | str:
        """The body with what varies, or why there are no vectors of it."""
        varying = self.body.varying
        varying.update({self.body.loop}, self.folded, self.own)
        for u in self.body.items:
            refused = self._statement(u)
            if refused:
                return refused
            if not varying.isdisjoint(u.src):
                varying.add(u)
        return self._dependence() or self.body

    def _statement(self, u: UOp) -> str:
        """Why there are no vectors of a statement; nothing if there are."""
        if u.op is Ops.LOAD:
            return self._load(u)
        if u.op is Ops.STORE:
            return self._store(u)
        if u.op is Ops.INDEX or (u.dtype == dtypes.index and u.op in _INDEX):
            return ""
        if u.op is Ops.CONST:
            return ""
        if u.op is Ops.DEFINE_ACC:
            return "" if u.dtype == self.body.dtype else "it is not of real numbers of one width"
        if u.op is Ops.ASSIGN:
            return "" if u.src[0] in self.own | self.folded else "a sum is taken in order"
        if u.op not in GroupOp.Elementwise:
            return f"{u.op.name} has no vectors"
        return self._value(u) if not self.body.varying.isdisjoint(u.src) else ""

    def _value(self, u: UOp) -> str:
        """Why an op on something that varies is not one on vectors."""
        numbers = u.src[1:] if u.op is Ops.WHERE else u.src
        fixed = [s for s in numbers if s not in self.body.varying]
        kinds = {s.dtype for s in (u, *u.src)} - {dtypes.bool_}
        if kinds - {self.body.dtype} or any(s.dtype == dtypes.bool_ for s in fixed):
            return "it is not of real numbers of one width"
        return "" if has_spelling(u) else f"{u.op.name} has no vectors"

    def _load(self, u: UOp) -> str:
        if len(u.src) > 1:
            return "a read is conditional"
        place = u.src[0].src[1]
        if any(s.op is Ops.LOAD for s in toposort((place,), enter=self.inside.__contains__)):
            return "where it reads is read from memory"
        stride = self.body.stride(place)
        if stride == 0:
            return "what it reads may be what it writes" if u.src[0].src[0] in self.stored else ""
        if u.dtype == dtypes.bool_:
            return "" if stride == 1 else "what it reads lies apart"
        if u.dtype != self.body.dtype:
            return "it is not of real numbers of one width"
        return "" if stride == 1 or self.body.slots(place) else "what it reads lies apart"

    def _store(self, u: UOp) -> str:
        if len(u.src) > 2:
            return "a write is conditional"
        place = u.src[0].src[1]
        if any(s.op is Ops.LOAD for s in toposort((place,), enter=self.inside.__contains__)):
            return "where it writes is read from memory"
        return "" if self.body.stride(place) == 1 or self.body.slots(place) else "what it writes lies apart"

    def _dependence(self) -> str:
        """Whether some round uses what another one writes."""
        stores = [u for u in self.body.items if u.op is Ops.STORE]
        uses = [u for u in self.body.items if u.op in (Ops.LOAD, Ops.STORE)]
        for store in stores:
            array, place = store.src[0].src
            for use in uses:
                other, at = use.src[0].src
                if other is array and at is not place and not _moves_apart(place, at, self.body.rounds):
                    return "a round may use what another one writes"
        return ""


def _moves_apart(a: UOp, b: UOp, rounds: int) -> bool:
    """Whether two places that move by one element a round are never the same."""
    distance, terms = sym.linear(sym.sub(a, b))
    return not terms and abs(distance) >= rounds
