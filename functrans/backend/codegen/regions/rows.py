"""Loops of a round that do nothing but write a record that is moved as no whole: vectors go along it, lane by lane.

What such loops read of the lanes' own is turned once: it is less than what they write.
"""

from __future__ import annotations

from collections.abc import Callable

from functrans import dtypes
from functrans.backend.codegen.lanes.records import step_of
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.partial import extent_of
from functrans.backend.codegen.regions.pieces import values_of
from functrans.backend.codegen.regions.values import Shape, Value, Values
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp

_KNOWN = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.RANGE}


def is_row(loop: Loop, shape: Shape, is_record: Callable[[UOp], bool]) -> bool:
    """Whether a loop, with those in it, only stores numbers of records that lie side by side."""
    stores, todo = 0, [loop]
    while todo:
        around = todo.pop()
        inner = [x for x in around.items if isinstance(x, Loop)]
        todo += inner
        n = extent_of(around)
        for u in (x for x in around.items if isinstance(x, UOp)):
            if not _is_plain(u, shape):
                return False
            if u.op is Ops.LOAD and not inner and step_of(around.range, u.src[0].src[1]) not in (0, 1):
                return False
            if u.op is Ops.STORE:
                array, place = u.src[0].src
                if inner or not n or n < shape.lanes or not is_record(array) or step_of(around.range, place) != 1:
                    return False
                stores += 1
    return stores > 0


def _is_plain(u: UOp, shape: Shape) -> bool:
    """Whether a statement is one on places, truths or numbers that fill a vector, under no condition."""
    if u.op not in _KNOWN or (u.op in (Ops.LOAD, Ops.STORE) and len(u.src) != 1 + (u.op is Ops.STORE)):
        return False
    if u.dtype == dtypes.index or u.op in (Ops.INDEX, Ops.STORE):
        return True
    given = [s for s in u.src if s.op is not Ops.INDEX]
    return all(s.dtype.kind == "b" or (s.dtype.kind == "f" and 8 * s.dtype.itemsize == shape.bits) for s in (u, *given))


class RowWriter(Values):
    """Writes such a loop for one lane; ``place_of`` is the C of where an array is at a place, ``fresh`` makes names."""

    def __init__(self, shape: Shape, fresh: Callable[[], str], place_of: Callable[[UOp, str], str], depth: int) -> None:
        super().__init__(shape)
        self.named, self.place_of, self.depth = fresh, place_of, depth
        self.known: dict[UOp, Value] = {}

    def fresh(self) -> str:
        """A name for a value."""
        return self.named()

    def loop(self, loop: Loop) -> None:
        """Write a loop and those in it; the innermost one by vectors, the last of which ends where it ends."""
        name, end = self.fresh(), extent_of(loop)
        assert end is not None
        along = not any(isinstance(x, Loop) for x in loop.items)
        step = self.shape.lanes if along else 1
        self.open(f"for (long long {name} = 0; {name} < {end}; {name} += {step}) {{")
        outer = dict(self.known)
        self.known[loop.range] = Value((name,), dtypes.index, False)
        if end % step:
            last = end - step
            self.known[loop.range] = self.uniform(dtypes.index, f"{name} > {last} ? {last} : {name}")
        for item in loop.items:
            if isinstance(item, Loop):
                self.loop(item)
            else:
                self._statement(item, loop.range if along else None)
        self.known = outer
        self.close()

    def _statement(self, u: UOp, along: UOp | None) -> None:
        if u.op is Ops.CONST:
            self.known[u] = self.constant(u.dtype, u.arg)
        elif u.op is Ops.LOAD:
            array, place = u.src[0].src
            at = self.place_of(array, self.known[place].texts[0])
            if along is not None and step_of(along, place) == 1:
                self.known[u] = self.vectors(u.dtype, [f"ft_load_f{self.shape.of(u.dtype)}(&{at})"])
            else:
                self.known[u] = self.uniform(u.dtype, at)
        elif u.op is Ops.STORE:
            array, place = u.src[0].src
            at = self.place_of(array, self.known[place].texts[0])
            value = self.known[u.src[1]]
            self.line(f"ft_store_f{self.shape.of(array.dtype)}(&{at}, {self.operand(value, 0)});")
        elif u.op is not Ops.INDEX:
            self.known[u] = self.op(u, [self.known[s] for s in u.src])


def given_to(loop: Loop) -> dict[UOp, None]:
    """The values from outside that the statements of a loop use."""
    own = set(loop.walk())
    return dict.fromkeys(v for u in loop.walk() for v in values_of(u) if v not in own and v.dtype != dtypes.void)
