"""A kernel's statements as a tree of loops, and the writing of a new list from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from functrans import dtypes
from functrans.backend.schedule.memory import aligned
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import LocalArg
from functrans.ops.origin import became
from functrans.ops.uop import UOp, toposort


@dataclass(eq=False)
class Loop:
    """What stands between a RANGE and its ENDRANGE."""

    range: UOp
    items: list[UOp | Loop] = field(default_factory=list)

    def walk(self) -> Iterator[UOp]:
        """Every statement inside, also of inner loops, in order."""
        todo: list[UOp | Loop] = list(reversed(self.items))
        while todo:
            item = todo.pop()
            if isinstance(item, Loop):
                yield item.range
                todo.extend(reversed(item.items))
            else:
                yield item

    @property
    def inner(self) -> list[Loop]:
        """The loops that stand in it."""
        return loops_of(self.items)

    def every(self) -> Iterator[Loop]:
        """It and all loops inside, each before those in it."""
        yield self
        for loop in self.inner:
            yield from loop.every()


def loops_of(items: Iterable[UOp | Loop]) -> list[Loop]:
    """The loops among items."""
    return [item for item in items if isinstance(item, Loop)]


def nest(uops: list[UOp]) -> list[UOp | Loop]:
    """The tree of a list."""
    top: list[UOp | Loop] = []
    open_: list[list[UOp | Loop]] = [top]
    for u in uops:
        if u.op is Ops.RANGE:
            loop = Loop(u)
            open_[-1].append(loop)
            open_.append(loop.items)
        elif u.op is Ops.ENDRANGE:
            open_.pop()
        else:
            open_[-1].append(u)
    return top


def scratch_of(uops: list[UOp]) -> int:
    """The bytes of scratch memory that the arrays of a list reach."""
    far = [u for u in uops if u.op is Ops.DEFINE_LOCAL and u.arg.offset is not None]
    return max((u.arg.offset + aligned(u.arg.elements * u.dtype.itemsize) for u in far), default=0)


# what has another value, or is to be done, each time it stands there
_ACTS = frozenset({Ops.STORE, Ops.ASSIGN, Ops.DEFINE_ACC, Ops.FOLD, Ops.IF})


class Writer:
    """A new list, written in order. In each scope it knows what stands for the nodes of the old list."""

    def __init__(self, uops: list[UOp]) -> None:
        self.out: list[UOp] = []
        self.loops = 1 + max((u.arg[0] for u in uops if u.op is Ops.RANGE), default=-1)
        self.locals = 1 + max((u.arg.number for u in uops if u.op is Ops.DEFINE_LOCAL), default=-1)
        self.accumulators = 1 + max((u.arg for u in uops if u.op is Ops.DEFINE_ACC), default=-1)
        self.stack = 0  # bytes of arrays on it
        self.scratch = scratch_of(uops)
        self._known: list[dict[UOp, UOp]] = [{}]
        self._placed: list[set[UOp]] = [set()]
        self._stable: dict[UOp, bool] = {}

    def now(self, node: UOp) -> UOp:
        """What stands for a node of the old list here."""
        for known in reversed(self._known):
            if node in known:
                return known[node]
        return node

    def become(self, old: UOp, new: UOp) -> None:
        """From here to the end of the scope the new node stands for the old one."""
        became(new, old)
        self._known[-1][old] = new

    def statement(self, node: UOp) -> UOp:
        """Write a new node where it is to be executed."""
        self._placed[-1].add(node)
        self.out.append(node)
        return node

    def value(self, node: UOp) -> UOp:
        """Write a new node, and below it what does not stand here yet."""
        if not self._stands(node):
            for u in toposort((node,), enter=lambda u: not self._stands(u)):
                if not self._stands(u):
                    self.statement(u)
        return node

    def _stands(self, node: UOp) -> bool:
        for placed in self._placed:  # asked of each value: a generator takes three times as long
            if node in placed:
                return True
        return False

    def again(self, node: UOp) -> bool:
        """Whether a node stands here already with the value that it would have now."""
        return self._is_stable(node) and self._stands(node)

    def _is_stable(self, node: UOp) -> bool:
        for u in toposort((node,), enter=lambda u: u not in self._stable):
            if u not in self._stable:
                if u.op is Ops.LOAD:
                    array = u.src[0].src[0]
                    fixed = array.op is Ops.DEFINE_GLOBAL and not array.arg.written
                else:
                    fixed = u.op not in _ACTS
                self._stable[u] = fixed and all(self._stable[s] for s in u.src)
        return self._stable[node]

    def items(self, items: Iterable[UOp | Loop]) -> None:
        """Write statements and loops."""
        for item in items:
            if isinstance(item, Loop):
                self.loop(item)
            else:
                self.one(item)

    def one(self, old: UOp) -> None:
        """Write a statement among them."""
        self.copy(old)

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop among them: one of the same rounds."""
        r = loop.range
        opened = self.open(UOp(r.op, r.dtype, (self.now(r.src[0]),), (r.arg[0], r.arg[1] if kind is None else kind)))
        self.become(r, opened)
        self.items(loop.items)
        self.close(opened)

    def copy(self, old: UOp) -> UOp:
        """Write a statement of the old list, over what stands for its sources."""
        new = self.statement(old.replace(tuple(self.now(s) for s in old.src)))
        self.become(old, new)
        return new

    def array(self, dtype: DType, elements: int, offset: int | None = None) -> UOp:
        """A local array, on the stack or at a place in scratch memory."""
        self.locals += 1
        return self.statement(UOp(Ops.DEFINE_LOCAL, dtype, (), LocalArg(self.locals - 1, elements, offset)))

    def accumulator(self, old: UOp) -> UOp:
        """Write an accumulator like an old one, by a number of its own."""
        self.accumulators += 1
        return self.statement(UOp(old.op, old.dtype, (self.now(old.src[0]),), self.accumulators - 1))

    def near_array(self, dtype: DType, elements: int, most: int) -> UOp:
        """A local array on the stack, as far as so many bytes go, else in scratch memory."""
        size, offset = aligned(elements * dtype.itemsize), None
        if self.stack + size <= most:
            self.stack += size
        else:
            offset = self.scratch
            self.scratch += size
        return self.array(dtype, elements, offset)

    def over(self, node: UOp) -> UOp:
        """An old value over what stands for the loops and numbers that it is made of."""
        new: dict[UOp, UOp] = {}
        for u in toposort((node,)):
            new[u] = self.now(u) if u.op in (Ops.RANGE, Ops.DEFINE_VAR) else u.replace(tuple(new[s] for s in u.src))
        return new[node]

    def at(self, array: UOp, place: UOp) -> UOp:
        """An element of an array."""
        return self.value(UOp(Ops.INDEX, array.dtype, (array, place)))

    def load(self, array: UOp, place: UOp) -> UOp:
        """Read an element."""
        return self.statement(UOp(Ops.LOAD, array.dtype, (self.at(array, place),)))

    def store(self, array: UOp, place: UOp, value: UOp) -> None:
        """Write an element."""
        self.statement(UOp(Ops.STORE, dtypes.void, (self.at(array, place), value)))

    def number(self, n: int) -> UOp:
        """An index constant."""
        return self.value(UOp.const(dtypes.index, n))

    def fresh(self, end: UOp, kind: AxisType = AxisType.LOOP) -> UOp:
        """A loop to be opened, up to a node that stands here."""
        self.loops += 1
        return UOp(Ops.RANGE, dtypes.index, (end,), (self.loops - 1, kind))

    def strips(self, r: UOp, width: int) -> tuple[UOp, UOp, UOp]:
        """Open a loop over strips of so many rounds of a loop: it, the first of a strip, and how many it has."""
        end = self.now(r.src[0])
        strip = self.open(self.fresh(self.value(sym.div(sym.add(end, sym.const(width - 1)), width)), r.arg[1]))
        first = self.value(sym.mul(strip, width))
        return strip, first, self.value(UOp(Ops.MIN, dtypes.index, (sym.const(width), sym.sub(end, first))))

    def open(self, loop: UOp) -> UOp:
        """Open a loop and its scope."""
        self._known.append({})
        self._placed.append(set())
        return self.statement(loop)

    def close(self, loop: UOp) -> None:
        """Close the innermost loop, which is this one."""
        self._known.pop()
        self._placed.pop()
        self.out.append(UOp(Ops.ENDRANGE, dtypes.void, (loop,)))


class Marked(Writer):
    """The same list with loops of another type, where a function says which."""

    def __init__(self, uops: list[UOp], kind_of: Callable[[Loop], AxisType | None]) -> None:
        super().__init__(uops)
        self.kind_of = kind_of

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, of its type."""
        super().loop(loop, self.kind_of(loop) or kind)
