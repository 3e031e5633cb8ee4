"""Functions of differences along edges in both directions: the same values, of half as many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.ops.enums import Ops
from functrans.ops.uop import substitute, toposort
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.transforms.jit import make_graph
from functrans.transforms.mirrored import mirrored

FUNCTIONS = [np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh]
N, SEEDS = 12, range(6)


def edges(seed: int, both: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Ends of edges, in no order; some edges twice, some from a place to itself."""
    rng = np.random.default_rng(seed)
    i, j = rng.integers(0, N, (2, 30))
    if both:
        i, j = np.concatenate([i, j, i[:5]]), np.concatenate([j, i, j[:5]])
    order = rng.permutation(len(i))
    return i[order], j[order]


def sizes(roots: Any) -> list[int]:
    return [u.size for u in toposort(roots) if u.op in {Ops.SIN, Ops.COS, Ops.TAN, Ops.SINH, Ops.COSH, Ops.TANH}]


def rewritten(f: Any, *args: np.ndarray) -> tuple[list[Any], Any]:
    """The roots of f's graph rewritten, and f by them."""
    graph = make_graph(f)(*args)
    found = mirrored(graph.outputs)
    return found, lambda *args: [Tensor.from_uop(u) for u in _at(found, graph.params, args)]


def _at(roots: Any, params: Any, args: Any) -> Any:
    return substitute(roots, dict(zip(params, map(lift, args), strict=True)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_values_have_the_same_bits(f: Any, seed: int) -> None:
    i, j = edges(seed)
    x = np.random.default_rng(seed).normal(size=N)
    x[3] = x[4]
    plain = lambda x: f(x[i] - x[j])  # noqa: E731
    roots, again = rewritten(plain, x)
    assert max(sizes(roots)) <= 0.75 * len(i)
    (got,) = ft.jit(again)(x)
    wanted = ft.jit(plain)(x)
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(wanted))


def test_sine_and_cosine_are_of_the_same_differences() -> None:
    i, j = edges(1)
    roots, again = rewritten(lambda x: np.sin(x[i] - x[j]) * np.cos(x[i] - x[j]), np.ones(N))
    assert len([u for u in toposort(roots) if u.op is Ops.SUB]) == 1
    x = np.linspace(-1, 1, N)
    np.testing.assert_allclose(ft.jit(again)(x)[0], np.sin(2 * (x[i] - x[j])) / 2, atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_in_one_direction_and_other_functions_stay(seed: int) -> None:
    i, j = edges(seed, both=False)
    here, there = edges(seed)
    for f in (
        lambda x, y: np.sin(x[i] - x[j]),
        lambda x, y: np.exp(x[here] - x[there]),
        lambda x, y: np.sin(x[here] - y[there]),
        lambda x, y: np.sin(x[here] + x[there]),
    ):
        graph = make_graph(f)(np.ones(N), np.ones(N))
        assert mirrored(graph.outputs) == list(graph.outputs)


def test_of_matrices() -> None:
    i, j = edges(2)
    rows, cols = np.divmod(i, 4), np.divmod(j, 4)
    x = np.random.default_rng(2).normal(size=(3, 4))
    plain = lambda x: np.sin(x[rows] - x[cols])  # noqa: E731
    roots, again = rewritten(plain, x)
    assert max(sizes(roots)) <= 0.75 * len(i)
    np.testing.assert_allclose(ft.jit(again)(x)[0], plain(x), rtol=1e-15)
