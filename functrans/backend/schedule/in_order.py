"""Values in order: a gather along the order of the same values is the op that sorts values alone.

To the transforms sorting is the order of the elements, and a gather by it, which has derivatives, lanes and patterns. A
machine sorts values alone several times as fast as values with their positions, so where nothing else reads these,
the two become one op.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans import dtypes
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import placed_in

Place = tuple[UOp, tuple[UOp, ...]]  # a node, and where in it an element is


def in_order(roots: Sequence[UOp]) -> list[UOp]:
    """The same values, those sorted by an order that nothing else needs as SORT. Linear in the graph."""
    nodes = toposort(roots)
    if not any(u.op is Ops.ARGSORT for u in nodes):
        return list(roots)
    found = {g: s for g in nodes if g.op is Ops.INDEX and (s := _sorted(g)) is not None}
    needed = _read(roots, found)
    new: dict[UOp, UOp] = {}
    for node in nodes:
        if node in found and found[node][0] not in needed:
            order, index = found[node]
            keys = new[order.src[0]]
            new[node] = _moved(index, order, UOp(Ops.SORT, keys.dtype, (keys,)))
        else:
            new[node] = node.replace(tuple(new[s] for s in node.src))
    return [new[r] for r in roots]


def _read(roots: Sequence[UOp], found: dict[UOp, tuple[UOp, UOp]]) -> set[UOp]:
    """What is read where the gathers that were found do not read their order."""
    seen: set[UOp] = set()
    todo = list(roots)
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(found[node][0].src if node in found else node.src)
    return seen


def _sorted(gather: UOp) -> tuple[UOp, UOp] | None:
    """The order that a gather puts its values in, and the index that this becomes by movement; None where none is."""
    x, *indices = gather.src
    if len(indices) != x.ndim or not gather.size:
        return None
    axes = tuple(_any(n, k) for k, n in enumerate(gather.sized))
    places = [_followed(i, axes) for i in indices]
    if None in places:
        return None
    ends = [p for p in places if p is not None]
    orders = [k for k, (node, _) in enumerate(ends) if node.op is Ops.ARGSORT]
    if len(orders) != 1 or any(node.op not in (Ops.ARGSORT, Ops.IOTA) for node, _ in ends):
        return None
    (k,) = orders
    order, at = ends[k]
    keys = order.src[0]
    if keys.dtype.kind == "c" or keys.sized[-1] != x.sized[k]:
        return None
    any_of_line = _any(x.sized[k], gather.ndim)
    read = tuple(any_of_line if j == k else place[0] for j, (_, place) in enumerate(ends))
    source = _followed(x, read)
    if source is None or source != _followed(keys, (*at[:-1], any_of_line)):
        return None
    return order, indices[k]


def _any(n: int, k: int) -> UOp:
    """Any place along an axis of n elements, the k-th of such."""
    return UOp.range(n, -1 - k) if n > 1 else UOp.const(dtypes.index, 0)


def _followed(node: UOp, at: tuple[UOp, ...]) -> Place | None:
    """Where an element comes from, through all that only moves it; None where it may come from nowhere."""
    while node.op in GroupOp.Movement or node.op is Ops.VMAPIN:
        if node.op is Ops.VMAPIN:
            at = placed_in(node.src[1:], at)
        else:
            ranges = opdef(node).ranges
            assert ranges is not None
            at, condition = ranges(node, at)
            if condition is not None:
                return None
        node = node.src[0]
    return node, at


def _moved(index: UOp, order: UOp, values: UOp) -> UOp:
    """The values, moved as the order is to the index."""
    steps = []
    while index is not order:
        steps.append(index)
        index = index.src[0]
    for step in reversed(steps):
        values = UOp(step.op, values.dtype, (values, *step.src[1:]), step.arg)
    return values
