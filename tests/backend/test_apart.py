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
    monkeypatch.setattr(lowering, "_PASSES", tuple(p for p in lowering._PASSES if p[0] != "apart"))
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
