"""A loop of lanes in C: as many rounds as go side by side are a block, all its values vectors.

The last block begins so that it ends with the last round; of fewer rounds than a block has, lanes past the last one are
that one once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from functrans import dtypes
from functrans.backend.codegen.lanes.batch import SIDES
from functrans.backend.codegen.lanes.records import Access, accesses, relative, step_of
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.regions.memory import positions
from functrans.backend.codegen.regions.rows import RowWriter, given_to, is_row
from functrans.backend.codegen.regions.statements import StatementWriter
from functrans.backend.codegen.regions.pieces import pieces
from functrans.backend.codegen.regions.tree import Array, Block, Part, Statements
from functrans.backend.codegen.regions.uniform import mark_varying, values_that_vary
from functrans.backend.codegen.regions.values import Shape, Value, is_variables, kind_of
from functrans.backend.codegen.spelling import element
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import STRAIGHT_STATEMENTS
from functrans.backend.schedule.inline import simplest
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

L1_BYTES = 32 * 1024  # of the arrays of a block of two vectors; what takes more goes one vector at a time
_EVERY = (0,)
_ARRAYS = frozenset({Ops.DEFINE_GLOBAL, Ops.DEFINE_LOCAL})
_PLACES = GroupOp.Elementwise  # of which a place is made, again where it is simplified


class BatchWriter(StatementWriter):
    """Writes such a loop. ``called`` is what nodes before it are called, ``named`` makes a name; it goes from ``start``
    to ``end``.
    """

    def __init__(
        self, r: UOp, body: list[UOp], called: Callable[[UOp], str], named: Callable[[], str], start: str, end: str
    ) -> None:
        items = nest([r, *body, UOp(Ops.ENDRANGE, dtypes.void, (r,))])
        loop = next(item for item in items if isinstance(item, Loop))
        used = accesses(loop)
        assert not isinstance(used, str), used
        self.called, self.named, self.start, self.end = called, named, start, end
        self.outside = _outside(body, r)
        self.item = Statements(_of_a_round(r, loop, self.outside), {}, frozenset({r}))
        self.before: list[tuple[Array, Array]] = []
        self.after: list[tuple[Array, Array]] = []
        self.own: list[Array] = []
        self.far: dict[Array, int] = {}  # where in scratch memory they are
        self.number = r if any(r in u.src for u in self.item.uops) else None
        row_of: dict[Array, str] = {}
        for u in body:
            if u.op is Ops.DEFINE_LOCAL:
                far = u.arg.offset is not None
                self.own.append(Array(f"s{u.arg.number}", u.dtype, u.arg.elements, moving=far))
                self.item.parts[u] = Part(self.own[-1])
                if far:
                    self.far[self.own[-1]] = u.arg.offset
        for (u, step), access in used.items():
            self._given(u, step, access, row_of)
        for index in (u for u in self.item.uops if u.op is Ops.INDEX):
            array, place = index.src
            if array not in self.item.parts:
                self.item.parts[array] = Part(Array(called(array), array.dtype, 0, ()))
            if place.op is not Ops.CONST:
                self.item.parts[array].array.moving = True
        for array in (s.src[0] for u in self.item.uops if u.op is Ops.WMMA for s in (u.src[0], u.src[2])):
            self.item.parts[array].array.moving = True
        mark_varying(Block([self.item]))
        shape = _shape(body, self.own, {step for _, step in used} == {1})
        self.rounds = _rounds(body, self.far)
        if self.rounds > 1:
            shape = replace(shape, sides=1)
            for array in self.own:
                array.moving = True
        super().__init__(shape, row_of)
        self.every = _EVERY
        self.depth = 0

    def _given(self, u: UOp, step: int | None, access: Access, row_of: dict[Array, str]) -> None:
        """What an array from outside is in the loop, by how it is used."""
        if not step:
            self.item.parts[u] = Part(Array(self.called(u), u.dtype, 0, ()))
            return
        name, used_so = self.called(u), _alias(u, step)
        array = Array(name, u.dtype, 0, _EVERY, varying=True)
        self.item.parts[used_so] = Part(array)
        row_of[array] = str(step)
        if access.is_moved:
            own = Array(f"{name}_own{step}", u.dtype, step, varying=True, moving=True)
            self.own.append(own)
            written = any(s.op is Ops.STORE and s.src[0].src[0] is used_so for s in self.item.uops)
            (self.after if written else self.before).append((array, own))
            self.item.parts[used_so] = Part(own)

    def fresh(self) -> str:
        """A name for a value."""
        return self.named()

    def run(self) -> list[str]:
        """The lines of C."""
        lanes, sides = self.shape.lanes, self.shape.sides
        block = lanes * sides * self.rounds
        step, full = self.fresh(), "full"
        self.open("{")
        self.line(f"const int {full} = {self.end} - {self.start} >= {block};")
        self.open(f"for (long long {step} = {self.start}; {step} < {self.end}; {step} += {block}) {{")
        last = f"{self.end} - {block}"
        begin = "first" if self.rounds == 1 else "begin"
        self.line(f"const long long {begin} = {full} && {step} > {last} ? {last} : {step};")
        if self.rounds == 1:
            self._positions()
            for array in self.own:
                if array in self.far:
                    self._in_scratch(array)
                else:
                    self.declare(array)
            self._in()
            self.known = self._given_values()
            self._in_order()
            self._out()
        else:
            self._in_pieces()
        self.close()
        self.close()
        return self.lines

    def _in_order(self) -> None:
        """The statements, vectors going along records where these are written as no whole."""
        varying, _ = values_that_vary(self.item)
        plain: list[UOp] = []
        depth = under = start = 0
        for u in self.item.uops:
            start = len(plain) if not depth and u.op is Ops.RANGE else start
            plain.append(u)
            depth += (u.op is Ops.RANGE) - (u.op is Ops.ENDRANGE)
            under += (u.op is Ops.IF) - (u.op is Ops.ENDIF)
            if u.op is Ops.ENDRANGE and not depth and not under:
                loop = nest(plain[start:])[0]
                assert isinstance(loop, Loop)
                if self._is_row(loop, varying):
                    self.write(Statements(plain[:start], self.item.parts, frozenset(varying)))
                    self._along(loop)
                    plain = []
        self.write(Statements(plain, self.item.parts, frozenset(varying)))

    def _is_row(self, loop: Loop, varying: set[UOp]) -> bool:
        used = {u.src[0].src[0] for u in loop.walk() if u.op in (Ops.LOAD, Ops.STORE)}
        arrays = [self.item.parts[u].array for u in used]
        if any(is_variables(a) for a in arrays) or any(u in varying for u in loop.walk() if u.dtype == dtypes.index):
            return False
        return is_row(loop, self.shape, lambda u: self.row_of.get(self.item.parts[u].array, "1") != "1")

    def _along(self, loop: Loop) -> None:
        """A loop that each lane goes through by itself."""
        lanes, sides = self.shape.lanes, range(self.shape.sides)
        of, all_ = self.shape.of, self.shape.lanes * self.shape.sides
        used = dict.fromkeys(self.item.parts[u.src[0].src[0]].array for u in loop.walk() if u.op is Ops.LOAD)
        turned: dict[Array, str] = {}
        self.open("{")
        for array in (a for a in used if a.is_own and a.varying):
            turned[array], n = self.fresh(), array.elements
            self.line(f"{element(array.dtype)} {turned[array]}[{all_ * n}];")
            for s in sides:
                for e in _squares(n, lanes):
                    place = f"{turned[array]} + {s * lanes * n + e}"
                    name = "ft_turnout" if n >= lanes else "ft_turnoutfirst"
                    self.line(f"{name}_f{of(array.dtype)}({place}, {n}, {self.memory_of(array, s)} + {e});")
        lane, row = self.fresh(), self.fresh()
        known = {v: self.known[v] for v in given_to(loop) if v in self.known}
        for v, value in known.items():
            if value.varying:
                name = self.fresh()
                self.line(f"{element(v.dtype)} {name}[{all_}];")
                for s in sides:
                    self.line(f"ft_store_f{of(v.dtype)}({name} + {s * lanes}, {value.texts[s]});")
                known[v] = Value((f"{name}[{lane}]",), v.dtype, False)
        self.open(f"for (int {lane} = 0; {lane} < {all_} && first + {lane} < {self.end}; {lane}++) {{")
        self.line(f"const long long {row} = first + {lane};")

        def place_of(u: UOp, at: str) -> str:
            array = self.item.parts[u].array
            if array in turned:
                return f"{turned[array]}[{lane} * {array.elements} + {at}]"
            return f"{array.name}[{row} * {self.row_of[array]} + {at}]" if array.axes else f"{array.name}[{at}]"

        writer = RowWriter(replace(self.shape, sides=1), self.fresh, place_of, self.depth)
        writer.known = known
        writer.loop(loop)
        for text in writer.lines:
            self.lines.append(text)
        self.close()
        self.close()

    def _positions(self) -> None:
        """Which round each lane is."""
        lanes, sides = self.shape.lanes, self.shape.sides
        if self.rounds == 1:
            for s in range(sides):
                self.line(f"long long {positions(_EVERY)}_{s}[{lanes}];")
        self.open(f"for (int k = 0; k < {lanes}; k++) {{")
        for s in range(sides):
            at = f"first + {s * lanes} + k"
            self.line(f"{positions(_EVERY)}_{s}[k] = {at} < {self.end} ? {at} : {self.end} - 1;")
        self.close()

    def _in(self) -> None:
        for source, own in self.before:
            self._moved("turnin", source, own, Part(source), Part(own))

    def _out(self) -> None:
        for to, own in self.after:
            self._moved("turnout", to, own, Part(own), Part(to))

    def _given_values(self) -> dict[UOp, Value]:
        known = {} if self.number is None else {self.number: self._numbers()}
        return known | {u: Value((self.called(u),), u.dtype, False) for u in self.outside if u.op not in _ARRAYS}

    def _in_pieces(self) -> None:
        """All vectors of a block go through one piece of the statements, then through the next."""
        varying, _ = values_that_vary(self.item)
        written = {u.src[0].src[0] for u in self.item.uops if u.op is Ops.STORE}
        moves = {u for u in self.item.uops if u in varying or u.op is Ops.STORE}
        found = {u: Value((self.called(u),), u.dtype, False) for u in self.outside if u.op not in _ARRAYS}
        self.line(f"long long every[{self.rounds}][{self.shape.lanes}];")
        for array in self.own:
            kind = kind_of(array, self.shape)
            count = f"[{self.rounds}]" if array.varying else ""
            self.line(f"{kind} {array.name}{'_all' if array.varying else ''}{count}[{max(array.elements, 1)}];")
        self.known = found
        for u in self.item.uops:
            if u not in moves and u not in self.outside:
                self._statement(u, self.item, False, ())
        shared = self.known

        def again(u: UOp) -> bool:
            return u.op is Ops.LOAD and len(u.src) == 1 and u.src[0].src[1].op is Ops.CONST and u.src[0].src[0] not in written

        made, kinds = pieces([u for u in self.item.uops if u in moves], again)
        kept = self.fresh()
        for n, dtype in enumerate(kinds):
            self.line(f"{self.shape.type(dtype)} {kept}_{n}[{self.rounds}];")
        side = self.fresh()
        for p, piece in enumerate(made):
            self.open(f"for (int {side} = 0; {side} < {self.rounds}; {side}++) {{")
            self.line(f"const long long first = begin + {side} * {self.shape.lanes};")
            self.line(f"long long *const {positions(_EVERY)}_0 = every[{side}];")
            for array in self.own:
                if array.varying:
                    self.line(f"{kind_of(array, self.shape)} *const {array.name}_0 = {array.name}_all[{side}];")
            if p == 0:
                self._positions()
                self._in()
            self.known = dict(shared)
            if self.number is not None and any(self.number in u.src for u in piece.uops):
                self.known[self.number] = self._numbers()
            for u, n in piece.found.items():
                self.known[u] = self.vectors(u.dtype, [f"{kept}_{n}[{side}]"])
            for u in piece.uops:
                self._statement(u, self.item, u in varying, ())
                if u in piece.kept:
                    self.line(f"{kept}_{piece.kept[u]}[{side}] = {self.operand(self.known[u], 0)};")
            if p == len(made) - 1:
                self._out()
            self.close()

    def _statement(self, u: UOp, item: Statements, varies: bool, masks: Sequence[Value]) -> None:
        if u.op is Ops.WMMA:
            self._tile(u, item)
        elif u not in self.outside:
            super()._statement(u, item, varies, masks)

    def _in_scratch(self, array: Array) -> None:
        kind, bytes_ = kind_of(array, self.shape) + "p", array.elements * array.dtype.itemsize // SIDES
        for s in range(self.shape.sides) if array.varying else [0]:
            place = f"({kind} *)(scratch + {self.far[array] + s * bytes_})"
            self.line(f"{kind} *const {self.memory_of(array, s)} = {place};")

    def _numbers(self) -> Value:
        """The number of each lane's round."""
        return self.by_lane(dtypes.index, [f"{positions(_EVERY)}_{s}[k]" for s in range(self.shape.sides)])

    def _tile(self, u: UOp, item: Statements) -> None:
        """Sums of products of rows that all lanes share with a column of each lane's own, in order."""
        target, shared, own, *numbers = u.src
        row, step, stride, rows, count = (self.known[n].texts[0] for n in numbers)
        sides, of, kind = range(self.shape.sides), self.shape.of(u.src[0].dtype), self.shape.type(u.src[0].dtype)
        place = [f"{self.known[x.src[1]].texts[0]}" for x in (target, shared, own)]
        arrays = [item.parts[x.src[0]].array for x in (target, shared, own)]
        sums, k, x = self.fresh(), self.fresh(), self.fresh()
        for s in sides:
            self.line(f"{kind} {sums}_{s}[{u.arg.rows}];")
            self.line(f"for (int i = 0; i < {u.arg.rows}; i++) {sums}_{s}[i] = ({kind}){{0}};")
        self.open(f"for (long long {k} = 0; {k} < {count}; {k}++) {{")
        self.line(f"const {element(arrays[1].dtype)} *{x} = &{arrays[1].name}[{place[1]} + {k} * {step}];")
        self.line(f"#pragma GCC unroll {u.arg.rows}")
        self.open(f"for (int i = 0; i < {u.arg.rows}; i++) {{")
        for s in sides:
            y = f"{self.memory_of(arrays[2], s)}[{place[2]} + {k} * {stride}]"
            self.line(f"{sums}_{s}[i] = ft_fma_f{of}(ft_splat_f{of}({x}[i * {row}]), {y}, {sums}_{s}[i]);")
        self.close()
        self.close()
        self.open(f"for (int i = 0; i < {rows}; i++) {{")
        for s in sides:
            to = f"{self.memory_of(arrays[0], s)}[{place[0]} + i]"
            self.line(f"{to} {'+=' if u.arg.adds else '='} {sums}_{s}[i];")
        self.close()

    def _moved(self, how: str, array: Array, own: Array, source: Part, to: Part) -> None:
        """Records of a block to vectors, or back: by squares where there are so many numbers, else one by one."""
        lanes, n = self.shape.lanes, own.elements
        squares = own.dtype.kind == "f" and 8 * own.dtype.itemsize == self.shape.bits
        if squares:
            name = f"ft_{how}" if n >= lanes else f"ft_{how}first"
            self.open("if (full) {")
            for s in range(self.shape.sides):
                for e in _squares(n, lanes):
                    place = f"{array.name} + (first + {s * lanes}) * {n} + {e}"
                    self.line(f"{name}_f{self.shape.of(own.dtype)}({place}, {n}, {self.memory_of(own, s)} + {e});")
            self.close()
            self.open("else {")
        name = self.fresh()
        self.open(f"for (long long {name} = 0; {name} < {n}; {name}++) {{")
        at = Value((name,), dtypes.index, False)
        self.store(to, at, None, self.load(source, at, None))
        self.close()
        if squares:
            self.close()


