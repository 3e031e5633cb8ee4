"""The one rewrite engine: a table applied to every node, sources first, until no row fits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from functrans.errors import SpecError
from functrans.ops.origin import became
from functrans.ops.uop import UOp, toposort
from functrans.ops.upat import PatternMatcher

_LIMIT = 1000  # rewrites of one node
_DEPTH = 1_000_000  # nodes that wait for what a rule built below them


def graph_rewrite(roots: Iterable[UOp], table: PatternMatcher, ctx: Any = None) -> list[UOp]:
    """The roots rewritten to a fixed point. Linear in the graph for tables whose rows shrink what they match.

    Raises SpecError for a table that does not come to rest.

    >>> from functrans.ops import UOp, Ops, UPat, PatternMatcher, dtypes
    >>> pm = PatternMatcher([(UPat(Ops.NOOP, src=(UPat.var("x"),)), lambda x: x)])
    >>> one = UOp.const(dtypes.float64, 1.0)
    >>> graph_rewrite([UOp(Ops.NOOP, one.dtype, (one,))], pm)[0] is one
    True
    """
    roots = list(roots)
    done: dict[UOp, UOp] = {}
    for node in toposort(roots):
        _finish(node, table, ctx, done)
    return [done[r] for r in roots]


class _Waiting:
    """A node on its way to rest: what it has become, and how often it has changed."""

    __slots__ = ("made", "node", "steps")

    def __init__(self, node: UOp) -> None:
        self.node, self.made, self.steps = node, node, 0


def _finish(node: UOp, table: PatternMatcher, ctx: Any, done: dict[UOp, UOp]) -> None:
    # what a rule builds anew is rewritten below it first: a stack of its own, since a rule may build deep graphs
    stack = [_Waiting(node)]
    begun: set[UOp] = set()
    while stack:
        top = stack[-1]
        if top.node in done:
            stack.pop()
            continue
        begun.add(top.node)
        current = top.made.replace(tuple(done[s] for s in top.made.src))
        made = None if current in done else table.rewrite(current, ctx)
        if made is None or made is current:
            done[top.node] = done.setdefault(current, current)
            stack.pop()
            continue
        top.made, top.steps = became(made, current), top.steps + 1
        below = toposort((made,), enter=lambda u: u not in done)
        fresh = [u for u in below if u is not made and u not in done]
        if top.steps > _LIMIT or len(stack) > _DEPTH or not begun.isdisjoint(fresh):
            raise SpecError(f"a rewrite of {node!r} does not come to rest")
        stack.extend(map(_Waiting, reversed(fresh)))
