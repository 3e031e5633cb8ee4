"""How the factors of a product of matrices lie in memory, and buffers for those that do not lie well."""

from __future__ import annotations

from math import prod

from functrans import dtypes
from functrans.backend.policy import L2_BYTES, LINE_BYTES, PRODUCT_BLOCK, SHORT_ROUNDS, share
from functrans.backend.schedule.bufferize import BufferArg, StoreArg
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.parts import shape_of
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, fresh_id, toposort
from functrans.ops.vmap import extent


def by_place(value: UOp, ranges: tuple[UOp, ...]) -> tuple[UOp, list[UOp]]:
    """The value over RANGEs called by their place: equal for two that differ in their RANGEs alone."""
    names = [UOp(r.op, r.dtype, r.src, (("place", k), AxisType.LOOP)) for k, r in enumerate(ranges)]
    return at(value, dict(zip(ranges, names, strict=True))), names


def is_as_large(factor: UOp) -> bool:
    """Whether something that is read for the factor has an element for each of its own."""
    inside = toposort((factor,), enter=lambda u: u.op is not Ops.BUFFERIZE)
    return any(u.op is Ops.INDEX and u.free_ranges >= factor.free_ranges for u in inside)


def buffer_of(stores: list[UOp], shape: tuple[int, ...]) -> UOp:
    """A buffer that the stores fill."""
    return UOp(Ops.BUFFERIZE, stores[0].src[0].dtype, tuple(stores), BufferArg(fresh_id(), shape))


def stored(value: UOp, dest: tuple[UOp, ...]) -> UOp:
    """The STORE of a value at indices, each a RANGE that it closes or a number."""
    loops = tuple(d for d in dest if d.op is Ops.RANGE)
    return UOp(Ops.STORE, dtypes.void, (value, *dest, *loops), StoreArg(len(dest)))


def places_of(factor: UOp) -> dict[UOp, int] | None:
    """The distance in elements for each RANGE, of a factor that is read from memory; None for any other."""
    if factor.op is not Ops.INDEX or factor.arg:
        return None
    _, terms = sym.linear(sym.flatten(factor.src[1:], shape_of(factor.src[0])))
    return terms if all(t.op is Ops.RANGE for t in terms) else None


def is_unit(factor: UOp, r: UOp) -> bool:
    """Whether neighbors along a RANGE are neighbors in memory."""
    form = places_of(factor)
    return form is not None and form.get(r) == 1


def step_of(form: dict[UOp, int], closed: tuple[UOp, ...]) -> int | None:
    """The distance from one term to the next, if it is the same for all terms in order."""
    step, passed = None, 1
    for r in reversed(closed):
        if extent(r) == 1:
            continue
        distance = form.get(r, 0)
        if step is None:
            step = distance
        elif distance != step * passed:
            return None
        passed *= extent(r)
    return 0 if step is None else step


def lies_well(factor: UOp, column: UOp, closed: tuple[UOp, ...], is_low: bool) -> bool:
    """Whether a tile's columns can be read where they lie, as often as rows of the other factor need them. Those of a
    factor that is computed lie in a buffer of its own, side by side.
    """
    form = places_of(factor)
    if extent(column) * factor.dtype.itemsize < LINE_BYTES or not (form is None or is_unit(factor, column)):
        return False
    step = extent(column) if form is None else step_of(form, closed)
    if step is None:
        return False
    far = step * factor.dtype.itemsize
    if prod(map(extent, closed)) * far <= (L2_BYTES if is_low else share(L2_BYTES, 2)):
        return True
    few = SHORT_ROUNDS * LINE_BYTES  # lines, of which a tile reads a good part
    if is_low:  # in the second cache block by block; but rows so far apart share few lines of the first
        return PRODUCT_BLOCK * far <= L2_BYTES and far % few != 0
    return far < few


def lies_along(factor: UOp, row: UOp, closed: tuple[UOp, ...]) -> bool:
    """Whether what a factor is computed from lies side by side along a RANGE, in whole vectors, and not from term to
    term.
    """
    if extent(row) * factor.dtype.itemsize < LINE_BYTES:
        return False
    inside = toposort((factor,), enter=lambda u: u.op is not Ops.BUFFERIZE)
    read = [u for u in inside if u.op is Ops.INDEX and row in u.free_ranges]
    return any(is_unit(u, row) for u in read) and not any(is_unit(u, closed[-1]) for u in read)


def are_alike(first: UOp, row: UOp, second: UOp, column: UOp) -> bool:
    """Whether the factors are one, read along two RANGEs: a matrix by its own transpose."""
    if extent(row) != extent(column):
        return False
    one = UOp.range(extent(row))
    return at(first, {row: one}) is at(second, {column: one})
