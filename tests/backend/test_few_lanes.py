"""Few lanes of a loop go one after the other, with the bits and the text of many; matrices of lanes lie beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend.codegen.vectors.target import Target, written_for
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
MACHINES = [Target(64, True), Target(32, True), Target(16, False)]


def states(n: int, dtype: Any) -> tuple[Callable[..., Any], Any, tuple[Any, ...]]:
    """Lanes have sequences; all states are results."""
    rng = np.random.default_rng(n)
    w, u = (rng.normal(size=(n, n)).astype(dtype) for _ in range(2))
    step = lambda h, x: (np.tanh(w @ h + u @ x),) * 2  # noqa: E731
    return lambda h, xs: ft.scan(step, h, xs), 0, (rng.normal(size=(20, n)), rng.normal(size=(20, 3, n)))


def gradient(n: int, dtype: Any) -> tuple[Callable[..., Any], Any, tuple[Any, ...]]:
    """Lanes have matrices, and a loop backward."""
    rng = np.random.default_rng(n)
    h = rng.normal(size=n).astype(dtype)
    last = lambda w: ft.fori_loop(0, 3, lambda i, h: np.tanh(w @ h) + i, h)  # noqa: E731
    return ft.grad(lambda w: (last(w) ** 2).sum()), 0, (rng.normal(size=(20, n, n)) / np.sqrt(n),)


def axes(n: int, dtype: Any) -> tuple[Callable[..., Any], Any, tuple[Any, ...]]:
    """Arrays have some of the axes of lanes, and a carry is changed in place."""
    rng = np.random.default_rng(n)
    w = rng.normal(size=(n, n)).astype(dtype)

    def f(h: Any, x: Any) -> Any:
        return ft.vmap(lambda y: ft.scan(lambda c, e: (np.sin(w @ c) + x * y, c[0] + e), h, y)[0])(np.stack([x, h]))

    return f, (0, None), (rng.normal(size=(20, n)), rng.normal(size=n))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: f"{8 * m.bytes} bits")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("make", [states, gradient, axes], ids=lambda f: f.__name__)
def test_few_lanes_have_the_bits_of_many(make: Any, dtype: str, machine: Target, tmp_path: Path) -> None:
    with written_for(machine), kept_apart(tmp_path):
        for n in (16, 21, 43):
            f, where, given = make(n, dtype)
            given = tuple(np.asarray(x, dtype) for x in given)
            g, texts = ft.jit(ft.vmap(f, where)), set()
            mapped = where if isinstance(where, tuple) else (0,) * len(given)
            many = g(*given)
            for count in (1, 2, 3, 5, 9, 13):
                few = [x[-count:] if a == 0 else x for x, a in zip(given, mapped, strict=True)]
                texts.add(g.lower(*few).c_source)
                for x, y in zip(tree.leaves(g(*few)), tree.leaves(many), strict=True):
                    np.testing.assert_array_equal(x, y[-count:])
            assert len(texts) == 1
            assert "_alone(" in texts.pop() or n == 43


def _text(machine: Target, f: Any, *args: Any) -> str:
    with written_for(machine):
        return str(ft.jit(ft.vmap(f)).lower(*args).c_source)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: f"{8 * m.bytes} bits")
def test_matrices_of_lanes_are_not_gathered_in_every_round(machine: Target) -> None:
    f = lambda w, h: ft.fori_loop(0, 50, lambda i, h: w @ h, h)  # noqa: E731
    text = _text(machine, f, np.ones((30, 16, 16)), np.ones((30, 16)))
    rounds = text[text.index("for (long long t1_u") : text.index("if (at && (turn -= 1) <= 0)")]
    assert "getrows" not in rounds
    assert "[k]" not in rounds


@pytest.mark.parametrize("n", [41, 64])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_products_of_up_to_64_rows_are_in_lanes(n: int, dtype: str) -> None:
    w, h = np.eye(n, dtype=dtype), np.ones((30, n), dtype)
    text = _text(MACHINES[0], lambda h: ft.fori_loop(0, 50, lambda i, h: np.tanh(w @ h), h), h)
    assert "k0_lanes(" in text and "k0_alone(" in text


def test_functions_of_all_sums_follow_them() -> None:
    w, u, h = np.ones((16, 16)), np.ones((16, 3)), np.ones((30, 16))
    step = lambda h, x: (np.tanh(w @ h + u @ x), None)  # noqa: E731
    text = _text(MACHINES[0], lambda h: ft.scan(step, h, np.ones((9, 3)))[0], h)
    lanes = text[text.index("int k0_lanes(") : text.index("int k0_alone(")]
    assert lanes.count("ft_tanh") == 4  # of two rows and two vectors
    assert "always_inline)) ft_f64x8 ft_tanh" in text  # not as many as are to be called
