"""What an operation weighs against an addition, for the passes that decide by cost."""

from __future__ import annotations

from functrans.ops.enums import GroupOp, Ops

_CALL = 20  # a function of the mathematical library
_WEIGHT = (
    {Ops.FDIV: 4, Ops.RECIP: 4, Ops.SQRT: 4}
    | dict.fromkeys([Ops.IDIV, Ops.MOD, Ops.FLOORDIV, Ops.FLOORMOD], 6)
    | dict.fromkeys([Ops.ADD, Ops.SUB, Ops.MUL, Ops.NEG, Ops.MAX, Ops.MIN, Ops.WHERE, Ops.MULACC, Ops.ABS, Ops.NOT], 1)
)
_WEIGHT |= dict.fromkeys(GroupOp.Compare | {Ops.AND, Ops.OR, Ops.XOR, Ops.SHL, Ops.SHR, Ops.CAST, Ops.INDEX}, 1)


def weight(op: Ops) -> int:
    """The weight of one operation on one element."""
    return _WEIGHT.get(op, _CALL)
