"""Short loops written out: what is left around them is straight-line code, which the compiler can vectorize.

A loop of a few rounds inside the loop over a batch or a row keeps the compiler from making lanes of the latter. Written
out, its places are constants: small local arrays become registers. A loop over a few coordinates around long reductions
is written out too: these are then merged, and what they share is read once. The order of every reduction stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, loops_of, nest
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.policy import FEW_ROUNDS, SHORT_ROUNDS, UNROLLED_STATEMENTS
from functrans.backend.schedule.inline import simplest
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import is_bound
from functrans.ops.uop import UOp

CALL = 12  # statements that an elementary function counts for


def written_out(uops: list[UOp], inside: bool = False) -> list[UOp]:
    """The statements with every short loop written out, inner ones first; outermost ones too where all of them stand
    ``inside`` of another loop. Linear in the list that is made.
    """
    short = _Short(uops, inside)
    short.items(nest(uops))
    return short.out if short.found else uops


class _Short(Writer):
    def __init__(self, uops: list[UOp], inside: bool) -> None:
        super().__init__(uops)
        self.inside = inside
        self.found = self.rounds = False  # rounds: inside of a loop that is written out
        self.sizes: dict[Loop, int] = {}
        # vectors of what single statements wrote would wait for these: such arrays have loops
        self.in_vectors = {u.src[0] for u in uops if u.op is Ops.SORT}

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, or all its rounds."""
        outer = self.inside, self.rounds
        if self.inside and self._is_short(loop):
            self.found = self.rounds = True
            for k in range(int(loop.range.src[0].arg)):
                self.become(loop.range, self.number(k))
                self.items(loop.items)
        else:
            self.inside = True
            super().loop(loop, kind)
        self.inside, self.rounds = outer

    def one(self, old: UOp) -> None:
        """Write a statement."""
        src = tuple(self.now(s) for s in old.src)
        if self.rounds and old.op is Ops.DEFINE_ACC:
            self.become(old, self.accumulator(old))
        elif self.rounds and old.dtype == dtypes.index and old.op is not Ops.RANGE:
            self.become(old, self.value(simplest(old, src)))
        else:
            new = old.replace(src)
            if not (self.found and self.again(new)):  # a round that was written out may have it
                self.statement(new)
            self.become(old, new)

    def _is_short(self, loop: Loop) -> bool:
        end = loop.range.src[0]
        if end.op is not Ops.CONST or not 0 < end.arg <= SHORT_ROUNDS:
            return False
        size = self._size_of_sums(loop) if end.arg <= FEW_ROUNDS and _holds_sums_alone(loop) else self._size(loop)
        if size > UNROLLED_STATEMENTS:
            return False
        return not any(is_bound(u) or (u.op is Ops.INDEX and u.src[0] in self.in_vectors) for u in loop.walk())

    def _size(self, loop: Loop) -> int:
        """The statements that the loop comes to, its short loops written out."""
        if loop not in self.sizes:
            end = loop.range.src[0]
            own = sum(self._size(x) if isinstance(x, Loop) else _size(x) for x in loop.items)
            self.sizes[loop] = own * int(end.arg) if end.op is Ops.CONST else UNROLLED_STATEMENTS + 1
        return self.sizes[loop]

    def _size_of_sums(self, loop: Loop) -> int:
        """The same, but long loops, which are sums, count once."""
        rounds = int(loop.range.src[0].arg)
        inner = loop.inner
        own = sum(_size(x) for x in loop.items if isinstance(x, UOp))
        own += sum(self._size_of_sums(x) if _is_few(x) else sum(map(_size, x.walk())) for x in inner)
        return own * rounds


def _is_few(loop: Loop, most: int = FEW_ROUNDS) -> bool:
    end = loop.range.src[0]
    return end.op is Ops.CONST and 0 < end.arg <= most


def _holds_sums_alone(loop: Loop) -> bool:
    """Whether all loops inside are innermost, long, and reductions that begin here; or few rounds of such."""
    items = list(_flat(loop))
    inner = loops_of(items)
    own = {x for x in items if isinstance(x, UOp) and x.op is Ops.DEFINE_ACC}  # over this loop too, it is one
    return bool(inner) and all((_is_few(x) and _holds_sums_alone(x)) or _is_sum(x, own) for x in inner)


def _is_sum(loop: Loop, own: set[UOp]) -> bool:
    items, end = list(_flat(loop)), loop.range.src[0]
    if any(isinstance(y, Loop) for y in items) or end.op is not Ops.CONST or end.arg <= SHORT_ROUNDS:
        return False
    steps = [y for y in items if isinstance(y, UOp) and y.op is Ops.ASSIGN]
    return bool(steps) and all(y.src[0] in own for y in steps)


def _flat(loop: Loop) -> Iterator[UOp | Loop]:
    """The items of a loop, those of inner loops of one round among them."""
    for x in loop.items:
        if isinstance(x, Loop) and _is_few(x, 1):
            yield from _flat(x)
        else:
            yield x


def _size(node: UOp) -> int:
    """The statements that a statement counts for."""
    return 0 if node.dtype == dtypes.index else CALL if node.op in ELEMENTARY else 1
