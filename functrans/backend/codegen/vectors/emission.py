"""C of a loop of vectors: some vectors a round, statement by statement, and the rest under a mask.

Of a few vectors there is no loop. Elements that belong to no round are zeros where they are read, and are not written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from functrans import dtypes
from functrans.backend.codegen import spelling
from functrans.backend.codegen.spelling import ELEMENTARY, WAVES, ctype, literal
from functrans.backend.codegen.vectors.analysis import Body
from functrans.backend.codegen.vectors.functions import is_far
from functrans.backend.codegen.vectors.spelling import KINDS, compared, mask_bytes, shape_of, spell, splat, type_of
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort

UNROLLED = 64  # statements of vectors that are written without a loop
NARROWEST = 16  # bytes of a vector
FUNCTION = 16  # of which an elementary function counts as many
SIDES, LONG = 4, 200  # vectors a round of a loop, that values need not wait; of a body of so many statements at most
DEEP = 64  # statements from which on a vector by itself waits for its own values


@dataclass(frozen=True)
class Around:
    """What the C around a loop knows. ``names`` says what the nodes before it are called, ``fresh`` makes a new name;
    ``room`` is for how many elements a local array has memory. ``watched`` are arrays of maxima or minima, each with
    the mask that says where there was a NaN: a test in each of them would stand in the chain that the rest of the row
    waits for. Those that are ``empty`` have taken in nothing yet. A ``window`` says from where to where the loop goes,
    where not from 0 to its end.
    """

    names: Callable[[UOp], str]
    fresh: Callable[[], str]
    room: Callable[[UOp], int]
    watched: Mapping[UOp, str]
    window: tuple[str, str] | None = None
    empty: Collection[UOp] = ()


class VectorWriter:
    """The lines of a loop, in vectors of so many numbers."""

    def __init__(self, body: Body, lanes: int, variable: str, around: Around) -> None:
        self.body, self.lanes, self.variable, self.around = body, lanes, variable, around
        self.lines: list[str] = []
        self.inside = set(body.items)
        self.written = {u for u in body.items if self._is_written(u)}
        self.taken = self._taken()
        self.text: dict[UOp, str] = {}  # of what is the same in every round
        self.wide: dict[UOp, str] = {}  # of that as a vector
        self.bytes = self._bytes()

    def run(self) -> list[str]:
        """The lines."""
        self._uniform()
        if not self.body.is_counted or self.around.window:
            self._until_told()
            return self.lines
        whole, rest = divmod(self.body.rounds, self.lanes)
        sides = self._sides()
        looped = whole // sides * sides if self._size() * (whole + (rest > 0)) > UNROLLED else 0
        if self._size() > DEEP and whole + (rest > 0) == looped + 1:
            looped -= sides
        if looped > sides:
            i, step = self.variable, sides * self.lanes
            self._loop(f"long long {i} = 0; {i} < {looped * self.lanes}; {i} += {step}", sides)
        else:
            looped = 0
        parts = [_Part(k * self.lanes) for k in range(looped, whole)]
        narrow = self._narrow(rest)
        if rest and narrow == self.lanes:
            parts.append(_Part(whole * self.lanes, first=rest))
        for some in _even(parts, sides):
            self._vectors(some, "")
        if rest and narrow < self.lanes:
            last = VectorWriter(self.body, narrow, self.variable, self.around)
            last.text, last.lines = self.text, self.lines
            last._vectors([_Part(whole * self.lanes, first=rest % narrow)], "")
        return self.lines

    def _until_told(self) -> None:
        """Vectors up to an end that only the call knows: several a round, then one, then what is left."""
        i, lanes, sides = self.variable, self.lanes, self._sides()
        start, end = self.around.window or ("0", self.around.fresh())
        if not self.around.window:
            self.lines.append(f"const long long {end} = {self.around.names(self.body.loop.src[0])};")
        self.lines.append(f"long long {i} = {start};")
        for n in dict.fromkeys((sides, 1)):
            self._loop(f"; {i} <= {end} - {n * lanes}; {i} += {n * lanes}", n)
        self.lines.append(f"if ({i} < {end}) {{")
        self._vectors([_Part(0, i, f"(int)({end} - {i})")], "  ")
        self.lines.append("}")

    def _loop(self, head: str, sides: int) -> None:
        self.lines.append(f"for ({head}) {{")
        self._vectors([_Part(k * self.lanes, self.variable) for k in range(sides)], "  ")
        self.lines.append("}")

    def _narrow(self, rest: int) -> int:
        """The length of the vector of the rest. A shorter one is divided sooner; but what is stored in parts is not
        soon read as a whole, and a deep one goes beside others.
        """
        if self._size() > DEEP or any(u.src[0].src[0].op is not Ops.DEFINE_GLOBAL for u in self.body.items if u.op is Ops.STORE):
            return self.lanes
        least = NARROWEST // self.body.narrowest
        return min(self.lanes, max(least, 1 << (rest - 1).bit_length()))

    def _sides(self) -> int:
        """Vectors a round: a multiple of what there are accumulators."""
        slots = max((self.body.slots(u.src[1]) for u in self.body.items if u.op is Ops.INDEX), default=0)
        return max(slots // self.lanes, SIDES if self._size() <= LONG else 1)

    def _size(self) -> int:
        return sum(FUNCTION if u.op in ELEMENTARY else 1 for u in self.written)

    def _bytes(self) -> dict[UOp, int]:
        """Of numbers of how many bytes each mask says yes or no."""
        found: dict[UOp, int] = {}
        for u in self.body.items:
            if u.dtype == dtypes.bool_ and u in self.body.varying and u.op is not Ops.INDEX:
                found[u] = mask_bytes(u, lambda s: found.get(s, 0), self.body.widest)
        return found

    def _shape(self, dtype: DType) -> str:
        return shape_of(dtype, self.lanes)

    def _of(self, dtype: DType) -> str:
        """What the names of functions of such numbers end on."""
        return f"{KINDS[dtype.kind]}{self._shape(dtype)}"

    def _is_written(self, u: UOp) -> bool:
        """Whether a statement is one on vectors."""
        if u.op is Ops.INDEX or _is_place(u):
            return False
        return u in self.body.varying or u.op in (Ops.STORE, Ops.ASSIGN)

    def _taken(self) -> set[UOp]:
        """The statements that take an element into an accumulator, and what depends on those: all, where a value of a
        round changes in it.
        """
        found: set[UOp] = set()
        arrays: set[UOp] = set()  # that they write
        for u in self.body.items:
            array, place = u.src[0].src if u.op in (Ops.LOAD, Ops.STORE) else (None, None)
            own = place is not None and (array in arrays or self.body.slots(place))
            if own or (u in self.written and not found.isdisjoint(u.src)):
                found.add(u)
                if u.op is Ops.STORE and array is not None:
                    arrays.add(array)
        changes = any(u.op is Ops.DEFINE_ACC for u in self.body.items)
        return self.written if found and changes else found

    # what is the same in every round

    def _uniform(self) -> None:
        for u in self.body.items:
            if u in self.body.varying or u.op in (Ops.STORE, Ops.INDEX, Ops.ASSIGN) or _is_place(u):
                continue
            if u.op is Ops.CONST:
                self.text[u] = literal(u.dtype, u.arg)
                continue
            if u.op is Ops.LOAD:
                value = self._element(u.src[0], "0")
                if len(u.src) > 1:
                    value = f"({self._number(u.src[2])} ? {value} : {self._number(u.src[1])})"
            else:
                value = spelling.spell(u, [self._number(s) for s in u.src])
            self.text[u] = self.around.fresh()
            self.lines.append(f"const {ctype(u.dtype)} {self.text[u]} = {value};")

    def _number(self, node: UOp) -> str:
        """What a number that is the same in every round is called."""
        if node in self.text:
            return self.text[node]
        if node.op is Ops.CONST:
            return literal(node.dtype, node.arg)
        return self._place(node, "0") if _is_place(node) and node in self.inside else self.around.names(node)

    def _everywhere(self, node: UOp) -> str:
        """A number in all lanes."""
        if node.op is Ops.CONST:
            return splat(node.dtype, self._shape(node.dtype), literal(node.dtype, node.arg))
        if node not in self.wide:
            self.wide[node] = splat(node.dtype, self._shape(node.dtype), self._number(node))
        return self.wide[node]

    # addresses

    def _element(self, index: UOp, at: str) -> str:
        """An element of an array, with the loop variable at some value."""
        array, place = index.src
        return f"{self.around.names(array)}[{self._place(place, at)}]"

    def _place(self, place: UOp, at: str) -> str:
        text: dict[UOp, str] = {self.body.loop: at}
        for u in toposort((place,), enter=self.inside.__contains__):
            if u not in text:
                if u.op is Ops.CONST:
                    text[u] = literal(u.dtype, u.arg)
                elif u in self.text:  # a number that was read
                    text[u] = self.text[u]
                elif u in self.inside:
                    text[u] = spelling.spell(u, [text[s] for s in u.src])
                else:
                    text[u] = self._number(u)
        return text[place]

    def _address(self, index: UOp, part: _Part) -> str:
        slots = self.body.slots(index.src[1])
        if slots:
            return f"&{self.around.names(index.src[0])}[{part.start % slots}]"
        return f"&{self._element(index, part.text)}"

    def _within(self, index: UOp, part: _Part) -> tuple[int, int] | None:
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

    # vectors

    def _vectors(self, parts: list[_Part], indent: str) -> None:
        """The statements of the body for some vectors, side by side."""
        for u in self.body.items:
            if u in self.written and u not in self.taken:
                for part in parts:
                    self._write(u, part, indent)
                self._far(u, parts, indent)
        for part in parts:  # several of them may go to the same accumulators
            for u in self.body.items:
                if u in self.taken:
                    self._write(u, part, indent)
                    self._far(u, [part], indent)

    def _write(self, u: UOp, part: _Part, indent: str) -> None:
        """One statement for one vector."""
        self._watch(u, part, indent)
        self.lines.append(indent + self._statement(u, part))

    def _far(self, u: UOp, parts: list[_Part], indent: str) -> None:
        """Functions that were written for near arguments once more, where one is far."""
        if u.op in WAVES:
            shape = self._shape(u.dtype)
            masks = [is_far(u.dtype, shape, self._operand(u.src[0], part)) for part in parts]
            self.lines.append(f"{indent}if (__builtin_expect(ft_any_m{shape}({' | '.join(masks)}), 0)) {{")
            for part in parts:
                x, name = self._operand(u.src[0], part), part.names[u]
                self.lines.append(f"{indent}  {name} = ft_{u.op.name.lower()}far_f{shape}({x});")
            self.lines.append(f"{indent}}}")

    def _watch(self, u: UOp, part: _Part, indent: str) -> None:
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

    def _operand(self, node: UOp, part: _Part) -> str:
        if node in part.names:
            return part.names[node]
        if node.dtype == dtypes.index and node in self.body.varying:
            return self._index(node, part)
        return self._everywhere(node)

    def _index(self, node: UOp, part: _Part) -> str:
        """What moves by a constant from round to round, as numbers."""
        of = self._of(node.dtype)
        first = self._place(node, part.variable or "0")
        return f"(ft_splat_{of}({first}) + {self._steps(of, part, self.body.stride(node) or 0)})"

    def _steps(self, of: str, part: _Part, stride: int) -> str:
        return f"(ft_{of}){{{', '.join(str((part.start + k) * stride) for k in range(self.lanes))}}}"

    def _places_compared(self, u: UOp, part: _Part, bytes_: int) -> str:
        """A comparison of places: of how far they have moved with how far they were apart."""
        of, at = f"i{8 * bytes_}x{self.lanes}", part.variable or "0"
        a, b = (self._place(s, at) if s in self.inside or s is self.body.loop else self._number(s) for s in u.src)
        slope = (self.body.stride(u.src[0]) or 0) - (self.body.stride(u.src[1]) or 0)
        return compared(u.op, of, self._steps(of, part, slope), f"ft_within_{of}({b} - {a})")

    def _mask(self, node: UOp, part: _Part, bytes_: int) -> str:
        """A mask, for numbers of so many bytes."""
        own, text = self.bytes[node], self._operand(node, part)
        if own == bytes_:
            return text
        return f"ft_{'wide' if own < bytes_ else 'narrow'}_m{8 * bytes_}x{self.lanes}({text})"

    def _statement(self, u: UOp, part: _Part) -> str:
        if u.op is Ops.STORE:
            return self._store(u, part)
        if u.op is Ops.ASSIGN:
            part.names[u] = part.names[u.src[0]]
            return f"{part.names[u]} = {self._operand(u.src[1], part)};"
        if u.op is Ops.DEFINE_ACC:
            part.names[u] = self.around.fresh()
            return f"{type_of(u.dtype, self._shape(u.dtype))} {part.names[u]} = {self._everywhere(u.src[0])};"
        text = self._load(u, part) if u.op is Ops.LOAD else self._value(u, part)
        part.names[u] = self.around.fresh()
        shape = f"{8 * self.bytes[u]}x{self.lanes}" if u in self.bytes else self._shape(u.dtype)
        return f"{'' if u.op in WAVES else 'const '}{type_of(u.dtype, shape)} {part.names[u]} = {text};"

    def _value(self, u: UOp, part: _Part) -> str:
        bytes_ = self._width(u)

        def operand(node: UOp) -> str:
            return self._mask(node, part, bytes_) if node.dtype == dtypes.bool_ else self._operand(node, part)

        if u.op is Ops.WHERE and u.src[0] not in self.body.varying:
            return f"({self._number(u.src[0])} ? {operand(u.src[1])} : {operand(u.src[2])})"
        if u.src[0].dtype == dtypes.index and u.dtype == dtypes.bool_:
            return self._places_compared(u, part, bytes_)
        found = self._watched(u)
        if found is not None:
            first = self._is_first(found[0], part)
            return (
                operand(found[1]) if first else f"ft_{EXTREMES[u.op]}_{self._of(u.dtype)}({', '.join(map(operand, u.src))})"
            )
        return spell(u, operand, f"{8 * bytes_}x{self.lanes}", part.names)

    def _width(self, u: UOp) -> int:
        """The bytes of the numbers that an op works on, or a mask of which it makes."""
        return self.bytes.get(u, u.dtype.itemsize)

    def _is_first(self, accumulators: UOp, part: _Part) -> bool:
        """Whether an element is the first one that its accumulators take in: of it and what those begin from, an
        infinity, it is the one that is chosen, NaN or not.
        """
        array, place = accumulators.src
        first = array in self.around.empty and not part.variable and part.start < self.body.slots(place)
        return first and not part.first

    def _load(self, u: UOp, part: _Part) -> str:
        index, of = u.src[0], self._of(u.dtype)
        if len(u.src) == 1:
            return self._read(index, part)
        other, gate = self._everywhere(u.src[1]), u.src[2]
        if gate not in self.body.varying:
            return f"({self._number(gate)} ? {self._read(index, part)} : {other})"
        mask = self._mask(gate, part, u.dtype.itemsize)
        if part.first:
            mask = f"({mask} & ft_first_m{self._shape(u.dtype)}({part.first}))"
        found = f"ft_loadif_{of}({self._address(index, part)}, {mask})"
        return found if u.src[1].op is Ops.CONST and u.src[1].arg == 0 else f"ft_sel_{of}({mask}, {found}, {other})"

    def _read(self, index: UOp, part: _Part) -> str:
        """Elements, whatever the condition under which they are read."""
        address, within, of = self._address(index, part), self._within(index, part), self._of(index.dtype)
        stride = 1 if self.body.slots(index.src[1]) else self.body.stride(index.src[1])
        if stride != 1:
            if part.first:
                return f"ft_everyfirst_{of}({address}, {stride}, {part.first})"
            return f"ft_{_NEAR[stride]}_{of}({address})" if stride in _NEAR else f"ft_every_{of}({address}, {stride})"
        if index.dtype == dtypes.bool_:
            end = f"_m{8 * self.body.widest}x{self.lanes}"
            return f"ft_bytesfirst{end}({address}, {part.first})" if part.first else f"ft_bytes{end}({address})"
        if not part.first or (within is not None and within[0] <= within[1]):
            return f"ft_load_{of}({address})"
        return f"ft_loadfirst_{of}({address}, {part.first})"

    def _store(self, u: UOp, part: _Part) -> str:
        index, value = u.src[0], self._operand(u.src[1], part)
        address, within = self._address(index, part), self._within(index, part)
        if index.dtype == dtypes.bool_:
            end = f"_m{8 * self.bytes[u.src[1]]}x{self.lanes}({address}, {value}"
            return f"ft_putfirst{end}, {part.first});" if part.first else f"ft_put{end});"
        of, shape = self._of(index.dtype), self._shape(index.dtype)
        if part.first and (within is None or within[0] > within[1]):
            return f"ft_storefirst_{of}({address}, {value}, {part.first});"
        if within is not None and isinstance(part.first, int) and self._is_more(index, within[0], part.first):
            value = f"ft_sel_{of}(ft_first_m{shape}({part.first}), {value}, ft_load_{of}({address}))"
        return f"ft_store_{of}({address}, {value});"


    def _is_more(self, index: UOp, end: int, first: int) -> bool:
        """Whether an array goes on behind the first elements of a vector that ends there."""
        return 0 < first < self.lanes and end - self.lanes + first < index.src[0].arg.elements


def _even(parts: list[_Part], most: int) -> list[list[_Part]]:
    """So many at a time at most, and as many each time as can be."""
    times = -(-len(parts) // most)
    size = -(-len(parts) // max(times, 1))
    return [parts[k : k + size] for k in range(0, len(parts), size)] if parts else []


class _Part:
    """One vector: its first round, from that of the loop on if there is one; how many rounds it has, if not all."""

    def __init__(self, start: int, variable: str = "", first: int | str = 0) -> None:
        self.start, self.variable, self.first = start, variable, first
        self.text = str(start) if not variable else f"({variable} + {start})" if start else variable
        self.names: dict[UOp, str] = {}


def _is_place(u: UOp) -> bool:
    return u.dtype == dtypes.index


_NEAR = {-1: "back", 2: "even"}
EXTREMES = {Ops.MAX: "larger", Ops.MIN: "smaller"}


def fold_lines(
    node: UOp, lanes: int, array: str, fresh: Callable[[], str], watched: str = ""
) -> tuple[list[str], str]:  # fmt: skip
    """The lines that fold an array, and the name of the result; ``watched`` is the mask of where there was a NaN."""
    shape, op = shape_of(node.dtype, lanes), node.arg
    stem, of = EXTREMES[op] if watched else op.name.lower(), f"{KINDS[node.dtype.kind]}{shape}"
    pair = _INFIX.get(op, f"ft_{stem}_{of}({{}}, {{}})")
    left = [f"ft_load_{of}(&{array}[{k}])" for k in range(0, node.src[0].arg.elements, lanes)]
    while len(left) > 1:
        half = len(left) // 2
        left = [pair.format(a, b) for a, b in zip(left[:half], left[half:], strict=True)]
    name, kind = fresh(), ctype(node.dtype)
    lines = [f"const {kind} {name} = ft_fold{stem}_{of}({left[0]});"]
    if op in EXTREMES and node.dtype.kind == "f":  # of several NaN it is none of them
        raw, name = name, fresh()
        told = f"ft_any_m{shape}({watched})" if watched else f"{raw} != {raw}"
        lines.append(f"const {kind} {name} = ft_nanif_f{shape}({raw}, {told});")
    return lines, name


_INFIX = {Ops.ADD: "({} + {})", Ops.MUL: "({} * {})"}
