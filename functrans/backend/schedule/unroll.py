"""Short loops over vectors of scalars, written out.

A buffer that is filled element by element (a stack of scalars) and read in a short loop would pass through memory
for the loop's sake alone. Written out, each read names its element, the buffer disappears, and the body is
straight-line code: what a batch loop around it wants.
"""

from __future__ import annotations

from math import prod

from functrans.backend.policy import STRAIGHT_STATEMENTS, VECTOR_ROUNDS
from functrans.backend.schedule.inline import at, rebuild
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.origin import became
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

_ROUNDS = 32


def unroll(roots: list[UOp]) -> list[UOp]:
    """The roots with every short loop over scalars written out, until none is left."""
    for _ in range(_ROUNDS):
        ranges = _short_ranges(roots)
        if not ranges:
            break
        roots = _write_out(roots, ranges)
    return roots


def by_element(buffer: UOp) -> bool:
    """Whether every store of the buffer writes one element at a place of its own, known now."""
    return len(buffer.src) > 1 and all(
        len(s.src) == s.arg.first_range and not s.arg.gated and s.arg.mode == "set"
        and all(d.op is Ops.CONST for d in s.src[1 : 1 + s.arg.ndim])
        for s in buffer.src
    )  # fmt: skip


def _short_ranges(roots: list[UOp]) -> set[UOp]:
    """RANGEs that alone select from a buffer filled by element."""
    found: set[UOp] = set()
    for u in toposort(roots):
        if u.op is Ops.INDEX and not u.arg and u.src[0].op is Ops.BUFFERIZE and by_element(u.src[0]):
            for i in u.src[1:]:
                found |= {r for r in i.free_ranges if extent(r) <= VECTOR_ROUNDS and r.arg[1] is not AxisType.ORDERED}
    order = toposort(roots)
    loops = [tuple(r for r in _own_loops(u) if r in found) for u in order if u.op is Ops.STORE]
    loops += [u.src[1:] for u in order if u.op is Ops.REDUCE and found.issuperset(u.src[1:])]
    return {r for group in loops if prod(map(extent, group)) <= STRAIGHT_STATEMENTS for r in group}


def _own_loops(store: UOp) -> tuple[UOp, ...]:
    """The loops of a store, but for the outermost of a buffer that outlives its kernel."""
    loops = store.src[store.arg.first_range :]
    return loops if store.free_ranges else loops[1:]


def _write_out(roots: list[UOp], ranges: set[UOp]) -> list[UOp]:
    new: dict[UOp, UOp] = {}
    for node in toposort(roots):
        src = tuple(new[s] for s in node.src)
        if node.op is Ops.REDUCE and not ranges.isdisjoint(node.src[1:]):
            new[node] = _reduction(node, src, ranges)
        elif node.op is Ops.BUFFERIZE:
            stores = tuple(s for store in src for s in _stores(store, ranges))
            new[node] = node.replace(stores)
        else:
            new[node] = node.replace(src)
    return rebuild([new[r] for r in roots], set(), lambda s: s.src[s.arg.first_range :])


def _stores(store: UOp, ranges: set[UOp]) -> list[UOp]:
    first = store.arg.first_range
    out = [store]
    for r in [r for r in store.src[first:] if r in ranges and r in _own_loops(store)]:
        out = [
            s.replace((*(at(x, {r: sym.const(k)}) for x in s.src[:first]), *(c for c in s.src[first:] if c is not r)))
            for s in out
            for k in range(extent(r))
        ]
    return out


def _reduction(node: UOp, src: tuple[UOp, ...], ranges: set[UOp]) -> UOp:
    if not ranges.issuperset(src[1:]):
        return node.replace(src)
    terms = [src[0]]
    for r in src[1:]:
        terms = [at(t, {r: sym.const(k)}) for t in terms for k in range(extent(r))]
    total = terms[0]
    for t in terms[1:]:
        total = became(UOp(node.arg, node.dtype, (total, t)), node)
    return total
