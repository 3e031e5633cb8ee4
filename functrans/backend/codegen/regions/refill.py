"""A WHILE whose lanes end at different times: a lane that has ended takes the next instance.

Vectors stay full until instances run out, whatever the trip counts are; each instance goes through the rounds that it
goes through alone. That costs a test and a branch a round, and a reload where a lane ends, so it is for bodies that
cost more than that.

Source: persistent threads with dynamic fetch, Aila and Laine, Understanding the efficiency of ray traversal on GPUs.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans import dtypes
from functrans.backend.codegen.regions.lane_program import LaneProgram
from functrans.backend.codegen.regions.lanes import LaneWriter
from functrans.backend.codegen.regions.memory import place_of, positions, row_among
from functrans.backend.codegen.regions.tree import Array, Block, Carry, Move, Part, Rounds, Statements
from functrans.backend.codegen.spelling import literal
from functrans.backend.codegen.vectors.values import Shape, Value

SEVERAL = 6  # rounds of a light body after which lanes are refilled


class RefillWriter(LaneWriter):
    """Writes the C function of such a loop."""

    tells = False  # whether the function tells how many rounds instances had, in arrays of blocks

    def __init__(self, program: LaneProgram, shape: Shape, block: int | None = None) -> None:
        super().__init__(program, shape)
        self.block = block or self.width  # lanes of a step

    def head(self) -> list[str]:
        """The C of its parameters; where ``told`` is null it tells nothing."""
        return [*super().head(), *(["long long *told"] if self.tells else [])]

    def _lies_so(self, part: Part, place: Value) -> bool:
        return False  # lanes are any instances

    def _rows(self) -> list[tuple[int, ...]]:
        return list(dict.fromkeys([self.every, *super()._rows()]))  # which instance it is that a lane has

    def _whole(self) -> None:
        item = self.program.item
        assert isinstance(item, Rounds) and item.test is not None and item.goes_on is not None
        sides = range(self.shape.sides)
        self.line(f"const long long lanes = {' * '.join(f'n{k}' for k in self.every)};")
        self.line(f"const long long last = to * {self.block} < lanes ? to * {self.block} : lanes;")
        self.line("const long long step = from;")
        self.line(f"long long next = from * {self.block};")
        self._declare_rows()
        for array in self.program.builder.arrays:
            self.declare(array)
        self._stacks()
        live, ended = (Value(tuple(f"{n}_{s}" for s in sides), dtypes.bool_, True) for n in ("live", "ended"))
        for s in sides:
            self.line(f"ft_{self.shape.mask} {live.texts[s]} = {self._all_lanes(0)}, {ended.texts[s]} = "
                      f"{self._all_lanes(1)};")  # fmt: skip
        if self.tells:
            self.line("long long round = 0;")
            for s in sides:
                self.line(f"long long begun_{s}[{self.shape.lanes}];")
        self.open("if (done) {")
        self._kept(self._state(item, live, ended), back=True)
        self._block(Block(self.program.before))  # what it makes is not kept
        self.close()
        self.open("for (;;) {")
        self._refill(item, live, ended)
        if self.tells:
            self._several(item, live, ended)
        else:
            self._test(item, live, ended)
            self._go(item, live, keeps=False)
        self.open("if (at && (turn -= 1) <= 0) {")
        self._kept(self._state(item, live, ended), back=False)
        self.line("*at = 2 + 2 * step;")
        self.line("return 1;")
        self.close()
        self.close()

    def _go(self, item: Rounds, lanes: Value, keeps: bool = True) -> None:
        """A round of some lanes; what others have in variables is kept, or is nothing that is wanted any more."""
        self.active = lanes
        self._block(item.body)
        self._advance(item, lanes, keeps)
        self.active = None

    def _several(self, item: Rounds, live: Value, ended: Value) -> None:
        """Some rounds, after which lanes that have ended are refilled: a light body costs less than that branch."""
        going = Value(tuple(f"going_{s}" for s in range(self.shape.sides)), dtypes.bool_, True)
        for name, here in zip(going.texts, live.texts, strict=True):
            self.line(f"ft_{self.shape.mask} {name} = {here};")
        self.open(f"for (int several = 0; several < {SEVERAL}; several++) {{")
        self._go_on(item, going)
        self.line("round++;")
        self._go(item, going)
        self.close()
        self._go_on(item, going)  # who has ended in the last round does not wait for another
        for here, over, name in zip(live.texts, ended.texts, going.texts, strict=True):
            self.line(f"{over} = (ft_{self.shape.mask})({here} & ~{name});")

    def _go_on(self, item: Rounds, going: Value) -> None:
        """Those lanes go on of which the condition holds."""
        found = self._holds(item, going)
        for s, name in enumerate(going.texts):
            self.line(f"{name} = (ft_{self.shape.mask})({name} & {self.operand(found, s)});")

    def _holds(self, item: Rounds, lanes: Value) -> Value:
        """Of which lanes the condition holds."""
        assert item.test is not None and item.goes_on is not None
        self.active = lanes
        self._block(item.test)
        self.active = None
        return self.load(Part(item.goes_on), self.constant(dtypes.index, 0), 0)

    def _all_lanes(self, answer: int) -> str:
        return f"ft_same_{self.shape.mask}({answer})"

    def _state(self, item: Rounds, live: Value, ended: Value) -> list[str]:
        """What a call that is left keeps."""
        arrays: list[Array] = [*(c.now for c in item.carries), *(own for _, own in self.program.preloaded)]
        rows = [f"p{''.join(map(str, axes))}_{s}" for axes in self._rows() for s in range(self.shape.sides)]
        return ["next", *live.texts, *ended.texts, *rows, *(a for x in arrays for a in self._places(x))]

    def _refill(self, item: Rounds, live: Value, ended: Value) -> None:
        """Results of lanes that have ended, and the next instances into these lanes; of vectors where one has."""
        self.open(f"if ({self._any(ended)}) {{")
        items = [*self.program.before, *self.program.after]
        if all(isinstance(item, Statements | Move) for item in items):  # of which each side has its own
            for s in range(self.shape.sides):
                self.open(f"if (ft_any_{self.shape.mask}({ended.texts[s]})) {{")
                self.only = s
                self._refill_sides([s], item, live, ended)
                self.only = None
                self.close()
        else:
            self._refill_sides(range(self.shape.sides), item, live, ended)
        self.line(f"if (!({self._any(live)})) break;")
        self.close()

    def _refill_sides(self, sides: Sequence[int], item: Rounds, live: Value, ended: Value) -> None:
        for s in sides:
            self.line(f"const ft_{self.shape.mask} written_{s} = (ft_{self.shape.mask})({live.texts[s]} & "
                      f"{ended.texts[s]});")  # fmt: skip
        written = Value(tuple(f"written_{s}" for s in range(self.shape.sides)), dtypes.bool_, True)
        for c in item.carries:
            if c.end is not None:
                self._copy(Part(c.now), c.end, c.elements, written)
        self.guard = written
        self._block(Block(self.program.after))
        self.guard = None
        for s in sides:
            here, over = live.texts[s], ended.texts[s]
            if self.tells:
                self._tell(s, over)
            self.line(f"{here} = (ft_{self.shape.mask})(({here} & ~{over}) | "
                      f"ft_nextrows_{self.shape.mask}({positions(self.every)}_{s}, {over}, next, last));")  # fmt: skip
            self._others(s, over)
            for source, own in self.program.preloaded:
                self._take(source, own, s, ended)
            self.line(f"next += __builtin_popcount(ft_lanes_{self.shape.mask}({over}));")
        self._block(Block(self.program.before))
        for c in item.carries:
            if c.now.is_own:
                self._copy(c.start, Part(c.now), c.elements, ended if c.now.varying else None)
            elif c.start.array.is_own:
                self._copy(c.start, Part(c.now), c.elements, self.both(live, ended))
            else:
                self._begin_rows(c, sides, live, ended)

    def _tell(self, side: int, ended: str) -> None:
        """How many rounds the instances in lanes that have ended had: the sum over all, and the most in each block."""
        self.open("if (told) {")
        self.open(f"{self._lanes_of(ended)} {{")
        self.line("const int k = __builtin_ctz(b);")
        self.open(f"if (ft_bit_{self.shape.mask}(written_{side}, k)) {{")
        self.line(f"long long *const most = told + 1 + ({positions(self.every)}_{side}[k] / {self.block} - from);")
        self.line(f"const long long rounds = round - begun_{side}[k];")
        self.line("told[0] += rounds;")
        self.line("if (rounds > *most) *most = rounds;")
        self.close()
        self.line(f"begun_{side}[k] = round;")
        self.close()
        self.close()

    def _others(self, side: int, ended: str) -> None:
        """The rows of lanes that begin in arrays that do not have all axes."""
        others = [axes for axes in self._rows() if axes != self.every]
        if not others:
            return
        self.open(f"{self._lanes_of(ended)} {{")
        self.line("const int k = __builtin_ctz(b);")
        self.line(f"const long long l = {positions(self.every)}_{side}[k];")
        for axes in others:
            self.line(f"{positions(axes)}_{side}[k] = {row_among('l', axes, self.every)};")
        self.close()

    def _take(self, source: Array, own: Array, side: int, ended: Value) -> None:
        """What lanes that begin are given, into their places in vectors."""
        for e in range(own.elements):
            at = Value((str(e),), dtypes.index, False)
            place, part = self._own(Part(own), at, e, side), Part(source)
            if source.axes and self._fills(part, at) and source.dtype == own.dtype:
                which = self.operand(ended, side, 8 * own.dtype.itemsize)
                text = f"ft_takerows_{self._rows_at(part, at, side, f'{place}, {source.name}')}, {which})"
                if source.axes == self.every and self.row_of[source] == "1":
                    given = f"{place}, {source.name}, {positions(self.every)}_{side}, {which}, next, last"
                    text = f"ft_takenext_{self.shape.named(source.dtype)}({given})"
                self.line(f"{place} = {text};")
                continue
            row = self._row(part, at, side)
            text = f"ft_setbit_{self.shape.mask}({place}, k, {row})" if own.dtype.kind == "b" else ""
            text = f"{place} = {text};" if text else f"{place}[k] = {row};"
            self.line(f"{self._lanes_of(ended.texts[side])} {{ const int k = __builtin_ctz(b); {text} }}")

    def _begin_rows(self, c: Carry, sides: Sequence[int], live: Value, ended: Value) -> None:
        """A carry that lies in the result, in lanes that begin: lane by lane, as it may be long."""
        place = Value(("i",), dtypes.index, False)
        for s in sides:
            began = f"(ft_{self.shape.mask})({live.texts[s]} & {ended.texts[s]})"
            self.open(f"{self._lanes_of(began)} {{")
            self.line("const int k = __builtin_ctz(b);")
            start = c.start.array
            if start.number is not None:
                text = literal(start.dtype, start.number.arg)
            else:
                text = self._row(c.start, place, s) if start.axes else f"{start.name}[{place_of(c.start, 'i')}]"
            self.line(f"for (long long i = 0; i < {c.elements}; i++) {self._row(Part(c.now), place, s)} = {text};")
            self.close()

    def _test(self, item: Rounds, live: Value, ended: Value) -> None:
        """Which lanes have ended; where some have, they are refilled first."""
        found = self._holds(item, live)
        for s, (here, over) in enumerate(zip(live.texts, ended.texts, strict=True)):
            self.line(f"{over} = (ft_{self.shape.mask})({here} & ~{self.operand(found, s)});")
        self.line(f"if ({self._any(ended)}) continue;")
