"""The beam of the gallery against stresses and stiffness written by hand."""

from __future__ import annotations

import numpy as np

import functrans as ft
from examples import beam

SMALL = beam.make_beam(4, 2)


def forces(x: np.ndarray, body: beam.Beam) -> np.ndarray:
    """The inner forces on the points, from the first stress tensor of Piola and Kirchhoff."""
    total = np.zeros_like(x)
    for triangle in body.triangles:
        rest = body.points[triangle]
        edges = (rest[1:] - rest[0]).T
        F = (x[triangle][1:] - x[triangle][0]).T @ np.linalg.inv(edges)
        inverse = np.linalg.inv(F).T
        P = beam.MU * (F - inverse) + beam.LAMBDA * np.log(np.linalg.det(F)) * inverse
        shares = np.linalg.det(edges) / 2 * P @ np.linalg.inv(edges).T  # columns: of the second and third corner
        total[triangle[1]] += shares[:, 0]
        total[triangle[2]] += shares[:, 1]
        total[triangle[0]] -= shares.sum(1)
    return total


def stiffness(body: beam.Beam) -> np.ndarray:
    """Of linear elasticity: the sum of B' C B over the triangles."""
    C = np.diag([beam.LAMBDA + 2 * beam.MU, beam.LAMBDA + 2 * beam.MU, beam.MU])
    C[0, 1] = C[1, 0] = beam.LAMBDA
    K = np.zeros((body.points.size, body.points.size))
    for triangle in body.triangles:
        rest = body.points[triangle]
        slopes = np.linalg.inv(np.hstack([np.ones((3, 1)), rest]))[1:]  # of the three linear functions
        B = np.zeros((3, 6))
        B[0, ::2], B[1, 1::2], B[2, ::2], B[2, 1::2] = slopes[0], slopes[1], slopes[1], slopes[0]
        area = np.linalg.det((rest[1:] - rest[0]).T) / 2
        at = np.stack([2 * triangle, 2 * triangle + 1], 1).ravel()
        K[np.ix_(at, at)] += area * B.T @ C @ B
    return K[np.ix_(body.free, body.free)]


def test_gradient_is_the_balance_of_forces() -> None:
    u = 0.02 * np.random.default_rng(0).standard_normal(len(SMALL.free))
    expected = (forces(np.asarray(SMALL.moved(u)), SMALL) - 0.3 * SMALL.load).ravel()[SMALL.free]
    np.testing.assert_allclose(ft.grad(SMALL.energy)(u, 0.3), expected, rtol=1e-10, atol=1e-13)


def test_hessian_at_rest_is_linear_elasticity() -> None:
    H = ft.sphessian(SMALL.energy)(np.zeros(len(SMALL.free)), 0.0).toarray()
    np.testing.assert_allclose(H, stiffness(SMALL), atol=1e-12)


def test_small_loads_bend_it_as_linear_theory_says_and_large_ones_less() -> None:
    sag = np.linalg.solve(stiffness(SMALL), SMALL.load.ravel()[SMALL.free])
    (small, large), residuals = beam.bend(SMALL, np.array([1e-5, 0.3]))
    assert max(history[-1] for history in residuals) < 1e-10
    np.testing.assert_allclose(small, 1e-5 * sag, atol=1e-8)
    assert np.abs(large).max() < 0.9 * 0.3 * np.abs(sag).max()
