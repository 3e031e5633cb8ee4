"""Carries of a loop that are computed again from snapshots, inside of the loop that runs backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, While, region, results
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.tensor.constants import constant
from functrans.transforms.loops.body import like
from functrans.transforms.loops.revolve import plan


class Given(NamedTuple):
    """Sources of a loop, and placeholders for them in its body."""

    sources: list[UOp]
    holes: list[UOp]


class Recomputed(NamedTuple):
    """What a loop backward has besides: more carries, which are slots of snapshots, more sequences and more constants;
    the slots after a round, and the carries that its round began with.
    """

    slots: Given
    rows: Given
    constants: Given
    following: list[UOp]
    carries: list[UOp]


def stored(stacks: list[UOp]) -> Recomputed:
    """Nothing is computed again: the carries are the elements of stacks."""
    holes = [param(x.sized[1:], x.dtype) for x in stacks]
    return Recomputed(Given([], []), Given(stacks, holes), Given([], []), [], holes)


def recomputed(loop: Scan, sources: Sequence[UOp], snapshots: int) -> Recomputed:
    """The carries before each round of a loop, with so many of them stored at a time."""
    n = loop.carries
    rows, legs = _tables(loop, snapshots)
    first = sources[:n]
    slots = [B.broadcast(B.reshape(x, (1, *x.sized)), (snapshots, *x.sized)) for x in first]
    constants = [*map(_constant, legs), *sources[n:]]
    own, row, given = like(slots), [param((), dtypes.int64) for _ in rows], like(constants)
    slot, start, begin, end = row
    carries = [B.gather(s, slot) for s in own]
    made = _walk(loop, [begin, start, *carries, *own], end, given)
    tables = Given([_constant(x) for x in rows], row)
    return Recomputed(Given(slots, own), tables, Given(constants, given), made[2 + n :], made[2 : 2 + n])


def _walk(loop: Scan, start: list[UOp], end: UOp, constants: list[UOp]) -> list[UOp]:
    """Legs up to an end: number of the leg, round, carries, slots."""
    n = loop.carries
    p = like([*start, end, *constants])
    leg, done, carries, slots = p[0], p[1], p[2 : 2 + n], p[2 + n : 2 + 2 * n]
    into, ahead, *rest = p[3 + 2 * n :]
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
    """Of each round slot, start, and its first and last leg, in the order of elements; of each leg slot and length."""
    rows, legs = list[tuple[int, ...]](), list[tuple[int, int]]()
    for r in plan(loop.length, snapshots):
        rows.append((r.slot, r.start, len(legs), len(legs) + len(r.legs)))
        legs += [(snapshots if x.slot is None else x.slot, x.rounds) for x in r.legs]
    ordered = rows if loop.reverse else rows[::-1]
    return [list(x) for x in zip(*ordered, strict=True)], [list(x) for x in zip(*(legs or [(0, 0)]), strict=True)]


def _constant(values: list[int]) -> UOp:
    return constant(np.asarray(values, np.int64))
