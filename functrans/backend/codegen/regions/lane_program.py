"""The program of a kernel that is a loop or branch over lanes, and the arrays that it is given."""

from __future__ import annotations

from math import prod

from functrans.backend.codegen.regions.program import STAGED, Array, Block, Builder, Part
from functrans.backend.codegen.regions.uniform import mark_varying
from functrans.backend.schedule.kernels import RegionKernel
from functrans.backend.schedule.regions import Lanes
from functrans.ops.enums import Ops
from functrans.ops.loops import Scan, Switch
from functrans.ops.uop import UOp


class LaneProgram:
    """The program of a kernel and its arrays: what it is given, and what it makes."""

    def __init__(self, kernel: RegionKernel) -> None:
        self.kernel, lanes = kernel, kernel.lanes
        self.extents = list(lanes.ranges)
        rounds = None
        if isinstance(lanes.region, Scan):
            rounds = f"n{len(self.extents)}"
            self.extents.append(UOp.range(lanes.region.length))
        self.builder = Builder()
        name = {b: f"a{k}" for k, b in enumerate(kernel.reads)} | {b: f"o{k}" for k, b in enumerate(kernel.roots)}
        self.row_of: dict[Array, str] = {}
        self.preloaded: list[tuple[Array, Array]] = []
        every = tuple(range(len(lanes.ranges)))
        self.sequences, self.constants = _roles(lanes)
        given = []
        for k, (s, axes) in enumerate(zip(kernel.region.src, lanes.axes, strict=True)):
            if s.op is Ops.CONST:
                given.append(Part(Array("", s.dtype, 0, number=s)))
            else:
                given.append(Part(self._source(Array(name[s], s.dtype, 0, axes, varying=bool(axes)), k)))
        results = {}
        for b in kernel.roots:
            array = Array(name[b], b.dtype, 0, every, varying=bool(every))
            self.row_of[array] = self._row_of_result(b.src[0].arg)
            results[b.src[0].arg] = Part(array)
        self.before, self.item, self.after = self.builder.whole(lanes, given, results, rounds)
        self.block = Block([*self.before, self.item, *self.after])
        mark_varying(self.block)

    def _source(self, array: Array, k: int) -> Array:
        """The array to read a source from: of a lane's own constant that is short a copy."""
        shape = self.kernel.lanes.shapes[k]
        size = prod(shape)
        if k in self.sequences:
            self.row_of[array] = self._rows(prod(shape[1:]))
            return array
        self.row_of[array] = str(size)
        if not array.axes or k not in self.constants or not 0 < size <= STAGED:
            return array
        own = self.builder.array(array.dtype, size)
        own.varying = True
        self.preloaded.append((array, own))
        return own

    def _rows(self, size: int) -> str:
        """The elements of so many in each round."""
        last = f"n{len(self.extents) - 1}"
        return last if size == 1 else f"{last} * {size}"

    def _row_of_result(self, m: int) -> str:
        lanes = self.kernel.lanes
        shape = lanes.results[m][0][len(lanes.ranges) :]
        stacked = isinstance(lanes.region, Scan) and lanes.made[m] >= lanes.region.carries
        return self._rows(prod(shape[1:])) if stacked else str(prod(shape))


def _roles(lanes: Lanes) -> tuple[set[int], set[int]]:
    """Which sources are sequences, and which are read in every round."""
    region = lanes.region
    if isinstance(region, Switch):
        return set(), set(lanes.taken[1:])
    ends = region.carries + (region.sequences if isinstance(region, Scan) else 0)
    return set(lanes.taken[region.carries : ends]), set(lanes.taken[ends:])
