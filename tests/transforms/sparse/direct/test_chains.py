"""Products with one known array after the other: the same derivatives, known arrays first where that pays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import functrans as ft
from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.source import buffer, param
from functrans.ops.uop import substitute, toposort
from functrans.tensor.einsum import einsum
from functrans.transforms.sparse.direct.chains import chained

Array = NDArray[Any]
N = 9  # more than terms write out


def matrices(count: int) -> Array:
    return np.random.default_rng(0).normal(size=(count, N, N))


def riccati(a: Array, b: Array) -> Callable[[Any], Any]:
    return lambda x: a.T @ x + x @ a - x @ b @ x


def long(a: Array, b: Array) -> Callable[[Any], Any]:
    """Three in a row, on the left of x, with sines that depend on it."""
    return lambda x: np.sin(x) @ b @ (b @ (a @ x))


def differences(a: Array, b: Array) -> Callable[[Any], Any]:
    """Sums of chains below one sum."""
    return lambda x: ((x @ a) @ (x + b) - (x @ b) @ x.T).sum(axis=0, keepdims=True) + x @ a @ b


def transposed(a: Array, b: Array) -> Callable[[Any], Any]:
    return lambda x: (x.T @ a).T @ np.exp(x) - np.einsum("ij,kj,lk->il", x, b, x)


def rows(a: Array, b: Array) -> Callable[[Any], Any]:
    """Of one block of rows, and of a row that all rows are."""
    return lambda x: (x.reshape(3, 3, N)[1:2] @ a @ b).sum(axis=0)[0] + np.broadcast_to(x[:1], (N, N)) @ a @ b


def negative(a: Array, b: Array) -> Callable[[Any], Any]:
    """Products that are added up with a minus, and twice."""

    def f(x: Any) -> Any:
        minus, twice = ((x[:, :, None] * m[None]) for m in (a, b))
        return (-minus).sum(axis=1) @ b + (twice + twice).sum(axis=1) @ a

    return f


@pytest.mark.parametrize("make", [riccati, long, differences, transposed, rows, negative])
def test_derivatives_of_chains(make: Callable[[Array, Array], Callable[[Any], Any]]) -> None:
    f = make(*matrices(2))
    x = np.random.default_rng(1).normal(size=(N, N))
    J = ft.spjacobian(lambda v: f(v.reshape(N, N)).reshape(-1), method="direct")
    want = np.asarray(ft.jacfwd(lambda v: f(v.reshape(N, N)).reshape(-1))(x.reshape(-1)))
    np.testing.assert_allclose(J(x.reshape(-1)).toarray(), want, rtol=1e-12, atol=1e-11)


def test_the_residual_of_riccati_takes_two_products_of_matrices() -> None:
    a, b = matrices(2)
    J = ft.spjacobian(lambda v: riccati(a, b)(v.reshape(N, N)).reshape(-1))
    plan = J.plan(np.ones(N * N))
    assert plan.method == "direct"
    assert plan.cost < 3 * plan.nonzeros[0] + 8 * N**3


def test_the_order_is_chosen_by_the_number_of_products() -> None:
    d, k = (param((N, N), dtypes.float64, number) for number in range(2))
    chain = einsum("ij,jk->ik", einsum("ij,jk->ik", d, k), k)
    (made,) = chained([chain], [d])
    known = [u for u in toposort((made,)) if u.op is Ops.REDUCE_AXIS and d not in toposort((u,))]
    assert [u.src[0].size for u in known] == [N**3]
    both = einsum("ij,jk->ik", einsum("ij,jk->ik", k, d), k)
    assert chained([both], [d]) == [both]  # what is on either side is no chain


def test_sums_of_what_is_repeated() -> None:
    """Neither array of the first product has the axis that it is added up over."""
    d, k, b = given = [param(shape, dtypes.float64, number) for number, shape in enumerate([(N,), (N,), (N, N)])]
    repeated = B.mul(*(B.expand(B.reshape(u, (N, 1)), (N, 20)) for u in (d, k)))
    first = B.reduce_axis(repeated, Ops.ADD, (1,))
    chain = einsum("ij,jk->ik", einsum("ij,jk->ik", B.expand(B.reshape(first, (1, N)), (N, N)), b), b)
    (made,) = chained([chain], [d])
    values = {p: buffer(x) for p, x in zip(given, (np.arange(1.0, N + 1), np.ones(N), np.eye(N)), strict=True)}
    (x,) = interpret(substitute((made,), values), {})
    np.testing.assert_allclose(x, np.tile(20 * np.arange(1.0, N + 1), (N, 1)))


def test_sums_of_several_products_are_no_chain() -> None:
    """Below a product there is a sum of two, of one with a minus, and of two that are chains themselves."""
    d, *known = given = [param((N, N), dtypes.float64, number) for number in range(4)]

    def product(x: Any, k: Any) -> Any:
        return einsum("ij,jk->ik", x, k).src[0]

    a, b, c = known

    def total(of: Any) -> Any:
        return einsum("ij,jk->ik", d, a).replace((of,))

    first = total(B.add(product(d, a), product(d, b)))
    minus = total(B.neg(product(d, a)))
    several = total(B.sub(B.neg(product(total(product(d, a)), b)), product(total(product(d, b)), c)))
    roots = [einsum("ij,jk->ik", x, c) for x in (first, minus, several)]
    values = {p: buffer(x) for p, x in zip(given, np.random.default_rng(5).normal(size=(4, N, N)), strict=True)}
    for have, want in zip(chained(roots, [d]), roots, strict=True):
        x, y = (interpret(substitute((u,), values), {})[0] for u in (have, want))
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-9)
    assert chained(roots[2:], [d]) != roots[2:]


def test_labels_that_the_source_has_are_not_added_up_before() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(N, N, N)), rng.normal(size=(N, N))

    def f(v: Any) -> Any:
        return np.einsum("ikj,kj->i", np.einsum("ijm,mkj->ikj", v.reshape(3, N, N), a), b)

    x = rng.normal(size=3 * N * N)
    want = np.asarray(ft.jacfwd(f)(x))
    np.testing.assert_allclose(ft.spjacobian(f, method="direct")(x).toarray(), want, rtol=1e-12, atol=1e-11)


def test_zeros_of_constant_matrices_stay_apart() -> None:
    """Of two differences one after the other there are five entries in a row, not as many as the matrix is wide."""
    d = np.diff(np.eye(N + 1), axis=0)[:, :N]
    J = ft.spjacobian(lambda x: (d @ (d.T @ (d @ x.reshape(N, N)))).reshape(-1) * x, method="direct")
    x = np.linspace(1, 2, N * N)
    assert J.plan(x).nonzeros[0] < 5 * N * N
    want = np.asarray(ft.jacfwd(lambda x: (d @ (d.T @ (d @ x.reshape(N, N)))).reshape(-1) * x)(x))
    np.testing.assert_allclose(J(x).toarray(), want, rtol=1e-12, atol=1e-13)


def test_a_batch_of_chains() -> None:
    """Labels that all arrays have are none that is added up."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 3, N, N))

    def f(v: Any) -> Any:
        x = v.reshape(3, N, N)
        return (x @ a @ (b @ x) + np.einsum("bij,bjk,bkl->bil", x, a, b)).reshape(-1)

    x = rng.normal(size=3 * N * N)
    want = np.asarray(ft.jacfwd(f)(x))
    np.testing.assert_allclose(ft.spjacobian(f, method="direct")(x).toarray(), want, rtol=1e-12, atol=1e-11)


def test_chains_in_sums_of_themselves_and_in_long_sums() -> None:
    """What is added to itself again and again has as many nodes as it was added, not as many paths to go."""
    d, a, b = given = [param((N, N), dtypes.float64, number) for number in range(3)]
    first, second = (einsum("ij,jk->ik", einsum("ij,jk->ik", d, k), k) for k in (a, b))
    total = first.src[0]
    for _ in range(40):
        total = B.add(total, total)
    for _ in range(1200):
        total = B.sub(total, second.src[0])
    whole = first.replace((total,))
    (made,) = chained([whole], [d])
    assert made is not whole
    values = {p: buffer(x) for p, x in zip(given, np.random.default_rng(3).normal(size=(3, N, N)), strict=True)}
    x, y, z = (interpret(substitute((u,), values), {})[0] for u in (made, first, second))
    np.testing.assert_allclose(x, 2.0**40 * y - 1200 * z, rtol=1e-9)
