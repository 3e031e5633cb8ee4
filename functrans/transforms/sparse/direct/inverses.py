"""Solutions of small systems as products with the inverse, which terms carry: it is computed before, like any factor.

The inverse has the columns of the same elimination as a solution has, so no pivots are left out. It is a tangent that
is multiplied, not a value of the function.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, substitute, toposort
from functrans.tensor.contract import matmul
from functrans.transforms.dependents import dependents
from functrans.transforms.sparse.direct.spaces import SHORT


def multiplied(roots: Sequence[UOp], directions: Iterable[UOp]) -> list[UOp]:
    """The same values, without systems of small real matrices whose right-hand sides alone depend on directions.

    Linear in the graph.
    """
    order = toposort(roots)
    late = dependents(order, directions)
    new: dict[UOp, UOp] = {}
    for u in order:
        if u.op is Ops.SOLVE and u in late and u.src[0] not in late and _is_small(u):
            a, b = u.src
            (right,) = substitute([b], new)
            identity = B.broadcast(buffer(np.eye(a.sized[-1], dtype=a.dtype.numpy)), a.sized)
            new[u] = matmul(B.solve(a, identity, u.arg), right)
    return substitute(roots, new) if new else list(roots)


def _is_small(node: UOp) -> bool:
    """Whether the products of a row and a column, for all of both, are no more than a cell may have elements."""
    n, columns = node.sized[-2:]
    return node.dtype.kind == "f" and 0 < n * n * columns <= SHORT**2
