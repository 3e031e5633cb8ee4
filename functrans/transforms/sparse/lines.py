"""The user's lines behind a graph that was traced without them: found by tracing once more, when someone asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from functrans.ops.enums import Ops
from functrans.ops.origin import became, recorded
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort

__all__ = ["find_lines"]


def find_lines(outputs: Sequence[UOp], params: Sequence[UOp], again: Callable[[Sequence[UOp]], Sequence[UOp]]) -> None:
    """Give the nodes of a graph the lines of the same nodes in a graph traced anew.

    ``again`` traces on other params. Where it leaves another graph (what the function closes over has changed),
    nodes stay without lines.
    """
    fresh = [p if p.op is Ops.DEFINE_VAR else param(p.sized, p.dtype) for p in params]
    with recorded():
        order, other = toposort(outputs), toposort(again(fresh))
        if [(u.op, u.shape, u.dtype) for u in order] == [(u.op, u.shape, u.dtype) for u in other]:
            for old, new in zip(order, other, strict=True):
                became(old, new)
