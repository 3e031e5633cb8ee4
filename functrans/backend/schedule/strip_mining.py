"""Strip-mining: an axis that is two merged ones, where a product of matrices knows them apart.

The heads of attention are computed by head and by number, and stored as one axis: what is read there depends on the
quotient of its RANGE and on the rest. As both factors of the product depend on that RANGE, it is no product of
matrices. With a loop for the quotient and one for the rest it is a batch of them.

Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 5.7.
"""

from __future__ import annotations

from functrans.backend.schedule.contractions import product_of
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import inside, is_global
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.origin import became
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

Shared = tuple[object, UOp]  # a loop, and what stands around it where stores share it


def strip_mined(roots: list[UOp]) -> list[UOp]:
    """The roots with such RANGEs as two. Stores that share a loop keep sharing it. Linear in the graph."""
    loops: dict[UOp, list[Shared]] = {}
    for buffer in toposort(roots):
        for store in buffer.src if buffer.op is Ops.BUFFERIZE else ():
            closed = closed_by(store)
            if is_global(buffer):  # of the outermost loop only the call knows the extent
                loops[store] = [(closed[0], r) for r in closed[1:]]
            else:
                loops[store] = [(buffer.free_ranges, r) for r in closed]
    whole: dict[Shared, UOp] = {}
    for store, shared in loops.items():
        for loop in shared:
            found = None if loop in whole else _whole(store, loop[1])
            if found is not None:
                whole[loop] = found
    mined: dict[UOp, UOp] = {}
    for store, shared in loops.items():
        for loop in shared:
            if loop in whole:
                mined[store] = _mined(mined.get(store, store), loop[1], whole[loop])
    return substitute(roots, mined) if mined else roots


def _whole(store: UOp, r: UOp) -> UOp | None:
    """What a RANGE is of two, its quotient and its rest, that make a product of what is none."""
    nodes = inside(store)
    by = {u.src[1].arg for u in nodes if u.op is Ops.IDIV and u.src[0] is r and u.src[1].op is Ops.CONST}
    sums = [u for u in nodes if u.op is Ops.REDUCE and r in u.free_ranges and product_of(u) is None]
    if len(by) != 1 or not sums or r.arg[1] is not AxisType.LOOP or extent(r) % min(by):
        return None
    rest = UOp.range(min(by))
    whole = sym.add(sym.mul(UOp.range(extent(r) // extent(rest)), extent(rest)), rest)
    return whole if any(product_of(at(u, {r: whole})) is not None for u in sums) else None


def _mined(store: UOp, r: UOp, whole: UOp) -> UOp:
    first, place = store.arg.first_range, {r: whole}
    quotient, rest = (u for u in toposort((whole,)) if u.op is Ops.RANGE)
    closed = (q for c in store.src[first:] for q in ((quotient, rest) if c is r else (c,)))
    return became(store.replace((*(at(s, place) for s in store.src[:first]), *closed)), store)
