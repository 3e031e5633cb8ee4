"""The racing line of the gallery: derivatives, a lap that is driven in time, and what the solver found."""

from __future__ import annotations

import numpy as np
from scipy.optimize import check_grad

import functrans as ft
from examples.racing_line import CORNERS, ENGINE, GRIP, HALF_WIDTH, Track, barrier_method
from functrans.testing import check_pattern, check_spjacobian


def test_stations_couple_to_their_neighbors() -> None:
    track = Track.through(CORNERS, 20)
    z = track.start() + 0.01 * np.random.default_rng(0).normal(size=100)
    check_spjacobian(track.defects, (z,))
    check_pattern(track.defects, (z,))
    rows = ft.spjacobian(track.defects).pattern(z)
    stations = {((c // 5 - r // 3) % 20) for r, c in zip(rows.rows, rows.cols, strict=True)}
    assert stations == {0, 1}
    assert check_grad(lambda z: float(track.cost(z)), ft.jit(ft.grad(track.cost)), z) < 1e-3


def test_the_track_is_closed_and_even() -> None:
    track = Track.through(CORNERS, 400)
    steps = np.hypot(*np.diff(track.plane(0 * track.bend), axis=0).T)
    np.testing.assert_allclose(steps, track.step, rtol=2e-2)
    np.testing.assert_allclose(track.step * track.bend.sum(), 2 * np.pi, rtol=1e-3)  # once around
    assert np.abs(track.defects(track.start())).max() < 1e-12


def test_the_line_is_fast_and_within_limits() -> None:
    track = Track.through(CORNERS, 120)
    found = barrier_method(track.cost, track.defects, track.rooms, track.start())
    assert max(found.history[-1][1:]) < 1e-4 and len(found.history) < 100
    side, _, speed, curve, push = track.split(found.z)
    assert np.abs(side).max() <= HALF_WIDTH and np.abs(side).max() > 0.99 * HALF_WIDTH
    assert ((speed**2 * curve) ** 2 + push**2 <= GRIP**2).all() and push.max() <= ENGINE
    center = barrier_method(track.cost, track.defects, lambda z: np.append(track.rooms(z), 1e-4 - z[::5] ** 2),
                            track.start())  # fmt: skip
    lap, slow = (track.step * float(track.pace(z).sum()) for z in (found.z, center.z))
    assert lap < slow - 0.5  # than along the center line
    # driven in time: the point follows the curvature and the acceleration that were found, once around
    path = track.plane(side)[:-1]
    way = np.hypot(*np.diff(np.concatenate([path, path[:1]]), axis=0).T)
    times = 2 * way / (speed + np.roll(speed, -1))
    np.testing.assert_allclose(times.sum(), lap, rtol=1e-2)
