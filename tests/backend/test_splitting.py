"""What is computed of joined arrays, split at the seams: the same bits, fewer kernels, and bounded copies."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.schedule import passes as schedule
from tests.plans import plan_anew

LINES: dict[str, Callable[[Any], Any]] = {
    "laplacian": lambda x: np.roll(x, 1) - 2 * x + np.roll(x, -1),
    "far": lambda x: np.roll(x, 3) * np.roll(x, -2) + np.sin(np.roll(x, 1)),
    "two results": lambda x: (np.roll(x, 1) * x, np.roll(x, 1) + x),
    "energy": lambda x: ((np.roll(x, 1) - np.roll(x, -1)) ** 2).sum(),
    "running": lambda x: np.cumsum(np.roll(x, 1) * np.roll(x, 2)),
    "other seams": lambda x: np.concatenate([x[:1], x[1:] * 2]) + np.concatenate([x[:-1], x[-1:]]),
    "joined again": lambda x: np.concatenate([x, np.roll(x, 1) * np.roll(x, -1), x[:2]]),
    "chosen": lambda x: np.where(np.roll(x, 1) > 0, np.roll(x, -1), x)[::-1],
    "of sums": lambda x: np.concatenate([np.cumsum(x), x]) + np.concatenate([x, np.cumsum(x)]),
}
GRIDS: dict[str, Callable[[Any], Any]] = {
    "five points": lambda x: np.roll(x, 1, 0) + np.roll(x, -1, 0) + np.roll(x, 1, 1) + np.roll(x, -1, 1) - 4 * x,
    "both at once": lambda x: np.roll(x, (1, 2), (0, 1)) * np.roll(x, 1, 0),
    "padded": lambda x: np.pad(np.roll(x, 1, 1) * np.roll(x, 1, 0), 1),
    "turned": lambda x: (np.roll(x, 1, 0) * np.roll(x, 1, 1)).T,
}


def leaves(result: Any) -> list[np.ndarray]:
    return list(result) if isinstance(result, tuple) else [result]


def same_bits(f: Callable[..., Any], x: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    split = leaves(ft.jit(f)(x))
    with monkeypatch.context() as patched:
        plan_anew(patched)
        patched.setattr(schedule, "split_at_joins", lambda roots: roots)
        whole = leaves(ft.jit(lambda x: f(x))(x))
    for a, b in zip(split, whole, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(np.signbit(a), np.signbit(b))


@pytest.mark.parametrize("name", LINES)
def test_lines(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f, rng = LINES[name], np.random.default_rng(0)
    for n in (0, 1, 2, 5, 12, 40) if name != "energy" else (1, 5, 40):
        x = rng.standard_normal(n)
        for a, b in zip(leaves(ft.jit(f)(x)), leaves(f(x)), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-15)
        same_bits(f, x, monkeypatch)
        rows = rng.standard_normal((5, n))
        mapped = leaves(ft.jit(ft.vmap(f))(rows))
        for k, row in enumerate(rows):
            for a, b in zip(mapped, leaves(f(row)), strict=True):
                np.testing.assert_allclose(a[k], b, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", GRIDS)
def test_grids(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f, rng = GRIDS[name], np.random.default_rng(1)
    for shape in product((1, 3, 17), (2, 9, 16)):
        x = rng.standard_normal(shape)
        np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-13, atol=1e-15)
        same_bits(f, x, monkeypatch)
    with ft.config.override(threads=2):
        x = rng.standard_normal((700, 600))
        np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", ["laplacian", "far", "other seams"])
def test_derivatives(name: str) -> None:
    f, x = LINES[name], np.random.default_rng(2).standard_normal(20)
    jacobian = np.array([(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(20)]).T
    np.testing.assert_allclose(ft.jacrev(f)(x), jacobian, atol=1e-7)
    np.testing.assert_allclose(ft.spjacobian(f)(x).toarray(), jacobian, atol=1e-7)


@pytest.mark.parametrize(
    ("f", "shape", "kernels"),
    [
        (LINES["laplacian"], (1000,), 1),
        (LINES["laplacian"], (1 << 19,), 3),  # so long that threads may share its middle
        (GRIDS["five points"], (30, 40), 1),
        (LINES["two results"], (1000,), 2),
        (LINES["of sums"], (1000,), 2),
    ],
)
def test_kernels(f: Callable[..., Any], shape: tuple[int, ...], kernels: int) -> None:
    assert ft.jit(f).lower(np.ones(shape)).cost().kernels == kernels


def test_nothing_is_stored_but_the_result() -> None:
    x = np.ones((300, 400))
    spent = ft.jit(GRIDS["five points"]).lower(x).cost()
    assert spent.temporaries == 0
    assert spent.bytes_written == x.nbytes
    assert spent.flops == 5 * x.size


def test_many_seams_are_left() -> None:
    f = lambda x: np.concatenate([x[k::20] for k in range(20)]) * 2.0 + np.concatenate([x[100:], x[:100]])  # noqa: E731
    assert len(ft.jit(f).lower(np.ones(400)).c_source) < 20_000
