"""Limits of terms, lowered: on both sides the values are right, and a plan names the limit that changed its method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.ops.interpret import interpret
from functrans.transforms.sparse import method
from functrans.transforms.sparse.direct import emission
from functrans.transforms.sparse.problem import Problem

NODES = 12
ENDS = np.random.default_rng(0).integers(0, NODES, (3, 30))


def assembled(x: Any) -> Any:
    """What elements of two nodes add to theirs."""
    force = np.tanh(x[ENDS[0]] * x[ENDS[1]]) + x[ENDS[0]] ** 2
    return sum(np.bincount(at, weights=force * (k + 1), minlength=NODES) for k, at in enumerate(ENDS))


def problem(f: Any, x: np.ndarray, how: str = "auto") -> Problem:
    found: Problem = ft.spjacobian(f, method=how)._problem(*tree.flatten(((x,), {})))
    return found


def values(given: Problem, x: np.ndarray) -> np.ndarray:
    """The matrix by the graph alone."""
    (data,) = interpret(given.values, dict(zip(given.params, [x], strict=True)))
    found: np.ndarray = given.patterns[0].to_scipy(data).toarray()
    return found


def test_numbers_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(1).normal(size=NODES)
    want = values(problem(assembled, x, "compressed"), x)
    needed = problem(assembled, x, "direct").direct.extraction.tables.most
    for limit in (needed, needed - 1):
        monkeypatch.setattr(method, "_MAX_NUMBERS", limit)
        plan = ft.spjacobian(assembled).plan(x)
        assert plan.method == ("direct" if limit == needed else "compressed")
        assert (f"more than {limit} numbers of memory" in " ".join(plan.notes)) == (limit < needed)
        np.testing.assert_allclose(values(problem(assembled, x), x), want, rtol=1e-12, atol=1e-13)
    with pytest.raises(ft.UnsupportedError, match=f"more than {needed - 1} numbers of memory"):
        ft.spjacobian(assembled, method="direct").plan(x)


def test_terms_that_share_their_tables_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six steps on the corners of elements have terms each, all of them at the places of a few."""
    corners = np.random.default_rng(5).integers(0, NODES, (200, 3))

    def stepped(x: Any) -> Any:
        state = x[corners]
        for _ in range(6):
            state = np.roll(np.sin(state), 1, 1) * state
        return np.bincount(corners[:, 0], weights=state[:, 0], minlength=NODES)

    x = np.random.default_rng(6).normal(size=NODES)
    made = problem(stepped, x, "direct").direct.extraction
    assert made._entries > 5 * made.tables.most
    monkeypatch.setattr(method, "_MAX_NUMBERS", made.tables.most)
    assert ft.spjacobian(stepped, method="direct").plan(x).method == "direct"


@pytest.mark.parametrize("listed", [0, 10**9])
def test_numbers_of_a_list(monkeypatch: pytest.MonkeyPatch, listed: int) -> None:
    """Another order of the sums, and no other method."""
    x = np.random.default_rng(2).normal(size=NODES)
    want = values(problem(assembled, x, "compressed"), x)
    monkeypatch.setattr(emission, "LISTED", listed)
    assert ft.spjacobian(assembled).plan(x).method == "direct"
    np.testing.assert_allclose(values(problem(assembled, x), x), want, rtol=1e-12, atol=1e-13)


def test_blocks_whose_methods_are_chosen_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.random.default_rng(3).normal(size=(2, 40, 40)) / 6

    def joined(x: Any) -> Any:
        dear = np.tanh(weights[1] @ np.tanh(weights[0] @ x))
        return np.concatenate([np.sin(x[1:]) * x[:-1], (dear * dear).sum()[None]])

    x = np.random.default_rng(4).normal(size=40)
    plans, found = [], []
    for most in (2, 1):
        monkeypatch.setattr(method, "MAX_BLOCKS", most)
        monkeypatch.setattr(method, "_MIN_ENTRIES", 0)
        plans.append(ft.spjacobian(joined).plan(x))
        found.append(values(problem(joined, x), x))
    assert [p.method for p in plans] == ["blocks", "direct"]
    assert not plans[0].notes and "2 arrays that the result is joined of" in " ".join(plans[1].notes)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12, atol=1e-13)
