"""What a run of a scheduled graph costs, counted from its kernels; nothing is measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.operations import operations
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import is_global
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.price import additions
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


@dataclass(frozen=True)
class Cost:
    """What one call costs by its schedule.

    Attributes
    ----------
    flops : int
        Operations on numbers. A node counts once for every value of the ranges it depends on, a reduction once for
        every element it takes in, an update that combines once for every element written. A multiply-add counts as
        two, a function of the mathematical library as one, and so do a comparison, a choice by where, and an operation
        on complex numbers; casts, conditions joined and indices are free.
    bytes_read, bytes_written : int
        Each array counts whole, once for each kernel that reads or fills it, whatever part it touches: what crosses
        memory where caches keep nothing between kernels and everything within one.
    kernels, launches : int
        C functions, and how often one call runs them (more than once under an OUTER range).
    temporaries : int
        Bytes of the arena that holds what lies between kernels and what is too large for the stack; buffers whose
        lives do not overlap share bytes.
    host_steps : int
        Steps of LAPACK between the kernels, whatever the batch; what they do is in none of the other numbers.
    """

    flops: int
    bytes_read: int
    bytes_written: int
    kernels: int
    launches: int
    temporaries: int
    host_steps: int = 0


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
    return sum(times * rounds * _worth(u) for u, times, rounds in _operations(kernel))


def _worth(node: UOp) -> int:
    return additions(node) if node.op in GroupOp.Elementwise else 1


def _flops(kernel: Kernel) -> int:
    return sum(times * rounds for _, times, rounds in _operations(kernel))


def _operations(kernel: Kernel) -> Iterator[tuple[UOp, int, int]]:
    """What computes, with its operations for one value of the ranges around it, and how many those have."""
    rounds: dict[frozenset[UOp], int] = {}
    for u in toposort(kernel.stores, enter=lambda u: not is_global(u)):
        times = operations(u)
        if times:
            if u.free_ranges not in rounds:
                rounds[u.free_ranges] = prod(map(extent, u.free_ranges))
            yield u, times, rounds[u.free_ranges]


def _written(kernel: Kernel) -> int:
    parts = [(root, prod(map(extent, closed_by(s)))) for root, part in kernel.parts.items() for s in part]
    whole = sum(_bytes(root) for root in kernel.roots if root not in kernel.parts)
    return whole + sum(n * root.dtype.itemsize for root, n in parts)


def _bytes(array: UOp) -> int:
    shape = array.src[0].sized if array.op is Ops.DEFINE_GLOBAL else array.arg.shape
    return prod(shape) * array.dtype.itemsize
