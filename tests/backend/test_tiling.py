"""Transposing loops in tiles: the same values at every size, in every batch, and only where something lies across."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.statements import lower
from functrans.backend.policy import LINE_BYTES
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import ranged
from functrans.ops import Ops
from functrans.ops.passes import Recorded

SIZES = [(1, 9), (9, 1), (7, 17), (8, 8), (9, 9), (16, 17), (17, 16), (33, 15), (15, 33), (24, 40)]
BODIES: dict[str, Callable[..., Any]] = {
    "copy": lambda x: np.transpose(x) * 1,
    "with its own": lambda x: np.transpose(x)[: min(x.shape), : min(x.shape)] + x[: min(x.shape), : min(x.shape)],
    "backwards": lambda x: np.transpose(x[::-1, ::-1]) + 2,
    "two": lambda x: (np.transpose(x) * 3, np.transpose(x) + 1),
    "part": lambda x: np.transpose(x)[1:, ::2] * 2,
    "chosen": lambda x: np.where(np.transpose(x) > 0, np.transpose(x), 7),
}


def loops(f: Callable[..., Any], *args: Any) -> int:
    """The loops of the one kernel of a function."""
    (kernel,) = kernels(ranged(ft.jit(f).lower(*args).graph.outputs))
    return sum(u.op is Ops.RANGE for u in lower(kernel).uops)


def changed(f: Callable[..., Any], x: np.ndarray) -> set[str]:
    """The passes that made other statements of a kernel."""
    passes = Recorded()
    (kernel,) = kernels(ranged(ft.jit(f).lower(x).graph.outputs))
    lower(kernel, passes)
    stages = [s for s in passes.stages if s.kernel is not None]
    return {b.name for a, b in pairwise(stages) if a.nodes != b.nodes}


def array(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    rng = np.random.default_rng(len(shape))
    return (rng.standard_normal(shape) * 50).astype(dtype)


@pytest.mark.parametrize(
    "body, dtype",
    [(b, np.float64) for b in BODIES]
    + [("part", t) for t in (np.float32, np.int64, np.int8)]
    + [("copy", t) for t in (np.bool_, np.complex128)],
)
def test_every_size_near_that_of_a_tile(body: str, dtype: Any) -> None:
    f = BODIES[body]
    for shape in SIZES:
        x = array(shape, dtype)
        got, want = ft.jit(f)(x), f(x)
        for a, b in zip(got, want, strict=True) if isinstance(got, tuple) else [(got, want)]:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("axes", list(permutations(range(3))))
@pytest.mark.parametrize("shape", [(17, 3, 40), (40, 17, 9), (33, 34, 35), (1, 20, 30), (30, 0, 20)])
def test_every_order_of_three_axes(axes: tuple[int, ...], shape: tuple[int, ...]) -> None:
    x = array(shape, np.float64)
    f = lambda x: np.transpose(x, axes) * 2.0  # noqa: E731
    np.testing.assert_array_equal(ft.jit(f)(x), f(x))
    for n in (0, 1, 7, 8, 20):
        rows = array((n, *shape), np.float64)
        want = np.array([f(row) for row in rows]).reshape(n, *f(x).shape)
        np.testing.assert_array_equal(ft.vmap(f)(rows), want)


def test_threads_share_the_tiles() -> None:
    x = array((1003, 517), np.float64)
    with ft.config.override(threads=3):
        np.testing.assert_array_equal(ft.jit(lambda x: x.T * 2.0)(x), x.T * 2.0)


def test_what_is_in_tiles() -> None:
    x, few = np.ones((100, 90)), np.ones((100, LINE_BYTES // 8))  # as wide as one tile
    assert loops(lambda x: x.T * 2.0, x) == 4
    assert loops(lambda x: x.T + x[:90, :90].sum(), x[:90, :90]) > 4  # the sum is a loop of its own
    assert loops(lambda x: x * 2.0, x) == 2
    assert loops(lambda x: np.transpose(x, (1, 0, 2)) * 2.0, np.ones((20, 30, 40))) == 3  # rows lie side by side
    assert loops(lambda x: np.transpose(x, (2, 1, 0)) * 2.0, np.ones((20, 30, 40))) == 5
    assert "tiling" not in changed(lambda x: x.T * 2.0, few.T)
    assert "tiling" in changed(lambda x: x.T * 2.0, x)


@pytest.mark.parametrize(
    "shape, axes, ends", [((40, 50, 64), (1, 2, 0), [5, 8, 8, 8]), ((40, 64, 50), (0, 2, 1), [7, 8, 8, 8])]
)
def test_tiles_follow_one_another_along_the_shorter_jumps(
    shape: tuple[int, ...], axes: tuple[int, ...], ends: list[int]
) -> None:
    """Along rows of what is read, where the next row is farther away than that of what is stored."""
    f = lambda x: np.transpose(x, axes) * 1  # noqa: E731
    (kernel,) = kernels(ranged(ft.jit(f).lower(array(shape, np.float64)).graph.outputs))
    ranges = [u.src[0] for u in lower(kernel).uops if u.op is Ops.RANGE]
    assert [int(end.arg) for end in ranges if end.op is Ops.CONST][-len(ends) :] == ends


def test_another_batch_is_the_same_text() -> None:
    f = ft.jit(lambda x: np.transpose(x, (2, 1, 0)) * 2.0)
    assert f.lower(np.ones((20, 30, 40))).c_source == f.lower(np.ones((20, 30, 9))).c_source
