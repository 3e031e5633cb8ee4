"""Elements: rubber in tetrahedra (energies), membranes, bars and beams, atoms with their neighbors."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import Delaunay, cKDTree

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.families.common import Places, family
from benchmarks.handwritten import limit

MU, LAMBDA = 1.0, 4.0


class Body(NamedTuple):
    """Tetrahedra: corners (m, 4), gradients of the four shape functions at rest (m, 4, 3), volumes, points at rest."""

    corners: Array
    shapes: Array
    volume: Array
    points: Array


@cache
def body(side: int) -> Body:
    """Cubes of six tetrahedra each, ``side`` points along an edge, moved a little so that no number is zero."""
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)
    points = grid + 0.1 * np.random.default_rng(0).uniform(-1, 1, grid.shape)
    first = grid[(grid < side - 1).all(1)]
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)]
    paths = np.stack([np.concatenate([[[0, 0, 0]], np.cumsum(np.eye(3, dtype=int)[list(o)], 0)]) for o in orders])
    corners = ((first[:, None, None] + paths) @ [side * side, side, 1]).reshape(-1, 4)
    edges = (points[corners[:, 1:]] - points[corners[:, :1]]).transpose(0, 2, 1)
    inverse = np.linalg.inv(edges)
    shapes = np.concatenate([-inverse.sum(1, keepdims=True), inverse], 1)
    return Body(corners, shapes, np.abs(np.linalg.det(edges)) / 6, points)


def rubber_inputs(size: int) -> tuple[Array]:
    """Where the points of a body with ``size`` points along an edge are."""
    points = body(size).points
    return ((points + 0.05 * np.random.default_rng(1).uniform(-1, 1, points.shape)).reshape(-1),)


def _side(x: Any) -> int:
    side: int = round((x.shape[0] / 3) ** (1 / 3))
    return side


def rubber(np: Any, segments: Any) -> Any:
    """The energy of neo-Hookean tetrahedra, written by components."""

    def f(x: Any) -> Any:
        mesh = body(_side(x))
        x = x.reshape(-1, 3)
        corner = [[x[mesh.corners[:, a], i] for i in range(3)] for a in range(4)]
        F = [
            [sum((corner[a][i] - corner[0][i]) * mesh.shapes[:, a, j] for a in (1, 2, 3)) for j in range(3)]
            for i in range(3)
        ]
        J = (
            F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1])
            - F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0])
            + F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0])
        )
        square, log = sum(F[i][j] ** 2 for i in range(3) for j in range(3)), np.log(J)
        return (mesh.volume * (MU / 2 * (square - 3 - 2 * log) + LAMBDA / 2 * log**2)).sum()

    return f


def rubber_det(np: Any, segments: Any) -> Any:
    """The same by stacks of matrices and ``linalg.det``."""

    def f(x: Any) -> Any:
        mesh = body(_side(x))
        corner = x.reshape(-1, 3)[mesh.corners]
        F = np.matmul((corner[:, 1:] - corner[:, :1]).transpose(0, 2, 1), mesh.shapes[:, 1:])
        log = np.log(np.linalg.det(F))
        return (mesh.volume * (MU / 2 * ((F**2).sum((1, 2)) - 3 - 2 * log) + LAMBDA / 2 * log**2)).sum()

    return f


def element_rows(corners: Array, each: int, size: int) -> tuple[Places, Array]:
    """The places of a matrix with a block for each pair of corners; where the row i of block (a, b) begins."""
    k = np.arange(each)
    dofs = each * corners[..., None] + k
    flat = dofs.reshape(len(corners), -1)
    rows, cols = np.broadcast_arrays(flat[:, :, None], flat[:, None, :])
    places = Places(rows, cols, (size, size))
    starts = places.of(dofs[:, :, None, :], (each * corners)[:, None, :, None])
    return places, starts


def rubber_by_hand(x: Array) -> Run:
    mesh = body(_side(x))
    places, starts = element_rows(mesh.corners, 3, x.size)
    values = empty((places.count,))
    arrays = [x, mesh.shapes, mesh.volume, mesh.corners.astype(np.int32), np.ascontiguousarray(starts), values]
    return limit("elements", arrays, [len(mesh.corners), places.count], values, name="rubber")


@cache
def triangles(size: int) -> tuple[Array, Array, Array]:
    """Triangles of so many points: corners, gradients of the shape functions (3, 2, m), areas."""
    points = np.random.default_rng(0).uniform(size=(size, 2))
    points = points[np.argsort(points[:, 0])]
    corners = Delaunay(points).simplices
    corners = corners[np.argsort(corners.min(1), kind="stable")]
    a, b, c = points[corners].transpose(1, 0, 2)
    edges = np.stack([b - a, c - a], 2)
    inverse = np.linalg.inv(edges)
    shapes = np.concatenate([-inverse.sum(1, keepdims=True), inverse], 1)
    return corners, shapes.transpose(1, 2, 0).copy(), np.abs(np.linalg.det(edges)) / 2


def membrane_inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(1).normal(size=size),)


def membrane(np: Any, segments: Any) -> Any:
    """The p-Laplacian for p = 1.5 by linear triangles."""

    def f(u: Any) -> Any:
        corners, shapes, area = triangles(u.shape[0])
        v = [u[corners[:, a]] for a in range(3)]
        gx, gy = (sum(v[a] * shapes[a, i] for a in range(3)) for i in range(2))
        stiff = area * (gx * gx + gy * gy + 0.01) ** -0.25
        force = [stiff * (gx * shapes[a, 0] + gy * shapes[a, 1]) for a in range(3)]
        return sum(segments(force[a], corners[:, a], u.shape[0]) for a in range(3))

    return f


def membrane_by_hand(u: Array) -> Run:
    corners, shapes, area = triangles(u.size)
    places, starts = element_rows(corners, 1, u.size)
    values = empty((places.count,))
    arrays = [u, shapes, area, corners.astype(np.int32), np.ascontiguousarray(starts.reshape(-1, 9)), values]
    return limit("elements", arrays, [len(corners), places.count], values, name="membrane")


@cache
def truss_of(size: int) -> tuple[Array, Array, Array]:
    """Bars between so many joints in space: both ends, and the lengths at rest."""
    points = np.random.default_rng(0).uniform(size=(size, 3)) * [size**0.5, 1, 1]
    points = points[np.argsort(points[:, 0])]
    four = Delaunay(points).simplices
    pairs = np.concatenate([four[:, [a, b]] for a in range(4) for b in range(a)])
    one, other = np.unique(np.sort(pairs, 1), axis=0).T
    return one, other, points


def truss_inputs(size: int) -> tuple[Array]:
    points = truss_of(size)[2]
    return ((points + 0.02 * np.random.default_rng(1).normal(size=points.shape)).reshape(-1),)


def truss(np: Any, segments: Any) -> Any:
    """The forces at the joints of bars with large displacements."""

    def f(x: Any) -> Any:
        x = x.reshape(-1, 3)
        joints = x.shape[0]
        one, other, points = truss_of(joints)
        rest = ((points[other] - points[one]) ** 2).sum(1) ** 0.5
        d = [x[other, k] - x[one, k] for k in range(3)]
        length = np.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
        pull = 1 / rest - 1 / length
        found = [segments(pull * d[k], one, joints) - segments(pull * d[k], other, joints) for k in range(3)]
        return np.stack(found, 1).reshape(-1)

    return f


def truss_by_hand(x: Array) -> Run:
    one, other, points = truss_of(x.size // 3)
    rest = ((points[other] - points[one]) ** 2).sum(1) ** 0.5
    places, starts = element_rows(np.stack([one, other], 1), 3, x.size)
    values = empty((places.count,))
    ends = [a.astype(np.int32) for a in (one, other)]
    arrays = [x, 1 / rest, *ends, np.ascontiguousarray(starts.reshape(-1, 12)), values]
    return limit("elements", arrays, [len(one), places.count], values, name="truss")


@cache
def frame_of(size: int) -> tuple[Array, ...]:
    """Beams between so many joints in the plane: both ends, direction cosines, lengths."""
    points = np.random.default_rng(0).uniform(size=(size, 2)) * [size**0.5, 1]
    points = points[np.argsort(points[:, 0])]
    three = Delaunay(points).simplices
    pairs = np.concatenate([three[:, [a, (a + 1) % 3]] for a in range(3)])
    one, other = np.unique(np.sort(pairs, 1), axis=0).T
    along = points[other] - points[one]
    length = (along**2).sum(1) ** 0.5
    return one, other, along[:, 0] / length, along[:, 1] / length, length


def frame_inputs(size: int) -> tuple[Array]:
    return (0.01 * np.random.default_rng(1).normal(size=3 * size),)


def frame(np: Any, segments: Any) -> Any:
    """The forces at the joints of shallow beams with moderate rotations: elements of 6 by 6."""

    def f(x: Any) -> Any:
        x = x.reshape(-1, 3)
        joints = x.shape[0]
        one, other, c, s, length = frame_of(joints)
        (u1, v1, t1), (u2, v2, t2) = ([x[at, k] for k in range(3)] for at in (one, other))
        along, across = (c * (u2 - u1) + s * (v2 - v1)) / length, (c * (v2 - v1) - s * (u2 - u1)) / length
        a, b = t1 - across, t2 - across
        normal = along + 0.5 * across**2 + (2 * a * a - a * b + 2 * b * b) / 30
        first = 0.01 * (4 * a + 2 * b) / length + normal * length * (4 * a - b) / 30
        second = 0.01 * (2 * a + 4 * b) / length + normal * length * (4 * b - a) / 30
        shear = normal * across - (first + second) / length
        fu, fv = c * normal - s * shear, s * normal + c * shear
        at_one, at_other = [-fu, -fv, first], [fu, fv, second]
        found = [segments(at_one[k], one, joints) + segments(at_other[k], other, joints) for k in range(3)]
        return np.stack(found, 1).reshape(-1)

    return f


@cache
def neighbors(size: int) -> tuple[Array, Array, Array]:
    """Atoms on a moved lattice, and the pairs that are near."""
    side = int(np.ceil(size ** (1 / 3)))
    lattice = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)[:size]
    points = 1.1 * lattice + 0.05 * np.random.default_rng(0).normal(size=lattice.shape)
    pairs = cKDTree(points).query_pairs(1.8, output_type="ndarray")
    one, other = pairs[np.lexsort(pairs.T[::-1])].T
    return one, other, points


def atoms_inputs(size: int) -> tuple[Array]:
    return (neighbors(size)[2].reshape(-1),)


def atoms(np: Any, segments: Any) -> Any:
    """The forces of Lennard and Jones between near atoms."""

    def f(x: Any) -> Any:
        x = x.reshape(-1, 3)
        one, other, _ = neighbors(x.shape[0])
        d = [x[other, k] - x[one, k] for k in range(3)]
        inverse = 1 / (d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
        six = inverse * inverse * inverse
        pull = 24 * inverse * six * (1 - 2 * six)
        found = [segments(pull * d[k], one, x.shape[0]) - segments(pull * d[k], other, x.shape[0]) for k in range(3)]
        return np.stack(found, 1).reshape(-1)

    return f


def atoms_by_hand(x: Array) -> Run:
    one, other, _ = neighbors(x.size // 3)
    places, starts = element_rows(np.stack([one, other], 1), 3, x.size)
    values = empty((places.count,))
    ends = [a.astype(np.int32) for a in (one, other)]
    arrays = [x, *ends, np.ascontiguousarray(starts.reshape(-1, 12)), values]
    return limit("elements", arrays, [len(one), places.count], values, name="atoms")


NODES = {"1 000": 10, "8 000": 20, "20 000": 27}
POINTS = {"500": 500, "5 000": 5_000, "50 000": 50_000}
JOINTS = {"300": 300, "3 000": 3_000, "30 000": 30_000}
CASES: tuple[Case, ...] = (
    *family("rubber", "energy of neo-Hookean tetrahedra, nodes", rubber, rubber_inputs, NODES, 2, rubber_by_hand,
            hessian=True, symbolic="1 000"),
    *family("rubberdet", "the same with linalg.det, nodes", rubber_det, rubber_inputs, NODES, 2, rubber_by_hand,
            hessian=True),
    *family("truss", "bars in space, joints", truss, truss_inputs, JOINTS, 12, truss_by_hand, symbolic="3 000"),
    *family("frame", "beams in the plane, joints", frame, frame_inputs, JOINTS, 12, symbolic="3 000"),
    *family("membrane", "p-Laplacian by triangles, points", membrane, membrane_inputs, POINTS, 12, membrane_by_hand,
            symbolic="5 000"),
    *family("atoms", "forces between near atoms, atoms", atoms, atoms_inputs, JOINTS, 12, atoms_by_hand,
            symbolic="300"),
)  # fmt: skip
