"""The C of a kernel that is a loop or branch."""

from __future__ import annotations

from collections.abc import Callable

from functrans.backend.codegen.regions.body import Lowered
from functrans.backend.codegen.regions.choice import shape_of, why_not
from functrans.backend.codegen.regions.lanes import LaneProgram, LaneWriter
from functrans.backend.codegen.regions.scalar import LoweredRegion, lower_calls
from functrans.backend.schedule.kernels import Kernel, RegionKernel


def lower_region(kernel: RegionKernel, lower: Callable[[Kernel], Lowered]) -> LoweredRegion:
    """Its functions: one, lanes as vectors, or bodies that are called lane by lane."""
    if why_not(kernel.lanes.region):
        return lower_calls(kernel, lower)
    program = LaneProgram(kernel)
    shape = shape_of(program)
    if isinstance(shape, str):
        return lower_calls(kernel, lower)
    text = LaneWriter(program, shape).run()
    return LoweredRegion(kernel.name, [], [*kernel.reads, *kernel.roots], program.extents, (), 0, functions=[text])
