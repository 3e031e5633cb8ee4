"""All that is decided about a graph before it runs, shared by every graph of the same structure."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from functrans import dtypes
from functrans._collector import paused
from functrans._recent import keep, recall
from functrans.backend.codegen import late
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.regions.lowered import LoweredRegion
from functrans.backend.codegen.split import Split, split, split_like
from functrans.backend.codegen.statements import lower_all
from functrans.backend.codegen.streams import Streams, streams
from functrans.backend.codegen.strips import strips
from functrans.backend.codegen.unit import statement_lines, unit
from functrans.backend.codegen.vectors.target import target, written_for
from functrans.backend.codegen.written import written
from functrans.backend.cost import cost
from functrans.backend.facts import Cost, Facts
from functrans.backend.policy import FAR_BYTES
from functrans.backend.runtime.cache import digest
from functrans.backend.runtime.compiling import Compiling
from functrans.backend.runtime.library import Entry, NoPlace, load
from functrans.backend.schedule.chains import chained
from functrans.backend.schedule.kernels import Kernel, RegionKernel, kernels
from functrans.backend.schedule.memory import Memory, aligned, plan_memory
from functrans.backend.schedule.passes import scheduled
from functrans.debug import log
from functrans.errors import CompileError
from functrans.ops import origin, placement
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.kernel import listing
from functrans.ops.passes import SILENT, Passes, Recorded
from functrans.ops.uop import UOp, fresh_id, substitute
from functrans.ops.vmap import extent

if TYPE_CHECKING:
    from functrans.backend.pipeline import Program

_KEPT = 256


class Scheduled:
    """Kernels and their statements, and the place of every buffer: params, captured arrays, outputs, then the arena's.

    Attributes
    ----------
    position : of each buffer among those that compiled code is given; ``free`` is that of scratch memory
    sizes : the values of the ranges that are arguments; those of the variables come after them
    size_of : where among them each is
    """

    def __init__(
        self, roots: Sequence[UOp], params: Sequence[UOp], captured: Sequence[UOp], variables: Sequence[UOp],
        passes: Passes = SILENT,
    ) -> None:  # fmt: skip
        buffers = scheduled(roots, passes)
        found = kernels(buffers)
        known = late.known.Known() if any(isinstance(k, RegionKernel) for k in found) else None
        self.kernels: list[Kernel] = found
        if known is not None:
            self.kernels = chained(found, buffers, partial(late.regions.takes, known=known))
        log(3, lambda: "\n".join(map(repr, self.kernels)))
        self.lowered: list[LoweredKernel] = lower_all(self.kernels, passes, known)
        log(5, lambda: "".join(f"{k.name}\n{listing(k.uops)}\n" for k in self.lowered))
        self.results = set(buffers)
        self.memory = plan_memory(self.kernels, self.results, max((k.scratch for k in self.lowered), default=0))
        places = [*params, *captured, *buffers, *self.memory.buffers]
        self.position, self.free = {u: k for k, u in enumerate(places)}, len(places)
        for k in self.lowered:
            for b in k.buffers:
                if b.op is Ops.DEFINE_GLOBAL:
                    self.position[b] = self.position[b.src[0]]
        ranges = list(dict.fromkeys(r for k in self.lowered for r in k.extents if r.op is Ops.RANGE))
        self.sizes = [extent(r) for r in ranges]
        self.size_of = {r: k for k, r in enumerate([*ranges, *variables])}


class Plan(Scheduled):
    """The same with its C text, written on first use, for the vectors that were the target then: which work threads
    share, and which results are written past the caches.
    """

    def __init__(
        self, roots: Sequence[UOp], params: Sequence[UOp], captured: Sequence[UOp], variables: Sequence[UOp],
        passes: Passes = SILENT, fixed: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(roots, params, captured, variables, passes)
        self.splits: dict[LoweredKernel, Split] = {}
        self.streams: dict[LoweredKernel, Streams] = {}
        read = {b for k in self.kernels for b in k.reads}
        for kernel, low in zip(self.kernels, self.lowered, strict=True):
            shared = split(kernel, low) if low.twin is None else split_like(self.splits.get(low.twin), low)
            if shared is not None:
                self.splits[low] = shared
                streamed = streams(kernel, low, shared, read)
                if streamed is not None:
                    self.streams[low] = streamed
        self.strips = strips(self.lowered, self.splits, self.streams, self.results, self._fits)
        if self.strips:
            self.memory = self._memory([s.numbers for s in self.strips])
        self.threads_pay = any(s.pays for s in self.splits.values())
        self.threads_pay |= any(k.pays for k in self.lowered if isinstance(k, LoweredRegion))
        self.far = any(extent(self.splits[k].range) * s.row > FAR_BYTES for k, s in self.streams.items())
        self.scratch = max((aligned(k.scratch) for k in self.lowered), default=0)  # of each thread
        at = (self.position, self.free, self.size_of)
        every = {r for k in self.lowered for r in k.extents}
        self._fixed = every if fixed else written(self.kernels, self.lowered)
        self._unit = partial(unit, self.lowered, *at, self.splits, self.streams, self.strips, self._fixed)
        self._target = target()
        self._timed: Entry | None = None

    def _memory(self, together: list[range]) -> Memory:
        start, end = self.memory.scratch
        return plan_memory(self.kernels, self.results, end - start, together)

    def _fits(self, together: list[range]) -> bool:
        """Whether kernels that go together take no more memory than alone."""
        return self._memory(together).size <= self.memory.size

    @cached_property
    def c_source(self) -> str:
        """The C text."""
        with paused:
            text = self._text()
        log(4, lambda: text)
        return text

    def _text(self, **options: int) -> str:
        with written_for(self._target):
            return self._unit(**options)

    @property
    def entry(self) -> Entry:
        """The compiled code, compiled on first use. Who calls it holds it: a plan keeps no library open."""
        return self.compiled()

    def compiled(self, begun: Compiling | None = None, meanwhile: Callable[[], None] = lambda: None) -> Entry:
        """The same, compiled by what has begun; `meanwhile` is called while the compiler works."""
        try:
            return load(self.c_source, begun, meanwhile)
        except NoPlace:
            raise
        except CompileError as error:
            raise self._blamed(error) from error

    @cached_property
    def facts(self) -> Facts:
        """What a call needs to know of it."""
        return Facts(
            digest(self.c_source),
            tuple(self.sizes),
            self.memory.size,
            (*self.memory.slices, self.memory.scratch),
            self.scratch,
            self.threads_pay,
            self.cost,
            self.far,
        )

    @cached_property
    def cost(self) -> Cost:
        """What a run costs by the schedule."""
        return cost(self.kernels, self.memory.size)

    @property
    def timed(self) -> Entry:
        """The same code, which also notes the time before each kernel, in an array behind all others."""
        if self._timed is None:
            self._timed = load(self._text(clock=time.CLOCK_MONOTONIC))
        return self._timed

    def statement_lines(self) -> dict[str, list[tuple[UOp, int, int]]]:
        """For each kernel its statements and the lines of the C, counted from 0, that each became."""
        return statement_lines(self.lowered, self.splits, self.streams, self.strips, self._fixed, self.c_source)

    def _blamed(self, error: CompileError) -> CompileError:
        """The error, with the C of the user's that the unit holds: the most likely cause."""
        texts = dict.fromkeys(u.arg for k in self.lowered for u in k.uops if u.op in GroupOp.Custom)
        if not texts:
            return error
        lines = [f"  {t.name}{t.where}: {t.text}" for t in texts]
        return CompileError(
            "C that was given by custom_c is in what the compiler refused:\n" + "\n".join([*lines, error.message]),
            command=error.command, stderr=error.stderr, source=error.source,
        )  # fmt: skip


