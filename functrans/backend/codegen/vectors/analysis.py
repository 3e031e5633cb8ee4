"""Whether the rounds of an innermost loop can be the lanes of vectors, and what its statements are then.

A value is uniform, the same in every round, or varying, a vector of the numbers of some rounds. Addresses stay single
numbers: that of the first lane, from which the others lie one number apart. Numbers of 32 and of 64 bits stand beside
each other, as many of both: as of the wider ones a vector holds. Rounds are independent where each element
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
STEEP = 1 << 16  # by which a place that is a number moves at most


@dataclass(eq=False)
class Body:
    """The statements of a loop of so many rounds at most, which of its nodes vary, and the dtypes of its numbers."""

    loop: UOp
    rounds: int
    items: list[UOp]
    varying: set[UOp] = field(default_factory=set)
    dtypes: set[DType] = field(default_factory=set)

    @property
    def is_counted(self) -> bool:
        """Whether the number of rounds is known before a call."""
        return self.loop.src[0].op is Ops.CONST

    @property
    def widest(self) -> int:
        """The bytes of its widest numbers."""
        return max(d.itemsize for d in self.dtypes)

    @property
    def narrowest(self) -> int:
        """The bytes of its narrowest numbers."""
        return min(d.itemsize for d in self.dtypes)

    def stride(self, place: UOp) -> int | None:
        """By how much a place moves in a round; None if not by a constant."""
        return stride_of(place, self.loop, self.varying)

    def slots(self, place: UOp) -> int:
        """The number of accumulators, where a place is the round modulo it; 0 of other places. It is a power of two and
        no less than the longest vector that there is, so that none goes beyond the last of them.
        """
        modulo = place.op is Ops.MOD and place.src[0] is self.loop and place.src[1].op is Ops.CONST
        number = int(place.src[1].arg) if modulo and self.is_counted else 0
        return number if number >= WIDEST // self.widest and number & (number - 1) == 0 else 0


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
    items = [u for u in loop.items if isinstance(u, UOp)]
    if len(items) < len(loop.items):
        return "it has loops inside"
    return _Analysis(Body(loop.range, sym.bounds(loop.range.src[0])[1], items), frozenset(folded)).run()


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
            if not varying.isdisjoint(u.src):
                varying.add(u)
        self.body.dtypes = self._numbers()
        if not self.body.dtypes or not all(d.kind in "fiu" and d.itemsize in (4, 8) for d in self.body.dtypes):
            return "it is not of real numbers and integers of 32 or 64 bits"
        return next(filter(None, map(self._statement, self.body.items)), "") or self._dependence() or self.body

    def _numbers(self) -> set[DType]:
        """The dtypes of what is in lanes, but for conditions. A place as a number is one of 64 bits."""
        found = {u.src[0].dtype for u in self.body.items if u.op is Ops.STORE}
        for u in self.body.items:
            if u in self.body.varying and u.op not in (Ops.INDEX, Ops.STORE):
                found.add(u.dtype)
                if u.op is Ops.CAST and u.src[0].dtype == dtypes.index:
                    found.add(dtypes.int64)
        return found - {dtypes.bool_, dtypes.index}

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
            return ""
        if u.op is Ops.ASSIGN:
            return "" if u.src[0] in self.own | self.folded else "a sum is taken in order"
        if u.op not in GroupOp.Elementwise:
            return f"{u.op.name} has no vectors"
        return self._value(u) if not self.body.varying.isdisjoint(u.src) else ""

    def _value(self, u: UOp) -> str:
        """Why an op on something that varies is not one on vectors."""
        numbers = u.src[1:] if u.op is Ops.WHERE else u.src
        if any(s.dtype == dtypes.bool_ for s in numbers if s not in self.body.varying):
            return "a condition is the same in every round"
        strides = [self.body.stride(s) for s in u.src if s.dtype == dtypes.index]
        if any(s is None or abs(s) > STEEP for s in strides):
            return "a place is a number that does not move by a constant"
        return "" if has_spelling(u) else f"{u.op.name} has no vectors"

    def _load(self, u: UOp) -> str:
        place = u.src[0].src[1]
        if any(s.op is Ops.LOAD for s in toposort((place,), enter=self.inside.__contains__)):
            return "where it reads is read from memory"
        stride = self.body.stride(place)
        if len(u.src) > 1 and (u.src[1] in self.body.varying or u.src[2] in self.body.varying):
            near = stride == 1 and u.dtype != dtypes.bool_ and u.src[1] not in self.body.varying
            return "" if near else "a read is conditional"
        if stride == 0:
            return "what it reads may be what it writes" if u.src[0].src[0] in self.stored else ""
        if u.dtype == dtypes.bool_ or u.src[0].src[0] in self.stored:
            return "" if stride == 1 or self.body.slots(place) else "what it reads lies apart"
        return "" if stride is not None or self.body.slots(place) else "what it reads lies anywhere"

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
