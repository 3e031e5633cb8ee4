"""Rewriting the ranged graph: the value of a buffer in place of a read of it."""

from __future__ import annotations

from collections.abc import Callable

from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.origin import became
from functrans.ops.uop import UOp, toposort


def rebuild(roots: list[UOp], inlined: set[UOp], loop_order: Callable[[UOp], tuple[UOp, ...]]) -> list[UOp]:
    """The roots, reads of ``inlined`` buffers replaced by values, the loops of every store in the given order."""
    new: dict[UOp, UOp] = {}
    reduces: set[UOp] = set()  # what is, or holds, a reduction
    for node in toposort(roots):
        src = tuple(new[s] for s in node.src)
        read = node.op is Ops.INDEX and node.src[0].op is Ops.BUFFERIZE
        if node.op is Ops.REDUCE or (not reduces.isdisjoint(node.src) and (not read or node.src[0] in inlined)):
            reduces.add(node)
        if node.op is Ops.INDEX and node.src[0] in inlined:
            new[node] = became(_value(src, node.arg), node)
        elif read:
            # of what outlives its kernel another one may be the reader, which is not to reduce it again
            kept = not node.src[0].free_ranges and node.src[0] in reduces
            new[node] = became((None if kept else _element(src, node)) or node.replace(src), node)
        elif node.op is Ops.STORE:
            first = node.arg.first_range
            new[node] = node.replace((*src[:first], *(new[r] for r in loop_order(node))))
        elif node.op is Ops.INDEX or node.dtype.kind != "x":
            new[node] = node.replace(src)
        else:
            new[node] = simplest(node, src)
    return [new[r] for r in roots]


def _value(src: tuple[UOp, ...], gated: bool) -> UOp:
    buffer, *idx = src
    gate = idx.pop() if gated else None
    store = buffer.src[0]
    dest = store.src[1 : 1 + store.arg.ndim]
    for r, i in zip(dest, idx, strict=True):
        if i.op is Ops.RANGE:
            became(i, r)
    value = at(store.src[0], dict(zip(dest, idx, strict=True)), gate)
    return value if gate is None else UOp(Ops.WHERE, value.dtype, (gate, value, UOp.const(value.dtype, 0)))


def at(value: UOp, mapping: dict[UOp, UOp], gate: UOp | None = None) -> UOp:
    """The value with RANGEs replaced by index expressions; under a gate every read it makes is gated too."""
    new: dict[UOp, UOp] = dict(mapping)
    keys = mapping.keys()
    for node in toposort((value,), enter=lambda u: not keys.isdisjoint(u.free_ranges)):
        if node in new:
            continue
        if keys.isdisjoint(node.free_ranges):
            new[node] = node
            continue
        src = tuple(new[s] for s in node.src)
        if node.op is Ops.INDEX:
            new[node] = _gated(node, src, gate)
        elif node.dtype.kind == "x":
            new[node] = simplest(node, src)
        else:
            new[node] = node.replace(src)
    return new[value]


def _gated(node: UOp, src: tuple[UOp, ...], gate: UOp | None) -> UOp:
    if gate is None:
        element = _element(src, node)
        return node.replace(src) if element is None else element  # a boolean has no truth
    condition = sym.both(src[-1], gate) if node.arg else gate
    if condition is None:
        condition = sym.TRUE
    return UOp(Ops.INDEX, node.dtype, (*(src[:-1] if node.arg else src), condition), True)


def _element(src: tuple[UOp, ...], node: UOp) -> UOp | None:
    """What a read at constant indices finds in a buffer that is filled element by element."""
    buffer, *idx = src
    if node.arg or buffer.op is not Ops.BUFFERIZE or any(i.op is not Ops.CONST for i in idx):
        return None
    found = None
    for store in buffer.src:
        dest = store.src[1 : 1 + store.arg.ndim]
        if len(store.src) > store.arg.first_range or store.arg.gated or any(d.op is not Ops.CONST for d in dest):
            return None
        if store.arg.mode != "set":
            return None
        if list(dest) == idx:
            found = store.src[0]
    return found


def simplest(node: UOp, src: tuple[UOp, ...]) -> UOp:
    """An index node over other sources, in canonical form."""
    if src == node.src:
        return node
    if node.op is Ops.ADD:
        return sym.add(src[0], src[1])
    if node.op is Ops.MUL:
        return sym.mul(src[0], src[1])
    if node.op is Ops.IDIV and src[1].op is Ops.CONST:
        return sym.div(src[0], int(src[1].arg))
    if node.op is Ops.MOD and src[1].op is Ops.CONST:
        return sym.mod(src[0], int(src[1].arg))
    if node.op is Ops.MAX and src[1].op is Ops.CONST and sym.bounds(src[0])[0] >= src[1].arg:
        return src[0]
    if node.op is Ops.MIN and src[1].op is Ops.CONST and sym.bounds(src[0])[1] <= src[1].arg:
        return src[0]
    return node.replace(src)
