"""What loops of vectors do for one round after the other: the same bits as statements one by one, on every target."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen.vectors.target import written_for
from functrans.backend.pipeline import Program
from functrans.backend.policy import LOOP_STATEMENTS
from functrans.ops import AxisType, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.kernel import closing
from functrans.ops.source import buffer
from tests.backend.executed import executed, lowered
from tests.backend.test_vectors import TARGETS, bits, drawn
from tests.plans import plan_anew

DRAW = np.random.default_rng(3)
WHERE = DRAW.permutation(131).astype(np.int32)


def updated(n: int, mode: str, kind: AxisType, gate: bool = False) -> tuple[UOp, dict[UOp, np.ndarray]]:
    """Two updates of one vector in one loop over n elements, at known places; some are dropped if ``gate``.

    An ORDERED loop writes places several times, those of the two updates apart.
    """
    x = source.param((3 * n,), dtypes.float64)
    r = UOp.range(n, axis_type=kind)
    step = B.cast(r, dtypes.int64)
    a, b = (B.gather(x, B.inside(B.add(B.mul(step, B.like(step, 3)), B.like(step, k)), 3 * n)) for k in (0, 2))
    first = B.mul(B.add(B.mul(a, a), b), B.alu(Ops.EXP, b))
    second = B.sub(B.mul(B.alu(Ops.SIN, a), b), first)
    size = 2 * n + 3
    base = B.full((size,), x.dtype, 1.0)
    places = DRAW.permutation(2 * n) if mode == "place" else DRAW.integers(0, 2 * n, 2 * n)
    if kind is AxisType.ORDERED:
        places = places // 4 * 2 + np.repeat([0, 1], n)
    for value, at in ((first, places[:n]), (second, places[n:])):
        if gate:
            at = np.where(np.arange(n) % 3 == 0, -1, at)
        index = buffer(at.astype(np.int32))
        base = B.scatter(base, value.vmapout((r,)), (index if gate else B.inside(index, size),), mode)
    return base, {x: DRAW.uniform(-2, 2, 3 * n)}


@pytest.mark.covering(2, empty={"n": [1]})
@pytest.mark.parametrize("gate", [False, True])
@pytest.mark.parametrize("kind", [AxisType.LOOP, AxisType.ORDERED])
@pytest.mark.parametrize("mode", ["place", "add", "set"])
@pytest.mark.parametrize("n", [1, 7, 21, 64])
def test_statements_mean_what_the_arrays_mean(n: int, mode: str, kind: AxisType, gate: bool) -> None:
    output, values = updated(n, mode, kind, gate)
    (got,), (want,) = executed([output], values), interpret([output], values)
    np.testing.assert_allclose(got, want, rtol=1e-13)
    for kernel in lowered([output])[1]:
        closing(kernel.uops)


def test_both_updates_share_one_loop_of_vectors_and_nothing_is_checked() -> None:
    output, _ = updated(100, "place", AxisType.LOOP)
    _, kernel = lowered([output])[1]  # the first one fills the vector
    assert sum(u.op in (Ops.SIN, Ops.EXP) for u in kernel.uops) == 2
    assert [u.arg[1] for u in kernel.uops if u.op is Ops.RANGE] == [AxisType.VECTOR]
    assert not any(u.op is Ops.IF and u.src[0].op is Ops.CMPLT for u in kernel.uops)
    gated, _ = updated(100, "add", AxisType.LOOP, gate=True)
    assert any(u.op is Ops.IF for u in lowered([gated])[1][-1].uops)


# each with what is done round by round, and the least of its functions that are vectors all the same
BODIES: dict[str, Callable[[Any], Any]] = {
    "sum in order": lambda x: (np.exp(x[:9]) * 2.0).sum(),
    "running": lambda x: np.cumsum(np.exp(x) * np.sin(x)),
    "running twice": lambda x: (np.cumsum(np.exp(x)), np.maximum.accumulate(np.exp(x) - x)),
    "records": lambda x: np.stack([np.sin(x), np.cos(x), np.exp(x)], axis=1),
    "turned": lambda x: np.stack([np.sin(x), np.exp(x)], axis=1)[::-1],
    "bins": lambda x: np.bincount((abs(np.where(abs(x) < 9, x, 1)) * 3).astype(np.int64) % 7, np.exp(x), 7),
    "truths": lambda x: ((np.stack([x > 0, x < 1, x * x > 2]).any(axis=0) | (np.exp(x) > 3)), np.pad(x > 0, (2, 1))),
    "gathered": lambda x: np.exp(x[WHERE[: x.shape[-1]] % x.shape[-1]]) * np.tanh(x),
}


@pytest.mark.parametrize("n", [9, 13, 33, 64, 100])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_bits_are_those_of_single_numbers_on_every_target(
    n: int, dtype: Any, monkeypatch: pytest.MonkeyPatch, compiler: None
) -> None:  # fmt: skip
    def f(x: Any) -> Any:
        results = (g(x) for g in BODIES.values())
        return tuple(leaf for r in results for leaf in (r if isinstance(r, tuple) else (r,)))

    x, found = drawn(7, n, dtype), []
    for where in (None, *TARGETS):
        with monkeypatch.context() as patch:
            plan_anew(patch)
            if where is None:
                patch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p.name != "vectors"))
                found.append(bits(ft.jit(ft.vmap(lambda row: f(row)))(x)))
                continue
            with written_for(where):
                found.append(bits(ft.jit(ft.vmap(lambda row: f(row)))(x)))
    assert all(f == found[0] for f in found)


@pytest.mark.parametrize("name", BODIES)
def test_functions_are_vectors_whatever_is_done_with_them(name: str) -> None:
    with written_for(TARGETS[0]):
        text = ft.jit(ft.vmap(BODIES[name])).lower(np.ones((300, 40))).c_source
    called = re.findall(r"\bft_(?:exp|sin|cos|tanh)\w*?_(f64\w*)\(", text)
    assert called
    assert set(called) == {"f64x8"}


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 31, 32, 33, 40, 63, 64, 100])
def test_an_end_that_only_the_call_knows(n: int, monkeypatch: pytest.MonkeyPatch, compiler: None) -> None:
    x = np.random.default_rng(n).uniform(-3, 3, (n, 1))
    for t in TARGETS:
        plan_anew(monkeypatch)
        with written_for(t):
            f = ft.jit(ft.vmap(lambda row: (np.sin(row[0]) * np.exp(-row[0]), np.stack([row[0], np.exp(row[0])]))))
            flat, records = f(x)
        np.testing.assert_allclose(flat, np.sin(x[:, 0]) * np.exp(-x[:, 0]), rtol=1e-14)
        np.testing.assert_allclose(records, np.stack([x[:, 0], np.exp(x[:, 0])], axis=1), rtol=1e-14)


def test_no_row_is_read_where_there_is_none(compiler: None) -> None:
    f = ft.jit(ft.vmap(lambda x, y: np.exp(x) * y[0], in_axes=(0, None)))
    assert f(np.zeros(0), np.ones(3)).shape == (0,)
    np.testing.assert_array_equal(f(np.zeros(3), np.full(3, 2.0)), np.full(3, 2.0))


@pytest.mark.parametrize("distance", [1, 5, 8, 32, 63, 64, 65, 100])
def test_writes_some_rounds_apart_are_in_order(
    distance: int, monkeypatch: pytest.MonkeyPatch, compiler: None
) -> None:  # fmt: skip
    def f(x: Any) -> Any:
        y = np.zeros(300) + x[0]
        return y.at[: x.shape[0]].set(np.exp(x)).at[distance : distance + x.shape[0]].set(np.sin(x))

    x = np.random.default_rng(distance).uniform(-1, 1, 120)
    want = np.zeros(300) + x[0]
    want[:120] = np.exp(x)
    want[distance : distance + 120] = np.sin(x)
    for t in TARGETS:
        plan_anew(monkeypatch)
        with written_for(t):
            np.testing.assert_allclose(ft.jit(lambda x: f(x))(x), want, rtol=1e-14)


def long_body(x: UOp) -> UOp:
    """More statements than are written down twice."""
    y = x
    for k in range(LOOP_STATEMENTS + 1):
        y = B.add(B.mul(y, B.like(y, 1 - 0.0001 * k)), B.mul(x, x))
    return y


@pytest.mark.parametrize("n", [1, 7, 8, 9, 33])
def test_the_last_vector_of_a_long_body_ends_with_the_last_round(
    n: int, monkeypatch: pytest.MonkeyPatch, compiler: None
) -> None:  # fmt: skip
    """Rounds that the vector before has had are computed again, and added once; the body is written down once."""
    x = source.param((n,), dtypes.float64)
    r = UOp.range(n, axis_type=AxisType.ORDERED)
    element = B.gather(x, B.inside(B.cast(r, dtypes.int64), n))
    at = B.inside(buffer((np.arange(n) * 3 % 5).astype(np.int32)), 5)
    added = B.scatter(B.full((5,), x.dtype, 0.0), long_body(element).vmapout((r,)), (at,), "add")
    values = np.random.default_rng(n).uniform(0.1, 0.2, n)
    (want,) = interpret([added], {x: values})
    for t in TARGETS:
        plan_anew(monkeypatch)
        with written_for(t):
            program = Program([added], [x], fixed=True)
            np.testing.assert_allclose(program([values])[0], want, rtol=1e-13)
            assert program.c_source.count(f"x{t.lanes(8)}(0.99)") == 1
