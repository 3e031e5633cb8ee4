"""The shallow water of the gallery: conservation, still water, a plain loop over edges, and SciPy's integrator."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import functrans as ft
from examples import shallow_water as water

SMALL = water.make_mesh(40)


def loop(mesh: water.Mesh, y: np.ndarray) -> np.ndarray:
    """The rate of change, triangle by triangle: its three sides from its corners, neighbors by their common corners."""
    q, total = y.reshape(-1, 3), np.zeros((len(mesh.area), 3))
    sides: dict[frozenset[int], list[int]] = {}
    for cell, corners in enumerate(mesh.triangles):
        for i in range(3):
            sides.setdefault(frozenset((corners[i], corners[(i + 1) % 3])), []).append(cell)

    def wave(h: float, mx: float, my: float, n: np.ndarray) -> tuple[np.ndarray, float]:
        u = (mx * n[0] + my * n[1]) / h
        p = water.GRAVITY * h * h / 2
        return np.array([h * u, mx * u + p * n[0], my * u + p * n[1]]), abs(u) + np.sqrt(water.GRAVITY * h * (n @ n))

    for ends, cells in sides.items():
        a, b = mesh.points[list(ends)]
        for cell in cells:
            n = np.array([(b - a)[1], -(b - a)[0]])
            n *= np.sign(n @ ((a + b) / 2 - mesh.centers[cell]))
            one, fast = wave(*q[cell], n)
            if len(cells) == 1:
                total[cell, 1:] -= water.GRAVITY * q[cell, 0] ** 2 / 2 * n
                continue
            other = cells[1 - cells.index(cell)]
            two, faster = wave(*q[other], n)
            total[cell] -= (one + two) / 2 - max(fast, faster) / 2 * (q[other] - q[cell])
    return (total / mesh.area[:, None]).ravel()


def test_mesh_is_whole() -> None:
    assert len(SMALL.left) * 2 + len(SMALL.wall) == 3 * len(SMALL.area) and (SMALL.area > 0).all()
    closed = np.zeros((len(SMALL.area), 2))  # the normals of each triangle sum to zero
    np.add.at(closed, SMALL.left, SMALL.normal)
    np.add.at(closed, SMALL.right, -SMALL.normal)
    np.add.at(closed, SMALL.wall, SMALL.wall_normal)
    np.testing.assert_allclose(closed, 0, atol=1e-14)


def test_rate_is_that_of_a_loop_and_still_water_stays() -> None:
    rng = np.random.default_rng(0)
    y = water.drop(SMALL) + 0.1 * rng.standard_normal(3 * len(SMALL.area))
    rate = ft.jit(lambda y: water.rate(SMALL, y))
    np.testing.assert_allclose(rate(y), loop(SMALL, y), rtol=1e-10, atol=1e-10)
    still = np.tile([1.5, 0.0, 0.0], len(SMALL.area))
    np.testing.assert_allclose(rate(still), 0, atol=1e-11)


def test_steps_keep_the_water_and_follow_the_equations() -> None:
    y = water.drop(SMALL)
    states, iterations = water.integrate(SMALL, y, 0.01, 10)
    assert 0 < max(iterations) < 8
    np.testing.assert_allclose([SMALL.area @ s[::3] for s in states], SMALL.area @ y[::3], rtol=1e-12)
    rate = ft.jit(lambda y: water.rate(SMALL, y))
    exact = solve_ivp(lambda t, y: rate(y), (0, 0.1), y, method="DOP853", rtol=1e-9, atol=1e-10).y[:, -1]
    assert np.abs(states[-1] - exact).max() < 0.02 * np.abs(exact - y).max()
