"""Products of matrices and their kin: found in the graph, computed by tiles, equal to NumPy's and to themselves."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.backend.policy import BLOCK_ROWS, PRODUCT_BLOCK, SHORT_ROUNDS, SUM_ROUNDS
from functrans.backend.schedule import contractions
from functrans.backend.schedule.parts import is_global
from functrans.config import config
from functrans.ops import AxisType, Ops
from functrans.ops.uop import toposort
from tests.backend.executed import executed
from tests.plans import kept_apart, plan_anew

pytestmark = pytest.mark.usefixtures("compiler")


def draw(*shape: int, dtype: str = "float64") -> np.ndarray:
    rng, what = np.random.default_rng(sum(shape)), np.dtype(dtype)
    if what.kind in "iu":
        return rng.integers(np.iinfo(what).min, np.iinfo(what).max, shape, what)
    return rng.normal(size=shape).astype(dtype)


def products(f: Callable[..., Any], *args: Any) -> list[int]:
    """For each kernel how many sums of products it takes by tiles."""
    kernels = ft.jit(f).lower(*args).kernels
    inside = [toposort(k.roots, lambda u, k=k: u in k.roots or not is_global(u)) for k in kernels]
    return [sum(u.op is Ops.WMMA for u in nodes) for nodes in inside]


def tiled(f: Callable[..., Any], *args: Any) -> list[bool]:
    """For each kernel whether it computes by tiles."""
    return [n > 0 for n in products(f, *args)]


def close(got: Any, want: Any) -> None:
    want = np.asarray(want)
    got = np.asarray(got)
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype.kind in "iu":
        np.testing.assert_array_equal(got, want)
        return
    eps = np.finfo(want.dtype).eps
    np.testing.assert_allclose(got, want, rtol=200 * eps, atol=200 * eps * max(1.0, np.abs(want).max(initial=0)))


def both(f: Callable[..., Any], *args: Any, tiles: int = 1) -> None:
    """Compiled it is what NumPy computes, and ``tiles`` kernels work by tiles."""
    close(ft.jit(f)(*args), f(*args))
    assert sum(products(f, *args)) == tiles


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint64"])
@pytest.mark.parametrize("m, k, n", [
    (2, 9, 2), (3, 10, 5), (8, 16, 24), (9, 17, 25),
    (BLOCK_ROWS + 1, 40, 7), (2 * BLOCK_ROWS + 3, PRODUCT_BLOCK + 1, 49), (5, 2 * PRODUCT_BLOCK, 8), (70, 300, 600),
])  # fmt: skip
def test_sizes_that_are_no_multiples_of_tiles(m: int, k: int, n: int, dtype: str) -> None:
    both(lambda a, b: a @ b, draw(m, k, dtype=dtype), draw(k, n, dtype=dtype))


@pytest.mark.parametrize("width", [32, 16, 8])
def test_tiles_of_narrower_vectors_have_the_same_bits(width: int, tmp_path: Path) -> None:
    """A part of a tile at a time, where registers are few; number by number where there are no vectors."""
    shapes, kinds = ((37, 40), (40, 51), (37, 600)), ("float64", "float32", "int64", "uint32")
    args = [draw(*shape, dtype=dtype) for dtype in kinds for shape in shapes]

    def f(a: Any, b: Any, c: Any, *others: Any) -> Any:
        return (a @ b, a.T @ c, *(f(*others) if others else ()))

    want = ft.jit(f)(*args)
    with kept_apart(tmp_path), written_for(Target(width, masks=width > 16)):
        got = ft.jit(lambda *args: f(*args))(*args)
    for x, y in zip(got, want, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("m, k, n", [(0, 20, 3), (3, 20, 0), (3, 0, 3), (3, SHORT_ROUNDS, 3)])
def test_nothing_to_sum_or_little(m: int, k: int, n: int) -> None:
    both(lambda a, b: a @ b, draw(m, k), draw(k, n), tiles=0)


@pytest.mark.parametrize("f", [
    lambda a, b: a.T @ b, lambda a, b: a @ b.T, lambda a, b: a.T @ b.T, lambda a, b: a[::-1] @ b[:, ::-1],
    lambda a, b: a[::2, ::2] @ b[::2, 1:], lambda a, b: (-a) @ b - a @ (-b), lambda a, b: a @ a.T + b.T @ b,
])  # fmt: skip
def test_operands_that_are_views(f: Callable[..., Any]) -> None:
    a, b = draw(80, 80), draw(80, 80) + 1
    close(ft.jit(f)(a, b), f(a, b))
    assert any(tiled(f, a, b))


def test_what_comes_before_and_after() -> None:
    a, b, c = draw(70, 90), draw(90, 50), draw(50)
    both(lambda a, b, c: np.tanh(a @ b + c), a, b, c)
    assert len(tiled(lambda a, b, c: np.tanh(a @ b + c), a, b, c)) == 1
    both(lambda a, b, c: np.exp(-a * a) @ np.sin(b) * c, a, b, c)
    both(lambda a, b, c: np.where(a > 0, a, 0.5) @ b, a, b, c)
    both(lambda a, b, c: (a @ b).sum(axis=1) + c.sum(), a, b, c)
    both(lambda a, b, c: a @ (b @ b.T) @ b, a, b, c, tiles=3)


@pytest.mark.parametrize("seed", range(5))
def test_random_einsums(seed: int) -> None:
    rng = random.Random(seed)
    sizes = {c: rng.choice([1, 2, 3, 5, 9, 13, 33]) for c in "abcdef"}
    first = rng.sample("abcd", rng.randint(2, 4))
    second = [rng.choice(first), *rng.sample("ef", rng.randint(1, 2)), *rng.sample(first, 1)]
    second = list(dict.fromkeys(second))
    rng.shuffle(second)
    shared = [c for c in first if c in second]
    kept = [c for c in dict.fromkeys(first + second) if c != shared[0]]
    rng.shuffle(kept)
    text = f"{''.join(first)},{''.join(second)}->{''.join(kept)}"
    sizes[shared[0]] = rng.choice([SHORT_ROUNDS + 1, 20, 70])
    a, b = (draw(*(sizes[c] for c in labels)) for labels in (first, second))
    close(ft.jit(lambda a, b: np.einsum(text, a, b))(a, b), np.einsum(text, a, b))
    long = {c for c in sizes if sizes[c] > 1}
    outer = long & set(first) - set(second), long & set(second) - set(first)
    assert any(tiled(lambda a, b: np.einsum(text, a, b), a, b)) == all(outer)


def test_sums_over_several_axes_and_windows() -> None:
    a, b = draw(6, 4, 5, 7), draw(4, 7, 9, 5)
    both(lambda a, b: np.einsum("iklm,kmjl->ij", a, b), a, b)
    both(lambda a, b: np.tensordot(a, b, ([1, 2, 3], [0, 3, 1])), a, b)
    x, w = draw(3, 12), draw(5, 3, 4)

    def convolved(x: Any, w: Any) -> Any:
        return sum(np.einsum("ct,oc->ot", x[:, k : k + 9], w[:, :, k]) for k in range(4))

    close(ft.jit(convolved)(x, w), convolved(x, w))


def test_batches() -> None:
    both(lambda a, b: a @ b, draw(4, 3, 10, 12), draw(3, 12, 11))
    both(lambda a, b: np.einsum("bqhd,bkhd->bhqk", a, b), draw(2, 9, 3, 16), draw(2, 10, 3, 16))


METHODS = ["vmapin", "rewrite", "pad_reduce"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("f, k", [
    (lambda a, x: a @ x, SHORT_ROUNDS + 1), (lambda a, x: a @ x, 70), (lambda a, x: a @ np.tanh(x), SUM_ROUNDS - 1),
    (lambda a, x: np.tanh(a @ np.sin(x)) @ a, 2 * SUM_ROUNDS), (lambda a, x: (a @ x).sum() + x, 40),
])  # fmt: skip
def test_a_row_does_not_know_its_batch(f: Callable[..., Any], k: int, method: str) -> None:
    a, xs = draw(k, k), draw(BLOCK_ROWS + 9, k)
    mapped = ft.jit(lambda a, x: ft.vmap(lambda v: f(a, v), method=method)(x))
    whole = np.asarray(mapped(a, xs))
    close(whole, np.stack([f(a, x) for x in xs]))
    for part in (slice(0, 1), slice(5, 8), slice(BLOCK_ROWS - 3, None)):
        assert np.array_equal(np.asarray(mapped(a, xs[part])), whole[part])
    first = ft.jit(lambda a, x: ft.vmap(lambda v: f(a, v))(x))
    assert np.array_equal(np.asarray(first(a, xs)), whole)


@pytest.mark.parametrize("method", METHODS)
def test_launches_do_not_change_bits(method: str) -> None:
    a, xs, ms = draw(30, 20), draw(6, 20), draw(6, 20, 9)

    def ways(f: Callable[[Any], Any], x: Any) -> list[np.ndarray]:
        kinds = (AxisType.LOOP, AxisType.OUTER)
        return [np.asarray(ft.jit(ft.vmap(f, method=method, axis_type=kind))(x)) for kind in kinds]

    for f, x in ((lambda v: a @ v, xs), (lambda v: np.tanh(a @ np.sin(v)) @ a, xs), (lambda m: a @ m, ms)):
        looped, launched = ways(f, x)
        assert np.array_equal(looped, launched)
        close(looped, np.stack([f(row) for row in x]))


@pytest.mark.parametrize("seed", range(6))
def test_nested_maps_agree(seed: int) -> None:
    rng = random.Random(seed)
    shapes = [[12, rng.choice([2, 5, 9])], [12, rng.choice([2, 5, 9])]]
    axes = [rng.randrange(3), rng.randrange(3)]
    x, y = (draw(*s[:k], 3 + i, *s[k:]) for i, (s, k) in enumerate(zip(shapes, axes, strict=True)))

    def f(u: Any, v: Any) -> Any:
        return np.tanh(u.T @ (v * 0.5))

    plain = np.stack([
        np.stack([f(np.take(x, i, axes[0]), np.take(y, j, axes[1])) for i in range(x.shape[axes[0]])])
        for j in range(y.shape[axes[1]])
    ])  # fmt: skip
    results = []
    for method in METHODS:
        inner = ft.vmap(f, in_axes=(axes[0], None), method=method)
        results.append(np.asarray(ft.jit(ft.vmap(inner, in_axes=(None, axes[1]), method=method))(x, y)))
    close(results[0], plain)
    assert all(np.array_equal(r, results[0]) for r in results)


def test_columns_do_not_know_their_tile() -> None:
    a, b = draw(20, 300), draw(300, 100)
    whole = np.asarray(ft.jit(lambda a, b: a @ b)(a, b))
    for n in (2, 7, 8, 23, 25, 51, 64, 99):
        assert np.array_equal(np.asarray(ft.jit(lambda a, b: a @ b)(a, b[:, :n].copy())), whole[:, :n])
        assert np.array_equal(np.asarray(ft.jit(lambda a, b: (b.T @ a.T).T)(a, b[:, :n].copy())), whole[:, :n])


def test_another_batch_is_the_same_text() -> None:
    f = ft.jit(ft.vmap(lambda a, x: np.tanh(a @ x), in_axes=(None, 0)))
    a = draw(30, 20)
    texts = {f.lower(a, draw(n, 20)).c_source for n in (1, 2, 64, 65, 1000)}
    assert len(texts) == 1


@pytest.mark.parametrize("shape", [(300, 200, 100), (1, 200, 300), (70, 600, 30)])
def test_threads_do_not_change_bits(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    a, b = draw(m, k), draw(k, n)
    before = config.threads
    results = []
    try:
        for threads in (1, 2, 3):
            config.threads = threads
            results.append(np.asarray(ft.jit(lambda a, b: np.exp(-np.abs(a @ b)))(a, b)))
    finally:
        config.threads = before
    assert all(np.array_equal(r, results[0]) for r in results)


def test_not_a_number_and_infinity() -> None:
    a, b = np.zeros((10, 40)), draw(40, 30)
    b[3, 4], b[5, 6], a[7, 8] = np.nan, np.inf, -np.inf
    with np.errstate(all="ignore"):
        got, want = np.asarray(ft.jit(lambda a, b: a @ b)(a, b)), a @ b
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    np.testing.assert_allclose(got[~np.isnan(want)], want[~np.isnan(want)], rtol=1e-13)


def test_sums_of_nothing_but_minus_zero_are_zero() -> None:
    a, b = np.full((9, 9), -0.0), np.ones((9, 9))
    for f in (lambda a, b: a @ b, lambda a, b: (-a) @ b):
        assert not np.signbit(np.asarray(ft.jit(f)(a, b))).any()


def test_other_dtypes_are_summed_as_before() -> None:
    for dtype in ("int8", "bool", "complex128"):
        a, b = (np.asarray(x * 3).astype(dtype) for x in (np.abs(draw(10, 20)), np.abs(draw(20, 12))))
        close_enough = np.asarray(ft.jit(lambda a, b: a @ b)(a, b))
        np.testing.assert_allclose(close_enough, a @ b, rtol=1e-12)
        assert not any(tiled(lambda a, b: a @ b, a, b))


def test_no_contraction_where_a_factor_has_nothing_of_its_own() -> None:
    a, x = draw(20, 30), draw(30)
    both(lambda a, x: a @ x, a, x, tiles=0)
    both(lambda a, x: (a * a).sum(axis=1), a, x, tiles=0)
    both(lambda a, x: np.einsum("ij,ij->i", a, a), a, x, tiles=0)


def test_short_sums_stay_in_the_kernel_of_a_mapped_function() -> None:
    a, xs = draw(SUM_ROUNDS - 1, SUM_ROUNDS - 1), draw(50, SUM_ROUNDS - 1)

    def f(x: Any) -> Any:
        return (a @ np.tanh(a @ x)).sum()

    assert len(ft.jit(ft.vmap(f)).lower(xs).kernels) == 1
    assert tiled(ft.vmap(lambda x: np.tanh(a.T @ x)), xs)[-1]


def test_gradients_of_a_network_are_products() -> None:
    x, y, w, v = draw(300, 24), draw(300, 5), draw(24, 32), draw(32, 5)

    def loss(w: Any, v: Any) -> Any:
        d = np.tanh(x @ w) @ v - y
        return (d * d).sum()

    gw, gv = ft.jit(ft.grad(loss, argnums=(0, 1)))(w, v)
    h = np.tanh(x @ w)
    d = 2 * (h @ v - y)
    close(np.asarray(gv) / 300, h.T @ d / 300)
    close(np.asarray(gw) / 300, x.T @ (d @ v.T * (1 - h * h)) / 300)
    assert sum(tiled(ft.grad(loss, argnums=(0, 1)), w, v)) == 4  # the fifth sums over 5


def test_a_derivative_along_both_factors() -> None:
    a, b, da, db = (draw(70, 70) + k for k in range(4))
    got = ft.jit(lambda a, b, da, db: ft.jvp(lambda a, b: a @ b, (a, b), (da, db))[1])(a, b, da, db)
    close(got, da @ b + a @ db)


def test_the_second_oracle_agrees() -> None:
    a, b = draw(11, 20), draw(20, 13)
    for f in (lambda a, b: a @ b, lambda a, b: np.tanh(b.T @ a.T + 1)):
        graph = ft.jit(f).lower(a, b).graph
        (got,) = executed(graph.outputs, dict(zip(graph.params, (a, b), strict=True)))
        close(got, f(a, b))


def test_the_kernel_says_what_it_sums() -> None:
    lowered = ft.jit(lambda a, b: a @ b).lower(draw(100, 30), draw(30, 40))
    assert "products over 30" in repr(lowered.kernels[0])
    assert lowered.cost().flops == 2 * 100 * 30 * 40


def test_packing_is_shared_by_products_with_one_matrix() -> None:
    a, b, c = draw(300, 300), draw(300, 300), draw(300, 300)
    made = tiled(lambda a, b, c: (a @ c.T, b @ c.T), a, b, c)
    assert sum(made) == 2 and len(made) - sum(made) <= 1


def test_a_tall_matrix_is_not_copied_for_a_product_with_itself() -> None:
    """Nor is what is computed of it stored twice; nor that of one block of rows, or of few columns."""
    x, w = draw(20_000, 20), draw(20_000)
    both(lambda x: x.T @ x, x)
    assert tiled(lambda x: x.T @ x, x) == [True]
    assert sum(not t for t in tiled(lambda x: np.exp(x).T @ np.exp(x), x)) == 1
    assert tiled(lambda x: np.cov(x, rowvar=False), x).count(True) == 1
    close(ft.jit(lambda x, w: (x.T * w) @ x)(x, w), (x.T * w) @ x)
    assert tiled(lambda a, x: a @ x, draw(20, 20_000), draw(20_000, 60)) == [True]


@pytest.mark.covering(1)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_few_columns_are_put_side_by_side_in_the_kernel_of_the_product(dtype: str, order: Any, tmp_path: Path) -> None:
    """No copy of a tall matrix is filled up to vectors in memory; the sums have the bits of those in wider tiles."""
    for n, k in ((SUM_ROUNDS, 3), (300, 2), (PRODUCT_BLOCK + 1, 4), (3000, 5)):
        wide = draw(n, 40, dtype=dtype)
        x, w = np.asarray(wide[:, :k], order=order), draw(n, dtype=dtype)
        with written_for(Target(64, masks=True)), kept_apart(tmp_path):
            whole = 64 // x.itemsize
            assert tiled(lambda x: x.T @ x, x) == ([True] if 2 * k < whole else [False, True])
        for f in (lambda x: x.T @ x, lambda x, w=w: (x.T * w) @ x):
            close(ft.jit(f)(x), f(x))
            assert np.asarray(ft.jit(f)(x)).tobytes() == np.asarray(ft.jit(f)(wide))[:k, :k].tobytes()
            batch = np.stack([x, 2 * x + 1])
            for axis in (0, 1, 2):
                got = np.asarray(ft.jit(ft.vmap(f, in_axes=axis))(np.ascontiguousarray(np.moveaxis(batch, 0, axis))))
                assert got[0].tobytes() == np.asarray(ft.jit(f)(x)).tobytes()


def test_no_factor_is_stored_that_is_larger_than_what_it_is_computed_from() -> None:
    def f(x: Any, w: Any, y: Any) -> Any:
        return ((x[:, None, :] * w[None, :, :])[:, :, None, :] * y).sum(axis=3)

    for k, tiles in ((20, 1), (PRODUCT_BLOCK + 1, 0)):
        x, w, y = draw(5, k), draw(6, k), draw(3, k)
        close(ft.jit(f)(x, w, y), f(x, w, y))
        assert sum(tiled(f, x, w, y)) == tiles


SYMMETRIC: dict[str, Callable[[Any], Any]] = {
    "by its transpose": lambda a: np.swapaxes(a, -1, -2) @ a,
    "rows": lambda a: a @ np.swapaxes(a, -1, -2),
    "more is done to it": lambda a: (
        np.exp(-(np.swapaxes(a, -1, -2) @ a) / 9) * np.arange(a.shape[-1]) + np.eye(a.shape[-1])
    ),
    "of what is computed": lambda a: np.einsum("...ki,...kj->...ji", np.sin(a), np.sin(a)),
}


@pytest.mark.parametrize("name", SYMMETRIC)
@pytest.mark.parametrize(
    "shape", [(40, 7), (33, 20), (300, 50), (50, 65), (3, 40, 35), (600, 130), (9, 200), (64, 64), (2, 11, 11)], ids=str
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_half_of_a_symmetric_product_is_computed(
    name: str, shape: tuple[int, ...], dtype: Any, compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = np.random.default_rng(shape).normal(size=shape).astype(dtype)
    f = SYMMETRIC[name]
    found = ft.jit(f)(a)
    tiles = [u.arg for k in ft.jit(f).lower(a).kernels for s in k.stores for u in toposort((s,)) if u.op is Ops.WMMA]
    assert all(t.symmetric for t in tiles)
    plan_anew(monkeypatch)
    monkeypatch.setattr(contractions, "are_alike", lambda *of: False)
    np.testing.assert_array_equal(found, ft.jit(lambda a: f(a))(a))
    np.testing.assert_allclose(found, f(a.astype(np.float64)), rtol=1e-9 if dtype is np.float64 else 1e-3, atol=1e-2)
