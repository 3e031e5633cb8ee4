"""What kernels depend on, and how much work they do: facts of a schedule, counted and never measured."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from functrans.backend.schedule.kernels import Kernel
from functrans.ops import Ops, UOp
from functrans.ops.vmap import extent


def depends(kernels: Sequence[Kernel], params: Sequence[UOp]) -> list[set[int]]:
    """For each kernel the places of the parameters that it reads, itself or through what it reads."""
    of_buffer: dict[UOp, set[int]] = {}
    found = []
    for kernel in kernels:  # each after what it reads
        mine: set[int] = set()
        for read in kernel.reads:
            if read.op is Ops.DEFINE_GLOBAL:
                mine |= {k for k, p in enumerate(params) if p is read.src[0]}
            else:
                mine |= of_buffer[read]
        of_buffer |= dict.fromkeys(kernel.roots, mine)
        found.append(mine)
    return found


def iterations(kernels: Sequence[Kernel]) -> int:
    """How often the values of all stores and reductions are computed, in all launches together."""
    total = 0
    for kernel in kernels:
        for node in UOp.sink(*kernel.stores).toposort():
            if node.op in (Ops.STORE, Ops.REDUCE):
                own = node.src[node.arg.first_range :] if node.op is Ops.STORE else node.src[1:]
                total += prod(map(extent, {*own, *node.free_ranges}))
    return total
