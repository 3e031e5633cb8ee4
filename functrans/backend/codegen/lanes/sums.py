"""A reduction over rows that are better off in lanes: the values of a block of rows first, then what they come to.

The mean of a loss over a batch adds up what loops inside found for each row. No two rounds of such a loop can be lanes,
as each needs the sum of those before; without the sum they can. So the loop goes block by block in two: the first loop
stores what each of its rows gives, in lanes, the second one reduces that. Each element is combined where it was before,
so the bits stay. Source: loop fission, as in Allen and Kennedy, Optimizing Compilers for Modern Architectures,
chapter 6.
"""

from __future__ import annotations

from functrans.backend.codegen.lanes.batch import in_lanes, why_not
from functrans.backend.codegen.lanes.choice import has_records, pays, straight, writes_apart
from functrans.backend.codegen.nest import Loop, Writer, loops_of, nest
from functrans.backend.codegen.partial import Group, extent_of, groups_of, is_blocked
from functrans.backend.policy import L1_BYTES, SUM_BLOCK, share
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp


def sums(uops: list[UOp]) -> list[UOp]:
    """The statements with such reductions in blocks, where that pays. Linear in their number times the depth of the
    loops.
    """
    top = nest(uops)
    groups = [g for g in groups_of(uops, top) if _block_of(g)]
    while groups:
        writer = _Blocks(uops, groups)
        writer.items(top)
        loops = {loop.range: loop for top in loops_of(nest(writer.out)) for loop in top.every()}
        paying = [g for g in groups if all(_suits(loops[r]) for r in writer.rows[g])]
        if len(paying) == len(groups):
            return in_lanes(writer.out, tuple(r for g in groups for r in writer.rows[g]))
        groups = paying
    return uops


def _suits(loop: Loop) -> bool:
    if not writes_apart(loop) or why_not(loop):
        return False
    return pays(loop) if loop.inner else straight(loop)


def _block_of(group: Group) -> int:
    """The rounds of a block of the last loop of a group, in which the order of the reduction is kept; 0 if none."""
    loop = group.loops[-1]
    if not loop.inner and not has_records(loop):
        return 0
    n = extent_of(loop)
    if n <= SUM_BLOCK or n % SUM_BLOCK == 0 or _has_rest(group):
        return min(n, SUM_BLOCK)
    return next((k for k in range(SUM_BLOCK, 0, -group.lanes) if n % k == 0), 0)


def _has_rest(group: Group) -> bool:
    """Whether the sums of the blocks are added one by one, so that the last, shorter one may be apart."""
    n = extent_of(group.loops[-1])
    return len(group.loops) == 1 and n > SUM_BLOCK and all(is_blocked(s.assign, n) for s in group.splits)


class _Blocks(Writer):
    def __init__(self, uops: list[UOp], groups: list[Group]) -> None:
        super().__init__(uops)
        self.groups = {g.loops[-1]: g for g in groups}
        self.rows: dict[Group, list[UOp]] = {g: [] for g in groups}  # the loops over rows of each
        self.is_again = False  # whether statements are written a second time, for the last rows

    def one(self, old: UOp) -> None:
        """Write a statement; a sum that has two steps would not be split where it is long."""
        if self.is_again and old.op is Ops.DEFINE_ACC:
            self.become(old, self.accumulator(old))
        else:
            self.copy(old)

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, one of a reduction in blocks."""
        group = self.groups.get(loop)
        if group is None:
            super().loop(loop, kind)
            return
        n, size = extent_of(loop), _block_of(group)
        accs = [self.now(s.start) for s in group.splits]
        if n == size:
            self._block(group, sym.const(0), n, accs)
            return
        b = self.open(self.fresh(self.number(n // size)))
        self._block(group, sym.mul(b, size), size, accs)
        self.close(b)
        if n % size:
            self._rest(group, n - n % size, n % size)

    def _rest(self, group: Group, first: int, count: int) -> None:
        """The last block, whose sums are added to the others."""
        accs = [self.accumulator(s.start) for s in group.splits]
        self.is_again = True
        self._block(group, sym.const(first), count, accs)
        self.is_again = False
        for split, rest in zip(group.splits, accs, strict=True):
            total = UOp(split.op, rest.dtype, (self.now(split.start), rest))
            self.become(split.start, self.value(total))

    def _block(self, group: Group, first: UOp, count: int, accs: list[UOp]) -> None:
        loop = group.loops[-1]
        steps = {u for s in group.splits for u in (s.assign, s.assign.src[1])}
        arrays = [self.near_array(a.dtype, count, share(L1_BYTES, 8)) for a in accs]
        p = self.open(self.fresh(self.number(count)))
        self.rows[group].append(p)
        self.become(loop.range, self.value(sym.add(first, p)))
        self.items(item for item in loop.items if item not in steps)
        for array, split in zip(arrays, group.splits, strict=True):
            self.store(array, p, self.now(_taken(split.assign)))
        self.close(p)
        q = self.open(self.fresh(self.number(count)))
        for array, split, acc in zip(arrays, group.splits, accs, strict=True):
            new = self.statement(UOp(split.op, acc.dtype, (acc, self.load(array, q))))
            self.statement(UOp(Ops.ASSIGN, acc.dtype, (acc, new)))
        self.close(q)


def _taken(step: UOp) -> UOp:
    """What a step combines with its accumulator."""
    return step.src[1].src[1]
