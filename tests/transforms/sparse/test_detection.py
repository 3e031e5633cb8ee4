"""Detection: equal to sets of inputs carried element by element, and never smaller than what a change shows."""

from __future__ import annotations

import os
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans import spjacobian
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.transforms.sparse import rows as tables
from functrans.transforms.sparse.detection import Dependence, depends
from tests.transforms.graphs import WholeNumbers
from tests.transforms.sparse.sets import sets

ZERO = UOp.const(dtypes.index, 0)
F = dtypes.float64


def vector(n: int) -> UOp:
    return source.param((n,), F)


def numbers(*values: int) -> UOp:
    return source.buffer(np.array(values, np.int64))


def constant(values: object) -> UOp:
    return source.buffer(np.array(values, float))


def found(output: UOp, *inputs: UOp) -> np.ndarray:
    return Dependence([output], list(inputs)).matrix.toarray().astype(int)


def positions(graph: WholeNumbers) -> list[UOp]:
    return [u for u in graph.pool if not u.free_ranges]


@given(st.integers(0, 10**9), st.sampled_from([(1, 2, 3, 4), (0, 1, 2), (1,), (2, 3, 5)]), st.integers(0, 2))
@settings(max_examples=150, deadline=None)
def test_equal_to_sets_carried_element_by_element(seed: int, sizes: tuple[int, ...], depth: int) -> None:
    graph = WholeNumbers(seed, depth=depth, sizes=sizes)
    graph.grow(9)
    roots = positions(graph)
    with patch.object(tables, "_SHARING", seed % 2 * 8):  # 0: always look for rows that hold the others
        have = Dependence(roots, graph.params).matrix
    rows = [row for root in sets(roots, graph.params) for row in root]
    assert have.shape == (len(rows), sum(p.size for p in graph.params))
    assert [set(have.indices[a:b].tolist()) for a, b in zip(have.indptr, have.indptr[1:])] == rows
    assert all(np.all(np.diff(have.indices[a:b]) > 0) for a, b in zip(have.indptr, have.indptr[1:]))


@given(st.integers(0, 10**9), st.sampled_from([(1, 2, 3, 4), (2, 3, 5)]), st.integers(0, 2))
@settings(max_examples=80, deadline=None)
def test_what_changes_with_an_argument_depends_on_it(seed: int, sizes: tuple[int, ...], depth: int) -> None:
    graph = WholeNumbers(seed, depth=depth, sizes=sizes)
    graph.grow(9)
    roots = positions(graph)
    free = depends(roots)
    values = [interpret(roots, dict(zip(graph.params, graph.values()))) for _ in range(4)]
    for k, may in enumerate(free):
        first = values[0][k].reshape(-1)
        assert all(np.array_equal(v[k].reshape(-1)[~may], first[~may]) for v in values)


