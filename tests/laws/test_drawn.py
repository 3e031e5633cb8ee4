"""Laws of the transforms on random programs: jit changes nothing, vmap is a loop, jvp is the derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import functrans as ft
from tests.laws.strategies import Program, programs, sample

LAWS = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
STEP = 1e-30


def as_tuple(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


def same(got: Any, want: Any) -> None:
    for g, w in zip(as_tuple(got), as_tuple(want), strict=True):
        w = np.asarray(w)
        assert np.shape(g) == w.shape
        assert np.asarray(g).dtype == w.dtype
        scale = np.abs(w).max(initial=0.0)
        np.testing.assert_allclose(g, w, rtol=1e-10, atol=1e-11 * max(scale, 1.0))


@LAWS
@given(programs())
def test_jit_changes_nothing(p: Program) -> None:
    args = sample(p.shapes, 1)
    f = ft.jit(p)
    same(f(*args), p(*args))
    again = sample(p.shapes, 2)
    same(f(*again), p(*again))


@st.composite
def mapped(draw: Any) -> tuple[Program, tuple[int | None, ...], int, int]:
    p = draw(programs())
    axes = [draw(st.one_of(st.none(), st.integers(-len(s) - 1, len(s)))) for s in p.shapes]
    if all(a is None for a in axes):
        axes[0] = 0
    return p, tuple(axes), draw(st.sampled_from([0, 1, 2, 3])), draw(st.sampled_from([0, -1]))


def batched(p: Program, axes: tuple[int | None, ...], n: int, seed: int) -> list[np.ndarray[Any, Any]]:
    shapes = []
    for s, a in zip(p.shapes, axes, strict=True):
        at = None if a is None else a % (len(s) + 1)
        shapes.append(s if at is None else (*s[:at], n, *s[at:]))
    return sample(tuple(shapes), seed)


@LAWS
@given(mapped())
def test_vmap_is_a_loop(case: Any) -> None:
    p, axes, n, out_axis = case
    args = batched(p, axes, n, 3)
    got = as_tuple(ft.vmap(p, in_axes=axes, out_axis=out_axis)(*args))
    lanes = [
        as_tuple(p(*(x if a is None else np.moveaxis(x, a, 0)[k] for x, a in zip(args, axes, strict=True))))
        for k in range(n)
    ]
    if n == 0:
        shapes = [np.shape(y) for y in as_tuple(p(*sample(p.shapes, 0)))]
        assert [g.shape for g in got] == [(0, *s) if out_axis == 0 else (*s, 0) for s in shapes]
        return
    same(got, tuple(np.stack([np.asarray(lane[k]) for lane in lanes], out_axis) for k in range(len(got))))


@LAWS
@given(programs(most=4), st.integers(2, 3))
def test_nested_vmap_is_a_nested_loop(p: Program, depth: int) -> None:
    sizes = (2, 3, 2)[:depth]
    args = sample(tuple((*sizes, *s) for s in p.shapes), 4)
    f: Any = p
    for _ in range(depth):
        f = ft.vmap(f)
    got = as_tuple(f(*args))
    lanes = [as_tuple(p(*(x[index] for x in args))) for index in np.ndindex(*sizes)]
    want = tuple(np.stack([np.asarray(lane[k]) for lane in lanes]) for k in range(len(got)))
    same(got, tuple(w.reshape(*sizes, *w.shape[1:]) for w in want))


def complex_step(p: Program, args: list[Any], along: list[Any]) -> tuple[Any, ...]:
    out = as_tuple(p(*(x + 1j * STEP * t for x, t in zip(args, along, strict=True))))
    return tuple(np.imag(y) / STEP for y in out)


@LAWS
@given(programs(smooth=True, most=5), st.integers(1, 3))
def test_jvp_of_a_vmap_is_the_complex_step(p: Program, n: int) -> None:
    shapes = tuple((n, *s) for s in p.shapes)
    args, along = sample(shapes, 7), sample(shapes, 8)
    value, tangent = ft.jvp(ft.vmap(p), tuple(args), tuple(along))
    lanes = [complex_step(p, [x[k] for x in args], [t[k] for t in along]) for k in range(n)]
    same(tangent, tuple(np.stack([lane[k] for lane in lanes]) for k in range(len(as_tuple(tangent)))))
    assert len(as_tuple(value)) == len(as_tuple(tangent))


@LAWS
@given(programs(smooth=True, most=5), st.integers(1, 3))
def test_vmap_of_a_jvp_shares_the_point(p: Program, n: int) -> None:
    # as a compressed Jacobian does: one point, many directions
    args = sample(p.shapes, 9)
    seeds = sample(tuple((n, *s) for s in p.shapes), 10)
    got = as_tuple(ft.vmap(lambda *ts: ft.jvp(p, tuple(args), ts)[1])(*seeds))
    lanes = [complex_step(p, args, [t[k] for t in seeds]) for k in range(n)]
    same(got, tuple(np.stack([lane[k] for lane in lanes]) for k in range(len(got))))


@pytest.mark.parametrize("depth", range(1, 7))
def test_depth(depth: int) -> None:
    # each level adds an axis and captures what the levels around it made
    sizes = (2, 3, 1, 2, 2, 3)[:depth]
    x = np.random.default_rng(depth).uniform(-1, 1, (*sizes, 3))

    def level(k: int, outer: Any) -> Any:
        def f(rows: Any) -> Any:
            here = outer + np.sum(rows) * 0.1
            if k == 0:
                return np.cumsum(rows * here) - np.max(rows) * outer
            return ft.vmap(level(k - 1, here))(rows)

        return f

    def loop(k: int, outer: Any, rows: Any) -> Any:
        here = outer + np.sum(rows) * 0.1
        if k == 0:
            return np.cumsum(rows * here) - np.max(rows) * outer
        return np.stack([loop(k - 1, here, row) for row in rows])

    same(ft.jit(level(depth, 1.0))(x), loop(depth, 1.0, x))
