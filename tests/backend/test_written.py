"""An extent that another kernel has as a number in its text is known to those that have it as an argument.

Blocks of code that it never enters are left out, and the bits stay; what is a batch stays an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend import plan
from tests.plans import plan_anew


def columns(x: Any) -> Any:
    """Rows of which all elements are known, and sums down their columns."""
    h = np.sqrt(x / np.sum(x, axis=1, keepdims=True))
    return h, np.sum(h, axis=0), np.max(h * h, axis=0)


def run(f: Callable[..., Any], x: Any) -> tuple[str, Any]:
    compiled = ft.jit(f).lower(x).compile()
    return compiled.c_source, compiled(x)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [3, 20, 60])
def test_known_columns_are_computed_by_less_code(n: int, dtype: type, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(n).random((33, n)).astype(dtype)
    plan_anew(monkeypatch)
    text, results = run(columns, x)
    with monkeypatch.context() as patched:
        plan_anew(patched)
        patched.setattr(plan, "written", lambda *_: set())
        longer, others = run(columns, x)
    assert text.count("\n") < longer.count("\n")
    for a, b in zip(results, others, strict=True):
        assert a.tobytes() == b.tobytes()


def test_a_batch_as_long_as_its_rows_has_the_text_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_anew(monkeypatch)
    f = ft.vmap(lambda x: np.sin(x / np.sum(x)) @ np.sin(x) * x)
    assert len({ft.jit(f).lower(np.ones((rows, 16))).c_source for rows in (16, 100)}) == 1
