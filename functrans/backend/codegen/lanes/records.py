"""What the rounds of an outer loop read and write: a record each, one column of an array, or what all of them share.

Where the rounds become lanes of vectors, a record is moved into vectors once, all lanes at a time: a square of numbers
is transposed in registers. What lies side by side from lane to lane is read where it lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from functrans._records import record
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.partial import extent_of
from functrans.backend.codegen.varying import step_of
from functrans.backend.policy import L1_BYTES, share
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

Begin = tuple[tuple[UOp, int], ...]
Used = list[tuple[UOp, list[Loop], bool]]  # statements, the loops around each, and whether a condition is


@record
class Access:
    """How an array is used: by so many elements from one round to the next, None where that is anywhere.

    ``is_moved``: each round has a record, all of which it reads or writes, and it is moved as a whole. ``begin`` are
    the loops and numbers from outside, and how often each counts, that say where the first record begins.
    """

    step: int | None
    is_moved: bool
    begin: Begin = ()


Accesses = dict[tuple[UOp, int | None], Access]


def accesses(loop: Loop) -> Accesses | str:
    """Of each array from outside of the loop, by how it is used; or why vectors cannot. Linear in its statements."""
    own = set(loop.walk())
    touched: dict[tuple[UOp, int | None], Used] = {}
    for u, around, under in _touching(loop, [], 0):
        array, place = u.src[0].src
        if array not in own:
            touched.setdefault((array, step_of(loop.range, place)), []).append((u, around, bool(under)))
    written = {array for (array, _), uses in touched.items() if any(u.op is Ops.STORE for u, _, _ in uses)}
    found = {}
    for (array, step), uses in touched.items():
        if array in written and (not step or any(u.op is Ops.LOAD for u, _, _ in uses)):
            return "its rounds read what they write, or do not write places of their own"
        if array in written and sum(a is array for a, _ in touched) > 1:
            return "its rounds write an array in several ways"
        if step is not None and step < 0:
            return "its rounds go backwards"
        begin = _begin(uses[0][0].src[0].src[1], own | {loop.range})
        whole = step is not None and _is_record(loop.range, step, begin, uses, array in written)
        found[array, step] = Access(step, whole, begin if whole else ())
    return found


def _begin(place: UOp, own: set[UOp]) -> Begin:
    """What of a place the loops and numbers outside of a loop make."""
    _, terms = sym.linear(place)
    return tuple((t, k) for t, k in terms.items() if t.op in (Ops.RANGE, Ops.DEFINE_VAR) and t not in own)


def _touching(loop: Loop, around: list[Loop], under: int) -> Iterator[tuple[UOp, list[Loop], int]]:
    """Each read and write, with the loops around it and how many conditions."""
    for item in loop.items:
        if isinstance(item, Loop):
            yield from _touching(item, [*around, item], under)
            continue
        under += (item.op is Ops.IF) - (item.op is Ops.ENDIF)
        if item.op in (Ops.LOAD, Ops.STORE):
            yield item, around, under


def relative(r: UOp, place: UOp, begin: Begin = ()) -> UOp:
    """A place in a record, which begins there."""
    constant, terms = sym.linear(place)
    left = {t: k - n for t, k in terms.items() if t is not r for n in (dict(begin).get(t, 0),)}
    left |= {t: -k for t, k in begin if t not in terms}
    return sym.from_linear((constant, {t: k for t, k in left.items() if k}))


def _is_record(r: UOp, step: int, begin: Begin, uses: Used, written: bool) -> bool:
    """Whether each round uses all of a record, and nothing else: what is written is written in every place."""
    times = sum(prod(map(extent_of, around)) for _, around, _ in uses)
    size = step * uses[0][0].src[0].dtype.itemsize
    if step < 2 or size > share(L1_BYTES, 16) or times < step:
        return False
    for u, _, _ in uses:
        low, high = sym.bounds(relative(r, u.src[0].src[1], begin))
        if low < 0 or high >= step:
            return False
    return not written or (times == step and _differ(r, begin, uses))


def _differ(r: UOp, begin: Begin, uses: Used) -> bool:
    """Whether every place of a record is written, each once."""
    places: set[int] = set()
    for u, around, under in uses:
        constant, terms = sym.linear(relative(r, u.src[0].src[1], begin))
        loops = {loop.range: extent_of(loop) for loop in around}
        if under or len(u.src) > 2 or not terms.keys() <= loops.keys():
            return False
        own = [constant]
        for t, n in loops.items():
            own = [place + k * terms.get(t, 0) for place in own for k in range(n)]
        if len(set(own)) < len(own) or not places.isdisjoint(own):
            return False
        places.update(own)
    return True
