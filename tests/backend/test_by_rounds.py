"""Work on what loops stack: kernel counts, values of loops written out, equal bits however the lanes are mapped."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend.codegen.regions import lowered
from functrans.backend.schedule.along import same_axis
from functrans.backend.schedule.kernels import RegionKernel
from functrans.ops import UOp
from tests.laws.references import interpreted
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
RNG = np.random.default_rng(0)
N, STEPS, LANES = 3, 7, 5
W, V = RNG.normal(size=(N, N)) * 0.4, RNG.normal(size=(2, N))
H, X, Y = RNG.normal(size=(LANES, N)), RNG.normal(size=(LANES, STEPS, N)), RNG.normal(size=(LANES, STEPS, N))

Program = Callable[..., Any]  # of a scan, weights, a state, and two sequences


def walk(scan: Any, w: Any, h: Any, x: Any, **options: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        h = np.tanh(w @ h + x)
        return h, h

    return scan(step, h, x, **options)


def squares(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    return (walk(scan, w, h, x)[1] ** 2).sum()


def fitted(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    return ((walk(scan, w, h, x)[1] - y) ** 2).mean()


def measured(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    """A product of each row with a matrix, before the loss."""
    return ((walk(scan, w, h, x)[1] @ V.T - y @ V.T) ** 2).sum()


def entropy(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    """Sums of rows, and a loop backward."""
    ys = walk(scan, w, h, x, reverse=True)[1]
    return -((ys - np.log(np.exp(ys).sum(axis=1, keepdims=True))) * y).sum()


def spread(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    """A sum that needs another one."""
    ys = walk(scan, w, h, x)[1]
    return ((ys - ys.mean(axis=0)) ** 2).sum()


def turned(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    """The rounds along the second axis, and a reduction that is no sum."""
    ys = walk(scan, w, h, x)[1]
    return ((ys.T - y.T) ** 2)[1:].max(axis=1).sum()


def end_and_all(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    last, ys = walk(scan, w, h, x)
    return (ys * last).sum() / (1.0 + (last * last).sum())


def near(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    """Rows that meet the row before: no function of a round."""
    ys = walk(scan, w, h, x)[1]
    return ((ys[1:] - ys[:-1]) ** 2).sum()


def products(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    """What is stacked is a product, and the loop that stacks it does not depend on the lane."""
    ys = scan(lambda c, e: (c * e, c * e), np.ones(N), 1.0 + 0.1 * X[0])[1]
    return (ys - h).sum() + (ys - y).prod(axis=0).sum()


def twice(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
    """A loop over what a loop stacks."""
    ys = walk(scan, w, h, x)[1]
    last, zs = scan(lambda c, e: (c * 0.5 + e, c * e), h, ys)
    return (zs * y).sum() + last.sum()


PROGRAMS = [squares, fitted, measured, entropy, spread, turned, end_and_all, near, products, twice]


def looped(f: Program) -> Program:
    return lambda *a: f(ft.scan, *a)


def written_out(f: Program) -> Program:
    def scan(body: Any, carry: Any, xs: Any, reverse: bool = False) -> Any:
        rows: list[Any] = [None] * STEPS
        for t in reversed(range(STEPS)) if reverse else range(STEPS):
            carry, rows[t] = body(carry, xs[t])
        return carry, np.stack(rows)

    return lambda *a: f(scan, *a)


def kinds(f: Program, *args: Any) -> list[str]:
    return [type(k).__name__ for k in ft.jit(f).lower(*args).kernels]


MAPPED = (None, 0, 0, 0)


@pytest.mark.parametrize("f", [squares, fitted, measured, entropy, turned, twice], ids=lambda f: f.__name__)
def test_a_loss_of_every_step_and_its_gradient_are_one_kernel(f: Program) -> None:
    made = looped(f)
    given = {measured: 3, entropy: 2}.get(f, 0)  # what is computed of data alone, outside of the loops
    for lanes, args in ((lambda g: g, (W, H[0], X[0], Y[0])), (lambda g: ft.vmap(g, MAPPED), (W, H, X, Y))):
        assert kinds(lanes(made), *args)[-1] == "RegionKernel"
        for g in (ft.grad(made), ft.value_and_grad(made)):
            found = kinds(lanes(g), *args)
            assert found.count("Chain") == 1 and "RegionKernel" not in found
            assert len(found) <= 1 + given or f is measured  # W.T of a constant, and rows of it, are data too


@pytest.mark.parametrize("f", [squares, fitted], ids=lambda f: f.__name__)
def test_summed_over_lanes_the_sum_is_the_second_kernel(f: Program) -> None:
    total = ft.grad(lambda w, *a: ft.vmap(looped(f), MAPPED)(w, *a).sum())
    assert kinds(total, W, H, X, Y) == ["Chain", "Kernel"]


def test_what_reads_other_rounds_stays_outside() -> None:
    assert kinds(looped(near), W, H[0], X[0], Y[0]) == ["RegionKernel", "Kernel"]


@pytest.mark.parametrize("f, carries", [(spread, [2, 1]), (end_and_all, [1, 1])], ids=["spread", "end_and_all"])
def test_what_needs_the_end_of_a_loop_is_a_loop_behind_it(f: Program, carries: list[int]) -> None:
    kernel = ft.jit(looped(f)).lower(W, H[0], X[0], Y[0]).kernels[0]
    assert isinstance(kernel, RegionKernel)
    assert [r.arg.region.carries for r in kernel.regions] == carries


def test_a_loss_of_all_lanes_stands_between_no_loops() -> None:
    def loss(w: Any, h: Any, x: Any, y: Any) -> Any:
        return ((ft.vmap(lambda h, x: walk(ft.scan, w, h, x)[1])(h, x) - y) ** 2).mean()

    assert kinds(ft.grad(loss), W, H, X, Y) == ["Chain", "Kernel"]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_values_of_loops_written_out(f: Program) -> None:
    for g in (lambda f: f, ft.grad, lambda f: ft.grad(f, argnums=1), lambda f: ft.jacfwd(ft.grad(f, argnums=1), 1)):
        got = ft.jit(ft.vmap(g(looped(f)), MAPPED))(W, H, X, Y)
        (want,) = interpreted(ft.vmap(g(written_out(f)), MAPPED), W, H, X, Y)
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_equal_bits_however_the_lanes_are_mapped(f: Program) -> None:
    g = ft.value_and_grad(looped(f))
    alone = [tree.leaves(ft.jit(g)(W, *row)) for row in zip(H, X, Y, strict=True)]
    want = [np.stack(rows).tobytes() for rows in zip(*alone, strict=True)]
    for method in ("vmapin", "rewrite", "pad_reduce"):
        for axis_type in ("loop", "outer"):
            got = tree.leaves(ft.vmap(g, MAPPED, method=method, axis_type=axis_type)(W, H, X, Y))
            assert [x.tobytes() for x in got] == want, (method, axis_type)


@pytest.mark.parametrize("f", [fitted, spread, entropy], ids=lambda f: f.__name__)
def test_a_call_that_is_left_goes_on_with_what_it_has_summed(
    f: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    g = ft.vmap(ft.value_and_grad(looped(f)), MAPPED)
    want = tree.leaves(ft.jit(g)(W, H, X, Y))
    monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)  # after each round
    with kept_apart(tmp_path):
        got = tree.leaves(ft.jit(g)(W, H, X, Y))
    assert [x.tobytes() for x in got] == [x.tobytes() for x in want]


def test_one_text_for_all_lanes_and_rounds() -> None:
    def source(lanes: int, steps: int) -> str:
        each = ft.vmap(ft.grad(looped(squares)), MAPPED)
        return ft.jit(each).lower(W, np.ones((lanes, N)), np.ones((lanes, steps, N)), np.ones(lanes)).c_source

    assert source(3, 10) == source(1000, 10) == source(1000, 500)


def rows(draw: random.Random, depth: int) -> Program:
    """A random function of stacked rows (STEPS, n), data of that shape and a state, to an array of such a shape."""
    if depth == 0:
        return draw.choice([lambda a, y, h: a, lambda a, y, h: a, lambda a, y, h: y, lambda a, y, h: a * 0 + h])
    f, g = rows(draw, depth - 1), rows(draw, depth - 1)
    c = draw.uniform(-1, 1)
    return draw.choice([
        lambda a, y, h: f(a, y, h) * g(a, y, h),
        lambda a, y, h: f(a, y, h) - c * g(a, y, h),
        lambda a, y, h: np.sin(f(a, y, h)) + np.flip(g(a, y, h), 1),
        lambda a, y, h: f(a, y, h) - g(a, y, h).sum(axis=1, keepdims=True),
        lambda a, y, h: (f(a, y, h).T * np.cos(g(a, y, h)).T).T,
        lambda a, y, h: (f(a, y, h)[:, :, None] * g(a, y, h)[:, None, :]).max(axis=2),
        lambda a, y, h: f(a, y, h).reshape(STEPS, 1, N)[:, 0] * c + h,
        lambda a, y, h: ft.vmap(lambda r, s: r * s.sum() + h)(f(a, y, h), g(a, y, h)),
        lambda a, y, h: np.pad(f(a, y, h)[:, 1:], ((0, 0), (1, 0))) + g(a, y, h),
        lambda a, y, h: f(a, y, h) * g(a, y, h).mean(axis=0),
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_random_functions_of_rows(seed: int) -> None:
    draw = random.Random(seed)
    inner, at, reverse = rows(draw, 2), draw.choice(["all", "rounds"]), draw.random() < 0.3

    def f(scan: Any, w: Any, h: Any, x: Any, y: Any) -> Any:
        z = inner(walk(scan, w, h, x, reverse=reverse)[1], y, h)
        return z.sum() if at == "all" else (z.sum(axis=0) ** 2).sum()

    g = ft.value_and_grad(looped(f), argnums=(0, 1))
    want = interpreted(ft.vmap(ft.value_and_grad(written_out(f), argnums=(0, 1)), MAPPED), W, H, X, Y)
    found = []
    for method in ("vmapin", "rewrite", "pad_reduce"):
        got = tree.leaves(ft.vmap(g, MAPPED, method=method)(W, H, X, Y))
        found.append([a.tobytes() for a in got])
        for a, b in zip(got, want, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)
    alone = [tree.leaves(ft.jit(g)(W, *row)) for row in zip(H, X, Y, strict=True)]
    assert found == [[np.stack(r).tobytes() for r in zip(*alone, strict=True)]] * 3


def test_axes_that_are_ranges_are_compared_as_objects() -> None:
    r = UOp.range(3)
    assert same_axis(r, r) and same_axis(1, 1) and same_axis(None, None)
    assert not any(same_axis(a, b) for a, b in ((r, None), (None, r), (r, 0), (0, r), (r, UOp.range(3)), (0, 1)))
