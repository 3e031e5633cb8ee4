"""The program of a kernel that is a loop or branch over lanes, and the arrays that it is given."""

from __future__ import annotations

from functrans.backend.codegen.regions.program import STAGED, Array, Block, Builder, Part, sizes
from functrans.backend.codegen.regions.uniform import mark_varying
from functrans.backend.schedule.kernels import RegionKernel
from functrans.ops.enums import Ops
from functrans.ops.loops import Scan
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
        sources = []
        for k, (s, axes, size) in enumerate(zip(kernel.region.src, lanes.axes, sizes(lanes), strict=True)):
            if s.op is Ops.CONST:
                sources.append(Part(Array("", s.dtype, 0, number=s)))
                continue
            array = Array(name[s], s.dtype, size, axes, varying=bool(axes))
            sources.append(Part(self._source(array, k, size)))
        results = {}
        for b in kernel.roots:
            k = b.src[0].arg
            array = Array(name[b], b.dtype, 0, every, varying=bool(every))
            self.row_of[array] = self._row_of_result(k)
            results[k] = Part(array)
        self.item = self.builder.kernel(kernel, sources, results, rounds)
        self.block = Block([self.item])
        mark_varying(self.block)

    def _source(self, array: Array, k: int, size: int) -> Array:
        """The array to read a source from: of a lane's own constant that is short a copy."""
        region = self.kernel.lanes.region
        self.row_of[array] = str(size)
        if isinstance(region, Scan) and region.carries <= k < region.carries + region.sequences:
            inner = size // region.length
            self.row_of[array] = f"n{len(self.extents) - 1} * {inner}" if inner != 1 else f"n{len(self.extents) - 1}"
            return array
        carries = getattr(region, "carries", 0)
        if not array.axes or k < carries or not 0 < size <= STAGED:
            return array
        own = self.builder.array(array.dtype, size)
        own.varying = True
        self.preloaded.append((array, own))
        return own

    def _row_of_result(self, k: int) -> str:
        region = self.kernel.lanes.region
        shape, _ = region.results[k]
        n = 1
        stacked = isinstance(region, Scan) and k >= region.carries
        for d in shape[1:] if stacked else shape:
            n *= d
        if not stacked:
            return str(n)
        last = f"n{len(self.extents) - 1}"
        return last if n == 1 else f"{last} * {n}"
