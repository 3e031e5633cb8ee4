"""Work that some of the loops around it do not change, done once for the loops that do.

A value is computed in the innermost loop that it depends on, so once for every round of each loop around that one,
also of those that it does not depend on: ``exp(a[i] * c[k])`` under loops over i, j, k once for each j. It gets a table
instead, over k, filled where the last loop begins that no other loop stands around: inside of i and before j. A table
that no loop stands around is a buffer of its own.

A costly value of which each element is computed once, but in a loop with others inside, has a table over that loop too:
filled in a loop of its own it is vector code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, prod
from types import MappingProxyType

from functrans.backend.policy import FEW_ROUNDS, L2_BYTES, SHORT_ROUNDS, is_expensive, share
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.layouts import buffer_of, stored
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import inside
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.origin import became
from functrans.ops.price import ADDITION, picoseconds
from functrans.ops.uop import UOp, rebuilt, toposort
from functrans.ops.vmap import extent

Loops = tuple[UOp, ...]
PLAIN = GroupOp.Elementwise | GroupOp.Custom | {Ops.INDEX, Ops.REDUCE}


def hoisted(roots: list[UOp]) -> list[UOp]:
    """The roots, with tables for what would be computed again and again. Linear in the graph times the loops' depth."""
    around, known = loops_around(toposort(roots)), Tables()
    return rebuilt(roots, lambda u, new: _Store(new, around[u], known).run() if u.op is Ops.STORE else new)


def loops_around(order: list[UOp]) -> dict[UOp, Loops]:
    """For each STORE the loops that its buffer is filled in, outermost first; its own loops are not among them."""
    found: dict[UOp, Loops] = {}
    for node in reversed(order):
        if node.op is not Ops.STORE:
            continue
        found.setdefault(node, ())
        if any(u.op is Ops.BUFFERIZE for u in inside(node)):
            for u, loops in loops_in(node, found[node]).items():
                if u.op is Ops.BUFFERIZE:
                    for store in u.src:
                        found.setdefault(store, until(loops, u))
    return found


def loops_in(store: UOp, around: Loops) -> dict[UOp, Loops]:
    """For each node of a STORE the loops that it stands in, readers before what they read."""
    found = {store: (*around, *closed_by(store))}
    for u in (store, *reversed(inside(store))):
        loops = (*until(found[u], u), *u.src[1:]) if u.op is Ops.REDUCE else found[u]
        for s in u.src:
            found.setdefault(s, loops)
    return found


def until(loops: Loops, node: UOp) -> Loops:
    """The loops down to the innermost one that changes the node: it is computed in each of their rounds."""
    count = max((k + 1 for k, r in enumerate(loops) if r in node.free_ranges), default=0)
    return loops[:count]


def _rounds(loops: Iterable[UOp]) -> int:
    return prod(map(extent, loops))


class Tables:
    """The tables so far: stores that need the same one share it, and those over the same loops are filled together."""

    def __init__(self) -> None:
        self.made: dict[tuple[UOp, Loops], UOp] = {}
        self.own: dict[Loops, Loops] = {}

    def read(self, value: UOp, over: Loops) -> UOp:
        """The read of a value from its table over some of its loops."""
        if (value, over) not in self.made:
            own = self.own.setdefault(over, tuple(UOp.range(extent(r)) for r in over))
            inside = at(value, dict(zip(over, own, strict=True)))
            self.made[value, over] = became(buffer_of([stored(inside, own)], tuple(map(extent, over))), value)
        return UOp(Ops.INDEX, value.dtype, (self.made[value, over], *over), False)

    def within(self, store: UOp, over: Mapping[UOp, Loops], done: Mapping[UOp, UOp] = MappingProxyType({})) -> UOp:
        """A STORE with reads of tables in it; ``done`` says what other buffers have become."""
        new: dict[UOp, UOp] = {}
        for u in toposort((store,), enter=lambda u: u.op is not Ops.BUFFERIZE):
            new[u] = done.get(u, u) if u.op is Ops.BUFFERIZE else u.replace(tuple(new[s] for s in u.src))
            if u in over:
                new[u] = became(self.read(new[u], over[u]), u)
        return new[store]


