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


def wave(x: Any) -> Any:
    return np.exp(np.sin(x) - 1.0)


def circle(x: Any) -> Any:
    h = wave(x)
    a, d = np.tanh(h), np.tan(h)  # the sum of one is in another, either way
    return a, d, wave(x + 1.0) * a.sum() + h, wave(x + 2.0) * d.max() + h


def crosswise(x: Any) -> Any:
    h, g = wave(x), wave(2.0 * x)
    a, d = h * 2.0, g * 3.0
    return a, g + a.sum(), d, h + d.sum()


TOGETHER: dict[str, tuple[Callable[[Any], Any], int]] = {
    "two": (lambda x: (wave(x) * 2.0, wave(x) + x), 1),
    "three": (lambda x: (wave(x) * x, wave(x) + wave(x + 1.0), np.tan(wave(x + 1.0))), 1),
    "jvp": (lambda x: ft.jvp(lambda y: np.sin(y) * wave(y), (x,), (2.0 * x,)), 1),
    "of rows": (lambda x: (softmax(np.atleast_2d(x)) * 2.0, np.tan(softmax(np.atleast_2d(x)))), 1),
}  # fmt: skip


@pytest.mark.parametrize("shape", [(7,), (40, 33)])
@pytest.mark.parametrize("name", TOGETHER)
def test_results_that_share_values_are_one_kernel(name: str, shape: tuple[int, ...]) -> None:
    f, count = TOGETHER[name]
    x = draw(*shape)
    if name != "of rows" or len(shape) == 2:
        assert len(ft.jit(f).lower(x).kernels) == count
    for got, want in zip(ft.jit(f)(x), f(x), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("shape", [(2,), (600,), (9, 40)])
@pytest.mark.parametrize("f", [circle, crosswise])
def test_a_result_that_needs_the_whole_of_another_is_filled_after_it(
    f: Callable[[Any], Any], shape: tuple[int, ...]
) -> None:
    x = draw(*shape)
    for got, want in zip(ft.jit(f)(x), f(x), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)
