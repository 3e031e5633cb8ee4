"""Straight-line code that repeats itself: the rounds of a Python loop, found in the order of a graph.

A node is told by its op, its type, its shape and its argument, whatever it reads; of a window the size counts alone.
In the order in which a graph is walked a loop that was unrolled is a stretch in which these repeat with some period.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.ops.enums import GroupOp
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp
from functrans.ops.window import is_window

__all__ = ["Run", "longest"]

WINDOW = 8  # nodes in a row that are alike where two rounds are
CANDIDATES = 32  # periods that are looked at


class Run(NamedTuple):
    """Nodes ``start`` to ``stop`` of an order, each like that one ``period`` before it, but for the first period."""

    start: int
    stop: int
    period: int

    @property
    def rounds(self) -> int:
        """Whole periods."""
        return (self.stop - self.start) // self.period


def longest(order: Sequence[UOp], least: int) -> Run | None:
    """The longest repetition in an order; None where it repeats fewer than ``least`` nodes.

    Linear in the order, whatever the period.
    """
    if len(order) < least:
        return None
    kinds = _kinds(order)
    runs = [_run(kinds, p) for p in _periods(kinds)]
    best = max(runs, key=lambda r: (r.stop - r.start, -r.period), default=None)
    return best if best is not None and (best.rounds - 1) * best.period >= least else None


def _kinds(order: Sequence[UOp]) -> NDArray[np.int64]:
    """A number for what each node is; one of its own for what is never part of a round."""
    number: dict[Any, int] = {}
    found = np.empty(len(order), np.int64)
    for k, u in enumerate(order):
        key: Any = k
        if not u.free_ranges and _is_plain(u):
            key = (u.op, u.dtype, u.shape, len(u.src), None if is_window(u) else u.arg)
        found[k] = number.setdefault(key, len(number))
    return found


def _is_plain(node: UOp) -> bool:
    """Whether a node may be batched by a rule of its kind: no loop, no store, nothing with a rule of its own."""
    if node.op in GroupOp.Elementwise:
        return True
    record = opdef(node)
    return record.axes is not None or record.places is not None


def _periods(kinds: NDArray[np.int64]) -> list[int]:
    """Distances at which stretches come again, the most frequent ones."""
    rng = np.random.default_rng(0)
    names = rng.integers(0, 2**63, int(kinds.max()) + 1, np.uint64)[kinds]
    odd = np.uint64(0x9E3779B97F4A7C15)
    names = np.pad(names, (0, WINDOW))
    mixed = np.zeros(len(kinds), np.uint64)
    for k in range(WINDOW):
        mixed = mixed * odd + names[k : k + len(mixed)]
    at = np.argsort(mixed, kind="stable")
    gaps = np.diff(at)[mixed[at][1:] == mixed[at][:-1]]
    values, counts = np.unique(gaps, return_counts=True)
    return [int(p) for p in values[np.argsort(-counts, kind="stable")][:CANDIDATES]]


def _run(kinds: NDArray[np.int64], period: int) -> Run:
    """The longest stretch of a period."""
    same = np.concatenate([[False], kinds[period:] == kinds[:-period], [False]])
    ends = np.flatnonzero(same[1:] != same[:-1]).reshape(-1, 2)
    if not len(ends):
        return Run(0, 0, period)
    start, stop = ends[np.argmax(ends[:, 1] - ends[:, 0])].tolist()
    return Run(start, stop + period, period)
