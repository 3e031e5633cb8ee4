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
from functools import cached_property
from itertools import pairwise

from functrans import dtypes
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.varying import step_of, varying
from functrans.backend.codegen.vectors.spelling import has_spelling
from functrans.backend.policy import INTERLEAVED, LINE_BYTES
from functrans.backend.schedule.around import has_vectors
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

_KNOWN = frozenset({Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.ASSIGN, Ops.DEFINE_ACC, Ops.IF, Ops.ENDIF})


@dataclass(eq=False)
class Body:
    """The statements of a loop of so many rounds at most, which of its nodes vary, and the dtypes of its numbers."""

    loop: UOp
    rounds: int
    items: list[UOp]
    varying: set[UOp] = field(default_factory=set)
    needed: set[UOp] = field(default_factory=set)  # of the statements, those that are more than addresses
    serial: set[UOp] = field(default_factory=set)  # those that are done round by round, after the vectors
    dtypes: set[DType] = field(default_factory=set)

    @cached_property
    def stored(self) -> set[UOp]:
        """The arrays that are written."""
        return {u.src[0].src[0] for u in self.items if u.op is Ops.STORE}

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

    def gathered(self, place: UOp) -> tuple[UOp, UOp] | None:
        """Where a place is a number that is read in each round, and what is the same in all: that term of it, and the
        read. None of other places.
        """
        moving = {t: n for t, n in sym.linear(place)[1].items() if t in self.varying}
        (term, times), *more = moving.items() or [(self.loop, 0)]
        read = term
        while read.op is Ops.CAST and read.src[0].dtype.kind in "iu" and read.src[0].dtype.itemsize in (4, 8):
            read = read.src[0]
        if more or times != 1 or read is term or read.op is not Ops.LOAD or len(read.src) > 1:
            return None
        array, at = read.src[0].src
        return None if array in self.stored or self.stride(at) != 1 else (term, read)

    def slots(self, place: UOp, least: int = 0) -> int:
        """The number of accumulators, where a place is the round modulo it; 0 of other places. It is a power of two and
        no less than the longest vector that there is, so that none goes beyond the last of them.
        """
        modulo = place.op is Ops.MOD and place.src[0] is self.loop and place.src[1].op is Ops.CONST
        number = int(place.src[1].arg) if modulo and self.is_counted else 0
        return number if number >= (least or LINE_BYTES // self.widest) and number & (number - 1) == 0 else 0


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
    made = [u for u in items if u.op is Ops.ASSIGN]
    if len(made) > len(set(made)):
        if any(u.op is Ops.IF for u in items):
            return "it adds a number again, beside a condition"
        items = _assigned_once(items)
    return _Analysis(Body(loop.range, sym.bounds(loop.range.src[0])[1], items), frozenset(folded)).run()


def _assigned_once(items: list[UOp]) -> list[UOp]:
    """The statements with an assignment for each time that one stands there: where the same number is added again, it
    is the same node, and what is stored after the vectors would find what the last one made.
    """
    now: dict[UOp, UOp] = {}  # what stands for a node, and for an accumulator what it was given last
    found = []
    for u in items:
        target = u.src[:1] if u.op is Ops.ASSIGN else ()
        new = u.replace((*target, *(now.get(s, s) for s in u.src[len(target) :])))
        found.append(new)
        now[u] = new
        if target:
            now[target[0]] = new
    return found


class _Analysis:
    def __init__(self, body: Body, folded: frozenset[UOp]) -> None:
        self.body, self.folded = body, folded
        self.inside = set(body.items)
        self.own = {u for u in body.items if u.op is Ops.DEFINE_ACC}
        self.serial_arrays: set[UOp] = set()

    def run(self) -> Body | str:
        """The body with what varies, or why there are no vectors of it."""
        body = self.body
        if any(u.op not in _KNOWN and u.op not in GroupOp.Elementwise for u in body.items):
            return "it has more than values, reads and writes"
        body.varying |= varying(body.items, {body.loop} | self.folded | self.own)
        self.serial_arrays = self._shared()
        self._find_needed()
        found = {u for u in body.items if u.op is Ops.STORE and not self._is_side_by_side(u)} | self._guarded()
        while found or not body.dtypes:
            body.serial |= found
            self._close()
            body.dtypes = self._numbers()
            if not body.dtypes:
                return "nothing of it is in lanes"
            values = [u for u in body.items if u in body.needed and u not in body.serial]
            found = {u for u in values if self._is_serial(u)}
        if any(u.op is Ops.ASSIGN and u.src[0] in self.folded for u in body.serial):
            return "its sums would be taken one by one"
        return body

    def _close(self) -> None:
        """All that uses what is done round by round: so are its sums in order, and arrays are either or."""
        serial, before = self.body.serial, -1
        sums = {u.src[0] for u in self.body.items if u.op is Ops.ASSIGN} - self.own - self.folded
        while len(serial) > before:
            before = len(serial)
            for u in self.body.items:
                array = u.src[0].src[0] if u.op in (Ops.LOAD, Ops.STORE) else None
                if array in self.serial_arrays or not (sums | serial).isdisjoint(u.src):
                    serial.add(u)
                if u in serial and u.op is Ops.STORE and array is not None:
                    self.serial_arrays.add(array)
                if u in serial:
                    serial.update(self.own.intersection(u.src))
        self.body.varying |= serial

    def _guarded(self) -> set[UOp]:
        """What stands under a condition, and that."""
        found, depth = set(), 0
        for u in self.body.items:
            depth += u.op is Ops.IF
            if u.op in (Ops.IF, Ops.ENDIF) or (depth and u.op in (Ops.LOAD, Ops.STORE, Ops.ASSIGN)):
                found.add(u)
            depth -= u.op is Ops.ENDIF
        return found

    def _is_side_by_side(self, store: UOp) -> bool:
        place = store.src[0].src[1]
        if len(store.src) > 2 or self._is_read(place):
            return False
        slots = self.body.slots(place, LINE_BYTES // store.src[0].dtype.itemsize)
        return bool(slots or step_of(self.body.loop, place) == 1)

    def _is_read(self, place: UOp) -> bool:
        """Whether a place is read from memory in the loop."""
        return any(s.op is Ops.LOAD for s in toposort((place,), enter=self.inside.__contains__))

    def _find_needed(self) -> None:
        """All that more than addresses are made of, and what addresses are computed from but for what is read."""
        todo = [u for u in self.body.items if u.op in (Ops.STORE, Ops.ASSIGN, Ops.IF)]
        seen: set[UOp] = set()
        while todo:
            u = todo.pop()
            if u in seen or u not in self.inside:
                continue
            seen.add(u)
            read = _read(u) if u.op is Ops.CAST and u.dtype == dtypes.index else None
            computed = u.op is Ops.CAST and u.src[0].dtype != dtypes.index and read is None
            if computed or not (u.op is Ops.INDEX or u.dtype == dtypes.index):
                self.body.needed.add(u)
            todo.extend(u.src if read is None else read.src)

    def _numbers(self) -> set[DType]:
        """The dtypes of what is in lanes, but for conditions. A place as a number is one of 64 bits."""
        found = set()
        for u in self.body.needed - self.body.serial:
            if u.op is Ops.STORE:
                found.add(u.src[0].dtype)
            elif u in self.body.varying:
                found.add(u.dtype)
                gathered = self.body.gathered(u.src[0].src[1]) if u.op is Ops.LOAD else None
                if gathered is not None:
                    found.add(gathered[1].dtype)
                if u.op is Ops.CAST and u.src[0].dtype == dtypes.index:
                    found.add(dtypes.int64)
        return {d for d in found if has_vectors(d)}

    def _is_serial(self, u: UOp) -> bool:
        """Whether there are no vectors of a statement."""
        if u.op is Ops.LOAD:
            return not self._is_loaded(u)
        if u.op is Ops.STORE:
            index, place = u.src[0], u.src[0].src[1]
            is_mask = index.dtype == dtypes.bool_ and u.src[1] in self.body.varying
            lies = self.body.stride(place) == 1 or self.body.slots(place)
            return not lies or not (is_mask or has_vectors(index.dtype))
        if u.op in (Ops.CONST, Ops.ASSIGN) or u not in self.body.varying:
            return False
        return not (has_vectors(u.dtype) if u.op is Ops.DEFINE_ACC else self._is_value(u))

    def _is_value(self, u: UOp) -> bool:
        """Whether an op on something that varies is one on vectors."""
        kinds = {s.dtype for s in (u, *u.src)} - {dtypes.bool_, dtypes.index}
        if not all(map(has_vectors, kinds)):
            return False
        strides = [self.body.stride(s) for s in u.src if s.dtype == dtypes.index]
        exact = 1 << 16  # so that the numbers of all lanes are, in float32
        is_number = u.dtype != dtypes.index and has_spelling(u)
        return is_number and all(s is not None and abs(s) <= exact for s in strides)

    def _is_loaded(self, u: UOp) -> bool:
        """Whether there is a way to read a vector."""
        array, place = u.src[0].src
        if u.dtype != dtypes.bool_ and not has_vectors(u.dtype):
            return u not in self.body.varying
        stride, plain = self.body.stride(place), u.dtype != dtypes.bool_ and array not in self.body.stored
        if self._is_read(place):
            return len(u.src) == 1 and plain and self.body.gathered(place) is not None
        if len(u.src) > 1 and u.dtype == dtypes.bool_:
            return u not in self.body.varying
        if not self.body.varying.isdisjoint(u.src[1:]):
            return stride == 1 and u.src[1] not in self.body.varying
        if stride == 1 or self.body.slots(place):
            return True
        return plain and stride is not None

    def _shared(self) -> set[UOp]:
        """The arrays of which some round may use what another one writes that is done at once with it. Linear in the
        statements but for an order of the places.
        """
        uses: dict[UOp, dict[UOp, bool]] = {}
        for u in self.body.items:
            if u.op in (Ops.LOAD, Ops.STORE):
                array, place = u.src[0].src
                known = uses.setdefault(array, {})
                known[place] = known.get(place, False) or u.op is Ops.STORE
        return {a for a, places in uses.items() if any(places.values()) and self._meet(places)}

    def _meet(self, places: dict[UOp, bool]) -> bool:
        """Whether two places, of which one at least is written, may be the same in rounds that are done at once. They
        are not where they are that far apart, or as many elements as there are rounds, or some times as many.
        """
        end = self.body.loop.src[0]
        forms = [sym.linear(place) for place in places]
        bases = [frozenset((t, n) for t, n in terms.items() if t is not end) for _, terms in forms]
        times = [terms.get(end, 0) for _, terms in forms]
        if len(set(bases)) > 1:
            return True
        if len(set(times)) > 1:
            return len(set(times)) < len(times) or len({constant for constant, _ in forms}) > 1
        least = min(self.body.rounds, INTERLEAVED * LINE_BYTES // 4)
        ordered = sorted(zip((constant for constant, _ in forms), places.values(), strict=True))
        return any((p or q) and b - a < least for (a, p), (b, q) in pairwise(ordered))


def _read(u: UOp) -> UOp | None:
    """The read that a number is, of another dtype or not; None of one that is computed."""
    while u.op is Ops.CAST:
        u = u.src[0]
    return u if u.op is Ops.LOAD else None
