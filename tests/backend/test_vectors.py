"""Vectors of our own: the same bits for every target and as statements one by one; which loops are left, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.statements import lower
from functrans.backend.codegen.vectors.analysis import Body, body_of
from functrans.backend.codegen.vectors.choice import why_not
from functrans.backend.codegen.vectors.target import Target, target, target_of, written_for
from functrans.backend.policy import SUM_ROUNDS
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import ranged
from functrans.ops import AxisType, Ops, UOp
from functrans.ops import symbolic as sym
from functrans.ops.execute import execute
from functrans.ops.interpret import interpret
from functrans.ops.kernel import GlobalArg, LocalArg
from functrans.ops.spec import check_linear
from tests.backend.executed import executed
from tests.plans import kept_apart, plan_anew

TARGETS = (Target(64, masks=True), Target(32, masks=True), Target(16, masks=False, fused=False))
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-310, 5e-324, 800.0, -800.0, 1e22, -1e22, 0.7, 1.5, -1e9])
Function = Callable[[Any], Any]


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def norm(x: Any) -> Any:
    return np.sqrt((x * x).sum())


def logsumexp(x: Any) -> Any:
    return x.max() + np.log(np.exp(x - x.max()).sum())


def layernorm(x: Any) -> Any:
    centred = x - x.mean()
    return centred / np.sqrt((centred * centred).mean() + 1e-5)


ROWS: dict[str, Function] = {
    "softmax": softmax, "norm": norm, "logsumexp": logsumexp, "layernorm": layernorm, "max": lambda x: x.max(),
}  # fmt: skip
MORE: dict[str, Function] = {
    "min": lambda x: x.min(),
    "product": lambda x: (x * 0.5 + 1.0).prod(),
    "waves": lambda x: (np.sin(x) * np.cos(x) - np.tan(x)).sum(),
    "chosen": lambda x: np.where((x > 0.5) & ~np.isnan(x), np.sqrt(abs(x)), -x) * 3.0,
    "powers": lambda x: (abs(x) ** 1.5 + x**3 + abs(x) ** 0.3).sum() + np.arctan2(x, 2.0).sum(),
    "inner": lambda x: (np.stack([x, 1.0 - x, x * x]).max(axis=0) * np.stack([x, x + 1.0]).sum(axis=0)).max(),
    "functions": lambda x: np.tanh(x) + np.log1p(x * x) * np.copysign(1.0, x) + np.maximum(x, 0.25) / (1.0 + x * x),
}


def all_of(functions: dict[str, Function]) -> Function:
    return lambda x: tuple(f(x) for f in functions.values())


def drawn(rows: int, n: int, dtype: Any = np.float64) -> np.ndarray:
    """Ordinary rows, rows with some special numbers, rows of zeros of both signs."""
    rng = np.random.default_rng(n)
    x = rng.normal(size=(rows, n))
    some = rng.random((rows, n)) < 0.03
    some[::3] = False
    x[some] = rng.choice(SPECIAL, int(some.sum()))
    x[2::3] = rng.choice([0.0, -0.0], x[2::3].shape)
    with np.errstate(over="ignore"):
        return x.astype(dtype)


def bits(result: Any) -> list[bytes]:
    """The bits of the results; a NaN is a NaN."""
    leaves = result if isinstance(result, tuple) else (result,)
    arrays = [np.asarray(a) for a in leaves]
    return [(np.where(np.isnan(a), a.dtype.type(np.nan), a) if a.dtype.kind == "f" else a).tobytes() for a in arrays]


@pytest.fixture
def as_before(monkeypatch: pytest.MonkeyPatch) -> Callable[[Function, np.ndarray], list[bytes]]:
    """What a map computes where every loop is left to the compiler."""

    def computed(f: Function, x: np.ndarray) -> list[bytes]:
        with monkeypatch.context() as patch:
            patch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p.name != "vectors"))
            plan_anew(patch)
            return bits(ft.jit(ft.vmap(lambda row: f(row)))(x))

    return computed


APART: dict[str, Function] = {
    "count": lambda x: (x > 0.25).sum(),
    "both": lambda x: ((x > 0.25) & ~np.isnan(x)).sum() + np.where(x > 0, x, x.dtype.type(0)).sum(),
    "argmax": lambda x: (x.argmax(), x.argmin(), np.argmax(x > 0.5)),
    "places": lambda x: (x * np.arange(x.shape[-1], dtype=x.dtype)).sum() + np.arange(x.shape[-1]),
    "integers": lambda x: (np.arange(x.shape[-1]) * 3 - (x > 0)).max() + np.where(x > 0, 7, -1).min(),
    "steps": lambda x: (x[::-1] * 2.0, x[::2].sum(), x[1::3].max(), np.sqrt(x[::-2] * x[::-2])),
    "padded": lambda x: (np.pad(x, (2, 3)).sum(), np.pad(x * x, (0, 5), constant_values=2.0) + 1.0),
    "conditions": lambda x: (x > 0.5, np.stack([x, x + 1.0]) == x, np.isnan(x) | (x < 0)),
    "cut": lambda x: (x.astype(np.int32), x.astype(np.int64), np.signbit(x) | np.isinf(x)),
    "rounded": lambda x: (np.floor(x) + np.ceil(x), np.trunc(x) * np.rint(x), np.sign(x), np.hypot(x, 1.5)),
    "left": lambda x: (np.floor_divide(x, 0.7), np.remainder(x, -0.3), np.fmod(x, 2.5), np.remainder(0.5, x)),
    "widths": lambda x: x.astype(np.float32).sum() + x.astype(np.float32).astype(np.float64),
    "kept": lambda x: (x == x.max()) * np.exp(x - x.max()).sum(),
}


# less than a vector, as many as some, with one and more behind the last: of each precision, on each target
LENGTHS = [(9, np.float64), (17, np.float32), (32, np.float32), (33, np.float64), (64, np.float64), (100, np.float32),
           (131, np.float64)]  # fmt: skip


@pytest.mark.parametrize("n, dtype", LENGTHS)
def test_integers_conditions_and_steps(
    n: int, dtype: Any, as_before: Any, monkeypatch: pytest.MonkeyPatch, compiler: None
) -> None:  # fmt: skip
    def f(x: Any) -> Any:
        results = (g(x) for g in APART.values())
        return tuple(leaf for r in results for leaf in (r if isinstance(r, tuple) else (r,)))

    x = drawn(7, n, dtype)
    wanted = as_before(f, x)
    for t in TARGETS:
        plan_anew(monkeypatch)
        with written_for(t):
            assert bits(ft.jit(ft.vmap(f))(x)) == wanted, t


@pytest.mark.parametrize("n, dtype", [(17, np.int64), (33, np.int64), (64, np.int32), (100, np.int32), (17, np.uint32),
                                      (64, np.uint32), (33, np.uint64), (100, np.uint64)])  # fmt: skip
def test_integers_are_those_of_numpy(n: int, dtype: Any, monkeypatch: pytest.MonkeyPatch, compiler: None) -> None:
    info = np.iinfo(dtype)
    x = np.random.default_rng(n).integers(info.min, info.max, (5, n), dtype, endpoint=True)
    x[1, 3:7] = [info.min, info.max, 0, 1]

    def f(x: Any) -> Any:
        one = x.dtype.type(1)
        return x.sum(), x.max(), x.min(), (x * x).sum(), x * 3 + one, np.where(x > x[0], x, -x), x ^ (x & one), x * 0.5

    wanted = [np.array(column) for column in zip(*(f(row) for row in x), strict=True)]
    for t in TARGETS:
        plan_anew(monkeypatch)
        with written_for(t):
            for got, want in zip(ft.jit(ft.vmap(f))(x), wanted, strict=True):
                np.testing.assert_array_equal(got, want)


def test_counts_are_vectors() -> None:
    for n in (33, 64):
        lowered = ft.jit(ft.vmap(lambda x: (x > 0).sum())).lower(np.ones((3, n)))
        with written_for(TARGETS[0]):
            assert "ft_foldadd_i64x8" in lowered.c_source


MASKED: dict[str, Callable[[Any, Any], Any]] = {
    "chosen": lambda x, m: np.where(m, x, -x),
    "masked sum": lambda x, m: np.where(m, x, x.dtype.type(0)).sum(),
    "as numbers": lambda x, m: (m * x).sum() + (m.astype(x.dtype) * 2).sum(),
    "and others": lambda x, m: np.where(m & (x > 0) | ~m & (x < -1), np.exp(x), x * x).max(),
}


@pytest.mark.parametrize("n, dtype", LENGTHS)
def test_conditions_from_arrays(n: int, dtype: Any, monkeypatch: pytest.MonkeyPatch, compiler: None) -> None:
    rng = np.random.default_rng(n)
    x, m = rng.normal(size=(7, n)).astype(dtype), rng.random((7, n)) < 0.5
    together = lambda x, m: tuple(f(x, m) for f in MASKED.values())  # noqa: E731
    found = []
    for where in (None, *TARGETS):
        with monkeypatch.context() as patch:
            plan_anew(patch)
            if where is None:
                patch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p.name != "vectors"))
                found.append(bits(ft.jit(ft.vmap(lambda x, m: together(x, m)))(x, m)))
                continue
            with written_for(where):
                found.append(bits(ft.jit(ft.vmap(lambda x, m: together(x, m)))(x, m)))
    assert all(f == found[0] for f in found)
    wanted = [np.array([f(a, b) for a, b in zip(x, m, strict=True)]) for f in MASKED.values()]
    for got, want in zip(ft.jit(ft.vmap(together))(x, m), wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12 if dtype == np.float64 else 1e-4)


def test_sums_under_conditions_are_vectors() -> None:
    for n in (64, 100):
        lowered = ft.jit(ft.vmap(lambda x, m: np.where(m, x, 0.0).sum())).lower(np.ones((3, n)), np.ones((3, n), bool))
        with written_for(TARGETS[0]):
            assert "ft_bytes_m64x8" in lowered.c_source


@pytest.mark.covering(1)
@pytest.mark.parametrize("n", [9, 32, 47, 33, 4099, 130])  # of rows every second one, with sums of two blocks
@pytest.mark.parametrize("functions", [ROWS, MORE], ids=["rows", "more"])
def test_the_bits_are_those_of_single_numbers_on_every_target(
    functions: dict[str, Function], n: int, as_before: Any, monkeypatch: pytest.MonkeyPatch, compiler: None
) -> None:  # fmt: skip
    f, x = all_of(functions), drawn(7, n)
    wanted = as_before(f, x)
    for t in TARGETS:
        plan_anew(monkeypatch)
        with written_for(t):
            assert bits(ft.jit(ft.vmap(f))(x)) == wanted, t


@pytest.mark.parametrize("n", [13, 32, 33, 63, 100])
def test_the_bits_of_short_numbers(n: int, as_before: Any, monkeypatch: pytest.MonkeyPatch, compiler: None) -> None:
    f, x = all_of(ROWS), drawn(7, n, np.float32)
    wanted = as_before(f, x)
    for t in TARGETS:
        plan_anew(monkeypatch)
        with written_for(t):
            assert bits(ft.jit(ft.vmap(f))(x)) == wanted, t


@pytest.mark.parametrize("n", [33, 70])
def test_a_row_has_the_same_bits_in_every_batch(n: int, compiler: None) -> None:
    f, x = ft.jit(ft.vmap(all_of(ROWS))), drawn(9, n)
    whole = f(x)
    for k in range(1, 9):
        assert bits(f(x[:k])) == bits(tuple(r[:k] for r in whole))


@pytest.mark.parametrize("far", [2.0**20, 2.0**20 * (1 + 2.0**-52), 1e22, -1e22, np.inf, np.nan])
@pytest.mark.parametrize("place", [0, 17, 32])
def test_far_arguments_are_those_of_the_c_library(far: float, place: int, compiler: None) -> None:
    x = np.random.default_rng(place).uniform(-3, 3, (3, 33))
    x[1, place] = far
    got = ft.jit(ft.vmap(lambda row: np.sin(row).max()))(x)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(got, np.sin(x).max(axis=1), rtol=1e-15)


@pytest.mark.parametrize("name", [*ROWS, *MORE])
def test_the_statements_mean_what_the_graph_means(name: str) -> None:
    x = np.random.default_rng(0).normal(size=(2, 41))
    graph = ft.jit(ft.vmap((ROWS | MORE)[name])).lower(x).graph
    values = dict(zip(graph.params, [x], strict=True))
    for got, want in zip(executed(graph.outputs, values), interpret(graph.outputs, values), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


# which loops


def statements(f: Function, *shape: int, dtype: Any = np.float64) -> list[LoweredKernel]:
    return [lower(k) for k in kernels(ranged(ft.jit(ft.vmap(f)).lower(np.ones(shape, dtype)).graph.outputs))]


def loops(items: list[UOp | Loop]) -> Iterator[Loop]:
    for item in items:
        if isinstance(item, Loop):
            yield item
            yield from loops(item.items)


def outside_of_lanes(items: list[UOp | Loop]) -> Iterator[Loop]:
    for item in items:
        if isinstance(item, Loop) and item.range.arg[1] is not AxisType.LANES:
            yield item
            yield from outside_of_lanes(item.items)


MOVES = frozenset({Ops.LOAD, Ops.INDEX, Ops.CONST})


def left_to_the_compiler(f: Function, n: int, dtype: Any) -> list[int]:
    """The rounds of the innermost loops over numbers of a row that no vectors of our own are made of.

    A loop inside of one of lanes takes each number as a vector.
    """
    found = []
    for loop in (x for k in statements(f, 300, n, dtype=dtype) for x in outside_of_lanes(nest(k.uops))):
        body = [u for u in loop.items if isinstance(u, UOp)]
        end, kind = loop.range.src[0], loop.range.arg[1]
        computes = any(u.op not in MOVES and u.dtype.kind == "f" for u in body)
        if len(body) == len(loop.items) and computes and end.op is Ops.CONST and kind is not AxisType.VECTOR:
            found.append(int(end.arg))
    return found


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ROWS)
def test_no_length_of_a_row_is_left_to_single_numbers(name: str, dtype: Any) -> None:
    with written_for(TARGETS[0]):
        lanes = 64 // np.dtype(dtype).itemsize
        for n in range(9, 131):
            for rounds in left_to_the_compiler(ROWS[name], n, dtype):
                assert rounds % lanes == 0 or n < lanes, (n, rounds)
                assert rounds % (lanes // 2) == 0, (n, rounds)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_padded_neighbors_are_vectors(dtype: Any, compiler: None, tmp_path: Path) -> None:
    """Under a condition on the row and on the column, whatever is beyond the edge."""

    def combined(x: Any, fill: Any) -> Any:
        p, (h, w) = np.pad(x, 1, constant_values=fill), x.shape
        around = [p[i : i + h, j : j + w] for i in range(3) for j in range(3)]
        return reduce(np.maximum, around) - around[0]

    def both(x: Any) -> Any:
        return combined(x, dtype(0)), combined(x, dtype(100))

    for kernel in statements(both, 3, 40, 50, dtype=dtype):
        innermost = [x for x in loops(nest(kernel.uops)) if not any(isinstance(item, Loop) for item in x.items)]
        assert all(isinstance(body := body_of(x), Body) and not body.serial for x in innermost)
        assert all(why_not(x, None) == "" for x in innermost)
    for number, shape in enumerate([(1, 1), (5, 19)]):
        x = (np.random.default_rng(number).normal(size=shape) * 300).astype(dtype)
        with kept_apart(tmp_path / str(number)), written_for(TARGETS[number + 1]):
            for got, want in zip(ft.jit(lambda x: both(x))(x), both(x), strict=True):
                np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("n", [SUM_ROUNDS + 8, 63, 100, 5000])
def test_long_reductions_are_folded(n: int) -> None:
    (kernel,) = statements(lambda x: (x.sum(), (x * x).sum(), x.max()), 3, n)
    assert sum(u.op is Ops.FOLD for u in kernel.uops) >= 3
    check_linear(kernel.uops, "here")


def loop_of(n: int, write: Callable[[UOp, UOp, UOp], list[UOp]], arrays: int = 2) -> Loop:
    """A loop of n rounds over statements on float64 arrays."""
    first, second = (UOp(Ops.DEFINE_GLOBAL, dtypes.float64, (), GlobalArg(f"a{k}", True)) for k in range(arrays))
    r = UOp(Ops.RANGE, dtypes.index, (sym.const(n),), (0, AxisType.LOOP))
    return Loop(r, list(write(first, second, r)))


def load(array: UOp, place: UOp) -> list[UOp]:
    at = UOp(Ops.INDEX, array.dtype, (array, place))
    return [at, UOp(Ops.LOAD, array.dtype, (at,))]


def store(array: UOp, place: UOp, value: UOp) -> list[UOp]:
    at = UOp(Ops.INDEX, array.dtype, (array, place))
    return [at, UOp(Ops.STORE, dtypes.void, (at, value))]


def moved(by: int, times: int = 1, same: bool = True) -> Loop:
    """A loop that reads an array some places on, and writes it, or else another one."""

    def write(a: UOp, b: UOp, r: UOp) -> list[UOp]:
        read = load(a, sym.add(sym.mul(r, times), sym.const(by)))
        return [*read, *store(a if same else b, r, read[-1])]

    return loop_of(20, write)


def test_rounds_are_independent_or_refused() -> None:
    assert isinstance(body_of(moved(0)), Body)
    assert isinstance(body_of(moved(20)), Body)  # beyond what is written
    assert isinstance(body_of(moved(-20)), Body)
    assert isinstance(body_of(moved(1, same=False)), Body)
    for by in (1, -1, 7, 19, -19):
        assert body_of(moved(by)) == "nothing of it is in lanes"  # a round may use what another one writes
    assert body_of(moved(0, times=0)) == "nothing of it is in lanes"
    assert body_of(moved(0, times=2)) == "nothing of it is in lanes"
    assert isinstance(body_of(moved(0, times=2, same=False)), Body)


@pytest.mark.parametrize("by, is_vectors", [(1, False), (63, False), (-63, False), (64, True), (-64, True), (99, True)])
def test_rounds_as_far_apart_as_are_done_at_once_do_not_meet(by: int, is_vectors: bool) -> None:
    def write(a: UOp, b: UOp, r: UOp) -> list[UOp]:
        read = load(a, sym.add(r, sym.const(by)))
        return [*read, *store(a, r, read[-1])]

    assert isinstance(body_of(loop_of(300, write)), Body) == is_vectors


@pytest.mark.parametrize(
    "period, is_vectors", [(8, True), (16, True), (2, False), (12, False), (24, False), (10, False)]
)
def test_what_comes_again_does_so_between_vectors(period: int, is_vectors: bool) -> None:
    def write(a: UOp, b: UOp, r: UOp) -> list[UOp]:
        read = load(a, UOp(Ops.MOD, dtypes.index, (r, sym.const(period))))
        return [read[0].src[1], *read, *store(b, r, read[-1])]

    assert isinstance(body_of(loop_of(20, write)), Body) == is_vectors


def test_what_is_left_to_the_compiler_has_a_reason() -> None:
    def copied(a: UOp, b: UOp, r: UOp) -> list[UOp]:
        read = load(a, r)
        return [*read, *store(b, r, read[-1])]

    def in_order(a: UOp, b: UOp, r: UOp) -> list[UOp]:
        start = UOp(Ops.DEFINE_ACC, dtypes.float64, (UOp.const(dtypes.float64, 0.0),), 0)
        read = load(a, r)
        new = UOp(Ops.ADD, dtypes.float64, (start, read[-1]))
        return [*read, new, UOp(Ops.ASSIGN, dtypes.float64, (start, new))]

    with written_for(TARGETS[0]):
        assert why_not(moved(0), None) == ""
        assert why_not(loop_of(24, copied), None) == ""
        assert why_not(loop_of(2, copied), None) == "it has too few rounds"
        assert why_not(loop_of(33, in_order), None).startswith("it is little beside what is read here and there")


def test_the_target() -> None:
    with written_for(TARGETS[1]):
        assert target() is TARGETS[1]
    assert target_of("x86_64 flags=sse2 avx2 fma avx512f avx512dq avx512vl") == TARGETS[0]
    assert target_of("x86_64 flags=sse2 avx2 fma avx512f") == TARGETS[1]  # without vectors of all lengths
    assert target_of("x86_64 flags=sse2 avx") == TARGETS[2]
    assert target_of("aarch64 Features=fp asimd") == Target(16, masks=False)


@pytest.mark.parametrize("op, wanted", [(Ops.ADD, 28.0), (Ops.MUL, 0.0), (Ops.MAX, 7.0), (Ops.MIN, 0.0)])
def test_a_fold_combines_halves(op: Ops, wanted: float) -> None:
    array = UOp(Ops.DEFINE_LOCAL, dtypes.float64, (), LocalArg(0, 8))
    out = UOp(Ops.DEFINE_GLOBAL, dtypes.float64, (), GlobalArg("o0", True))
    end, zero = sym.const(8), sym.const(0)
    r = UOp(Ops.RANGE, dtypes.index, (end,), (0, AxisType.LOOP))
    number = UOp(Ops.CAST, dtypes.float64, (r,))
    total = UOp(Ops.FOLD, dtypes.float64, (array,), op)
    close = UOp(Ops.ENDRANGE, dtypes.void, (r,))
    uops = [array, out, end, zero, r, number, *store(array, r, number), close, total, *store(out, zero, total)]
    result = np.zeros(1)
    execute(uops, {"o0": result}, {})
    assert result[0] == wanted


def test_places_that_are_read_from_memory(compiler: None) -> None:
    which, x = np.array([0, 2, 2]), np.random.default_rng(0).normal(size=(11, 3, 30))
    f = lambda x: (x[which], x[which] * 2.0, x[which].var(axis=0) + np.arange(30.0))  # noqa: E731
    for k, got in enumerate(ft.jit(ft.vmap(f))(x)):
        np.testing.assert_allclose(got, [f(row)[k] for row in x], rtol=1e-12)


@pytest.mark.parametrize("running", [np.cumsum, np.cumprod, np.maximum.accumulate])
@pytest.mark.parametrize("machine", [None, Target(32, True), Target(16, False)], ids=["here", "32 bytes", "16 bytes"])
def test_a_number_that_is_added_again_is_another_sum(running: Any, machine: Target | None, tmp_path: Path) -> None:
    """Stores apart come after the vectors: each finds what the accumulator was then, not what it became."""

    def f(v: Any) -> Any:
        w = v - 0.25
        u = np.stack([v, w, v])
        s = np.sum(u * u)
        return running(np.stack([w, s, s]))

    x = np.linspace(0.5, 2.0, 37)
    with written_for(machine) if machine else nullcontext(), kept_apart(tmp_path):
        np.testing.assert_allclose(ft.vmap(f)(x), np.stack([f(v) for v in x]), rtol=1e-12)
