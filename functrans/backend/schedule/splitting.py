"""Index-set splitting: what is computed of joined arrays element by element is joined after it, part by part.

A stencil that is written with `roll` reads joins of two slices each. A join is stored before it is read, as what an
element is depends on where it stands; between the seams, the places where one of the joins goes over to its next part,
it does not. So the axis is split there: each stretch is computed by itself, of slices of what was joined, straight into
its place of the result. Source: index set splitting, as in Allen and Kennedy, Optimizing Compilers for Modern
Architectures, 5.7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, pairwise

from functrans.backend.policy import FEW_ROUNDS, LOOP_STATEMENTS, VECTOR_ROUNDS
from functrans.backend.schedule.realize import LEAVES, TRANSPARENT
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.origin import became
from functrans.ops.uop import UOp, substitute, toposort

_ELEMENTWISE = GroupOp.Elementwise - {Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD}
_IN_PLACE = frozenset({Ops.VMAPOUT, Ops.CAT, Ops.STACK})  # what has its sources stored where they stand in it


def split_at_joins(roots: list[UOp]) -> list[UOp]:
    """The roots, where that leaves fewer arrays to store. Linear in the graph, for each axis that is split."""
    while True:
        found = _splits(roots)
        if not found:
            return roots
        roots = substitute(roots, found)


def _splits(roots: list[UOp]) -> dict[UOp, UOp]:
    """The results of regions along one axis, and what stands for them."""
    order = toposort(roots)
    if not any(u.op is Ops.CAT for u in order):
        return {}
    users: dict[UOp, list[UOp]] = {}
    for u in order:
        for s in dict.fromkeys(u.src):
            users.setdefault(s, []).append(u)
    found: dict[UOp, UOp] = {}
    for region in _regions(order, users):
        inside = set(region)
        joins = dict.fromkeys(s for u in region for s in u.src if s.op is Ops.CAT)
        if not joins:
            continue
        own = [s for s in joins if inside.issuperset(users[s]) and s not in roots and _is_of_views(s, users)]
        results = [u for u in region if u in roots or not inside.issuperset(users[u])]
        kept = [u for u in results if u not in roots and _is_kept(u, users)]
        if len(kept) < len(own):
            found.update(_split(region, own, results))
    return found


def _is_of_views(join: UOp, users: dict[UOp, list[UOp]]) -> bool:
    """Whether each part is read from memory or computed where it is read; others fill the join."""
    for x in join.src:
        while x.op in TRANSPARENT or (x.op is Ops.CAT and x.arg != join.arg and _is_of_views(x, users)):
            x = x.src[0]
        if x.op not in LEAVES and x.op not in _ELEMENTWISE and len(users[x]) < 2:
            return False
    return True


def _is_kept(u: UOp, users: dict[UOp, list[UOp]]) -> bool:
    """Whether something other than elementwise nodes reads a value, which is then stored for it."""
    return not all(v.op in _IN_PLACE or v.op in _ELEMENTWISE for v in users.get(u, ()))


def _regions(order: Iterable[UOp], users: dict[UOp, list[UOp]]) -> list[list[UOp]]:
    """The elementwise nodes that hang together, sources first: all of one shape. What is stored is computed in one
    region and read in others.
    """
    region: dict[UOp, list[UOp]] = {}
    for u in order:
        if u.op not in _ELEMENTWISE or not u.shape:
            continue
        mine = [u]
        for s in u.src:
            other = region.get(s)
            if other is not None and other is not mine and not _is_kept(s, users):
                few, many = sorted((other, mine), key=len)
                many += few
                for v in few:
                    region[v] = many
                mine = many
        region[u] = mine
    place = {u: k for k, u in enumerate(region)}
    distinct = {id(nodes): nodes for nodes in region.values()}
    return [sorted(nodes, key=place.__getitem__) for nodes in distinct.values()]


def _split(region: list[UOp], joins: list[UOp], results: list[UOp]) -> dict[UOp, UOp]:
    """The results as joins of what is computed between the seams of the joins along the axis that most go along."""
    ((axis, _),) = Counter(j.arg for j in joins).most_common(1)
    ends = {n for j in joins if j.arg == axis for n in accumulate(s.sized[axis] for s in j.src)}
    stretches = [(a, b) for a, b in pairwise(sorted({0, *ends})) if a < b]
    most = min(VECTOR_ROUNDS, -(-region[0].sized[axis] // FEW_ROUNDS), 2 * LOOP_STATEMENTS // len(region))
    if not 2 <= len(stretches) <= most:
        return {}
    made: dict[UOp, list[UOp]] = {u: [] for u in results}
    for a, b in stretches:
        new: dict[UOp, UOp] = {}
        for u in region:
            src = tuple(new[s] if s in new else new.setdefault(s, sliced(s, axis, a, b)) for s in u.src)
            new[u] = became(u.replace(src), u)
        for u in results:
            made[u].append(new[u])
    return {u: became(B.cat(tuple(parts), axis), u) for u, parts in made.items()}


def sliced(x: UOp, axis: int, start: int, stop: int) -> UOp:
    """The elements from start to stop along an axis, of joins the parts that they lie in."""
    if (start, stop) == (0, x.sized[axis]):
        return x
    if opdef(x).repeats is not None and x.src[0].sized[axis] == 1:
        return B.expand(x.src[0], (*x.sized[:axis], stop - start, *x.sized[axis + 1 :]))
    if x.op is Ops.CAT and x.arg != axis:
        return B.cat(tuple(sliced(s, axis, start, stop) for s in x.src), x.arg)
    if x.op is Ops.CAT:
        ends = list(accumulate((s.sized[axis] for s in x.src), initial=0))
        parts = [
            sliced(s, axis, max(start - first, 0), min(stop, last) - first)
            for s, (first, last) in zip(x.src, pairwise(ends), strict=True) if first < stop and start < last
        ]  # fmt: skip
        return B.cat(tuple(parts), axis)
    return B.shrink(x, tuple((start, stop) if k == axis else (0, n) for k, n in enumerate(x.sized)))
