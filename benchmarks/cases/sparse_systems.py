"""Systems with the Jacobians of the IEEE grids, one for each of many scenarios, against SuperLU one by one."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, load
from benchmarks.cases.common import ours
from benchmarks.cases.powerflow import inputs as start
from benchmarks.cases.powerflow import jacobian


@cache
def matrix(buses: int) -> Any:
    """The Jacobian at the start of the case's file."""
    found = load("scipy.sparse").csr_array(jacobian(buses, *start(buses)))
    found.sort_indices()
    return found


def inputs(buses: int, size: int) -> tuple[Array, Array]:
    """Entries of ``size`` matrices, each 10 % off, and right-hand sides."""
    A, rng = matrix(buses), np.random.default_rng(0)
    return A.data * (1 + 0.1 * rng.normal(size=(size, A.nnz))), rng.normal(size=(size, A.shape[0]))


def one_by_one(buses: int, values: Array, b: Array) -> Any:
    """SuperLU, by columns, with the ordering that is best for grids."""
    sparse, linalg = load("scipy.sparse"), load("scipy.sparse.linalg")
    A = matrix(buses)
    columns = sparse.csc_array(sparse.csr_array((np.arange(A.nnz), A.indices, A.indptr), A.shape))
    x = np.empty_like(b)
    for k, line in enumerate(values):
        of = sparse.csc_array((line[columns.data], columns.indices, columns.indptr), A.shape)
        x[k] = linalg.splu(of, permc_spec="MMD_AT_PLUS_A").solve(b[k])
    return x


def scipy(buses: int, values: Array, b: Array) -> Run:
    return lambda: one_by_one(buses, values, b)


def solve(buses: int, ft: Any) -> Any:
    A = matrix(buses)
    return ft.vmap(lambda v, b: ft.spsolve(ft.sparse(v, A), b))


def case(buses: int, size: int) -> Case:
    return Case(
        name=f"spsolve-{buses}", title=f"{size} sparse systems of the {buses}-bus grid", table="sparse",
        inputs=partial(inputs, buses), reference=partial(one_by_one, buses), size=size, small=3, bar=1 / 30,
        against="numpy", tolerance=1e-9, sides={"ours": ours(partial(solve, buses)), "numpy": partial(scipy, buses)},
    )  # fmt: skip


CASES = (case(118, 1000), case(300, 264))
