"""Axes that are two merged ones: attention with heads, and its gradient; fields on a grid; what is reduced of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.schedule import passes
from functrans.backend.schedule.parts import is_global
from functrans.ops import Ops
from functrans.ops.uop import toposort
from tests.plans import plan_anew

pytestmark = pytest.mark.usefixtures("compiler")
SIZES = [(2, 33, 4, 16), (3, 40, 2, 9), (1, 36, 3, 32), (2, 35, 1, 12), (2, 64, 5, 7)]  # batch, length, heads, numbers


def heads(x: Any, n: int) -> Any:
    return np.swapaxes(x.reshape(*x.shape[:-1], n, -1), -2, -3)


def merged(x: Any) -> Any:
    x = np.swapaxes(x, -2, -3)
    return x.reshape(*x.shape[:-2], -1)


def mixed(p: Any, v: Any) -> Any:
    """Read twice as it is merged, so that it is an array of a loop over the batch."""
    n = p.shape[-3]
    y = merged(p @ heads(v, n))
    return heads(y * 2.0, n) @ np.swapaxes(heads(v, n), -1, -2), y.sum(-1)


def loss(p: Any, v: Any) -> Any:
    a, b = mixed(p, v)
    return (np.tanh(a) ** 2).sum() + np.sin(b).sum()


def tiles(f: Any, *args: Any) -> int:
    kernels = ft.jit(f).lower(*args).kernels
    nodes = (u for k in kernels for u in toposort(k.roots, lambda u, k=k: u in k.roots or not is_global(u)))
    return sum(u.op is Ops.WMMA for u in nodes)


@pytest.mark.covering(1)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_and_gradients(size: tuple[int, ...], dtype: Any) -> None:
    batch, length, count, numbers = size
    rng = np.random.default_rng(size)
    p = (rng.normal(size=(batch, count, length, length)) / length).astype(dtype)
    v = rng.normal(size=(batch, length, count * numbers)).astype(dtype)
    close = {"rtol": 1e-11, "atol": 1e-12} if dtype is np.float64 else {"rtol": 1e-3, "atol": 1e-4}
    exact = 1e-9 if dtype is np.float64 else 1e-2
    for got, want in zip(ft.jit(mixed)(p, v), mixed(p, v), strict=True):
        np.testing.assert_allclose(got, want, **close)
    for got, want in zip(ft.jit(ft.vmap(mixed))(p, v), mixed(p, v), strict=True):
        np.testing.assert_allclose(got, want, **close)
    direction = rng.normal(size=v.shape).astype(dtype)
    _, along = ft.jvp(lambda v: loss(p, v), (v,), (direction,))
    found = ft.jit(ft.grad(loss, 1))(p, v)
    np.testing.assert_allclose((found.astype(np.float64) * direction).sum(), along, rtol=exact)


def test_products_are_found_behind_the_merged_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    p, v = rng.normal(size=(2, 4, 33, 33)), rng.normal(size=(2, 33, 64))

    def f(p: Any, v: Any) -> Any:
        return merged(p @ heads(v, 4)) + 1.0

    assert tiles(f, p, v) == 1
    value = ft.jit(f)(p, v)
    np.testing.assert_allclose(value, f(p, v), rtol=1e-12)
    plan_anew(monkeypatch)
    less = tuple(s for s in passes.GRAPH if s.name != "strip_mining")
    for g in (passes.ranged, passes.scheduled):
        defaults = tuple(less if d is passes.GRAPH else d for d in g.__defaults__ or ())
        monkeypatch.setattr(g, "__defaults__", defaults)
    assert tiles(lambda p, v: f(p, v), p, v) == 0


def stencil(columns: int) -> Any:
    """A step of diffusion on a grid of so many columns, its field one vector."""

    def f(u: Any) -> Any:
        g = u.reshape(-1, columns)
        p = np.pad(g, 1)
        around = p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * g
        return 0.5 * u + 0.1 * around.reshape(-1)

    return f


def planes(columns: int) -> Any:
    """Rows and columns and planes, merged to one axis and summed up."""

    def f(u: Any) -> Any:
        g = u.reshape(3, -1, columns)
        scaled = (g * np.sqrt((g * g).sum(2, keepdims=True)) + g.sum(1, keepdims=True)).reshape(-1)
        return scaled * u, (scaled * u).max(), (u + 2 * scaled).sum()

    return f


@pytest.mark.covering(1)
@pytest.mark.parametrize("columns", [2, 3, 5, 8, 16, 33])
@pytest.mark.parametrize("make", [stencil, planes])
def test_merged_axes_have_the_values_of_numpy(make: Any, columns: int) -> None:
    f = make(columns)
    us = np.random.default_rng(columns).normal(size=(3, 12 * columns))
    wants = [f(u) for u in us]
    mapped, alone = ft.jit(ft.vmap(f))(us), [ft.jit(f)(u) for u in us]
    for k, want in enumerate(wants):
        lane = ft.tree.map(lambda a, k=k: a[k], mapped)
        for got, one, of_numpy in zip(*map(ft.tree.leaves, (lane, alone[k], want)), strict=True):
            np.testing.assert_allclose(got, of_numpy, rtol=1e-12, atol=1e-12)
            np.testing.assert_array_equal(got, one)


@pytest.mark.parametrize("columns, divides", [(3, False), (8, False), (100, False), (2, True), (4, True)])
def test_rows_of_a_merged_axis_are_loops(columns: int, divides: bool) -> None:
    """Of few columns, a power of two, quotients are shifts: one loop."""
    text = ft.jit(stencil(columns)).lower(np.ones(12 * columns)).c_source
    body = text[text.index(" k0(") :]
    assert (f"/ {columns})" in body) is divides


REDUCTIONS: dict[str, Any] = {
    "sum of squares": lambda a, b: (((a - b) ** 2).ravel()).sum(),
    "product": lambda a, b: a.ravel() @ b.ravel(),
    "largest": lambda a, b: (a * b).ravel().max(),
    "first of the largest": lambda a, b: (a * b).ravel().argmax(),
    "variance": lambda a, b: (a * b + a).ravel().var(),
    "part": lambda a, b: np.tanh(a * b).ravel()[3:].sum(),
    "several": lambda a, b: (lambda v: v.max() - v.mean())((a * b).ravel()),
    "condition": lambda a, b: (a > b + 3).ravel().any(),
}


@pytest.mark.covering(1)
@pytest.mark.parametrize("columns", [2, 4, 7, 34])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_a_reduction_has_the_bits_that_it_has_in_a_lane(name: str, columns: int) -> None:
    """Alone, what it takes is stored by a loop of its own; in a lane it is computed where it is added."""

    def f(u: Any) -> Any:
        g = u.reshape(-1, columns)
        return REDUCTIONS[name](g[:, 1:], g[:, :-1])

    us = np.random.default_rng(columns).normal(size=(5, 37 * columns))
    alone = np.stack([ft.jit(f)(u) for u in us])
    np.testing.assert_allclose(alone, np.stack([f(u) for u in us]), rtol=1e-12)
    np.testing.assert_array_equal(ft.jit(ft.vmap(f))(us), alone)
    np.testing.assert_array_equal(ft.jit(ft.vmap(f, 1))(us.T.copy()), alone)


@pytest.mark.parametrize("make", [lambda u: np.sin(u[:, 1:]).ravel().sum(), lambda u: np.sin(u).ravel().sum()])
def test_what_is_reduced_along_a_merged_axis_is_not_divided(make: Any) -> None:
    """Where its elements lie in rows with gaps a loop fills an array; where they lie side by side none does."""
    assert "/ 6)" not in ft.jit(make).lower(np.ones((50, 7))).c_source


def test_reductions_of_one_value_share_its_array() -> None:
    def f(u: Any) -> Any:
        v = (u[:, 1:] * u[:, :-1]).ravel()
        return v.max(), v.sum(), (v * v).sum()

    kernels = ft.jit(f).lower(np.ones((50, 8))).kernels
    buffers = {u for k in kernels for u in toposort(k.roots) if u.op is Ops.BUFFERIZE and u.arg.shape == (350,)}
    assert len(buffers) <= 2
