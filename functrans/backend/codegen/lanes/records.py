"""What the rounds of an outer loop read and write: a record each, one column of an array, or what all of them share.

Where the rounds become lanes of vectors, a record is moved into vectors once, all lanes at a time: a square of numbers
is transposed in registers. What lies side by side from lane to lane is read where it lies.
"""

from __future__ import annotations

from dataclasses import dataclass

from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.partial import extent_of
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

LONGEST = 256  # numbers of a record that is moved as a whole


@dataclass(frozen=True)
class Access:
    """How an array is used: by so many elements from one round to the next, and how often a round touches it.

    ``is_moved``: each round has a record, all of which it reads or writes, and it is moved as a whole.
    """

    step: int
    times: int
    is_moved: bool


def accesses(loop: Loop) -> dict[UOp, Access] | str:
    """Of each array that the loop is given; or what of it vectors do not know. Linear in its statements."""
    touched: dict[UOp, list[tuple[UOp, list[Loop]]]] = {}
    todo: list[tuple[Loop, list[Loop]]] = [(loop, [])]
    while todo:
        outer, around = todo.pop()
        for item in outer.items:
            if isinstance(item, Loop):
                todo.append((item, [*around, item]))
            elif item.op in (Ops.LOAD, Ops.STORE) and item.src[0].src[0].op is Ops.DEFINE_GLOBAL:
                touched.setdefault(item.src[0].src[0], []).append((item, around))
    found = {}
    for array, uses in touched.items():
        steps = {_step(loop.range, u.src[0].src[1]) for u, _ in uses}
        step = steps.pop()
        if steps or step is None or step < 0:
            return "its rounds do not read and write at a fixed distance"
        if array.arg.written and (not step or any(u.op is Ops.LOAD or len(u.src) > 2 for u, _ in uses)):
            return "its rounds read what they write, or write under a condition"
        times = sum(_rounds(around) for _, around in uses)
        found[array] = Access(step, times, _is_record(loop.range, step, times, uses, array.arg.written))
    return found


def relative(r: UOp, place: UOp) -> UOp:
    """A place in a record."""
    constant, terms = sym.linear(place)
    return sym.from_linear((constant, {t: k for t, k in terms.items() if t is not r}))


def _step(r: UOp, place: UOp) -> int | None:
    _, terms = sym.linear(place)
    if any(t is not r and r in t.free_ranges for t in terms):
        return None
    return terms.get(r, 0)


def _rounds(around: list[Loop]) -> int:
    total = 1
    for loop in around:
        total *= extent_of(loop)
    return total


def _is_record(r: UOp, step: int, times: int, uses: list[tuple[UOp, list[Loop]]], written: bool) -> bool:
    """Whether each round uses all of a record, and nothing else: what is written is written in every place."""
    if not 1 < step <= LONGEST or times < step:
        return False
    for u, _ in uses:
        low, high = sym.bounds(relative(r, u.src[0].src[1]))
        if low < 0 or high >= step:
            return False
    return not written or (times == step and _differ(r, uses))


def _differ(r: UOp, uses: list[tuple[UOp, list[Loop]]]) -> bool:
    """Whether no place of a record is written twice."""
    places: set[int] = set()
    for u, around in uses:
        constant, terms = sym.linear(relative(r, u.src[0].src[1]))
        loops = {loop.range: extent_of(loop) for loop in around}
        if not terms.keys() <= loops.keys():
            return False
        own = [constant]
        for t, n in loops.items():
            own = [place + k * terms.get(t, 0) for place in own for k in range(n)]
        if len(set(own)) < len(own) or not places.isdisjoint(own):
            return False
        places.update(own)
    return True
