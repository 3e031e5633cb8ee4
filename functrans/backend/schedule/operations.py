"""How many operations on numbers a node is: what costs and the bound on work are counted in."""

from __future__ import annotations

from math import prod

from functrans import dtypes
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

_COUNTED = GroupOp.OfElements - {
    Ops.CAST, Ops.BITCAST, Ops.NOOP, Ops.DETACH, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD
}  # fmt: skip


def operations(node: UOp) -> int:
    """For one value of the RANGEs that are open around a node of the ranged stage."""
    if node.op is Ops.STORE:
        combines = node.arg.mode != "set"
        return prod(map(extent, node.src[node.arg.first_range :])) if combines else 0
    if node.op is Ops.REDUCE:
        return prod(map(extent, node.src[1:]))
    if node.op is Ops.WMMA:
        return 2 * prod(map(extent, node.src[4:]))
    if node.op is Ops.PREFIX:
        return 1
    return of_element(node)


def of_element(node: UOp) -> int:
    """For one element of what computes element by element; 0 for what does not."""
    if node.op not in _COUNTED or dtypes.index in (s.dtype for s in node.src):
        return 0
    if node.op is Ops.MULACC:
        return 2
    if node.op is Ops.WHERE and _is_place(node.src[0]):
        return 0
    return int(any(s.dtype.kind in "iufc" for s in node.src))  # conditions alone are no numbers


def _is_place(condition: UOp) -> bool:
    """Whether a condition says where an element stands: the edge of what is padded."""
    todo = [condition]
    while todo:
        u = todo.pop()
        if u.op is Ops.AND:
            todo.extend(u.src)
        elif not all(s.dtype == dtypes.index for s in u.src):
            return False
    return True
