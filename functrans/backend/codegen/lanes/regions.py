"""Regions of a loop body: straight-line code that one loop over the lanes computes, and the loops between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from functrans.backend.codegen.lanes.rows import is_row
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.spelling import ELEMENTARY, WAVES
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

LARGE = 64  # statements of a region; more are cut into several, so that the processor is in several rounds at once
CALL = 12  # what an elementary function counts for
ALONE = 64  # elementary functions beyond which each has a region of its own: a C function, compiled once
WAVE = 3  # what a sine counts for among them


@dataclass(eq=False)
class Region:
    """Statements that vary, in order; or a call ``alone``, from one array to another."""

    items: list[UOp] = field(default_factory=list)
    alone: bool = False


@dataclass(eq=False)
class Inner:
    """A loop that all lanes execute together."""

    range: UOp
    nodes: list[Node]


@dataclass(eq=False)
class Row:
    """A loop that each lane executes by itself."""

    loop: Loop


Node = UOp | Region | Inner | Row  # a UOp is the same for all lanes, a local array, or a tile of products


def regions(items: list[UOp | Loop], facts: Uniformity) -> list[Node]:
    """Split a body into regions and uniform statements, in order."""
    made = _Regions(facts)
    made.add(items)
    return made.nodes


class _Regions:
    def __init__(self, facts: Uniformity) -> None:
        self.facts = facts
        self.nodes: list[Node] = []
        self.open: Region | None = None
        self.at = 0  # where the open region stands
        self.many = sum(WAVE if u.op in WAVES else u.op in ELEMENTARY for u in facts.body) > ALONE
        self.moving: dict[UOp, set[UOp]] = {}  # places of each local array that the open region writes

    def add(self, items: list[UOp | Loop]) -> None:
        at = 0
        while at < len(items):
            item = items[at]
            at += 1
            if isinstance(item, Loop):
                self.close()
                row = is_row(item, self.facts)
                self.nodes.append(Row(item) if row else Inner(item.range, regions(item.items, self.facts)))
            elif item.op is Ops.IF:
                end = _end(items, at)
                self._block([u for u in items[at - 1 : end] if isinstance(u, UOp)])
                at = end
            else:
                self._statement(item)
        self.close()

    def close(self) -> None:
        """Close the open region: the next statement that varies begins another."""
        if self.open is not None:
            self.nodes[self.at : self.at + 1] = list(_cut(self.open, self.facts))
        self.open = None
        self.moving = {}

    def _block(self, block: list[UOp]) -> None:
        """Add the statements under a condition."""
        self.close()
        if any(u in self.facts.varying for u in block):
            self.nodes.append(Region(block))
        else:
            self.nodes.extend(block)

    def _statement(self, u: UOp) -> None:
        if u.op is Ops.DEFINE_LOCAL or u not in self.facts.varying:
            if u.op is Ops.STORE or (u.op is Ops.ASSIGN and self._reads(u.src[0])):
                self.close()
            self._before(u)
        elif u.op is Ops.WMMA:
            self.close()
            self.nodes.append(u)
        elif u.op is Ops.STORE and u.src[0].src[0].op is Ops.DEFINE_GLOBAL:
            if self.facts.stride(u.src[0].src[1]) is None:  # scattered: no vector code, and alone
                self.close()
                self.nodes.append(Region([u]))
            else:
                self._append(u)
        elif self.many and u.op in ELEMENTARY and u.dtype.kind == "f":
            self.close()
            self.nodes.append(Region([u], alone=True))
        elif u.op is not Ops.INDEX and not self.facts.rematerializable(u):
            self._append(u)

    def _reads(self, acc: UOp) -> bool:
        """Whether the open region reads an accumulator, which is to have that value yet."""
        read = {s for u in self.open.items for s in u.src} if self.open is not None else set()
        return any(s is acc or (s.op is Ops.ASSIGN and s.src[0] is acc) for s in read)

    def _before(self, u: UOp) -> None:
        if self.open is None:
            self.nodes.append(u)
        else:
            self.nodes.insert(self.at, u)
            self.at += 1

    def _append(self, u: UOp) -> None:
        if u.op in (Ops.STORE, Ops.LOAD):
            array, place = u.src[0].src
            written = self.moving.get(array, set())
            if u.op is Ops.LOAD and any(p is not place and sym.sub(p, place).op is not Ops.CONST for p in written):
                self.close()  # whether it is the same place is not known
            if u.op is Ops.STORE:
                self.moving.setdefault(array, set()).add(place)
        if self.open is None:
            self.open, self.at = Region(), len(self.nodes)
            self.nodes.append(self.open)
        self.open.items.append(u)


def _end(items: list[UOp | Loop], at: int) -> int:
    """The position after the ENDIF of the IF before ``at``."""
    depth = 1
    while depth:
        item = items[at]
        if isinstance(item, UOp):
            depth += (item.op is Ops.IF) - (item.op is Ops.ENDIF)
        at += 1
    return at


def size(u: UOp) -> int:
    """The number of statements that a statement counts for."""
    return CALL if u.op in ELEMENTARY else 1


def _cut(region: Region, facts: Uniformity) -> Iterator[Region]:
    """Cut a large region where few values live."""
    items = region.items
    if sum(map(size, items)) <= LARGE or any(u.op is Ops.IF for u in items):
        yield region
        return
    alive = _alive(items, facts)
    start = 0
    while start < len(items):
        end, total, best = start, 0, len(items)
        while end < len(items) and (total + size(items[end]) <= LARGE or end == start):
            total += size(items[end])
            end += 1
            if 2 * total >= LARGE and (best > end or alive[end] <= alive[best]):
                best = end
        stop = end if end == len(items) else min(best, end)
        yield Region(items[start:stop])
        start = stop


def _alive(items: list[UOp], facts: Uniformity) -> list[int]:
    """For each position the number of values that a cut before it would have to store."""
    last: dict[UOp, int] = {}
    for k, u in enumerate(items):
        for v in facts.values_of(u):
            last[v] = k
    change = [0] * (len(items) + 2)
    for k, u in enumerate(items):
        if last.get(u, k) > k:
            change[k + 1] += 1
            change[last[u] + 1] -= 1
    alive, count = [], 0
    for k in range(len(items) + 1):
        count += change[k]
        alive.append(count)
    return alive
