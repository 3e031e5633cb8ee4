"""Patterns match what they say, bind what they name, and tables try their rows in order."""

from __future__ import annotations

import pytest

from functrans import dtypes
from functrans.ops import GroupOp, Ops, PatternMatcher, UOp, UPat, source
from functrans.ops import build as B

F = dtypes.float64
X, Y = source.param((2,), F), source.param((2,), F)
ONE = UOp.const(F, 1.0)


def test_op_dtype_and_arg() -> None:
    assert UPat(Ops.CONST).match(ONE) == {}
    assert UPat(Ops.ADD).match(ONE) is None
    assert UPat((Ops.ADD, Ops.CONST)).match(ONE) == {}
    assert UPat(GroupOp.Binary).match(B.add(X, Y)) == {}
    assert UPat(Ops.CONST, dtypes.float32).match(ONE) is None
    assert UPat(Ops.CONST, F, arg=1.0, name="c").match(ONE) == {"c": ONE}
    assert UPat(Ops.CONST, arg=2.0).match(ONE) is None
    assert UPat().match(X) == {}


def test_sources_in_order() -> None:
    pattern = UPat(Ops.SUB, src=(UPat.var("a"), UPat.var("b")))
    assert pattern.match(B.sub(X, Y)) == {"a": X, "b": Y}
    assert UPat(Ops.SUB, src=(UPat.var("a"),)).match(B.sub(X, Y)) is None
    assert UPat(Ops.NEG, src=()).match(B.neg(X)) is None
    assert UPat(Ops.PARAM, src=()).match(X) == {}


def test_one_name_is_one_node() -> None:
    same = UPat(Ops.MUL, src=(UPat.var("a"), UPat.var("a")))
    assert same.match(B.mul(X, X)) == {"a": X}
    assert same.match(B.mul(X, Y)) is None
    outer = UPat(Ops.ADD, src=(UPat.var("a"), UPat(Ops.NEG, src=(UPat.var("a"),))), name="n")
    node = B.add(X, B.neg(X))
    assert outer.match(node) == {"n": node, "a": X}
    assert outer.match(B.add(X, B.neg(Y))) is None


def test_any_order() -> None:
    pattern = UPat(Ops.ADD, src=(UPat(Ops.NEG, name="n"), UPat.var("x")), any_order=True)
    negative = B.neg(Y)
    assert pattern.match(B.add(negative, X)) == {"n": negative, "x": X}
    assert pattern.match(B.add(X, negative)) == {"n": negative, "x": X}
    assert pattern.match(B.add(X, X)) is None
    fixed = UPat(Ops.ADD, src=(UPat(Ops.NEG, name="n"), UPat.var("x")))
    assert fixed.match(B.add(X, negative)) is None


@pytest.mark.parametrize("factor_first", [True, False])
@pytest.mark.parametrize("product_first", [True, False])
def test_any_order_below_any_order(factor_first: bool, product_first: bool) -> None:
    # x*y + x: which factor is x is known only when the other summand has been seen
    product = UPat(Ops.MUL, src=(UPat.var("x"), UPat.var("y")), any_order=True)
    pattern = UPat(Ops.ADD, src=(product, UPat.var("x")), any_order=True)
    made = B.mul(X, Y) if factor_first else B.mul(Y, X)
    node = B.add(made, X) if product_first else B.add(X, made)
    assert pattern.match(node) == {"x": X, "y": Y}


def test_what_is_bound_already_counts() -> None:
    assert UPat.var("a").match(X, {"a": X}) == {"a": X}
    assert UPat.var("a").match(X, {"a": Y}) is None
    given = {"b": Y}
    assert UPat.var("a").match(X, given) == {"a": X, "b": Y}
    assert given == {"b": Y}


def test_first_row_that_answers_decides() -> None:
    table = PatternMatcher(
        [
            (UPat(Ops.NEG, name="n"), lambda n: None if n.src[0] is X else "other"),
            (UPat(Ops.NEG), lambda: "second"),
            (UPat(), lambda: "any"),
        ]
    )
    assert table.rewrite(B.neg(X)) == "second"
    assert table.rewrite(B.neg(Y)) == "other"
    assert table.rewrite(X) == "any"


def test_false_is_an_answer() -> None:
    table = PatternMatcher([(UPat(Ops.NEG), lambda: False), (UPat(), lambda: True)])
    assert table.rewrite(B.neg(X)) is False
    assert table.rewrite(X) is True


def test_context_goes_to_rules_that_name_it() -> None:
    table = PatternMatcher(
        [(UPat(Ops.NEG, name="n"), lambda ctx, n: (ctx, n)), (UPat(Ops.PARAM, name="p"), lambda p: p)]
    )
    node = B.neg(X)
    assert table.rewrite(node, ctx=7) == (7, node)
    assert table.rewrite(X, ctx=7) is X
    assert table.rewrite(ONE, ctx=7) is None


def test_tables_add_up() -> None:
    first = PatternMatcher([(UPat(Ops.NEG), lambda: "first")])
    second = PatternMatcher([(UPat(Ops.NEG), lambda: "second"), (UPat(Ops.PARAM), lambda: "param")])
    assert (first + second).rewrite(B.neg(X)) == "first"
    assert (second + first).rewrite(B.neg(X)) == "second"
    assert (first + second).rewrite(X) == "param"
    assert first.rewrite(X) is None
