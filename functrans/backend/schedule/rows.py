"""Batched code written by hand, row by row: a buffer of which each row is read by its own row holds one at a time.

A softmax along the second axis of a matrix stores its maxima and its exponentials, each for all rows. Where every read
of such a buffer stands under the loop over the rows of one result, and reads the row of that loop, the loop is opened
around the buffer: what remains is the graph that a map of the function of one row has, and is one kernel as that is.
What is a product of matrices, or is read by one, stays whole: its speed comes from many rows at a time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from functrans.backend.schedule.costmodel import is_plain
from functrans.backend.schedule.inline import simplest
from functrans.backend.schedule.outer import closed_by
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


def rows(roots: list[UOp]) -> list[UOp]:
    """The roots, with buffers by row where that can be. Linear in the graph."""
    loop = _loops(roots)
    if not loop:
        return roots
    row = {b.src[0].src[1]: r for b, r in loop.items()}  # the RANGE over the rows of each buffer, and its reader's
    new: dict[UOp, UOp] = {}
    for node in toposort(roots):
        src = tuple(new[s] for s in node.src)
        if node in row:
            new[node] = row[node]
        elif node.op is Ops.INDEX and node.src[0] in loop:
            new[node] = node.replace((src[0], *src[2:]))
        elif node.op is Ops.BUFFERIZE and node in loop:
            store, old = src[0], node.src[0]
            kept = [new[r] for r in closed_by(old) if r is not old.src[1]]
            inner = (store.src[0], *store.src[2 : 1 + old.arg.ndim], *kept)
            filled = UOp(Ops.STORE, store.dtype, inner, replace(old.arg, ndim=old.arg.ndim - 1))
            new[node] = UOp(Ops.BUFFERIZE, node.dtype, (filled,), replace(node.arg, shape=node.arg.shape[1:]))
        elif node.dtype.kind == "x" and node.op is not Ops.INDEX:
            new[node] = simplest(node, src)
        else:
            new[node] = node.replace(src)
    return [new[r] for r in roots]


def _loops(roots: list[UOp]) -> dict[UOp, UOp]:
    """For each buffer that can hold a row at a time, the loop over the rows of the result that it is for."""
    order = toposort(roots)
    buffers = [u for u in order if u.op is Ops.BUFFERIZE]
    reads: dict[UOp, list[tuple[UOp, UOp, UOp]]] = {b: [] for b in buffers}
    contracts: dict[UOp, bool] = {}
    for host in buffers:
        for store in host.src:
            below = toposort((store,), enter=lambda u: u.op is not Ops.BUFFERIZE)
            for u in below:
                if u.op is Ops.INDEX and u.src[0].op is Ops.BUFFERIZE:
                    reads[u.src[0]].append((host, store, u))
        contracts[host] = any(map(_contracts, host.src))
    found: dict[UOp, UOp] = {}
    results = set(roots)
    closes = Counter(r for b in buffers for store in b.src for r in closed_by(store))
    for b in reversed(buffers):
        if b in results or b.free_ranges or b.arg.demanded or contracts[b] or not b.arg.shape or not is_plain(b):
            continue
        if closes[b.src[0].src[1]] > 1:  # another buffer, which may lie elsewhere, has the same RANGE over its rows
            continue
        around = {_around(b, read, found, contracts) for read in reads[b]}
        if len(around) == 1 and None not in around:
            found[b] = next(r for r in around if r is not None)
    return found


def _around(
    b: UOp, read: tuple[UOp, UOp, UOp], found: dict[UOp, UOp], contracts: dict[UOp, bool]
) -> UOp | None:  # fmt: skip
    """The loop over the rows of the result under which a read stands, if it reads the row of that loop."""
    host, store, index = read
    leading = closed_by(store)[:1]
    if host.free_ranges or contracts[host] or not leading or index.arg:
        return None
    own = store.src[1] if host in found else leading[0]
    rows_, here = b.src[0].src[1], index.src[1]
    if here is not own or any(here in i.free_ranges for i in index.src[2:]):
        return None
    alike = extent(here) == extent(rows_) > 1 and here.arg[1] is rows_.arg[1] is AxisType.LOOP
    return found.get(host, here) if alike else None


def _contracts(store: UOp) -> bool:
    """Whether it reduces over what does not depend on its rows: a product of matrices, or alike."""
    first = closed_by(store)[:1]
    for u in toposort((store,), enter=lambda u: u.op is not Ops.BUFFERIZE):
        if u.op is Ops.REDUCE:
            inside = toposort((u,), enter=lambda v: v.op is not Ops.BUFFERIZE)
            if any(v.op is Ops.INDEX and first and first[0] not in v.free_ranges for v in inside):
                return True
    return False
