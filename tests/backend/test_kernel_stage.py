"""The statements of kernels: what stands in them, that they are legal, and that they mean what the C means."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from functrans import dtypes
from functrans.backend.codegen import lanes
from functrans.backend.codegen.render_c import render_c
from functrans.backend.pipeline import Program
from functrans.backend.schedule.passes import schedule
from functrans.config import config
from functrans.errors import SpecError
from functrans.ops import AxisType, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.execute import execute
from functrans.ops.interpret import interpret
from functrans.ops.kernel import GlobalArg, LocalArg, closing, listing
from functrans.ops.spec import check_linear, verify
from tests.backend.executed import executed, lowered
from tests.backend.random_graphs import Graph
from tests.backend.test_compiled_law import same
from tests.backend.test_outer import BODIES, softmax

F, X = dtypes.float64, dtypes.index
ZERO = UOp.const(X, 0)


def grown(seed: int, casts: bool) -> tuple[Graph, list[UOp], list[np.ndarray]]:
    g = Graph(seed, depth=1 + seed % 3, sizes=((0, 1, 2, 3), (1, 2, 3), (1, 4))[seed % 3], casts=casts)
    outputs = [g.grow(6 + seed % 8), g.pick()]
    return g, outputs, g.values()


# the law: statements = C = arrays


@pytest.mark.parametrize("group", range(12))
@pytest.mark.parametrize("casts", [False, True])
@pytest.mark.usefixtures("compiler")
def test_statements_mean_what_the_c_means(group: int, casts: bool) -> None:
    graphs = [grown(2000 + 5 * group + k, casts) for k in range(5)]
    params = [p for g, _, _ in graphs for p in g.params]
    values = [v for _, _, vs in graphs for v in vs]
    roots = [r for _, outputs, _ in graphs for r in outputs]
    got = executed(roots, dict(zip(params, values, strict=True)))
    compiled = Program(roots, params)(values)
    tolerance = 1e-5 if casts else 1e-13
    assert [k for k, (a, b) in enumerate(zip(compiled, got, strict=True)) if not same(a, b, tolerance)] == []


@pytest.mark.parametrize("seed", range(20))
def test_statements_mean_what_the_arrays_mean(seed: int) -> None:
    g, outputs, values = grown(4000 + seed, casts=False)
    bound = dict(zip(g.params, values, strict=True))
    for want, got in zip(interpret(outputs, bound), executed(outputs, bound), strict=True):
        assert same(want, got, 1e-9)


# the last three have a loop inside a loop of the same RANGE
@pytest.mark.parametrize("seed", [*range(20000, 20010), 20144, 20236, 20247])
def test_brackets_closed_and_opened_again(seed: int) -> None:
    g = Graph(seed, depth=2 + seed % 2, sizes=(1, 2, 3), again=True)
    root = g.grow(6 + seed % 7)
    bound = dict(zip(g.params, g.values(), strict=True))
    assert same(interpret([root], bound)[0], executed([root], bound)[0], 1e-9)


@pytest.mark.parametrize("kinds", list(itertools.product((AxisType.LOOP, AxisType.OUTER), repeat=2)))
@pytest.mark.parametrize("body", BODIES)
def test_statements_under_loops_and_launches(body: Callable[[UOp], UOp], kinds: tuple[AxisType, AxisType]) -> None:
    x = source.param((3, 4, 2), F)
    q, r = (UOp.range(n, None, kind) for n, kind in zip((3, 2), kinds, strict=True))
    inner = body(x.vmapin((q, ZERO, ZERO)).vmapin((ZERO, r)))
    y = inner.vmapout((ZERO, r)).vmapout((q, ZERO, ZERO))
    values = {x: np.random.default_rng(3).normal(size=(3, 4, 2))}
    np.testing.assert_allclose(executed([y], values)[0], interpret([y], values)[0], rtol=1e-14)


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("inner_first", [False, True])
@pytest.mark.usefixtures("compiler")
def test_a_loop_inside_a_loop_of_the_same_range(inner_first: bool, stored: bool) -> None:
    x, w = source.param((4, 3), F), source.param((4,), F)
    r, q = UOp.range(4), UOp.range(3)
    lane, g = x.vmapin((r, q)), B.alu(Ops.SIN, w.vmapin((r,)))
    whole = B.alu(Ops.EXP, B.mul(lane, g)).vmapout((r,))  # of every r, for each q
    back = B.flip(whole, (True,)).vmapin((r,))
    total = B.reduce_axis(B.mul(whole, whole), Ops.ADD, (0,))
    z = B.add(B.add(B.mul(back, lane), B.mul(g, back)), B.mul(B.alu(Ops.COS, g), B.add(g, total)))
    if stored:
        z = B.alu(Ops.CONTIGUOUS, z)
    y = z.vmapout((q,)).vmapout((r, ZERO)) if inner_first else z.vmapout((r,)).vmapout((q, ZERO))
    rng = np.random.default_rng(6)
    values = {x: rng.normal(size=(4, 3)), w: rng.normal(size=4)}
    (want,) = interpret([y], values)
    np.testing.assert_allclose(executed([y], values)[0], want, rtol=1e-14)
    np.testing.assert_allclose(Program([y], [x, w])(list(values.values()))[0], want, rtol=1e-13)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("batch", [0, 1, 5])
def test_the_statements_for_one_batch_run_another(batch: int, axis: int) -> None:
    x, r = source.param((3, 4) if axis == 0 else (4, 3), F), UOp.range(3)
    row = x.vmapin((r, ZERO) if axis == 0 else (ZERO, r))
    _, (kernel,) = lowered([softmax(row).vmapout((ZERO, r))])
    a = np.random.default_rng(4).normal(size=(batch, 4))
    out = np.full(4 * batch, np.nan)
    given = {"a0": (a if axis == 0 else a.T).ravel(), "o0": out}
    execute(kernel.uops, given, {"n0": batch})
    e = np.exp(a)
    np.testing.assert_allclose(out.reshape(4, batch), (e / e.sum(1, keepdims=True)).T, rtol=1e-14)


@pytest.mark.parametrize("seed", range(14))
def test_lowering_gives_legal_lists(seed: int) -> None:
    _, outputs, _ = grown(5000 + seed, casts=True)
    with config.override(spec=False):
        _, made = lowered(outputs)
    for kernel in made:
        verify(kernel.uops, "kernel", "lowering")
        closing(kernel.uops)


# what stands in a list


def statements(*outputs: UOp) -> list[UOp]:
    _, (kernel,) = lowered(outputs)
    return kernel.uops


def ops_of(uops: list[UOp]) -> list[Ops]:
    return [u.op for u in uops]


@pytest.fixture
def no_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the lanes off."""
    monkeypatch.setattr(lanes, "chosen", lambda uops: ())


