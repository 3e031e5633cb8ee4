"""Which extents a text knows although they are arguments of their kernels.

The outermost extent of a kernel is an argument, so that another batch is the same text. Where another kernel walks the
same axis of the same array in an inner loop or a sum, the extent is a number in its text, which no other size shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.twins import nodes_of
from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.parts import places_of, shape_of
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_Axis = tuple[UOp, int]


def written(kernels: Sequence[Kernel], lowered: Sequence[LoweredKernel]) -> set[UOp]:
    """The RANGEs among the extents of kernels that are such. Linear in the nodes, for each time that one leads to the
    next.
    """
    if len(kernels) < 2:
        return set()
    walks: dict[UOp, set[_Axis]] = {}
    numbers: set[_Axis] = set()
    for kernel, low in zip(kernels, lowered, strict=True):
        arguments = {*low.extents, *low.outer}
        for axis, r in _walked(kernel):
            if r in arguments:
                walks.setdefault(r, set()).add(axis)
            else:
                numbers.add(axis)
    found: set[UOp] = set()
    while more := [r for r, axes in walks.items() if r not in found and not axes.isdisjoint(numbers)]:
        found.update(more)
        numbers.update(axis for r in more for axis in walks[r])
    return found


def _walked(kernel: Kernel) -> Iterable[tuple[_Axis, UOp]]:
    """The axes of arrays, each with the RANGE by which a kernel walks it from end to end."""
    reads = ((u.src[0], places_of(u)) for u in nodes_of(kernel) if u.op is Ops.INDEX)
    writes = ((root, u.src[1 : 1 + u.arg.ndim]) for root in kernel.roots for u in kernel.own(root) if u.op is Ops.STORE)
    for array, places in chain(reads, writes):
        for axis, (size, place) in enumerate(zip(shape_of(array), places, strict=False)):
            if place.op is Ops.RANGE and place.src[0].arg == size:
                yield (array, axis), place
