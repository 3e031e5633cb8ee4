"""Integers of 8 and 16 bits, and truths that stand alone, as int32: what a loop takes the largest or smallest of in
lanes, for which there are vectors.

Ops that give one of their operands, or its bits, are the same in more bits; those that may wrap are not.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.nest import Writer, nest
from functrans.backend.codegen.varying import step_of
from functrans.backend.codegen.vectors.spelling import held_as
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp

_KEPT = frozenset({Ops.MAX, Ops.MIN, Ops.AND, Ops.OR, Ops.XOR, Ops.WHERE})
_MEMORY = frozenset({Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.DEFINE_GLOBAL, Ops.DEFINE_LOCAL})
_SUMS = frozenset({Ops.DEFINE_ACC, Ops.ASSIGN})
_READ = GroupOp.Compare | {Ops.CAST}  # of which the result is another


def widened(uops: list[UOp]) -> list[UOp] | None:
    """The statements with such numbers as int32; None where there are none, or where an op may wrap. Linear."""
    numbers = {u.dtype for u in uops if u.dtype.kind in "fiuc"}
    narrow = {d for d in numbers if d != held_as(d)} if numbers else {dtypes.bool_}
    if not narrow or not all(_suits(u, narrow) for u in uops):
        return None
    writer = _Widened(uops, narrow)
    writer.items(nest(uops))
    return writer.out


def lie_side_by_side(uops: list[UOp], wanted: tuple[UOp, ...]) -> bool:
    """Whether lanes of some loops read and write short numbers side by side: others are moved one by one."""
    used = {u.src[0] for u in uops if u.op in (Ops.LOAD, Ops.STORE)}
    narrow = [u for u in used if u.dtype.itemsize < dtypes.int32.itemsize and u.src[0].op is Ops.DEFINE_GLOBAL]
    return all(step_of(r, index.src[1]) in (0, 1) for r in wanted for index in narrow)


def _suits(u: UOp, narrow: set[DType]) -> bool:
    """Whether a statement means the same of int32."""
    if u.op is Ops.LOAD and u.dtype in narrow:
        return len(u.src) == 1
    if u.op in _KEPT | _MEMORY | _SUMS:
        return True
    if u.dtype in narrow:
        return u.op in _READ and u.dtype == dtypes.bool_ and all(s.dtype not in narrow for s in u.src)
    return u.op in _READ or all(s.dtype not in narrow for s in u.src)


class _Widened(Writer):
    def __init__(self, uops: list[UOp], narrow: set[DType]) -> None:
        super().__init__(uops)
        self.narrow = narrow

    def one(self, old: UOp) -> None:
        """Write a statement, over int32 where it was of such numbers."""
        if old.op is Ops.STORE:
            self._store(old)
            return
        if old.dtype not in self.narrow or old.op is Ops.DEFINE_GLOBAL:
            self.copy(old)
            return
        if old.op in (Ops.INDEX, Ops.LOAD) and _array(old).op is Ops.DEFINE_GLOBAL:
            new = self.copy(old)
            if old.op is Ops.LOAD:
                self.become(old, self.statement(UOp(Ops.CAST, dtypes.int32, (new,))))
            return
        number = int(old.arg) if old.op is Ops.CONST else old.arg
        self.become(old, self.statement(UOp(old.op, dtypes.int32, tuple(self.now(s) for s in old.src), number)))

    def _store(self, old: UOp) -> None:
        index, value, *gate = old.src
        new = self.now(value)
        if new.dtype != index.dtype and _array(index).op is Ops.DEFINE_GLOBAL:
            cut = UOp(Ops.CAST, index.dtype, (new,))
            if index.dtype == dtypes.bool_:
                cut = UOp(Ops.CMPNE, dtypes.bool_, (new, UOp.const(dtypes.int32, 0)))
            new = self.value(cut)
        self.become(old, self.statement(old.replace((self.now(index), new, *map(self.now, gate)))))


def _array(u: UOp) -> UOp:
    """The array of an element, or of a read of one."""
    return _array(u.src[0]) if u.op is Ops.LOAD else u.src[0]