@pytest.mark.usefixtures("no_lanes")
def test_a_mapped_sum() -> None:
    x, r = source.param((5, 9), F), UOp.range(5)
    y = B.reduce_axis(x.vmapin((r, ZERO)), Ops.ADD, (0,)).vmapout((r,))
    uops = statements(y)
    assert [op for op in ops_of(uops) if op is not Ops.CONST] == [
        Ops.DEFINE_GLOBAL, Ops.DEFINE_GLOBAL, Ops.DEFINE_VAR, Ops.RANGE, Ops.DEFINE_ACC, Ops.MUL, Ops.RANGE, Ops.ADD,
        Ops.INDEX, Ops.LOAD, Ops.ADD, Ops.ASSIGN, Ops.ENDRANGE, Ops.INDEX, Ops.STORE, Ops.ENDRANGE, Ops.NAME, Ops.SINK,
    ]  # fmt: skip
    outer, inner = (u for u in uops if u.op is Ops.RANGE)
    assert outer.src[0].op is Ops.DEFINE_VAR  # the extent of the map is an argument
    assert inner.src[0].arg == 9
    assert len(set(uops)) == len(uops)  # what stands in a scope is not computed there again
    sink = uops[-1]
    assert [s.op for s in sink.src] == [Ops.STORE, Ops.NAME]
    assert sink.src[-1].arg == "k0"


@pytest.mark.usefixtures("no_lanes")
def test_a_running_sum_starts_outside_its_ordered_loop() -> None:
    x = source.param((4, 9), F)
    uops = statements(UOp(Ops.CUMULATE, F, (x,), (Ops.ADD, 1)))
    acc = ops_of(uops).index(Ops.DEFINE_ACC)
    loops = [k for k, u in enumerate(uops) if u.op is Ops.RANGE]
    assert loops[0] < acc < loops[1]
    assert uops[loops[1]].arg[1] is AxisType.ORDERED
    assert repr(uops[acc].src[0].arg) == "-0.0"


