"""Carries of a loop that are computed again from snapshots, inside of the loop that runs backward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from functrans import dtypes
from functrans._records import replace
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, While, region, results
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.tensor.constants import constant
from functrans.transforms.loops.body import like
from functrans.transforms.loops.revolve import Leg, plan


class Given(NamedTuple):
    """Sources of a loop, and placeholders for them in its body."""

    sources: list[UOp]
    holes: list[UOp]


History = Callable[[list[UOp], list[UOp]], list[UOp]]
"""Stacks of the carries before each round, of slots as they are at first and of the constants."""


class Recomputed(NamedTuple):
    """What a loop backward has besides: more carries, which are slots of snapshots, more sequences and more constants;
    the slots after a round, and the carries that its round began with; how these could be stored instead.
    """

    slots: Given
    rows: Given
    constants: Given
    following: list[UOp]
    carries: list[UOp]
    history: History | None = None


def stored(stacks: list[UOp]) -> Recomputed:
    """Nothing is computed again: the carries are the elements of stacks."""
    holes = [param(x.sized[1:], x.dtype) for x in stacks]
    return Recomputed(Given([], []), Given(stacks, holes), Given([], []), [], holes)


def recomputed(loop: Scan, sources: Sequence[UOp], snapshots: int, needed: Sequence[int]) -> Recomputed:
    """Carries before each round of a loop, those that are needed, with so many of them stored at a time."""
    n = loop.carries
    rows, legs = _tables(loop, snapshots)
    first = sources[:n]
    slots = [B.broadcast(B.reshape(x, (1, *x.sized)), (snapshots, *x.sized)) for x in first]
    constants = [*map(_constant, legs), *sources[n:]]
    own, row, given = like(slots), [param((), dtypes.int64) for _ in rows], like(constants)
    start, begin, end = row
    nothing = [B.full(x.sized, x.dtype, 0) for x in first]  # the first leg takes them from a slot
    made = _walk(loop, [begin, start, *nothing, *own], end, given)
    tables = Given([_constant(x) for x in rows], row)
    carries = made[2 : 2 + n]

    def history(slots: list[UOp], constants: list[UOp]) -> list[UOp]:
        starts = [B.reshape(B.shrink(s, ((0, 1), *((0, d) for d in s.sized[1:]))), s.sized[1:]) for s in slots]
        body = Function(loop.body.params, (*loop.body.outputs, *(loop.body.params[k] for k in needed)))
        return results(region(Ops.SCAN, [*starts, *constants[len(legs) :]], replace(loop, body=body)))[n:]

    own_slots, given_constants = Given(slots, own), Given(constants, given)
    return Recomputed(own_slots, tables, given_constants, made[2 + n :], [carries[k] for k in needed], history)


def _walk(loop: Scan, start: list[UOp], end: UOp, constants: list[UOp]) -> list[UOp]:
    """Legs up to an end: number of the leg, round, carries, slots. Slots are read and stored into in legs alone, so
    they stay where they are.
    """
    n = loop.carries
    p = like([*start, end, *constants])
    leg, done, before, slots = p[0], p[1], p[2 : 2 + n], p[2 + n : 2 + 2 * n]
    of, into, ahead, *rest = p[3 + 2 * n :]
    slot = B.gather(of, leg)
    begins = B.lt(UOp.const(dtypes.int64, -1), slot)
    place = B.where(begins, slot, UOp.const(dtypes.int64, 0))
    carries = [B.where(B.broadcast(begins, c.sized), B.gather(s, place), c) for s, c in zip(slots, before, strict=True)]
    stored = [B.scatter(s, c, (B.gather(into, leg),), "set") for s, c in zip(slots, carries, strict=True)]
    reached = _advance(loop, done, B.add(done, B.gather(ahead, leg)), carries, rest)
    step = Function(tuple(p), (B.add(leg, UOp.const(dtypes.int64, 1)), *reached, *stored))
    q = like(p)
    test = Function(tuple(q), (B.lt(q[0], q[2 + 2 * n]),))
    return results(region(Ops.WHILE, [*start, end, *constants], While(test, step, len(start))))


def _advance(loop: Scan, begin: UOp, end: UOp, carries: list[UOp], constants: list[UOp]) -> list[UOp]:
    """The number of the round at the end, and the carries that it begins with."""
    n, sequences = loop.carries, loop.sequences
    sources = [begin, *carries, end, *constants]
    p = like(sources)
    i, rest = p[0], p[2 + n :]
    place = B.sub(UOp.const(dtypes.int64, loop.length - 1), i) if loop.reverse else i
    elements = [B.gather(x, place) for x in rest[:sequences]]
    made = loop.body.at([*p[1 : 1 + n], *elements, *rest[sequences:]])[:n]
    step = Function(tuple(p), (B.add(i, UOp.const(dtypes.int64, 1)), *made))
    q = like(p)
    test = Function(tuple(q), (B.lt(q[0], q[1 + n]),))
    return results(region(Ops.WHILE, sources, While(test, step, 1 + n)))


def _tables(loop: Scan, snapshots: int) -> tuple[list[list[int]], list[list[int]]]:
    """Of each round start, and its first and last leg, in the order of elements; of each leg the slot that it begins
    with, -1 for none, the one that it stores into, none past the last, and its length.
    """
    rows, legs = list[tuple[int, ...]](), list[tuple[int, int, int]]()
    for r in plan(loop.length, snapshots):
        some = r.legs or (Leg(None, 0),)
        rows.append((r.start, len(legs), len(legs) + len(some)))
        legs += [(-1 if k else r.slot, snapshots if x.slot is None else x.slot, x.rounds) for k, x in enumerate(some)]
    ordered = rows if loop.reverse else rows[::-1]
    return [list(x) for x in zip(*ordered, strict=True)], [list(x) for x in zip(*legs, strict=True)]


def _constant(values: list[int]) -> UOp:
    return constant(np.asarray(values, np.int64))
