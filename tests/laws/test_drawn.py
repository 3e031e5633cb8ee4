"""Laws of the transforms on random programs: jit changes nothing, vmap is a loop, jvp is the derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import functrans as ft
from tests.laws.strategies import Program, programs, sample

LAWS = settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
GROUP = 4  # programs in one translation unit: most of a run is compiling
STEP = 1e-30

Arrays = Sequence[Any]


def as_tuple(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


def same(got: Any, want: Any) -> None:
    for g, w in zip(as_tuple(got), as_tuple(want), strict=True):
        w = np.asarray(w)
        assert np.shape(g) == w.shape
        assert np.asarray(g).dtype == w.dtype
        scale = np.abs(w).max(initial=0.0)
        np.testing.assert_allclose(g, w, rtol=1e-10, atol=1e-11 * max(scale, 1.0))


def several(one: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(one, min_size=GROUP, max_size=GROUP)


def compiled(fs: Sequence[Callable[..., Any]]) -> Callable[[Sequence[Arrays]], list[Any]]:
    """The functions in one translation unit: of the arguments of each, the results of each."""
    f = ft.jit(lambda groups: [f(*args) for f, args in zip(fs, groups, strict=True)])
    return lambda groups: f([tuple(args) for args in groups])


@LAWS
@given(several(programs()))
def test_jit_changes_nothing(ps: list[Program]) -> None:
    f = compiled(ps)
    for seed in (1, 2):
        groups = [sample(p.shapes, seed) for p in ps]
        for got, p, args in zip(f(groups), ps, groups, strict=True):
            same(got, p(*args))


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
@given(several(mapped()))
def test_vmap_is_a_loop(cases: list[Any]) -> None:
    groups = [batched(p, axes, n, 3) for p, axes, n, _ in cases]
    found = compiled([ft.vmap(p, in_axes=axes, out_axis=out) for p, axes, _, out in cases])(groups)
    for got, (p, axes, n, out_axis), args in zip(found, cases, groups, strict=True):
        lanes = [
            as_tuple(p(*(x if a is None else np.moveaxis(x, a, 0)[k] for x, a in zip(args, axes, strict=True))))
            for k in range(n)
        ]
        if n == 0:
            shapes = [np.shape(y) for y in as_tuple(p(*sample(p.shapes, 0)))]
            wanted = [(0, *s) if out_axis == 0 else (*s, 0) for s in shapes]
            assert [g.shape for g in as_tuple(got)] == wanted
            continue
        same(got, tuple(np.stack([np.asarray(y) for y in ys], out_axis) for ys in zip(*lanes, strict=True)))


@LAWS
@given(several(programs(most=4)), st.integers(2, 3))
def test_nested_vmap_is_a_nested_loop(ps: list[Program], depth: int) -> None:
    sizes = (2, 3, 2)[:depth]
    groups = [sample(tuple((*sizes, *s) for s in p.shapes), 4) for p in ps]
    fs: list[Any] = ps
    for _ in range(depth):
        fs = [ft.vmap(f) for f in fs]
    for got, p, args in zip(compiled(fs)(groups), ps, groups, strict=True):
        lanes = [as_tuple(p(*(x[index] for x in args))) for index in np.ndindex(*sizes)]
        want = [np.stack([np.asarray(y) for y in ys]) for ys in zip(*lanes, strict=True)]
        same(got, tuple(w.reshape(*sizes, *w.shape[1:]) for w in want))


def complex_step(p: Program, args: list[Any], along: list[Any]) -> tuple[Any, ...]:
    out = as_tuple(p(*(x + 1j * STEP * t for x, t in zip(args, along, strict=True))))
    return tuple(np.imag(y) / STEP for y in out)


@LAWS
@given(several(programs(smooth=True, most=5)), st.integers(1, 3))
def test_jvp_of_a_vmap_is_the_complex_step(ps: list[Program], n: int) -> None:
    points, along = ([sample(tuple((n, *s) for s in p.shapes), seed) for p in ps] for seed in (7, 8))

    def pushed(p: Program) -> Any:
        return lambda x, t: ft.jvp(ft.vmap(p), x, t)

    pairs = [(tuple(x), tuple(t)) for x, t in zip(points, along, strict=True)]
    found = compiled([pushed(p) for p in ps])(pairs)
    for (value, tangent), p, x, t in zip(found, ps, points, along, strict=True):
        lanes = [complex_step(p, [a[k] for a in x], [a[k] for a in t]) for k in range(n)]
        same(tangent, tuple(np.stack(ys) for ys in zip(*lanes, strict=True)))
        assert len(as_tuple(value)) == len(as_tuple(tangent))


@LAWS
@given(several(programs(smooth=True, most=5)), st.integers(1, 3))
def test_vmap_of_a_jvp_shares_the_point(ps: list[Program], n: int) -> None:
    # as a compressed Jacobian does: one point, many directions
    points = [sample(p.shapes, 9) for p in ps]
    seeds = [sample(tuple((n, *s) for s in p.shapes), 10) for p in ps]

    def pushed(p: Program, x: list[Any]) -> Any:
        return ft.vmap(lambda *ts: ft.jvp(p, tuple(x), ts)[1])

    found = compiled([pushed(p, x) for p, x in zip(ps, points, strict=True)])(seeds)
    for got, p, x, ts in zip(found, ps, points, seeds, strict=True):
        lanes = [complex_step(p, x, [t[k] for t in ts]) for k in range(n)]
        same(got, tuple(np.stack(ys) for ys in zip(*lanes, strict=True)))


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
