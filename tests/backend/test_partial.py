"""Long reductions in several accumulators: the same values, better sums, and an order that the extent alone decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.pipeline import Program
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from tests.backend.executed import executed

SIZES = [1, 31, 32, 33, 47, 64, 1000, 4096, 4097, 9001]
KINDS = {"float64": dtypes.float64, "float32": dtypes.float32, "int64": dtypes.int64, "complex128": dtypes.complex128}
REDUCED: dict[Ops, Callable[..., Any]] = {Ops.ADD: np.sum, Ops.MAX: np.max, Ops.MIN: np.min}


def numbers(shape: tuple[int, ...], name: str) -> np.ndarray:
    rng = np.random.default_rng(len(shape) + shape[-1])
    x = rng.normal(size=shape)
    if name == "int64":
        return rng.integers(-9, 9, shape)
    return (x + 1j * rng.normal(size=shape)).astype(name) if name.startswith("complex") else x.astype(name)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("op, name", [(op, k) for op in REDUCED for k in KINDS if op is Ops.ADD or k != "complex128"])
def test_values(op: Ops, name: str) -> None:
    """All sizes in one translation unit: most of a run is compiling; and one long row, which is executed in Python."""
    arrays = [numbers((2 if n < 1000 else 1, n), name) for n in SIZES]
    xs = [source.param(a.shape, KINDS[name]) for a in arrays]
    ys = [B.reduce_axis(x, op, (1,)) for x in xs]
    for got, x, y, a in zip(Program(ys, xs)(arrays), xs, ys, arrays, strict=True):
        want = REDUCED[op](a, axis=1)
        np.testing.assert_allclose(got, want, rtol=1e-5 if name == "float32" else 1e-12, atol=1e-12)
        np.testing.assert_array_equal(executed([y], {x: a})[0], got)


def test_a_reduction_over_two_axes_of_a_value_with_a_loop_of_its_own() -> None:
    a = numbers((40, 7, 50), "float64")
    f = ft.jit(lambda x: np.exp((x @ x.swapaxes(1, 2)) / 100).sum((0, 2)))
    np.testing.assert_allclose(f(a), np.exp((a @ a.swapaxes(1, 2)) / 100).sum((0, 2)), rtol=1e-13)


def test_equal_numbers_add_up() -> None:
    assert abs(ft.jit(np.sum)(np.full(10**6, 0.1)) / 1e5 - 1) < 1e-13


def test_nan_and_infinity_pass() -> None:
    a = np.zeros(100)
    a[77] = np.nan
    assert np.isnan(ft.jit(np.max)(a)) and np.isnan(ft.jit(np.sum)(a))
    a[77] = -np.inf
    assert ft.jit(np.min)(a) == ft.jit(np.sum)(a) == -np.inf


@pytest.mark.parametrize("n", [33, 64, 5000])
def test_a_row_has_the_same_bits_alone_in_a_batch_and_in_any_way_to_map(n: int) -> None:
    a = numbers((6, n), "float64")
    alone = [ft.jit(lambda r: np.exp(r - r.max()).sum())(row) for row in a]
    for method in ("vmapin", "rewrite", "pad_reduce"):
        for kind in ("loop", "outer"):
            for size in (1, 2, 6):
                g = ft.vmap(lambda r: np.exp(r - r.max()).sum(), method=method, axis_type=kind)
                assert g(a[:size]).tolist() == alone[:size]


def test_a_running_sum_stays_in_order() -> None:
    x = source.param((100,), dtypes.float64)
    program = Program([UOp(Ops.CUMULATE, x.dtype, (x,), (Ops.ADD, 0))], [x])
    a = numbers((100,), "float64")
    np.testing.assert_array_equal(program([a])[0], np.add.accumulate(a))


@pytest.mark.usefixtures("compiler")
def test_a_long_sum_inside_of_a_long_sum() -> None:
    a, xs = np.random.default_rng(0).normal(size=(40, 50)), np.random.default_rng(1).normal(size=(5, 50))
    got = ft.jit(ft.vmap(lambda v: np.tanh(a @ v).sum() + v))(xs)
    np.testing.assert_allclose(got, np.tanh(xs @ a.T).sum(1)[:, None] + xs, atol=1e-13)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("shape", [(33, 3), (40, 3, 2), (5, 8)])
def test_a_long_sum_over_axes_that_the_terms_do_not_have(shape: tuple[int, ...]) -> None:
    column = np.random.default_rng(0).uniform(0.9, 1.1, (7, shape[0], *[1] * (len(shape) - 1)))
    for f in (np.sum, np.prod, lambda a: np.sum(a[:1])):
        got = ft.jit(ft.vmap(lambda x, f=f: f(np.broadcast_to(x, shape))))(column)
        np.testing.assert_allclose(got, [f(np.broadcast_to(x, shape)) for x in column], rtol=1e-13)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("shape", [(2, 65), (4, 33), (2, 32), (3, 2, 40), (2, 5000)])
def test_a_long_sum_over_a_short_axis_and_a_long_one(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).uniform(0.99, 1.01, (9, *shape))
    for f in (np.sum, np.prod, np.max, lambda a: np.exp(a - np.max(a)) / np.sum(np.exp(a - np.max(a)))):
        for g in (f, lambda a, f=f: f(np.broadcast_to(a.ravel()[0], shape))):
            got, want = ft.jit(ft.vmap(g))(x), [g(a) for a in x]
            np.testing.assert_allclose(got, want, rtol=1e-11)
            np.testing.assert_array_equal(ft.jit(ft.vmap(g))(x[3:5]), got[3:5])


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", ["float64", "float32", "float16"])
@pytest.mark.parametrize("n", [32, 48, 64, 96, 128, 200])
def test_one_nan_at_any_place_is_the_maximum(n: int, name: str) -> None:
    a = np.random.default_rng(n).normal(size=(n + 1, n)).astype(name)
    a[-1, ::2] = -np.inf
    for k in range(n):
        a[k, k] = -np.nan if k % 2 else np.nan
    for f in (np.max, np.min):
        got = ft.jit(ft.vmap(f))(a)
        assert np.isnan(got[:-1]).all() and got[-1] == f(a[-1])
        np.testing.assert_array_equal(ft.jit(lambda x, f=f: f(x, axis=1))(a), got)


@pytest.mark.parametrize("n", [32, 64, 128, 160])
def test_softmax_of_a_few_rounds_stores_and_sums_every_element(n: int) -> None:
    a = numbers((5, n), "float64")
    e = np.exp(a - a.max(1, keepdims=True))
    softmax = ft.vmap(lambda r: np.exp(r - r.max()) / np.exp(r - r.max()).sum())
    np.testing.assert_allclose(ft.jit(softmax)(a), e / e.sum(1, keepdims=True), rtol=1e-14)
