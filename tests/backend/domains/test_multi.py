"""What stays sharded, what is gathered, what is refused; and what the phases of a program are."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans import dtypes
from functrans.backend.domains import multi
from functrans.backend.domains.multi import spread
from functrans.backend.domains.phases import phases
from functrans.backend.pipeline import Program
from functrans.ops import Ops, UOp, placement, source
from functrans.ops import build as B
from functrans.ops.placement import Layout
from functrans.ops.spec import verify
from functrans.ops.uop import toposort
from tests.laws.references import interpreted

F = dtypes.float64
ZERO = UOp.const(dtypes.index, 0)
TWO, THREE = ("CPU", "CPU:1"), ("CPU", "CPU:1", "CPU:2")
X = np.random.default_rng(3).normal(size=(6, 4, 5))
ids = np.array([2, 0, 5, 5])

# function of an array of shape (6, 4, 5); for each sharded axis the axis of the result, None where it is gathered
LAYOUTS: list[tuple[Callable[[Any], Any], tuple[int | None, ...]]] = [
    (lambda x: np.sin(x) * x + 1, (0, 1, 2)),
    (lambda x: np.where(x > 0, x, -x), (0, 1, 2)),
    (lambda x: x * np.arange(5.0) + np.ones((6, 1, 1)), (0, 1, 2)),
    (lambda x: np.transpose(x, (2, 0, 1)), (1, 2, 0)),
    (lambda x: np.reshape(x, (24, 5)), (0, None, 1)),
    (lambda x: np.reshape(x, (3, 2, 20)), (0, 2, None)),
    (lambda x: np.reshape(x, (6, 1, 4, 5)), (0, 2, 3)),
    (lambda x: np.reshape(x, -1), (0, None, None)),
    (lambda x: np.pad(x, ((0, 0), (1, 2), (3, 0))), (0, 1, 2)),
    (lambda x: x[1:5, 1:, :4], (0, 1, 2)),
    (lambda x: x[2], (None, 0, 1)),
    (lambda x: x[:, :, ::2], (0, 1, 2)),
    (lambda x: np.flip(x, 1), (0, 1, 2)),
    (lambda x: np.flip(x, 0), (0, 1, 2)),
    (lambda x: np.stack([x, 2 * x], 1), (0, 2, 3)),
    (lambda x: np.concatenate([x, np.cos(x)], 0), (0, 1, 2)),
    (lambda x: np.sum(x, 1), (0, None, 1)),
    (lambda x: np.max(x, (0, 2)), (None, 0, None)),
    (lambda x: np.cumsum(x, 1), (0, None, 2)),
    (lambda x: np.sort(x, 1), (0, None, 2)),
    (lambda x: x[ids], (None, 1, 2)),
    (lambda x: x[:, ids % 4], (0, None, 2)),
    (lambda x: x[np.array([[0, 2], [5, 1]])], (None, 2, 3)),
    (lambda x: x[ids, ids % 4], (None, None, 1)),
    (lambda x: fnp.arange(20.0)[fnp.where(x > 0, 3, 7)], (0, 1, 2)),
    (lambda x: fnp.asarray(x).at[ids, ids % 4].add(1.0), (None, None, 2)),
    (lambda x: fnp.asarray(x).at[np.array([[4, 0], [1, 4]])].multiply(x[:2] + x[2:4]), (None, 1, 2)),
    (lambda x: x @ np.ones((5, 3)), (0, 1, None)),
    (lambda x: np.ones((3, 4)) @ x, (0, None, 2)),
    (lambda x: np.einsum("abc,adc->abd", x, np.ones((6, 7, 5))), (0, 1, None)),
    (lambda x: fnp.asarray(x).at[ids].add(1.0), (None, 1, 2)),
    (lambda x: fnp.linalg.det(np.eye(5) + 0.1 * x[:, :, None, :]), (0, 1, None)),
    (lambda x: fnp.linalg.solve(3.0 * np.eye(4), x), (0, None, None)),
    (lambda x: ft.vmap(lambda r: fnp.linalg.solve(3.0 * np.eye(5), np.reshape(r, (5, 4))))(x), (0, None, None)),
    (lambda x: ft.vmap(lambda r: r / np.sum(r))(x), (0, 1, 2)),
    (lambda x: ft.vmap(lambda r: np.sin(r), in_axes=2)(x), (1, 2, 0)),
    (lambda x: ft.vmap(lambda r: r - np.max(r, 0), 1, 1)(x), (0, 1, 2)),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(LAYOUTS)))
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_layouts(case: int, axis: int) -> None:
    f, wanted = LAYOUTS[case]
    (found,), _ = spread(ft.jit(f).lower(ft.Tensor(X).shard(THREE, axis)).graph.outputs)
    assert found.axis == wanted[axis]
    assert found.devices == THREE
    assert not {u.op for v in found.values for u in v.toposort()} & {Ops.MULTI}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.usefixtures("compiler")
def test_values(axis: int) -> None:
    every = ft.jit(lambda x: tuple(f(x) for f, _ in LAYOUTS))
    for got, wanted in zip(every(ft.Tensor(X).shard(THREE, axis)), interpreted(every, X), strict=True):
        assert got.device == THREE
        np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-12, atol=1e-14)


def test_sizes_stay_together() -> None:
    """Shards of 2, 2 and 1: rows move as whole rows, and a window keeps to the shards it lies in."""
    x = placement.lay(source.param((5, 4), F), Layout(THREE, 0, (2, 2, 1)))
    cases = {
        B.reshape(x, (20,)): (8, 8, 4),
        B.shrink(x, ((1, 4), (0, 4))): (1, 2, 0),
        B.pad(x, ((1, 2), (0, 0))): (3, 2, 3),
        B.flip(x, (True, False)): (2, 2, 1),
        B.cat((x, x, x), 0): (5, 5, 5),
    }
    found, _ = spread(list(cases))
    assert [s.sizes for s in found] == list(cases.values())


@pytest.mark.parametrize(
    "make",
    [
        lambda x: (ft.Tensor(x).shard(TWO, 0), ft.Tensor(x).shard(TWO, 1)),
        lambda x: (ft.Tensor(x).shard(TWO, 0), ft.Tensor(x).shard(THREE, 0)),
        lambda x: (ft.Tensor(x).shard(TWO, 0), ft.Tensor(x).shard(("CPU:1", "CPU"), 0)),
        lambda x: (ft.Tensor(x).shard(TWO, 0), ft.Tensor(x).to("CPU:1")),
        lambda x: (ft.Tensor(x).to("CPU:2"), ft.Tensor(x).to("CPU:1")),
        lambda x: (ft.Tensor(x).shard(TWO), ft.Tensor(x).shard(THREE, 1)),
    ],
)
@pytest.mark.parametrize("f", [lambda a, b: a + b, lambda a, b: np.stack([a, b]), lambda a, b: np.concatenate([a, b])])
@pytest.mark.usefixtures("compiler")
def test_values_that_lie_differently_do_not_meet(make: Any, f: Any) -> None:
    a, b = make(X)
    with pytest.raises(ft.UnsupportedError, match=r"lie differently \(test_multi.py:\d+\).*\.shard.*\.to") as caught:
        ft.jit(f)(a, b)
    assert "CPU" in str(caught.value)
    layout = (a.device, 0) if isinstance(a.device, tuple) else None
    together = b.to(a.device) if layout is None else b.shard(*layout)
    np.testing.assert_array_equal(ft.jit(f)(a if layout is None else a.shard(*layout), together).numpy(), f(X, X))


def test_lanes_and_a_whole_array_that_is_sharded_do_not_meet() -> None:
    x, y = ft.Tensor(X).shard(TWO, 0), ft.Tensor(X[0]).shard(TWO, 0)
    with pytest.raises(ft.UnsupportedError, match=r"lie differently.*along a mapped axis"):
        ft.jit(ft.vmap(lambda r, w: r + w, (0, None)))(x, y)


def test_a_copy_inside_the_map_that_is_sharded_is_refused() -> None:
    x = ft.Tensor(X).shard(TWO, 0)
    with pytest.raises(ft.UnsupportedError, match="inside the map"):
        ft.jit(ft.vmap(lambda r: r.to("CPU:1")))(x)
    with pytest.raises(ft.UnsupportedError, match="inside the map"):
        ft.jit(ft.vmap(lambda r: r.shard(TWO, 0)))(x)


@pytest.mark.usefixtures("compiler")
def test_shards_made_inside_a_map() -> None:
    def f(r: Any) -> Any:
        s = r.shard(THREE, axis=1)
        return s / np.sum(s, axis=1, keepdims=True)

    np.testing.assert_allclose(ft.vmap(f)(X), X / X.sum(2, keepdims=True), rtol=1e-12)


def kernels_of(f: Any, *args: Any) -> list[dict[str, int]]:
    traced = ft.jit(f).lower(*args)
    return [{d: len(k) for d, k in phase.items()} for phase in traced.phases]


def test_phases_are_what_runs_at_once() -> None:
    x = ft.Tensor(X).shard(THREE, 0)
    assert kernels_of(lambda x: np.sin(x) * 2, x) == [dict.fromkeys(THREE, 1)]
    assert kernels_of(lambda x: np.sum(x), x) == [dict.fromkeys(THREE, 1), {"CPU": 1}]
    assert kernels_of(lambda x: x / np.sum(x), x) == [dict.fromkeys(THREE, 1)] * 2
    assert kernels_of(lambda x: x[1:] - x[:-1], x) == [dict.fromkeys(THREE, 1)]  # neighbors read what is in memory
    y = kernels_of(lambda x: np.diff(np.sin(x), axis=0), x)
    assert [set(p) for p in y] == [set(THREE), {"CPU:1", "CPU:2"}]  # the first has all it needs
    assert kernels_of(lambda x: np.cumsum(x, 0), x) == [{"CPU": 1}]  # needed whole, it is read where it lies
    assert kernels_of(lambda x: np.sin(x) * 2, X) == [{"CPU": 1}]


def test_equal_shards_run_one_code() -> None:
    def f(x: Any) -> Any:
        return np.sin(x) * np.arange(5.0)

    lowered = ft.jit(f).lower(ft.Tensor(X).shard(THREE, 0))
    assert lowered.c_source.count("ft_entry") == 1
    assert lowered.cost().kernels == 3
    whole = ft.jit(f).lower(X).cost()
    assert lowered.cost().flops == whole.flops and lowered.cost().bytes_written == whole.bytes_written


def test_nothing_is_computed_twice_across_phases() -> None:
    """What a later phase reads again is stored: as many sines and products as without shards."""
    m = np.ones((5, 5))

    def f(x: Any) -> Any:
        y = np.sin(x) @ m
        return y / np.sum(y, axis=0)

    whole, parts = (ft.jit(f).lower(x).cost().flops for x in (X, ft.Tensor(X).shard(TWO, 0)))
    assert whole <= parts <= whole + 2 * X[0].size  # the partial sums are combined on both domains


def test_phases_come_one_after_the_other() -> None:
    x = placement.lay(source.param((4, 3), F), Layout(TWO, 0, (2, 2)))
    total = B.reduce_axis(x, Ops.ADD, (0,))
    found = phases([B.div(x, B.broadcast(total, (4, 3)))])
    assert [list(step) for step in found.steps] == [list(TWO)] * 2
    roots = [root for step in found.steps for s in step.values() for root in s.roots.values()]
    verify(roots, "tensor", "phases")
    assert not {u.op for u in toposort(roots)} & {Ops.COPY, Ops.MULTI}


@pytest.mark.usefixtures("compiler")
def test_kernels_of_shards_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each domain's program waits inside for the others: it ends only if all run at the same time."""
    made = ft.jit(lambda x: np.sin(x) * 2).lower(ft.Tensor(X).shard(THREE, 0))
    made.compile()
    meeting = threading.Barrier(3, timeout=20.0)
    run = Program.run
    names = []

    def waits(self: Program, arrays: Any, out: Any) -> Any:
        if self.phases[0].keys() == {"CPU"}:  # the program of one step
            meeting.wait()
            names.append(threading.current_thread().name)
        return run(self, arrays, out)

    monkeypatch.setattr(Program, "run", waits)
    got = ft.jit(lambda x: np.sin(x) * 2)(ft.Tensor(X).shard(THREE, 0))
    assert not meeting.broken and len(set(names)) == 3
    np.testing.assert_allclose(got.numpy(), np.sin(X) * 2, rtol=1e-14)


