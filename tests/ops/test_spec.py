"""Each stage rejects what is not legal there, and says which pass made it."""

from __future__ import annotations

import numpy as np
import pytest

from functrans import dtypes
from functrans.backend.schedule.bufferize import BufferArg, StoreArg
from functrans.backend.schedule.passes import ranged
from functrans.config import config
from functrans.dtypes import DType
from functrans.errors import SpecError
from functrans.ops import AxisType, GroupOp, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.kernel import GlobalArg, LocalArg
from functrans.ops.spec import STAGES, check, verify
from functrans.ops.uop import toposort
from tests.backend.random_graphs import Graph

F, INT, X = dtypes.float64, dtypes.int64, dtypes.index
ZERO = UOp.const(X, 0)
P = source.param((2, 3), F)
S = UOp.const(F, 0.5)
N = source.param((2,), INT)
FLAG = UOp.const(dtypes.bool_, True)


def illegal(node: UOp, stage: str) -> None:
    """The node alone is refused; its sources are legal, or are the point."""
    with pytest.raises(SpecError, match=rf"after here: .*{node.op.name}.* is not legal at the {stage} stage"):
        verify([node], stage, "here")


def node(op: Ops, dtype: DType, *src: UOp, arg: object = None) -> UOp:
    """A raw node."""
    return UOp(op, dtype, src, arg)


# both stages


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    "wrong",
    [
        node(Ops.ADD, F, S),
        node(Ops.ADD, F, S, S, S),
        node(Ops.NEG, F, S, S),
        node(Ops.WHERE, F, FLAG, S),
        node(Ops.MULACC, F, S, S),
        node(Ops.ADD, INT, S, S),
        node(Ops.ADD, F, UOp.const(INT, 1), S),
        node(Ops.CMPLT, F, S, S),
        node(Ops.CMPLT, dtypes.bool_, UOp.const(INT, 1), S),
        node(Ops.WHERE, F, S, S, S),
        node(Ops.WHERE, F, FLAG, UOp.const(INT, 1), S),
        node(Ops.AND, dtypes.bool_, FLAG, UOp.const(INT, 1)),
        node(Ops.ISNAN, F, S),
        node(Ops.ABS, dtypes.float32, S),
        node(Ops.REAL, F, UOp.const(dtypes.complex64, 1)),
        node(Ops.CONJ, F, UOp.const(dtypes.complex128, 1)),
        node(Ops.CAST, F, S, S),
        node(Ops.CONST, F),
        node(Ops.CONST, F, S, arg=1.0),
        node(Ops.DEFINE_VAR, X, arg=("n", 4, 3)),
        node(Ops.DEFINE_VAR, INT, arg=("n", 0, 3)),
        node(Ops.RANGE, INT, UOp.const(X, 3), arg=(0, AxisType.LOOP)),
        node(Ops.PARAM, F, S, arg=(-2, ())),
        node(Ops.IOTA, INT, S, arg=3),
        node(Ops.BUFFER, F, arg=4),
    ],
    ids=repr,
)
def test_illegal_everywhere(wrong: UOp, stage: str) -> None:
    illegal(wrong, stage)


@pytest.mark.parametrize("stage", STAGES)
def test_legal_everywhere(stage: str) -> None:
    z = UOp.const(dtypes.complex64, 1j)
    roots = [
        B.where(FLAG, B.mul(UOp.const(F, 2.0), UOp.const(F, 3.0)), UOp.const(F, 0.0)),
        node(Ops.ABS, dtypes.float32, z), node(Ops.ABS, dtypes.complex64, z), node(Ops.REAL, dtypes.float32, z),
        node(Ops.MULACC, F, *[UOp.const(F, k) for k in (1, 2, 3)]), node(Ops.NOT, dtypes.bool_, FLAG),
        UOp.range(3), UOp.range(node(Ops.DEFINE_VAR, X, arg=("n", 0, 3))), B.cast(UOp.const(INT, 3), F),
    ]  # fmt: skip
    verify(roots if stage == "kernel" else [*roots, UOp.sink(*roots)], stage, "here")


