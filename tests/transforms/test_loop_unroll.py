"""unroll= of loops: so many rounds in one of the C loop, the same bits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.regions import lowered, scalar
from tests.plans import kept_apart

XS = np.random.default_rng(5).normal(size=(2, 37))


def scanned(unroll: int | bool) -> Callable[[Any], Any]:
    def f(xs: Any) -> Any:
        return ft.scan(lambda c, x: (np.tanh(0.5 * c + x), c * x), 0.25, xs, unroll=unroll)

    return f


def counted(unroll: int | bool) -> Callable[[Any], Any]:
    return lambda xs: ft.fori_loop(0, 37, lambda i, c: np.tanh(0.5 * c + xs[i]), 0.25, unroll=unroll)


def long_axis(unroll: int | bool) -> Callable[[Any], Any]:
    """A body along an axis of 64 elements: its kernels are called, round by round."""
    return lambda xs: ft.scan(lambda c, x: (0.5 * c + x, c.sum()), np.linspace(0, 1, 64), xs, unroll=unroll)


@pytest.mark.parametrize("unroll, rounds", [(1, 1), (4, 4), (37, 37), (100, 100), (True, 8), (False, 1)])
@pytest.mark.parametrize("loop", [scanned, counted, long_axis])
def test_rounds_are_written_out_with_the_same_bits(loop: Any, unroll: int | bool, rounds: int) -> None:
    plain, written = (ft.jit(ft.vmap(loop(u))) for u in (1, unroll))
    most = scalar.STRAIGHT_STATEMENTS if loop is long_axis else 10**6
    pairs = zip(ft.tree.leaves(plain(XS)), ft.tree.leaves(written(XS)), strict=True)
    assert all(a.tobytes() == b.tobytes() for a, b in pairs)
    once, more = (bodies(f.lower(XS).c_source) for f in (plain, written))
    assert once == 1
    assert more == rounds + (rounds > 1) if rounds <= 8 else 8 < more <= min(rounds, most) + 1


def bodies(text: str) -> int:
    """How often a round is written: a rest that is shorter has a loop of its own."""
    return len(re.findall(r"const long long t\d* = ", text))


@pytest.mark.parametrize("loop", [scanned, long_axis])
def test_an_unrolled_loop_that_is_left_goes_on_where_it_was(
    loop: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    want = ft.tree.leaves(ft.jit(ft.vmap(loop(5)))(XS))
    monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)  # after each round of the C loop
    with kept_apart(tmp_path):
        got = ft.tree.leaves(ft.jit(ft.vmap(loop(5)))(XS))
    assert [x.tobytes() for x in got] == [x.tobytes() for x in want]


def test_a_long_body_is_written_no_oftener_than_the_compiler_can_take() -> None:
    def f(c: Any) -> Any:
        return ft.fori_loop(0, 9, lambda i, c: sum(np.sin(c * k) for k in range(1, 12)) / 12, c, unroll=1000)

    assert 2 < bodies(ft.jit(f).lower(np.ones(30)).c_source) < 200


def test_gradients_of_unrolled_loops() -> None:
    """The loop backward is unrolled as the one forward is."""
    found = []
    for unroll in (1, 5):
        f = ft.jit(ft.grad(lambda xs, unroll=unroll: scanned(unroll)(xs)[1].sum()))
        found.append(f(XS[0]).tobytes())
        assert bodies(f.lower(XS[0]).c_source) == (12 if unroll == 5 else 2)
    assert found[0] == found[1]
