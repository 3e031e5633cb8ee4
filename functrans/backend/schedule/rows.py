"""Batched code written by hand, row by row: a buffer of which each row is read by its own row holds one at a time.

A softmax along the second axis of a matrix stores its maxima and its exponentials, each for all rows. Where every read
of such a buffer stands under the loop over the rows of one result, and reads the row of that loop, the loop is opened
around the buffer: what remains is the graph that a map of the function of one row has, and is one kernel as that is.
What is a product of matrices, or is read by one, stays whole: its speed comes from many rows at a time.
"""

from __future__ import annotations

from functrans._records import replace
from functrans.backend.schedule.inline import simplest
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.rowloops import RowLoops
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort


def rows(roots: list[UOp]) -> list[UOp]:
    """The roots, with buffers by row where that can be. Linear in the graph."""
    loops = RowLoops(roots)
    loop = {b: loops.loop(r) for b, r in loops.found.items()}
    if not loop:
        return roots
    row = {r: loops.loop(r) for r in loops.joined}
    row |= {b.src[0].src[1]: r for b, r in loop.items()}  # the RANGE over the rows of each buffer, and its reader's
    new: dict[UOp, UOp] = {}
    for node in toposort(roots):
        src = tuple(new[s] for s in node.src)
        if node in row:
            new[node] = row[node]
        elif node.op is Ops.INDEX and node.src[0] in loop:
            row_alone = len(node.src) == 2  # a value of the loop, which no array has to hold
            new[node] = new[node.src[0].src[0].src[0]] if row_alone else node.replace((src[0], *src[2:]))
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
