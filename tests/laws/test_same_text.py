"""A program has one text, whatever was planned before and wherever its nodes lie in memory: its compiled code is found.

A set of nodes is walked by their addresses. A pass that puts something in that order gives another text in every other
process, each of which compiles it anew.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.golden.programs import CASES
from tests.plans import plan_anew


def lorenz(t: Any, y: Any, rho: Any) -> Any:
    a, b, c = y
    return 10.0 * (b - a), a * (rho - c) - b, a * b - 8.0 / 3.0 * c


def solved(y: Any) -> Any:
    """A loop that is given numbers of its lanes and a stored array, both of which it computes with before it begins."""
    times = np.array([0.0, 1.0]) * (y[0] * 0.0 + 5.0)
    return ft.ode.solve(lorenz, times, (y[0], y[1], y[2]), 28.0).y


def stiff(y: Any) -> Any:
    """An implicit method, with a linear system in each round."""
    return ft.ode.solve(lambda t, y: np.stack([y[1], 9 * (1 - y[0] ** 2) * y[1] - y[0]]),
                        np.array([0.0, 1.0]), y, method="esdirk").y  # fmt: skip


def filtered(x: Any) -> Any:
    return ft.scan(lambda c, v: (c * 0.5 + np.sin(v), c), x[0], x[1:] * 2)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "ode": (ft.vmap(solved), (np.ones((9, 3)),)),
    "stiff": (ft.vmap(stiff), (np.ones((9, 2)),)),
    "scan": (ft.vmap(filtered), (np.ones((9, 7)),)),
    "gradient": (ft.grad(lambda x: filtered(x)[0] ** 2), (np.ones(7),)),
    "sparse": (ft.spjacobian(lambda x: x[1:] * np.sin(x[:-1])).values, (np.ones(9),)),
    **{name: (case.function, case.args) for name, case in CASES.items()},
}


@pytest.fixture(scope="module", autouse=True)
def frozen() -> None:
    """What earlier tests left stays: a collection, of which each test makes three, looks at new nodes alone."""
    gc.collect()
    gc.freeze()


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f, args = PROGRAMS[name]
    texts, between = set(), []
    for k in range(3):
        with monkeypatch.context() as patched:
            plan_anew(patched)
            texts.add(ft.jit(f).lower(*args).c_source)
        between.append([object() for _ in range(997 * k)])  # the next nodes lie elsewhere
        gc.collect()
    assert len(texts) == 1
