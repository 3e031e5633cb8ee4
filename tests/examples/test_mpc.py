"""Model predictive control: a step against Newton's system solved whole, exported against compiled, the loop in C."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from examples.mpc import control, models, pictures, run
from examples.mpc.matrices import mirrored, solve
from examples.mpc.sqp import ARMIJO, Control, Step, linearize, merit, step

RNG = np.random.default_rng(0)


def swing(x: Any, u: Any) -> Any:
    return fnp.stack([x[0] + 0.1 * x[1], x[1] + 0.1 * (u[0] - np.sin(x[0]))])


def wishes(x: Any, u: Any, p: Any) -> Any:
    return fnp.stack([x[0] - p[0, 0], 0.3 * x[1], 0.1 * u[0]])


def room(x: Any, u: Any, p: Any) -> Any:
    return fnp.stack([1.5 - u[0], 1.5 + u[0], 2.5 - x[0] * x[0]])


PENDULUM = Control("pendulum", 2, 1, 1, swing, wishes, room, ((-1.5,), (1.5,)))


def problem(stages: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return 0.4 * RNG.normal(size=(stages + 1, 2)), 0.3 * RNG.normal(size=(stages, 1)), np.array([[1.0]])


def parts(c: Control) -> Any:
    def stepped(xs: Any, us: Any, p: Any) -> tuple[Any, ...]:
        s: Step = step(c, xs, us, p)
        return s.xs, s.us, s.gap, s.change, s.length

    return stepped


def newton(c: Control, xs: np.ndarray, us: np.ndarray, p: np.ndarray) -> tuple[Any, ...]:
    """A step in plain NumPy: the system of Karush, Kuhn and Tucker as one matrix, the line search in Python."""
    N, n, m = len(us), c.states, c.controls
    size, number = N * (n + m) + n, (N + 1) * n
    K, g, gaps, now = np.zeros((size + number, size + number)), np.zeros(size), np.zeros((N, n)), 0.0
    A = np.zeros((number, size))
    A[:n, :n] = np.eye(n)
    each = ft.jit(lambda x, u: _arrays(c, linearize(c, x, u, p)))
    for k in range(N + 1):
        end, cost, J, slope, H = each(xs[k], us[k] if k < N else np.zeros(m))
        at = slice(k * (n + m), min((k + 1) * (n + m), size))  # the last stage has no control
        width = at.stop - at.start
        K[at, at], g[at], now = H[:width, :width], slope[0, :width], now + cost
        if k < N:
            gaps[k] = end - xs[k + 1]
            rows = slice((k + 1) * n, (k + 2) * n)
            A[rows, at], A[rows, at.stop : at.stop + n] = J, -np.eye(n)
    K[size:, :size], K[:size, size:] = A, A.T
    found = np.linalg.solve(K, np.concatenate([-g, np.zeros(n), -gaps.ravel()]))
    dz = np.concatenate([found[:size], np.zeros(m)]).reshape(N + 1, n + m)
    weight, missed = 2 * np.abs(found[size + n :]).max(), np.abs(gaps).sum()
    now, slope, length = now + weight * missed, g @ found[:size] - weight * missed, 1.0
    value = ft.jit(lambda xs, us: merit(c, xs, us, p, weight))
    while value(xs + length * dz[:, :n], us + length * dz[:-1, n:]) > now + ARMIJO * length * slope:
        length /= 2
    return xs + length * dz[:, :n], us + length * dz[:-1, n:], np.abs(gaps).max(), np.abs(dz[:-1, n:]).max(), length


def _arrays(c: Control, stage: Any) -> Any:
    end, cost, J, slope, H = stage
    there = lambda v: 0 * cost if v is None else v  # noqa: E731
    return end, cost, *(fnp.stack([fnp.stack([there(v) for v in row]) for row in M]) for M in (J, [slope], mirrored(H)))


@pytest.mark.parametrize("written", [True, False])
def test_a_step_is_newtons(written: bool) -> None:
    c, args = replace(PENDULUM, written=written), problem(12)
    lengths = set()
    for scale in (1.0, 6.0):  # far away the line search shortens the step
        xs, us, p = args[0] * scale, args[1], args[2]
        want, found = newton(c, xs, us, p), ft.jit(parts(c))(xs, us, p)
        for a, b in zip(want, found, strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-11)
        lengths.add(float(found[-1]))
    assert len(lengths) == 2


def test_exported_it_has_the_bits_of_jit(tmp_path: Path) -> None:
    """With more stages than a round of the line search reduces by itself, and several such rounds."""
    args = problem(300)
    args[0][1:] *= 8
    made = ft.export_c(parts(PENDULUM), *args, name="pendulum", path=tmp_path / "pendulum.c", derivatives=())
    want, found = ft.jit(parts(PENDULUM))(*args), ft.load_c(made.compile(), "pendulum")(*args)
    assert want[-1] < 0.5
    for a, b in zip(want, found, strict=True):
        np.testing.assert_array_equal(b, a)


def test_steps_converge() -> None:
    xs, us, p = problem(40)
    stepped = ft.jit(parts(PENDULUM))
    for _ in range(12):
        xs, us, gap, change, _ = stepped(xs, us, p)
    assert gap < 1e-10 and change < 1e-3
    assert abs(us).max() < 1.5 and (xs[:, 0] ** 2).max() < 2.5


def test_small_systems() -> None:
    A = RNG.normal(size=(4, 4))
    A, rights = A @ A.T, RNG.normal(size=(3, 4))
    np.testing.assert_allclose(solve(A.tolist(), rights.tolist()), np.linalg.solve(A, rights.T).T, rtol=1e-9)


def test_quaternions_stay_of_length_one() -> None:
    x = np.concatenate([RNG.normal(size=6), [0.5, 0.5, -0.5, 0.5], RNG.normal(size=3)])
    fly = ft.jit(lambda x: ft.fori_loop(0, 50, lambda _, x: models.QUADROTOR.advance(x, np.full(4, 2.0)), x))
    x = np.asarray(fly(x))
    assert abs((x[6:10] ** 2).sum() - 1) < 1e-4


def test_pictures_hold_what_they_show() -> None:
    for task, draw, size in ((control.RACE, pictures.race, 5), (control.FLIGHT, pictures.flight, 13)):
        states = np.linspace(task.start, np.add(task.start, 1.0), 50)
        made = run.Run(states, states[:, :2], states[:, :3], states[:, 0], np.stack([states[:21]] * 5), "")
        picture = ET.fromstring(draw(made, task))
        assert picture.find("{*}g/{*}animateMotion") is not None and states.shape[1] == size
        plans = [a.attrib["values"].split(";") for a in picture.findall("{*}polyline/{*}animate")]
        assert {5} <= {len(p) for p in plans} and all(len(p.split()) == 21 for p in plans[-1])


def test_the_track_closes() -> None:
    ends = pictures.plane(np.array([0.0, models.LENGTH - 1e-9]), np.zeros(2))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-4)
    way = pictures.plane(np.linspace(0, models.LENGTH, 3001)[:-1], np.zeros(3000))
    assert abs(np.hypot(*np.diff(way, axis=0).T).sum() - models.LENGTH) < 0.05


@pytest.mark.skipif(shutil.which(run.compiler()[0]) is None, reason="there is no compiler of this name")
def test_the_loop_in_c_keeps_to_the_track_and_off_the_obstacles() -> None:
    task = replace(control.RACE, stages=100, seconds=5.0)
    found = run.drive(task, "portable")
    assert found.states.shape == (500, 5) and found.plans.shape == (50, 21, 5)
    assert found.states[-1, 0] > 14  # two obstacles are behind it
    assert np.abs(found.states[:, 1]).max() < models.WIDTH + 0.05
    obstacles = np.reshape(task.schedule[0][1], (-1, 2))
    assert run.clearance(found.states, obstacles).min() > 0.85
    alone = np.linspace(0, 15, 1000)[:, None] * [1.0, 0, 0, 0, 0]  # the centre line meets them
    assert run.clearance(alone, obstacles).min() < 0.85
    assert (np.abs(found.controls) <= [models.PUSH, models.RATE]).all()
    assert found.reports[-1, 0] < 0.1 and (found.reports[:, 2] == 1).mean() > 0.9
