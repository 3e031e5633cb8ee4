"""Arrays of one plan that share their work, as parts of one array: one loop computes them, and what they share once.

The derivatives of three fluxes are made of the same states and speeds of sound. Each is worth an array of its own, for
it is read at many entries; three loops would compute the speeds three times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.direct.emission import Emission, empty
from functrans.transforms.sparse.direct.stores import Places
from functrans.transforms.sparse.direct.terms import Term
from functrans.transforms.sparse.direct.values import MIN_ADDITIONS, costs


class Laid(NamedTuple):
    """An array, and what was laid into it; its elements are zero where nothing was."""

    array: UOp
    writes: tuple[tuple[Term, Places], ...]
    full: bool

    @property
    def spaces(self) -> frozenset[int]:
        """How many elements its loops have."""
        return frozenset(int(np.count_nonzero(to >= 0)) for _, to in self.writes)

    @property
    def work(self) -> set[UOp]:
        """The nodes of its coefficients that compute something."""
        return {u for u in toposort([t.coefficient for t, _ in self.writes]) if u.src}


def joined(roots: Sequence[UOp], laid: Sequence[Laid], emission: Emission) -> list[UOp]:
    """The roots, with arrays that share their work computed together; ``laid`` are those of a plan, as they were made.

    None of a group reads another one. Linear in the graphs of the arrays.
    """
    new: dict[UOp, UOp] = {}
    for group in groups(laid):
        if len(group) > 1:
            ends = np.cumsum([0, *(x.array.size for x in group)]).tolist()
            (whole,) = substitute([_whole(group, ends, emission)], new)
            parts = [B.shrink(whole, ((a, b),)) for a, b in pairwise(ends)]
            new.update(zip((x.array for x in group), parts, strict=True))
    return substitute(roots, new)


def _whole(group: Sequence[Laid], ends: Sequence[int], emission: Emission) -> UOp:
    dtype: DType = group[0].array.dtype
    base = empty(ends[-1], dtype) if all(x.full for x in group) else B.full((ends[-1],), dtype, 0)
    writes = [
        (t, np.where(to >= 0, to + np.int32(start), np.int32(-1)))
        for x, start in zip(group, ends, strict=False)
        for t, to in x.writes
    ]
    return emission.filled(base, writes, dtype)


def groups(laid: Sequence[Laid]) -> list[list[Laid]]:
    """Arrays that are computed together, those that others read first. Linear in their graphs."""
    arrays = {x.array for x in laid}
    level: dict[UOp, int] = {}
    for u in toposort([x.array for x in laid]):
        level[u] = max((level[s] for s in u.src), default=0) + (u in arrays)
    found: dict[tuple[int, DType, frozenset[int]], list[tuple[list[Laid], set[UOp]]]] = {}
    for x in laid:
        alike = found.setdefault((level[x.array], x.array.dtype, x.spaces), [])
        work = x.work
        for group, common in alike:
            if any(costs((u,), MIN_ADDITIONS) for u in common & work):
                group.append(x)
                common |= work
                break
        else:
            alike.append(([x], work))
    return [group for key in sorted(found, key=lambda k: k[0]) for group, _ in found[key]]
