"""Loops of a reduction over neighboring elements made one: the sum of a matrix is that of one row of all its numbers.

Under two loops the accumulators of vector code are added up after each row, which takes longer than a row of 16 numbers
itself. Where all that a reduction reads lies along memory as its loops go, one loop reads the same in the same order.
Where it does not, rows of few numbers are reduced row by row, and vectors are of several rows.
"""

from __future__ import annotations

from functrans.backend.policy import SUM_ROUNDS
from functrans.backend.schedule.flat import places_in
from functrans.backend.schedule.hoist import Loops
from functrans.backend.schedule.inline import at
from functrans.backend.schedule.walks import Walks
from functrans.ops.enums import AxisType, Ops
from functrans.ops.opdef import closed_by
from functrans.ops.origin import became
from functrans.ops.uop import UOp, rebuilt, toposort
from functrans.ops.vmap import extent


def summed(roots: list[UOp]) -> list[UOp]:
    """The roots, last loops of reductions made one where they walk memory. Linear in the graph times their depth."""
    walks = Walks()
    while pairs := _pairs(order := toposort(roots), walks):
        ones = {pair: became(_one(*pair), pair[1]) for pair in pairs}
        new: dict[UOp, UOp] = {}
        for u in order:
            new[u] = u.replace(tuple(new[s] for s in u.src))
            if u.op is Ops.REDUCE and u.src[-2:] in ones:
                one = ones[u.src[-2:]]
                new[u] = u.replace((at(new[u.src[0]], places_in(u.src[-2:], one)), *u.src[1:-2], one))
        roots = [new[r] for r in roots]
    return _row_by_row(roots)


def _row_by_row(roots: list[UOp]) -> list[UOp]:
    """The roots, where last loops too short for accumulators of vector code are reductions of their own, whose results
    a loop that is long enough reduces: the vectors are its rounds. Integers need none, as any order has their sum.
    """

    def make(u: UOp, made: UOp) -> UOp:
        short = _short(u.src[1:]) if u.op is Ops.REDUCE and u.dtype.kind not in "iu" else 0
        if not short:
            return made
        row = became(made.replace((made.src[0], *made.src[-short:])), u)
        return became(made.replace((row, *made.src[1:-short])), u)

    return rebuilt(roots, make)


def _short(ranges: Loops) -> int:
    """How many of the last loops are short, within a long one; 0 if there is none around them."""
    count = 0
    for r in reversed(ranges):
        if r.src[0].op is not Ops.CONST:
            return 0
        if extent(r) >= SUM_ROUNDS:
            return count
        count += 1
    return 0


def _one(rows: UOp, columns: UOp) -> UOp:
    return UOp.range(extent(rows) * extent(columns), axis_type=AxisType.REDUCE)


def _pairs(order: list[UOp], walks: Walks) -> set[Loops]:
    """The last two RANGEs of reductions, of those that become one: all that close one of the two allow it."""
    found: dict[Loops, bool] = {}
    closing: dict[UOp, set[Loops]] = {}
    for u in order:
        ranges = tuple(closed_by(u))
        pair = ranges[-2:] if u.op is Ops.REDUCE else ()
        for r in ranges:
            closing.setdefault(r, set()).add(pair)
        if len(pair) == 2:
            known = all(r.arg[1] is AxisType.REDUCE and r.src[0].op is Ops.CONST for r in pair)
            found[pair] = found.get(pair, True) and known and walks(u.src[0], pair)
    return {pair for pair, one in found.items() if one and all(closing[r] == {pair} for r in pair)}
