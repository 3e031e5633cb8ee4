"""A loop of lanes in C: as many rounds as go side by side are a block, all its values vectors.

What is left behind whole blocks, or is all of a short loop, goes one vector at a time (behind blocks of eight by four
first: each pass over columns goes through all rows), if these are statements that may be written twice; of rounds whose
number is known all of it goes side by side. The last vector ends with the last round; of fewer rounds than a vector
has, lanes past the last one are that one once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from functrans import dtypes
from functrans._records import replace
from functrans.backend.codegen.lanes.batch import SIDES
from functrans.backend.codegen.lanes.records import Access, accesses
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.regions.blocks import counts_of, shape_of
from functrans.backend.codegen.regions.memory import is_variables, kind_of, positions
from functrans.backend.codegen.regions.of_a_round import alias, of_a_round, outside_of
from functrans.backend.codegen.regions.pieces import is_in_pieces, pieces
from functrans.backend.codegen.regions.rows import along, given_to, is_row
from functrans.backend.codegen.regions.statements import StatementWriter
from functrans.backend.codegen.regions.tree import Array, Block, Part, Statements
from functrans.backend.codegen.regions.uniform import mark_varying, values_that_vary
from functrans.backend.codegen.regions.woven import squares, woven
from functrans.backend.codegen.spelling import element
from functrans.backend.codegen.vectors.spelling import held_as
from functrans.backend.codegen.vectors.values import Value
from functrans.backend.policy import IN_TURN, STRAIGHT_STATEMENTS
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_EVERY = (0,)
_ARRAYS = frozenset({Ops.DEFINE_GLOBAL, Ops.DEFINE_LOCAL})


class BatchWriter(StatementWriter):
    """Writes such a loop. ``called`` is what nodes before it are called, ``named`` makes a name; it goes from ``start``
    to ``end``; ``known`` are the fewest and the most rounds of that.
    """

    def __init__(
        self, r: UOp, body: list[UOp], called: Callable[[UOp], str], named: Callable[[], str], start: str, end: str,
        known: tuple[int, int], counts: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        items = nest([r, *body, UOp(Ops.ENDRANGE, dtypes.void, (r,))])
        loop = next(item for item in items if isinstance(item, Loop))
        used = accesses(loop)
        assert not isinstance(used, str), used
        self.called, self.named, self.start, self.end, self.fewest = called, named, start, end, known[0]
        self.outside = outside_of(body, r)
        self.item = Statements(of_a_round(r, loop, self.outside, used), {}, frozenset({r}))
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
        shape = shape_of(body, self.own, {step for _, step in used})
        self.in_turn = IN_TURN if is_in_pieces(body) else 1
        if self.in_turn > 1:
            shape = replace(shape, sides=1)
        count = len(self.item.uops)
        again = shape.sides > 1 and count <= STRAIGHT_STATEMENTS * (shape.sides - 1)
        rounds = r.src[0].arg if again and start == "0" and r.src[0].op is Ops.CONST else 0
        is_known = rounds >= shape.lanes
        found = counts_of(shape, rounds if is_known else None) if again else (shape.sides,)
        found = tuple(n for n in found[:-1] if is_known or n * shape.lanes <= known[1]) + found[-1:]
        first, *others = counts or found
        self.once = is_known and not others and (bool(counts) or rounds <= shape.lanes * first)
        self.whole = is_known or bool(others)
        shape = replace(shape, sides=first)
        self.rest = BatchWriter(r, body, called, named, start, end, known, tuple(others)) if others else None
        super().__init__(shape, row_of)
        self.every = _EVERY
        self.depth = 0

    def _given(self, u: UOp, step: int | None, access: Access, row_of: dict[Array, str]) -> None:
        """What an array from outside is in the loop, by how it is used."""
        if not step:
            self.item.parts[u] = Part(Array(self.called(u), u.dtype, 0, ()))
            return
        name, used_so = self.called(u), alias(u, step)
        begin = "".join(f" + {self.called(t)} * {n}" for t, n in access.begin)
        array = Array(f"({name}{begin})" if begin else name, u.dtype, 0, _EVERY, varying=True)
        self.item.parts[used_so] = Part(array)
        row_of[array] = str(step)
        if access.is_moved and u.dtype == held_as(u.dtype):  # what no vector has elements of is read lane by lane
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
        self.open("{")
        step = self.fresh()
        self.line(f"long long {step} = {self.start};")
        writer: BatchWriter | None = self
        while writer is not None:
            writer.depth = self.depth
            writer.blocks(step)
            if writer is not self:
                self.lines += writer.lines
            writer = writer.rest
        self.close()
        return self.lines

    def blocks(self, step: str) -> None:
        """Write the loop over blocks, which goes on from ``step``."""
        width = self.shape.lanes * self.shape.sides
        full, head = f"{self.end} - {self.start} >= {width}", f"for (; {step} < {self.end}; "
        if self.whole:
            head = "{" if self.once else f"for (; {self.end} - {step} >= {width}; {step} += {width}) {{"
            self._block(head, step)
        elif self.in_turn > 1 and self.fewest < width:
            self.either(full, "full", lambda: self._block(f"{head}{step} += {width * self.in_turn}) {{", step))
        else:
            self.line(f"const int full = {1 if self.fewest >= width else full};")
            self._block(f"{head}{step} += {width * self.in_turn}) {{", step)

    def _block(self, head: str, step: str) -> None:
        """The loop over blocks and what it has in it; the last one is no whole one, or ends where the loop does."""
        self.open(head)
        if self.in_turn > 1:
            self._in_pieces(step)
        else:
            self._first(step)
            arrays = (f"{positions(_EVERY)}_{s}[{self.shape.lanes}]" for s in range(self.shape.sides))
            self.line(f"long long {', '.join(arrays)};")
            self._number_lanes()
            for array in self.own:
                if array in self.far:
                    self._in_scratch(array)
                else:
                    self.declare(array)
            self._move_in()
            self.known = self._from_before()
            if self.number is not None:
                self.known[self.number] = self._numbers()
            self._in_order()
            self._move_out()
        self.close()

    def _first(self, at: str) -> None:
        """The first round of all vectors side by side; the last of them ends where the loop ends."""
        last = f"{self.end} - {self.shape.lanes * self.shape.sides}"
        self.line(f"const long long first = {at if self.whole else f'full && {at} > {last} ? {last} : {at}'};")
        if not self.whole:
            self._declare_ends(self.end)

    def _first_of(self, side: int) -> str:
        if self.once and side == self.shape.sides - 1:
            return f"{self.end} - {self.shape.lanes}"
        return super()._first_of(side)

    def _number_lanes(self) -> None:
        """Which round each lane is."""
        self.open(f"for (int k = 0; k < {self.shape.lanes}; k++) {{")
        for s in range(self.shape.sides):
            at = f"{self._first_of(s)} + k" if self.whole else self._lane_in(s)
            self.line(f"{positions(_EVERY)}_{s}[k] = {at};")
        self.close()

    def _move_in(self) -> None:
        for source, own in self.before:
            self._moved("turnin", source, own, Part(source), Part(own))

    def _move_out(self) -> None:
        for to, own in self.after:
            self._moved("turnout", to, own, Part(own), Part(to))

    def _from_before(self) -> dict[UOp, Value]:
        return {u: Value((self.called(u),), u.dtype, False) for u in self.outside if u.op not in _ARRAYS}

    def _in_pieces(self, step: str) -> None:
        """A few vectors go through one piece of the statements in turn, then through the next."""
        varying, _ = values_that_vary(self.item)
        written = {u.src[0].src[0] for u in self.item.uops if u.op is Ops.STORE}
        turn, turns, kept, every = (self.fresh() for _ in range(4))
        many = f"({self.end} - {step} + {self.shape.lanes - 1}) / {self.shape.lanes}"
        self.line(f"const long long {turns} = {many} < {self.in_turn} ? {many} : {self.in_turn};")
        self.line(f"long long {every}[{self.in_turn}][{self.shape.lanes}];")
        all_of: dict[Array, str] = {}
        for array in self.own:
            all_of[array] = self.fresh()
            self.line(f"{kind_of(array, self.shape)} {all_of[array]}[{self.in_turn}][{array.elements}];")
        self.known = self._from_before()
        for u in self.item.uops:
            if u not in varying and u.op is not Ops.STORE and u not in self.outside:
                self._statement(u, self.item, False, ())
        shared = self.known

        def again(u: UOp) -> bool:
            if u.op is not Ops.LOAD or len(u.src) > 1:
                return False
            array, place = u.src[0].src
            return place.op is Ops.CONST and array not in written

        own = [u for u in self.item.uops if u in varying or u.op is Ops.STORE]
        made, kinds = pieces(own, again)
        for n, dtype in enumerate(kinds):
            self.line(f"{self.shape.type(dtype)} {kept}_{n}[{self.in_turn}];")
        for piece in made:
            self.open(f"for (long long {turn} = 0; {turn} < {turns}; {turn}++) {{")
            self._first(f"{step} + {turn} * {self.shape.lanes}")
            self.line(f"long long *const {positions(_EVERY)}_0 = {every}[{turn}];")
            for array, name in all_of.items():
                self.line(f"{kind_of(array, self.shape)} *const {self.memory_of(array, 0)} = {name}[{turn}];")
            if piece is made[0]:
                self._number_lanes()
                self._move_in()
            self.known = dict(shared)
            if self.number is not None and any(self.number in u.src for u in piece.uops):
                self.known[self.number] = self._numbers()
            for u, n in piece.found.items():
                self.known[u] = self.vectors(u.dtype, [f"{kept}_{n}[{turn}]"])
            for u in piece.uops:
                self._statement(u, self.item, u in varying, ())
                if u in piece.kept:
                    self.line(f"{kept}_{piece.kept[u]}[{turn}] = {self.operand(self.known[u], 0)};")
            if piece is made[-1]:
                self._move_out()
            self.close()

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
        if any(is_variables(a) or a in self.far for a in arrays):  # what is turned lies on the stack
            return False
        if any(u in varying for u in loop.walk() if u.dtype == dtypes.index):
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
                for e in squares(n, lanes):
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
                    self.line(self.put(v.dtype, f"{name} + {s * lanes}", value.texts[s]))
                known[v] = Value((f"{name}[{lane}]",), v.dtype, False)
        more = "" if self.whole else f" && first + {lane} < {self.end}"
        self.open(f"for (int {lane} = 0; {lane} < {all_}{more}; {lane}++) {{")
        behind = f"{lane} < {all_ - lanes} ? first + {lane} : {self.end} - {all_} + {lane}"
        self.line(f"const long long {row} = {behind if self.once else f'first + {lane}'};")

        def part(array: Array) -> Part:
            if array in turned:
                return Part(Array(turned[array], array.dtype, 0, ()), f"{lane} * {array.elements}")
            return Part(Array(array.name, array.dtype, 0, ()), f"{row} * {self.row_of[array]}" if array.axes else "")

        outer, self.shape, self.known = (self.shape, self.known), replace(self.shape, sides=1), known
        parts = {u.src[0]: part(self.item.parts[u.src[0]].array) for u in loop.walk() if u.op is Ops.INDEX}
        self.write(Statements(along(loop), parts))
        self.shape, self.known = outer
        self.close()
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
        sides, of, kind = range(self.shape.sides), self.shape.named(u.src[0].dtype), self.shape.type(u.src[0].dtype)
        place = [f"{self.known[x.src[1]].texts[0]}" for x in (target, shared, own)]
        arrays = [item.parts[x.src[0]].array for x in (target, shared, own)]
        sums, k, x = self.fresh(), self.fresh(), self.fresh()
        for s in sides:
            self.line(f"{kind} {sums}_{s}[{u.arg.rows}];")
            self.line(f"for (int i = 0; i < {u.arg.rows}; i++) {sums}_{s}[i] = ({kind}){{0}};")
        self.open(f"for (long long {k} = 0; {k} < {count}; {k}++) {{")
        self.line(f"const {element(arrays[1].dtype)} *{x} = {arrays[1].name} + {place[1]} + {k} * {step};")
        self.line(f"#pragma GCC unroll {u.arg.rows}")
        self.open(f"for (int i = 0; i < {u.arg.rows}; i++) {{")
        for s in sides:
            y = f"{self.memory_of(arrays[2], s)}[{place[2]} + {k} * {stride}]"
            self.line(f"{sums}_{s}[i] = ft_fma_{of}(ft_splat_{of}({x}[i * {row}]), {y}, {sums}_{s}[i]);")
        self.close()
        self.close()
        self.open(f"for (int i = 0; i < {rows}; i++) {{")
        for s in sides:
            to = f"{self.memory_of(arrays[0], s)}[{place[0]} + i]"
            self.line(f"{to} {'+=' if u.arg.adds else '='} {sums}_{s}[i];")
        self.close()

    def _woven(self, in_: bool, place: str, own: Array, side: int) -> None:
        """Short records of a vector, which lie one after the other: each vector is chosen from as many."""
        lanes, n = self.shape.lanes, own.elements
        memory, name = self.memory_of(own, side), self.fresh()
        names = [f"{name}_{j}" for j in range(n)]
        for j in range(n):
            given = self.near(own.dtype, f"{place} + {j * lanes}") if in_ else f"{memory}[{j}]"
            self.line(f"const {self.shape.type(own.dtype)} {names[j]} = {given};")
        for j, found in enumerate(woven(names, lanes, in_)):
            self.line(f"{memory}[{j}] = {found};" if in_ else self.put(own.dtype, f"{place} + {j * lanes}", found))

    def _moved(self, how: str, array: Array, own: Array, source: Part, to: Part) -> None:
        """Records of a block to vectors, or back: by squares where there are so many numbers, else one by one."""
        lanes, n = self.shape.lanes, own.elements
        in_squares = self.shape.has(own.dtype)
        if in_squares:
            self.open("{" if self.whole else "if (full) {")
            for s in range(self.shape.sides):
                if 2 * n <= lanes:
                    self._woven(how == "turnin", f"{array.name} + ({self._first_of(s)}) * {n}", own, s)
                    continue
                name = f"ft_{how}" if n >= lanes else f"ft_{how}first"
                for e in squares(n, lanes):
                    place = f"{array.name} + ({self._first_of(s)}) * {n} + {e}"
                    of = self.shape.named(own.dtype)
                    self.line(f"{name}_{of}({place}, {n}, {self.memory_of(own, s)} + {e});")
            self.close()
            if self.whole:
                return
            self.open("else {")
        name = self.fresh()
        self.open(f"for (long long {name} = 0; {name} < {n}; {name}++) {{")
        at = Value((name,), dtypes.index, False)
        self.store(to, at, None, self.load(source, at, None))
        self.close()
        if in_squares:
            self.close()
