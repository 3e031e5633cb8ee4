"""Uniformity analysis of a loop body, and which values can be rematerialized."""

from __future__ import annotations

from collections.abc import Iterable

from functrans import dtypes
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.varying import varying
from functrans.backend.codegen.vectors.analysis import stride_of
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort

_ARITHMETIC = frozenset({Ops.ADD, Ops.MUL, Ops.IDIV, Ops.MOD, Ops.MAX, Ops.MIN, Ops.WHERE})
_CONDITIONS = GroupOp.Compare | {Ops.AND, Ops.OR, Ops.NOT, Ops.XOR}


class Uniformity:
    """The uniformity of the body of a loop whose RANGE becomes the lanes. Linear in its statements, a few times over.

    A node *varies* if it may differ between lanes; else it is uniform. Indices that vary, conditions on them and
    reads of inputs are *rematerializable*: each use computes them.
    """

    def __init__(self, loop: Loop) -> None:
        self.range = loop.range
        self.body = list(loop.walk())
        own = {u for u in self.body if u.op is Ops.DEFINE_LOCAL}
        self.varying = varying(self.body, (loop.range,), own)
        self._rematerializable: dict[UOp, bool] = {}
        self._lasts: dict[UOp, bool] = {}

    def stride(self, place: UOp) -> int | None:
        """The distance of a place from one lane to the next; None if it is not constant."""
        return stride_of(place, self.range, self.varying)

    def is_read(self, u: UOp) -> bool:
        """Whether the node reads an input at a constant stride over the lanes."""
        if u.op is not Ops.LOAD or u not in self.varying:
            return False
        array, place = u.src[0].src
        if array.op is not Ops.DEFINE_GLOBAL or array.arg.written or not self.stride(place) or not self.lasts(u):
            return False
        return len(u.src) == 1 or self.rematerializable(u.src[2])

    def lasts(self, node: UOp) -> bool:
        """Whether no accumulator and no local array is below the node: it is the same whenever it is computed."""
        known = self._lasts
        for u in _unknown(node, known):
            written = u.op is Ops.DEFINE_GLOBAL and u.arg.written
            known[u] = not written and u.op not in _CHANGES and all(known[s] for s in u.src)
        return known[node]

    def rematerializable(self, node: UOp) -> bool:
        """Whether the node is computed at each of its uses, from no value that would have to be stored."""
        for u in _unknown(node, self._rematerializable):
            self._rematerializable[u] = u not in self.varying or self._is_rematerializable(u)
        return self._rematerializable[node]

    def _is_rematerializable(self, u: UOp) -> bool:
        if u is self.range:
            return True
        if not self.lasts(u):
            return False
        if u.dtype == dtypes.index and u.op in _ARITHMETIC:
            return all(self._rematerializable[s] for s in u.src)
        if u.op in _CONDITIONS and u.dtype == dtypes.bool_:
            return all(s.dtype in (dtypes.index, dtypes.bool_) and self._rematerializable[s] for s in u.src)
        return self.is_read(u)


_CHANGES = frozenset({Ops.DEFINE_ACC, Ops.ASSIGN, Ops.DEFINE_LOCAL})


def _unknown(node: UOp, known: dict[UOp, bool]) -> Iterable[UOp]:
    """The nodes up to this one that ``known`` does not hold, sources first."""
    if node in known:
        return ()
    if known.keys() >= set(node.src):
        return (node,)
    return [u for u in toposort((node,), enter=lambda u: u not in known) if u not in known]
