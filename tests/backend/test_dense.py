"""Small matrices written out in kernels: backward errors beside LAPACK's, refusals, lanes, loops, and kernel counts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.dense import expansion
from functrans.scipy.linalg import solve_triangular

pytestmark = pytest.mark.usefixtures("compiler")
Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(7)
LANES = 19
BY_ROUTINE = 12  # rows: more than are written out, and fewer than LAPACK is called for


def drawn(n: int) -> Array:
    return RNG.standard_normal((LANES, n, n))


def permuted(n: int) -> Array:
    return np.stack([np.eye(n)[RNG.permutation(n)] * RNG.standard_normal(n) for _ in range(LANES)])


def graded(n: int) -> Array:
    scale = 10.0 ** RNG.integers(-12, 13, (LANES, n, 1))
    return np.asarray(drawn(n) * scale)


def nearly_singular(n: int) -> Array:
    a = drawn(n)
    a[:, -1] = a[:, 0] + 1e-6 * a[:, -1]
    return a


def alike(n: int) -> Array:
    """Many pivots of one size."""
    a = RNG.integers(-1, 2, (LANES, n, n)) + 0.0
    return np.where(np.abs(np.linalg.det(a))[:, None, None] < 0.5, np.eye(n)[::-1], a)


KINDS: dict[str, Callable[[int], Array]] = {f.__name__: f for f in (drawn, permuted, graded, nearly_singular, alike)}


def definite(n: int) -> Array:
    a = drawn(n)
    return a @ a.swapaxes(1, 2) + 0.1 * np.eye(n)


def backward_error(a: Array, x: Array, b: Array) -> Array:
    """The backward error of each solution: componentwise, normwise of matrices with zeros."""
    a, x, b = (np.asarray(v, np.longdouble) for v in (a, x, b))
    below = np.abs(a) @ np.abs(x) + np.abs(b)
    below = below if np.all(a) else below.max(-2, keepdims=True)
    return np.asarray((np.abs(a @ x - b) / np.where(below == 0, 1, below)).max((-2, -1)), float)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 6, BY_ROUTINE])
def test_solutions_are_as_good_as_those_of_lapack(n: int, dtype: str) -> None:
    solve, inv = ft.jit(ft.vmap(np.linalg.solve)), ft.jit(ft.vmap(np.linalg.inv))
    unit, eye = n * np.finfo(dtype).eps, np.broadcast_to(np.eye(n), (LANES, n, n))
    for kind, made in KINDS.items():
        a, b = made(n).astype(dtype), RNG.standard_normal((LANES, n, 2)).astype(dtype)
        x = solve(a, b)
        assert x.dtype == dtype
        theirs = backward_error(a, np.linalg.solve(a, b), b).max()
        assert backward_error(a, x, b).max() <= 4 * max(theirs, unit), kind
        theirs = backward_error(a, np.linalg.inv(a), eye).max()
        assert backward_error(a, inv(a), eye).max() <= 4 * max(theirs, unit), kind
    assert solve.lower(a, b).cost().host_steps == 0


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6, BY_ROUTINE])
def test_determinants(n: int) -> None:
    both = ft.jit(ft.vmap(lambda a: (np.linalg.det(a), *np.linalg.slogdet(a))))
    alone = ft.jit(ft.vmap(np.linalg.det))
    for kind, made in KINDS.items():
        a = made(n)
        size = np.sqrt((a * a).sum(-1)).prod(-1)  # Hadamard's bound
        det, *logs = both(a)
        for ours in (det, alone(a)):
            np.testing.assert_allclose(ours / size, np.linalg.det(a) / size, 1e-12, 1e-14, err_msg=kind)
        for ours, theirs in zip(logs, np.linalg.slogdet(a), strict=True):
            np.testing.assert_allclose(ours, theirs, 1e-4, 1e-9, err_msg=kind)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6, 8])
def test_factors_of_definite_matrices(n: int) -> None:
    a = definite(n)
    a[:, 0, 1:] = np.nan  # above the diagonal nothing is read
    found = ft.vmap(np.linalg.cholesky)(a)
    np.testing.assert_array_equal(np.triu(found, 1), 0)
    np.testing.assert_allclose(found, np.linalg.cholesky(a), rtol=1e-9, atol=1e-12)


def test_the_first_of_equal_pivots_is_taken() -> None:
    """As by LAPACK: the other one would give an exact result here."""
    a, b = np.array([[1.0, 1e20], [-1.0, 1.0]]), np.array([1.0, 1e-8])
    x = ft.jit(np.linalg.solve)(a, b)
    assert abs(x[0] + 1e-8) > 1e-18
    np.testing.assert_allclose(x[0], np.linalg.solve(a, b)[0], rtol=1e-6)


@pytest.mark.parametrize("n", [3, BY_ROUTINE])
def test_very_small_and_large_numbers(n: int) -> None:
    """In lanes beside one another, so that none has a part in the scale of another."""
    plain = np.diag(np.arange(2.0, n + 2)) + np.eye(n, k=1) + np.eye(n, k=-1)
    size, want = np.resize([1e200, 1e-310, 1e-200], LANES), np.arange(1.0, n + 1)
    a = size[:, None, None] * plain
    x = ft.vmap(np.linalg.solve)(a, a @ want)
    np.testing.assert_allclose(x[size < 1e-300], want[None].repeat((size < 1e-300).sum(), 0), rtol=1e-5)
    np.testing.assert_allclose(x[size > 1e-300], want[None].repeat((size > 1e-300).sum(), 0), rtol=1e-12)
    _, log = ft.vmap(np.linalg.slogdet)(a)
    np.testing.assert_allclose(log, np.linalg.slogdet(plain)[1] + n * np.log(size), rtol=1e-9)


@pytest.mark.parametrize("n", [4, BY_ROUTINE])
def test_products_of_pivots_neither_over_nor_underflow(n: int) -> None:
    pivots = itertools.permutations([1e200, 1e150, -1e-160, 1e-190])
    a = np.stack([np.diag((*p, *(n - 4) * [1.0])) for p in pivots])
    np.testing.assert_allclose(ft.vmap(np.linalg.det)(a), -1.0, rtol=1e-10)


def test_nan_is_no_singular_matrix() -> None:
    a = np.stack([np.eye(3)] * 3)
    a[1, 0, 0] = np.nan
    for f in (np.linalg.inv, np.linalg.cholesky, np.linalg.det, lambda m: np.linalg.slogdet(m)[1]):
        found = ft.vmap(f)(a)
        assert np.isnan(found[1]).any() and not np.isnan(found[[0, 2]]).any()
    a[1] = [[np.inf, 0, 0], [0, 1, 0], [0, 0, 1]]
    np.testing.assert_array_equal(ft.vmap(np.linalg.inv)(a)[1], np.linalg.inv(a[1]))


@pytest.mark.parametrize("n", [1, 2, 4, BY_ROUTINE])
def test_singular_matrices_have_the_determinant_zero(n: int) -> None:
    a = np.stack([np.zeros((n, n)), np.ones((n, n)) * (n > 1), np.eye(n)])
    np.testing.assert_array_equal(ft.vmap(np.linalg.det)(a), [0, 0, 1])
    sign, log = ft.vmap(np.linalg.slogdet)(a)
    np.testing.assert_array_equal(sign, [0, 0, 1])
    np.testing.assert_array_equal(log, [-np.inf, -np.inf, 0])


@pytest.mark.parametrize("kind", ["drawn", "permuted", "graded"])
def test_factors_that_several_read(kind: str) -> None:
    """Rows are exchanged in the factors that are kept too, and numbered as they stand."""
    a, b = KINDS[kind](BY_ROUTINE), RNG.standard_normal((LANES, BY_ROUTINE, 2))
    f = ft.jit(ft.vmap(lambda a, b: (np.linalg.solve(a, b), np.linalg.slogdet(a), np.linalg.solve(a.T, b))))
    assert "matrix_after_lu" in f.lower(a, b).c_source
    x, (sign, log), y = f(a, b)
    least = BY_ROUTINE * np.finfo(float).eps
    for m, z in ((a, x), (a.swapaxes(1, 2), y)):
        theirs = backward_error(m, np.linalg.solve(m, b), b)
        assert backward_error(m, z, b).max() <= 4 * max(theirs.max(), least)
    np.testing.assert_array_equal(sign, np.linalg.slogdet(a)[0])
    np.testing.assert_allclose(log, np.linalg.slogdet(a)[1], rtol=1e-9)


def test_multiples_are_singular() -> None:
    """As by LAPACK: what is left of a row that is a multiple of another is zero, whatever its factor."""
    a = RNG.integers(-5, 6, (LANES, 2, 2)) + 0.0
    a[:, 1] = RNG.integers(1, 20, (LANES, 1)) * a[:, 0]
    with ft.config.override(linalg_errors="nan"):
        assert np.isnan(ft.vmap(np.linalg.inv)(a)).all()
        assert np.isnan(ft.vmap(np.linalg.cholesky)(a[:, :1].swapaxes(1, 2) @ a[:, :1])).all()
    np.testing.assert_array_equal(ft.vmap(np.linalg.det)(a), 0)


def by_loops(a: Array) -> tuple[list[float], Array]:
    """Pivots and rows of elimination as LAPACK computes them: of each element the sum of its products is subtracted,
    and what an infinite pivot divides is zero.
    """
    a, n = a.copy(), len(a)
    for j in range(n):
        for i in range(n):
            products = [a[i, k] * a[k, j] for k in range(min(i, j))]
            a[i, j] -= sum(products[1:], products[0]) if products else 0.0
        p = j + int(np.argmax(np.abs(a[j:, j]))) if not np.isnan(a[j:, j]).any() else j
        a[[j, p]] = a[[p, j]]
        if a[j, j] == 0:
            return [*a.diagonal()[:j], 0.0], a
        a[j + 1 :, j] = 0.0 if np.isinf(a[j, j]) else a[j + 1 :, j] * (1 / a[j, j])
    return list(a.diagonal()), a


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_same_dependent_rows_are_singular(n: int) -> None:
    """Whether rounding leaves zero depends on the order of operations, which is LAPACK's."""
    a = RNG.integers(-5, 6, (40 * LANES, n, n)) + 0.0
    a[:, -1] = a[:, 0] + a[:, 1]
    zero = np.array([0.0 in by_loops(m)[0] for m in a])
    assert 0.2 < zero.mean() < 0.9
    np.testing.assert_array_equal(ft.vmap(np.linalg.det)(a) == 0, zero)
    with ft.config.override(linalg_errors="nan"):
        np.testing.assert_array_equal(np.isnan(ft.vmap(np.linalg.inv)(a)).all((1, 2)), zero)


