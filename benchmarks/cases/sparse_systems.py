"""Sparse systems, one for each of many scenarios, against SuperLU one by one: Jacobians of grids, and the matrices of
optimal control with its multipliers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks.case import Array, Case, Run, load
from benchmarks.cases import bicycle, lagrangian
from benchmarks.cases.common import ours
from benchmarks.cases.powerflow import inputs as start
from benchmarks.cases.powerflow import jacobian
from benchmarks.cases.sparse_common import matrix

LONG = 0.05  # long lines for each bus: with so many the factors are as full as those of the grids


class System(NamedTuple):
    """A name, a title, what makes the matrix, how many of them are solved, and SuperLU's best ordering for them."""

    name: str
    title: str
    make: Callable[[], Any]
    size: int
    ordering: str = "MMD_AT_PLUS_A"


def of_grid(buses: int) -> Any:
    """The Jacobian at the start of the case's file."""
    return jacobian(buses, *start(buses))


def of_made_grid(buses: int, held: float, branches: float) -> Any:
    """One with the structure of a Jacobian of a large grid, the buses of which lie anywhere in a square.

    Lines are the shortest that join all of them, the next longer ones, and a few long ones; ``held`` is the part of the
    buses without an equation for reactive power.
    """
    csgraph, spatial = load("scipy.sparse.csgraph"), load("scipy.spatial")
    rng = np.random.default_rng(0)
    points = rng.random((buses, 2))
    length, near = (a[:, 1:].ravel() for a in spatial.cKDTree(points).query(points, 8))
    source = np.repeat(np.arange(buses), 7)
    tree = csgraph.minimum_spanning_tree(matrix(source, near, length, (buses, buses))).tocoo()
    short = np.argsort(length, kind="stable")[: int(2 * branches * buses)]
    chosen = rng.choice(buses, int(LONG * buses), replace=False)
    far = spatial.cKDTree(points).query(points[chosen], [200])[1][:, 0]
    pairs = np.concatenate([[tree.row, tree.col], [source[short], near[short]], [chosen, far]], axis=1)
    i, j = np.unique(np.sort(pairs, axis=0), axis=1)
    loops = np.arange(buses)
    rows, cols = np.concatenate([i, j, loops]), np.concatenate([j, i, loops])
    reactive = np.full(buses, -1)
    free = np.flatnonzero(rng.random(buses) >= held)
    reactive[free] = buses + np.arange(len(free))
    at = [np.arange(buses), reactive]
    places = np.concatenate([np.stack([at[a][rows], at[b][cols]]) for a in (0, 1) for b in (0, 1)], axis=1)
    places = places[:, (places >= 0).all(0)]
    values = rng.normal(size=(places.shape[1],))
    n = buses + len(free)
    weight = np.bincount(places[0], np.abs(values), n)
    values[places[0] == places[1]] = 1.1 * weight
    return matrix(places[0], places[1], values, (n, n))


def of_control(stages: int) -> Any:
    """Newton's matrix of a step of optimal control: Hessian of the Lagrangian and constraints of the bicycle."""
    sparse = load("scipy.sparse")
    flat, lam = lagrangian.inputs(stages)
    values = lagrangian.reference(flat, lam)
    rows = np.concatenate([[0, 1], 2 + lagrangian.ROWS])
    cols = np.concatenate([[0, 1], 2 + lagrangian.COLS])
    first = 6 * np.arange(stages - 1)[:, None]
    last = 6 * (stages - 1) + np.arange(6)
    row, col = (np.concatenate([(first + part).ravel(), last]) for part in (rows, cols))
    lower = matrix(row, col, values, (flat.size, flat.size))
    constraints = bicycle.jacobian(flat)
    whole = sparse.block_array([[lower + sparse.tril(lower, -1).T, constraints.T], [constraints, None]]).tocoo()
    return matrix(whole.row, whole.col, whole.data, whole.shape)


@cache
def found(system: System) -> Any:
    """The matrix, rows with sorted columns."""
    A = load("scipy.sparse").csr_array(system.make())
    A.sort_indices()
    return A


def inputs(system: System, size: int) -> tuple[Array, Array]:
    """Entries of ``size`` matrices, each 10 % off, and right-hand sides."""
    A, rng = found(system), np.random.default_rng(0)
    return A.data * (1 + 0.1 * rng.normal(size=(size, A.nnz))), rng.normal(size=(size, A.shape[0]))


def one_by_one(system: System, values: Array, b: Array) -> Any:
    """SuperLU, by columns, with the ordering that is best."""
    sparse, linalg = load("scipy.sparse"), load("scipy.sparse.linalg")
    A = found(system)
    columns = sparse.csc_array(sparse.csr_array((np.arange(A.nnz), A.indices, A.indptr), A.shape))
    x = np.empty_like(b)
    for k, line in enumerate(values):
        of = sparse.csc_array((line[columns.data], columns.indices, columns.indptr), A.shape)
        x[k] = linalg.splu(of, permc_spec=system.ordering).solve(b[k])
    return x


def scipy(system: System, values: Array, b: Array) -> Run:
    return lambda: one_by_one(system, values, b)


def solve(system: System, ft: Any) -> Any:
    A = found(system)
    return ft.vmap(lambda v, b: ft.sparse(v, A).factor(nominal=A.data).solve(b))


def case(system: System, data: str = "") -> Case:
    return Case(
        name=f"spsolve-{system.name}", title=f"{system.size} sparse systems {system.title}", table="sparse",
        inputs=partial(inputs, system), reference=partial(one_by_one, system), size=system.size, small=3, bar=1 / 30,
        against="numpy", tolerance=1e-6, data=data,
        sides={"ours": ours(partial(solve, system)), "numpy": partial(scipy, system)},
    )  # fmt: skip


GRIDS = (
    System("118", "of the 118-bus grid", partial(of_grid, 118), 1000),
    System("300", "of the 300-bus grid", partial(of_grid, 300), 264),
    System("made-2869", "like a 2869-bus grid", partial(of_made_grid, 2869, 0.18, 1.4), 24),
    System("made-13659", "like a 13 659-bus grid", partial(of_made_grid, 13659, 0.3, 1.4), 8),
)
CONTROL = (
    System("control-200", "of optimal control, 200 stages", partial(of_control, 200), 80, "COLAMD"),
    System("control-2000", "of optimal control, 2000 stages", partial(of_control, 2000), 8, "COLAMD"),
)
STORED = System("2869", "of the 2869-bus grid", partial(of_grid, 2869), 24)
CASES = (*map(case, (*GRIDS, *CONTROL)), case(STORED, "grid2869"))
