"""Which nodes must be stored. Correctness only: what is stored for speed alone is decided by fuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from functrans.ops.enums import GroupOp, Ops
from functrans.ops.movement import flat
from functrans.ops.opdef import ops_that
from functrans.ops.uop import UOp

# a value that other lanes, other loops or the outside read: it needs memory whatever the cost
BIJECTIVE = ops_that(lambda record: record.lands and record.kind == "movement")
REDUCING = ops_that(lambda record: record.reduces)
RUNNING = ops_that(lambda record: record.runs)
UPDATING = ops_that(lambda record: record.updates)
STORED = frozenset({Ops.VMAPOUT, Ops.CONTIGUOUS}) | RUNNING | UPDATING
# nodes that only move: every consumer reads through them, with an index of its own
TRANSPARENT = GroupOp.Movement | {Ops.VMAPIN}
LEAVES = GroupOp.Source


def realize(outputs: Iterable[UOp], order: Iterable[UOp]) -> set[UOp]:
    """The nodes of a graph that must have a buffer: its outputs, and what :data:`STORED` lists."""
    return set(outputs) | {u for u in order if u.op in STORED}


def consumer_counts(order: Iterable[UOp]) -> Counter[UOp]:
    """How many edges lead to each node."""
    return Counter(s for u in order for s in u.src)


def readers_of(order: Iterable[UOp]) -> dict[UOp, list[UOp]]:
    """What reads each node, once for each time."""
    readers: dict[UOp, list[UOp]] = {}
    for u in order:
        for s in u.src:
            readers.setdefault(s, []).append(u)
    return readers


def distinct(outputs: Iterable[UOp]) -> list[UOp]:
    """The root of each output, each another node: outputs that are the same are filled by copies."""
    return apart(map(root_of, outputs))


def apart(roots: Iterable[UOp]) -> list[UOp]:
    """The roots, of which some may be the same, as so many nodes: each has a buffer to fill."""
    found: dict[UOp, None] = {}
    for root in roots:
        while root in found:
            root = UOp(Ops.CONTIGUOUS, root.dtype, (root,))
        found[root] = None
    return list(found)


def root_of(output: UOp) -> UOp:
    """What is stored for an output: reshapes move nothing, nor does what stops derivatives; an argument that is handed
    back is copied.
    """
    output = flat(output)
    while output.op is Ops.DETACH:
        output = flat(output.src[0])
    return UOp(Ops.CONTIGUOUS, output.dtype, (output,)) if output.op in LEAVES else output
