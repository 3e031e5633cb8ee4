"""Entries that are sums over the edges of graphs: laid out and read together, whatever the graph looks like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import functrans as ft
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.uop import toposort
from functrans.transforms.sparse.direct.spaces import Lists, position
from functrans.transforms.sparse.direct.sums import MAX_ADDENDS, MAX_LOOPS, MIN_LOOP_ENTRIES, equal, in_turn, sums
from tests.transforms.sparse.direct.test_values import by_complex_step, close, interpreted

Places = NDArray[np.int32]


def drawn(rng: np.random.Generator, nodes: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Edges with all that a graph may have: loops, parallel edges, both directions, a hub, nodes without any."""
    edges = rng.integers(0, max(1, nodes - 2), (2, int(rng.integers(1, 4 * nodes))))
    parts = [edges, edges[:, :: int(rng.integers(1, 5))]]
    if rng.random() < 0.7:
        parts.append(edges[::-1])
    if rng.random() < 0.5:
        parts.append(np.stack([np.zeros(nodes // 2, int), rng.integers(0, nodes, nodes // 2)]))
    if rng.random() < 0.3:
        parts.append(np.repeat(np.arange(nodes // 3)[None], 2, axis=0))
    source, target = np.concatenate(parts, axis=1)
    order = np.argsort(source, kind="stable") if rng.random() < 0.5 else rng.permutation(source.size)
    return source[order], target[order]


def on_graph(seed: int, nodes: int) -> tuple[Callable[[Any], Any], Callable[[Any], Any], NDArray[Any]]:
    """A function of the free values of a graph's nodes, the others known; the same in plain NumPy; an argument."""
    rng = np.random.default_rng(seed)
    source, target = drawn(rng, nodes)
    weight = rng.uniform(0.5, 2.0, source.size)
    free = np.sort(rng.permutation(nodes)[: max(1, int(nodes * rng.choice([0.4, 0.8, 1.0])))])
    fixed = np.setdiff1d(np.arange(nodes), free)
    known = rng.uniform(0.5, 1.5, fixed.size)
    at = np.empty(nodes, int)
    at[free], at[fixed] = range(free.size), range(free.size, nodes)
    both, own, linear = rng.random(3) < 0.5

    def f(x: Any) -> Any:
        value = np.concatenate([x, known])[at]
        p, q = value[source], value[target]
        flow = weight * np.sin(p - q) * (p + q)
        total = np.bincount(source, flow, nodes)
        if both:
            total = total - np.bincount(target, flow * q, nodes)
        if own:
            total = total + value**3
        found = [total[free]]
        if linear:
            found.append(np.bincount(target, weight * p, nodes)[::2])
        return np.concatenate(found)

    def plain(x: Any) -> Any:
        value = np.concatenate([x, known])[at]
        p, q = value[source], value[target]
        flow = weight * np.sin(p - q) * (p + q)
        total = np.zeros(nodes, x.dtype)
        np.add.at(total, source, flow)
        if both:
            np.subtract.at(total, target, flow * q)
        if own:
            total = total + value**3
        found = [total[free]]
        if linear:
            second = np.zeros(nodes, x.dtype)
            np.add.at(second, target, weight * p)
            found.append(second[::2])
        return np.concatenate(found)

    return f, plain, rng.uniform(0.5, 1.5, free.size)


@pytest.mark.parametrize("block", range(4))
def test_graphs_by_the_graph_of_the_values(block: int) -> None:
    for seed in range(8 * block, 8 * block + 8):
        f, plain, x = on_graph(seed, (3, 12, 40, 70)[seed % 4])
        (want,) = by_complex_step(lambda z: (plain(z),), [x])
        J = ft.spjacobian(f, method="direct")
        (have,) = interpreted(J, x)
        close(have, want)
        reached = J.pattern(x).to_scipy(np.ones(J.pattern(x).nnz)).toarray()
        assert not (want[reached == 0]).any()


@pytest.mark.parametrize("seed", [1, 6, 11, 19, 23])
def test_graphs_compiled(seed: int) -> None:
    """In a new array, in a buffer that holds the constants, and in one that held anything: the same bits."""
    f, plain, x = on_graph(seed, 90)
    J = ft.spjacobian(f, method="direct")
    (want,) = by_complex_step(lambda z: (plain(z),), [x])
    values = J.values(x)
    close(J.pattern(x).to_scipy(values).toarray(), want)
    mine, other = J.empty_values(x), np.full(values.size, np.nan)
    for out in (mine, other, mine):
        np.testing.assert_array_equal(J.values(x, out=out), values)


def test_the_same_bits_for_any_number_of_threads() -> None:
    f, _, x = on_graph(2, 4000)
    found = []
    for threads in (1, 2, 3):
        with ft.config.override(threads=threads):
            found.append(ft.spjacobian(f, method="direct").values(x))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def made(plan: Any, values: NDArray[Any], size: int) -> NDArray[Any]:
    total = np.full(plan.made, np.nan)
    for part in plan.alike:
        total[part.places] = values[part.at].sum(axis=0)
    np.add.at(total, plan.rest.places, values[plan.rest.at[0]])
    found = np.full(size, np.nan)
    found[plan.single.places] = values[plan.single.at[0]]
    found[plan.several.places] = total[plan.several.at[0]]
    return found


def listed(start: int, to: Places) -> tuple[int, Places, Places]:
    """Elements that stand one after the other in the list from there on, and where they go."""
    return start, np.arange(start, start + len(to), dtype=np.int32), to


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("every", [False, True])
def test_every_element_is_added_once(seed: int, every: bool) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.choice([1, 5, 60, 900]))
    length = int(rng.integers(1, 1500))
    coefficients, start = [], 3
    for _ in range(int(rng.integers(1, 5))):
        to = np.where(rng.random(length) < 0.3, -1, rng.integers(0, size, length) % max(1, size * 3 // 4))
        coefficients.append(listed(start, to.astype(np.int32)))
        start += length
    values = rng.integers(1, 1000, start).astype(float)  # whole numbers: sums are exact
    want, reached = np.zeros(size), np.zeros(size, bool)
    for _, at, to in coefficients:
        np.add.at(want, to[to >= 0], values[at][to >= 0])
        reached[to[to >= 0]] = True
    found = made(sums(coefficients, every, size), values, size)
    np.testing.assert_array_equal(found[reached], want[reached])
    assert every or np.isnan(found[~reached]).all()


def test_addends_of_many_entries_stand_in_a_row() -> None:
    """Runs of one length, of which some go nowhere for one of the coefficients."""
    to = np.repeat(np.arange(60, dtype=np.int32), 4)
    second = np.where(to % 3 == 0, -1, to + 60).astype(np.int32)
    order = in_turn([to, second])
    assert sorted(order.tolist()) == list(range(240))
    plan = sums([listed(0, to[order]), listed(240, second[order])], True, 120)
    assert sorted(len(part.places) for part in plan.alike) == [40, 60]
    assert not plan.rest.places.size
    for part in plan.alike:
        assert (np.diff(part.at, axis=1) == 1).all()


def test_few_loops_however_many_kinds_of_sums() -> None:
    """What is left of them is added one by one, and so are sums of many."""
    rng = np.random.default_rng(0)
    lengths = np.arange(2, 200)
    to = np.repeat(np.arange(lengths.size * 2, dtype=np.int32), np.tile(lengths, 2))
    plan = sums([listed(0, to[in_turn([to])])], True, lengths.size * 2)
    (first,) = plan.alike  # two of a kind are not many: what each begins with, and the rest one by one
    assert first.at.shape == (1, plan.made) and plan.rest.places.size == to.size - plan.made
    kinds = [np.where(rng.random(600) < 0.5, rng.permutation(600), -1).astype(np.int32) for _ in range(9)]
    plan = sums([listed(1000 * k, to) for k, to in enumerate(kinds)], True, 600)
    assert 0 < len(plan.alike) <= MAX_LOOPS
    assert all(len(part.at) <= MAX_ADDENDS for part in plan.alike)
    assert all(len(part.places) >= MIN_LOOP_ENTRIES for part in plan.alike if len(part.at) > 1)


@pytest.mark.parametrize("every", [False, True])
def test_the_same_sum_is_made_once(every: bool) -> None:
    """As the elements (i, j) and (j, i) of a symmetric matrix are, in whatever order their addends come."""
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 12, (2, 400))
    to, back = (np.ravel_multi_index(p, (12, 12)).astype(np.int32) for p in (ends, ends[::-1]))
    plan = sums([listed(0, to), listed(0, back)], every, 144)
    times = np.bincount(np.concatenate([to, back]), minlength=144).reshape(12, 12)
    assert plan.made == np.count_nonzero(np.triu(times) > (0 if every else 1))
    found = made(plan, rng.integers(1, 1000, 400).astype(float), 144).reshape(12, 12)
    reached = times > 0
    np.testing.assert_array_equal(found[reached], found.T[reached])


@pytest.mark.parametrize("width", [3, 10**7])
def test_elements_that_read_the_same_are_one(width: int) -> None:
    """By tables of few places and of many."""
    rng = np.random.default_rng(0)
    tables = [(rng.integers(0, 4, 500) * (width if k else 1)).astype(np.int32) for k in range(3)]
    found = equal(tables)
    assert found is not None
    first, number = found
    read = np.stack(tables, 1)
    np.testing.assert_array_equal(read[first][number], read)
    assert len(first) == len(np.unique(read, axis=0))
    np.testing.assert_array_equal(number[first], np.arange(len(first)))
    assert equal([*tables, np.arange(500, dtype=np.int32)]) is None
    assert equal([]) is None


def test_sums_of_as_many_are_alike_where_their_coefficients_are_not() -> None:
    """Five entries of each of two coefficients: none has enough alone."""
    to = np.repeat(np.arange(5, dtype=np.int32), 3)
    plan = sums([listed(0, to), listed(15, to + 5)], True, 10)
    (part,) = plan.alike
    np.testing.assert_array_equal(part.at, np.arange(30).reshape(10, 3).T)
    assert not plan.rest.places.size


def test_expressions_are_too_many_when_the_method_is_chosen_or_never(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are laid out and stored in other orders later, when no other method can be taken any more."""
    f, plain, x = on_graph(1, 40)
    (want,) = by_complex_step(lambda z: (plain(z),), [x])
    answers = []
    for budget in (0, 4, 12, 20, 30, 50, 80):
        monkeypatch.setattr("functrans.transforms.sparse.method._COMPILED_NODES", budget)
        J = ft.spjacobian(f, method="direct")
        try:
            J.plan(x)
        except ft.UnsupportedError:
            answers.append(False)
            continue
        close(interpreted(J, x)[0], want)
        answers.append(True)
    assert {True, False} == set(answers)


@pytest.mark.parametrize(
    ("each", "degree", "is_listed"), [(1, 1, False), (1, 3, True), (2, 3, True), (3, 3, False), (3, 9, True)]
)
def test_sums_are_made_of_a_list_where_it_is_short_or_entries_are_long(each: int, degree: int, is_listed: bool) -> None:
    """Of edges of few coefficients where entries are met again, of many where they are met twice on average; others are
    stored where they belong.
    """
    nodes = 20
    rng = np.random.default_rng(0)
    one = rng.permutation(np.repeat(np.arange(nodes), degree))
    other = (one + 1 + rng.integers(0, 4 if degree == 9 else nodes - 1, len(one))) % nodes

    def plain(flow: Any) -> Any:
        total = np.zeros(nodes, flow.dtype)
        np.add.at(total, one, flow)
        return total

    def flows(x: Any, total: Any = lambda flow: np.bincount(one, flow, nodes)) -> Any:
        p, q = ([x.reshape(-1, each)[at, k] for k in range(each)] for at in (one, other))
        across = [b - a for a, b in zip(p, q)]
        wide = 1.0 + sum(d * d for d in across)
        return np.stack([total(wide * d + p[-1] * b) for d, b in zip(across, q)], 1).reshape(-1)

    x = rng.uniform(0.5, 1.5, nodes * each)
    J = ft.spjacobian(flows, method="direct")
    (found,), (want,) = interpreted(J, x), by_complex_step(lambda z: (flows(z, plain),), [x])
    close(found, want)
    (problem,) = J._problems.values()
    longest = max(u.size for u in toposort(problem.direct.values()) if u.op is Ops.EMPTY)
    assert (longest > problem.patterns[0].nnz) == is_listed


def test_places_side_by_side_have_one_list() -> None:
    lists = Lists()
    at = np.random.default_rng(0).permutation(20).astype(np.int32)
    places = [position(at + np.int32(k), (20,), [B.iota(20)], lists) for k in range(3)]
    arrays = {u for p in places for u in toposort((p,)) if u.op is Ops.BUFFER}
    assert len(arrays) == 1
    for k, found in enumerate(interpret(places)):
        np.testing.assert_array_equal(found, at + k)
