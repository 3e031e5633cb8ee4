"""Elementwise parts of a tangent by vertex elimination."""

from __future__ import annotations

from collections.abc import Callable
from graphlib import TopologicalSorter
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes, tree
from functrans.errors import UnsupportedError
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.direct import extraction
from functrans.transforms.sparse.direct.expressions import add
from functrans.transforms.sparse.direct.regions import linear_sources, regions

N = 12


def waist(u: Any) -> Any:
    """A deep function of one number, which is made of five neighbors, times each of them."""
    s = sum((k + 1) * u[k : N + k] for k in range(5))
    for _ in range(6):
        s = np.sin(s) * s
    return s * u[2 : N + 2]


def few_results(u: Any) -> Any:
    """One number of five neighbors by a deep function of all of them."""
    a = [u[k : N + k] for k in range(5)]
    for _ in range(4):
        a = [np.sin(x) * y for x, y in zip(a, [*a[1:], a[0]], strict=True)]
    return sum(a)


def chosen(u: Any) -> Any:
    """Selections of selections, and one that is read twice."""
    a, b = u[1:], u[:-1]
    slope = np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a * b, b), 0.0)
    return np.where(slope > 0.1, slope * a, slope + b * slope) * np.exp(slope)


def scaled_and_divided(u: Any) -> Any:
    a, b = u[1:], u[:-1]
    return (a - 2 * b) / (1 + a * a) - (-b) * a / (2 + b)


def backwards(u: Any) -> Any:
    """What goes in has its elements in other orders than what comes out, and some have none."""
    a = np.concatenate([u[::-1][1:], np.ones(1)])
    return np.sin(np.sin(a * u) * u) * (a + np.roll(u, 2))


def stacked(u: Any) -> Any:
    """The elements of cells."""
    m = u[:12].reshape(3, 2, 2)
    return (np.sin(m * m[:, ::-1]) * m + m / (2 + m[:, :, ::-1] ** 2)).sum(2)


def values(f: Callable[[Any], Any], u: np.ndarray, method: str) -> np.ndarray:
    """The matrix by the graph alone, without a compiler."""
    J = ft.spjacobian(f, method=method)
    leaves, treedef = tree.flatten(((u,), {}))
    problem = J._problem(leaves, treedef)
    (data,) = interpret(problem.values, dict(zip(problem.params, leaves, strict=True)))
    found: np.ndarray = problem.patterns[0].to_scipy(data).toarray()
    return found


@pytest.mark.parametrize("f", [waist, few_results, chosen, scaled_and_divided, backwards, stacked])
def test_the_derivatives_are_those_of_products(f: Callable[[Any], Any]) -> None:
    u = np.random.default_rng(0).uniform(-1, 1, N + 4)
    want = values(f, u, "compressed")
    assert want.any()
    np.testing.assert_allclose(values(f, u, "direct"), want, rtol=1e-12, atol=1e-14)


def drawn(seed: int) -> list[UOp]:
    """A linear graph of one direction: sums, negatives, products with constants, and moves between them."""
    rng = np.random.default_rng(seed)
    nodes = [param((6,), dtypes.float64)]
    for _ in range(40):
        a, b = (nodes[-1 - int(k)] for k in np.minimum(rng.geometric(0.3, 2) - 1, len(nodes) - 1))
        kind = rng.choice(["add", "neg", "scale", "turn"], p=[0.45, 0.25, 0.2, 0.1])
        made = {
            "add": lambda a=a, b=b: B.add(a, b),
            "neg": lambda a=a: UOp(Ops.NEG, a.dtype, (a,)),
            "scale": lambda a=a: B.mul(a, B.like(a, float(rng.uniform(1, 2)))),
            "turn": lambda a=a: B.flip(a, (0,)),
        }
        nodes.append(made[str(kind)]())
    return nodes[-3:]


