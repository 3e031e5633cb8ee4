"""One code for graphs that differ only in who made them or in the size of the batch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.backend.pipeline import Program
from functrans.backend.structure import structure
from functrans.errors import OutOfMemory
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from tests.plans import kept_apart

ZERO = UOp.const(dtypes.index, 0)


def graph(batch: int, in_axis: int = 0, out_axis: int = 0, width: int = 3) -> tuple[UOp, UOp]:
    shape = (batch, width) if in_axis == 0 else (width, batch)
    x, r = source.param(shape, dtypes.float64), UOp.range(batch)
    row = x.vmapin(tuple(r if k == in_axis else ZERO for k in range(2)))
    weights = source.buffer(np.arange(float(width)))
    y = B.mul(B.alu(Ops.SIN, row), B.mul(weights, B.broadcast(B.reduce_axis(row, Ops.ADD, (0,)), (width,))))
    return x, y.vmapout(tuple(r if k == out_axis else ZERO for k in range(2)))


@pytest.mark.parametrize("axes", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_another_batch_size_is_the_same_text(axes: tuple[int, int]) -> None:
    texts = set()
    for batch in (1, 2, 7, 1000):
        x, y = graph(batch, *axes)
        p = Program([y], [x])
        texts.add(p.c_source)
        a = np.random.default_rng(batch).normal(size=x.sized)
        rows = a if axes[0] == 0 else a.T
        want = np.sin(rows) * np.arange(3.0) * rows.sum(1, keepdims=True)
        np.testing.assert_allclose(p([a])[0], want if axes[1] == 0 else want.T, rtol=1e-13)
    assert len(texts) == 1


def test_empty_batch() -> None:
    x, y = graph(0)
    assert Program([y], [x])([np.empty((0, 3))])[0].shape == (0, 3)


def test_structure_forgets_identities_and_nothing_else() -> None:
    (x0, y0), (x1, y1), (x2, y2) = graph(5), graph(5), graph(5, width=4)
    assert structure([y0], [x0]) == structure([y1], [x1]) != structure([y2], [x2])
    u, v = (source.param((2,), dtypes.float64) for _ in range(2))
    assert structure([B.sub(u, v)], [u, v]) != structure([B.sub(v, u)], [u, v])
    assert structure([B.add(u, B.like(u, 0.0))], [u]) != structure([B.add(u, B.like(u, -0.0))], [u])


def test_captured_arrays_follow_their_graph() -> None:
    x = source.param((3,), dtypes.float64)
    for k in (1.0, 2.0):
        y = B.mul(x, source.buffer(np.full(3, k)))
        np.testing.assert_array_equal(Program([y], [x])([np.arange(3.0)])[0], k * np.arange(3.0))


def test_results_are_arrays_of_their_own() -> None:
    x = source.param((3,), dtypes.float64)
    a = np.arange(3.0)
    first, second, reshaped = Program([x, x, B.reshape(x, (3, 1))], [x])([a])
    for r in (first, second, reshaped):
        r += 1
    np.testing.assert_array_equal(a, np.arange(3.0))
    np.testing.assert_array_equal(first, np.arange(3.0) + 1)
    np.testing.assert_array_equal(reshaped[:, 0], np.arange(3.0) + 1)


def test_row_is_bit_identical_whatever_the_batch() -> None:
    rng = np.random.default_rng(0)
    a = rng.normal(size=(50, 3))
    x, y = graph(50)
    all_rows = Program([y], [x])([a])[0]
    for batch in (1, 3, 17):
        x, y = graph(batch)
        np.testing.assert_array_equal(Program([y], [x])([a[:batch]])[0], all_rows[:batch])


def test_results_that_a_pass_finds_to_be_the_same_are_all_written() -> None:
    def inner(v: np.ndarray) -> np.ndarray:
        return (v * v).sum() + v.sum()

    def mapped(v: np.ndarray) -> np.ndarray:
        return ft.vmap(lambda a: ft.jvp(lambda u: inner(u), (a,), (np.cos(a),)))(v)

    v = np.random.default_rng(1).normal(size=(2, 3))
    first, second = ft.jit(lambda v: ft.jvp(mapped, (v,), (np.cos(v),)))(v)
    np.testing.assert_allclose(first[1], ((2 * v + 1) * np.cos(v)).sum(axis=1), rtol=1e-13)
    np.testing.assert_allclose(second[0], first[1], rtol=1e-13)


def test_a_loop_inside_a_loop_of_the_same_range_has_buffers_of_its_own() -> None:
    def row(x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        y = np.exp(-x * x) * w
        return y, (y * x).sum()

    def total(x: np.ndarray, w: np.ndarray) -> np.ndarray:
        return sum(np.sin(v).sum() for v in ft.vmap(row)(x, w))

    x, w = np.random.default_rng(1).uniform(0.2, 0.9, (2, 2, 3, 3))
    f = ft.vmap(ft.grad(total, argnums=(0, 1)))
    graph = ft.make_graph(f)(x, w)
    for got, want in zip(f(x, w), interpret(graph.outputs, dict(zip(graph.params, (x, w), strict=True))), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_memory_that_cannot_be_had_is_refused_before_anything_runs() -> None:
    x = source.param((1,), dtypes.float64)
    huge = B.expand(B.reshape(x, (1, 1)), (2**24, 2**24))
    with pytest.raises(OutOfMemory, match=r"GiB for a result of shape \(16777216, 16777216\)"):
        Program([B.neg(huge)], [x])([np.ones(1)])


@pytest.mark.parametrize("outer", [Ops.SIN, Ops.COS, Ops.TAN, Ops.EXP, Ops.LOG, Ops.SINH, Ops.COSH, Ops.TANH, Ops.SQRT])
def test_the_compiler_rewrites_no_composition(outer: Ops) -> None:
    # gcc makes sin(atan(x)) a quotient that is 1 for NaN
    inner = [Ops.ATAN, Ops.ASIN, Ops.ACOS, Ops.ATANH, Ops.ASINH, Ops.ACOSH, Ops.TAN, Ops.EXP, Ops.LOG, Ops.EXPM1]
    values = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -0.5, 1.0, 2.0, 1e200, 1e-320])
    x = source.param(values.shape, dtypes.float64)
    outputs = [B.alu(outer, B.alu(i, x)) for i in inner]
    for got, want in zip(Program(outputs, [x])([values]), interpret(outputs, {x: values}), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)


@pytest.mark.parametrize("width", [4, 200])
def test_a_loop_over_a_window_does_not_lend_its_extent_to_the_axis(width: int) -> None:
    x = source.param((3, width), dtypes.float64)
    a = np.random.default_rng(0).normal(size=x.sized)
    window = B.permute(B.shrink(x, ((0, 3), (0, width // 2))), (1, 0))
    padded = B.permute(B.pad(x, ((0, 0), (0, 5))), (1, 0))
    for y in (window, padded):
        np.testing.assert_array_equal(Program([y], [x])([a])[0], interpret([y], {x: a})[0])


def test_kernels_that_differ_in_their_arrays_alone_are_one_function() -> None:
    def f(x: np.ndarray) -> np.ndarray:
        y = x
        for _ in range(20):
            y = np.tanh(x @ y)
        return y

    lowered = ft.jit(f).lower(np.eye(3))
    assert len(lowered.kernels) == 20
    assert lowered.c_source.count(" void k") - lowered.c_source.count("_part(void **buffers") <= 3
    x = np.random.default_rng(0).normal(size=(3, 3))
    np.testing.assert_allclose(ft.jit(f)(x), f(x), rtol=1e-12)


def test_scalars_are_computed_in_one_kernel() -> None:
    def f(x: np.ndarray) -> np.ndarray:
        v = [x[k] for k in range(6)]
        for k in range(30):
            v[k % 6] = v[k % 6] * v[(k + 1) % 6] + v[(k + 2) % 6]
        return np.stack(v).sum()

    def slope(x: np.ndarray) -> np.ndarray:
        h = 1e-6
        return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(6)])

    lowered = ft.jit(ft.grad(f)).lower(np.ones(6))
    assert len(lowered.kernels) <= 2
    x = np.linspace(0.1, 0.4, 6)
    np.testing.assert_allclose(ft.jit(ft.grad(f))(x), slope(x), rtol=1e-6)


def test_c_is_written_when_it_is_asked_for(tmp_path: Path) -> None:
    """For the vectors that were the target when the plan was made."""
    x, y = graph(64, width=16)
    texts = []
    for width in (64, 32):
        with kept_apart(tmp_path), written_for(Target(width, masks=True)):
            p = Program([y], [x])
            assert p.cost().kernels == 1 and p.plan.kernels and p.plan.cost == p.plan.facts.cost
            with kept_apart(tmp_path):
                q = Program([y], [x])
                assert q.cost() == p.cost() and "c_source" not in vars(q.plan)
            texts.append(p.c_source)
        assert q.c_source == texts[-1]
    assert len(set(texts)) == 2
