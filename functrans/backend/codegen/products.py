"""Sums of products inside of the loop over a batch: tiles of rows, each over the terms in blocks, in order.

In the list that is made each tile has one column: that of the round of the loop at hand. Where the rounds become lanes,
a tile has as many columns as a tile has lanes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod

from functrans import dtypes
from functrans.backend.codegen.lower import Lowering, Scope, close
from functrans.backend.policy import PRODUCT_BLOCK
from functrans.backend.schedule.outer import closed_by
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import TileArg
from functrans.ops.origin import became
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

Place = dict[UOp, UOp]
Steps = tuple[UOp, ...]  # an address, and distances from there


class Products(Lowering):
    """Makes the list of a kernel that may hold arrays of such sums."""

    def _local(self, node: UOp, home: Scope) -> None:
        tiles = node.src[0].src[0]
        if tiles.op is not Ops.WMMA:
            super()._local(node, home)
            return
        terms, several = tiles.src[4:], prod(map(extent, tiles.src[4:])) > PRODUCT_BLOCK
        elements = prod(node.arg.shape)
        sums = home.values[node] = became(self._memory(node.dtype, elements, home), node)
        if several:
            self._clear(sums, elements, home)
        with self._loops(home, (r for r in closed_by(node.src[0]) if r is not tiles.src[2])) as around:
            self._demand(tiles.src[:2], around)
            with self._block_of_terms(terms, around) as (inner, start, count):
                self._rows_of(node, tiles, {terms[-1]: start}, count, inner)

    def _rows_of(self, node: UOp, tiles: UOp, start: Place, count: UOp, scope: Scope) -> None:
        """The tiles of all rows, and a lower one for those that are left."""
        high, row = tiles.arg.rows, tiles.src[2]
        whole, left = divmod(extent(row), high)
        dest = UOp(Ops.INDEX, node.dtype, (node, *node.src[0].src[1 : 1 + node.src[0].arg.ndim]))
        adds = prod(map(extent, tiles.src[4:])) > PRODUCT_BLOCK
        with self._loop(scope, sym.const(whole)) as (inner, tile):
            place = {row: sym.mul(tile, high)}
            target = self._read(dest, place, inner)
            self._one_tile(tiles, TileArg(high, 1, adds=adds), target, start | place, sym.const(high), count, inner)
        if left:
            place = {row: sym.const(whole * high)}
            target = self._read(dest, place, scope)
            self._one_tile(tiles, TileArg(left, 1, adds=adds), target, start | place, sym.const(left), count, scope)

    def _one_tile(
        self, tiles: UOp, arg: TileArg, target: UOp, place: Place, rows: UOp, count: UOp, scope: Scope,
        packed: Steps | None = None, beside: Steps | None = None,
    ) -> None:  # fmt: skip
        """The statement of a tile: its rows and terms from a place on. Those of either factor may be packed."""
        first, second, row, _, *terms = tiles.src
        place = dict.fromkeys(terms, sym.const(0)) | place
        a, down, along = packed or self._steps(first, (row, terms[-1]), place, scope)
        b, below = beside or self._steps(second, (terms[-1],), place, scope)
        src = (target, a, b, down, along, below, self._put(rows, scope), self._put(count, scope))
        scope.items.append(became(UOp(Ops.WMMA, dtypes.void, src, arg), tiles))

    def _steps(self, factor: UOp, ranges: tuple[UOp, ...], place: Place, scope: Scope) -> Steps:
        """Where a factor is read, and how far it is from there to the next of each RANGE."""
        at, one = self._read(factor, place, scope), sym.const(1)
        after = [self._read(factor, place | {r: sym.add(place[r], one)}, scope) for r in ranges]
        return at, *(self._put(sym.sub(next_.src[1], at.src[1]), scope) for next_ in after)

    def _clear(self, sums: UOp, elements: int, scope: Scope) -> None:
        """Zeros, where several blocks of terms are added."""
        with self._loop(scope, sym.const(elements)) as (fill, at):
            place = self._put(UOp(Ops.INDEX, sums.dtype, (sums, at)), fill)
            fill.items.append(UOp(Ops.STORE, dtypes.void, (place, self._const(sums.dtype, 0))))

    # pieces

    @contextmanager
    def _block_of_terms(self, terms: tuple[UOp, ...], scope: Scope) -> Iterator[tuple[Scope, UOp, UOp]]:
        """The loop over blocks of terms: its body, the first term and their number."""
        number = prod(map(extent, terms))
        with self._loop(scope, sym.const(-(-number // PRODUCT_BLOCK))) as (inner, block):
            start = sym.mul(block, PRODUCT_BLOCK)
            yield inner, start, self._put(least(PRODUCT_BLOCK, sym.sub(sym.const(number), start)), inner)

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

    def _read(self, factor: UOp, place: Place, scope: Scope) -> UOp:
        """Where a factor is read for certain values of RANGEs."""
        chain = [scope]
        for r, value in place.items():
            chain.append(Scope(chain[-1], r, None, chain[-1].open | {r}))
            chain[-1].values[r] = self._put(value, chain[-1])
        address = self._address(factor.src[0], factor.src[1:], chain[-1])
        close(chain)
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


def least(most: int, x: UOp) -> UOp:
    """The smaller of a number and an index that is not negative."""
    low, high = sym.bounds(x)
    if high <= most:
        return x
    return sym.const(most) if low >= most else UOp(Ops.MIN, dtypes.index, (x, sym.const(most)))
