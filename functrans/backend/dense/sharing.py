"""Matrices that several steps of LAPACK read, factored once for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.dense.routines import FACTORED, base_of, sharing
from functrans.ops.enums import Ops
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
