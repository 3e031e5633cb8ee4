"""ASSIGN and DETACH through every transform: each lane its own, the derivative of the value, none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.pipeline import Program
from functrans.errors import SpecError
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.printer import from_text, to_text
from functrans.transforms.vmap.rewriting import unbracket

RNG = np.random.default_rng(11)
F = dtypes.float64
ZERO = UOp.const(dtypes.index, 0)
Body = Callable[..., Any]


def assigns(x: Any, w: Any) -> Any:
    """Lane values assigned to arguments, to a local array, over again, and to an argument that all lanes share."""
    total = ft.Tensor(np.full(x.shape, 0.5))
    for k in range(3):
        total.assign(total * x + w + k)
    before = x * w
    x.assign(np.sin(total) + x)
    w.assign(x * 2 + w)
    return before + total * x - w.sum()


def plain(x: Any, w: Any) -> Any:
    total = np.full(x.shape, 0.5)
    for k in range(3):
        total = total * x + w + k
    before = x * w
    x = np.sin(total) + x
    w = x * 2 + w
    return before + total * x - w.sum()


def detaches(x: Any, w: Any) -> Any:
    x, w = (v if isinstance(v, ft.Tensor) else ft.Tensor(v) for v in (x, w))
    return x * w.detach() + np.sin(x.detach() * w) + (x * w).detach() - x.sum(axis=0).detach() * w.detach()


def plain_detached(x: Any, w: Any) -> Any:
    return x * w + np.sin(x * w) + x * w - x.sum(axis=0) * w


PAIRS: dict[str, tuple[Body, Body]] = {"assign": (assigns, plain), "detach": (detaches, plain_detached)}
pairs = pytest.mark.parametrize("name", PAIRS)
methods = pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
axis_types = pytest.mark.parametrize("axis_type", ["loop", "outer"])


@pairs
@methods
@axis_types
@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 3, 1), (2, 0, 3)])
@pytest.mark.parametrize("axes", [(0, 0), (1, None), (2, 1), (-1, 0)])
def test_vmap_is_a_loop(name: str, method: str, axis_type: str, shape: tuple[int, ...], axes: Any) -> None:
    f, g = PAIRS[name]
    lanes = 3
    x, w = RNG.normal(size=(lanes, *shape)), RNG.normal(size=(lanes, *shape))
    want = np.stack([g(x[k], w[0] if axes[1] is None else w[k]) for k in range(lanes)])
    given = [w[0] if a is None else np.moveaxis(v, 0, a) for v, a in zip((x, w), axes, strict=True)]
    got = ft.vmap(f, in_axes=axes, method=method, axis_type=axis_type)(*given)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


@pairs
@methods
def test_nested_vmap_and_no_lanes(name: str, method: str) -> None:
    f, g = PAIRS[name]
    x, w = RNG.normal(size=(2, 3, 4, 5)), RNG.normal(size=(3, 4, 5))
    twice = ft.vmap(ft.vmap(f, method=method), in_axes=(0, None), method=method)
    want = np.stack([np.stack([g(x[i, j], w[j]) for j in range(3)]) for i in range(2)])
    np.testing.assert_allclose(twice(x, w), want, rtol=1e-12, atol=1e-12)
    assert ft.vmap(f, method=method)(x[:0], x[:0]).shape == (0, 3, 4, 5)


def test_the_tangent_of_assign_is_that_of_the_value() -> None:
    x, w, t, s = RNG.normal(size=(4, 2, 3))
    want = ft.jvp(plain, (x, w), (t, s))
    for got, expected in zip(ft.jvp(assigns, (x, w), (t, s)), want, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)
    batch = RNG.normal(size=(5, 2, 3))
    got = ft.vmap(lambda x: ft.jvp(assigns, (x, ft.Tensor(w)), (ft.Tensor(t), ft.Tensor(s)))[1])(batch)
    want = np.stack([ft.jvp(plain, (x, w), (t, s))[1] for x in batch])
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


def test_detach_has_no_tangent() -> None:
    x, w, t, s = RNG.normal(size=(4, 2, 3))
    value, tangent = ft.jvp(detaches, (x, w), (t, s))
    np.testing.assert_allclose(value, plain_detached(x, w), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tangent, t * w + np.cos(x * w) * x * s, rtol=1e-12, atol=1e-12)


def test_reverse() -> None:
    x, w = RNG.normal(size=(2, 2, 3))
    want = ft.grad(lambda x, w: plain(x, w).sum(), argnums=(0, 1))(x, w)
    got = ft.grad(lambda x, w: assigns(x, w).sum(), argnums=(0, 1))(x, w)
    for g, e in zip(got, want, strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-11)
    gx, gw = ft.grad(lambda x, w: detaches(x, w).sum(), argnums=(0, 1))(x, w)
    np.testing.assert_allclose(gx, w, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(gw, np.cos(x * w) * x, rtol=1e-12, atol=1e-12)
    (back,) = ft.linear_transpose(lambda x: x.assign(x * 3), x)(w)
    np.testing.assert_allclose(back, 3 * w)


def test_sparsity() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        x.assign(x[::-1] * 3)
        z = ft.Tensor(np.zeros(4))
        z.assign(x * x)
        return np.concatenate([y, z, x.detach() * x])

    x = RNG.normal(size=4)
    J = ft.spjacobian(f)(x)
    flip = np.eye(4)[::-1]
    want = np.concatenate([2 * np.eye(4), 18 * np.diag(x[::-1]) @ flip, 9 * np.diag(x[::-1]) @ flip])
    np.testing.assert_allclose(J.toarray(), want)
    assert J.nnz == 12


@pytest.mark.usefixtures("compiler")
def test_at_the_level_of_the_graph() -> None:
    x = source.param((3, 2), F)
    base, value = source.buffer(np.zeros((3, 2))), B.mul(x, x)
    node = UOp(Ops.ASSIGN, F, (base, value))
    again = UOp(Ops.ASSIGN, F, (node, B.add(node, value)))
    a = RNG.normal(size=(3, 2))
    assert from_text(to_text(again))[0] is again
    for got in (interpret([node, again], {x: a}), Program([node, again], [x])([a])):
        np.testing.assert_allclose(got[0], a * a)
        np.testing.assert_allclose(got[1], 2 * a * a)
    r = UOp.range(3)
    lane = UOp(Ops.ASSIGN, F, (source.buffer(np.zeros(2)), B.neg(x.vmapin((r, ZERO))))).vmapout((r, ZERO))
    for root in (lane, *unbracket([lane])):
        np.testing.assert_allclose(interpret([root], {x: a})[0], -a)
        np.testing.assert_allclose(Program([root], [x])([a])[0], -a)
    with pytest.raises(SpecError, match="expected an array and a value of one shape"):
        UOp(Ops.ASSIGN, F, (x, lane.vmapin((UOp.range(3), ZERO))))
    with pytest.raises(SpecError, match="is not legal at the tensor stage"):
        Program([UOp(Ops.ASSIGN, dtypes.float32, (x, value))], [x])([a])


@methods
def test_kernels_are_those_of_the_values(method: str) -> None:
    def g(x: Any) -> Any:
        return np.sin(x + 1) * x

    def f(x: Any) -> Any:
        before = x * 1.0
        x.assign(x + 1)
        return np.sin(x) * before

    x = RNG.normal(size=(4, 3))
    texts = [ft.jit(ft.vmap(h, method=method)).lower(x).c_source for h in (f, lambda x: np.sin(x + 1) * (x * 1.0))]
    assert texts[0] == texts[1]
    np.testing.assert_allclose(ft.vmap(f, method=method)(x), g(x))


def test_on_shards() -> None:
    x = RNG.normal(size=(4, 3))
    t = ft.Tensor(x).shard(("CPU", "CPU:1"), axis=0)
    np.testing.assert_allclose(ft.jit(lambda x: x.assign(x * 2) + 1)(t).numpy(), x * 2 + 1)
    np.testing.assert_allclose(ft.jit(lambda x: x.detach() + 1)(t).numpy(), x + 1)
