"""Which entries of a matrix meet in each row of a residual."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._recent import keep, recall
from functrans._records import record
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.superlu import TOLERANCE

__all__ = ["REFINED", "Residual"]

REFINED = 2
"""Steps of refinement at the most."""
_KEPT = 128
_known: OrderedDict[tuple[str, bool, bool], Residual] = OrderedDict()
_EPSILON = float(np.finfo(np.float64).eps)


@record(eq=False)
class Residual:
    """Of b - A x, or with the transpose of A, the rows, the entries and unknowns of each, and what is rounding.

    The last is that of each product and sum: in wide rows more than what a solution is held to. For one system alone
    short rows come first: each end of a loop that comes unforeseen costs as much as ten of its entries. Those of
    several are read in their order.
    """

    lines: NDArray[Any]
    starts: NDArray[Any]
    at: NDArray[Any]
    across: NDArray[Any]
    tolerance: NDArray[np.float64]

    @staticmethod
    def of(s: Symbolic, turned: bool, alone: bool = False) -> Residual:
        """That of a system; worked out once."""
        found = recall(_known, (s.key, turned, alone))
        return found or keep(_known, (s.key, turned, alone), Residual._of(s, turned, alone), _KEPT)

    @staticmethod
    def _of(s: Symbolic, turned: bool, alone: bool) -> Residual:
        rows, cols = (s.cols, s.rows) if turned else (s.rows, s.cols)
        counts = np.bincount(rows, minlength=s.n)
        lines = np.argsort(counts if alone else np.zeros(s.n), kind="stable").astype(np.int32)
        line = np.empty(s.n, np.int32)
        line[lines] = np.arange(s.n)
        at = np.argsort(line[rows], kind="stable").astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(counts[lines])]).astype(np.int32)
        tolerance = np.maximum(TOLERANCE, (counts[lines] + 1) * _EPSILON)
        return Residual(lines, starts, at, np.ascontiguousarray(cols[at]), tolerance)