@pytest.mark.parametrize("n", [2, 3, 5, BY_ROUTINE, 26])
def test_infinite_pivots_divide_to_zero(n: int) -> None:
    a = drawn(n)
    a[np.arange(LANES), RNG.integers(0, n, LANES), RNG.integers(0, n, LANES)] = np.inf
    a[0], a[0, 0, 0] = np.eye(n), np.inf
    a[1], a[1, n - 1, 0] = np.eye(n), np.inf
    with np.errstate(invalid="ignore"):
        pivots = np.array([by_loops(m)[0] for m in a])
    assert np.isfinite(pivots[:, -1]).mean() > 0.4
    found, log = ft.vmap(np.linalg.det)(a), ft.vmap(lambda m: np.linalg.slogdet(m)[1])(a)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(pivots).any(1))
    np.testing.assert_array_equal(np.isnan(log), np.isnan(pivots).any(1))
    lower = ft.vmap(np.linalg.cholesky)(np.full((LANES, n, n), np.inf))
    np.testing.assert_array_equal(lower[0][:, 0], [np.inf, *(n - 1) * [0.0]])


# refusals


def bad_batch(n: int) -> Array:
    a = np.stack([np.eye(n)] * 5)
    a[3, -1] = 0
    return a


@pytest.mark.parametrize("n", [1, 2, 4, BY_ROUTINE, 40])
@pytest.mark.parametrize("name", ["inv", "cholesky"])
def test_the_first_refused_matrix_is_named(n: int, name: str) -> None:
    f, what = getattr(np.linalg, name), "singular" if name == "inv" else "not positive definite"
    a = bad_batch(n)
    for g, given, index in [
        (ft.vmap(f), a, "3"), (ft.jit(f), a, "3"), (ft.vmap(ft.vmap(f), 1, 1), np.stack([a] * 2), r"\(3, 0\)")
    ]:  # fmt: skip
        for _ in range(3):
            with pytest.raises(ft.LinAlgError, match=f"the matrix at batch index {index} is {what}"):
                g(given)


