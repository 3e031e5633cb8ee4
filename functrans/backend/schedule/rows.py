"""Batched code written by hand, row by row: a buffer of which each row is read by its own row holds one at a time.

A softmax along the second axis of a matrix stores its maxima and its exponentials, each for all rows. Where every read
of such a buffer stands under the loop over the rows of one result, and reads the row of that loop, the loop is opened
around the buffer: what remains is the graph that a map of the function of one row has, and is one kernel as that is.
What is a product of matrices, or is read by one, stays whole: its speed comes from many rows at a time.

Results that read the same row of a buffer are filled in one loop, if none of them needs the whole of another. What they
share is then a value of that loop. A function and its derivative are such results.
"""

from __future__ import annotations

from collections import Counter

from functrans._records import replace
from functrans.backend.schedule.costmodel import is_plain
from functrans.backend.schedule.inline import simplest
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import inside
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


def rows(roots: list[UOp]) -> list[UOp]:
    """The roots, with buffers by row where that can be. Linear in the graph."""
    loops = _RowLoops(roots)
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


class _RowLoops:
    """``found`` has for each such buffer a loop, ``loop`` what it has become; ``joined`` are those that are others."""

    def __init__(self, roots: list[UOp]) -> None:
        self.roots = set(roots)
        self.buffers = [u for u in toposort(roots) if u.op is Ops.BUFFERIZE]
        self.reads: dict[UOp, list[tuple[UOp, UOp, UOp]]] = {b: [] for b in self.buffers}  # who, in which store, how
        self.below: dict[UOp, dict[UOp, None]] = {b: {} for b in self.buffers}  # what each buffer reads
        self.contracts: dict[UOp, bool] = {}
        self.filled: dict[UOp, list[UOp]] = {}  # the buffers that a RANGE is the outermost loop of
        for host in self.buffers:
            for store in host.src:
                for u in inside(store):
                    if u.op is Ops.INDEX and u.src[0].op is Ops.BUFFERIZE:
                        self.reads[u.src[0]].append((host, store, u))
                        self.below[host][u.src[0]] = None
                    elif u.op is Ops.BUFFERIZE:
                        self.below[host][u] = None
                for r in closed_by(store)[:1]:
                    self.filled.setdefault(r, []).append(host)
            self.contracts[host] = any(map(_contracts, host.src))
        self.closes = Counter(r for b in self.buffers for store in b.src for r in closed_by(store))
        self.found: dict[UOp, UOp] = {}
        self.joined: dict[UOp, UOp] = {}
        for b in reversed(self.buffers):
            if self._can_be_rows(b):
                self._place(b)

    def loop(self, r: UOp) -> UOp:
        """The loop that a loop has become."""
        while r in self.joined:
            r = self.joined[r]
        return r

    def _can_be_rows(self, b: UOp) -> bool:
        if b in self.roots or b.free_ranges or b.arg.demanded or self.contracts[b] or not b.arg.shape:
            return False
        # another buffer, which may lie elsewhere, may have the same RANGE over its rows
        return is_plain(b) and self.closes[b.src[0].src[1]] == 1

    def _place(self, b: UOp) -> None:
        around = [self._around(b, *read) for read in self.reads[b]]
        loops = list(dict.fromkeys(self.loop(r) for r in around if r is not None))
        if not loops or None in around:
            return
        if len(loops) == 1 or self._join(loops):
            self.found[b] = loops[0]

    def _around(self, b: UOp, host: UOp, store: UOp, index: UOp) -> UOp | None:
        """The loop over the rows of the result under which a read stands, if it reads the row of that loop."""
        leading = closed_by(store)[:1]
        if host.free_ranges or self.contracts[host] or not leading or index.arg:
            return None
        own = store.src[1] if host in self.found else leading[0]
        rows_, here = b.src[0].src[1], index.src[1]
        if here is not own or any(here in i.free_ranges for i in index.src[2:]):
            return None
        alike = extent(here) == extent(rows_) > 1 and here.arg[1] is rows_.arg[1] is AxisType.LOOP
        return self.found.get(host, here) if alike else None

    def _join(self, loops: list[UOp]) -> bool:
        """Make one loop of several, if what one of them fills is not needed for what another does."""
        own = [[s for s in self.filled if self.loop(s) is r] for r in loops]
        if any(self.closes[r] != len(self.filled[r]) for group in own for r in group):
            return False
        hosts = [{b for r in group for b in self.filled[r]} for group in own]
        if any(not is_plain(b) for group in hosts for b in group):
            return False
        everything = set().union(*hosts)
        if not everything.isdisjoint(self._needed(everything)):
            return False
        self.joined.update(dict.fromkeys(loops[1:], loops[0]))
        return True

    def _needed(self, hosts: set[UOp]) -> set[UOp]:
        """The buffers that must be filled before, those that one loop fills all together."""
        needed: set[UOp] = set()
        todo = [s for b in hosts for s in self.below[b]]
        while todo:
            b = todo.pop()
            if b in needed:
                continue
            needed.add(b)
            todo.extend(self.below[b])
            if b not in self.found:
                todo.extend(self._beside(b))
        return needed

    def _beside(self, b: UOp) -> list[UOp]:
        """What is filled in the loop that fills a buffer."""
        mine = {self.loop(r) for store in b.src for r in closed_by(store)[:1]}
        if not self.joined or not mine:
            return []
        return [h for r in self.filled if self.loop(r) in mine for h in self.filled[r] if h is not b]


def _contracts(store: UOp) -> bool:
    """Whether it reduces over what does not depend on its rows: a product of matrices, or alike."""
    first = closed_by(store)[:1]
    sums = (u for u in inside(store) if u.op is Ops.REDUCE) if first else ()
    return any(v.op is Ops.INDEX and first[0] not in v.free_ranges for u in sums for v in inside(u))
