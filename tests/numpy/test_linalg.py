"""functrans.numpy.linalg against numpy.linalg: values, dtypes, batches, derivatives, maps, refusals."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    DtypeError,
    LinAlgError,
    ShapeError,
    TracedValueError,
    UnsupportedError,
)
from functrans.tensor import Tensor
from tests.numpy.cases import close, flat, quiet, same, traced, values

la = fnp.linalg


LEADS = [(), (4,), (2, 3), (1,), (0,), (2, 1)]
DTYPES = ["float32", "float64", "complex64", "complex128"]


def matrices(lead, n, dtype="float64", seed=0):
    """Distinct well-conditioned matrices."""
    return (values((*lead, n, n), dtype, seed, -1.0, 1.0) + 3 * np.eye(n)).astype(dtype)


def definite(lead, n, dtype="float64", seed=0):
    """Distinct positive definite matrices."""
    a = matrices(lead, n, dtype, seed)
    return (a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(n)).astype(dtype)


def check(name, arrays, *rest, rtol=None, **options):
    """la.name eager, of placeholders, compiled, and np.linalg.name of Tensors, against NumPy."""
    what = f"{name}{[np.shape(a) for a in arrays]}{rest}{options}"
    theirs = getattr(np.linalg, name)
    want = quiet(theirs, *arrays, *rest, **options)
    tight = rtol or (1e-4 if any(np.asarray(a).dtype.itemsize // (1 + (np.asarray(a).dtype.kind == "c")) == 4
                                 for a in arrays) else 1e-11)  # fmt: skip
    ours = getattr(la, name)
    same(ours(*map(Tensor, arrays), *rest, **options), want, tight, what)
    same(theirs(*map(Tensor, arrays), *rest, **options), want, tight, what)
    _, found = traced(lambda *t: ours(*t, *rest, **options), arrays)
    compiled = flat(ft.jit(lambda *t: ours(*t, *rest, **options))(*arrays))
    for a, c, b in zip(found, compiled, flat(want), strict=True):
        assert (a.shape, a.dtype) == (np.shape(c), c.dtype) == (np.shape(b), np.asarray(b).dtype), what
        close(a, np.asarray(b), tight, what)
        close(np.asarray(c), np.asarray(b), tight, what)


@pytest.mark.covering(2, empty={"n": [0], "lead": [(0,)]})
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_values(lead, n, dtype):
    a = matrices(lead, n, dtype)
    for name in ("inv", "det", "slogdet"):
        check(name, [a])
    check("cholesky", [definite(lead, n, dtype)])
    check("solve", [a, values((*lead, n, 2), dtype, 3)])
    check("matrix_power", [a], 3)


@pytest.mark.parametrize(
    ("a", "b"), [((3, 3), (3,)), ((3, 3), (3, 1)), ((3, 3), (5, 3, 2)), ((4, 1, 3, 3), (2, 3, 2)), ((2, 3, 3), (3, 0))]
)
def test_solve_broadcasts(a, b):
    check("solve", [matrices(a[:-2], 3), values(b, "float64")])
    check("solve", [matrices(a[:-2], 3, "float32"), values(b, "complex128")])
    check("solve", [np.array([[2, 1], [1, 3]]), np.array([1, 2])])


def test_cholesky_reads_one_triangle():
    a = definite((2,), 3)
    a[:, 0, 2] = np.nan
    check("cholesky", [a])
    np.testing.assert_allclose(la.cholesky(np.swapaxes(a, 1, 2), upper=True).numpy()[0].T, la.cholesky(a).numpy()[0])


@pytest.mark.parametrize("order", [None, 1, 2, 3.5, 0, -1, -2.5, np.inf, -np.inf])
def test_vector_norms(order):
    for x in (values((5,), "float64"), values((5,), "complex128"), np.arange(1, 5)):
        check("norm", [x], order)
        check("norm", [x], order, keepdims=True)
    x = values((2, 3, 4), "float64")
    for axis in (0, 1, -1, (2,)):
        check("norm", [x], order, axis=axis)
        check("norm", [x], order, axis=axis, keepdims=True)
    if order is not None:
        want = quiet(np.linalg.norm, x.transpose(1, 0, 2).reshape(3, 8), order, 1)
        np.testing.assert_allclose(la.vector_norm(x, axis=(0, 2), ord=order).numpy(), want)


@pytest.mark.parametrize("order", [None, "fro", 1, -1, 2, -2, "nuc", np.inf, -np.inf])
def test_matrix_norms(order):
    x = values((2, 3, 4), "complex128")
    for axis in ((0, 1), (1, 0), (-1, 0), (1, 2)):
        check("norm", [x], order, axis=axis)
        check("norm", [x], order, axis=axis, keepdims=True)
    check("norm", [x[0]], order)
    check("norm", [values((2, 3, 4), "float64")])
    if order is not None:
        np.testing.assert_allclose(la.matrix_norm(x, ord=order).numpy(), np.linalg.norm(x, order, (1, 2)))
        np.testing.assert_allclose(la.cond(x[0, :, :3], order).numpy(), np.linalg.cond(x[0, :, :3], order))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", LEADS)
def test_spectra(lead, dtype):
    a, wide = definite(lead, 3, dtype), values((*lead, 2, 4), dtype)
    for triangle in "LU":
        check("eigvalsh", [a], triangle)
    w, v = ft.jit(np.linalg.eigh)(a)
    tight = 1e-4 if a.dtype.itemsize // (1 + (a.dtype.kind == "c")) == 4 else 1e-11
    np.testing.assert_allclose(a @ v, v * w[..., None, :], rtol=tight, atol=tight * 50)
    u, s, vh = ft.jit(lambda m: tuple(np.linalg.svd(m, full_matrices=False)))(wide)
    np.testing.assert_allclose((u * s[..., None, :]) @ vh, wide, rtol=tight, atol=tight * 10)
    check("svd", [wide], compute_uv=False)
    check("svdvals", [np.swapaxes(wide, -1, -2).copy()])
    check("cond", [a])
    check("cond", [a], -2)


def test_complex_vectors():
    """By what does not depend on the phase of a vector: the projections on them."""
    a, v = values((3, 3), "complex128"), values((3, 3), "complex128", 7)
    h = 1e-6

    def projections(m):
        u, s, vh = np.linalg.svd(m[:, :2], full_matrices=False)
        x = np.linalg.eigh(m @ np.conj(m.T))[1]
        left, right = (u * s**3) @ np.conj(u.T), np.conj(vh.T) @ (s[:, None] ** 3 * vh)
        parts = [(u * s) @ vh, left, right, (x * np.arange(3.0)) @ np.conj(x.T)]
        return np.concatenate([p.reshape(-1) for p in parts])

    _, tangent = ft.jvp(projections, (a,), (v,))
    want = (projections(a + h * v) - projections(a - h * v)) / (2 * h)
    np.testing.assert_allclose(tangent, want, rtol=1e-5, atol=1e-7 * np.abs(want).max())


def test_composed():
    a, b, c = values((2, 5), "float64"), values((5, 3), "float64"), values((3, 4), "float64")
    same(np.linalg.multi_dot([Tensor(a), b, c]), a @ b @ c, 1e-12)
    same(la.multi_dot([a[0], b, c[:, 0]]), a[0] @ b @ c[:, 0], 1e-12)
    same(la.multi_dot([a[0], b, c]), a[0] @ b @ c, 1e-12)
    for n in (-3, -1, 0, 1, 2, 5):
        check("matrix_power", [matrices((2,), 3)], n)
    check("matrix_power", [np.array([[1, 1], [0, 1]])], 6)
    t = matrices((), 6).reshape(6, 2, 3)
    check("tensorsolve", [t, values((6,), "float64")])
    check("tensorsolve", [t.transpose(1, 2, 0).copy(), values((6,), "float64")], axes=(0, 1))
    check("tensorinv", [t], ind=1)
    check("trace", [values((2, 3, 3), "float64")])
    check("diagonal", [values((2, 3, 3), "float64")])


FUNCTIONS = {
    "solve": lambda a: np.linalg.solve(a, np.linalg.solve(a.T, a[0])),
    "shared": lambda a: np.linalg.solve(a, a[:, :2] * a[:, 1:3]),
    "inv": lambda a: np.linalg.inv(a) @ np.sin(a[0]),
    "det": lambda a: np.linalg.det(a),
    "logdet": lambda a: np.linalg.slogdet(a).logabsdet,
    "cholesky": lambda a: np.linalg.cholesky(a @ a.T),
    "lower": lambda a: np.linalg.cholesky(a),
    "norm": lambda a: np.linalg.norm(a, axis=0) * np.linalg.norm(a, 3, axis=1),
    "eigenvalues": lambda a: np.linalg.eigvalsh(a),
    "eigenvectors": lambda a: np.linalg.eigh(a + np.diag(np.arange(3.0)))[1] ** 2,
    "projections": lambda a: np.abs(np.linalg.svd(a[:2] * a[0, 0], full_matrices=False)[2]) ** 2,
    "left": lambda a: np.linalg.svd(a[:, :2], full_matrices=False)[0] ** 2,
    "nuclear": lambda a: np.linalg.norm(a[:2], "nuc") * np.linalg.norm(a, 2),
    "orthogonal": lambda a: np.linalg.qr(a[:, :2] + a[0, 2])[0],
    "triangular": lambda a: np.linalg.qr(a[:2] * a[2, 2], mode="r"),
    "pseudo": lambda a: np.linalg.pinv(a[:, :2] * a[1, 2]) + np.linalg.pinv(a[:2]).T,
    "least": lambda a: np.linalg.lstsq(a[:, :2], a[:, 2])[0],
    "left over": lambda a: np.linalg.lstsq(a[:, :2], a[:, 2:])[1],
    "power": lambda a: np.linalg.matrix_power(a / 4, -2),
}
each = pytest.mark.parametrize("name", FUNCTIONS)


@each
def test_maps(name):
    f, a = FUNCTIONS[name], definite((4, 2), 3)
    want = np.array([[f(m) for m in row] for row in a])
    np.testing.assert_allclose(ft.vmap(ft.vmap(f))(a), want, rtol=1e-10)
    for method in ("vmapin", "rewrite", "pad_reduce"):
        for kind in ("loop", "outer"):
            got = ft.vmap(ft.vmap(f, method=method, axis_type=kind), method=method, axis_type=kind)(a)
            np.testing.assert_allclose(got, want, rtol=1e-10)
    for axis in (0, 1, 2, -1):
        moved = np.moveaxis(a[:, 0], 0, axis)
        np.testing.assert_allclose(ft.vmap(f, axis)(moved), want[:, 0], rtol=1e-10)
    assert ft.vmap(f)(a[:0, 0]).shape == (0, *want.shape[2:])


@each
def test_both_modes(name):
    f, a = FUNCTIONS[name], definite((), 3)
    v, h = values((3, 3), "float64", 5), 1e-6
    out, tangent = ft.jvp(f, (a,), (v,))
    np.testing.assert_allclose(out, f(a), rtol=1e-10)
    want = (f(a + h * v) - f(a - h * v)) / (2 * h)
    np.testing.assert_allclose(tangent, want, rtol=1e-6, atol=1e-7 * np.abs(want).max())
    c = values(np.shape(out), "float64", 6)
    (pulled,) = ft.vjp(f, a)[1](c)
    np.testing.assert_allclose((pulled * v).sum(), (tangent * c).sum(), rtol=1e-9)
    forward, backward = ft.jacfwd(f)(a), ft.jacrev(f)(a)
    np.testing.assert_allclose(forward, backward, rtol=1e-8, atol=1e-10 * np.abs(forward).max())


@each
def test_second_derivatives(name):
    def f(a):
        return (FUNCTIONS[name](a) ** 3).sum()

    a = definite((2,), 3)
    hessian = ft.hessian(f)(a[0]).reshape(9, 9)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-9 * np.abs(hessian).max())
    h = 1e-5
    steps = h * np.eye(9).reshape(9, 3, 3)
    want = np.array([(ft.grad(f)(a[0] + e) - ft.grad(f)(a[0] - e)) / (2 * h) for e in steps]).reshape(9, 9)
    np.testing.assert_allclose(hessian, want, rtol=1e-5, atol=1e-6 * np.abs(hessian).max())
    each = ft.vmap(ft.grad(f))(a)
    np.testing.assert_allclose(each, [ft.grad(f)(m) for m in a], rtol=1e-9, atol=1e-12)


def test_complex_derivatives():
    a, v = definite((), 3, "complex128"), values((3, 3), "complex128", 5)
    h = 1e-6
    for f in (np.linalg.inv, np.linalg.det, lambda m: np.linalg.slogdet(m)[1], lambda m: np.linalg.slogdet(m)[0],
              np.linalg.cholesky):  # fmt: skip
        m = a if f is np.linalg.cholesky else a + 0.3j
        _, tangent = ft.jvp(f, (m,), (v,))
        want = (np.asarray(f(m + h * v)) - np.asarray(f(m - h * v))) / (2 * h)
        np.testing.assert_allclose(tangent, want, rtol=1e-6, atol=1e-8 * max(1, np.abs(want).max()))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_determinant_is_a_polynomial(n):
    a = matrices((), n)
    a[-1] = 0 if n == 1 else a[0]
    (gradient,) = (ft.grad(np.linalg.det)(a),)
    cofactors = [[(-1) ** (i + j) * np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) for j in range(n)]
                 for i in range(n)]  # fmt: skip
    np.testing.assert_allclose(gradient, cofactors, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ft.grad(np.linalg.det)(np.zeros((n, n))), np.eye(n) if n == 1 else np.zeros((n, n)))
    hessian = ft.hessian(np.linalg.det)(a)
    assert np.isfinite(hessian).all()


def test_norms_at_the_origin():
    for f in (np.linalg.norm, lambda x: np.linalg.norm(x, 3), lambda x: np.linalg.norm(x.reshape(2, 2))):
        np.testing.assert_array_equal(ft.grad(f)(np.zeros(4)), np.zeros(4))
        np.testing.assert_array_equal(ft.jvp(f, (np.zeros(4),), (np.ones(4),)), (0.0, 0.0))
    assert ft.grad(np.linalg.norm)(np.array([3.0, 4.0])) == pytest.approx([0.6, 0.8])
    assert np.isnan(ft.grad(np.linalg.norm)(np.array([np.nan, 1.0]))).all()


def test_sparse_blocks():
    a, x = matrices((4,), 3), values((4, 3), "float64")

    def solutions(x):
        return np.linalg.solve(a, x[..., None])[..., 0] * 2

    f = ft.spjacobian(solutions)
    np.testing.assert_allclose(f(x).toarray(), ft.jacfwd(solutions)(x).reshape(12, 12), atol=1e-13)
    blocks = np.kron(np.eye(4), np.ones((3, 3))) != 0
    np.testing.assert_array_equal(f.pattern(x).to_scipy().toarray() != 0, blocks)
    columns = ft.spjacobian(lambda b: np.linalg.solve(a[0], b))
    pattern = columns.pattern(values((3, 4), "float64")).to_scipy().toarray() != 0
    np.testing.assert_array_equal(pattern, np.kron(np.ones((3, 3)), np.eye(4)) != 0)
    lower = ft.spjacobian(np.linalg.cholesky).pattern(a[0]).to_scipy().toarray() != 0
    np.testing.assert_array_equal(lower.any(1).reshape(3, 3), np.tril(np.ones((3, 3))) != 0)
    whole = ft.spjacobian(lambda m: fnp.stack([np.linalg.det(m), m[0, 0]])).pattern(a[0])
    assert whole.nnz == 10


@pytest.mark.usefixtures("compiler")  # the oracle knows no batch index
def test_refusals():
    singular = np.stack([np.eye(2), np.ones((2, 2))])
    for f in (ft.vmap(np.linalg.inv), ft.jit(np.linalg.inv), lambda m: la.inv(m).numpy()):
        with pytest.raises(np.linalg.LinAlgError, match=r"solve: the matrix at batch index 1 is singular \(test_lin"):
            f(singular)
    with pytest.raises(LinAlgError, match=r"cholesky: the matrix is not positive definite \(test_linalg"):
        ft.jit(np.linalg.cholesky)(-np.eye(2))
    assert np.isnan(ft.jit(np.linalg.inv)(np.full((2, 2), np.nan))).all()
    assert ft.jit(np.linalg.det)(np.ones((2, 2))) == 0.0
    assert ft.jit(la.slogdet)(np.zeros((2, 2))) == (0.0, -np.inf)


def test_mistakes():
    with pytest.raises(LinAlgError, match=r"inv: a has shape \(2, 3\).*square"):
        la.inv(np.ones((2, 3)))
    with pytest.raises(LinAlgError, match=r"det: a has shape \(3,\)"):
        la.det(np.ones(3))
    with pytest.raises(ShapeError, match=r"b has shape \(4,\) for matrices of shape \(3, 3\)"):
        la.solve(np.eye(3), np.ones(4))
    with pytest.raises(ShapeError, match=r"solve: a of"):
        la.solve(np.ones((2, 3, 3)), np.ones((4, 3, 1)))
    with pytest.raises(DtypeError, match="inv of float16"):
        la.inv(np.eye(2, dtype=np.float16))
    with pytest.raises(ArgumentError, match=r"exponent is 0\.5"):
        la.matrix_power(np.eye(2), 0.5)
    with pytest.raises(LinAlgError, match="matrix_power"):
        la.matrix_power(np.ones((2, 3)), 2)
    with pytest.raises(ArgumentValueError, match="at least two"):
        la.multi_dot([np.eye(2)])
    with pytest.raises(LinAlgError, match="expected matrices"):
        la.multi_dot([np.eye(2), np.ones(2), np.eye(2)])
    with pytest.raises(UnsupportedError, match="full_matrices=False"):
        la.svd(np.ones((2, 3)))
    with pytest.raises(LinAlgError, match="svd: a has shape"):
        la.svdvals(np.ones(3))
    with pytest.raises(ArgumentValueError, match="UPLO is 'X'"):
        la.eigh(np.eye(2), "X")
    with pytest.raises(ArgumentValueError, match="no norm of matrices"):
        la.norm(np.eye(2), 3)
    with pytest.raises(ArgumentValueError, match="no norm of vectors"):
        la.norm(np.ones(2), "fro")
    with pytest.raises(ShapeError, match=r"give axis="):
        la.norm(np.ones((2, 2, 2)), 1)
    with pytest.raises(ShapeError, match="expected one or two axes"):
        la.norm(np.ones((2, 2, 2)), axis=(0, 1, 2))
    with pytest.raises(LinAlgError, match="no square map"):
        la.tensorsolve(np.ones((2, 3)), np.ones(2))
    with pytest.raises(LinAlgError, match="no square map"):
        la.tensorinv(np.ones((2, 3)), 1)
    with pytest.raises(UnsupportedError, match="eig"):
        np.linalg.eig(Tensor(np.eye(2)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", LEADS)
def test_factors(lead, dtype):
    """Of tall, square and wide matrices as NumPy's."""
    for shape in ((4, 2), (3, 3), (2, 4)):
        a = values((*lead, *shape), dtype)
        for got, want in zip(ft.jit(np.linalg.qr)(a), np.linalg.qr(a), strict=True):
            np.testing.assert_allclose(got, want, atol=1e-5 if a.dtype.itemsize == 4 or a.dtype == "c8" else 1e-13)
        check("qr", [a], "r")
        check("pinv", [a])
        check("pinv", [a], 0.6)
        check("matrix_rank", [a])
    assert la.qr(a, "complete")[0].shape == (*lead, 2, 2)