@pytest.mark.usefixtures("compiler")
def test_sums_are_the_same_in_every_run_and_in_the_order_of_the_shards() -> None:
    x = np.random.default_rng(0).normal(size=1001) * 10.0 ** np.arange(1001).clip(0, 12)
    laid = ft.Tensor(x).shard(THREE, 0)
    total = ft.jit(np.sum)
    first = total(laid).numpy()
    parts = [total(p) for p in np.array_split(x, 3)]
    assert first == (parts[0] + parts[1]) + parts[2]
    assert all(total(laid).numpy() == first for _ in range(20))


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.usefixtures("compiler")
def test_fewer_elements_than_domains(n: int) -> None:
    x = np.arange(1.0, 1 + 3 * n).reshape(n, 3)
    laid = ft.Tensor(x).shard(THREE, 0)
    f = ft.jit(
        lambda x: (x * 2, np.sum(x, 0), np.prod(x, 0), np.sum(x, 1), x.T, np.concatenate([x, x]), np.cumsum(x, 0))
    )
    for got, wanted in zip(f(laid), f(x), strict=True):
        np.testing.assert_array_equal(got.numpy(), wanted)
    if n:
        np.testing.assert_array_equal(ft.jit(lambda x: np.max(x, 0))(laid).numpy(), x.max(0))