@pytest.mark.parametrize("n", [1, 2, 4, BY_ROUTINE, 40])
@pytest.mark.parametrize("name", ["inv", "cholesky"])
def test_nan_instead_of_errors(n: int, name: str) -> None:
    f = getattr(np.linalg, name)
    g, a = ft.jit(ft.vmap(f)), bad_batch(n)
    with ft.config.override(linalg_errors="nan"):
        found = g(a)
    assert np.isnan(found[3]).all() and np.array_equal(np.delete(found, 3, 0), [np.eye(n)] * 4)
    with pytest.raises(ft.LinAlgError):  # read at each call
        g(a)


def test_short_calls_raise_too() -> None:
    g, a = ft.jit(ft.vmap(np.linalg.inv)), bad_batch(3)
    good = np.stack([2 * np.eye(3)] * 5)
    for _ in range(200):
        g(good)
    out = np.empty_like(good)
    with pytest.raises(ft.LinAlgError, match="batch index 3"):
        g(a)
    with pytest.raises(ft.LinAlgError, match="batch index 3"):
        g(a, out=out)
    assert g(good, out=out) is out and np.array_equal(out, good / 4)


def counted(rounds: Any, b: Any) -> Any:
    """Solves with matrices of which the fourth is singular, so many times."""
    return ft.while_loop(
        lambda c: c[0] < rounds, lambda c: (c[0] + 1, np.linalg.solve((3.0 - c[0]) * np.eye(2), c[1])), (0.0, b)
    )[1]


