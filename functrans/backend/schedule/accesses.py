"""Accesses of buffers: which stores read which elements, directly or through buffers that were inlined.

The iteration domain of an access is the set of RANGEs that select the element it reads. An inlined value is computed
once an element, and stays in a register, if the loops of its domain are the outermost ones of the store. The loops of a
store are ordered for that, as long as the domains of all values inlined into it are nested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from functrans._records import record
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.outer import closed_by, is_outer, outer_first
from functrans.backend.schedule.parts import inside, led
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort

Ranges = frozenset[UOp]


@record
class BufferAccess:
    """A read of a buffer after inlining: the store it belongs to, the element, the RANGEs that select it."""

    store: UOp
    element: tuple[UOp, ...]  # its indices, and all else that decides what is read and how often
    ranges: Ranges  # its iteration domain
    into: dict[UOp, UOp]  # what the RANGEs of the reader are in the store, where it is inlined
    bare: bool  # each index is a RANGE of its own
    gated: bool


class Accesses:
    """The accesses of all buffers. Readers are decided before what they read; `inlined` holds what was inlined."""

    def __init__(self, order: list[UOp], held: Iterable[tuple[UOp, Ranges]] = ()) -> None:
        self.buffers = [u for u in order if u.op is Ops.BUFFERIZE]
        self.reduce_of = {r: u for u in order if u.op is Ops.REDUCE for r in u.src[1:]}
        self.walks = Counter(closed_by(s)[:1] for b in self.buffers for s in b.src)  # by their outermost loop
        self.position = {u: k for k, u in enumerate(order) if u.op is Ops.RANGE}
        self.depth: dict[UOp, int] = {}  # how many buffers stand one above the other in it: none reads one as deep
        for u in order:
            self.depth[u] = max((self.depth.get(s, 0) for s in u.src), default=0) + (u.op is Ops.BUFFERIZE)
        self.host: dict[UOp, UOp] = {s: b for b in self.buffers for s in b.src}
        self.reads: dict[UOp, list[tuple[UOp, UOp]]] = {b: [] for b in self.buffers}
        for buffer in self.buffers:
            for store in buffer.src:
                for u in inside(store):
                    if u.op is Ops.INDEX and u.src[0].op is Ops.BUFFERIZE:
                        self.reads[u.src[0]].append((store, u))
        self.inlined: dict[UOp, list[BufferAccess]] = {}
        self.reader: dict[UOp, UOp] = {}  # a buffer whose store reads a buffer
        self.joined = {b: b for b in self.buffers}  # one of what one kernel fills leads all of it
        self._join()
        self.nested: dict[UOp, list[Ranges]] = {}  # per store, the places of what is inlined into it, or held in it
        for store, place in held:
            self.nested.setdefault(store, []).append(place)

    def of(self, buffer: UOp) -> list[BufferAccess]:
        """The reads of a buffer, those of the same element in the same round of the same loops as one."""
        found: dict[object, BufferAccess] = {}
        for store, read in self.reads[buffer]:
            idx = read.src[1:-1] if read.arg else read.src[1:]
            bare = all(i.op is Ops.RANGE for i in idx) and len(set(idx)) == len(idx)
            around = self._around(buffer, read)
            host = self.host[store]
            for outer in self.inlined.get(host, (None,)):
                if outer is None:
                    access = BufferAccess(store, (*read.src[1:], *around), read.free_ranges, {}, bare, bool(read.arg))
                else:
                    into = mapping(host, outer)
                    element = tuple(_placed(i, into) for i in (*read.src[1:], *around))
                    gates = outer.element[len(host.arg.shape) :] if outer.gated else ()
                    place = mapped(read.free_ranges, into)
                    gated = bool(read.arg) or outer.gated
                    access = BufferAccess(outer.store, (*element, *gates), place, into, bare and outer.bare, gated)
                found.setdefault((self.loops(access), access.element), access)
                self.reader.setdefault(buffer, self.host[access.store])
        return list(found.values())

    def kernel(self, store: UOp) -> UOp:
        """The same buffer for all stores of a kernel, of which those that read what a store fills have been asked."""
        host = self.host[store]
        while host in self.reader and host.free_ranges:
            host = self.reader[host]
        return led(self.joined, host)

    def _around(self, buffer: UOp, read: UOp) -> tuple[UOp, ...]:
        """The RANGEs that a read does not depend on, and its buffer does, or the loops that it stands in."""
        reduces = (self.reduce_of[r].free_ranges for r in read.free_ranges if r in self.reduce_of)
        return tuple(sorted(buffer.free_ranges.union(*reduces).difference(read.src[1:]), key=self.position.__getitem__))

    def loops(self, access: BufferAccess) -> object:
        """Equal for reads in the same loops: what two of them read of the same element is computed once."""
        closed, host = closed_by(access.store), self.host[access.store]
        depth = max((k + 1 for k, r in enumerate(closed) if r in access.ranges), default=0)
        return closed[:depth], host if host.free_ranges else led(self.joined, host)

    def _join(self) -> None:
        """Tell what one kernel fills: what the same outermost loop does, of buffers that do not read one another, as
        nothing reads them or they are as deep.
        """
        first: dict[object, UOp] = {}
        for host in self.buffers:
            level = self.depth[host] if self.reads[host] else 0
            for store in host.src if not host.free_ranges else ():
                other = first.setdefault((closed_by(store)[:1], level), host)
                self.joined[led(self.joined, host)] = led(self.joined, other)

    def nest(self, buffer: UOp, access: BufferAccess) -> bool:
        """Whether the loops of a read can be the outermost ones around it in the store; if so they will be."""
        # what loops or fills buffers inside the value is selected by fewer ranges: those must nest as well
        into = mapping(buffer, access)
        before = list(self.nested.get(access.store, ()))
        for place in (access.ranges, *(mapped(f, into) for f in _inner_places(buffer.src[0].src[0]))):
            if not self._nests(access.store, place):
                self.nested[access.store] = before
                return False
        return True

    def _nests(self, store: UOp, place: Ranges) -> bool:
        inner = {r for r in place if r in self.reduce_of}
        closed = frozenset(closed_by(store))
        here = closed | store.free_ranges | self.reduce_of.keys()  # else it stands in a value inlined into the store
        for r in inner:
            around = self.reduce_of[r].free_ranges
            if not around <= here or not around - {r} <= place:
                return False
        outer = place - inner
        if not outer <= closed | store.free_ranges:
            return False
        if any(r.arg[1] is AxisType.ORDERED for r in closed):
            return outer == closed | store.free_ranges or outer <= store.free_ranges
        launch = frozenset(filter(is_outer, closed))
        if not launch <= place:  # it would be computed again at every launch
            return False
        first = outer & closed
        if self.walks[closed_by(store)[:1]] > 1 and first != frozenset(closed_by(store)[: len(first)]):
            return False  # what shares the loops would be computed again in loops of its own
        chain = [*self.nested.get(store, []), frozenset(store.free_ranges)]
        if any(not (outer <= other or other <= outer) for other in chain):
            return False
        self.nested.setdefault(store, []).append(outer)
        return True

    def crossed(self, stay: Iterable[UOp]) -> set[tuple[UOp, Ranges]]:
        """Of the buffers that stay, those inside of a store whose loops are not the outermost ones there: each would be
        filled again in every round of the others. The store, and the loops.
        """
        found: set[tuple[UOp, Ranges]] = set()
        for buffer in (b for b in stay if b.free_ranges):
            for access in self.of(buffer):
                around, closed = access.store.free_ranges, frozenset(closed_by(access.store))
                place = closed & mapped(buffer.free_ranges, access.into)
                others = [closed & other for other in self.nested.get(access.store, ())]
                if not all(place <= other or other <= place for other in others):
                    found.add((access.store, place | around))
        return found

    def loop_order(self, store: UOp) -> tuple[UOp, ...]:
        """The closed ranges of a store, those that most inlined values need first."""
        closed = closed_by(store)
        places = self.nested.get(store, [])
        if not any(r.arg[1] is AxisType.ORDERED for r in closed):
            closed = tuple(sorted(closed, key=lambda r: -sum(r in p for p in places)))
        return outer_first(closed)


def mapping(host: UOp, access: BufferAccess) -> dict[UOp, UOp]:
    """What the RANGEs that a buffer closes, and those around it, are where it is read."""
    closed = host.src[0].src[1 : 1 + host.src[0].arg.ndim]
    around = {r: access.into[r] for r in host.free_ranges if r in access.into}
    return around | dict(zip(closed, access.element, strict=False))


def mapped(free: Ranges, into: dict[UOp, UOp]) -> Ranges:
    """Ranges as they are where the value that depends on them is read."""
    out: set[UOp] = set()
    for r in free:
        out |= into[r].free_ranges if r in into else {r}
    return frozenset(out)


def _placed(index: UOp, into: dict[UOp, UOp]) -> UOp:
    return into.get(index, index) if index.op is Ops.RANGE else at(index, into)


def _inner_places(value: UOp) -> list[Ranges]:
    """The ranges that select each loop and each local buffer inside a value."""
    below = toposort((value,), enter=lambda u: u.op is not Ops.BUFFERIZE)
    return [u.free_ranges for u in below if u.op in (Ops.REDUCE, Ops.BUFFERIZE) and u.free_ranges]
