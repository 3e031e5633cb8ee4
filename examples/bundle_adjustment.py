"""Bundle adjustment by SciPy's least_squares: cameras and points in space from where the points are seen.

Run it as ``python -m examples.bundle_adjustment``. The camera model is that of Agarwal, Snavely, Seitz and Szeliski,
Bundle adjustment in the large (2010); the scene is made up, so that the answer is known.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

import functrans as ft

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
CAMERA = 9  # rotation vector, translation, focal length, two coefficients of distortion


@dataclass
class Scene:
    """What is seen: observation k is point ``point[k]`` in camera ``camera[k]``, at ``seen[k]``; and the truth."""

    camera: Ints
    point: Ints
    seen: Floats
    cameras: Floats
    points: Floats

    @property
    def truth(self) -> Floats:
        """The parameters: of all cameras, then of all points."""
        return np.concatenate([self.cameras.ravel(), self.points.ravel()])


def project(cameras: Any, points: Any) -> Any:
    """Where each point is seen by the camera beside it, shapes (n, 9) and (n, 3) to (n, 2)."""
    turn = cameras[:, :3]
    angle = np.sqrt((turn**2).sum(1))[:, None]
    axis = turn / angle
    along = (axis * points).sum(1)[:, None]
    turned = points * np.cos(angle) + np.cross(axis, points) * np.sin(angle) + axis * along * (1 - np.cos(angle))
    moved = turned + cameras[:, 3:6]
    flat = -moved[:, :2] / moved[:, 2:]
    square = (flat**2).sum(1)[:, None]
    return flat * cameras[:, 6:7] * (1 + cameras[:, 7:8] * square + cameras[:, 8:] * square**2)


def residual(scene: Scene) -> Callable[[Any], Any]:
    """The function of all parameters whose squares are to be small."""
    count, cameras, points = len(scene.cameras) * CAMERA, len(scene.cameras), len(scene.points)

    def f(z: Any) -> Any:
        all_cameras, all_points = z[:count].reshape(cameras, CAMERA), z[count:].reshape(points, 3)
        return (project(all_cameras[scene.camera], all_points[scene.point]) - scene.seen).reshape(-1)

    return f


def make_scene(cameras: int = 8, points: int = 120, seed: int = 0) -> Scene:
    """Cameras on an arc around a cloud of points; each point is seen by about half of them, with some noise."""
    rng = np.random.default_rng(seed)
    cloud = rng.uniform(-1, 1, (points, 3))
    turns = np.stack([np.full(cameras, 0.1), np.linspace(-0.6, 0.6, cameras), np.full(cameras, 0.05)], 1)
    shifts = np.stack([np.zeros(cameras), np.zeros(cameras), np.full(cameras, -5.0)], 1)
    lenses = np.tile([500.0, -0.05, 0.01], (cameras, 1))
    truth = np.hstack([turns, shifts, lenses])
    camera, point = np.nonzero(rng.random((cameras, points)) < 0.5)
    seen = np.asarray(project(truth[camera], cloud[point])) + rng.normal(0, 0.3, (len(camera), 2))
    return Scene(camera, point, seen, truth, cloud)


def adjust(scene: Scene, seed: int = 1) -> tuple[Any, Floats, float]:
    """Solve from a disturbed start: the solver's result, the start, and the seconds taken."""
    f = residual(scene)
    J = ft.spjacobian(f)
    rng = np.random.default_rng(seed)
    size = np.concatenate([np.tile([0.02] * 3 + [0.1] * 3 + [10, 0.01, 0.002], len(scene.cameras)),
                           np.full(scene.points.size, 0.1)])  # fmt: skip
    first = scene.truth + size * rng.standard_normal(len(size))
    fast = ft.jit(f)
    fast(first), J(first)  # compiled before the clock starts
    begin = perf_counter()
    found = least_squares(fast, first, jac=J, method="trf", x_scale="jac", ftol=1e-8, xtol=1e-10, max_nfev=60)
    return found, first, perf_counter() - begin


def spread(f: Callable[[Any], Any], z: Floats) -> float:
    """The root of the mean square of the residuals, in pixels."""
    return float(np.sqrt(np.mean(np.square(np.asarray(ft.jit(f)(z))))))


def main() -> int:
    """Adjust a scene; 0 if what is left is the noise that was put in."""
    scene = make_scene()
    f = residual(scene)
    J = ft.spjacobian(f)
    print(J.plan(scene.truth))
    print(J.pattern(scene.truth).spy(width=40))
    found, first, seconds = adjust(scene)
    before, after = spread(f, first), spread(f, found.x)
    print(f"{found.nfev} steps, {found.njev} Jacobians, {seconds:.2f} s; error {before:.1f} -> {after:.3f} pixels")
    return 0 if found.success and after < 0.3 else 1


if __name__ == "__main__":
    sys.exit(main())
