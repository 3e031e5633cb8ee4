"""spjacobian: values against dense derivatives, patterns against known ones, and the whole contract of J."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

import functrans as ft
from functrans.errors import (
    ArgumentError,
    DtypeError,
    FunctransWarning,
    LeakedValueError,
    ShapeError,
    SparsityError,
    TracedValueError,
)
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.spjacobian import spjacobian


def dense(f: Any, x: np.ndarray) -> np.ndarray:
    """Column by column with jvp."""
    columns = [np.asarray(ft.jvp(f, (x,), (e.reshape(x.shape),))[1]).reshape(-1) for e in np.eye(x.size)]
    return np.stack(columns, axis=1)


def central(x: np.ndarray) -> np.ndarray:
    return x[1:-1] * (x[2:] - x[:-2])


X = np.array([1.0, 2.0, 4.0, 8.0, 16.0])


class TestMatrix:
    @pytest.mark.parametrize("format", ["csr", "csc", "coo"])
    def test_format_indices_and_data(self, format: str) -> None:
        J = spjacobian(central, format=format)
        a, b = J(X), J(X)
        assert type(a) is getattr(sp, f"{format}_array") and a.has_canonical_format and a.shape == (3, 5)
        np.testing.assert_allclose(a.toarray(), dense(central, X), rtol=1e-14)
        indices = (a.row, a.col) if format == "coo" else (a.indices, a.indptr)
        again = (b.row, b.col) if format == "coo" else (b.indices, b.indptr)
        for i, k in zip(indices, again):
            assert i.dtype == np.int32 and not i.flags.writeable and np.shares_memory(i, k)
        assert a.data.flags.writeable and not np.shares_memory(a.data, b.data)
        np.testing.assert_array_equal(a.data, J.values(X))
        pattern = J.pattern(X)
        np.testing.assert_array_equal(a.toarray()[pattern.rows, pattern.cols], a.data)

    def test_pattern_is_the_same_at_every_point_with_zeros_kept(self) -> None:
        J = spjacobian(lambda x: x * x)
        assert J(np.zeros(3)).nnz == 3 and J(np.ones(3)).nnz == 3
        assert np.array_equal(J(np.zeros(3)).data, np.zeros(3))

    def test_scalar_result_is_a_row(self) -> None:
        J = spjacobian(lambda x: (x[:2] ** 2).sum())
        np.testing.assert_allclose(J(X).toarray(), [[2, 4, 0, 0, 0]])
        assert J(X).nnz == 2

    def test_scalar_argument_is_a_column(self) -> None:
        J = spjacobian(lambda t: np.stack([t * t, t * 0 + 1, np.sin(t)]))
        np.testing.assert_allclose(J(2.0).toarray(), [[4], [0], [np.cos(2)]])

    def test_works_where_scipy_wants_a_matrix(self) -> None:
        J = spjacobian(lambda x: x**3 + np.roll(x, 1))
        step = spsolve(J(X), X)
        np.testing.assert_allclose(J(X) @ step, X)

    def test_matrix_shapes_flatten_in_c_order(self) -> None:
        x = np.arange(1.0, 7).reshape(2, 3)
        f = lambda x: x.T * x.T[::-1]  # noqa: E731
        np.testing.assert_allclose(spjacobian(f)(x).toarray(), dense(f, x))

    def test_no_elements_and_no_dependence(self) -> None:
        assert spjacobian(lambda x: x * 2)(np.zeros(0)).shape == (0, 0)
        constant = spjacobian(lambda x: np.floor(x))(X)
        assert constant.shape == (5, 5) and constant.nnz == 0 and constant.dtype == np.float64
        assert spjacobian(lambda x: x[:0])(X).shape == (0, 5)

    def test_float32(self) -> None:
        assert spjacobian(lambda x: x * x)(X.astype(np.float32)).dtype == np.float32

    def test_complex_numbers_on_the_way(self) -> None:
        f = lambda x: np.real(np.exp(1j * x) * (x[::-1] + 2j)) + np.abs(1 + 1j * x)  # noqa: E731
        step, x = 1e-6, X / 10
        want = np.stack([(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(5)], 1)
        np.testing.assert_allclose(spjacobian(f)(x).toarray(), want, atol=1e-8)

    def test_integer_results_have_empty_rows(self) -> None:
        J = spjacobian(lambda x: (x * x, x.argmax()))
        np.testing.assert_array_equal(J(X).toarray(), np.vstack([np.diag(2 * X), np.zeros(5)]))


class State(NamedTuple):
    position: Any
    velocity: Any


class TestArguments:
    def test_pytrees_concatenate_in_leaf_order(self) -> None:
        def f(s: State, p: dict[str, Any]) -> dict[str, Any]:
            return {"b": s.position * p["k"], "a": s.velocity.sum() * s.position}

        s, p = State(np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])), {"k": np.array([6.0, 7.0]), "unused": 1.0}
        have = spjacobian(f)(s, p).toarray()
        a = np.hstack([12 * np.eye(2), np.array([[1.0, 1, 1], [2, 2, 2]])])
        b = np.hstack([np.diag([6.0, 7.0]), np.zeros((2, 3))])
        np.testing.assert_array_equal(have, np.vstack([a, b]))

    def test_tuple_of_argnums(self) -> None:
        f = lambda a, t, b: a[:, None] * b * t  # noqa: E731
        a, b = np.array([1.0, 2.0]), np.array([[3.0, 4, 5], [6, 7, 8]])
        J = spjacobian(f, argnums=(2, 0))
        by_b, by_a = J(a, 2.0, b)
        np.testing.assert_allclose(by_b.toarray(), dense(lambda b: f(a, 2.0, b), b))
        np.testing.assert_allclose(by_a.toarray(), dense(lambda a: f(a, 2.0, b), a))
        values = J.values(a, 2.0, b)
        assert isinstance(values, tuple) and np.array_equal(values[1], by_a.data)
        assert [p.shape for p in J.pattern(a, 2.0, b)] == [(6, 6), (6, 2)]
        assert [len(c.colors) for c in J.coloring(a, 2.0, b)] == [6, 2]
        out = tuple(np.empty(v.shape) for v in values)
        assert J.values(a, 2.0, b, out=out) is out and np.array_equal(out[0], values[0])
        assert isinstance(spjacobian(f, argnums=(0,))(a, 2.0, b), tuple)
        np.testing.assert_array_equal(spjacobian(f, argnums=-1)(a, 2.0, b).toarray(), by_b.toarray())

    def test_keyword_arguments_are_passed_on(self) -> None:
        J = spjacobian(lambda x, scale: x * scale)
        np.testing.assert_array_equal(J(X, scale=3.0).data, np.full(5, 3.0))

    @pytest.mark.parametrize("x", [np.arange(3), np.ones(3, bool), np.ones(3, complex)])
    def test_only_real_floats_are_differentiated_by(self, x: np.ndarray) -> None:
        with pytest.raises(DtypeError, match=r"argument 0 has dtype"):
            spjacobian(lambda x: x * 1.0)(x)

    def test_closure_is_frozen_at_the_first_call(self) -> None:
        scale = np.array([2.0])
        J = spjacobian(lambda x: x * scale)
        assert J(np.ones(1)).data[0] == 2
        scale[0] = 5
        assert J(np.ones(1)).data[0] == 2

    def test_traced_once_a_signature(self) -> None:
        calls = []
        J = spjacobian(lambda x: [calls.append(0), x * x][1])
        J.pattern(ft.ShapeDtype((3,), np.float64))
        J(np.ones(3)), J.values(np.ones(3)), J.value_and_jacobian(np.ones(3)), J.coloring(np.ones(3))
        assert len(calls) == 1
        J(np.ones(4)), J(np.ones(3, np.float32))  # another shape, another dtype
        assert len(calls) == 3

    def test_strided_and_read_only_arguments(self) -> None:
        x = np.arange(10.0)[::-2]
        x.flags.writeable = False
        np.testing.assert_array_equal(spjacobian(central)(x).toarray(), spjacobian(central)(x.copy()).toarray())


class TestAuxiliary:
    def test_has_aux(self) -> None:
        J = spjacobian(lambda x: (x * x, {"sum": x.sum(), "n": 3}), has_aux=True)
        matrix, aux = J(X)
        np.testing.assert_array_equal(matrix.data, 2 * X)
        assert aux["sum"] == X.sum() and aux["n"] == 3
        (value, aux), matrix = J.value_and_jacobian(X)
        np.testing.assert_array_equal(value, X * X)
        assert aux["sum"] == X.sum() and matrix.nnz == 5
        np.testing.assert_array_equal(J.values(X), 2 * X)

    def test_has_aux_needs_a_pair(self) -> None:
        with pytest.raises(ArgumentError, match=r"\(result, aux\)"):
            spjacobian(lambda x: x, has_aux=True)(X)

    def test_value_and_jacobian(self) -> None:
        f = lambda x: {"r": central(x), "s": x.sum()}  # noqa: E731
        value, matrix = spjacobian(f).value_and_jacobian(X)
        np.testing.assert_array_equal(value["r"], central(X))
        assert value["s"] == X.sum()
        np.testing.assert_array_equal(matrix.toarray(), spjacobian(f)(X).toarray())


class TestValues:
    def test_out_is_written_in_full_and_returned(self) -> None:
        J = spjacobian(central)
        out = np.full(9, np.nan)
        assert J.values(X, out=out) is out
        np.testing.assert_array_equal(out, J.values(X))
        strided = np.full(18, np.nan)[::2]
        np.testing.assert_array_equal(J.values(X, out=strided), J.values(X))

    def test_out_over_the_argument(self) -> None:
        J, x = spjacobian(lambda x: x * x[::-1]), np.array([1.0, 2.0])
        memory = np.array([1.0, 2.0, 0.0, 0.0])
        want = J.values(x)
        np.testing.assert_array_equal(J.values(memory[:2], out=memory), want)

    def test_bad_out(self) -> None:
        J = spjacobian(central)
        with pytest.raises(ShapeError):
            J.values(X, out=np.empty(8))
        with pytest.raises(DtypeError):
            J.values(X, out=np.empty(9, np.float32))
        with pytest.raises(ArgumentError):
            J.values(X, out=[0.0] * 9)
        frozen = np.empty(9)
        frozen.flags.writeable = False
        with pytest.raises(ValueError):
            J.values(X, out=frozen)

    def test_empty_values_holds_the_constant_entries(self) -> None:
        def f(x: Any) -> Any:
            return np.stack([x[0] * x[1] + 3 * x[2], 5 * x[0] - x[3], np.sin(np.sqrt(x[1])) + 7 * x[2]])

        J = spjacobian(f)
        x = np.array([1.0, 2.0, 3.0, 4.0])
        empty, full = J.empty_values(x), J.values(x)
        pattern = J.pattern(x)
        fixed = {(0, 2): 3.0, (1, 0): 5.0, (1, 3): -1.0, (2, 2): 7.0}
        for k, place in enumerate(zip(pattern.rows.tolist(), pattern.cols.tolist())):
            assert empty[k] == fixed.get(place, 0.0)
        assert J.values(x, out=empty) is empty
        np.testing.assert_array_equal(empty, full)
        assert not np.shares_memory(J.empty_values(x), J.empty_values(x))
        np.testing.assert_array_equal(J.empty_values(ft.ShapeDtype((4,))), J.empty_values(x))
        assert "4 of them constant" in str(J.plan(x))

    def test_entry_that_depends_through_a_branch_or_another_argument_is_not_constant(self) -> None:
        J = spjacobian(lambda x, p: np.where(x > 0, 2 * x, 3 * x) + p * x[::-1])
        assert not J.empty_values(np.ones(2), 2.0).any()

    def test_vmap_jvp_jit_and_nesting(self) -> None:
        J = spjacobian(lambda x: x[1:] * x[:-1] ** 2)
        xs = np.random.default_rng(0).normal(size=(3, 2, 4))
        want = np.stack([[J.values(x) for x in row] for row in xs])
        np.testing.assert_allclose(ft.vmap(ft.vmap(J.values))(xs), want, rtol=1e-15)
        np.testing.assert_allclose(ft.jit(ft.vmap(J.values))(xs[0]), want[0], rtol=1e-15)
        x, v = xs[0, 0], np.ones(4)
        value, tangent = ft.jvp(J.values, (x,), (v,))
        step = 1e-6
        np.testing.assert_array_equal(value, want[0, 0])
        np.testing.assert_allclose(tangent, (J.values(x + step * v) - J.values(x - step * v)) / (2 * step), rtol=1e-7)
        second = spjacobian(J.values)
        np.testing.assert_allclose(second(x).toarray(), dense(J.values, x), rtol=1e-13)

    def test_values_of_values_in_one_trace(self) -> None:
        """Loops over colors inside loops over colors are different loops."""
        J = spjacobian(lambda x: x * x * x)
        np.testing.assert_allclose(ft.jit(lambda x: J.values(J.values(x)))(X), 3 * (3 * X**2) ** 2)

    def test_inside_a_function_that_is_mapped_over_what_f_captures(self) -> None:
        """Stage by stage with its own constants: the pattern holds for all lanes."""
        masks, xs = np.array([[1.0, 0, 2], [0, 3, 0]]), np.arange(6.0).reshape(2, 3)
        patterns = []

        def values(mask: Any, x: Any) -> Any:
            J = spjacobian(lambda x: mask * x * x[::-1])
            patterns.append(J.pattern(ft.ShapeDtype(x.shape)))
            return J.values(x)

        mapped = ft.vmap(values)(masks, xs)
        for mask, x, have in zip(masks, xs, mapped):
            want = dense(lambda x: mask * x * x[::-1], x)
            np.testing.assert_array_equal(patterns[0].to_scipy(have).toarray(), want)

    def test_tensor_in_tensor_out(self) -> None:
        J = spjacobian(central)
        values = J.values(ft.Tensor(X))
        assert isinstance(values, ft.Tensor)
        np.testing.assert_array_equal(values.numpy(), J.values(X))
        assert isinstance(J(ft.Tensor(X)), sp.csr_array)

    @pytest.mark.parametrize("what", ["__call__", "pattern", "coloring", "value_and_jacobian", "plan", "empty_values"])
    def test_what_needs_numbers_says_so_inside_a_trace(self, what: str) -> None:
        J = spjacobian(central)
        with pytest.raises(TracedValueError, match=r"J\.values"):
            ft.jit(lambda x: [getattr(J, what)(x), x][1])(X)
        with pytest.raises(ArgumentError, match="out="):
            ft.jit(lambda x: J.values(x, out=np.empty(9)))(X)

    @pytest.mark.parametrize("what", ["__call__", "value_and_jacobian", "empty_values"])
    def test_what_needs_numbers_when_f_closes_over_a_traced_value(self, what: str) -> None:
        with pytest.raises(TracedValueError, match=r"closes over a traced value.*J\.values"):
            ft.jit(lambda p: [getattr(spjacobian(lambda x: p * x), what)(X), p][1])(2.0)

    def test_derivative_by_what_f_closes_over(self) -> None:
        value, tangent = ft.jvp(lambda p: spjacobian(lambda x: p * x**2).values(X), (3.0,), (1.0,))
        np.testing.assert_array_equal(value, 6 * X)
        np.testing.assert_array_equal(tangent, 2 * X)

    def test_leaked_function(self) -> None:
        kept: list[SparseFunction] = []

        def f(p: Any) -> Any:
            kept.append(spjacobian(lambda x: p * x))
            return kept[-1].values(np.ones(2))

        ft.jit(f)(3.0)
        with pytest.raises(LeakedValueError):
            kept[0].values(np.ones(2))


class TestGivenPattern:
    ROWS, COLS = [0, 0, 1, 1], [0, 1, 1, 2]

    @staticmethod
    def f(x: Any) -> Any:
        return np.stack([x[0] * x[1], x[1] + x[2] ** 2])

    def test_every_form(self) -> None:
        x, shape = np.array([1.0, 2.0, 3.0]), (2, 3)
        forms = [
            (self.ROWS, self.COLS, shape), SparsityPattern(self.ROWS, self.COLS, shape),
            sp.coo_array((np.ones(4), (self.ROWS, self.COLS)), shape),
        ]  # fmt: skip
        for pattern in forms:
            J = spjacobian(self.f, pattern=pattern, check=True)
            np.testing.assert_array_equal(J(x).toarray(), dense(self.f, x))

    def test_another_shape_raises(self) -> None:
        J = spjacobian(lambda x: x * x, pattern=([0, 1], [0, 1], (2, 2)))
        assert J(np.ones(2)).nnz == 2
        with pytest.raises(SparsityError, match=r"shape \(2, 2\).*shape \(3, 3\)"):
            J(np.ones(3))

    def test_too_small_is_found_and_named(self) -> None:
        J = spjacobian(self.f, pattern=([0, 1, 1], [0, 1, 2], (2, 3)), check=True)
        with pytest.raises(SparsityError, match=r"row 0; it lacks \(0, 1\)"):
            J(np.zeros(3))  # where the missing entry happens to vanish

    @pytest.mark.parametrize(
        "f",
        [
            lambda x: np.where(x[:3] > 10, x[1:], x[:3]),
            lambda x: np.maximum(x[:3], x[1:] - 100),
            lambda x: np.clip(x[1:], 1e3, 1e4) + x[:3],
            lambda x: x[:3] + (x[:3] > 10) * x[1:],
            lambda x: x[:3] + np.floor(x[:3] / 10) * x[1:],
            lambda x: x[:3] + x[:3] % (100 + x[1:]),
            lambda x: x[:3] + (np.abs(x[1:] + 100) - x[1:]) * 1.0,
            lambda x: np.stack([np.concatenate([x[k : k + 1], x[k + 1 : k + 2] - 50]).max() for k in range(3)]),
        ],
        ids=["where", "maximum", "clip", "mask", "floor", "mod", "abs", "max"],
    )
    def test_an_entry_of_a_branch_that_is_not_taken_is_missed(self, f: Any) -> None:
        x = np.array([1.0, 2.0, 3.0, 4.0])
        whole = spjacobian(f).pattern(x)
        assert (0, 1) in set(zip(whole.rows.tolist(), whole.cols.tolist(), strict=True))
        spjacobian(f, pattern=whole, check=True)(x)
        with pytest.raises(SparsityError, match=r"rows 0, 1, 2; it lacks \(0, 1\), \(1, 2\), \(2, 3\)"):
            spjacobian(f, pattern=sp.eye_array(3, 4), check=True)(x)

    def test_a_right_pattern_that_detection_finds_no_reason_for_passes(self) -> None:
        x, order = np.array([3.0, 1.0, 2.0]), np.array([2, 0, 1])
        right = {
            "cancelled": (lambda x: x - x[0], (np.r_[1, 1, 2, 2], np.r_[0, 1, 0, 2], (3, 3))),
            "computed index": (lambda x: 2 * x[(np.floor(0 * x) + order).astype(np.int64)], (range(3), order, (3, 3))),
            "triangular inverse": (lambda x: np.linalg.solve(np.tril(np.outer(x, x)), x)[:1], ([0], [0], (1, 3))),
            "branch elsewhere": (lambda x: np.concatenate([x[:1] - x[:1] + x[1:2], np.maximum(x[2:], 0)]),
                                 ([0, 1], [1, 2], (2, 3))),
        }  # fmt: skip
        for what, (f, pattern) in right.items():
            found = spjacobian(f, pattern=pattern, check=True)(x)
            np.testing.assert_allclose(found.toarray(), dense(f, x), atol=1e-14, err_msg=what)

    def test_several_matrices_and_one_triangle(self) -> None:
        def f(x: Any, y: Any) -> Any:
            return np.where(x > 5, x * y, x)

        x, eye = np.ones(3), sp.eye_array(3)
        spjacobian(f, (0, 1), pattern=(eye, eye), check=True)(x, x)
        with pytest.raises(SparsityError, match=r"it lacks \(0, 3\), \(1, 4\), \(2, 5\)"):
            spjacobian(f, (0, 1), pattern=(eye, sp.csr_array((3, 3))), check=True)(x, x)
        g = lambda x: np.where(x[:-1] > 5, x[:-1] * x[1:], x[:-1] ** 2 + x[1:] ** 2).sum()  # noqa: E731
        for triangle in ("full", "lower", "upper"):
            with pytest.raises(SparsityError, match=r"\(1, 0\)"):
                ft.sphessian(g, pattern=eye, triangle=triangle, check=True)(x)
            ft.sphessian(g, pattern=sp.diags_array([1.0, 1.0], offsets=[0, 1], shape=(3, 3)), check=True)(x)

    def test_larger_is_fine(self) -> None:
        J = spjacobian(self.f, pattern=sp.coo_array(np.ones((2, 3))), check=True)
        np.testing.assert_array_equal(J(np.array([1.0, 2.0, 3.0])).toarray(), [[2, 1, 0], [0, 1, 6]])

    def test_dense_pattern_warns(self) -> None:
        J = spjacobian(lambda x: x * x.sum())
        J(np.ones(5))
        with pytest.warns(FunctransWarning, match="no structural zero"):
            J(np.ones(100))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            J(np.ones(100))

    def test_explain(self) -> None:
        x = ft.ShapeDtype((3,))
        assert "argument [2]" in spjacobian(self.f).pattern(x).explain(1, 2)
        two = spjacobian(lambda a, b: a * b, argnums=(0, 1)).pattern(np.ones(3), np.ones(3))
        assert "argument [1]" in two[1].explain(1, 1)


class TestOptions:
    @pytest.mark.parametrize(
        "option",
        [{"method": "magic"}, {"partition": "diagonal"}, {"format": "lil"}, {"has_aux": 1},
         {"argnums": True}, {"argnums": ()}, {"argnums": 1.5}, {"argnums": (0, 1), "pattern": ([0], [0], (1, 1))}],
    )  # fmt: skip
    def test_nonsense(self, option: dict[str, Any]) -> None:
        with pytest.raises(ArgumentError):
            spjacobian(central, **option)

    def test_nonsense_at_the_call(self) -> None:
        with pytest.raises(ArgumentError, match="argnums 1"):
            spjacobian(central, argnums=1)(X)
        with pytest.raises(ArgumentError, match="twice"):
            spjacobian(central, argnums=(0, -1))(X)
        with pytest.raises(ArgumentError, match="holds no numbers"):
            spjacobian(central)(ft.ShapeDtype((5,)))
        with pytest.raises(ArgumentError):
            spjacobian(central)("x")
        with pytest.raises(ArgumentError):
            spjacobian(3)

    def test_plan(self) -> None:
        plan = spjacobian(central, method="compressed").plan(ft.ShapeDtype((1000,)))
        assert (plan.method, plan.partition, plan.num_colors, plan.nonzeros) == ("compressed", "column", 3, (2994,))
        diagonal = np.arange(998), np.arange(998), (998, 1000)  # one color: one product beside f
        one = spjacobian(central, method="compressed", pattern=diagonal).plan(ft.ShapeDtype((1000,)))
        assert one.num_colors == 1 and one.cost > one.function_cost == plan.function_cost > 0
        assert plan.cost == plan.function_cost + 3 * (one.cost - one.function_cost)
        assert "998 x 1000, 2994 nonzeros" in str(plan)
        direct = spjacobian(central).plan(ft.ShapeDtype((1000,)))
        assert (direct.method, direct.partition, direct.num_colors) == ("direct", None, 0)
        assert 0 < direct.cost < plan.cost
        computed = spjacobian(lambda x: x[(x[:1] > 0).astype(np.int64)])
        assert "computed index" in str(computed.plan(X))


@pytest.mark.usefixtures("compiler")
def test_a_buffer_of_empty_values_is_written_where_entries_vary() -> None:
    J = ft.spjacobian(lambda x: x * x + 3.0 * x[::-1])
    x = np.arange(1.0, 5.0)
    mine, plain = J.empty_values(x), np.full(8, np.nan)
    np.testing.assert_array_equal(J.values(x, out=mine), J.values(x))
    np.testing.assert_array_equal(J.values(x, out=plain), J.values(x))
    constant = mine == 3.0
    mine[constant] = 7.0
    assert J.values(2 * x, out=mine) is mine
    np.testing.assert_array_equal(mine, np.where(constant, 7.0, J.values(2 * x)))
