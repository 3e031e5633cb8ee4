"""Multiply-adds by a rule on a sum and its sources: which sums, and that nothing else has a say in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.spelling import spell
from functrans.backend.schedule.multiply_adds import multiply_adds
from functrans.config import config
from functrans.ops import Ops, UOp, dtypes
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.multiply_add import multiply_add
from functrans.ops.uop import toposort

RNG = np.random.default_rng(5)
X, Y, Z, W = RNG.normal(size=(4, 6, 5))


def fused(f: Callable[..., Any], *args: Any) -> list[UOp]:
    """The roots of the graph of f after the pass."""
    return multiply_adds(ft.jit(f).lower(*args).graph.outputs)


def count(f: Callable[..., Any], *args: Any) -> int:
    """How many multiply-adds f has."""
    return sum(u.op is Ops.MULACC for u in toposort(fused(f, *args)))


FUSED: dict[str, Callable[..., Any]] = {
    "a product and a term": lambda x, y, z: x * y + z, "a term and a product": lambda x, y, z: z + x * y,
    "less a term": lambda x, y, z: x * y - z, "less a product": lambda x, y, z: z - x * y,
    "of the other sign": lambda x, y, z: z + -(x * y), "twice": lambda x, y, z: z - -(-(x * y)),
    "a constant term": lambda x, y, z: 1.0 - x * y, "a constant factor": lambda x, y, z: z - 0.1 * x,
    "one by a constant": lambda x, y, z: x * y - 0.1 * z, "the other": lambda x, y, z: 0.1 * z - x * y,
    "a power of two": lambda x, y, z: x * y + 0.5 * z, "the first": lambda x, y, z: 2.0 * x - y * z,
    "both": lambda x, y, z: 0.5 * x + 0.25 * y, "a power of two and a constant": lambda x, y, z: 3.0 * x + 2.0 * y,
    "a square": lambda x, y, z: x**2 + z, "across an axis": lambda x, y, z: (x * y)[:, :1] + z,
    "turned": lambda x, y, z: (x * y).T + z.T, "a row": lambda x, y, z: z - (x[0] * y[0]),
    "backwards": lambda x, y, z: (x * y)[::-1] + z, "single": lambda x, y, z: (x * y).astype(np.float32) * 3.3 + 1.0,
}  # fmt: skip
PLAIN: dict[str, Callable[..., Any]] = {
    "two products": lambda x, y, z: x * y - y * z, "moved": lambda x, y, z: (x * y).T + z.T * x.T,
    "signs": lambda x, y, z: -(x * y) - -(y * z), "two by constants": lambda x, y, z: 0.1 * x - 0.3 * y,
    "whole numbers": lambda x, y, z: (x * 9).astype(np.int64) * 3 + 1, "complex": lambda x, y, z: (x + 1j) * y + z,
    "half": lambda x, y, z: x.astype(np.float16) * y.astype(np.float16) + z.astype(np.float16),
    "a quotient": lambda x, y, z: x / y + z, "no sum": lambda x, y, z: np.maximum(x * y, z),
    "a sum in between": lambda x, y, z: (x * y).sum(0) + z,
}  # fmt: skip


@pytest.mark.parametrize("name", FUSED)
def test_one_multiply_add(name: str) -> None:
    f = FUSED[name]
    assert count(f, X, Y, Z) == 1
    np.testing.assert_allclose(ft.jit(f)(X, Y, Z), f(X, Y, Z), rtol=1e-6 if name == "single" else 1e-13, atol=1e-14)


@pytest.mark.parametrize("name", PLAIN)
def test_none(name: str) -> None:
    f = PLAIN[name]
    assert count(f, X, Y, Z) == 0


def test_the_sum_is_rounded_once_where_the_machine_can() -> None:
    z = -(X * Y)
    got = ft.jit(lambda x, y, z: x * y + z)(X, Y, z)
    assert np.array_equal(got, multiply_add(X, Y, z)) or not got.any()  # no machine does one here and the other there
    single = [a.astype(np.float32) for a in (X, Y)]
    single.append(-(single[0] * single[1]))
    low = ft.jit(lambda x, y, z: x * y + z)(*single)
    assert np.array_equal(low, multiply_add(*single)) or not low.any()


NEGATIVE: dict[str, Callable[..., Any]] = {
    "less": lambda x, y: x - -2.0 * y, "less a row": lambda x, y: x - -3.0 * y[0],
    "negated": lambda x, y: x + -(y * -0.1),
    "apart": lambda x, y: np.stack([x[i] - -2.0 * y[j] for i, j in ((0, 1), (1, 0), (2, 2))]),
    "less by itself": lambda x, y: -2.0 * x - (y * -2.0),
}  # fmt: skip


@pytest.mark.parametrize("name", NEGATIVE)
def test_a_constant_below_zero_takes_the_sign_itself(name: str) -> None:
    f = NEGATIVE[name]
    negated = [u.src[0] for u in toposort(fused(f, X, Y)) if u.op is Ops.NEG]
    assert not any(u.op is Ops.CONST for u in toposort(negated))
    np.testing.assert_allclose(ft.jit(f)(X, Y), f(X, Y), rtol=1e-13, atol=1e-14)
    two = UOp.const(dtypes.float64, -2.0)
    assert spell(B.neg(two), ["-2.0"]) == "(-(-2.0))"  # what is no decrement, whoever builds it


SYMMETRIC: dict[str, Callable[..., Any]] = {
    "commuted": lambda x, y: x * y - y * x, "moved": lambda x, y: x * y - (y.T * x.T).T,
    "negated": lambda x, y: x * y + -(y * x), "by a constant": lambda x, y: 0.1 * x - x * 0.1,
    "scaled": lambda x, y: 2.0 * (x * y) - 2.0 * (y * x), "three": lambda x, y: (x * y) * 0.1 - 0.1 * (y * x),
}  # fmt: skip


@pytest.mark.parametrize("name", SYMMETRIC)
def test_what_is_zero_stays_zero(name: str) -> None:
    f = SYMMETRIC[name]
    assert not ft.jit(f)(X, Y).any()
    assert not ft.jit(ft.vmap(f))(X[:, None], Y[:, None]).any()


def test_a_determinant_changes_its_sign_with_its_rows() -> None:
    det = ft.jit(lambda a, b: a[0] * b[1] - a[1] * b[0])
    assert np.array_equal(det(X, Y), -det(Y, X))
    cross = ft.jit(np.cross)
    assert np.array_equal(cross(X[:, :3], Y[:, :3]), -cross(Y[:, :3], X[:, :3]))
    assert not cross(X[:, :3], X[:, :3]).any()


def step(x: Any, y: Any) -> Any:
    """A few sums of products, one of which others read too."""
    p = x * y
    q = p + np.sin(x)
    r = q - 0.3 * p[::-1]
    s = (r * r).sum() + r[0] * y[1]
    return p, q, r, s, np.exp(r * 0.1 - s) + p


def test_what_else_is_returned_changes_no_bit() -> None:
    every = ft.jit(ft.vmap(step))(X, Y)
    for k, wanted in enumerate(every):
        assert np.array_equal(ft.jit(ft.vmap(lambda x, y, k=k: step(x, y)[k]))(X, Y), wanted), k


def test_a_value_mapped_over_is_known_through_the_slice() -> None:
    def outside(x: Any, y: Any, z: Any) -> Any:
        product = x * y
        return ft.vmap(lambda p, z: p + z)(product, z)

    wanted = ft.jit(lambda x, y, z: x * y + z)(X, Y, Z)
    for f in (outside, lambda *a: (outside(*a), a[0] * a[1])[0]):
        assert np.array_equal(ft.jit(f)(X, Y, Z), wanted)
    assert np.array_equal(ft.jit(lambda *a: (outside(*a), a[0] * a[1]))(X, Y, Z)[0], wanted)


def test_a_cut_between_a_product_and_a_sum_changes_no_bit() -> None:
    """What LAPACK takes is an array, and so is what other cores read; the sum knows the product nevertheless."""
    matrix = RNG.normal(size=(6, 6)) + 6 * np.eye(6)

    def solved(x: Any, y: Any, sign: float) -> Any:
        product = x * y if sign > 0 else -(x * y)
        found = np.linalg.solve(matrix, product)
        return product - sign * (y * x) + 0 * found, np.where(found < np.inf, product + x, found)

    def reduced(x: Any, y: Any, sign: float) -> Any:
        product = x * y if sign > 0 else -(x * y)
        total = product.sum(0)
        return product - sign * (y * x) + 0 * total, np.where(total < np.inf, product + x, total)

    two = ("CPU", "CPU:1")
    for sign in (1.0, -1.0):
        wanted = ft.jit(lambda x, y, sign=sign: (x * y if sign > 0 else -(x * y)) + x)(X, Y)
        there = [ft.Tensor(a).shard(two, 0) for a in (X, Y)]
        for zero, got in (
            ft.jit(lambda x, y, sign=sign: solved(x, y, sign))(X, Y),
            ft.jit(lambda x, y, sign=sign: reduced(x, y, sign))(*there),
        ):
            assert not np.asarray(zero).any()
            assert np.array_equal(np.asarray(got), wanted)


@pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
@pytest.mark.parametrize("batch", [0, 1, 7, 100])
def test_every_method_batch_and_number_of_threads_has_the_same_bits(method: str, batch: int) -> None:
    x, y = np.random.default_rng(batch).normal(size=(2, batch, 5))
    scale = np.array([0.3, 1.7])

    def f(x: Any, y: Any) -> Any:
        s = scale[0] * scale[1]  # of no lane
        return (*step(x, y), s + x, x * s - y)

    alone = ft.jit(f)
    rows = [alone(a, b) for a, b in zip(x, y, strict=True)]
    mapped = ft.jit(ft.vmap(f, method=method))
    for threads in (1, 2):
        with config.override(threads=threads):
            got = mapped(x, y)
        for k, part in enumerate(got):
            assert np.array_equal(part, [r[k] for r in rows]) if batch else part.shape[0] == 0


def test_derivatives_have_the_same_bits_in_every_map() -> None:
    def f(x: Any, y: Any) -> Any:
        return step(x, y)[4].sum()

    one = ft.jit(ft.grad(f, (0, 1)))
    rows = [one(a, b) for a, b in zip(X, Y, strict=True)]
    for method in ("vmapin", "rewrite", "pad_reduce"):
        got = ft.jit(ft.vmap(ft.grad(f, (0, 1)), method=method))(X, Y)
        for k in range(2):
            assert np.array_equal(got[k], [r[k] for r in rows]), method


def test_the_pass_means_what_it_was_given() -> None:
    roots = ft.jit(lambda *a: step(a[0][0], a[1][0])).lower(X, Y).graph
    values = dict(zip(roots.params, (X, Y), strict=True))
    made, plain = (interpret(outputs, values) for outputs in (multiply_adds(roots.outputs), roots.outputs))
    for got, wanted in zip(made, plain, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.filterwarnings("ignore:this Python loop:functrans.FunctransWarning")
def test_a_long_chain_of_sums() -> None:
    def f(x: Any) -> Any:
        for k in range(3_000):
            x = x * 0.5 + k
        return x

    assert count(f, X) == 3_000
