"""From a graph of arrays to kernels: in_order, powers, multiply_adds, slices, columns, realize, rangeify, bufferize,
rows, the cost model, fuse, unroll, outer, contractions, hoist, flat, kernels, memory, in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.domains.phases import phases
from functrans.backend.schedule.bufferize import bufferize
from functrans.backend.schedule.columns import by_columns
from functrans.backend.schedule.common import in_common
from functrans.backend.schedule.contractions import contractions
from functrans.backend.schedule.costmodel import decided
from functrans.backend.schedule.flat import flattened
from functrans.backend.schedule.fuse import fuse
from functrans.backend.schedule.hoist import hoisted
from functrans.backend.schedule.host import cut, is_host
from functrans.backend.schedule.in_order import in_order
from functrans.backend.schedule.kernels import Kernel, kernels
from functrans.backend.schedule.multiply_adds import multiply_adds
from functrans.backend.schedule.outer import close_outer
from functrans.backend.schedule.powers import products
from functrans.backend.schedule.rangeify import rangeify
from functrans.backend.schedule.realize import root_of
from functrans.backend.schedule.rows import rows
from functrans.backend.schedule.scopes import own_loops
from functrans.backend.schedule.slices import sliced
from functrans.backend.schedule.together import values_of_loops
from functrans.backend.schedule.unroll import unroll
from functrans.backend.schedule.variables import unbind
from functrans.ops.collapse import collapse
from functrans.ops.custom import inlined
from functrans.ops.enums import Ops
from functrans.ops.passes import SILENT, Passes
from functrans.ops.placement import is_placed
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute, toposort

__all__ = ["Kernel", "ranged", "schedule"]


def ranged(outputs: Sequence[UOp], passes: Passes = SILENT) -> list[UOp]:
    """The BUFFERIZE of each distinct output: a graph through every pass up to kernels. ``passes`` is told of each."""
    roots = passes.graph("trace", "tensor", list(dict.fromkeys(map(root_of, outputs))))
    roots = passes.graph("collapse", "tensor", collapse(roots))
    roots = passes.graph("in_order", "tensor", in_order(roots))
    roots = passes.graph("own_loops", "tensor", own_loops(roots))
    roots = passes.graph("powers", "tensor", products(roots))
    roots = passes.graph("multiply_adds", "tensor", multiply_adds(roots))
    roots = passes.graph("slices", "tensor", sliced(roots))
    roots = passes.graph("columns", "tensor", values_of_loops(_apart(by_columns(roots))))
    buffers = passes.graph("rangeify, bufferize", "ranged", bufferize(roots, rangeify(roots)))
    buffers = passes.graph("rows", "ranged", rows(buffers))
    found = decided(buffers)
    passes.decided(found.decisions)
    buffers = passes.graph("fuse", "ranged", fuse(buffers, found))
    buffers = passes.graph("unroll", "ranged", unroll(buffers))
    buffers = passes.graph("outer", "ranged", close_outer(buffers))
    buffers = passes.graph("contractions", "ranged", contractions(buffers))
    buffers = passes.graph("hoist", "ranged", hoisted(buffers))
    buffers = passes.graph("flat", "ranged", flattened(buffers))
    return passes.graph("in_common", "ranged", in_common(buffers))


def _apart(roots: Sequence[UOp]) -> list[UOp]:
    """The roots, which a pass may have found to be the same, as so many nodes: each has a buffer to fill."""
    found: dict[UOp, None] = {}
    for root in roots:
        while root in found:
            root = UOp(Ops.CONTIGUOUS, root.dtype, (root,))
        found[root] = None
    return list(found)


def schedule(*roots: UOp) -> list[Kernel]:
    """The kernels that compute the roots (or what a SINK holds), in order, without running or compiling anything.

    An EMPTY is read from memory, as the input that it stands for here. Kernels of several thread domains are listed
    phase by phase, domain by domain.

    >>> import functrans as ft
    >>> r = ft.ops.UOp.range(3)
    >>> x = ft.Tensor.empty((3, 4)).uop.vmapin((r, ft.ops.UOp.const(ft.ops.dtypes.index, 0)))
    >>> len(schedule(ft.ops.build.mul(x, x).vmapout((r, ft.ops.UOp.const(ft.ops.dtypes.index, 0)))))
    1
    """
    outputs = [o for r in roots for o in (r.src if r.op is Ops.SINK else (r,))]
    outputs = inlined(outputs)
    inputs = {u: param(u.sized, u.dtype) for u in toposort(outputs) if u.op is Ops.EMPTY}
    outputs = substitute(outputs, inputs)
    if not is_placed(toposort(outputs)):
        return _kernels(outputs)
    steps = [step for phase in phases(outputs).steps for step in phase.values()]
    return [k for step in steps for k in _kernels(list(step.roots.values()))]


def _kernels(outputs: list[UOp]) -> list[Kernel]:
    """The kernels of one domain, segment by segment where host steps stand in between."""
    roots = list(map(root_of, unbind(outputs)[0]))
    if not any(map(is_host, toposort(roots))):
        return kernels(ranged(roots))
    return [k for segment in cut(roots)[0] if segment.outputs for k in kernels(ranged(segment.outputs))]
