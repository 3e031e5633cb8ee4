"""ft.sparse(A) @ x is the dense product, and SciPy's bit for bit, from every format; explicit zeros count."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import ArgumentError, DtypeError, ShapeError, UnsupportedError
from functrans.ops import source
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.tensor import Tensor
from functrans.tensor.sparse import sparse

FORMATS = ["csr", "csc", "coo", "dok", "lil", "bsr", "dia"]
DTYPES = [np.float64, np.float32, np.int64, np.complex128, np.bool_]


@st.composite
def matrices(draw):
    m, n = draw(st.integers(0, 5)), draw(st.integers(1, 5))
    dense = np.random.default_rng(draw(st.integers(0, 99))).integers(-4, 5, (m, n)) / 2
    mask = np.random.default_rng(draw(st.integers(0, 99))).random((m, n)) < draw(st.sampled_from([0.1, 0.5, 1.0]))
    return (dense * mask).astype(draw(st.sampled_from(DTYPES)))


@settings(max_examples=200, deadline=None)
@given(matrices(), st.sampled_from(FORMATS), st.booleans(), st.sampled_from([None, 0, 1, 3]), st.sampled_from(DTYPES))
def test_products_are_those_of_the_dense_matrix(dense, form, matrix, k, dtype):
    if 0 in dense.shape and form in ("bsr", "dia"):
        form = "csr"
    S, (m, n) = sparse(getattr(sp, f"{form}_{'matrix' if matrix else 'array'}")(dense)), dense.shape
    rng = np.random.default_rng(1)
    right = (rng.normal(size=n if k is None else (n, k)) * 4).astype(dtype)
    left = (rng.normal(size=m if k is None else (k, m)) * 4).astype(dtype)
    for got, want in (
        (S @ right, dense @ right),
        (S @ Tensor(right), dense @ right),
        (left @ S, left @ dense),
        (Tensor(left) @ S, left @ dense),
        (S.T @ left.T, dense.T @ left.T),
    ):
        assert isinstance(got, Tensor)
        assert got.dtype == want.dtype
        assert got.shape == want.shape
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-5 if want.dtype == np.float32 else 1e-13, atol=1e-12)


def test_rows_are_summed_in_order():
    A = sp.random_array((40, 30), density=0.4, rng=np.random.default_rng(0), format="csr")
    x = np.random.default_rng(1).normal(size=30)
    np.testing.assert_array_equal((sparse(A) @ x).numpy(), A @ x)


def scatters(node):
    return [u for u in node.toposort() if u.op is Ops.SCATTER]


def test_explicit_zeros_and_nothing_else_are_entries():
    A = sp.coo_array(([0.0, 2.0, 1.0, -1.0], ([0, 0, 1, 1], [2, 0, 1, 1])), shape=(2, 3))
    S = sparse(A)
    assert (S.nnz, S.shape, S.dtype, S.ndim) == (3, (2, 3), np.float64, 2)
    (scatter,) = scatters((S @ Tensor.from_uop(source.param((3,), dtypes.float64))).uop)
    np.testing.assert_array_equal(interpret([scatter.src[2]])[0], [0, 0, 1])
    assert np.isnan((S @ np.array([1.0, 1.0, np.nan])).numpy()[0])


def test_one_entry_a_row_is_a_gather():
    x = source.param((4,), dtypes.float64)
    P = sparse(sp.csr_array((np.ones(3), ([0, 1, 2], [3, 0, 0])), shape=(3, 4)))
    node = (P @ Tensor.from_uop(x)).uop
    assert not scatters(node) and Ops.MUL not in {u.op for u in node.toposort()}
    np.testing.assert_array_equal(interpret([node], {x: np.arange(4.0)})[0], [3, 0, 0])


def test_a_matrix_of_minus_ones_multiplies_nothing():
    A = sp.csr_array(-np.ones((2, 3)))
    x = source.param((3,), dtypes.float64)
    node = (sparse(A) @ Tensor.from_uop(x)).uop
    assert Ops.MUL not in {u.op for u in node.toposort()}
    np.testing.assert_array_equal(interpret([node], {x: np.arange(3.0)})[0], [-3, -3])


def test_later_changes_of_the_matrix_are_not_seen():
    A = sp.csr_array(np.array([[1.0, 2.0], [0.0, 3.0]]))
    S = sparse(A)
    A.data[:] = 0
    A.indices[:] = 0
    np.testing.assert_array_equal((S @ np.ones(2)).numpy(), [3, 3])


def test_the_matrix_given_is_left_alone():
    A = sp.coo_array(([1.0, 2.0], ([1, 1], [0, 0])), shape=(2, 2))
    sparse(A)
    assert A.nnz == 2
    B = sp.csr_array((np.array([1.0, 2.0]), np.array([1, 0]), np.array([0, 2])), shape=(1, 2))
    sparse(B)
    np.testing.assert_array_equal(B.indices, [1, 0])


def test_what_sparse_refuses():
    with pytest.raises(ArgumentError, match="got a ndarray; expected a SciPy sparse matrix"):
        sparse(np.eye(2))
    with pytest.raises(ShapeError, match="expected two axes"):
        sparse(sp.coo_array([1.0, 2.0]))
    with pytest.raises(DtypeError, match="is not supported"):
        sparse(sp.csr_array(np.eye(2, dtype=np.longdouble)))
    S = sparse(sp.csr_array(np.ones((2, 3))))
    with pytest.raises(ShapeError, match=r"shape \(2, 3\) meets an array of shape \(2,\); expected \(3,\)"):
        S @ np.ones(2)
    with pytest.raises(ShapeError, match=r"meets an array of shape \(3, 1, 1\)"):
        S @ np.ones((3, 1, 1))
    with pytest.raises(UnsupportedError, match=r"ft\.sparse\(A @ B\)"):
        S @ S.T
    assert repr(S) == "<ft.sparse of shape (2, 3), 6 entries, float64>"