def test_a_padded_read_is_gated_and_an_update_stands_in_a_condition() -> None:
    x = source.param((4,), F)
    padded = B.pad(x, ((1, 0),))
    (load,) = (u for u in statements(B.add(padded, B.like(padded, 1.0))) if u.op is Ops.LOAD)
    assert len(load.src) == 3
    at = source.param((3,), dtypes.int64)
    added = ops_of(statements(B.scatter(x, B.gather(x, at), (at,), "add")))
    start = added.index(Ops.IF)
    assert added[start : start + 5] == [Ops.IF, Ops.LOAD, Ops.ADD, Ops.STORE, Ops.ENDIF]
    placed = statements(B.scatter(x, B.gather(x, at), (at,), "set"))
    assert Ops.IF not in ops_of(placed)
    assert [len(u.src) for u in placed if u.op is Ops.STORE] == [2, 3]


def test_local_arrays_beyond_the_stack_lie_in_scratch_memory() -> None:
    x, r = source.param((3, 5000), F), UOp.range(3)
    row = x.vmapin((r, ZERO))
    e = B.alu(Ops.EXP, row)
    y = B.div(e, B.broadcast(B.reduce_axis(e, Ops.ADD, (0,)), (5000,))).vmapout((r, ZERO))
    _, (kernel,) = lowered([y])
    (local,) = (u for u in kernel.uops if u.op is Ops.DEFINE_LOCAL and u.arg.elements > 16)
    assert (local.arg.elements, local.arg.offset, kernel.scratch) == (5000, 0, 40_000)


def test_the_stack_holds_local_arrays_up_to_a_sum() -> None:
    x, r = source.param((3, 3000), F), UOp.range(3)
    y = x.vmapin((r, ZERO))
    for _ in range(3):
        y = B.div(y, B.broadcast(B.reduce_axis(B.alu(Ops.EXP, y), Ops.ADD, (0,)), (3000,)))
    _, (kernel,) = lowered([y.vmapout((r, ZERO))])
    offsets = [u.arg.offset for u in kernel.uops if u.op is Ops.DEFINE_LOCAL and u.arg.elements > 16]
    assert offsets[0] is None
    assert offsets[1:] == [24_000 * k for k in range(len(offsets) - 1)]
    assert kernel.scratch == 24_000 * (len(offsets) - 1) > 0


def test_outer_values_are_arguments() -> None:
    x, r = source.param((3, 2), F), UOp.range(3, axis_type=AxisType.OUTER)
    _, (kernel,) = lowered([B.alu(Ops.SIN, x.vmapin((r, ZERO))).vmapout((r, ZERO))])
    assert [u.arg[0] for u in kernel.uops if u.op is Ops.DEFINE_VAR] == ["n0", "i0"]
    assert [u.arg[0] for u in kernel.uops if u.op is Ops.RANGE] == [1]


def test_a_long_chain_is_one_list_with_one_loop() -> None:
    y = source.param((5,), dtypes.complex128)  # no lanes
    for _ in range(3000):
        y = B.alu(Ops.SIN, y)
    uops = statements(y)
    assert ops_of(uops).count(Ops.SIN) == 3000
    assert len(uops) < 3020
    assert len(render_c(uops).splitlines()) < 3010


# a list is checked, printed, and run with care

A = UOp(Ops.DEFINE_GLOBAL, F, (), GlobalArg("a0", False))
OUT = UOp(Ops.DEFINE_GLOBAL, F, (), GlobalArg("o0", True))
N = UOp(Ops.DEFINE_VAR, X, (), ("n0", 0, 64))
R = UOp(Ops.RANGE, X, (N,), (0, AxisType.LOOP))
READ, PLACE = UOp(Ops.INDEX, F, (A, R)), UOp(Ops.INDEX, F, (OUT, R))
LOAD = UOp(Ops.LOAD, F, (READ,))
STORE = UOp(Ops.STORE, dtypes.void, (PLACE, LOAD))
END = UOp(Ops.ENDRANGE, dtypes.void, (R,))
NAME = UOp(Ops.NAME, dtypes.void, (), "copy")
COPY = [A, OUT, N, R, READ, LOAD, PLACE, STORE, END, NAME, UOp(Ops.SINK, dtypes.void, (STORE, NAME))]


