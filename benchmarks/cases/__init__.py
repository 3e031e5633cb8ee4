"""The rows, one file each, in the order they are printed."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.cases import (
    arrow,
    bicycle,
    blackscholes,
    brusselator,
    calls,
    elementwise,
    families,
    filters,
    flows,
    gaussian,
    lagrangian,
    logsumexp,
    loops,
    lorenz,
    matmul,
    matmul6,
    mesh,
    mlp,
    nbody,
    nested4,
    odes,
    pairwise,
    powerflow,
    softmax,
    sorting,
    sparse_alone,
    sparse_systems,
    stiff,
    systems,
)

DENSE = (
    elementwise, softmax, logsumexp, matmul6, pairwise, nested4, lorenz, mlp, nbody, blackscholes, matmul, sorting,
    systems, gaussian,
)  # fmt: skip
SPARSE = (brusselator, bicycle, lagrangian, powerflow, flows, arrow, mesh, sparse_systems, sparse_alone)
_MODULES = (*DENSE, *SPARSE, families, loops, filters, odes, stiff)
CASES: tuple[Case, ...] = tuple(case for module in _MODULES for case in module.CASES)
SMALL: tuple[Case, ...] = calls.CASES  # part of a table of their own


def by_name(name: str) -> Case:
    """The row of that name."""
    return next(case for case in (*CASES, *SMALL) if case.name == name)
