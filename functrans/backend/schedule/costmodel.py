"""The cost model: a buffer between kernels, one inside of a kernel, or no buffer. Heuristics only; fuse does what is
decided.

What the meaning demands is asked first, and what is legal. Of the legal ways the one with the least estimate is taken,
in picoseconds for one element of the buffer and all reads of it together:

- *stored*: the element is computed once, stored once, and loaded at each read, at the speed of the level of memory that
  the array fits in. Inside a kernel that is the array of one round of the loops around it, which all of its readers
  must stand under; between kernels the whole of it;
- *again*: it is computed at each read, or once where the loops around its one read visit each element once.

The number of rows of a batch has no part in it: another batch is the same code, and the same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import prod

from functrans._records import record, replace
from functrans.backend.policy import LEVELS, is_expensive
from functrans.backend.schedule.accesses import Accesses, BufferAccess, Ranges
from functrans.backend.schedule.budget import ROWS, Budget
from functrans.backend.schedule.decision import Decision, Figures, Why
from functrans.backend.schedule.memory import bytes_of
from functrans.backend.schedule.outer import closed_by, is_outer
from functrans.backend.schedule.siblings import torn
from functrans.ops.enums import Ops
from functrans.ops.price import ADDITION, picoseconds
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

# picoseconds to load a byte in vector code, by the bytes of what is gone through
MEMORY = 13  # from beyond the last cache
STORE = 2  # to store a byte, in loads of one: its line is fetched first
PACKED = 40  # to make a byte of a condition beside longer numbers, or a condition of a byte
LOOP = 16  # for an element of a loop that does nothing but fill a buffer
APART = 6  # to load an element that has a line of its own, in loads of one that lies beside the last


@record
class Decided:
    """Which buffers stay, each with the reason, and the order of the loops of each store that follows from it."""

    decisions: list[Decision]
    loop_order: Callable[[UOp], tuple[UOp, ...]]


def decided(roots: list[UOp]) -> Decided:
    """For every buffer, readers before what they read, whether it stays."""
    order, results = toposort(roots), set(roots)
    beside: set[UOp] = set()
    held: set[tuple[UOp, Ranges]] = set()
    while True:
        accesses, decisions = _pass(order, results, beside, held)
        saved = {d.buffer: d.figures.between - d.figures.again for d in decisions if d.figures is not None}
        more = torn(accesses, {b: max(time, 0.0) for b, time in saved.items()})
        crossed = accesses.crossed(d.buffer for d in decisions if d.stays) - held
        if not more and not crossed:
            return Decided(decisions, accesses.loop_order)
        beside.update(more)
        held.update(crossed)


def _pass(
    order: list[UOp], results: set[UOp], beside: set[UOp], held: set[tuple[UOp, Ranges]]
) -> tuple[Accesses, list[Decision]]:
    """The decisions where those buffers stay that are better filled ``beside`` others, and the loops of stores that
    what is ``held`` inside of them needs are the outermost ones.
    """
    accesses = Accesses(order, held)
    weigher = _Weigher(accesses)
    decisions = []
    for buffer in reversed(accesses.buffers):
        reads = accesses.of(buffer)
        demanded = _demanded(buffer, results)
        found = Decision(buffer, demanded, len(reads)) if demanded else weigher.decision(buffer, reads)
        if not found.stays and (buffer in beside or not weigher.pays(buffer, reads)):
            found = replace(found, why=Why.BESIDE if buffer in beside else Why.BOUNDED)
        decisions.append(found)
        if found.stays:
            weigher.budget.earn(buffer)
        else:
            accesses.inlined[buffer] = reads
    return accesses, decisions


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
        store.arg.mode == "set" and not store.arg.gated and store.src[0].op is not Ops.PREFIX
        and len(dest) == len(closed) and set(dest) == set(closed)
    )  # fmt: skip


class _Weigher:
    def __init__(self, accesses: Accesses) -> None:
        self.accesses = accesses
        self.leads = {closed_by(s)[0] for b in accesses.buffers if not b.free_ranges for s in b.src if closed_by(s)}
        self.budget = Budget(accesses, self.leads)

    def pays(self, buffer: UOp, reads: list[BufferAccess]) -> bool:
        """Whether the readers of a buffer may compute it, by what else they compute again; then it is told."""
        own = frozenset(closed_by(buffer.src[0])) | buffer.free_ranges
        return self.budget.spend(buffer, [(access, self._times(access.ranges, own)) for access in reads])

    def decision(self, buffer: UOp, reads: list[BufferAccess]) -> Decision:
        """Of a buffer that may go."""
        value = buffer.src[0].src[0]
        own = frozenset(closed_by(buffer.src[0])) | buffer.free_ranges
        times = sum(self._times(access.ranges, own) for access in reads)
        if value.op is Ops.INDEX and value.src[0].free_ranges.isdisjoint(closed_by(buffer.src[0])):
            figures = self._slice(buffer, times)
            copied = figures.inside is not None and figures.inside < figures.again
            return Decision(buffer, Why.COPIED if copied else Why.VIEWED, len(reads), figures)
        once, loops = _once(value, own, frozenset(closed_by(buffer.src[0])))
        figures = self._figures(buffer, once, times, once * times)
        if not loops and figures.again <= figures.least and (len(reads) > 1 or not is_expensive(once)):
            return Decision(buffer, Why.CHEAP, len(reads), figures)
        why = self._by_loops(buffer, reads, times, loops)
        if why is Why.CROSSED:
            figures = self._figures(buffer, once, times, once * self._rounds(reads[0]))
        return Decision(buffer, why, len(reads), figures, loops)

    def _by_loops(self, buffer: UOp, reads: list[BufferAccess], times: float, loops: bool) -> Why:
        """Of a value that is not to be computed more than once."""
        if len(reads) != 1:
            return Why.SHARED
        (access,) = reads
        if loops and (access.gated or not access.bare):
            return Why.DISPLACED
        if times > 1:
            return Why.REPEATED
        return Why.NESTED if self.accesses.nest(buffer, access) else Why.CROSSED

    def _rounds(self, access: BufferAccess) -> int:
        """How often an element is computed where its loops cannot be the outermost ones."""
        around = frozenset(closed_by(access.store)) - access.ranges
        return prod(ROWS if r in self.leads else extent(r) for r in around)

    def _figures(self, buffer: UOp, once: float, times: float, again: float) -> Figures:
        size = bytes_of(buffer)
        packed = PACKED * (1 + times) if buffer.dtype.kind == "b" else 0.0
        once += packed
        inside = once + _traffic(size, buffer.dtype.itemsize, times) if buffer.free_ranges else None
        batch = next((extent(r) for r in closed_by(buffer.src[0]) if r in self.leads), 1)
        whole = size * ROWS // (batch or 1) if buffer.free_ranges or batch != 1 else size
        return Figures(once + _traffic(whole, buffer.dtype.itemsize, times), inside, again)

    def _slice(self, buffer: UOp, times: float) -> Figures:
        """Of a part of what is in memory: read where it lies, or from a copy inside of a kernel."""
        load = LEVELS[0][1] * buffer.dtype.itemsize
        once = load if _is_row(buffer) else APART * load
        return self._figures(buffer, once, times, once * times)

    def _times(self, place: Ranges, own: Ranges) -> float:
        """How often each element is read at a place, on average. A loop over a batch goes round ROWS times."""
        inner, outer = Counter(map(extent, own - place)), Counter(map(extent, place - own))
        ratio = prod(outer.elements()) / max(prod(inner.elements()), 1)
        if ratio <= 1:
            return ratio
        left = outer - inner
        batch = [extent(r) for r in place - own if r in self.leads and left[extent(r)] and extent(r) > 1]
        return ratio if not batch else ratio / batch[0] * ROWS


def _traffic(size: int, width: int, loads: float) -> float:
    """To store an element of so many bytes and to load it, of an array of a size."""
    byte = next((p for most, p in LEVELS if size <= most), MEMORY)
    return LOOP + byte * width * (STORE + loads)


def _is_row(buffer: UOp) -> bool:
    """Whether the elements of a slice lie side by side along its last axis where they are read."""
    store = buffer.src[0]
    dest, read = store.src[1 : 1 + store.arg.ndim], store.src[0]
    idx = read.src[1:-1] if read.arg else read.src[1:]
    return bool(dest) and bool(idx) and idx[-1] is dest[-1] and all(dest[-1] not in i.free_ranges for i in idx[:-1])


def _once(value: UOp, own: Ranges, closed: Ranges) -> tuple[float, bool]:
    """The time to compute an element; and whether loops, or buffers filled for it alone, are among it. What is the same
    for all elements is computed before the loop over them.
    """
    total, loops = 0.0, False
    for u in toposort((value,), enter=lambda u: u.op is not Ops.BUFFERIZE):
        if u.op is Ops.BUFFERIZE:
            loops = loops or not closed.isdisjoint(u.free_ranges)
            continue
        if closed and closed.isdisjoint(u.free_ranges):
            loops = loops or u.op in (Ops.REDUCE, Ops.PREFIX)
            continue
        time = 0.0
        if u.op in (Ops.REDUCE, Ops.PREFIX):
            loops = True
            time = ADDITION * prod(map(extent, u.src[1:]))
        elif u.op is Ops.INDEX:
            time = LEVELS[0][1] * u.dtype.itemsize / max(prod(map(extent, closed - u.free_ranges)), 1)
        elif u.shape is not None and u.src and u.dtype.kind != "x":
            time = picoseconds(u)
        total += time * prod(map(extent, u.free_ranges - own))
    return total, loops
