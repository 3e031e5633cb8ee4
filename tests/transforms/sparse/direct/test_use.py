"""Direct values in use: in place, mapped, jitted, differentiated, pickled; what is written and what is not."""

from __future__ import annotations

import pickle
import tracemalloc
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.runtime import launcher
from functrans.ops import Ops, UOp
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.source import param
from functrans.transforms.sparse.direct.expressions import add
from functrans.transforms.sparse.direct.spaces import best_shape, form
from functrans.transforms.sparse.direct.stores import grouped
from tests.counted import computed

EDGES = np.array([[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2], [0, 3], [3, 0], [1, 2]]).T


def network(x: Any) -> Any:
    """Node and edge terms that meet on the diagonal, two edges between the same nodes, a part that is constant."""
    source, target = EDGES
    flow = np.sin(x[source] - x[target]) * x[target]
    return np.concatenate([np.bincount(source, flow, 4) + x * x, 3.0 * x[::-1]])


X = np.array([0.3, 0.8, 1.1, 0.5])


@pytest.mark.usefixtures("compiler")
def test_only_what_varies_is_written() -> None:
    J = ft.spjacobian(network, method="direct")
    full, mine = J.values(X), J.empty_values(X)
    constant = mine == 3.0
    assert constant.sum() == 4 and not mine[~constant].any()
    mine[constant] = 7.0
    for _ in range(3):  # the long way, then the short one
        assert J.values(X, out=mine) is mine
    assert (mine[constant] == 7.0).all()
    np.testing.assert_array_equal(mine[~constant], full[~constant])
    other = np.full(full.size, np.nan)
    J.values(X, out=other)
    np.testing.assert_array_equal(other, full)
    np.testing.assert_allclose(J(X).toarray(), ft.jacfwd(network)(X), atol=1e-14)


@pytest.mark.parametrize("method", ["direct", "compressed"])
@pytest.mark.parametrize("layout", ["strided", "backwards", "misaligned"])
def test_out_that_no_kernel_can_write(layout: str, method: str) -> None:
    """It gets the constants too, which the kernel leaves alone."""
    J = ft.spjacobian(network, method=method)
    want = J.values(X)
    odd = np.frombuffer(bytearray(want.nbytes + 1), np.uint8)[1:].view(want.dtype)
    many = np.full((want.size, 2), np.nan)
    out = {"strided": many[:, 1], "backwards": many[:, 0].copy()[::-1], "misaligned": odd}[layout]
    for at in (X, X[::-1] * 0.7, X):
        want = J.values(at)
        J.values(at, out=out)
        np.testing.assert_array_equal(out, want)
        out[:] = np.nan
        value, matrix = J.value_and_jacobian(at, out=out)
        np.testing.assert_array_equal(out, want)
        np.testing.assert_array_equal(matrix.data, want)
        np.testing.assert_allclose(value, network(at), rtol=1e-13)
    assert np.isnan(many[:, 0]).all()


def test_out_that_overlaps_the_argument() -> None:
    J = ft.spjacobian(lambda x: x[::-1] ** 2, method="direct")
    x = np.array([1.0, 2.0, 3.0])
    out = J.empty_values(x)
    J.values(x, out=out)
    x_in = out  # the values themselves as the next argument
    want = J.values(x_in.copy())
    np.testing.assert_array_equal(J.values(x_in, out=out), want)


def test_values_are_an_ordinary_function() -> None:
    J = ft.spjacobian(network, method="direct")
    xs = np.stack([X, X[::-1] + 0.1, X * 0.5])
    want = np.stack([J.values(x) for x in xs])
    np.testing.assert_allclose(ft.vmap(J.values)(xs), want, rtol=1e-15)
    np.testing.assert_allclose(ft.jit(J.values)(X), want[0], rtol=1e-15)
    np.testing.assert_allclose(ft.jit(ft.vmap(J.values))(xs), want, rtol=1e-15)
    step = 1e-6 * np.ones(4)
    near = (J.values(X + step) - J.values(X - step)) / 2e-6
    np.testing.assert_allclose(ft.jvp(J.values, (X,), (np.ones(4),))[1], near, atol=1e-8)
    ct = np.linspace(1, 2, want.shape[1])
    back = ft.vjp(J.values, X)[1](ct)[0]
    np.testing.assert_allclose(back, ct @ ft.jacfwd(J.values)(X), rtol=1e-12)
    again = ft.spjacobian(J.values, method="direct")
    np.testing.assert_allclose(again(X).toarray(), ft.jacfwd(J.values)(X), atol=1e-13)


