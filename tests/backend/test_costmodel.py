"""The cost model: three figures for each buffer, of which the least legal one wins, whatever the batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.schedule.decision import Decision, Why
from functrans.backend.schedule.passes import ranged
from functrans.ops import UOp
from functrans.ops.enums import Ops
from functrans.ops.passes import Recorded
from functrans.ops.price import ADDITION, additions, picoseconds
from tests.golden.programs import CASES


def decisions(f: Callable[..., Any], *args: Any) -> list[Decision]:
    passes = Recorded()
    ranged(ft.jit(f).lower(*args).graph.outputs, passes)
    return passes.decisions


def twice(times: int) -> Callable[[Any], Any]:
    """A value of so many multiplications that is read in two ways."""

    def f(x: Any) -> Any:
        y = x
        for k in range(times):
            y = y * (k + 1.5)
        return y + y[::-1]

    return f


@pytest.mark.parametrize("name", CASES)
def test_the_least_legal_figure_wins(name: str) -> None:
    for d in decisions(CASES[name].function, *CASES[name].args):
        if d.figures is None:
            assert d.why in (Why.RESULT, Why.DEMANDED, Why.FILLED, Why.LAUNCHED)
            continue
        assert (d.figures.inside is not None) == bool(d.buffer.free_ranges)
        if d.why in (Why.CHEAP, Why.NESTED, Why.VIEWED):
            assert d.figures.again <= d.figures.least
        elif not d.loops:
            assert d.figures.again > d.figures.least


def test_from_some_operations_on_a_value_is_stored() -> None:
    stays = [any(d.why is Why.SHARED for d in decisions(ft.vmap(twice(k)), np.ones((9, 50)))) for k in range(1, 20)]
    assert stays == sorted(stays) and stays[0] is False and stays[-1] is True
    assert stays.index(True) == 6  # a load and seven multiplications twice, or once, a store and two loads


def test_an_array_between_kernels_is_further_away_than_one_inside() -> None:
    found = [d.figures for d in decisions(ft.vmap(twice(9)), np.ones((9, 50))) if d.figures]
    assert found and all(f.inside is not None and f.inside < f.between for f in found)


def test_what_a_reader_goes_over_again_and_again_is_stored() -> None:
    def f(x: Any, y: Any) -> Any:
        return (x[:, None] * np.exp(y) ** 2).sum(axis=1)

    (d,) = (d for d in decisions(f, np.ones(40), np.zeros(30)) if d.figures)
    assert d.why is Why.CROSSED and d.figures is not None and d.figures.again > 100 * d.figures.between
    np.testing.assert_allclose(ft.jit(f)(np.ones(40), np.zeros(30)), 30.0)


BATCHED = ("softmax", "layernorm", "outer_contracted", "pairwise", "jvp_of_softmax", "after_the_map")


@pytest.mark.parametrize("name", BATCHED)
def test_another_batch_is_decided_alike(name: str) -> None:
    case = CASES[name]
    found = []
    for batch in (2, 9, 5000):
        args = [np.ones((batch, *np.shape(a)[1:])) for a in case.args]
        found.append([(d.why, d.figures) for d in decisions(case.function, *args)])
    assert found[0] == found[1] == found[2]


def test_every_operation_has_a_price() -> None:
    x, k = UOp.const(dtypes.float64, 1.5), UOp.const(dtypes.int64, 3)
    for op in (Ops.ADD, Ops.SUB, Ops.MUL, Ops.FDIV, Ops.MAX, Ops.POW, Ops.ATAN2, Ops.HYPOT, Ops.FLOORDIV, Ops.FLOORMOD):
        assert picoseconds(UOp(op, dtypes.float64, (x, x))) >= ADDITION
    for op in (Ops.IDIV, Ops.FLOORDIV, Ops.FLOORMOD):
        assert additions(UOp(op, dtypes.int64, (k, k))) > 100
    assert additions(UOp(Ops.ADD, dtypes.int64, (k, k))) == 1
    assert all(picoseconds(UOp(op, dtypes.float64, (x,))) > 15 * ADDITION for op in ELEMENTARY - {Ops.POW, Ops.ATAN2})
    single = UOp.const(dtypes.float32, 1.5)
    assert picoseconds(UOp(Ops.MUL, dtypes.float32, (single, single))) == ADDITION / 2
    assert additions(UOp(Ops.MUL, dtypes.float32, (single, single))) == 1
    assert additions(UOp(Ops.FDIV, dtypes.float64, (x, x))) == 8


def test_the_figures_are_told() -> None:
    text = repr(ft.explain(ft.vmap(twice(30)), ft.ShapeDtype((4, 50))))
    assert "between kernels" in text and "inside a kernel" in text and "computed at its reads" in text


def test_a_comparison_is_made_again_where_it_is_read() -> None:
    # a byte of a condition beside longer numbers keeps a loop from being vector code
    masked = ft.vmap(lambda x: np.where(x > 0, x, 0.0).sum() / ((x > 0).sum() + 1))
    assert "_Bool s" not in ft.jit(masked).lower(np.ones((5, 20))).c_source
