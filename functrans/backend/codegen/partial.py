"""Long reductions in several accumulators, folded into one at the end.

Element k of a reduction goes to accumulator k modulo their number. That breaks the chain of dependent additions, lets
the compiler keep the accumulators in vector registers, and makes the rounding error of a sum as much smaller; sums of
more than a block are summed block by block besides. The order is a function of the extents alone, so a row of a batch
has the same bits whatever the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.kernel import LocalArg
from functrans.ops.uop import UOp

LONG = 32  # elements from which a reduction is split
BLOCK = 4096  # elements that are summed at a time
_SHORT_BODY = 64  # statements that may be written twice, for full rounds and for the rest


@dataclass(eq=False)
class _Split:
    """A reduction to be split: its accumulator, its loops, outermost first, and its step."""

    start: UOp
    loops: list[Loop]
    assign: UOp

    @property
    def lanes(self) -> int:
        """How many accumulators."""
        return 32 if self.start.dtype.itemsize <= 4 else 16

    @property
    def blocked(self) -> bool:
        """Whether the sums of blocks are summed."""
        rounds = self.assign.src[1].op is Ops.ADD and dtypes.is_inexact(self.start.dtype)
        return rounds and prod(_extent(loop) for loop in self.loops) > BLOCK


def partial(uops: list[UOp]) -> list[UOp]:
    """The statements with every long reduction split. Linear in their number times the depth of the loops."""
    top = nest(uops)
    splits = _find(uops, top)
    if not splits:
        return uops
    writer = _Partial(uops, splits)
    writer.items(top)
    return writer.out


def _extent(loop: Loop) -> int:
    return int(loop.range.src[0].arg) if loop.range.src[0].op is Ops.CONST else 0


def _find(uops: list[UOp], top: list[UOp | Loop]) -> list[_Split]:
    """The accumulators that nothing but their step reads inside of their loops."""
    readers: dict[UOp, set[UOp]] = {}
    for u in uops:
        for s in u.src:
            if s.op in (Ops.DEFINE_ACC, Ops.ASSIGN):
                readers.setdefault(s, set()).add(u)
    found: list[_Split] = []
    todo: list[tuple[list[UOp | Loop], list[Loop]]] = [(top, [])]
    home: dict[UOp, int] = {}  # how deep an accumulator starts
    while todo:
        items, around = todo.pop()
        for item in items:
            if isinstance(item, Loop):
                todo.append((item.items, [*around, item]))
            elif item.op is Ops.DEFINE_ACC:
                home[item] = len(around)
        steps = [u for u in items if isinstance(u, UOp) and u.op is Ops.ASSIGN]
        if len(steps) == 1 and not readers.get(steps[0]):
            start, loops = steps[0].src[0], around[home[steps[0].src[0]] :]
            inside = set(loops[0].walk()) if loops else set()
            alone = readers[start] & inside <= {steps[0], steps[0].src[1]}
            if loops and alone and _extent(loops[-1]) >= LONG and all(_extent(loop) for loop in loops):
                found.append(_Split(start, loops, steps[0]))
    return found


class _Partial(Writer):
    def __init__(self, uops: list[UOp], splits: list[_Split]) -> None:
        super().__init__(uops)
        self.by_start = {s.start: s for s in splits}
        self.by_step = {s.assign: s for s in splits}
        self.by_new = {s.assign.src[1]: s for s in splits}
        self.by_first = {s.loops[0]: s for s in splits}
        self.by_last = {s.loops[-1]: s for s in splits}
        self.parts: dict[_Split, UOp] = {}  # the array of accumulators
        self.slot: dict[_Split, UOp] = {}  # the one that takes the element at hand

    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops."""
        for item in items:
            if isinstance(item, Loop):
                self._loop(item)
            elif item in self.by_start:
                self._start(self.by_start[item])
            elif item in self.by_new:
                split = self.by_new[item]
                self.become(split.start, self._load(split, self.slot[split]))
                self.copy(item)
            elif item in self.by_step:
                split = self.by_step[item]
                self._store(split, self.slot[split], self.now(item.src[1]))
            else:
                self.copy(item)

    def _loop(self, loop: Loop) -> None:
        if loop in self.by_last:
            self._last(self.by_last[loop])
        else:
            opened = self.open(loop.range.replace((self.now(loop.range.src[0]),)))
            self.become(loop.range, opened)
            self.items(loop.items)
            self.close(opened)
        split = self.by_first.get(loop)
        if split is not None and not split.blocked:
            self.become(split.start, self._folded(split))

    def _start(self, split: _Split) -> None:
        if split.blocked:
            self.copy(split.start)  # of the sums of blocks
        else:
            self._begin(split)

    def _begin(self, split: _Split) -> None:
        """The accumulators, each starting from the identity."""
        arg = LocalArg(self.locals, split.lanes)
        self.locals += 1
        self.parts[split] = self.statement(UOp(Ops.DEFINE_LOCAL, split.start.dtype, (), arg))
        p = self.open(self.fresh(self.number(split.lanes)))
        self._store(split, p, self.value(self.now(split.start.src[0])))
        self.close(p)

    def _last(self, split: _Split) -> None:
        n = _extent(split.loops[-1])
        if not split.blocked:
            self._rounds(split, sym.const(0), sym.const(n))
        elif n <= BLOCK:
            self._block(split, sym.const(0), sym.const(n))
        else:
            b = self.open(self.fresh(self.number(n // BLOCK)))
            self._block(split, sym.mul(b, BLOCK), sym.const(BLOCK))
            self.close(b)
            if n % BLOCK:
                self._block(split, sym.const(n - n % BLOCK), sym.const(n % BLOCK))

    def _block(self, split: _Split, first: UOp, n: UOp) -> None:
        """The sum of one block, added to that of those before."""
        self._begin(split)
        self._rounds(split, first, n)
        total = self.now(split.start)
        new = self.value(UOp(split.assign.src[1].op, total.dtype, (total, self._folded(split))))
        self.statement(UOp(Ops.ASSIGN, total.dtype, (total, new)))

    def _rounds(self, split: _Split, first: UOp, n: UOp) -> None:
        """The elements from ``first`` on, each to its accumulator."""
        loop, count, lanes = split.loops[-1], int(n.arg), split.lanes
        whole = count - count % lanes
        body = list(loop.walk())
        if any(u.op is Ops.RANGE for u in body) or (count % lanes and len(body) > _SHORT_BODY):
            k = self.open(self.fresh(self.number(count)))
            self._body(split, sym.add(first, k), sym.mod(k, lanes))
            self.close(k)
            return
        if whole:
            o = self.open(self.fresh(self.number(whole // lanes)))
            p = self.open(self.fresh(self.number(lanes)))
            self._body(split, sym.add(first, sym.add(sym.mul(o, lanes), p)), p)
            self.close(p)
            self.close(o)
        if count % lanes:
            p = self.open(self.fresh(self.number(count % lanes)))
            self._body(split, sym.add(first, sym.add(sym.const(whole), p)), p)
            self.close(p)

    def _body(self, split: _Split, place: UOp, slot: UOp) -> None:
        self.become(split.loops[-1].range, self.value(place))
        self.slot[split] = self.value(slot)
        self.items(split.loops[-1].items)

    def _at(self, split: _Split, slot: UOp) -> UOp:
        return self.value(UOp(Ops.INDEX, split.start.dtype, (self.parts[split], slot)))

    def _load(self, split: _Split, slot: UOp) -> UOp:
        return self.statement(UOp(Ops.LOAD, split.start.dtype, (self._at(split, slot),)))

    def _store(self, split: _Split, slot: UOp, value: UOp) -> None:
        self.statement(UOp(Ops.STORE, dtypes.void, (self._at(split, slot), value)))

    def _folded(self, split: _Split) -> UOp:
        """All accumulators in one: halves combined until one is left."""
        op = split.assign.src[1].op
        values = [self._load(split, self.number(k)) for k in range(split.lanes)]
        while len(values) > 1:
            half = len(values) // 2
            pairs = zip(values[:half], values[half:], strict=True)
            values = [self.value(UOp(op, a.dtype, (a, b))) for a, b in pairs]
        return values[0]
