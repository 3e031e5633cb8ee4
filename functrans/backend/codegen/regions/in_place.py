"""Carries of a called body that a round changes at a few places: these are stored into the carry, nothing is copied.

A carry whose next value is a SCATTER into it is handed on in place. The body then gives what is stored and where; when
it is done, and nobody reads the old carry any more, a function of its own stores it.
"""

from __future__ import annotations

from dataclasses import dataclass

from functrans.backend.policy import HALF
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute, toposort


@dataclass(frozen=True)
class Update:
    """How a carry changes: ``function`` makes the next one of it and of some nodes of the body."""

    carry: int
    operands: tuple[UOp, ...]
    function: Function


def updates(body: Function, carries: int) -> list[Update]:
    """The carries that change at a few places. Linear in the body."""
    return [u for k in range(carries) if (u := _update(body, k)) is not None]


def _update(body: Function, k: int) -> Update | None:
    own = set(body.params)
    made: list[UOp] = []
    node = body.outputs[k]
    while node.op is Ops.SCATTER:
        made.append(node)
        node = node.src[0]
    if node is not body.params[k] or not made or HALF * sum(s.src[1].size for s in made) > node.size:
        return None
    given = dict.fromkeys(x for s in made for x in s.src[1:] if not own.isdisjoint(toposort((x,))))
    holes = {x: param(x.sized, x.dtype) for x in given}
    (output,) = substitute((body.outputs[k],), holes)
    if any(u in own and u is not node for u in toposort((output,))):
        return None
    return Update(k, tuple(holes), Function((node, *holes.values()), (output,)))
