"""Contractions: sums of products of two factors that have RANGEs of their own become WMMA, computed by tiles.

A matrix product, whatever its factors are computed from and however they are transposed or batched, is a REDUCE of a
product in which one factor depends on a RANGE that the other does not know, and the other way round. Its sums are
taken in order, in blocks, and so differ in the last bit from those of other reductions: what is a contraction is
decided by the structure of the graph and the number of terms alone, never by the size of a batch.

Each has a kernel of its own. What is done to its sums is done in the same kernel where nothing else is summed there. A
factor is read where it lies, or is put into memory in the layout of the tiles first.
"""

from __future__ import annotations

from math import prod

from functrans._records import record
from functrans.backend.codegen.micro import WIDE, is_held
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import (
    BLOCK_ROWS,
    L1_BYTES,
    L2_BYTES,
    LINE_BYTES,
    PRODUCT_BLOCK,
    SHORT_ROUNDS,
    SUM_ROUNDS,
    share,
)
from functrans.backend.schedule.around import has_vectors
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.layouts import (
    are_alike,
    buffer_of,
    by_place,
    is_as_large,
    is_unit,
    lies_along,
    lies_well,
    places_of,
    step_of,
    stored,
)
from functrans.backend.schedule.outer import closed_by, is_outer, widened
from functrans.backend.schedule.parts import inside, is_global
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.kernel import TileArg
from functrans.ops.origin import became
from functrans.ops.uop import UOp, rebuilt, toposort
from functrans.ops.vmap import extent

_FREE = frozenset({AxisType.LOOP, AxisType.REDUCE, AxisType.OUTER})  # an ORDERED loop is not left

Ranges = frozenset[UOp]


@record
class Product:
    """A sum of products: two factors, whose product may be negated, and the RANGEs that each alone depends on."""

    first: UOp
    second: UOp
    negated: bool
    own: tuple[Ranges, Ranges]

    @property
    def factors(self) -> tuple[UOp, UOp]:
        """Both of them."""
        return self.first, self.second


def product_of(node: UOp) -> Product | None:
    """What a REDUCE is as a contraction; None if it is none."""
    if node.op is not Ops.REDUCE or node.arg is not Ops.ADD or not has_vectors(node.dtype):
        return None
    (value, negated), closed = _unsigned(node.src[0]), frozenset(node.src[1:])
    if value.op is not Ops.MUL or prod(map(extent, closed)) <= SHORT_ROUNDS:
        return None
    (first, minus), (second, plus) = map(_unsigned, value.src)
    negated ^= minus ^ plus
    own = first.free_ranges - second.free_ranges, second.free_ranges - first.free_ranges
    ranges = first.free_ranges | second.free_ranges
    if not all(own) or not closed <= first.free_ranges & second.free_ranges or all(map(is_outer, own[0] | own[1])):
        return None
    if any(r.arg[1] not in _FREE or r.src[0].op is not Ops.CONST or not extent(r) for r in ranges):
        return None
    return Product(first, second, negated, own)


def _unsigned(value: UOp) -> tuple[UOp, bool]:
    return (value.src[0], True) if value.op is Ops.NEG else (value, False)


def contractions(roots: list[UOp]) -> list[UOp]:
    """The roots with every contraction as a WMMA, alone in its kernel. Linear in the graph."""
    roots = _parted(roots)
    if not any(map(product_of, toposort(roots))):
        return roots
    tiling = _Tiling(roots)
    return tiling.run() if tiling.found else roots


def _parted(roots: list[UOp]) -> list[UOp]:
    """Sums of several products, each a contraction, as so many sums: what a derivative of a product is."""

    def make(node: UOp, built: UOp) -> UOp:
        if not _is_parted(node):
            return built
        first, second = (built.replace((s, *built.src[1:])) for s in built.src[0].src)
        return UOp(node.src[0].op, node.dtype, (first, second))

    return rebuilt(roots, make)


def _is_parted(node: UOp) -> bool:
    if node.op is not Ops.REDUCE or node.src[0].op not in (Ops.ADD, Ops.SUB) or node.arg is not Ops.ADD:
        return False
    parts = (node.replace((s, *node.src[1:])) for s in node.src[0].src)
    return prod(map(extent, node.src[1:])) >= SUM_ROUNDS and all(map(product_of, parts))


def local_reads(value: UOp) -> list[UOp]:
    """The buffers inside of a loop that a value reads, those that these read left out."""
    return [u for u in toposort((value,), enter=lambda u: u.op is not Ops.BUFFERIZE) if _is_local(u)]


def _is_local(node: UOp) -> bool:
    return node.op is Ops.BUFFERIZE and not is_global(node)


