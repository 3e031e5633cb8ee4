"""Pivots of sparse systems that are chosen by numbers which the entries will be like."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import functrans as ft
from functrans.backend.sparse.nominal import work
from functrans.backend.sparse.plan import symbolic
from functrans.errors import ArgumentValueError, FunctransWarning, ShapeError
from tests.tensor.matrices import error, random_matrix

pytestmark = pytest.mark.usefixtures("compiler")


def hidden(n: int, seed: int, symmetric: bool) -> sp.csr_array:
    """About a permutation, with numbers that are too small for pivots on the whole diagonal, and elsewhere."""
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n, n)) < 0.1, rng.normal(size=(n, n)) * rng.choice([0.1, 1e-18], (n, n)), 0.0)
    order = rng.permutation(n)
    if symmetric:
        dense = dense + dense.T
        order[order] = np.roll(order.reshape(-1, 2), 1, axis=1).ravel()  # exchanged in pairs
    dense[np.arange(n), np.arange(n)] = 1e-18
    dense[np.arange(n), order] = 1
    return sp.csr_array(dense)


@pytest.mark.parametrize("symmetric", [False, True])
def test_systems_like_the_nominal_one_are_solved_with_its_pivots(symmetric):
    told = [0, 0]
    for seed in range(6):
        A = hidden(24, seed, symmetric)
        rng = np.random.default_rng(seed)
        values, b = A.data * (1 + 0.1 * rng.normal(size=(4, A.nnz))), rng.normal(size=24)
        for k, nominal in enumerate((None, A.data)):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always", FunctransWarning)
                x = ft.vmap(lambda v, A=A, n=nominal, b=b: ft.sparse(v, A).factor(nominal=n).solve(b))(values)
            told[k] += len(found)
            for lane, v in enumerate(values):
                assert error(sp.csr_array((v, A.indices, A.indptr), A.shape), np.asarray(x)[lane], b) <= 1e-14
    assert told[0] and not told[1]  # that SuperLU had to solve some


def test_pivots_of_least_work_at_the_nominal_numbers():
    better = 0
    for seed in range(20):
        A = random_matrix(30, 0.1, seed, "saddle")
        at = A.tocoo()
        own, plain = (symbolic(at.row, at.col, 30, nominal=n) for n in (A.data, None))
        assert work(own, A.data) <= work(plain, A.data)
        better += work(own, A.data) < work(plain, A.data)
    assert better


def test_nominal_numbers_are_known_finite_and_one_an_entry():
    A = random_matrix(5, 0.3, 0)
    with pytest.raises(ShapeError, match="nominal entries of shape"):
        ft.sparse(A).factor(nominal=np.ones(3))
    with pytest.raises(ArgumentValueError, match="not finite"):
        ft.sparse(A).factor(nominal=A.data * np.nan)
    with pytest.raises(ArgumentValueError, match="pivots are chosen before there are values"):
        ft.jit(lambda v: ft.sparse(v, A).factor(nominal=v).solve(np.ones(5)))(A.data)
