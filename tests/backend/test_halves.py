"""Sums of all accumulators of lanes: one C function, the bits of the sums that are written out."""

from __future__ import annotations

import re

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen.regions import statements
from functrans.backend.codegen.vectors.halves import halved
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.kernel import LocalArg
from functrans.ops.uop import UOp
from tests.plans import plan_anew

F64 = dtypes.float64
ARRAY = UOp(Ops.DEFINE_LOCAL, F64, (), LocalArg(0, 4))
PLACES = [UOp(Ops.INDEX, F64, (ARRAY, sym.const(k))) for k in range(4)]
LOADS = [UOp(Ops.LOAD, F64, (place,)) for place in PLACES]
LEFT, RIGHT = (UOp(Ops.ADD, F64, (LOADS[k], LOADS[k + 2])) for k in (0, 1))
PAIRS = tuple(UOp(Ops.ADD, F64, (LOADS[k], LOADS[k + 1])) for k in (0, 2))
SUM = UOp(Ops.ADD, F64, (LEFT, RIGHT))


def test_the_sum_of_an_array_by_halves_is_found() -> None:
    assert halved([*LOADS, LEFT, RIGHT, SUM], {ARRAY}) == ({6: ARRAY}, set(range(6)))


@pytest.mark.parametrize(
    "uops",
    [
        [*LOADS, *PAIRS, UOp(Ops.ADD, F64, PAIRS)],
        [*LOADS[:3], UOp(Ops.STORE, dtypes.void, (PLACES[1], LOADS[0])), LOADS[3], LEFT, RIGHT, SUM],
        [*LOADS, LEFT, RIGHT, SUM, UOp(Ops.MUL, F64, (LEFT, SUM))],
        [*LOADS, LEFT, RIGHT],
    ],
    ids=["in another order", "stored into meanwhile", "a part read again", "half of it"],
)  # fmt: skip
def test_other_sums_are_not(uops: list[UOp]) -> None:
    assert halved(uops, {ARRAY}) == ({}, set())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sums_of_columns_call_one_function(dtype: type, compiler: None, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(0).normal(size=(70, 90)).astype(dtype)
    with written_for(Target(16, masks=False, fused=False)):
        called = ft.jit(lambda x: (x.sum(0), (x * x).sum(0))).lower(x)
        text = str(called.c_source)
        assert len(re.findall(r"^static .*ft_halves\d+_", text, re.M)) == 1
        assert len(re.findall(r"ft_halves\d+_", text)) > 4
        found = ft.jit(lambda x: (x.sum(0), (x * x).sum(0)))(x)
        plan_anew(monkeypatch)
        monkeypatch.setattr(statements, "halved", lambda *_: ({}, set()))
        written_out = ft.jit(lambda x: (x.sum(0), (x * x).sum(0)))
        assert "ft_halves" not in str(written_out.lower(x).c_source)
        np.testing.assert_array_equal(found, written_out(x))