# the tensor stage


@pytest.mark.parametrize(
    "wrong",
    [
        node(Ops.RESHAPE, INT, P, arg=(6,)),
        node(Ops.PERMUTE, dtypes.float32, P, arg=(1, 0)),
        node(Ops.REDUCE_AXIS, INT, P, arg=(Ops.ADD, (0,))),
        node(Ops.CUMULATE, INT, P, arg=(Ops.ADD, 0)),
        node(Ops.STACK, F, P, B.cast(P, INT), arg=0),
        node(Ops.ASSIGN, F, P, B.cast(P, INT)),
        node(Ops.CAT, INT, P, P, arg=0),
        node(Ops.INDEX, INT, P, N),
        node(Ops.SCATTER, INT, P, B.cast(P, INT), N, arg="add"),
        node(Ops.SCATTER, F, P, B.cast(P, dtypes.float32), N, arg="add"),
        node(Ops.VMAPIN, INT, P, UOp.range(2), ZERO),
        node(Ops.VMAPOUT, INT, P, UOp.range(2), ZERO, ZERO),
        node(Ops.REDUCE, INT, S, UOp.range(2), arg=Ops.ADD),
        node(Ops.BUFFERIZE, F, arg=BufferArg(0, ())),
        node(Ops.DEFINE_GLOBAL, F, P),
    ],
    ids=repr,
)
def test_illegal_at_the_tensor_stage(wrong: UOp) -> None:
    illegal(wrong, "tensor")


@pytest.mark.parametrize("seed", range(20))
def test_traced_graphs_are_legal(seed: int) -> None:
    g = Graph(seed, depth=3, sizes=(0, 1, 2, 3), casts=True)
    verify([g.grow(20)], "tensor", "tracing")


# the ranged stage


def scheduled() -> tuple[UOp, UOp, UOp]:
    """A buffer, a store into it and a read of it, all legal."""
    r = UOp.range(3)
    value = node(Ops.CAST, F, r)
    store = UOp(Ops.STORE, dtypes.void, (value, r, r), StoreArg(1))
    buffer = UOp(Ops.BUFFERIZE, F, (store,), BufferArg(1, (3,)))
    read = UOp(Ops.INDEX, F, (buffer, UOp.range(3)), False)
    return buffer, store, read


def test_a_scheduled_graph_is_legal() -> None:
    verify(scheduled(), "ranged", "here")


def wrong_ranged() -> list[UOp]:
    """One fault each."""
    buffer, store, read = scheduled()
    value, r, _ = store.src
    given = UOp(Ops.DEFINE_GLOBAL, F, (P,))
    i, j = UOp.range(2), UOp.range(3)
    return [
        P.src[0] if P.src else B.reshape(P, (3, 2)),
        B.reduce_axis(P, Ops.ADD, (0,)),
        B.add(P, P),
        P.vmapin((i, ZERO)),
        B.stack((S, S)),
        B.scatter(P, P, (N,), "set"),
        UOp(Ops.BUFFERIZE, F, (), BufferArg(2, (3,))),
        UOp(Ops.BUFFERIZE, INT, (store,), BufferArg(2, (3,))),
        UOp(Ops.BUFFERIZE, F, (store,), BufferArg(2, (3, 1))),
        UOp(Ops.BUFFERIZE, F, (value,), BufferArg(2, (3,))),
        UOp(Ops.STORE, dtypes.void, (value, UOp.const(INT, 0), r), StoreArg(1)),
        UOp(Ops.STORE, dtypes.void, (value, r, value), StoreArg(1)),
        UOp(Ops.STORE, dtypes.void, (value, r, r, r), StoreArg(1, gated=True)),
        UOp(Ops.STORE, dtypes.void, (value, r, r), StoreArg(1, mode="subtract")),
        UOp(Ops.STORE, dtypes.void, (read, value)),
        UOp(Ops.INDEX, INT, read.src, False),
        UOp(Ops.INDEX, F, (given, i), False),
        UOp(Ops.INDEX, F, (given, i, j, i), True),
        UOp(Ops.INDEX, F, (given, i, UOp.const(INT, 0)), False),
        UOp(Ops.INDEX, F, (store, i), False),
        UOp(Ops.REDUCE, INT, (value, r), Ops.ADD),
        UOp(Ops.PREFIX, F, (value,), Ops.ADD),
        UOp(Ops.PREFIX, F, (value, value), Ops.ADD),
        UOp(Ops.DEFINE_GLOBAL, F, (buffer,)),
    ]


