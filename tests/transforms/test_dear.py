"""What a loop backward reads of each round, and what it computes again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft

N, T = 10, 6
RNG = np.random.default_rng(0)
W, V = RNG.normal(size=(N, N)) * 0.5, RNG.normal(size=(3, N))
XS = RNG.normal(size=(4, T, N))
Body = Callable[[Any, Any, Any], Any]

BODIES: dict[str, Body] = {
    "tanh": lambda w, h, x: (np.tanh(w @ h + x), None),
    "cheap": lambda w, h, x: (h + 0.1 * x * h * h, None),
    "gates": lambda w, h, x: (h + (1 / (1 + np.exp(-(w @ h)))) * (np.sin(x * h) - h), np.sqrt(1 + (h * h).sum())),
    "hidden": lambda w, h, x: (h + 0.1 * (V.T @ np.tanh(V @ h)) * x, (w @ h) ** 2),
    "maps": lambda w, h, x: (ft.vmap(lambda a, b: np.exp(np.sin(a) * b) * 0.1)(w @ h, x), None),
}


def loss(body: Body, wrap: Any, how: dict[str, Any]) -> Any:
    def of(w: Any, xs: Any) -> Any:
        h, ys = ft.scan(wrap(lambda h, x: body(w, h, x)), np.full(N, 0.3), xs, **how)
        return (h**2).sum() + (0.0 if ys is None else (ys**2).sum())

    return of


def plain(f: Any) -> Any:
    return f


@pytest.mark.parametrize(("name", "how"), [("gates", {}), ("hidden", {"reverse": True}), ("maps", {})])
def test_law_what_is_stored_has_the_bits_of_what_is_computed_again(name: str, how: dict[str, Any]) -> None:
    stored, again = (ft.value_and_grad(loss(BODIES[name], wrap, how), (0, 1)) for wrap in (plain, ft.checkpoint))
    (y, g), (z, h) = (ft.jit(ft.vmap(f, (None, 0)))(W, XS) for f in (stored, again))
    assert np.array_equal(y, z)
    assert all(np.array_equal(a, b) for a, b in zip(g, h, strict=True))
    assert np.array_equal(ft.jit(stored)(W, XS[1])[1][0], g[0][1])


def cost(body: str, wrap: Any, how: dict[str, Any]) -> Any:
    return ft.jit(ft.grad(loss(BODIES[body], wrap, how), (0, 1))).lower(W, XS[0]).cost()


def test_what_takes_long_is_computed_once_and_below_a_checkpoint_twice() -> None:
    once, twice = cost("hidden", plain, {}), cost("hidden", ft.checkpoint, {})
    assert twice.flops - once.flops >= T * (2 * 3 * N + 2 * N * N)  # both products, whose results are stored
    assert once.temporaries > twice.temporaries


def test_what_is_cheap_is_computed_again() -> None:
    assert cost("cheap", plain, {}).temporaries == cost("cheap", ft.checkpoint, {}).temporaries


def test_snapshots_store_carries_alone() -> None:
    how = {"checkpoint_every": 2}
    assert cost("tanh", plain, how).temporaries <= cost("tanh", ft.checkpoint, how).temporaries
