"""sphessian and lagrangian_hessian: values against the dense Hessian, patterns, triangles, and what solvers ask for."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import functrans as ft
from functrans import lagrangian_hessian, sphessian
from functrans.errors import ArgumentError, DtypeError, FunctransWarning, ShapeError, SparsityError
from tests.transforms.sparse.programs import Program

X = np.random.default_rng(3).uniform(0.5, 1.5, 8)
METHODS = ["direct", "compressed"]
TRIANGLES = {"full": np.ones_like, "lower": np.tril, "upper": np.triu}


def rosenbrock(x: Any) -> Any:
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def star(x: Any) -> Any:
    """A hub that meets all others."""
    return (np.sin(x[1:]) * x[0]).sum() + x[0] ** 3


def grid(x: Any) -> Any:
    y = x.reshape(2, -1)
    return (np.exp(y[:, 1:] * y[:, :-1])).sum() + (y[0] ** 2 * y[1]).sum()


def curvature(x: Any) -> Any:
    return (x[2:] - 2 * x[1:-1] + x[:-2]) * x[1:-1]


FUNCTIONS = [rosenbrock, star, grid]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("triangle", TRIANGLES)
@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("method", METHODS)
def test_the_hessian_is_the_dense_one(f: Any, triangle: str, format: str, method: str) -> None:
    H = sphessian(f, triangle=triangle, format=format, method=method)
    want = np.asarray(ft.hessian(f)(X))
    if triangle != "full":
        want = TRIANGLES[triangle](want)
    found = H(X)
    assert type(found) is getattr(sp, f"{format}_array") and found.has_canonical_format
    np.testing.assert_allclose(found.toarray(), want, rtol=1e-13, atol=1e-13)
    pattern = H.pattern(X)
    np.testing.assert_array_equal(found.toarray()[pattern.rows, pattern.cols], H.values(X))
    np.testing.assert_array_equal(H.values(X, out=np.empty(pattern.nnz)), found.data)
    np.testing.assert_array_equal(H.values(X, out=H.empty_values(X)), found.data)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_the_pattern_has_no_entry_too_many(f: Any) -> None:
    want = np.asarray(ft.hessian(f)(X)) != 0
    if f is rosenbrock:
        want |= np.eye(8, dtype=bool)
    np.testing.assert_array_equal(sphessian(f).pattern(X).to_scipy().toarray(), want)


def test_colors() -> None:
    chain = sphessian(rosenbrock, method="compressed")
    assert chain.coloring(X).partition == "symmetric" and chain.coloring(X).num_colors == 2  # by substitution
    assert chain.coloring(X).substitution
    assert chain.coloring(ft.ShapeDtype((1000,))).num_colors == 3
    assert sphessian(star).coloring(ft.ShapeDtype((1000,))).num_colors == 2
    plan = chain.plan(ft.ShapeDtype((1000,)))
    assert plan.partition == "symmetric" and plan.nonzeros == (2998,) and "3 products" in str(plan)


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed: int) -> None:
    program = Program(seed, smooth=True)
    f = lambda *args: sum((np.sin(v) * v).sum() for v in program(*args))  # noqa: E731
    args, numbers = program.args, tuple(range(len(program.args)))
    blocks = ft.hessian(f, argnums=numbers)(*args)
    rows = [np.hstack([np.reshape(b, (a.size, c.size)) for b, c in zip(row, args)]) for a, row in zip(args, blocks)]
    want = np.vstack(rows)
    for method in ("auto", "compressed"):
        found = sphessian(f, argnums=numbers, method=method)(*args)
        np.testing.assert_allclose(found.toarray(), want, rtol=1e-10, atol=1e-10, err_msg=repr(program))
        lower = sphessian(f, argnums=numbers, triangle="lower", method=method)(*args)
        np.testing.assert_allclose(lower.toarray(), np.tril(found.toarray()), rtol=1e-13, atol=1e-13)


def test_one_matrix_for_several_arguments_and_pytrees() -> None:
    f = lambda p, t, q: (p["a"] ** 2 * q).sum() * t + (p["b"] * q[0]).sum()  # noqa: E731
    p, q = {"a": X[:2], "b": X[2:3]}, X[3:5]
    found = sphessian(f, argnums=(0, 2))(p, 2.0, q).toarray()
    flat = lambda z: f({"a": z[:2], "b": z[2:3]}, 2.0, z[3:])  # noqa: E731
    np.testing.assert_allclose(found, ft.hessian(flat)(X[:5]), rtol=1e-14)
    np.testing.assert_allclose(sphessian(f, argnums=-1)(p, 2.0, q).toarray(), found[3:, 3:], rtol=1e-14)


def test_columns_are_taken_where_they_are_fewer() -> None:
    def area(u: Any) -> Any:
        right, down = u[:-1, 1:] - u[:-1, :-1], u[1:, :-1] - u[:-1, :-1]
        return np.sqrt(1 + right**2 + down**2).sum()

    u = np.random.default_rng(0).normal(size=(60, 60))
    H = sphessian(area, method="compressed")
    assert (H.coloring(u).partition, H.coloring(u).num_colors) == ("column", 7)
    np.testing.assert_allclose(H(u).data, sphessian(area, method="direct")(u).data, rtol=1e-12, atol=1e-14)


def test_value_and_jacobian_is_gradient_and_hessian() -> None:
    gradient, hessian = sphessian(rosenbrock).value_and_jacobian(X)
    np.testing.assert_array_equal(gradient, ft.grad(rosenbrock)(X))
    np.testing.assert_array_equal(hessian.data, sphessian(rosenbrock).values(X))


@pytest.mark.parametrize("method", METHODS)
def test_values_under_transforms(method: str) -> None:
    H = sphessian(star, triangle="lower", method=method)
    points = np.stack([X, X + 1])
    np.testing.assert_array_equal(ft.vmap(H.values)(points), [H.values(x) for x in points])
    np.testing.assert_array_equal(ft.jit(H.values)(X), H.values(X))
    third = ft.jvp(H.values, (X,), (np.ones(8),))[1]
    near = (H.values(X + 1e-6) - H.values(X - 1e-6)) / 2e-6
    np.testing.assert_allclose(third, near, atol=1e-7)


def test_sizes_zero_and_one_and_no_curvature() -> None:
    for n in (0, 1):
        assert sphessian(lambda x: (x**3).sum())(np.ones(n)).toarray().tolist() == [[6.0]] * n
    assert sphessian(lambda x: x**3)(2.0).toarray().tolist() == [[12.0]]
    flat = sphessian(lambda x: x.sum())
    assert flat(X).shape == (8, 8) and flat(X).nnz == 0 and flat.coloring(X).num_colors == 0
    assert sphessian(lambda x: (x * x).sum())(X.astype(np.float32)).dtype == np.float32


def test_given_patterns() -> None:
    tridiagonal = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(8, 8))
    want = np.asarray(ft.hessian(rosenbrock)(X))
    for pattern in (tridiagonal, sp.tril(tridiagonal), sp.triu(tridiagonal)):
        found = sphessian(rosenbrock, pattern=pattern, check=True)(X)
        np.testing.assert_allclose(found.toarray(), want, rtol=1e-13, atol=1e-13)
    lower = sphessian(rosenbrock, pattern=tridiagonal, triangle="lower", check=True)(X)
    np.testing.assert_allclose(lower.toarray(), np.tril(want), rtol=1e-13, atol=1e-13)
    for triangle in TRIANGLES:
        with pytest.raises(SparsityError, match=r"sphessian of rosenbrock: the given pattern is too small .* \(1, 0\)"):
            sphessian(rosenbrock, pattern=sp.eye_array(8), triangle=triangle, check=True)(X)
    with pytest.raises(SparsityError, match=r"shape \(3, 3\), the matrix has shape \(8, 8\)"):
        sphessian(rosenbrock, pattern=sp.eye_array(3))(X)


def dense(x: Any) -> Any:
    return x.sum() ** 3


def pairs(x: Any) -> Any:
    return x[1:] * x[:-1]


def test_a_dense_hessian_is_announced(tmp_path: Path) -> None:
    with pytest.warns(FunctransWarning, match="the Hessian of .* has no structural zero") as given:
        sphessian(lambda x: x.sum() ** 3).pattern(ft.ShapeDtype((100,)))
    assert given[0].filename == __file__
    with pytest.warns(FunctransWarning, match="the Hessian of dense and pairs has no structural zero"):
        ft.nlp(dense, pairs).export(tmp_path / "nlp.c", np.ones(100), target="ipopt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sphessian(rosenbrock).pattern(X)


def test_explain_names_the_ops_of_the_gradient() -> None:
    assert "SIN [0] of (7,)" in sphessian(star).pattern(X).explain(0, 1)


class TestLagrangian:
    @pytest.mark.usefixtures("compiler")
    def test_it_is_the_hessian_of_the_sum(self) -> None:
        lam = np.random.default_rng(5).normal(size=6)
        H = lagrangian_hessian(rosenbrock, curvature)
        for factor in (1.0, 0.25, 0.0):
            lagrangian = lambda x: factor * rosenbrock(x) + lam @ curvature(x)  # noqa: E731
            want = np.tril(ft.hessian(lagrangian)(X))
            np.testing.assert_allclose(H(X, lam, factor).toarray(), want, rtol=1e-13, atol=1e-12)
            np.testing.assert_allclose(H(X, lam, obj_factor=factor).toarray(), want, rtol=1e-13, atol=1e-12)
        # a factor that is the number 1 is left out before products are ordered
        np.testing.assert_allclose(H(X, lam).data, H(X, lam, 1.0).data, rtol=1e-14)

    def test_triangles_and_formats(self) -> None:
        lam = np.ones(6)
        full = lagrangian_hessian(rosenbrock, curvature, triangle="full")(X, lam).toarray()
        np.testing.assert_array_equal(full, full.T)
        upper = lagrangian_hessian(rosenbrock, curvature, triangle="upper", format="csc")
        assert type(upper(X, lam)) is sp.csc_array
        np.testing.assert_array_equal(upper(X, lam).toarray(), np.triu(full))

    def test_constraints_of_several_leaves(self) -> None:
        g = lambda x: {"b": x[:2] ** 2, "a": x[0] * x[2]}  # noqa: E731
        H = lagrangian_hessian(lambda x: x[0] ** 2, g, triangle="full")
        found = H(X[:3], np.array([5.0, 7.0, 11.0])).toarray()  # leaves in the order of their keys: a, b
        np.testing.assert_array_equal(found, [[2 + 14, 0, 5], [0, 22, 0], [5, 0, 0]])
        np.testing.assert_array_equal(H(X[:3], {"a": 5.0, "b": np.array([7.0, 11.0])}).toarray(), found)

    def test_refusals(self) -> None:
        with pytest.raises(ShapeError, match="lam has 3 elements and curvature has 6 results"):
            lagrangian_hessian(rosenbrock, curvature)(X, np.ones(3))
        with pytest.raises(ArgumentError, match=r"the objective curvature has results of shapes \[\(6,\)\]"):
            lagrangian_hessian(curvature, curvature)(X, np.ones(6))
        with pytest.raises(ArgumentError, match="lagrangian_hessian differentiates a function"):
            lagrangian_hessian(rosenbrock, None)  # type: ignore[arg-type]


def test_refusals() -> None:
    with pytest.raises(ArgumentError, match=r"scalar-output functions.*Sum the result of curvature"):
        sphessian(curvature)(X)
    with pytest.raises(DtypeError, match="int64"):
        sphessian(lambda x: (x * 1.0).sum())(np.arange(3))
    for option in ({"method": "fast"}, {"triangle": "left"}, {"format": "dia"}):
        ((name, value),) = option.items()
        with pytest.raises(ArgumentError, match=f"sphessian {name}='{value}'; expected one of"):
            sphessian(rosenbrock, **option)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="sphessian differentiates a function"):
        sphessian(3)  # type: ignore[arg-type]


def test_pickling() -> None:
    for H, args in [(sphessian(star, triangle="lower"), (X,)), (lagrangian_hessian(star, curvature), (X, np.ones(6)))]:
        H(*args)
        again = pickle.loads(pickle.dumps(H))
        np.testing.assert_array_equal(again(*args).toarray(), H(*args).toarray())
    J = ft.spjacobian(curvature, argnums=(0,))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(J))(X)[0].data, J(X)[0].data)
