"""Reads and writes of arrays: variables, arrays of vectors of the program's own, and arrays that the kernel is given.

Of a given array each lane has its own row: lane k of side s reads row ``p<axes>_<s>[k]``. Lanes past the last one are
that one once more, and write what it writes.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.regions.tree import Array, Part
from functrans.backend.codegen.spelling import element, literal
from functrans.backend.codegen.vectors.spelling import held_as
from functrans.backend.codegen.vectors.values import Shape, Value, Values
from functrans.backend.policy import SMALL_ARRAY
from functrans.dtypes import DType
from functrans.ops.uop import UOp


class Memory(Values):
    """Writes reads and writes."""

    def __init__(self, shape: Shape, row_of: dict[Array, str]) -> None:
        super().__init__(shape)
        self.row_of = row_of  # of each given array with axes, how many elements a lane has
        self.scattered = False  # whether rows of full blocks are read or written one by one

    def declare(self, array: Array) -> None:
        """An array of the program's own."""
        kind, sides = kind_of(array, self.shape), range(self.shape.sides) if array.varying else [0]
        for s in sides:
            if is_variables(array):
                names = [variable(array, e, s) for e in range(array.elements)]
                if names:
                    self.line(f"{kind} {', '.join(names)};")
            else:
                self.line(f"{kind} {self.memory_of(array, s)}[{max(array.elements, 1)}];")

    def memory_of(self, array: Array, side: int) -> str:
        """The C array of a side."""
        return f"{array.name}_{side}" if array.varying else array.name

    def load(self, part: Part, place: Value, fixed: int | None) -> Value:
        """The element at a place of a part, ``fixed`` if that is known."""
        array = part.array
        if array.number is not None:
            return Value((literal(array.dtype, array.number.arg),), array.dtype, False)
        if is_variables(array):
            assert fixed is not None
            return self._variables(array, fixed)
        if array.axes:
            return self._gathered(part, place)
        if place.varying:
            return self._picked(part, place)
        at = place_of(part, place.texts[0])
        if not array.varying:
            return self.uniform(array.dtype, f"{array.name}[{at}]")
        sides = range(self.shape.sides)
        return self.vectors(array.dtype, [f"{self.memory_of(array, s)}[{at}]" for s in sides])

    def _variables(self, array: Array, fixed: int) -> Value:
        if not array.varying:
            return self.uniform(array.dtype, variable(array, fixed, 0))
        return self.vectors(array.dtype, [variable(array, fixed, s) for s in range(self.shape.sides)])

    def _picked(self, part: Part, place: Value) -> Value:
        """Each lane another element of an array that is not the lanes' own."""
        array, texts = part.array, []
        for s in range(self.shape.sides):
            at = place_of(part, self.lane(place, s))
            if not array.varying:
                texts.append(f"{array.name}[{at}]")
            elif array.dtype.kind == "b":
                texts.append(f"ft_bit_{self.shape.mask}({self.memory_of(array, s)}[{at}], k)")
            else:
                texts.append(f"{self.memory_of(array, s)}[{at}][k]")
        return self.by_lane(held_as(array.dtype), texts)

    def _row(self, part: Part, place: Value, side: int) -> str:
        """The place of lane k in a given array."""
        array = part.array
        assert array.axes
        at = place_of(part, self.lane(place, side))
        return f"{array.name}[{positions(array.axes)}_{side}[k] * ({self.row_of[array]}) + {at}]"

    def _lies_so(self, part: Part, place: Value) -> bool:
        return self.row_of[part.array] == "1" and part.array.axes == self.every and not place.varying

    def _is_contiguous(self, part: Part, place: Value) -> bool:
        dtype = part.array.dtype
        return self._lies_so(part, place) and dtype.kind in "fiu" and dtype == held_as(dtype)

    def _is_column(self, part: Part, place: Value) -> bool:
        """Whether what full blocks read or write is vectors."""
        return self._is_contiguous(part, place) and self.shape.has(part.array.dtype)

    def _is_written_as_column(self, part: Part, place: Value) -> bool:
        """The same of what is written, truths among them."""
        truths = part.array.dtype.kind == "b" and self._lies_so(part, place)
        return truths or self._is_column(part, place)

    def _column(self, part: Part, place: Value, side: int, first: str = "") -> str:
        """Where the elements of the lanes of a side lie side by side."""
        at = place_of(part, place.texts[0])
        offset = "" if at == "0" else f" + {at}"
        return f"{part.array.name} + {first or self._first_of(side)}{offset}"

    def _first_of(self, side: int) -> str:
        """The first round of a side."""
        return f"first + {side * self.shape.lanes}"

    def _declare_ends(self, end: str) -> None:
        """Of a block, full or not, where each vector begins and how many rounds it has: past the last one is that one
        again.
        """
        n = self.shape.lanes
        for s in range(self.shape.sides):
            begin = self._begin_of(s)
            if s:
                skipped = f"{end} - first > {s * n} ? {s * n} : ({end} - first - 1) / {n} * {n}"
                self.line(f"const long long {begin} = first + ({skipped});")
            self.line(f"const int left_{s} = {end} - {begin} < {n} ? (int)({end} - {begin}) : {n};")

    def _begin_of(self, side: int) -> str:
        """The first round of a vector of such a block."""
        return f"first_{side}" if side else "first"

    def _lane_in(self, side: int) -> str:
        """The round of its lane k."""
        return f"{self._begin_of(side)} + (k < left_{side} ? k : left_{side} - 1)"

    every: tuple[int, ...] = ()
    whole = False  # whether all blocks are full ones
    guard: Value | None = None  # which lanes write to arrays that the kernel is given; None for all

    def _gathered(self, part: Part, place: Value) -> Value:
        array, sides = part.array, range(self.shape.sides)
        texts = [self._row(part, place, s) for s in sides]
        dtype = held_as(array.dtype)
        if self._lies_so(part, place) and self._is_read_so(array.dtype):
            return self._column_read(part, place, texts)
        self.scattered = True
        if self._fills(part, place):
            texts = [f"ft_getrows_{self._rows_at(part, place, s, array.name)})" for s in sides]
            return self.vectors(array.dtype, texts)
        return self.by_lane(dtype, texts)

    def _is_read_so(self, dtype: DType) -> bool:
        """Whether there is a function that reads elements side by side as a vector."""
        return dtype.kind == "b" or held_as(dtype) != dtype or (dtype.kind in "fiu" and self.shape.has(dtype))

    def _column_read(self, part: Part, place: Value, texts: list[str]) -> Value:
        """Elements that lie side by side; ``texts`` says where those of lane k are, in blocks that are not full."""
        dtype = held_as(part.array.dtype)
        near = [self.near(part.array.dtype, self._column(part, place, s)) for s in range(self.shape.sides)]
        if self.whole:
            return self.vectors(dtype, near)
        name, v = self.fresh(), self.shape.type(dtype)
        names = tuple(f"{name}_{s}" for s in range(self.shape.sides))
        for s, text in enumerate(texts):
            if self._is_column(part, place):
                rest = self._column(part, place, s, self._begin_of(s))
                some = f"ft_loadsome_{self.shape.named(dtype)}({rest}, left_{s})"
                self.line(f"const {v} {names[s]} = full ? {near[s]} : {some};", s)
                continue
            own = f"{name}_q" if dtype.kind == "b" else names[s]
            each = f"for (int k = 0; k < {self.shape.lanes}; k++) {own}[k] = {text};"
            if dtype.kind == "b":
                each = f"{{ unsigned char {own}[{self.shape.lanes}]; {each} {names[s]} = {self.near(dtype, own)}; }}"
            self.line(f"{v} {names[s]};", s)
            self.line(f"if (full) {names[s]} = {near[s]}; else {each}", s)
        return Value(names, dtype, True, self.shape.bits)

    def store(self, part: Part, place: Value, fixed: int | None, value: Value, mask: Value | None = None) -> None:
        """Put an element at a place, where the mask says so."""
        array = part.array
        assert array.number is None
        if mask is not None and array.is_own and array.varying and not place.varying:
            value, mask = self.chosen(array.dtype, mask, value, self.load(part, place, fixed)), None
        if array.axes:
            if self.guard is not None:
                mask = self.guard if mask is None else self.both(mask, self.guard)
            self._scattered(part, place, value, mask)
        elif not array.varying:
            at = self._own(part, place, fixed, 0)
            # what all lanes share is the same for those that are here, of which there may be none
            gate = "" if mask is None else f"if ({self._any(mask) if mask.varying else mask.texts[0]}) "
            self.line(f"{gate}{at} = {value.texts[0]};")
        elif place.varying:
            self._placed(part, place, value, mask)
        else:
            for s in range(self.shape.sides):
                self.line(f"{self._own(part, place, fixed, s)} = {self.operand(value, s)};", s)

    def _own(self, part: Part, place: Value, fixed: int | None, side: int) -> str:
        """An element of an array of the program's own, or of one that lanes share."""
        if is_variables(part.array):
            return variable(part.array, fixed or 0, side)
        return f"{self.memory_of(part.array, side)}[{place_of(part, place.texts[0])}]"

    def _placed(self, part: Part, place: Value, value: Value, mask: Value | None) -> None:
        for s in range(self.shape.sides):
            own, array = self.memory_of(part.array, s), part.array
            at = f"{own}[{place_of(part, self.lane(place, s))}]"
            x = self.lane(value, s)
            if array.dtype.kind == "b":
                text = f"{at} = ft_setbit_{self.shape.mask}({at}, k, {x});"
            else:
                text = f"{at}[k] = {x};"
            self._where(mask, text, s)

    def _scattered(self, part: Part, place: Value, value: Value, mask: Value | None) -> None:
        cast = "" if held_as(part.array.dtype) == part.array.dtype else f"({element(part.array.dtype)})"
        for s in range(self.shape.sides):
            text = f"{self._row(part, place, s)} = {cast}{self.lane(value, s)};"
            if mask is None and value.varying and self._is_written_as_column(part, place):
                truths, at = part.array.dtype.kind == "b", self._column(part, place, s)
                given = self.operand(value, s) if truths else value.texts[s]
                near = self.put(part.array.dtype, at, given)
                rest = self.put(part.array.dtype, self._column(part, place, s, self._begin_of(s)), given, f"left_{s}")
                self.line(near if self.whole else f"if (full) {near} else {rest}", s)
                continue
            self.scattered = True
            if value.varying and self._fills(part, place, mask):
                to, given = self._rows_at(part, place, s, part.array.name), value.texts[s]
                end = "" if mask is None else f", {self.operand(mask, s, 8 * part.array.dtype.itemsize)}"
                self.line(f"ft_{'set' if mask is None else 'put'}rows_{to}, {given}{end});", s)
            else:
                self._where(mask, text, s)

    def _as_a_whole(self, source: Part, to: Part, elements: int, mask: Value | None) -> bool:
        """Whether elements that all lanes share went as one piece of memory."""
        arrays = source.array, to.array
        if source.array.number is not None or any(a.varying or a.axes for a in arrays):
            return False
        if kind_of(source.array, self.shape) != kind_of(to.array, self.shape):
            return False
        end, start = (f"{p.array.name}{f' + {p.offset}' if p.offset else ''}" for p in (to, source))
        gate = "" if mask is None else f"if ({self._any(mask) if mask.varying else mask.texts[0]}) "
        self.line(f"{gate}__builtin_memcpy({end}, {start}, {elements} * sizeof *{to.array.name});")
        return True

    def _by_rows(self, source: Part, to: Part, elements: int, mask: Value | None) -> bool:
        """Whether elements went between the rows of lanes and vectors of lanes, in squares that are transposed."""
        given, own, stem = (source, to, "rowsin") if source.array.axes else (to, source, "rowsout")
        if mask is not None:
            stem = {"rowsin": "rowstaken", "rowsout": "rowsput"}[stem]
        start = Value(("0",), dtypes.index, False)
        if not given.array.axes or own.array.axes or not own.array.varying or own.array.dtype != given.array.dtype:
            return False
        if self.guard is not None or not self._fills(given, start, mask) or self._is_contiguous(given, start):
            return False
        self.scattered = True
        offset = f" + {own.offset}" if own.offset else ""
        for s in range(self.shape.sides):
            rows = self._rows_at(given, start, s, given.array.name)
            where = "" if mask is None else f", {self.operand(mask, s, 8 * given.array.dtype.itemsize)}"
            self.line(f"ft_{stem}_{rows}, {elements}, {self.memory_of(own.array, s)}{offset}{where});", s)
        return True

    def _fills(self, part: Part, place: Value, mask: Value | None = None) -> bool:
        """Whether one element of the row of each lane fills a vector; a mask says of which lanes."""
        dtype = part.array.dtype
        each = mask is None or mask.varying
        return each and dtype.kind in "fiu" and self.shape.has(dtype) and not place.varying

    def _rows_at(self, part: Part, place: Value, side: int, given: str) -> str:
        """The end of the name of a function on rows, and its arguments up to the element of each row."""
        array = part.array
        assert array.axes
        rows = f"{positions(array.axes)}_{side}, {self.row_of[array]}, {place_of(part, place.texts[0])}"
        return f"{self.shape.named(array.dtype)}({given}, {rows}"

    def _rows(self) -> list[tuple[int, ...]]:
        """The axes that given arrays have, each once."""
        return list(dict.fromkeys(a.axes for a in self.row_of if a.axes))

    def _declare_rows(self) -> None:
        for axes in self._rows():
            for s in range(self.shape.sides):
                self.line(f"long long {positions(axes)}_{s}[{self.shape.lanes}] = {{0}};")  # some row, at first

    def _set_rows(self, side: int, lane: str) -> None:
        """Lane k of a side is from here on the given one."""
        for axes in self._rows():
            self.line(f"{positions(axes)}_{side}[k] = {row_among(lane, axes, self.every)};")

    def _any(self, mask: Value) -> str:
        """Whether there is a lane where a mask says so."""
        return " | ".join(f"ft_any_{self.shape.mask}({t})" for t in mask.texts)

    def _where(self, mask: Value | None, text: str, side: int) -> None:
        """C of lane k, for each lane where a mask says so; few do where others wait."""
        if mask is None:
            self._each(text, side)
        elif not mask.varying:
            self._each(f"if ({mask.texts[0]}) {text}", side)
        else:
            self.line(f"{self._lanes_of(mask.texts[side])} {{ const int k = __builtin_ctz(b); {text} }}", side)

    def _lanes_of(self, mask: str) -> str:
        """A loop over the lanes where a mask says so, b being those that are left."""
        return f"for (unsigned b = ft_lanes_{self.shape.mask}({mask}); b; b &= b - 1)"


def positions(axes: tuple[int, ...]) -> str:
    """The name of the rows of lanes in arrays with these axes."""
    return "p" + "".join(map(str, axes))


def row_among(lane: str, axes: tuple[int, ...], every: tuple[int, ...]) -> str:
    """The row of a lane in an array that has some of all the lanes' axes."""
    if axes == every:
        return lane
    text = ""
    for k in axes:
        after = " * ".join(f"n{j}" for j in every if j > k)
        at = f"{lane} / ({after}) % n{k}" if after else f"{lane} % n{k}"
        text = f"({text}) * n{k} + {at}" if text else at
    return text


def fixed_place(node: UOp) -> int | None:
    """A place that is known."""
    return int(node.arg) if node.op.name == "CONST" else None


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
    return shape.lanes * (shape.bits // 8 if array.dtype.kind == "b" else array.dtype.itemsize)


def place_of(part: Part, place: str) -> str:
    """The C of a place in a part of an array."""
    return f"{part.offset} + {place}" if part.offset and place != "0" else part.offset or place
