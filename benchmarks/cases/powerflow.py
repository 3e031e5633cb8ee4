"""The Jacobian of the AC power balance of the IEEE grids, equations as in examples/power_flow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Build, Case, Run, empty, load
from benchmarks.cases.sparse_common import Ours, asdex, casadi, matrix
from benchmarks.data import stored
from benchmarks.handwritten import limit

IEEE = (118, 300)  # grids that the example reads; the larger one is of the PEGASE project


@dataclass(frozen=True, eq=False)
class Network:
    """A grid, edges sorted by source; ``angle_at`` and ``magnitude_at`` find a bus in the unknowns, then the known."""

    grid: Any
    source: Array
    target: Array
    conductance: Array
    susceptance: Array
    known: Array
    angle_at: Array
    magnitude_at: Array
    unknowns: int


@cache
def network(buses: int) -> Network:
    reader = load("examples.power_flow.grid")
    grid = reader.read_grid(buses) if buses in reader.CASES else reader.grid_of(stored("grid2869"))
    order = np.argsort(grid.source, kind="stable")
    angles, held = grid.free_angle.size, grid.known_magnitude
    unknowns = angles + grid.pq.size
    known = np.concatenate([grid.angle[grid.reference], grid.magnitude[held]])
    angle_at, magnitude_at = np.empty(buses, np.int32), np.empty(buses, np.int32)
    angle_at[grid.free_angle], angle_at[grid.reference] = range(angles), unknowns
    magnitude_at[grid.pq], magnitude_at[held] = range(angles, unknowns), range(unknowns + 1, unknowns + 1 + held.size)
    i, j, g, b = (part[order] for part in (grid.source, grid.target, grid.conductance, grid.susceptance))
    return Network(grid, i, j, g, b, known, angle_at, magnitude_at, unknowns)


def inputs(size: int) -> tuple[Array]:
    return (network(size).grid.start(),)


def balance(buses: int, np: Any, segments: Any) -> Any:
    net = network(buses)
    grid = net.grid

    def f(x: Any) -> Any:
        known = np.concatenate([x, net.known])
        angle, magnitude = known[net.angle_at], known[net.magnitude_at]
        difference = angle[net.source] - angle[net.target]
        cosine, sine = np.cos(difference), np.sin(difference)
        product = magnitude[net.source] * magnitude[net.target]
        active = segments(product * (net.conductance * cosine + net.susceptance * sine), net.source, buses)
        reactive = segments(product * (net.conductance * sine - net.susceptance * cosine), net.source, buses)
        p = grid.self_conductance * magnitude**2 + active
        q = reactive - grid.self_susceptance * magnitude**2
        return np.concatenate([p[grid.free_angle], q[grid.pq]])

    return f


def places(net: Network) -> tuple[Array, Array, Array]:
    """Row and column of every value, and where it stands in the 4 values an edge, then the 4 a bus."""
    i, j, bus = net.source, net.target, np.arange(net.grid.num_buses)
    active, reactive = np.full(bus.size, -1), np.full(bus.size, -1)
    active[net.grid.free_angle] = range(net.grid.free_angle.size)
    reactive[net.grid.pq] = range(net.grid.free_angle.size, net.unknowns)
    rows = [active[i], active[i], reactive[i], reactive[i], active, active, reactive, reactive]
    cols = [net.angle_at[j], net.magnitude_at[j], net.angle_at[j], net.magnitude_at[j]]
    cols += [net.angle_at, net.magnitude_at, net.angle_at, net.magnitude_at]
    row, col = np.concatenate(rows), np.concatenate(cols)
    taken = np.flatnonzero((row >= 0) & (col < net.unknowns))
    taken = taken[np.lexsort((col[taken], row[taken]))]
    return row[taken], col[taken], taken


def jacobian(buses: int, x: Array) -> Any:
    """By the complex step, a column at a time."""
    net = network(buses)
    f = balance(buses, np, _segments)
    rows, cols, _ = places(net)
    values = np.empty(rows.size)
    order = np.argsort(cols, kind="stable")
    for here in np.split(order, np.searchsorted(cols[order], np.arange(1, x.size))):
        moved = x.astype(complex)
        moved[cols[here]] += 1e-30j
        values[here] = f(moved).imag[rows[here]] / 1e-30
    return matrix(rows, cols, values, (x.size, x.size))


def _segments(values: Any, ids: Array, count: int) -> Array:
    result = np.zeros(count, values.dtype)
    np.add.at(result, ids, values)
    return result


def reference(buses: int, x: Array) -> Any:
    return jacobian(buses, x).data


def handwritten(buses: int, x: Array) -> Run:
    net = network(buses)
    order = places(net)[2]
    first = np.searchsorted(net.source, np.arange(buses + 1))
    scratch, values = empty((9 * buses + 4 * net.source.size,)), empty((order.size,))
    integers = [a.astype(np.int32) for a in (net.source, net.target, first, net.angle_at, net.magnitude_at, order)]
    selves = [net.grid.self_conductance, net.grid.self_susceptance]
    arrays = [x, net.known, net.conductance, net.susceptance, *selves, *integers, scratch, values]
    return limit("powerflow", arrays, [buses, net.source.size, order.size, net.unknowns], values)


def case(buses: int, bar: float) -> Case:
    make = partial(balance, buses)
    sides: dict[str, Build] = {
        "ours": Ours(make),
        "limit": partial(handwritten, buses),
        "casadi": casadi(make),
        "asdex": asdex(make),
    }
    if buses in IEEE:
        sides["casadi-c"] = casadi(make, in_c=True)
    return Case(f"powerflow-{buses}", f"AC power flow, {buses} buses", "sparse", inputs, partial(reference, buses),
                buses, buses, bar, sides, data="" if buses in IEEE else "grid2869")  # fmt: skip


CASES = (case(118, 1.5), case(300, 1.3), case(2869, 1.5))
