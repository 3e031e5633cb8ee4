"""Small complex matrices in kernels: NumPy's numbers, the bits of one alone and in a body, extreme and bad ones."""

import numpy as np
import pytest

import functrans as ft
from functrans.errors import LinAlgError

pytestmark = pytest.mark.usefixtures("compiler")
LANES = 11
OPS = {
    "solve": np.linalg.solve,
    "inv": lambda a, b: np.linalg.inv(a),
    "det": lambda a, b: np.linalg.det(a),
    "slogdet": lambda a, b: tuple(np.linalg.slogdet(a)),
    "cholesky": lambda a, b: np.linalg.cholesky(a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(a.shape[-1])),
}


def normal(*shape: int) -> np.ndarray:
    rng = np.random.default_rng(shape[-1])
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def in_a_body(f):
    """The same in the body of a loop."""
    return lambda *a: ft.tree.map(lambda x: x[-1], ft.scan(lambda c, k: (c, f(a[0] + k, *a[1:])), 0, np.zeros(2))[1])


@pytest.mark.parametrize("n", [1, 2, 5, 9, 30])
@pytest.mark.parametrize("op", OPS)
def test_numbers_are_numpys_and_bits_those_of_one_alone(op, n):
    f, args = OPS[op], (normal(LANES, n, n), normal(LANES, n, 2))
    batch = ft.jit(f)
    assert batch.lower(*args).cost().host_steps == 0
    ways = ft.tree.leaves(batch(*args)), ft.tree.leaves(ft.vmap(in_a_body(f))(*args))
    alone = ft.tree.leaves(batch(*(a[4] for a in args)))
    for want, one, *found in zip(ft.tree.leaves(f(*args)), alone, *ways, strict=True):
        for made in found:
            np.testing.assert_allclose(made, want, rtol=1e-10, atol=1e-12 * abs(np.asarray(want)).max())
        if op != "cholesky" and n < 20:  # its product is summed otherwise, and one large matrix is LAPACK's
            np.testing.assert_array_equal(one, found[0][4])


def test_determinants_of_extreme_and_singular_matrices():
    a = np.stack([np.diag(d) for d in ([1e200, 1e200, 1e-250j], [1e-200, 1e-200j, 1e250], [1j, 0, 1], [3e-310, 1, 1j])])
    det, (sign, log) = ft.jit(lambda a: (np.linalg.det(a), np.linalg.slogdet(a)))(a)
    np.testing.assert_allclose(det, [1e150j, 1e-150j, 0, 3e-310j], rtol=1e-9)
    np.testing.assert_allclose(sign, [1j, 1j, 0, 1j], atol=1e-12)
    np.testing.assert_allclose(log, np.log([1e150, 1e-150, 1, 3e-310]) - [0, 0, np.inf, 0], rtol=1e-9)


def test_bad_matrices_are_named_or_nan():
    a = normal(LANES, 3, 3)
    a[7, 1] = 2j * a[7, 0] * 0
    b = np.ones((LANES, 3, 1))
    with pytest.raises(LinAlgError, match="batch index 7"):
        ft.jit(np.linalg.solve)(a, b)
    with pytest.raises(LinAlgError, match="batch index 0"):
        ft.jit(np.linalg.cholesky)(-np.eye(3) + 0j * a)
    with ft.config.override(linalg_errors="nan"):
        x = ft.jit(np.linalg.solve)(a, b)
    assert np.isnan(np.asarray(x)[7]).all()
    assert np.isfinite(np.delete(x, 7, 0)).all()
