"""Networks: gas in pipes, the Lagrangian of optimal power flow, cameras that see points."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from scipy.spatial import Delaunay

from benchmarks.case import Array, Build, Case, Run, empty, load
from benchmarks.cases.families.common import Places, asdex_hessian, family, products
from benchmarks.cases.powerflow import IEEE, network
from benchmarks.cases.sparse_common import InOrder, Symbolic, bincount, called, compiled, in_turn
from benchmarks.handwritten import limit


@cache
def pipes_of(size: int) -> tuple[Array, Array, Array]:
    """One and a half times as many pipes as junctions, the shortest ones: both ends, and their resistances."""
    points = np.random.default_rng(0).uniform(size=(size, 2))
    points = points[np.argsort(points[:, 0])]
    three = Delaunay(points).simplices
    pairs = np.concatenate([three[:, [a, (a + 1) % 3]] for a in range(3)])
    one, other = np.unique(np.sort(pairs, 1), axis=0).T
    short = np.sort(np.argsort(((points[one] - points[other]) ** 2).sum(1))[: 3 * size // 2])
    return one[short], other[short], 1 + np.random.default_rng(1).random(len(short))


def gas_inputs(size: int) -> tuple[Array]:
    """Flows of pipes, then pressures of junctions."""
    rng = np.random.default_rng(1)
    return (np.concatenate([rng.normal(size=3 * size // 2), 2 + 0.1 * rng.random(size)]),)


def gas(np: Any, segments: Any) -> Any:
    """Friction of turbulent flow in pipes, and balances at junctions that lose some."""

    def f(x: Any) -> Any:
        size = 2 * x.shape[0] // 5
        one, other, resistance = pipes_of(size)
        flow, pressure = x[: len(one)], x[len(one) :]
        fall = pressure[one] ** 2 - pressure[other] ** 2 - resistance * flow * np.abs(flow)
        balance = segments(flow, other, size) - segments(flow, one, size) - 0.1 * np.sqrt(pressure)
        return np.concatenate([fall, balance])

    return f


def gas_by_hand(x: Array) -> Run:
    size = 2 * x.size // 5
    one, other, resistance = pipes_of(size)
    pipes = len(one)
    k, n = np.arange(pipes), np.arange(size)
    rows = np.concatenate([k, k, k, pipes + one, pipes + other, pipes + n])
    cols = np.concatenate([k, pipes + one, pipes + other, k, k, pipes + n])
    places = Places(rows, cols, (x.size, x.size))
    values = empty((places.count,))
    values[places.of(pipes + one, k)], values[places.of(pipes + other, k)] = -1.0, 1.0
    at = places.of(pipes + n, pipes + n)
    arrays = [x, resistance, *(a.astype(np.int32) for a in (one, other)), at, values]
    return limit("networks", arrays, [pipes, size], values, name="gas")


def power_inputs(size: int) -> tuple[Array, Array]:
    """Angles and magnitudes of voltages, active and reactive powers of all buses; multipliers."""
    net, rng = network(size), np.random.default_rng(1)
    parts = [0.1 * rng.normal(size=size), 1 + 0.05 * rng.normal(size=size), rng.random(2 * size)]
    return np.concatenate(parts), rng.normal(size=2 * size + len(net.source))


def power(buses: int, np: Any, segments: Any) -> Any:
    """The cost of power, and the constraints: balances at buses, squares of the flows of branches."""
    net = network(buses)

    def cost(x: Any) -> Any:
        own = x[2 * buses : 3 * buses]
        return (0.1 * own**2 + own).sum()

    def constraints(x: Any) -> Any:
        angle, size, active, reactive = (x[k * buses : (k + 1) * buses] for k in range(4))
        across = angle[net.source] - angle[net.target]
        cosine, sine, product = np.cos(across), np.sin(across), size[net.source] * size[net.target]
        p = product * (net.conductance * cosine + net.susceptance * sine)
        q = product * (net.conductance * sine - net.susceptance * cosine)
        own = size**2
        balance = [
            segments(p, net.source, buses) + net.grid.self_conductance * own - active,
            segments(q, net.source, buses) - net.grid.self_susceptance * own - reactive,
        ]
        return np.concatenate([*balance, p**2 + q**2])

    return cost, constraints


def lagrangian(buses: int, np: Any, segments: Any, multipliers: Any) -> Any:
    cost, constraints = power(buses, np, segments)
    return lambda x: cost(x) + (multipliers * constraints(x)).sum()


def power_ours(buses: int, x: Array, multipliers: Array) -> Run:
    """functrans: both triangles."""
    hessian = load("functrans").lagrangian_hessian(*power(buses, np, bincount), triangle="full")
    out = hessian.empty_values(x, multipliers)
    return lambda: hessian.values(x, multipliers, out=out)


def power_products(buses: int, x: Array, multipliers: Array) -> Array:
    return products(lambda np, segments: lagrangian(buses, np, segments, multipliers), x)


def power_asdex(buses: int, x: Array, multipliers: Array) -> Run:
    return asdex_hessian(lambda np, segments: lagrangian(buses, np, segments, multipliers))(x)


def power_casadi(buses: int, x: Array, multipliers: Array) -> Run:
    ca = load("casadi")
    symbols, duals = ca.SX.sym("x", x.size), ca.SX.sym("l", multipliers.size)
    entries, weights = (np.array([s[k] for k in range(s.numel())], dtype=object) for s in (symbols, duals))
    found = ca.hessian(lagrangian(buses, Symbolic(ca), in_turn, weights)(entries), symbols)[0]
    function = compiled(ca, ca.Function("values", [ca.vertcat(symbols, duals)], [found]))
    pattern = function.sparsity_out(0)
    run = called(function, np.concatenate([x, multipliers]), pattern.nnz())
    return InOrder(run, *map(np.asarray, pattern.get_triplet()))


def power_case(buses: int) -> Case:
    sides: dict[str, Build] = {
        "ours": partial(power_ours, buses),
        "asdex": partial(power_asdex, buses),
    }
    if buses in IEEE:
        sides["casadi"] = partial(power_casadi, buses)
    return Case(f"power-{buses}", f"Lagrangian Hessian of optimal power flow, buses: {buses}", "families", power_inputs,
                partial(power_products, buses), buses, 118, 1.5, sides, tolerance=1e-11,
                data="" if buses in IEEE else "grid2869")  # fmt: skip


POINTS = 30  # a camera


def cameras_inputs(size: int) -> tuple[Array]:
    """Rotation, position and focal length of so many cameras; points."""
    rng = np.random.default_rng(0)
    cameras = np.concatenate([0.3 * rng.normal(size=(size, 6)), 1 + 0.1 * rng.random((size, 1))], 1)
    points = rng.normal(size=(POINTS * size, 3)) + [0, 0, 6]
    return (np.concatenate([cameras.reshape(-1), points.reshape(-1)]),)


def sightings(count: int) -> tuple[Array, Array]:
    """Which point is seen, and by which of so many cameras: four for each."""
    seen = np.repeat(np.arange(POINTS * count), 4)
    return seen, (seen // POINTS + np.tile(range(4), POINTS * count)) % count


def cameras(np: Any, segments: Any) -> Any:
    """Where four cameras see each point: rotation by Rodrigues' formula, projection."""

    def f(x: Any) -> Any:
        count = x.shape[0] // (7 + 3 * POINTS)
        camera, point = x[: 7 * count].reshape(-1, 7), x[7 * count :].reshape(-1, 3)
        seen, by = sightings(count)
        r, p = ([a[at, k] for k in range(3)] for a, at in ((camera, by), (point, seen)))
        square = r[0] ** 2 + r[1] ** 2 + r[2] ** 2 + 1e-12
        angle = np.sqrt(square)
        c, s = np.cos(angle), np.sin(angle) / angle
        along = (1 - c) / square * (r[0] * p[0] + r[1] * p[1] + r[2] * p[2])
        cross = [r[1] * p[2] - r[2] * p[1], r[2] * p[0] - r[0] * p[2], r[0] * p[1] - r[1] * p[0]]
        turned = [c * p[k] + s * cross[k] + along * r[k] + camera[by, 3 + k] for k in range(3)]
        focal = camera[by, 6]
        return np.concatenate([focal * turned[0] / turned[2], focal * turned[1] / turned[2]])

    return f


SIZES = {"200": 200, "2 000": 2_000, "20 000": 20_000}
SEEN = {"5": 5, "50": 50, "500": 500}
CASES: tuple[Case, ...] = (
    *family("pipes", "gas in pipes, junctions", gas, gas_inputs, SIZES, 12, gas_by_hand, symbolic="2 000"),
    *map(power_case, (118, 300, 2869)),
    *family("cameras", "cameras that see points, cameras", cameras, cameras_inputs, SEEN, 5, symbolic="50"),
)
