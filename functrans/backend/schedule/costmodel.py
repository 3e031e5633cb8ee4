"""The cost model: a buffer, or its values computed where they are read. Heuristics only; fuse does what is decided.

What the meaning demands is asked first. Of what is left the cheaper way is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from functrans.backend.schedule.decision import Decision, Why
from functrans.backend.schedule.memory import bytes_of
from functrans.backend.schedule.outer import closed_by, is_outer
from functrans.backend.schedule.sites import Ranges, Site, Sites
from functrans.backend.schedule.weight import weight
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

CHEAP = 16  # operations that may be repeated rather than stored
FEW = 16  # elements that fit a cache line or two: read again rather than copied
NEAR = 16 * 1024  # bytes of a slice that a copy keeps in the nearest cache


@dataclass(frozen=True)
class Decided:
    """Which buffers stay, each with the reason, and the order of the loops of each store that follows from it."""

    decisions: list[Decision]
    loop_order: Callable[[UOp], tuple[UOp, ...]]


def decided(roots: list[UOp]) -> Decided:
    """For every buffer, readers before what they read, whether it stays."""
    sites = Sites(toposort(roots))
    results = set(roots)
    decisions = []
    for buffer in reversed(sites.buffers):
        reads = sites.of(buffer)
        demanded = _demanded(buffer, results)
        found = Decision(buffer, demanded, len(reads)) if demanded else _by_cost(buffer, reads, sites)
        decisions.append(found)
        if not found.stays:
            sites.inlined[buffer] = reads
    return Decided(decisions, sites.loop_order)


def _demanded(buffer: UOp, results: set[UOp]) -> Why | None:
    """Why the buffer has to stay, whatever it costs."""
    for applies, why in (
        (buffer in results, Why.RESULT),
        (buffer.arg.demanded, Why.DEMANDED),
        (not is_plain(buffer), Why.FILLED),
        (any(any(map(is_outer, closed_by(s))) for s in buffer.src), Why.LAUNCHED),
    ):
        if applies:
            return why
    return None


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


def _by_cost(buffer: UOp, reads: list[Site], sites: Sites) -> Decision:
    value = buffer.src[0].src[0]
    closed = frozenset(closed_by(buffer.src[0]))
    if value.op is Ops.INDEX and value.src[0].free_ranges.isdisjoint(closed):
        return Decision(buffer, Why.COPIED if _worth_a_copy(buffer, reads) else Why.VIEWED, len(reads))
    cost, heavy = _cost(value, closed)
    why = Why.CHEAP if not heavy and cost * len(reads) <= CHEAP else _by_loops(buffer, heavy, reads, sites)
    return Decision(buffer, why, len(reads), cost, heavy)


def _by_loops(buffer: UOp, heavy: bool, reads: list[Site], sites: Sites) -> Why:
    """Of a value that is not to be computed more than once."""
    if len(reads) != 1:
        return Why.SHARED
    (site,) = reads
    if heavy and (site.gated or not site.bare):
        return Why.DISPLACED
    if _product(site.place) > _product(frozenset(closed_by(buffer.src[0])) | buffer.free_ranges):
        return Why.REPEATED
    return Why.NESTED if sites.nest(buffer, site) else Why.CROSSED


def _worth_a_copy(buffer: UOp, sites: list[Site]) -> bool:
    """Whether a slice is read from end to end more than once in an iteration, and is small enough to stay near."""
    own = _product(frozenset(closed_by(buffer.src[0])) | buffer.free_ranges)
    passes = sum(_product(site.place) >= own for site in sites)
    size = bytes_of(buffer)
    apart = not _is_row(buffer)
    return passes > 1 and apart and bool(buffer.free_ranges) and FEW * buffer.dtype.itemsize < size <= NEAR


def _is_row(buffer: UOp) -> bool:
    """Whether the elements of a slice lie side by side along its last axis where they are read."""
    store = buffer.src[0]
    dest, read = store.src[1 : 1 + store.arg.ndim], store.src[0]
    idx = read.src[1:-1] if read.arg else read.src[1:]
    return bool(dest) and bool(idx) and idx[-1] is dest[-1] and all(dest[-1] not in i.free_ranges for i in idx[:-1])


def _product(ranges: Ranges) -> int:
    n = 1
    for r in ranges:
        n *= extent(r)
    return n


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
