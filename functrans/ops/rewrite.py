"""The one rewrite engine: a table applied to every node, sources first, until no row fits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from functrans.errors import SpecError
from functrans.ops.uop import UOp, toposort
from functrans.ops.upat import PatternMatcher

_LIMIT = 1000


def graph_rewrite(roots: Iterable[UOp], table: PatternMatcher, ctx: Any = None) -> list[UOp]:
    """The roots rewritten to a fixed point. Linear in the graph for tables whose rows shrink what they match.

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


def _finish(node: UOp, table: PatternMatcher, ctx: Any, done: dict[UOp, UOp]) -> None:
    current = node.replace(tuple(done[s] for s in node.src))
    for _ in range(_LIMIT):
        if current in done and current is not node:
            current = done[current]
            break
        made = table.rewrite(current, ctx)
        if made is None or made is current:
            break
        # what a rule built anew is rewritten below it first; what it kept is done already
        for fresh in toposort((made,), enter=lambda u: u not in done):
            if fresh is not made and fresh not in done:
                _finish(fresh, table, ctx, done)
        current = made.replace(tuple(done.get(s, s) for s in made.src))
    else:
        raise SpecError(f"a rewrite of {node!r} does not come to rest")
    done[node] = current
    done.setdefault(current, current)
