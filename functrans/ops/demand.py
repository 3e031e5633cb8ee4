"""What is read in which round of a loop, and what is written by then: known while it is built, or refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from functrans.ops.enums import GroupOp, Ops
from functrans.ops.movement import flat
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp, toposort

Flags = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = np.ndarray[Any, Any]
_MOVED = GroupOp.Movement | {Ops.VMAPIN, Ops.AFTER}


def over_rounds(x: UOp, r: UOp) -> Numbers | None:
    """The value of a scalar in each round; None where something else than the round decides it."""
    n = int(r.src[0].arg)
    found: dict[UOp, Numbers] = {}
    for u in toposort((x,), enter=lambda u: u is not r):
        meaning = opdef(u).numpy
        if u is r:
            found[u] = np.arange(n)
        elif u.shape != () or meaning is None or not (u.op in GroupOp.Elementwise or u.op is Ops.CONST):
            return None
        else:
            with np.errstate(all="ignore"):
                found[u] = np.asarray(meaning(u, *(found[s] for s in u.src)))
    return np.broadcast_to(found[x], (n,))


def demanded(values: Sequence[UOp], reads: Iterable[UOp], r: UOp) -> dict[UOp, Flags]:
    """In which rounds each of some nodes counts for the values: not where a WHERE takes its other side."""
    stops = set(reads)
    order = toposort(values, enter=lambda u: u not in stops)
    late = set(stops)
    for u in order:
        if not late.isdisjoint(u.src):
            late.add(u)
    flags: dict[UOp, Flags] = {v: np.ones(int(r.src[0].arg), bool) for v in values}
    for u in reversed(order):
        if u not in late or u in stops or u not in flags:
            continue
        taken = over_rounds(_bare(u.src[0]), r) if u.op is Ops.WHERE else None
        for k, s in enumerate(u.src):
            given = flags[u] if taken is None or k == 0 else flags[u] & (taken if k == 1 else ~taken)
            flags[s] = given if s not in flags or flags[s] is given else flags[s] | given
    nowhere = np.zeros(int(r.src[0].arg), bool)
    return {u: flags.get(u, nowhere) for u in stops}


def _bare(x: UOp) -> UOp:
    """A condition without the axes that it is repeated along."""
    while True:
        below = x.src[0] if x.op is Ops.EXPAND else flat(x) if x.size == 1 else x
        if below is x:
            return x
        x = below


def written(x: UOp, axis: int) -> Flags:
    """Which elements along an axis have values: not those of an EMPTY, nor what is moved from there."""
    if x.op is Ops.EMPTY:
        return np.zeros(x.sized[axis], bool)
    if x.op is Ops.CAT:
        parts = [written(s, axis) for s in x.src]
        return np.concatenate(parts) if axis == x.arg else np.logical_and.reduce(parts)
    if x.op is Ops.PERMUTE:
        return written(x.src[0], x.arg[axis])
    if x.op is Ops.FLIP:
        found = written(x.src[0], axis)
        return found[::-1] if x.arg[axis] else found
    if x.op is Ops.SHRINK and x.arg[axis][0] is not None:
        return written(x.src[0], axis)[slice(*x.arg[axis])]
    if x.op is Ops.CONTIGUOUS:
        return written(x.src[0], axis)
    moved = x.op in _MOVED
    return np.full(x.sized[axis], not moved or has_values(x.src[0]))


def has_values(x: UOp) -> bool:
    """Whether every element has one."""
    if x.ndim:
        return bool(written(x, 0).all())
    return has_values(x.src[0]) if x.op in _MOVED else x.op is not Ops.EMPTY
