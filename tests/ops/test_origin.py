"""Lines of new nodes, and which node was made of which, while someone asks."""

from __future__ import annotations

from functrans import dtypes
from functrans.ops import UOp, origin
from functrans.ops import build as B
from functrans.ops import uop as module
from functrans.ops.origin import Lineage, became, lineage, place_of, recorded
from functrans.ops.source import param
from functrans.ops.uop import substitute


def test_nothing_is_recorded_unless_asked() -> None:
    x = B.neg(param((3,), dtypes.float64))
    assert module.born is None and module.inherited is None and place_of(x) is None
    assert became(x, param((3,), dtypes.float64)) is x


def test_lines_are_recorded_within_and_no_longer_after() -> None:
    with recorded():
        with recorded():
            pass
        origin.record(False)  # a trace begins inside: it does not end what someone else asked for
        x = B.neg(param((4,), dtypes.float64))
    found = place_of(x)
    assert found is not None and found[0] == __file__
    assert module.born is None


def test_what_replaces_a_node_is_made_of_it() -> None:
    x, y = param((5,), dtypes.float64), param((5,), dtypes.float64)
    old = B.neg(B.mul(x, x))
    found: Lineage = {}
    with lineage(found):
        (new,) = substitute([old], {x: y})
    assert found[new] == {old: None} and found[new.src[0]] == {old.src[0]: None}
    assert module.inherited is None


def test_lineages_nest() -> None:
    a, b, c = (UOp.const(dtypes.float64, float(n)) for n in (101, 102, 103))
    outer: Lineage = {}
    inner: Lineage = {}
    with lineage(outer):
        with lineage(inner):
            became(a, b)
        became(a, c)
        became(a, a)
    assert inner == {a: {b: None}} and outer == {a: {c: None}}


def test_a_pass_stands_on_no_line() -> None:
    with lineage({}):
        x = B.neg(param((6,), dtypes.float64))
    assert place_of(x) is None
