"""Which buffers do not pay: their values are computed where they are read instead. Heuristics only.

A read has a *place*: the set of RANGEs that select the element it reads. Computing the value there costs nothing
extra if the loops of that place are the outermost ones of the store it stands in, since then the value is
computed once an element and stays in a register; a store's loops are ordered to make that so, as long as the
places of all values inlined into it are nested. Cheap values are inlined anywhere, a few times.
"""

from __future__ import annotations

from dataclasses import dataclass

from functrans.backend.schedule.decision import Decision, Why
from functrans.backend.schedule.inline import rebuild
from functrans.backend.schedule.memory import bytes_of
from functrans.backend.schedule.outer import closed_by, is_outer, outer_first
from functrans.backend.schedule.weight import weight
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

CHEAP = 16  # operations that may be repeated rather than stored
FEW = 16  # elements that fit a cache line or two: read again rather than copied
NEAR = 16 * 1024  # bytes of a slice that a copy keeps in the nearest cache

Ranges = frozenset[UOp]


@dataclass(frozen=True)
class Site:
    """A read of a buffer as it will be: in which store, at the ranges of each index, selected by which ranges."""

    store: UOp
    index: tuple[Ranges, ...]
    place: Ranges
    bare: bool  # each index is a RANGE of its own
    gated: bool


class Fusion:
    """Decides for every buffer, readers before what they read, whether it stays."""

    def __init__(self, roots: list[UOp]) -> None:
        self.roots = roots
        self.order = toposort(roots)
        self.buffers = [u for u in self.order if u.op is Ops.BUFFERIZE]
        self.reduce_of = {r: u for u in self.order if u.op is Ops.REDUCE for r in u.src[1:]}
        self.host: dict[UOp, UOp] = {s: b for b in self.buffers for s in b.src}
        self.reads: dict[UOp, list[tuple[UOp, UOp]]] = {b: [] for b in self.buffers}
        for buffer in self.buffers:
            for store in buffer.src:
                for u in toposort((store,), enter=lambda u: u.op is not Ops.BUFFERIZE):
                    if u.op is Ops.INDEX and u.src[0].op is Ops.BUFFERIZE:
                        self.reads[u.src[0]].append((store, u))
        self.sites: dict[UOp, list[Site]] = {}
        self.inlined: set[UOp] = set()
        self.decisions: list[Decision] = []
        self.nested: dict[UOp, list[Ranges]] = {}  # per store, the places of what is inlined into it

    def decide(self) -> set[UOp]:
        """The buffers whose values are computed where they are read."""
        for buffer in reversed(self.buffers):
            self.sites[buffer] = self._sites(buffer)
            found = self._decision(buffer)
            self.decisions.append(found)
            if not found.stays:
                self.inlined.add(buffer)
        return self.inlined

    def _sites(self, buffer: UOp) -> list[Site]:
        sites: list[Site] = []
        for store, read in self.reads[buffer]:
            idx = read.src[1:-1] if read.arg else read.src[1:]
            bare = all(i.op is Ops.RANGE for i in idx) and len(set(idx)) == len(idx)
            host = self.host[store]
            raw = tuple(i.free_ranges for i in idx)
            if host not in self.inlined:
                sites.append(Site(store, raw, read.free_ranges, bare, bool(read.arg)))
                continue
            for outer in self.sites[host]:
                into = self._mapping(host, outer)
                index = tuple(_mapped(f, into) for f in raw)
                whole = bare and outer.bare
                sites.append(
                    Site(outer.store, index, _mapped(read.free_ranges, into), whole, bool(read.arg) or outer.gated)
                )
        return sites

    def _mapping(self, host: UOp, site: Site) -> dict[UOp, Ranges]:
        closed = host.src[0].src[1 : 1 + host.src[0].arg.ndim]
        return dict(zip(closed, site.index, strict=True))

    def _decision(self, buffer: UOp) -> Decision:
        for applies, why in (
            (buffer in self.roots, Why.RESULT),
            (buffer.arg.demanded, Why.DEMANDED),
            (not is_plain(buffer), Why.FILLED),
            (any(any(map(is_outer, closed_by(s))) for s in buffer.src), Why.LAUNCHED),
        ):
            if applies:
                return Decision(buffer, why, len(self.sites[buffer]))
        sites = self.sites[buffer]
        value = buffer.src[0].src[0]
        closed = frozenset(closed_by(buffer.src[0]))
        if value.op is Ops.INDEX and value.src[0].free_ranges.isdisjoint(closed):
            return Decision(buffer, Why.COPIED if self._worth_a_copy(buffer, sites) else Why.VIEWED, len(sites))
        cost, heavy = _cost(value, closed)
        why = Why.CHEAP if not heavy and cost * len(sites) <= CHEAP else self._by_loops(buffer, heavy)
        return Decision(buffer, why, len(sites), cost, heavy)

    def _by_loops(self, buffer: UOp, heavy: bool) -> Why:
        """Of a value that is not to be computed more than once."""
        if len(self.sites[buffer]) != 1:
            return Why.SHARED
        site = self.sites[buffer][0]
        if heavy and (site.gated or not site.bare):
            return Why.DISPLACED
        if _product(site.place) > _product(frozenset(closed_by(buffer.src[0])) | buffer.free_ranges):
            return Why.REPEATED
        # what loops or fills buffers inside the value is selected by fewer ranges: those must nest as well
        into = self._mapping(buffer, site)
        places = [site.place, *(_mapped(f, into) for f in _inner_places(buffer.src[0].src[0]))]
        return Why.NESTED if self._nest(site.store, places) else Why.CROSSED

    def _worth_a_copy(self, buffer: UOp, sites: list[Site]) -> bool:
        """Whether a slice is read from end to end more than once in an iteration, and is small enough to stay near."""
        own = _product(frozenset(closed_by(buffer.src[0])) | buffer.free_ranges)
        passes = sum(_product(site.place) >= own for site in sites)
        size = bytes_of(buffer)
        apart = not _is_row(buffer)
        return passes > 1 and apart and bool(buffer.free_ranges) and FEW * buffer.dtype.itemsize < size <= NEAR

    def _nest(self, store: UOp, places: list[Ranges]) -> bool:
        """Whether the loops of each place can be the outermost ones around it in the store; if so they will be."""
        before = list(self.nested.get(store, ()))
        for place in places:
            if not self._nests(store, place):
                self.nested[store] = before
                return False
        return True

    def _nests(self, store: UOp, place: Ranges) -> bool:
        inner = {r for r in place if r in self.reduce_of}
        for r in inner:
            around = self.reduce_of[r].free_ranges - {r}
            if not self._same_host(r, store) or not around <= place:
                return False
        closed = frozenset(closed_by(store))
        outer = place - inner
        if not outer <= closed | store.free_ranges:
            return False
        if any(r.arg[1] is AxisType.ORDERED for r in closed):
            return outer == closed | store.free_ranges or outer <= store.free_ranges
        launch = frozenset(filter(is_outer, closed))
        if not launch <= place:  # it would be computed again at every launch
            return False
        chain = [*self.nested.get(store, []), frozenset(store.free_ranges)]
        if any(not (outer <= other or other <= outer) for other in chain):
            return False
        self.nested.setdefault(store, []).append(outer)
        return True

    def _same_host(self, r: UOp, store: UOp) -> bool:
        """Whether the reduction over r stands in the store itself, not in a value inlined into it."""
        here = frozenset(closed_by(store)) | store.free_ranges | frozenset(self.reduce_of)
        return self.reduce_of[r].free_ranges <= here

    def loop_order(self, store: UOp) -> tuple[UOp, ...]:
        """The closed ranges of a store, those that most inlined values need first."""
        closed = closed_by(store)
        places = self.nested.get(store, [])
        if not any(r.arg[1] is AxisType.ORDERED for r in closed):
            closed = tuple(sorted(closed, key=lambda r: -sum(r in p for p in places)))
        return outer_first(closed)


