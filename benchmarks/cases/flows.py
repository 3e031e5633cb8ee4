"""Power flows of one grid for many loads, by Newton's method from the start of the case's file, all in one call;
against a loop over scenarios and steps, the derivatives written out in NumPy, the systems SuperLU's.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, load
from benchmarks.cases.common import ours
from benchmarks.cases.powerflow import balance, network, places
from benchmarks.cases.sparse_common import matrix

BUSES, SPREAD, TOLERANCE, MOST = 118, 0.2, 1e-10, 10


def inputs(size: int) -> tuple[Array]:
    """What is injected at the buses: each load 20 % more or less at the most."""
    grid = network(BUSES).grid
    factor = np.random.default_rng(0).uniform(1 - SPREAD, 1 + SPREAD, (size, grid.num_buses))
    return (grid.injections(factor * grid.load),)


def derivatives(x: Array) -> Array:
    """The entries of the Jacobian, in the order of its rows."""
    net = network(BUSES)
    known = np.concatenate([x, net.known])
    angle, v = known[net.angle_at], known[net.magnitude_at]
    i, j = net.source, net.target
    cosine, sine = np.cos(angle[i] - angle[j]), np.sin(angle[i] - angle[j])
    active = net.conductance * cosine + net.susceptance * sine
    reactive = net.conductance * sine - net.susceptance * cosine
    sums = partial(np.bincount, i, minlength=BUSES)
    both = v[i] * v[j]
    edges = both * reactive, v[i] * active, -both * active, v[i] * reactive
    buses = (
        -sums(both * reactive), sums(v[j] * active) + 2 * net.grid.self_conductance * v,
        sums(both * active), sums(v[j] * reactive) - 2 * net.grid.self_susceptance * v,
    )  # fmt: skip
    return np.concatenate([*edges, *buses])[places(net)[2]]


def one_by_one(injections: Array) -> Array:
    solve = load("scipy.sparse.linalg").spsolve
    net = network(BUSES)
    f = balance(BUSES, np, lambda values, ids, count: np.bincount(ids, values, count))
    rows, cols, _ = places(net)
    found = np.empty_like(injections)
    for k, p in enumerate(injections):
        x = net.grid.start()
        for _ in range(MOST):
            left = f(x) - p
            if np.abs(left).max() <= TOLERANCE:
                break
            x = x - solve(matrix(rows, cols, derivatives(x), (x.size, x.size)).tocsc(), left)
        found[k] = x
    return found


def numpy(injections: Array) -> Run:
    return lambda: one_by_one(injections)


def flows(ft: Any) -> Any:
    f = balance(BUSES, np, lambda values, ids, count: np.bincount(ids, weights=values, minlength=count))
    start = network(BUSES).grid.start()

    def solve(p: Any) -> Any:
        return ft.implicit.root(lambda x, p: f(x) - p, start, p, tol=TOLERANCE, jac="sparse")

    return ft.vmap(solve)


CASES = (
    Case(
        name="powerflows-118", title="1000 power flows of the 118-bus grid, to 1e-10", table="sparse", inputs=inputs,
        reference=one_by_one, size=1000, small=3, bar=1 / 150, against="numpy", tolerance=1e-8,
        sides={"ours": ours(flows), "numpy": numpy},
    ),
)  # fmt: skip
