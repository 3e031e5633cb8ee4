"""The statements of a kernel: loop by loop, or by tiles where it holds sums of products."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from functrans.backend.codegen import late
from functrans.backend.codegen.lower import Lowering
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.matmul import Tiled
from functrans.backend.codegen.products import Products
from functrans.backend.codegen.twins import alike, starts_of, windows
from functrans.backend.schedule.kernels import Kernel, RegionKernel, tiles_of
from functrans.ops.passes import SILENT, Passes

if TYPE_CHECKING:
    from functrans.backend.codegen.regions.known import Known


def lower(
    kernel: Kernel, passes: Passes = SILENT, inside: bool = False, known: Known | None = None
) -> LoweredKernel:
    """The statements of a kernel, ``inside`` of the body of a loop or not; linear in its nodes times its loop depth.
    ``passes`` is told of each pass. ``known`` is of the bodies of loops of the unit.
    """
    if isinstance(kernel, RegionKernel):
        known = late.known.Known() if known is None else known
        return late.regions.lower_region(kernel, partial(lower, inside=True, known=known), known)
    return _run(_lowering(kernel, inside), passes)


def lower_all(
    kernels: Sequence[Kernel], passes: Passes = SILENT, known: Known | None = None
) -> list[LoweredKernel]:
    """The statements of kernels. Those that are the same function of other arrays are lowered once, but where
    ``passes`` are listened to, which are told of each.
    """
    plain = {k: windows(k) for k in kernels if not isinstance(k, RegionKernel)}
    keys = {k: alike(k, inside) for k, inside in plain.items()} if len(plain) > 1 else {}
    times = Counter(keys.values())
    twins: dict[Hashable, LoweredKernel] = {}
    made = []
    for k in kernels:
        if times[keys.get(k)] < 2:
            made.append(lower(k, passes, known=known))
            continue
        lowering, twin = _lowering(k), twins.get(keys[k])
        lowering.windows = plain[k]
        found = _run(lowering, passes) if twin is None else lowering.lowered(twin.uops, twin.scratch)
        found.starts, found.twin = starts_of(k, plain[k], lowering.size_of), twin
        made.append(found)
        if passes is SILENT:
            twins.setdefault(keys[k], found)
    return made


def _lowering(kernel: Kernel, inside: bool = False) -> Lowering:
    return (Tiled if tiles_of(kernel.roots[0]) is not None else Products)(kernel, inside)


def _run(lowering: Lowering, passes: Passes) -> LoweredKernel:
    with passes.kernel(lowering.kernel.name):
        return lowering.run(passes)
