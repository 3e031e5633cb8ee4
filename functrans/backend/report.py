"""What is known of a program: its kernels with their loops, arrays and operations, and why its buffers are there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from functrans._records import record
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.regions.lowered import LoweredRegion
from functrans.backend.cost import cost, work
from functrans.backend.demanded import demanded
from functrans.backend.facts import Cost
from functrans.backend.plan import Plan
from functrans.backend.schedule.decision import Decision, Why
from functrans.backend.schedule.kernels import Kernel, RegionKernel
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.loops import Program, regions
from functrans.ops.origin import Lineage, Place, ancestors, place_of
from functrans.ops.passes import Recorded
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

_KINDS = {AxisType.REDUCE: "reduces", AxisType.ORDERED: "in order", AxisType.OUTER: "launches"}


@record
class LoopFact:
    """A loop of the C: how deep it stands, its variable, how often it goes round at the most, and what it is for."""

    depth: int
    name: str
    extent: int
    roles: tuple[str, ...]


@record
class BufferFact:
    """A buffer that was considered: what it holds, made by which op on which line, and why it is stored or not."""

    decision: Decision
    op: str
    place: Place | None
    local: bool
    written_out: bool = False

    @property
    def memory(self) -> str:
        """Where it lies."""
        if not self.decision.stays:
            return "nowhere"
        if self.decision.why is Why.RESULT:
            return "result"
        if self.written_out:
            return "in registers"
        return "inside a kernel" if self.local else "between kernels"


@record
class LocalFact:
    """A local array of a kernel, on the stack or in the arena."""

    name: str
    elements: int
    dtype: str
    on_stack: bool


@dataclass
class KernelFact:
    """A kernel: ``work`` is its operations in additions, by the measured prices of operations;
    ``nanoseconds`` those of a call, if it was measured; ``lines`` those of the C, from 0, on which it stands.
    """

    name: str
    loops: list[LoopFact]
    cost: Cost
    work: int
    single: bool
    shared: bool
    locals: list[LocalFact] = field(default_factory=list)
    lines: tuple[int, int] = (0, 0)
    nanoseconds: float | None = None
    routines: tuple[str, ...] = ()  # algorithms on matrices that are C functions of it
    why: str = ""  # of a loop that calls the kernels of its body, why lanes are no vectors


@dataclass
class ProgramFacts:
    """One compiled unit: its kernels and buffers."""

    title: str
    kernels: list[KernelFact]
    buffers: list[BufferFact]
    arena: int
    passes: Recorded
    demanded: int  # operations, each element that a result needs counted once


def facts(title: str, plan: Plan, passes: Recorded, vectors: dict[int, str] | None) -> ProgramFacts:
    """The facts of a plan that was made with the passes recorded; ``vectors`` are the lines of vector loops."""
    trace = toposort(passes.stages[0].nodes)
    mapped = {r for u in trace if u.op in GroupOp.VMap for r in u.src[1:] if r.op is Ops.RANGE}
    made = []
    for kernel, low in zip(plan.kernels, plan.lowered, strict=True):
        if isinstance(low, LoweredRegion):
            fact = _region(kernel, low, passes)
        else:
            fact = _kernel(kernel, low, plan, passes, mapped, vectors or {})
        fact.name = f"{title} {fact.name}".strip()
        made.append(fact)
    arrays: set[UOp] = set()  # what has become a local array
    for low in plan.lowered:
        for u in dict.fromkeys(low.uops):
            if u.op is Ops.DEFINE_LOCAL:
                arrays.update(ancestors(u, passes.of_kernel.get(low.name, {}), passes.lineage))
    buffers = [_buffer(d, passes.lineage, arrays) for d in passes.decisions]
    asked = demanded(next(s.nodes for s in passes.stages if s.name == "multiply_adds"))
    return ProgramFacts(title, made, buffers, plan.memory.size, passes, asked)


def _kernel(
    kernel: Kernel, low: LoweredKernel, plan: Plan, passes: Recorded, mapped: set[UOp], vectors: dict[int, str]
) -> KernelFact:
    split = plan.splits.get(low)
    lines = passes.lines[low.name]
    spans: dict[UOp, int] = {}
    for u, a, _ in lines:
        spans.setdefault(u, a)
    lineage = passes.of_kernel.get(low.name, {})
    numbers = {u: UOp.const(u.dtype, extent(r)) for u, r in _arguments(low) if r.op is Ops.RANGE}
    loops = []
    parts = _parts(low.uops, lineage)
    for depth, loop in _walk(nest(low.uops)):
        r = loop.range
        whole, part = parts.get(r, (r, None))
        above = ancestors(whole, lineage, passes.lineage)
        roles = ["batch"] if not mapped.isdisjoint(above) else []
        kinds = {u.arg[1] for u in above if u.op is Ops.RANGE}
        roles += [_KINDS[k] for k in sorted(kinds & _KINDS.keys())]
        roles += ["lanes of vectors"] if r.arg[1] is AxisType.LANES else []
        roles += [part] if part is not None else []
        if split is not None and split.loop is r and split.pays:
            roles.append("shared by threads")
        if spans.get(r, -1) + 1 in vectors:
            roles.append(f"{vectors[spans[r] + 1]} vectors")
        most = sym.bounds(substitute(r.src, numbers)[0])[1]
        loops.append(LoopFact(depth, f"i{r.arg[0]}", most, tuple(roles)))
    launches = [LoopFact(0, "launches", extent(r), ("batch",) if r in mapped else ()) for r in kernel.outer]
    local = dict.fromkeys(u for u in low.uops if u.op is Ops.DEFINE_LOCAL)
    arrays = [LocalFact(f"s{u.arg.number}", u.arg.elements, u.dtype.name, u.arg.offset is None) for u in local]
    single = {u.dtype.itemsize for u in low.uops if u.op is Ops.STORE or u.dtype.kind == "f"} <= {0, 4}
    span = (min((a for _, a, _ in lines), default=0), max((b for _, _, b in lines), default=0))
    shared = split is not None and split.pays
    return KernelFact(kernel.name, launches + loops, cost([kernel], 0), work(kernel), single, shared, arrays, span)


def _region(kernel: Kernel, low: LoweredRegion, passes: Recorded) -> KernelFact:
    """The facts of a loop or branch: its lanes, and its rounds where they are known."""
    roles = [f"{low.width} at a time"] if low.width > 1 else []
    roles += ["shared by threads"] if low.pays else []
    loops = [LoopFact(k, "lanes", extent(r), ("batch", *roles)) for k, r in enumerate(low.extents[: low.lanes])]
    loops += [LoopFact(len(loops), "rounds", extent(r), ("in order",)) for r in low.extents[low.lanes :]]
    text = passes.c_text.split("\n")
    start = next((n for n, line in enumerate(text) if line.startswith(f"static int {low.name}(")), 0)
    end = next((n for n in range(start, len(text)) if text[n] == "}"), start)
    single = {b.dtype.itemsize for b in low.buffers if b.dtype.kind == "f"} <= {4}
    found = KernelFact(kernel.name, loops, cost([kernel], 0), work(kernel), single, low.pays, [], (start, end))
    found.why, found.routines = low.why, tuple(dict.fromkeys(_routines_of(kernel)))
    return found


def _routines_of(kernel: Kernel) -> Iterator[str]:
    if isinstance(kernel, RegionKernel):
        for u in kernel.regions:
            yield from _routines(u.arg.region)


def _routines(region: Program) -> Iterator[str]:
    """The algorithms on matrices of a loop or branch, those in its bodies too."""
    if isinstance(region, Routine):
        size = f"{region.rows} by {region.columns}" if region.columns else f"{region.rows} rows"
        yield f"{region.kind.value.replace('_', ' ')} ({size})"
    for f in region.functions:
        for u in regions(toposort(f.outputs)):
            yield from _routines(u.arg)


def _parts(uops: list[UOp], lineage: Lineage) -> dict[UOp, tuple[UOp, str]]:
    """The loops that together walk one loop of an earlier pass: that one, and which part of it each walks."""
    found: dict[UOp, tuple[UOp, str]] = {}
    for u in uops:
        whole = next((v for v in lineage.get(u, ()) if v.op is Ops.RANGE), None)
        if u.op is not Ops.RANGE and u.dtype.kind == "x" and whole is not None:
            for r in toposort((u,)):
                if r.op is Ops.RANGE and r is not whole and r not in lineage:
                    found.setdefault(r, (whole, "lanes" if r in u.src else "tiles"))
    return found


def _arguments(low: LoweredKernel) -> Iterator[tuple[UOp, UOp]]:
    """The arguments of a kernel that are extents, and the RANGEs they are extents of."""
    named = {u.arg[0]: u for u in low.uops if u.op is Ops.DEFINE_VAR}
    return ((named[f"n{k}"], r) for k, r in enumerate(low.extents) if f"n{k}" in named)


def _walk(items: list[UOp | Loop]) -> Iterator[tuple[int, Loop]]:
    todo = [(0, item) for item in reversed(items) if isinstance(item, Loop)]
    while todo:
        depth, loop = todo.pop()
        yield depth, loop
        todo += [(depth + 1, item) for item in reversed(loop.items) if isinstance(item, Loop)]


def _buffer(decision: Decision, lineage: Lineage, arrays: set[UOp]) -> BufferFact:
    above = list(ancestors(decision.buffer, lineage))
    source = next((u for u in above if u.op not in (Ops.BUFFERIZE, Ops.CONTIGUOUS)), above[-1])
    if source.op is Ops.VMAPOUT:
        source = source.src[0]
    place = next((p for u in (source, *above) if (p := place_of(u)) is not None), None)
    local = bool(decision.buffer.free_ranges)
    return BufferFact(decision, source.op.name, place, local, local and decision.buffer not in arrays)
