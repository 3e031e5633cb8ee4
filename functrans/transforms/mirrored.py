"""Functions of differences along edges, each of which has its reverse: computed for one direction, read for both.

A line between two buses is two edges, from either end. The cosine of x[i] - x[j] is that of x[j] - x[i], the sine its
negative; and edges between the same two ends have the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._records import record
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.direct.gathers import Gathers
from functrans.transforms.sparse.direct.tables import Tables

EVEN = frozenset({Ops.COS, Ops.COSH})
ODD = frozenset({Ops.SIN, Ops.TAN, Ops.SINH, Ops.TANH})


def mirrored(roots: Sequence[UOp]) -> list[UOp]:
    """The roots, with such functions of differences in one direction, where that leaves out a quarter of them. Linear.

    A sine of the difference of two zeros is +0, also where one of them is -0.
    """
    found = [u for u in toposort(roots) if u.op in EVEN | ODD and _is_difference(u.src[0]) and not u.free_ranges]
    if not found:
        return list(roots)
    indices = [i for u in found for x in u.src[0].src for i in x.src[1:]]
    gathers = Gathers(Tables(), Constants(toposort(indices), indices))
    pairs = {d: _pairs(d, gathers) for d in dict.fromkeys(u.src[0] for u in found)}
    return substitute(roots, {u: p.value(u) for u in found if (p := pairs[u.src[0]]) is not None})


def _is_difference(d: UOp) -> bool:
    return d.op is Ops.SUB and d.dtype.kind == "f" and all(opdef(x).kind == "index" for x in d.src)


@record
class _Pairs:
    """The differences in one direction, which of them each edge has, and 1 where it goes that way, -1 else."""

    differences: UOp
    edge: UOp
    sign: UOp

    def value(self, u: UOp) -> UOp:
        """A function of the differences of all edges; of what is subtracted from itself 0, whichever way."""
        each = B.gather(UOp(u.op, u.dtype, (self.differences,), u.arg), self.edge)
        if u.op in ODD:
            each = B.add(B.mul(self.sign, each), B.like(each, 0))
        return B.reshape(each, u.sized)


def _pairs(d: UOp, gathers: Gathers) -> _Pairs | None:
    """The pairs of ends of differences, if they are few enough."""
    ends = [gathers.of(x) for x in d.src]
    sources = {s for e in ends if e is not None for s in e.sources}
    if None in ends or len(sources) != 1 or not d.size:
        return None
    (source,) = sources
    i, j = (e.table.at.astype(np.int64) for e in ends if e is not None)
    low, high = np.minimum(i, j), np.maximum(i, j)
    pairs, edge = np.unique(low * source.size + high, return_inverse=True)
    if low.min() < 0 or 4 * len(pairs) > 3 * d.size:
        return None
    x = B.reshape(source, (source.size,))
    first, second = (B.gather(x, _places(at, x.size)) for at in np.divmod(pairs, source.size))
    sign = buffer(np.where(i <= j, 1, -1).astype(d.dtype.numpy))
    return _Pairs(B.sub(first, second), _places(edge.reshape(-1), len(pairs)), sign)


def _places(at: NDArray[Any], n: int) -> UOp:
    return B.inside(buffer(at.astype(np.int64)), n)
