"""Determinants, inertia and inverses by sparse factors, between kernels and in bodies, against dense NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp

import functrans as ft
from functrans.backend.sparse import straight
from functrans.errors import FunctransWarning, LinAlgError, SparsityError
from functrans.testing import check_jvp, check_vjp
from tests.tensor.matrices import random_matrix

pytestmark = pytest.mark.usefixtures("compiler")
LANES = 9


def indefinite(n: int, density: float, kind: str) -> tuple[sp.csr_array, np.ndarray]:
    """A pattern, and the entries of matrices with eigenvalues of both signs; of a saddle with holes in the diagonal."""
    A = random_matrix(n, density, n + 3, kind)
    if kind == "symmetric":
        A = sp.csr_array(A - sp.diags_array(np.where(np.arange(n) % 3 == 0, 9.0, 0.0)))
        A.sort_indices()
    scale = np.random.default_rng(n).uniform(0.9, 1.1, (LANES, n))
    at = A.tocoo()
    return A, A.data * scale[:, at.row] * scale[:, at.col]


def dense(A: sp.csr_array, values: np.ndarray) -> np.ndarray:
    return np.stack([sp.csr_array((v, A.indices, A.indptr), A.shape).toarray() for v in values])


def everything(A):
    """Logarithm, sign, number of negative eigenvalues, and the gradient of the logarithm, by entries."""

    def f(v):
        F = ft.sparse(v, A).factor("ldl")
        sign, log = F.slogdet()
        return log, sign, F.inertia().negative, ft.grad(lambda v: ft.sparse(v, A).factor().logdet())(v)

    return f


def in_a_body(f, v):
    """The same in the body of a loop, computed anew in each round."""
    _, rows = ft.scan(lambda c, k: (c, f(v + k)), 0.0, np.zeros(2))
    return ft.tree.map(lambda x: x[-1], rows)


@pytest.mark.parametrize("n", [1, 14, 90])
@pytest.mark.parametrize("kind", ["symmetric", "saddle"])
def test_determinants_inertia_and_gradients_of_any_pattern(n, kind):
    A, values = indefinite(n, min(0.25, 4 / n), kind)
    assert (ft.sparse(A).factor("ldl")._symbolic.products > straight.QUICK) == (n > 14)
    f = everything(A)
    whole = dense(A, values)
    want = np.linalg.slogdet(whole)
    negative = (np.linalg.eigvalsh(whole) < 0).sum(-1)
    at = A.tocoo()
    inverse = np.linalg.inv(whole).swapaxes(1, 2)[:, at.row, at.col]
    for found in (ft.vmap(f)(values), ft.vmap(lambda v: in_a_body(f, v))(values)):
        np.testing.assert_allclose(found[0], want.logabsdet, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(found[1], want.sign)
        np.testing.assert_array_equal(found[2], negative)
        np.testing.assert_allclose(found[3], inverse, rtol=1e-7, atol=1e-9 * abs(inverse).max())
    for method in (lambda v: f(v), lambda v: in_a_body(f, v)):
        alone, many = ft.jit(method)(values[4]), ft.vmap(method)(values)
        for one, lanes in zip(alone, many, strict=True):
            np.testing.assert_array_equal(one, lanes[4])


@pytest.mark.parametrize("kind", ["plain", "permuted", "graded"])
def test_entries_of_the_inverse_of_unsymmetric_matrices(kind):
    A = random_matrix(12, 0.2, 5, kind)
    values = A.data * (1 + 0.1 * np.random.default_rng(0).normal(size=(LANES, A.nnz)))
    log = lambda v: ft.sparse(v, A).factor().logdet()  # noqa: E731
    at = A.tocoo()
    want = np.linalg.inv(dense(A, values)).swapaxes(1, 2)[:, at.row, at.col]
    found = ft.vmap(ft.grad(log))(values)
    np.testing.assert_allclose(found, want, rtol=1e-8, atol=1e-12 * abs(want).max())
    np.testing.assert_array_equal(found[2], ft.grad(log)(values[2]))
    if kind == "plain":
        check_jvp(ft.grad(log), (values[0],))
        check_vjp(lambda v: in_a_body(log, v), (values[0],))


def test_a_gradient_by_pivots_that_are_too_small_is_left_to_superlu():
    A = random_matrix(10, 0.3, 7)
    values = A.data.copy()
    values[A.tocoo().row == A.tocoo().col] *= 1e-19
    at = A.tocoo()
    want = np.linalg.inv(dense(A, values[None])[0]).T[at.row, at.col]
    found = ft.grad(lambda v: ft.sparse(v, A).factor().logdet())(values)
    np.testing.assert_allclose(found, want, rtol=1e-8, atol=1e-10 * abs(want).max())


def test_what_has_no_inertia():
    A, values = indefinite(6, 0.4, "symmetric")
    values[7, A.tocoo().row == 2] = values[7, A.tocoo().col == 2] = 0
    count = lambda v: ft.sparse(v, A).factor("ldl").inertia()  # noqa: E731
    for f in (count, lambda v: in_a_body(count, v)):
        with pytest.raises(LinAlgError, match="inertia: the matrix at batch index 7 is singular"):
            ft.vmap(f)(values)
        with ft.config.override(linalg_errors="nan"):
            positive, negative = ft.vmap(f)(values)
        assert (positive[7], negative[7]) == (-1, -1)
        assert ((positive + negative)[:7] == 6).all()
    with pytest.raises(SparsityError, match="kind='ldl'"):
        ft.sparse(A).factor().inertia()


@pytest.mark.filterwarnings(f"error::{FunctransWarning.__module__}.{FunctransWarning.__name__}")
def test_bodies_share_factors_and_check_those_of_cholesky():
    A = random_matrix(20, 0.3, 10, "symmetric")
    A = sp.csr_array(A + 40 * sp.eye_array(20))
    A.sort_indices()
    values = A.data * np.linspace(1.0, 2.0, LANES)[:, None]
    whole = dense(A, values)

    def likelihood(v):
        F = ft.sparse(v, A).factor("cholesky")
        step = lambda c, x: (c + 0.5 * F.logdet() - 0.5 * x * F.solve(F.solve(np.ones(20))).sum(), None)  # noqa: E731
        return ft.scan(step, 0.0, np.arange(3.0))[0]

    twice = np.linalg.solve(whole, np.linalg.solve(whole, np.ones((20, 1)))).sum((1, 2))
    want = 1.5 * np.linalg.slogdet(whole)[1] - 1.5 * twice
    np.testing.assert_allclose(ft.vmap(likelihood)(values), want, rtol=1e-10)
    check_vjp(lambda t: likelihood(values[0] * t), (1.5,))

    def last(v):
        F = ft.sparse(v, A).factor("cholesky")
        again = lambda F, x: (ft.sparse(v * x, A).factor("cholesky"), F.logdet())  # noqa: E731
        F, logs = ft.scan(again, F, np.array([2.0, 3.0]))
        return F.solve(np.ones(20)), logs

    x, logs = ft.vmap(last)(values)
    np.testing.assert_allclose(x, np.linalg.solve(3 * whole, np.ones((LANES, 20, 1)))[..., 0], rtol=1e-10)
    want = np.linalg.slogdet(whole)[1]
    np.testing.assert_allclose(logs, np.stack([want, want + 20 * np.log(2)], 1), rtol=1e-10)
    values[3] *= -1
    factors = lambda v: in_a_body(lambda v: ft.sparse(v, A).factor("cholesky").solve(np.ones(20)), v)  # noqa: E731
    with pytest.raises(LinAlgError, match="Cholesky: the matrix at batch index 3 is not positive definite"):
        ft.vmap(factors)(values)


def test_functions_that_are_exported_have_determinants(tmp_path):
    A, values = indefinite(8, 0.3, "saddle")
    f = everything(A)
    library = ft.export_c(f, values[0], name="det", path=tmp_path / "det.c", derivatives=()).compile()
    for one, want in zip(ft.load_c(library, "det")(values[0]), f(values[0]), strict=True):
        np.testing.assert_allclose(one, want, rtol=1e-12)
