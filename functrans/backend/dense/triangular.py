"""Triangular systems, written out.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), section 3.1.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from functrans.backend.dense.elements import Rows, either, elements, joined, less
from functrans.backend.dense.elimination import pivot
from functrans.ops import build as B
from functrans.ops.uop import UOp


def solution(node: UOp) -> tuple[UOp, UOp | None]:
    """TRIANGULAR: what it is, and whether the matrix is singular, of which ones on the diagonal never are."""
    (lower, unit), b = node.arg, node.src[1]
    t, x = elements(node.src[0]), elements(b)
    n = len(t)
    diagonal = [pivot(t[i][i], []) for i in range(n)]
    for i in range(n) if lower else reversed(range(n)):
        for j in range(i) if lower else range(i + 1, n):
            x[i] = [less(x_i, t[i][j], x_j) for x_i, x_j in zip(x[i], x[j], strict=True)]
        if not unit:
            x[i] = [diagonal[i].divides(x_i) for x_i in x[i]]
    if unit:
        return joined(x, b.sized), None
    singular = reduce(either, (B.eq(p.value, B.like(p.value, 0)) for p in diagonal))
    rows: Rows = [[B.where(singular, B.like(e, np.nan), e) for e in r] for r in x]
    return joined(rows, b.sized), singular
