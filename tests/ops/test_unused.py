"""Loops and branches without what nobody reads: as small as what is read needs, and the same values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.ops import Ops, UOp, unused
from functrans.ops.loops import regions
from functrans.ops.prepare import prepared
from functrans.ops.unused import without_unused
from functrans.ops.uop import toposort

X = np.array([0.3, -1.2, 2.5])
XS = np.arange(12.0).reshape(4, 3) / 7.0


def traced(f: Any, *args: Any) -> list[UOp]:
    return [ft.make_graph(f)(*args).outputs[0]]


def loops(roots: list[UOp]) -> list[Any]:
    return [u.arg for u in regions(toposort(roots))]


def scanned(read: int) -> Any:
    """Four carries, the second of which needs the first and the third the second; two stacks, of the first and last."""

    def body(c: Any, x: Any) -> Any:
        a, b, c, d = c
        return (a * 0.5, b + a, c + b, d + x.sum()), (a * 2.0, d)

    def f(x: Any) -> Any:
        carries, stacks = ft.scan(body, (x, x, x, x.sum()), XS)
        return (*carries, *stacks)[read]

    return f


@pytest.mark.parametrize(
    ("read", "carries", "results", "sequences"),
    [(0, 1, 1, 0), (1, 2, 2, 0), (2, 3, 3, 0), (3, 1, 1, 1), (4, 1, 2, 0), (5, 1, 2, 1)],
)
def test_a_scan_keeps_what_is_read_and_what_that_needs(read: int, carries: int, results: int, sequences: int) -> None:
    roots = traced(scanned(read), X)
    (whole,), (left,) = loops(roots), loops(without_unused(roots))
    assert (whole.carries, len(whole.results), whole.sequences) == (4, 6, 1)
    assert (left.carries, len(left.results), left.sequences, left.length) == (carries, results, sequences, 4)


def test_a_while_keeps_what_its_condition_needs() -> None:
    def f(x: Any) -> Any:
        def further(s: Any) -> Any:
            return s[0] + 1, s[1] * 0.9, s[2] + s[1], s[3] - s[2]

        return ft.while_loop(lambda s: s[0] + s[1].sum() < 6, further, (0, x, x, x))[0]

    (whole,), (left,) = loops(traced(f, X)), loops(without_unused(traced(f, X)))
    assert (whole.carries, left.carries) == (4, 2)
    assert len(left.condition.params) == len(left.body.params)


def test_a_branch_keeps_the_results_that_are_read() -> None:
    def f(x: Any) -> Any:
        return ft.switch(1, [lambda x, y: (x, y), lambda x, y: (x * 2.0, np.exp(y))], x, x + 1.0)[0]

    (whole,), (left,) = loops(traced(f, X)), loops(without_unused(traced(f, X)))
    assert (len(whole.results), len(left.results)) == (2, 1)
    assert [len(b.params) for b in left.branches] == [1, 1]


def test_a_loop_inside_of_a_loop_becomes_smaller_too() -> None:
    def f(x: Any) -> Any:
        def outer(c: Any, _: Any) -> Any:
            a, b = ft.fori_loop(0, 3, lambda _, s: (s[0] * 0.5, s[1] + np.sin(s[0])), c)
            return (a, b), None

        return ft.scan(outer, (x, x), None, length=2)[0][0]

    (left,) = loops(prepared(traced(f, X)))
    (inner,) = loops(list(left.body.outputs))
    assert (left.carries, inner.results[0][0]) == (1, (3,))
    assert len(inner.results) <= 2  # the number of a round is one


def test_a_source_that_is_dropped_reads_nothing() -> None:
    def f(x: Any, y: Any) -> Any:
        first = ft.scan(lambda c, _: ((c[0] * 0.5, c[1] + 1.0), None), (x, y), None, length=2)[0]
        return ft.scan(lambda c, _: ((c[0] + 1.0, c[1] * 2.0), None), first, None, length=2)[0][0]

    def g(x: Any, y: Any) -> Any:
        return ft.cond(x.sum() > 0, f, lambda x, y: x, x, y)

    assert [arg.carries for arg in loops(prepared(traced(f, X, X)))] == [1, 1]
    (choice,) = loops(prepared(traced(g, X, X)))
    assert [len(b.params) for b in choice.branches] == [1, 1]
    assert all({u for u in toposort(b.outputs) if u.op is Ops.PARAM} <= set(b.params) for b in choice.branches)


def test_what_is_read_in_full_stays_the_same_node() -> None:
    def f(x: Any) -> Any:
        return ft.scan(lambda c, x: (c * 0.5, c.sum()), x, XS, length=None)[1]

    def g(x: Any) -> Any:
        return ft.scan(lambda c, y: (c * 0.5 + y, c.sum()), x, XS)[1]

    assert loops(without_unused(traced(f, X)))[0].sequences == 0
    roots = traced(g, X)
    assert without_unused(roots) == roots


def test_what_a_loop_depends_on_is_found_once_not_for_each_of_its_results(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(xs: Any) -> Any:
        def shifted(c: Any) -> Any:
            return tuple(a + b for a, b in zip(c, [*c[1:], c[0]], strict=True))

        def outer(c: Any, _: Any) -> Any:
            return shifted(ft.scan(lambda c, _: (shifted(c), None), c, None, length=2)[0]), None

        return ft.scan(outer, xs, None, length=2)[0][0]

    found, made, roots = [], unused._sources, traced(f, tuple(np.arange(20.0)))

    def counted(arg: Any, known: Any) -> list[int]:
        found.append(arg)
        return made(arg, known)

    monkeypatch.setattr(unused, "_sources", counted)
    without_unused(roots)
    assert len(found) == 3  # of the outer loop, for that of the inner one, and of the inner one itself


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("read", range(6))
def test_values_are_those_of_the_whole_loop(read: int) -> None:
    def every(x: Any) -> Any:
        return tuple(scanned(k)(x) for k in range(6))

    rows = np.stack([X, X[::-1], X * 0.3])
    one, whole = ft.jit(ft.vmap(scanned(read)))(rows), ft.jit(ft.vmap(every))(rows)
    assert one.tobytes() == whole[read].tobytes()