@pytest.mark.usefixtures("compiler")
def test_out_takes_the_shards() -> None:
    f = ft.jit(lambda x: np.sin(x))
    for axis in (0, 1, 2):
        out = np.zeros_like(X)
        assert f(ft.Tensor(X).shard(THREE, axis), out=out) is out
        np.testing.assert_array_equal(out, f(X))


@pytest.mark.usefixtures("compiler")
def test_one_result_twice() -> None:
    f = ft.jit(lambda x: (np.sin(x), np.sin(x), x, np.sum(x), np.sum(x)))
    for got, wanted in zip(f(ft.Tensor(X).shard(TWO, 1)), f(X), strict=True):
        np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-14)


@pytest.mark.usefixtures("compiler")
def test_scalars_and_captured_arrays_go_where_they_are_needed() -> None:
    w, v = np.arange(6.0), ft.Variable("v", 0, 9)
    f = ft.jit(lambda x, a, v: x * a + w[:, None, None] * v)
    got = f(ft.Tensor(X).shard(THREE, 0), 2.0, v.bind(3))
    np.testing.assert_array_equal(got.numpy(), f(X, 2.0, v.bind(3)))


@pytest.mark.usefixtures("compiler")
def test_a_clone_is_stored() -> None:
    x = source.param((4,), F)
    cloned = B.neg(placement.copy(B.add(x, x), "CPU:1", clone=True))
    made = Program([cloned], [x])
    assert [{d: len(k) for d, k in p.items()} for p in made.phases] == [{"CPU:1": 2}]
    np.testing.assert_array_equal(made([np.arange(4.0)])[0], -2 * np.arange(4.0))