def test_lanes_that_have_left_a_loop_do_not_report() -> None:
    b = np.ones((4, 2))
    found = ft.vmap(counted)(np.array([1.0, 3.0, 2.0, 0.0]), b)
    np.testing.assert_allclose(found[:, 0], [1 / 3, 1 / 6, 1 / 6, 1])
    with pytest.raises(ft.LinAlgError, match="solve: the matrix at batch index 2 is singular"):
        ft.vmap(counted)(np.array([1.0, 3.0, 4.0, 0.0]), b)


def test_branches_that_are_not_taken_do_not_report() -> None:
    f = ft.vmap(lambda k, a: ft.cond(k, np.linalg.inv, lambda m: m, a))
    a = bad_batch(2)
    np.testing.assert_array_equal(f(np.array([True, True, False, False, True]), a), a)
    with pytest.raises(ft.LinAlgError, match="batch index 3 is singular"):
        f(np.array([False, True, False, True, True]), a)


def test_conditions_report() -> None:
    def f(n: Any) -> Any:
        def test(c: Any) -> Any:
            return (np.linalg.solve((n - c) * np.eye(2), np.ones(2))[0] < 1e3) & (c < 8)

        return ft.while_loop(test, lambda c: c + 1.0, 0.0)

    with pytest.raises(ft.LinAlgError, match="batch index 0 is singular"):
        ft.vmap(f)(np.array([2.0, 5.5]))
    with ft.config.override(linalg_errors="nan"):
        np.testing.assert_array_equal(ft.vmap(f)(np.array([2.0])), [2.0])


def test_every_round_and_inner_lane_reports() -> None:
    def f(a: Any) -> Any:
        return ft.scan(lambda c, k: (c, ft.vmap(np.linalg.cholesky)(a - k * np.eye(2)).sum()), 0.0, np.arange(3.0))[1]

    a = np.broadcast_to(4 * np.eye(2), (2, 3, 2, 2)).copy()
    np.testing.assert_allclose(ft.vmap(f)(a)[0], 6 * np.sqrt([4, 3, 2]))
    a[1, 2] = np.eye(2)
    with pytest.raises(ft.LinAlgError, match=r"cholesky: the matrix at batch index \(1, 2\) is not positive definite"):
        ft.vmap(f)(a)


# lanes, loops, derivatives


def together(a: Any) -> Any:
    return np.linalg.solve(a, np.cos(a)) * np.linalg.det(a) + np.linalg.cholesky(a @ a.T + np.eye(3))


