"""Maps written at graph level: windows and sums over RANGEs, what a schedule shows without running, what is refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import Tensor, UOp
from functrans.backend import plan
from functrans.backend.runtime import library
from functrans.ops import AxisType, Ops, dtypes
from functrans.ops import build as B
from functrans.ops.collapse import collapse
from functrans.ops.interpret import interpret
from functrans.ops.window import reduce
from tests.laws.references import assert_close, loop
from tests.transforms.kernels import iterations

ZERO = UOp.const(dtypes.index, 0)
RNG = np.random.default_rng(13)
X = RNG.normal(size=(4, 3, 2))
KINDS = (AxisType.LOOP, AxisType.OUTER)
each_kind = pytest.mark.parametrize("kind", KINDS)


def total(x: Tensor, op: Ops, *ranges: UOp) -> Tensor:
    return Tensor.from_uop(reduce(x.uop, op, *ranges))


def by_window(f: Callable[[Any], Any], axis: int, kind: AxisType) -> Callable[[Any], Any]:
    """Section 7 of the seeds, by the methods of a Tensor: slice, compute, pad to the place, sum over the RANGE."""

    def mapped(x: Tensor) -> Tensor:
        n = x.shape[axis]
        r = UOp.range(n, None, kind)
        one = x.shrink(tuple((r, r + 1) if k == axis else (0, d) for k, d in enumerate(x.shape)))
        y = f(one.reshape(tuple(d for k, d in enumerate(x.shape) if k != axis)))
        placed = y.unsqueeze(0).pad(((r, n - 1 - r), *((0, 0) for _ in range(y.ndim))))
        return total(placed, Ops.OR if y.dtype == np.bool_ else Ops.ADD, r)

    return mapped


def both(f: Callable[..., Any], *args: Any) -> list[Any]:
    """Read at the prompt, and compiled."""
    return [f(*map(Tensor, args)).numpy(), ft.jit(f)(*args)]


def launches(y: Tensor) -> list[int]:
    return [k.launches for k in ft.schedule(UOp.sink(y.uop))]


BODIES: dict[str, Callable[[Any], Any]] = {
    "elementwise": lambda v: v * 2 + 1, "sum": lambda v: v * v.sum(), "bool": lambda v: v > 0,
    "sort": lambda v: np.sort(v, axis=0), "integers": lambda v: (v * 10).astype(np.int32) // 3,
    "complex": lambda v: v * 1j, "nothing of it": lambda v: v * 0 + np.nan,
}  # fmt: skip


@each_kind
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", BODIES)
def test_slice_compute_pad_and_sum(name: str, axis: int, kind: AxisType) -> None:
    f = BODIES[name]
    for got in both(by_window(f, axis, kind), X):
        assert_close(got, loop(f, [axis])(X))
    made = ft.jit(by_window(f, axis, kind)).lower(X)
    assert [k.launches for k in made.kernels] == [X.shape[axis] if kind is AxisType.OUTER else 1]
    assert made.c_source == ft.jit(ft.vmap(f, axis, axis_type=kind)).lower(X).c_source


@each_kind
def test_windows_that_overlap(kind: AxisType) -> None:
    """A window of two at r and of two at 2 r: no slice, and yet right, on the way in and on the way out."""

    def moving(x: Tensor) -> Tensor:
        r = UOp.range(3, None, kind)
        return x.shrink(((r, r + 2), (0, 3), (0, 2))).prod(axis=0).vmapout((r, ZERO, ZERO))

    def jumping(x: Tensor) -> Tensor:
        r = UOp.range(2, None, kind)
        return x.shrink(((2 * r, 2 * r + 2), (1, 3), (0, 2))).sum(axis=0).vmapout((ZERO, r, ZERO))

    def added(x: Tensor) -> Tensor:
        r = UOp.range(3, None, kind)
        return total(x.shrink(((r, r + 2), (0, 3), (0, 2))).pad(((r, 2 - r), (1, 0), (0, 0))), Ops.ADD, r)

    for got in both(moving, X):
        assert_close(got, X[:-1] * X[1:])
    for got in both(jumping, X):
        assert_close(got, X.reshape(2, 2, 3, 2)[:, :, 1:].sum(1).swapaxes(0, 1))
    wanted = np.pad(X * np.array([1, 2, 2, 1])[:, None, None], ((0, 0), (1, 0), (0, 0)))
    for got in both(added, X):
        assert_close(got, wanted)


@each_kind
@pytest.mark.parametrize("op, f", [(Ops.ADD, np.sum), (Ops.MUL, np.prod), (Ops.MAX, np.max), (Ops.MIN, np.min)])
def test_reductions_over_ranges(op: Ops, f: Any, kind: AxisType) -> None:
    """Over one, over two at once, over one of two; of what ignores the RANGE, that many times."""
    r, s = UOp.range(4, None, kind), UOp.range(2, None, AxisType.LOOP)

    def one(x: Tensor) -> Tensor:
        return total(x.vmapin((r, ZERO, ZERO)) + 0.5, op, r)

    def two(x: Tensor) -> Tensor:
        return total(x.vmapin((r, ZERO, s)), op, s, r)

    def inner(x: Tensor) -> Tensor:
        y = x.vmapin((r, ZERO, s))
        return (y - total(y, op, s)).vmapout((s, r, ZERO))

    def repeated(x: Tensor) -> Tensor:
        return total(x, op, r)

    for got in both(one, X):
        assert_close(got, f(X + 0.5, axis=0))
    for got in both(two, X):
        assert_close(got, f(X, axis=(0, 2)))
    for got in both(inner, X):
        assert_close(got, np.transpose(X - f(X, axis=2, keepdims=True), (2, 0, 1)))
    for got in both(repeated, X):
        assert_close(got, f(np.stack([X] * 4), axis=0))


@each_kind
def test_several_ranges_in_one_window(kind: AxisType) -> None:
    """One PAD at two RANGEs, one sum over both: collapsed too, in either order, and on the diagonal not."""
    r, s = UOp.range(4, None, kind), UOp.range(2, None, kind)

    def mapped(x: Tensor) -> Tensor:
        one = x.shrink(((r, r + 1), (0, 3), (s, s + 1)))
        return total((one * one.sum()).pad(((r, 3 - r), (0, 0), (s, 1 - s))), Ops.ADD, s, r)

    wanted = X * X.sum(1, keepdims=True)
    for got in both(mapped, X):
        assert_close(got, wanted)
    made = ft.jit(mapped).lower(X)
    assert [k.launches for k in made.kernels] == [8 if kind is AxisType.OUTER else 1]
    assert made.cost().flops <= 2 * X.size
    assert not any(u.op in (Ops.REDUCE, Ops.PAD) for u in UOp.sink(*collapse(made.graph.outputs)).toposort())

    def diagonal(x: Tensor) -> Tensor:
        v = x.vmapin((r, ZERO))
        return total(v[0].reshape((1, 1)).pad(((r, 3 - r), (r, 3 - r))), Ops.ADD, r)

    for got in both(diagonal, X[:, :, 0]):
        assert_close(got, np.diag(X[:, 0, 0]))


def near_places(x: Tensor) -> tuple[Tensor, ...]:
    """Sums that look like places, and are none."""
    r, s, short = UOp.range(4), UOp.range(4), UOp.range(3)
    one = x.vmapin((r,)).reshape((1,))
    y = one.pad(((r, 3 - r),))
    spread = total(y, Ops.ADD, s)
    assert spread.uop.free_ranges == {r}
    pairs = total((one * x.vmapin((s,))).pad(((r, 3 - r),)), Ops.ADD, r, s)  # one RANGE places, the other sums
    wide = total(x.shrink(((short, short + 2),)).pad(((short, 2 - short),)), Ops.ADD, short)
    part = total(x.vmapin((r,)).reshape((1,)).pad(((r + 1, 4 - r),)), Ops.ADD, r)  # it walks four of six places
    three = total(x[:3].vmapin((short,)).reshape((1,)).pad(((short, 3 - short),)), Ops.ADD, short)  # three of four
    beside = total(one.expand((2,)).reshape((1, 2)).pad(((r, 3 - r), (1, 0))), Ops.ADD, r)
    zero = UOp.const(dtypes.float64, -0.0)
    corner = UOp(Ops.PAD, dtypes.float64, (one.reshape((1, 1)).uop, r, zero), ((None, 4), (0, 2)))
    plain = total(Tensor.from_uop(corner), Ops.ADD, r)
    return (
        total(spread, Ops.ADD, r), total(y, Ops.MAX, r), total(y, Ops.MUL, r), pairs, wide, part, three, beside, plain
    )  # fmt: skip


def test_what_looks_like_a_place_and_is_none() -> None:
    """A sum over another RANGE, another reduction, a part of the places: nothing is collapsed that must not be."""
    x = X[:, 0, 0]
    wanted = (
        4 * x, np.maximum(x, 0), x * 0, x * x.sum(), x * np.array([1, 2, 2, 1]), np.pad(x, 1), np.append(x[:3], 0.0),
        np.stack([x * 0, x, x], 1), np.stack([x, x * 0, x * 0], 1),
    )  # fmt: skip
    roots = [t.uop for t in near_places(Tensor(x))]
    for results in (interpret(roots), interpret(collapse(roots)), ft.jit(near_places)(x)):
        for g, w in zip(results, wanted, strict=True):
            assert_close(g, w)


def test_positive_zeros_stay_positive() -> None:
    """Of a PAD filled with +0 the sum has no -0: it is no place."""
    r = UOp.range(4)

    def padded(v: Tensor) -> Tensor:
        one = v.vmapin((r,)).reshape((1,)).uop
        return Tensor.from_uop(reduce(UOp(Ops.PAD, one.dtype, (one, r), ((None, 4),)), Ops.ADD, r))

    for got in both(padded, np.full(4, -0.0)):
        assert not np.signbit(got).any()


@pytest.mark.parametrize("dtype", [dtypes.int64, dtypes.int16, dtypes.uint8], ids=str)
def test_an_index_that_counts_lanes_until_it_begins_again(dtype: Any) -> None:
    """A slice at r of what is read, or updated, at 0, 1, 2 ... is the place r: not where a narrow integer wraps."""
    n, r = 300, UOp.range(300)
    x, v = RNG.normal(size=(n, 2)), RNG.normal(size=(n, 2))
    at = np.arange(n).astype(dtype.numpy)
    rows = B.expand(B.reshape(B.cast(B.iota(n), dtype), (n, 1)), (n, 2))
    columns = B.expand(B.reshape(B.cast(B.iota(2), dtype), (1, 2)), (n, 2))

    def mapped(y: UOp) -> Tensor:
        row = Tensor.from_uop(y).vmapin((r, ZERO))
        return (row * row).vmapout((r, ZERO))

    got = ft.jit(lambda x: mapped(B.gather(x.uop, rows, columns)))(x)
    assert_close(got, np.square(x[at.astype(np.int64)]))
    updated = x.copy()
    np.add.at(updated, at, v)
    got = ft.jit(lambda x, v: mapped(B.scatter(x.uop, v.uop, (rows, columns), "add")))(x, v)
    assert_close(got, np.square(updated))


def test_slices_where_a_rule_must_not_reach() -> None:
    """A RANGE used again after it was closed; an index that counts a part of an axis; nothing, reshaped."""
    r, part = UOp.range(3), UOp.range(2)
    square = RNG.normal(size=(3, 3))

    def again(x: Tensor) -> Tensor:
        y = (x.vmapin((r, ZERO)) * x.sum()).vmapout((r, ZERO))
        return (y.vmapin((ZERO, r)) * 2).vmapout((r, ZERO))

    def some(x: Tensor) -> Tensor:
        rows = B.expand(B.reshape(B.iota(2), (2, 1)), (2, 3))
        columns = B.expand(B.reshape(B.iota(3), (1, 3)), (2, 3))
        row = Tensor.from_uop(B.gather(x.uop, rows, columns)).vmapin((part, ZERO))
        column = B.reshape(B.cast(B.iota(2, dtypes.int32), dtypes.float64), (2, 1))
        number = Tensor.from_uop(column).vmapin((part, ZERO))
        return (row * number).vmapout((part, ZERO))

    for got in both(again, square):
        assert_close(got, 2 * (square * square.sum()).T)
    for got in both(some, square):
        assert_close(got, square[:2] * np.arange(2.0)[:, None])
    nothing = ft.jit(lambda x: ft.vmap(lambda v: v * 2)(x.reshape(0, 7)))(np.zeros((0, 2, 3)))
    assert nothing.shape == (0, 7)


def test_lanes_of_an_update_along_another_axis() -> None:
    """The index that counts rows does so along the second axis of the values, and a slice takes them there."""
    x, v, at = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 4)), RNG.integers(0, 3, (5, 4))
    r = UOp.range(4)

    def rows(x: Tensor, v: Tensor) -> Tensor:
        lanes = B.expand(B.reshape(B.iota(4), (1, 4)), (5, 4))
        row = Tensor.from_uop(B.scatter(x.uop, v.uop, (lanes, Tensor(at).uop), "add")).vmapin((r, ZERO))
        return (row * row.sum()).vmapout((r, ZERO))

    updated = x.copy()
    np.add.at(updated, (np.broadcast_to(np.arange(4), (5, 4)), at), v)
    for got in both(rows, x, v):
        assert_close(got, updated * updated.sum(1, keepdims=True))
    made = ft.jit(rows).lower(x, v)
    assert len(made.kernels) == 1 and made.cost().flops == 5 * 4 + 2 * 4 * 3


def test_what_is_made_contiguous_before_a_map_is_so() -> None:
    """Stored whole, in a kernel of its own; inside of a map it is each lane that is stored."""
    x = ft.ShapeDtype((4, 3))
    for method in ("vmapin", "rewrite", "pad_reduce"):
        mapped = ft.vmap(lambda v: v * v.sum(), method=method)
        made = ft.jit(lambda x, mapped=mapped: mapped((x * 2).contiguous())).lower(x).kernels
        assert [[root.arg.shape for root in k.roots] for k in made] == [[(4, 3)], [(4, 3)]]


# schedules


def test_a_schedule_compiles_and_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("something was compiled or run")

    for module, name in ((library, "load"), (plan, "plan_of")):
        monkeypatch.setattr(module, name, refuse)
    known = len(library._entries)
    for kind, axis in itertools.product(KINDS, (0, 1)):
        y = by_window(lambda v: v * v.sum(), axis, kind)(Tensor.empty((5, 6)))
        made = ft.schedule(UOp.sink(y.uop, (y * 2).uop))
        assert {k.launches for k in made} <= {1, 5, 6}
        text = "\n".join(map(repr, made))
        assert kind.name in text
    assert len(library._entries) == known


def test_the_script_of_the_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    """The reproduction of the scheduling bug, word for word but for its imports."""
    text = (Path(__file__).parent / "reproduction.txt").read_text()
    for old, new in {
        "from tinygrad import Tensor, UOp, dtypes": "from functrans import Tensor, UOp, dtypes",
        "from tinygrad.engine.schedule import complete_create_schedule_with_vars":
            "from functrans import schedule as complete_create_schedule_with_vars",
        "from tinygrad.uop.ops import AxisType": "from functrans.ops import AxisType",
    }.items():  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    assert "tinygrad" not in text
    names: dict[str, Any] = {}
    exec(compile(text, "reproduction", "exec"), names)
    assert capsys.readouterr().out == "SUCCESS!\n"
    assert len(ft.schedule(names["sink"])) == 1
    x = RNG.normal(size=(10, 3))
    assert_close(names["vmap"](names["fn"])(Tensor(x)).numpy(), x[:, [0, 0]] * [1.0, 0.0])


# what is refused

R3, R4 = UOp.range(3), UOp.range(4)
M = Tensor(np.zeros((3, 4)))
WRONG_IN: dict[str, tuple[Any, str]] = {
    "too few": ((R3,), "1 entries in varg for 2 axes"), "too many": ((R3, ZERO, ZERO), "3 entries in varg for 2 axes"),
    "extent": ((R4, ZERO), "RANGE of 4, axis 0 has size 3"), "none": ((ZERO, ZERO), "no RANGE"),
    "another constant": ((UOp.const(dtypes.index, 1), R4), r"varg\[0\] is .*expected a RANGE or CONST\(0\)"),
    "an expression": ((2 * R3, ZERO), r"varg\[0\] is .*expected a RANGE or CONST\(0\)"),
    "dtype": ((UOp.const(dtypes.int64, 0), R4), "dtype int64; expected index"),
    "float": ((UOp.const(dtypes.float64, 0.0), R4), "dtype float64; expected index"),
    "twice": ((R3, R3), "names one RANGE twice"), "no node": ((0, R4), "expected a tuple with a RANGE or CONST"),
    "not a tuple": (R3, "expected a tuple with a RANGE or CONST"),
    "a Tensor": ((M, R4), "expected a tuple with a RANGE or CONST"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_IN)
def test_wrong_entries_on_the_way_in(name: str) -> None:
    varg, text = WRONG_IN[name]
    for x in (M, M.uop):
        with pytest.raises(ft.SpecError, match=text) as caught:
            x.vmapin(varg)
        assert isinstance(caught.value, ValueError)


WRONG_OUT: dict[str, tuple[Any, str]] = {
    "no place for an axis": ((R3,), r"0 CONST\(0\) in varg for 1 axes"),
    "too many places": ((R3, ZERO, ZERO), r"2 CONST\(0\) in varg for 1 axes"), "none": ((ZERO,), "no RANGE"),
    "another constant": ((R3, UOp.const(dtypes.index, 2)), "expected a RANGE or CONST"),
    "dtype": ((R3, UOp.const(dtypes.int32, 0)), "dtype int32; expected index"),
    "twice": ((R3, ZERO, R3), "names one RANGE twice"), "no node": ((R3, 0), "expected a tuple with a RANGE or CONST"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_OUT)
def test_wrong_entries_on_the_way_out(name: str) -> None:
    varg, text = WRONG_OUT[name]
    with pytest.raises(ft.SpecError, match=text):
        M.vmapin((R3, ZERO)).vmapout(varg)


def test_a_range_that_is_still_open() -> None:
    square = Tensor(np.zeros((3, 3)))
    with pytest.raises(ft.SpecError, match="still open"):
        square.vmapin((UOp.range(3, 5), ZERO)).vmapin((UOp.range(3, 5),))
    moved = (square.vmapin((R3, ZERO)) * 2).flip(0)
    with pytest.raises(ft.SpecError, match="still open"):
        moved.vmapin((R3,))
    closed = moved.vmapout((R3, ZERO))
    assert closed.vmapin((R3, ZERO)).shape == (3,)  # closed, it may serve again


def test_windows_that_are_refused() -> None:
    x, r = Tensor(np.zeros((4, 3))), UOp.range(4)
    for bounds, text in (
        (((r, r + 2), (0, 3)), "an offset from 0 to 3 for 2 of 4"), (((r - 1, r), (0, 3)), "an offset from -1 to 2"),
        (((r, 2 * r + 1), (0, 3)), "the length of the window .* must be a number"),
        (((R3 + 2, R3 + 3), (0, 3)), "an offset from 2 to 4 for 1 of 4"),
    ):  # fmt: skip
        with pytest.raises(ft.SpecError, match=text):
            x.shrink(bounds)
    with pytest.raises(ft.SpecError, match=r"the sum of the widths .* must be a number"):
        x.pad(((r, r), (0, 0)))
    with pytest.raises(ft.SpecError, match="an offset"):
        x.pad(((r - 1, 4 - r), (0, 0)))
    for ranges in ((), (ZERO,), (r, r)):
        with pytest.raises(ft.SpecError, match="expected one or several RANGEs"):
            reduce(x.vmapin((r, ZERO)).uop, Ops.ADD, *ranges)
    with pytest.raises(ft.SpecError, match="no reduction"):
        reduce(x.vmapin((r, ZERO)).uop, Ops.SIN, r)


def test_an_open_range_has_no_value() -> None:
    r = UOp.range(3)
    for x in (M.vmapin((r, ZERO)), M.shrink(((r, r + 1), (0, 4))), M[:1].pad(((r, 2 - r), (0, 0)))):
        with pytest.raises(ft.TracedValueError):
            x.numpy()
        with pytest.raises(ft.FunctransError):
            ft.schedule(x.uop)
        with pytest.raises(ft.FunctransError):
            ft.jit(lambda _, x=x: x)(1.0)


def test_the_interpreter_knows_windows() -> None:
    r, x = UOp.range(4), Tensor(X[:, :, 0])
    y = total(x.shrink(((r, r + 1), (0, 3))).pad(((r, 3 - r), (1, 1))), Ops.ADD, r)
    (got,) = interpret([y.uop])
    assert got.tobytes() == np.pad(X[:, :, 0], ((0, 0), (1, 1))).tobytes()
    assert iterations(ft.schedule(y.uop)) == 4 * 5
