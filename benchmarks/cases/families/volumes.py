"""Finite volumes: gas with a limiter, a fifth-order scheme, water on a mesh of triangles, water in soil."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import Delaunay

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.families.common import Places, family
from benchmarks.handwritten import limit

GRAVITY = 9.81


def gas_inputs(size: int) -> tuple[Array]:
    """Density, momentum and energy of so many cells."""
    rng = np.random.default_rng(0)
    parts = [1 + 0.3 * rng.random(size), 0.3 * rng.normal(size=size), 2.5 + 0.5 * rng.random(size)]
    return (np.concatenate(parts),)


def gas(np: Any, segments: Any) -> Any:
    """Euler's equations in a tube: slopes by minmod, the flux of Harten, Lax and van Leer between cells."""

    def minmod(a: Any, b: Any) -> Any:
        return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)

    def flux(density: Any, momentum: Any, energy: Any) -> Any:
        speed = momentum / density
        pressure = 0.4 * (energy - 0.5 * momentum * speed)
        sound = np.sqrt(1.4 * pressure / density)
        return [momentum, momentum * speed + pressure, (energy + pressure) * speed], speed, sound

    def f(q: Any) -> Any:
        q = q.reshape(3, -1)
        d = q[:, 1:] - q[:, :-1]
        slope = minmod(d[:, 1:], d[:, :-1])
        left, right = (q[:, 1:-1] + 0.5 * slope)[:, :-1], (q[:, 1:-1] - 0.5 * slope)[:, 1:]
        (fl, ul, cl), (fr, ur, cr) = flux(*left), flux(*right)
        low, high = np.minimum(ul - cl, ur - cr), np.maximum(ul + cl, ur + cr)
        found = []
        for k in range(3):
            between = (high * fl[k] - low * fr[k] + low * high * (right[k] - left[k])) / (high - low)
            g = np.where(low >= 0, fl[k], np.where(high <= 0, fr[k], between))
            found.append(g[1:] - g[:-1])
        return np.concatenate(found)

    return f


def gas_by_hand(x: Array) -> Run:
    """Cell i of the result is that of i + 2 of the unknowns; each of its rows has columns from five cells of a kind."""
    cells = x.size // 3
    values, scratch = empty((45 * (cells - 4),)), empty((36 * cells,))
    return limit("volumes", [x, scratch, values], [cells], values, name="gas")


def burgers(np: Any, segments: Any) -> Any:
    """Burgers' equation around a ring by WENO of fifth order, upwind for positive speeds."""

    def f(u: Any) -> Any:
        flux = 0.5 * u * u
        a, b, c, d, e = (np.roll(flux, k) for k in (2, 1, 0, -1, -2))
        first = 13 / 12 * (a - 2 * b + c) ** 2 + 0.25 * (a - 4 * b + 3 * c) ** 2
        second = 13 / 12 * (b - 2 * c + d) ** 2 + 0.25 * (b - d) ** 2
        third = 13 / 12 * (c - 2 * d + e) ** 2 + 0.25 * (3 * c - 4 * d + e) ** 2
        w = [0.1 / (1e-6 + first) ** 2, 0.6 / (1e-6 + second) ** 2, 0.3 / (1e-6 + third) ** 2]
        parts = [2 * a - 7 * b + 11 * c, -b + 5 * c + 2 * d, 2 * c + 5 * d - e]
        side = (w[0] * parts[0] + w[1] * parts[1] + w[2] * parts[2]) / (6 * (w[0] + w[1] + w[2]))
        return side - np.roll(side, 1)

    return f


def burgers_inputs(size: int) -> tuple[Array]:
    return (1.5 + np.sin(np.linspace(0, 6, size)) + 0.1 * np.random.default_rng(0).random(size),)


class Basin(NamedTuple):
    """Triangles with their areas; edges from left to right with normals; sides at walls with theirs."""

    area: Array
    left: Array
    right: Array
    normal: Array
    wall: Array
    wall_normal: Array


