"""A loop or branch for each lane, one lane after the other: C that calls bodies.

Carries have two places in scratch memory, which change roles from round to round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

from functrans import dtypes
from functrans.backend.codegen import matrices
from functrans.backend.codegen.regions.body import Body, Lowered, body_of, update_of
from functrans.backend.codegen.regions.in_place import handed_on, kept_by_branches, passed_on, updates
from functrans.backend.codegen.regions.known import Known, key_of
from functrans.backend.codegen.regions.lowered import STATE, LoweredRegion, parameters, portion_of, round_of, turn
from functrans.backend.codegen.regions.program import Builder, place_in
from functrans.backend.codegen.regions.tree import Array, Move, Part
from functrans.backend.codegen.spelling import element, literal
from functrans.backend.codegen.vectors.lines import Lines
from functrans.backend.policy import STRAIGHT_STATEMENTS
from functrans.backend.schedule.kernels import Kernel, RegionKernel
from functrans.backend.schedule.memory import aligned
from functrans.backend.schedule.passes import GRAPH
from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp, toposort


def lower_calls(kernel: RegionKernel, lower: Callable[[Kernel], Lowered], known: Known, why: str) -> LoweredRegion:
    """The C of a loop or branch, with ``why`` its lanes are no vectors."""
    made = _Writer(kernel, lower, known).run()
    made.why = why
    return made


@dataclass
class _Round:
    """The function of a round; the carries that a loop or branch in it changes in place; for each other one that is
    changed so the function that does it, and the arrays that it is given; and the nodes that these are filled with.
    """

    name: str = ""
    passed_on: list[int] = field(default_factory=list)
    updates: dict[int, tuple[str, list[str]]] = field(default_factory=dict)
    operands: list[UOp] = field(default_factory=list)

    def stays(self, k: int) -> bool:
        """Whether a carry is changed in place."""
        return k in self.updates or k in self.passed_on


class _Writer(Lines):
    def __init__(self, kernel: RegionKernel, lower: Callable[[Kernel], Lowered], known: Known) -> None:
        super().__init__()
        self.kernel, self.lower, self.known = kernel, lower, known
        self.lanes = kernel.lanes
        self.region = self.lanes.region
        self.scratch = STATE
        self.bodies: list[Body] = []
        self.functions: list[str] = []
        self.wanted = {b.src[0].arg: b for b in kernel.roots}  # result: buffer
        self.extents = list(self.lanes.ranges)
        if isinstance(self.region, Scan):
            self.extents.append(UOp.range(self.region.length))

    def run(self) -> LoweredRegion:
        reads, roots = self.kernel.reads, self.kernel.roots
        head = parameters(self.kernel, self.extents)
        self.array = {b: f"a{k}" for k, b in enumerate(reads)} | {b: f"o{k}" for k, b in enumerate(roots)}
        whole = list(map(self._constant, range(len(self.lanes.shapes))))
        each = round_of(self.kernel, 1)
        self.line(f"const long long done = at ? *at : 0, most = {turn(each)};")
        self.line("long long turn = most;")
        self.open("for (long long step = done ? (done - 1) / 2 : from; step < to; step++) {")
        self.line("const int goes_on = done && done % 2 == 0 && step == (done - 1) / 2;")
        after = "1"
        for k in reversed(range(len(self.lanes.ranges))):
            self.line(f"const long long l{k} = step / ({after}) % n{k};")
            after = f"n{k}" if after == "1" else f"{after} * n{k}"
        given = [self._lane(k, a) for k, a in enumerate(whole)]
        sources = self._sources(given)
        self._results()
        if isinstance(self.region, Scan):
            self._scan(self.region, sources)
        elif isinstance(self.region, While):
            self._while(self.region, sources)
        elif isinstance(self.region, Routine):
            self._routine(self.region, sources)
        else:
            self._switch(self.region, sources)
        self._after(given)
        self.line("if (at && (turn -= 1) <= 0 && step + 1 < to) { *at = 3 + 2 * step; return 1; }")
        self.close()
        self.line("if (at) *at = 0;")
        self.line("return 0;")
        lines = [line.replace("SCRATCH", str(self.scratch)) for line in self.lines]  # known only now
        lines = _without_unused(_without_unused(lines, "const int goes_on"), "const long long t")
        text = "\n".join([f"static int {self.kernel.name}({', '.join(head)}) {{", *lines, "}"])
        functions = [*self.functions, *(f for b in self.bodies for f in b.functions)]
        size = self.scratch + max((b.scratch for b in self.bodies), default=0)
        arrays = [*reads, *roots]
        return LoweredRegion(
            self.kernel.name, [], arrays, self.extents, (), size, [*functions, text], 1, each,
            len(self.lanes.ranges), portion=portion_of(self.kernel),
        )  # fmt: skip

    # arrays

    def _memory(self, dtype: DType, elements: int) -> str:
        start = self.scratch
        self.scratch += aligned(max(elements, 1) * dtype.itemsize)
        return f"({element(dtype)} *)(scratch + {start})"

    def _constant(self, k: int) -> str:
        """The array of a source; of a number one that is filled with it."""
        source = self.kernel.region.src[k]
        if source.op is not Ops.CONST:
            return self.array[source]
        n, name = prod(self.lanes.shapes[k]), f"f{k}"
        self.line(f"{element(source.dtype)} *const {name} = {self._memory(source.dtype, n)};")
        self.line(f"for (long long i = 0; i < {n}; i++) {name}[i] = {literal(source.dtype, source.arg)};")
        return name

    def _lane(self, k: int, array: str) -> str:
        """Where the lane at hand of a source begins."""
        shape, region = self.lanes.shapes[k], self.region
        if isinstance(region, Scan) and k in self.lanes.taken[region.carries : region.carries + region.sequences]:
            return self._at(array, self.lanes.axes[k], f"n{len(self.extents) - 1} * {prod(shape[1:])}")
        return self._at(array, self.lanes.axes[k], str(prod(shape)))

    def _sources(self, given: list[str]) -> list[str]:
        """The sources of the loop, those made first that are made before it."""
        before = self.lanes.before
        made = [f"b{k}" for k in range(len(before.outputs))]
        for name, o in zip(made, before.outputs, strict=True):
            self.line(f"{element(o.dtype)} *const {name} = {self._memory(o.dtype, o.size)};")
        if made:
            self._call(self._body(before, list(range(len(made)))), [*given, *made])
        return [given[j] if j >= 0 else made[~j] for j in self.lanes.taken]

    def _results(self) -> None:
        """Where each result of the loop goes that somebody reads."""
        every = tuple(range(len(self.lanes.ranges)))
        lanes = self.lanes
        last = [lanes.after.outputs[~lanes.made[m]] for m in self.wanted if lanes.made[m] < 0]
        read = set(toposort(last))
        self.place: dict[int, str] = {}
        for k, p in enumerate(lanes.after.params[: len(lanes.region.results)]):
            if p in read:
                self.line(f"{element(p.dtype)} *const r{k} = {self._memory(p.dtype, p.size)};")
                self.place[k] = f"r{k}"
        self.copied: list[tuple[int, str, str]] = []
        self.last: dict[int, str] = {}
        for m, b in self.wanted.items():
            shape, k = lanes.results[m][0][len(every) :], lanes.made[m]
            stacked = isinstance(self.region, Scan) and k >= self.region.carries
            size = f"n{len(self.extents) - 1} * {prod(shape[1:])}" if stacked else str(prod(shape))
            at = self._at(self.array[b], every, size)
            if k < 0:
                self.last[m] = at
            elif k in self.place:
                self.copied.append((prod(shape) * b.dtype.itemsize, at, self.place[k]))
            else:
                self.place[k] = at

    def _after(self, given: list[str]) -> None:
        for size, to, source in self.copied:
            self.line(f"__builtin_memcpy({to}, {source}, {size});")
        if self.last:
            passed = len(self.lanes.region.results)
            nothing = [self.place.get(k, "0") for k in range(passed)]
            wanted = [~self.lanes.made[m] for m in self.last]
            self._call(self._body(self.lanes.after, wanted), [*nothing, *given, *self.last.values()])

    def _at(self, array: str, axes: tuple[int, ...], size: str) -> str:
        names, sizes = ([f"{x}{k}" for k in range(len(self.lanes.ranges))] for x in "ln")
        return f"{array} + {place_in(names, sizes, axes, size)}" if axes else array

    def _body(self, f: Function, wanted: list[int]) -> str:
        key = key_of(f, wanted)
        found = self.known.bodies.get(key)
        if found is None:
            name = f"{self.kernel.name}_f{len(self.bodies)}"
            found = self.known.bodies[key] = body_of(f, wanted, name, self.lower)
        self.bodies.append(found)
        return found.name

    # kinds

    def _round(self, f: Function, carries: int, stacks: list[int]) -> _Round:
        """The functions of a round, and memory for what they hand on to each other."""
        found = _Round(passed_on=[*passed_on(f, carries, GRAPH), *kept_by_branches(f, carries)])
        for u in updates(f, carries, GRAPH):
            name = f"{self.kernel.name}_f{len(self.bodies)}"
            self.bodies.append(update_of(u, name, self.lower))
            found.updates[u.carry] = (name, [f"e{len(found.operands) + j}" for j in range(len(u.operands))])
            found.operands += u.operands
        every = Function(f.params, (*f.outputs, *found.operands))
        made = [k for k in range(carries) if k not in found.updates]
        found.name = self._body(every, [*made, *stacks, *range(len(f.outputs), len(every.outputs))])
        for j, x in enumerate(found.operands):
            self.line(f"{element(x.dtype)} *const e{j} = {self._memory(x.dtype, x.size)};")
        return found

    def _go(self, made: _Round, args: list[str], carries: int, stacks: list[str]) -> None:
        """A round: what it makes, and what it stores into carries in place."""
        outs = [f"c{k}" if k in made.passed_on else f"d{k}" for k in range(carries) if k not in made.updates]
        given = [*args, *outs, *stacks, *(f"e{j}" for j in range(len(made.operands)))]
        self._call(made.name, given)
        for k, (name, operands) in made.updates.items():
            self._call(name, ["0", *operands, f"c{k}"])

    def _kept(self, k: int, param: UOp, start: str) -> None:
        """A carry that is changed in place: in the result, which a loop around may have given as its start as well."""
        n = prod(param.sized)
        place = self.place.get(k) or self._memory(param.dtype, n)
        self.line(f"{element(param.dtype)} *const c{k} = {place};")
        self.line(f"if (!goes_on && c{k} != {start}) __builtin_memcpy(c{k}, {start}, {n * param.dtype.itemsize});")

    def _carry(self, k: int, param: UOp, start: str) -> None:
        """A carry with two places, one of them where it ends if somebody reads it."""
        kind, n = element(param.dtype), prod(param.sized)
        place = self.place.get(k) or self._memory(param.dtype, n)
        self.line(f"{kind} *c{k} = {place}, *d{k} = {self._memory(param.dtype, n)};")
        self.line(f"if (!goes_on) __builtin_memcpy(c{k}, {start}, {n * param.dtype.itemsize});")
        self.line(f"else if (((long long *)scratch)[0] % 2) {{ {kind} *const c = c{k}; c{k} = d{k}; d{k} = c; }}")

    def _leave(self, rounds: str) -> None:
        """The end of a round: a call that has run a while notes how many it has done, and is left."""
        self.line(
            f"if (at && (turn -= 1) <= 0) {{ ((long long *)scratch)[0] = {rounds}; *at = 2 + 2 * step; return 1; }}"
        )

    def _turn(self, k: int, param: UOp) -> None:
        self.line(f"{{ {element(param.dtype)} *const c = c{k}; c{k} = d{k}; d{k} = c; }}")

    def _finish(self, k: int, param: UOp, is_kept: bool) -> None:
        if k in self.place and not is_kept:
            n, place = prod(param.sized), self.place[k]
            self.line(f"if (c{k} != {place}) __builtin_memcpy({place}, c{k}, {n * param.dtype.itemsize});")

    def _scan(self, region: Scan, sources: list[str]) -> None:
        n, ends, params = region.carries, region.carries + region.sequences, region.body.params
        stacks = [k for k in range(n, len(region.results)) if k in self.place]
        made = self._round(region.body, n, stacks)
        rounds = f"n{len(self.extents) - 1}"
        for k in range(n):
            (self._kept if made.stays(k) else self._carry)(k, params[k], sources[k])
        start, written = "goes_on ? ((long long *)scratch)[0] : 0", min(region.unroll, STRAIGHT_STATEMENTS)
        stacked = [(self.place[k], prod(region.results[k][0][1:])) for k in stacks]

        def go(u: str) -> None:
            """One round."""
            self.line(f"const long long t = {f'{rounds} - 1 - {u}' if region.reverse else u};")
            args = [f"c{k}" for k in range(n)]
            args += [f"{sources[k]} + t * {prod(params[k].sized)}" for k in range(n, ends)]
            self._go(made, [*args, *sources[ends:]], n, [f"{place} + t * {size}" for place, size in stacked])
            for k in range(n):
                if not made.stays(k):
                    self._turn(k, params[k])

        self.rounds("u", start, rounds, written, go, self._leave)
        for k in range(n):
            self._finish(k, params[k], made.stays(k))

    def _while(self, region: While, sources: list[str]) -> None:
        n, params = region.carries, region.body.params
        test, made = self._body(region.condition, [0]), self._round(region.body, n, [])
        for k in range(n):
            (self._kept if made.stays(k) else self._carry)(k, params[k], sources[k])
        self.open("for (long long u = goes_on ? ((long long *)scratch)[0] : 0;; u++) {")
        self.line("unsigned char holds;")
        args = [*(f"c{k}" for k in range(n)), *sources[n:]]
        self._call(test, [*args, "&holds"])
        self.line("if (!holds) break;")
        self._go(made, args, n, [])
        for k in range(n):
            if not made.stays(k):
                self._turn(k, params[k])
        self._leave("u + 1")
        self.close()
        for k in range(n):
            self._finish(k, params[k], made.stays(k))

    def _switch(self, region: Switch, sources: list[str]) -> None:
        wanted = sorted(self.place)
        last = len(region.branches) - 1
        self.line(f"const long long k = *({sources[0]});")
        self.open(f"switch (k < 0 ? 0 : k > {last} ? {last} : k) {{")
        for j, f in enumerate(region.branches):
            self.line(f"case {j}:" if j < last else "default:")
            handed = {k: sources[1 + i] for k in wanted if (i := handed_on(f, k)) is not None}
            if made := [k for k in wanted if k not in handed]:
                self._call(self._body(f, made), [*sources[1:], *(self.place[k] for k in made)])
            for k, source in handed.items():
                place, size = self.place[k], prod(f.outputs[k].sized) * f.outputs[k].dtype.itemsize
                self.line(f"if ({place} != {source}) __builtin_memcpy({place}, {source}, {size});")
            self.line("break;")
        self.close()

    def _routine(self, region: Routine, sources: list[str]) -> None:
        builder = Builder(self.known)
        given = [Part(Array(f"({s})", dtypes.float64, 0, ())) for s in sources]
        results = {k: Part(Array(p, region.results[k][1], 0, ())) for k, p in self.place.items()}
        staged, call, made = builder.call(region, given, results)
        for a in builder.arrays:
            self.line(f"{element(a.dtype)} *const {a.name} = {self._memory(a.dtype, a.elements)};")
        lanes = matrices.Lanes()
        self.functions += matrices.functions(region, lanes)
        self._moved(staged)
        arrays = [*(p.array.name for p in call.shares), *(a.name for a in call.arrays)]
        self.line(matrices.call(region, lanes, arrays))
        self._moved(made)

    def _moved(self, moves: Sequence[Move]) -> None:
        for m in moves:
            size = m.elements * m.to.array.dtype.itemsize
            self.line(f"__builtin_memcpy({m.to.array.name}, {m.source.array.name}, {size});")

    def _call(self, name: str, args: list[str]) -> None:
        self.line(f"{name}({', '.join([*args, 'scratch + SCRATCH'])});")


def _without_unused(lines: list[str], definition: str) -> list[str]:
    """The lines without definitions of a number that no other line reads."""
    name = re.compile(rf"\b{definition.split()[-1]}\b")
    defined = [k for k, line in enumerate(lines) if line.lstrip().startswith(f"{definition} = ")]
    if sum(name.search(line) is not None for line in lines) > len(defined):
        return lines
    return [line for k, line in enumerate(lines) if k not in defined]
