"""Consecutive kernels that go through the same steps: together, a strip of the steps after the other.

What one kernel leaves for the next is then read while it is near: of arrays that are larger than the second cache, only
as much as a strip takes is ever touched. A kernel that reads steps beside its own, as a stencil does, is given a strip
for which those before it went a few steps further; two strips compute these twice, which is idempotent. The kernels are
the same, and so are the bits, and it takes no more memory: where one array is where another one was that is not read
any more, each goes alone. Strip mining of loops that are not of one body: Allen and Kennedy, Optimizing Compilers
for Modern Architectures, section 9.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from functrans._records import record
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.regions.lowered import LoweredRegion
from functrans.backend.codegen.split import Split
from functrans.backend.policy import L2_BYTES, LINE_BYTES, PORTION_TIMES, THREAD_PICOSECONDS, TURN_PICOSECONDS, share
from functrans.backend.schedule.independence import Walk, walk
from functrans.backend.schedule.memory import bytes_of
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, substitute
from functrans.ops.vmap import extent

_Between = tuple[int, int]  # steps from one that is computed to the first and the last that it reads


@record
class Strips:
    """The kernels, by number; the steps of a strip; and for each kernel, from where before a strip to where behind.

    near : the buffers of which no more than a strip is stored at a time, with the bytes of a step
    bytes : of a step, of all that lies between the kernels
    picoseconds : that a step takes at the least
    """

    numbers: range
    steps: int
    sides: tuple[_Between, ...]
    near: tuple[tuple[UOp, int], ...]
    bytes: int
    picoseconds: int

    @property
    def before(self) -> int:
        """Steps that the longest part begins before its strip."""
        return max(-low for low, _ in self.sides)

    @property
    def least(self) -> int:
        """More steps than this are worth another thread."""
        return THREAD_PICOSECONDS // self.picoseconds

    @property
    def grain(self) -> int:
        """Steps that are handed out at a time, or a multiple of it."""
        return self._strips(THREAD_PICOSECONDS // PORTION_TIMES)

    @property
    def turn(self) -> int:
        """Steps that one thread does before Python looks whether somebody pressed Ctrl-C."""
        return self._strips(TURN_PICOSECONDS)

    def _strips(self, picoseconds: int) -> int:
        # in each portion what is near has a place of its own, apart from where its first and its last strip may end
        return max(4, -(-picoseconds // (self.picoseconds * self.steps))) * self.steps


def strips(
    lowered: Sequence[LoweredKernel], splits: Mapping[LoweredKernel, Split], streamed: Iterable[LoweredKernel],
    results: set[UOp], fits: Callable[[list[range]], bool],
) -> list[Strips]:  # fmt: skip
    """Which kernels go together. ``streamed`` are those that write past the caches, ``results`` what must be complete;
    ``fits`` says whether kernels that go together, by number, take no more memory than alone.

    Linear in the statements, and in the pairs of a write and a read of one buffer.
    """
    apart = set(streamed)
    found: list[Strips] = []
    start = 0
    while start < len(lowered):
        end, group = start, _Group([], {})
        while end < len(lowered) and not apart.intersection(lowered[start : end + 1]):
            walked = _walked(lowered[end], splits.get(lowered[end]))
            longer = None if walked is None else group.joined(walked)
            if longer is None or (end > start and not fits([*(f.numbers for f in found), range(start, end + 1)])):
                break
            group, end = longer, end + 1
        end = max(end, start + 1)
        if len(group.kernels) > 1:
            steps = group.steps
            bytes_ = tuple((b, group.writer(b).step(b) * b.dtype.itemsize) for b in group.near(lowered, results))
            weight = sum(splits[w.kernel].weight for w in group.kernels)
            found.append(Strips(range(start, end), steps, group.sides, bytes_, group.bytes, weight))
        start = end
    return found


@dataclass(eq=False)
class _Walked:
    """A kernel whose steps are those of one RANGE, and the places of each array that a step reads and writes."""

    kernel: LoweredKernel
    loop: UOp
    count: int
    reads: dict[UOp, set[UOp]]
    writes: dict[UOp, set[UOp]]

    def walks(self, places: Iterable[UOp]) -> list[Walk] | None:
        """How places move from step to step; None where one of them does otherwise, or not at all, or back, or is at
        any distance from its step.
        """
        found = [walk(place, self.loop) for place in places]
        known = [w for w in found if w is not None and w[0] > 0 and max(map(abs, w)) < sym.HUGE // 2]
        return known if len(known) == len(found) else None

    def step(self, buffer: UOp) -> int:
        """The elements of a buffer by which what is written moves."""
        found = self.walks(self.writes[buffer])
        assert found
        return found[0][0]


def _buffer(b: UOp) -> UOp:
    return b.src[0] if b.op is Ops.DEFINE_GLOBAL else b


def _arrays(k: LoweredKernel) -> Iterator[tuple[UOp, UOp]]:
    """The arrays of the statements, and the buffers that these are."""
    arrays = [u for u in k.uops if u.op is Ops.DEFINE_GLOBAL]
    return zip(arrays, map(_buffer, k.buffers), strict=True)


def _written(k: LoweredKernel) -> set[UOp]:
    if isinstance(k, LoweredRegion):
        return set(map(_buffer, k.buffers))
    return {b for a, b in _arrays(k) if a.arg.written}


def _walked(k: LoweredKernel, split: Split | None) -> _Walked | None:
    """A kernel as walks; None where it uses arrays otherwise than element by element, or parts of arrays."""
    if split is None or k.starts or split.before or split.loop.src[0] is not split.argument:
        return None
    found = _accesses(k)
    if found is None:
        return None
    (loop,) = substitute((split.loop,), _known(k))
    return _Walked(k, loop, extent(split.range), *found)


def _known(k: LoweredKernel) -> dict[UOp, UOp]:
    """The extents that a kernel is given."""
    counts = {f"n{j}": r for j, r in enumerate(k.extents) if r.op is Ops.RANGE}
    given = [u for u in k.uops if u.op is Ops.DEFINE_VAR and u.arg[0] in counts]
    return {u: sym.const(extent(counts[u.arg[0]])) for u in given}


def _accesses(k: LoweredKernel) -> tuple[dict[UOp, set[UOp]], dict[UOp, set[UOp]]] | None:
    """The places that are read and written of each buffer."""
    buffers = dict(_arrays(k))
    reads: dict[UOp, set[UOp]] = {b: set() for b in buffers.values()}
    writes: dict[UOp, set[UOp]] = {b: set() for a, b in buffers.items() if a.arg.written}
    used = []
    for u in k.uops:
        if u.op in (Ops.LOAD, Ops.STORE) and u.src[0].op is Ops.INDEX:
            used.append(u)
        elif u.op is not Ops.INDEX and any(s.op in (Ops.INDEX, Ops.DEFINE_GLOBAL) for s in u.src):
            return None  # a sort, a tile of a product
    places = substitute([u.src[0].src[1] for u in used], _known(k))
    for u, place in zip(used, places, strict=True):
        array = u.src[0].src[0]
        if array in buffers:
            (reads if u.op is Ops.LOAD else writes)[buffers[array]].add(place)
    return reads, writes


class _Group:
    """Kernels that go together.

    reads : for two of them, by number, how far from a step the second reads what the first leaves

    Attributes
    ----------
    sides : from where to where each goes beside a strip
    between : the buffers that they leave for each other
    """

    def __init__(self, kernels: list[_Walked], reads: dict[tuple[int, int], _Between]) -> None:
        self.kernels, self._reads = kernels, reads
        found = [(0, 0)] * len(kernels)
        for (i, j), (low, high) in sorted(reads.items(), key=lambda r: -r[0][1]):
            found[i] = min(found[i][0], found[j][0] + low), max(found[i][1], found[j][1] + high)
        self.sides = tuple(found)
        used = {b for k in kernels for b, at in k.reads.items() if at}
        self.between = [b for k in kernels[:-1] for b in k.writes if b in used]

    @property
    def bytes(self) -> int:
        """Of a step, of all that lies between the kernels."""
        counts = ((b, max(1, self.writer(b).count)) for b in self.between)
        return sum(max(1, bytes_of(b) // count) for b, count in counts)

    @property
    def steps(self) -> int:
        """Steps of which what lies between fits in the second cache, beside what else the kernels use; whole lines of
        the shortest numbers, 0 where it does not fit.
        """
        return share(L2_BYTES) // self.bytes // LINE_BYTES * LINE_BYTES

    def writer(self, buffer: UOp) -> _Walked:
        """The kernel that leaves a buffer."""
        return next(k for k in self.kernels if buffer in k.writes)

    def joined(self, last: _Walked) -> _Group | None:
        """The kernels and one more; None where it changes what others use, one of them would not be the same when done
        twice, or it reads nothing of theirs or too far from its own step.
        """
        reads = dict(self._reads)
        for i, k in enumerate(self.kernels):
            if set(last.writes) & {*k.writes, *(b for b, at in k.reads.items() if at)}:
                return None
            for b in (b for b in k.writes if last.reads.get(b)):
                found = _between(k, last, b)
                if found is None or k.reads[b] or b.op is not Ops.BUFFERIZE:
                    return None
                low, high = reads.get((i, len(self.kernels)), (0, 0))
                reads[i, len(self.kernels)] = min(low, found[0]), max(high, found[1])
        if self.kernels and len(reads) == len(self._reads):
            return None
        group = _Group([*self.kernels, last], reads)
        common = max(high - low for low, high in group.sides)
        return group if not self.kernels or group.steps > PORTION_TIMES * common else None

    def near(self, lowered: Sequence[LoweredKernel], results: set[UOp]) -> Iterator[UOp]:
        """The buffers between that need not be complete: nobody else reads or writes them, but near their ends."""
        own = {w.kernel for w in self.kernels}
        for b in self.between:
            others = [k for k in lowered if k not in own and b in map(_buffer, k.buffers)]
            if b not in results and not any(b in _written(k) for k in others):
                if all(self._is_at_ends(b, k) for k in others):
                    yield b

    def _is_at_ends(self, buffer: UOp, reader: LoweredKernel) -> bool:
        """Whether what a kernel reads is of the first or last steps: half of a strip, which stays where it is."""
        writer, most = self.writer(buffer), self.steps // 2
        found = None if isinstance(reader, LoweredRegion) else _accesses(reader)
        elements = None if found is None else _elements(found[0][buffer], most)
        if elements is None:
            return False
        for x, (step, low, high) in product(elements, writer.walks(writer.writes[buffer]) or ()):
            first, last = max(0, -((high - x) // step)), min(writer.count - 1, (x - low) // step)
            if first <= last and last >= most and first < self.kernels[-1].count - most:
                return False
        return True


def _between(writer: _Walked, reader: _Walked, buffer: UOp) -> _Between | None:
    """How far from a step the first and the last one are that it reads a buffer of; None where that is not known."""
    written, read = writer.walks(writer.writes[buffer]), reader.walks(reader.reads[buffer])
    if written is None or read is None or len({step for step, _, _ in (*written, *read)}) != 1:
        return None
    step = written[0][0]
    w, r = (np.array(sorted(set(walks)), np.int64) for walks in (written, read))
    low, high = -((w[:, 2] - r[:, 1, None]) // step), (r[:, 2, None] - w[:, 1]) // step
    meet = (low <= high) & (high + reader.count > 0) & (low < writer.count)
    return (int(low[meet].min()), int(high[meet].max())) if meet.any() else (0, 0)


def _elements(places: Iterable[UOp], most: int) -> set[int] | None:
    """The elements at places, where they are not more than so many each."""
    found: set[int] = set()
    for place in places:
        constant, terms = sym.linear(place)
        if any(t.op is not Ops.RANGE or t.src[0].op is not Ops.CONST for t in terms):
            return None
        counts = [int(t.src[0].arg) for t in terms]
        if prod(counts) > most:
            return None
        for at in product(*map(range, counts)):
            found.add(constant + sum(k * times for k, times in zip(at, terms.values(), strict=True)))
    return found
