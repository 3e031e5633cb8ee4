"""Ops x facts: every cell is an explicit rule, one derived from the op's kind, or a refusal declared here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import functrans.backend.schedule.regions  # noqa: F401  (enters the record of REGION)
from functrans import dtypes
from functrans.backend.codegen.spelling import spell
from functrans.backend.pipeline import Program
from functrans.backend.sparse.plan import symbolic
from functrans.errors import ArgumentError, SpecError, UnsupportedError
from functrans.ops import FAMILIES, GroupOp, Ops, UOp, placement, source
from functrans.ops import build as B
from functrans.ops.c_text import CText
from functrans.ops.fourier import fft
from functrans.ops.function import Function
from functrans.ops.interpret import interpret
from functrans.ops.loops import Scan, Switch, While, region, results
from functrans.ops.opdef import TABLE, OpDef, register
from functrans.ops.sparse_systems import Solving, spfactor, spinverse, spslogdet, spsolve
from functrans.transforms.forward import push_forward
from functrans.transforms.vmap.rewriting import unbracket

F = dtypes.float64
ZERO = UOp.const(dtypes.index, 0)
KINDS = {
    "elementwise", "movement", "reduce", "join", "order", "host", "index", "bracket", "source", "ranged", "kernel",
    "placement", "framework", "assign", "region",
}  # fmt: skip

EXPRESSION = CText("e", "{0} * {0} + {1}", lambda a, b: a * a + b)
STATEMENTS = CText("s", "double t = {0}; {out} = t * t;", lambda a: a * a)
VARIABLE = UOp(Ops.DEFINE_VAR, dtypes.index, (), ("n", 0, 4))

# what is not there, and why: the complete list
REFUSED: dict[tuple[Ops, str], str] = {
    (Ops.CUSTOM, "jvp"): "known only where the user gives the partials",
    (Ops.CUSTOMI, "jvp"): "known only where the user gives the partials",
    (Ops.SORT, "jvp"): "made where a graph is scheduled, of a gather by an order, which has derivatives",
    (Ops.PARAM, "numpy"): "its array is given by the caller",
    (Ops.DEFINE_VAR, "numpy"): "its value is given by the caller",
}
# ops that no tensor-stage graph holds: passes make them, and calls with rules, which are inlined before
NOT_TENSOR = {
    Ops.CUSTOM_RULE, Ops.LINEAR, Ops.AFTER, Ops.END,
    Ops.SINK, Ops.DEVICE, Ops.UNIQUE, Ops.BUFFERIZE, Ops.STORE, Ops.REDUCE, Ops.PREFIX,
    Ops.DEFINE_GLOBAL, Ops.NAME, Ops.DEFINE_LOCAL, Ops.DEFINE_ACC, Ops.LOAD, Ops.ENDRANGE,
    Ops.IF, Ops.ENDIF, Ops.WMMA, Ops.CALLS, Ops.FOLD, Ops.REGION, Ops.ROUTINE, Ops.LU,
}  # fmt: skip

# ops of one matrix, and their arguments
MATRICES: dict[Ops, float | None] = {Ops.CHOLESKY: None, Ops.DET: None, Ops.SLOGDET: 1, Ops.ADJUGATE: None, Ops.EIGH: 0,
                                       Ops.SVD: 1, Ops.QR: 1, Ops.PINV: 1e-15}  # fmt: skip

Make = Callable[[UOp], UOp]


def samples() -> dict[Ops, Make]:
    """For each op of the tensor stage a graph of it over an array of shape (2, 3) between 0.1 and 0.9."""
    index = source.buffer(np.array([1, 0, 1, 5]))
    made: dict[Ops, Make] = {
        Ops.CONST: lambda x: UOp.const(F, 2.0),
        Ops.IOTA: lambda x: B.iota(3),
        Ops.PARAM: lambda x: x,
        Ops.BUFFER: lambda x: source.buffer(np.arange(6.0)),
        Ops.BIND: lambda x: UOp(Ops.BIND, dtypes.index, (VARIABLE, UOp.const(dtypes.index, 3))),
        Ops.BUFFER_VIEW: lambda x: placement.buffer_view(source.buffer(np.arange(6.0)), 3, 2),
        Ops.COPY: lambda x: placement.copy(x, "CPU:1"),
        Ops.MULTI: lambda x: placement.lay(x, placement.Layout(("CPU", "CPU:1"), 1, (2, 1))),
        Ops.EMPTY: lambda x: UOp(Ops.EMPTY, F, (), (2, 0)),
        Ops.RESHAPE: lambda x: UOp(Ops.RESHAPE, F, (x,), (3, 1, 2)),
        Ops.PERMUTE: lambda x: UOp(Ops.PERMUTE, F, (x,), (1, 0)),
        Ops.EXPAND: lambda x: UOp(Ops.EXPAND, F, (B.reshape(x, (2, 1, 3)),), (2, 4, 3)),
        Ops.PAD: lambda x: UOp(Ops.PAD, F, (x,), ((1, 0), (2, 1))),
        Ops.SHRINK: lambda x: UOp(Ops.SHRINK, F, (x,), ((0, 1), (1, 3))),
        Ops.FLIP: lambda x: UOp(Ops.FLIP, F, (x,), (False, True)),
        Ops.STACK: lambda x: B.stack((x, B.neg(x)), 1),
        Ops.CAT: lambda x: B.cat((x, B.neg(x)), 1),
        Ops.REDUCE_AXIS: lambda x: B.reduce_axis(x, Ops.ADD, (1,)),
        Ops.CUMULATE: lambda x: UOp(Ops.CUMULATE, F, (x,), (Ops.ADD, 1)),
        Ops.ARGSORT: lambda x: B.argsort(x),
        Ops.SORT: lambda x: UOp(Ops.SORT, F, (x,)),
        Ops.FFT: lambda x: B.mul(*(UOp(op, F, (fft(fft(x, "half", 3), "forward", 2),)) for op in (Ops.REAL, Ops.IMAG))),
        Ops.INDEX: lambda x: B.gather(x, index),
        Ops.SCATTER: lambda x: B.scatter(x, B.broadcast(B.reduce_axis(x, Ops.ADD, (0,)), (4, 3)), (index,), "add"),
        Ops.ASSIGN: lambda x: UOp(Ops.ASSIGN, F, (B.neg(x), B.mul(x, x))),
        Ops.CUSTOMI: lambda x: UOp(Ops.CUSTOMI, F, (x, B.neg(x)), EXPRESSION),
        Ops.CUSTOM: lambda x: UOp(Ops.CUSTOM, F, (x,), STATEMENTS),
        Ops.WHERE: lambda x: B.where(B.lt(x, B.like(x, 0.5)), x, B.neg(x)),
        Ops.CAST: lambda x: B.cast(x, dtypes.float32),
        Ops.BITCAST: lambda x: UOp(Ops.BITCAST, dtypes.int64, (x,)),
        Ops.ACOSH: lambda x: B.alu(Ops.ACOSH, B.add(x, B.like(x, 1.0))),
        **{op: lambda x, op=op: B.alu(op, B.like(x, 3.0), x) for op in (Ops.ZETA, Ops.GAMMAINC, Ops.GAMMAINCC)},
        Ops.NOT: lambda x: B.alu(Ops.NOT, B.lt(x, B.like(x, 0.5))),
    }  # fmt: skip
    made |= {op: lambda x, op=op, arg=arg: UOp(op, F, (spd(x),), arg) for op, arg in MATRICES.items()}
    made[Ops.SOLVE] = lambda x: B.solve(spd(x), B.reshape(x, (2, 3)))
    made[Ops.TRIANGULAR] = lambda x: B.triangular(spd(x), B.reshape(x, (2, 3)), True)
    made[Ops.BANDED] = lambda x: UOp(Ops.BANDED, F, (x, B.reshape(x, (3, 2))), (1, 0))
    above = source.buffer(np.array([[3.0] * 3, [0.0] * 3]))
    made[Ops.POSITIVE] = lambda x: UOp(Ops.POSITIVE, F, (B.add(x, above), B.reshape(x, (3, 2))), (1, 0))
    made[Ops.ADJUGATE_ALONG] = lambda x: B.adjugate_along(spd(x), B.shrink(x, ((0, 2), (1, 3))))
    made |= {op: lambda x, op=op: sparse_system(op, x) for op in GroupOp.SparseSystem}
    made |= {op: lambda x, op=op: looped(op, x) for op in GroupOp.Region - {Ops.ROUTINE} | {Ops.RESULT}}
    r, q = UOp.range(2), UOp.range(2)
    made[Ops.RANGE] = lambda x: B.cast(q, F).vmapout((q,))
    made[Ops.VMAPIN] = made[Ops.VMAPOUT] = lambda x: B.reduce_axis(x.vmapin((r, ZERO)), Ops.ADD, (0,)).vmapout((r,))
    for op in GroupOp.Elementwise | {Ops.NOOP}:
        made.setdefault(op, lambda x, op=op: elementwise(op, x))
    return made


def sparse_system(op: Ops, x: UOp) -> UOp:
    """Factors are for what reads them."""
    full = symbolic(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 2)
    values = B.reshape(spd(x), (4,))
    if op is Ops.SPSLOGDET:
        return spslogdet(values, spfactor(values, full), full, 1)
    if op is Ops.SPINVERSE:
        return spinverse(values, spfactor(values, full), full)
    return spsolve(values, spfactor(values, full), B.reshape(x, (2, 3)), Solving(full, False))


def spd(x: UOp) -> UOp:
    """A positive definite matrix of the columns of x, whose triangles are not alike in the graph."""
    square = B.shrink(B.mul(x, x), ((0, 2), (0, 2)))
    scale = source.buffer(np.array([[3.0, 0.1], [0.2, 4.0]]))
    return B.add(square, scale)


def looped(op: Ops, x: UOp) -> UOp:
    """A loop or branch over x: a product of each round with the carry, or one of two functions."""
    c, e, y = source.param((3,), F), source.param((3,), F), source.param((2, 3), F)
    body = Function((c, e), (B.mul(c, e), B.add(c, e)))
    if op is Ops.WHILE:
        small = B.lt(B.reduce_axis(y, Ops.ADD, (0, 1)), UOp.const(F, 50.0))
        arg = While(Function((y,), (small,)), Function((y,), (B.add(y, y),)), 1)
        return results(region(op, (x,), arg))[0]
    if op is Ops.SWITCH:
        first = B.cast(B.lt(B.like(x, 0.0), x), dtypes.int64)
        index = B.reshape(B.shrink(first, ((0, 1), (0, 1))), ())
        return results(region(op, (index, x), Switch((Function((y,), (y,)), Function((y,), (B.mul(y, y),))))))[0]
    start = B.reshape(B.shrink(x, ((0, 1), (0, 3))), (3,))
    return results(region(Ops.SCAN, (start, x), Scan(body, 1, 1, 2)))[int(op is Ops.RESULT)]


def elementwise(op: Ops, x: UOp) -> UOp:
    """The op of x and of what makes sense beside it."""
    count = 2 if op in GroupOp.Binary else 3 if op in GroupOp.Ternary else 1
    y = x if "f" in TABLE[op].kinds else B.cast(B.mul(x, B.like(x, 9.0)), dtypes.int64)
    others = [B.add(y, B.like(y, k)) for k in range(1, count)]
    if op in (Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT):
        return UOp(op, dtypes.bool_, (y,))
    return B.alu(op, y, *others)


SAMPLES = samples()
X = source.param((2, 3), F)
VALUES = np.random.default_rng(0).uniform(0.1, 0.9, (2, 3))
OPS = sorted(SAMPLES, key=lambda op: op.value)
every_op = pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)


def test_every_op_has_a_record_and_a_place_here() -> None:
    assert set(Ops) - {Ops.DEFINE_VAR} == set(SAMPLES) | NOT_TENSOR
    assert set(TABLE) == set(Ops)
    assert {record.kind for record in TABLE.values()} == KINDS
    assert all(TABLE[op].op is op and TABLE[op].meaning for op in Ops)
    assert {op for op in Ops if TABLE[op].kind == "framework"} <= NOT_TENSOR
    assert len(FAMILIES) == 18


def test_refusals_are_of_this_table() -> None:
    columns = {"numpy", "jvp", "batch", "ranges", "C"}
    assert all(column in columns and reason for (_, column), reason in REFUSED.items())


@pytest.mark.usefixtures("compiler")
def test_a_run_time_integer_without_a_value() -> None:
    n = VARIABLE
    with pytest.raises(SpecError, match="has no value"):
        interpret([n])
    with pytest.raises(ArgumentError, match="variable 'n' has no value"):
        Program([n], [])([])


def test_an_op_has_one_record() -> None:
    with pytest.raises(SpecError, match="has a record already"):
        register(TABLE[Ops.ADD])


def test_records_state_what_their_kind_does_not_derive() -> None:
    def given(record: OpDef) -> set[str]:
        fields = ("ranges", "axes", "linear", "transpose", "closes")
        return {f for f in fields if getattr(record, f) is not None}

    want = {"movement": {"ranges", "axes", "linear", "transpose"}, "join": {"axes", "linear", "transpose"},
            "reduce": {"axes", "linear", "transpose"}, "order": {"axes"}, "host": {"axes"}}  # fmt: skip
    linear = {Ops.INDEX, Ops.VMAPIN, Ops.CAST, Ops.REAL, Ops.IMAG, Ops.CONJ, Ops.WHERE}
    systems = {Ops.SOLVE, Ops.TRIANGULAR, Ops.BANDED, Ops.POSITIVE, Ops.SPSOLVE}
    transposed = systems | {Ops.FFT, Ops.ADJUGATE_ALONG}
    closing = {Ops.VMAPOUT, Ops.STORE, Ops.REDUCE, Ops.WMMA, Ops.END}
    for op, record in TABLE.items():
        of_kind = set() if op is Ops.REDUCE else want.get(record.kind, set())
        alone = {"linear": linear | transposed, "transpose": transposed, "closes": closing}
        assert given(record) == of_kind | {fact for fact, ops in alone.items() if op in ops}, op
        if record.kind == "elementwise":
            count = 2 if op in GroupOp.Binary else 3 if op in GroupOp.Ternary else 1
            assert record.partials is None or record.partials == () or len(record.partials) == count, op
            assert (record.partials == ()) == ((op, "jvp") in REFUSED), op
            assert record.kinds and set(record.kinds) <= set("biufcx"), op
        else:
            assert record.partials is None, op


@every_op
def test_shape_and_numpy(op: Ops) -> None:
    root = SAMPLES[op](X)
    assert op in {u.op for u in root.toposort()}
    bound = {} if op is Ops.PARAM else {X: VALUES}
    if (op, "numpy") in REFUSED:
        with pytest.raises(SpecError, match="has no value"):
            interpret([root], bound)
    else:
        (got,) = interpret([root], bound)
        assert got.shape == root.shape
        assert got.dtype == root.dtype.numpy


@every_op
def test_jvp(op: Ops) -> None:
    tangent = source.param((2, 3), F)
    root = SAMPLES[op](X)
    if (op, "jvp") in REFUSED:
        with pytest.raises(UnsupportedError, match=op.name):
            push_forward([root], {X: tangent})
        return
    (pushed,) = push_forward([root], {X: tangent})
    direction = np.random.default_rng(1).normal(size=(2, 3))
    got = 0.0 if pushed is None else interpret([pushed], {X: VALUES, tangent: direction})[0]
    if op in (Ops.CAST, Ops.DETACH, Ops.BITCAST) or not dtypes.is_inexact(root.dtype):
        assert (pushed is None) == (op is not Ops.CAST)
        return
    h = 1e-6
    high, low = (interpret([root], {X: VALUES + s * h * direction})[0] for s in (1, -1))
    np.testing.assert_allclose(np.broadcast_to(got, root.sized), (high - low) / (2 * h), rtol=1e-5, atol=1e-8)


@every_op
def test_batch(op: Ops) -> None:
    batch = np.random.default_rng(2).uniform(0.1, 0.9, (3, 2, 3))
    x = source.param(batch.shape, F)
    r = UOp.range(3)
    inner = SAMPLES[op](x.vmapin((r, ZERO, ZERO)))
    root = inner.vmapout((r, *[ZERO] * inner.ndim))
    (flat,) = unbracket([root])
    looped = op in GroupOp.Region | {Ops.RESULT}  # a loop stays that of one lane, between brackets
    assert looped or not {u.op for u in flat.toposort()} & GroupOp.VMap
    want, got = interpret([root, flat], {x: batch})
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("ops", [OPS[k : k + 8] for k in range(0, len(OPS), 8)], ids=lambda ops: ops[0].name)
@pytest.mark.usefixtures("compiler")
def test_ranges_and_c(ops: list[Ops]) -> None:
    """Some ops a translation unit: most of a run is compiling."""
    roots = [SAMPLES[op](X) for op in ops]
    wanted, found = interpret(roots, {X: VALUES}), Program(roots, [X])([VALUES])
    for op, want, got in zip(ops, wanted, found, strict=True):
        assert got.dtype == want.dtype, op
        np.testing.assert_allclose(got, want, rtol=1e-13, err_msg=op.name)


@pytest.mark.parametrize("op", sorted(GroupOp.Elementwise, key=lambda op: op.value), ids=lambda op: op.name)
def test_every_dtype_an_op_accepts_has_a_spelling(op: Ops) -> None:
    if op in (Ops.DETACH, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD):
        return  # gone before there is C
    count = 2 if op in GroupOp.Binary else 3 if op in GroupOp.Ternary else 1
    for dtype in (*dtypes.ALL, dtypes.index):
        if dtype.kind in TABLE[op].kinds:
            x = source.param((), dtype)
            src = (source.param((), dtypes.bool_), x, x) if op is Ops.WHERE else (x,) * count
            is_bool = op in GroupOp.Compare | {Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT}
            assert spell(UOp(op, dtypes.bool_ if is_bool else dtype, src), ["a", "b", "c"][: len(src)])
