"""A kernel of sums of products: blocks of rows, tiles of columns, blocks of terms, tiles of rows, in this order.

The sums of a block of rows and a tile's columns lie in a local array, small enough for the nearest cache, as do the
terms that the tiles of a block share. Where there are few columns, the sums of all of them are kept, and blocks of
terms come first: what both factors hold goes by once. When all terms are summed, what else is done to the sums is done
there, element by element, and stored. A sum is taken over blocks of BLOCK terms: in order from zero, and then added to
those before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod

from functrans import dtypes
from functrans.backend.codegen.lower import Lowering, Scope
from functrans.backend.schedule.kernels import tiles_of
from functrans.backend.schedule.outer import closed_by
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import TileArg
from functrans.ops.origin import became
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

BLOCK = 256  # terms that are summed at a time
ROWS = 64  # of a block
NEAR = 128 * 1024  # bytes of sums that are kept while the terms go by


class Tiled(Lowering):
    """Makes the list of a kernel whose one store holds a WMMA."""

    def _fill(self) -> None:
        node = tiles_of(self.kernel.roots[0])
        assert node is not None
        self.node, self.tile = node, node.arg
        self.row, self.column, *self.terms = node.src[2:]
        self.several = prod(map(extent, self.terms)) > BLOCK  # blocks of terms
        self.count = self._put(self.size_of.get(self.row, sym.const(extent(self.row))), self.root)
        (self.store,) = self.kernel.roots[0].src
        loops = closed_by(self.store)[len(self.outer) :]
        others = [r for r in loops if r is not self.row and r is not self.column]
        if self.row in self.outer:  # one row a launch
            self._around(self.root, others, lambda inner: self._columns(inner, self.root.values[self.row]))
        elif loops[0] is self.row:
            with self._blocks(self.root) as (scope, first):
                self._around(scope, others, lambda inner: self._columns(inner, first))
        else:
            self._around(self.root, others, self._rows_and_columns)

    def _takes(self, what: str) -> bool:
        return what == "tiles"  # the loops are as they should be

    def _rows_and_columns(self, scope: Scope) -> None:
        with self._blocks(scope) as (inner, first):
            self._columns(inner, first)

    def _around(self, scope: Scope, ranges: list[UOp], body: Callable[[Scope], None]) -> None:
        """Loops over ranges that no tile goes along."""
        scopes = [scope]
        for r in ranges:
            scopes.append(self._open(r, scopes[-1]))
        body(scopes[-1])
        for outer, child in zip(scopes[-2::-1], scopes[:0:-1], strict=True):
            outer.items.append(child)

    @contextmanager
    def _blocks(self, scope: Scope) -> Iterator[tuple[Scope, UOp]]:
        """The loop over blocks of rows: its body, and the first row."""
        with self._loop(scope, sym.div(sym.add(self.count, sym.const(ROWS - 1)), ROWS)) as (inner, block):
            yield inner, sym.mul(block, ROWS)

    def _columns(self, scope: Scope, first: UOp) -> None:
        """All columns of a block of rows."""
        rows, most = self._put(_least(ROWS, sym.sub(self.count, first)), scope), ROWS
        if self.row in self.outer:
            rows, most = self._put(sym.const(1), scope), 1
        elif self.count.op is Ops.CONST:
            most = min(ROWS, extent(self.row))
        size = -(-most // self.tile.rows) * self.tile.rows * self.tile.columns
        count = sym.const(-(-extent(self.column) // self.tile.columns))
        sums_bytes = int(count.arg) * size * self.node.dtype.itemsize
        if self.several and sums_bytes <= NEAR:  # all columns for each block of terms: both factors are read once
            sums = self._sums(int(count.arg) * size, scope)
            with self._block_of_terms(scope) as (outer, start, terms), self._loop(outer, count) as (inner, tile):
                self._tiles(inner, (sums, sym.mul(tile, size)), (first, rows), (self._left(tile, inner), start), terms)
            with self._loop(scope, count) as (inner, tile):
                self._finish(inner, (sums, sym.mul(tile, size)), (first, rows), tile)
            return
        with self._loop(scope, count) as (inner, tile):
            sums, left = self._sums(size, inner), self._left(tile, inner)
            with self._block_of_terms(inner) as (outer, start, terms):
                self._tiles(outer, (sums, sym.const(0)), (first, rows), (left, start), terms)
            self._finish(inner, (sums, sym.const(0)), (first, rows), tile)

    def _left(self, tile: UOp, scope: Scope) -> UOp:
        """The first column of a tile; where columns are read in place, the last tile overlaps the one before."""
        left = sym.mul(tile, self.tile.columns)
        if not self.tile.packed:
            left = _least(extent(self.column) - self.tile.columns, left)
        return self._put(left, scope)

    def _sums(self, elements: int, scope: Scope) -> UOp:
        """The array of sums, zero where several blocks of terms are added."""
        sums = self._memory(self.node.dtype, elements, scope)
        if self.several:
            with self._loop(scope, sym.const(elements)) as (fill, at):
                place = self._put(UOp(Ops.INDEX, sums.dtype, (sums, at)), fill)
                fill.items.append(UOp(Ops.STORE, dtypes.void, (place, self._const(sums.dtype, 0))))
        return sums

    @contextmanager
    def _block_of_terms(self, scope: Scope) -> Iterator[tuple[Scope, UOp, UOp]]:
        """The loop over blocks of terms: its body, the first term and their number."""
        terms = prod(map(extent, self.terms))
        with self._loop(scope, sym.const(-(-terms // BLOCK))) as (inner, block):
            start = sym.mul(block, BLOCK)
            yield inner, start, self._put(_least(BLOCK, sym.sub(sym.const(terms), start)), inner)

    def _tiles(
        self, scope: Scope, sums: tuple[UOp, UOp], rows: tuple[UOp, UOp], at: tuple[UOp, UOp], count: UOp
    ) -> None:
        """The tiles of a block of rows."""
        high = self.tile.rows
        with self._loop(scope, sym.div(sym.add(rows[1], sym.const(high - 1)), high)) as (inner, tile):
            self._one_tile(inner, sums, rows, at, sym.mul(tile, high), count)

    def _one_tile(
        self, scope: Scope, sums: tuple[UOp, UOp], rows: tuple[UOp, UOp], at: tuple[UOp, UOp], skipped: UOp, count: UOp
    ) -> None:
        first, second = self.node.src[:2]
        (top, height), (left, start) = rows, at
        row, last, one = sym.add(top, skipped), self.terms[-1], sym.const(1)
        place = dict.fromkeys(self.terms, sym.const(0)) | {self.row: row, self.column: left, last: start}
        a, b = self._read(first, place, scope), self._read(second, place, scope)
        down = self._read(first, place | {self.row: sym.add(row, one)}, scope)
        along, below = (self._read(f, place | {last: sym.add(start, one)}, scope) for f in (first, second))
        steps = [self._put(sym.sub(y.src[1], x.src[1]), scope) for x, y in ((a, down), (a, along), (b, below))]
        high = self._put(_least(self.tile.rows, sym.sub(height, skipped)), scope)
        target = self._put(self._at(sums, sym.mul(skipped, self.tile.columns)), scope)
        arg = TileArg(self.tile.rows, self.tile.columns, adds=self.several)
        scope.items.append(became(UOp(Ops.WMMA, dtypes.void, (target, a, b, *steps, high, count), arg), self.node))

    def _at(self, sums: tuple[UOp, UOp], place: UOp) -> UOp:
        array, start = sums
        return UOp(Ops.INDEX, array.dtype, (array, sym.add(start, place)))

    def _finish(self, scope: Scope, sums: tuple[UOp, UOp], rows: tuple[UOp, UOp], tile: UOp) -> None:
        """What is done to the sums of a tile's columns, element by element."""
        left, columns = self._left(tile, scope), sym.const(self.tile.columns)
        if self.tile.packed:
            columns = self._put(_least(self.tile.columns, sym.sub(sym.const(extent(self.column)), left)), scope)
        with (
            self._loop(scope, rows[1], self.row, rows[0]) as (outer, i),
            self._loop(outer, columns, self.column, left) as (inner, j),
        ):
            place = self._put(self._at(sums, sym.add(sym.mul(i, self.tile.columns), j)), inner)
            inner.values[self.node] = self._place(UOp(Ops.LOAD, self.node.dtype, (place,)), inner)
            self._store(self.store, self.kernel.roots[0], inner)

    # pieces

    @contextmanager
    def _loop(
        self, scope: Scope, end: UOp, r: UOp | None = None, first: UOp | None = None
    ) -> Iterator[tuple[Scope, UOp]]:
        """A loop, and its variable. It walks the RANGE from ``first`` on, if one is given. One round needs no loop."""
        if r is None and end.op is Ops.CONST and end.arg == 1:
            yield scope, sym.const(0)
            return
        loop = UOp(Ops.RANGE, dtypes.index, (self._put(end, scope),), (self.numbers, AxisType.LOOP))
        self.numbers += 1
        opened = Scope(scope, r, loop, scope.open | ({r} if r is not None else set()), placed={loop})
        if r is not None and first is not None:
            opened.values[r] = self._put(sym.add(first, loop), opened)
        yield opened, loop
        scope.items.append(opened)

    def _read(self, factor: UOp, place: dict[UOp, UOp], scope: Scope) -> UOp:
        """Where a factor is read for certain values of RANGEs."""
        chain = [scope]
        for r, value in place.items():
            chain.append(Scope(chain[-1], r, None, chain[-1].open | {r}))
            chain[-1].values[r] = self._put(value, chain[-1])
        address = self._address(factor.src[0], factor.src[1:], chain[-1])
        for outer, child in zip(chain[-2::-1], chain[:0:-1], strict=True):
            outer.items.append(child)
        return address

    def _put(self, node: UOp, scope: Scope) -> UOp:
        """Write a node of the list, and below it what does not stand here yet."""
        for u in toposort((node,), enter=lambda u: not _stands(u, scope)):
            if not _stands(u, scope):
                self._place(u, self.root if u.op is Ops.CONST else scope)
        return node


def _stands(node: UOp, scope: Scope | None) -> bool:
    while scope is not None:
        if node in scope.placed:
            return True
        scope = scope.parent
    return False


def _least(most: int, x: UOp) -> UOp:
    """The smaller of a number and an index that is not negative."""
    low, high = sym.bounds(x)
    if high <= most:
        return x
    return sym.const(most) if low >= most else UOp(Ops.MIN, dtypes.index, (x, sym.const(most)))
