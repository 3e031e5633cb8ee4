"""Loops that store an array as a whole, round after round, and those that store it element by element."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from functrans.errors import SpecError, at_user_line
from functrans.ops import build as B
from functrans.ops.demand import Flags, Numbers, demanded, over_rounds, written
from functrans.ops.enums import Ops
from functrans.ops.rounds import Loop, Place, back, first, place_of, scanned
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, substitute, toposort

DEEPEST = 8  # how many elements before its own a loop carries by themselves; of more, the whole array


def fold(loop: Loop) -> UOp:
    """A loop that stores the whole array in each round: a SCAN that carries it."""
    if not _has_values(loop.array) and demanded(loop.value, [loop.name], loop.r)[loop.name][0]:
        raise _unwritten("the array", 0)
    return scanned([(loop.name, loop.array)], [loop.value], loop.r)[0]


def _has_values(x: UOp) -> bool:
    return bool(written(x, 0).all()) if x.ndim else x.op is not Ops.EMPTY


class _Read(NamedTuple):
    """Elements that a round reads: where, and in which rounds they count."""

    node: UOp
    at: Numbers
    rounds: Numbers


def recurrence(loop: Loop, place: Place) -> UOp:
    """A loop that stores one element in each round: no loop at all where none is read that it has stored, a SCAN that
    carries the last few where these are read, else one that carries the array.
    """
    stores = over_rounds(place.at, loop.r) if place.at is not None else None
    size = loop.array.sized[place.axis]
    if stores is not None and (stores.min() < 0 or stores.max() >= size):
        raise SpecError(f"STORE: at {stores.min()} to {stores.max()} of {size} elements{at_user_line()}")
    reads = _reads(loop, place)
    _check(loop, place, stores, reads)
    depths = None if stores is None or reads is None else _depths(stores, reads, size)
    if stores is None or depths is None:
        return _whole(loop, place)
    return _element_wise(loop, place, stores, depths)


def _reads(loop: Loop, place: Place) -> list[_Read] | None:
    """The reads of the array; None where one is not of elements along the axis that a round alone decides."""
    nodes = {u for u in toposort((loop.value,)) if (p := place_of(u)) and p.at is not None and p.array is loop.name}
    if loop.name in toposort((loop.value,), enter=lambda u: u not in nodes):
        return None
    flags = demanded(loop.value, nodes, loop.r)
    found = []
    for u in toposort((loop.value,)):
        if u in nodes:
            read = place_of(u)
            at = over_rounds(read.at, loop.r) if read and read.at is not None and read.axis == place.axis else None
            if at is None:
                return None
            found.append(_Read(u, np.clip(at, 0, loop.array.sized[place.axis] - 1), np.flatnonzero(flags[u])))
    return found


def _check(loop: Loop, place: Place, stores: Numbers | None, reads: list[_Read] | None) -> None:
    """SpecError where an element is read that has no value yet."""
    had = written(loop.array, place.axis)
    if had.all():
        return
    by = np.full(had.size, loop.rounds) if stores is None else _first_store(stores, had.size)
    if reads is None:
        rounds = np.flatnonzero(demanded(loop.value, [loop.name], loop.r)[loop.name])
        late = rounds[rounds <= by[~had].max()]
        if late.size:
            raise _unwritten("all of the array", int(late[0]))
        return
    for read in reads:
        at = read.at[read.rounds]
        early = (by[at] >= read.rounds) & ~had[at]
        if early.any():
            raise _unwritten(f"element {at[early][0]} along axis {place.axis}", int(read.rounds[early][0]))


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


def _whole(loop: Loop, place: Place) -> UOp:
    """The loop that carries the array."""
    assert place.at is not None
    moved = B.scatter(first(loop.name, place.axis), loop.value, (place.at,), "set")
    return scanned([(loop.name, loop.array)], [back(moved, place.axis)], loop.r)[0]


def _element_wise(loop: Loop, place: Place, stores: Numbers, depths: dict[UOp, int]) -> UOp:
    x, r = loop.array, loop.r
    deepest = max(depths.values(), default=0)
    had = written(x, place.axis)
    step = int(stores[1] - stores[0]) if stores.size > 1 else 1
    last = [param(loop.value.sized, loop.value.dtype) for _ in range(deepest)]
    given = {u: last[d - 1] if d else _before(u, loop, had) for u, d in depths.items()}
    (value,) = substitute((loop.value,), given)
    if not last:
        made = value.vmapout((r, *(const(0),) * value.ndim))
    else:
        starts = [_at(x, place.axis, int(stores[0]) - step * (k + 1), had) for k in range(deepest)]
        outputs = [value, *last[:-1], value]
        made = scanned(list(zip(last, starts, strict=True)), outputs, r)[-1]
    ordered = made if step == 1 else B.flip(made, (True,) + (False,) * (made.ndim - 1))
    low = int(stores.min())
    pieces = [_cut(x, place.axis, 0, low), back(ordered, place.axis), _cut(x, place.axis, low + stores.size, had.size)]
    whole = B.cat(tuple(p for p in pieces if p.sized[place.axis]), place.axis)
    # what may be stored into again: reads of a join or a movement would see through it
    return whole if whole.op is Ops.RESULT or whole.op is Ops.VMAPOUT else UOp(Ops.CONTIGUOUS, whole.dtype, (whole,))


def _before(read: UOp, loop: Loop, had: Flags) -> UOp:
    """A read of what the array held before the loop; of an array without values it is one that no round takes."""
    return substitute((read,), {loop.name: loop.array})[0] if had.any() else B.like(read, 0)


def _at(x: UOp, axis: int, k: int, had: Flags) -> UOp:
    """Element k of x along an axis; zeros where it has none, which no round takes."""
    shape = (*x.sized[:axis], *x.sized[axis + 1 :])
    if not 0 <= k < x.sized[axis] or not had[k]:
        return B.full(shape, x.dtype, 0)
    return B.reshape(_cut(x, axis, k, k + 1), shape)


def _cut(x: UOp, axis: int, start: int, stop: int) -> UOp:
    return B.shrink(x, tuple((start, stop) if k == axis else (0, n) for k, n in enumerate(x.sized)))
