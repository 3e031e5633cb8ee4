"""Sums of products inside of a mapped function: in its one kernel, the lanes of the batch as columns of the tiles."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.policy import L1_BYTES, PRODUCT_BLOCK, SUM_ROUNDS, share
from functrans.config import config
from tests.backend.executed import executed

pytestmark = pytest.mark.usefixtures("compiler")


def draw(*shape: int, dtype: str = "float64") -> np.ndarray:
    return (np.random.default_rng(sum(shape)).normal(size=shape) / np.sqrt(shape[-1])).astype(dtype)


def network(weights: Any, x: Any) -> Any:
    for w in weights[:-1]:
        x = np.tanh(w @ x)
    return weights[-1] @ x


def weights_of(*widths: int, dtype: str = "float64") -> list[np.ndarray]:
    return [draw(b, a, dtype=dtype) for a, b in pairwise(widths)]


def mapped(f: Callable[..., Any]) -> Callable[..., Any]:
    return ft.vmap(f, in_axes=(None, 0))


def kernels(f: Callable[..., Any], *args: Any) -> int:
    return len(ft.jit(f).lower(*args).kernels)


WIDTHS = [(40, 33, 11, 2), (PRODUCT_BLOCK + 44, 9, 50), (3, 64, 64, 64, 1), (32, 8, 32)]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("batch", [1, 25, 71])
def test_layers_are_one_kernel(widths: tuple[int, ...], dtype: str, batch: int) -> None:
    weights, x = weights_of(*widths, dtype=dtype), draw(batch, widths[0], dtype=dtype)
    want = np.stack([network(weights, row) for row in x])
    got = np.asarray(ft.jit(mapped(network))(weights, x))
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(got, want, rtol=100 * eps, atol=100 * eps)
    assert kernels(mapped(network), weights, x) == 1


@pytest.mark.parametrize("widths", WIDTHS)
def test_a_row_does_not_know_its_batch_nor_its_threads(widths: tuple[int, ...]) -> None:
    weights, x = weights_of(*widths), draw(100, widths[0])
    f = ft.jit(mapped(network))
    whole = np.asarray(f(weights, x))
    for part in (slice(0, 1), slice(3, 27), slice(60, None)):
        assert np.array_equal(np.asarray(f(weights, x[part])), whole[part])
    before = config.threads
    try:
        config.threads = 3
        assert np.array_equal(np.asarray(ft.jit(mapped(network))(weights, np.tile(x, (40, 1))))[-100:], whole)
    finally:
        config.threads = before


@pytest.mark.parametrize("widths", WIDTHS)
def test_in_a_kernel_or_apart_the_bits_are_the_same(widths: tuple[int, ...]) -> None:
    weights, x = weights_of(*widths), draw(50, widths[0])
    ways = [
        np.asarray(ft.jit(lambda w, x, m=m: ft.vmap(lambda v: network(w, v), method=m)(x))(weights, x))
        for m in ("vmapin", "rewrite", "pad_reduce")
    ]
    assert all(np.array_equal(w, ways[0]) for w in ways)


def test_derivatives_of_a_network_are_one_kernel() -> None:
    weights, x = weights_of(3, SUM_ROUNDS, SUM_ROUNDS + 5, 1), draw(30, 3)

    def scalar(weights: Any, v: Any) -> Any:
        return network(weights, v)[0]

    def hessian(weights: Any, v: Any) -> Any:
        return ft.hessian(lambda z: scalar(weights, z))(v)

    for f in (ft.grad(scalar), ft.grad(scalar, argnums=1), hessian):
        assert kernels(mapped(f), weights, x) == 1
    each = ft.jit(mapped(ft.grad(scalar)))(weights, x)  # records of 3 numbers for a unit are written by each lane
    alone = [ft.grad(scalar)(weights, row) for row in x]
    for k, found in enumerate(each):
        np.testing.assert_allclose(found, np.stack([np.asarray(a[k]) for a in alone]), rtol=1e-11, atol=1e-13)
    h = 1e-5
    got = np.asarray(ft.jit(mapped(hessian))(weights, x))
    slope = ft.jit(mapped(ft.grad(scalar, argnums=1)))
    for k in range(3):
        step = h * np.eye(3)[k]
        np.testing.assert_allclose(
            got[:, :, k], (np.asarray(slope(weights, x + step)) - slope(weights, x - step)) / (2 * h), atol=1e-8
        )


def test_both_floats_in_one_kernel() -> None:
    w, v, x = draw(40, 40), draw(40, 40, dtype="float32"), draw(33, 40)

    def f(x: Any) -> Any:
        a = np.sin(x)
        return np.tanh(w @ a), np.cos((v @ a.astype(np.float32)) * np.float32(2))

    first, second = ft.jit(ft.vmap(f))(x)
    np.testing.assert_allclose(first, np.tanh(np.sin(x) @ w.T), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(second, np.cos(2 * (np.sin(x).astype(np.float32) @ v.T)), rtol=1e-4, atol=1e-5)


def test_maps_in_maps_and_several_rows() -> None:
    w, x = draw(40, 34), draw(6, 5, 34, 3)

    def f(m: Any) -> Any:
        return np.tanh(w @ np.sin(m)).sum(axis=0)

    want = np.tanh(np.einsum("uk,bckj->bcuj", w, np.sin(x))).sum(axis=2)
    np.testing.assert_allclose(ft.jit(ft.vmap(ft.vmap(f)))(x), want, rtol=1e-12)
    np.testing.assert_allclose(ft.jit(ft.vmap(ft.vmap(f), in_axes=1, out_axis=1))(x), want, rtol=1e-12)


def test_what_is_large_is_computed_apart() -> None:
    n = share(L1_BYTES) // 8
    w, x = draw(n, 40), draw(26, 40)

    def f(x: Any) -> Any:
        return np.tanh(w @ np.sin(x)).sum()

    assert kernels(ft.vmap(f), x) > 1
    np.testing.assert_allclose(ft.jit(ft.vmap(f))(x), np.tanh(np.sin(x) @ w.T).sum(axis=1), rtol=1e-11)


@pytest.mark.parametrize("batch", [1, 30])
def test_the_second_oracle_agrees(batch: int) -> None:
    weights, x = weights_of(PRODUCT_BLOCK + 3, 33, 10), draw(batch, PRODUCT_BLOCK + 3)
    graph = ft.jit(mapped(network)).lower(weights, x).graph
    (got,) = executed(graph.outputs, dict(zip(graph.params, (*weights, x), strict=True)))
    np.testing.assert_allclose(got, np.stack([network(weights, row) for row in x]), rtol=1e-12, atol=1e-14)
