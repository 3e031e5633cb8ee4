"""Reductions of the same rounds in one loop: what several sums are computed from is computed once, not once for each.

The gradients by the parameters of a function, each a sum over a batch, share nearly all of what they sum. Under RANGEs
of their own each would go through the batch by itself. Under the same RANGEs they are accumulators of one loop, and
what they share is a value of one round, which no array has to hold.
"""

from __future__ import annotations

from functrans.backend.schedule.parts import led
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

Ranges = tuple[UOp, ...]


def depths(order: list[UOp]) -> dict[UOp, int]:
    """For each node of an order, sources first, how many reductions stand one above the other in it at the most: two
    reductions of the same depth do not depend on one another.
    """
    found: dict[UOp, int] = {}
    for u in order:
        found[u] = max((found.get(s, 0) for s in u.src), default=0) + (u.op is Ops.REDUCE)
    return found


def one_loop(roots: list[UOp]) -> list[UOp]:
    """The roots, reductions that can share their loops under the same RANGEs. Linear in the graph."""
    order = toposort(roots)
    depth = depths(order)
    first: dict[object, Ranges] = {}
    one: dict[UOp, UOp] = {}
    for u in order:
        if u.op is Ops.REDUCE and one.keys().isdisjoint(u.src[1:]):
            key = (u.arg, u.dtype, tuple(map(extent, u.src[1:])), u.free_ranges, depth[u])
            ranges = first.setdefault(key, u.src[1:])
            one.update((r, q) for r, q in zip(u.src[1:], ranges, strict=True) if r is not q)
    return substitute(roots, one) if one else roots


def in_one_loop(order: list[UOp]) -> dict[UOp, list[UOp]]:
    """For each REDUCE of an order those that one loop is to make with it: of the same RANGEs, and with a value of one
    round in common. Linear in the nodes.
    """
    depth = depths(order)
    groups: dict[object, list[UOp]] = {}
    for u in order:
        if u.op is Ops.REDUCE:
            groups.setdefault((u.arg, u.dtype, u.src[1:], u.free_ranges, depth[u]), []).append(u)
    return {u: own for group in groups.values() if len(group) > 1 for own in _sharing(group) for u in own}


def _sharing(group: list[UOp]) -> list[list[UOp]]:
    """Reductions over the same RANGEs by what they share."""
    owner: dict[UOp, UOp] = {}
    place = {u: k for k, u in enumerate(group)}
    leader = {u: u for u in group}
    ranges = frozenset(group[0].src[1:])
    for u in group:
        todo = [u.src[0]]
        while todo:
            v = todo.pop()
            if v.free_ranges.isdisjoint(ranges) or v.dtype.kind == "x":
                continue
            if v in owner:
                a, b = sorted((led(leader, owner[v]), led(leader, u)), key=place.__getitem__)
                leader[b] = a
            elif v.op in GroupOp.OfElements or v.op is Ops.REDUCE:
                owner[v] = u
                todo.extend(v.src)
    whole: dict[UOp, list[UOp]] = {}
    for u in group:
        whole.setdefault(led(leader, u), []).append(u)
    return list(whole.values())