def _shape(body: list[UOp], own: list[Array], columns: bool) -> Shape:
    """How wide the vectors are and how many go side by side: each waits for itself, most where nothing is a loop. Of
    columns alone eight lines of memory are read together.
    """
    size = max(u.dtype.itemsize for u in body if u.dtype.kind in "fiu")
    lanes, near = target().lanes(size), sum(a.elements * a.dtype.itemsize for a in own)
    sides = SIDES if any(u.op is Ops.RANGE for u in body) else 2 * SIDES
    sides = 4 * SIDES if columns else sides
    while sides > 1 and sides * lanes * near > L1_BYTES:
        sides //= 2
    return Shape(lanes, sides, 8 * size)


def _squares(n: int, lanes: int) -> list[int]:
    """Where squares of numbers begin in a record, the last one so that it ends there."""
    return [0] if n < lanes else [*range(0, n - lanes + 1, lanes), *([n - lanes] if n % lanes else [])]


def _rounds(body: list[UOp], far: dict[Array, int]) -> int:
    """How many vectors go through a piece of the statements one after the other; one where all are one piece."""
    import os
    if far or any(u.op in (Ops.RANGE, Ops.IF, Ops.WMMA, Ops.DEFINE_ACC) for u in body):
        return 1
    return int(os.environ.get("ROUNDS", "4")) if sum(u.op in GroupOp.Elementwise and u.dtype != dtypes.index for u in body) > STRAIGHT_STATEMENTS else 1