def test_a_list_as_text_and_as_c() -> None:
    assert closing(COPY) == {3: 8, 8: 3}
    text = listing(COPY).splitlines()
    assert text[3:9] == [
        "   3 RANGE index (%2) (0, AxisType.LOOP)", "   4   INDEX float64 (%0, %3)", "   5   LOAD float64 (%4)",
        "   6   INDEX float64 (%1, %3)", "   7   STORE void (%6, %5)", "   8 ENDRANGE void (%3)",
    ]  # fmt: skip
    assert render_c(COPY) == (
        "static void copy(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {\n"
        "  for (long long i0 = 0; i0 < n0; i0++) {\n    o0[i0] = a0[i0];\n  }\n}"
    )


def test_statements_run_on_arrays() -> None:
    out = np.zeros(3)
    execute(COPY, {"a0": np.array([1.0, 2.0, 3.0]), "o0": out}, {"n0": 2})
    np.testing.assert_array_equal(out, [1.0, 2.0, 0.0])
    execute(COPY, {"a0": np.array([]), "o0": np.array([])}, {"n0": 0})
    with pytest.raises(SpecError, match="of 3 elements is accessed at 3"):
        execute(COPY, {"a0": np.zeros(9), "o0": out}, {"n0": 4})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([A, READ], "its source <RANGE"),
        ([A, OUT, N, R, READ, END, LOAD], "its source <INDEX"),
        ([N, R, R, END, END], "it is open already"),
        ([N, R], "it is never closed"),
        ([N, END], "its source <RANGE"),
        ([N, R, UOp(Ops.RANGE, X, (N,), (1, AxisType.LOOP)), END], "does not close the innermost scope"),
        ([N, R, UOp(Ops.ENDIF, dtypes.void, (R,))], "does not close the innermost scope|not legal"),
    ],
)
def test_a_list_out_of_order_is_refused(wrong: list[UOp], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        closing(wrong)
    with config.override(spec=True), pytest.raises(SpecError, match=f"after here: .*{message}"):
        check_linear(wrong, "here")


def test_a_statement_that_is_not_legal_is_refused() -> None:
    into_an_input = [A, N, R, READ, LOAD, UOp(Ops.STORE, dtypes.void, (READ, LOAD)), END]
    with config.override(spec=True), pytest.raises(SpecError, match=r"after here: <STORE .* is not legal"):
        check_linear(into_an_input, "here")
    with config.override(spec=False):
        assert check_linear(into_an_input, "here") is into_an_input


@pytest.mark.parametrize("offset", [None, 0])
def test_what_is_read_before_it_is_written_shows(offset: int | None) -> None:
    local = UOp(Ops.DEFINE_LOCAL, F, (), LocalArg(0, 1, offset))
    load = UOp(Ops.LOAD, F, (UOp(Ops.INDEX, F, (local, ZERO)),))
    place = UOp(Ops.INDEX, F, (OUT, ZERO))
    out = np.zeros(1)
    execute([OUT, local, ZERO, load.src[0], load, place, UOp(Ops.STORE, dtypes.void, (place, load))], {"o0": out}, {})
    assert np.isnan(out[0])


def test_the_list_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    x = source.param((4, 3), F)
    with config.override(debug=5):
        assert Program([B.alu(Ops.COS, x)], [x]).plan
    err = capsys.readouterr().err
    assert "k0\n   0 DEFINE_GLOBAL float64 () GlobalArg(name='a0', written=False)" in err
    assert "COS float64" in err


def test_a_kernel_has_a_name() -> None:
    x = source.param((4, 3), F)
    y = B.reduce_axis(B.alu(Ops.SIN, x), Ops.ADD, (0,))
    made = schedule(B.add(B.broadcast(y, (4, 3)), x), B.reduce_axis(x, Ops.MAX, (1,)))
    assert [k.name for k in made] == [f"k{n}" for n in range(len(made))]
    assert all(repr(k).startswith(f"KERNEL {k.name} that reads") for k in made)
    verify([root for k in made for root in k.roots], "ranged", "scheduling")
