"""Scattered stores: computed in tiles, stored one by one; updates in the loops that compute them."""

from __future__ import annotations

import numpy as np
import pytest

from functrans import dtypes
from functrans.backend.codegen import scattered as module
from functrans.ops import AxisType, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.kernel import closing
from functrans.ops.source import buffer
from tests.backend.executed import executed, lowered

DRAW = np.random.default_rng(3)


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


@pytest.mark.parametrize("gate", [False, True])
@pytest.mark.parametrize("kind", [AxisType.LOOP, AxisType.ORDERED])
@pytest.mark.parametrize("mode", ["place", "add", "set"])
@pytest.mark.parametrize("n", [1, 7, 21, 64])
def test_statements_mean_what_the_arrays_mean(
    n: int, mode: str, kind: AxisType, gate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TILE", 8)
    monkeypatch.setattr(module, "SHORT", 4)
    output, values = updated(n, mode, kind, gate)
    (got,), (want,) = executed([output], values), interpret([output], values)
    np.testing.assert_allclose(got, want, rtol=1e-13)
    kernels = lowered([output])[1]
    for kernel in kernels:
        closing(kernel.uops)
    # the loop of the updates is a kernel of its own, which does not know how long it is
    assert mode == "set" or any(u.op is Ops.DEFINE_LOCAL for u in kernels[-1].uops)


def test_both_updates_share_one_loop_and_nothing_is_checked() -> None:
    output, _ = updated(100, "place", AxisType.LOOP)
    _, kernel = lowered([output])[1]  # the first one fills the vector
    assert sum(u.op in (Ops.SIN, Ops.EXP) for u in kernel.uops) <= 4  # of which two for far arguments
    assert not any(u.op is Ops.IF and u.src[0].op is Ops.CMPLT for u in kernel.uops)
    gated, _ = updated(100, "add", AxisType.LOOP, gate=True)
    assert any(u.op is Ops.IF for u in lowered([gated])[1][-1].uops)


def test_a_loop_that_computes_little_stays_as_it_is() -> None:
    x, r = source.param((100,), dtypes.float64), UOp.range(50)
    value = B.neg(B.gather(x, B.inside(B.cast(r, dtypes.int64), 100)))
    index = B.inside(buffer(DRAW.permutation(50).astype(np.int32)), 50)
    output = B.scatter(B.full((50,), x.dtype, 0), value.vmapout((r,)), (index,), "place")
    (kernel,) = lowered([output])[1]
    assert not any(u.op is Ops.DEFINE_LOCAL for u in kernel.uops)
