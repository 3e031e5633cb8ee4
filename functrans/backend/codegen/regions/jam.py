"""Unroll and jam: rows of a matrix product go side by side, so that what they share is read once.

A loop over rows around one reduction does several rows a round; the reductions share a loop. The order of each sum
stays. One sum waits for itself at every term; several, and several vectors, fill that time. What follows the sums of a
row is written for two rows, in a loop of its own over these, where it is long: it is most of what the compiler reads.

Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 8.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.policy import INTERLEAVED, L1_BYTES, NARROWEST_BYTES
from functrans.backend.schedule.inline import simplest
from functrans.dtypes import DType
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import is_bound
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

MOST_SIDES = 4  # vectors of rows that go side by side
LATER = 2  # rows whose sums are followed by elementary functions, in a round: one alone waits for itself


def jammed(uops: list[UOp], of_lanes: bool = False, rows: int = 1) -> list[UOp]:
    """The statements with such loops made, those in loops of lanes alone if that is said. What goes through rows in
    vectors, each of so many, is parted into loops over whole ones. Linear in the list that is made.
    """
    writer = _Jammed(uops, not of_lanes, rows)
    writer.items(nest(uops))
    return writer.out


class _Jammed(Writer):
    """Writes the list. Rows are jammed ``here``."""

    def __init__(self, uops: list[UOp], here: bool, rows: int) -> None:
        super().__init__(uops)
        self.here, self.rows = here, rows
        self.start = 0  # where arrays are made
        self.is_again = False  # whether statements are written a second time, for the last rows

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, that over rows by several of them."""
        if self.here and loop.range.arg[1] is AxisType.VECTOR:
            self._parted(loop)
        elif self.here and _is_rows(loop):
            self._rows(loop)
        else:
            outside = self.here
            self.here |= loop.range.arg[1] is AxisType.LANES
            self._some(loop, self.now(loop.range.src[0]))
            self.here = outside

    def _parted(self, loop: Loop) -> None:
        """Rows in pieces of whole vectors."""
        for k, (first, rows) in enumerate(_pieces(extent(loop.range), self.rows)):
            self.is_again = k > 0
            self._some(loop, self.number(rows), first)
        self.is_again = False

    def _some(self, loop: Loop, end: UOp, first: int = 0) -> None:
        """So many rounds of a loop, from one on."""
        opened = self._open(loop.range, end)
        if loop.range.arg[1] is AxisType.LANES:
            self.start = len(self.out)
        self.become(loop.range, self._plus(opened, self.number(first)) if first else opened)
        self.items(loop.items)
        self.close(opened)

    def _open(self, old: UOp, end: UOp) -> UOp:
        one_row = old.arg[1] is AxisType.VECTOR and end.arg == 1
        return self.open(self.fresh(end, AxisType.LOOP if one_row else old.arg[1]))

    def one(self, old: UOp, shared: set[UOp] | None = None) -> None:
        """Write a statement; one that is ``shared`` with a row before stands already."""
        src = tuple(self.now(s) for s in old.src)
        if old.op is Ops.DEFINE_ACC and (self.is_again or shared is not None):
            self.become(old, self.accumulator(old))
            return
        if old.dtype == dtypes.index and old.op not in (Ops.INDEX, Ops.LOAD) and old.src:
            self.become(old, self.value(simplest(old, src)))
            return
        new = old.replace(src)
        self.become(old, new)
        if shared is not None and old.op in (Ops.LOAD, Ops.INDEX, Ops.CONST):
            if new in shared:
                return
            shared.add(new)
        self.statement(new)

    def _rows(self, loop: Loop) -> None:
        """Whole groups of rows, and the rest one by one."""
        groups, rest = divmod(int(loop.range.src[0].arg), INTERLEAVED)
        at = next(k for k, x in enumerate(loop.items) if isinstance(x, Loop))
        before, inner, after = loop.items[:at], loop.items[at], loop.items[at + 1 :]
        assert isinstance(inner, Loop)
        many = groups * INTERLEAVED
        until, kept = _cut(before, after) if 8 * many <= L1_BYTES else (len(after), [])  # arrays of many rows are far
        earlier, after = [*before, *after[:until]], after[until:]
        arrays = {u: self._array(u.dtype, many) for u in kept}
        outer = self._open(loop.range, self.number(groups))
        rows: list[dict[UOp, UOp]] = [{} for _ in range(INTERLEAVED)]
        first = self._times(outer, INTERLEAVED)
        for r, known in enumerate(rows):
            known[loop.range] = self._plus(first, self.number(r))
        self._each_of(before, rows)
        opened = self._open(inner.range, self.now(inner.range.src[0]))
        for known in rows:
            known[inner.range] = opened
        self._each_of(inner.items, rows)
        self.close(opened)
        self._each_of(earlier[at:], rows)
        for u, array in arrays.items():
            for known in rows:
                self.store(array, known[loop.range], known[u])
        self.close(outer)
        if arrays:
            self._later(loop, earlier, after, arrays, many // LATER)
        if rest:
            self._some(loop, self.number(rest), many)

    def _array(self, dtype: DType, elements: int) -> UOp:
        """An array that is made where arrays are made."""
        array = self.array(dtype, elements)
        self.out.insert(self.start, self.out.pop())
        return array

    def _each_of(self, items: Sequence[UOp | Loop], rows: list[dict[UOp, UOp]]) -> None:
        """Statements of each row."""
        shared: set[UOp] = set()
        for known in rows:
            self._each(items, known, shared)

    def _later(
        self, loop: Loop, earlier: list[UOp | Loop], after: list[UOp | Loop], arrays: dict[UOp, UOp], rounds: int
    ) -> None:
        """What follows the sums of rows, in a loop of its own behind those of all rows that finds them in arrays: so
        neither waits for the other.
        """
        needed = _needed(earlier, after)
        opened = self._open(loop.range, self.number(rounds))
        shared: set[UOp] = set()
        for j in range(LATER):
            at = self._plus(self._times(opened, LATER), self.number(j))
            known = {loop.range: at}
            for x in earlier:
                if isinstance(x, UOp) and x in arrays:
                    known[x] = self.load(arrays[x], at)
                elif x in needed:
                    self._each([x], known, shared)
            self._each(after, known, shared)
        self.close(opened)

    def _plus(self, a: UOp, b: UOp) -> UOp:
        return self.value(UOp(Ops.ADD, dtypes.index, (a, b)))

    def _times(self, a: UOp, n: int) -> UOp:
        return self.value(UOp(Ops.MUL, dtypes.index, (a, self.number(n))))

    def _each(self, items: Iterable[UOp | Loop], known: dict[UOp, UOp], shared: set[UOp]) -> None:
        """Statements of a row, of which it is known what stands for their sources."""
        self._known.append(known)
        for x in items:
            assert isinstance(x, UOp)
            self.one(x, shared)
        self._known.pop()


def _is_rows(loop: Loop) -> bool:
    """Whether a loop is over rows that are independent, each with one reduction that begins and ends in it."""
    end = loop.range.src[0]
    inner = loop.inner
    taken = loop.range.arg[1] is AxisType.VECTOR
    if taken or end.op is not Ops.CONST or end.arg < 2 * INTERLEAVED or len(inner) != 1:
        return False
    if inner[0].inner or inner[0].range.src[0] in set(loop.walk()):
        return False
    own = {u for u in loop.walk() if u.op is Ops.DEFINE_ACC}
    stored = {u.src[0].src[0] for u in loop.walk() if u.op is Ops.STORE}
    for u in loop.walk():
        carried = u.op is Ops.ASSIGN and u.src[0] not in own
        if carried or is_bound(u) or (u.op is Ops.LOAD and u.src[0].src[0] in stored):
            return False
    return all(u.op is not Ops.STORE for u in inner[0].items if isinstance(u, UOp)) and bool(own)


def _cut(before: Sequence[UOp | Loop], after: Sequence[UOp | Loop]) -> tuple[int, list[UOp]]:
    """Where what follows the sums of a row goes to a loop of its own, and what it finds there in arrays: at the first
    elementary function, or at once, where more values than these sums would be kept otherwise. Nothing is kept where
    none follows: all stands in the loop of the sums.
    """
    sums = {x for x in before if isinstance(x, UOp) and x.op is Ops.DEFINE_ACC}
    following = [u for u in after if isinstance(u, UOp)]
    first = next((k for k, u in enumerate(following) if u.op in ELEMENTARY), None)
    if first is not None:
        parted = any(u.op in (Ops.IF, Ops.ENDIF) for u in following)
        for at in (0,) if parted else (first, 0):
            own = {*sums, *following[:at]}
            kept = _kept([*before, *following[:at]], following[at:])
            goes_on = any(u.op is Ops.ASSIGN and u.src[0] in own for u in following[at:])  # no array takes more
            if not goes_on and 0 < len(kept) <= len(sums):
                return at, kept
    return len(following), []


def _needed(earlier: Sequence[UOp | Loop], later: Sequence[UOp | Loop]) -> set[UOp]:
    """What statements need of earlier ones: numbers, and what is made of places alone, which is made again."""
    made = {x for x in earlier if isinstance(x, UOp)}
    return made & set(toposort([x for x in later if isinstance(x, UOp)], lambda u: u not in made or _is_again(u)))


def _kept(earlier: Sequence[UOp | Loop], later: Sequence[UOp | Loop]) -> list[UOp]:
    """The numbers among them, in order."""
    needed = _needed(earlier, later)
    return [x for x in earlier if x in needed and isinstance(x, UOp) and not _is_again(x)]


def _is_again(u: UOp) -> bool:
    return u.dtype == dtypes.index or u.op in (Ops.INDEX, Ops.LOAD, Ops.CONST)


def _pieces(n: int, rows: int) -> list[tuple[int, int]]:
    """Where loops over n rows, at least as many as a vector has, begin and how many they go through: several vectors
    side by side, two, then two, a vector, a part of one, or one row, which ends where the rows end. Some rows may be in
    two.
    """
    found, at = list[tuple[int, int]](), 0
    for many in (MOST_SIDES * rows, 2 * rows):
        if n - at >= many:
            found.append((at, (n - at) // many * many))
            at = sum(found[-1])
    rest = n - at
    if found and rest > rows:
        return [*found, (n - 2 * rows, 2 * rows)]
    if rest >= rows:
        found, rest = [*found, (at, rows)], rest - rows
    if rest > 1:
        rest = min(rows, max(NARROWEST_BYTES // 4, 1 << (rest - 1).bit_length()))
    return [*found, (n - rest, rest)] if rest else found
