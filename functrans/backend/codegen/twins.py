"""Kernels that are the same function of other arrays: the steps of a loop that a trace has unrolled, most of all.

Such kernels are lowered, written and compiled once. What one reads at equal numbers along the first axes of an array,
as ``x[3]`` in the step 3, it is given from there on, so that the steps differ in what they are given alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable
from itertools import takewhile
from math import prod

from functrans.backend.codegen.lowered import Start
from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.parts import is_global, places_of, shape_of
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

Windows = dict[UOp, tuple[int, ...]]


def windows(kernel: Kernel) -> Windows:
    """Of arrays that a kernel reads at equal numbers along their first axes, and does not fill: those numbers."""
    found: Windows = {}
    for node in nodes_of(kernel):
        if node.op is Ops.INDEX:
            numbers = tuple(i.arg for i in takewhile(lambda i: i.op is Ops.CONST, places_of(node)))
            known = found.get(node.src[0], numbers)
            same = takewhile(lambda pair: pair[0] == pair[1], zip(known, numbers, strict=False))
            found[node.src[0]] = tuple(a for a, _ in same)
    own = set(kernel.roots)
    return {b: at for b, at in found.items() if at and b not in own and (is_global(b) or b.op is not Ops.BUFFERIZE)}


def starts_of(kernel: Kernel, inside: Windows, runtime: Container[UOp]) -> dict[UOp, Start]:
    """Where those parts begin. A RANGE of ``runtime`` that walks an axis from end to end is the size of it, which the
    text does not know.
    """
    walked: dict[UOp, dict[int, UOp]] = {b: {} for b in inside}
    for node in nodes_of(kernel):
        if node.op is Ops.INDEX and node.src[0] in inside:
            for axis, i in enumerate(places_of(node)):
                if i in runtime and extent(i) == shape_of(node.src[0])[axis]:
                    walked[node.src[0]][axis] = i
    found = {}
    for b, at in inside.items():
        shape, place = shape_of(b), 0
        for n, size in zip(at, shape, strict=False):
            place = place * size + n
        rest = [k for k in range(len(at), len(shape)) if k not in walked[b]]
        ranges = tuple(r for k, r in sorted(walked[b].items()))
        found[b] = Start(place * prod(shape[k] for k in rest) * b.dtype.itemsize, ranges)
    return found


def nodes_of(kernel: Kernel) -> list[UOp]:
    """What a kernel computes with, sources first, down to the arrays that it is given."""
    return toposort(kernel.stores, _inside(kernel))


def _inside(kernel: Kernel) -> Callable[[UOp], bool]:
    own = set(kernel.roots)
    return lambda u: u.op is not Ops.DEFINE_GLOBAL and (not is_global(u) or u in own)


def alike(kernel: Kernel, inside: Windows) -> Hashable:
    """Equal for kernels that are one function of other arrays, up to the identity of their RANGEs. Linear in the nodes.

    ``inside`` are the parts of arrays that it reads, see `windows`.
    """
    number: dict[UOp, int] = {}
    rows: list[Hashable] = []
    enter = _inside(kernel)

    def sources(u: UOp) -> tuple[UOp, ...]:
        if u.op is Ops.INDEX and u.src[0] in inside:
            return (u.src[0], *u.src[1 + len(inside[u.src[0]]) :])
        return u.src

    for u in toposort(kernel.stores, enter, sources):
        number[u] = len(number)
        if not enter(u):
            rows.append((u.op, u.dtype, (), shape_of(u)[len(inside.get(u, ())) :]))
            continue
        arg = u.arg
        if u.op is Ops.RANGE:
            arg = arg[1]
        elif u.op is Ops.BUFFERIZE:
            arg = arg.shape
        elif u.op is Ops.CONST:
            arg = repr(arg)
        rows.append((u.op, u.dtype, tuple(number[s] for s in sources(u)), arg))
    stores = tuple(tuple(number[s] for s in kernel.own(root)) for root in kernel.roots)
    filled = tuple((root.dtype, root.arg.shape) for root in kernel.roots)
    return tuple(rows), stores, filled, tuple(number[b] for b in kernel.reads), tuple(number[r] for r in kernel.outer)