class _Store:
    """One STORE and what of its value becomes tables."""

    def __init__(self, store: UOp, around: Loops, known: Tables) -> None:
        self.store, self.known = store, known
        self.loops = loops_in(store, around) if len(around) + len(closed_by(store)) > 1 else {}
        self.read: set[UOp] = set()  # what is read from a table now

    def run(self) -> UOp:
        """The STORE with reads of tables in it."""
        if not self.loops or any(u.op in (Ops.PREFIX, Ops.WMMA) for u in self.loops):
            return self.store
        edges = self._edges()
        order = toposort((self.store,), enter=lambda u: u.op is not Ops.BUFFERIZE)
        over: dict[UOp, Loops] = {}
        for u in order:
            if u in edges:
                self._add(u, over)
        if not over:
            return self.store
        self._add_shared(order, over)
        return self.known.within(self.store, over)

    def _add(self, value: UOp, over: dict[UOp, Loops]) -> None:
        found = self._table(value)
        if found:
            over[value] = found
            self.read.add(value)

    def _add_shared(self, order: list[UOp], over: dict[UOp, Loops]) -> None:
        """Tables for what several tables would compute, each for itself."""
        inside: dict[UOp, set[UOp]] = {}  # for each node the tables that need it; the store for all else
        for u in reversed(order):
            owners = inside.setdefault(u, {self.store})
            if len(owners) > 1 and u not in over and u.op in PLAIN and u.dtype.kind != "x":
                self._add(u, over)
            for s in u.src:
                inside.setdefault(s, set()).update({u} if u in over else owners)

    def _edges(self) -> set[UOp]:
        """The values that are read by what more loops change."""
        found: set[UOp] = set()
        for u in self.loops:
            if u.op is not Ops.BUFFERIZE:
                free = frozenset(self.loops[u]) if u is self.store else u.free_ranges
                found.update(s for s in u.src if s.op in PLAIN and s.dtype.kind != "x" and not free <= s.free_ranges)
        return found

    def _table(self, value: UOp) -> Loops:
        """The loops that a table of the value is filled in; none where it does not pay."""
        loops, free = until(self.loops[value], value), value.free_ranges
        # whatever the batch: the number of rounds of the outermost loop is known to the call only
        missing = [k for k, r in enumerate(loops) if r not in free and (extent(r) > 1 or k == 0)]
        outer = missing[0] if missing else len(loops)
        if outer == len(loops):
            return loops[-1:] if self._is_scalar(value, loops) else ()
        if not is_expensive(self._cost(value, outer)):
            return ()
        for depth in range(outer, len(loops)):
            over = tuple(r for r in loops[depth:] if r in free)
            if missing[-1] >= depth and _rounds(over) * value.dtype.itemsize <= share(L2_BYTES):
                return over
        return ()

    def _is_scalar(self, value: UOp, loops: Loops) -> bool:
        """Whether a costly value is computed one by one between loops."""
        if len(loops) < 2 or len(loops) == len(self.loops[value]) or extent(loops[-1]) < SHORT_ROUNDS:
            return False
        cost = self._cost(value, len(loops) - 1)
        return is_expensive(cost) and cost < inf

    def _cost(self, value: UOp, outer: int) -> float:
        """The time of the operations of a value that are done further inside than in the first so many loops."""
        total = 0.0
        for u in toposort((value,), enter=lambda u: u.op is not Ops.BUFFERIZE and u not in self.read):
            if len(until(self.loops[u], u)) > outer and u.dtype.kind != "x":
                if u.op is Ops.BUFFERIZE or (u.op is Ops.REDUCE and _rounds(u.src[1:]) > FEW_ROUNDS):
                    return inf  # a loop of its own
                elif u.op is Ops.REDUCE:
                    total += ADDITION * _rounds(u.src[1:])
                elif u.op in PLAIN:
                    total += ADDITION if u in self.read else picoseconds(u)
        return total
