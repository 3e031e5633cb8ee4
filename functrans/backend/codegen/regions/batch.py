"""A loop of lanes in C: as many rounds as go side by side are a block, all its values vectors.

The last block begins so that it ends with the last round; of fewer rounds than a block has, lanes past the last one are
that one once more.
"""

from __future__ import annotations

from collections.abc import Callable

from functrans import dtypes
from functrans.backend.codegen.lanes.records import Access, accesses
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.regions.memory import positions
from functrans.backend.codegen.regions.program import Array, Block, Part, Statements
from functrans.backend.codegen.regions.statements import StatementWriter
from functrans.backend.codegen.regions.uniform import mark_varying
from functrans.backend.codegen.regions.values import Shape, Value
from functrans.backend.codegen.vectors.target import target
from functrans.backend.schedule.inline import simplest
from functrans.ops import symbolic as sym
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

L1_BYTES = 32 * 1024  # of the arrays of a block of two vectors; what takes more goes one vector at a time
_EVERY = (0,)
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
        self.item = Statements(_of_a_round(r, loop, self.outside), {})
        self.before: list[tuple[Array, Array]] = []
        self.after: list[tuple[Array, Array]] = []
        self.own: list[Array] = []
        row_of: dict[Array, str] = {}
        for u in body:
            if u.op is Ops.DEFINE_LOCAL:
                self.own.append(Array(f"s{u.arg.number}", u.dtype, u.arg.elements))
                self.item.parts[u] = Part(self.own[-1])
        for u, access in used.items():
            self._given(u, access, row_of)
        for u in self.item.uops:
            if u.op in (Ops.LOAD, Ops.STORE):
                array, place = u.src[0].src
                if array not in self.item.parts:
                    self.item.parts[array] = Part(Array(called(array), array.dtype, 0, ()))
                if place.op is not Ops.CONST:
                    self.item.parts[array].array.moving = True
        mark_varying(Block([self.item]))
        super().__init__(_shape(body, self.own), row_of)
        self.every = _EVERY
        self.depth = 0

    def _given(self, u: UOp, access: Access, row_of: dict[Array, str]) -> None:
        name = self.called(u)
        array = Array(name, u.dtype, 0, _EVERY if access.step else (), varying=bool(access.step))
        self.item.parts[u] = Part(array)
        if access.step:
            row_of[array] = str(access.step)
        if access.is_moved:
            own = Array(f"{name}_own", u.dtype, access.step, varying=True, moving=True)
            self.own.append(own)
            (self.after if u.arg.written else self.before).append((array, own))
            self.item.parts[u] = Part(own)

    def fresh(self) -> str:
        """A name for a value."""
        return self.named()

    def run(self) -> list[str]:
        """The lines of C."""
        lanes, sides = self.shape.lanes, self.shape.sides
        width = lanes * sides
        step, full = self.fresh(), "full"
        self.open("{")
        self.line(f"const int {full} = {self.end} - {self.start} >= {width};")
        self.open(f"for (long long {step} = {self.start}; {step} < {self.end}; {step} += {width}) {{")
        last = f"{self.end} - {width}"
        self.line(f"const long long first = {full} && {step} > {last} ? {last} : {step};")
        for s in range(sides):
            self.line(f"long long {positions(_EVERY)}_{s}[{lanes}];")
        self.open(f"for (int k = 0; k < {lanes}; k++) {{")
        for s in range(sides):
            at = f"first + {s * lanes} + k"
            self.line(f"{positions(_EVERY)}_{s}[k] = {at} < {self.end} ? {at} : {self.end} - 1;")
        self.close()
        for array in self.own:
            self.declare(array)
        for source, own in self.before:
            self._moved("turnin", source, own, Part(source), Part(own))
        known = {u: Value((self.called(u),), u.dtype, False) for u in self.outside if u.op is not Ops.DEFINE_GLOBAL}
        self.statements(self.item, known)
        for to, own in self.after:
            self._moved("turnout", to, own, Part(own), Part(to))
        self.close()
        self.close()
        return self.lines

    def _statement(self, u: UOp, item: Statements, varies: bool, masks: list[Value]) -> None:
        if u not in self.outside:
            super()._statement(u, item, varies, masks)

    def _moved(self, how: str, array: Array, own: Array, source: Part, to: Part) -> None:
        """Records of a block to vectors, or back: by squares where there are so many numbers, else one by one."""
        lanes, n = self.shape.lanes, own.elements
        squares = n >= lanes
        if squares:
            starts = [*range(0, n - lanes + 1, lanes), *([n - lanes] if n % lanes else [])]
            self.open("if (full) {")
            for s in range(self.shape.sides):
                for e in starts:
                    place = f"{array.name} + (first + {s * lanes}) * {n} + {e}"
                    self.line(f"ft_{how}_f{self.shape.of(own.dtype)}({place}, {n}, {self.memory_of(own, s)} + {e});")
            self.close()
            self.open("else {")
        name = self.fresh()
        self.open(f"for (long long {name} = 0; {name} < {n}; {name}++) {{")
        at = Value((name,), dtypes.index, False)
        self.store(to, at, None, self.load(source, at, None))
        self.close()
        if squares:
            self.close()


def _shape(body: list[UOp], own: list[Array]) -> Shape:
    """How wide the vectors are and how many go side by side."""
    size = next(u.dtype.itemsize for u in body if u.dtype.kind == "f")
    lanes = target().lanes(size)
    return Shape(lanes, 1 if 2 * lanes * size * sum(a.elements for a in own) > L1_BYTES else 2, 8 * size)


def _outside(body: list[UOp], r: UOp) -> dict[UOp, None]:
    """The values from before the loop that its statements use, and what addresses from there are made of."""
    scopes: list[set[UOp]] = [{r}]
    found: dict[UOp, None] = {}
    for u in body:
        if u.op is Ops.ENDRANGE:
            scopes.pop()
            continue
        for s in u.src:
            if not any(s in scope for scope in scopes):
                of = s.src if s.op is Ops.INDEX else (s,)
                found.update(dict.fromkeys(toposort(of, enter=lambda t: t.dtype == dtypes.index and t.op in _PLACES)))
        if u.op is Ops.RANGE:
            scopes.append(set())
        scopes[-1].add(u)
    return found


def _of_a_round(r: UOp, loop: Loop, outside: dict[UOp, None]) -> list[UOp]:
    """The statements of a round, its places in records."""
    writer = _Relative([r, *loop.walk()])
    for u in outside:
        writer.statement(u)
    writer.become(r, writer.value(sym.const(0)))
    writer.items(loop.items)
    return writer.out


class _Relative(Writer):
    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops, indices as simple as they are."""
        for item in items:
            if isinstance(item, Loop):
                opened = self.open(item.range.replace((self.now(item.range.src[0]),)))
                self.become(item.range, opened)
                self.items(item.items)
                self.close(opened)
            elif item.dtype == dtypes.index and item.op not in (Ops.INDEX, Ops.LOAD) and item.src:
                self.become(item, self.value(simplest(item, tuple(self.now(s) for s in item.src))))
            else:
                self.copy(item)
