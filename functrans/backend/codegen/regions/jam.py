"""Unroll and jam: rows of a matrix product go side by side, so that what they share is read once.

A loop over rows around one reduction does several rows a round; the reductions share a loop. The order of each sum
stays. One sum waits for itself at every term; several, and several vectors, fill that time. What follows the sums of a
row is written for two rows, in a loop of its own over these, where it is long: it is most of what the compiler reads.

Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 8.4.
"""

from __future__ import annotations

from collections.abc import Iterable

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.regions.side_by_side import lanes
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.policy import INTERLEAVED
from functrans.backend.schedule.inline import simplest
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import LocalArg, is_bound
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

LATER = 2  # rows whose sums are followed by elementary functions, in a round: one alone waits for itself


def jammed(uops: list[UOp], of_lanes: bool = False) -> list[UOp]:
    """The statements with such loops made, those in loops of lanes alone if that is said. Linear in the list that is
    made.
    """
    writer = _Writer(uops)
    writer.items(nest(uops), {}, not of_lanes)
    return writer.out


class _Writer:
    def __init__(self, uops: list[UOp]) -> None:
        self.out: list[UOp] = []
        self.start = 0  # where arrays are made
        self.loops = 1 + max((u.arg[0] for u in uops if u.op is Ops.RANGE), default=-1)
        self.locals = 1 + max((u.arg.number for u in uops if u.op is Ops.DEFINE_LOCAL), default=-1)
        self.accumulators = 1 + max((u.arg for u in uops if u.op is Ops.DEFINE_ACC), default=-1)
        self.again = False  # whether statements are written a second time, for the rows that fill no vector
        self.placed: list[set[UOp]] = [set()]  # in each open scope, what stands there

    def items(self, items: Iterable[UOp | Loop], now: dict[UOp, UOp], here: bool = True) -> None:
        """Write statements and loops; ``now`` says what stands for nodes of the old list. Rows are jammed ``here``."""
        for item in items:
            if isinstance(item, UOp):
                self._copy(item, now)
            elif here and item.range.arg[1] is AxisType.VECTOR and extent(item.range) % lanes():
                self._parted(item, now)
            elif here and _is_rows(item):
                self._rows(item, now)
            else:
                self._loop(item, now, here or item.range.arg[1] is AxisType.LANES)

    def _parted(self, item: Loop, now: dict[UOp, UOp]) -> None:
        """Rows that fill vectors, and the rest."""
        rest = extent(item.range) % lanes()
        start = extent(item.range) - rest
        opened = self._open(item.range, self._number(start))
        self.items(item.items, now | {item.range: opened})
        self._close(opened)
        self.again = True
        self._rest(item, now, start, rest)
        self.again = False

    def _loop(self, item: Loop, now: dict[UOp, UOp], here: bool) -> None:
        opened = self._open(item.range, self._now(item.range.src[0], now))
        if item.range.arg[1] is AxisType.LANES:
            self.start = len(self.out)
        self.items(item.items, now | {item.range: opened}, here)
        self._close(opened)

    def _open(self, old: UOp, end: UOp) -> UOp:
        kind = AxisType.LOOP if self.again else old.arg[1]
        made = UOp(Ops.RANGE, old.dtype, (end,), (self.loops, kind))
        self.loops += 1
        self.out.append(made)
        self.placed.append({made})
        return made

    def _close(self, opened: UOp) -> None:
        self.placed.pop()
        self.out.append(UOp(Ops.ENDRANGE, dtypes.void, (opened,)))

    def _now(self, node: UOp, now: dict[UOp, UOp]) -> UOp:
        return now.get(node, node)

    def _number(self, n: int) -> UOp:
        return self._value(UOp.const(dtypes.index, n))

    def _value(self, node: UOp) -> UOp:
        if any(node in placed for placed in self.placed):
            return node  # and so do its sources: without this each path to them would be gone along
        for s in node.src:
            if s.op is not Ops.RANGE:
                self._value(s)
        self.placed[-1].add(node)
        self.out.append(node)
        return node

    def _copy(self, old: UOp, now: dict[UOp, UOp], shared: set[UOp] | None = None) -> None:
        """Write a statement; one that is ``shared`` with a row before stands already."""
        src = tuple(self._now(s, now) for s in old.src)
        if old.op is Ops.DEFINE_ACC and (self.again or shared is not None):
            new = UOp(old.op, old.dtype, src, self.accumulators)
            self.accumulators += 1
        elif old.dtype == dtypes.index and old.op not in (Ops.INDEX, Ops.LOAD) and old.src:
            now[old] = self._value(simplest(old, src))
            return
        else:
            new = old.replace(src)
        now[old] = new
        if shared is not None and old.op in (Ops.LOAD, Ops.INDEX, Ops.CONST):
            if new in shared:
                return
            shared.add(new)
        self.placed[-1].add(new)
        self.out.append(new)

    def _rows(self, item: Loop, now: dict[UOp, UOp]) -> None:
        """Whole groups of rows, and the rest one by one."""
        groups, rest = divmod(int(item.range.src[0].arg), INTERLEAVED)
        at = next(k for k, x in enumerate(item.items) if isinstance(x, Loop))
        before, inner, after = item.items[:at], item.items[at], item.items[at + 1 :]
        assert isinstance(inner, Loop)
        outer = self._open(item.range, self._number(groups))
        rows = [dict(now) for _ in range(INTERLEAVED)]
        first = self._times(outer, INTERLEAVED)
        shared: set[UOp] = set()
        for r, known in enumerate(rows):
            known[item.range] = self._plus(first, self._number(r))
            self._each(before, known, shared)
        opened = self._open(inner.range, self._now(inner.range.src[0], rows[0]))
        shared = set()
        for known in rows:
            known[inner.range] = opened
            self._each(inner.items, known, shared)
        self._close(opened)
        if any(u.op in ELEMENTARY for u in after if isinstance(u, UOp)):
            self._later(item, before, after, first, rows)
        else:
            shared = set()
            for known in rows:
                self._each(after, known, shared)
        self._close(outer)
        if rest:
            self._rest(item, now, groups * INTERLEAVED, rest)

    def _later(
        self, item: Loop, before: list[UOp | Loop], after: list[UOp | Loop], first: UOp, rows: list[dict[UOp, UOp]]
    ) -> None:
        """What follows the sums of each row, in a loop that finds them in arrays."""
        sums: dict[UOp, UOp] = {}
        for u in (x for x in before if isinstance(x, UOp) and x.op is Ops.DEFINE_ACC):
            array = UOp(Ops.DEFINE_LOCAL, u.dtype, (), LocalArg(self.locals, INTERLEAVED))
            self.locals += 1
            self.out.insert(self.start, array)
            sums[u] = array
            for r, known in enumerate(rows):
                place = UOp(Ops.INDEX, array.dtype, (array, self._number(r)))
                self.out += [place, UOp(Ops.STORE, dtypes.void, (place, known[u]))]
        opened = self._open(item.range, self._number(INTERLEAVED // LATER))
        shared: set[UOp] = set()
        for j in range(LATER):
            at = self._plus(self._times(opened, LATER), self._number(j))
            known = {**rows[0], item.range: self._plus(first, at)}
            for x in before:
                assert isinstance(x, UOp)
                if x not in sums:
                    self._copy(x, known, shared)
                    continue
                place = UOp(Ops.INDEX, x.dtype, (sums[x], at))
                known[x] = UOp(Ops.LOAD, x.dtype, (place,))
                self.out += [place, known[x]]
            self._each(after, known, shared)
        self._close(opened)

    def _plus(self, a: UOp, b: UOp) -> UOp:
        return self._value(simplest(UOp(Ops.ADD, dtypes.index, (a, b)), (a, b)))

    def _times(self, a: UOp, n: int) -> UOp:
        k = self._number(n)
        return self._value(simplest(UOp(Ops.MUL, dtypes.index, (a, k)), (a, k)))

    def _each(self, items: Iterable[UOp | Loop], known: dict[UOp, UOp], shared: set[UOp] | None) -> None:
        for x in items:
            assert isinstance(x, UOp)
            self._copy(x, known, shared)

    def _rest(self, item: Loop, now: dict[UOp, UOp], start: int, rows: int) -> None:
        opened = self._open(item.range, self._number(rows))
        self.items(item.items, now | {item.range: self._plus(opened, self._number(start))})
        self._close(opened)


def _is_rows(loop: Loop) -> bool:
    """Whether a loop is over rows that are independent, each with one reduction that begins and ends in it."""
    end = loop.range.src[0]
    inner = [x for x in loop.items if isinstance(x, Loop)]
    taken = loop.range.arg[1] is AxisType.VECTOR
    if taken or end.op is not Ops.CONST or end.arg < 2 * INTERLEAVED or len(inner) != 1:
        return False
    if any(isinstance(x, Loop) for x in inner[0].items) or inner[0].range.src[0] in set(loop.walk()):
        return False
    own = {u for u in loop.walk() if u.op is Ops.DEFINE_ACC}
    stored = {u.src[0].src[0] for u in loop.walk() if u.op is Ops.STORE}
    for u in loop.walk():
        carried = u.op is Ops.ASSIGN and u.src[0] not in own
        if carried or is_bound(u) or (u.op is Ops.LOAD and u.src[0].src[0] in stored):
            return False
    return all(u.op is not Ops.STORE for u in inner[0].items if isinstance(u, UOp)) and bool(own)
