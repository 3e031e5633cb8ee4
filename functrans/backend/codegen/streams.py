"""Which results of a kernel can be written past the caches: those that are written row after row, and not read again.

A store fetches the line that it writes to, unless all of it is written at once past the caches. Of a result that is
larger than they are, that is a third of all that a kernel moves, and nothing of it is there when it is read next. So
where a call finds its results that large, the threads' code (threads.c) hands a kernel a few steps at a time, and near
memory to write them to, which is then copied to its place. The kernel is the same, and so are the bits.
"""

from __future__ import annotations

from math import gcd, lcm, prod

from functrans._records import record
from functrans.backend.codegen.lanes.batch import SIDES
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.split import Split
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import LINE_BYTES, STREAM_PICOSECONDS
from functrans.backend.runtime.threads import NEAR_BYTES
from functrans.backend.schedule.independence import walk
from functrans.backend.schedule.kernels import Kernel
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

TILE = 1024  # bytes that are written between two copies: with longer turns, reads wait for writes and those for reads
RESULTS, BUFFERS = 32, 64


@record
class Streams:
    """The results of a kernel, each with the bytes of a step and of one value of the RANGE; and how many steps are done
    at a time.
    """

    results: tuple[tuple[UOp, int, int], ...]
    steps: int

    @property
    def row(self) -> int:
        """The bytes of all results for one value of the RANGE."""
        return sum(row for _, _, row in self.results)


def streams(kernel: Kernel, lowered: LoweredKernel, found: Split, kept: set[UOp]) -> Streams | None:
    """How the results of a kernel are written past the caches; None where they cannot be, or where it does not pay.
    ``kept`` are buffers that are read later. Linear in the statements.
    """
    arrays = [u for u in lowered.uops if u.op is Ops.DEFINE_GLOBAL]
    buffers = {a: b for a, b in zip(arrays, lowered.buffers, strict=True) if a.arg.written}
    if found.before or len(lowered.buffers) > BUFFERS or len(buffers) > RESULTS:
        return None
    if any(b.op is not Ops.BUFFERIZE or b in kept or kernel.own(b) != b.src for b in buffers.values()):
        return None  # all of it is to be written here
    stores: dict[UOp, list[UOp]] = {a: [] for a in buffers}
    for u in lowered.uops:
        if u.op in (Ops.LOAD, Ops.STORE) and u.src[0].src[0] in buffers:
            if u.op is Ops.LOAD or len(u.src) > 2:
                return None
            stores[u.src[0].src[0]].append(u)
    results = []
    for array, buffer in buffers.items():
        row, left = divmod(prod(buffer.arg.shape), max(extent(found.range), 1))
        steps = {_step(u.src[0].src[1], found.loop) for u in stores[array]}
        step = steps.pop() if len(steps) == 1 else 0
        if left or not step or not row or step % row:
            return None
        results.append((buffer, step * buffer.dtype.itemsize, row * buffer.dtype.itemsize))
    written = sum(step for _, step, _ in results)
    if not LINE_BYTES <= written <= NEAR_BYTES or found.work > STREAM_PICOSECONDS * written:
        return None
    whole = max(LINE_BYTES // gcd(step, LINE_BYTES) for _, step, _ in results)  # steps that are whole lines
    if found.loop.arg[1] is AxisType.LANES:  # and whole blocks
        whole = lcm(whole, SIDES * target().lanes(4))
    steps_at_once = -(-TILE // (written * whole)) * whole
    return Streams(tuple(results), steps_at_once) if steps_at_once * written <= NEAR_BYTES else None


def _step(place: UOp, loop: UOp) -> int:
    """The elements that are written in each step of a loop, all between its first and that of the next; 0 where they
    lie otherwise.
    """
    found = walk(place, loop)
    return found[0] if found is not None and 0 <= found[1] and found[2] < found[0] else 0
