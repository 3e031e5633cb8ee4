"""Kernels that go through strips of their steps together: what is computed is what each of them computes alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import strips as strips_module
from functrans.backend.codegen import unit as unit_module
from functrans.backend.schedule.memory import plan_memory
from functrans.config import config
from tests.plans import plan_anew

SIZE = 60_000
SMALL = 2**15  # bytes of a second cache: of two arrays strips of 512 steps

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture(autouse=True)
def _short_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (strips_module, unit_module):
        monkeypatch.setattr(module, "L2_BYTES", SMALL)
    plan_anew(monkeypatch)


def chain(seed: int) -> Callable[[Any], tuple[Any, ...]]:
    """Stencils one after the other, each of values that are worth an array; some of their ends are results, too."""
    rng = np.random.default_rng(seed)
    stages = [rng.integers(0, 7, size=rng.integers(2, 4)) for _ in range(rng.integers(2, 4))]
    ends = [(int(rng.integers(1, 5)), bool(rng.integers(2))) for _ in stages]
    first = float(rng.uniform(0.3, 1.0))

    def f(x: Any) -> tuple[Any, ...]:
        found, y = [], np.tanh(first * x)
        for offsets, (some, behind) in zip(stages, ends, strict=True):
            found.append(0.5 * (y[-some:] if behind else y[:some]))
            n = y.shape[0] - 7
            parts = [y[k : k + n] * (1.0 + 0.1 * j) for j, k in enumerate(offsets)]
            y = np.sin(sum(parts[1:], parts[0]))
        return (y[3:] - y[:-3], *found)

    return f


def found(f: Callable[..., Any], *args: Any) -> list[strips_module.Strips]:
    """The groups of kernels of a function."""
    return ft.jit(f).lower(*args).program.plan.strips


@pytest.mark.parametrize("seed", range(3))
def test_strips_are_the_whole(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    f, x = chain(seed), np.random.default_rng(seed).normal(size=SIZE)
    groups = found(f, x)
    assert groups
    assert any(g.near and max(high for _, high in g.sides) for g in groups)
    compiled, expected = ft.jit(f), f(x)
    one = compiled(x)
    monkeypatch.setattr(config, "threads", 2)
    two = compiled(x)
    for a, b, c in zip(one, two, expected, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=1e-12, atol=1e-13)


def test_kernels_that_go_together_take_no_more_memory() -> None:
    """And no buffer shares any with another one that some of the kernels use."""

    def f(x: Any) -> Any:
        y = np.tanh(x)
        for _ in range(3):
            y = np.sin(y[2:] * y[:-2])
        return y[1:] - y[:-1]

    plan = ft.jit(f).lower(np.zeros(SIZE)).program.plan
    assert plan.strips
    assert plan.memory.size == plan_memory(plan.kernels, plan.results, 0).size == 2 * 8 * SIZE
    slices = dict(zip(plan.memory.buffers, plan.memory.slices, strict=True))
    for group in plan.strips:
        used = {b for n in group.numbers for b in (*plan.kernels[n].roots, *plan.kernels[n].reads)}
        assert all(a[1] <= b[0] for a, b in pairwise(sorted(slices[b] for b in used & set(slices))))


def test_what_goes_around_is_apart() -> None:
    """The first step reads what the last one of the kernel before leaves."""

    def f(x: Any) -> Any:
        z = np.sin(np.roll(np.tanh(x), 1) * x)
        return np.roll(z, 1) - np.roll(z, -2)

    plan = ft.jit(f).lower(np.zeros(SIZE)).program.plan
    assert all(group.numbers[-1] < len(plan.kernels) - 1 for group in plan.strips)


@pytest.mark.parametrize("elsewhere", [np.arange(SIZE // 2, SIZE // 2 + 4), slice(SIZE // 2, SIZE // 2 + 4)])
def test_what_is_read_elsewhere_is_complete(elsewhere: Any) -> None:
    def f(x: Any) -> tuple[Any, Any]:
        y = np.tanh(x)
        z = np.sin(y[2:] * y[:-2])
        return z[1:] - z[:-1], y[elsewhere] * 2

    (group,) = found(f, np.zeros(SIZE))
    assert len(group.near) == 1  # z


def test_what_is_given_back_is_complete() -> None:
    def f(x: Any) -> tuple[Any, Any]:
        y = np.tanh(x)
        z = np.sin(y[2:] * y[:-2])
        return z[1:] - z[:-1], y

    (group,) = found(f, np.zeros(SIZE))
    assert len(group.near) == 1
    x = np.linspace(-2.0, 2.0, SIZE)
    for a, b in zip(ft.jit(f)(x), f(x), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-13)
