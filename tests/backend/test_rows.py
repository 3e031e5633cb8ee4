"""Batched code written by hand is one kernel, as the map of the function of one row is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layernorm(x: Any) -> Any:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)


def crossed(x: Any) -> Any:
    e = np.exp(x - x.max(axis=0))  # read along its columns
    return e / e.sum(axis=1, keepdims=True)


def weighted(x: Any) -> Any:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ np.arange(12.0 * x.shape[1]).reshape(x.shape[1], 12)


def shifted(x: Any) -> Any:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e[1:] / e[:-1].sum(axis=1, keepdims=True)


WHOLE: dict[str, tuple[Callable[[Any], Any], int]] = {
    "softmax": (softmax, 1), "layernorm": (layernorm, 1), "twice": (lambda x: layernorm(softmax(x)), 1),
}  # fmt: skip


def draw(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).normal(size=shape)


@pytest.mark.parametrize("rows, n", [(2, 1), (5, 7), (6, 64), (3, 100)])
@pytest.mark.parametrize("name", WHOLE)
def test_one_kernel_and_the_bits_of_the_map(name: str, rows: int, n: int) -> None:
    f, count = WHOLE[name]
    x = draw(rows, n)
    assert len(ft.jit(f).lower(x).kernels) == count
    np.testing.assert_array_equal(ft.jit(f)(x), ft.jit(ft.vmap(f))(x))
    np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-12, atol=1e-13)


def test_softmax_by_hand_has_the_text_of_its_map() -> None:
    x = draw(5, 64)
    by_map = ft.vmap(lambda r: np.exp(r - r.max()) / np.exp(r - r.max()).sum())
    assert ft.jit(softmax).lower(x).c_source == ft.jit(by_map).lower(x).c_source


@pytest.mark.parametrize("f", [crossed, weighted, shifted, lambda x: softmax(x).sum(0), lambda x: softmax(x) @ x.T])
@pytest.mark.parametrize("rows", [1, 2, 40])
def test_other_reads_are_right(f: Callable[[Any], Any], rows: int) -> None:
    x = draw(rows, 40)
    np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-11, atol=1e-13)


def test_a_product_of_matrices_stays_one() -> None:
    x, w = draw(64, 48), draw(2, 48)[0][:, None] * draw(1, 32)
    kernels = ft.jit(lambda x: softmax(np.tanh(x @ w))).lower(x).kernels
    assert len(kernels) == 2  # the product, and all that follows it
    np.testing.assert_allclose(ft.jit(lambda x: softmax(np.tanh(x @ w)))(x), softmax(np.tanh(x @ w)), rtol=1e-11)


def test_a_gradient_taken_outside_of_the_map_is_one_kernel() -> None:
    x = draw(6, 40)
    outside = ft.grad(lambda x: (ft.vmap(softmax, method="rewrite")(x) ** 2).sum())
    inside = ft.vmap(ft.grad(lambda r: (softmax(r) ** 2).sum()))
    assert len(ft.jit(outside).lower(x).kernels) == 1
    np.testing.assert_allclose(ft.jit(outside)(x), inside(x), rtol=1e-11, atol=1e-15)