@pytest.mark.parametrize("seed", range(60))
def test_no_path_leaves_a_part_and_comes_back(seed: int) -> None:
    """With each part as one node the graph has no cycle; and parts do not depend on where nodes lie in memory."""
    roots = drawn(seed)
    order = toposort(roots)
    late = {u for u in order if u.op is Ops.PARAM or any(s.op is not Ops.CONST for s in u.src)}
    found = regions(order, late, lambda u: linear_sources(u, late), roots, lambda _: True)
    part: dict[UOp, Any] = {u: k for k, r in enumerate(found) for u in r.nodes}
    edges: dict[Any, set[Any]] = {}
    for u in order:
        here = part.get(u, u)
        edges.setdefault(here, set()).update(x for s in u.src if (x := part.get(s, s)) != here)
    TopologicalSorter(edges).prepare()  # raises where there is a cycle


@pytest.mark.parametrize("f", [waist, few_results])
def test_columns_do_not_multiply_the_work(f: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Op by op five columns go through every op."""
    less = ft.spjacobian(f, method="direct").plan(np.ones(400)).cost
    monkeypatch.setattr(extraction, "regions", lambda *_: [])
    assert less < 0.7 * ft.spjacobian(f, method="direct").plan(np.ones(400)).cost


def test_a_product_with_zeros_alone_cuts_no_part() -> None:
    """The rates of a body with two equal moments of inertia: what is left of the third is zero times something."""

    def rates(u: Any, zero: Any) -> Any:
        a, b, c = u[:-2], u[1:-1], u[2:]
        for _ in range(3):
            turn, spin = a * b - b * c, b * c + zero(a * b)
            a, b, c = turn * b + a, spin * c + b, turn * spin + c
        return a * b + c

    given, left_out = (lambda u: rates(u, lambda x: 0.0 * x)), (lambda u: rates(u, lambda _: 0.0))
    u = np.ones(400)
    assert ft.spjacobian(given).plan(u).cost < 1.1 * ft.spjacobian(left_out).plan(u).cost
    u = np.random.default_rng(0).uniform(-1, 1, N)
    np.testing.assert_allclose(values(given, u, "direct"), values(left_out, u, "compressed"), rtol=1e-12, atol=1e-14)


def test_what_is_not_chosen_may_have_no_derivative() -> None:
    """The root at zero has an infinite slope: chosen against it is zero, also where two choices meet below it."""

    def f(u: Any) -> Any:
        root = np.sqrt(u[1:])
        once, twice = np.where(u[1:] > 0, root * u[:-1], 0.0), np.where(u[1:] > 1, root, u[:-1])
        return once * u[:-1] + twice * once

    u = np.array([0.5, 0.0, 2.0, 0.0, 0.7])
    found = values(f, u, "direct")
    want = np.zeros((4, 5))
    want[1, 1] = 2.0
    np.testing.assert_allclose(found, want, atol=1e-14)


@pytest.mark.parametrize("part", [lambda x, t: t * t * x, lambda x, t: x / t], ids=["product", "quotient"])
def test_a_rule_that_is_not_linear_is_refused_in_parts_too(part: Callable[[Any, Any], Any]) -> None:
    """Its factors depend on a direction, so there are no derivatives between what goes in and what comes out."""
    f = ft.custom_jvp(lambda x: x * x)
    f.defjvp(lambda p, t: (f(*p), t[0] + 3.0 * part(p[0], t[0])))
    with pytest.raises(UnsupportedError, match="so that it is not linear"):
        ft.spjacobian(f, method="direct")(np.arange(1.0, 5))


def test_numbers_are_added_up_last() -> None:
    x, one = param((), dtypes.float64), UOp.const(dtypes.float64, 1)
    total = add(add(add(x, one), one), add(B.neg(add(one, x)), add(x, one)))
    assert [u.arg for u in toposort((total,)) if u.op is Ops.CONST] == [2.0]
    assert add(add(x, one), UOp.const(dtypes.float64, -1)) is x
