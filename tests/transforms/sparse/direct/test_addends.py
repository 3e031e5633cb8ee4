"""Sums of cheap addends: made where they are stored, by lines of steps where cells lie in a line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import functrans as ft
from functrans import tree
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.source import buffer, param
from functrans.ops.uop import toposort
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.direct.addends import Addends, is_cheap, lines
from functrans.transforms.sparse.direct.gathers import Gathers
from functrans.transforms.sparse.direct.spaces import SHORT, Lists, form, position
from functrans.transforms.sparse.direct.sums import MIN_LOOP_ENTRIES
from functrans.transforms.sparse.direct.tables import Tables
from functrans.transforms.sparse.direct.values import Values
from tests.transforms.sparse.direct.test_values import by_complex_step, close, interpreted

Places = NDArray[np.int32]
LONG = 2 * SHORT


def test_positions_of_lines_that_have_a_step_each() -> None:
    rng = np.random.default_rng(0)
    begin, steps = rng.integers(0, 500, (9, 1)), rng.integers(-3, 20, (9, 1))
    at = (100 + begin + steps * np.arange(LONG)).astype(np.int32).reshape(-1)
    found = form(at, (9, LONG))
    assert found is not None and found.steps is not None and found.is_inward
    i, j = (B.broadcast(B.reshape(B.iota(n), s), (9, LONG)) for n, s in ((9, (9, 1)), (LONG, (1, LONG))))
    (have,) = interpret([position(at, (9, LONG), [i, j], Lists())])
    np.testing.assert_array_equal(have.reshape(-1), at)
    at[5] += 1
    assert form(at, (9, LONG)) is None
    short = (begin + steps * np.arange(LONG - 1)).astype(np.int32).reshape(-1)
    assert form(short, (9, LONG - 1)) is None  # any two numbers would be a line


@pytest.mark.parametrize("seed", range(12))
def test_sums_of_random_addends(seed: int) -> None:
    """Each entry is set once, then added to; with those that are left over, all sums are right."""
    rng = np.random.default_rng(seed)
    size, read = int(rng.integers(1, 400)), rng.normal(size=50)
    values = Values(tables := Tables(), Gathers(tables, Constants([], [])), 1000)
    array, lists = param((50,), buffer(read).dtype), Lists()
    writes, want = [], np.zeros(size)
    for _ in range(int(rng.integers(1, 5))):
        n = int(rng.integers(1, 1500))
        at, weight = rng.integers(0, 50, n).astype(np.int32), rng.normal(size=n)
        to = rng.integers(-1, size, n).astype(np.int32)
        leaf = values.leaf(array, tables.of(at))
        factor = values.leaf(buffer(weight), tables.iota(n))
        kind = int(rng.integers(3))
        c = [B.mul(factor, leaf), B.neg(leaf), B.mul(B.like(leaf, 2.5), leaf)][kind]
        assert is_cheap(c, values)
        number: Any = [weight, -1.0, 2.5][kind]
        np.add.at(want, to[to >= 0], (number * read[at])[to >= 0])
        writes.append((c, to))
    line = np.where(rng.random(size) < 0.5, rng.integers(0, 9, size), -1).astype(np.int32)
    made, others = Addends(writes, values, lists.of).sums(line)
    have, times = np.zeros(size), np.zeros(size, int)
    for found in made:
        given = {
            u: interpret([B.gather(B.reshape(leaf.source, (leaf.source.size,)), buffer(leaf.table.at))], {array: read})[
                0
            ]
            for u, leaf in values.leaves.items()
            if u in toposort((found.coefficient,))
        }
        holes = {u: param(a.shape, u.dtype) for u, a in given.items()}
        (sums,) = interpret(
            [_over(found.coefficient, holes, len(found.to))], {holes[u]: a for u, a in given.items()}
        )  # fmt: skip
        assert found.adds == bool((times[found.to] > 0).all()) and (found.adds or not times[found.to].any())
        np.add.at(times, found.to, 1)
        np.add.at(have, found.to, sums)
    assert not times[others].any()
    rest = np.ones(size, np.bool_)
    rest[others] = False
    np.testing.assert_allclose(have[rest], want[rest], rtol=1e-12, atol=1e-12)


def _over(c: Any, holes: dict[Any, Any], n: int) -> Any:
    """An expression over arrays of a space in place of its numbers."""
    if c in holes:
        return holes[c]
    if c.op is Ops.CONST:
        return B.full((n,), c.dtype, c.arg)
    return B.alu(c.op, *(_over(s, holes, n) for s in c.src))


@pytest.mark.parametrize("by_cells", [False, True])
@pytest.mark.parametrize("cells", [3, LONG - 1, LONG, 21])
@pytest.mark.parametrize("dense", [0.1, 0.4])
def test_reactions_on_a_line_of_cells(by_cells: bool, cells: int, dense: float) -> None:
    """Species first or cells first, with and without diffusion, more addends of an entry than one expression has."""
    rng = np.random.default_rng(cells)
    species, reactions = 6, 24
    orders, change = np.where(rng.random((reactions, species)) < dense, rng.normal(size=(2, reactions, species)), 0.0)

    def f(x: Any) -> Any:
        c = x.reshape(cells, species).T if by_cells else x.reshape(species, cells)
        made = change.T @ np.exp(orders @ np.log(c))
        flow = c[:, 1:] - c[:, :-1]
        none = 0.0 * c[:, :1]
        made = made + np.concatenate([flow, none], 1) - np.concatenate([none, flow], 1)
        return (made.T if by_cells else made).reshape(-1)

    x = rng.uniform(0.5, 1.5, species * cells)
    J = ft.spjacobian(f, method="direct")
    (want,) = by_complex_step(f, [x])
    close(interpreted(J, x)[0], want)
    if cells == 21:
        close(J(x).toarray(), want)


def test_entries_are_set_and_not_zero_before() -> None:
    """Of a chemistry on a line of cells no entry is added to more often than its addends ask for."""
    rng = np.random.default_rng(3)
    orders, change = (np.where(rng.random((40, 10)) < 0.12, a, 0.0) for a in rng.normal(size=(2, 40, 10)))
    x = rng.uniform(0.5, 1.5, 10 * 32)

    def f(x: Any) -> Any:
        return (change.T @ np.exp(orders @ np.log(x.reshape(10, 32)))).reshape(-1)

    J = ft.spjacobian(f, method="direct")
    leaves, _ = tree.flatten(((x,), {}))
    problem = J._problem(leaves, _)
    assert problem.direct is not None
    (graph,) = problem.direct.values()
    stores = [u for u in toposort((graph,)) if u.op is Ops.SCATTER and u.size == problem.patterns[0].nnz]
    added = sum(u.src[1].size for u in stores if u.arg == "add")
    terms = sum(int(np.count_nonzero(to >= 0)) for _, to in problem.direct.writes[0])
    assert terms > problem.patterns[0].nnz * 1.25  # there is something to add up
    assert added * SHORT <= terms + SHORT * MIN_LOOP_ENTRIES


def test_lines_of_a_matrix() -> None:
    """Couplings of the same two arrays along the cells, both layouts; what is cut off at an end is no line."""
    n, m = LONG + 4, 3
    i, s, j = (a.reshape(-1) for a in np.meshgrid(range(m), range(m), range(n), indexing="ij"))
    for rows, cols, shape in ((i * n + j, s * n + j, (m, n)), (j * m + i, j * m + s, (n, m))):
        found = lines(rows.astype(np.int32), cols.astype(np.int32), [shape])
        assert (found >= 0).all() and len(np.unique(found)) == m * m
        for k in range(m * m):
            assert len(np.unique((i * m + s)[found == k])) == 1
        short = rows != rows.max()
        assert (lines(rows[short].astype(np.int32), cols[short].astype(np.int32), [shape]) < 0).sum() == m * (n - 1)
