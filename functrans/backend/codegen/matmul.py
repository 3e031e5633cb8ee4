"""A kernel of sums of products: blocks of rows, of columns, of terms, tiles of columns, tiles of rows, in this order.

The sums of a block of rows and columns lie in a local array, where there is one block of terms those of a tile's
columns alone. The terms of a block of rows that lie far apart are packed, once for all its columns; those of a
tile's columns stay in the nearest cache for all its rows. A last tile has as many columns as are left, in whole
vectors. When all terms are summed, what else is done to the sums is done there, element by element, and stored. A
sum is taken over blocks of terms, PRODUCT_BLOCK each: in order from zero, and then added to those before.

Of a matrix by its own transpose the sums on and below the diagonal are taken, by tiles, and serve for both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod

from functrans import dtypes
from functrans._records import record
from functrans.backend.codegen.lower import Scope
from functrans.backend.codegen.products import Products, least
from functrans.backend.policy import BLOCK_ROWS, L1_BYTES, L2_BYTES, PRODUCT_BLOCK, share
from functrans.backend.schedule.kernels import tiles_of
from functrans.backend.schedule.outer import closed_by
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.kernel import TileArg
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

Span = tuple[UOp, int]  # the first of the columns of a tile, and how many they are


@record
class _Block:
    """The first of a block of rows, how many they are, and how many at most, in whole tiles."""

    first: UOp
    rows: UOp
    high: int


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
        if self.tile.near:  # the rest of a vector is zeros, which no copy writes over
            elements = self._length() * self.tile.columns
            self.near = self._memory(self.node.dtype, elements, self.root)
            self._clear(self.near, elements, self.root)
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
        """All columns of a block of rows: tile by tile, or, where blocks of terms are added, as many tiles for each of
        those as have sums that stay in the second cache.
        """
        rows, most = self._put(least(BLOCK_ROWS, sym.sub(self.count, first)), scope), BLOCK_ROWS
        if self.row in self.outer:
            rows, most = self._put(sym.const(1), scope), 1
        elif self.count.op is Ops.CONST:
            most = min(BLOCK_ROWS, extent(self.row))
        block = _Block(first, rows, -(-most // self.tile.rows) * self.tile.rows)
        whole, left = divmod(extent(self.column), self.tile.columns)
        lanes = self.tile.lanes
        rest = [(sym.const(extent(self.column) - left), -(-left // lanes) * lanes)] * bool(left)
        if not self.several:
            with self._block_of_terms(self.terms, scope) as (inner, start, terms):
                near = self._packed(block, start, terms, inner)
                with self._loop(inner, sym.const(whole)) as (each, tile):
                    self._alone(block, (sym.mul(tile, self.tile.columns), self.tile.columns), start, terms, near, each)
                for span in rest:
                    self._alone(block, span, start, terms, near, inner)
            return
        together = max(1, share(L2_BYTES) // (block.high * self.tile.columns * self.node.dtype.itemsize))
        if whole <= together:
            self._added(block, sym.const(0), sym.const(whole), rest, scope)
            return
        with self._loop(scope, sym.const(-(-whole // together))) as (inner, part):
            begin = self._put(sym.mul(part, together), inner)
            self._added(block, begin, self._put(least(together, sym.sub(sym.const(whole), begin)), inner), [], inner)
        if rest:
            self._added(block, sym.const(whole), sym.const(0), rest, scope)

    def _alone(self, block: _Block, span: Span, start: UOp, terms: UOp, near: UOp | None, scope: Scope) -> None:
        """A tile's columns, from all terms at once."""
        sums = (self._memory(self.node.dtype, block.high * span[1], scope), sym.const(0))
        self._tiles(block, sums, span, start, terms, near, scope)
        self._finish(block, sums, span, scope)

    def _added(self, block: _Block, begin: UOp, count: UOp, rest: list[Span], scope: Scope) -> None:
        """The columns of so many tiles from one on, and of what is left of a tile: blocks of terms are added."""
        size, width = block.high * self.tile.columns, self.tile.columns
        most = sym.bounds(count)[1] * size
        sums = self._memory(self.node.dtype, most + sum(block.high * w for _, w in rest), scope)
        self._clear(sums, sums.arg.elements, scope)
        with self._block_of_terms(self.terms, scope) as (outer, start, terms):
            near = self._packed(block, start, terms, outer)
            with self._loop(outer, count) as (inner, tile):
                span = sym.mul(sym.add(begin, tile), width), width
                self._tiles(block, (sums, sym.mul(tile, size)), span, start, terms, near, inner)
            for span in rest:
                self._tiles(block, (sums, sym.const(most)), span, start, terms, near, outer)
        with self._loop(scope, count) as (inner, tile):
            self._finish(block, (sums, sym.mul(tile, size)), (sym.mul(sym.add(begin, tile), width), width), inner)
        for span in rest:
            self._finish(block, (sums, sym.const(most)), span, scope)

    def _packed(self, block: _Block, start: UOp, count: UOp, scope: Scope) -> UOp | None:
        """The terms of a block of rows, put side by side: where they lie far apart each would be on a page of its own.
        The rows of a tile stand together, term after term.
        """
        place = dict.fromkeys(self.terms, sym.const(0)) | {self.row: block.first, self.terms[-1]: start}
        at, down, along = self._steps(self.node.src[0], (self.row, self.terms[-1]), place, scope)
        terms, high = self._length(), self.tile.rows
        if along.op is Ops.CONST and along.arg * terms * self.node.dtype.itemsize <= L1_BYTES:
            return None
        near = self._memory(self.node.dtype, terms * block.high, scope)

        def copied(tile: UOp, k: UOp, rows: UOp, scope: Scope) -> None:
            with self._loop(scope, rows) as (inner, i):
                row = sym.add(sym.mul(tile, high), i)
                source = sym.add(at.src[1], sym.add(sym.mul(k, along), sym.mul(row, down)))
                read = self._put(UOp(Ops.INDEX, at.dtype, (at.src[0], source)), inner)
                value = self._place(UOp(Ops.LOAD, at.dtype, (read,)), inner)
                put = sym.add(sym.mul(sym.add(sym.mul(tile, terms), k), high), i)
                to = self._put(UOp(Ops.INDEX, near.dtype, (near, put)), inner)
                inner.items.append(UOp(Ops.STORE, dtypes.void, (to, value)))

        whole = self._put(sym.div(block.rows, high), scope)
        left = self._put(sym.mod(block.rows, high), scope)
        with self._loop(scope, count) as (outer, k):
            with self._loop(outer, whole) as (inner, tile):
                copied(tile, k, sym.const(high), inner)
            if left is not sym.const(0):
                copied(whole, k, left, outer)
        return near

    def _left(self, span: Span, scope: Scope) -> UOp:
        """The first column of a tile; where columns are read in place, the last tile overlaps the one before."""
        left, width = span
        if not self.tile.packed:
            left = least(extent(self.column) - width, left)
        return self._put(left, scope)

    def _tiles(
        self, block: _Block, sums: tuple[UOp, UOp], span: Span, start: UOp, count: UOp, near: UOp | None, scope: Scope
    ) -> None:
        """The tiles of a block of rows, as many columns wide as the span."""
        high, left, width = self.tile.rows, self._left(span, scope), span[1]
        begin, end = self._begin(block, left, scope), sym.div(sym.add(block.rows, sym.const(high - 1)), high)
        beside = self._beside(left, start, count, scope) if self.tile.near else None
        with self._loop(scope, _behind(begin, end)) as (inner, tile):
            skipped = sym.mul(sym.add(begin, tile), high)
            rows = self._put(least(high, sym.sub(block.rows, skipped)), inner)
            target = self._put(self._at(sums, sym.mul(skipped, width)), inner)
            place = {self.row: sym.add(block.first, skipped), self.column: left, self.terms[-1]: start}
            packed = None
            if near is not None:
                at = self._put(UOp(Ops.INDEX, near.dtype, (near, sym.mul(skipped, self._length()))), inner)
                packed = at, self._put(sym.const(1), inner), self._put(sym.const(high), inner)
            arg = TileArg(high, width, adds=self.several)
            self._one_tile(self.node, arg, target, place, rows, count, inner, packed, beside)

    def _length(self) -> int:
        """How many terms a block has at most."""
        return min(PRODUCT_BLOCK, prod(map(extent, self.terms)))

    def _beside(self, left: UOp, start: UOp, count: UOp, scope: Scope) -> tuple[UOp, UOp]:
        """A block of terms of columns that are no vector, put side by side: where they are, and how far apart."""
        place = dict.fromkeys(self.terms, sym.const(0)) | {self.column: left, self.terms[-1]: start}
        at, along, across = self._steps(self.node.src[1], (self.terms[-1], self.column), place, scope)
        columns = sym.const(extent(self.column))
        with self._loop(scope, count) as (outer, k), self._loop(outer, columns) as (inner, j):
            source = sym.add(at.src[1], sym.add(sym.mul(k, along), sym.mul(j, across)))
            read = self._put(UOp(Ops.INDEX, at.dtype, (at.src[0], source)), inner)
            value = self._place(UOp(Ops.LOAD, at.dtype, (read,)), inner)
            to = self._put(self._at((self.near, sym.const(0)), sym.add(sym.mul(k, self.tile.columns), j)), inner)
            inner.items.append(UOp(Ops.STORE, dtypes.void, (to, value)))
        begin = self._put(self._at((self.near, sym.const(0)), sym.const(0)), scope)
        return begin, self._put(sym.const(self.tile.columns), scope)

    def _begin(self, block: _Block, left: UOp, scope: Scope) -> UOp:
        """The first tile of a block of rows that is taken, with columns from ``left`` on."""
        if not self.tile.symmetric:
            return sym.const(0)
        return self._put(sym.div(_not_below_zero(sym.sub(left, block.first)), self.tile.rows), scope)

    def _at(self, sums: tuple[UOp, UOp], place: UOp) -> UOp:
        array, start = sums
        return UOp(Ops.INDEX, array.dtype, (array, sym.add(start, place)))

    def _finish(self, block: _Block, sums: tuple[UOp, UOp], span: Span, scope: Scope) -> None:
        """What is done to the sums of a tile's columns, element by element."""
        left, width = self._left(span, scope), span[1]
        columns = self._put(least(width, sym.sub(sym.const(extent(self.column)), left)), scope)

        def stored(i: UOp, j: UOp, inner: Scope) -> None:
            place = self._put(self._at(sums, sym.add(sym.mul(i, width), j)), inner)
            inner.values[self.node] = self._place(UOp(Ops.LOAD, self.node.dtype, (place,)), inner)
            self._store(self.store, self.kernel.roots[0], inner)

        begin = sym.mul(self._begin(block, left, scope), self.tile.rows)
        first, count = sym.add(block.first, begin), _behind(begin, block.rows)
        with (
            self._loop(scope, count, self.row, first) as (outer, i),
            self._loop(outer, columns, self.column, left) as (inner, j),
        ):
            stored(sym.add(begin, i), j, inner)
        if not self.tile.symmetric:
            return
        begin = self._put(_not_below_zero(sym.sub(sym.add(left, sym.const(width)), block.first)), scope)
        first, count = sym.add(block.first, begin), _behind(begin, block.rows)
        with (
            self._loop(scope, columns, self.row, left) as (outer, j),
            self._loop(outer, count, self.column, first) as (inner, i),
        ):
            stored(sym.add(begin, i), j, inner)


def _behind(begin: UOp, end: UOp) -> UOp:
    """How many are left behind so many."""
    return end if begin is sym.const(0) else _not_below_zero(sym.sub(end, begin))


def _not_below_zero(x: UOp) -> UOp:
    if x.op is Ops.CONST:
        return sym.const(max(int(x.arg), 0))
    return x if sym.bounds(x)[0] >= 0 else UOp(Ops.MAX, dtypes.index, (x, sym.const(0)))