def is_plain(buffer: UOp) -> bool:
    """Whether one store fills the buffer, each element once, at its own indices."""
    if len(buffer.src) != 1:
        return False
    store = buffer.src[0]
    closed = closed_by(store)
    dest = store.src[1 : 1 + store.arg.ndim]
    return (
        store.arg.mode == "set" and not store.arg.gated and store.src[0].op is not Ops.SCAN
        and len(dest) == len(closed) and set(dest) == set(closed)
    )  # fmt: skip


def _is_row(buffer: UOp) -> bool:
    """Whether the elements of a slice lie side by side along its last axis where they are read."""
    store = buffer.src[0]
    dest, read = store.src[1 : 1 + store.arg.ndim], store.src[0]
    idx = read.src[1:-1] if read.arg else read.src[1:]
    return bool(dest) and bool(idx) and idx[-1] is dest[-1] and all(dest[-1] not in i.free_ranges for i in idx[:-1])


def _mapped(free: Ranges, into: dict[UOp, Ranges]) -> Ranges:
    out: set[UOp] = set()
    for r in free:
        out |= into.get(r, {r})
    return frozenset(out)


def _product(ranges: Ranges) -> int:
    n = 1
    for r in ranges:
        n *= extent(r)
    return n


def _inner_places(value: UOp) -> list[Ranges]:
    """The ranges that select each loop and each local buffer inside a value."""
    below = toposort((value,), enter=lambda u: u.op is not Ops.BUFFERIZE)
    return [u.free_ranges for u in below if u.op in (Ops.REDUCE, Ops.BUFFERIZE) and u.free_ranges]


def _cost(value: UOp, closed: Ranges) -> tuple[int, bool]:
    """Operations to compute the value once; and whether loops, or buffers filled for it alone, are among them."""
    total, heavy = 0, False
    for u in toposort((value,), enter=lambda u: u.op is not Ops.BUFFERIZE):
        if u.op is Ops.BUFFERIZE:
            heavy = heavy or not closed.isdisjoint(u.free_ranges)
        elif u.op in (Ops.REDUCE, Ops.SCAN):
            heavy = True
        elif u.shape is not None and u.src and u.dtype.kind != "x":
            total += weight(u.op)
    return total, heavy


def fuse(buffers: list[UOp]) -> tuple[list[UOp], list[Decision]]:
    """The roots, every buffer that does not pay replaced by its value where it is read; why each stays or goes."""
    fusion = Fusion(buffers)
    return rebuild(buffers, fusion.decide(), fusion.loop_order), fusion.decisions
