"""Run-time integers: what a BIND says is taken out of the graph, and given to the kernels with the call."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops.enums import Ops
from functrans.ops.source import variable
from functrans.ops.uop import UOp, substitute, toposort


def unbind(roots: Sequence[UOp]) -> tuple[list[UOp], dict[UOp, int]]:
    """The roots with a DEFINE_VAR of its own for every BIND, and the value of each.

    >>> from functrans.ops import dtypes
    >>> v, five = UOp(Ops.DEFINE_VAR, dtypes.index, (), ("n", 0, 9)), UOp.const(dtypes.index, 5)
    >>> roots, values = unbind([UOp(Ops.BIND, dtypes.index, (v, five))])
    >>> roots == list(values), list(values.values())
    (True, [5])
    """
    binds = [u for u in toposort(roots) if u.op is Ops.BIND]
    if not binds:
        return list(roots), {}
    new = {b: variable(*b.src[0].arg[:3]) for b in binds}
    return substitute(roots, new), {new[b]: int(b.src[1].arg) for b in binds}
