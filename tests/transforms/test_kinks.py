"""Derivatives where there is none: both modes make the choice of the table in the docs, and leak no NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp

INF = np.inf


def softplus_like(x: Any) -> Any:
    top = x.max()
    return np.log(np.exp(x - top).sum()) + top


def shared(x: Any) -> Any:
    y = np.log(x)  # infinite at 0, where neither branch that reads it is taken
    return np.where(x > 1, y, np.where(x > 0.5, 2 * y * y, 0.0)).sum()


def moved(x: Any) -> Any:
    y = np.flip(np.stack([1 / x, np.sqrt(x)]).reshape(2, -1).T, 0)
    return np.where((x > 0)[::-1, None], y, 0.0).sum()


# name: function, point, derivative by each argument
KINKS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]] = {
    "abs": (np.abs, (0.0,), (1.0,)),
    "abs of -0": (np.abs, (-0.0,), (1.0,)),
    "maximum": (np.maximum, (2.0, 2.0), (0.5, 0.5)),
    "minimum": (np.minimum, (2.0, 2.0), (0.5, 0.5)),
    "max": (np.max, ([1.0, 3.0, 3.0, 3.0],), ([0.0, 1 / 3, 1 / 3, 1 / 3],)),
    "min": (np.min, ([1.0, 3.0, 1.0],), ([0.5, 0.0, 0.5],)),
    "running max": (lambda x: np.maximum.accumulate(x)[-1], ([2.0, 2.0, 1.0],), ([0.5, 0.5, 0.0],)),
    "relu": (lambda x: np.maximum(x, 0.0), (0.0,), (0.5,)),
    "clip": (lambda x: np.clip(x, 0.0, 1.0).sum(), ([0.0, 0.5, 1.0, 2.0],), ([0.5, 1.0, 0.5, 0.0],)),
    "sign": (np.sign, (0.0,), (0.0,)),
    "sqrt": (np.sqrt, (0.0,), (INF,)),
    "cbrt": (np.cbrt, (0.0,), (INF,)),
    "log": (np.log, (0.0,), (INF,)),
    "hypot": (np.hypot, (0.0, 0.0), (0.0, 0.0)),
    "arctan2": (np.arctan2, (0.0, 0.0), (0.0, 0.0)),
    "arctan2, tiny": (np.arctan2, (3e-200, 4e-200), (4e200 / 25, -3e200 / 25)),
    "arctan2, huge": (np.arctan2, (3e200, 4e200), (4e-200 / 25, -3e-200 / 25)),
    "arctan2, infinite": (np.arctan2, (1.0, INF), (0.0, 0.0)),
    "std": (np.std, ([2.0, 2.0],), ([0.0, 0.0],)),
    "x**0": (lambda x: x**0, (0.0,), (0.0,)),
    "x**1": (lambda x: x**1, (0.0,), (1.0,)),
    "x**2": (lambda x: x**2, (0.0,), (0.0,)),
    "x**y, y=0": (lambda x: np.power(x, fnp.asarray(0.0) * x), (2.0,), (0.0,)),
    "x**y at 0": (np.power, (0.0, 2.0), (0.0, 0.0)),
    "prod": (np.prod, ([0.0, 3.0, 2.0],), ([6.0, 0.0, 0.0],)),
    "prod, two zeros": (np.prod, ([0.0, 3.0, 0.0],), ([0.0, 0.0, 0.0],)),
    "cumprod": (lambda x: np.cumprod(x).sum(), ([0.0, 3.0, 2.0],), ([10.0, 0.0, 0.0],)),
    "logaddexp": (np.logaddexp, (1.0, 1.0), (0.5, 0.5)),
    "logaddexp at -inf": (np.logaddexp, (-INF, 1.0), (0.0, 1.0)),
    "logsumexp": (softplus_like, ([1.0, 1.0, -INF],), ([0.5, 0.5, 0.0],)),
    "where, root": (lambda x: np.where(x > 0, np.sqrt(x), 0.0).sum(), ([0.0, 0.25, -1.0],), ([0.0, 1.0, 0.0],)),
    "where, the other way": (lambda x: np.where(x <= 0, 0.0, np.log(x)).sum(), ([0.0, 0.25],), ([0.0, 4.0],)),
    "where, twice": (shared, ([0.0, 0.75, 2.0],), ([0.0, 4 * np.log(0.75) / 0.75, 0.5],)),
    "where, moved": (moved, ([0.0, 1.0, 4.0],), ([0.0, -0.5, -1 / 16 + 0.25],)),
    "where, mapped": (
        lambda x: ft.vmap(lambda e: np.where(e > 0, 1 / np.sqrt(e), 1.0))(x).sum(), ([0.0, 1.0],), ([0.0, -0.5],)
    ),
    "where, outside of the map": (
        lambda x: np.where(x > 0, ft.vmap(np.sqrt)(x), 1.0).sum(), ([0.0, 1.0],), ([0.0, 0.5],)
    ),
    "norm": (np.linalg.norm, ([0.0, 0.0],), ([0.0, 0.0],)),
    "x log x": (lambda x: np.where(x > 0, x * np.log(x), 0.0).sum(), ([0.0, 1.0],), ([0.0, 1.0],)),
}  # fmt: skip


@pytest.mark.parametrize("name", KINKS)
def test_both_modes_choose_alike(name: str) -> None:
    f, at, wanted = KINKS[name]
    xs = tuple(np.asarray(x) for x in at)
    for k, (got, w) in enumerate(zip(ft.vjp(f, *xs)[1](1.0), wanted, strict=True)):
        np.testing.assert_allclose(got, w, rtol=1e-14, err_msg="backward")
        forward = ft.jacfwd(lambda x, k=k: f(*xs[:k], x, *xs[k + 1 :]))(xs[k])  # type: ignore[misc]
        np.testing.assert_allclose(forward, w, rtol=1e-14, err_msg="forward")


def test_second_derivatives_leak_nothing_either() -> None:
    def f(x: Any) -> Any:
        return np.where(x > 0, x * np.sqrt(x), 0.0).sum()

    for outer in (ft.jacfwd, ft.jacrev):
        for inner in (ft.jacfwd, ft.jacrev):
            np.testing.assert_allclose(outer(inner(f))(np.array([0.0, 4.0])), [[0.0, 0.0], [0.0, 0.375]])


def test_nan_and_infinity_are_not_simplified_away() -> None:
    """A product with zero, a difference of equals: NaN and infinities are kept, in values and in derivatives."""
    x = np.array([np.nan, INF, 1.0])
    np.testing.assert_array_equal(ft.jit(lambda x: x * 0.0)(x), [np.nan, np.nan, 0.0])
    np.testing.assert_array_equal(ft.jit(lambda x: x - x)(x), [np.nan, np.nan, 0.0])
    np.testing.assert_array_equal(ft.grad(lambda x: (x * x * 0.0).sum())(x), [np.nan, np.nan, 0.0])
    np.testing.assert_array_equal(ft.grad(lambda x: np.sin(x).sum())(x), [np.nan, np.nan, np.cos(1.0)])
