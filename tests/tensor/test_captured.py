"""Arrays that a traced function meets again are one node, so what is made of them is made once; and only those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp

RNG = np.random.default_rng(3)
A, X = RNG.normal(size=(4, 4)), RNG.normal(size=4)


def _buffers(f: Callable[..., Any], *args: Any) -> int:
    return ft.make_graph(f)(*args).ops().get("BUFFER", 0)


def test_a_product_that_is_written_again_is_computed_once() -> None:
    def softmax(x: Any) -> Any:
        return np.exp(A @ x - np.max(A @ x)) / np.sum(np.exp(A @ x - np.max(A @ x)))

    ops = ft.make_graph(softmax)(X).ops()
    assert (ops["BUFFER"], ops["MUL"], ops["EXP"]) == (1, 1, 1)
    np.testing.assert_allclose(ft.jit(softmax)(X), softmax(X), rtol=1e-14)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: A * x + np.where(A > 0, x, A) * A.copy(), lambda x: np.linalg.solve(A, x) + np.linalg.solve(A, x * x),
        lambda x: np.einsum("ij,j", A, x) + np.dot(A, x) + A.astype(np.float64) @ x,
        lambda x: ft.fori_loop(0, 3, lambda i, x: A @ x - np.tanh(A @ x), x),
        lambda x: ft.grad(lambda x: np.sum(np.sin(A @ x)) * np.sum(A @ x))(x),
    ],
)  # fmt: skip
def test_every_kind_of_operand(f: Callable[..., Any]) -> None:
    more = {"where": 2}.get("where" if "where" in f.__code__.co_names else "", 1)  # the condition is an array too
    assert _buffers(f, X) == more


def test_other_contents_are_other_nodes() -> None:
    a = np.array([1.0, 0.0, np.nan, 2.0])

    def f(x: Any) -> Any:
        b = a.copy()
        y = b * x
        b[0] = 5.0  # what was captured stays as it was
        return y + b * x, np.copysign(1.0, -np.abs(a * 0.0) * x), (b == 2) * x, b.reshape(2, 2) * x[:2]

    for got, want in zip(ft.jit(f)(X), f(X), strict=True):
        np.testing.assert_array_equal(got, want)
    zero = np.zeros(3)
    got = ft.jit(lambda x: (zero * x, -zero * x))(np.ones(3))
    assert np.signbit(got[1]).all() and not np.signbit(got[0]).any()
    assert _buffers(lambda x: zero * x + zero.astype(np.float32) * x, np.ones(3)) == 2


def test_long_arrays_that_differ_in_one_place() -> None:
    long = np.zeros(100_003)
    others = [long.copy() for _ in range(3)]
    for k, other in enumerate(others):
        other[50_001 + k] = k + 1
    got = ft.jit(lambda x: [long * x, *(o * x for o in others), long * x + others[0] * x])(np.ones(100_003))
    for k, row in enumerate(got):
        assert row.sum() == [0, 1, 2, 3, 1][k]
    assert _buffers(lambda x: long * x + others[0] * x + long.copy() * x, np.ones(100_003)) == 2


def test_tensors_that_are_made_have_memory_of_their_own() -> None:
    def f(x: Any) -> Any:
        a, b, c = ft.Tensor(np.zeros(3)), ft.Tensor(np.zeros(3)), np.zeros(3) * x
        a.assign(x)
        return a, b, c, fnp.array(np.zeros(3)).assign(x + 1), np.zeros(3) + x

    for got, want in zip(ft.jit(f)(np.arange(3.0)), ([0, 1, 2], [0] * 3, [0] * 3, [1, 2, 3], [0, 1, 2]), strict=True):
        assert got.tolist() == want
