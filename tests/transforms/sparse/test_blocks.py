"""Blocks of outputs: each by the method that is cheapest for it, all in one program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.transforms.sparse.blocks import apart, whole
from functrans.transforms.sparse.pattern import SparsityPattern

RNG = np.random.default_rng(0)
N = 300
WEIGHTS = [RNG.normal(size=(60, N)) / 17, RNG.normal(size=(60, 60)) / 8, RNG.normal(size=(60, 60)) / 8]


def objective(x: Any) -> Any:
    """One dense row with an expensive body."""
    for w in WEIGHTS:
        x = np.tanh(w @ x)
    return (x * x).sum()


def stencil(x: Any) -> Any:
    return np.sin(x[2:]) * x[:-2] + 3 * x[1:-1]


def opaque(x: Any) -> Any:
    """The arguments decide which of them is where."""
    return np.sort(np.sin(x[:4])) * x[20:24]


def joined(x: Any) -> Any:
    return np.concatenate([stencil(x), objective(x)[None], opaque(x)])


def as_tree(x: Any) -> Any:
    return {"a": stencil(x), "b": objective(x), "c": opaque(x)}


POINTS = RNG.normal(size=(2, N))


def dense(x: np.ndarray) -> np.ndarray:
    return np.concatenate([np.reshape(ft.jacfwd(f)(x), (-1, N)) for f in (stencil, objective, opaque)])


@pytest.mark.covering(1)
@pytest.mark.parametrize("f", [joined, as_tree])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_each_block_gets_its_own_method(f: Any, format: str) -> None:
    J = ft.spjacobian(f, format=format)
    plan = J.plan(POINTS[0])
    assert plan.method == "blocks" and plan.partition is None
    assert [(b.rows, b.partition, b.num_colors) for b in plan.blocks] == [
        ("rows 0 to 297", None, 0), ("row 298", "row", 1), ("rows 299 to 302", None, 0),
    ]  # fmt: skip
    assert "row 298: by row: 1 product with a direction" in str(plan) and "of INDEX" in str(plan)
    for x in POINTS:
        np.testing.assert_allclose(J(x).toarray(), dense(x), rtol=1e-11, atol=1e-12)


def test_it_costs_less_than_one_method_for_all() -> None:
    plans = {m: ft.spjacobian(joined, method=m).plan(POINTS[0]) for m in ("auto", "direct", "compressed")}
    assert plans["auto"].cost < plans["direct"].cost / 4
    assert plans["auto"].cost < 2 * plans["compressed"].cost  # of elements in memory, each as two operations
    assert plans["direct"].method == "direct" and plans["compressed"].method == "compressed"


@pytest.mark.usefixtures("compiler")
def test_one_program_writes_all_of_it() -> None:
    J = ft.spjacobian(joined)
    out = J.empty_values(POINTS[0])
    for x in POINTS:
        assert J.values(x, out=out) is out
        np.testing.assert_allclose(J.pattern(x).to_scipy(out).toarray(), dense(x), rtol=1e-11, atol=1e-12)
    (problem,) = J._problems.values()
    assert problem.in_place is not None and problem.moving == [0]
    assert np.count_nonzero(J.empty_values(POINTS[0]) == 3.0) == N - 2


def test_a_step_of_the_host_beside_others() -> None:
    def f(x: Any) -> Any:
        return np.concatenate([joined(x), np.linalg.solve(x[:16].reshape(4, 4) + 8 * np.eye(4), x[20:24])])

    J = ft.spjacobian(f)
    assert J.plan(POINTS[0]).method == "blocks"
    out = J.empty_values(POINTS[0])
    for x in POINTS:
        have = J.pattern(x).to_scipy(J.values(x, out=out)).toarray()
        np.testing.assert_allclose(have, ft.jacfwd(f)(x), rtol=1e-11, atol=1e-12)


def test_mapped_jitted_and_differentiated() -> None:
    J = ft.spjacobian(joined)
    want = np.stack([J.values(x) for x in POINTS])
    np.testing.assert_allclose(ft.vmap(J.values)(POINTS), want, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(ft.jit(J.values)(POINTS[1]), want[1], rtol=1e-12, atol=1e-13)
    value, matrix = J.value_and_jacobian(POINTS[0])
    np.testing.assert_allclose(value, joined(POINTS[0]), rtol=1e-12)
    np.testing.assert_allclose(matrix.data, want[0], rtol=1e-12, atol=1e-14)


def test_several_arguments() -> None:
    def f(x: Any, y: Any) -> Any:
        return np.concatenate([x[1:] * y[:-1], objective(x * y)[None]])

    x, y = POINTS
    J = ft.spjacobian(f, argnums=(0, 1))
    assert J.plan(x, y).method == "blocks"
    for have, want in zip(J(x, y), ft.jacfwd(f, argnums=(0, 1))(x, y), strict=True):
        np.testing.assert_allclose(have.toarray(), want, rtol=1e-11, atol=1e-12)


def test_what_is_cheap_is_not_taken_apart() -> None:
    plan = ft.spjacobian(lambda x: np.concatenate([stencil(x), (x * x).sum()[None]])).plan(POINTS[0])
    assert plan.method == "direct" and [b.rows for b in plan.blocks] == ["rows 0 to 298"]


class TestApart:
    X = param((2, 3), dtypes.float64)

    def test_joins_and_moves(self) -> None:
        a, b = B.mul(self.X, self.X), B.neg(self.X)
        found = apart([B.flip(B.permute(B.stack((a, b), 1), (1, 0, 2)), (True, False, False))])
        assert [block.node for block in found] == [a, b]
        assert [block.rows.tolist() for block in found] == [[6, 7, 8, 9, 10, 11], [0, 1, 2, 3, 4, 5]]

    def test_what_repeats_or_computes_is_one_block(self) -> None:
        a = B.mul(self.X, self.X)
        wide = B.expand(B.reshape(a, (2, 1, 3)), (2, 4, 3))
        assert [block.node for block in apart([wide, B.add(a, B.neg(a))])] == [wide, B.add(a, B.neg(a))]

    def test_rows_that_are_cut_off(self) -> None:
        a, b = B.mul(self.X, self.X), B.neg(self.X)
        (first, second) = apart([B.pad(B.shrink(B.cat((a, b)), ((1, 3), (0, 3))), ((1, 0), (0, 0)))])
        assert first.rows.tolist() == [-1, -1, -1, 3, 4, 5] and second.rows.tolist() == [6, 7, 8, -1, -1, -1]
        part = first.part(SparsityPattern([0, 4, 5, 6], [0, 1, 2, 3], (9, 4)))
        assert (part.rows.tolist(), part.cols.tolist(), part.shape) == ([4, 5], [1, 2], (6, 4))
        assert str(second) == "rows 6 to 8"

    def test_outputs_one_after_the_other(self) -> None:
        assert [str(block) for block in whole([self.X, B.reduce_axis(self.X, Ops.ADD, (0, 1))])] == [
            "rows 0 to 5", "row 6",
        ]  # fmt: skip
