"""OUTER ranges: each is a loop around a kernel, so what they close is closed in full.

A buffer that closes an OUTER range inside other open ranges cannot stay a local buffer of their kernel. It becomes
memory of its own, with an axis for each of them in front, and every read says which slice of it is meant.
"""

from __future__ import annotations

from functrans._records import replace
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, rebuilt, toposort
from functrans.ops.vmap import extent


def is_outer(r: UOp) -> bool:
    """Whether a RANGE is a loop around kernels."""
    return r.op is Ops.RANGE and r.arg[1] is AxisType.OUTER


def closed_by(store: UOp) -> tuple[UOp, ...]:
    """The RANGEs a STORE closes, outermost loop first."""
    return store.src[store.arg.first_range :]


def close_outer(roots: list[UOp]) -> list[UOp]:
    """The roots with every buffer that closes an OUTER range closed in all its ranges."""
    order = toposort(roots)
    if not any(map(is_outer, order)):
        return roots
    position = {u: k for k, u in enumerate(order)}
    added: dict[UOp, tuple[UOp, ...]] = {}

    def make(node: UOp, made: UOp) -> UOp:
        if node.op is Ops.BUFFERIZE and node.free_ranges and any(is_outer(r) for s in node.src for r in closed_by(s)):
            added[node] = tuple(sorted(node.free_ranges, key=position.__getitem__))
            return widened(made, added[node])
        if node.op is Ops.INDEX and node.src[0] in added:
            return made.replace((made.src[0], *added[node.src[0]], *made.src[1:]))
        return made

    return rebuilt(roots, make)


def widened(buffer: UOp, ranges: tuple[UOp, ...]) -> UOp:
    """A buffer inside of loops as one for all of their rounds, with axes for them in front."""
    arg = replace(buffer.arg, shape=(*map(extent, ranges), *buffer.arg.shape))
    return UOp(buffer.op, buffer.dtype, tuple(_widen(s, ranges) for s in buffer.src), arg)


def _widen(store: UOp, ranges: tuple[UOp, ...]) -> UOp:
    first = store.arg.first_range
    arg = replace(store.arg, ndim=store.arg.ndim + len(ranges))
    loops = outer_first((*ranges, *store.src[first:]))
    return UOp(store.op, store.dtype, (store.src[0], *ranges, *store.src[1:first], *loops), arg)


def outer_first(ranges: tuple[UOp, ...]) -> tuple[UOp, ...]:
    """The ranges with the OUTER ones in front, otherwise in order."""
    return tuple(sorted(ranges, key=lambda r: not is_outer(r)))
