"""The statements of a kernel in C, over arrays of a program: uniform ones on numbers, varying ones on vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from functrans import dtypes
from functrans._records import replace
from functrans.backend.codegen.regions.memory import Memory, fixed_place, is_variables, place_of
from functrans.backend.codegen.regions.side_by_side import in_rows
from functrans.backend.codegen.regions.tree import Array, Statements
from functrans.backend.codegen.spelling import element
from functrans.backend.codegen.varying import varying
from functrans.backend.codegen.vectors.halves import halved
from functrans.backend.codegen.vectors.spelling import held_as
from functrans.backend.codegen.vectors.values import Shape, Value
from functrans.backend.codegen.vectors.waves import together
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent


class StatementWriter(Memory):
    """Writes statements; in each scope it knows what stands for their nodes."""

    active: Value | None = None  # which lanes go through what is written; None for all

    def statements(self, item: Statements) -> None:
        """Write the statements of a kernel."""
        outer, self.known = self.known, {}
        self.write(item)
        self.known = outer

    def write(self, item: Statements) -> None:
        """Write statements among others, the values of which they find."""
        scopes: list[tuple[dict[UOp, Value], Shape]] = []
        masks: list[Value | None] = []  # of conditions around, None for one that is a branch
        rows = {u for u in item.uops if u.op is Ops.RANGE and u.arg[1] is AxisType.VECTOR}
        own = varying(item.uops, rows | item.lanes | {u for u, p in item.parts.items() if p.array.varying})
        ends, inside = halved(item.uops, self._summed_apart(item))
        for k, (u, here) in enumerate(zip(item.uops, together(item.uops), strict=True)):
            if k in inside:
                continue
            if k in ends:
                self._halves(u, item.parts[ends[k]].array)
            elif u.op is Ops.RANGE:
                scopes.append((dict(self.known), self.shape))
                self._range(u)
            elif u.op is Ops.IF:
                scopes.append((dict(self.known), self.shape))
                condition = self.known[u.src[0]]
                masks.append(condition if condition.varying else None)
                self.open("{" if condition.varying else f"if ({condition.texts[0]}) {{")
            elif u.op in (Ops.ENDRANGE, Ops.ENDIF):
                if u.op is Ops.ENDIF:
                    masks.pop()
                self.close()
                self.known, self.shape = scopes.pop()
            elif len(here) > 1 and self.known[u.src[0]].varying and self.on_vectors(u):
                nodes = [item.uops[other] for other in here]
                self.known.update(zip(nodes, self.waves(nodes), strict=True))
            else:
                for other in here:
                    self._statement(item.uops[other], item, u in own, [m for m in masks if m is not None])

    def _summed_apart(self, item: Statements) -> set[UOp]:
        """The arrays of vectors of which sums are functions of their own."""
        arrays = {u: p.array for u, p in item.parts.items() if u.op is Ops.DEFINE_LOCAL and not p.offset}
        return {u for u, a in arrays.items() if a.is_own and a.varying and not is_variables(a) and self._has(a)}

    def _has(self, array: Array) -> bool:
        return array.dtype.kind == "f" and self.shape.has(array.dtype)

    def _halves(self, u: UOp, array: Array) -> None:
        """The sum of all elements of an array."""
        name = f"ft_halves{array.elements}_{self.shape.named(u.dtype)}"
        self.known[u] = self.vectors(u.dtype, [f"{name}({self.memory_of(array, s)})" for s in range(self.shape.sides)])

    def _range(self, u: UOp) -> None:
        """The head of a loop; of one over rows side by side as many at a time as vectors hold, the last of which end
        where it ends.
        """
        name, end, width = self.fresh(), self.known[u.src[0]].texts[0], 1
        if u.arg[1] is AxisType.VECTOR:
            lanes, sides = min(self.shape.lanes, extent(u)), self.shape.sides
            while sides > 1 and extent(u) % (lanes * sides):
                sides //= 2
            self.shape = replace(self.shape, lanes=lanes, sides=sides)
            width = self.shape.lanes * self.shape.sides
        step = f"{name} += {width}" if width > 1 else f"{name}++"
        self.open(f"for (long long {name} = 0; {name} < {end}; {step}) {{")
        self.known[u] = Value((name,), dtypes.index, False)
        if width > 1 and extent(u) % width:
            last = extent(u) - width
            self.known[u] = self.uniform(dtypes.index, f"{name} > {last} ? {last} : {name}")

    def _statement(self, u: UOp, item: Statements, varies: bool, masks: Sequence[Value]) -> None:
        if u.op is Ops.CONST:
            self.known[u] = self.constant(u.dtype, u.arg)
        elif u.op is Ops.DEFINE_ACC:
            self._accumulator(u, varies)
        elif u.op is Ops.ASSIGN:
            self._assign(u, masks)
        elif u.op is Ops.LOAD:
            self.known[u] = self._load(u, item, masks)
        elif u.op is Ops.STORE and in_rows(u.src[0].src[1]):
            stored = self.known[u.src[1]]
            for s, at in enumerate(self._rows_of(u, item)):
                self.line(self.put(stored.dtype, at, self.operand(stored, s)), s)
        elif u.op is Ops.STORE:
            place, value, *gate = u.src
            array = item.parts[place.src[0]].array
            waits = array.in_place or (array.settled and array.varying)
            around = [self.active] if self.active is not None and waits else []
            mask = self._all([*around, *masks, *(self.known[g] for g in gate)])
            self.store(
                item.parts[place.src[0]], self.known[place.src[1]], fixed_place(place.src[1]), self.known[value], mask
            )  # fmt: skip
        elif u.op is Ops.CAST and u.dtype != held_as(u.dtype) and self.known[u.src[0]].varying:
            self.known[u] = self.known[u.src[0]]  # it is cut where it is stored
        elif u.op not in (Ops.INDEX, Ops.DEFINE_GLOBAL, Ops.DEFINE_LOCAL):
            self.known[u] = self.op(u)

    def _all(self, conditions: Sequence[Value]) -> Value | None:
        """Where all conditions hold; None where there are none."""
        return reduce(self.both, conditions) if conditions else None

    def _accumulator(self, u: UOp, varies: bool) -> None:
        start, name = self.known[u.src[0]], self.fresh()
        if not varies:
            self.line(f"{element(u.dtype)} {name} = {start.texts[0]};")
            self.known[u] = Value((name,), u.dtype, False)
            return
        names = tuple(f"{name}_{s}" for s in range(self.shape.sides))
        for s, n in enumerate(names):
            self.line(f"{self.shape.type(u.dtype)} {n} = {self.operand(start, s)};", s)
        self.known[u] = Value(names, u.dtype, True)

    def _assign(self, u: UOp, masks: Sequence[Value]) -> None:
        acc, value = self.known[u.src[0]], self.known[u.src[1]]
        mask = self._all(masks)
        if mask is not None:
            value = self.chosen(u.dtype, mask, value, acc)
        for s, n in enumerate(acc.texts):
            self.line(f"{n} = {self.operand(value, s) if acc.varying else value.texts[0]};", s if acc.varying else None)
        self.known[u] = acc

    def _rows_of(self, u: UOp, item: Statements) -> list[str]:
        """Where the elements of rows lie side by side, for each side."""
        array, at = u.src[0].src
        part, place = item.parts[array], self.known[at].texts[0]
        first = f"{part.array.name} + {place_of(part, place)}"
        return [f"{first} + {s * self.shape.lanes}" for s in range(self.shape.sides)]

    def _load(self, u: UOp, item: Statements, masks: Sequence[Value]) -> Value:
        array, at = u.src[0].src
        if in_rows(at) and item.parts[array].array.number is None:
            return self.vectors(u.dtype, [self.near(u.dtype, p) for p in self._rows_of(u, item)])
        part, place, fixed = item.parts[array], self.known[at], fixed_place(at)
        if len(u.src) == 1:
            inside = self._all(masks) if place.varying else None
            if inside is not None:  # the place of a lane that waits may lie outside
                place = self.chosen(dtypes.index, inside, place, self.constant(dtypes.index, 0))
            return self.load(part, place, fixed)
        other, gate = self.known[u.src[1]], self.known[u.src[2]]
        if part.array.number is None and part.array.elements == 0 and part.array.axes is None:
            return other
        if fixed is not None and part.array.is_own and not 0 <= fixed < part.array.elements:
            return other
        if fixed is None or not part.array.is_own:  # of what may lie outside, the first element is read
            fixed = None
            place = self.chosen(dtypes.index, gate, place, self.constant(dtypes.index, 0))
        return self.chosen(u.dtype, gate, self.load(part, place, fixed), other)
