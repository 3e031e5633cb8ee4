"""The Cholesky factor, written out.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), section 4.2.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from functrans.backend.dense.elements import Rows, either, elements, joined, without
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


def factor(node: UOp) -> tuple[UOp, UOp]:
    """CHOLESKY: what it is, and whether the matrix is not positive definite; all NaN where it is not."""
    a = elements(node.src[0])
    n = len(a)
    lower: Rows = [[] for _ in a]
    refused = []
    for j in range(n):
        square = without(a[j][j], lower[j], lower[j])
        refused.append(B.alu(Ops.CMPLE, square, B.like(square, 0)))
        root = B.alu(Ops.SQRT, square)
        inverse = B.recip(root)
        infinite = B.eq(inverse, B.like(inverse, 0))  # a column over infinity is zero, as in LAPACK
        lower[j].append(root)
        for i in range(j + 1, n):
            rest = without(a[i][j], lower[i], lower[j][:j])
            lower[i].append(B.where(infinite, B.like(rest, 0), B.mul(rest, inverse)))
    wrong = reduce(either, refused)
    nan, zero = (B.like(a[0][0], x) for x in (np.nan, 0))
    rows = [[B.where(wrong, nan, x) for x in (*row, *[zero] * (n - len(row)))] for row in lower]
    return joined(rows, node.sized), wrong
