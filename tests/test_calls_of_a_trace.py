"""What a call of a transform that is not compiled costs: the calls of Python functions, counted and never timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import functrans as ft

X = np.ones((3, 4))


def f(x: Any) -> Any:
    return np.exp(-x * x) * np.where(x > 0, 2 * x, x - 1).sum()


def calls(run: Callable[[], object]) -> int:
    """How many functions, of Python and of C, a call of ``run`` calls when it is not the first one."""
    run()
    run()
    count = 0

    def profile(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


# half of what they were when each call looked up again what a ufunc means and built each node by several calls
MOST: dict[str, tuple[Callable[[], object], int]] = {
    "vmap": (lambda: ft.vmap(f)(X), 3178 // 2),
    "vmap of a ufunc": (lambda: ft.vmap(np.sin)(X), 1130 * 2 // 3),
    "grad": (lambda: ft.grad(lambda x: f(x).sum())(X), 6040 * 3 // 4),
}


@pytest.mark.parametrize("name", MOST)
def test_a_call_that_traces_makes_few_calls(name: str) -> None:
    run, most = MOST[name]
    with ft.config.override(spec=False):
        assert calls(run) <= most
