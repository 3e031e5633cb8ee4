"""What is compiled is what is interpreted: random functions, mapped and differentiated, through the whole house."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.testing.pool import numbers
from functrans.testing.programs import RandomProgram as Program
from tests.laws.references import assert_close, interpreted


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_compiled_is_interpreted(seed: int, n: int) -> None:
    """Two programs alone, one under a map and one derivative of a map, in one function: numbers, NaN and infinities."""
    draw = random.Random(seed)
    plain, mapped, pushed = Program(draw, 6), Program(draw, 6), Program(draw, 5)
    rng = np.random.default_rng(seed)
    a = tuple(numbers(rng, s) for s in plain.shapes)
    b = tuple(numbers(rng, (n, *s)) for s in mapped.shapes)
    c = tuple(rng.uniform(-2, 2, (n, *s)) for s in pushed.shapes)
    a = tuple(np.where(rng.random(x.shape) < 0.1, rng.choice([np.nan, np.inf, -np.inf, -0.0]), x) for x in a)

    def f(a: Any, b: Any, c: Any) -> Any:
        return *plain(*a), *ft.vmap(mapped)(*b), *ft.jvp(ft.vmap(pushed), c, c)[1]

    with np.errstate(all="ignore"):
        wanted = interpreted(f, a, b, c)
    for got, w in zip(ft.jit(f)(a, b, c), wanted, strict=True):
        assert_close(got, w, 1e-12, f"{plain}\n{mapped}\n{pushed}")


@pytest.mark.filterwarnings("ignore:this Python loop:functrans.FunctransWarning")
def test_a_chain_of_ten_thousand_runs() -> None:
    """Fault 48, from the user's function to its numbers."""

    def f(x: Any) -> Any:
        y = x
        for _ in range(5_000):
            y = y * 0.5 + x
        return y

    x = np.arange(6.0).reshape(2, 3)
    assert_close(ft.jit(f)(x), f(x), 0.0)


def test_a_kernel_is_not_taken_for_one_without_effect() -> None:
    """gcc 12 at its usual settings removes the call of this kernel, which reads a local array by rows and columns."""
    table = np.arange(64.0).reshape(8, 8) / 7

    def f(x: Any) -> Any:
        return np.outer(x, x), np.outer(x, x) * table

    x = numbers(np.random.default_rng(0), (3, 4, 2))
    cts = tuple(numbers(np.random.default_rng(k), (3, 8, 8)) for k in (1, 2))
    pulled = ft.jit(lambda x, c: ft.vjp(ft.vmap(f), x)[1](c)[0])(x, cts)
    for row, got, a, b in zip(x.reshape(3, 8), pulled, *cts, strict=True):
        both = a + b * table
        assert_close(got, (both @ row + both.T @ row).reshape(4, 2))
