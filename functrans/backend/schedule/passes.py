"""From a graph of arrays to kernels: the passes, in the order of ``GRAPH``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from functrans.backend.domains.phases import phases
from functrans.backend.schedule.alpha_renaming import alpha_rename
from functrans.backend.schedule.bufferize import bufferize
from functrans.backend.schedule.columns import by_columns
from functrans.backend.schedule.common import in_common
from functrans.backend.schedule.contractions import contractions
from functrans.backend.schedule.costmodel import decided
from functrans.backend.schedule.flat import flattened
from functrans.backend.schedule.hoist import hoisted
from functrans.backend.schedule.host import cut
from functrans.backend.schedule.in_order import in_order
from functrans.backend.schedule.inline import rebuild
from functrans.backend.schedule.kernels import Kernel, kernels
from functrans.backend.schedule.multiply_adds import multiply_adds
from functrans.backend.schedule.outer import close_outer
from functrans.backend.schedule.powers import products
from functrans.backend.schedule.rangeify import rangeify
from functrans.backend.schedule.realize import apart, root_of
from functrans.backend.schedule.reductions import one_loop
from functrans.backend.schedule.regions import linked
from functrans.backend.schedule.rows import rows
from functrans.backend.schedule.slices import sliced
from functrans.backend.schedule.splitting import split_at_joins
from functrans.backend.schedule.strip_mining import strip_mined
from functrans.backend.schedule.summed import summed
from functrans.backend.schedule.together import values_of_loops
from functrans.backend.schedule.variables import unbind
from functrans.ops.collapse import collapse
from functrans.ops.enums import Ops
from functrans.ops.loops import regions
from functrans.ops.opdef import is_host
from functrans.ops.passes import SILENT, Passes
from functrans.ops.placement import is_placed
from functrans.ops.prepare import prepared
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute, toposort

__all__ = ["BODY", "GRAPH", "Kernel", "Pass", "ranged", "schedule", "scheduled"]


class Pass(NamedTuple):
    """A step from a graph of arrays to buffers: its name, the stage of the spec that it leaves, and what it does."""

    name: str
    stage: str
    apply: Callable[[list[UOp], Passes], list[UOp]]
    does: str


def _plain(name: str, stage: str, apply: Callable[[list[UOp]], list[UOp]], does: str) -> Pass:
    return Pass(name, stage, lambda roots, _: apply(roots), does)


def _fuse(buffers: list[UOp], passes: Passes) -> list[UOp]:
    found = decided(buffers)
    passes.decided(found.decisions)
    return rebuild(buffers, {d.buffer for d in found.decisions if not d.stays}, found.loop_order)


GRAPH: tuple[Pass, ...] = (
    _plain("collapse", "tensor", collapse,
           "Finds maps that were written as a rewrite or as pads summed up, and writes them as VMAPIN and VMAPOUT."),
    _plain("in_order", "tensor", in_order, "Sorts values alone, SORT, where a gather reads them in their own order."),
    _plain("alpha_renaming", "tensor", alpha_rename, "Alpha-renaming: no two nested loops have one RANGE."),
    _plain("powers", "tensor", products, "Writes small constant powers as products, which other passes know."),
    _plain("multiply_adds", "tensor", multiply_adds, "Makes one MULACC, rounded once, of a sum of a product."),
    _plain("slices", "tensor", sliced, "Pushes the slice that a VMAPIN takes towards the arguments, op by op."),
    _plain("columns", "tensor", lambda roots: apart(values_of_loops(apart(by_columns(roots)))),
           "Scalar replacement: an array that is put together of few columns is computed column by column."),
    _plain("splitting", "tensor", lambda roots: apart(split_at_joins(roots)),
           "Index-set splitting: what is computed of joined arrays is computed part by part, and joined after it."),
    _plain("rangeify, bufferize", "ranged", lambda roots: bufferize(roots, rangeify(roots)),
           "Replaces axes by RANGEs and movement ops by index expressions; a value that must be stored becomes a "
           "BUFFERIZE with the STOREs that fill it."),
    _plain("rows", "ranged", rows,
           "compute_at: where each row of a result reads its own row of a buffer alone, the loop over rows is opened "
           "around the buffer."),
    _plain("reductions", "ranged", one_loop,
           "Loop fusion of reductions: those over the same rounds share a loop, and what they have in common in it."),
    Pass("fuse", "ranged", _fuse,
         "Loop fusion by cost: a buffer that the cost model lets go is replaced by its value where it is read."),
    _plain("outer", "ranged", close_outer, "Makes the RANGEs of type OUTER loops around launches of a kernel."),
    _plain("strip_mining", "ranged", strip_mined,
           "Strip-mining: an axis that is two merged ones is two loops, where what is computed knows them apart."),
    _plain("contractions", "ranged", contractions, "Finds sums of products; those that pay become tiles, WMMA."),
    _plain("hoist", "ranged", hoisted, "Loop-invariant code motion: what an inner loop repeats goes to a table."),
    _plain("flat", "ranged", flattened, "Loop collapse: two innermost loops over neighbors become one."),
    _plain("summed", "ranged", summed,
           "Loop collapse of reductions: the last loops of one become one where it reads along memory; else short rows "
           "are reduced row by row."),
    _plain("in_common", "ranged", in_common,
           "Loop fusion of results: loops of several results that compute the same expensive value become one."),
)  # fmt: skip


BODY = tuple(p for p in GRAPH if p.name not in ("splitting", "contractions", "hoist", "flat"))
"""The passes for the body of a loop whose lanes are vectors: those that serve vectors along an axis are left out."""


_TRACE = "What your function did with its arguments: one node an operation, transforms applied."


def ranged(outputs: Sequence[UOp], passes: Passes = SILENT, steps: Sequence[Pass] = GRAPH) -> list[UOp]:
    """The BUFFERIZE of each distinct output: a graph through every pass up to kernels. ``passes`` is told of each."""
    roots = passes.graph("trace", "tensor", list(dict.fromkeys(map(root_of, outputs))), _TRACE)
    for step in steps:
        roots = passes.graph(step.name, step.stage, step.apply(roots, passes), step.does)
    return roots


def scheduled(outputs: Sequence[UOp], passes: Passes = SILENT, steps: Sequence[Pass] = GRAPH) -> list[UOp]:
    """The buffer of each distinct output, loops and branches as REGIONs."""
    roots = list(dict.fromkeys(map(root_of, outputs)))
    if regions(toposort(roots)):
        passes.graph("loops", "tensor", roots, "The whole graph, whose loops and branches are compiled body by body.")
        done = ("powers", "multiply_adds")  # before kernels part: again, they would see what is left
        steps = [s._replace(apply=lambda inner, _: list(inner)) if s.name in done else s for s in steps]
    return linked(roots, lambda inner: ranged(inner, passes, steps))


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
    outputs = prepared(outputs)
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
        return kernels(scheduled(roots))
    return [k for segment in cut(roots)[0] if segment.outputs for k in kernels(scheduled(segment.outputs))]
