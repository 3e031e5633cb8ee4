"""C of a loop of vectors: some vectors a round, statement by statement, and the rest under a mask.

Of a few vectors there is no loop. Elements that belong to no round are zeros where they are read, and are not written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from functrans import dtypes
from functrans._records import replace
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.codegen.vectors.access import Access
from functrans.backend.codegen.vectors.folds import EXTREMES
from functrans.backend.codegen.vectors.functions import is_far
from functrans.backend.codegen.vectors.names import Part
from functrans.backend.codegen.vectors.spelling import compared
from functrans.backend.codegen.vectors.values import Value
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
            self._vectors(some)
        if rest and narrow < self.lanes:
            start = whole * self.lanes
            self.shape = replace(self.shape, lanes=narrow)
            self._vectors([Part(start, first=rest % narrow)])
        return self.lines

    def _overlapping(self) -> None:
        """Two vectors of a loop shorter than one, the second of which begins before the first one ends: a mask takes as
        long as the rest of a short body.
        """
        self.shape = replace(self.shape, lanes=1 << self.body.rounds.bit_length() - 1)
        last = self.body.rounds - self.lanes
        self._vectors([Part(k) for k in dict.fromkeys((0, last))])

    def _is_short(self) -> bool:
        """Whether the loop is shorter than a vector, and of short statements that may be done again: it only stores
        what it computes of what it does not store. What was written near in parts is not soon read as a whole.
        """
        least = NARROWEST_BYTES // self.body.narrowest
        calls = any(u.op in ELEMENTARY for u in self.written)
        if self.body.serial or calls or not least <= self.body.rounds < self.lanes:
            return False
        uses = [u for u in self.body.items if u.op in (Ops.LOAD, Ops.STORE)]
        return self._may_be_again() and all(u.src[0].src[0].op is Ops.DEFINE_GLOBAL for u in uses)

    def _may_be_again(self) -> bool:
        """Whether vectors may be computed twice: nothing that they read is stored here."""
        stored = {u.src[0].src[0] for u in self.body.items if u.op is Ops.STORE}
        return all(u.src[0].src[0] not in stored for u in self.written if u.op is Ops.LOAD)

    def _until_told(self) -> None:
        """Vectors up to an end that only the call knows: several a round, then one, then what is left. A long body is
        not written down for that: the last vector ends with the last round.
        """
        i, lanes, sides = self.variable, self.lanes, self._sides()
        start, end = self.around.window or ("0", self.fresh())
        if not self.around.window:
            self.line(f"const long long {end} = {self.around.names(self.body.loop.src[0])};")
        self.line(f"if ({start} < {end}) {{")  # else nothing is read
        self._uniform()
        self.line(f"long long {i} = {start};")
        if not self.body.is_counted:  # but no more rounds than this
            sides = max(1, min(sides, self.body.rounds // lanes))
        fewest, most = self.around.rounds
        again = self._size() > LOOP_STATEMENTS and fewest >= lanes and self._may_be_again()
        for n in (n for n in dict.fromkeys((sides, 1)) if n * lanes <= most and not (again and n == 1)):
            self._loop(f"; {i} <= {end} - {n * lanes}; {i} += {n * lanes}", n)
        constant, terms = sym.linear(self.body.loop.src[0])
        if again:
            at = self.fresh()
            self.open(f"for (; {i} < {end}; {i} += {lanes}) {{")
            self.line(f"const long long {at} = {i} <= {end} - {lanes} ? {i} : {end} - {lanes};")
            self._vectors([Part(0, at, had=f"{i} - {at}")])
            self.close()
        elif self.around.window or any(n % lanes for n in (constant, *terms.values())):
            self.open(f"if ({i} < {end}) {{")
            self._vectors([Part(0, i, f"(int)({end} - {i})")])
            self.close()
        self.line("}")

    def _loop(self, head: str, sides: int) -> None:
        self.open(f"for ({head}) {{")
        self._vectors([Part(k * self.lanes, self.variable) for k in range(sides)])
        self.close()

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

    def _vectors(self, parts: list[Part]) -> None:
        """The statements of the body for some vectors, side by side."""
        uniform, self.made = self.known, set()
        self._written([u for u in self.body.items if u not in self.taken], parts, dict(uniform))
        every, each = self.known, list[dict[UOp, Value]]()
        for side, part in enumerate(parts if self.taken else ()):  # several may go to the same accumulators
            own = {u: v._replace(texts=v.texts[side : side + 1]) if v.varying else v for u, v in every.items()}
            self._written([u for u in self.body.items if u in self.taken], [part], own)
            each.append(self.known)
        for u, v in each[0].items() if each else ():
            every[u] = v._replace(texts=tuple(known[u].texts[0] for known in each)) if v.varying else v
        if self.body.serial:
            self.parts, self.known = parts, every
            self._round_by_round()
        self.known = uniform

    def _written(self, items: list[UOp], parts: list[Part], known: dict[UOp, Value]) -> None:
        """Write those statements that are vectors."""
        self.parts, self.known, self.shape = parts, known, replace(self.shape, sides=len(parts))
        for u in items:
            if u in self.written:
                self._write(u)
                self.made.add(u)

    def _write(self, u: UOp) -> None:
        """One statement for all vectors."""
        sides = range(self.shape.sides)
        if u.op is Ops.DEFINE_ACC:
            self.known[u] = Value(tuple(self.vector(u.src[0], s) for s in sides), u.dtype, True)
        elif u.op is Ops.ASSIGN:
            made = Value(tuple(self.vector(u.src[1], s) for s in sides), u.dtype, True)
            self.known[u] = self.known[u.src[0]] = made
        elif u.op is Ops.STORE:
            for some in self._at_once(u):
                self.line(self._store_masks(u, some) if len(some) > 1 else self._store(u, some[0]))
        elif u.op is Ops.LOAD:
            self.known[u] = self.vectors(u.dtype, [self._load(u, s) for s in sides])
        else:
            self._watch(u)
            self.known[u] = self.op(u)

    def _at_once(self, u: UOp) -> list[list[int]]:
        """The vectors of which a store is one in C: a few masks that are stored one behind the other, or one."""
        found, left = list[list[int]](), [*range(self.shape.sides)]
        while left:
            size = next((n for n in (4, 2) if u.src[0].dtype == dtypes.bool_ and self._is_row(left[:n], n)), 1)
            found.append(left[:size])
            left = left[size:]
        return found

    def _is_row(self, sides: list[int], count: int) -> bool:
        """Whether so many vectors are whole, each behind the one before it."""
        parts = [self.parts[s] for s in sides]
        steps = all(b.start == a.start + self.lanes for a, b in pairwise(parts))
        return len(parts) == count and steps and not any(part.first for part in parts)

    def waves(self, nodes: Sequence[UOp]) -> list[Value]:
        """Functions of near arguments, and where one of all vectors is far once more for all of them."""
        (node,) = nodes
        shape, x, names = self.shape.of(node.dtype), self.value(node.src[0]).texts, self.names()
        for s, name in enumerate(names):
            self.line(f"{self.shape.type(node.dtype)} {name} = {self.spelled(node, s)};")
        masks = " | ".join(is_far(node.dtype, shape, argument) for argument in x)
        self.open(f"if (__builtin_expect(ft_any_m{shape}({masks}), 0)) {{")
        for name, argument in zip(names, x, strict=True):
            self.line(f"{name} = ft_{node.op.name.lower()}far_f{shape}({argument});")
        self.close()
        return [Value(names, node.dtype, True)]

    def _watch(self, u: UOp) -> None:
        """Note where an element that is taken in is NaN."""
        found = self._watched(u)
        for side, part in enumerate(self.parts) if found is not None else ():
            assert found is not None
            mask, element = self.around.watched[found[0].src[0]], self.vector(found[1], side)
            shape = self.shape.of(u.dtype)
            told = f"ft_ne_f{shape}({element}, {element})"
            if part.first:
                told += f" & ft_first_m{shape}({part.first})"
            self.line(f"{mask} |= {told};")

    def _watched(self, u: UOp) -> tuple[UOp, UOp] | None:
        """Of a maximum or minimum that is taken in, where its accumulators are, and the element; None of others."""
        if u.op not in EXTREMES:
            return None
        for load, element in (u.src, u.src[::-1]):
            if load.op is Ops.LOAD and load.src[0].src[0] in self.around.watched:
                return load.src[0], element
        return None

    def spelled(self, node: UOp, side: int) -> str:
        """An op on vectors; a choice by what is the same in all rounds is one of vectors."""
        if node.op is Ops.WHERE and node.src[0] not in self.body.varying:
            a, b = (self.vector(s, side) for s in node.src[1:])
            return f"({self._number(node.src[0])} ? {a} : {b})"
        if node.src[0].dtype == dtypes.index and node.dtype == dtypes.bool_:
            return self._places_compared(node, self.parts[side])
        found = self._watched(node)
        if found is not None:
            sides = ", ".join(self.vector(s, side) for s in node.src)
            is_first = self._is_first(found[0], self.parts[side])
            of = f"ft_{EXTREMES[node.op]}_{self.shape.named(node.dtype)}"
            return self.vector(found[1], side) if is_first else f"{of}({sides})"
        return super().spelled(node, side)

    def on_vectors(self, node: UOp) -> bool:
        """Whether there is C of an op on vectors: the analysis has seen to it."""
        return True

    def _places_compared(self, u: UOp, part: Part) -> str:
        """A comparison of places: of how far they have moved with how far they were apart."""
        of, at = f"i{self.shape.bits}x{self.lanes}", part.variable or "0"
        a, b = (self._place(s, at) if s in self.inside or s is self.body.loop else self._number(s) for s in u.src)
        slope = (self.body.stride(u.src[0]) or 0) - (self.body.stride(u.src[1]) or 0)
        return compared(u.op, of, self._steps(of, part, slope), f"ft_within_{of}({b} - {a})")

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
