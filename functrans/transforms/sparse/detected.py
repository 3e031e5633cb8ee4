"""Patterns as a problem hands them out: with the reason for each entry, and of symmetric matrices both triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from functrans._records import record
from functrans.transforms.sparse.pattern import SparsityPattern

if TYPE_CHECKING:
    from functrans.transforms.sparse.problem import Problem


@record
class Explain:
    """Says why an entry of the matrix that begins at a column may be nonzero."""

    problem: Problem
    start: int

    def __call__(self, i: int, j: int) -> str:
        """The path of operations from element j of the input to element i of the result, with the user's lines."""
        _ = self.problem.lined
        return self.problem.dependence.explain(i, self.start + j)


def symmetrised(pattern: SparsityPattern) -> SparsityPattern:
    """The union with the transpose, which is the same where detection is exact."""
    flipped = pattern.transpose()
    if flipped == pattern:
        return pattern
    rows, cols = np.concatenate([pattern.rows, flipped.rows]), np.concatenate([pattern.cols, flipped.cols])
    return SparsityPattern(rows, cols, pattern.shape, pattern.format, pattern.explainer)
