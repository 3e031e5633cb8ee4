"""The statements of a kernel: loop by loop, or by tiles where it holds sums of products."""

from __future__ import annotations

from functrans.backend.codegen.lower import LoweredKernel
from functrans.backend.codegen.matmul import Tiled
from functrans.backend.codegen.products import Products
from functrans.backend.codegen.regions.lowering import lower_region
from functrans.backend.schedule.kernels import Kernel, RegionKernel, tiles_of
from functrans.ops.passes import SILENT, Passes


def lower(kernel: Kernel, passes: Passes = SILENT) -> LoweredKernel:
    """The statements of a kernel; linear in its nodes times its loop depth. ``passes`` is told of each pass."""
    if isinstance(kernel, RegionKernel):
        return lower_region(kernel, lower)
    made = Tiled if tiles_of(kernel.roots[0]) is not None else Products
    with passes.kernel(kernel.name):
        return made(kernel).run(passes)
