"""Two innermost loops over neighboring elements made one: vector code of a long loop, where short rows have remainders.

A row of 30 is three vectors and six numbers one by one, which take as long as six vectors. Where the rows that a store
fills lie one behind the other they are one row of all of them. What is read must lie as they do; of what does not, the
part that some loop further out does not change has a table that does, filled before that loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from functrans.backend.policy import L2_BYTES, LINE_BYTES, is_expensive, share
from functrans.backend.schedule.hoist import PLAIN, Loops, Tables, loops_around
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import shape_of
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.origin import became
from functrans.ops.price import picoseconds
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


def flattened(roots: list[UOp]) -> list[UOp]:
    """The roots, such loops made one in all stores that share them. Linear in the graph times the loops' depth."""
    order = toposort(roots)
    found = _chosen(order)
    if not found:
        return roots
    known, ones = Tables(), dict[Loops, UOp]()
    new: dict[UOp, UOp] = {}
    for node in order:
        new[node] = node.replace(tuple(new[s] for s in node.src))
        if node in found:
            pair = found[node].pair
            if pair not in ones:
                ones[pair] = UOp.range(prod(map(extent, pair)))
            new[node] = found[node].apply(new, known, ones[pair])
    return [new[r] for r in roots]


def _chosen(order: list[UOp]) -> dict[UOp, _Flat]:
    """What is done to each STORE: all that walk a loop go the same way, as they share what they compute in it."""
    around = loops_around(order)
    walks: dict[UOp, list[UOp]] = {}
    found: dict[UOp, _Flat] = {}
    for buffer in order:
        for store in buffer.src if buffer.op is Ops.BUFFERIZE else ():
            for r in closed_by(store):
                walks.setdefault(r, []).append(store)
            flat = _flat(store, buffer.arg.shape, around[store])
            if flat is not None:
                found[store] = flat
    return {
        u: flat for u, flat in found.items()
        if all(s in found and found[s].pair == flat.pair for r in flat.pair for s in walks[r])
    }  # fmt: skip


@dataclass(eq=False)
class _Flat:
    """The two loops of a STORE, and the values that get tables, each with the loops that it is filled in."""

    store: UOp
    pair: Loops
    outside: Loops
    over: dict[UOp, Loops] = field(default_factory=dict)

    def apply(self, done: dict[UOp, UOp], known: Tables, one: UOp) -> UOp:
        """The STORE with one loop for the two."""
        store = known.within(self.store, self.over, done)
        first = store.arg.first_range
        inside = (at(s, places_in(self.pair, one)) for s in store.src[:first])
        return store.replace((*inside, *store.src[first:-2], became(one, self.pair[1])))

    def plan(self) -> bool:
        """Find the tables; False where the loops must stay two, or where it does not pay."""
        varying = toposort((self.store.src[0],), enter=self._varies)
        apart: set[UOp] = set()  # what is not to be had at the place of an element in the one row, but from a table
        for u in varying:
            if u.dtype.kind != "x" and self._varies(u) and (any(s in apart for s in u.src) or is_apart(u, self.pair)):
                apart.add(u)
        todo, work = [self.store.src[0]], 0.0
        seen = set(todo)
        while todo:
            u = todo.pop()
            if u in apart and (over := self._table(u)):
                self.over[u] = over
                continue
            if not self._varies(u) or (u.op is Ops.INDEX and u not in apart):
                continue
            if u.op not in GroupOp.Elementwise or u.dtype.kind == "x":
                return False
            work += picoseconds(u)
            todo.extend(s for s in u.src if s not in seen)
            seen.update(u.src)
        return not self.over or is_expensive(work)

    def _varies(self, u: UOp) -> bool:
        return varies(u, self.pair)

    def _table(self, u: UOp) -> Loops:
        """The loops in which a table of a value is filled; none where every loop around changes it."""
        if u.op not in PLAIN or u.dtype.kind == "x":
            return ()
        missing = [k for k, r in enumerate(self.outside) if r not in u.free_ranges and extent(r) > 1]
        for depth in range(missing[0], missing[-1] + 1) if missing else ():
            over = (*(r for r in self.outside[depth:] if r in u.free_ranges), *self.pair)
            if prod(map(extent, over)) * u.dtype.itemsize <= share(L2_BYTES):
                return over
        return ()


def varies(u: UOp, pair: Loops) -> bool:
    """Whether a node changes with one of some loops."""
    return not u.free_ranges.isdisjoint(pair)


def is_apart(u: UOp, pair: Loops) -> bool:
    """Whether a node that varies finds what it needs elsewhere than at the place of the element."""
    if u.op is not Ops.INDEX:
        return u.op not in GroupOp.Elementwise or any(s.dtype.kind == "x" and varies(s, pair) for s in u.src)
    return bool(u.arg) or varies(u.src[0], pair) or not along(u.src[1:], shape_of(u.src[0]), pair)


def places_in(pair: Loops, one: UOp) -> dict[UOp, UOp]:
    """Where two loops are in a round of the one that they become."""
    return dict(zip(pair, (sym.div(one, extent(pair[1])), sym.mod(one, extent(pair[1]))), strict=True))


def along(places: Loops, shape: tuple[int, ...], loops: Loops) -> bool:
    """Whether loops, the innermost last, walk an array from element to neighboring element, row behind row."""
    _, terms = sym.linear(sym.flatten(places, shape))
    step = 1
    for r in reversed(loops):
        if terms.get(r) != step:
            return False
        step *= extent(r)
    return all(t in loops or t.free_ranges.isdisjoint(loops) for t in terms)


def _flat(store: UOp, shape: tuple[int, ...], around: Loops) -> _Flat | None:
    """How the two innermost loops of a STORE become one; None where they do not."""
    closed = closed_by(store)
    outside, pair = (*around, *closed[:-2]), closed[-2:]
    if len(pair) < 2 or not outside or store.arg.gated or store.arg.mode != "set":
        return None
    rows, columns = map(extent, pair)
    lanes = LINE_BYTES // 8  # of float64
    if rows < 2 or columns <= lanes or columns % lanes == 0 or any(r.arg[1] is not AxisType.LOOP for r in pair):
        return None
    found = _Flat(store, pair, outside)
    dest = store.src[1 : 1 + store.arg.ndim]
    return found if along(dest, shape, pair) and found.plan() else None
