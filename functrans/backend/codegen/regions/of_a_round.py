"""The statements of a round of a loop of lanes: its places are those in a record, and written where they are used."""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.lanes.records import Accesses, relative
from functrans.backend.codegen.nest import Loop, Writer
from functrans.backend.codegen.varying import step_of
from functrans.backend.schedule.inline import simplest
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp, toposort


def is_place(u: UOp) -> bool:
    """Whether it is a place that is made of others, again where it is simplified."""
    return u.dtype == dtypes.index and u.op in GroupOp.Elementwise


def outside_of(body: list[UOp], r: UOp) -> dict[UOp, None]:
    """The values from before the loop that its statements use, and what addresses from there are made of."""
    scopes: list[set[UOp]] = [{r}]
    found: dict[UOp, None] = {}
    for u in body:
        if u.op in (Ops.ENDRANGE, Ops.ENDIF):
            scopes.pop()
            continue
        for s in u.src:
            if s.op is Ops.DEFINE_VAR or not any(s in scope for scope in scopes):
                of = s.src if s.op is Ops.INDEX else (s,)
                found.update(dict.fromkeys(toposort(of, enter=is_place)))
        if u.op in (Ops.RANGE, Ops.IF):
            scopes.append(set())
        scopes[-1].add(u)
    return found


def of_a_round(r: UOp, loop: Loop, outside: dict[UOp, None], used: Accesses) -> list[UOp]:
    """The statements of a round, its places in records."""
    writer = _Relative([r, *loop.walk()], r, used)
    for u in (r, *outside):
        writer.statement(u)
    writer.items(loop.items)
    return writer.out[1 + len(outside) :]


class _Relative(Writer):
    """Writes statements and loops; places are those in a record, and written where they are used."""

    def __init__(self, uops: list[UOp], r: UOp, used: Accesses) -> None:
        super().__init__(uops)
        self.r, self.own, self.used = r, set(uops), used

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop."""
        self.value(self.now(loop.range.src[0]))
        super().loop(loop, kind)

    def one(self, old: UOp) -> None:
        """Write a statement, and the places that it uses."""
        if old.op is Ops.INDEX:
            self._index(old)
        elif old.dtype == dtypes.index and old.op in GroupOp.Elementwise:
            self.become(old, simplest(old, tuple(self.now(s) for s in old.src)))
        else:
            for s in old.src:
                if s.dtype == dtypes.index:
                    self.value(self.now(s))
            self.copy(old)

    def _index(self, item: UOp) -> None:
        array, place = (self.now(s) for s in item.src)
        # by the place as it was: what it reads itself has no number of the round in it any more
        step = 0 if item.src[0] in self.own else step_of(self.r, item.src[1])
        if step:
            array, place = alias(array, step), relative(self.r, place, self.used[item.src[0], step].begin)
        self.become(item, self.statement(UOp(Ops.INDEX, item.dtype, (array, self.value(place)))))


def alias(array: UOp, step: int) -> UOp:
    """What stands for an array where rounds use it at a distance: another use of it may have another one."""
    return UOp(Ops.DEFINE_GLOBAL, array.dtype, (), (array.arg, step))
