"""unroll= of loops: so many rounds in one of the C loop, the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft

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
    pairs = zip(ft.tree.leaves(plain(XS)), ft.tree.leaves(written(XS)), strict=True)
    assert all(a.tobytes() == b.tobytes() for a, b in pairs)
    text = written.lower(XS).c_source
    assert text.count(f"#pragma GCC unroll {rounds}\n") == (rounds > 1), text
    assert text.replace(f"#pragma GCC unroll {rounds}\n", "").split() == plain.lower(XS).c_source.split()


def test_gradients_of_unrolled_loops() -> None:
    """The loop backward is unrolled as the one forward is."""
    found = []
    for unroll in (1, 5):
        f = ft.jit(ft.grad(lambda xs, unroll=unroll: scanned(unroll)(xs)[1].sum()))
        found.append(f(XS[0]).tobytes())
        assert f.lower(XS[0]).c_source.count("#pragma GCC unroll 5\n") == 2 * (unroll == 5)
    assert found[0] == found[1]
