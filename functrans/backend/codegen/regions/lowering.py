"""The C of a kernel that is a loop or branch."""

from __future__ import annotations

from collections.abc import Callable

from functrans.backend.codegen.regions.body import Lowered
from functrans.backend.codegen.regions.choice import is_heavy, leaves_apart, shape_of, why_not
from functrans.backend.codegen.regions.lane_program import LaneProgram
from functrans.backend.codegen.regions.lanes import LaneWriter
from functrans.backend.codegen.regions.lowered import STATE, LoweredRegion
from functrans.backend.codegen.regions.refill import RefillWriter
from functrans.backend.codegen.regions.scalar import lower_calls
from functrans.backend.schedule.kernels import Kernel, RegionKernel


def lower_region(kernel: RegionKernel, lower: Callable[[Kernel], Lowered]) -> LoweredRegion:
    """Its functions: one, lanes as vectors, or bodies that are called lane by lane."""
    if why_not(kernel.lanes):
        return lower_calls(kernel, lower)
    program = LaneProgram(kernel)
    shape = shape_of(program)
    if isinstance(shape, str):
        return lower_calls(kernel, lower)
    refills = is_heavy(program) and leaves_apart(program)
    writer = (RefillWriter if refills else LaneWriter)(program, shape)
    text = writer.run()
    arrays = [*kernel.reads, *kernel.roots]
    numbers = sum(c.elements for c in getattr(program.item, "carries", ()))
    numbers += sum(own.elements for _, own in program.preloaded) + len(program.row_of) + 2
    scratch = STATE + numbers * shape.sides * shape.lanes * 8 + 64
    return LoweredRegion(
        kernel.name, [], arrays, program.extents, (), scratch, [text], writer.width, writer.round,
        len(kernel.lanes.ranges),
    )  # fmt: skip
