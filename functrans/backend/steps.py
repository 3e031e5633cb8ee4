"""Running a graph with host steps: compiled segments, and NumPy in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from functrans.backend import stopwatch
from functrans.backend.launch import Record, direct
from functrans.backend.schedule.host import HostStep, Segment, Source, around, cut
from functrans.backend.sparse.steps import COMPILED
from functrans.errors import SpecError
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.source import stored
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

Array = np.ndarray[Any, Any]


class Runnable(Protocol):
    """A compiled graph: arrays for its params in, its outputs out."""

    params: tuple[UOp, ...]

    def run(self, arrays: Sequence[Array], out: Sequence[Array] | None = None) -> list[Array]:
        """The arrays of the outputs."""

    def record(self) -> Record | None:
        """What a short call needs; None where there is none."""


class Part:
    """A segment: its program, if it computes anything, then its steps; and the places nobody reads afterwards."""

    def __init__(self, segment: Segment, make: Callable[[Sequence[UOp], Sequence[UOp]], Any]) -> None:
        self.steps = segment.steps
        self.places = segment.places
        nodes = toposort(segment.outputs)
        inputs = [u for u in nodes if u.op is Ops.PARAM or (u.op is Ops.DEFINE_VAR and len(u.arg) > 3)]
        self.program = make(segment.outputs, inputs) if segment.outputs else None
        self.reads = {*inputs, *(s.place for step in self.steps for s in step.sources)}
        self.dropped: list[UOp] = []
        self._short: Callable[..., Any] | None = None

    def filled(self, known: Mapping[UOp, Array]) -> list[Array]:
        """What its program computes: by a short call, as that of a function without steps, unless it is timed."""
        assert self.program is not None
        arrays = tuple(known[p] for p in self.program.params)
        if self._short is None and not stopwatch.wanted():
            record = self.program.record()
            self._short = None if record is None else direct(record, None)
        if self._short is None or stopwatch.wanted():
            return list(self.program.run(arrays))
        results = self._short(arrays, None)
        return list(self.program.run(arrays)) if results is NotImplemented else list(map(np.asarray, results))


class Steps:
    """The parts of a graph, in order; ``make`` gives the program of a graph and its params."""

    def __init__(self, roots: Sequence[UOp], make: Callable[[Sequence[UOp], Sequence[UOp]], Any]) -> None:
        segments, self.results = cut(roots)
        self.parts = [Part(s, make) for s in segments]
        alive = set(self.results)
        for part in reversed(self.parts):
            made = {*part.places, *(r for s in part.steps for r in s.results)}
            part.dropped = [p for p in part.reads | made if p not in alive and p.op is not Ops.BUFFER]
            alive |= part.reads

    @property
    def programs(self) -> list[Any]:
        """The programs, in order."""
        return [p.program for p in self.parts if p.program is not None]

    @property
    def handed(self) -> list[tuple[UOp, list[str]]]:
        """What segments store for others: each node, and who reads it."""
        found = []
        for part in self.parts:
            outputs = () if part.program is None else part.program.outputs
            for node, place in zip(outputs, part.places, strict=True):
                readers = [s.name for p in self.parts for s in p.steps if s.reads(place)]
                readers += [f"segment {k}" for k, p in enumerate(self.programs) if place in p.params]
                found.append((node, readers + ["the caller"] * (place in self.results)))
        return found

    def run(self, values: Mapping[UOp, Array]) -> list[Array]:
        """The arrays of the roots, given those of the params."""
        known = dict(values)
        for part in self.parts:
            if part.program is not None:
                known.update(zip(part.places, part.filled(known), strict=True))
            for step in part.steps:
                known.update(zip(step.results, stopwatch.step(step, partial(evaluate, step, known)), strict=True))
            for place in part.dropped:
                del known[place]
        return [known[r] for r in self.results]


def evaluate(step: HostStep, known: Mapping[UOp, Array]) -> list[Array]:
    """The results of a host step, all RANGEs of its nodes as leading axes."""
    node, record = step.nodes[0], opdef(step.nodes[0])
    ranges = around(node)
    arrays = [_aligned(s, known, ranges) for s in step.sources]
    if len(step.nodes) > 1 and record.together is not None:
        values = record.together(step.nodes, *arrays)
    else:
        meaning = COMPILED.get(node.op, record.numpy)
        if meaning is None:
            raise SpecError(f"{node!r} has no NumPy meaning: it cannot run between kernels")
        values = [meaning(node, *arrays)]
    return [_kept(n, ranges, v) for n, v in zip(step.nodes, values, strict=True)]


def _kept(node: UOp, ranges: tuple[UOp, ...], value: Array) -> Array:
    """The value of a node as an array of its own, of its shape."""
    shape = (*map(extent, ranges), *node.sized)
    if value.shape != shape:
        value = np.array(np.broadcast_to(value, shape))
    is_own = value.dtype == node.dtype.numpy and value.flags.c_contiguous and value.flags.writeable
    return value if is_own else np.require(value, node.dtype.numpy, ["C", "W"])


def _aligned(source: Source, known: Mapping[UOp, Array], ranges: tuple[UOp, ...]) -> Array:
    """The array of a source with an axis of one for each RANGE that it lacks; without RANGEs if it has none."""
    array = stored(source.place) if source.place.op is Ops.BUFFER else known[source.place]
    for node in source.moves:
        array = _moved(array, node)
    own = around(source.node)
    if not own:
        return array
    lanes = tuple(extent(r) if r in own else 1 for r in ranges)
    return array.reshape(lanes + source.node.sized)


def view(source: Source, ranges: tuple[UOp, ...]) -> tuple[int, ...] | None:
    """The shape in which a step has a source of float64; None where elements are not in the order of their array."""
    place = source.place
    whole = stored(place) if place.op is Ops.BUFFER else np.empty(place.sized)
    seen = _aligned(source, {place: whole}, ranges)
    same = seen.flags.c_contiguous and seen.size == whole.size and seen.ctypes.data == whole.ctypes.data
    return seen.shape if same and place.dtype.numpy == np.float64 else None


def _moved(array: Array, node: UOp) -> Array:
    """A view of an array, whose leading axes are the RANGEs around the source, under one movement."""
    before, after = around(node.src[0]), around(node)
    lead = len(before)
    if node.op is Ops.VMAPIN:
        axes = {r: k for k, r in enumerate(before)} | {r: lead + k for k, r in enumerate(node.src[1:])}
        rest = [lead + k for k, r in enumerate(node.src[1:]) if r.op is not Ops.RANGE]
        return array.transpose([*(axes[r] for r in after), *rest])
    if node.op is Ops.PERMUTE:
        return array.transpose([*range(lead), *(lead + a for a in node.arg)])
    shape = (*map(extent, after), *node.sized)
    return np.broadcast_to(array, shape) if node.op is Ops.EXPAND else array.reshape(shape)
