"""What follows the reductions of a row, for many rows at once: the logarithm of a sum is a vector of logarithms.

A row of a batch is reduced in inner loops, and what is made of the result stands behind them, once a row: a chain of
dependent operations on single numbers, for which the processor waits. Where elementary functions are among them, the
loop over the rows is walked in tiles. The first loop of a tile reduces its rows and keeps what the rest needs, a
second one, which the compiler makes vector code, does the rest. Each number is computed as before.
"""

from __future__ import annotations

from dataclasses import dataclass

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, loops_of, nest
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp, toposort

ROWS = 32  # of a tile
_PLACE = frozenset({Ops.ADD, Ops.MUL, Ops.IDIV, Ops.MOD, Ops.MIN, Ops.MAX})
_TAIL = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE}


@dataclass(eq=False)
class _Cut:
    """A loop in two: what stands first, what follows, and the values of the first part that the second needs."""

    head: list[UOp | Loop]
    tail: list[UOp]
    kept: list[UOp]


def tails(uops: list[UOp]) -> list[UOp]:
    """The statements with such loops in two. Linear in their number."""
    top = nest(uops)
    cuts: dict[Loop, _Cut] = {}
    for loop in (loop for outer in loops_of(top) for loop in outer.every()):
        found = _cut(loop)
        if found is not None:
            cuts[loop] = found
    if not cuts:
        return uops
    writer = _Tails(uops, cuts)
    writer.items(top)
    return writer.out


def _cut(loop: Loop) -> _Cut | None:
    """Where a loop over rows ends in elementary functions of what its inner loops found; None where not."""
    inner = [k for k, x in enumerate(loop.items) if isinstance(x, Loop)]
    if not inner or loop.range.arg[1] is not AxisType.LOOP:
        return None
    behind = [(k, x) for k, x in enumerate(loop.items) if isinstance(x, UOp) and k > inner[-1]]
    first = next((k for k, u in behind if u.op in ELEMENTARY and u.dtype.kind == "f"), None)
    if first is None:
        return None
    head, tail = loop.items[:first], [u for k, u in behind if k >= first]
    if any(u.op not in _TAIL for u in tail) or _reads_or_writes(head, tail):
        return None
    inside, own = set(loop.walk()), {u for u in head if isinstance(u, UOp)}
    changed = {u.src[0] for u in inside if u.op is Ops.ASSIGN}
    needed = [s for s in dict.fromkeys(s for u in tail for s in u.src) if s not in tail]
    if any(s in changed and s not in own for s in needed):
        return None
    kept = [s for s in needed if s in own and not _is_place(s)]
    if any(s.op in (Ops.INDEX, Ops.DEFINE_LOCAL) or s.dtype == dtypes.index for s in kept):
        return None
    return _Cut(head, tail, kept)


def _reads_or_writes(head: list[UOp | Loop], tail: list[UOp]) -> bool:
    """Whether the tail has to do with an array that the head writes, or writes one that the head has to do with."""
    first = [u for x in head for u in ([x] if isinstance(x, UOp) else x.walk())]
    if any(u.op is Ops.WMMA for u in first):
        return True
    used = [{u.src[0].src[0] for u in part if u.op in (Ops.LOAD, Ops.STORE)} for part in (first, tail)]
    stored = [{u.src[0].src[0] for u in part if u.op is Ops.STORE} for part in (first, tail)]
    return not used[0].isdisjoint(stored[1]) or not used[1].isdisjoint(stored[0])


def _is_place(node: UOp) -> bool:
    """Whether a node is computed from loop variables and numbers."""
    return node.op is Ops.CONST or (
        node.dtype == dtypes.index
        and all(u.op in _PLACE or u.op in (Ops.CONST, Ops.DEFINE_VAR, Ops.RANGE) for u in toposort((node,)))
    )


class _Tails(Writer):
    def __init__(self, uops: list[UOp], cuts: dict[Loop, _Cut]) -> None:
        super().__init__(uops)
        self.cuts = cuts

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, one that is cut as two."""
        if loop in self.cuts:
            self._tile(loop, self.cuts[loop])
        else:
            super().loop(loop, kind)

    def _tile(self, loop: Loop, cut: _Cut) -> None:
        tile, first, here = self.strips(loop.range, ROWS)
        arrays = [self.array(s.dtype, ROWS) for s in cut.kept]
        p = self._row(loop, here, first)
        self.items(cut.head)
        for array, node in zip(arrays, cut.kept, strict=True):
            self.store(array, p, self.now(node))
        self.close(p)
        p = self._row(loop, here, first)
        for array, node in zip(arrays, cut.kept, strict=True):
            self.become(node, self.load(array, p))
        for u in cut.tail:
            for s in u.src:
                if self.now(s) is s and not self._stands(s):  # a place, in terms of this loop
                    self.become(s, self.value(self.over(s)))
            self.copy(u)
        self.close(p)
        self.close(tile)

    def _row(self, loop: Loop, here: UOp, first: UOp) -> UOp:
        p = self.open(self.fresh(here, loop.range.arg[1]))
        self.become(loop.range, self.value(sym.add(first, p)))
        return p
