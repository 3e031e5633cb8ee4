"""Stores under several RANGEs: a loop of loops, made of loops over one RANGE from the outermost in.

What the inner loops leave in an array is stored as a whole by a round of the outer one. Where an array is stored into
and read at an element alone, at an index that the outer RANGE decides, that element goes through the inner loops by
itself, so rows that have nothing to do with one another are no carries of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.rounds import place_of, slices_of, window_at
from functrans.ops.stored_memory import memory_of
from functrans.ops.uop import UOp, substitute, toposort

After = Callable[[UOp, UOp], UOp]


def ranges_of(event: UOp) -> tuple[UOp, ...]:
    """The RANGEs of an END, the innermost first."""
    inner = ranges_of(event.src[0]) if event.src[0].op is Ops.END else ()
    return (*inner, event.src[1])


def stored_array(target: UOp, ranges: Sequence[UOp]) -> UOp | None:
    """The array that is stored into, as it is outside of the loops; None where that is not plain."""
    place = place_of(target)
    return None if place is None else _outside(place.array, ranges)


def _outside(current: UOp, ranges: Sequence[UOp]) -> UOp:
    while current.op is Ops.AFTER and current.src[1] in ranges:
        current = current.src[0]
    return current


class _Part(NamedTuple):
    """A store: its array, what it is called in a round, its target and whether that is an element of its own."""

    array: UOp
    current: UOp
    target: UOp
    single: bool


def outermost(event: UOp, after: After) -> UOp:
    """The END of stores over the outermost RANGE alone, of what the loops inside of it leave."""
    *inner, r = ranges_of(event)
    innermost = event
    while innermost.src[0].op is Ops.END:
        innermost = innermost.src[0]
    body = innermost.src[0]
    stores = body.src if body.op is Ops.SINK else (body,)
    order = toposort([x for s in stores for x in s.src])
    parts = [_part(s, stores, inner, r) for s in stores]
    arrays, names = list[UOp](), dict[UOp, UOp]()
    for p in parts:
        there, raw = UOp(Ops.AFTER, p.array.dtype, (p.array, r)), p.current is p.array
        base = memory_of(p.array) if raw else p.array
        if p.single:
            arrays.append(p.target if raw else substitute((p.target,), {p.current: there})[0])
            names[p.target] = _in(arrays[-1], inner)
            continue
        arrays.append(there)
        now = _in(there, inner)
        if raw:
            names |= {u: window_at(now, u.src[1:]) for u in slices_of(p.array, order)}
            names.setdefault(base, B.reshape(now, base.sized))
        names[p.current] = now
    moved = substitute([x for s in stores for x in s.src], names)
    every = [UOp(Ops.STORE, s.dtype, tuple(moved[2 * k : 2 * k + 2])) for k, s in enumerate(stores)]
    within = _end(every, inner)
    outer = [UOp(Ops.STORE, s.dtype, (a, after(a, within))) for s, a in zip(stores, arrays, strict=True)]
    return _end(outer, (r,))


def _part(store: UOp, stores: Sequence[UOp], inner: Sequence[UOp], r: UOp) -> _Part:
    target, place = store.src[0], place_of(store.src[0])
    current = target if place is None else place.array
    array = _outside(current, (*inner, r))
    at = None if place is None else place.at
    single = at is not None and r in at.free_ranges and at.free_ranges.isdisjoint(inner)
    if single:
        rest = set(toposort([x for s in stores for x in s.src], enter=lambda u: u is not target))
        single = rest.isdisjoint((current, array, flat(array)))
    return _Part(array, current, target, single)


def _in(x: UOp, ranges: Sequence[UOp]) -> UOp:
    """An array in a round of each of some loops, the innermost first."""
    for r in reversed(ranges):
        x = UOp(Ops.AFTER, x.dtype, (x, r))
    return x


def _end(stores: Sequence[UOp], ranges: Sequence[UOp]) -> UOp:
    made = stores[0] if len(stores) == 1 else UOp.sink(*stores)
    return made.end(*ranges)
