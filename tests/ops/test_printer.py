"""What a graph prints as rebuilds the very same nodes."""

from __future__ import annotations

import numpy as np
import pytest

from functrans import dtypes
from functrans.backend.codegen.statements import lower
from functrans.backend.schedule.bufferize import BufferArg, StoreArg
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import ranged
from functrans.ops import AxisType, UOp, source
from functrans.ops import build as B
from functrans.ops.kernel import GlobalArg, LocalArg
from functrans.ops.printer import from_text, to_text
from tests.backend.random_graphs import Graph


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_come_back(seed: int) -> None:
    g = Graph(seed, depth=3, sizes=(0, 1, 2, 3))
    roots = (g.grow(25), g.pick(), g.pick())
    back = from_text(to_text(*roots))
    assert len(back) == len(roots)
    assert all(a is b for a, b in zip(roots, back, strict=True))


@pytest.mark.parametrize("seed", range(10))
def test_scheduled_graphs_come_back(seed: int) -> None:
    g = Graph(seed, sizes=(1, 2, 3))
    buffers = ranged([g.grow(10)])
    assert from_text(to_text(*buffers), StoreArg=StoreArg, BufferArg=BufferArg) == tuple(buffers)


@pytest.mark.parametrize("seed", range(10))
def test_statements_come_back(seed: int) -> None:
    for kernel in kernels(ranged([Graph(seed, sizes=(1, 2, 20)).grow(10)])):
        uops = lower(kernel).uops
        assert from_text(to_text(*uops), GlobalArg=GlobalArg, LocalArg=LocalArg) == tuple(uops)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=repr)
def test_every_dtype_comes_back(dtype: dtypes.DType) -> None:
    x = source.param((2, 1), dtype)
    y = B.cast(B.where(B.eq(x, B.like(x, 1)), x, B.like(x, 0)), dtypes.int8)
    assert from_text(to_text(y))[0] is y


SPECIAL = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), 5e-324, 1e308, 0.1]


@pytest.mark.parametrize("value", SPECIAL)
def test_special_constants_come_back(value: float) -> None:
    for node in (
        UOp.const(dtypes.float64, value),
        UOp.const(dtypes.complex128, complex(value, -0.0)),
        UOp.const(dtypes.complex64, complex(-0.0, value)),
    ):
        assert from_text(to_text(node))[0] is node


def test_ranges_and_buffers_come_back() -> None:
    r = UOp.range(3, axis_type=AxisType.OUTER)
    x = source.buffer(np.arange(6.0).reshape(3, 2)).vmapin((r, UOp.const(dtypes.index, 0)))
    y = x.vmapout((UOp.const(dtypes.index, 0), r))
    assert from_text(to_text(y))[0] is y


def test_shapes_are_shown_and_shared_nodes_printed_once() -> None:
    x = source.param((2, 3), dtypes.float32)
    text = to_text(B.add(B.mul(x, x), B.mul(x, x)))
    lines = text.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["u0", "u1", "u2", "roots"]
    assert lines[1] == "u1 = UOp(Ops.MUL, dtypes.float32, (u0, u0, ))  # (2, 3)"
    assert lines[3] == "roots = (u2, )"