def test_value_and_jacobian() -> None:
    value, matrix = ft.spjacobian(network, method="direct").value_and_jacobian(X)
    np.testing.assert_allclose(value, network(X))
    np.testing.assert_allclose(matrix.toarray(), ft.jacfwd(network)(X), atol=1e-14)


def test_a_batch_row_by_row() -> None:
    def step(z: Any) -> Any:
        return np.stack([z[0] * np.cos(z[1]), z[1] + z[2] * z[0]])

    z = np.random.default_rng(0).normal(size=(100, 3))
    J = ft.spjacobian(lambda flat: ft.vmap(step)(flat.reshape(-1, 3)), method="direct")
    stages = ft.spjacobian(step, method="direct")
    np.testing.assert_array_equal(J.values(z.reshape(-1)).reshape(100, -1), np.stack([stages.values(row) for row in z]))
    np.testing.assert_array_equal(ft.vmap(stages.values)(z), np.stack([stages.values(row) for row in z]))


def test_pickled() -> None:
    J = pickle.loads(pickle.dumps(ft.spjacobian(network, method="direct")))
    np.testing.assert_allclose(J(X).toarray(), ft.jacfwd(network)(X), atol=1e-14)


def test_lagrangian_by_direct_values() -> None:
    def f(x: Any) -> Any:
        return (x[1:] - x[:-1] ** 2).sum() ** 1 + (x**4).sum()

    H = ft.sphessian(f, method="direct")
    np.testing.assert_allclose(H(X).toarray(), ft.hessian(f)(X), atol=1e-13)
    assert H.plan(X).method == "direct"


class TestStores:
    def test_what_is_met_once_is_set_and_the_rest_added(self) -> None:
        node, edge = np.array([0, 3], np.int32), np.array([0, 0, 1, -1, 2], np.int32)
        (first, second), zero = grouped([[node], [edge]], np.zeros(4, bool))
        assert [s.adds for s in (*first.stores, *second.stores)] == [False, True]
        np.testing.assert_array_equal(zero, [1, 2])
        np.testing.assert_array_equal(second.stores[0].mask, [1, 1, 1, 0, 1])

    def test_what_goes_nowhere_is_set_again_later(self) -> None:
        (group,), _ = grouped([[np.array([-1, 5, -1, 2], np.int32)]], np.zeros(6, bool))
        np.testing.assert_array_equal(group.stores[0].to, [5, 5, 2, 2])
        assert group.ordered and not group.stores[0].adds

    def test_what_ends_nowhere_is_set_where_another_ends(self) -> None:
        ends, other = np.array([4, -1, 1, -1, -1], np.int32), np.array([-1, 0, 2, -1, 3], np.int32)
        (group,), zero = grouped([[ends, other]], np.zeros(5, bool))
        np.testing.assert_array_equal(group.stores[0].to, [4, 1, 1, 3, 3])
        assert group.ordered and not any(s.adds for s in group.stores) and not len(zero)

    def test_what_ends_nowhere_is_added_where_no_other_is_set(self) -> None:
        ends, other = np.array([1, -1], np.int32), np.array([-1, 0], np.int32)
        (group,), zero = grouped([[ends, other]], np.array([True, False]))
        assert all(s.adds for s in group.stores)
        np.testing.assert_array_equal(zero, [1])

    def test_a_window_is_stored_without_a_sum(self, compiler: None) -> None:
        """Its entries are single products, of which each has some that would lie outside the array."""

        def window(u: Any) -> Any:
            p = np.pad(np.tanh(u), 2)
            return sum(p[i : i + 9, j : j + 9] * (1.0 + i + 2 * j) for i in range(5) for j in range(5))

        u = np.random.default_rng(0).normal(size=(9, 9))
        J = ft.spjacobian(window, method="direct")
        want = ft.jacfwd(window)(u).reshape(81, 81)
        np.testing.assert_allclose(J(u).toarray(), want, rtol=1e-13, atol=1e-14)
        kernels = ft.jit(J.values).lower(u).kernels
        assert len(kernels) == 2  # of the points, and of the values: nothing is set to zero before

    def test_what_holds_a_part_of_its_sum_is_added_to(self) -> None:
        (group,), zero = grouped([[np.array([1, 3], np.int32)]], np.array([False, True, False, False]))
        assert group.stores[0].adds
        np.testing.assert_array_equal(zero, [3])


