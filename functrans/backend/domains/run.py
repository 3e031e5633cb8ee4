"""Running a graph over domains: phase by phase, the programs of a phase at once, straight into the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from functrans._locks import ForkLock
from functrans.backend.domains.phases import Part, Phases, Piece, Place, phases
from functrans.backend.facts import Cost
from functrans.backend.memory import Array, allocate
from functrans.backend.runtime.pool import run_at_once
from functrans.backend.schedule.kernels import Kernel
from functrans.ops.enums import Ops
from functrans.ops.placement import HOST
from functrans.ops.source import stored
from functrans.ops.uop import UOp


class Runnable(Protocol):
    """What a step is made into: the program of a graph without domains."""

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, in the order they run."""

    @property
    def c_source(self) -> str:
        """The C text."""

    def compile(self) -> None:
        """Compile and load now."""

    def run(self, arrays: Sequence[Array], out: Sequence[Array] | None) -> list[Array]:
        """Run on the arrays of the params."""

    def cost(self) -> Cost:
        """What one run costs."""


Key = tuple[Place, UOp]
Values = dict[Key, Array]


class OverDomains:
    """The programs of a graph over domains. Cut into phases when first needed."""

    def __init__(
        self, outputs: Sequence[UOp], params: Sequence[UOp], make: Callable[[list[UOp], list[UOp]], Runnable]
    ) -> None:
        self.outputs, self.params, self._make = outputs, params, make
        self._lock = ForkLock()
        self._phases: Phases | None = None
        self._programs: dict[Place, Runnable] = {}

    @property
    def phases(self) -> Phases:
        """The steps, and a program made for each."""
        with self._lock:  # two threads that call at once run one set of steps
            if self._phases is None:
                found = phases(self.outputs)
                programs: dict[Place, Runnable] = {}
                for number, steps in enumerate(found.steps):
                    for domain, step in steps.items():
                        params = [*step.reads, *self.params]
                        programs[domain, number] = self._make(list(step.roots.values()), params)
                if self._phases is None:  # a signal handler may have made them meanwhile
                    self._programs, self._phases = programs, found
            return self._phases

    @property
    def kernels(self) -> list[dict[str, list[Kernel]]]:
        """Phase by phase the kernels of each domain."""
        steps = self.phases.steps
        return [{d: self._programs[d, number].kernels for d in step} for number, step in enumerate(steps)]

    @property
    def programs(self) -> list[tuple[str, Any]]:
        """The programs, phase by phase, and whose each is."""
        steps = self.phases.steps
        return [(f"phase {n} on {d}", self._programs[d, n]) for n, phase in enumerate(steps) for d in phase]

    @property
    def c_source(self) -> str:
        """The C texts, each once."""
        _ = self.phases
        return "\n".join(dict.fromkeys(p.c_source for p in self._programs.values()))

    @property
    def temporaries(self) -> int:
        """Bytes of intermediate values: the arenas of all programs, and what lies between phases."""
        steps = [((d, n), s) for n, phase in enumerate(self.phases.steps) for d, s in phase.items()]
        results = {(p.place, p.root) for parts in self.phases.parts for p in parts}
        between = sum(r.size * r.dtype.itemsize for place, s in steps for r in s.roots if (place, r) not in results)
        return between + sum(p.cost().temporaries for p in self._programs.values())

    def compile(self) -> None:
        """Compile and load what is not yet."""
        _ = self.phases
        for p in self._programs.values():
            p.compile()

    def run(self, arrays: Sequence[Array], out: Sequence[Array] | None) -> list[Array]:
        """The results for the arrays of the params, in ``out`` where it is given."""
        self.compile()
        found = self.phases
        given = dict(zip(self.params, arrays, strict=True))
        results = [
            allocate(o.sized, o.dtype.numpy, "a result") if out is None else out[k] for k, o in enumerate(self.outputs)
        ]
        values: Values = {}
        copies = _into_results(found.parts, results, values)
        for number, steps in enumerate(found.steps):
            tasks = {d: partial(self._step, (d, number), given, values) for d in steps}
            run_at_once(tasks, HOST)
        for target, source in copies:
            target[...] = values[source]
        return results

    def _step(self, place: Place, given: dict[UOp, Array], values: Values) -> None:
        step = self.phases.steps[place[1]][place[0]]
        arrays = [_read(piece, hole, given, values) for hole, piece in step.reads.items()]
        targets = []
        for root in step.roots:
            target = values.get((place, root))
            if target is None:
                target = values[place, root] = allocate(root.sized, root.dtype.numpy, "intermediate values")
            targets.append(target)
        self._programs[place].run([*arrays, *given.values()], targets)


def _into_results(parts: list[list[Part]], results: list[Array], values: Values) -> list[tuple[Array, Key]]:
    """Where each root writes: its window of a result. What a root is beside, a second result, is copied in the end."""
    copies = []
    for ps, result in zip(parts, results, strict=True):
        for p in ps:
            at: tuple[Any, ...] = (*(slice(a, b) for a, b in p.bounds), ...)  # an array even without axes
            window = result[at]
            key = (p.place, p.root)
            if key in values:
                copies.append((window, key))
            else:
                values[key] = window
    return copies


def _read(piece: Piece, hole: UOp, given: dict[UOp, Array], values: Values) -> Array:
    """The array of a placeholder: C-contiguous, and no copy where a part of memory is one block."""
    source = piece.source
    if piece.place is not None:
        array = values[piece.place, source]
    else:
        array = given[source] if source.op is Ops.PARAM else stored(source)
    if piece.block is not None:
        size, offset = piece.block
        array = array.reshape(-1)[offset : offset + size]
    return np.ascontiguousarray(array).reshape(hole.sized)
