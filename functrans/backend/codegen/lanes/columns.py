"""Columns made rows: lanes that keep more than stays at hand are run one after the other, on copies of what they read.

A softmax along the columns of a matrix goes through each column several times and keeps as many numbers as it has.
Many columns at a time are lines of memory, but what is kept of them goes through memory too; few at a time use a part
of each line. So as many columns as fill a line of memory are copied to rows, which are near enough, and each row is
done by itself, as if the matrix had been the other way round.
"""

from __future__ import annotations

from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.varying import step_of
from functrans.backend.policy import FAR_BYTES, LINE_BYTES
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort


def columns(uops: list[UOp], loop: Loop) -> list[UOp] | None:
    """The statements with a loop in tiles of a line of columns; None where it reads anything but columns and what all
    lanes share, or writes columns. Linear.
    """
    facts = Uniformity(loop)
    reads: dict[UOp, UOp] = {}
    for u in facts.body:
        if u.op is Ops.LOAD and u.src[0].src[0].op is Ops.DEFINE_GLOBAL and facts.stride(u.src[0].src[1]) != 0:
            row = _row(u, loop)
            if row is None:
                return None
            reads[u] = row
    lengths: dict[UOp, int] = {}
    for u, row in reads.items():
        low, high = sym.bounds(row)
        if low < 0 or high >= sym.HUGE:
            return None
        array = u.src[0].src[0]
        lengths[array] = max(lengths.get(array, 0), high + 1)
    sizes = {array.dtype.itemsize for array in lengths}
    copied = sum(lengths.values()) * LINE_BYTES
    if len(sizes) != 1 or not sizes <= {4, 8} or not _writes_rows(loop) or copied > FAR_BYTES:
        return None
    writer = _Columns(uops, loop, reads, lengths)
    writer.items(nest(uops))
    return writer.out


def _row(read: UOp, loop: Loop) -> UOp | None:
    """The row that a lane reads its column's number in; None where it does not read a column."""
    end = loop.range.src[0]
    constant, terms = sym.linear(read.src[0].src[1])
    if len(read.src) > 1 or constant or terms.get(loop.range) != 1:
        return None
    row = sym.const(0)
    for term, times in terms.items():
        if term is loop.range:
            continue
        if term is end:
            factor = sym.const(1)
        elif term.op is Ops.MUL and end in term.src:
            factor = term.src[0] if term.src[1] is end else term.src[1]
        else:
            return None
        row = sym.add(row, sym.mul(factor, times))
    return None if loop.range in toposort((row,)) else row


def _writes_rows(loop: Loop) -> bool:
    """Whether all that is stored to results by inner loops lies side by side in them."""
    return all(
        step_of(inner.range, u.src[0].src[1]) == 1
        for inner in loop.every() if inner is not loop
        for u in inner.items if isinstance(u, UOp) and u.op is Ops.STORE and u.src[0].src[0].op is Ops.DEFINE_GLOBAL
    )  # fmt: skip


class _Columns(Writer):
    def __init__(self, uops: list[UOp], loop: Loop, reads: dict[UOp, UOp], lengths: dict[UOp, int]) -> None:
        super().__init__(uops)
        self.lanes, self.reads, self.lengths = loop.range, reads, lengths
        self.wide = LINE_BYTES // max(array.dtype.itemsize for array in lengths)
        self.rows: dict[UOp, UOp] = {}

    def one(self, old: UOp) -> None:
        """Write a statement; what a lane reads in its column is read in its row."""
        if old in self.reads:
            self._read(old)
        else:
            self.copy(old)

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, that over the columns in tiles."""
        if loop.range is self.lanes:
            self._tiles(loop)
        else:
            super().loop(loop, kind)

    def _tiles(self, loop: Loop) -> None:
        tile, first, count = self.strips(loop.range, self.wide)
        end = self.now(loop.range.src[0])
        for array, length in self.lengths.items():
            self.rows[array] = self.array(array.dtype, self.wide * length, self.scratch)
            self.scratch += self.wide * length * array.dtype.itemsize  # whole lines
            self._copy(self.now(array), self.rows[array], length, (first, count, end))
        self.lane = self.open(self.fresh(count))
        self.become(loop.range, self.value(sym.add(first, self.lane)))
        self.items(loop.items)
        self.close(self.lane)
        self.close(tile)

    def _copy(self, array: UOp, rows: UOp, length: int, at: tuple[UOp, UOp, UOp]) -> None:
        """Lines of columns to rows: a square at a time, and one by one what is no square."""
        _, count, _ = at
        squares, whole = length // self.wide, sym.div(count, self.wide)  # 0 or 1: all of a line or not
        block = self.open(self.fresh(self.value(sym.mul(whole, squares))))
        self._square(array, rows, length, sym.mul(block, self.wide), at)
        self.close(block)
        done = sym.mul(whole, squares * self.wide)
        k = self.open(self.fresh(self.value(sym.sub(sym.const(length), done))))
        row = self.value(sym.add(k, done))
        lane = self.open(self.fresh(count))
        self.store(rows, sym.add(sym.mul(lane, length), row), self._column(array, row, lane, at))
        self.close(lane)
        self.close(k)

    def _square(self, array: UOp, rows: UOp, length: int, top: UOp, at: tuple[UOp, UOp, UOp]) -> None:
        """The compiler turns it in registers, if each of its lines is a loop of its own: a vector, and no address."""
        square = self.array(array.dtype, self.wide * self.wide)
        for line in range(self.wide):
            lane = self.open(self.fresh(self.number(self.wide)))
            value = self._column(array, sym.add(top, sym.const(line)), lane, at)
            self.store(square, sym.add(sym.const(line * self.wide), lane), value)
            self.close(lane)
        k = self.open(self.fresh(self.number(self.wide)))
        for column in range(self.wide):
            value = self.load(square, sym.add(sym.mul(k, self.wide), sym.const(column)))
            self.store(rows, sym.add(sym.const(column * length), sym.add(top, k)), value)
        self.close(k)

    def _column(self, array: UOp, row: UOp, lane: UOp, at: tuple[UOp, UOp, UOp]) -> UOp:
        """What a lane reads in a row."""
        first, _, end = at
        return self.load(array, sym.add(sym.mul(row, end), sym.add(first, lane)))

    def _read(self, read: UOp) -> None:
        array = read.src[0].src[0]
        place = sym.add(sym.mul(self.lane, self.lengths[array]), self.over(self.reads[read]))
        self.become(read, self.load(self.rows[array], place))
