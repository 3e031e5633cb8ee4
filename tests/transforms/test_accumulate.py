"""Cotangents of windows and of reads, added up: side by side, where they overlap, in place, and where they count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.laws.test_cost_law import sets, updates

X = np.linspace(0.2, 1.1, 24)
ORDER = np.random.default_rng(3).permutation(24)


def kept_apart(x: Any) -> Any:
    """Reciprocals of zeros in branches that are not taken, read by windows that overlap."""
    y = 1 / (x - x[3])
    parts = [np.where(np.abs(x[i : i + 2] - x[3]) > 1e-9, y[i : i + 2], 0.0).sum() for i in range(len(x) - 1)]
    return sum(parts) + (x[3] ** 2)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "each": lambda x: sum(np.sin(a) for a in x),
    "neighbors": lambda x: sum(x[i] * x[i + 1] ** 2 for i in range(len(x) - 1)),
    "some": lambda x: sum(x[i] ** 3 for i in range(2, 20, 3)) + (x[5:9] ** 2).sum(),
    "overlapping": lambda x: sum(x[i : i + 3].prod() for i in range(len(x) - 2)),
    "steps": lambda x: sum(np.sin(x[k::5]).prod() for k in range(5)) + x[20:3:-4].prod() * (x[7:19:5] ** 2).sum(),
    "steps of a table": lambda x: sum((x.reshape(4, 6)[i::3, j:5:2] ** 3).sum() for i in range(3) for j in range(3)),
    "rows and columns": lambda x: (lambda a: sum(a[i, j] * a[j, i] for i in range(4) for j in range(i + 1)))(
        x.reshape(4, 6)
    ),
    "blocks": lambda x: (lambda a: sum(a[i : i + 2, j : j + 2].prod() for i in range(3) for j in range(5)))(
        x.reshape(4, 6)
    ),
    "split": lambda x: np.concatenate([x[:5] ** 2, np.sin(x[5:9]), x[9:] ** 3]).sum(),
    "split with the whole": lambda x: (x**2 * np.concatenate([x[:5] ** 2, x[5:]])).sum(),
    "updates": lambda x: updates(x).sum(),
    "sets": lambda x: (sets(x) ** 2).sum(),
    "reads and windows": lambda x: sum((x[ORDER] * x).sum() * x[k] for k in range(8)) + (x[ORDER[:7]] ** 2).sum(),
    "branches": lambda x: sum(np.where(x[i] > 0.5, x[i] ** 2, np.log(x[i])) for i in range(len(x))),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_forward_mode(name: str) -> None:
    f = PROGRAMS[name]
    forward = ft.jacfwd(f)(X)
    np.testing.assert_allclose(ft.grad(f)(X), forward, rtol=1e-12, atol=1e-12)
    batch = np.stack([X, 2 * X, X[::-1]])
    each = [ft.jacfwd(f)(x) for x in batch]
    np.testing.assert_allclose(ft.vmap(ft.grad(f))(batch), each, rtol=1e-12, atol=1e-12)
    total = ft.grad(lambda b: ft.vmap(f)(b).sum())(batch)
    np.testing.assert_allclose(total, each, rtol=1e-12, atol=1e-12)


CURVED = ["neighbors", "overlapping", "steps", "rows and columns", "updates", "reads and windows"]


@pytest.mark.parametrize("name", CURVED)
def test_second_derivatives(name: str) -> None:
    f = PROGRAMS[name]
    want = ft.jacfwd(ft.jacfwd(f))(X)
    np.testing.assert_allclose(ft.jacrev(ft.grad(f))(X), want, rtol=1e-11, atol=1e-11)


def test_a_branch_that_is_not_taken_stays_out_of_windows() -> None:
    found = ft.grad(kept_apart)(X)
    assert np.isfinite(found).all()
    step = 1e-6 * np.eye(24)
    with np.errstate(divide="ignore"):
        want = [(kept_apart(X + s) - kept_apart(X - s)) / 2e-6 for s in step]
    mask = np.arange(24) != 3
    np.testing.assert_allclose(found[mask], np.asarray(want)[mask], rtol=1e-4)


def test_reads_at_a_range_from_lanes_within_lanes() -> None:
    table = np.arange(12).reshape(3, 4)

    def f(x: Any) -> Any:
        return ft.vmap(lambda row: ft.vmap(lambda i: x[i] * x[(i * 5) % 24] ** 2)(row).prod())(table).sum()

    def plain(x: Any) -> Any:
        return (x[table] * x[(table * 5) % 24] ** 2).prod(1).sum()

    np.testing.assert_allclose(ft.grad(f)(X), ft.jacfwd(plain)(X), rtol=1e-12)
    batch = np.stack([X, 1 + X])
    np.testing.assert_allclose(ft.vmap(ft.grad(f))(batch), [ft.jacfwd(plain)(x) for x in batch], rtol=1e-12)
