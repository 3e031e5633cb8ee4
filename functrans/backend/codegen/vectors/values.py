"""Values in C: uniform ones as numbers, varying ones as vectors, one for each side.

A boolean that varies is a mask. What has no instruction on vectors is computed lane by lane, by the text that numbers
have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans._records import record
from functrans.backend.codegen.spelling import ELEMENTARY_NAMES, WAVES, ctype, literal
from functrans.backend.codegen.spelling import spell as spell_number
from functrans.backend.codegen.vectors.functions import is_far
from functrans.backend.codegen.vectors.lines import SHARED, Lines
from functrans.backend.codegen.vectors.spelling import (
    KINDS,
    has_spelling,
    held_as,
    mask_bytes,
    shape_of,
    spell,
    splat,
    type_of,
)
from functrans.backend.policy import NARROWEST_BYTES
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp
from functrans.ops.uop import UOp


class Value(NamedTuple):
    """A value: the C of it, one text if it is uniform, else one for each side. A mask says yes or no of numbers of so
    many ``bits``, of the widest ones where that is 0.
    """

    texts: tuple[str, ...]
    dtype: DType
    varying: bool
    bits: int = 0


@record
class Shape:
    """How many lanes a vector has, how many vectors stand side by side, and the bits of the widest numbers."""

    lanes: int
    sides: int
    bits: int

    @property
    def mask(self) -> str:
        """The end of the names of what works on masks."""
        return f"m{self.bits}x{self.lanes}"

    def of(self, dtype: DType) -> str:
        """The end of the names of what works on vectors of a dtype, after the letter of its kind."""
        return shape_of(dtype, self.lanes)

    def named(self, dtype: DType) -> str:
        """The same with the letter."""
        return f"{KINDS[dtype.kind]}{self.of(dtype)}"

    def type(self, dtype: DType) -> str:
        """The C type of a vector; of booleans a mask."""
        return f"ft_{self.mask}" if dtype.kind == "b" else type_of(dtype, self.of(dtype))

    def has(self, dtype: DType) -> bool:
        """Whether there are vectors of so many numbers of a dtype, of the machine's: none shorter or longer."""
        size = dtype.itemsize
        return dtype.kind in "fiux" and size in (4, self.bits // 8) and self.lanes * size >= NARROWEST_BYTES


class Values(Lines):
    """Writes values: C lines, and names that are new. ``known`` says what stands for nodes; of those that are ``made``
    here, what is made of them may use what they are made of.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape.sides)
        self.shape = shape
        self.known: dict[UOp, Value] = {}
        self.made: set[UOp] = set()
        self.count = 0

    def fresh(self) -> str:
        """A name for a value."""
        self.count += 1
        return f"v{self.count}"

    def names(self) -> tuple[str, ...]:
        """Names for a value on all sides."""
        name = self.fresh()
        return tuple(f"{name}_{s}" for s in range(self.shape.sides))

    def constant(self, dtype: DType, value: bool | int | float | complex) -> Value:
        """A number."""
        return Value((literal(dtype, value),), dtype, False)

    def value(self, node: UOp) -> Value:
        """What stands for a node."""
        return self.known[node]

    def vector(self, node: UOp, side: int, bits: int = 0) -> str:
        """A node as a vector."""
        return self.operand(self.value(node), side, bits)

    def operand(self, v: Value, side: int, bits: int = 0) -> str:
        """A value as a vector; a mask for numbers of so many bits, of the widest ones where that is 0."""
        if v.dtype.kind != "b":
            return v.texts[side] if v.varying else splat(v.dtype, self.shape.of(v.dtype), v.texts[0])
        bits, own = bits or self.shape.bits, v.bits or self.shape.bits
        if not v.varying:
            return f"ft_same_m{bits}x{self.shape.lanes}({v.texts[0]})"
        if own == bits:
            return v.texts[side]
        return f"ft_{'wide' if own < bits else 'narrow'}_m{bits}x{self.shape.lanes}({v.texts[side]})"

    def lane(self, v: Value, side: int) -> str:
        """A value in lane k."""
        if not v.varying:
            return v.texts[0]
        if v.dtype.kind == "b":
            return f"ft_bit_m{v.bits or self.shape.bits}x{self.shape.lanes}({v.texts[side]}, k)"
        return f"{v.texts[side]}[k]"

    def near(self, dtype: DType, address: str, first: int | str = "") -> str:
        """Elements that lie side by side, of those of which there are fewer the first and zeros; of booleans a mask."""
        held, stem = held_as(dtype), "load"
        if dtype.kind == "b":
            stem = "bytes"
        elif held != dtype:
            stem = f"short{dtype.kind}{8 * dtype.itemsize}"
        of = self.shape.mask if dtype.kind == "b" else self.shape.named(held)
        return f"ft_{stem}first_{of}({address}, {first})" if first else f"ft_{stem}_{of}({address})"

    def put(self, dtype: DType, address: str, text: str, first: int | str = "", bits: int = 0) -> str:
        """A statement that puts a vector, or its first elements, side by side; a mask is one of so many bits."""
        of = f"m{bits or self.shape.bits}x{self.shape.lanes}" if dtype.kind == "b" else self.shape.named(dtype)
        stem = "put" if dtype.kind == "b" else "store"
        return f"ft_{stem}first_{of}({address}, {text}, {first});" if first else f"ft_{stem}_{of}({address}, {text});"

    def uniform(self, dtype: DType, text: str) -> Value:
        """A uniform value, as a variable."""
        name = self.fresh()
        self.line(f"const {ctype(dtype)} {name} = {text};", SHARED)
        return Value((name,), dtype, False)

    def vectors(self, dtype: DType, texts: Sequence[str], bits: int = 0) -> Value:
        """A varying value, as variables."""
        bits = bits or self.shape.bits
        kind = f"ft_m{bits}x{self.shape.lanes}" if dtype.kind == "b" else self.shape.type(dtype)
        names = self.names()
        for s, (name, text) in enumerate(zip(names, texts, strict=True)):
            self.line(f"const {kind} {name} = {text};", s)
        return Value(names, dtype, True, bits)

    def by_lane(self, dtype: DType, texts: Sequence[str]) -> Value:
        """A varying value that C of lane k makes, for each side."""
        names = self.names()
        for s, (own, text) in enumerate(zip(names, texts, strict=True)):
            if dtype.kind == "b":
                self.line(f"unsigned char {own}_q[{self.shape.lanes}];", s)
                self._each(f"{own}_q[k] = {text};", s)
                self.line(f"const {self.shape.type(dtype)} {own} = {self.near(dtype, f'{own}_q')};", s)
            else:
                self.line(f"{self.shape.type(dtype)} {own};", s)
                self._each(f"{own}[k] = {text};", s)
        return Value(names, dtype, True)

    def _each(self, text: str, side: int) -> None:
        self.line(f"for (int k = 0; k < {self.shape.lanes}; k++) {text}", side)

    def op(self, node: UOp) -> Value:
        """An elementwise op."""
        operands = [self.value(s) for s in node.src]
        if not any(v.varying for v in operands):
            return self.uniform(node.dtype, spell_number(node, [v.texts[0] for v in operands]))
        sides = range(self.shape.sides)
        if not self.on_vectors(node):
            return self.by_lane(node.dtype, [spell_number(node, [self.lane(v, s) for v in operands]) for s in sides])
        if node.op in WAVES:
            return self.waves([node])[0]
        return self.vectors(node.dtype, [self.spelled(node, s) for s in sides], self.bits(node))

    def bits(self, node: UOp) -> int:
        """Of the numbers that an op works on, or that a mask which it makes is for."""
        if node.dtype.kind != "b":
            return 8 * node.dtype.itemsize
        return 8 * mask_bytes(node, self._mask_bytes, self.shape.bits // 8)

    def _mask_bytes(self, node: UOp) -> int:
        v = self.value(node)
        return (v.bits or self.shape.bits) // 8 if v.varying else 0

    def spelled(self, node: UOp, side: int) -> str:
        """An op on vectors."""
        bits = self.bits(node)
        return spell(node, lambda s: self.vector(s, side, bits), f"{bits}x{self.shape.lanes}", self.made)

    def on_vectors(self, node: UOp) -> bool:
        """Whether there is C of an op on vectors."""
        numbers = (d for d in (node.dtype, *(held_as(s.dtype) for s in node.src)) if d.kind != "b")
        return node.op not in GroupOp.Custom and all(map(self.shape.has, numbers)) and has_spelling(node)

    def waves(self, nodes: Sequence[UOp]) -> list[Value]:
        """Sines, cosines and tangents of a vector: those of near arguments, and where one is far those of all."""
        v, of = self.shape.type(nodes[0].dtype), self.shape.of(nodes[0].dtype)
        named = [self.names() for _ in nodes]
        for s, argument in enumerate(self.value(nodes[0].src[0]).texts):
            all_of_them = []
            for node, names in zip(nodes, named, strict=True):
                self.line(f"{v} {names[s]} = {self.spelled(node, s)};", s)
                all_of_them.append(f"{names[s]} = ft_{ELEMENTARY_NAMES[node.op]}far_f{of}({argument});")
            far = f"ft_any_m{of}({is_far(nodes[0].dtype, of, argument)})"
            text = all_of_them[0] if len(nodes) == 1 else f"{{ {' '.join(all_of_them)} }}"
            self.line(f"if (__builtin_expect({far}, 0)) {text}", s)
        return [Value(names, nodes[0].dtype, True) for names in named]

    def chosen(self, dtype: DType, mask: Value, a: Value, b: Value) -> Value:
        """The value of a where a condition holds, of b elsewhere."""
        if not (mask.varying or a.varying or b.varying):
            return self.uniform(dtype, f"{mask.texts[0]} ? {a.texts[0]} : {b.texts[0]}")
        sides = range(self.shape.sides)
        if dtype.kind != "b" and not self.shape.has(dtype):
            texts = [f"{self.lane(mask, s)} ? {self.lane(a, s)} : {self.lane(b, s)}" for s in sides]
            return self.by_lane(dtype, texts)
        return self.vectors(dtype, [self._chosen(dtype, mask, a, b, s) for s in sides])

    def _chosen(self, dtype: DType, mask: Value, a: Value, b: Value, side: int) -> str:
        x, y = self.operand(a, side), self.operand(b, side)
        if dtype.kind == "b":
            m = self.operand(mask, side)
            return f"(ft_{self.shape.mask})(({m} & {x}) | (~{m} & {y}))"
        return f"ft_sel_{self.shape.named(dtype)}({self.operand(mask, side, 8 * dtype.itemsize)}, {x}, {y})"

    def both(self, a: Value, b: Value) -> Value:
        """Where two conditions hold."""
        if not (a.varying or b.varying):
            return self.uniform(dtypes.bool_, f"{a.texts[0]} && {b.texts[0]}")
        sides = range(self.shape.sides)
        texts = [f"(ft_{self.shape.mask})({self.operand(a, s)} & {self.operand(b, s)})" for s in sides]
        return self.vectors(dtypes.bool_, texts)
