"""What every graph goes through before it runs, bodies of loops and branches too: no rules, no loop computed twice,
nothing computed in loops that nobody reads.

A derivative of a loop is a longer loop that computes what the loop did (`Extends`); where a graph has both, results of
the shorter one are read from the longer one, unless that depends on them.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans._records import replace
from functrans.ops.custom import has_rules, inlined
from functrans.ops.enums import GroupOp
from functrans.ops.function import Function
from functrans.ops.loops import Region, Scan, loop_of, over_bodies, regions, result
from functrans.ops.unused import without_unused
from functrans.ops.uop import UOp, substitute, toposort


def prepared(roots: Sequence[UOp]) -> list[UOp]:
    """The same values without rules, loops that others extend, and that in every body. Linear in graph and loops."""
    return without_unused(_prepared(list(roots), {}))


def _prepared(roots: list[UOp], known: dict[Function, Function]) -> list[UOp]:
    order = toposort(roots)
    if has_rules(order):
        roots = inlined(roots)
        order = toposort(roots)
    if not regions(order):
        return roots
    roots = merged(roots)
    new: dict[UOp, UOp] = {}
    for u in toposort(roots):
        sources = tuple(new[s] for s in u.src)
        if u.op in GroupOp.Region:
            arg = over_bodies(_bare(u.arg), lambda outputs: _prepared(outputs, known), known)
            new[u] = UOp(u.op, u.dtype, sources, arg)
        else:
            new[u] = u.replace(sources)
    return [new[r] for r in roots]


def _bare(arg: Region) -> Region:
    """What runs, without what transforms know of it."""
    return replace(arg, extends=None, plain=None) if isinstance(arg, Scan) else replace(arg, extends=None)


def merged(roots: list[UOp]) -> list[UOp]:
    """The same values, each loop that another one extends read from that."""
    apart: set[tuple[UOp, UOp]] = set()
    while True:
        order = toposort(roots)
        pair = _pair(order, apart)
        if pair is None:
            return roots
        loop, longer = pair
        places = longer.arg.extends.results
        found = {u: result(longer, places[u.arg]) for u in order if loop_of(u) is loop}
        new = substitute(roots, found)
        if all(n.free_ranges == r.free_ranges for n, r in zip(new, roots, strict=True)):
            roots = new
        else:  # the longer one is a loop of each lane, and the shorter one is read outside of the lanes
            apart.add(pair)


def _pair(order: list[UOp], apart: set[tuple[UOp, UOp]]) -> tuple[UOp, UOp] | None:
    """A loop and one that extends it and does not depend on it, unless they stay apart."""
    loops = regions(order)
    by_parts = {(u.arg, u.src): u for u in loops}
    for longer in loops:
        extends = longer.arg.extends
        if extends is None:
            continue
        loop = by_parts.get((extends.loop, tuple(longer.src[k] for k in extends.sources)))
        if loop is None or loop is longer or (loop, longer) in apart:
            continue
        if loop not in toposort(longer.src):
            return loop, longer
    return None
