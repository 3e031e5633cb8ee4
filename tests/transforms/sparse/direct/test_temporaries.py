"""Where entries would multiply or expressions grow, a Jacobian on the way is kept in an array."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import functrans as ft
from examples.bundle_adjustment import make_scene, residual
from functrans import dtypes
from functrans.ops.interpret import interpret
from functrans.ops.uop import UOp
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.direct.direct import Direct
from functrans.transforms.sparse.direct.emission import Emission
from functrans.transforms.sparse.direct.gathers import Gathers
from functrans.transforms.sparse.direct.tables import Tables
from functrans.transforms.sparse.direct.temporaries import Temporaries
from functrans.transforms.sparse.direct.terms import Term, Terms
from functrans.transforms.sparse.direct.values import Values

Function = Callable[[Any], Any]


def direct_of(J: Any) -> Direct:
    """The direct values of the only signature."""
    (problem,) = J._problems.values()
    assert problem.direct is not None
    found: Direct = problem.direct
    return found


def checked(f: Function, x: np.ndarray, method: str = "auto") -> Any:
    """The Jacobian, compared at two points with the dense one."""
    J = ft.spjacobian(f, method=method)
    for at in (x, x[::-1] * 0.9 + 0.05):
        want = np.reshape(ft.jacfwd(f)(at), (-1, x.size))
        np.testing.assert_allclose(J(at).toarray(), want, rtol=1e-11, atol=1e-12 * np.abs(want).max())
    assert J.plan(x).method == "direct"
    return J


def normalised_twice(x: Any) -> Any:
    y = np.sin(x) / np.sqrt((x * x).sum())  # not of norm 1: its norm would have no derivative to get wrong
    return y / np.sqrt((y * y).sum() + 1.0)


@pytest.mark.filterwarnings("ignore:the Jacobian:functrans.errors.FunctransWarning")
def test_normalised_twice_does_not_multiply() -> None:
    x = np.random.default_rng(0).normal(size=120)
    found = direct_of(checked(normalised_twice, x))
    assert found.extraction.temporaries.made
    assert sum(map(len, found.terms)) <= 3 * 120**2  # all pairs of entries would be 120 times as many


def layers(*sizes: int) -> Function:
    random = np.random.default_rng(1)
    weights = [random.normal(size=(m, n)) / n for n, m in pairwise(sizes)]

    def f(x: Any) -> Any:
        for w in weights:
            x = np.tanh(w @ x)
        return x

    return f


def test_layers_are_products_of_matrices() -> None:
    found = direct_of(checked(layers(30, 25, 40, 20), np.random.default_rng(2).normal(size=30)))
    assert found.extraction.products.cost and sum(map(len, found.terms)) <= 2 * 20 * 30


def test_products_that_the_arguments_decide() -> None:
    """``x`` times its own matrix: both factors have a tangent."""

    def f(x: Any) -> Any:
        a = x.reshape(6, 6)
        return (a @ np.sin(a @ a)).reshape(-1)

    checked(f, np.random.default_rng(3).normal(size=36))


def test_bundle_adjustment_is_direct() -> None:
    scene = make_scene(2, 30)
    J = ft.spjacobian(residual(scene))
    plan = J.plan(scene.truth)
    assert plan.method == "direct"
    other = ft.spjacobian(residual(scene), method="compressed")
    np.testing.assert_allclose(J.values(scene.truth), other.values(scene.truth), rtol=1e-10, atol=1e-10)


def heat(steps: int) -> Function:
    def f(u: Any) -> Any:
        for _ in range(steps):
            u = u + 0.1 * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1)) * np.exp(-u * u)
        return u

    return f


def test_a_long_chain_is_cut() -> None:
    found = direct_of(checked(heat(6), np.random.default_rng(4).uniform(0.5, 1, 40)))
    assert found.extraction.temporaries.made and len(found.terms) == 13


def test_what_is_worth_a_read_is_not_computed_for_each_reader() -> None:
    def f(x: Any) -> Any:
        return x * np.exp(np.sin(x)).sum()

    n = 50
    J = checked(f, np.random.default_rng(5).normal(size=n))
    assert len(direct_of(J).extraction.temporaries.made) == 1


@pytest.mark.parametrize("n", [1, 2, 3])
def test_short_ones(n: int) -> None:
    checked(normalised_twice, np.linspace(0.5, 1.0, n), method="direct")


def test_mapped_jitted_and_again_differentiated() -> None:
    f = layers(20, 18, 16)
    J = ft.spjacobian(f, method="direct")
    xs = np.random.default_rng(6).normal(size=(3, 20))
    want = np.stack([np.reshape(ft.jacfwd(f)(x), -1) for x in xs])
    np.testing.assert_allclose(ft.vmap(J.values)(xs), want, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(ft.jit(ft.vmap(J.values))(xs), want, rtol=1e-11, atol=1e-14)
    along = ft.jvp(J.values, (xs[0],), (np.ones(20),))[1]
    near = (J.values(xs[0] + 1e-6) - J.values(xs[0] - 1e-6)) / 2e-6
    np.testing.assert_allclose(along, near, atol=1e-7)
    twice = ft.spjacobian(lambda x: ft.vmap(normalised_twice)(x.reshape(5, 4)).reshape(-1), method="direct")
    np.testing.assert_allclose(twice(xs[0]).toarray()[:4, :4], ft.jacfwd(normalised_twice)(xs[0, :4]), atol=1e-13)
    assert twice.pattern(xs[0]).nnz == 80


class TestTemporaries:
    """The arrays by themselves."""

    def made(self) -> Temporaries:
        tables = Tables()
        carriers = Terms(Values(tables, Gathers(tables, Constants([], [])), 1000), 1000)
        return Temporaries(carriers, Emission(carriers, []), 7)

    def test_entries_of_a_row_are_told_apart(self) -> None:
        t = self.made()
        of = t.tables.of
        term = Term(of(np.array([0, 0, 1, 1])), of(np.array([1, 2, 3, 4])), UOp.const(dtypes.float64, 1.0))
        other = Term(of(np.array([0, 1])), of(np.array([1, 3])), UOp.const(dtypes.float64, 2.0))
        found = t.shortened([term, other, other], dtypes.float64)
        assert sorted(p.coefficient.arg for p in found) == [1.0, 5.0]
        assert all(p.rows.distinct for p in found)

    def test_what_is_left_over_of_repetitions_is_added_up(self) -> None:
        t = self.made()
        of, one = t.tables.of, UOp.const(dtypes.float64, 1.0)
        rows, cols = np.repeat(np.arange(30), 9), np.tile(np.arange(3), 90)
        many = [Term(of(rows), of(cols), one), Term(of(rows[::-1]), of(cols), one)]
        (found,) = t.shortened(many, dtypes.float64)
        assert len(found) == 90
        source = t.values.leaves[found.coefficient].source
        np.testing.assert_array_equal(interpret([source])[0], np.full(90, 6.0))
