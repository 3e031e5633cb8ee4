"""Components of points laid out apart, once: what an inner loop reads at a stride is copied before the loop around it.

An array of points, x0 y0 z0 x1 y1 z1 ..., is read at a stride of three by a loop over the points, and vectors must be
put together from it in every round of the loops around. Where those do not change what is read, each component is
copied to an array of its own before them: structure of arrays, as one would write by hand.
"""

from __future__ import annotations

from functrans._records import record
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.policy import L1_BYTES, L2_BYTES, VECTOR_ROUNDS, share
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort

_INDEX = frozenset({Ops.CONST, Ops.RANGE, Ops.DEFINE_VAR, Ops.ADD, Ops.MUL, Ops.IDIV, Ops.MOD, Ops.MIN, Ops.MAX})


@record
class _Column:
    """Every ``stride``-th element of an array from a place on, as many as a loop of extent ``end`` has rounds."""

    array: UOp
    stride: int
    first: UOp
    end: UOp


def apart(uops: list[UOp]) -> list[UOp]:
    """The statements with such copies. Linear in their number times the depth of the loops."""
    top = nest(uops)
    finder = _Finder()
    finder.walk(top, ())
    if not finder.column:
        return uops
    writer = _Apart(uops, finder)
    writer.items(top)
    return writer.out


class _Finder:
    def __init__(self) -> None:
        self.column: dict[tuple[Loop, UOp], _Column] = {}  # of a LOAD in a loop: it may stand elsewhere too
        self.before: dict[Loop, dict[_Column, None]] = {}  # the copies that are made before a loop
        self.bytes = 0

    def walk(self, items: list[UOp | Loop], path: tuple[Loop, ...]) -> None:
        """Find what is read at a stride in the innermost loops."""
        for item in items:
            if isinstance(item, Loop):
                self.walk(item.items, (*path, item))
        end = path[-1].range.src[0] if path else None
        if any(isinstance(x, Loop) for x in items) or end is None or end.op is not Ops.CONST or end.arg < VECTOR_ROUNDS:
            return
        for u in items:
            if isinstance(u, UOp) and u.op is Ops.LOAD and len(u.src) == 1:
                self._load(u, path)

    def _load(self, u: UOp, path: tuple[Loop, ...]) -> None:
        array, place = u.src[0].src
        if array.op is not Ops.DEFINE_GLOBAL or array.arg.written:
            return
        loop = path[-1].range
        constant, terms = sym.linear(place)
        stride = terms.get(loop, 0)
        rest = {t: k for t, k in terms.items() if t is not loop}
        below = toposort(rest)
        if abs(stride) < 2 or any(t.op not in _INDEX or t is loop for t in below):
            return
        needed = [k for k, outer in enumerate(path) if outer.range in below]
        depth = needed[-1] + 1 if needed else 0
        if depth >= len(path) - 1:  # no loop in between
            return
        column = _Column(array, stride, sym.from_linear((constant, rest)), loop.src[0])
        copies = self.before.setdefault(path[depth], {})
        if column not in copies:
            size = int(column.end.arg) * u.dtype.itemsize
            if self.bytes + size > L2_BYTES:
                return
            self.bytes += size
            copies[column] = None
        self.column[path[-1], u] = column


class _Apart(Writer):
    def __init__(self, uops: list[UOp], found: _Finder) -> None:
        super().__init__(uops)
        self.found = found
        self.copies: dict[_Column, UOp] = {}
        self.around: list[Loop] = []  # the open loops

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, after the copies that are made before it."""
        self._copy_columns(loop)
        self.around.append(loop)
        super().loop(loop, kind)
        self.around.pop()

    def one(self, old: UOp) -> None:
        """Write a statement; what is copied is read from the copy."""
        column = self.found.column.get((self.around[-1], old)) if self.around else None
        if column is None:
            self.copy(old)
        else:
            self.become(old, self.load(self.copies[column], self.now(self.around[-1].range)))

    def _copy_columns(self, loop: Loop) -> None:
        by_extent: dict[UOp, list[_Column]] = {}
        for column in self.found.before.get(loop, {}):
            self.copies[column] = self.near_array(column.array.dtype, int(column.end.arg), share(L1_BYTES))
            by_extent.setdefault(column.end, []).append(column)
        for end, columns in by_extent.items():
            p = self.open(self.fresh(self.value(end)))
            for column in columns:
                place = self.value(sym.add(sym.mul(p, column.stride), self.over(column.first)))
                self.store(self.copies[column], p, self.load(column.array, place))
            self.close(p)
