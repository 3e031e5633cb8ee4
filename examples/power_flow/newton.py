"""Newton's method, with the time spent in each of its three parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, TypeVar

import numpy as np

from .grid import Floats

Matrix = TypeVar("Matrix")


@dataclass(frozen=True)
class Iteration:
    """One line of the log: the mismatch on arrival, and seconds in f, in J and in the linear solve."""

    number: int
    mismatch: float
    residual_seconds: float
    jacobian_seconds: float
    solve_seconds: float


@dataclass(frozen=True, eq=False)
class Solution:
    """Where Newton's method stopped."""

    x: Floats
    mismatch: float
    iterations: int
    converged: bool


@dataclass(frozen=True, eq=False)
class Newton(Generic[Matrix]):
    """Solve ``residual(x) = 0``.

    ``solve(jacobian(x), residual(x))`` is the step that is subtracted. Nothing here looks inside the Jacobian.
    """

    residual: Callable[[Floats], Floats]
    jacobian: Callable[[Floats], Matrix]
    solve: Callable[[Matrix, Floats], Floats]
    tolerance: float = 1e-10
    max_iterations: int = 20

    def run(self, x: Floats, report: Callable[[Iteration], None]) -> Solution:
        """Iterate from ``x`` until the largest mismatch is under the tolerance, reporting each iteration."""
        for number in range(self.max_iterations + 1):
            begin = perf_counter()
            value = self.residual(x)
            after_residual = perf_counter()
            mismatch = float(np.max(np.abs(value)))
            if mismatch < self.tolerance or number == self.max_iterations or not np.isfinite(mismatch):
                break
            before_jacobian = perf_counter()
            matrix = self.jacobian(x)
            after_jacobian = perf_counter()
            x = x - self.solve(matrix, value)
            end = perf_counter()
            residual_seconds = after_residual - begin
            jacobian_seconds = after_jacobian - before_jacobian
            report(Iteration(number, mismatch, residual_seconds, jacobian_seconds, end - after_jacobian))
        report(Iteration(number, mismatch, after_residual - begin, 0.0, 0.0))
        return Solution(x, mismatch, number, mismatch < self.tolerance)
