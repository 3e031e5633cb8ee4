"""Buffers that one loop fills, and what of their values is the same: filled there, it is computed once for all of them.

A map that returns several values is one loop, in which what they share is a value of one round. A buffer of it that is
computed where it is read takes all that it is computed from along, and the loop that fills the others computes it too.
No buffer by itself shows that: each has one reader. So those that share are looked at together.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from functrans.backend.schedule.accesses import Accesses
from functrans.backend.schedule.operations import operations
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import led
from functrans.ops.enums import Ops
from functrans.ops.price import ADDITION, picoseconds
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


def torn(accesses: Accesses, storing: Mapping[UOp, float]) -> list[UOp]:
    """The buffers that are not to be stored by what is decided, and better were: what they share with others would be
    computed in several loops. ``storing`` has for each by how much longer an element takes if it is stored. Linear in
    the graph.
    """
    groups: dict[UOp, list[UOp]] = {}
    for b in accesses.buffers:
        if not b.free_ranges and len(b.src) == 1:
            for r in closed_by(b.src[0])[:1]:
                groups.setdefault(r, []).append(b)
    shared = (_Group(r, group, accesses) for r, group in groups.items() if len(group) > 1)
    return [b for group in shared for b in group.torn(storing)]


class _Group:
    """Buffers that one loop could fill; those that have a value in common, whatever it is, have one leader."""

    def __init__(self, loop: UOp, buffers: list[UOp], accesses: Accesses) -> None:
        self.loop, self.accesses = loop, accesses
        self.away = [b for b in buffers if b in accesses.inlined]
        self.leader = {b: b for b in buffers}
        self.places: dict[UOp, set[object]] = {}  # of each value the loops that compute it
        self.owner: dict[UOp, UOp] = {}  # and a buffer that needs it
        if self.away:
            self._spread(buffers)

    def torn(self, storing: Mapping[UOp, float]) -> list[UOp]:
        """Those that are to be stored after all."""
        work, again, time, price = (dict.fromkeys(self.leader, 0.0) for _ in range(4))
        for u, places in self.places.items():
            rounds, b = prod(map(extent, u.free_ranges - {self.loop})), led(self.leader, self.owner[u])
            each = ADDITION * prod(map(extent, u.src[1:])) if u.op is Ops.REDUCE else picoseconds(u)
            work[b] += rounds * operations(u)
            again[b] += rounds * operations(u) * (len(places) - 1)
            time[b] += rounds * each * (len(places) - 1)
        for b in self.away:
            inner = prod(extent(r) for r in closed_by(b.src[0]) if r is not self.loop)
            price[led(self.leader, b)] += inner * storing[b]
        return [b for b in self.away if time[a := led(self.leader, b)] > price[a] or again[a] > work[a]]

    def _spread(self, buffers: list[UOp]) -> None:
        """From each buffer to what it is computed from."""
        for b in buffers:
            where: set[object] = {(self.accesses.loops(s), s.element) for s in self.accesses.inlined.get(b, ())}
            self._reach(b.src[0].src[0], b, where if b in self.accesses.inlined else {self.loop})
        for u in reversed(toposort([b.src[0].src[0] for b in buffers], enter=self._is_inside)):
            if u in self.places:
                for s in u.src:
                    self._reach(s, self.owner[u], self.places[u])

    def _reach(self, value: UOp, buffer: UOp, places: set[object]) -> None:
        if self._is_inside(value):
            self.places.setdefault(value, set()).update(places)
            one, other = led(self.leader, self.owner.setdefault(value, buffer)), led(self.leader, buffer)
            self.leader[one] = other

    def _is_inside(self, value: UOp) -> bool:
        return value.op is not Ops.BUFFERIZE and value.dtype.kind != "x" and self.loop in value.free_ranges
