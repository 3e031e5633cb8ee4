"""Loops that store an array as a whole, round after round, and those that store it element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from functrans.errors import SpecError, at_user_line
from functrans.ops import build as B
from functrans.ops.demand import Flags, Numbers, demanded, has_values, over_rounds, written
from functrans.ops.enums import Ops
from functrans.ops.rounds import Loop, Stored, back, first, place_of, scanned
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, substitute, toposort

DEEPEST = 8  # how many elements before its own a loop carries by themselves; of more, the whole array


class _Carried(NamedTuple):
    """What a loop has of an array: carries, what stands for each and what it is at first; what they become in a round;
    an element that is stacked; what stands for reads of the array; and the array after the loop, of the last carries
    and the stack.
    """

    carries: list[tuple[UOp, UOp]]
    next: list[UOp]
    stacked: list[UOp]
    given: dict[UOp, UOp]
    ended: Callable[[list[UOp]], UOp]


def loop_of(loop: Loop) -> list[UOp]:
    """Each array after a loop: one that is stored as a whole is a carry. Of one that is stored element by element the
    last few are carried where these are read, else the array. No loop at all where nothing is carried.
    """
    found = [_element_or_array(loop, s) if s.place.at is not None else _fold(loop, s) for s in loop.stores]
    given = {u: v for f in found for u, v in f.given.items()}
    carries = [c for f in found for c in f.carries]
    nexts = substitute([u for f in found for u in f.next], given)
    stacks = substitute([u for f in found for u in f.stacked], given)
    if carries:
        made = scanned(carries, [*nexts, *stacks], loop.r)
    else:
        made = [u.vmapout((loop.r, *(const(0),) * u.ndim)) for u in stacks]
    ends, rows = iter(made[: len(carries)]), iter(made[len(carries) :])
    return [f.ended([*(next(ends) for _ in f.carries), *(next(rows) for _ in f.stacked)]) for f in found]


def _fold(loop: Loop, s: Stored) -> _Carried:
    """An array that is stored as a whole in each round."""
    start = s.array
    if not has_values(start):
        if demanded(loop.values, [s.name], loop.r)[s.name][0]:
            raise _unwritten("the array", 0)
        start = B.like(start, 0)  # which no round takes
    return _Carried([(s.name, start)], [s.value], [], {}, lambda made: made[0])


class _Read(NamedTuple):
    """Elements that a round reads: where, and in which rounds they count."""

    node: UOp
    at: Numbers
    rounds: Numbers


def _element_or_array(loop: Loop, s: Stored) -> _Carried:
    """An array of which one element is stored in each round."""
    place = s.place
    stores = over_rounds(place.at, loop.r) if place.at is not None else None
    size = s.array.sized[place.axis]
    if stores is not None and (stores.min() < 0 or stores.max() >= size):
        raise SpecError(f"STORE: at {stores.min()} to {stores.max()} of {size} elements{at_user_line()}")
    reads = _reads(loop, s)
    _check(loop, s, stores, reads)
    depths = None if stores is None or reads is None else _depths(stores, reads, size)
    if stores is None or depths is None:
        return _whole(s)
    return _element_wise(s, stores, depths)


def _reads(loop: Loop, s: Stored) -> list[_Read] | None:
    """The reads of the array; None where one is not of elements along the axis that a round alone decides."""
    order = toposort(loop.values)
    nodes = {u for u in order if (p := place_of(u)) and p.at is not None and p.array is s.name}
    if s.name in toposort(loop.values, enter=lambda u: u not in nodes):
        return None
    flags = demanded(loop.values, nodes, loop.r)
    found = []
    for u in order:
        if u in nodes:
            read = place_of(u)
            at = over_rounds(read.at, loop.r) if read and read.at is not None and read.axis == s.place.axis else None
            if at is None:
                return None
            found.append(_Read(u, np.clip(at, 0, s.array.sized[s.place.axis] - 1), np.flatnonzero(flags[u])))
    return found


def _check(loop: Loop, s: Stored, stores: Numbers | None, reads: list[_Read] | None) -> None:
    """SpecError where an element is read that has no value yet."""
    had = written(s.array, s.place.axis)
    if had.all():
        return
    by = np.full(had.size, loop.rounds) if stores is None else _first_store(stores, had.size)
    if reads is None:
        rounds = np.flatnonzero(demanded(loop.values, [s.name], loop.r)[s.name])
        late = rounds[rounds <= by[~had].max()]
        if late.size:
            raise _unwritten("all of the array", int(late[0]))
        return
    for read in reads:
        at = read.at[read.rounds]
        early = (by[at] >= read.rounds) & ~had[at]
        if early.any():
            raise _unwritten(f"element {at[early][0]} along axis {s.place.axis}", int(read.rounds[early][0]))


def _unwritten(what: str, k: int) -> SpecError:
    return SpecError(
        f"AFTER: round {k} of the loop reads {what}, which is not written yet{at_user_line()}; begin with an array "
        "that has values, or guard the read: fnp.where(i == 0, first, out[np.maximum(i - 1, 0)])"
    )


def _first_store(stores: Numbers, size: int) -> Numbers:
    """The round that stores each element first; the number of rounds where none does."""
    by = np.full(size, stores.size)
    by[stores[::-1]] = np.arange(stores.size)[::-1]
    return by


def _depths(stores: Numbers, reads: list[_Read], size: int) -> dict[UOp, int] | None:
    """How many rounds before its own each read was stored, 0 for what was there before the loop; None where that
    differs, or is far back, or where elements are not stored one beside the other.
    """
    step = int(stores[1] - stores[0]) if stores.size > 1 else 1
    if abs(step) != 1 or (np.diff(stores) != step).any():
        return None
    by = _first_store(stores, size)
    found: dict[UOp, int] = {}
    for read in reads:
        at = read.at[read.rounds]
        back_by = read.rounds - by[at]
        depth = int(back_by.max()) if read.rounds.size else 0
        if depth > DEEPEST or (depth > 0 and (at != stores[0] + step * (read.rounds - depth)).any()):
            return None
        found[read.node] = max(depth, 0)
    return found


def _whole(s: Stored) -> _Carried:
    """The array as a carry."""
    at, axis = s.place.at, s.place.axis
    assert at is not None
    moved = B.scatter(first(s.name, axis), s.value, (at,), "set")
    return _Carried([(s.name, s.array)], [back(moved, axis)], [], {}, lambda made: made[0])


def _element_wise(s: Stored, stores: Numbers, depths: dict[UOp, int]) -> _Carried:
    x, axis, deepest = s.array, s.place.axis, max(depths.values(), default=0)
    had = written(x, axis)
    step = int(stores[1] - stores[0]) if stores.size > 1 else 1
    last = [param(s.value.sized, s.value.dtype) for _ in range(deepest)]
    given = {u: last[d - 1] if d else _before(u, s, had) for u, d in depths.items()}
    starts = [_at(x, axis, int(stores[0]) - step * (k + 1), had) for k in range(deepest)]
    next_ = [s.value, *last[:-1]] if last else []

    def ended(made: list[UOp]) -> UOp:
        rows = made[-1]
        ordered = rows if step == 1 else B.flip(rows, (True,) + (False,) * (rows.ndim - 1))
        low = int(stores.min())
        pieces = [_cut(x, axis, 0, low), back(ordered, axis), _cut(x, axis, low + stores.size, had.size)]
        whole = B.cat(tuple(p for p in pieces if p.sized[axis]), axis)
        # what may be stored into again: reads of a join or a movement would see through it
        return whole if whole.op in (Ops.RESULT, Ops.VMAPOUT) else UOp(Ops.CONTIGUOUS, whole.dtype, (whole,))

    return _Carried(list(zip(last, starts, strict=True)), next_, [s.value], given, ended)


def _before(read: UOp, s: Stored, had: Flags) -> UOp:
    """A read of what the array held before the loop; of an array without values it is one that no round takes."""
    return substitute((read,), {s.name: s.array})[0] if had.any() else B.like(read, 0)


def _at(x: UOp, axis: int, k: int, had: Flags) -> UOp:
    """Element k of x along an axis; zeros where it has none, which no round takes."""
    shape = (*x.sized[:axis], *x.sized[axis + 1 :])
    if not 0 <= k < x.sized[axis] or not had[k]:
        return B.full(shape, x.dtype, 0)
    return B.reshape(_cut(x, axis, k, k + 1), shape)


def _cut(x: UOp, axis: int, start: int, stop: int) -> UOp:
    return B.shrink(x, tuple((start, stop) if k == axis else (0, n) for k, n in enumerate(x.sized)))
