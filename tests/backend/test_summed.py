"""A reduction over neighboring elements is one loop, whatever the shape, and nothing else becomes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.schedule.passes import ranged
from functrans.ops import Ops
from functrans.ops.uop import toposort
from functrans.ops.vmap import extent

X = np.random.default_rng(0).uniform(-1, 1, (6, 5, 7))
ROW = X[0, 0]
COLUMN = X[0, :, :1]


def loops(f: Callable[..., Any], *args: Any) -> list[list[int]]:
    """The extents of the loops of each reduction."""
    buffers = ranged(ft.jit(f).lower(*args).graph.outputs)
    return [[extent(r) for r in u.src[1:]] for u in toposort(buffers) if u.op is Ops.REDUCE]


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: (x * x).sum(), [210]),
        (lambda x: (x * x[::1]).sum(axis=(1, 2)), [35]),
        (lambda x: np.exp(x).max(axis=(0, 1, 2)), [210]),
        (lambda x: (x.reshape(30, 7) * x.reshape(30, 7)).sum(), [210]),
        (lambda x: (x[1:] * x[:-1]).sum(), [175]),  # shifted by whole rows
        (lambda x: (x * ROW).sum(), [6, 5, 7]),  # a row for all is read again and again
        (lambda x: (x * COLUMN).sum(), [6, 5, 7]),
        (lambda x: (x[:, 1:] * x[:, :-1]).sum(), [6, 28]),
        (lambda x: (x[:, :, 1:] * x[:, :, :-1]).sum(), [6, 5, 6]),  # rows beside one another, but not elements
        (lambda x: (x * x[::-1]).sum(), [6, 35]),
        (lambda x: (x * x[:, :, ::-1]).sum(), [6, 5, 7]),
        (lambda x: np.where(np.arange(7) > 2, x, -x).sum(), [6, 5, 7]),
    ],
)  # fmt: skip
def test_loops_become_one_where_all_is_read_along_memory(f: Callable[[Any], Any], expected: list[int]) -> None:
    assert np.allclose(ft.jit(f)(X), f(X), rtol=1e-13, atol=1e-13)
    assert loops(f, X) == [expected]


def test_reductions_that_share_loops_become_one_together_or_not_at_all() -> None:
    def both(x: Any) -> Any:
        return (x * x).sum(), (x * ROW).sum()

    assert np.allclose(ft.jit(both)(X), both(X), rtol=1e-13)
    assert loops(lambda x: ((x * x).sum(), (x * 2.0).sum()), X) == [[210], [210]]
    assert sorted(loops(both, X)) == [[6, 5, 7], [6, 5, 7]]


def test_a_batch_has_the_numbers_of_one_alone() -> None:
    def f(x: Any) -> Any:
        return (x * x).sum() + np.sin(x).max()

    whole = ft.jit(ft.vmap(ft.vmap(f)))(np.stack([[X, 2 * X], [X + 1, -X]]))
    for batch, of in zip(whole.ravel(), (X, 2 * X, X + 1, -X), strict=True):
        assert np.allclose(batch, f(of), rtol=1e-13)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (1, 9), (9, 1), (2, 1, 3), (4, 4, 4, 4)])
def test_edges(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(1).uniform(-1, 1, shape)
    assert np.allclose(ft.jit(lambda x: (x * x).sum())(x), (x * x).sum(), rtol=1e-13)
    assert np.allclose(ft.jit(lambda x: (x * x).sum(axis=(-1, -2)))(x), (x * x).sum(axis=(-1, -2)), rtol=1e-13)


RADII = np.linspace(0.5, 1.5, 3)
SHAPES = [(100, 3), (33, 30), (32, 31), (31, 31), (40, 3, 3), (50, 1, 4), (7, 40, 3), (5, 5, 50), (0, 3), (40, 0)]
BODIES: dict[str, Callable[..., Any]] = {
    "squares": lambda x: ((x - np.linspace(0, 1, x.shape[-1])) ** 2).sum(),
    "products": lambda x: (1.0 + 0.01 * x * np.linspace(0, 1, x.shape[-1])).prod(),
    "largest": lambda x: (x * np.linspace(1, 2, x.shape[-1])).max(initial=-9.0),
    "transposed": lambda x: np.tanh(np.swapaxes(x, 0, -1)).sum(),
    "several": lambda x: (x * np.linspace(1, 2, x.shape[-1])).sum() - (x[..., ::-1] ** 2).sum(),
}


CASES = [(name, shape, np.float64) for name in BODIES for shape in SHAPES]
CASES += [(name, shape, np.float32) for name in BODIES for shape in SHAPES[:3]]
CASES += [(name, shape, np.complex128) for name in BODIES if name != "largest" for shape in SHAPES[:3]]


@pytest.mark.parametrize(("name", "shape", "dtype"), CASES, ids=str)
def test_rows_of_few_numbers_have_their_bits_in_every_lane(name: str, shape: tuple[int, ...], dtype: Any) -> None:
    f = BODIES[name]
    xs = np.random.default_rng(len(shape)).normal(size=(3, *shape)).astype(dtype)
    alone = np.stack([ft.jit(f)(x) for x in xs])
    close = 1e-4 if dtype is np.float32 else 1e-12
    np.testing.assert_allclose(alone, np.stack([f(x) for x in xs]), rtol=close, atol=close)
    np.testing.assert_array_equal(ft.jit(ft.vmap(f))(xs), alone)
    np.testing.assert_array_equal(ft.jit(ft.vmap(f, -1))(np.moveaxis(xs, 0, -1).copy()), alone)


def test_rows_of_few_numbers_are_reduced_row_by_row() -> None:
    """Within a loop that is long enough for accumulators; integers, of which any order has the sum, as they are."""
    points = np.random.default_rng(1).normal(size=(64, 3))
    assert sorted(loops(lambda x: ((x - RADII) ** 2).sum(), points)) == [[3], [64]]
    assert loops(lambda x: ((x - RADII) ** 2).sum(), points[:31]) == [[31, 3]]
    assert loops(lambda x: (x > RADII).sum(), points) == [[64, 3]]


def test_errors_of_many_short_rows_do_not_grow_with_their_number() -> None:
    points = np.random.default_rng(2).uniform(1, 2, (200_000, 3)).astype(np.float32)
    radii = RADII.astype(np.float32)
    exact = (points * radii).sum(dtype=np.float64)
    assert abs(ft.jit(lambda x: (x * radii).sum())(points) - exact) < 1e-6 * exact


@pytest.mark.parametrize("shape", [(40, 3), (50, 17)])
def test_a_result_that_is_summed_has_the_order_of_a_lane_that_computes_it_anew(shape: tuple[int, ...]) -> None:
    def f(x: Any) -> Any:
        d = x * 1.5 - np.linspace(0, 1, shape[-1])
        e = d * 2.0 + 1.0
        return d.sum(), d, e.sum(), e

    xs = np.random.default_rng(3).normal(size=(3, *shape))
    for lanes, alone in zip(ft.jit(ft.vmap(f))(xs), zip(*(ft.jit(f)(x) for x in xs), strict=True), strict=True):
        np.testing.assert_array_equal(lanes, np.stack(alone))
