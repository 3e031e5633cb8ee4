"""A kernel of sums of products: blocks of rows, tiles of columns, blocks of terms, tiles of rows, in this order.

The sums of a block of rows and a tile's columns lie in a local array, small enough for the nearest cache, as do the
terms that the tiles of a block share. Where there are few columns, the sums of all of them are kept, and blocks of
terms come first: what both factors hold goes by once. When all terms are summed, what else is done to the sums is done
there, element by element, and stored. A sum is taken over blocks of terms, PRODUCT_BLOCK each: in order from zero, and
then added to those before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod

from functrans.backend.codegen.lower import Scope
from functrans.backend.codegen.products import Products, least
from functrans.backend.policy import BLOCK_ROWS, L2_BYTES, PRODUCT_BLOCK, share
from functrans.backend.schedule.kernels import tiles_of
from functrans.backend.schedule.outer import closed_by
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.kernel import TileArg
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent


class Tiled(Products):
    """Makes the list of a kernel whose one store holds a WMMA."""

    def _fill(self) -> None:
        node = tiles_of(self.kernel.roots[0])
        assert node is not None
        self.node, self.tile = node, node.arg
        self.row, self.column = node.src[2:4]
        self.terms = node.src[4:]
        self.several = prod(map(extent, self.terms)) > PRODUCT_BLOCK  # blocks of terms
        self.count = self._put(self.size_of.get(self.row, sym.const(extent(self.row))), self.root)
        (self.store,) = self.kernel.roots[0].src
        loops = closed_by(self.store)[len(self.outer) :]
        others = [r for r in loops if r is not self.row and r is not self.column]
        if self.row in self.outer:  # one row a launch
            with self._loops(self.root, others) as inner:
                self._columns(inner, self.root.values[self.row])
        elif loops[0] is self.row:
            with self._blocks(self.root) as (scope, first), self._loops(scope, others) as inner:
                self._columns(inner, first)
        else:
            with self._loops(self.root, others) as around, self._blocks(around) as (inner, first):
                self._columns(inner, first)

    def _takes(self, what: str) -> bool:
        return what == "vectors"  # the loops are as they should be

    @contextmanager
    def _blocks(self, scope: Scope) -> Iterator[tuple[Scope, UOp]]:
        """The loop over blocks of rows: its body, and the first row."""
        with self._loop(scope, sym.div(sym.add(self.count, sym.const(BLOCK_ROWS - 1)), BLOCK_ROWS)) as (inner, block):
            yield inner, sym.mul(block, BLOCK_ROWS)

    def _columns(self, scope: Scope, first: UOp) -> None:
        """All columns of a block of rows."""
        rows, most = self._put(least(BLOCK_ROWS, sym.sub(self.count, first)), scope), BLOCK_ROWS
        if self.row in self.outer:
            rows, most = self._put(sym.const(1), scope), 1
        elif self.count.op is Ops.CONST:
            most = min(BLOCK_ROWS, extent(self.row))
        size = -(-most // self.tile.rows) * self.tile.rows * self.tile.columns
        count = sym.const(-(-extent(self.column) // self.tile.columns))
        sums_bytes = int(count.arg) * size * self.node.dtype.itemsize
        # all columns for each block of terms: both factors are read once
        if self.several and sums_bytes <= share(L2_BYTES):
            sums = self._sums(int(count.arg) * size, scope)
            with (
                self._block_of_terms(self.terms, scope) as (outer, start, terms),
                self._loop(outer, count) as (inner, tile),
            ):
                self._tiles(inner, (sums, sym.mul(tile, size)), (first, rows), (self._left(tile, inner), start), terms)
            with self._loop(scope, count) as (inner, tile):
                self._finish(inner, (sums, sym.mul(tile, size)), (first, rows), tile)
            return
        with self._loop(scope, count) as (inner, tile):
            sums, left = self._sums(size, inner), self._left(tile, inner)
            with self._block_of_terms(self.terms, inner) as (outer, start, terms):
                self._tiles(outer, (sums, sym.const(0)), (first, rows), (left, start), terms)
            self._finish(inner, (sums, sym.const(0)), (first, rows), tile)

    def _left(self, tile: UOp, scope: Scope) -> UOp:
        """The first column of a tile; where columns are read in place, the last tile overlaps the one before."""
        left = sym.mul(tile, self.tile.columns)
        if not self.tile.packed:
            left = least(extent(self.column) - self.tile.columns, left)
        return self._put(left, scope)

    def _sums(self, elements: int, scope: Scope) -> UOp:
        """The array of sums, zero where several blocks of terms are added."""
        sums = self._memory(self.node.dtype, elements, scope)
        if self.several:
            self._clear(sums, elements, scope)
        return sums

    def _tiles(
        self, scope: Scope, sums: tuple[UOp, UOp], rows: tuple[UOp, UOp], at: tuple[UOp, UOp], count: UOp
    ) -> None:
        """The tiles of a block of rows."""
        high = self.tile.rows
        with self._loop(scope, sym.div(sym.add(rows[1], sym.const(high - 1)), high)) as (inner, tile):
            self._tile(inner, sums, rows, at, sym.mul(tile, high), count)

    def _tile(
        self, scope: Scope, sums: tuple[UOp, UOp], rows: tuple[UOp, UOp], at: tuple[UOp, UOp], skipped: UOp, count: UOp
    ) -> None:
        (top, height), (left, start) = rows, at
        place = {self.row: sym.add(top, skipped), self.column: left, self.terms[-1]: start}
        high = self._put(least(self.tile.rows, sym.sub(height, skipped)), scope)
        target = self._put(self._at(sums, sym.mul(skipped, self.tile.columns)), scope)
        arg = TileArg(self.tile.rows, self.tile.columns, adds=self.several)
        self._one_tile(self.node, arg, target, place, high, count, scope)

    def _at(self, sums: tuple[UOp, UOp], place: UOp) -> UOp:
        array, start = sums
        return UOp(Ops.INDEX, array.dtype, (array, sym.add(start, place)))

    def _finish(self, scope: Scope, sums: tuple[UOp, UOp], rows: tuple[UOp, UOp], tile: UOp) -> None:
        """What is done to the sums of a tile's columns, element by element."""
        left, columns = self._left(tile, scope), sym.const(self.tile.columns)
        if self.tile.packed:
            columns = self._put(least(self.tile.columns, sym.sub(sym.const(extent(self.column)), left)), scope)
        with (
            self._loop(scope, rows[1], self.row, rows[0]) as (outer, i),
            self._loop(outer, columns, self.column, left) as (inner, j),
        ):
            place = self._put(self._at(sums, sym.add(sym.mul(i, self.tile.columns), j)), inner)
            inner.values[self.node] = self._place(UOp(Ops.LOAD, self.node.dtype, (place,)), inner)
            self._store(self.store, self.kernel.roots[0], inner)