def _outside(body: list[UOp], r: UOp) -> dict[UOp, None]:
    """The values from before the loop that its statements use, and what addresses from there are made of."""
    scopes: list[set[UOp]] = [{r}]
    found: dict[UOp, None] = {}
    for u in body:
        if u.op in (Ops.ENDRANGE, Ops.ENDIF):
            scopes.pop()
            continue
        for s in u.src:
            if s.op is Ops.DEFINE_VAR or not any(s in scope for scope in scopes):
                of = s.src if s.op is Ops.INDEX else (s,)
                found.update(dict.fromkeys(toposort(of, enter=lambda t: t.dtype == dtypes.index and t.op in _PLACES)))
        if u.op in (Ops.RANGE, Ops.IF):
            scopes.append(set())
        scopes[-1].add(u)
    return found


def _of_a_round(r: UOp, loop: Loop, outside: dict[UOp, None]) -> list[UOp]:
    """The statements of a round, its places in records."""
    writer = _Relative([r, *loop.walk()], r)
    for u in (r, *outside):
        writer.statement(u)
    writer.items(loop.items)
    return writer.out[1 + len(outside) :]


class _Relative(Writer):
    """Writes statements and loops; places are those in a record, and written where they are used."""

    def __init__(self, uops: list[UOp], r: UOp) -> None:
        super().__init__(uops)
        self.r, self.own = r, set(uops)

    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops."""
        for item in items:
            if isinstance(item, Loop):
                opened = self.open(item.range.replace((self.value(self.now(item.range.src[0])),)))
                self.become(item.range, opened)
                self.items(item.items)
                self.close(opened)
            elif item.op is Ops.INDEX:
                self._index(item)
            elif item.dtype == dtypes.index and item.op in GroupOp.Elementwise:
                self.become(item, simplest(item, tuple(self.now(s) for s in item.src)))
            else:
                for s in item.src:
                    if s.dtype == dtypes.index:
                        self.value(self.now(s))
                self.copy(item)

    def _index(self, item: UOp) -> None:
        array, place = (self.now(s) for s in item.src)
        step = 0 if item.src[0] in self.own else step_of(self.r, place)
        if step:
            array, place = _alias(array, step), relative(self.r, place)
        self.become(item, self.statement(UOp(Ops.INDEX, item.dtype, (array, self.value(place)))))


def _alias(array: UOp, step: int) -> UOp:
    """What stands for an array where rounds use it at a distance: another use of it may have another one."""
    return UOp(Ops.DEFINE_GLOBAL, array.dtype, (), (array.arg, step))
