"""The program of a kernel that is a loop or branch over lanes, or loops one after the other, and its arrays."""

from __future__ import annotations

from math import prod

from functrans.backend.codegen.regions.known import Known
from functrans.backend.codegen.regions.program import Builder
from functrans.backend.codegen.regions.settled import settle
from functrans.backend.codegen.regions.side_by_side import rows_of
from functrans.backend.codegen.regions.tree import Array, Block, Branch, Call, Item, Part, Rounds
from functrans.backend.codegen.regions.uniform import mark_varying
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import L1_BYTES, L2_BYTES, SMALL_ARRAY, share
from functrans.backend.schedule.chains import Chain
from functrans.backend.schedule.kernels import RegionKernel
from functrans.backend.schedule.regions import Lanes
from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.loops import Scan, Switch
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp


class LaneProgram:
    """The program of a kernel and its arrays: what it is given, what it makes, and what its loops pass on.

    ``items``: its loops or branches. ``stacks``: arrays in scratch memory, which one of them fills and others read.
    ``kept``: the bytes of carries that lie in results. ``rows``: of one ``alone``, which goes through one lane at a
    time though there are several, the arrays that lanes have rows of, and along which axes.
    """

    def __init__(self, kernel: RegionKernel, known: Known, alone: bool = False) -> None:
        alone |= not kernel.lanes.ranges
        self.kernel, self.lanes = kernel, 0 if alone else len(kernel.lanes.ranges)
        self.extents = list(kernel.lanes.ranges)
        self.rows: list[tuple[Array, tuple[int, ...]]] = []
        self.builder = Builder(known, rows_of(r.arg for r in kernel.regions) if alone else 0)
        self.kept = 0
        self.row_of: dict[Array, str] = {}
        self.preloaded: list[tuple[Array, Array]] = []
        self.stacks: list[Array] = []
        self.items: list[Rounds | Branch | Call] = []
        self.before: list[Item] = []
        self.after: list[Item] = []
        name = {b: f"a{k}" for k, b in enumerate(kernel.reads)} | {b: f"o{k}" for k, b in enumerate(kernel.roots)}
        self._names: dict[UOp, str] = name
        self._inside = kernel.inside if isinstance(kernel, Chain) else []
        self._passed: dict[UOp, Part] = {}
        whole: list[Item] = []
        for region in kernel.regions:
            self._link(region)
            whole += [*self.before, self.items[-1], *self.after]
        self.block = Block(whole)
        settle(self.block, self.builder)
        mark_varying(self.block)
        self._far()

    def _far(self) -> None:
        """Put some arrays into scratch memory."""
        for array in _far(self.block, self.builder):
            array.size = str(array.elements)
            self.builder.arrays.remove(array)
            self.stacks.append(array)

    @property
    def item(self) -> Rounds | Branch | Call:
        """The first of its loops or branches."""
        return self.items[0]

    @property
    def ends(self) -> list[list[Array]]:
        """For each loop the arrays of the program's own in which it leaves its last carries."""
        ends = ([c.end for c in x.carries] if isinstance(x, Rounds) else x.results for x in self.items)
        return [[p.array for p in parts if p is not None and p.array.is_own] for parts in ends]

    def keep_in_results(self) -> None:
        """Let carries that are changed in place lie where their last values go. For loops of which no lane is computed
        twice: one must not read what the other has left.
        """
        for c in (c for item in self.items if isinstance(item, Rounds) for c in item.carries):
            if c.now.in_place and c.end is not None and not c.end.array.is_own and not c.end.offset:
                given = c.end.array
                (self.stacks if c.now.size else self.builder.arrays).remove(c.now)
                self.kept += 0 if c.now.size else c.elements * c.now.dtype.itemsize
                c.now.name, c.now.axes, c.now.varying, c.now.size = given.name, given.axes, given.varying, ""
                c.end = None
                self.row_of[c.now] = self.row_of[given]

    def _link(self, region: UOp) -> None:
        """Add a loop or branch."""
        lanes: Lanes = region.arg
        rounds = ""
        if isinstance(lanes.region, Scan):
            rounds = f"n{len(self.extents)}"
            self.extents.append(UOp.range(lanes.region.length))
        sequences, constants = _roles(lanes)
        given = []
        for k, (s, axes) in enumerate(zip(region.src, lanes.axes, strict=True)):
            if s.op is Ops.CONST:
                given.append(Part(Array("", s.dtype, 0, number=s)))
            elif s in self._passed:
                given.append(self._passed[s])
            else:
                is_read = s not in self.kernel.roots
                array = self._given(self._names[s], s.dtype, axes)
                array.constant = is_read
                size = prod(lanes.shapes[k])
                self.row_of[array] = _times(rounds, lanes.shapes[k]) if k in sequences else str(size)
                is_read &= k in constants - sequences
                given.append(Part(self._copied(array, size) if is_read else array))
        results = {b.src[0].arg: self._result(b, lanes, rounds) for b in (*self.kernel.roots, *self._inside)
                   if b.src[0].src[0] is region}  # fmt: skip
        self.before, item, self.after = self.builder.whole(lanes, given, results, rounds or None)
        self.items.append(item)

    def _given(self, name: str, dtype: DType, axes: tuple[int, ...]) -> Array:
        """An array that the kernel is given, with some of the lanes' axes."""
        varies = bool(axes and self.lanes)
        array = Array(name, dtype, 0, axes if varies else (), varying=varies)
        if axes and not varies:
            self.rows.append((array, axes))
        return array

    def _copied(self, array: Array, size: int) -> Array:
        """A constant, or a copy of it where it is a lane's own, and short, or near together with all other copies."""
        copied = size + sum(own.elements for _, own in self.preloaded)
        near = size <= SMALL_ARRAY or copied * target().bytes <= share(L2_BYTES) // 2
        if not array.axes or not size or not near:
            return array
        own = self.builder.array(array.dtype, size)
        own.varying = True
        self.preloaded.append((array, own))
        return own

    def _result(self, buffer: UOp, lanes: Lanes, rounds: str) -> Part:
        """Where a result goes: an array that is given, or one of a block of lanes."""
        m = buffer.src[0].arg
        shape = lanes.results[m][0][len(lanes.ranges) :]
        stacked = isinstance(lanes.region, Scan) and lanes.made[m] >= lanes.region.carries
        if buffer not in self._inside:
            array = self._given(self._names[buffer], buffer.dtype, tuple(range(len(lanes.ranges))))
            self.row_of[array] = _times(rounds, shape) if stacked else str(prod(shape))
            return Part(array)
        if not stacked:
            self._passed[buffer] = Part(self.builder.array(buffer.dtype, prod(shape)))
        else:
            array = Array(self.builder.fresh("h"), buffer.dtype, prod(shape), moving=True, size=_times(rounds, shape))
            self.stacks.append(array)
            self._passed[buffer] = Part(array)
        return self._passed[buffer]


