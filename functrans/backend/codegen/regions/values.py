"""Values and arrays in C: uniform ones as numbers, varying ones as vectors, one for each side.

A boolean that varies is a mask. What has no instruction on vectors is computed lane by lane, by the text that numbers
have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans._records import record
from functrans.backend.codegen.regions.lines import SHARED, Lines
from functrans.backend.codegen.regions.tree import Array, Part
from functrans.backend.codegen.spelling import ELEMENTARY_NAMES, WAVES, ctype, element, literal
from functrans.backend.codegen.spelling import spell as spell_number
from functrans.backend.codegen.vectors.functions import is_far
from functrans.backend.codegen.vectors.spelling import has_spelling, shape_of, spell, splat, type_of
from functrans.backend.policy import NARROWEST_BYTES, SMALL_ARRAY
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp


class Value(NamedTuple):
    """A value: the C of it, one text if it is uniform, else one for each side."""

    texts: tuple[str, ...]
    dtype: DType
    varying: bool


@record
class Shape:
    """How many lanes a vector has, how many vectors stand side by side, and the bits of the numbers that fill one."""

    lanes: int
    sides: int
    bits: int

    @property
    def mask(self) -> str:
        """The end of the names of what works on masks."""
        return f"m{self.bits}x{self.lanes}"

    def of(self, dtype: DType) -> str:
        """The end of the names of what works on vectors of a dtype."""
        return shape_of(_stored(dtype), self.lanes)

    def type(self, dtype: DType) -> str:
        """The C type of a vector; of booleans a mask."""
        return f"ft_{self.mask}" if dtype.kind == "b" else type_of(_stored(dtype), self.of(dtype))

    def has(self, dtype: DType) -> bool:
        """Whether there are vectors of so many numbers of a dtype, of the machine's: none shorter or longer."""
        size = _stored(dtype).itemsize
        return dtype.kind in "fiux" and size in (4, self.bits // 8) and self.lanes * size >= NARROWEST_BYTES

    def same(self, dtype: DType, text: str) -> str:
        """A number in all lanes."""
        if dtype.kind == "b":
            return f"ft_same_{self.mask}({text})"
        return splat(_stored(dtype), self.of(dtype), text)


def _stored(dtype: DType) -> DType:
    return dtypes.int64 if dtype.kind == "x" else dtype


_INTEGERS = {Ops.ADD: "+", Ops.SUB: "-", Ops.MUL: "*", Ops.AND: "&", Ops.OR: "|", Ops.XOR: "^"}
_COMPARED = {Ops.CMPLT: "lt", Ops.CMPLE: "le", Ops.CMPEQ: "eq", Ops.CMPNE: "ne"}


class Values(Lines):
    """Writes values: C lines, and names that are new."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape.sides)
        self.shape = shape
        self.count = 0

    def fresh(self) -> str:
        """A name for a value."""
        self.count += 1
        return f"v{self.count}"

    # values

    def constant(self, dtype: DType, value: object) -> Value:
        """A number."""
        return Value((literal(dtype, value),), dtype, False)  # type: ignore[arg-type]

    def operand(self, v: Value, side: int) -> str:
        """A value as a vector."""
        return v.texts[side] if v.varying else self.shape.same(v.dtype, v.texts[0])

    def lane(self, v: Value, side: int) -> str:
        """A value in lane k."""
        if not v.varying:
            return v.texts[0]
        if v.dtype.kind == "b":
            return f"ft_bit_{self.shape.mask}({v.texts[side]}, k)"
        return f"{v.texts[side]}[k]"

    def uniform(self, dtype: DType, text: str) -> Value:
        """A uniform value, as a variable."""
        name = self.fresh()
        self.line(f"const {_number(dtype)} {name} = {text};", SHARED)
        return Value((name,), dtype, False)

    def vectors(self, dtype: DType, texts: Sequence[str]) -> Value:
        """A varying value, as variables."""
        name = self.fresh()
        names = tuple(f"{name}_{s}" for s in range(self.shape.sides))
        for s, (n, text) in enumerate(zip(names, texts, strict=True)):
            self.line(f"const {self.shape.type(dtype)} {n} = {text};", s)
        return Value(names, dtype, True)

    def by_lane(self, dtype: DType, texts: Sequence[str]) -> Value:
        """A varying value that C of lane k makes, for each side."""
        name = self.fresh()
        names = []
        for s, text in enumerate(texts):
            own = f"{name}_{s}"
            names.append(own)
            if dtype.kind == "b":
                self.line(f"unsigned char {own}_q[{self.shape.lanes}];", s)
                self._each(f"{own}_q[k] = {text};", s)
                self.line(f"const {self.shape.type(dtype)} {own} = ft_bytes_{self.shape.mask}({own}_q);", s)
            else:
                self.line(f"{self.shape.type(dtype)} {own};", s)
                self._each(f"{own}[k] = {text};", s)
        return Value(tuple(names), dtype, True)

    def _each(self, text: str, side: int) -> None:
        self.line(f"for (int k = 0; k < {self.shape.lanes}; k++) {text}", side)

    def op(self, node: UOp, operands: Sequence[Value]) -> Value:
        """An elementwise op of values."""
        if not any(v.varying for v in operands):
            return self.uniform(node.dtype, spell_number(node, [v.texts[0] for v in operands]))
        sides = range(self.shape.sides)
        if self._on_vectors(node):
            if node.op in WAVES:
                return self.waves([node], operands[0])[0]
            return self.vectors(node.dtype, [self._spelled(node, operands, s) for s in sides])
        return self.by_lane(node.dtype, [spell_number(node, [self.lane(v, s) for v in operands]) for s in sides])

    def waves(self, nodes: Sequence[UOp], x: Value) -> list[Value]:
        """Sines, cosines and tangents of a vector: those of near arguments, and where one is far those of all."""
        v, of = self.shape.type(nodes[0].dtype), self.shape.of(nodes[0].dtype)
        stems = [self.fresh() for _ in nodes]
        for s, argument in enumerate(x.texts):
            all_of_them = []
            for node, stem in zip(nodes, stems, strict=True):
                self.line(f"{v} {stem}_{s} = {self._spelled(node, [x], s)};", s)
                all_of_them.append(f"{stem}_{s} = ft_{ELEMENTARY_NAMES[node.op]}far_f{of}({argument});")
            far = f"ft_any_m{of}({is_far(nodes[0].dtype, of, argument)})"
            text = all_of_them[0] if len(nodes) == 1 else f"{{ {' '.join(all_of_them)} }}"
            self.line(f"if (__builtin_expect({far}, 0)) {text}", s)
        sides = range(self.shape.sides)
        return [Value(tuple(f"{stem}_{s}" for s in sides), nodes[0].dtype, True) for stem in stems]

    def _on_vectors(self, node: UOp) -> bool:
        """Whether there is C of an op on vectors."""
        kinds = {s.dtype.kind for s in (node, *node.src)}
        bits = {8 * _stored(s.dtype).itemsize for s in (node, *node.src) if s.dtype.kind != "b"}
        if node.op in GroupOp.Custom:
            return False
        if bits - {self.shape.bits}:  # of shorter numbers than the masks are for, or from one width to the other
            numbers = [s.dtype for s in (node, *node.src) if s.dtype.kind != "b"]
            fits = kinds <= {"f", "i", "b"} and all(map(self.shape.has, numbers))
            return fits and (len(bits) == 1 or node.op is Ops.CAST) and has_spelling(node)
        if kinds <= {"f", "b"}:
            return has_spelling(node)
        if node.op is Ops.CAST:
            return (node.src[0].dtype.kind in "ix" and node.dtype.kind in "fix") or node.src[0].dtype.kind == "b"
        if not kinds <= {"i", "x", "b"}:
            return False
        return node.op in _INTEGERS or node.op in _COMPARED or node.op in (Ops.WHERE, Ops.NEG, Ops.MAX, Ops.MIN)

    def _spelled(self, node: UOp, operands: Sequence[Value], side: int) -> str:
        kinds = {s.dtype.kind for s in (node, *node.src)}
        a = [self.operand(v, side) for v in operands]
        bits = {8 * _stored(s.dtype).itemsize for s in (node, *node.src) if s.dtype.kind != "b"}
        if bits - {self.shape.bits}:
            number = node.src[0].dtype if node.dtype.kind == "b" else node.dtype
            a = [self._mask_for(number, x) if s.dtype.kind == "b" else x for s, x in zip(node.src, a, strict=True)]
            text = spell(node, dict(zip(node.src, a, strict=True)).__getitem__, self.shape.of(number))
            wide = node.dtype.kind == "b" and 8 * number.itemsize != self.shape.bits
            return f"ft_wide_{self.shape.mask}({text})" if wide else text
        if kinds <= {"f", "b"}:
            of = dict(zip(node.src, a, strict=True))
            return spell(node, of.__getitem__, self._shape(node))
        shape = self.shape.of(dtypes.int64 if self.shape.bits == 64 else dtypes.int32)
        if node.op is Ops.CAST:
            return self._converted(node, a[0])
        if node.op in (Ops.MAX, Ops.MIN):
            a = [f"ft_lt_i{shape}({a[0]}, {a[1]})", *(a if node.op is Ops.MIN else reversed(a))]
        if node.op in (Ops.WHERE, Ops.MAX, Ops.MIN):
            return f"(ft_i{shape})ft_sel_f{shape}({a[0]}, (ft_f{shape}){a[1]}, (ft_f{shape}){a[2]})"
        if node.op in _COMPARED:
            return f"ft_{_COMPARED[node.op]}_i{shape}({a[0]}, {a[1]})"
        return f"(-{a[0]})" if node.op is Ops.NEG else f"({a[0]} {_INTEGERS[node.op]} {a[1]})"

    def _shape(self, node: UOp) -> str:
        numbers = [s.dtype for s in (node, *node.src) if s.dtype.kind != "b"]
        return self.shape.of(numbers[0]) if numbers else f"{self.shape.bits}x{self.shape.lanes}"

    def _converted(self, node: UOp, x: str) -> str:
        if node.src[0].dtype.kind == "b":
            one, zero = (self.shape.same(node.dtype, literal(node.dtype, n)) for n in (1, 0))
            return self.select(node.dtype, x, one, zero)
        return x if node.dtype.kind in "ix" else f"__builtin_convertvector({x}, {self.shape.type(node.dtype)})"

    def chosen(self, dtype: DType, mask: Value, a: Value, b: Value) -> Value:
        """The value of a where a condition holds, of b elsewhere."""
        if not (mask.varying or a.varying or b.varying):
            return self.uniform(dtype, f"{mask.texts[0]} ? {a.texts[0]} : {b.texts[0]}")
        sides = range(self.shape.sides)
        if dtype.kind != "b" and not self.shape.has(dtype):
            texts = [f"{self.lane(mask, s)} ? {self.lane(a, s)} : {self.lane(b, s)}" for s in sides]
            return self.by_lane(dtype, texts)
        texts = [self.select(dtype, self.operand(mask, s), self.operand(a, s), self.operand(b, s)) for s in sides]
        return self.vectors(dtype, texts)

    def _mask_for(self, dtype: DType, mask: str) -> str:
        """A mask for numbers that may be half as long as those that masks are for."""
        bits = 8 * _stored(dtype).itemsize
        return mask if bits == self.shape.bits else f"ft_narrow_m{bits}x{self.shape.lanes}({mask})"

    def select(self, dtype: DType, mask: str, a: str, b: str) -> str:
        """The numbers of a where a mask says yes, of b elsewhere."""
        if dtype.kind == "b":
            return f"(ft_{self.shape.mask})(({mask} & {a}) | (~{mask} & {b}))"
        own, mask = self.shape.of(dtype), self._mask_for(dtype, mask)
        if dtype.kind == "f":
            return f"ft_sel_f{own}({mask}, {a}, {b})"
        v = self.shape.type(dtype)
        return f"({v})ft_sel_f{own}({mask}, (ft_f{own}){a}, (ft_f{own}){b})"


def _number(dtype: DType) -> str:
    return "long long" if dtype.kind == "x" else ctype(dtype)


def is_variables(array: Array) -> bool:
    """Whether the elements of an array are variables."""
    return array.is_own and not array.moving and array.elements <= SMALL_ARRAY


def variable(array: Array, element_at: int, side: int) -> str:
    """The variable of an element."""
    return f"{array.name}_{element_at}_{side}" if array.varying else f"{array.name}_{element_at}"


def kind_of(array: Array, shape: Shape) -> str:
    """The C type of what an array holds."""
    return shape.type(array.dtype) if array.varying else element(array.dtype)


def bytes_of(array: Array, shape: Shape) -> int:
    """The memory that an element of a side takes, at the most."""
    if not array.varying:
        return array.dtype.itemsize
    return shape.lanes * (shape.bits // 8 if array.dtype.kind == "b" else _stored(array.dtype).itemsize)


def place_of(part: Part, place: str) -> str:
    """The C of a place in a part of an array."""
    return f"{part.offset} + {place}" if part.offset and place != "0" else part.offset or place
