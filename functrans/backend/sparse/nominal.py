"""How good pivots are for given numbers: the steps of refinement that solutions with them take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse, scipy_sparse_linalg
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.superlu import LARGEST, TOLERANCE, backward_error

__all__ = ["work"]

_COLUMNS = 3


def work(s: Symbolic, values: NDArray[Any]) -> float:
    """Multiplications of a factorization and a solution: each refinement solves, and reads the matrix, once more.

    Infinite where refinement does not converge. With b the error before it, each step multiplies by about b.
    """
    error = _error(s, values)
    if not error < math.sqrt(LARGEST):
        return math.inf
    steps = 0 if error <= TOLERANCE else math.ceil(math.log(TOLERANCE) / math.log(error)) - 1
    return s.products + (1 + steps) * (s.fill + s.nnz)


def _error(s: Symbolic, values: NDArray[Any]) -> float:
    """The backward error of solutions without refinement, with the pivots in their order."""
    place = [np.empty(s.n, np.int64) for _ in range(2)]
    place[0][s.row_order] = place[1][s.col_order] = np.arange(s.n)
    a = scipy_sparse.csc_array((values, (place[0][s.rows], place[1][s.cols])), shape=(s.n, s.n))
    b = np.random.default_rng(0).standard_normal((s.n, _COLUMNS))
    try:
        lu = scipy_sparse_linalg.splu(a, "NATURAL", diag_pivot_thresh=0, options={"Equil": False})
    except RuntimeError:  # exactly singular
        return math.inf
    if not (np.array_equal(lu.perm_r, np.arange(s.n)) and np.array_equal(lu.perm_c, np.arange(s.n))):
        return math.inf  # a pivot was zero, and another one taken
    with np.errstate(all="ignore"):
        return float(backward_error(a, lu.solve(b), b).max(initial=0))
