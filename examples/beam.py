"""A rubber beam bends under its load: a neo-Hookean body, its energy minimized by Newton's method.

Run it as ``python -m examples.beam``. Large deflections in the plane (plane strain), linear triangles; the energy is
that of Bonet and Wood, Nonlinear Continuum Mechanics for Finite Element Analysis (2008), section 6.4.3.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import spsolve

import functrans as ft

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MU, LAMBDA = 1.0, 4.0  # the moduli of Lamé
LOADS = np.array([0.0005, 0.001, 0.002, 0.004, 0.008])  # weights of a unit of area


@dataclass(frozen=True, eq=False)
class Beam:
    """A mesh: points (n, 2) at rest, triangles (m, 3), the points that are free to move, a load (n, 2)."""

    points: Floats
    triangles: Ints
    free: Ints
    load: Floats

    @property
    def rest(self) -> tuple[Floats, Floats]:
        """Of each triangle the inverse of its edges as columns, and its area."""
        a, b, c = self.points[self.triangles].transpose(1, 0, 2)
        edges = np.stack([b - a, c - a], axis=2)
        return np.linalg.inv(edges), np.linalg.det(edges) / 2

    def moved(self, u: Any) -> Any:
        """The points (n, 2) for displacements u of the free ones."""
        rest = self.points.reshape(-1)
        return ft.at(rest)[self.free].add(u).reshape(-1, 2)

    def energy(self, u: Any, load: Any) -> Any:
        """What is stored in all triangles, less the work of the load times a factor."""
        inverse, area = self.rest
        x = self.moved(u)
        stored = ft.vmap(element)(x[self.triangles], inverse)
        return (area * stored).sum() - load * ((x - self.points) * self.load).sum()


def element(x: Any, inverse: Any) -> Any:
    """The energy of a unit of area in one triangle: corners (3, 2), the inverse of its edges at rest."""
    F = (x[1:] - x[0]).T @ inverse
    J = np.linalg.det(F)
    return MU / 2 * ((F**2).sum() - 2 - 2 * np.log(J)) + LAMBDA / 2 * np.log(J) ** 2


def make_beam(length: int = 60, height: int = 6) -> Beam:
    """A beam of this many by this many squares, each of four triangles, held at its left end; its weight."""
    x, y = np.meshgrid(np.arange(length + 1.0), np.arange(height + 1.0), indexing="ij")
    corners = np.stack([x.ravel(), y.ravel()], 1)
    k = (np.arange(length)[:, None] * (height + 1) + np.arange(height)).ravel()
    around = np.stack([k, k + height + 1, k + height + 2, k + 1], 1)
    middle = len(corners) + np.arange(len(k))
    points = np.concatenate([corners, corners[around].mean(1)]) / height
    triangles = np.concatenate([np.stack([around[:, i], around[:, (i + 1) % 4], middle], 1) for i in range(4)])
    free = np.flatnonzero(np.repeat(points[:, 0] > 0, 2))
    a, b, c = points[triangles].transpose(1, 0, 2)
    area = np.linalg.det(np.stack([b - a, c - a], 2)) / 2
    load = np.zeros_like(points)
    np.add.at(load[:, 1], triangles.ravel(), np.repeat(-area / 3, 3))
    return Beam(points, triangles, free, load)


def bend(beam: Beam, loads: Floats, most: int = 60) -> tuple[list[Floats], list[list[float]]]:
    """Equilibria under growing loads, and the residuals of Newton's iterations for each."""
    u = np.zeros(len(beam.free))
    energy, slope = ft.jit(beam.energy), ft.jit(ft.value_and_grad(beam.energy))
    H = ft.sphessian(beam.energy, format="csc")
    shapes, residuals = [], []
    for load in loads:
        history: list[float] = []
        for _ in range(most):
            now, gradient = slope(u, load)
            history.append(float(np.abs(gradient).max()))
            if history[-1] < 1e-12:
                break
            step = -spsolve(H(u, load), gradient)
            if gradient @ step > 0:  # the energy is not convex everywhere
                step = -step
            size, down = 1.0, 1e-4 * (gradient @ step)
            while not energy(u + size * step, load) <= now + size * down + 1e-15 and size > 1e-6:
                size /= 2  # a triangle that is turned over has no energy: NaN
            u = u + size * step
        shapes.append(u)
        residuals.append(history)
    return shapes, residuals


def main() -> int:
    """Bend the beam; 0 if the forces are in balance."""
    beam = make_beam()
    u = np.zeros(len(beam.free))
    H = ft.sphessian(beam.energy)
    print(H.plan(u, 0.0))
    print(H.pattern(u, 0.0))
    shapes, residuals = bend(beam, LOADS)
    for history, u in zip(residuals, shapes, strict=True):
        tip = np.asarray(beam.moved(u))[beam.points[:, 0] == beam.points[:, 0].max()].mean(0)
        print(f"{len(history)} iterations, residual {history[-1]:.0e}; the tip is at ({tip[0]:.2f}, {tip[1]:.2f})")
    return 0 if max(history[-1] for history in residuals) < 1e-10 else 1


if __name__ == "__main__":
    sys.exit(main())