class TestSpaces:
    def test_axes_that_step_and_axes_that_are_listed(self) -> None:
        rows, cols = np.array([7, 9, 20], np.int32), 4 * np.arange(5, dtype=np.int32)
        table = (rows[:, None] + cols).reshape(-1)
        found = form(table, (3, 5))
        assert found is not None and found.base == 7 and found.axes[1] == 4
        np.testing.assert_array_equal(found.axes[0], [0, 2, 13])
        assert best_shape([table], [(5, 3), (3, 5)]) == (3, 5)

    @pytest.mark.parametrize("shape", [(6,), (2, 3)])
    def test_none_where_there_is_no_arithmetic(self, shape: tuple[int, ...]) -> None:
        assert form(np.array([0, 5, 1, 4, 2, 2], np.int32), shape) is None


def test_without_a_compiler_the_constant_entries_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functrans.backend.pipeline.available", lambda: False)
    J = ft.spjacobian(network, method="direct")
    mine = J.empty_values(X)
    np.testing.assert_allclose(J.values(X, out=mine), J.values(X))
    assert (mine == 3.0).sum() == 4


def heat(steps: int) -> Any:
    def f(u: Any) -> Any:
        for _ in range(steps):
            u = u + 0.1 * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1)) * np.exp(-u * u)
        return u

    return f


def test_what_a_stencil_reads_again_is_computed_before() -> None:
    u = np.random.default_rng(0).uniform(0.5, 1, 12)
    J = ft.spjacobian(heat(3), method="direct")
    np.testing.assert_allclose(J(u).toarray(), ft.jacfwd(heat(3))(u), rtol=1e-12, atol=1e-13)
    problem = next(iter(J._problems.values()))
    assert problem.direct is not None
    assert problem.direct.extraction.values.stored
    # seven diagonals, of which each is one term, however many ways lead to it
    assert len(problem.direct.terms) == 7


def test_what_takes_too_long_to_compile_is_left_to_products() -> None:
    plan = ft.spjacobian(heat(14)).plan(ft.ShapeDtype((60,)))
    assert plan.method == "compressed" and any("were chosen, not an expression" in note for note in plan.notes)


def waves(x: Any) -> Any:
    return np.sin(x[1:]) * x[:-1] + 3.0 * x[1:]


