"""Rounds of a loop as lanes of vectors of our own: no length falls out, records are moved whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lanes as package
from functrans.backend.codegen.lanes.records import Access, accesses
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.config import config
from functrans.ops import Ops, UOp, dtypes
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType
from functrans.ops.kernel import GlobalArg
from tests.backend.executed import lowered
from tests.backend.test_lanes import always, never
from tests.plans import kept_apart, plan_anew

NUMBER = UOp.const(dtypes.index, 64)
ROUND = UOp(Ops.RANGE, dtypes.index, (NUMBER,), (0, AxisType.LOOP))
INNER = UOp(Ops.RANGE, dtypes.index, (UOp.const(dtypes.index, 6),), (1, AxisType.LOOP))
GIVEN = UOp(Ops.DEFINE_GLOBAL, dtypes.float64, (), GlobalArg("a0", written=False))
MADE = UOp(Ops.DEFINE_GLOBAL, dtypes.float64, (), GlobalArg("o0", written=True))


def step(a: Any, y: Any) -> Any:
    """A Runge-Kutta step of second order."""
    k = np.sin(a @ y) - y * y * y
    return y + 0.01 * (np.sin(a @ (y + 0.005 * k)) - y)


def kinds(f: Callable[..., Any], *args: Any, in_axes: Any) -> list[set[AxisType]]:
    """Of each kernel the kinds of its outermost loops."""
    found = []
    for kernel in lowered(ft.jit(ft.vmap(f, in_axes=in_axes)).lower(*args).program.outputs)[1]:
        depth, outer = 0, set()
        for u in kernel.uops:
            outer |= {u.arg[1]} if u.op is Ops.RANGE and not depth else set()
            depth += (u.op is Ops.RANGE) - (u.op is Ops.ENDRANGE)
        found.append(outer)
    return found


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_no_number_of_states_falls_out(dtype: str) -> None:
    for n in range(3, 32):
        found = kinds(step, np.ones((n, n), dtype), np.ones((5, n), dtype), in_axes=(None, 0))
        assert found in ([{AxisType.LANES}], [{AxisType.VECTOR}]), n  # the loop over the batch, either way


def test_small_products_stay_along_their_rows() -> None:
    for k in range(5, 9):
        found = kinds(lambda a, b: a @ b, np.ones((5, k, k)), np.ones((5, k, k)), in_axes=0)
        assert all(AxisType.LANES not in kind for kind in found), k


REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "sums": lambda x: x.sum(0, keepdims=True),
    "largest": lambda x: x.max(0, keepdims=True) * np.argmax(x, 0, keepdims=True),
    "running": lambda x: np.cumsum(x, 0),
    "shares": lambda x: np.exp(x / 999 - x.max(0)) / np.exp(x / 999 - x.max(0)).sum(0),
}


@pytest.mark.covering(1)
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_columns_of_every_number(name: str, dtype: str) -> None:
    """Whole blocks, single vectors that overlap, and a part of one: the bits of a column are its own."""
    x = (1e3 * np.random.default_rng(0).normal(size=(37, 140))).astype(dtype)
    f = ft.jit(REDUCTIONS[name])
    every = f(x)
    for n in (1, 2, 3, 7, 8, 9, 15, 17, 31, 33, 63, 64, 65, 71, 127, 129):
        around = np.full((39, n), np.nan if x.dtype.kind == "f" else 7, dtype)
        around[1:-1] = x[:, 140 - n :]
        np.testing.assert_array_equal(f(around[1:-1]), every[:, 140 - n :], f"{n} columns")


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("machine", [Target(32, masks=True), Target(16, masks=False)])
def test_columns_of_short_numbers(machine: Target, tmp_path: Path) -> None:
    """They are read as int32, beside one another or row by row, where they are only converted."""
    rng, kinds = np.random.default_rng(0), ("int8", "uint16", "bool")

    def f(row: Any, *given: Any) -> Any:
        return [x.sum(0) for x in given], (given[1] * np.float32(0.5)).sum(0), given[1][row].mean(0)

    with kept_apart(tmp_path), written_for(machine):
        compiled, row = ft.jit(f), np.array([3, 0, 36] * 12)
        for n in (70, 5):
            given = [rng.integers(-(2**15), 2**15, (37, n)).astype(k) for k in kinds]
            for got, want in zip(ft.tree.leaves(compiled(row, *given)), ft.tree.leaves(f(row, *given)), strict=True):
                np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-3)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("machine", [Target(64, masks=True), Target(32, masks=True), Target(16, masks=False)])
def test_the_largest_of_columns_of_short_numbers(machine: Target, tmp_path: Path) -> None:
    """They are int32 in lanes, and truths that stand alone; what may wrap stays as it is."""
    rng, names = np.random.default_rng(0), ("int8", "uint16", "bool")

    def f(*given: Any) -> Any:
        return [(x.max(0), x.min(1), np.where(x > x[:, :1], x, x[:, 1:2]).max((0, 1)), x.any(1)) for x in given]

    with kept_apart(tmp_path), written_for(machine):
        for k in names:
            assert kinds(lambda x: x.max(0), np.ones((37, 70), k), in_axes=1) == [{AxisType.LANES}]
        assert kinds(lambda x: (x + x).max(0), np.ones((37, 70), np.uint8), in_axes=1) == [{AxisType.LOOP}]
        compiled = ft.jit(f)
        for n in (70, 5, 1):
            given = [rng.integers(-(2**15), 2**15, (37, 11, n)).astype(k) for k in names]
            given[-1][:, :, ::2] = rng.random((37, 11, (n + 1) // 2)) < 0.02
            for got, want in zip(ft.tree.leaves(compiled(*given)), ft.tree.leaves(f(*given)), strict=True):
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(got, want)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("machine", [Target(64, masks=True), Target(32, masks=True), Target(16, masks=False)])
def test_what_is_the_same_in_every_order_has_one_accumulator(machine: Target, tmp_path: Path) -> None:
    """Lanes keep it in a register; sums of floats keep their order, and so their accumulators."""
    rng = np.random.default_rng(0)
    reductions: list[Callable[[Any], Any]] = [
        lambda x: x.sum(0), lambda x: x.max(0), lambda x: x.argmin(0), lambda x: (x > 1).any(0), lambda x: x.prod(0),
    ]  # fmt: skip
    with kept_apart(tmp_path), written_for(machine):
        assert re.search(r"\bs0_0\[", ft.jit(reductions[0]).lower(np.ones((99, 70), np.float32)).c_source)
        for name in ("int8", "uint16", "int32", "uint64"):
            x = rng.integers(0, 100, (99, 70)).astype(name)
            for f in reductions:
                assert not re.search(r"\bs0_0\[", ft.jit(f).lower(x).c_source)
                np.testing.assert_array_equal(ft.jit(f)(x), f(x))


def test_few_columns_go_in_few_passes(tmp_path: Path) -> None:
    """Behind whole blocks of eight vectors four at a time, and then one, or where there are not so many columns."""
    with kept_apart(tmp_path), written_for(Target(64, masks=True)):
        text = ft.jit(REDUCTIONS["sums"]).lower(np.ones((37, 3))).c_source
    whole, rest = text.split("const int full = to - from >= 8;")
    assert re.findall(r"for \(; to - v0 >= (\d+); v0 \+= \1\)", whole) == ["64", "32"]
    assert rest.count("ft_loadsome_f64x8(") == 2  # in whole rounds of 16 rows, and behind them


def test_few_columns_of_long_bodies_go_in_few_passes(tmp_path: Path) -> None:
    """However many statements a round has, and vectors beside it, one that is not full reads under a mask."""
    x = np.ones((10000, 10), np.float32)
    with kept_apart(tmp_path), written_for(Target(64, masks=True)):
        texts = [ft.jit(f).lower(x, x[:, 0]).c_source for f in (lambda x, y: x.sum(0), lambda x, y: x.T @ y)]
    for text in texts:
        assert "ft_loadsome_f32x16(" in text
        assert not re.search(r"for \(int k = 0; k < 16; k\+\+\) v\d+_\d\[k\] = a0", text)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("machine", [Target(64, masks=True), Target(32, masks=True), Target(16, masks=False)])
def test_vectors_side_by_side_of_which_some_are_not_there(machine: Target, tmp_path: Path) -> None:
    """Where the last vector of a block begins beyond the end it is the one before once more, in reads and writes."""
    rng = np.random.default_rng(0)

    def f(x: Any, y: Any) -> Any:
        return x.T @ y, (x - x.mean(0)) * y[:, None], (x > 0).sum(0), x.max(0) > 1

    with kept_apart(tmp_path), written_for(machine):
        for dtype in (np.float32, np.float64):
            compiled = ft.jit(f)
            for n in range(1, 36):
                x, y = (rng.normal(size=s).astype(dtype) for s in ((5000, n), 5000))
                for got, want in zip(compiled(x, y), f(x, y), strict=True):
                    np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-2)


@pytest.mark.usefixtures("compiler")
def test_rounds_whose_number_is_known_go_side_by_side(tmp_path: Path) -> None:
    """All that are left, the last vector up to their end; the bits of a column are its own."""
    rng, numbers = np.random.default_rng(0), (5, 23, 35)
    a, b = rng.normal(size=(3, 20, 20)), rng.normal(size=(3, 20, 35))
    with kept_apart(tmp_path), written_for(Target(32, masks=False)):
        mapped = ft.jit(ft.vmap(lambda a, b: [a @ (a @ b[:, :n]) for n in numbers]))
        text, found = mapped.lower(a, b).c_source, mapped(a, b)
    for n, x in zip(numbers, found, strict=True):
        np.testing.assert_allclose(x, a @ (a @ b[..., :n]), rtol=1e-10, atol=1e-12)
        np.testing.assert_array_equal(x, found[-1][..., :n], f"{n} columns")
    assert text.count("first + 16 + k;") == 4 and text.count("23 - 4 + k;") == 2  # of both products
    assert text.count("35 - 4 + k;") == 2 and re.search(r"for \(; 35 - v\d+ >= 32;", text)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("n", [3, 7, 9, 16, 31])
def test_a_round_has_the_bits_that_it_has_alone(n: int) -> None:
    rng = np.random.default_rng(n)
    a, y = rng.normal(size=(n, n)), rng.normal(size=(37, n))
    y[5, 1], y[20, 0] = 1e22, -3e300
    one = [ft.jit(step)(a, row) for row in y]
    for axis in (0, 1):
        mapped = ft.jit(ft.vmap(step, in_axes=(None, axis), out_axis=axis))
        for batch in (1, 5, 16, 17, 37):
            got = mapped(a, np.ascontiguousarray(y[:batch].T) if axis else y[:batch])
            np.testing.assert_allclose(got.T if axis else got, one[:batch], rtol=1e-10, atol=1e-12)
            np.testing.assert_array_equal(
                got.T if axis else got, ft.jit(ft.vmap(step, in_axes=(None, 0)))(a, y)[:batch]
            )


def test_records_that_are_written_of_large_arrays() -> None:
    """What a round keeps in scratch memory is read where it lies."""
    x, W = np.random.default_rng(3).normal(size=(20, 32)), np.cos(np.arange(520 * 32.0)).reshape(520, 32) / 9

    def gradient(x: Any) -> Any:
        return ft.grad(lambda W: np.tanh(W @ x).sum())(W)

    got = ft.jit(ft.vmap(gradient))(x)
    slopes = 1 - np.tanh(x @ W.T) ** 2
    np.testing.assert_allclose(got, slopes[:, :, None] * x[:, None], rtol=1e-12, atol=1e-14)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("machine", [Target(64, masks=True), Target(32, masks=True), Target(16, masks=False)])
def test_vectors_of_other_machines(machine: Target, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    a, y = rng.normal(size=(9, 9)), rng.normal(size=(37, 9))
    want = ft.jit(ft.vmap(step, in_axes=(None, 0)))(a, y)
    with kept_apart(tmp_path), written_for(machine):
        np.testing.assert_array_equal(ft.jit(ft.vmap(step, in_axes=(None, 0)))(a, y), want)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("count", [1, 3])
def test_threads_and_few_rounds(count: int) -> None:
    rng = np.random.default_rng(0)
    a, y = rng.normal(size=(9, 9)), rng.normal(size=(20_001, 9))
    with config.override(threads=1):
        want = ft.jit(ft.vmap(step, in_axes=(None, 0)))(a, y)
    with config.override(threads=count):
        np.testing.assert_array_equal(ft.jit(ft.vmap(step, in_axes=(None, 0)))(a, y), want)


@pytest.mark.usefixtures("compiler")
def test_places_that_are_read_are_no_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place in a record that each round reads from another one lies anywhere."""

    def f(r: Any, t: Any) -> Any:
        return t[np.floor(r * 3).astype(np.int64)] * r

    r, t = np.random.default_rng(0).uniform(0, 1, (2, 37, 3))
    monkeypatch.setattr(package, "chosen", always)
    plan_anew(monkeypatch)
    want = np.stack([f(*row) for row in zip(r, t, strict=True)])
    np.testing.assert_array_equal(ft.jit(ft.vmap(lambda r, t: f(r, t)))(r, t), want)


