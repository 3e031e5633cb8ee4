"""Local arrays that share scratch memory: what is computed stays what it was, and less memory is needed."""

from __future__ import annotations

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import allocation, lower
from functrans.ops import Ops, UOp, dtypes
from functrans.ops.kernel import LocalArg
from functrans.ops.source import fresh_id
from tests.backend.test_compiled_law import GROUP, differences
from tests.plans import plan_anew

F = dtypes.float64


@pytest.fixture
def everything_in_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower, "L1_BYTES", 0)
    monkeypatch.setattr(allocation, "L2_BYTES", 0)
    plan_anew(monkeypatch)


@pytest.mark.usefixtures("compiler", "everything_in_scratch")
@pytest.mark.parametrize("group", range(10))
def test_random_graphs(group: int) -> None:
    seeds = range(7000 + group * GROUP, 7000 + (group + 1) * GROUP)
    assert differences(seeds, steps=8 + group % 9, casts=group % 2 == 1) == []


@pytest.mark.usefixtures("compiler", "everything_in_scratch")
def test_a_chain_in_one_kernel_needs_two_arrays_at_a_time() -> None:
    def chain(y: np.ndarray) -> np.ndarray:
        for _ in range(30):
            y = np.sin(np.cumsum(y) / 40)
        return y

    y = np.linspace(0, 1, 3 * 40).reshape(3, 40)
    lowered = ft.jit(ft.vmap(chain)).lower(y)
    assert lowered.cost().temporaries <= 3 * 40 * 8
    want = y
    for _ in range(30):
        want = np.sin(np.cumsum(want, axis=1) / 40)
    np.testing.assert_allclose(lowered.compile()(y), want, rtol=1e-9, atol=1e-12)


def statements(*, read_in_loop: bool) -> tuple[list[UOp], UOp, UOp]:
    """Two arrays, a loop over the second; the first is read in the loop, or its value is used behind it."""
    one, zero = UOp.const(F, 1.0), UOp.const(dtypes.index, 0)
    a, b = (UOp(Ops.DEFINE_LOCAL, F, (), LocalArg(k, 8, 64 * k)) for k in range(2))
    at_a, at_b = (UOp(Ops.INDEX, F, (x, zero)) for x in (a, b))
    store_a = UOp(Ops.STORE, dtypes.void, (at_a, one))
    loop = UOp(Ops.RANGE, dtypes.index, (UOp.const(dtypes.index, 4),), (fresh_id(), None))
    load = UOp(Ops.LOAD, F, (at_a,))
    value = UOp(Ops.NEG, F, (load,))
    inside = UOp(Ops.STORE, dtypes.void, (at_b, value if read_in_loop else one))
    behind = UOp(Ops.STORE, dtypes.void, (at_b, one if read_in_loop else value))
    end = UOp(Ops.ENDRANGE, dtypes.void, (loop,))
    first = [load, value]
    order = [a, at_a, store_a, *([] if read_in_loop else first), loop, *(first if read_in_loop else [])]
    return [*order, b, at_b, inside, end, behind], a, b


@pytest.mark.parametrize("read_in_loop", [True, False])
def test_an_array_is_needed_to_the_end_of_the_loop_and_to_the_use_of_its_value(read_in_loop: bool) -> None:
    uops, a, b = statements(read_in_loop=read_in_loop)
    spans = allocation._spans(uops)
    ends = [k for k, u in enumerate(uops) if u.op in (Ops.ENDRANGE, Ops.STORE)]
    assert spans[a] == (0, ends[-2] if read_in_loop else ends[-1])
    assert spans[b][0] == uops.index(b)


def test_little_scratch_memory_is_left_as_it_is() -> None:
    uops, _, _ = statements(read_in_loop=True)
    assert allocation.allocate(uops, 128) == (uops, 128)