def test_a_lane_has_the_bits_that_it_has_alone() -> None:
    a = drawn(3)
    want = ft.vmap(together)(a)
    for size in (1, 2, 8, 11):
        np.testing.assert_array_equal(ft.vmap(together)(a[:size]), want[:size])
    for method, axis in itertools.product(("vmapin", "rewrite", "pad_reduce"), ("loop", "outer")):
        np.testing.assert_array_equal(ft.vmap(together, method=method, axis_type=axis)(a), want)
    np.testing.assert_allclose(want, [together(m) for m in a], rtol=1e-9, atol=1e-9)


@pytest.fixture
def by_lapack(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[..., Any]], Callable[..., Any]]]:
    """A function whose matrices are all left to LAPACK."""

    def plain(f: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            with monkeypatch.context() as patch:
                patch.setattr(expansion, "is_small", lambda node, inside: False)
                patch.setattr(expansion, "is_routine", lambda node, inside, shares: False)
                low = ft.jit(f).lower(*args)
                assert low.cost().host_steps
                return low.compile()(*args)

        return call

    yield plain


@pytest.mark.parametrize("transform", ["jvp", "grad", "hessian", "jacfwd"])
def test_derivatives_are_those_of_the_ops(transform: str, by_lapack: Any) -> None:
    def value(a: Any) -> Any:
        return together(a).sum() + np.linalg.slogdet(a)[1]

    def f(a: Any) -> Any:
        if transform == "jvp":
            return ft.jvp(value, (a,), (np.cos(a),))[1]
        return getattr(ft, transform)(value)(a)

    a = drawn(3)[:4]
    np.testing.assert_allclose(ft.vmap(f)(a), by_lapack(ft.vmap(f))(a), rtol=1e-6, atol=1e-8)


def filtered(update: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A Kalman filter of position and velocity in the plane; update gives the gain."""
    move, see = np.eye(4) + 0.1 * np.eye(4, k=2), np.eye(2, 4)

    def step(x: Any, p: Any, z: Any) -> Any:
        x, p = move @ x, move @ p @ move.T + 0.01 * np.eye(4)
        gain = update(see @ p @ see.T + 0.1 * np.eye(2), see @ p)
        return x + gain @ (z - see @ x), p - gain @ see @ p

    return step


BY_SOLVE, BY_INV = (
    filtered(lambda s, hp: np.linalg.solve(s, hp).T), filtered(lambda s, hp: hp.T @ np.linalg.inv(s))
)  # fmt: skip


@pytest.mark.parametrize("step", [BY_SOLVE, BY_INV])
def test_a_step_of_a_filter_is_one_kernel(step: Callable[..., Any]) -> None:
    x, p, z = RNG.standard_normal((30, 4)), np.stack([np.eye(4)] * 30), RNG.standard_normal((30, 2))
    f = ft.vmap(step)
    assert len(ft.jit(f).lower(x, p, z).kernels) == 1
    for got, want in zip(f(x, p, z), zip(*(step(*one) for one in zip(x, p, z, strict=True)), strict=True), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("step", [BY_SOLVE, BY_INV])
def test_a_filter_is_one_kernel_and_has_a_gradient(step: Callable[..., Any]) -> None:
    def run(x: Any, p: Any, zs: Any) -> Any:
        return ft.scan(lambda c, z: ((c := step(*c, z)), c[0]), (x, p), zs)[1]

    def loss(x: Any, p: Any, zs: Any) -> Any:
        return (run(x, p, zs) ** 2).sum()

    x, p, zs = RNG.standard_normal((9, 4)), np.stack([np.eye(4)] * 9), RNG.standard_normal((9, 12, 2))
    assert len(ft.jit(ft.vmap(run)).lower(x, p, zs).kernels) == 1
    found = ft.vmap(run)(x, p, zs)
    grads = ft.vmap(ft.grad(loss, argnums=(0, 1)))(x, p, zs)
    for k in range(9):
        c, want = (x[k], p[k]), []
        for z in zs[k]:
            c = step(*c, z)
            want.append(c[0])
        np.testing.assert_allclose(found[k], want, rtol=1e-11, atol=1e-12)
    for i in (0, 3):
        e = 1e-6 * np.eye(4)[i]
        slope = (ft.vmap(loss)(x + e, p, zs) - ft.vmap(loss)(x - e, p, zs)) / 2e-6
        np.testing.assert_allclose(grads[0][:, i], slope, rtol=1e-6, atol=1e-6)


def test_one_matrix_for_many_right_hand_sides() -> None:
    a, b = drawn(3)[0], RNG.standard_normal((40, 3))
    np.testing.assert_allclose(ft.vmap(np.linalg.solve, in_axes=(None, 0))(a, b), np.linalg.solve(a, b.T).T, rtol=1e-9)
    many = RNG.standard_normal((3, 10_000))  # more than are written out
    np.testing.assert_allclose(ft.jit(np.linalg.solve)(a, many), np.linalg.solve(a, many), rtol=1e-9, atol=1e-12)


def test_large_matrices_are_steps_of_lapack() -> None:
    a = RNG.standard_normal((363, 363))
    for f in (np.linalg.inv, np.linalg.cholesky, np.linalg.det, lambda a: solve_triangular(a, np.ones(len(a)))):
        assert [ft.jit(f).lower(a[:n, :n]).cost().host_steps for n in (362, 363)] == [0, 1]
    np.testing.assert_allclose(ft.jit(np.linalg.inv)(a), np.linalg.inv(a), rtol=1e-9, atol=1e-9)
    for n, m, steps in ((64, 64, 0), (65, 64, 1), (400, 10, 0), (500, 10, 1)):
        t, b = np.eye(n, dtype=np.float32), np.ones((n, m), np.float32)
        assert ft.jit(solve_triangular).lower(t, b).cost().host_steps == steps


@pytest.mark.parametrize("n, written", [(8, True), (9, False), (10, False)])
def test_matrices_too_large_for_a_lane_are_not_written_out(n: int, written: bool) -> None:
    """Their elements would be written one matrix at a time, without lanes."""
    a = np.stack([np.eye(n, dtype=np.float32)] * 100)
    source = ft.jit(np.linalg.cholesky).lower(a).c_source
    assert ("matrix_cholesky" in source) is not written


def test_floats_are_converted_with_the_routine_integers_in_a_kernel_before() -> None:
    """Rows of floats are moved and widened in lanes; narrow integers have no lanes."""
    kernels = {d: ft.jit(np.linalg.cholesky).lower(np.stack([np.eye(9, dtype=d)] * 100)).kernels for d in "fdh"}
    assert len(kernels["f"]) == len(kernels["d"]) == 1
    assert len(kernels["h"]) == 2
    source = ft.jit(np.linalg.solve).lower(np.stack([np.eye(8, dtype="h")] * 100), np.ones((100, 8, 1))).c_source
    assert "matrix_solve_f64(" not in source


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_systems_in_loops(dtype: type) -> None:
    n, steps = 4, 3
    a, b = (RNG.standard_normal((5, n, k)) + 1j * RNG.standard_normal((5, n, k)) for k in (n, 2))
    a, b = (a + 3 * np.eye(n)).astype(dtype), b.astype(dtype)

    def turn(a: Any, x: Any) -> Any:
        return np.linalg.solve(a, x) + np.linalg.inv(a) @ x

    found = ft.jit(ft.vmap(lambda a, b: ft.scan(lambda x, _: (turn(a, x), None), b, None, length=steps)[0]))(a, b)
    want = b
    for _ in range(steps):
        want = turn(a, want)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, want, rtol=500 * np.finfo(dtype).eps, atol=500 * np.finfo(dtype).eps)


def test_a_singular_complex_system_in_a_loop_is_named() -> None:
    a = np.stack([np.eye(3), np.zeros((3, 3))]) * (1 + 1j)
    solve = ft.jit(ft.vmap(lambda a: ft.scan(lambda x, _: (np.linalg.solve(a, x), None), np.ones(3) + 0j, None, 2)[0]))
    with pytest.raises(ft.LinAlgError, match="batch index 1"):
        solve(a)
    with ft.config.override(linalg_errors="nan"):
        found = solve(a)
    assert np.isfinite(found[0]).all()
    assert np.isnan(found[1]).all()
