"""What follows reductions, for many rows at once: another order of rows, the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen.statements import lower
from functrans.ops import Ops
from tests.backend.executed import run
from tests.plans import plan_anew


def logsumexp(x: Any) -> Any:
    return x.max() + np.log(np.exp(x - x.max()).sum())


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "logsumexp": logsumexp,
    "two results": lambda x: (x.sum(), np.sin(x.sum()) * x[0]),
    "powers": lambda x: np.tanh((x * x).sum()) ** 2.5 + (x > 0).any() * 1.0,
    "narrow": lambda x: np.exp(x.astype(np.float32).sum()),
}


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_anew(monkeypatch)
    monkeypatch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p[0] != "tail"))


def leaves(result: Any) -> list[np.ndarray]:
    return list(result) if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("rows", [0, 1, 31, 32, 33, 100])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_bits_are_those_of_one_row_after_the_other(name: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    f = FUNCTIONS[name]
    x = np.random.default_rng(rows).normal(size=(rows, 40))
    tiled = leaves(ft.jit(ft.vmap(f))(x))
    without(monkeypatch)
    for a, b in zip(tiled, leaves(ft.jit(ft.vmap(lambda row: f(row)))(x)), strict=True):
        np.testing.assert_array_equal(a, b)
    for k in range(0, rows, 17):
        for a, b in zip(tiled, leaves(f(x[k])), strict=True):
            np.testing.assert_allclose(a[k], b, rtol=1e-5 if name == "narrow" else 1e-12)


def test_statements_mean_the_same() -> None:
    x = np.random.default_rng(0).normal(size=(70, 40))
    (kernel,) = ft.jit(ft.vmap(logsumexp)).lower(x).kernels
    low = lower(kernel)
    assert any(u.op is Ops.DEFINE_LOCAL and u.arg.elements == 32 for u in low.uops)
    out = np.zeros(70)
    run(low, [x.reshape(-1), out])
    np.testing.assert_allclose(out, ft.vmap(logsumexp)(x), rtol=1e-14)


@pytest.mark.parametrize("f", [
    lambda x: np.exp(x).sum() * 2.0,  # nothing to wait for
    lambda x: np.exp(x - np.log(x.sum())),  # a loop follows
    lambda x: np.bincount(np.array([0, 1] * 20), weights=x, minlength=2),
])  # fmt: skip
def test_other_loops_stay(f: Callable[[Any], Any]) -> None:
    x = np.random.default_rng(0).uniform(1, 2, (50, 40))
    for kernel in ft.jit(ft.vmap(f)).lower(x).kernels:
        assert all(u.arg.elements != 32 for u in lower(kernel).uops if u.op is Ops.DEFINE_LOCAL)
    np.testing.assert_allclose(ft.vmap(f)(x), [f(row) for row in x], rtol=1e-12)


def test_a_map_in_a_map() -> None:
    x, y = np.random.default_rng(1).normal(size=(5, 48)), np.random.default_rng(2).normal(size=(37, 48))
    f = ft.vmap(ft.vmap(lambda p, q: logsumexp(p * q), in_axes=(None, 0)), in_axes=(0, None))
    np.testing.assert_allclose(f(x, y), [[logsumexp(p * q) for q in y] for p in x], rtol=1e-12)
