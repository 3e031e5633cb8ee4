"""Alpha-renaming: a bracket inside the bracket of the same RANGE gets a fresh RANGE.

A graph may close a RANGE, and open it again on the result: the loop of the inner bracket then runs inside the loop of
the outer one. Passes that move values between loops know a loop by its RANGE alone, so no two nested ones may share it.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, rebuilt, toposort
from functrans.ops.vmap import ranges_of

_NONE: frozenset[UOp] = frozenset()


def alpha_rename(roots: Sequence[UOp]) -> list[UOp]:
    """Rename RANGEs until no VMAPOUT is below a node that is open in a RANGE that it closes. Linear in the graph."""
    order = toposort(roots)
    around: dict[UOp, frozenset[UOp]] = {}
    clashes: dict[UOp, tuple[UOp, ...]] = {}
    for node in reversed(order):
        here = around.get(node, _NONE)
        if node.op is Ops.VMAPOUT:
            shared = tuple(r for r in ranges_of(node.src[1:]) if r in here)
            if shared:
                clashes[node] = shared
        here = here | node.free_ranges
        for s in node.src if here else ():
            known = around.get(s, _NONE)
            if not here <= known:
                around[s] = here | known
    if not clashes:
        return list(roots)

    def make(node: UOp, new: UOp) -> UOp:
        fresh = {r: UOp.range(r.src[0], None, r.arg[1]) for r in clashes.get(node, ())}
        return _renamed(new, fresh) if fresh else new

    return rebuilt(roots, make)


def _renamed(node: UOp, mapping: dict[UOp, UOp]) -> UOp:
    new = dict(mapping)
    below = toposort(node.src, enter=lambda u: not mapping.keys().isdisjoint(u.free_ranges))
    for u in below:
        if u not in new:
            open_here = not mapping.keys().isdisjoint(u.free_ranges)
            new[u] = u.replace(tuple(new[s] for s in u.src)) if open_here else u
    return node.replace(tuple(new[s] for s in node.src))
