"""How vectors are read and written: side by side, at a stride, under a mask, or where other numbers say; and what is
done for one round after the other: sums in order, and writes here and there.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen import spelling
from functrans.backend.codegen.spelling import ctype, element
from functrans.backend.codegen.vectors.names import Names, Part, is_place
from functrans.backend.codegen.vectors.spelling import KINDS
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


class Access(Names):
    """The reads and writes of a loop."""

    def _address(self, index: UOp, part: Part) -> str:
        """Where a vector begins. It is no element's address, as there may be none: under a mask, or where other numbers
        say how far behind it is read. Compilers take `&array[place]` for a place inside, of an array of one its first.
        """
        array, place = index.src
        slots = self.body.slots(place)
        return f"{self.around.names(array)} + {part.start % slots if slots else self._place(place, part.text)}"

    def _within(self, index: UOp, part: Part) -> tuple[int, int] | None:
        """Where in a local array a whole vector ends, and how many elements there is memory for; None if unknown."""
        array, place = index.src
        if array.op is not Ops.DEFINE_LOCAL:
            return None
        if self.body.slots(place):
            return part.start % self.body.slots(place) + self.lanes, self.around.room(array)
        constant, terms = sym.linear(place)
        if part.variable or set(terms) != {self.body.loop}:
            return None
        return constant + part.start + self.lanes, self.around.room(array)

    def _load(self, u: UOp, side: int) -> str:
        index, of, part = u.src[0], self.shape.named(u.dtype), self.parts[side]
        if len(u.src) == 1:
            return self._read(index, part)
        other, gate = self.vector(u.src[1], side), u.src[2]
        if gate not in self.body.varying:
            return f"({self._number(gate)} ? {self._read(index, part)} : {other})"
        mask = self.vector(gate, side, 8 * u.dtype.itemsize)
        if part.first:
            mask = f"({mask} & ft_first_m{self.shape.of(u.dtype)}({part.first}))"
        found = f"ft_loadif_{of}({self._address(index, part)}, {mask})"
        return found if u.src[1].op is Ops.CONST and u.src[1].arg == 0 else f"ft_sel_{of}({mask}, {found}, {other})"

    def _read(self, index: UOp, part: Part) -> str:
        """Elements, whatever the condition under which they are read."""
        address, within, of = self._address(index, part), self._within(index, part), self.shape.named(index.dtype)
        stride = 1 if self.body.slots(index.src[1]) else self.body.stride(index.src[1])
        if stride is None:
            return self._gathered(index, part)
        if stride != 1:
            if part.first:
                return f"ft_everyfirst_{of}({address}, {stride}, {part.first})"
            return f"ft_{_NEAR[stride]}_{of}({address})" if stride in _NEAR else f"ft_every_{of}({address}, {stride})"
        whole = index.dtype != dtypes.bool_ and within is not None and within[0] <= within[1]
        return self.near(index.dtype, address, "" if whole else part.first)

    def _gathered(self, index: UOp, part: Part) -> str:
        """Elements from where other elements say."""
        array, place = index.src
        found = self.body.gathered(place)
        assert found is not None
        term, read = found
        base = self._place(place, part.text, {term: "0"})  # what is left has nodes that nobody has named
        stem = f"gather{'first' if part.first else ''}{KINDS[read.dtype.kind]}{8 * read.dtype.itemsize}"
        where = self._address(read.src[0], part) + (f", {part.first}" if part.first else "")
        return f"ft_{stem}_{self.shape.named(index.dtype)}({self.around.names(array)} + {base}, {where})"

    def _store(self, u: UOp, side: int) -> str:
        index, part = u.src[0], self.parts[side]
        address, within = self._address(index, part), self._within(index, part)
        if index.dtype == dtypes.bool_:
            mask = self.value(u.src[1])
            return self.put(index.dtype, address, mask.texts[side], part.first, mask.bits)
        value, of, shape = self.vector(u.src[1], side), self.shape.named(index.dtype), self.shape.of(index.dtype)
        if part.first and (within is None or within[0] > within[1]):
            return self.put(index.dtype, address, value, part.first)
        rest = part.first if within is not None and isinstance(part.first, int) else 0
        if within is not None and 0 < rest < self.lanes and within[0] - self.lanes + rest < index.src[0].arg.elements:
            value = f"ft_sel_{of}(ft_first_m{shape}({part.first}), {value}, {self.near(index.dtype, address)})"
        return self.put(index.dtype, address, value)

    def _store_masks(self, u: UOp, sides: list[int]) -> str:
        """Masks of whole vectors, stored one behind the other."""
        mask = self.value(u.src[1])
        values = ", ".join(mask.texts[s] for s in sides)
        address = self._address(u.src[0], self.parts[sides[0]])
        return f"ft_put{len(sides)}_m{mask.bits}x{self.lanes}({address}, {values});"

    def _round_by_round(self) -> None:
        """What is done for one round after the other: vectors are put down, and taken up one by one."""
        parts, k = self.parts, self.fresh()
        taken = dict.fromkeys(s for u in self.body.items if u in self.body.serial for s in u.src if s in self.written)
        text: dict[UOp, str] = {}
        self.open("{")
        for u in taken:
            name, value = self.fresh(), self.known[u]
            text[u] = f"{name}[{k}]"
            self.line(f"{element(u.dtype)} {name}[{len(parts) * self.lanes}] __attribute__((aligned(64)));")
            for n, x in enumerate(value.texts):
                self.line(self.put(u.dtype, f"{name} + {n * self.lanes}", x, bits=value.bits))
        last = parts[-1].first or self.lanes
        count = (len(parts) - 1) * self.lanes + last if isinstance(last, int) else last
        self.open(f"for (long long {k} = {parts[0].had}; {k} < {count}; {k}++) {{")
        at = f"({parts[0].text} + {k})"
        for u in self.body.items:
            if u in self.body.serial and (u in self.body.needed or u.op is Ops.ENDIF):
                self.line(self._of_one(u, at, text))
        self.close()
        self.close()

    def _of_one(self, u: UOp, at: str, text: dict[UOp, str]) -> str:
        """A statement of one round."""

        def operand(s: UOp) -> str:
            if s in text:
                return text[s]
            return self._place(s, at, text) if is_place(s) and s in self.body.varying else self._number(s)

        if u.op is Ops.STORE:
            gate = f"if ({operand(u.src[2])}) " if len(u.src) > 2 else ""
            return f"{gate}{self._element(u.src[0], at, text)} = {operand(u.src[1])};"
        if u.op is Ops.IF:
            return f"if ({operand(u.src[0])}) {{"
        if u.op is Ops.ENDIF:
            return "}"
        if u.op is Ops.DEFINE_ACC:
            text[u] = self.fresh()
            return f"{ctype(u.dtype)} {text[u]} = {self._number(u.src[0])};"
        if u.op is Ops.ASSIGN:
            text[u] = operand(u.src[0])
            return f"{text[u]} = {operand(u.src[1])};"
        if u.op is Ops.LOAD:
            value = self._element(u.src[0], at, text)
            value = f"({operand(u.src[2])} ? {value} : {operand(u.src[1])})" if len(u.src) > 1 else value
        else:
            value = spelling.spell(u, [operand(s) for s in u.src])
        text[u] = self.fresh()
        return f"const {element(u.dtype) if u.op is Ops.LOAD else ctype(u.dtype)} {text[u]} = {value};"


_NEAR = {-1: "back", 2: "even"}  # strides for which there are shuffles
