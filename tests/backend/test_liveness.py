"""How long the values of a region live: a statement may stand in several scopes, and each use means the nearest."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.codegen.lanes.liveness import liveness
from functrans.backend.codegen.lanes.regions import Inner, Node, Region
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B

VALUES = [source.param((), dtypes.float64) for _ in range(4)]
GATE = UOp(Ops.IF, dtypes.void, (UOp.const(dtypes.bool_, True),))
END = UOp(Ops.ENDIF, dtypes.void, (GATE,))


class _Facts:
    """Four values, which any statement may be made of."""

    def values_of(self, u: UOp) -> tuple[UOp, ...]:
        return tuple(dict.fromkeys(s for s in u.src if s in VALUES))

    def is_value(self, u: UOp) -> bool:
        return u in VALUES


def drawn(rng: random.Random, known: set[UOp], depth: int = 0) -> list[Node]:
    """Random nodes that use what is ``known`` where they stand; what an inner loop makes is unknown after it."""
    nodes: list[Node] = []
    for _ in range(rng.randint(1, 4)):
        if depth < 3 and rng.random() < 0.4:
            loop = UOp.range(3)
            nodes.append(Inner(loop, drawn(rng, set(known), depth + 1)))
            continue
        region, here = Region(), known
        if rng.random() < 0.2:
            region.items.append(GATE)
            here = set(known)
        for _ in range(rng.randint(1, 3)):
            if here and rng.random() < 0.6:
                region.items.append(B.add(*rng.choices(sorted(here, key=VALUES.index), k=2)))
            else:
                region.items.append(rng.choice(VALUES))
                here.add(region.items[-1])
        if here is not known:
            region.items.append(END)
        nodes.append(region)
    return nodes


def expected(nodes: list[Node]) -> dict[Region, dict[UOp, int]]:
    """By definition: from each use back to the nearest statement in a scope around it that makes the value."""
    flat: list[tuple[UOp, Region, tuple[Any, ...], tuple[int, ...]]] = []  # with scopes around it, and its place

    def walk(nodes: list[Node], scopes: tuple[Any, ...], path: tuple[int, ...]) -> None:
        for k, node in enumerate(nodes):
            if isinstance(node, Inner):
                walk(node.nodes, (*scopes, node.range), (*path, k))
            elif isinstance(node, Region):
                gated = GATE in node.items
                for u in node.items:
                    flat.append((u, node, (*scopes, node) if gated else scopes, (*path, k)))

    walk(nodes, (), ())
    found: dict[Region, dict[UOp, int]] = {region: {} for _, region, _, _ in flat}
    for k, (u, region, scopes, path) in enumerate(flat):
        for v in _Facts().values_of(u):
            maker, at = next((s[1], s[3]) for s in flat[k::-1] if s[0] is v and s[2] == scopes[: len(s[2])])
            if maker is not region:
                last = path[len(at) - 1]
                found[maker][v] = max(found[maker].get(v, 0), last)
    return found


def test_a_use_means_the_nearest_statement_of_its_scopes() -> None:
    facts: Any = _Facts()
    for seed in range(500):
        nodes = drawn(random.Random(seed), set())
        assert liveness(nodes, facts) == expected(nodes), seed


@pytest.mark.usefixtures("compiler")
def test_a_value_that_stands_in_loops_inside_too() -> None:
    """A hessian-vector product of a Jacobian: what is read before inner loops is read in them too, and after them."""
    c = np.array([0.68, 0.324, -0.798, -1.199, -0.361, 0.312, 1.274])

    def f(x: Any) -> Any:
        s = np.cumsum(np.maximum(x, c))
        return np.sin(np.mod(np.mean(s, keepdims=True), s @ np.minimum(s, s)))

    def g(x: Any) -> Any:
        return ft.hvp(lambda x: (ft.jacfwd(f)(x) ** 2).sum())(x, np.ones(7))

    xs = np.random.default_rng(0).normal(size=(31, 7))
    wanted = np.stack([np.asarray(g(fnp.asarray(x))) for x in xs[:2]])
    np.testing.assert_allclose(ft.vmap(g)(xs)[:2], wanted, rtol=1e-12, atol=1e-12)
