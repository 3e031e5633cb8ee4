"""Nonlinear diffusion on a triangulation, of an airfoil or of scattered points: gathers and segment sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import Delaunay

from benchmarks.case import Array, Build, Case, Run, empty
from benchmarks.cases.sparse_common import Ours, asdex, casadi, matrix
from benchmarks.data import stored
from benchmarks.handwritten import limit

AIRFOIL = 4780  # points


def inputs(size: int) -> tuple[Array]:
    return (np.random.default_rng(1).uniform(0.5, 1.5, size),)


def edges(size: int) -> tuple[Array, Array]:
    """Both directions of every edge, sorted; scattered points are numbered from left to right."""
    if size == AIRFOIL:
        mesh = stored("airfoil")
        return mesh["source"], mesh["target"]
    points = np.random.default_rng(0).uniform(size=(size, 2))
    corners = Delaunay(points[np.argsort(points[:, 0])]).simplices
    pairs = np.concatenate([corners[:, [p, q]] for p in range(3) for q in range(3) if p != q])
    source, target = np.unique(pairs, axis=0).T
    return source, target


def diffusion(np: Any, segments: Any) -> Any:
    def f(u: Any) -> Any:
        source, target = edges(u.shape[0])
        p, q = u[source], u[target]
        return segments((1.0 + (0.5 * (p + q)) ** 2) * (q - p), source, u.shape[0])

    return f


def jacobian(u: Array) -> Any:
    source, target = edges(u.size)
    p, q = u[source], u[target]
    k, s = 1.0 + (0.5 * (p + q)) ** 2, 0.5 * (p + q) * (q - p)
    rows, cols = np.concatenate([source, source]), np.concatenate([target, source])
    return matrix(rows, cols, np.concatenate([s + k, s - k]), (u.size, u.size))


def reference(u: Array) -> Any:
    return jacobian(u).data


def handwritten(u: Array) -> Run:
    found = jacobian(u)
    rows = np.repeat(np.arange(u.size), np.diff(found.indptr))
    diagonal = np.flatnonzero(found.indices == rows)
    values = empty((found.nnz,))
    integers = [a.astype(np.int32) for a in (rows, found.indices, found.indptr, diagonal)]
    return limit("mesh", [u, *integers, empty((found.nnz,)), values], [u.size, found.nnz], values)


def case(name: str, title: str, size: int, small: int, data: str = "") -> Case:
    sides: dict[str, Build] = {
        "ours": Ours(diffusion),
        "limit": handwritten,
        "casadi": casadi(diffusion),
        "asdex": asdex(diffusion),
    }
    return Case(name, title, "sparse", inputs, reference, size, small, 1.5, sides, data=data)


CASES = (
    case("mesh", "nonlinear diffusion on a triangulation of 4 800 points", 4_800, 30),
    case("airfoil", "nonlinear diffusion on the airfoil mesh", AIRFOIL, AIRFOIL, "airfoil"),
)
