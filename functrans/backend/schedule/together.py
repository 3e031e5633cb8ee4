"""What stands together in one loop: parts of one array, and results, that have the same shape.

``np.stack([a, b], -1)`` stores two numbers for each row, and a function that returns a sine and a cosine two arrays.
Under RANGEs of their own each would be a loop, and what both are made of an array between them. Under the same RANGEs
they are one loop, and what they share is read and computed once in it, as in a map of the function of one row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from functrans.backend.policy import SHORT_ROUNDS
from functrans.backend.schedule.realize import consumer_counts, readers_of
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

MAX_ARRAYS = 16  # that one loop writes

Ranges = tuple[UOp, ...]


def values_of_loops(outputs: Sequence[UOp]) -> list[UOp]:
    """The results, those that others are computed from element by element as copies of a value that both read.

    A result that is read from memory is filled before what reads it, in a loop of its own. As a value it stands in one
    loop with them: the exponential and its derivative, which is a product with it.
    """
    order = toposort(outputs)
    consumers = readers_of(order)
    along: dict[UOp, bool] = {}  # whether all that reads a node does so element by element
    for u in reversed(order):
        along[u] = all(c.op in GroupOp.Elementwise and c.shape == u.shape and along[c] for c in consumers.get(u, ()))
    return [
        UOp(Ops.CONTIGUOUS, u.dtype, (u,)) if u in consumers and u.op in GroupOp.Elementwise and along[u] else u
        for u in outputs
    ]  # fmt: skip


class Together:
    """The RANGEs of stores. Of results only such share a loop as do not read one another."""

    def __init__(self, outputs: Iterable[UOp], order: Sequence[UOp]) -> None:
        self._uses = consumer_counts(order)
        self._outputs = set(outputs)
        above: set[UOp] = set()  # what reads a result
        for u in order:
            if any(s in above or s in self._outputs for s in u.src):
                above.add(u)
        self._apart = above | {u for u in self._outputs if self._uses.get(u)}
        self._open: dict[tuple[object, Ranges, tuple[int, ...]], Ranges] = {}
        self._stores: dict[Ranges, int] = {}

    def ranges(self, target: UOp, around: Ranges, shape: tuple[int, ...]) -> Ranges:
        """For a store of an array of this shape, or of a part of it, under the RANGEs ``around``."""
        key = (None if target in self._outputs and target not in self._apart else target, around, shape)
        found = self._open.get(key)
        if found is None or self._stores[found] == MAX_ARRAYS:
            found = self._open[key] = tuple(UOp.range(n) for n in shape)
            self._stores[found] = 0
        self._stores[found] += 1
        return found


def side_by_side(reads: Sequence[tuple[Ranges, UOp | None]]) -> bool:
    """Whether reads are of parts that have no element in common, each under a loop: nothing is computed twice."""
    if len(reads) > SHORT_ROUNDS or any(valid is not None for _, valid in reads):
        return False
    for axis, first in enumerate(reads[0][0]):
        if first.op is Ops.CONST and len({idx[axis] for idx, _ in reads}) == len(reads):
            return all(idx[axis].op is Ops.CONST and any(i.free_ranges for i in idx) for idx, _ in reads)
    return False
