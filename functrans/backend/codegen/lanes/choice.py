"""Which loops of a kernel are walked in lanes, the outermost one or some inside, or none, by cost.

What is compared is one step of a loop: with its inner loops as vector code where they can be that, and scalar code
elsewhere; or as one lane of a tile, all of it vector code, and what lies apart from lane to lane moved one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from math import gcd

from functrans import dtypes
from functrans.backend.codegen.lanes.batch import KNOWN, why_not
from functrans.backend.codegen.lanes.records import accesses, relative
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop, loops_of, nest
from functrans.backend.codegen.varying import step_of
from functrans.backend.codegen.vectors.choice import is_scattered
from functrans.backend.codegen.vectors.choice import why_not as no_vectors
from functrans.backend.policy import (
    FEW_ROUNDS,
    GAIN,
    LINE_BYTES,
    PAIR_OPERATIONS,
    SHORT_ROUNDS,
    SUM_ROUNDS,
    UNROLLED_STATEMENTS,
    VECTOR_ROUNDS,
)
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.price import additions
from functrans.ops.uop import UOp, toposort

FOLD = 24  # to add up the parts of a vectorized reduction, or to begin and end one
CHAIN = 6  # what one step of a reduction waits for the one before
MAX_FIELDS, SHUFFLED = 4, 1.5  # of a record that the compiler shuffles itself, and the cost of each number
MOVED = 1.5  # one number between a record and the lanes
MAX_LINE_STRIDE, MISSED = 64, 6  # places beyond which each number has a cache line of its own, and its extra cost


def chosen(uops: list[UOp]) -> tuple[UOp, ...]:
    """The RANGEs of the loops to be walked in tiles of lanes: the outermost one, or some inside it, one beside the
    other. None where that does not pay. Linear in the statements times the depth of the loops.
    """
    loop = sole(uops)
    if loop is None:
        return ()
    if not loop.inner:
        return (loop.range,) if straight(loop) and not why_not(loop) else ()
    gain = _gain(loop)
    if gain is not None and not why_not(loop):
        return (loop.range,)  # values stay in registers: nothing inside is faster
    opened = Counter(u for u in uops if u.op is Ops.RANGE)
    return tuple(_inside(loop, {r for r, times in opened.items() if times == 1}))


def sole(uops: list[UOp]) -> Loop | None:
    """The one loop that the statements are, if any step of it may come first."""
    loops = loops_of(nest(uops))
    return loops[0] if len(loops) == 1 and loops[0].range.arg[1] is AxisType.LOOP else None


def pays(loop: Loop) -> bool:
    """Whether the rounds of a loop with loops inside are better off as lanes, if they can be that."""
    return bool(loop.inner) and _gain(loop) is not None


def straight(loop: Loop) -> bool:
    """Whether a loop without loops inside pays in lanes: the compiler makes no vector code of it as it is."""
    # records; of what is read by a list nothing is known
    apart = has_records(loop) or _is_masked(loop)
    if not apart and len(loop.items) <= UNROLLED_STATEMENTS:
        return False
    if (is_scattered(loop) and not _is_moved(loop)) or _is_interleaved(loop):
        return False  # vectors that are stored one by one
    if apart or any(u.op is Ops.WMMA for u in loop.walk()):
        return _gain(loop) is not None
    facts = Uniformity(loop)
    return sum(map(_weight, facts.body)) > UNROLLED_STATEMENTS and possible(facts)


def has_records(loop: Loop) -> bool:
    """Whether the rounds of a loop have records that no compiler makes vectors of."""
    return any(MAX_FIELDS < _stride(loop, u) < sym.HUGE for u in loop.items if isinstance(u, UOp))


def _is_masked(loop: Loop) -> bool:
    """Whether records are written by conditions, of which neither the compiler makes vectors nor we as they lie."""
    stores = any(1 < _stride(loop, u) < sym.HUGE for u in loop.walk())
    return stores and any(u.dtype == dtypes.bool_ for u in loop.walk()) and bool(no_vectors(loop, None))


def _is_interleaved(loop: Loop) -> bool:
    """Whether each round writes to rows of several: what lies in one is then never together in the vectors of one."""
    places: dict[tuple[UOp, int], list[tuple[int, int]]] = {}
    for u in loop.walk():
        if u.op is Ops.STORE and 0 < (step := _stride(loop, u)) < sym.HUGE:
            places.setdefault((u.src[0].src[0], step), []).append(sym.bounds(relative(loop.range, u.src[0].src[1])))
    for (_, step), found in places.items():
        found.sort()
        first = found[0][0]
        for low, high in found:
            first = low if low - first >= step * _rounds(loop) else first  # beyond what the rounds of those come to
            if high - first >= step:
                return True
    return False


def _is_moved(loop: Loop) -> bool:
    """Whether all that the rounds of a loop write lies side by side, or is records that are moved as a whole."""
    found = accesses(loop)
    stored = {u.src[0].src[0] for u in loop.walk() if u.op is Ops.STORE}
    return not isinstance(found, str) and all(
        a.is_moved or a.step == 1 for (array, _), a in found.items() if array in stored
    )


def _gain(loop: Loop) -> float | None:
    """What a run of the loop in lanes takes less than one of its inner loops in vectors; None if that is too little."""
    facts = Uniformity(loop)
    if not possible(facts):
        return None
    if any(u.op is Ops.WMMA and u in facts.varying for u in facts.body):
        return sym.HUGE  # a tile of one column is none
    vector = _vector(facts)
    rows, lanes = _rows(loop, vector), _lanes(loop, facts, vector)
    return _rounds(loop) * (rows - lanes) if lanes < GAIN * rows else None


def _inside(loop: Loop, single: set[UOp]) -> list[UOp]:
    """The RANGEs of the loops inside that pay, each the outermost one that suits, which one loop alone has."""
    found: list[UOp] = []
    for item in loop.inner:
        suits = item.range in single and suits_inside(item) and not why_not(item)
        found += [item.range] if suits and _gain(item) is not None else _inside(item, single)
    return found


def suits_inside(loop: Loop) -> bool:
    """Whether a loop inside of another has loops that the compiler cannot make vector code of all at once, and its
    rounds can be lanes as far as its writes go.
    """
    return bool(loop.inner) and writes_apart(loop)


def writes_apart(loop: Loop) -> bool:
    """Whether a loop writes each array in one place, side by side, and no tiles; and has rounds enough."""
    if _rounds(loop) < SHORT_ROUNDS:
        return False
    own = set(loop.walk())
    stores = [u for u in own if u.op is Ops.STORE and u.src[0].src[0] not in own]
    once = len({u.src[0].src[0] for u in stores}) == len(stores)
    tiles = any(u.op is Ops.WMMA for u in own)
    return once and not tiles and all(_is_own(loop, u) for u in stores)


def _is_own(loop: Loop, store: UOp) -> bool:
    """Whether the steps of a loop write side by side, and no two of them one place: what the loops inside move by is a
    multiple of no less than all steps.
    """
    _, terms = sym.linear(store.src[0].src[1])
    inner = {u for u in loop.walk() if u.op is Ops.RANGE}
    moved = {t: k for t, k in terms.items() if t is not loop.range and not inner.isdisjoint(toposort((t,)))}
    steps = sym.bounds(loop.range.src[0])[1]
    return _stride(loop, store) == 1 and inner >= moved.keys() and (not moved or gcd(*moved.values()) >= steps)


def side_by_side(uops: list[UOp]) -> bool:
    """Whether statements on pairs of real numbers do little for each number of a record that they read or write: the
    compiler makes vector code of complex numbers as they lie, and they need not be moved.
    """
    tops = loops_of(nest(uops))
    if len(tops) != 1:
        return True
    facts = Uniformity(tops[0])
    work = moved = 0
    for u, times in _times(tops[0]):
        work += times * _weight(u)
        if u.op in (Ops.LOAD, Ops.STORE) and u.src[0].src[0].op is Ops.DEFINE_GLOBAL:
            stride = facts.stride(u.src[0].src[1])
            moved += times * (stride is None or stride > 2)
    return work < PAIR_OPERATIONS * moved


def _times(loop: Loop) -> Iterator[tuple[UOp, int]]:
    """Each statement, and how often it is executed in a round."""
    todo = [(loop, 1)]
    while todo:
        around, times = todo.pop()
        for item in around.items:
            if isinstance(item, Loop):
                todo.append((item, times * _rounds(item)))
            else:
                yield item, times


def possible(facts: Uniformity) -> bool:
    """Whether the steps of the loop can be lanes: they share nothing that one changes, and go the same way."""
    inside = set(facts.body)
    under = 0
    for u in facts.body:
        if u.op not in KNOWN or u.dtype.kind == "c":
            return False
        if u.op is Ops.LOAD and u.src[0].src[0].op is Ops.DEFINE_GLOBAL and u.src[0].src[0].arg.written:
            return False
        if u.op is Ops.RANGE and (under or u.src[0] in facts.varying):
            return False
        if u.op is Ops.ASSIGN and u.src[0] not in inside:
            return False
        if u.op is Ops.WMMA and (u.src[0].src[0] not in inside or u.src[1] in facts.varying):
            return False
        if u.op is Ops.STORE and u.src[0].src[0] not in inside and u.src[0] not in facts.varying:
            return False
        under += (u.op is Ops.IF) - (u.op is Ops.ENDIF)
    return True


def _weight(u: UOp) -> int:
    if u.op in (Ops.LOAD, Ops.STORE):
        return 1
    if u.dtype == dtypes.index or u.op not in GroupOp.OfElements:
        return 0
    return additions(u)


def _rounds(loop: Loop) -> int:
    """How often a loop is run; a guess where only the call knows."""
    most = sym.bounds(loop.range.src[0])[1]
    return most if 0 <= most < sym.HUGE else 64


def _vector(facts: Uniformity) -> int:
    """How many numbers a vector holds, of the widest that there are."""
    sizes = (u.dtype.itemsize for u in facts.body if u in facts.varying and u.dtype.kind == "f")
    return LINE_BYTES // max(sizes, default=8)


def _rows(loop: Loop, vector: int) -> float:
    """The cost of one step of a loop whose inner loops are vector code."""
    total = 0.0
    for item in loop.items:
        if isinstance(item, UOp):
            total += _weight(item) + (item.op is Ops.ASSIGN)  # a sum in order, which other rows do not wait for
            continue
        n = _rounds(item)
        if item.inner:
            total += n * _rows(item, vector)
            continue
        body = [u for u in item.items if isinstance(u, UOp)]
        once, own = sum(map(_weight, body)), {u for u in body if u.op is Ops.DEFINE_ACC}
        sums = sum(u.op is Ops.ASSIGN and u.src[0] not in own for u in body)  # over the rounds of the loop
        strides = [_stride(item, u) for u in body if n < VECTOR_ROUNDS or _stride(loop, u)]  # others are packed before
        if max(strides, default=0) > MAX_FIELDS or n < FEW_ROUNDS or (sums and n < SUM_ROUNDS):
            total += n * (once + CHAIN * bool(sums) + MISSED * sum(s > MAX_LINE_STRIDE for s in strides))
        else:
            total += -(-n // vector) * once + FOLD * sums + SHUFFLED * n * sum(s > 1 for s in strides)
    return total


def _stride(loop: Loop, u: UOp) -> int:
    """By how many places what is touched moves in each step of the loop; many where that is not known."""
    if u.op not in (Ops.LOAD, Ops.STORE):
        return 0
    step = step_of(loop.range, u.src[0].src[1])
    return sym.HUGE if step is None else abs(step)


def _lanes(loop: Loop, facts: Uniformity, vector: int) -> float:
    """The cost of one step as one lane among many. A record that is moved as a whole is moved once, however often it
    is read.
    """
    found = accesses(loop)
    whole = {} if isinstance(found, str) else {key: a.step for key, a in found.items() if a.is_moved}
    total = float(sum(MOVED * (step or 0) for step in whole.values()))
    for u, times in _times(loop):
        if u in facts.varying or u.op in (Ops.LOAD, Ops.STORE):
            total += times * (_moved(u, facts, whole) or _weight(u) / vector)
    return total


def _moved(u: UOp, facts: Uniformity, whole: Container[tuple[UOp, int | None]]) -> float:
    """What it costs to move a number of an array of records one by one; 0 for all else."""
    if u.op not in (Ops.LOAD, Ops.STORE) or u.src[0].src[0].op is not Ops.DEFINE_GLOBAL:
        return 0
    stride = facts.stride(u.src[0].src[1])
    if stride in (0, 1) or (u.src[0].src[0], stride) in whole:
        return 0
    return MOVED + MISSED if stride is None or stride > MAX_LINE_STRIDE else MOVED
