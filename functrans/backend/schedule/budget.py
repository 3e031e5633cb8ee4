"""What may be computed again: in each kernel as many operations as are done there for the first time.

A value that is cheap enough to be computed at each of its reads is read by values that are cheap themselves. Each by
itself is less than an array would take, and a chain of them does the work of its first link over and over. So a kernel
has a budget: the operations that only it does, of its stores and of what is inlined into them, each element once. What
is computed more often than once is paid from that. All kernels together then do at most twice the work there is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from math import prod

from functrans.backend.schedule.accesses import Accesses, BufferAccess, Ranges
from functrans.backend.schedule.operations import operations
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import inside
from functrans.ops.enums import Ops
from functrans.ops.symbolic import bounds
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

Box = tuple[tuple[int, int], ...]  # from where to where what is read lies, along each axis

ROWS = 16 * 1024  # of a batch, whatever it is


class Budget:
    """The operations of each kernel that are left to spend. ``leads`` are the RANGEs that may be those of a batch."""

    def __init__(self, accesses: Accesses, leads: set[UOp]) -> None:
        self.accesses, self.leads = accesses, leads
        self.left = defaultdict[UOp, float](float)

    def earn(self, buffer: UOp) -> None:
        """Told of a buffer that stays: its stores do work of their own."""
        for store in buffer.src:
            self.left[self.accesses.kernel(store)] += self._operations(store, frozenset())

    def spend(self, buffer: UOp, reads: list[tuple[BufferAccess, float]]) -> bool:
        """Whether the kernels that read a buffer have what it takes to compute it at its reads; then it is spent. With
        each read goes how often it reads each element, on average.
        """
        (store,) = buffer.src
        once = self._operations(store.src[0], frozenset(closed_by(store)) | buffer.free_ranges)
        left, unpaid = dict[UOp, float](), 1.0  # the share of its elements that has yet to be computed once
        seen: list[Box] = []
        for access, each in sorted(reads, key=lambda read: -read[1]):
            kernel, box = self.accesses.kernel(access.store), tuple(map(bounds, access.element[: store.arg.ndim]))
            work = once * self._rounds(access.ranges)
            first = 0.0 if any(map(partial(_overlap, box), seen)) else min(unpaid, each)
            unpaid -= first
            own = work * first / each
            left[kernel] = left.get(kernel, self.left[kernel]) + 2 * own - work
            seen.append(box)
        if any(n < min(self.left[k], 0.0) for k, n in left.items()):
            return False
        self.left.update(left)
        return True

    def _operations(self, root: UOp, own: Ranges) -> float:
        """Of a value for one element; of a store for all that it does."""
        below = (u for u in (*inside(root), root) if u.op is not Ops.BUFFERIZE)
        counts = ((u, int(u.remember("operations", operations))) for u in below)
        return sum(n * self._rounds(u.free_ranges - own) for u, n in counts if n)

    def _rounds(self, ranges: Iterable[UOp]) -> float:
        return float(prod(ROWS if r in self.leads else extent(r) for r in ranges))


def _overlap(a: Box, b: Box) -> bool:
    return all(low <= top and bottom <= high for (low, high), (bottom, top) in zip(a, b, strict=True))