class TestValueAndJacobian:
    X = np.linspace(0.3, 1.2, 9)

    def check(self, J: Any, f: Any, x: np.ndarray, found: Any) -> None:
        value, matrix = found
        np.testing.assert_allclose(value, f(x), rtol=1e-13)
        np.testing.assert_allclose(matrix.toarray(), ft.jacfwd(f)(x), rtol=1e-12, atol=1e-14)

    @pytest.mark.parametrize("method", ["direct", "compressed"])
    def test_into_a_buffer(self, method: str) -> None:
        J = ft.spjacobian(waves, method=method)
        out = J.empty_values(self.X)
        for x in (self.X, self.X[::-1].copy()):
            found = J.value_and_jacobian(x, out=out)
            assert np.shares_memory(found[1].data, out)
            self.check(J, waves, x, found)
        other = np.full_like(out, np.nan)
        self.check(J, waves, self.X, J.value_and_jacobian(self.X, out=other))
        with pytest.raises(ft.ShapeError, match="out"):
            J.value_and_jacobian(self.X, out=np.zeros(3))

    @pytest.mark.usefixtures("compiler")
    def test_what_is_constant_is_not_written(self) -> None:
        J = ft.spjacobian(lambda x: x * x + 3.0 * x[::-1], method="direct")
        out = J.empty_values(np.ones(4))
        out[out == 3.0] = 7.0  # nobody may do so: it shows what is written
        J.value_and_jacobian(np.ones(4), out=out)
        assert (out == 7.0).sum() == 4 and (out == 2.0).sum() == 4

    @pytest.mark.usefixtures("compiler")
    def test_a_sine_of_both_is_computed_once(self) -> None:
        def f(x: Any) -> Any:
            return np.sin(x) * x + 3.0 * np.roll(x, 1)

        J = ft.spjacobian(f, method="direct")
        self.check(J, f, self.X, J.value_and_jacobian(self.X))
        (problem,) = J._problems.values()
        programs = problem.together.program, problem.program_with_value
        together, apart = (computed(p.kernels, Ops.SIN) for p in programs)
        assert together == 1 < apart

    def test_the_result_is_new_memory_each_time(self) -> None:
        J = ft.spjacobian(waves, method="direct")
        first = J.value_and_jacobian(self.X)
        kept = first[0].copy(), first[1].data.copy()
        J.value_and_jacobian(self.X * 2)
        np.testing.assert_array_equal(first[0], kept[0])
        np.testing.assert_array_equal(first[1].data, kept[1])

    def test_mapped_functions_and_aux(self) -> None:
        def f(z: Any) -> Any:
            rows = ft.vmap(lambda a: np.stack([np.cos(a[0]) * a[1], np.exp(a[1])]))(z.reshape(-1, 2))
            return rows.reshape(-1), {"sum": np.sin(z).sum()}

        z = np.linspace(0.1, 1.0, 8)
        J = ft.spjacobian(f, has_aux=True, method="direct")
        (value, aux), matrix = J.value_and_jacobian(z)
        self.check(J, lambda z: f(z)[0], z, (value, matrix))
        np.testing.assert_allclose(aux["sum"], np.sin(z).sum())


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("method", ["direct", "compressed"])
@pytest.mark.parametrize("constant", [3.0, 0.0])
def test_nothing_is_allocated(method: str, constant: float) -> None:
    """Less than one value in eight, where a vector of those that vary would take them all."""
    x = np.linspace(0.3, 1.2, 2000)
    power = 1 if constant else 2
    J = ft.spjacobian(lambda x: np.sin(x[1:]) * x[:-1] + constant * x[::-1][1:] ** power, method=method)
    out = J.empty_values(x)
    if (thread := launcher.build_in_background()) is not None:
        thread.join()
    for _ in range(70):  # the launcher is taken when a function is called often
        J.values(x, out=out)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    J.values(x, out=out)
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    assert peak < out.nbytes / 8
    np.testing.assert_allclose(out, J.values(x), rtol=1e-14)
    assert (np.count_nonzero(J.empty_values(x)) > 0) == bool(constant)


class TestSumsOfMultiples:
    def test_they_are_one_product(self) -> None:
        x = param((), dtypes.float64)
        twice, thrice = B.mul(UOp.const(x.dtype, 2.0), x), B.mul(UOp.const(x.dtype, 3.0), x)
        assert add(x, x) is twice and add(twice, x) is thrice and add(thrice, B.neg(twice)) is x
        assert add(B.neg(x), B.neg(x)) is B.mul(UOp.const(x.dtype, -2.0), x)

    def test_what_cancels_is_still_computed(self) -> None:
        """At infinity it is no zero."""
        x = param((), dtypes.float64)
        (value,) = interpret([add(x, B.neg(x))], {x: np.array(np.inf)})
        assert np.isnan(value)

    def test_of_a_cube(self) -> None:
        J = ft.spjacobian(lambda x: x**3 + 2.0 * x**2, method="direct")
        x = np.array([-1.5, 0.1, 3.0])
        np.testing.assert_allclose(J.values(x), 3 * x**2 + 4 * x, rtol=1e-15)
