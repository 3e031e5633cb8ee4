"""Work that some loops do not change is done once for the loops that do, at every depth, and no bit changes."""

from __future__ import annotations

import itertools
import random
from math import prod

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.statements import lower
from functrans.backend.policy import L2_BYTES, share
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import ranged
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.passes import Passes
from functrans.ops.uop import toposort
from functrans.ops.vmap import extent
from tests.backend.executed import executed

FUNCTIONS = (Ops.EXP, Ops.TANH, Ops.ERF, Ops.EXPM1)
ZERO = UOp.const(dtypes.index, 0)


def mapped(sizes: list[int], f: object, axes: list[int] | None = None) -> UOp:
    """f of one scalar from each of several vectors, mapped over each of them, one level after the other."""
    vectors = [source.param((n,), dtypes.float64) for n in sizes]
    ranges = [UOp.range(n) for n in sizes]
    y = f(*(v.vmapin((r,)) for v, r in zip(vectors, ranges, strict=True)))
    for depth, r in enumerate(reversed(ranges)):
        at = axes[depth] if axes else 0
        y = y.vmapout((*(ZERO,) * at, r, *(ZERO,) * (depth - at)))
    return y


class Lists(Passes):
    """Catches the statements of every kernel before any tile of lanes, which would run beyond the end of a loop."""

    def __init__(self) -> None:
        self.found: list[list[UOp]] = []

    def statements(self, what: str, kernel: str, uops: list[UOp], whole: bool = False, does: str = "") -> list[UOp]:
        if what == "lower":
            self.found.append(uops)
        return uops


def evaluations(*outputs: UOp) -> int:
    """How often the statements of all kernels evaluate an elementary function."""
    total = 0
    for kernel in kernels(ranged(outputs)):
        lists = Lists()
        sizes = {f"n{k}": extent(r) for k, r in enumerate(lower(kernel, lists).extents)}
        rounds = [1]
        for u in lists.found[0]:
            if u.op is Ops.RANGE:
                end = u.src[0]
                rounds.append(rounds[-1] * (int(end.arg) if end.op is Ops.CONST else sizes[end.arg[0]]))
            elif u.op is Ops.ENDRANGE:
                rounds.pop()
            total += rounds[-1] * (u.op in FUNCTIONS)
    return total


def demanded(y: UOp) -> int:
    """How many evaluations the dependences call for: each value once for the RANGEs that it depends on."""
    return sum(prod(map(extent, u.free_ranges)) for u in toposort((y,)) if u.op in FUNCTIONS)


def drawn(seed: int) -> tuple[list[int], object, list[int]]:
    """Sizes, a function of as many scalars, and the axes that the levels come out at."""
    rng = random.Random(seed)
    depth = 1 + seed % 4
    sizes = [rng.choice((1, 2, 3, 5, 9, 11)) for _ in range(depth)]
    steps = [(rng.choice((Ops.ADD, Ops.MUL, Ops.SUB, None, None)), rng.random(), rng.random()) for _ in range(9)]
    steps = [(op, a, b, rng.choice(FUNCTIONS)) for op, a, b in steps]

    def f(*scalars: UOp) -> UOp:
        pool = list(scalars)
        for op, a, b, function in steps:
            first, second = pool[int(a * len(pool))], pool[int(b * len(pool))]
            pool.append(B.alu(function, first) if op is None else B.alu(op, first, second))
        total = pool[-1]
        for x in (*pool[len(scalars) :], *scalars):
            total = B.add(total, x)
        return total

    return sizes, f, [rng.randint(0, k) for k in range(depth)]


@pytest.mark.parametrize("seed", range(20))
def test_each_value_is_computed_once_for_the_loops_it_depends_on(seed: int) -> None:
    y = mapped(*drawn(seed))
    assert evaluations(y) == demanded(y)


def scalar_programs() -> list[object]:
    return [
        lambda np, a, b, c, d: np.sin(a * b + c * d) + np.exp(-a * c),
        lambda np, a, b, c, d: np.exp(a * d) * np.tanh(b) + np.expm1(b * c) / (2 + np.cos(c)),
        lambda np, a, b, c, d: np.log1p(np.exp(b * np.tanh(c))) * d + a * np.exp(np.tanh(d) - b),
    ]


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("sizes", [(3, 2, 4, 11), (2, 17, 3, 2), (1, 1, 12, 9), (2, 0, 3, 1)])
def test_bits_are_those_of_the_plain_loop(number: int, sizes: tuple[int, ...], compiler: None) -> None:
    f = scalar_programs()[number]
    rng = np.random.default_rng(number)
    vectors = [rng.uniform(-2, 2, n) for n in sizes]
    g = lambda a, b, c, d: f(np, a, b, c, d)  # noqa: E731
    plain = ft.jit(g)
    nested = g
    for axis in reversed(range(4)):
        nested = ft.vmap(nested, in_axes=tuple(0 if k == axis else None for k in range(4)))
    want = np.empty(sizes)
    for at in itertools.product(*map(range, sizes)):
        want[at] = plain(*(v[i] for v, i in zip(vectors, at, strict=True)))
    assert np.array_equal(ft.jit(nested)(*vectors), want)


def test_a_sum_that_a_loop_does_not_change_is_taken_out_of_it() -> None:
    x, w = (source.param(s, dtypes.float64) for s in ((7,), (5, 40)))
    i, j = UOp.range(7), UOp.range(5)
    total = B.reduce_axis(B.alu(Ops.EXP, w.vmapin((j, ZERO))), Ops.ADD, (0,))
    y = B.mul(total, x.vmapin((i,))).vmapout((j,)).vmapout((i, ZERO))
    assert evaluations(y) == 5 * 40


def test_a_table_beyond_the_budget_is_filled_further_inside_or_not_at_all() -> None:
    n = share(L2_BYTES) // 8 // 40 + 1  # 40 n numbers are more than a table may hold
    exp = lambda x: B.alu(Ops.EXP, x)  # noqa: E731
    inner = mapped([3, n, 2, 40], lambda a, b, c, d: B.add(exp(B.mul(b, d)), B.mul(a, c)))
    assert evaluations(inner) == 3 * n * 40  # for each of the first loop, but not for each of the third
    nowhere = mapped([3, n, 40], lambda a, b, c: B.add(exp(B.mul(b, c)), a))
    assert evaluations(nowhere) == 3 * n * 40


def test_two_results_of_a_map_share_their_tables() -> None:
    x, w = source.param((6,), dtypes.float64), source.param((9,), dtypes.float64)
    i, j = UOp.range(6), UOp.range(9)
    e = B.alu(Ops.EXP, w.vmapin((j,)))
    one, two = (f(e, x.vmapin((i,))).vmapout((j,)).vmapout((i, ZERO)) for f in (B.mul, B.add))
    assert evaluations(one, two) == 9


def test_cheap_work_is_done_again() -> None:
    y = mapped([3, 9, 9], lambda a, b, c: B.add(B.mul(b, c), a))
    (kernel,) = kernels(ranged([y]))
    assert all(u.op is not Ops.DEFINE_LOCAL for u in lower(kernel).uops)


@pytest.mark.parametrize("seed", range(0, 60, 5))
def test_statements_with_tables_compute_the_values(seed: int) -> None:
    y = mapped(*drawn(seed))
    params = [u for u in toposort((y,)) if u.op is Ops.PARAM]
    rng = np.random.default_rng(seed)
    values = {p: rng.uniform(-1, 1, p.sized) for p in params}
    (got,), (want,) = executed([y], values), interpret([y], values)
    assert np.allclose(got, want, rtol=1e-13, atol=0, equal_nan=True)
