"""Loops that end in a vector which begins before their end: the same bits, and only where there is work enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen.statements import lower
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import ranged
from functrans.ops import Ops, UOp
from functrans.ops.interpret import interpret
from tests.backend.executed import executed
from tests.plans import plan_anew

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "products": lambda x: np.outer(np.sin(x), x) @ np.outer(x[::-1] + 1.0, np.exp(x)),
    "wave": lambda x: np.sin(x) * np.exp(-x),
    "two": lambda x: (np.exp(x), np.tanh(x) + x[0]),
    "turned": lambda x: np.exp(x[::-1]) + np.sin(x),
    "shifted": lambda x: np.concatenate([np.exp(x[1:]), np.cos(x[:1])]),
    "padded": lambda x: np.pad(np.exp(x), (2, 3)) * np.pad(x, (0, 5)),
    "summed": lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
    "narrow": lambda x: np.exp(x.astype(np.float32)),
    "running": lambda x: np.cumsum(np.exp(x)) + np.log1p(x * x),
    "updated": lambda x: np.bincount((abs(x) * 3).astype(np.int64) % 7, weights=np.exp(x), minlength=7),
}


def rounds(f: Callable[..., Any], *shape: int, of: Ops = Ops.EXP) -> list[int]:
    """The rounds of the loops over exponentials, or other statements."""
    outputs = ft.jit(ft.vmap(f)).lower(np.ones(shape)).graph.outputs
    found: list[int] = []
    open_: list[UOp] = []
    for kernel in kernels(ranged(outputs)):
        for u in lower(kernel).uops:
            if u.op is Ops.RANGE:
                open_.append(u)
            elif u.op is Ops.ENDRANGE:
                open_.pop()
            elif u.op is of:
                found.append(int(open_[-1].src[0].arg))
    return found


def leaves(result: Any) -> list[np.ndarray]:
    return list(result) if isinstance(result, tuple) else [result]


@pytest.mark.parametrize(
    "f, columns, wanted",
    [
        (np.exp, 32, [32]),  # whole vectors
        (np.exp, 30, [30]),  # vectors of our own end in a mask
    ],
)
def test_the_rounds(f: Callable[..., Any], columns: int, wanted: list[int]) -> None:
    assert rounds(f, 3, columns) == wanted


@pytest.mark.parametrize("n, wanted", [(5, [4, 4]), (6, [4, 4]), (7, [4, 4]), (8, [8])])
def test_short_rows_are_narrow_vectors(n: int, wanted: list[int]) -> None:
    assert rounds(lambda x: x @ (x + 1), 3, n, n, of=Ops.STORE) == wanted


def test_little_work_is_left() -> None:
    outputs = ft.jit(ft.vmap(lambda x: x * 2 + 1)).lower(np.ones((3, 31))).graph.outputs
    (kernel,) = kernels(ranged(outputs))
    assert sum(u.op is Ops.RANGE for u in lower(kernel).uops) == 2


@pytest.mark.parametrize("columns", [6, 9, 15, 30, 45])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_bits_are_those_of_one_loop(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch, compiler: None
) -> None:  # fmt: skip
    f = FUNCTIONS[name]
    x = np.random.default_rng(columns).normal(size=(4, columns))
    x[1, -1], x[2, 0] = 1e9, np.nan  # a far argument in the rounds done twice
    plan_anew(monkeypatch)
    made = leaves(ft.jit(ft.vmap(f))(x))
    monkeypatch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p[0] != "overlap"))
    plan_anew(monkeypatch)
    for a, b in zip(made, leaves(ft.jit(ft.vmap(lambda row: f(row)))(x)), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_statements_mean_what_the_graph_means(name: str) -> None:
    x = np.random.default_rng(0).normal(size=(2, 13))
    graph = ft.jit(ft.vmap(FUNCTIONS[name])).lower(x).graph
    values = dict(zip(graph.params, [x], strict=True))
    for got, want in zip(executed(graph.outputs, values), interpret(graph.outputs, values), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5 if name == "narrow" else 1e-13)
