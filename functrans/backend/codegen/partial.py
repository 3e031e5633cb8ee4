"""Long reductions in several accumulators, folded into one at the end.

Element k of a reduction goes to accumulator k modulo their number. That breaks the chain of dependent additions, lets
the compiler make vectors of the accumulators, and makes the rounding error of a sum as much smaller; sums of
more than a block are summed block by block besides. Of truths and of integers as short as bytes, the accumulators of a
block are short too: vectors of many. The order is a function of the extents alone, so a row of a batch has the same
bits whatever the batch. Halves of the accumulators are combined until one is left. Reductions that share their loops
are split together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import NARROWEST_BYTES, SUM_BLOCK, SUM_ROUNDS
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp


@dataclass(eq=False)
class Split:
    """A reduction to be split: its accumulator, and its step."""

    start: UOp
    assign: UOp

    short: dtypes.DType | None = None
    """What accumulators of a block hold, where that is shorter than the sum."""

    @property
    def lanes(self) -> int:
        """How many accumulators."""
        if self.short is None:
            return lanes_of(self.start.dtype)
        return 2 * max(target().bytes, NARROWEST_BYTES) // self.short.itemsize  # at least 16, so 256 terms at the most

    @property
    def op(self) -> Ops:
        """What combines two elements."""
        return self.assign.src[1].op

    @property
    def is_watched(self) -> bool:
        """Whether NaN is looked for apart."""
        return self.op in (Ops.MAX, Ops.MIN) and self.start.dtype.kind == "f"


@dataclass(eq=False)
class Group:
    """Reductions in the same loops, outermost first."""

    loops: list[Loop]
    splits: list[Split]

    @property
    def lanes(self) -> int:
        """How many accumulators each of them has."""
        return self.splits[0].lanes

    @property
    def blocked(self) -> bool:
        """Whether the sums of blocks are summed."""
        first = self.splits[0]
        return first.short is not None or is_blocked(first.assign, prod(extent_of(loop) for loop in self.loops))

    @property
    def is_vectors(self) -> bool:
        """Whether the innermost loop is written with vectors."""
        return bool(self.loops[-1].range.arg[1] is AxisType.VECTOR)


def partial(uops: list[UOp], outermost: bool = False) -> list[UOp]:
    """The statements with every long reduction split, or those that stand in no loop. Linear in their number times the
    depth of the loops.
    """
    top = nest(uops)
    groups = [_shortened(g) for g in groups_of(uops, top) if not outermost or g.loops[0] in top]
    if not groups:
        return uops
    writer = Partial(uops, groups)
    writer.items(top)
    return writer.out


def _shortened(group: Group) -> Group:
    """The reductions; sums of truths and of short integers with accumulators that hold those of a block, of which four
    or eight times as many are vectors. Integers are the same in every order.
    """
    kinds = {_short(s.assign) for s in group.splits}
    short = kinds.pop() if len(kinds) == 1 else None
    if short is None or group.is_vectors:
        return group
    found = Group(group.loops, [Split(s.start, s.assign, short) for s in group.splits])
    return found if extent_of(group.loops[-1]) >= 2 * found.lanes else group


def _short(step: UOp) -> dtypes.DType | None:
    """The shortest integers that hold a block of the terms of a sum of integers, if they are shorter than the sum."""
    term = _term(step)
    if term is None or step.dtype.kind not in "iu":
        return None
    given = term.src[0].dtype
    found = _SUMS.get((given.kind, _width(term.src[0])))
    return found if found is not None and found.itemsize < step.dtype.itemsize else None


def _width(node: UOp) -> int:
    """The bytes of a number; of a truth those of the numbers that it is made of, by which there are vectors."""
    if node.dtype.kind != "b" or node.op is Ops.LOAD:
        return node.dtype.itemsize
    return max((_width(s) for s in node.src if s.op is not Ops.CONST), default=1)


def _term(step: UOp) -> UOp | None:
    """What a step of a sum adds, if that is made longer for it."""
    if step.src[1].op is not Ops.ADD:
        return None
    others = [s for s in step.src[1].src if s is not step.src[0]]
    return others[0] if len(others) == 1 and others[0].op is Ops.CAST else None


_SUMS = {
    ("b", 1): dtypes.uint8, ("b", 2): dtypes.uint16, ("b", 4): dtypes.uint32, ("u", 1): dtypes.uint16,
    ("i", 1): dtypes.int16, ("u", 2): dtypes.uint32, ("i", 2): dtypes.int32,
}  # fmt: skip
"""Integers that hold as many of these as an accumulator takes of a block."""


def lanes_of(dtype: dtypes.DType) -> int:
    """How many accumulators a long reduction has."""
    return 32 if dtype.itemsize <= 4 else 16


def is_blocked(step: UOp, elements: int) -> bool:
    """Whether a reduction of so many elements is one of blocks."""
    return step.src[1].op is Ops.ADD and dtypes.is_inexact(step.dtype) and elements > SUM_BLOCK


def extent_of(loop: Loop) -> int:
    """The rounds of a loop; 0 where only the call knows."""
    return int(loop.range.src[0].arg) if loop.range.src[0].op is Ops.CONST else 0


def readers_of(uops: list[UOp]) -> dict[UOp, set[UOp]]:
    """What reads each accumulator, and the value of each of its steps."""
    readers: dict[UOp, set[UOp]] = {}
    for u in uops:
        for s in u.src:
            if s.op in (Ops.DEFINE_ACC, Ops.ASSIGN):
                readers.setdefault(s, set()).add(u)
    return readers


def groups_of(uops: list[UOp], top: list[UOp | Loop]) -> list[Group]:
    """The accumulators that nothing but their step reads inside of their loops."""
    readers = readers_of(uops)
    found: list[Group] = []
    todo: list[tuple[list[UOp | Loop], list[Loop]]] = [(top, [])]
    home: dict[UOp, int] = {}  # how deep an accumulator starts
    times: dict[UOp, int] = {}  # how many steps it has
    while todo:
        items, around = todo.pop()
        for item in items:
            if isinstance(item, Loop):
                todo.append((item.items, [*around, item]))
            elif item.op is Ops.DEFINE_ACC:
                home[item] = len(around)
        steps = steps_of(items)
        for step in steps:
            times[step.src[0]] = times.get(step.src[0], 0) + 1
        loops = around[home[steps[0].src[0]] :] if steps else []
        if not loops or extent_of(loops[-1]) < SUM_ROUNDS or not all(map(extent_of, loops)):
            continue
        if any(loop.range.arg[1] is AxisType.LANES for loop in around) and all(s.dtype.kind in "biux" for s in steps):
            continue  # the same in every order: lanes are vectors already, and one accumulator is a register
        inside = set(loops[0].walk())
        together = len({(home[s.src[0]], lanes_of(s.dtype)) for s in steps}) == 1
        if together and all(is_alone(s, readers, inside) for s in steps):
            found.append(Group(loops, [Split(s.src[0], s) for s in steps]))
    return [g for g in found if all(times[s.start] == 1 for s in g.splits)]


def steps_of(items: Sequence[UOp | Loop]) -> list[UOp]:
    """The steps among the statements of a loop of accumulators that start outside of it. One that does not depend on a
    loop that was written out stands there in each of its rounds.
    """
    statements = [u for u in items if isinstance(u, UOp)]
    own = {u for u in statements if u.op is Ops.DEFINE_ACC}
    return list(dict.fromkeys(u for u in statements if u.op is Ops.ASSIGN and u.src[0] not in own))


def is_alone(step: UOp, readers: dict[UOp, set[UOp]], inside: set[UOp]) -> bool:
    """Whether nothing inside of its loops reads an accumulator but its step."""
    return not readers.get(step) and readers[step.src[0]] & inside <= {step, step.src[1]}


class Partial(Writer):
    """The writing of a list with groups of reductions split."""

    def __init__(self, uops: list[UOp], groups: list[Group]) -> None:
        super().__init__(uops)
        splits = [s for g in groups for s in g.splits]
        self.blocked = {s.start: g.blocked for g in groups for s in g.splits}
        self.by_start = {s.start: s for s in splits}
        self.by_step = {s.assign: s for s in splits}
        self.by_new = {s.assign.src[1]: s for s in splits}
        self.by_first = {g.loops[0]: g for g in groups}
        self.by_last = {g.loops[-1]: g for g in groups}
        terms = {_term(s.assign) for s in splits if s.short is not None}
        self.unread = terms - {s for u in uops if u not in self.by_new for s in u.src}
        self.parts: dict[Split, UOp] = {}  # the array of accumulators
        self.vectors = {s for g in groups if g.is_vectors for s in g.splits}
        self.slot: UOp | None = None  # which of them take the element at hand

    def one(self, old: UOp) -> None:
        """Write a statement."""
        if old in self.unread:  # a shorter one is written
            return
        if old in self.by_start and not self.blocked[old]:
            self._begin(self.by_start[old])
        elif old in self.by_step:
            self.store(self.parts[self.by_step[old]], self._here(), self.now(old.src[1]))
        else:  # the accumulator of a blocked one is that of the sums of blocks
            split = self.by_new.get(old)
            if split is not None and split.short is not None:
                self.become(old, self._longer_by(split))
                return
            if split is not None:
                self.become(split.start, self.load(self.parts[split], self._here()))
            self.copy(old)

    def _longer_by(self, split: Split) -> UOp:
        """A short accumulator with one more term."""
        assert split.short is not None
        term, at = _term(split.assign), self.load(self.parts[split], self._here())
        assert term is not None
        one = self.value(UOp(Ops.CAST, split.short, (self.now(term.src[0]),)))
        return self.value(UOp(Ops.ADD, split.short, (at, one)))

    def _here(self) -> UOp:
        assert self.slot is not None
        return self.slot

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, the last one of a group in rounds of accumulators; behind the first one they are folded."""
        if loop in self.by_last:
            self._last(self.by_last[loop])
        else:
            super().loop(loop, kind)
        group = self.by_first.get(loop)
        if group is not None and not group.blocked:
            for split, total in zip(group.splits, self._totals(group), strict=True):
                self.become(split.start, total)

    def _totals(self, group: Group) -> list[UOp]:
        """The accumulators of each reduction in one."""
        if not group.is_vectors:
            return list(map(self._folded, group.splits))
        return [self.statement(UOp(Ops.FOLD, s.start.dtype, (self.parts[s],), s.op)) for s in group.splits]

    def _begin(self, split: Split) -> None:
        """The accumulators, each starting from the identity."""
        self.parts[split] = self.array(split.short or split.start.dtype, split.lanes)
        start = self.value(UOp.const(split.short, 0) if split.short else self.now(split.start.src[0]))
        kind = AxisType.VECTOR if split in self.vectors else AxisType.LOOP
        p = self.open(self.fresh(self.number(split.lanes), kind))
        self.store(self.parts[split], p, start)
        self.close(p)

    def _last(self, group: Group) -> None:
        n = extent_of(group.loops[-1])
        if not group.blocked:
            self._rounds(group, sym.const(0), sym.const(n))
        elif n <= SUM_BLOCK:
            self._block(group, sym.const(0), sym.const(n))
        else:
            b = self.open(self.fresh(self.number(n // SUM_BLOCK)))
            self._block(group, sym.mul(b, SUM_BLOCK), sym.const(SUM_BLOCK))
            self.close(b)
            if n % SUM_BLOCK:
                self._block(group, sym.const(n - n % SUM_BLOCK), sym.const(n % SUM_BLOCK))

    def _block(self, group: Group, first: UOp, n: UOp) -> None:
        """The sums of one block, added to those of the blocks before."""
        for split in group.splits:
            self._begin(split)
        self._rounds(group, first, n)
        if group.splits[0].short is not None:
            self._lengthened(group)
            return
        for split, sum_ in zip(group.splits, self._totals(group), strict=True):
            total = self.now(split.start)
            new = self.value(UOp(split.assign.src[1].op, total.dtype, (total, sum_)))
            self.statement(UOp(Ops.ASSIGN, total.dtype, (total, new)))

    def _lengthened(self, group: Group) -> None:
        """Short accumulators, added to the sums of the blocks before."""
        p = self.open(self.fresh(self.number(group.lanes)))
        for split in group.splits:
            total = self.now(split.start)
            one = self.value(UOp(Ops.CAST, total.dtype, (self.load(self.parts[split], p),)))
            new = self.value(UOp(Ops.ADD, total.dtype, (total, one)))
            self.statement(UOp(Ops.ASSIGN, total.dtype, (total, new)))
        self.close(p)

    def _rounds(self, group: Group, first: UOp, n: UOp) -> None:
        """The elements from ``first`` on, each to its accumulators."""
        loop, count, lanes = group.loops[-1], int(n.arg), group.lanes
        whole = count - count % lanes
        if group.is_vectors or loop.inner:
            kind = AxisType.VECTOR if group.is_vectors else AxisType.LOOP
            k = self.open(self.fresh(self.number(count), kind))
            self._body(loop, sym.add(first, k), sym.mod(k, lanes))
            self.close(k)
            return
        if whole:
            o = self.open(self.fresh(self.number(whole // lanes)))
            p = self.open(self.fresh(self.number(lanes)))
            self._body(loop, sym.add(first, sym.add(sym.mul(o, lanes), p)), p)
            self.close(p)
            self.close(o)
        if count % lanes:
            p = self.open(self.fresh(self.number(count % lanes)))
            self._body(loop, sym.add(first, sym.add(sym.const(whole), p)), p)
            self.close(p)

    def _body(self, loop: Loop, place: UOp, slot: UOp) -> None:
        self.become(loop.range, self.value(place))
        around, self.slot = self.slot, self.value(slot)
        self.items(loop.items)
        self.slot = around  # of a long reduction that this one stands in

    def _folded(self, split: Split) -> UOp:
        """The accumulators in one: halves combined until one is left."""
        left = [self.load(self.parts[split], self.number(k)) for k in range(split.lanes)]
        while len(left) > 1:
            half = len(left) // 2
            pairs = zip(left[:half], left[half:], strict=True)
            left = [self.value(UOp(split.op, split.start.dtype, pair)) for pair in pairs]
        return left[0]
