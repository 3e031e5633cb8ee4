"""Long reductions as lanes compute them: the same accumulators, one after the other instead of side by side.

Where the lanes are those of a batch, a reduction needs no vector of accumulators: each is one register of lanes. The
elements go to the same accumulators and those are folded in the same order as in ``partial``, so a row has the same
bits either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from functrans import dtypes
from functrans.backend.codegen.lanes.rows import along
from functrans.backend.codegen.nest import Loop, loop_of, nest
from functrans.backend.codegen.partial import Group, Partial, extent_of, groups_of
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.kernel import is_bound
from functrans.ops.uop import UOp

STRAIGHT = 256  # statements of a reduction without a loop
MAX_FAR_READS = 1024  # of a loop whose reads may be far apart in any order
MAX_NEAR_STRIDE = 63  # places between two reads that are not far apart
AT_ONCE = 8  # rounds of a loop that are written out


def straight(uops: list[UOp], wide: Sequence[UOp]) -> list[UOp]:
    """The statements with every long reduction split, those inside of the loops over ``wide`` for lanes. Linear in
    their number times the depth of the loops.
    """
    top = nest(uops)
    groups = groups_of(uops, top)
    if not groups:
        return uops
    writer = _Straight(uops, groups, set(chain.from_iterable(map(_loops, (loop_of(r, top) for r in wide)))))
    writer.items(top)
    return writer.out


def _loops(loop: Loop) -> Iterator[Loop]:
    """The loops inside of a loop."""
    for item in loop.items:
        if isinstance(item, Loop):
            yield item
            yield from _loops(item)


class _Straight(Partial):
    def __init__(self, uops: list[UOp], groups: list[Group], within: set[Loop]) -> None:
        super().__init__(uops, groups)
        inside = [g for g in groups if len(g.loops) == 1 and not g.blocked and g.loops[0] in within]
        simple = [g for g in inside if _is_flat(g.loops[0]) and not _is_long(g.loops[0])]
        self.simple = {g.loops[0]: g for g in simple}
        self.single = {s for g in simple for s in g.splits}

    def copy(self, old: UOp) -> UOp:
        """Write a statement; an accumulator that is written more than once is another one each time."""
        if old.op is not Ops.DEFINE_ACC or not self.running:
            return super().copy(old)
        new = self._accumulator(self.now(old.src[0]))
        self.become(old, new)
        return new

    def _loop(self, loop: Loop) -> None:
        if loop not in self.simple:
            super()._loop(loop)
            return
        group = self.simple[loop]
        body = [u for u in loop.walk() if u.dtype != dtypes.index and u.op is not Ops.INDEX]
        if extent_of(loop) * len(body) <= STRAIGHT and not any(_is_far(u, loop) for u in body):
            totals = self._tree(group, 0, 1)
        else:
            self._array_by_array(group)
            totals = self._folded(group.splits)
        for split, total in zip(group.splits, totals, strict=True):
            self.become(split.start, total)

    def _tree(self, group: Group, p: int, apart: int) -> list[UOp]:
        """The accumulators p, p + apart, p + 2 apart ... folded, each computed where it is wanted first."""
        if apart < group.lanes:
            a = self._tree(group, p, 2 * apart)
            b = self._tree(group, p + apart, 2 * apart)
            ops = [s.assign.src[1].op for s in group.splits]
            return [self.value(UOp(op, x.dtype, (x, y))) for op, x, y in zip(ops, a, b, strict=True)]
        places = range(p, extent_of(group.loops[0]), group.lanes)
        return self._sums(group, [self.first[s] for s in group.splits], [sym.const(k) for k in places])

    def _sums(self, group: Group, first: list[UOp], places: list[UOp]) -> list[UOp]:
        """The elements at the places, taken in one after the other."""
        self.running.update(zip(group.splits, first, strict=True))
        for place in places:
            self.become(group.loops[0].range, self.value(place))
            self.items(group.loops[0].items)
        return [self.running[s] for s in group.splits]

    def _array_by_array(self, group: Group) -> None:
        """Each accumulator over all of its elements, then kept in an array."""
        lanes = group.lanes
        whole, rest = divmod(extent_of(group.loops[0]), lanes)
        for split in group.splits:
            self.parts[split] = self._array(split.start.dtype, lanes)
        p = self.open(self.fresh(self.number(lanes)))
        self._store_all(group, p, self._rounds_of(group, p, whole))
        self.close(p)
        if rest:
            p = self.open(self.fresh(self.number(rest)))
            first = [self._load(self.parts[s], p) for s in group.splits]
            self._store_all(group, p, self._sums(group, first, [sym.add(p, sym.const(whole * lanes))]))
            self.close(p)

    def _store_all(self, group: Group, p: UOp, values: list[UOp]) -> None:
        for split, value in zip(group.splits, values, strict=True):
            self._store(self.parts[split], p, value)

    def _rounds_of(self, group: Group, p: UOp, rounds: int) -> list[UOp]:
        """The accumulators of number p over whole rounds, a few at a time."""
        lanes, first = group.lanes, [self.first[s] for s in group.splits]
        if rounds <= AT_ONCE:
            return self._sums(group, first, [sym.add(p, sym.const(k * lanes)) for k in range(rounds)])
        made = [self._accumulator(f) for f in first]
        o = self.open(self.fresh(self.number(rounds // AT_ONCE)))
        start = sym.add(sym.mul(o, AT_ONCE * lanes), p)
        self._add_to(group, made, [sym.add(start, sym.const(k * lanes)) for k in range(AT_ONCE)])
        self.close(o)
        left = range(rounds - rounds % AT_ONCE, rounds)
        if left:
            self._add_to(group, made, [sym.add(p, sym.const(k * lanes)) for k in left])
        return made

    def _accumulator(self, first: UOp) -> UOp:
        self.accumulators += 1
        return self.statement(UOp(Ops.DEFINE_ACC, first.dtype, (first,), self.accumulators - 1))

    def _add_to(self, group: Group, made: list[UOp], places: list[UOp]) -> None:
        for acc, total in zip(made, self._sums(group, list(made), places), strict=True):
            self.statement(UOp(Ops.ASSIGN, acc.dtype, (acc, total)))


def _is_flat(loop: Loop) -> bool:
    return not any(isinstance(item, Loop) or is_bound(item) for item in loop.items)


def _is_long(loop: Loop) -> bool:
    """Whether the elements are read in their order, as memory is fast: so many of them are not near."""
    return extent_of(loop) > MAX_FAR_READS and any(isinstance(u, UOp) and _is_far(u, loop) for u in loop.items)


def _is_far(u: UOp, loop: Loop) -> bool:
    """Whether the statement reads an input, each round of the loop in another part of it: few at a time are fast."""
    if u.op is not Ops.LOAD or u.src[0].src[0].op is not Ops.DEFINE_GLOBAL:
        return False
    stride = along(loop, u.src[0].src[1])
    return stride is None or abs(stride) > MAX_NEAR_STRIDE


