"""A loop or branch with all that is inside of it as one C function, lanes as vectors.

A block of lanes goes through all rounds before the next one begins. Where lanes end a loop at different times, those
that have ended keep their values under a mask until the last one ends; where they take different branches, each branch
that some lane takes is computed and kept under a mask. The last block begins so that it ends with the last lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from functrans import dtypes
from functrans.backend.codegen import matrices
from functrans.backend.codegen.regions.choice import written_rounds
from functrans.backend.codegen.regions.lane_program import LaneProgram
from functrans.backend.codegen.regions.lowered import STATE, parameters, round_of, turn
from functrans.backend.codegen.regions.memory import bytes_of, is_variables, kind_of, variable
from functrans.backend.codegen.regions.statements import StatementWriter
from functrans.backend.codegen.regions.tree import (
    Array,
    Block,
    Branch,
    Call,
    Carry,
    Each,
    Move,
    Part,
    Rounds,
    Statements,
)
from functrans.backend.codegen.vectors.values import Shape, Value
from functrans.backend.policy import INTERLEAVED
from functrans.backend.schedule.memory import ALIGN, aligned


class LaneWriter(StatementWriter):
    """Writes the C function of a program."""

    mixes = True
    apart = False  # whether the compiler is to leave it a function of its own
    portion = INTERLEAVED  # steps that are begun together at least, where lanes end when they like

    def __init__(self, program: LaneProgram, shape: Shape) -> None:
        super().__init__(shape, program.row_of)
        self.width = shape.lanes * shape.sides if program.lanes else 1
        self.round = round_of(program.kernel, self.width)
        self.program, self.kernel = program, program.kernel
        self.name = program.kernel.name
        self.every = tuple(range(program.lanes))
        carries = [c for item in program.items for c in getattr(item, "carries", ())]
        numbers: int = sum(c.elements for c in carries if c.now.is_own)
        numbers += sum(a.elements for own in program.ends[:-1] for a in own)
        numbers += sum(own.elements for _, own in program.preloaded) + len(program.row_of) + 2
        self.kept = STATE + numbers * shape.sides * shape.lanes * 8 + 64  # bytes; behind them lie stacks
        self.functions: list[str] = []  # that it calls
        self.rows_at = 0  # the line where the rows of lanes are noted

    def _memory_of_stack(self, array: Array) -> str:
        """The C of the bytes of a side of it."""
        return f"({array.size} * {bytes_of(array, self.shape)} + {ALIGN - 1}) / {ALIGN} * {ALIGN}"

    @property
    def stride(self) -> str:
        """The C of the bytes of scratch memory of a thread, where they depend on numbers of rounds."""
        each = [f"{self._memory_of_stack(a)} * {self.shape.sides if a.varying else 1}" for a in self.program.stacks]
        return " + ".join([str(aligned(self.kept)), *each]) if each else ""

    @property
    def scratch(self) -> int:
        """The bytes of scratch memory."""
        stacks = [(a, self.shape.sides if a.varying else 1) for a in self.program.stacks]
        return self.kept + sum(aligned(a.elements * bytes_of(a, self.shape)) * s for a, s in stacks)

    def run(self) -> str:
        """The C."""
        self.line(f"const long long done = at ? *at : 0, most = {turn(self.round)};")
        self.line("long long turn = most;")
        self._whole()
        self.line("if (at) *at = 0;")
        self.line("return 0;")
        kind = "static __attribute__((noinline)) int" if self.apart else "static int"
        return "\n".join([f"{kind} {self.name}({', '.join(self.head())}) {{", *self.lines, "}"])

    def head(self) -> list[str]:
        """The C of its parameters."""
        return parameters(self.kernel, self.program.extents)

    def _whole(self) -> None:
        """All that the function does."""
        self._blocks()
        for array in self.program.builder.arrays:
            self.declare(array)
        self._stacks()
        for source, own in self.program.preloaded:
            self._copy(Part(source), Part(own), own.elements)
        for source, own, rows, length in self.program.builder.turned:
            self.line(f"for (long long i = 0; i < {rows}; i++) for (long long j = 0; j < {length}; j++) "
                      f"{own.name}[j * {rows} + i] = {source.name}[i * {length} + j];")  # fmt: skip
        if len(self.program.items) > 1:
            self.line("const long long stage = goes_on ? ((long long *)scratch)[1] : 0;")
        self._block(self.program.block)
        self.line("if (at && (turn -= 1) <= 0 && step + 1 < to) { *at = 3 + 2 * step; return 1; }")
        self.close()
        if self.every and not self.scattered:  # only a block that is not full reads where its rows are
            self.lines[self.rows_at] = self.lines[self.rows_at].replace("for", "if (!full) for", 1)

    def _stacks(self) -> None:
        """Where in scratch memory it lies what loops stack for later ones."""
        if not self.program.stacks:
            return
        self.line(f"char *const stacks = (char *)(((unsigned long long)scratch + {self.kept}) / {ALIGN} * {ALIGN});")
        place = "stacks"
        for array in self.program.stacks:
            kind = kind_of(array, self.shape)
            for s in range(self.shape.sides) if array.varying else [0]:
                name = self.memory_of(array, s)
                self.line(f"{kind} *const {name} = ({kind} *)({place});")
                place = f"(char *){name} + {self._memory_of_stack(array)}"

    def _blocks(self) -> None:
        """The loop over blocks of lanes, and where each lane's row is."""
        lanes, sides = self.shape.lanes, self.shape.sides
        width = lanes * sides
        if self.every:
            self.line(f"const long long lanes = {' * '.join(f'n{k}' for k in self.every)};")
            self.line(f"const int full = lanes >= {width};")
        self.open("for (long long step = done ? (done - 1) / 2 : from; step < to; step++) {")
        self.line("const int goes_on = done && done % 2 == 0 && step == (done - 1) / 2;")
        if not self.every:
            return
        self.line(f"const long long begin = step * {width};")
        self.line(f"const long long first = full && begin > lanes - {width} ? lanes - {width} : begin;")
        self._declare_ends("lanes")
        self._declare_rows()
        self.rows_at = len(self.lines)
        self.open(f"for (int k = 0; k < {lanes}; k++) {{")
        for s in range(sides):
            self.line(f"const long long l{s} = {self._lane_in(s)};")
            self._set_rows(s, f"l{s}")
        self.close()

    # items

    def _block(self, block: Block) -> None:
        for item in block.items:
            if isinstance(item, Statements):
                self.statements(item)
            elif isinstance(item, Move):
                self._copy(item.source, item.to, item.elements)
            elif isinstance(item, Rounds):
                self._rounds(item)
            elif isinstance(item, Branch):
                self._branch(item)
            elif isinstance(item, Call):
                self._call(item)
            else:
                self._each_lane(item)

    def _call(self, item: Call) -> None:
        shared = bool(item.shares) and not item.shares[0].array.varying
        lanes = matrices.Lanes(self.shape.lanes, shared) if item.varying else matrices.Lanes()
        self.functions += matrices.functions(item.routine, lanes)
        for s in range(self.shape.sides if item.varying else 1):
            given = [f"{self.memory_of(p.array, s)}{f' + {p.offset}' if p.offset else ''}" for p in item.shares]
            given += [self.memory_of(a, s) for a in item.arrays]
            self.line(matrices.call(item.routine, lanes, given))

    def _each_lane(self, item: Each) -> None:
        for name, n in zip(item.names, item.extents, strict=True):
            self.open(f"for (long long {name} = 0; {name} < {n}; {name}++) {{")
        self._block(item.block)
        for _ in item.names:
            self.close()

    def _copy(self, source: Part, to: Part, elements: int, mask: Value | None = None) -> None:
        """Elements from one part to another, where the mask says so."""
        if elements <= 8 or is_variables(source.array) or is_variables(to.array):
            for e in range(elements):
                at = Value((str(e),), dtypes.index, False)
                self.store(to, at, e, self.load(source, at, e), mask)
            return
        if self._by_rows(source, to, elements, mask) or self._as_a_whole(source, to, elements, mask):
            return
        i = self.fresh()
        self.open(f"for (long long {i} = 0; {i} < {elements}; {i}++) {{")
        at = Value((i,), dtypes.index, False)
        self.store(to, at, None, self.load(source, at, None), mask)
        self.close()

    def _stage(self, item: Rounds) -> int | None:
        """Which of the outermost loops it is."""
        return next((k for k, x in enumerate(self.program.items) if x is item), None)

    def _rounds(self, item: Rounds) -> None:
        stage, last = self._stage(item), len(self.program.items) - 1
        if stage is not None and stage < last:
            self.open(f"if (stage <= {stage}) {{")
        self._loop(item, stage)
        if stage is not None and stage < last:
            self.close()
            self.open("else {")
            self._kept(self._left(stage + 1), back=True, skipped=len(self._left(stage)))
            self.close()

    def _left(self, stage: int) -> list[str]:
        """What the loops before one have left in arrays of the program's own."""
        return [a for own in self.program.ends[:stage] for array in own for a in self._places(array)]

    def _loop(self, item: Rounds, stage: int | None) -> None:
        if stage is not None:
            self.open(f"if (!{self._goes_on(stage)}) {{")
        for c in item.carries:
            self._begin(c)
        if stage is not None:
            self.close()
        if stage is not None and not (item.goes_on is not None and item.goes_on.varying):
            self.open("else {")
            left = self._left(stage)
            now = [a for c in item.carries for a in self._places(c.now)]
            self._kept([*left, *now], back=True, skipped=len(left))
            self.close()
        if item.test is None:
            self._counted(item)
        else:
            self._tested(item)
        for c in item.carries:
            if c.end is not None:
                self._copy(Part(c.now), c.end, c.elements)

    def _begin(self, c: Carry) -> None:
        """A carry before the first round. In the result, a loop around may have given that as its start as well."""
        if c.start.array is c.now:
            return
        is_given = not c.now.is_own and c.start.array.number is None and not c.start.array.is_own
        self.open(f"if ({c.now.name} != {c.start.array.name}) {{" if is_given else "{")
        self._copy(c.start, Part(c.now), c.elements)
        self.close()

    def _counted(self, item: Rounds) -> None:
        stage = self._stage(item)
        start = "0" if stage is None else f"{self._goes_on(stage)} ? *(long long *)scratch : 0"
        written = written_rounds(item, self.shape.sides)
        one, leave = partial(self._round, item), partial(self._leave, item, more=())
        self.rounds(f"{item.name}_u", start, str(item.rounds), written, one, leave)

    def _round(self, item: Rounds, u: str) -> None:
        self.line(f"const long long {item.name} = {f'{item.rounds} - 1 - {u}' if item.reverse else u};")
        self._block(item.body)
        self._advance(item, None)

    def _leave(self, item: Rounds, rounds: str, more: Sequence[str]) -> None:
        """A call that has run a while keeps the carries, notes how many rounds it has done, and is left."""
        stage = self._stage(item)
        if stage is None:
            return
        self.open("if (at && (turn -= 1) <= 0) {")
        now = [a for c in item.carries for a in self._places(c.now)]
        self._kept([*self._left(stage), *more, *now], back=False)
        self.line(f"*(long long *)scratch = {rounds};")
        if len(self.program.items) > 1:
            self.line(f"((long long *)scratch)[1] = {stage};")
        self.line("*at = 2 + 2 * step;")
        self.line("return 1;")
        self.close()

    def _places(self, array: Array) -> list[str]:
        """The variables or arrays that hold an array; none of a result or of scratch memory, which stay."""
        if not array.is_own or array.size:
            return []
        sides = range(self.shape.sides) if array.varying else [0]
        if not is_variables(array):
            return [self.memory_of(array, s) for s in sides]
        return [variable(array, e, s) for s in sides for e in range(array.elements)]

    def _goes_on(self, stage: int) -> str:
        """The C of whether a loop goes on after a round."""
        return "goes_on" if len(self.program.items) == 1 else f"(goes_on && stage == {stage})"

    def _kept(self, names: Sequence[str], back: bool, skipped: int = 0) -> None:
        """Variables and arrays to scratch memory, or back from there; the first ones may be skipped."""
        place = f"(char *)scratch + {STATE}" + "".join(f" + sizeof {name}" for name in names[:skipped])
        for name in names[skipped:]:
            to, source = (f"(void *)&{name}", place) if back else (place, f"(const void *)&{name}")
            self.line(f"__builtin_memcpy({to}, {source}, sizeof {name});")
            place += f" + sizeof {name}"

    def _advance(self, item: Rounds, mask: Value | None, keeps: bool = True) -> None:
        """The carries of the next round. In lanes that have ended those are kept that are read after the loop; or only
        those that lie in results, where what is in variables has been read.
        """
        for c in item.carries:
            if c.next is not c.now:
                is_kept = c.now.varying and ((c.is_read and keeps) or not c.now.is_own)
                self._copy(Part(c.next), Part(c.now), c.elements, mask if is_kept else None)

    def _tested(self, item: Rounds) -> None:
        assert item.test is not None and item.goes_on is not None
        zero = self.constant(dtypes.index, 0)
        outer, varies = self.active, item.goes_on.varying
        names = tuple(f"{item.name}_go{s}" for s in range(self.shape.sides))
        if varies:
            for s, n in enumerate(names):
                start = "ft_same_" + self.shape.mask + "(1)" if outer is None else self.operand(outer, s)
                self.line(f"ft_{self.shape.mask} {n} = {start};")
        if self._stage(item) is not None and varies:
            self.open("if (goes_on) {")
            self._kept([*names, *(a for c in item.carries for a in self._places(c.now))], back=True)
            self.close()
        self.open("for (;;) {")
        self._block(item.test)
        found = self.load(Part(item.goes_on), zero, 0)
        if varies:
            for s, n in enumerate(names):
                self.line(f"{n} = (ft_{self.shape.mask})({n} & {self.operand(found, s)});")
            self.active = Value(names, dtypes.bool_, True)
            self.line(f"if (!({self._any(self.active)})) break;")
        else:
            self.line(f"if (!{found.texts[0]}) break;")
        self._block(item.body)
        self._advance(item, self.active if varies else None)
        self._leave(item, "0", names if varies else ())
        self.close()
        self.active = outer

    def _branch(self, item: Branch) -> None:
        index = self.load(item.index, self.constant(dtypes.index, 0), 0)
        last = len(item.blocks) - 1
        if not index.varying:
            self.open(f"switch ({index.texts[0]} < 0 ? 0 : {index.texts[0]} > {last} ? {last} : {index.texts[0]}) {{")
            for j, block in enumerate(item.blocks):
                self.open(f"case {j}: {{" if j < last else "default: {")
                self._block(block)
                self._results(item, j, None)
                self.line("break;")
                self.close()
            self.close()
            return
        outer = self.active
        for part in item.results:
            if part.array.is_own:
                self._clear(part, item)
        for j, block in enumerate(item.blocks):
            mask = self._takes(index, j, last, outer)
            self.open(f"if ({self._any(mask)}) {{")
            self.active = mask
            self._block(block)
            self._results(item, j, mask)
            self.close()
        self.active = outer

    def _clear(self, part: Part, item: Branch) -> None:
        elements = next(m[item.results.index(part)].elements for m in item.made)
        zero = self.constant(part.array.dtype, 0)
        for e in range(elements):
            self.store(part, Value((str(e),), dtypes.index, False), e, zero)

    def _takes(self, index: Value, j: int, last: int, outer: Value | None) -> Value:
        """Which lanes take a branch."""
        if self.shape.bits == 64 and last > 0:
            of, here = f"i{self.shape.of(dtypes.int64)}", self.operand(self.constant(dtypes.int64, j), 0)
            given = [f"{here}, {t}" if 0 < j == last else f"{t}, {here}" for t in index.texts]
            mask = self.vectors(dtypes.bool_, [f"ft_{'le' if j in (0, last) else 'eq'}_{of}({t})" for t in given])
        else:
            text = "1" if last == 0 else f"x <= {j}" if j == 0 else f"x >= {j}" if j == last else f"x == {j}"
            texts = [text.replace("x", self.lane(index, s)) for s in range(self.shape.sides)]
            mask = self.by_lane(dtypes.bool_, texts)
        return mask if outer is None else self.both(mask, outer)

    def _results(self, item: Branch, j: int, mask: Value | None) -> None:
        for array, part in zip(item.made[j], item.results, strict=True):
            self._copy(Part(array), part, array.elements, mask)
