"""The engine brings every node to rest, sources first, whatever the shape of the graph."""

from __future__ import annotations

import pytest

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import Ops, PatternMatcher, UOp, UPat, source
from functrans.ops import build as B
from functrans.ops.rewrite import graph_rewrite

F = dtypes.float64
X, Y = source.param((2,), F), source.param((2,), F)

FOLD = PatternMatcher(
    [
        (UPat(Ops.NOOP, src=(UPat.var("x"),)), lambda x: x),
        (UPat(Ops.NEG, src=(UPat(Ops.NEG, src=(UPat.var("x"),)),)), lambda x: x),
        (UPat(Ops.SUB, src=(UPat.var("x"), UPat.var("y"))), lambda x, y: B.add(x, UOp(Ops.NEG, y.dtype, (y,)))),
    ]
)


def raw(op: Ops, *src: UOp, arg: object = None) -> UOp:
    """A node that no constructor simplifies."""
    return UOp(op, src[0].dtype, src, arg)


def one(root: UOp, table: PatternMatcher, ctx: object = None) -> UOp:
    """The only root, rewritten."""
    return graph_rewrite([root], table, ctx)[0]


def test_nothing_to_do_changes_nothing() -> None:
    root = B.add(B.mul(X, Y), X)
    assert one(root, FOLD) is root
    assert graph_rewrite([], FOLD) == []


def test_roots_keep_their_order_and_number() -> None:
    roots = [raw(Ops.NOOP, X), Y, raw(Ops.NOOP, X)]
    assert graph_rewrite(roots, FOLD) == [X, Y, X]


def test_a_source_that_changed_lets_its_user_change() -> None:
    assert one(raw(Ops.NEG, raw(Ops.NOOP, raw(Ops.NEG, X))), FOLD) is X


def test_what_a_rule_builds_is_rewritten_too() -> None:
    # x - (-y) -> x + -(-y) -> x + y: the new NEG is two nodes below what the rule returned
    assert one(raw(Ops.SUB, X, raw(Ops.NEG, Y)), FOLD) is B.add(X, Y)


def test_rules_fire_until_none_fits() -> None:
    countdown = PatternMatcher(
        [(UPat(Ops.NOOP, name="n"), lambda n: raw(Ops.NOOP, *n.src, arg=n.arg - 1) if n.arg else n.src[0])]
    )
    assert one(raw(Ops.NOOP, X, arg=500), countdown) is X


def test_the_context_reaches_the_rules() -> None:
    seen: list[UOp] = []
    table = PatternMatcher([(UPat(Ops.NEG, name="n"), lambda ctx, n: ctx.append(n))])
    root = raw(Ops.NEG, raw(Ops.NEG, X))
    assert one(root, table, seen) is root
    assert seen == [root.src[0], root]


def test_each_node_is_asked_once() -> None:
    seen: list[UOp] = []
    table = PatternMatcher([(UPat(), lambda ctx: ctx.append(1))])
    y = X
    for _ in range(50):
        y = raw(Ops.MUL, y, y)
    assert one(y, table, seen) is y
    assert len(seen) == 51


def test_shared_nodes_stay_shared() -> None:
    shared = raw(Ops.NOOP, B.mul(X, Y))
    new = one(B.add(shared, raw(Ops.NEG, shared)), FOLD)
    assert new.src[0] is new.src[1].src[0] is B.mul(X, Y)


def test_deep_graphs() -> None:
    y = X
    for _ in range(20_000):
        y = raw(Ops.NEG, raw(Ops.NOOP, raw(Ops.NEG, raw(Ops.SIN, y))))
    z = one(y, FOLD)
    assert len(z.toposort()) == 20_001
    assert {u.op for u in z.toposort()} == {Ops.SIN, Ops.PARAM}


def test_rules_that_build_deep_graphs() -> None:
    # each rewrite leaves another node to rewrite below what it returns
    unroll = PatternMatcher(
        [
            (
                UPat(Ops.NOOP, name="n"),
                lambda n: raw(Ops.SIN, raw(Ops.NOOP, *n.src, arg=n.arg - 1)) if n.arg else n.src[0],
            )
        ]
    )
    z = one(raw(Ops.NOOP, X, arg=20_000), unroll)
    assert len(z.toposort()) == 20_001
    assert z.toposort()[0] is X


def test_a_rule_that_goes_round_is_reported() -> None:
    swap = PatternMatcher([(UPat(Ops.ADD, src=(UPat.var("a"), UPat.var("b"))), lambda a, b: B.add(b, a))])
    with pytest.raises(SpecError, match="does not come to rest"):
        one(B.add(X, Y), swap)


def test_a_rule_that_keeps_its_own_node_below_is_reported() -> None:
    wrap = PatternMatcher([(UPat(Ops.SIN, name="n"), lambda n: raw(Ops.NEG, n))])
    with pytest.raises(SpecError, match="does not come to rest"):
        one(raw(Ops.SIN, X), wrap)


def test_a_rule_that_counts_up_is_reported() -> None:
    up = PatternMatcher([(UPat(Ops.NOOP, name="n"), lambda n: raw(Ops.NOOP, *n.src, arg=n.arg + 1))])
    with pytest.raises(SpecError, match="does not come to rest"):
        one(raw(Ops.NOOP, X, arg=0), up)
