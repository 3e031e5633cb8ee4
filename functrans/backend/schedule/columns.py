"""Arrays of few columns, as their columns: what is put together of them, computed with, and taken apart again.

A state is a row of three numbers, a function of it a stack of three, and its gradient the sum of three columns that are
filled up with zeros. As arrays of rows and columns they are read in as many ways: a column here, all of a row there,
and each is an array in memory. Column by column all are read in one way, each row where it stands, and a column that is
taken out of a stack is what was put in.

What reads an array as a whole, a gather of rows or a product of matrices, has it as it was. A stack that is read so, or
what is computed from one, is an array in memory, and to all that reads it like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce as fold
from math import prod

import numpy as np

from functrans import dtypes
from functrans.backend.policy import SHORT_ROUNDS
from functrans.backend.schedule.along import without
from functrans.backend.schedule.realize import BIJECTIVE
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.movement import MOVEMENT_BUILDERS, TAKING
from functrans.ops.opdef import opdef
from functrans.ops.reduce import identity
from functrans.ops.uop import UOp, toposort

_COMPUTED = GroupOp.Elementwise - {Ops.CONTIGUOUS}


def by_columns(roots: Sequence[UOp]) -> list[UOp]:
    """The same values, elementwise work on what is put together of columns done for each of them. Linear in the graph
    times the columns, and how often one array in memory is the reason of another.
    """
    order = toposort(roots)
    if not any(u.op in GroupOp.Join or opdef(u).fill is not None for u in order):
        return list(roots)
    uses = Counter([*roots, *(s for u in order for s in u.src)])
    placed = _placed(order, roots, uses)
    facts = _Facts(order, uses, placed, {})
    while facts.more:
        facts = _Facts(order, uses, placed, facts.own | facts.more)
    return _Columns(facts).run(order, roots) if facts.axes or facts.own else list(roots)


def _placed(order: Sequence[UOp], roots: Sequence[UOp], uses: Counter[UOp]) -> set[UOp]:
    """What is only put at its place in another array: a part of a join, perhaps moved."""
    found = {r for r in roots if uses[r] == 1}
    for node in reversed(order):
        if node.op in GroupOp.Join or (node.op in BIJECTIVE and node in found):
            found.update(s for s in node.src if uses[s] == 1)
    return found


class _Facts:
    """Which arrays are columns to those that read them, along which axis; ``own`` are in memory, filled by columns."""

    def __init__(self, order: Sequence[UOp], uses: Counter[UOp], placed: set[UOp], own: dict[UOp, int]) -> None:
        self.own, self.placed = own, placed
        self.axes: dict[UOp, int] = {}
        made: set[UOp] = set()  # joins, and what is computed from them and read more than once
        for node in order:
            axis = _axis(node, self.axes) if node.shape is not None and node.size else None
            if axis is None or node in own or not (node.op in TAKING or _is_narrow(node, axis)):
                continue
            self.axes[node] = axis
            if node.op in GroupOp.Join or (node.op in _COMPUTED and not made.isdisjoint(node.src)):
                made.add(node)
        self.whole: set[UOp] = set()  # what something has to read otherwise
        made = {u for u in made if u.op in GroupOp.Join or uses[u] > 1}
        for node in reversed(order):
            passes = node in self.whole and node not in made
            self.whole.update(s for s in node.src if s in self.axes and (passes or not self._takes_columns(node, s)))
        self.more = {u: self.axes[u] for u in self.whole & made}

    def _takes_columns(self, node: UOp, source: UOp) -> bool:
        if source in self.placed:
            return True
        axis = self.axes.get(node, self.own.get(node))
        if axis is None:
            return self.is_sum(node) or self.is_one(node)
        if node.op in GroupOp.Join or node.op in _COMPUTED or opdef(node).fill is not None:
            return node.ndim == source.ndim and axis == self.axes[source]
        return True

    def is_sum(self, node: UOp) -> bool:
        """Whether the node is a reduction of columns."""
        reduces = opdef(node).reduces
        return reduces is not None and reduces(node)[1] == (self.axes.get(node.src[0]),)

    def is_one(self, node: UOp) -> bool:
        """Whether the node is a column without its axis."""
        source = node.src[0] if node.op is Ops.RESHAPE else node
        return source is not node and source in self.axes and source.sized[self.axes[source]] == 1


def _axis(node: UOp, axes: dict[UOp, int]) -> int | None:
    if node.op in GroupOp.Join:
        return int(node.arg)
    if node.op in _COMPUTED:
        return next((axes[s] for s in node.src if s in axes), None)
    if node.op not in GroupOp.Movement or any(s.dtype == dtypes.index for s in node.src[1:]):
        return None  # a window at a place that is computed is no column
    record = opdef(node)
    assert record.axes is not None
    if record.fill is not None:
        padded = [k for k in range(node.ndim) if record.axes.source(node, k) is None]
        return padded[0] if len(padded) == 1 else None
    if node.src[0] not in axes:
        return None
    axis, length = axes[node.src[0]], node.src[0].sized[axes[node.src[0]]]
    if node.op is Ops.RESHAPE:
        before = prod(node.src[0].sized[:axis])
        return next((k for k, n in enumerate(node.arg) if n == length and prod(node.arg[:k]) == before), None)
    # an axis that is cut or turned is where it was
    axis = next((k for k in range(node.ndim) if record.axes.source(node, k) == axis), axis)
    if node.sized[axis] > length:  # one column, several times
        return axis if _is_narrow(node, axis) else None
    return axis


def _is_narrow(node: UOp, axis: int) -> bool:
    length = node.sized[axis]
    return length <= SHORT_ROUNDS and length * length < node.size


class _Columns:
    def __init__(self, facts: _Facts) -> None:
        self.facts = facts
        self.new: dict[UOp, UOp] = {}
        self.columns: dict[UOp, tuple[UOp, ...]] = {}  # arrays without the axis, one for each of its places

    def run(self, order: Sequence[UOp], roots: Sequence[UOp]) -> list[UOp]:
        for node in order:
            axis = self.facts.axes.get(node)
            if axis is not None:
                self.columns[node] = self._columns(node, axis)
            self.new[node] = self._built(node)
        return [self.new[r] for r in roots]

    def _built(self, node: UOp) -> UOp:
        facts = self.facts
        if node.op in _COMPUTED:
            if node in facts.own and not facts.axes.keys().isdisjoint(node.src):
                return B.stack(self._columns(node, facts.own[node]), facts.own[node])
            if node in self.columns and node not in facts.whole:
                return B.stack(self.columns[node], facts.axes[node])
        if facts.is_one(node):
            return B.reshape(self.columns[node.src[0]][0], node.arg)
        if facts.is_sum(node):
            start = B.full(node.sized, node.dtype, identity(node.arg[0], node.dtype))
            return fold(lambda a, b: B.alu(node.arg[0], a, b), self.columns[node.src[0]], start)
        return node.replace(tuple(self.new[s] for s in node.src))

    def _columns(self, node: UOp, axis: int) -> tuple[UOp, ...]:
        if node.op in GroupOp.Join:
            stacked = node.ndim > node.src[0].ndim
            return tuple(c for s in node.src for c in ((self.new[s],) if stacked else self._of(s, axis)))
        if node.op in _COMPUTED:
            return tuple(node.replace(src) for src in zip(*(self._of(s, axis) for s in node.src), strict=True))
        if node.op is Ops.RESHAPE:
            return tuple(B.reshape(c, without(node.arg, axis)) for c in self.columns[node.src[0]])
        return self._moved(node, axis)

    def _moved(self, node: UOp, axis: int) -> tuple[UOp, ...]:
        """The columns that a movement takes along an axis, each moved along the others."""
        record, build = opdef(node), MOVEMENT_BUILDERS[node.op]
        assert record.axes is not None
        assert record.numpy is not None
        before = record.axes.source(node, axis)
        columns = self._of(node.src[0], axis if before is None else before)
        line = UOp(Ops.EMPTY, node.dtype, (), (len(columns),))
        along = UOp(node.op, node.dtype, (line, *node.src[1:]), record.axes.arg(node, (axis,), ()))
        others = record.axes.arg(node, [k for k in range(node.ndim) if k != axis], ())
        made = [build(c, others) for c in columns]
        if record.fill is not None:
            made.insert(0, B.broadcast(record.fill(node), without(node.sized, axis)))
        taken = record.numpy(along, np.arange(len(columns)) + len(made) - len(columns))
        return tuple(made[k] for k in taken.tolist())

    def _of(self, source: UOp, axis: int) -> tuple[UOp, ...]:
        """The columns of any array along an axis."""
        if self.facts.axes.get(source) == axis:
            return self.columns[source]
        return tuple(_column(self.new[source], axis, k) for k in range(source.sized[axis]))


def _column(x: UOp, axis: int, k: int) -> UOp:
    """A column of an array, without its axis."""
    shape, value = without(x.sized, axis), B.const_value(x)
    if value is not None:
        return B.full(shape, x.dtype, value)
    if opdef(x).repeats is not None and x.src[0].sized[axis] == 1:
        return B.expand(B.reshape(x.src[0], without(x.src[0].sized, axis)), shape)
    return B.reshape(B.shrink(x, tuple((k, k + 1) if a == axis else (0, n) for a, n in enumerate(x.sized))), shape)
