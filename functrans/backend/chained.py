"""Programs of several compiled parts as one entry point: kernels, and between them sparse systems that are C, too.

A call of it is a short one, which takes no step of Python. Where a system fails the check of its residual, a flag says
so, and the long way solves it by SuperLU.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from functrans.backend.launch import Record
from functrans.backend.memory import Array
from functrans.backend.runtime.address import Address
from functrans.backend.runtime.library import Entry
from functrans.backend.runtime.native import native
from functrans.backend.runtime.protocol import PROTOCOL
from functrans.backend.schedule.host import HostStep, around
from functrans.backend.schedule.memory import aligned
from functrans.backend.sparse.steps import is_call, prepared
from functrans.backend.steps import Part, Steps, view
from functrans.ops.enums import Ops
from functrans.ops.source import stored
from functrans.ops.uop import UOp

if TYPE_CHECKING:
    from functrans.backend.pipeline import Program

__all__ = ["chained"]

_NONE = np.empty(0)
_Key = tuple[str, Any]


def chained(program: Program, steps: Steps, limits: Any, weak: bool) -> Record | None:
    """What a short call of a program needs; None where a step is Python's, or work is shared by threads."""
    given_back = len(set(steps.results)) < len(steps.results) or {*steps.results} & {*program.params}
    if given_back or not all(is_call(step.nodes[0]) for part in steps.parts for step in part.steps):
        return None
    chain = _Chain(program, steps)
    runner = native(_text(), "calls of several parts") if all(map(chain.take, steps.parts)) else None
    return None if runner is None else chain.record(runner, limits, weak)


@cache
def _text() -> str:
    text = pkgutil.get_data("functrans.backend.runtime", "chain.c")
    return PROTOCOL + "\n" + ("" if text is None else text.decode())


class _Chain:
    """What is called in turn, and the buffers of all of it, each under a key."""

    def __init__(self, program: Program, steps: Steps) -> None:
        self.params, self.outputs = program.params, steps.results[: len(program.outputs)]
        self.shapes = tuple((o.sized, o.dtype.numpy) for o in program.outputs)
        self.calls: list[tuple[Address, list[_Key], Sequence[int]]] = []
        self.captured: dict[_Key, Array] = {}
        # bytes of what is zero unless something failed, and then of memory to work in
        self.flags: dict[_Key, int] = {("place", u): u.size for u in steps.results[len(program.outputs) :]}
        self.regions: dict[_Key, int] = {}
        self.slices: dict[_Key, tuple[_Key, int]] = {}  # of a key the region, and how far behind its begin

    def take(self, part: Part) -> bool:
        """Put a part to the others; whether it can be called so."""
        kernels = part.program is None or self._kernels(part.program, part.places)
        return kernels and all(map(self._step, part.steps))

    def _kernels(self, program: Program, made: Sequence[UOp]) -> bool:
        r = program.record()
        if r is None or r.pool or r.lasting or r.flags or any(r.limits):
            return False
        region = "arena", len(self.calls)
        self.regions[region] = r.arena
        slices: list[_Key] = [("slice", (region, start)) for start in r.offsets]
        self.slices.update((key, key[1]) for key in slices)
        params, places = map(self._place, program.params), map(self._place, made)
        self.calls.append((Address.of(r.entry), [*params, *map(self._kept, r.captured), *places, *slices], r.sizes))
        return True

    def _step(self, step: HostStep) -> bool:
        ranges = around(step.nodes[0])
        shapes = [s for s in (view(s, ranges) for s in step.sources) if s is not None]
        call = prepared(step.nodes[0], shapes) if len(shapes) == len(step.sources) else None
        if call is None:
            return False
        failed, work = ("failed", len(self.calls)), ("work", len(self.calls))
        self.flags[failed], self.regions[work] = 4 * call.systems, 8 * call.work
        places = [*map(self._place, [*(s.place for s in step.sources), *step.results])]  # RESULT is the last one
        given = [self._kept(_NONE) if k is None else places[k] for k in call.arrays]
        keys = [*given, failed, work, *map(self._kept, call.fixed)]
        self.calls.append((call.address, keys, call.sizes))
        return True

    def _kept(self, array: Array) -> _Key:
        return self._named(("captured", id(array)), array)

    def _named(self, key: _Key, array: Array) -> _Key:
        self.captured[key] = array
        return key

    def _place(self, place: UOp) -> _Key:
        if place.op is Ops.BUFFER:
            return self._kept(stored(place))
        key = "place", place
        if place not in self.params and place not in self.outputs and key not in self.flags:
            self.regions[key] = place.size * place.dtype.itemsize
        return key

    def record(self, runner: Entry, limits: Any, weak: bool) -> Record:
        """All of it as one call."""
        addresses = [self._named(("address", k), address) for k, (address, _, _) in enumerate(self.calls)]
        regions = self.flags | self.regions
        starts = dict(zip(regions, accumulate(map(aligned, regions.values()), initial=0), strict=False))
        offsets = {key: starts[key] for key in regions} | {k: starts[r] + by for k, (r, by) in self.slices.items()}
        names: list[_Key] = [("place", u) for u in self.params]
        names += [*self.captured, *(("place", u) for u in self.outputs), *offsets]
        at = {key: k for k, key in enumerate(names)}
        sizes = [len(self.calls)]
        for address, (_, keys, own) in zip(addresses, self.calls, strict=True):
            sizes += [at[address], len(keys), *(at[key] for key in keys), len(own), *own]
        return Record(
            runner, tuple((p.sized, p.dtype.numpy) for p in self.params),
            tuple(self.captured.values()), self.shapes, tuple(offsets.values()), sum(map(aligned, regions.values())),
            sum(map(aligned, self.flags.values())), tuple(sizes), 0, 0, True, False, limits, weak,
        )  # fmt: skip
