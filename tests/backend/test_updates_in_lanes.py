"""Updates at places that are known when the code runs, side by side in lanes: against a plain loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.testing.updates import UFUNCS
from tests.laws.references import assert_close

FAR = np.array([0, 1, 2, -1, -3, 3, -4, 2**40, -(2**40), 2**62, -(2**62), 1, 0, -2, 5, 2, 2**31, 7, 1])


def updated(x: Any, at: int, mode: str, value: Any) -> Any:
    x = x.copy()
    if -len(x) <= at < len(x):
        x[at] = UFUNCS[mode](x[at], value)
    return x


def arguments(lanes: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(lanes)
    return rng.normal(size=(lanes, 3)), rng.normal(size=(lanes, 3)), rng.normal(size=lanes), np.resize(FAR, lanes)


@pytest.mark.parametrize("lanes", [2, 19, 37])
@pytest.mark.parametrize("mode", ["add", "max"])
def test_two_updates_under_one_condition(mode: str, lanes: int) -> None:
    """Both are written out in the loop over lanes, and both keep their condition."""

    def f(x: Any, y: Any, v: Any, at: Any) -> Any:
        a, b = (getattr(z.at[at], mode)(v) for z in (x, y))
        return np.cumsum(np.sin(a) * b.sum() + a.sum() * b)

    def reference(x: Any, y: Any, v: Any, at: int) -> Any:
        a, b = (updated(z, at, mode, v) for z in (x, y))
        return np.cumsum(np.sin(a) * b.sum() + a.sum() * b)

    given = arguments(lanes)
    assert_close(ft.vmap(f)(*given), np.stack([reference(*row) for row in zip(*given, strict=True)]))


def test_a_lane_that_updates_nothing_reads_nothing() -> None:
    """Its place may lie anywhere; the tangent goes to the same places."""

    def f(x: Any, v: Any, at: Any) -> Any:
        y = x.at[at].multiply(v)
        return np.cumsum(np.sin(y) / (y * y).sum())

    x, dx, v, at = arguments(35)
    value, slope = ft.vmap(lambda x, dx, v, at: ft.jvp(lambda x: f(x, v, at), (x,), (dx,)))(x, dx, v, at)
    for lane in range(35):
        y, dy = (updated(z[lane], at[lane], "multiply", v[lane]) for z in (x, dx))
        square = (y * y).sum()
        assert_close(value[lane], np.cumsum(np.sin(y) / square))
        assert_close(slope[lane], np.cumsum(np.cos(y) * dy / square - np.sin(y) * 2 * (y * dy).sum() / square**2))
