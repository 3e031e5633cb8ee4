"""Long bodies in pieces: a piece is computed for one vector after the other, and what later pieces want is kept.

One vector waits for itself, and so many statements of several are more than the processor looks ahead, with more values
than there are registers. A piece is short, so that it is in several vectors at once; a cut is where few values live.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from functrans import dtypes
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.policy import STRAIGHT_STATEMENTS
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp

CALL = 12  # statements that an elementary function counts for
_BREAKS = frozenset({Ops.RANGE, Ops.IF, Ops.WMMA, Ops.DEFINE_ACC, Ops.DEFINE_LOCAL})


@dataclass(eq=False)
class Piece:
    """Statements; where the values are that it finds, and where it keeps those that others want."""

    uops: list[UOp]
    found: dict[UOp, int] = field(default_factory=dict)
    kept: dict[UOp, int] = field(default_factory=dict)


def is_in_pieces(body: list[UOp]) -> bool:
    """Whether a body is one long stretch of statements, without loops, conditions or arrays of its own."""
    if any(u.op in _BREAKS for u in body) or len(set(body)) < len(body):  # memory that is read before and after a write
        return False
    return sum(_size(u) for u in body if u.op in GroupOp.Elementwise and u.dtype != dtypes.index) > STRAIGHT_STATEMENTS


def pieces(uops: list[UOp], again: Callable[[UOp], bool]) -> tuple[list[Piece], list[DType]]:
    """Statements in pieces, and the dtypes of the places of values between them. What may be computed ``again`` is, in
    each piece. Linear in the statements.
    """
    last: dict[UOp, int] = {}
    for k, u in enumerate(uops):
        last.update(dict.fromkeys(values_of(u), k))
    made = [Piece(part) for part in _cut([u for u in uops if not again(u)], last, uops)]
    of = {u: k for k, piece in enumerate(made) for u in piece.uops}
    wanted = [dict.fromkeys(v for u in piece.uops for v in _needed(u, again)) for piece in made]
    end: dict[UOp, int] = {}
    for k, values in enumerate(wanted):
        end.update({v: k for v in values if of.get(v, k) < k})
    kinds: list[DType] = []
    free: dict[DType, list[int]] = {}
    place: dict[UOp, int] = {}
    for k, piece in enumerate(made):
        piece.found = {v: place[v] for v in wanted[k] if v in place}
        for u in piece.uops:
            if u in end:
                unused = free.setdefault(u.dtype, [])
                if not unused:
                    unused.append(len(kinds))
                    kinds.append(u.dtype)
                piece.kept[u] = place[u] = unused.pop()
        for v in [*piece.found, *piece.kept]:
            if end[v] == k:
                free[v.dtype].append(place[v])
        before: dict[UOp, None] = {}
        for u in piece.uops:
            before.update(dict.fromkeys(_all_again(u, again)))
        piece.uops = [*before, *piece.uops]
    return made, kinds


def handed_on(body: list[UOp]) -> int:
    """How many times one round of a loop keeps a value for another piece or finds one. Linear in the statements."""
    if not is_in_pieces(body):
        return 0
    written = {u.src[0].src[0] for u in body if u.op is Ops.STORE}
    values = [u for u in body if u.dtype != dtypes.index and u.op is not Ops.INDEX]
    made, _ = pieces(values, lambda u: u.op is Ops.LOAD and u.src[0].src[0] not in written)
    return sum(len(piece.found) + len(piece.kept) for piece in made)


def values_of(u: UOp) -> Iterable[UOp]:
    """The values that a statement uses, those of its place among them."""
    for s in u.src:
        yield from s.src[1:] if s.op is Ops.INDEX else (s,)


def _all_again(u: UOp, again: Callable[[UOp], bool]) -> Iterable[UOp]:
    for v in values_of(u):
        if again(v):
            yield from _all_again(v, again)
            yield v


def _needed(u: UOp, again: Callable[[UOp], bool]) -> Iterable[UOp]:
    for v in values_of(u):
        if again(v):
            yield from _needed(v, again)
        else:
            yield v


def _cut(items: list[UOp], last: dict[UOp, int], uops: list[UOp]) -> Iterable[list[UOp]]:
    """Cut where few values live, from half of the length of a piece on."""
    position = {u: k for k, u in enumerate(uops)}
    alive, count = [], 0
    ends: dict[int, int] = {}
    for u in items:
        at = position[u]
        alive.append(count)
        if last.get(u, at) > at:
            count += 1
            ends[last[u]] = ends.get(last[u], 0) + 1
        count -= ends.pop(at, 0)
    alive.append(0)
    start = 0
    while start < len(items):
        end, total, best = start, 0, len(items)
        while end < len(items) and (total + _size(items[end]) <= STRAIGHT_STATEMENTS or end == start):
            total += _size(items[end])
            end += 1
            if 2 * total >= STRAIGHT_STATEMENTS and (best > end or alive[end] <= alive[best]):
                best = end
        stop = end if end == len(items) else min(best, end)
        yield items[start:stop]
        start = stop


def _size(u: UOp) -> int:
    return CALL if u.op in ELEMENTARY else 1
