"""Rows that lie one behind the other are one loop, whatever is read beside them, and no bit changes."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.statements import lower
from functrans.backend.policy import L2_BYTES, share
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import ranged
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops import symbolic as sym
from functrans.ops.interpret import interpret
from functrans.ops.uop import toposort
from tests.backend.executed import executed
from tests.backend.test_hoist import Lists, mapped

ZERO = UOp.const(dtypes.index, 0)


def innermost(*outputs: UOp) -> list[list[int]]:
    """For each kernel the rounds of its innermost loops that evaluate an exponential."""
    found = []
    for kernel in kernels(ranged(outputs)):
        lists = Lists()
        lower(kernel, lists)
        todo: list[UOp | Loop] = nest(lists.found[0])
        rounds: list[int] = []
        while todo:
            item = todo.pop()
            if isinstance(item, Loop):
                todo += item.items
                if any(isinstance(u, UOp) and u.op is Ops.EXP for u in item.items):
                    rounds.append(sym.bounds(item.range.src[0])[1])
        found.append(rounds)
    return found


def exp(x: UOp) -> UOp:
    return B.alu(Ops.EXP, x)


def check(*outputs: UOp) -> None:
    """The statements compute what the graph means."""
    rng = np.random.default_rng(0)
    values = {p: rng.uniform(-1, 1, p.sized) for p in toposort(outputs) if p.op is Ops.PARAM}
    for got, want in zip(executed(outputs, values), interpret(outputs, values), strict=True):
        assert np.allclose(got, want, rtol=1e-13, atol=0)


def of_all(a: UOp, b: UOp, c: UOp) -> UOp:
    return exp(B.add(a, B.mul(b, c)))


def test_rows_are_one_loop() -> None:
    y = mapped([3, 5, 11], of_all)
    assert innermost(y)[-1] == [55]
    check(y)


def test_rows_of_whole_vectors_stay() -> None:
    assert innermost(mapped([3, 5, 16], of_all)) == [[16]]


def test_rows_that_do_not_lie_behind_each_other_stay() -> None:
    y = mapped([3, 5, 11], of_all, [0, 1, 1])
    assert all(55 not in rounds for rounds in innermost(y))
    check(y)


def test_what_lies_alike_needs_no_table() -> None:
    x, s = source.param((3, 5, 11), dtypes.float64), source.param((3,), dtypes.float64)
    i, j = UOp.range(3), UOp.range(5)
    row = x.vmapin((i, j, ZERO))
    y = exp(B.mul(row, B.broadcast(s.vmapin((i,)), (11,)))).vmapout((j, ZERO)).vmapout((i, ZERO, ZERO))
    (kernel,) = kernels(ranged([y]))
    assert innermost(y) == [[55]]
    assert all(u.op is not Ops.DEFINE_LOCAL for u in lower(kernel).uops)
    check(y)


def test_what_every_loop_changes_and_lies_otherwise_leaves_the_rows() -> None:
    x, i, j = source.param((3, 5, 11), dtypes.float64), UOp.range(3), UOp.range(5)
    row = x.vmapin((i, j, ZERO))
    y = exp(B.add(row, B.flip(row, (True,)))).vmapout((j, ZERO)).vmapout((i, ZERO, ZERO))
    assert innermost(y) == [[11]]
    check(y)


def test_two_results_go_the_same_way() -> None:
    vectors = [source.param((n,), dtypes.float64) for n in (3, 5, 11)]
    ranges = [UOp.range(n) for n in (3, 5, 11)]
    a, b, c = (v.vmapin((r,)) for v, r in zip(vectors, ranges, strict=True))
    e = exp(B.add(a, B.mul(b, c)))
    i, j, k = ranges
    one = e.vmapout((k,)).vmapout((j, ZERO)).vmapout((i, ZERO, ZERO))
    two = B.mul(e, a).vmapout((k,)).vmapout((j, ZERO)).vmapout((i, ZERO, ZERO))
    turned = B.mul(e, a).vmapout((k,)).vmapout((j, ZERO)).vmapout((ZERO, ZERO, i))
    assert [r for r in innermost(one, two) if r] == [[55]]
    assert [11] in innermost(one, turned)
    check(one, two)
    check(one, turned)


def test_tables_beyond_the_budget_leave_the_rows() -> None:
    n = share(L2_BYTES) // 8 // 11 + 1
    assert innermost(mapped([2, n, 11], of_all)) == [[11]]


def drawn(seed: int) -> tuple[list[int], list[list[int]], object]:
    """Sizes of three levels, the levels that each argument is mapped over, and a function of scalars and rows of 13."""
    rng = random.Random(seed)
    sizes = [rng.choice((1, 2, 3)), rng.choice((1, 4, 5)), rng.choice((2, 9, 11))]
    over = [sorted(rng.sample(range(3), rng.randint(1, 3)), key=lambda _: rng.random()) for _ in range(3)]
    steps = [rng.randrange(7) for _ in range(4)]

    def f(x: Any, y: Any, row: Any) -> Any:
        for step in steps:
            if step == 0:
                x = np.exp(x * y)
            elif step == 1:
                y = y + np.sin(x)
            elif step == 2:
                row = row[::-1] * x
            elif step == 3:
                row = np.where(np.arange(13) > 4, row, y)
            elif step == 4:
                row = np.concatenate([row[3:], row[:3]]) + np.tanh(y)
            elif step == 5:
                x = x + np.exp(row).sum()
            else:
                row = row + np.cos(y) * np.arange(13.0)
        return x * y, row + x

    return sizes, over, f


@pytest.mark.parametrize("seed", range(8))
def test_random_maps_have_the_bits_of_the_plain_loop(seed: int, compiler: None) -> None:
    sizes, over, f = drawn(seed)
    rng = np.random.default_rng(seed)
    tails: list[tuple[int, ...]] = [(), (), (13,)]
    args = [rng.uniform(-1, 1, (*(sizes[k] for k in axes), *t)) for axes, t in zip(over, tails, strict=True)]
    g, left = f, [list(axes) for axes in over]
    for level in reversed(range(3)):  # the innermost map sees what the outer ones have not dropped
        here = [[a for a in axes if a >= level] for axes in left]
        g = ft.vmap(g, in_axes=tuple(h.index(level) if level in h else None for h in here), axis_size=sizes[level])
    plain = ft.jit(f)
    got = ft.jit(g)(*args)
    for at in itertools.product(*map(range, sizes)):
        want = plain(*(a[tuple(at[k] for k in axes)] for a, axes in zip(args, over, strict=True)))
        assert all(np.array_equal(x[at], y) for x, y in zip(got, want, strict=True))
