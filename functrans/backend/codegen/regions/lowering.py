"""The C of a kernel that is loops or branches."""

from __future__ import annotations

from collections.abc import Callable

from functrans.backend.codegen.regions.adaptive import AdaptiveWriter
from functrans.backend.codegen.regions.body import Lowered
from functrans.backend.codegen.regions.choice import is_heavy, leaves_apart, shape_of, waiting_shape, why_not
from functrans.backend.codegen.regions.few import FewWriter, with_few
from functrans.backend.codegen.regions.known import Known
from functrans.backend.codegen.regions.lane_program import LaneProgram
from functrans.backend.codegen.regions.lanes import LaneWriter
from functrans.backend.codegen.regions.lowered import LoweredRegion, portion_of
from functrans.backend.codegen.regions.program import TooLong
from functrans.backend.codegen.regions.refill import RefillWriter
from functrans.backend.codegen.regions.scalar import lower_calls
from functrans.backend.codegen.vectors.values import Shape
from functrans.backend.schedule.chains import Chain
from functrans.backend.schedule.kernels import Kernel, RegionKernel


def takes(chain: Chain, known: Known) -> bool:
    """Whether loops one after the other are one C function, lanes as vectors."""
    if any(why_not(r.arg) for r in chain.regions):
        return False
    try:
        chain.program = program = LaneProgram(chain, known)
    except TooLong:
        return False
    return isinstance(shape_of(program), Shape)


def lower_region(kernel: RegionKernel, lower: Callable[[Kernel], Lowered], known: Known) -> LoweredRegion:
    """Its functions: one, lanes as vectors, or bodies that are called lane by lane, those that are ``known`` once."""
    why = why_not(kernel.lanes)
    if why:
        return lower_calls(kernel, lower, known, why)
    made = None
    if isinstance(kernel, Chain):
        made, kernel.program = kernel.program, None  # which holds what is known
    try:
        program = made if isinstance(made, LaneProgram) else LaneProgram(kernel, known)
    except TooLong as error:
        return lower_calls(kernel, lower, known, str(error))
    apart = leaves_apart(program) and bool(kernel.lanes.ranges)
    refills = is_heavy(program) and apart
    if refills or not kernel.lanes.ranges:
        program.keep_in_results()
    shape = shape_of(program)
    if isinstance(shape, str):
        return lower_calls(kernel, lower, known, shape)
    waiting = waiting_shape(program, shape)
    writer: LaneWriter | AdaptiveWriter | FewWriter
    if refills:
        writer = RefillWriter(program, shape)
    elif apart:
        writer = AdaptiveWriter(program, waiting, shape)
    else:
        writer = with_few(LaneWriter(program, waiting))
    few = writer.few if isinstance(writer, FewWriter) else 0
    text = writer.run()
    arrays = [*kernel.reads, *kernel.roots]
    functions = [*dict.fromkeys(writer.functions), text]
    return LoweredRegion(
        kernel.name, [], arrays, program.extents, (), writer.scratch, functions, writer.width,
        writer.round, len(kernel.lanes.ranges), writer.stride, portion=portion_of(kernel, writer.portion), few=few,
    )  # fmt: skip
