"""The product of a sparse matrix, given by its entries and their places, and vectors."""

from __future__ import annotations

import numpy as np

from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor.constants import IntArray, constant
from functrans.tensor.indexing import take

__all__ = ["product", "product_of_batch"]


def product(rows: IntArray, cols: IntArray, m: int, values: UOp, x: UOp) -> UOp:
    """A x for the m rows of A with ``values`` of shape (nnz,) at (rows, cols); the first axis of x is summed over."""
    picked = take(x, cols, 0)
    factor = B.reshape(values, (len(rows), *(1 for _ in x.sized[1:])))
    return added(rows, m, B.mul(B.broadcast(factor, picked.sized), picked))


def added(rows: IntArray, m: int, terms: UOp) -> UOp:
    """Terms added into m rows."""
    if len(rows) == m and bool((rows == np.arange(m)).all()):
        return terms  # one entry in every row: there is nothing to add
    return B.scatter(B.full((m, *terms.sized[1:]), terms.dtype, 0), terms, (constant(rows),), "add")


def product_of_batch(rows: IntArray, cols: IntArray, values: UOp, x: UOp) -> UOp:
    """The same for values (..., nnz) and x (..., n, k) with the same axes in front, of a square matrix."""
    lead = x.ndim - 2
    if lead == 0:
        return product(rows, cols, x.sized[0], values, x)
    inner = B.permute(x, (lead, *range(lead), lead + 1))
    picked = take(inner, cols, 0)
    factor = B.reshape(B.permute(values, (lead, *range(lead))), (*picked.sized[:-1], 1))
    summed = added(rows, inner.sized[0], B.mul(B.broadcast(factor, picked.sized), picked))
    return B.permute(summed, (*range(1, lead + 1), 0, lead + 1))