@pytest.mark.parametrize("closed, op", [((), Ops.ADD), ((S,), Ops.ADD), ((UOp.range(2),), Ops.SUB)])
def test_a_wrong_reduction_over_ranges_is_not_built(closed: tuple[UOp, ...], op: Ops) -> None:
    with pytest.raises(SpecError, match="REDUCE"):
        UOp(Ops.REDUCE, F, (P, *closed), op)


@pytest.mark.parametrize("k", range(len(wrong_ranged())))
def test_illegal_at_the_ranged_stage(k: int) -> None:
    illegal(wrong_ranged()[k], "ranged")


# the kernel stage

A = UOp(Ops.DEFINE_GLOBAL, F, (), GlobalArg("a0", False))
OUT = UOp(Ops.DEFINE_GLOBAL, F, (), GlobalArg("o0", True))
AT_A, AT_O = UOp(Ops.INDEX, F, (A, ZERO)), UOp(Ops.INDEX, F, (OUT, ZERO))
ACC = UOp(Ops.DEFINE_ACC, F, (S,), 0)
NAME = UOp(Ops.NAME, dtypes.void, (), "k0")
GATE = UOp(Ops.IF, dtypes.void, (FLAG,))


def test_statements_are_legal() -> None:
    loop = UOp.range(3)
    local = UOp(Ops.DEFINE_LOCAL, F, (), LocalArg(0, 4))
    load = UOp(Ops.LOAD, F, (AT_A,))
    stores = [node(Ops.STORE, dtypes.void, AT_O, load), node(Ops.STORE, dtypes.void, AT_O, load, FLAG)]
    uops = [
        local, UOp(Ops.LOAD, F, (UOp(Ops.INDEX, F, (local, loop)), S, FLAG)), *stores, node(Ops.ASSIGN, F, ACC, load),
        GATE, node(Ops.ENDIF, dtypes.void, GATE), node(Ops.ENDRANGE, dtypes.void, loop), UOp.sink(*stores, NAME),
    ]  # fmt: skip
    verify(uops, "kernel", "here")


