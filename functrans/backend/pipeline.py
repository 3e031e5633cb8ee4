"""From a graph to something that runs: schedule, lower, compile, bind. Graphs alike share their code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans.backend.codegen.lower import LoweredKernel, lower
from functrans.backend.codegen.unit import unit
from functrans.backend.runtime.library import Entry, available, load
from functrans.backend.schedule.bufferize import bufferize
from functrans.backend.schedule.fuse import fuse
from functrans.backend.schedule.kernels import Kernel, kernels
from functrans.backend.schedule.rangeify import rangeify
from functrans.backend.schedule.realize import LEAVES
from functrans.config import config
from functrans.debug import log
from functrans.errors import LeakedValueError
from functrans.ops.build import reshape
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.interpret import interpret
from functrans.ops.printer import to_text
from functrans.ops.source import stored
from functrans.ops.spec import check
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent, ranges_of

Array = np.ndarray[Any, Any]


def ranged(outputs: Sequence[UOp]) -> list[UOp]:
    """The BUFFERIZE of each distinct output: a graph through rangeify, bufferize and fuse."""
    roots = check(list(dict.fromkeys(map(_root, outputs))), "tensor", "tracing")
    buffers = check(bufferize(roots, rangeify(roots)), "ranged", "bufferize")
    buffers = check(fuse(buffers), "ranged", "fuse")
    if config.debug >= 3:
        log(3, to_text(*buffers))
    return buffers


def schedule(outputs: Sequence[UOp]) -> list[Kernel]:
    """The kernels that compute the outputs, in order, without running or compiling anything."""
    return kernels(ranged(outputs))


class Program:
    """A graph made runnable: arrays for its PARAMs in, new arrays for its outputs out.

    The graph is scheduled when the program is made and compiled when it is first called.
    """

    def __init__(self, outputs: Sequence[UOp], params: Sequence[UOp]) -> None:
        self.outputs, self.params = tuple(outputs), tuple(params)
        self._roots = list(dict.fromkeys(_root(o) for o in self.outputs))
        order = toposort(self._roots)
        self._check_params(order)
        self._vmap_ranges = frozenset(r for u in order if u.op in GroupOp.VMap for r in ranges_of(u.src[1:]))
        self._captured = [u for u in order if u.op is Ops.BUFFER]
        self._plan: _Plan | None = None
        self._entry: Entry | None = None

    def _check_params(self, order: list[UOp]) -> None:
        for u in order:
            if u.op is Ops.PARAM and u not in self.params:
                raise LeakedValueError(
                    f"a traced value of shape {u.shape} and dtype {u.dtype.name} is used outside the trace that made "
                    "it; return it from the traced function instead of keeping it"
                )

    @property
    def plan(self) -> _Plan:
        """Kernels, C text and memory, made on first use."""
        if self._plan is None:
            self._plan = _Plan(self._roots, self.params, self._captured, self._vmap_ranges)
        return self._plan

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, in the order they run."""
        return self.plan.kernels

    @property
    def c_source(self) -> str:
        """The C text of the translation unit."""
        return self.plan.c_source

    def compile(self) -> None:
        """Compile and load now rather than at the first call."""
        if self._entry is None and self.kernels:
            self._entry = load(self.c_source)

    def __call__(self, arrays: Sequence[Array], out: Sequence[Array] | None = None) -> list[Array]:
        """Run on C-contiguous arrays of the params, in their order, into ``out`` where it is given."""
        if not available():
            results = interpret(self.outputs, dict(zip(self.params, arrays, strict=True)))
            return results if out is None else [_into(o, r) for o, r in zip(out, results, strict=True)]
        self.compile()
        filled = self._buffers(out)
        if self._entry is not None:
            plan = self.plan
            arena = np.empty(plan.arena, np.uint8)
            temps = [arena[a:b] for a, b in plan.temps]
            captured = [stored(b) for b in self._captured]
            self._entry([*arrays, *captured, *filled.values(), *temps], plan.sizes)
        results = [filled[_root(o)].reshape(o.sized) for o in self.outputs]
        if out is not None:
            return [_into(o, r) for o, r in zip(out, results, strict=True)]
        seen: set[int] = set()
        return [r.copy() if id(r.base if r.base is not None else r) in seen else _note(r, seen) for r in results]

    def _buffers(self, out: Sequence[Array] | None) -> dict[UOp, Array]:
        given: dict[UOp, Array] = {}
        if out is not None:
            for o, array in zip(self.outputs, out, strict=True):
                if array.flags.c_contiguous:
                    given.setdefault(_root(o), array.reshape(-1))
        return {
            root: given[root].reshape(root.sized) if root in given else np.empty(root.sized, root.dtype.numpy)
            for root in self._roots
        }


class _Plan:
    """What the schedule and the code of a graph need to run: kernels, C text, the places of all buffers."""

    def __init__(self, roots: list[UOp], params: tuple[UOp, ...], captured: list[UOp], vmap: frozenset[UOp]) -> None:
        buffers = ranged(roots)
        self.kernels = kernels(buffers)
        self.lowered: list[LoweredKernel] = [lower(k, f"k{i}", vmap) for i, k in enumerate(self.kernels)]
        places = [*params, *captured, *buffers]
        position = {u: k for k, u in reversed(list(enumerate(places)))}
        inner = [b for k in self.kernels for b in k.roots if b not in position]
        self.temps, self.arena = _memory(inner, max((k.scratch for k in self.lowered), default=0))
        for k, b in enumerate(inner, len(places)):
            position[b] = k
        for k in self.lowered:
            for b in k.buffers:
                if b.op is Ops.DEFINE_GLOBAL:
                    position[b] = position[b.src[0]]
        ranges = list(dict.fromkeys(r for k in self.lowered for r in k.extents))
        self.sizes = [extent(r) for r in ranges]
        scratch = len(places) + len(inner)
        self.c_source = unit(self.lowered, position, scratch, {r: k for k, r in enumerate(ranges)})
        if config.debug >= 4:
            log(4, self.c_source)


def _memory(buffers: list[UOp], scratch: int) -> tuple[list[tuple[int, int]], int]:
    """The slices of the arena for buffers between kernels, the scratch memory last, and the arena's size."""
    places, top = [], 0
    for b in buffers:
        size = b.dtype.itemsize
        for n in b.arg.shape:
            size *= n
        places.append((top, top + size))
        top += -(-size // 64) * 64
    places.append((top, top + scratch))
    return places, top + scratch


def _root(node: UOp) -> UOp:
    """What is stored for an output: a reshape moves nothing, an argument handed back is copied."""
    while node.op is Ops.RESHAPE:
        node = node.src[0]
    return UOp(Ops.CONTIGUOUS, node.dtype, (node,)) if node.op in LEAVES else node


def _note(r: Array, seen: set[int]) -> Array:
    seen.add(id(r.base if r.base is not None else r))
    return r


def _into(target: Array, result: Array) -> Array:
    if target is not result and not np.shares_memory(target, result):
        target[...] = result
    return target


def program(outputs: Sequence[UOp], params: Sequence[UOp]) -> Program:
    """The program of a graph. Its code is found by its text: another batch size is the same code."""
    return Program(outputs, params)
