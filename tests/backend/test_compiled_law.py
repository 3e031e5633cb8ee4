"""Compiled code and the interpreter give the same arrays, on random graphs of every op, dtype and shape."""

from __future__ import annotations

import numpy as np
import pytest

from functrans.backend.pipeline import Program
from functrans.ops import UOp
from functrans.ops.interpret import interpret
from tests.backend.random_graphs import Graph

pytestmark = pytest.mark.usefixtures("compiler")

GROUP = 5  # graphs in one translation unit: most of a run is compiling


def same(want: np.ndarray, got: np.ndarray, tolerance: float) -> bool:
    """Integers bit for bit, all else equal but for the order of sums; NaN where NaN is."""
    if want.shape != got.shape or want.dtype != got.dtype:
        return False
    if want.dtype.kind in "biu":
        return np.array_equal(want, got)
    return bool(np.allclose(want, got, rtol=tolerance, atol=tolerance, equal_nan=True))


def grown(seed: int, steps: int, casts: bool) -> tuple[Graph, list[UOp], list[np.ndarray]]:
    """A graph, two of its values, and arrays for its params."""
    sizes = (0, 1, 2, 3) if seed % 3 == 0 else (1, 2, 3, 5) if seed % 3 == 1 else (1, 4, 7)
    g = Graph(seed, depth=1 + seed % 3, sizes=sizes, casts=casts, hosts=seed // GROUP % 4 == 3)
    outputs = [g.grow(steps), g.pick()]
    return g, outputs, g.values()


def differences(seeds: range, steps: int, casts: bool) -> list[str]:
    """Where the compiled program of all seeds' graphs differs from the interpreter."""
    graphs = [grown(seed, steps, casts) for seed in seeds]
    params = [p for g, _, _ in graphs for p in g.params]
    values = [v for _, _, vs in graphs for v in vs]
    roots = [r for _, outputs, _ in graphs for r in outputs]
    names = [f"seed {seed} output {k}" for seed, (_, outputs, _) in zip(seeds, graphs) for k, _ in enumerate(outputs)]
    want = interpret(roots, dict(zip(params, values, strict=True)))
    got = Program(roots, params)(values)
    tolerance = 1e-5 if casts else 1e-9  # sums in float32 differ in the last digits
    return [name for name, w, h in zip(names, want, got, strict=True) if not same(w, h, tolerance)]


@pytest.mark.parametrize("group", range(14))
def test_random_graphs(group: int) -> None:
    seeds = range(group * GROUP, (group + 1) * GROUP)
    assert differences(seeds, steps=6 + group % 9, casts=False) == []


@pytest.mark.parametrize("group", range(14))
def test_random_graphs_of_many_dtypes(group: int) -> None:
    seeds = range(1000 + group * GROUP, 1000 + (group + 1) * GROUP)
    assert differences(seeds, steps=6 + group % 9, casts=True) == []