@pytest.mark.usefixtures("compiler")
def test_what_is_not_written_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of which a kernel writes a part is not moved as a whole."""

    def f(x: Any) -> Any:
        return ft.numpy.concatenate([np.cumsum(x)[:3], np.sort(x), np.tanh(x).sum()[None]])

    x = np.random.default_rng(0).normal(size=(21, 5))
    found = []
    for choice in (never, always):
        monkeypatch.setattr(package, "chosen", choice)
        plan_anew(monkeypatch)
        found.append(ft.jit(ft.vmap(lambda r: f(r)))(x))
    np.testing.assert_array_equal(*found)


def place(*terms: tuple[UOp, int], at: int = 0) -> UOp:
    total = sym.const(at)
    for t, k in terms:
        total = sym.add(sym.mul(t, k), total)
    return total


def written(where: UOp) -> UOp:
    index = UOp(Ops.INDEX, dtypes.float64, (MADE, where))
    return UOp(Ops.STORE, dtypes.void, (index, UOp.const(dtypes.float64, 1.0)))


def read(where: UOp) -> UOp:
    return UOp(Ops.LOAD, dtypes.float64, (UOp(Ops.INDEX, dtypes.float64, (GIVEN, where)),))


@pytest.mark.parametrize(
    "statement, found",
    [
        (read(place((ROUND, 6), (INNER, 1))), Access(6, True)),  # a record
        (read(place((ROUND, 12), (INNER, 1))), Access(12, False)),  # half of it
        (read(place((ROUND, 6), (INNER, 1), at=1)), Access(6, False)),  # and a number of the next one
        (read(place((ROUND, 1), (INNER, 64))), Access(1, False)),  # a column
        (read(place((INNER, 1))), Access(0, False)),
        (written(place((ROUND, 6), (INNER, 1))), Access(6, True)),
        (written(place((ROUND, 6), (INNER, 1), at=-1)), Access(6, False)),
        (written(place((ROUND, 12), (INNER, 2))), Access(12, False)),  # what lies between is another's
    ],
)
def test_how_an_array_is_used(statement: UOp, found: Access) -> None:
    accessed = accesses(Loop(ROUND, [Loop(INNER, [statement])]))
    assert not isinstance(accessed, str) and list(accessed.values()) == [found]


def test_rounds_that_write_one_place_are_no_lanes() -> None:
    assert isinstance(accesses(Loop(ROUND, [Loop(INNER, [written(place((INNER, 1)))])])), str)


def test_rounds_that_read_what_they_write_are_no_lanes() -> None:
    again = UOp(Ops.LOAD, dtypes.float64, (UOp(Ops.INDEX, dtypes.float64, (MADE, place((ROUND, 6), (INNER, 1)))),))
    both: list[UOp | Loop] = [written(place((ROUND, 6), (INNER, 1))), again]
    assert isinstance(accesses(Loop(ROUND, [Loop(INNER, both)])), str)
