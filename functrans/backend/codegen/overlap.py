"""Loops whose rounds are no multiple of a vector end in a vector too: one that begins before its end.

gcc 12 has no loops of masked vectors: what is left of a row of 30 after three vectors is six numbers one by one, which
take as long as six vectors of them. A loop that only stores what it computes of what it does not store may do its last
rounds twice, and nothing is different. So it stops at the last whole vector, and a second loop, one vector long, does
the last rounds. Of a row shorter than a vector, vectors are a half or a quarter as wide: six numbers are two of four.
"""

from __future__ import annotations

from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.price import ADDITION, picoseconds
from functrans.ops.uop import UOp, toposort

BYTES = 64  # of a vector
PAYS = 128 * ADDITION  # work of a vector from which on it is worth another loop
SHORT = 32 * ADDITION  # the same of a row shorter than a vector, all of which is left but for the half of one
LEAST = 4  # numbers of the narrowest vector
_PURE = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.DEFINE_ACC, Ops.ASSIGN}


def overlapped(uops: list[UOp]) -> list[UOp]:
    """The statements with such loops in two. Linear in their number."""
    writer = _Overlap(uops)
    writer.items(nest(uops))
    return writer.out if writer.found else uops


class _Overlap(Writer):
    found = False

    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops."""
        for item in items:
            if isinstance(item, UOp):
                self.copy(item)
                continue
            end, width = self.now(item.range.src[0]), _width(item)
            if width == 0:
                self._rounds(item, end, 0)
            else:
                self.found = True
                n = int(end.arg)
                self._rounds(item, self.number(n - n % width), 0)
                self._rounds(item, self.number(width), n - width)

    def _rounds(self, loop: Loop, end: UOp, first: int) -> None:
        opened = self.open(self.fresh(end, loop.range.arg[1]) if first else loop.range.replace((end,)))
        self.become(loop.range, self.value(sym.add(opened, sym.const(first))))
        self.items(loop.items)
        self.close(opened)


def _width(loop: Loop) -> int:
    """The numbers of a vector, where a loop is to end in one; 0 where not."""
    end, r = loop.range.src[0], loop.range
    if end.op is not Ops.CONST or r.arg[1] is not AxisType.LOOP:
        return 0
    body = [u for u in loop.items if isinstance(u, UOp)]
    if len(body) < len(loop.items) or any(u.op not in _PURE or u.dtype.kind == "c" for u in body):
        return 0
    if any(u.op is Ops.ASSIGN and u.src[0] not in body for u in body):  # a sum of several rounds
        return 0
    stores = [u for u in body if u.op is Ops.STORE]
    stored = {u.src[0].src[0] for u in stores}
    if any(u.op is Ops.LOAD and u.src[0].src[0] in stored for u in body) or not all(_is_along(u, r) for u in stores):
        return 0
    width = BYTES // min((u.dtype.itemsize for u in body if u.dtype.kind == "f"), default=BYTES)
    # without vectors each number takes the time of one
    work, pays = width * sum(picoseconds(u) for u in body if u.dtype.kind == "f"), PAYS
    while width > end.arg:
        width, pays = width // 2, SHORT
    rest = int(end.arg) % width if width >= LEAST else 0
    return width if rest and work > pays else 0


def _is_along(store: UOp, r: UOp) -> bool:
    """Whether a store, under no condition, puts down number after number."""
    _, terms = sym.linear(store.src[0].src[1])
    return len(store.src) == 2 and terms.get(r) == 1 and all(t is r or r not in toposort((t,)) for t in terms)
