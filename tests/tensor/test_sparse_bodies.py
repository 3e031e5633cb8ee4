"""Sparse systems in the bodies of loops and branches: the bits that they have between kernels."""


import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as spl

import functrans as ft
from functrans.backend.codegen.regions import lowered
from functrans.backend.sparse import straight
from functrans.errors import LinAlgError
from functrans.testing import check_jvp, check_vjp
from tests.plans import plan_anew
from tests.tensor.matrices import error, inside, random_matrix

pytestmark = pytest.mark.usefixtures("compiler")


def test_small_systems_in_bodies():
    A = random_matrix(7, 0.2, 13, "permuted")
    rng = np.random.default_rng(0)
    values, b = A.data * (1 + 0.1 * rng.normal(size=(5, A.nnz))), rng.normal(size=7)

    def three(v):
        F = ft.sparse(v, A).factor()
        return ft.scan(lambda x, _: (F.solve(F.solve(x), trans=True), None), b, None, length=3)[0]

    got = ft.vmap(three)(values)
    for lane in range(5):
        M = sp.csr_array((values[lane], A.indices, A.indptr), A.shape).toarray()
        want = np.linalg.matrix_power(np.linalg.inv(M @ M.T), 3) @ b
        np.testing.assert_allclose(got[lane], want, rtol=1e-8)
        np.testing.assert_array_equal(got[lane], ft.jit(three)(values[lane]))
    check_jvp(three, (A.data,))
    check_vjp(three, (A.data,))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize(("n", "columns"), [(1, 1), (2, 3), (3, 1), (9, 3), (33, 1), (70, 3), (130, 1), (200, 3)])
def test_in_bodies_of_any_size_lanes_have_the_bits_that_they_have_between_kernels(n, columns):
    A = random_matrix(n, min(0.5, 3 / n), n, "symmetric" if n % 2 else "plain")
    rng = np.random.default_rng(n)
    values, b = A.data * (1 + 0.1 * rng.normal(size=(11, A.nnz))), rng.normal(size=(11, n, columns))
    # of both forms of the code
    assert (ft.sparse(A).factor()._symbolic.products > straight.QUICK) == (n > 70)
    for trans in (False, True):
        f = lambda v, r, trans=trans: ft.sparse(v, A).factor().solve(r, trans)  # noqa: E731
        once = ft.vmap(f)(values, b)
        for lane in range(11):
            M = sp.csr_array((values[lane], A.indices, A.indptr), A.shape)
            assert error(M.T if trans else M, once[lane], b[lane]) <= 1e-14
        want = ft.vmap(f)(values, once)
        got = ft.vmap(lambda v, r, f=f: inside(f, v, r))(values, b)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(inside(f, values[4], b[4]), want[4])
        shared = ft.vmap(lambda r, f=f: inside(f, values[0], r))(b)
        np.testing.assert_array_equal(shared, ft.vmap(lambda r, f=f: f(values[0], f(values[0], r)))(b))


def test_a_matrix_of_all_lanes_and_one_of_each_in_one_body():
    A = random_matrix(6, 0.3, 3)
    values = A.data * (1 + 0.1 * np.random.default_rng(0).normal(size=(3, A.nnz)))

    def f(v):
        once = lambda v, x: ft.spsolve(ft.sparse(v, A), x)  # noqa: E731
        return inside(lambda v, x: once(values[0], once(v, x)), v, np.ones(6))

    for lane, x in enumerate(ft.vmap(f)(values)):
        np.testing.assert_array_equal(x, f(values[lane]))


@pytest.mark.parametrize("left", [False, True])
def test_loops_one_after_the_other_and_carries_that_stay_in_place(left, monkeypatch):
    n = 100
    A = random_matrix(n, 0.03, 3)
    values = A.data * (1 + 0.1 * np.random.default_rng(0).normal(size=(11, A.nnz)))
    ends = np.linspace(1.0, 40.0, 11)
    if left:
        monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)
        plan_anew(monkeypatch)

    def f(v, end):
        A_ = ft.sparse(v, A)

        def further(s):
            k, x, kept = s
            y = ft.spsolve(A_, x)
            return k + 1, y / abs(y).max(), kept.at[k % n].set(y[0])

        _, x, kept = ft.while_loop(lambda s: s[0] < end, further, (0, np.ones(n), np.zeros(n)))
        rows = ft.scan(lambda x, _: (ft.spsolve(A_, x), x[:2]), x, None, length=3)
        return x, kept, *rows

    def plain(v, end):
        M = sp.csc_array(sp.csr_array((v, A.indices, A.indptr), A.shape))
        x, kept, rows = np.ones(n), np.zeros(n), []
        for k in range(int(np.ceil(end))):
            y = spl.spsolve(M, x)
            x, kept[k % n] = y / abs(y).max(), y[0]
        last = x
        for _ in range(3):
            rows.append(last[:2])
            last = spl.spsolve(M, last)
        return x, kept, last, np.stack(rows)

    for lane, got in enumerate(zip(*ft.vmap(f)(values, ends), strict=True)):
        alone, wanted = ft.jit(f)(values[lane], ends[lane]), plain(values[lane], ends[lane])
        for one, other, want in zip(got, alone, wanted, strict=True):
            np.testing.assert_array_equal(one, other)
            np.testing.assert_allclose(one, want, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("n", [5, 70])
def test_a_lane_that_a_body_cannot_solve(n):
    A = random_matrix(n, 0.3 if n < 9 else 0.03, 14)
    values = np.stack([A.data] * 4)
    values[2, A.tocoo().row == 1] = 0
    values[3, 0] = np.nan
    f = ft.vmap(lambda v: inside(lambda v, x: ft.spsolve(ft.sparse(v, A), x), v, np.ones(n)))
    with pytest.raises(LinAlgError, match="batch index 2 is singular; in a loop or branch"):
        f(values)
    with ft.config.override(linalg_errors="nan"):
        x = f(values)
    assert np.isnan(x[2:]).all()
    assert np.isfinite(x[:2]).all()


def test_factors_are_stored_where_several_solutions_read_them_and_that_pays():
    light = random_matrix(10, 0.1, 15)
    heavy = random_matrix(40, 0.5, 15)
    for A, count in ((light, 0), (heavy, 1)):

        def twice(v, A=A):
            F = ft.sparse(v, A).factor()
            return F.solve(F.solve(np.ones(A.shape[0])))

        def once(v, A=A):
            return ft.spsolve(ft.sparse(v, A), np.ones(A.shape[0]))

        for f, expected in ((twice, count), (once, 0)):
            steps = ft.jit(f).lower(A.data).cost().host_steps
            assert steps == expected + (2 if f is twice else 1)
