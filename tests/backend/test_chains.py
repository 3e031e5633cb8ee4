"""Sums that take the elements of a record in another order than they lie in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lower as lowering
from tests.plans import plan_anew

RNG = np.random.default_rng(3)
SIZES = (1, 4, 7, 9, 16, 31, 100)


def text(f: Any, *args: Any) -> str:
    return str(ft.jit(f).lower(*args).c_source)


@pytest.mark.parametrize("width", [2, 3, 4, 8])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64])
def test_a_sum_from_the_end_of_each_row(width: int, dtype: Any) -> None:
    xs = [(RNG.normal(size=(n, width)) * 50).astype(dtype) for n in SIZES]

    def sums(*xs: Any) -> Any:
        return [(np.stack([x[:, ::-1]], -3), np.sum(x[:, ::-1]), np.sum(x[:, ::-1] * 3)) for x in xs]

    for got, want in zip(ft.jit(sums)(*xs), sums(*xs), strict=True):
        for g, w in zip(got, want, strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-4 if dtype is np.float32 else 1e-11, atol=1e-3)


def test_the_compiler_leaves_these_loops_and_no_others() -> None:
    x = RNG.normal(size=(9, 4))
    assert "__asm__" in text(lambda x: (np.stack([x[:, ::-1]], -3), np.sum(x[:, ::-1])), x)
    assert "__asm__" not in text(np.sum, x)
    assert "__asm__" not in text(lambda x: (np.stack([x[:, ::-1]], -3), np.sum(x[:, ::-1])), x.astype(np.int64))
    assert "__asm__" not in text(ft.vmap(lambda x: np.sum(x[::-1] * 3)), x)  # the sum of one round


def test_large_records_are_put_together_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where little is computed for each number; vectors of small records, and of what takes longer, are worth it."""
    plan_anew(monkeypatch)
    left = tuple(p for p in lowering.STATEMENTS if p.name not in ("vectors", "lanes"))
    monkeypatch.setattr(lowering, "STATEMENTS", left)
    x = RNG.normal(size=(20, 40))

    def is_alone(fields: int, times: int) -> bool:
        def f(x: Any) -> Any:
            return np.stack([sum([x[k - j] for j in range(1, times + 1)], x[k]) for k in range(fields)], axis=1)

        np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-13)
        return '__asm__("");' in text(f, x)

    assert [is_alone(*of) for of in ((20, 1), (20, 2), (3, 1))] == [True, False, False]


def test_sums_by_many_lists_are_added_up_one_by_one() -> None:
    """Compilers put vectors of them together at length. Those of few, and of what is computed, are worth it."""
    x, lists = RNG.normal(size=300), RNG.integers(0, 300, (12, 50))

    def is_alone(times: int, g: Any = lambda x: x) -> bool:
        def f(x: Any) -> Any:
            return sum([g(x[at]) for at in lists[1:times]], g(x[lists[0]]))

        np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-13)
        return '__asm__("");' in text(f, x)

    assert [is_alone(k) for k in (7, 8, 12)] == [False, True, True]
    assert is_alone(8, lambda x: 2 * x)
    assert not is_alone(8, lambda x: np.sqrt(x * x + 1))
