"""What values, places and masks of a loop of vectors are called in C."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from functrans import dtypes
from functrans._records import record
from functrans.backend.codegen import spelling
from functrans.backend.codegen.spelling import literal
from functrans.backend.codegen.vectors.analysis import Body
from functrans.backend.codegen.vectors.values import Shape, Value, Values
from functrans.ops.enums import Ops
from functrans.ops.symbolic import HUGE
from functrans.ops.uop import UOp, toposort


@record
class Around:
    """What the C around a loop knows. ``names`` says what the nodes before it are called, ``fresh`` makes a new name;
    ``room`` is for how many elements a local array has memory. ``watched`` are arrays of maxima or minima, each with
    the mask that says where there was a NaN: a test in each of them would stand in the chain that the rest of the row
    waits for. Those that are ``empty`` have taken in nothing yet. A ``window`` says from where to where the loop goes,
    where not from 0 to its end; it has ``rounds``, the fewest and the most that there are.
    """

    names: Callable[[UOp], str]
    fresh: Callable[[], str]
    room: Callable[[UOp], int]
    watched: Mapping[UOp, str]
    window: tuple[str, str] | None = None
    empty: Collection[UOp] = ()
    rounds: tuple[int, int] = (0, HUGE)


class Part:
    """One vector: its first round, from that of the loop on if there is one; how many rounds it has, if not all; how
    many of these the vector before has had.
    """

    def __init__(self, start: int, variable: str = "", first: int | str = 0, had: str = "0") -> None:
        self.start, self.variable, self.first, self.had = start, variable, first, had
        self.text = str(start) if not variable else f"({variable} + {start})" if start else variable


class Names(Values):
    """The names of the values of a loop, in vectors of so many numbers, of which ``parts`` go side by side."""

    def __init__(self, body: Body, lanes: int, variable: str, around: Around) -> None:
        super().__init__(Shape(lanes, 1, 8 * body.widest))
        self.body, self.variable, self.around = body, variable, around
        self.depth = 0
        self.parts: list[Part] = []
        self.inside = set(body.items)
        self.written = {u for u in body.items if self._is_written(u)}
        self.taken = self._taken()

    @property
    def lanes(self) -> int:
        """How many numbers a vector has."""
        return self.shape.lanes

    def line(self, text: str, side: int | None = None) -> None:
        """A line of C, in the order in which they come."""
        self.lines.append("  " * self.depth + text)

    def fresh(self) -> str:
        """A name for a value."""
        return self.around.fresh()

    def names(self) -> tuple[str, ...]:
        """A name for each part."""
        return tuple(self.fresh() for _ in self.parts)

    def _is_written(self, u: UOp) -> bool:
        """Whether a statement is one on vectors."""
        if u in self.body.serial or u not in self.body.needed:
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

    def _uniform(self) -> None:
        for u in self.body.items:
            if u in self.body.varying or u.op in (Ops.STORE, Ops.INDEX, Ops.ASSIGN) or is_place(u):
                continue
            if u.op is Ops.CONST:
                self.known[u] = self.constant(u.dtype, u.arg)
                continue
            if u.op is Ops.LOAD:
                value = self._element(u.src[0], "0")
                if len(u.src) > 1:
                    value = f"({self._number(u.src[2])} ? {value} : {self._number(u.src[1])})"
            else:
                value = spelling.spell(u, [self._number(s) for s in u.src])
            self.known[u] = self.uniform(u.dtype, value)

    def value(self, node: UOp) -> Value:
        """What stands for a node, one from before the loop too."""
        if node in self.known:
            return self.known[node]
        moves = is_place(node) and node in self.body.varying
        return Value((), node.dtype, True) if moves else Value((self._number(node),), node.dtype, False)

    def _is_uniform(self, node: UOp) -> bool:
        """Whether a node is a number that was read or computed before the rounds."""
        return node in self.known and not self.known[node].varying

    def _number(self, node: UOp) -> str:
        """What a number that is the same in every round is called."""
        if self._is_uniform(node):
            return self.known[node].texts[0]
        return self._place(node, "0") if is_place(node) and node in self.inside else self.around.names(node)

    def _element(self, index: UOp, at: str, known: Mapping[UOp, str] | None = None) -> str:
        """An element of an array, with the loop variable at some value; ``known`` says what some values are called."""
        array, place = index.src
        return f"{self.around.names(array)}[{self._place(place, at, known)}]"

    def _place(self, place: UOp, at: str, known: Mapping[UOp, str] | None = None) -> str:
        text: dict[UOp, str] = {**(known or {}), self.body.loop: at}
        if place in text:
            return text[place]
        for u in toposort((place,), enter=lambda u: u in self.inside and u not in text):
            if u not in text:
                if u.op is Ops.CONST:
                    text[u] = literal(u.dtype, u.arg)
                elif self._is_uniform(u) or u not in self.inside:
                    text[u] = self._number(u)
                elif u.op is Ops.INDEX:
                    text[u] = f"{self.around.names(u.src[0])}[{text[u.src[1]]}]"
                elif u.op is Ops.LOAD:
                    text[u] = text[u.src[0]]
                else:
                    text[u] = spelling.spell(u, [text[s] for s in u.src])
        return text[place]

    def vector(self, node: UOp, side: int, bits: int = 0) -> str:
        """A node as a vector; what moves by a constant from round to round, as numbers."""
        if node in self.known or node.dtype != dtypes.index or node not in self.body.varying:
            return super().vector(node, side, bits)
        of, part = self.shape.named(node.dtype), self.parts[side]
        first = self._place(node, part.variable or "0")
        return f"(ft_splat_{of}({first}) + {self._steps(of, part, self.body.stride(node) or 0)})"

    def _steps(self, of: str, part: Part, stride: int) -> str:
        return f"(ft_{of}){{{', '.join(str((part.start + k) * stride) for k in range(self.lanes))}}}"


def is_place(u: UOp) -> bool:
    """Whether a node is an address, or what one is made of."""
    return u.dtype == dtypes.index
