"""Sparse systems: any pattern against dense solutions and SciPy's, batches against loops, derivatives, refusals."""

import warnings
from collections import OrderedDict

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as spl
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.backend.sparse import blocks, engine, native, plan, steps
from functrans.backend.sparse.ordering import minimum_degree
from functrans.backend.sparse.plan import symbolic
from functrans.backend.sparse.symbolic import factor_pattern
from functrans.config import config
from functrans.errors import DtypeError, LinAlgError, ShapeError, SparsityError
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.sparse_systems import factors
from functrans.testing import check_jvp, check_vjp
from tests.tensor.matrices import error, inside, random_matrix

pytestmark = pytest.mark.usefixtures("compiler")


KINDS = ["plain", "permuted", "graded", "symmetric", "saddle"]


@settings(max_examples=120, deadline=None)
@given(
    st.integers(0, 25),
    st.sampled_from([0.0, 0.1, 0.4]),
    st.sampled_from(KINDS),
    st.integers(0, 99),
    st.sampled_from([None, 0, 1, 3]),
    st.sampled_from(["amd", "natural"]),
    st.booleans(),
)
def test_solutions_of_any_pattern(n, density, kind, seed, k, ordering, known):
    A = random_matrix(n, density, seed, kind)
    b = np.random.default_rng(seed + 1).normal(size=n if k is None else (n, k))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.errors.FunctransWarning)  # small pivots by chance are another test

        def everything(v):
            F = ft.sparse(v, A).factor(ordering=ordering, nominal=A.data if known else None)
            return F.solve(b), F.solve(b, trans=True), F.slogdet()

        for x, y, (sign, log) in (everything(A.data), ft.jit(everything)(A.data)):
            assert error(A, np.asarray(x), b) <= 1e-14
            assert error(sp.csr_array(A.T), np.asarray(y), b) <= 1e-14
            want = np.linalg.slogdet(A.toarray())
            assert sign == want.sign
            np.testing.assert_allclose(log, want.logabsdet, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_a_lane_has_the_bits_that_it_has_alone(kind):
    A = random_matrix(14, 0.2, 3, kind)
    rng = np.random.default_rng(0)
    values, b = A.data * (1 + 0.1 * rng.normal(size=(11, A.nnz))), rng.normal(size=(11, 14, 2))

    def f(v, r):
        return ft.spsolve(ft.sparse(v, A), r)

    many = ft.vmap(f)(values, b)
    one = ft.jit(f)
    np.testing.assert_array_equal(many, [one(v, r) for v, r in zip(values, b, strict=True)])
    np.testing.assert_array_equal(ft.vmap(f, method="rewrite")(values, b), many)
    np.testing.assert_array_equal(ft.vmap(f, (None, 0))(values[0], b)[3], one(values[0], b[3]))
    np.testing.assert_array_equal(ft.vmap(f, (0, None))(values, b[1])[4], one(values[4], b[1]))
    nested = ft.vmap(ft.vmap(f, (0, None)), (None, 0))(values, b[:3])
    np.testing.assert_array_equal(nested[2, 5], one(values[5], b[2]))
    logs = ft.jit(ft.vmap(lambda v: ft.sparse(v, A).factor().logdet()))
    np.testing.assert_array_equal(logs(values), [logs(v[None])[0] for v in values])
    for lane in range(11):
        M = sp.csr_array((values[lane], A.indices, A.indptr), A.shape)
        assert error(M, many[lane], b[lane]) <= 1e-14


def of_pairs(side: int) -> sp.csr_array:
    """Of a grid with two unknowns in each point, a few of which lack the second: rows and pivots of one structure."""
    rows, cols = grid(side)
    rng = np.random.default_rng(side)
    kept = np.flatnonzero(np.append(np.ones(side * side, bool), rng.random(side * side) < 0.8))
    points = sp.csr_array((np.ones(len(rows)), (rows, cols))) + sp.eye_array(side * side)
    found = sp.csr_array(sp.kron(np.ones((2, 2)), points).tocsr()[kept][:, kept])
    found.data = rng.normal(size=found.nnz)
    found = sp.csr_array(found + found.T + 20 * sp.eye_array(len(kept)))
    found.sort_indices()
    return found


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("kind", ["lu", "ldl"])
@pytest.mark.parametrize("pairs", [False, True])
def test_all_forms_of_the_code_do_the_same(monkeypatch, kind, pairs):
    """Loops, with places that are kept and looked for, vectors half as long, code for one pattern, one system alone."""
    A = of_pairs(7) if pairs else random_matrix(40, 0.08, 5, "plain" if kind == "lu" else "symmetric")
    n, rng = A.shape[0], np.random.default_rng(0)
    changed = A.data * (1 + 0.1 * rng.normal(size=(9, A.nnz))) if kind == "lu" else A.data * np.arange(1.0, 10)[:, None]
    values, b = changed, rng.normal(size=(9, n))

    def both(v, r):
        F = ft.sparse(v, A).factor(kind)
        return F.solve(r), F.solve(r, trans=True), ft.spsolve(ft.sparse(v, A), r)

    want = ft.vmap(both)(values, b)
    found = [ft.vmap(both)(values[:1], b[:1])]
    monkeypatch.setattr(steps, "is_narrow", lambda s: True)
    found.append(ft.vmap(both)(values, b))
    monkeypatch.setattr(blocks, "LINE_BYTES", 0)
    monkeypatch.setattr(blocks, "_known", type(blocks._known)())
    monkeypatch.setattr(steps, "_patterns", type(steps._patterns)())
    found.append(ft.vmap(both)(values, b))
    monkeypatch.setattr(steps, "is_narrow", lambda s: False)
    found.append(ft.vmap(both)(values, b))
    monkeypatch.setattr(engine, "WORK", 0)
    monkeypatch.setattr(engine, "_systems", OrderedDict())
    texts = []
    made = engine.straight.kernel
    monkeypatch.setattr(engine.straight, "kernel", lambda s: texts.append(made(s)) or texts[-1])
    found.append(ft.vmap(both)(values, b))
    assert texts
    for got in found:
        for x, y in zip(got, want, strict=True):
            np.testing.assert_array_equal(x, y[: len(x)])


def repeated(stages, wide, density, seed, symmetric):
    """A matrix of stages that are alike, each with entries of its own, of the next one and of two for all."""
    rng = np.random.default_rng(seed)
    own, ahead, edge = (rng.random((wide, k)) < density for k in (wide, wide, 2))
    n = stages * wide + 2
    mask = np.eye(n, dtype=bool)
    for k in range(stages):
        at = slice(k * wide, (k + 1) * wide)
        mask[at, at] |= own
        mask[at, -2:] |= edge
        if k + 1 < stages:
            mask[at, (k + 1) * wide : (k + 2) * wide] |= ahead
    mask |= mask.T if symmetric else False
    dense = np.where(mask, rng.normal(size=(n, n)), 0.0)
    dense = dense + dense.T if symmetric else dense
    return sp.csr_array(dense + np.diag(np.abs(dense).sum(1) + 1.0))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize(("stages", "wide", "symmetric"), [
    (30, 1, False), (24, 2, True), (20, 3, False), (16, 4, True), (12, 6, False), (12, 6, True),
    (1, 200, False),  # rows that differ in nothing but the places that their pivots change
])  # fmt: skip
def test_code_for_each_shape_of_a_row_does_the_same(monkeypatch, stages, wide, symmetric):
    A = repeated(stages, wide, 0.6, wide - 1, symmetric) if stages > 1 else random_matrix(wide, 2 / wide, 0)
    n, rng = A.shape[0], np.random.default_rng(0)
    kind = "ldl" if symmetric else "lu"
    values, b = A.data * (1 + rng.random((9, 1))), rng.normal(size=(9, n, 2))

    def both(v, r):
        F = ft.sparse(v, A).factor(kind)
        return F.solve(r), F.solve(r, trans=True), ft.spsolve(ft.sparse(v, A), r)

    monkeypatch.setattr(engine, "WORK", 10**12)
    monkeypatch.setattr(engine, "_systems", OrderedDict())
    want = ft.vmap(both)(values, b)
    np.testing.assert_allclose(A.toarray() @ (want[2] * (values[:, 0] / A.data[0])[:, None, None]), b, atol=1e-9)
    s, written = symbolic(*A.nonzero(), n, kind), []
    monkeypatch.setattr(engine, "WORK", 0)
    monkeypatch.setattr(engine, "_systems", OrderedDict())
    monkeypatch.setattr(engine.straight, "MOST", s.products - 1)
    monkeypatch.setattr(engine.straight, "QUICK", s.products - 1)
    monkeypatch.setattr(steps, "_patterns", OrderedDict())
    made = engine.kernel
    monkeypatch.setattr(engine, "kernel", lambda s, shapes: written.append(shapes) or made(s, shapes))
    for narrow in (False, True):
        monkeypatch.setattr(engine, "is_narrow", lambda s, narrow=narrow: narrow)
        monkeypatch.setattr(steps, "is_narrow", lambda s, narrow=narrow: narrow)
        for got in (ft.vmap(both)(values, b), ft.vmap(both)(values[:1], b[:1])):
            for x, y in zip(got, want, strict=True):
                np.testing.assert_array_equal(x, y[: len(x)])
    assert len(written) >= 2 and all(w.products < s.products for w in written)  # eight, four systems, or one


def test_factors_that_no_cache_holds_are_not_written_out(monkeypatch):
    """Memory is that of four systems then, which loops alone can take at a time."""
    A = random_matrix(12, 0.2, 1)
    s = symbolic(*A.nonzero(), 12)
    monkeypatch.setattr(engine, "WORK", 0)
    monkeypatch.setattr(engine, "_systems", OrderedDict())
    monkeypatch.setattr(engine, "native", lambda text, what: text)
    monkeypatch.setattr(engine, "_entries", type(engine._entries)())
    loops = engine._loops(False)
    assert engine.engine(s, 9) != loops and "written out, eight" in engine.form(s)
    monkeypatch.setattr(engine, "FAR_BYTES", 0)
    assert engine.engine(s, 9) == loops and engine.form(s) == "loops over the pattern, four systems at a time"


@pytest.mark.parametrize("symmetric", [False, True])
def test_segments_and_pairs_are_those_of_the_pattern(symmetric):
    """Each entry of L belongs to one segment, whose pivots have one structure, and pairs of rows have one."""
    A = of_pairs(6)
    rows, cols = (np.asarray(x) for x in A.tocoo().coords)
    s = symbolic(rows, cols, A.shape[0], "ldl" if symmetric else "lu")
    found = blocks.Blocks.of(s)
    sizes, at, read = np.diff(found.rows), 0, 0
    assert set(sizes.tolist()) == {1, 2}
    pivots = []
    row_of = lambda i: s.indices[s.indptr[i] : s.indptr[i + 1]].tolist()  # noqa: E731
    for first, size in zip(found.rows[:-1].tolist(), sizes.tolist(), strict=True):
        row, own = row_of(first), int(s.diagonal[first] - s.indptr[first])
        assert size == 1 or row_of(first + 1) == row
        p = 0
        while p < own:
            count, m = divmod(int(found.segments[at]), 4)
            of = row[p : p + m + 1]
            assert of == list(range(of[0], of[0] + m + 1))
            for k in of:
                behind = [c for c in row_of(k) if c > of[-1] and (c >= first or not symmetric)]
                assert behind == [row[q] for q in found.places[read : read + count]]
            p, at, read = p + m + 1, at + 1, read + count
            pivots.append(m + 1)
    assert at == len(found.segments) and read == len(found.places) and max(pivots) > 1


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("n", [9, 90])  # written out in bodies, and loops
def test_bits_do_not_depend_on_what_a_compiler_optimizes(n, unoptimized):
    A = random_matrix(n, 3 / n, 1)
    rng = np.random.default_rng(0)
    values, b = A.data * (1 + 0.1 * rng.normal(size=(9, A.nnz))), rng.normal(size=(9, n))
    f = lambda v, r: ft.sparse(v, A).factor().solve(r)  # noqa: E731
    found = []
    for cc in (unoptimized, None):
        with config.override(cc=cc):
            found.append((ft.vmap(f)(values, b), ft.vmap(lambda v, r: inside(f, v, r))(values, b), f(values[0], b[0])))
    for got, want in zip(*found, strict=True):
        np.testing.assert_array_equal(got, want)


def test_without_a_compiler_the_answers_are_scipys(monkeypatch):
    A, b = random_matrix(12, 0.2, 1), np.arange(12.0)
    want = spl.spsolve(A.tocsc(), b)
    monkeypatch.setattr(engine, "native", lambda text, what: None)
    np.testing.assert_allclose(ft.jit(lambda b: ft.spsolve(A, b))(b), want, rtol=1e-12)
    turned = ft.jit(lambda b: ft.sparse(A).factor().solve(b, trans=True))(b)
    np.testing.assert_allclose(turned, spl.spsolve(A.T.tocsc(), b), rtol=1e-12)


def test_factors_multiply_to_the_matrix():
    A = random_matrix(15, 0.15, 2, "permuted")
    at = A.tocoo()
    s = symbolic(at.row, at.col, 15)
    made = factors(s, A.data)
    dense = sp.csr_array((made, s.indices, s.indptr), (15, 15)).toarray()
    upper, lower = np.triu(dense, 1) + np.diag(1 / np.diag(dense)), np.tril(dense, -1) + np.eye(15)
    np.testing.assert_allclose(lower @ upper, A.toarray()[np.ix_(s.row_order, s.col_order)], atol=1e-10)


@pytest.mark.parametrize("kind", ["plain", "saddle"])
def test_derivatives(kind):
    A = random_matrix(8, 0.2, 4, kind)
    b = np.random.default_rng(0).normal(size=(8, 2))

    def solve(v, r):
        return ft.spsolve(ft.sparse(v, A), r)

    def turned(v, r):
        return ft.sparse(v, A).factor().solve(r, trans=True)

    def logarithm(v):
        return ft.sparse(v, A).factor().logdet()

    for f, args in ((solve, (A.data, b)), (turned, (A.data, b)), (logarithm, (A.data,))):
        check_jvp(f, args)
        check_vjp(f, args)
        check_jvp(ft.grad(lambda *a, f=f: (f(*a) ** 2).sum()), args)
    many = np.stack([A.data, 1.1 * A.data])
    gradient = ft.grad(lambda v: (solve(v, b) ** 2).sum())
    np.testing.assert_array_equal(ft.vmap(gradient)(many)[1], gradient(many[1]))


def test_matrices_are_pytrees_and_factors_too():
    A = random_matrix(9, 0.3, 6)
    rng = np.random.default_rng(0)
    values, b = A.data * (1 + rng.random((4, A.nnz))), rng.normal(size=9)
    S = ft.sparse(values[0], A)
    factored = ft.jit(lambda S: (S + S).factor())(S)
    np.testing.assert_allclose(2 * (S @ factored.solve(b)).numpy(), b, atol=1e-12)
    many = ft.vmap(lambda v: ft.sparse(v, A))(values)
    x = ft.vmap(lambda S: ft.spsolve(S, b))(many)
    np.testing.assert_array_equal(x[2], ft.jit(lambda v: ft.spsolve(ft.sparse(v, A), b))(values[2]))
    dense = np.zeros((9, 9))
    dense[A.tocoo().row, A.tocoo().col] = values[0]
    np.testing.assert_array_equal(S.toarray().numpy(), dense)
    np.testing.assert_array_equal(S.T.toarray().numpy(), dense.T)
    np.testing.assert_array_equal(S.diagonal().numpy(), np.diagonal(dense))
    np.testing.assert_allclose(ft.jit(lambda v, x: x @ ft.sparse(v, A))(values[0], b), b @ dense, atol=1e-13)
    with pytest.raises(SparsityError, match="different patterns"):
        S + S.T


def test_entries_are_those_of_a_sparse_jacobian():
    def f(x):
        return x**3 + np.roll(x, 1) * 0.1

    J = ft.spjacobian(f)
    x = np.linspace(1, 2, 6)
    pattern = J.pattern(x)
    step = ft.jit(lambda x: ft.spsolve(ft.sparse(J.values(x), pattern), f(x)))
    np.testing.assert_allclose(step(x), np.linalg.solve(J(x).toarray(), f(x)), rtol=1e-12)


def test_small_pivots_are_left_to_superlu_and_announced():
    A = random_matrix(10, 0.3, 7)
    values = np.stack([A.data, A.data])
    values[1, A.tocoo().row == A.tocoo().col] *= 1e-19
    b = np.ones(10)
    with pytest.warns(ft.errors.FunctransWarning, match="1 of 2 sparse systems of 10 rows were solved by SuperLU"):
        x = ft.vmap(lambda v: ft.spsolve(ft.sparse(v, A), b))(values)
    for lane in range(2):
        assert error(sp.csr_array((values[lane], A.indices, A.indptr), A.shape), x[lane], b) <= 1e-14


def test_a_singular_lane_is_named_or_nan():
    A = random_matrix(6, 0.4, 8)
    values = np.stack([A.data] * 11)
    values[9, A.tocoo().row == 3] = 0
    f = ft.vmap(lambda v: ft.spsolve(ft.sparse(v, A), np.ones(6)))
    with pytest.raises(LinAlgError, match="batch index 9 is singular"):
        f(values)
    with ft.config.override(linalg_errors="nan"):
        x = f(values)
    assert np.isnan(x[9]).all()
    np.testing.assert_array_equal(np.delete(x, 9, 0), np.stack([x[0]] * 10))
    sign, log = ft.vmap(lambda v: ft.sparse(v, A).factor().slogdet())(values)
    assert (sign[9], log[9]) == (0, -np.inf)


def test_nan_stays_in_its_lane():
    A = random_matrix(6, 0.4, 9)
    values = np.stack([A.data] * 3)
    values[1, 2] = np.nan
    b = np.ones((3, 6))
    b[2, 0] = np.inf
    x = ft.vmap(lambda v, r: ft.spsolve(ft.sparse(v, A), r))(values, b)
    assert np.isfinite(x[0]).all()
    assert np.isnan(x[1:]).all()


def test_cholesky_refuses_what_is_not_positive_definite():
    A = random_matrix(8, 0.2, 10, "symmetric")
    positive = sp.csr_array(A + 20 * sp.eye_array(8))
    b = np.arange(8.0)
    F = ft.sparse(positive).factor("cholesky")
    np.testing.assert_allclose(ft.jit(F.solve)(b), np.linalg.solve(positive.toarray(), b), rtol=1e-12)
    np.testing.assert_allclose(F.logdet().numpy(), np.linalg.slogdet(positive.toarray())[1])
    with pytest.raises(LinAlgError, match="not positive definite"):
        ft.jit(ft.sparse(positive * -1.0).factor("cholesky").solve)(b)
    with pytest.raises(SparsityError, match="symmetric matrices"):
        ft.sparse(random_matrix(8, 0.2, 10)).factor("ldl")


def test_symmetric_factors_are_half_the_work():
    A = random_matrix(30, 0.1, 3, "symmetric")
    at, b = A.tocoo(), np.random.default_rng(0).normal(size=(30, 2))
    whole, half = (symbolic(at.row, at.col, 30, kind) for kind in ("lu", "ldl"))
    np.testing.assert_array_equal(whole.indices, half.indices)
    rows = half.indptr[1:] - half.diagonal - 1
    assert whole.products == (rows * (rows + 1)).sum()
    assert half.products == (rows * (rows + 3) // 2).sum()

    def inside(v):  # the body of a loop
        return ft.fori_loop(0, 1, lambda _, x: ft.sparse(v, A).factor("ldl").solve(b) + 0 * x, np.zeros((30, 2)))

    for x in (ft.jit(lambda v: ft.sparse(v, A).factor("ldl").solve(b))(A.data), ft.jit(inside)(A.data)):
        assert max(error(A, x[:, k], b[:, k]) for k in range(2)) <= 1e-14


def test_a_matrix_that_is_not_symmetric_is_not_solved_as_if_it_were(monkeypatch):
    A, b = random_matrix(12, 0.2, 1, "symmetric"), np.arange(1.0, 13.0)
    A.data[1] += 0.5
    with pytest.warns(ft.FunctransWarning, match="were solved by SuperLU"):
        x = ft.jit(lambda v: ft.sparse(v, A).factor("ldl").solve(b))(A.data)
    assert error(A, x, b) <= 1e-14


def test_structurally_singular_patterns_name_their_rows():
    with pytest.raises(LinAlgError, match=r"at most 2 of 3 rows are independent; no pivot is left for row 1"):
        ft.spsolve(sp.csr_array(([1.0, 2.0], ([0, 2], [0, 2])), (3, 3)), np.ones(3))
    with pytest.raises(LinAlgError, match="at most 2 of 3"):  # no row and no column is empty
        ft.spsolve(sp.csr_array([[1.0, 1, 1], [1, 0, 0], [1, 0, 0]]), np.ones(3))


def test_refusals():
    A = random_matrix(5, 0.3, 0)
    with pytest.raises(ShapeError, match="expected a square one"):
        ft.spsolve(sp.csr_array((2, 3)), np.ones(2))
    with pytest.raises(ShapeError, match="right-hand side of shape"):
        ft.spsolve(A, np.ones(4))
    with pytest.raises(DtypeError, match="sparse factors are real"):
        ft.spsolve(A * 1j, np.ones(5))
    with pytest.raises(ShapeError, match="entries of shape"):
        ft.sparse(np.ones(3), A)
    with pytest.raises(SparsityError, match="names a place twice"):
        ft.sparse(np.ones(2), ([0, 0], [1, 1], (2, 2)))
    for column in (2, -1):
        with pytest.raises(SparsityError, match=f"column {column} of .* out of range"):
            ft.sparse(np.ones(1), ([0], [column], (2, 2)))
    with pytest.raises(ValueError, match="'qr' is none of"):
        ft.sparse(A).factor("qr")


def grid(side: int) -> tuple[np.ndarray, np.ndarray]:
    """The places of the five-point Laplacian."""
    line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(side, side))
    at = (sp.kron(line, sp.eye_array(side)) + sp.kron(sp.eye_array(side), line)).tocoo()
    return at.row.astype(np.int64), at.col.astype(np.int64)


def test_an_ordering_is_a_permutation_of_small_fill(monkeypatch):
    rows, cols = grid(16)
    off, n = rows != cols, 256
    weights = np.ones(n, np.int64)
    fills = []
    for large in (0, 10**9):  # in C, in Python
        monkeypatch.setattr(native, "LARGE", large)
        order = minimum_degree(rows[off], cols[off], n, weights)
        np.testing.assert_array_equal(np.sort(order), np.arange(n))
        place = np.argsort(order)
        fills.append(factor_pattern(place[rows], place[cols], n)[0][-1])
    natural = factor_pattern(rows, cols, n)[0][-1]
    assert max(fills) < 0.6 * natural
    assert max(fills) < 1.15 * min(fills)


@pytest.mark.parametrize("large", [0, 10**9], ids=["C", "Python"])
@pytest.mark.parametrize("kind", ["plain", "symmetric"])
def test_the_pattern_of_factors_is_that_of_elimination(kind, large, monkeypatch):
    monkeypatch.setattr(native, "LARGE", large)
    A = random_matrix(20, 0.1, 11, kind)
    at = A.tocoo()
    indptr, indices, diagonal = factor_pattern(at.row, at.col, 20)
    full = A.toarray() != 0
    for k in range(20):
        full[k + 1 :, k + 1 :] |= np.outer(full[k + 1 :, k], full[k, k + 1 :])
    got = sp.csr_array((np.ones(len(indices), bool), indices, indptr), (20, 20)).toarray()
    np.testing.assert_array_equal(got, full)
    np.testing.assert_array_equal(indices[diagonal], np.arange(20))


def saddle(stages: int, states: int, controls: int, spread: bool) -> sp.csr_array:
    """The pattern of the conditions of an optimum of a chain; cost that is a sum of terms of each unknown, or not."""
    m = states + controls
    n = stages * m + states
    block = sp.csr_array(np.hstack([np.ones((states, m)), np.eye(states), np.zeros((states, controls))]))
    wide = sp.csr_array((stages * states, n + controls)).tolil()
    for k in range(stages):
        wide[k * states : (k + 1) * states, k * m : k * m + 2 * m - controls + controls] = block.toarray()
    J = sp.csr_array(wide.tocsr()[:, :n])
    parts = [np.ones((m, m)) if spread else np.eye(m)] * stages + [np.eye(states)]
    return sp.csr_array(sp.block_array([[sp.block_diag([sp.coo_array(p) for p in parts]), J.T], [J, None]]))


@pytest.mark.parametrize("sizes", [(12, 3, 1, True), (12, 3, 1, False), (20, 2, 1, False), (20, 4, 2, True)])
def test_rows_without_a_diagonal_entry_make_little_fill(sizes):
    """They cost at most three quarters more than if they had one: of several matchings the best is taken."""
    A = saddle(*sizes)
    at, n = A.tocoo(), A.shape[0]
    regular = (A + 1e-9 * sp.eye_array(n)).tocoo()
    made, least = symbolic(at.row, at.col, n), symbolic(regular.row, regular.col, n)
    assert made.products <= 1.75 * least.products
    rng = np.random.default_rng(0)
    A.data = A.data * rng.normal(size=A.nnz)
    b = rng.normal(size=n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.errors.FunctransWarning)
        assert error(A, ft.jit(lambda b: ft.spsolve(A, b))(b), b) <= 1e-14


def test_a_plan_is_linear_in_the_fill():
    """Of everything that is kept there are at most as many numbers as entries of the factors, some times."""
    for side in (8, 16, 32):
        rows, cols = grid(side)
        s = symbolic(rows, cols, side * side)
        kept = sum(a.size for a in vars(s).values() if isinstance(a, np.ndarray))
        assert kept <= 3 * s.fill + 6 * s.n
    rows = np.concatenate([np.arange(3000), np.zeros(2999, int), np.arange(1, 3000)])  # an arrow
    cols = np.concatenate([np.arange(3000), np.arange(1, 3000), np.zeros(2999, int)])
    assert symbolic(rows, cols, 3000).fill == len(rows)


def test_a_plan_is_made_once_a_pattern(monkeypatch):
    A = random_matrix(7, 0.3, 12)
    made = []
    original = plan._analysed
    monkeypatch.setattr(plan, "_analysed", lambda *a: made.append(a) or original(*a))
    for scale in (1.0, 2.0):
        ft.spsolve(A * scale, np.ones(7)).numpy()
    assert len(made) <= 1
    at = A.tocoo()
    assert isinstance(symbolic(at.row, at.col, 7), Symbolic)
    shown = str(ft.sparse(A).factor().plan)
    assert "in L + U" in shown
    assert "operations a factorization" in shown
