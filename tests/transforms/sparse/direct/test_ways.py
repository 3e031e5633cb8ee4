"""Random programs by every way that values take: terms, arrays on the way, products of a part, blocks of outputs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import functrans as ft
from functrans import tree
from functrans.ops.interpret import interpret
from functrans.transforms.sparse.blocks import apart
from functrans.transforms.sparse.direct import extraction, temporaries
from functrans.transforms.sparse.direct.direct import Direct
from functrans.transforms.sparse.direct.extraction import Limits
from functrans.transforms.sparse.method import _multiplied
from functrans.transforms.sparse.traced import value_dtype
from tests.transforms.sparse.direct.test_values import by_complex_step, by_forward_mode, close
from tests.transforms.sparse.programs import Deep

AMPLE = Limits(10**6, 10**9, 10**5, 10**6)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ways that are for large arrays taken by small ones."""
    monkeypatch.setattr(temporaries, "MAX_UNSTORED_ENTRIES", 2)
    monkeypatch.setattr(temporaries, "MAX_UNSTORED_NODES", 12)
    monkeypatch.setattr(extraction, "DENSE", 8)
    monkeypatch.setattr(extraction, "SHORT", 1)
    monkeypatch.setattr(extraction, "AGAIN", 24)


def planned(program: Deep, mixed: bool) -> tuple[Any, Direct]:
    """The problem of a program, and its direct values; mixed: every other block of outputs by products."""
    J = ft.spjacobian(program, argnums=tuple(range(len(program.args))))
    problem = J._problem(*tree.flatten((tuple(program.args), {})))
    blocks = apart(problem.outputs)
    first, second = (blocks[::2], blocks[1::2]) if mixed else (blocks, [])
    dtype = value_dtype(problem.outputs)
    products = [_multiplied(problem, b) for b in second]
    return problem, Direct(first, problem.inputs, problem.patterns, dtype, AMPLE, products)


def checked(program: Deep, mixed: bool, reference: Any) -> dict[str, int]:
    """What the values took, after they were compared with an independent reference, by the graph alone."""
    problem, direct = planned(program, mixed)
    arrays = dict(zip(problem.params, map(np.asarray, program.args), strict=True))
    data = interpret(direct.values(), arrays)
    for p, a, want in zip(problem.patterns, data, reference(program, program.args), strict=True):
        close(p.to_scipy(a).toarray(), want)
        assert not np.abs(want[p.to_scipy(np.ones(p.nnz)).toarray() == 0]).any(), program
    for full, fixed, constant in zip(data, direct.fixed(), direct.constant, strict=True):
        np.testing.assert_allclose(fixed[constant], full[constant], rtol=1e-12)
    arrays_made, products = bool(direct.extraction.temporaries.made), bool(direct.extraction.products.made)
    return {"blocks": bool(direct.multiplied), "arrays": arrays_made, "products": products,
            "cut": direct.extraction._cut, "terms alone": not (arrays_made or products)}  # fmt: skip


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("mixed", [False, True])
def test_smooth_programs(mixed: bool) -> None:
    """200 programs, each time a hundred, against the complex step."""
    ways: Counter[str] = Counter()
    for seed in range(100 * mixed, 100 * mixed + 100):
        ways.update(checked(Deep(seed, smooth=True), mixed, by_complex_step))
    assert ways["arrays"] >= 25 and ways["products"] >= 15 and ways["terms alone"] >= 20 and ways["cut"] >= 3, ways
    assert ways["blocks"] >= 90 if mixed else not ways["blocks"], ways


@pytest.mark.usefixtures("small")
def test_programs_with_kinks() -> None:
    ways: Counter[str] = Counter()
    for seed in range(200, 212):
        ways.update(checked(Deep(seed, smooth=False), seed % 2 == 0, by_forward_mode))
    assert ways["products"] >= 2 and ways["arrays"] >= 2 and ways["blocks"] >= 3, ways


@pytest.mark.parametrize("how", ["one", "cells", "rows"])
def test_matrices_stored_dense_that_are_mostly_zero(how: str) -> None:
    """Reactions: what is multiplied by a zero of a constant matrix is no term, nor are there products for it."""
    rng = np.random.default_rng(3)
    species, reactions, cells = 30, 60, 5
    stoichiometry, orders = np.zeros((species, reactions)), np.zeros((reactions, species))
    for r in range(reactions):
        stoichiometry[rng.choice(species, 4, replace=False), r] = rng.standard_normal(4)
        orders[r, rng.choice(species, 2, replace=False)] = 1.0
    rate = rng.random(reactions)

    def one(c: Any) -> Any:
        return stoichiometry @ (rate * np.exp(orders @ np.log(c)))

    def whole(c: Any) -> Any:
        if how == "one":
            return one(c)
        if how == "cells":
            return ft.vmap(one)(c)
        return (rate * np.exp(np.log(c) @ orders.T)) @ stoichiometry.T

    c = rng.random(species if how == "one" else (cells, species)) + 0.5
    J = ft.spjacobian(whole)
    plan = J.plan(c)
    assert plan.method == "direct" and not plan.parts[1:], plan
    assert plan.cost <= 40 * 4 * 2 * reactions * (1 if how == "one" else cells), plan
    close(J(c).toarray(), ft.jacfwd(whole)(c).reshape(c.size, c.size))


def test_a_part_left_to_products_beside_a_tangent_that_is_zero() -> None:
    """A tangent that a matrix of zeros has multiplied has no terms: the products read zeros there."""
    none = scipy.sparse.csr_array((4, 4))

    def f(x: Any) -> Any:
        return np.cumsum(np.sin(x)) * (1 + ft.sparse(none) @ x) + ft.sparse(none) @ (x * x)

    x = np.linspace(0.1, 1.0, 4)
    have = ft.spjacobian(f, method="direct")(x).toarray()
    np.testing.assert_allclose(have, np.tril(np.ones((4, 4))) * np.cos(x), rtol=1e-15)
