"""Values sorted alone: the bits of a gather by the stable order, in every dtype, size, layout and on any machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.backend.pipeline import Program
from functrans.backend.schedule.in_order import in_order
from functrans.config import config
from functrans.errors import SpecError
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops.interpret import interpret
from functrans.ops.uop import toposort
from functrans.tensor import order
from tests.backend.executed import executed
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
REAL = [d for d in dtypes.ALL if d.kind != "c"]
# about each number of vectors that registers hold, and more
SIZES = [
    2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 128, 129, 130, 192, 193, 256, 257, 385, 512, 513,
    1000, 5000,
]  # fmt: skip


def in_place(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """What sorting means here."""
    return np.take_along_axis(x, np.argsort(x, axis, kind="stable"), axis)


def lines(n: int, dtype: dtypes.DType) -> np.ndarray:
    """Lines of n: any bits, few values, all equal, backwards, up and down, zeros of both signs, NaN of any payload."""
    rng = np.random.default_rng(n)
    size = dtype.itemsize
    bits = rng.integers(0, 256, (8, n * size), dtype=np.uint8)
    x = (bits & 1).astype(bool) if dtype.kind == "b" else bits.view(dtype.numpy)
    if n == 0:
        return x
    x[1] = rng.integers(0, 3, n)
    x[2] = x[2, 0]
    x[3] = np.sort(x[3])[::-1]
    x[4] = np.minimum(np.arange(n), np.arange(n)[::-1]) % 100
    x[5] = np.sort(x[5])
    if dtype.kind == "f":
        x[6] = rng.choice([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf], n)
        x[7] = np.where(rng.random(n) < 0.5, x[0], rng.choice([0.0, -0.0, np.nan], n))
        x[7, 0] = np.nan
        x[1] -= 1.5
    return x


def same(got: Any, want: np.ndarray) -> None:
    """Equal to the bit."""
    found = np.ascontiguousarray(got)
    assert found.dtype == want.dtype
    assert found.shape == want.shape
    assert found.tobytes() == want.tobytes()


def sorts(f: Any, *args: Any) -> set[str]:
    """Which of both ops a compiled function is made of."""
    c = ft.jit(f).lower(*args).c_source
    return {name for name in ("ft_sort", "ft_argsort") if name in c}


@pytest.mark.parametrize("dtype", REAL, ids=lambda d: d.name)
def test_every_dtype_and_size(dtype: dtypes.DType) -> None:
    bound = {source.param((8, n), dtype): lines(n, dtype) for n in SIZES}
    roots = [order.sort(p) for p in bound]
    assert not any(u.op is Ops.ARGSORT for u in toposort(in_order(roots)))
    with np.errstate(invalid="ignore"):
        meant = interpret(roots, bound)
        for got, want, x in zip(Program(roots, list(bound))(list(bound.values())), meant, bound.values(), strict=True):
            same(got, want)
            # by a sort of its own: that of NumPy for float16 in vectors has mistakes
            np.testing.assert_array_equal(got, np.sort(x, -1, kind="stable"))


@pytest.mark.parametrize("dtype", [dtypes.float64, dtypes.float32, dtypes.int64, dtypes.int32], ids=lambda d: d.name)
def test_every_small_size(dtype: dtypes.DType) -> None:
    bound = {source.param((8, n), dtype): lines(n, dtype) for n in range(131)}
    roots = [order.sort(p) for p in bound]
    for got, x in zip(Program(roots, list(bound))(list(bound.values())), bound.values(), strict=True):
        same(got, in_place(x))


@pytest.mark.parametrize("dtype", [dtypes.float64, dtypes.uint64, dtypes.int32], ids=lambda d: d.name)
def test_vectors_of_32_bytes(dtype: dtypes.DType, tmp_path: Path) -> None:
    bound = {source.param((8, n), dtype): lines(n, dtype) for n in (5, 16, 33, 100, 1000)}
    with kept_apart(tmp_path), written_for(Target(32, masks=True)):
        program = Program([order.sort(p) for p in bound], list(bound))
        for got, x in zip(program(list(bound.values())), bound.values(), strict=True):
            same(got, in_place(x))


def test_statements_mean_the_same() -> None:
    x = source.param((8, 9), dtypes.float64)
    a = lines(9, dtypes.float64)
    same(executed([order.sort(x)], {x: a})[0], in_place(a))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_axes_layouts_and_maps(axis: int) -> None:
    a = np.random.default_rng(axis).choice([0.0, -0.0, 1.5, -2.0, np.nan, 3.0, np.inf], (9, 20, 6))
    for x in (a, a[::-1, ::2, 1:], np.asfortranarray(a), a.transpose(2, 0, 1)):
        same(ft.jit(lambda t: np.sort(t, axis))(x), in_place(np.ascontiguousarray(x), axis))
        for mapped in (0, 1):
            want = np.stack([in_place(y, mapped) for y in np.moveaxis(x, axis, 0)])
            for method in ("vmapin", "rewrite", "pad_reduce"):
                f = ft.vmap(lambda t, k=mapped: np.sort(t, k), axis, method=method)
                same(ft.jit(f)(x), want)


def test_bits_of_a_row_in_every_batch_and_any_threads() -> None:
    row = lines(300, dtypes.float64)
    want = in_place(row)
    f = ft.jit(ft.vmap(np.sort))
    for threads in (1, 2):
        with config.override(threads=threads):
            for times in (1, 3, 400):
                got = f(np.tile(row, (times, 1)))
                same(got[-8:], want)
                same(got[:8], want)


def test_where_values_alone_are_sorted() -> None:
    x = np.linspace(1.0, 2.0, 12).reshape(3, 4)
    alone = {"ft_sort"}
    assert sorts(np.sort, x) == sorts(lambda t: np.sort(t, 0), x) == alone
    assert sorts(np.median, x) == sorts(lambda t: np.quantile(t, 0.3, axis=0), x) == alone
    assert sorts(ft.vmap(np.sort), x) == sorts(ft.vmap(np.sort, 1), x) == alone
    assert sorts(lambda t: t[0][np.argsort(t[0])], x) == alone
    assert sorts(lambda t: np.sort(np.sort(t * t, 0), 1), x) == alone
    assert sorts(lambda t: np.sort(t[:, ::-1].T), x) == alone


@pytest.mark.parametrize("shape", [(1, 5), (5, 1), (1, 1, 5), (5, 1, 3), (1, 5, 1), (2, 1)])
def test_axes_of_one_element(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    for axis, n in enumerate(shape):
        same(ft.jit(lambda t, k=axis: np.sort(t, k))(x), np.sort(x, axis))
        assert sorts(lambda t, k=axis: np.sort(t, k), x) == ({"ft_sort"} if n > 1 else set())


def test_where_positions_are_read() -> None:
    x = np.linspace(1.0, 2.0, 12).reshape(3, 4)
    order_too = {"ft_argsort"}
    assert sorts(lambda t: (np.sort(t), np.argsort(t)), x) == order_too
    assert sorts(lambda t: ft.jvp(np.sort, (t,), (t * t,)), x) == order_too
    assert sorts(ft.grad(lambda t: np.sum(np.sort(t) ** 2)), x) == order_too
    assert sorts(lambda t: np.take_along_axis(t, np.argsort(-t), 1), x) == order_too
    assert sorts(lambda t: np.take_along_axis(t, np.argsort(t[::-1]), 1), x) == order_too
    assert sorts(lambda t: np.take_along_axis(t + 1, np.argsort(t), 1), x) == order_too
    assert sorts(lambda t: t[np.argsort(t[:, 0])], x) == order_too
    assert sorts(np.sort, x * 1j) == order_too


def test_gathers_by_another_order_stay() -> None:
    x = np.random.default_rng(0).normal(size=(4, 4))
    for f in (
        lambda t: np.take_along_axis(t, np.argsort(t, 1), 0),
        lambda t: np.take_along_axis(t.T, np.argsort(t, 1), 1),
        lambda t: np.take_along_axis(t, np.argsort(t, 1)[::-1], 1),
        lambda t: np.take_along_axis(t, np.argsort(t, 1)[:, ::-1], 1),
        lambda t: np.take_along_axis(t, np.argsort(t, 1)[:, 1:3], 1),
        lambda t: t[np.argsort(t[0]), np.argsort(t[1])],
        lambda t: t[0][np.argsort(t[1])],
    ):
        same(ft.jit(f)(x), np.asarray(f(x)))


def test_derivatives() -> None:
    x = np.random.default_rng(1).normal(size=7)
    at = np.argsort(x)

    def f(t: Any) -> Any:
        return np.sum(np.sort(t) ** 3 * np.arange(7.0))

    weights = np.empty(7)
    weights[at] = np.arange(7.0)
    np.testing.assert_allclose(ft.jit(ft.grad(f))(x), 3 * weights * x**2, rtol=1e-13)
    np.testing.assert_allclose(ft.jit(ft.hessian(f))(x), np.diag(6 * weights * x), rtol=1e-13)
    value, tangent = ft.jit(lambda t: ft.jvp(np.sort, (t,), (t * t,)))(x)
    same(value, np.sort(x))
    same(tangent, (x * x)[at])
    assert ft.spjacobian(np.sort).pattern(x).nnz == 49


def bad_for_the_pivots(n: int, lanes: int) -> tuple[np.ndarray, int]:
    """A line whose samples are its least elements, division after division, and how many of these there are."""
    values, some, steps = np.full(n, -1.0), 2 * lanes, 0
    here, given = np.arange(n), 0.0
    while here.size > 16 * lanes:
        taken = here[here.size // some * np.arange(some) + here.size // some // 2]
        for k in taken:
            if values[k] < 0:
                values[k], given = given, given + 1
        pivot = np.sort(values[taken])[lanes]
        below = (values[here] >= 0) & (values[here] < pivot)
        full = here.size // lanes * lanes
        kept = [here[i : i + lanes][~below[i : i + lanes]] for i in range(0, full, lanes)]
        kept += [here[i : i + 1][~below[i : i + 1]] for i in range(full, here.size)]
        here, steps = np.concatenate(kept[::-1]), steps + 1
    values[values < 0] = given + np.arange(np.sum(values < 0))[::-1]
    return values, steps


@pytest.mark.parametrize("dtype", [dtypes.float64, dtypes.float32, dtypes.uint64, dtypes.int32], ids=lambda d: d.name)
def test_pivots_that_divide_nothing(dtype: dtypes.DType) -> None:
    n = 3000
    x, steps = bad_for_the_pivots(n, 64 // dtype.itemsize)
    assert steps > 2 * n.bit_length()  # deeper than the quicksort goes by itself
    same(ft.jit(np.sort)(x.astype(dtype.numpy)), np.sort(x).astype(dtype.numpy))


def test_wrong_nodes() -> None:
    with pytest.raises(SpecError, match="no axis to sort along"):
        UOp(Ops.SORT, dtypes.float64, (source.param((), dtypes.float64),))
    with pytest.raises(SpecError, match="expected float64"):
        UOp(Ops.SORT, dtypes.int64, (source.param((3,), dtypes.float64),))
    with pytest.raises(SpecError, match="by their positions alone"):
        UOp(Ops.SORT, dtypes.complex128, (source.param((3,), dtypes.complex128),))
