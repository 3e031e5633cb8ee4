"""Matrices that several steps read, factored once for all; sparse factors that one solution reads, not stored."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.dense.routines import FACTORED, base_of, sharing
from functrans.ops.enums import Ops
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.uop import UOp, toposort


def with_factors(roots: Sequence[UOp]) -> list[UOp]:
    """The same values; solutions and determinants of one matrix, or of it and its transposed, read one LU of it.

    Both parts of one determinant are a step already.
    """
    order = toposort(roots)
    shared = sharing(order)
    of: dict[UOp, set[UOp | tuple[UOp, ...]]] = {}
    for u in order:
        if u in shared and u.op in FACTORED and u.size > 0:
            of.setdefault(base_of(u.src[0])[0], set()).add(u.src if u.op is Ops.SLOGDET else u)
    several = {a for a, readers in of.items() if len(readers) > 1}
    if not several:
        return list(roots)
    new: dict[UOp, UOp] = {}
    for u in order:
        sources = tuple(new[s] for s in u.src)
        if u in shared and u.op in FACTORED:
            base = base_of(u.src[0])[0]
            if base in several:
                sources = (*sources, UOp(Ops.LU, base.dtype, (new[base],)))
        new[u] = u.replace(sources)
    return [new[r] for r in roots]


def without_factors(roots: Sequence[UOp]) -> list[UOp]:
    """The same values where factors that one solution alone reads, or that are found again as fast as they are stored
    and read, are no arrays.
    """
    order = toposort(roots)
    if not any(u.op is Ops.SPFACTOR for u in order):
        return list(roots)
    readers: dict[UOp, int] = {}
    for u in order:
        for s in u.src:
            readers[s] = readers.get(s, 0) + (s.op is Ops.SPFACTOR)
    new: dict[UOp, UOp] = {}
    for u in order:
        sources = tuple(new[s] for s in u.src)
        if u.op is Ops.SPSOLVE and len(u.src) == 3 and _is_light(u, readers):
            sources = (sources[0], sources[2])
        new[u] = u.replace(sources)
    return [new[r] for r in roots]


def _is_light(node: UOp, readers: dict[UOp, int]) -> bool:
    factored = node.src[1]
    s: Symbolic = node.arg.symbolic
    own = factored.op is Ops.SPFACTOR and factored.src[0] is node.src[0] and not s.definite
    return own and (readers[factored] == 1 or s.is_light)
