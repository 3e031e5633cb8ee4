"""Outer-loop vectorization: one loop of a kernel goes in tiles, the statements of its body become loops over a tile."""

from __future__ import annotations

from collections.abc import Callable

from functrans.backend.codegen.lanes.call_table import as_call_table
from functrans.backend.codegen.lanes.choice import chosen, side_by_side
from functrans.backend.codegen.lanes.columns import columns
from functrans.backend.codegen.lanes.complex_lowering import is_complex, lower_complex
from functrans.backend.codegen.lanes.extract import arguments
from functrans.backend.codegen.lanes.lane_writer import LaneWriter
from functrans.backend.codegen.lanes.products import columns as columns_of_products
from functrans.backend.codegen.lanes.straight import straight
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop, loop_of, nest
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, substitute

__all__ = ["lanes"]

WIDTHS = (128, 64, 32, 16)
L1_BYTES = 48 * 1024  # of local arrays: what the first cache holds
LINES = 64  # lanes whose numbers are eight lines of memory, which it hands over as fast as more
FAR_BYTES = 64 * 1024 * 1024  # of local arrays that go through memory, at most


def lanes(uops: list[UOp]) -> list[UOp]:
    """The statements with one loop in tiles, where that pays. Each step of the outermost one writes places of its own.
    Linear in their number times the depth of the loops.
    """
    found = as_call_table(uops)
    if found is not None:
        return found
    real = lower_complex(uops) if any(map(is_complex, uops)) else uops
    wanted = () if real is None or (real is not uops and side_by_side(real)) else chosen(real)
    if real is None or not wanted:
        return uops
    if real is uops:
        rows = _by_rows(uops) if wanted == (_outermost(uops),) else None
        if rows is not None:
            return rows
        uops = straight(uops, wanted)
    elif wanted != (_outermost(real),):  # pairs are made for the outermost loop
        return uops
    else:
        real = lower_complex(straight(uops, (_outermost(uops),)))
        if real is None:
            return uops
        uops, wanted = real, (_outermost(real),)
    for r in wanted:
        uops = _in_tiles(uops, r)
    return uops


def _in_tiles(uops: list[UOp], r: UOp) -> list[UOp]:
    """The statements with the loop of a RANGE in tiles."""
    outer = arguments(loop_of(r, nest(uops)))
    shown = substitute(uops, outer) if outer else uops
    top = nest(shown)
    loop = loop_of(r, top)
    facts = Uniformity(loop)
    narrow = min((u.dtype.itemsize for u in facts.body if u in facts.varying and u.dtype.kind in "if"), default=8)
    unit = 16 if narrow <= 4 else 8
    width = columns_of_products(facts, unit) or _width(loop, facts)
    writer = LaneWriter(shown, facts, width, unit)
    for array in outer:  # they keep their numbers and their memory
        size = -(-array.arg.elements * array.dtype.itemsize // 64) * 64
        writer.locals = max(writer.locals, array.arg.number + 1)
        if array.arg.offset is None:
            writer.stack += size
        else:
            writer.scratch = max(writer.scratch, array.arg.offset + size)
    writer.items(top)
    return substitute(writer.out, {a: array for array, a in outer.items()}) if outer else writer.out


def _by_rows(uops: list[UOp]) -> list[UOp] | None:
    """The statements with columns made rows, where their lanes would keep more than stays at hand."""
    loop = loop_of(_outermost(uops), nest(uops))
    facts = Uniformity(loop)
    return columns(uops, loop, facts) if _size(loop, facts, _is_far) else None


def _is_far(size: int) -> bool:
    return size * WIDTHS[-1] > L1_BYTES


def _outermost(uops: list[UOp]) -> UOp:
    """The RANGE of the one loop that a kernel of lanes is."""
    return next(u for u in uops if u.op is Ops.RANGE)


def _width(loop: Loop, facts: Uniformity) -> int:
    """The lanes of a tile: as many as keep its arrays at hand. What even the fewest do not keep there goes through
    memory: then there are so many that what they read is lines one after the other.
    """
    far = _size(loop, facts, _is_far)
    if 0 < far * LINES <= FAR_BYTES and all(facts.stride(u.src[0].src[1]) in (0, 1) for u in facts.body if _reads(u)):
        return LINES
    size = _size(loop, facts, lambda size: True)
    most = sym.bounds(loop.range.src[0])[1]
    return next((w for w in WIDTHS if w * size <= L1_BYTES and w < 2 * most), WIDTHS[-1])


def _reads(u: UOp) -> bool:
    return u.op is Ops.LOAD and u.src[0].src[0].op is Ops.DEFINE_GLOBAL


def _size(loop: Loop, facts: Uniformity, counts: Callable[[int], bool]) -> int:
    """The bytes that a lane needs at a time, of the arrays that count."""
    own = [u for u in loop.items if isinstance(u, UOp) and u.op is Ops.DEFINE_LOCAL and u in facts.varying]
    inner = max((_size(item, facts, counts) for item in loop.items if isinstance(item, Loop)), default=0)
    sizes: list[int] = [u.arg.elements * u.dtype.itemsize for u in own]
    return sum(filter(counts, sizes)) + inner
