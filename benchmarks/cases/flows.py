"""Power flows of one grid for many loads, by Newton's method from the start of the case's file, all in one call;
against lightsim2grid's sweep, and a loop over scenarios and steps, the derivatives written out in NumPy, the systems
SuperLU's.
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


class Sweep:
    """lightsim2grid's sweep of loads, each from the start of the case's file; KLU solves its systems."""

    def __init__(self, injections: Array) -> None:
        grid, free = network(BUSES).grid, network(BUSES).grid.free_angle
        model = load("lightsim2grid.network").init_from_matpower(load("pypower.case118").case118())
        self._of = load("lightsim2grid").lightsim2grid_cpp.InjectionSweepCPP(model)
        power = np.tile(grid.load, (len(injections), 1))  # what is not among the equations changes no voltage
        power.real[:, free] = grid.generation.real[free] - injections[:, : free.size]
        power.imag[:, grid.pq] = grid.generation.imag[grid.pq] - injections[:, free.size :]
        at = [one.bus_id for one in model.get_loads()]
        base = load("pypower.case118").case118()["baseMVA"]
        self._of.modify_load_p(np.ascontiguousarray(base * power.real[:, at]))
        self._of.modify_load_q(np.ascontiguousarray(base * power.imag[:, at]))
        self._start = grid.magnitude * np.exp(1j * grid.angle)

    def repeat(self, times: int) -> None:
        for _ in range(times):
            self._of.compute(self._start, MOST, TOLERANCE)

    def __call__(self) -> Array:
        self.repeat(1)
        grid, v = network(BUSES).grid, self._of.get_voltages()
        turned = v * np.exp(1j * (grid.angle[grid.reference] - np.angle(v[:, grid.reference])))
        angle, magnitude = np.angle(turned), np.abs(turned)
        return np.concatenate([angle[:, grid.free_angle], magnitude[:, grid.pq]], 1)


CASES = (
    Case(
        name="powerflows-118", title="1000 power flows of the 118-bus grid, to 1e-10", table="sparse", inputs=inputs,
        reference=one_by_one, size=1000, small=3, bar=0.15, against="lightsim2grid", tolerance=1e-8,
        sides={"ours": ours(flows), "numpy": numpy, "lightsim2grid": Sweep},
    ),
)  # fmt: skip