@cache
def basin(size: int) -> Basin:
    """A mesh of so many triangles, numbered from left to right."""
    points = np.random.default_rng(0).uniform(size=(round(0.6 * size) + 12, 2))
    points = points[np.argsort(points[:, 0])]
    triangles = Delaunay(points).simplices
    triangles = triangles[np.argsort(triangles.min(1), kind="stable")][:size]
    a, b, c = points[triangles].transpose(1, 0, 2)
    area = 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    triangles = np.where(area[:, None] < 0, triangles[:, ::-1], triangles)
    ends = np.stack([triangles, np.roll(triangles, -1, 1)], 2).reshape(-1, 2)
    along = points[ends[:, 1]] - points[ends[:, 0]]
    normal = np.stack([along[:, 1], -along[:, 0]], 1)
    key = np.sort(ends, 1) @ [len(points), 1]
    order = np.argsort(key, kind="stable")
    twice = np.flatnonzero(key[order][1:] == key[order][:-1])
    one, other = order[twice], order[twice + 1]
    single = np.setdiff1d(order, np.concatenate([one, other]))
    by_cell = np.argsort(one // 3, kind="stable")
    one, other = one[by_cell], other[by_cell]
    return Basin(np.abs(area), one // 3, other // 3, normal[one], single // 3, normal[single])


def water_inputs(size: int) -> tuple[Array]:
    """Height and momentum of each cell."""
    rng = np.random.default_rng(1)
    return (np.stack([1 + 0.3 * rng.random(size), *(0.3 * rng.normal(size=(2, size)))], 1).reshape(-1),)


def water(np: Any, segments: Any) -> Any:
    """Shallow water by the flux of Rusanov, walls around."""

    def flux(h: Any, p: Any, q: Any, normal: Any) -> Any:
        across, push = (p * normal[0] + q * normal[1]) / h, GRAVITY / 2 * h * h
        fast = np.abs(across) + np.sqrt(GRAVITY * h * (normal[0] ** 2 + normal[1] ** 2))
        return [h * across, p * across + push * normal[0], q * across + push * normal[1]], fast

    def f(y: Any) -> Any:
        state = y.reshape(-1, 3)
        cells = state.shape[0]
        mesh = basin(cells)
        left, right = ([state[at, k] for k in range(3)] for at in (mesh.left, mesh.right))
        (one, a), (other, b) = (flux(h, p, q, mesh.normal.T) for h, p, q in (left, right))
        fast = np.maximum(a, b)
        push = GRAVITY / 2 * state[mesh.wall, 0] ** 2
        found = []
        for k in range(3):
            through = 0.5 * (one[k] + other[k]) - 0.5 * fast * (right[k] - left[k])
            total = segments(through, mesh.right, cells) - segments(through, mesh.left, cells)
            if k:
                total = total - segments(push * mesh.wall_normal[:, k - 1], mesh.wall, cells)
            found.append(total / mesh.area)
        return np.stack(found, 1).reshape(-1)

    return f


def water_by_hand(x: Array) -> Run:
    """Four blocks for each edge, added one edge after the other; one for each side at a wall."""
    mesh, k = basin(x.size // 3), np.arange(3)
    pairs = [(mesh.left, mesh.left), (mesh.right, mesh.right), (mesh.left, mesh.right), (mesh.right, mesh.left)]
    row, col = (np.concatenate(side) for side in zip(*pairs, strict=True))
    rows, cols = np.broadcast_arrays(3 * row[:, None, None] + k[:, None], 3 * col[:, None, None] + k)
    walled = (3 * mesh.wall[:, None] + [1, 2]).ravel(), np.repeat(3 * mesh.wall, 2)  # a cell may have walls alone
    rows, cols = (np.concatenate([a.ravel(), b]) for a, b in zip((rows, cols), walled, strict=True))
    places = Places(rows, cols, (x.size, x.size))
    starts = [places.of(3 * a[:, None] + k, 3 * b[:, None]) for a, b in (*pairs, (mesh.wall, mesh.wall))]
    values = empty((places.count,))
    of_walls = mesh.wall_normal / mesh.area[mesh.wall, None]
    cells = [a.astype(np.int32) for a in (mesh.left, mesh.right, mesh.wall)]
    arrays = [x, 1 / mesh.area, mesh.normal, of_walls, *cells, *starts, values]
    return limit("volumes", arrays, [len(mesh.left), len(mesh.wall), places.count], values, name="water")


def soil_inputs(size: int) -> tuple[Array]:
    """Pressure heads, in meters."""
    return (-1.0 - 0.5 * np.random.default_rng(0).random(size),)


def soil(np: Any, segments: Any) -> Any:
    """A step of Richards' equation in a column, implicit; the soil is that of van Genuchten."""

    def f(head: Any) -> Any:
        s = (1 + (3.6 * np.abs(head)) ** 1.56) ** (-1 + 1 / 1.56)
        conductivity = 0.25 * np.sqrt(s) * (1 - (1 - s ** (1.56 / 0.56)) ** (0.56 / 1.56)) ** 2
        between = 0.5 * (conductivity[1:] + conductivity[:-1])
        flow = between * ((head[1:] - head[:-1]) / 0.01 + 1)
        return 0.35 * s[1:-1] - 0.1 / 0.01 * (flow[1:] - flow[:-1])

    return f


def soil_by_hand(x: Array) -> Run:
    values, scratch = empty((3 * (x.size - 2),)), empty((4 * x.size,))
    return limit("volumes", [x, scratch, values], [x.size], values, name="soil")


SIZES = {"400": 400, "4 000": 4_000, "40 000": 40_000}
CASES: tuple[Case, ...] = (
    *family("gas", "gas with minmod and HLL, cells", gas, gas_inputs, SIZES, 12, gas_by_hand, symbolic="4 000"),
    *family("water", "shallow water on triangles, cells", water, water_inputs, SIZES, 12, water_by_hand,
            symbolic="4 000"),
    *family("burgers", "Burgers by WENO, cells", burgers, burgers_inputs, SIZES, 12, symbolic="4 000"),
    *family("soil", "Richards' equation, cells", soil, soil_inputs, SIZES, 12, soil_by_hand, symbolic="4 000"),
)
