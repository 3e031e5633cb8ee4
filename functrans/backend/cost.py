"""What a run of a scheduled graph costs, counted from its kernels; nothing is measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from functrans.backend.facts import Cost
from functrans.backend.schedule.kernels import Kernel, RegionKernel
from functrans.backend.schedule.loop_work import of_region
from functrans.backend.schedule.operations import of_element, operations
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import inside, is_global
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.price import additions
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


def cost(kernels: Iterable[Kernel], temporaries: int, host_steps: int = 0) -> Cost:
    """The cost of kernels; linear in their nodes."""
    kernels = list(kernels)
    return Cost(
        sum(map(_flops, kernels)),
        sum(_bytes(u) for k in kernels for u in k.reads),
        sum(map(_written, kernels)),
        len(kernels),
        sum(k.launches for k in kernels),
        temporaries,
        host_steps,
    )


def work(kernel: Kernel) -> int:
    """The operations of a kernel, each as many additions as it is worth: what its time is to be measured by."""
    if isinstance(kernel, RegionKernel):
        return prod(kernel.lanes.extents) * sum(int(of_region(r.arg.region, _worth)) for r in kernel.regions)
    return sum(times * rounds * _worth(u) for u, times, rounds in _operations(kernel))


def _worth(node: UOp) -> int:
    return additions(node) if node.op in GroupOp.Elementwise else 1


def _flops(kernel: Kernel) -> int:
    if isinstance(kernel, RegionKernel):
        return prod(kernel.lanes.extents) * sum(int(of_region(r.arg.region, of_element)) for r in kernel.regions)
    return sum(times * rounds for _, times, rounds in _operations(kernel))


def _operations(kernel: Kernel) -> Iterator[tuple[UOp, int, int]]:
    """What computes, with its operations for one value of the ranges around it, and how many those have."""
    rounds: dict[frozenset[UOp], int] = {}
    again = _again(kernel)
    for u in toposort(kernel.stores, enter=lambda u: not is_global(u)):
        times = operations(u)
        if times:
            if u.free_ranges not in rounds:
                rounds[u.free_ranges] = prod(map(extent, u.free_ranges))
            yield u, times, rounds[u.free_ranges] * again.get(u, 1)


def _again(kernel: Kernel) -> dict[UOp, int]:
    """How often each element is computed of what fills arrays inside of a kernel, where their loops are not the
    outermost ones of the store that they stand in.
    """
    found: dict[UOp, int] = {}
    for store in kernel.stores:
        closed = closed_by(store)
        for b in (u for u in inside(store) if u.op is Ops.BUFFERIZE and not is_global(u)):
            depth = max((k + 1 for k, r in enumerate(closed) if r in b.free_ranges), default=0)
            times = prod(extent(r) for r in closed[:depth] if r not in b.free_ranges)
            for u in toposort(b.src, enter=lambda u: u.op is not Ops.BUFFERIZE) if times > 1 else ():
                found[u] = max(found.get(u, 1), times)
    return found


def _written(kernel: Kernel) -> int:
    parts = [(root, prod(map(extent, closed_by(s)))) for root, part in kernel.parts.items() for s in part]
    whole = sum(_bytes(root) for root in kernel.roots if root not in kernel.parts)
    return whole + sum(n * root.dtype.itemsize for root, n in parts)


def _bytes(array: UOp) -> int:
    shape = array.src[0].sized if array.op is Ops.DEFINE_GLOBAL else array.arg.shape
    return prod(shape) * array.dtype.itemsize
