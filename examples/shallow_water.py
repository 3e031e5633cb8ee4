"""A wave in a basin: the shallow-water equations on a mesh of triangles, in implicit steps.

Run it as ``python -m examples.shallow_water``. Finite volumes with the flux of Rusanov, walls around; LeVeque, Finite
Volume Methods for Hyperbolic Problems (2002), chapters 13 and 18. A step may be longer than explicit methods allow.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

import functrans as ft

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
GRAVITY = 9.81


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of points; edges between cell ``left`` and cell ``right``, or a wall at ``wall``.

    Normals (n, 2) have the length of the edge; those of edges go from left to right, those of walls outwards.
    """

    points: Floats
    triangles: Ints
    area: Floats
    left: Ints
    right: Ints
    normal: Floats
    wall: Ints
    wall_normal: Floats

    @property
    def centers(self) -> Floats:
        """The centers of the triangles."""
        return self.points[self.triangles].mean(1)


def make_mesh(count: int = 1400, seed: int = 0) -> Mesh:
    """A round basin with an island, from points that repel each other a little."""
    rng = np.random.default_rng(seed)
    ring = np.linspace(0, 2 * np.pi, round(1.9 * count**0.5), endpoint=False)
    shore = np.stack([np.cos(ring), np.sin(ring)], 1)
    island = np.array([0.35, 0.1]) + 0.18 * shore[::4]
    inner = rng.uniform(-1, 1, (count, 2))
    for _ in range(12):  # Lloyd's method, with neighbors for cells
        out = (inner**2).sum(1) > 0.9
        inner[out] *= 0.93 / np.sqrt((inner[out] ** 2).sum(1))[:, None]
        away = inner - island.mean(0)
        near = np.sqrt((away**2).sum(1))[:, None]
        inner = np.where(near < 0.25, island.mean(0) + 0.25 * away / near, inner)
        start, around = Delaunay(np.concatenate([inner, shore, island])).vertex_neighbor_vertices
        everything = np.concatenate([inner, shore, island])
        inner = np.array([everything[around[start[i] : start[i + 1]]].mean(0) for i in range(count)])
    points = np.concatenate([inner, shore, island])
    triangles = Delaunay(points).simplices
    land = (triangles >= count + len(shore)).all(1)
    return mesh_of(points, triangles[~land].astype(np.int64))


def mesh_of(points: Floats, triangles: Ints) -> Mesh:
    """The edges of triangles."""
    a, b, c = points[triangles].transpose(1, 0, 2)
    area = np.linalg.det(np.stack([b - a, c - a], 1)) / 2
    triangles = np.where(area[:, None] < 0, triangles[:, ::-1], triangles)
    ends = np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    cells = np.tile(np.arange(len(triangles)), 3)
    along = points[ends[:, 1]] - points[ends[:, 0]]
    normal = np.stack([along[:, 1], -along[:, 0]], 1)  # outwards: corners go around to the left
    order = np.lexsort(np.sort(ends, 1).T)
    keys = np.sort(ends, 1)[order]
    twice = (keys[1:] == keys[:-1]).all(1)
    first = np.flatnonzero(twice)
    single = np.setdiff1d(np.arange(len(order)), np.concatenate([first, first + 1]))
    left, right, wall = order[first], order[first + 1], order[single]
    return Mesh(points, triangles, np.abs(area), cells[left], cells[right], normal[left], cells[wall], normal[wall])


def flux(q: Any, normal: Any) -> tuple[Any, Any]:
    """What flows through a side, for a state (height, momentum), (3,); the speed of the fastest wave."""
    across = (q[1] * normal[0] + q[2] * normal[1]) / q[0]
    pressure = GRAVITY / 2 * q[0] ** 2
    fast = np.abs(across) + np.sqrt(GRAVITY * q[0] * (normal**2).sum())
    return q * across + pressure * np.concatenate([np.zeros(1), normal]), fast


def between(left: Any, right: Any, normal: Any) -> Any:
    """The flux of Rusanov from one cell to its neighbor."""
    (one, a), (other, b) = flux(left, normal), flux(right, normal)
    return (one + other) / 2 - np.maximum(a, b) / 2 * (right - left)


def rate(mesh: Mesh, y: Any) -> Any:
    """The rate of change of all cells, (3 n,): what comes in through edges; walls give pressure alone."""
    q = y.reshape(-1, 3)
    through = ft.vmap(between)(q[mesh.left], q[mesh.right], mesh.normal)
    push = GRAVITY / 2 * q[mesh.wall, :1] ** 2 * mesh.wall_normal
    cells = len(mesh.area)
    total = ft.segment_sum(through, mesh.right, cells) - ft.segment_sum(through, mesh.left, cells)
    total = ft.at(total)[mesh.wall, 1:].add(-push)
    return (total / mesh.area[:, None]).reshape(-1)


def drop(mesh: Mesh) -> Floats:
    """A heap of water at rest."""
    far = ((mesh.centers - [-0.45, -0.1]) ** 2).sum(1)
    q = np.zeros((len(mesh.area), 3))
    q[:, 0] = 1 + 0.6 * np.exp(-far / 0.015)
    return q.reshape(-1)


def integrate(mesh: Mesh, y: Floats, step: float, steps: int) -> tuple[list[Floats], list[int]]:
    """The states after each step of the trapezoidal rule, and Newton's iterations in each."""

    def residual(y: Any, known: Any) -> Any:
        return y - step / 2 * rate(mesh, y) - known

    J = ft.spjacobian(residual, format="csc")
    solve = ft.jit(lambda values, b: ft.spsolve(ft.sparse(values, J.pattern(y, y)), b))
    f = ft.jit(residual)
    known_part = ft.jit(lambda y: y + step / 2 * rate(mesh, y))
    states, iterations = [y], []
    for _ in range(steps):
        known, count = known_part(y), 0
        while np.abs(miss := f(y, known)).max() > 1e-10:
            if count == 20:
                raise RuntimeError(f"no convergence in step {len(states)}: shorter steps are needed")
            y, count = y - solve(J.values(y, known), miss), count + 1
        states.append(y)
        iterations.append(count)
    return states, iterations


def main() -> int:
    """Let the heap go; 0 if no water is lost."""
    mesh = make_mesh()
    y = drop(mesh)
    J = ft.spjacobian(lambda y: rate(mesh, y))
    print(J.pattern(y))
    print(J.plan(y))
    states, iterations = integrate(mesh, y, 0.01, 36)
    volume = [float(mesh.area @ y[::3]) for y in states]
    print(f"{len(mesh.area)} cells, {len(iterations)} steps, {sum(iterations)} iterations of Newton's method")
    print(f"volume {volume[0]:.6f}, change at most {np.ptp(volume):.1e}; heights from {states[-1][::3].min():.3f} to "
          f"{states[-1][::3].max():.3f}")  # fmt: skip
    return 0 if np.ptp(volume) < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