def test_least_squares_and_ranks():
    rng = np.random.default_rng(0)
    low = rng.normal(size=(4, 2)) @ rng.normal(size=(2, 3))
    full, right = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    for a, b in ((full, right), (full, right[:, 0]), (full.T.copy(), right[:3]), (low, right[:4])):
        got, want = ft.jit(np.linalg.lstsq)(a, b), np.linalg.lstsq(a, b)
        for k in (0, 2, 3) if a is low else (0, 1, 2, 3):
            np.testing.assert_allclose(got[k], want[k], rtol=1e-11, atol=1e-13)
            assert np.shape(got[k]) == np.shape(want[k])
    assert got[1].shape == (2,)  # where NumPy leaves out what it knows by the rank
    assert la.matrix_rank(low).item() == 2
    assert la.matrix_rank(np.zeros((0, 3))).item() == 0
    assert la.matrix_rank(np.ones(3)).item() == 1
    assert la.matrix_rank(full, 1e3).item() == 0
    stack, levels = np.stack([full[:3, :3], np.ones((3, 3))]), np.array([0.5, 4.0])
    check("matrix_rank", [stack], levels)
    np.testing.assert_array_equal(la.matrix_rank(stack, rtol=levels / 5), np.linalg.matrix_rank(stack, rtol=levels / 5))
    check("cond", [np.zeros((2, 3, 2))])
    check("cond", [np.zeros((2, 2))], -2)
    for order in (1, -1, np.inf, -np.inf, "fro"):
        check("cond", [np.array([np.eye(3), np.ones((3, 3)), np.full((3, 3), np.nan)])], order)
    for cutoff in (2.5, 1.0, 0.0, -1):
        assert la.lstsq(low, low[:, 0], cutoff)[2].item() == np.linalg.lstsq(low, low[:, 0], cutoff)[2]
    ft.testing.check_vjp(lambda a: np.linalg.pinv(a, 1e-8) @ right[:4], (full[:4],))


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_second_derivative_of_a_determinant(n, rank):
    """Of the polynomial that it is, singular or not: linear in each element, so that differences are exact."""
    a = values((n, n), "float64")
    a[rank:] = a[:1] * np.arange(1.0, n - rank + 1)[:, None] if rank < n else a[rank:]
    units = np.eye(n * n).reshape(n * n, n, n)
    det = np.linalg.det
    want = [[det(a + p + q) - det(a + p - q) - det(a - p + q) + det(a - p - q) for q in units] for p in units]
    shape = (n,) * 4
    for modes in ((ft.jacfwd, ft.jacrev), (ft.jacrev, ft.jacrev), (ft.jacfwd, ft.jacfwd)):
        got = modes[0](modes[1](det))(a)
        np.testing.assert_allclose(got, np.array(want).reshape(shape) / 4, atol=1e-12)
    rows = np.stack([a, 2 * a, np.eye(n)])
    np.testing.assert_allclose(ft.vmap(ft.hessian(det))(rows), [ft.hessian(det)(m) for m in rows], atol=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_third_derivative_of_a_determinant(n):
    a, v, h = values((n, n), "float64"), values((n, n), "float64", 3), 1e-4
    second = ft.jit(ft.hessian(np.linalg.det))
    want = (second(a + h * v) - second(a - h * v)) / (2 * h)
    for mode in (ft.jacfwd, ft.jacrev):
        np.testing.assert_allclose(np.tensordot(mode(ft.hessian(np.linalg.det))(a), v, 2), want, atol=1e-6)


def test_a_level_for_each_matrix():
    a = values((2, 3, 4, 3), "float64")
    a[..., 2] = a[..., 0] * (1 + 1e-4) + 1e-6 * a[..., 1]
    levels = np.array([1e-2, 1e-8, 1e-2])
    for options in ({"rcond": levels}, {"rtol": levels}, {"rcond": levels[:1]}, {"rcond": np.array(1e-8)}):
        want = np.linalg.pinv(a, **options)
        f = lambda x, options=options: np.linalg.pinv(x, **options)  # noqa: E731
        for got in (f(Tensor(a)).numpy(), ft.jit(f)(a), ft.vmap(f)(a)):
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-11 * np.abs(want).max())
    assert ft.jit(lambda x: np.linalg.pinv(x, rcond=np.ones(0)))(np.ones((0, 2, 3))).shape == (0, 3, 2)
    b, d = values((3, 4, 3), "float64", 1), values((3, 4, 3), "float64", 2)
    slope = ft.jvp(lambda x: np.linalg.pinv(x, rcond=levels), (b,), (d,))[1]
    want = (np.linalg.pinv(b + 1e-6 * d) - np.linalg.pinv(b - 1e-6 * d)) / 2e-6
    np.testing.assert_allclose(slope, want, rtol=1e-6, atol=1e-7)
    with pytest.raises(ShapeError, match=r"rcond.*shape \(2, 3\).*broadcasts to \(3,\)"):
        la.pinv(b, rcond=np.ones((2, 3)))
    with pytest.raises(ArgumentError, match="expected real numbers"):
        la.pinv(b, rcond=1j)
    with pytest.raises(TracedValueError, match="is traced"):
        ft.jit(lambda x: np.linalg.pinv(x, rcond=x[0, 0]))(b[0])


