"""What a linear map keeps of the point it was taken at.

Outermost, a pullback runs later than the function. Of the function it needs the coefficients of the linear map:
these are computed once, with the value, and stored. What only moves stored values about, and what depends on no
argument, is not worth storing; what checkpoint wants computed again is not stored either. A coefficient inside a
bracket is stored for every value of its RANGEs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from functrans.ops.custom import Again
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import by_nesting
from functrans.transforms.dependents import dependents


class Residuals(NamedTuple):
    """The residuals of a linear map: nodes to store, a placeholder for each, and the roots over the placeholders."""

    stored: list[UOp]
    places: list[UOp]
    roots: list[UOp]


def split(
    roots: Sequence[UOp], holes: Sequence[UOp], later: Iterable[UOp], around: frozenset[UOp] = frozenset()
) -> Residuals:
    """Part graphs on ``holes``, known now, and on placeholders known ``later``.

    RANGEs ``around`` all of it stay open: what is stored is of the lane that it is in.
    """
    order = toposort(roots)
    late, early = dependents(order, later), dependents(order, holes)
    again = dependents(order, (u for u in order if isinstance(u.arg, Again)))
    stored: dict[UOp, UOp] = {}
    places: dict[UOp, UOp] = {}
    todo = [u for u in dict.fromkeys([*roots, *(s for u in order if u in late for s in u.src)]) if u not in late]
    seen = set(todo)
    while todo:
        node = todo.pop()
        if node not in early or node.op is Ops.RANGE:
            continue
        moved = node.op in GroupOp.Movement or node.op is Ops.VMAPIN
        if node in again or (moved and all(around.isdisjoint(s.free_ranges) for s in node.src[1:])):
            todo.extend(s for s in node.src if s not in seen)
            seen.update(node.src)
            continue
        ranges = by_nesting(node.free_ranges - around)
        whole = node.vmapout((*ranges, *(const(0) for _ in node.sized))) if ranges else node
        place = param(whole.sized, whole.dtype)
        stored[node] = whole
        places[place] = node
    back = {node: _opened(place, node, around) for place, node in places.items()}
    return Residuals(list(stored.values()), list(places), substitute(roots, back))


def _opened(place: UOp, node: UOp, around: frozenset[UOp]) -> UOp:
    ranges = by_nesting(node.free_ranges - around)
    return place.vmapin((*ranges, *(const(0) for _ in node.sized))) if ranges else place
