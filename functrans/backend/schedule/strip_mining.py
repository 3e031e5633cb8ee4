"""Strip-mining: an axis that is two merged ones, where what is computed along it knows them apart.

A field on a grid is stored as one vector, and each of its elements is computed of its neighbors in a row and in a
column: of the quotient of the RANGE and of the rest. One by one these are divisions; with a loop for the quotient and
one for the rest there are rows, whose elements lie side by side. A reduction along such an axis stays, as its order is
its meaning; where it is the one loop around what is computed so, that is filled by a loop of its own before. The heads
of attention are merged so as well: as both factors of a product depend on that RANGE, it is no
product of matrices; with two loops it is a batch of them.

Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 5.7.
"""

from __future__ import annotations

from collections.abc import Iterable

from functrans._records import record
from functrans.backend.policy import SHORT_ROUNDS
from functrans.backend.schedule.contractions import product_of
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.layouts import buffer_of, stored
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import inside, is_global, places_of, shape_of
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.origin import became
from functrans.ops.uop import UOp, rebuilt, toposort
from functrans.ops.vmap import extent

_PARTS = frozenset({Ops.IDIV, Ops.MOD})


@record
class _Two:
    """The RANGEs that one becomes, and what it is of them."""

    quotient: UOp
    rest: UOp

    @property
    def whole(self) -> UOp:
        """The one RANGE."""
        return sym.add(sym.mul(self.quotient, extent(self.rest)), self.rest)


def strip_mined(roots: list[UOp]) -> list[UOp]:
    """The roots with such RANGEs as two, an axis of several merged ones as several. Linear in the graph."""
    roots = _filled(roots)
    while True:
        two = _chosen(toposort(roots))
        if not two:
            return roots
        roots = _mined(roots, two)


def _filled(roots: list[UOp]) -> list[UOp]:
    """The roots, where what is reduced along such a RANGE, and under no other, is an array that a loop fills."""
    arrays: dict[UOp, UOp] = {}  # of a value along the RANGE of its extent: reductions that share it share the array
    along: dict[int, UOp] = {}

    def make(u: UOp, made: UOp) -> UOp:
        if u.op is not Ops.REDUCE or len(u.src) != 2 or u.free_ranges or not _is_divided(u.src[0], u.src[1]):
            return made
        value, r = made.src
        one = along.setdefault(extent(r), UOp.range(extent(r)))
        known = at(value, {r: one})
        if known not in arrays:
            own = UOp.range(extent(r))
            arrays[known] = buffer_of([stored(at(known, {one: own}), (own,))], (extent(r),))
        return became(made.replace((UOp(Ops.INDEX, value.dtype, (arrays[known], r), False), r)), u)

    return rebuilt(roots, make)


def _is_divided(value: UOp, r: UOp) -> bool:
    """Whether elements are found by the quotient and the rest of a RANGE, one by one."""
    if r.src[0].op is not Ops.CONST:
        return False
    todo = [value]
    for u in toposort((value,), enter=lambda u: u.op not in (Ops.BUFFERIZE, Ops.INDEX) and r in u.free_ranges):
        if u.op is Ops.INDEX:
            todo.extend((sym.flatten(places_of(u), shape_of(u.src[0])), *(u.src[-1:] if u.arg else ())))
    parts = toposort(todo, enter=lambda u: u.op is not Ops.INDEX and r in u.free_ranges)
    return any(_divides(u, r) for u in parts)


def _divides(u: UOp, r: UOp) -> bool:
    if u.op not in _PARTS or u.src[0] is not r or u.src[1].op is not Ops.CONST:
        return False
    size = int(u.src[1].arg)
    return 1 < size < extent(r)


def _chosen(order: list[UOp]) -> dict[UOp, _Two]:
    """What becomes of each such RANGE, in all loops over it, as these are to share what they compute in it."""
    by: dict[UOp, set[int]] = {}
    for u in order:
        if u.op in _PARTS and u.src[0].op is Ops.RANGE and u.src[1].op is Ops.CONST:
            by.setdefault(u.src[0], set()).add(int(u.src[1].arg))
    if not by:
        return {}
    outermost: set[UOp] = set()
    products: dict[UOp, set[UOp]] = {}  # of a loop over such a RANGE, sums in it that may be some
    for buffer in (u for u in order if u.op is Ops.BUFFERIZE):
        for store in buffer.src:
            closed = closed_by(store)
            outermost.update(closed[:1] if is_global(buffer) else ())
            for r in by.keys() & set(closed):
                products.setdefault(r, set()).update(u for u in inside(store) if u.op is Ops.REDUCE)
    found = {}
    for r, sums in products.items():
        size = min(by[r])
        if r.arg[1] is AxisType.LOOP and r.src[0].op is Ops.CONST and 1 < size < extent(r) and extent(r) % size == 0:
            two = _Two(UOp.range(extent(r) // size), UOp.range(size))
            makes = len(by[r]) == 1 and r not in outermost and _makes_a_product(sums, r, two)
            shifts = size & (size - 1) == 0  # its quotients, which vectors have
            if makes or size >= SHORT_ROUNDS or not shifts:
                found[r] = two
    return found


def _makes_a_product(sums: Iterable[UOp], r: UOp, two: _Two) -> bool:
    """Whether some sum is a product of matrices with the two RANGEs, and is none with one."""
    known = (u for u in sums if r in u.free_ranges and product_of(u) is None)
    return any(product_of(at(u, {r: two.whole})) is not None for u in known)


def _mined(roots: list[UOp], two: dict[UOp, _Two]) -> list[UOp]:
    def make(u: UOp, made: UOp) -> UOp:
        if u.op is not Ops.STORE or two.keys().isdisjoint(closed_by(u)):
            return made
        first, place = u.arg.first_range, {r: two[r].whole for r in closed_by(u) if r in two}
        inner = tuple(at(s, place) for s in made.src[:first])
        loops = (part for r in u.src[first:] for part in ((two[r].quotient, two[r].rest) if r in two else (r,)))
        return became(made.replace((*inner, *loops)), u)

    return rebuilt(roots, make)
