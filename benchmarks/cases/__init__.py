"""The rows, one file each, in the order they are printed."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.cases import (
    blackscholes,
    elementwise,
    logsumexp,
    lorenz,
    matmul,
    matmul6,
    mlp,
    nbody,
    nested4,
    pairwise,
    softmax,
)

MODULES = (elementwise, softmax, logsumexp, matmul6, pairwise, nested4, lorenz, mlp, nbody, blackscholes, matmul)
CASES: tuple[Case, ...] = tuple(case for module in MODULES for case in module.CASES)


def by_name(name: str) -> Case:
    """The row of that name."""
    return next(case for case in CASES if case.name == name)