@pytest.mark.parametrize(
    "wrong",
    [
        P,
        node(Ops.DEFINE_GLOBAL, F, P),
        node(Ops.DEFINE_GLOBAL, F, arg="a0"),
        node(Ops.DEFINE_LOCAL, F, arg=3),
        node(Ops.DEFINE_ACC, F, AT_A, arg=0),
        node(Ops.DEFINE_ACC, F, UOp.const(INT, 0), arg=0),
        node(Ops.DEFINE_ACC, F, S),
        node(Ops.INDEX, INT, A, ZERO),
        node(Ops.INDEX, F, A, UOp.const(INT, 0)),
        node(Ops.INDEX, F, A, ZERO, ZERO),
        node(Ops.LOAD, F, A),
        node(Ops.LOAD, INT, AT_A),
        node(Ops.LOAD, F, AT_A, S),
        node(Ops.LOAD, F, AT_A, S, S),
        node(Ops.LOAD, F, AT_A, ZERO, FLAG),
        node(Ops.STORE, dtypes.void, AT_A, S),
        node(Ops.STORE, dtypes.void, AT_O, ZERO),
        node(Ops.STORE, dtypes.void, AT_O, S, S),
        node(Ops.STORE, F, AT_O, S),
        node(Ops.ASSIGN, F, AT_O, S),
        node(Ops.ASSIGN, F, ACC, ZERO),
        node(Ops.IF, dtypes.void, S),
        node(Ops.ENDIF, dtypes.void, UOp.range(2)),
        node(Ops.ENDRANGE, dtypes.void, GATE),
        node(Ops.NAME, dtypes.void, arg="two words"),
        UOp.sink(S, NAME),
        UOp.sink(S),
        B.cast(P, INT),
        node(Ops.CONTIGUOUS, F, S),
    ],
    ids=repr,
)
def test_illegal_at_the_kernel_stage(wrong: UOp) -> None:
    with pytest.raises(SpecError, match=r"after here: .* is not legal at the kernel stage"):
        verify([wrong], "kernel", "here")


@pytest.mark.parametrize("seed", range(20))
def test_what_the_scheduler_makes_is_legal(seed: int) -> None:
    g = Graph(seed, depth=2, sizes=(0, 1, 2, 3), casts=True)
    with config.override(spec=False):
        buffers = ranged([g.grow(12)])
    verify(buffers, "ranged", "scheduling")


# where and when


def test_the_first_culprit_is_named_with_its_sources() -> None:
    bad = node(Ops.ADD, INT, S, S)
    with pytest.raises(SpecError) as error:
        verify([B.neg(B.mul(bad, bad))], "tensor", "some pass")
    assert error.value.message == (
        "after some pass: <ADD int64 ()> over (" + ", ".join([repr(S)] * 2) + ") is not legal at the tensor stage"
    )


def test_check_obeys_the_setting() -> None:
    bad = [node(Ops.ADD, INT, S, S)]
    with config.override(spec=False):
        assert check(bad, "tensor", "here") is bad
    with config.override(spec=True), pytest.raises(SpecError):
        check(bad, "tensor", "here")
    fine = [P]
    with config.override(spec=True):
        assert check(fine, "tensor", "here") is fine


def test_deep_graphs_are_checked() -> None:
    y = S
    for _ in range(20_000):
        y = node(Ops.SIN, F, y)
    verify([y], "tensor", "here")


def test_every_op_a_stage_can_hold_has_a_row() -> None:
    # an op without a row would be refused with a message that blames the wrong thing
    for stage, table in STAGES.items():
        rows = {op for pattern, _, _ in table.rows for op in (pattern.ops or ())}
        missing = set(Ops) - rows - {Ops.CUSTOM_RULE, Ops.LINEAR, Ops.AFTER, Ops.END}  # gone before the first stage
        kernel = {Ops.DEFINE_LOCAL, Ops.DEFINE_ACC, Ops.LOAD, Ops.CALLS, Ops.FOLD, Ops.ENDRANGE, Ops.IF, Ops.ENDIF}
        later = {Ops.BUFFERIZE, Ops.STORE, Ops.PREFIX, Ops.WMMA, Ops.DEFINE_GLOBAL, Ops.NAME, Ops.REGION}
        assert missing == {"tensor": kernel | later, "ranged": kernel, "kernel": set()}[stage]


def test_random_graphs_use_most_of_the_language() -> None:
    seen = set()
    for seed in range(60):
        g = Graph(seed, depth=3, casts=True)
        seen |= {u.op for u in toposort([g.grow(25)])}
    assert seen >= GroupOp.Movement | GroupOp.VMap | GroupOp.Join | GroupOp.Reduce | {Ops.INDEX, Ops.SCATTER, Ops.CAST}
    assert np.isin([op.value for op in (Ops.WHERE, Ops.RANGE)], [op.value for op in seen]).all()
