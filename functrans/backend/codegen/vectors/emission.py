"""C of a loop of vectors: some vectors a round, statement by statement, and the rest under a mask.

Of a few vectors there is no loop. Elements that belong to no round are zeros where they are read, and are not written.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.spelling import ELEMENTARY, WAVES
from functrans.backend.codegen.vectors.access import Access
from functrans.backend.codegen.vectors.folds import EXTREMES
from functrans.backend.codegen.vectors.functions import is_far
from functrans.backend.codegen.vectors.names import Part
from functrans.backend.codegen.vectors.spelling import compared, spell, type_of
from functrans.backend.policy import EXPENSIVE_ADDITIONS, LOOP_STATEMENTS, NARROWEST_BYTES, SIDES, STRAIGHT_STATEMENTS
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_DIVISIONS = frozenset({Ops.FDIV, Ops.RECIP, Ops.SQRT})


class VectorWriter(Access):
    """The lines of a loop, in vectors of so many numbers."""

    def run(self) -> list[str]:
        """The lines."""
        if not self.body.is_counted or self.around.window:
            self._until_told()
            return self.lines
        self._uniform()
        if self._is_short():
            self._overlapping()
            return self.lines
        whole, rest = divmod(self.body.rounds, self.lanes)
        sides = self._sides()
        looped = whole // sides * sides if self._size() * (whole + (rest > 0)) > STRAIGHT_STATEMENTS else 0
        if self._size() > STRAIGHT_STATEMENTS and whole + (rest > 0) == looped + 1:
            looped -= sides
        if looped > sides:
            i, step = self.variable, sides * self.lanes
            self._loop(f"long long {i} = 0; {i} < {looped * self.lanes}; {i} += {step}", sides)
        else:
            looped = 0
        parts = [Part(k * self.lanes) for k in range(looped, whole)]
        narrow = self._narrow(rest)
        if rest and narrow == self.lanes:
            parts.append(Part(whole * self.lanes, first=rest))
        for some in _even(parts, sides):
            self._vectors(some, "")
        if rest and narrow < self.lanes:
            start, self.lanes = whole * self.lanes, narrow
            self.wide.clear()
            self._vectors([Part(start, first=rest % narrow)], "")
        return self.lines

    def _overlapping(self) -> None:
        """Two vectors of a loop shorter than one, the second of which begins before the first one ends: a mask takes as
        long as the rest of a short body.
        """
        self.lanes = 1 << self.body.rounds.bit_length() - 1
        last = self.body.rounds - self.lanes
        self._vectors([Part(k) for k in dict.fromkeys((0, last))], "")

    def _is_short(self) -> bool:
        """Whether the loop is shorter than a vector, and of short statements that may be done again: it only stores
        what it computes of what it does not store. What was written near in parts is not soon read as a whole.
        """
        least = NARROWEST_BYTES // self.body.narrowest
        calls = any(u.op in ELEMENTARY for u in self.written)
        if self.body.serial or calls or not least <= self.body.rounds < self.lanes:
            return False
        uses = [u for u in self.body.items if u.op in (Ops.LOAD, Ops.STORE)]
        stored = {u.src[0].src[0] for u in uses if u.op is Ops.STORE}
        far = all(u.src[0].src[0].op is Ops.DEFINE_GLOBAL for u in uses)
        return far and all(u.op is Ops.STORE or u.src[0].src[0] not in stored for u in uses)

    def _until_told(self) -> None:
        """Vectors up to an end that only the call knows: several a round, then one, then what is left."""
        i, lanes, sides = self.variable, self.lanes, self._sides()
        start, end = self.around.window or ("0", self.around.fresh())
        if not self.around.window:
            self.lines.append(f"const long long {end} = {self.around.names(self.body.loop.src[0])};")
        self.lines.append(f"if ({start} < {end}) {{")  # else nothing is read
        self._uniform()
        self.lines.append(f"long long {i} = {start};")
        if not self.body.is_counted:  # but no more rounds than this
            sides = max(1, min(sides, self.body.rounds // lanes))
        for n in dict.fromkeys((sides, 1)):
            self._loop(f"; {i} <= {end} - {n * lanes}; {i} += {n * lanes}", n)
        constant, terms = sym.linear(self.body.loop.src[0])
        if self.around.window or any(n % lanes for n in (constant, *terms.values())):
            self.lines.append(f"if ({i} < {end}) {{")
            self._vectors([Part(0, i, f"(int)({end} - {i})")], "  ")
            self.lines.append("}")
        self.lines.append("}")

    def _loop(self, head: str, sides: int) -> None:
        self.lines.append(f"for ({head}) {{")
        self._vectors([Part(k * self.lanes, self.variable) for k in range(sides)], "  ")
        self.lines.append("}")

    def _narrow(self, rest: int) -> int:
        """The length of the vector of the rest. A shorter one is divided sooner; but what is stored in parts is not
        soon read as a whole, and a deep one goes beside others.
        """
        stored = [u.src[0].src[0] for u in self.body.items if u.op is Ops.STORE]
        if self._size() > STRAIGHT_STATEMENTS or any(array.op is not Ops.DEFINE_GLOBAL for array in stored):
            return self.lanes
        least = NARROWEST_BYTES // self.body.narrowest
        return min(self.lanes, max(least, 1 << (rest - 1).bit_length()))

    def _sides(self) -> int:
        """Vectors a round: a multiple of what there are accumulators. Divisions beside functions are not put together:
        the processor has one unit for them, which the others would wait for.
        """
        slots = max((self.body.slots(u.src[1]) for u in self.body.items if u.op is Ops.INDEX), default=0)
        sides = next((n for n, most in SIDES if len(self.written) <= most), 1)
        if any(u.op in ELEMENTARY for u in self.written) and any(u.op in _DIVISIONS for u in self.written):
            sides = min(sides, 2 if self._size() <= LOOP_STATEMENTS else 1)
        return max(slots // self.lanes, sides)

    def _size(self) -> int:
        return sum(EXPENSIVE_ADDITIONS if u.op in ELEMENTARY else 1 for u in self.written)

    def _vectors(self, parts: list[Part], indent: str) -> None:
        """The statements of the body for some vectors, side by side."""
        for u in self.body.items:
            if u in self.written and u not in self.taken:
                for some in self._at_once(u, parts):
                    if len(some) > 1:
                        self.lines.append(indent + self._store_masks(u, some))
                    else:
                        self._write(u, some[0], indent)
                self._far(u, parts, indent)
        for part in parts:  # several of them may go to the same accumulators
            for u in self.body.items:
                if u in self.taken:
                    self._write(u, part, indent)
                    self._far(u, [part], indent)
        if self.body.serial:
            self._round_by_round(parts, indent)

    def _at_once(self, u: UOp, parts: list[Part]) -> list[list[Part]]:
        """The vectors of which a statement is one in C: a few masks that are stored one behind the other, or one."""
        found, left = list[list[Part]](), list(parts)
        while left:
            masks = u.op is Ops.STORE and u.src[0].dtype == dtypes.bool_
            size = next((n for n in (4, 2) if masks and len(left) >= n and not left[n - 1].first), 1)
            found.append(left[:size])
            left = left[size:]
        return found

    def _write(self, u: UOp, part: Part, indent: str) -> None:
        """One statement for one vector."""
        if u.op is Ops.DEFINE_ACC:
            part.names[u] = self._everywhere(u.src[0])
            return
        if u.op is Ops.ASSIGN:
            part.names[u] = part.names[u.src[0]] = self._operand(u.src[1], part)
            return
        self._watch(u, part, indent)
        self.lines.append(indent + self._statement(u, part))

    def _far(self, u: UOp, parts: list[Part], indent: str) -> None:
        """Functions that were written for near arguments once more, where one is far."""
        if u.op in WAVES:
            shape = self._shape(u.dtype)
            masks = [is_far(u.dtype, shape, self._operand(u.src[0], part)) for part in parts]
            self.lines.append(f"{indent}if (__builtin_expect(ft_any_m{shape}({' | '.join(masks)}), 0)) {{")
            for part in parts:
                x, name = self._operand(u.src[0], part), part.names[u]
                self.lines.append(f"{indent}  {name} = ft_{u.op.name.lower()}far_f{shape}({x});")
            self.lines.append(f"{indent}}}")

    def _watch(self, u: UOp, part: Part, indent: str) -> None:
        """Note where an element that is taken in is NaN."""
        found = self._watched(u)
        if found is not None:
            mask, element = self.around.watched[found[0].src[0]], self._operand(found[1], part)
            shape = self._shape(u.dtype)
            told = f"ft_ne_f{shape}({element}, {element})"
            if part.first:
                told += f" & ft_first_m{shape}({part.first})"
            self.lines.append(f"{indent}{mask} |= {told};")

    def _watched(self, u: UOp) -> tuple[UOp, UOp] | None:
        """Of a maximum or minimum that is taken in, where its accumulators are, and the element; None of others."""
        if u.op not in EXTREMES:
            return None
        for load, element in (u.src, u.src[::-1]):
            if load.op is Ops.LOAD and load.src[0].src[0] in self.around.watched:
                return load.src[0], element
        return None

    def _statement(self, u: UOp, part: Part) -> str:
        if u.op is Ops.STORE:
            return self._store(u, part)
        text = self._load(u, part) if u.op is Ops.LOAD else self._value(u, part)
        part.names[u] = self.around.fresh()
        shape = f"{8 * self.bytes[u]}x{self.lanes}" if u in self.bytes else self._shape(u.dtype)
        return f"{'' if u.op in WAVES else 'const '}{type_of(u.dtype, shape)} {part.names[u]} = {text};"

    def _value(self, u: UOp, part: Part) -> str:
        bytes_ = self._width(u)

        def operand(node: UOp) -> str:
            return self._mask(node, part, bytes_) if node.dtype == dtypes.bool_ else self._operand(node, part)

        if u.op is Ops.WHERE and u.src[0] not in self.body.varying:
            return f"({self._number(u.src[0])} ? {operand(u.src[1])} : {operand(u.src[2])})"
        if u.src[0].dtype == dtypes.index and u.dtype == dtypes.bool_:
            return self._places_compared(u, part, bytes_)
        found = self._watched(u)
        if found is not None:
            sides = ", ".join(map(operand, u.src))
            is_first = self._is_first(found[0], part)
            return operand(found[1]) if is_first else f"ft_{EXTREMES[u.op]}_{self._of(u.dtype)}({sides})"
        return spell(u, operand, f"{8 * bytes_}x{self.lanes}", part.names)

    def _places_compared(self, u: UOp, part: Part, bytes_: int) -> str:
        """A comparison of places: of how far they have moved with how far they were apart."""
        of, at = f"i{8 * bytes_}x{self.lanes}", part.variable or "0"
        a, b = (self._place(s, at) if s in self.inside or s is self.body.loop else self._number(s) for s in u.src)
        slope = (self.body.stride(u.src[0]) or 0) - (self.body.stride(u.src[1]) or 0)
        return compared(u.op, of, self._steps(of, part, slope), f"ft_within_{of}({b} - {a})")

    def _width(self, u: UOp) -> int:
        """The bytes of the numbers that an op works on, or a mask of which it makes."""
        return self.bytes.get(u, u.dtype.itemsize)

    def _is_first(self, accumulators: UOp, part: Part) -> bool:
        """Whether an element is the first one that its accumulators take in: of it and what those begin from, an
        infinity, it is the one that is chosen, NaN or not.
        """
        array, place = accumulators.src
        first = array in self.around.empty and not part.variable and part.start < self.body.slots(place)
        return first and not part.first


def _even(parts: list[Part], most: int) -> list[list[Part]]:
    """So many at a time at most, and as many each time as can be."""
    times = -(-len(parts) // most)
    size = -(-len(parts) // max(times, 1))
    return [parts[k : k + size] for k in range(0, len(parts), size)] if parts else []