class _Tiling:
    def __init__(self, roots: list[UOp]) -> None:
        self.roots = roots
        self.order = toposort(roots)
        self.position = {u: k for k, u in enumerate(self.order)}
        self.leads = {closed_by(s)[0] for b in self.order if is_global(b) for s in b.src if closed_by(s)}
        self.hosts: dict[UOp, list[tuple[UOp, UOp]]] = {}  # per reduction, the stores it stands in, and their buffers
        self.inner: dict[UOp, list[UOp]] = {}  # per store, what loops or fills buffers inside of it
        for buffer in (u for u in self.order if u.op is Ops.BUFFERIZE):
            for store in buffer.src:
                self.inner[store] = [u for u in inside(store) if u.op in (Ops.REDUCE, Ops.PREFIX) or _is_local(u)]
                for u in self.inner[store]:
                    if u.op is Ops.REDUCE:
                        self.hosts.setdefault(u, []).append((store, buffer))
        self.found: dict[UOp, Product] = {}
        self.stays: set[UOp] = set()  # whose store is its kernel's
        self.inside: dict[UOp, UOp] = {}  # whose lanes are the rounds of a loop of the kernel that it stays in
        self.needed = self._needed()
        for node in self.order:
            product = product_of(node)
            if product is not None and node in self.hosts:
                self._decide(node, product)
        apart = [p for n, p in self.found.items() if n not in self.inside]
        self.widened = {b for p in apart for f in p.factors for b in local_reads(f)}
        self.new: dict[UOp, UOp] = {}
        self.made: dict[object, UOp] = {}

    def _needed(self) -> dict[UOp, set[UOp]]:
        """For each reduction the outermost loops of the kernels that need it."""
        found: dict[UOp, set[UOp]] = {}
        for buffer in filter(is_global, self.order):
            for store in buffer.src:
                leads = closed_by(store)[:1]
                for u in toposort((store,), enter=lambda u: not is_global(u)):
                    if u.op is Ops.REDUCE:
                        found.setdefault(u, set()).update(leads)
        return found

    def _decide(self, node: UOp, product: Product) -> None:
        near = [b for f in product.factors for b in local_reads(f)]
        closed = frozenset(node.src[1:])
        around = {r for b in near for r in b.free_ranges}
        if not closed.isdisjoint(around) or any(r.arg[1] not in _FREE or r.src[0].op is not Ops.CONST for r in around):
            return
        terms = prod(map(extent, closed))
        stays = self._stays(node, product, terms)
        moved = near or not stays
        if (moved and terms < SUM_ROUNDS) or (terms > PRODUCT_BLOCK and not all(map(is_as_large, product.factors))):
            return
        self.found[node] = product
        lane = self._lane(node, product) if moved else None
        if lane is not None:
            self.inside[node] = lane
        elif stays:
            self.stays.add(node)

    def _lane(self, node: UOp, product: Product) -> UOp | None:
        """The loop whose kernel the sum stays in, a lane for each of its rounds: the outermost one of all that need the
        sum. It goes along one factor; what each lane has of that is small, and so is the other factor.
        """
        leads = self.needed.get(node, set())
        if len(leads) != 1 or any(map(is_outer, node.free_ranges)):
            return None
        (lead,) = leads
        shared, own = _apart_from(lead, product)
        if lead not in own.free_ranges or lead in shared.free_ranges or local_reads(shared):
            return None
        each = prod(extent(r) for r in own.free_ranges if r is not lead)
        sums = prod(extent(r) for r in node.free_ranges if r is not lead)
        size = own.dtype.itemsize
        whole = prod(map(extent, shared.free_ranges)) * size
        return lead if (each + sums) * size <= share(L1_BYTES) and whole <= L2_BYTES else None

    def _stays(self, node: UOp, product: Product, terms: int) -> bool:
        """Whether the store that the sum stands in can be that of its tiles: nothing else loops there.

        A loop of one round may; but not where that decides what a contraction is, as it may be the loop of a batch.
        """
        if len(self.hosts[node]) != 1:
            return False
        ((store, buffer),) = self.hosts[node]
        closed = closed_by(store)
        more = frozenset(closed) - node.free_ranges
        if len(buffer.src) != 1 or not is_global(buffer) or not node.free_ranges <= frozenset(closed):
            return False
        if more and (terms < SUM_ROUNDS or any(extent(r) != 1 or is_outer(r) for r in more)):
            return False
        below = set(toposort(product.factors, enter=lambda u: u.op is not Ops.BUFFERIZE))
        rest = [u for u in self.inner[store] if u is not node and u not in below]
        return store.arg.mode == "set" and not store.arg.gated and not rest

    def run(self) -> list[UOp]:
        for node in self.order:
            new = node.replace(tuple(self.new[s] for s in node.src))
            if node in self.widened:
                new = widened(new, self._sorted(node.free_ranges))
            elif node.op is Ops.INDEX and node.src[0] in self.widened:
                new = new.replace((new.src[0], *self._sorted(node.src[0].free_ranges), *new.src[1:]))
            elif node in self.found:
                new = self._product(node)
            self.new[node] = became(new, node)
        return [self.new[r] for r in self.roots]

    def _sorted(self, ranges: Ranges) -> tuple[UOp, ...]:
        """The ranges that are outermost somewhere first: their extents are arguments."""
        return tuple(sorted(ranges, key=lambda r: (r not in self.leads, self.position[r])))

    def _product(self, node: UOp) -> UOp:
        product = self.found[node]
        if node in self.inside:
            value = self._in_lanes(node, product, self.inside[node])
            return _signed(became(value, node), product)
        stays = node in self.stays
        fixed = frozenset(filter(is_outer, node.free_ranges)) if stays else frozenset()
        tiles = self._tiles(product, node.src[1:], self._lead(node), fixed)
        for part in (node, node.src[0], *product.factors):
            became(tiles, part)
        return _signed(tiles if stays else self._apart(tiles, self._sorted(tiles.free_ranges)), product)

    def _in_lanes(self, node: UOp, product: Product, lane: UOp) -> UOp:
        """A read of the sums: they lie in an array inside of the loop of the lanes, and so does its factor."""
        closed = node.src[1:]
        old, own = _apart_from(lane, product)
        shared, value = self.new[old], self.new[own]
        near = frozenset({lane}).union(*(b.free_ranges for b in local_reads(value))).difference(closed)
        row = self._row(shared.free_ranges - value.free_ranges, None)
        shared = self._rows(shared, row, closed, None)
        if not _is_in_lanes(value, lane, closed):
            others = self._sorted(value.free_ranges.difference(near, closed))
            value = self._apart(value, (*others, *closed))
        tile = TileArg(min(extent(row), SHORT_ROUNDS), 1)
        tiles = UOp(Ops.WMMA, node.dtype, (shared, value, row, lane, *closed), tile)
        for part in (node, node.src[0], *product.factors):
            became(tiles, part)
        return self._apart(tiles, (*self._sorted(tiles.free_ranges.difference(near, (row,))), row))

    def _lead(self, node: UOp) -> UOp | None:
        """The outermost loop of the kernel that the sums get."""
        if node in self.stays:
            return closed_by(self.hosts[node][0][0])[0]
        first = self._sorted(node.free_ranges)[0]
        return first if first in self.leads else None

    def _apart(self, value: UOp, ranges: tuple[UOp, ...]) -> UOp:
        """A read of the value from a buffer of its own, its axes in this order."""
        named, names = by_place(value, ranges)
        if named not in self.made:
            fresh = {n: UOp.range(extent(n)) for n in names}
            store = stored(at(named, fresh), tuple(fresh.values()))
            self.made[named] = buffer_of([store], tuple(map(extent, ranges)))
        return UOp(Ops.INDEX, value.dtype, (self.made[named], *ranges), False)

    # the tiles

    def _tiles(self, product: Product, closed: tuple[UOp, ...], lead: UOp | None, fixed: Ranges) -> UOp:
        """The sums by tiles. The kernel is launched for each value of the ``fixed`` RANGEs, for one row if it must."""
        first, second = self.new[product.first], self.new[product.second]
        rows, columns = product.own
        unit = any(is_unit(second, r) for r in columns) or not any(is_unit(first, r) for r in rows)
        if columns <= fixed or (not rows <= fixed and (lead in columns or (lead not in rows and not unit))):
            first, second, rows, columns = second, first, columns, rows
        row, column = self._row(rows - fixed or rows, lead), self._column(second, columns - fixed)
        vectors = target()
        lanes = (vectors.bytes if vectors.has_vectors else LINE_BYTES) // first.dtype.itemsize
        symmetric = row not in fixed and column not in fixed and are_alike(first, row, second, column)
        is_low = symmetric or (row is not lead and extent(row) < BLOCK_ROWS)
        n, packed = extent(column), not lies_well(second, column, closed, is_low)
        widths = [w for w in range(1, WIDE + 1) if w * lanes < n + (lanes if packed else 1)]
        high = 1 if row in fixed else SHORT_ROUNDS if row is lead or extent(row) > SHORT_ROUNDS // 2 else extent(row)
        number = -(-n // lanes)
        even = [w for w in widths if not number % w and number <= 4 * SHORT_ROUNDS and is_held(high, w, vectors.bytes)]
        across, served = (even or widths)[-1] * lanes, first.free_ranges.difference((row, *closed))
        is_once = is_low and row not in fixed and served <= second.free_ranges
        near = packed and 2 * n < across and is_once and _steps_evenly(second, closed)  # panels are mostly empty
        arg = TileArg(high, across, packed, lanes=lanes, symmetric=symmetric, near=near)
        first = self._rows(first, row, closed, lead, arg.packed)
        if arg.packed and not near:
            second = self._panels(second, column, closed, arg)
        elif places_of(second) is None:
            others = self._sorted(second.free_ranges.difference((column, *closed)))
            second = self._apart(second, (*others, *closed, column))
        return UOp(Ops.WMMA, first.dtype, (first, second, row, column, *closed), arg)

    def _row(self, own: Ranges, lead: UOp | None) -> UOp:
        """The RANGE of a factor that goes through the rows of a tile: one that is long enough, by choice."""
        long = [r for r in own if extent(r) >= 4 * SHORT_ROUNDS and r is not lead]
        if lead is not None and lead in own and not long:
            return lead
        return max(long or own, key=lambda r: (extent(r), self.position[r]))

    def _column(self, factor: UOp, own: Ranges) -> UOp:
        """The RANGE that goes through the columns: elements side by side, by choice."""
        return max(own, key=lambda r: (is_unit(factor, r), extent(r), self.position[r]))

    def _rows(self, factor: UOp, row: UOp, closed: tuple[UOp, ...], lead: UOp | None, is_far: bool = True) -> UOp:
        """The factor read with a fixed distance from term to term, a short one where those of columns are far."""
        form = places_of(factor)
        step = None if form is None else step_of(form, closed)
        if form is not None and step is not None:
            size = factor.dtype.itemsize * prod(extent(r) for r in factor.free_ranges if r is not lead)
            along = lead is not None and form.get(lead, step) < step  # how far depends on the batch, this must not
            if step == 1 or along or size <= L2_BYTES:
                return factor
        others = self._sorted(factor.free_ranges.difference((row, *closed)))
        inner = (row, *closed) if is_far or not lies_along(factor, row, closed) else (*closed, row)
        return self._apart(factor, (*others, *inner))

    def _panels(self, factor: UOp, column: UOp, closed: tuple[UOp, ...], tile: TileArg) -> UOp:
        """The factor read from panels: the columns of a tile side by side, term after term."""
        columns = tile.columns
        others = self._sorted(factor.free_ranges.difference((column, *closed)))
        idx = (*others, sym.div(column, columns), *closed, sym.mod(column, columns))
        named, (across, *names) = by_place(factor, (column, *others, *closed))
        key = (named, columns)
        if key not in self.made:
            whole, left = divmod(extent(column), columns)
            panels = [(UOp.range(whole), columns)] * bool(whole)
            if left:  # whole vectors, filled up with what is never stored
                panels.append((sym.const(whole), -(-left // tile.lanes) * tile.lanes))
            fresh = {n: UOp.range(extent(n)) for n in names}
            first, rest = (tuple(fresh.values())[a:b] for a, b in ((0, len(others)), (len(others), None)))
            stores = []
            for panel, width in panels:
                side = UOp.range(width)
                place = sym.clamp(sym.add(sym.mul(panel, columns), side), extent(column))
                stores.append(stored(at(named, {**fresh, across: place}), (*first, panel, *rest, side)))
            shape = (*map(extent, others), whole + bool(left), *map(extent, closed), columns)
            self.made[key] = buffer_of(stores, shape)
        return UOp(Ops.INDEX, factor.dtype, (self.made[key], *idx), False)


def _apart_from(lane: UOp, product: Product) -> tuple[UOp, UOp]:
    """The factor that all lanes share, and the other."""
    first, second = product.factors
    return (second, first) if lane in first.free_ranges else (first, second)


def _is_in_lanes(factor: UOp, lane: UOp, closed: tuple[UOp, ...]) -> bool:
    """Whether a factor is read from an array inside of the loop of the lanes, terms at a fixed distance."""
    if lane not in factor.src[0].free_ranges or not factor.src[0].free_ranges.isdisjoint(closed):
        return False
    return _steps_evenly(factor, closed)


def _steps_evenly(factor: UOp, closed: tuple[UOp, ...]) -> bool:
    """Whether a factor is read from memory, terms at a fixed distance."""
    form = places_of(factor)
    return form is not None and step_of(form, closed) is not None


def _signed(value: UOp, product: Product) -> UOp:
    zero = UOp.const(value.dtype, 0)  # 0 - 0 is 0, as the sum of -0.0 is
    return UOp(Ops.SUB, value.dtype, (zero, value)) if product.negated else value
