"""Long reductions split, those of a few rounds without arrays: a row of 64 numbers in 16 accumulators.

Each accumulator takes its elements one after the other in a register, and where that is short code, the two that are
combined first do it side by side: what is left for the loops over halves are 8 numbers. The elements go where they
went, so no bit changes. A maximum is then one instruction an element; that there was a NaN is noted beside it.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.partial import Group, Partial, Split, extent_of, groups_of
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.ops import symbolic as sym
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp

ROUNDS = 4  # elements of an accumulator that are written out
STATEMENTS = 16  # of a body that is written out
CALLS = 4  # elementary functions of a kernel that are written out: too many, and the compiler gets none inlined


def partial(uops: list[UOp]) -> list[UOp]:
    """The statements with every long reduction split. Linear in their number times the depth of the loops."""
    top = nest(uops)
    groups = groups_of(uops, top)
    if not groups:
        return uops
    writer = _Halves(uops, groups)
    writer.items(top)
    return writer.out


class _Halves(Partial):
    def __init__(self, uops: list[UOp], groups: list[Group]) -> None:
        super().__init__(uops, groups)
        calls = sum(u.op in ELEMENTARY for u in uops)
        few = [g for g in groups if not g.is_vectors and _is_few(g)]
        self.few = {g.loops[0]: g for g in few if calls <= CALLS or not _calls(g.loops[0])}
        self.single = {s for g in self.few.values() for s in g.splits}
        self.told: dict[Split, UOp] = {}  # what tells of a NaN in the accumulator at hand

    def copy(self, old: UOp) -> UOp:
        """Write a statement, but once where it is the same in every round."""
        new = old.replace(tuple(self.now(s) for s in old.src))
        if not self.running or not self.again(new):
            return super().copy(old)
        self.become(old, new)
        return new

    def _step(self, split: Split, new: UOp) -> None:
        if split not in self.told:
            super()._step(split, new)
            return
        element = self.now(new.src[1] if new.src[0] is split.start else new.src[0])
        told = UOp(Ops.OR, split.flag, (self.told[split], self._tells(split, element)))
        self.told[split] = self.value(told)
        begun = self.running[split] is not self.first[split]
        self.become(new, self._chosen(split, self.running[split], element) if begun else element)

    def _loop(self, loop: Loop) -> None:
        if loop not in self.few:
            super()._loop(loop)
            return
        group = self.few[loop]
        sides = 1 if _calls(loop) else 2
        width = group.lanes // sides
        for split in group.splits:
            self.parts[split] = self._array(split.start.dtype, width)
            if split.is_watched:
                self.flags[split] = self._array(split.flag, width)
        p = self.open(self.fresh(self.number(width)))
        found = [self._taken_in(group, p, side * width) for side in range(sides)]
        for split in group.splits:
            values, tellers = [values[split] for values, _ in found], [told.get(split) for _, told in found]
            self._store(self.parts[split], p, values[0] if sides == 1 else self._both(split, values))
            told = [t for t in tellers if t is not None]
            if told:
                self._store(self.flags[split], p, self.value(_any(split, told)))
        self.close(p)
        self.running, self.told = {}, {}
        for split, total in zip(group.splits, self._folded(group.splits, width), strict=True):
            self.become(split.start, total)

    def _taken_in(self, group: Group, p: UOp, side: int) -> tuple[dict[Split, UOp], dict[Split, UOp]]:
        """All elements of one accumulator, and what tells of a NaN among them."""
        loop = group.loops[0]
        self.running = {s: self.first[s] for s in group.splits}
        self.told = {s: self.value(UOp.const(s.flag, 0)) for s in group.splits if s.is_watched}
        for k in range(0, extent_of(loop), group.lanes):
            self.become(loop.range, self.value(sym.add(p, sym.const(side + k))))
            self.items(loop.items)
        return self.running, self.told

    def _both(self, split: Split, values: list[UOp]) -> UOp:
        if split.is_watched:
            return self._chosen(split, *values)
        return self.value(UOp(split.op, split.start.dtype, tuple(values)))


def _any(split: Split, told: list[UOp]) -> UOp:
    return told[0] if len(told) == 1 else UOp(Ops.OR, split.flag, tuple(told))


def _is_few(group: Group) -> bool:
    """Whether a reduction is a few whole rounds of a short body, each of which stands for itself."""
    loop, n = group.loops[0], extent_of(group.loops[0])
    if len(group.loops) > 1 or group.blocked or n % group.lanes or n > ROUNDS * group.lanes:
        return False
    body = [u for u in loop.items if isinstance(u, UOp)]
    if len(body) < len(loop.items) or any(u.op not in _PLAIN for u in body):
        return False
    loaded, stored = ({u.src[0].src[0] for u in body if u.op is op} for op in (Ops.LOAD, Ops.STORE))
    varies = {loop.range}
    for u in body:
        if not varies.isdisjoint(u.src):
            varies.add(u)
    moves = all(u in varies for u in body if u.op in (Ops.LOAD, Ops.STORE))
    return moves and loaded.isdisjoint(stored) and sum(u.dtype != dtypes.index for u in body) <= STATEMENTS


def _calls(loop: Loop) -> bool:
    return any(u.op in ELEMENTARY for u in loop.walk())


_PLAIN = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.ASSIGN}