EMPTY = [(0, 3, 3), (2, 0, 0), (0, 0, 0), (0, 3, 2), (0, 2, 3), (2, 0, 3), (2, 3, 0)]


@pytest.mark.parametrize("shape", EMPTY)
def test_nothing_is_factored_as_numpy_does(shape):
    calls = [
        lambda a: tuple(np.linalg.svd(a)), lambda a: tuple(np.linalg.svd(a, full_matrices=False)), np.linalg.svdvals,
        lambda a: tuple(np.linalg.qr(a)), np.linalg.pinv, np.linalg.matrix_rank, np.linalg.inv, np.linalg.det,
        lambda a: tuple(np.linalg.slogdet(a)), np.linalg.cholesky, lambda a: tuple(np.linalg.eigh(a)),
        *(lambda a, o=o: np.linalg.norm(a, o, axis=(-2, -1)) for o in ("fro", "nuc", 1, 2, np.inf)),
        lambda a: np.linalg.solve(a, a),
    ]  # fmt: skip
    a = np.zeros(shape)
    for f in calls:
        if f is calls[0] and shape[0]:
            continue  # full factors of matrices that are not square
        try:
            want = f(a)
        except np.linalg.LinAlgError as error:
            with pytest.raises(np.linalg.LinAlgError):
                ft.jit(f)(a)
            assert error is not None
            continue
        same(f(Tensor(a)), want)
        for got, w in zip(flat(ft.jit(f)(a)), flat(want), strict=True):
            assert (got.shape, got.dtype) == (np.shape(w), np.asarray(w).dtype)
    ft.vjp(lambda x: np.linalg.solve(x, x) if shape[1] == shape[2] else x, a)


def test_what_factors_refuse():
    with pytest.raises(UnsupportedError, match=r"mode='complete'.* write mode='reduced'"):
        la.qr(np.ones((3, 2)), "complete")
    with pytest.raises(UnsupportedError, match="qr: mode 'raw'"):
        la.qr(np.ones((3, 2)), "raw")
    with pytest.raises(LinAlgError, match="qr: a has shape"):
        la.qr(np.ones(3))
    with pytest.raises(LinAlgError, match=r"lstsq: a has shape \(3, 2\) and b \(2,\)"):
        la.lstsq(np.ones((3, 2)), np.ones(2))
    with pytest.raises(ft.LinAlgError, match="triangular: the matrix is singular"):
        ft.jvp(lambda a: np.linalg.qr(a)[0], (np.zeros((3, 2)),), (np.ones((3, 2)),))
