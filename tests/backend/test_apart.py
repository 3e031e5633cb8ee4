"""Components laid out apart: what is read at a stride again and again is copied once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lanes
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen.split import split
from functrans.backend.codegen.statements import lower
from functrans.ops import Ops
from tests.plans import plan_anew

CHOSEN = lanes.chosen


@pytest.fixture(autouse=True)
def no_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the lanes off: they lay components apart themselves."""
    monkeypatch.setattr(lanes, "chosen", lambda uops: ())
    plan_anew(monkeypatch)


def distances(x: Any, y: Any) -> Any:
    of_two = ft.vmap(lambda p, q: np.exp(-np.sum((p - q) ** 2)), in_axes=(None, 0))
    return ft.vmap(of_two, in_axes=(0, None))(x, y)


def within(x: Any) -> Any:
    """For each set of a batch, the distances from each point to each."""
    return ft.vmap(distances)(x, x)


def points(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).normal(size=shape)


def arrays(f: Any, *args: np.ndarray) -> list[int]:
    return [
        u.arg.elements for k in ft.jit(f).lower(*args).kernels for u in lower(k).uops if u.op is Ops.DEFINE_LOCAL
    ]  # fmt: skip


@pytest.mark.parametrize("n, m, d", [(5, 16, 3), (1, 33, 2), (0, 20, 3), (3, 2000, 4)])
def test_values_are_those_without_copies(n: int, m: int, d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = points(n, d), points(m, d)
    got = ft.jit(distances)(x, y)
    np.testing.assert_allclose(got, np.exp(-((x[:, None] - y[None]) ** 2).sum(2)), rtol=1e-13)
    assert arrays(distances, x, y) == ([m] * d if n else [])  # without points there is nothing to lay apart
    monkeypatch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p[0] != "apart"))
    plan_anew(monkeypatch)  # the plan of the same graph with the pass
    np.testing.assert_array_equal(ft.jit(lambda a, b: distances(a, b))(x, y), got)


def test_the_copy_stands_in_the_loop_that_it_depends_on() -> None:
    x = points(4, 17, 3)
    np.testing.assert_allclose(ft.jit(within)(x), np.exp(-((x[:, :, None] - x[:, None]) ** 2).sum(3)), rtol=1e-13)
    assert arrays(within, x) == [17] * 3
    (kernel,) = ft.jit(within).lower(x).kernels
    uops = lower(kernel).uops
    first = next(k for k, u in enumerate(uops) if u.op is Ops.RANGE)
    assert first < next(k for k, u in enumerate(uops) if u.op is Ops.DEFINE_LOCAL)


@pytest.mark.parametrize("f, args", [
    (distances, (points(4, 3), points(15, 3))),  # short
    (lambda x: ft.vmap(lambda p: np.exp(p[0] - p[1]))(x), (points(64, 2),)),  # read once
    (distances, (points(2, 1), points(64, 1))),  # side by side already
    (distances, (points(2, 2), points(70_000, 2))),  # too large
])  # fmt: skip
def test_no_copy_where_it_does_not_pay(f: Any, args: tuple[np.ndarray, ...]) -> None:
    assert arrays(f, *args) == []


@pytest.mark.usefixtures("compiler")
def test_threads_share_the_loop_behind_the_copies() -> None:
    x, y = points(3000, 3), points(50, 3)
    (kernel,) = ft.jit(distances).lower(x, y).kernels
    found = split(kernel, lower(kernel))
    assert found is not None and found.before > 0 and found.grain * found.weight >= 16 * found.before
    whole = ft.jit(distances)(x, y)
    np.testing.assert_array_equal(ft.jit(distances)(x[:7], y), whole[:7])


def defects(z: Any) -> Any:
    """What a Runge-Kutta step lacks of the next state, over 20 steps: z is 21 states of 2, then 20 controls."""

    def slope(x: Any, u: Any) -> Any:
        return np.stack([(1 - x[1] ** 2) * x[0] - x[1] + u, x[0]])

    def step(x: Any, u: Any) -> Any:
        k1 = slope(x, u)
        k2 = slope(x + 0.05 * k1, u)
        k3 = slope(x + 0.05 * k2, u)
        k4 = slope(x + 0.1 * k3, u)
        return x + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    states, controls = z[:42].reshape(21, 2), z[42:]
    return (ft.vmap(step)(states[:-1], controls) - states[1:]).reshape(-1)


@pytest.mark.parametrize("partition", ["row", "column"])
def test_a_read_that_stands_in_several_places(partition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read inside of a loop, where it is one of a column, may also stand beside it, where it is not."""
    monkeypatch.setattr(lanes, "chosen", CHOSEN)
    z = np.random.default_rng(0).normal(size=(3, 62))
    values = ft.spjacobian(defects, method="compressed", partition=partition).values
    np.testing.assert_allclose(ft.vmap(values)(z), np.stack([values(row) for row in z]), rtol=1e-12)
