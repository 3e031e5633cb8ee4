"""The rows, one file each, in the order they are printed."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.cases import elementwise, logsumexp, pairwise, softmax

MODULES = (elementwise, softmax, logsumexp, pairwise)
CASES: tuple[Case, ...] = tuple(case for module in MODULES for case in module.CASES)


def by_name(name: str) -> Case:
    """The row of that name."""
    return next(case for case in CASES if case.name == name)