def test_schedule_lists_the_kernels_of_all_domains() -> None:
    x = ft.Tensor.empty((4, 3)).shard(TWO, 0)
    assert len(ft.schedule((x * 2).uop)) == 2
    assert len(ft.schedule((x / x.sum()).uop)) == 4


def test_an_op_without_a_rule_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(p, f) for p, f, _ in multi.pm_multi.rows if p.ops is None or Ops.CUMULATE not in p.ops]
    monkeypatch.setattr(multi, "pm_multi", type(multi.pm_multi)(rows))
    x = placement.lay(source.param((4,), F), Layout(TWO, 0, (2, 2)))
    with pytest.raises(ft.UnsupportedError, match="CUMULATE of a sharded value"):
        spread([UOp(Ops.CUMULATE, F, (x,), (Ops.ADD, 0))])


@pytest.mark.usefixtures("compiler")
def test_threads_that_call_one_function_at_once() -> None:
    f = ft.jit(lambda x: np.cumsum(x / np.sum(x, 0), 0) + ft.vmap(lambda r: r - np.max(r))(x))
    laid = ft.Tensor(X).shard(THREE, 0)
    wanted = ft.jit(lambda x: np.cumsum(x / np.sum(x, 0), 0) + ft.vmap(lambda r: r - np.max(r))(x))(X)
    meeting, found = threading.Barrier(4, timeout=20.0), []

    def call() -> None:
        meeting.wait()
        found.extend(f(laid).numpy() for _ in range(5))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60.0)
    assert len(found) == 20
    for got in found:
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.usefixtures("compiler")
def test_a_split_loop_counts_on_in_the_next_domain() -> None:
    """The RANGE itself as a value, and arrays nobody placed, read under it."""
    x, w, r = source.param((5, 3), F), source.param((5, 3), F), UOp.range(5)
    laid = placement.lay(x, Layout(THREE, 0, (2, 2, 1))).vmapin((r, ZERO))
    number = B.broadcast(B.cast(r, F), (3,))
    root = B.add(B.mul(laid, number), w.vmapin((r, ZERO))).vmapout((r, ZERO))
    a, b = X[:5, 0, :3], X[:5, 1, :3]
    (got,) = Program([root], [x, w])([np.ascontiguousarray(a), np.ascontiguousarray(b)])
    np.testing.assert_allclose(got, a * np.arange(5.0)[:, None] + b, rtol=1e-14, atol=1e-15)


@pytest.mark.usefixtures("compiler")
def test_shards_that_are_not_real_are_zeros_when_compiled() -> None:
    x = source.param((2, 3), F)
    root = placement.multi([placement.copy(x, "CPU"), placement.copy(x, "CPU:1")], 0, (False, True))
    (got,) = Program([B.neg(root)], [x])([X[0, :2, :3].copy()])
    np.testing.assert_array_equal(got, -np.concatenate([0 * X[0, :2, :3], X[0, :2, :3]]))


@pytest.mark.usefixtures("compiler")
def test_windows_that_do_not_meet_are_joined_as_they_stand() -> None:
    x = source.param((4, 3), F)
    rows = [placement.copy(B.shrink(x, ((a, a + 2), (0, 3))), d) for a, d in ((2, "CPU"), (0, "CPU:1"))]
    value = X[:4, 0, :3].copy()
    (got,) = Program([B.neg(placement.copy(placement.multi(rows, 0), "CPU:1"))], [x])([value])
    np.testing.assert_array_equal(got, -value[[2, 3, 0, 1]])