def _made(program: Program, passes: Passes = SILENT) -> Plan:
    """A plan made now. It outlives its graph, and so is made of stand-ins: it would keep the captured arrays."""
    empty = {b: origin.became(_stand_in(b), b) for b in program.captured}
    roots, captured = substitute(program.roots, empty), list(empty.values())
    return Plan(roots, program.arrays, captured, program.variables, passes, program.fixed)


def _stand_in(captured: UOp) -> UOp:
    """A BUFFER of the size of a stored array, or of a window of one, that stores nothing."""
    device = placement.device(placement.HOST)
    return UOp(Ops.BUFFER, captured.dtype, (device, UOp(Ops.UNIQUE, dtypes.void, (), fresh_id())), captured.size)


_plans: OrderedDict[str, Plan] = OrderedDict()


def recorded_plan(program: Program) -> tuple[Plan, Recorded]:
    """A plan of its own, and all that the passes made of the graph on the way to it."""
    passes = Recorded()
    with origin.lineage(passes.lineage):
        plan = _made(program, passes)
    passes.find_text, passes.find_lines = lambda: plan.c_source, plan.statement_lines
    return plan, passes


def plan_of(program: Program) -> Plan:
    """The plan of a graph: the one made for a graph of the same structure, or a new one."""
    found = recall(_plans, program.key)
    if found is None:
        start = time.perf_counter_ns()
        with paused:
            found = keep(_plans, program.key, _made(program), _KEPT)
        spent = time.perf_counter_ns() - start
        log(2, f"scheduled {len(found.kernels)} kernels in {spent / 1e6:.1f} ms")
    return found