@given(st.integers(0, 10**9), st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_smooth_graphs_change_only_where_the_pattern_says(seed: int, depth: int) -> None:
    graph = WholeNumbers(seed, depth=depth, sizes=(1, 2, 3))
    graph.unary = lambda: B.neg(graph.pick())  # nothing but ops that a derivative passes
    graph.where = graph.unary
    graph.index = lambda n, shape: source.buffer(np.resize(np.arange(-1, n + 1), shape))
    graph.grow(9)
    roots = positions(graph)
    have = Dependence(roots, graph.params).matrix.toarray()
    values = graph.values()
    flat = np.concatenate([r.reshape(-1) for r in interpret(roots, dict(zip(graph.params, values)))])
    column = 0
    for k, v in enumerate(values):
        for j in range(v.size):
            moved = v.copy()
            moved.reshape(-1)[j] += 11
            new = interpret(roots, dict(zip(graph.params, [*values[:k], moved, *values[k + 1 :]])))
            changed = np.concatenate([r.reshape(-1) for r in new]) != flat
            assert not np.any(changed & ~have[:, column])
            column += 1


def test_known_masks_and_matrices_cut() -> None:
    x = vector(3)
    mask = B.lt(constant([0, 2, 0]), constant([1, 1, 1]))
    y = B.where(mask, x, B.flip(x, (True,)))
    assert found(y, x).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert found(B.mul(x, constant([1, 0, 2])), x).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    a = np.array([[0, 1, 0], [2, 0, 3], [0, 0, 0], [1, 1, 1]], float)
    product = B.reduce_axis(B.mul(source.buffer(a), B.broadcast(x, (4, 3))), Ops.ADD, (1,))
    np.testing.assert_array_equal(found(product, x), a != 0)
    assert found(B.mul(B.like(x, 0), x), x).sum() == 0
    assert found(B.div(constant([0, 1, 0]), x), x).tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_square_stays_at_zero_and_a_difference_keeps_its_entry() -> None:
    x = vector(2)
    assert found(B.mul(x, x), x).tolist() == [[1, 0], [0, 1]]
    assert found(B.sub(x, x), x).tolist() == [[1, 0], [0, 1]]
    assert found(B.alu(Ops.POW, x, B.like(x, 0)), x).sum() == 0
    assert found(B.alu(Ops.POW, x, B.like(x, 2)), x).sum() == 2


@pytest.mark.parametrize("op", [Ops.FLOOR, Ops.SIGN, Ops.RINT, Ops.DETACH])
def test_ops_without_derivative_pass_nothing(op: Ops) -> None:
    x = vector(2)
    assert found(B.alu(op, x), x).sum() == 0
    assert depends([B.alu(op, x)])[0].all()
    assert found(B.cast(B.cast(x, dtypes.int64), F), x).sum() == 0
    assert found(B.cast(B.cast(x, dtypes.float32), F), x).tolist() == [[1, 0], [0, 1]]
    chosen = B.where(B.lt(x, B.flip(x, (True,))), B.like(x, 1), B.like(x, 2))
    assert found(chosen, x).sum() == 0 and depends([chosen])[0].all()


def test_scatter_modes() -> None:
    x, v = vector(3), vector(3)
    at = numbers(0, 2, 2)
    for mode in ("add", "multiply", "min", "max"):
        want = [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 1, 1]]
        assert found(B.scatter(x, v, (at,), mode), x, v).tolist() == want
    want = [[0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
    assert found(B.scatter(x, v, (at,), "set"), x, v).tolist() == want
    outside = B.scatter(x, v, (numbers(-1, 3, 1),), "set")
    assert found(outside, x, v).tolist() == [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0]]
    constant_update = B.scatter(x, constant([5, 5, 5]), (at,), "set")
    assert found(constant_update, x).tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_computed_index_is_dense_along_its_axis_alone_and_noted() -> None:
    x = source.param((2, 3), F)
    i = B.cast(B.shrink(B.reshape(x, (6,)), ((0, 1),)), dtypes.int64)
    row = B.expand(B.reshape(B.iota(2), (2,)), (2,))
    d = Dependence([B.gather(x, row, B.expand(i, (2,)))], [x])
    assert d.matrix.toarray().astype(int).tolist() == [[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]]
    assert "every position along axes (1,)" in d.notes[0]
    two = B.shrink(B.reshape(x, (6,)), ((0, 2),))
    written = B.scatter(constant(np.zeros((2, 3))), two, (row, B.expand(i, (2,))), "set")
    d = Dependence([written], [x])
    assert d.matrix.toarray().astype(int).tolist() == [[1, 0, 0, 0, 0, 0]] * 3 + [[0, 1, 0, 0, 0, 0]] * 3
    assert "may write" in d.notes[0]


def test_vmapped_gather_stays_in_its_lane() -> None:
    x, r = source.param((3, 4), F), UOp.range(3)
    row = x.vmapin((r, ZERO))
    i = B.cast(B.shrink(row, ((0, 1),)), dtypes.int64)
    d = Dependence([B.gather(row, i).vmapout((r, ZERO))], [x])
    np.testing.assert_array_equal(d.matrix.toarray(), np.kron(np.eye(3), np.ones((1, 4))))


def test_open_outer_vmap_unites_its_lanes() -> None:
    """A function that captures a value of an outer vmap has one pattern for all lanes."""
    mask, r, x = constant([[1, 0, 0], [0, 0, 2]]), UOp.range(2), vector(3)
    assert found(B.mul(mask.vmapin((r, ZERO)), x), x).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_cumulative_sum() -> None:
    x = source.param((2, 5), F)
    y = UOp(Ops.CUMULATE, F, (x,), (Ops.ADD, 1))
    np.testing.assert_array_equal(found(y, x), np.kron(np.eye(2), np.tri(5)))


def test_normalising_by_everything_needs_no_square_memory() -> None:
    """Every intermediate depends on all inputs, n^2 pairs; the result is one row."""
    x = vector(200_000)
    centred = B.sub(x, B.broadcast(B.reduce_axis(x, Ops.ADD, (0,)), x.sized))
    variance = B.reduce_axis(B.mul(centred, centred), Ops.ADD, (0,))
    assert Dependence([variance], [x]).matrix.nnz == 200_000
    blocks = B.reshape(x, (100, 2000))
    mean = B.expand(B.reshape(B.reduce_axis(blocks, Ops.ADD, (1,)), (100, 1)), (100, 2000))
    per_block = B.reduce_axis(B.mul(B.sub(blocks, mean), blocks), Ops.ADD, (1,))
    assert Dependence([per_block], [x]).matrix.nnz == 200_000


def test_long_chain() -> None:
    x = vector(2)
    y = x
    for _ in range(30_000):
        y = B.add(B.alu(Ops.SIN, y), x)
    assert found(y, x).tolist() == [[1, 0], [0, 1]]


def test_explain_names_the_lines() -> None:
    def f(x: Any) -> Any:
        y = np.sin(x[1:])
        z = y * x[:-1]
        return ft.vmap(lambda a: a * a)(z)

    first = f.__code__.co_firstlineno
    text = spjacobian(f).pattern(np.ones(5)).explain(1, 2)
    places = [f"({os.path.basename(__file__)}:{first + k})" for k in (3, 2, 1, 1)]
    found = [line.split()[0] + " " + line.split()[-1] for line in text.splitlines()[1:-1]]
    assert found == [f"{op} {place}" for op, place in zip(["MUL", "MUL", "SIN", "SHRINK"], places)]
    assert text.splitlines()[-1] == "  argument [2] of (5,)"


def test_explain_does_without_lines_where_the_function_has_changed() -> None:
    factor: list[Any] = [2.0]
    pattern = spjacobian(lambda x: np.sin(x) * factor[0]).pattern(np.ones(3))
    factor[0] = np.array([1.0, 2.0, 3.0])
    places = " [1] of (3,)"
    assert pattern.explain(1, 1).splitlines()[1:] == [f"  {op}{places}" for op in ("MUL", "SIN", "argument")]


def test_explain_follows_the_element() -> None:
    x = vector(4)
    y = B.stack((B.alu(Ops.SIN, x), B.alu(Ops.COS, B.flip(x, (True,)))), 1)
    d = Dependence([B.reduce_axis(x, Ops.ADD, (0,)), y], [x])
    text = d.explain(1 + 2 * 3 + 1, 0)  # y[3, 1] = cos(x[0])
    assert "COS [3] of (4,)" in text and "FLIP" in text and "argument [0] of (4,)" in text and "SIN" not in text
    assert "REDUCE_AXIS" in d.explain(0, 2)
    assert "does not depend" in d.explain(1, 3)


def test_no_inputs_and_no_elements() -> None:
    x = vector(0)
    assert found(B.alu(Ops.SIN, x), x).shape == (0, 0)
    assert found(constant([1, 2]), vector(3)).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert found(B.reduce_axis(x, Ops.ADD, (0,)), x).shape == (1, 0)
