"""Local arrays at constant places become values: the same numbers, and vectors of what short loops left."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen.registers import registers
from functrans.ops import Ops, UOp
from functrans.ops.enums import AxisType
from functrans.ops.execute import execute
from functrans.ops.kernel import GlobalArg, LocalArg
from tests.plans import plan_anew

N = 5


class Statements:
    """A list that reads a0 and writes o0 in one loop, with a local array of three numbers and a sum."""

    def __init__(self) -> None:
        f64, index = dtypes.float64, dtypes.index
        self.a = UOp(Ops.DEFINE_GLOBAL, f64, (), GlobalArg("a0", False))
        self.o = UOp(Ops.DEFINE_GLOBAL, f64, (), GlobalArg("o0", True))
        self.local = UOp(Ops.DEFINE_LOCAL, f64, (), LocalArg(0, 3))
        end, self.zero = UOp.const(index, N), UOp.const(f64, 0.0)
        self.loop = UOp(Ops.RANGE, index, (end,), (0, AxisType.LOOP))
        self.acc = UOp(Ops.DEFINE_ACC, f64, (self.zero,), 0)
        self.uops = [self.a, self.o, end, self.zero, self.loop, self.local, self.acc]
        self.x = self.load(self.a, self.loop)

    def put(self, u: UOp) -> UOp:
        if u.op is not Ops.CONST or u not in self.uops:
            self.uops.append(u)
        return u

    def load(self, array: UOp, place: UOp | int) -> UOp:
        return self.put(UOp(Ops.LOAD, array.dtype, (self.at(array, place),)))

    def store(self, array: UOp, place: UOp | int, value: UOp) -> None:
        self.put(UOp(Ops.STORE, dtypes.void, (self.at(array, place), value)))

    def at(self, array: UOp, place: UOp | int) -> UOp:
        where = self.put(UOp.const(dtypes.index, place)) if isinstance(place, int) else place
        return self.put(UOp(Ops.INDEX, array.dtype, (array, where)))

    def add(self, a: UOp, b: UOp) -> UOp:
        return self.put(UOp(Ops.ADD, a.dtype, (a, b)))

    def done(self, value: UOp) -> list[UOp]:
        self.store(self.o, self.loop, value)
        return [*self.uops, UOp(Ops.ENDRANGE, dtypes.void, (self.loop,))]


def plain(s: Statements) -> UOp:
    s.store(s.local, 1, s.add(s.x, s.x))
    return s.add(s.load(s.local, 1), s.x)


def changed_in_place(s: Statements) -> UOp:
    s.store(s.local, 0, s.x)
    for _ in range(2):
        s.store(s.local, 0, s.add(s.load(s.local, 0), s.x))
    return s.load(s.local, 0)


def a_sum_goes_on(s: Statements) -> UOp:
    s.store(s.local, 0, s.add(s.acc, s.x))
    s.put(UOp(Ops.ASSIGN, s.acc.dtype, (s.acc, s.add(s.acc, s.add(s.x, s.x)))))
    return s.add(s.load(s.local, 0), s.acc)


def memory_is_written(s: Statements) -> UOp:
    s.store(s.o, s.loop, s.x)
    s.store(s.local, 0, s.load(s.o, s.loop))
    s.store(s.o, s.loop, s.add(s.x, s.x))
    return s.load(s.local, 0)


def not_written_yet(s: Statements) -> UOp:
    s.store(s.local, 0, s.x)
    s.load(s.local, 2)
    return s.load(s.local, 0)


@pytest.mark.parametrize(
    "body, times, stays",
    [
        (plain, 3.0, 0), (changed_in_place, 3.0, 0), (a_sum_goes_on, 3.0, 1), (memory_is_written, 1.0, 1),
        (not_written_yet, 1.0, 1),
    ],
)  # fmt: skip
def test_an_array_is_replaced_where_its_values_last(body: Any, times: float, stays: int) -> None:
    s = Statements()
    found = registers(s.done(body(s)))
    assert sum(u.op is Ops.DEFINE_LOCAL for u in found) == stays
    arrays = {"a0": np.arange(1.0, N + 1), "o0": np.zeros(N)}
    execute(found, arrays, {})
    np.testing.assert_array_equal(arrays["o0"], times * arrays["a0"])


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


BODIES = {
    "tangent": lambda x: ft.jvp(softmax, (x,), (x * x,))[1],
    "gradient": lambda x: ft.grad(lambda v: (softmax(v) ** 2).sum())(x),
    "extremes": lambda x: ft.grad(lambda v: v.max() * v.min())(x),
    "clipped": lambda x: ft.grad(lambda v: np.clip(v, -0.5, 0.5).sum() ** 2)(x),
}


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("n", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("name", BODIES)
def test_short_rows_are_vectors_with_the_same_bits(name: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(n).standard_normal((37, n))
    x[3, 1] = np.nan
    f = ft.jit(ft.vmap(lambda row: BODIES[name](row)))
    source = f.lower(x).c_source
    assert not re.search(r"double s\d+\[\d\];", source)
    assert "ft_exp_f64(" not in source[source.index(" void k0(") :]
    found = f(x)
    with monkeypatch.context() as patch:
        plan_anew(patch)
        patch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p.name != "registers"))
        np.testing.assert_array_equal(found, ft.jit(ft.vmap(lambda row: BODIES[name](row)))(x))
