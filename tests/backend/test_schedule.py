"""What the passes of the scheduler promise, stopped before anything is compiled."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from functrans.backend.codegen.render_c import render_c
from functrans.backend.codegen.statements import lower
from functrans.backend.schedule.bufferize import bufferize
from functrans.backend.schedule.costmodel import decided, is_plain
from functrans.backend.schedule.decision import Why
from functrans.backend.schedule.kernels import Kernel, kernels
from functrans.backend.schedule.memory import bytes_of, plan_memory
from functrans.backend.schedule.parts import is_global
from functrans.backend.schedule.passes import ranged, schedule
from functrans.backend.schedule.rangeify import rangeify
from functrans.backend.schedule.realize import realize, root_of
from functrans.errors import SpecError
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.uop import toposort

ZERO = UOp.const(dtypes.index, 0)


def row_of(x: UOp, r: UOp) -> UOp:
    return x.vmapin((r, *(ZERO,) * (x.ndim - 1)))


def rows_of(y: UOp, r: UOp) -> UOp:
    return y.vmapout((r, *(ZERO,) * y.ndim))


def spread(s: UOp, like: UOp) -> UOp:
    return B.broadcast(s, like.sized)


def softmax(x: UOp) -> UOp:
    e = B.alu(Ops.EXP, B.sub(x, spread(B.reduce_axis(x, Ops.MAX, (0,)), x)))
    return B.div(e, spread(B.reduce_axis(e, Ops.ADD, (0,)), e))


def mapped_softmax(columns: int = 64) -> tuple[UOp, UOp]:
    x, r = source.param((3, columns), dtypes.float64), UOp.range(3)
    return x, rows_of(softmax(row_of(x, r)), r)


def c_of(kernel: Kernel) -> str:
    return render_c(lower(kernel).uops)


def unfused(*outputs: UOp) -> list[Kernel]:
    return kernels(bufferize(list(outputs), rangeify(list(outputs))))


def buffers_of(made: list[Kernel]) -> list[UOp]:
    return [u for k in made for u in toposort(k.roots) if u.op is Ops.BUFFERIZE]


def test_vmapout_is_realised_and_dissolved_where_it_is_not_needed() -> None:
    _, y = mapped_softmax()
    z = B.neg(y)
    assert y in realize([z], toposort([z]))
    assert len(unfused(z)) == 2
    assert len(schedule(z)) == 1


def test_vmapout_stays_where_it_is_read_twice() -> None:
    _, y = mapped_softmax()
    total = spread(B.reduce_axis(y, Ops.ADD, (0, 1)), y)
    assert len(schedule(B.div(y, total))) == 2


def test_intermediate_of_one_lane_is_local_and_has_no_batch_axis() -> None:
    x, y = mapped_softmax()
    (kernel,) = schedule(y)
    inner = [u for u in toposort(kernel.roots) if u.op is Ops.BUFFERIZE and not is_global(u)]
    assert inner and all(u.arg.shape == (64,) for u in inner)
    assert kernel.reads == [u for u in toposort(kernel.roots) if u.op is Ops.DEFINE_GLOBAL]
    assert x in [u.src[0] for u in kernel.reads]


def test_a_column_is_copied_once_and_a_row_is_read_where_it_lies() -> None:
    x, r = source.param((64, 5), dtypes.float64), UOp.range(5)
    column, row = softmax(x.vmapin((ZERO, r))).vmapout((r, ZERO)), mapped_softmax()[1]
    made = [decided(bufferize([y], rangeify([y]))).decisions for y in (column, row)]
    assert [sum(d.why is Why.COPIED for d in decisions) for decisions in made] == [1, 0]
    assert re.search(r"s\d+\[[^]]*\] = a0\[", c_of(schedule(row)[0])) is None


def test_short_rows_are_read_again_rather_than_copied() -> None:
    _, y = mapped_softmax(columns=10)
    uops = lower(schedule(y)[0]).uops
    assert sum(u.op is Ops.LOAD and u.src[0].src[0].op is Ops.DEFINE_GLOBAL for u in uops) == 2


def test_batch_loop_is_outermost_whatever_the_output_axis() -> None:
    x, r = source.param((5, 64), dtypes.float64), UOp.range(5)
    y = softmax(row_of(x, r)).vmapout((ZERO, r))
    (kernel,) = schedule(y)
    assert all(s.src[s.arg.first_range] is r for s in kernel.stores)


def test_results_of_one_map_share_a_kernel_and_its_loop() -> None:
    x, r = source.param((5, 64), dtypes.float64), UOp.range(5)
    s = softmax(row_of(x, r))
    made = schedule(UOp.sink(rows_of(s, r), rows_of(B.reduce_axis(s, Ops.MAX, (0,)), r)))
    assert len(made) == 1
    assert c_of(made[0]).count("for (long long i0 ") == 1


def test_kernels_run_after_what_they_read() -> None:
    x, r = source.param((5, 64), dtypes.float64), UOp.range(5)
    first = rows_of(softmax(row_of(x, r)), r)
    total = B.reduce_axis(first, Ops.ADD, (0,))
    again = rows_of(B.mul(row_of(first, r), total), r)  # the same RANGE, but it reads all of the first loop
    made = schedule(UOp.sink(again, first))
    filled: set[UOp] = set()
    for k in made:
        assert {u for u in k.reads if u.op is Ops.BUFFERIZE} <= filled
        filled |= set(k.roots)
    assert len(made) >= 2


def test_contiguous_keeps_its_buffer() -> None:
    x = source.param((4,), dtypes.float64)
    plain = B.add(B.mul(x, x), x)
    kept = B.add(UOp(Ops.CONTIGUOUS, x.dtype, (B.mul(x, x),)), x)
    assert len(schedule(plain)) == 1
    assert len(schedule(kept)) == 2


def test_joined_parts_are_stored_where_they_belong() -> None:
    x, r = source.param((5, 4), dtypes.float64), UOp.range(5)
    row = row_of(x, r)
    (kernel,) = schedule(rows_of(B.cat((B.shrink(row, ((1, 4),)), B.neg(row))), r))
    assert [b.arg.shape for b in buffers_of([kernel])] == [(5, 7)]  # no buffer but the output


def test_reshape_of_a_result_is_the_same_memory() -> None:
    _, y = mapped_softmax()
    assert root_of(B.reshape(y, (8, 24))) is y


def test_an_open_range_at_a_root_is_refused() -> None:
    x, r = source.param((5, 4), dtypes.float64), UOp.range(5)
    with pytest.raises(SpecError, match="open ranges"):
        schedule(B.neg(row_of(x, r)))


def test_every_buffer_but_joins_and_scatters_is_plain() -> None:
    _, y = mapped_softmax()
    assert all(map(is_plain, buffers_of(schedule(y))))


def test_memory_of_a_chain_is_two_buffers() -> None:
    x = source.param((100,), dtypes.float64)
    for _ in range(6):
        x = UOp(Ops.CONTIGUOUS, x.dtype, (B.alu(Ops.SIN, x),))
    buffers = ranged([x])
    plan = plan_memory(kernels(buffers), set(buffers), 0)
    assert len(plan.buffers) == 5
    assert plan.size == 2 * -(-bytes_of(buffers[0]) // 64) * 64


def test_buffers_alive_together_lie_apart() -> None:
    x = source.param((100,), dtypes.float64)
    parts = [UOp(Ops.CONTIGUOUS, x.dtype, (B.alu(op, x),)) for op in (Ops.SIN, Ops.COS, Ops.EXP)]
    y = B.add(B.add(*parts[:2]), parts[2])
    buffers = ranged([y])
    spans = sorted(plan_memory(kernels(buffers), set(buffers), 0).slices)
    assert len(spans) == 3
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