def bytes_of_rounds(lanes: Lanes, known: Known) -> int:
    """The bytes of arrays that a loop or branch has for itself wherever it is: not of what stands around it, nor of
    copies of what it is given, as these are what is mapped.
    """
    builder, region = Builder(known), lanes.region
    before = lanes.before
    kinds = [before.params[k].dtype if k >= 0 else before.outputs[~k].dtype for k in lanes.taken]
    sources = [Part(Array("", d, 0, ())) for d in kinds]
    results = {k: Part(Array("", d, 0, ())) for k, (_, d) in enumerate(region.results)}
    items: list[Item]
    if isinstance(region, Routine):
        staged, call, moves = builder.call(region, sources, results)
        items = [*staged, call, *moves]
    else:
        items = [builder.region(region, sources, results)]
    block = Block(items)
    settle(block, builder)
    far = _far(block, builder)
    return sum(bytes_in_vectors(a) for a in builder.arrays if a not in far)


def bytes_in_vectors(array: Array) -> int:
    """The bytes of what a lane has of an array."""
    return array.elements * max(array.dtype.itemsize, 4)


def _far(block: Block, builder: Builder) -> list[Array]:
    """The long arrays that routines work in; where one is sparse, all long ones."""
    calls = [item for item in block.walk() if isinstance(item, Call)]
    shared = (p.array for item in calls for p in item.shares)
    called = {*builder.beside, *shared, *(a for item in calls for a in item.arrays)}
    every = any(item.routine.symbolic is not None for item in calls)
    return [
        a for a in builder.arrays
        if (a in called and a.elements * a.dtype.itemsize > share(L1_BYTES, 16)) or (every and a.elements > SMALL_ARRAY)
    ]  # fmt: skip


def _times(rounds: str, shape: tuple[int, ...]) -> str:
    """The elements of a row of so many rounds."""
    size = prod(shape[1:])
    return rounds if size == 1 else f"{rounds} * {size}"


def _roles(lanes: Lanes) -> tuple[set[int], set[int]]:
    """Which sources are sequences, and which are read in every round."""
    region = lanes.region
    if isinstance(region, Switch):
        return set(), set(lanes.taken[1:])
    if isinstance(region, Routine):
        return set(), set()
    ends = region.carries + (region.sequences if isinstance(region, Scan) else 0)
    return set(lanes.taken[region.carries : ends]), set(lanes.taken[ends:])
