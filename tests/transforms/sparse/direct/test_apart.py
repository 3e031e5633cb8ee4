"""Small matrices taken apart have the same values, and no product of matrices is left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, toposort
from functrans.tensor.contract import matmul
from functrans.transforms.sparse.direct.cells import apart
from functrans.transforms.sparse.direct.spaces import SHORT
from functrans.transforms.sparse.direct.sums import MAX_ADDENDS


def split(rng: np.random.Generator, n: int) -> tuple[int, ...]:
    factor = int(rng.choice([k for k in range(1, n + 1) if n % k == 0]))
    return (factor, n // factor)


def step(rng: np.random.Generator, x: UOp, cells: int) -> UOp:
    """One more op on an array of cells, the first axis of which counts them unless it was moved or taken apart."""
    shape, axis = x.sized, int(rng.integers(x.ndim))
    n = shape[axis]
    kind = rng.choice(["split", "permute", "expand", "shrink", "pad", "flip", "sum", "max", "sin", "mul", "product"])
    if kind == "split" and x.ndim < 5:
        return B.reshape(x, (*shape[:axis], *split(rng, n), *shape[axis + 1 :]))
    if kind == "permute":
        return B.permute(x, tuple(map(int, rng.permutation(x.ndim))))
    if kind == "expand" and x.ndim < 5:
        times = int(rng.integers(1, 4))
        one = B.reshape(x, (*shape[:axis], 1, *shape[axis:]))
        return B.expand(one, (*shape[:axis], times, *shape[axis:]))
    if kind == "shrink" and n > 1:
        return B.shrink(x, tuple((1, m) if k == axis else (0, m) for k, m in enumerate(shape)))
    if kind == "pad" and n < 2 * cells:
        return B.pad(x, tuple((1, 0) if k == axis else (0, 0) for k in range(x.ndim)))
    if kind == "flip":
        return B.flip(x, tuple(k == axis for k in range(x.ndim)))
    if kind in ("sum", "max") and x.ndim > 2:
        return B.reduce_axis(x, Ops.ADD if kind == "sum" else Ops.MAX, (axis,))
    if kind == "sin":
        return B.alu(Ops.SIN, x)
    if kind == "mul":
        return B.mul(x, x)
    if kind == "product" and x.ndim > 1:
        return matmul(x, B.permute(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)))
    return x


@pytest.mark.parametrize("seed", range(40))
def test_the_same_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells, n = int(rng.choice([12, 30, 70])), int(rng.integers(1, 5))
    a = buffer(0.5 * np.eye(n) + rng.uniform(-0.1, 0.1, (cells, n, n)))  # sums and powers stay near one
    x = matmul(a, B.adjugate(a)) if seed % 2 else B.mul(a, B.broadcast(B.reshape(B.det(a), (cells, 1, 1)), a.sized))
    for _ in range(8):
        x = step(rng, x, cells)
    (made,) = apart([x])
    assert made.sized == x.sized
    (have,), (want,) = interpret([made]), interpret([x])
    np.testing.assert_allclose(have, want, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("axes", [0, 1, 2])
def test_mapped_over_any_axis(axes: int) -> None:
    """One cell and mapped: no product is left in the graph of the gradient's, whichever axis counts cells."""
    rng = np.random.default_rng(axes)
    a = rng.uniform(-1, 1, (40, 3, 2))

    def energy(x: Any) -> Any:
        def of_cell(m: Any) -> Any:
            return np.log(1 + np.linalg.det(m.T @ m)) + np.trace(m @ m.T)

        return ft.vmap(of_cell, in_axes=axes)(np.moveaxis(a * x.reshape(40, 1, 1), 0, axes)).sum()

    x = rng.uniform(0.5, 1, 40)
    graph = ft.jit(energy).lower(x).graph.outputs
    made = apart(graph)
    assert not any(u.op is Ops.DET for u in toposort(made))
    H = ft.sphessian(energy)
    assert H.pattern(x).nnz == 40
    np.testing.assert_allclose(H(x).toarray(), ft.hessian(energy)(x), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("rows", "columns", "cells"),
    [(4, 2, 200), (3, 3, 27), (3, 4, 200), (5, 2, 200), (SHORT + 1, 2, 200), (3, 3, 26)],
)
def test_what_is_taken_apart(rows: int, columns: int, cells: int) -> None:
    """As many elements as get a name and no more, and no fewer cells."""
    a = buffer(np.random.default_rng(0).uniform(-1, 1, (cells, rows, columns)))
    x = matmul(a, B.permute(a, (0, 2, 1)))
    (made,) = apart([x])
    elements = rows * rows * columns
    assert (made is not x) == (rows <= SHORT and elements <= min(MAX_ADDENDS, cells))
    if elements <= MAX_ADDENDS:
        np.testing.assert_allclose(interpret([made])[0], interpret([x])[0], rtol=1e-13)


@pytest.mark.parametrize(("links", "taken"), [(4, True), (10, False)])
def test_long_chains_stay_matrices(links: int, taken: bool) -> None:
    a = np.random.default_rng(0).uniform(-0.4, 0.4, (40, 3, 3))

    def f(x: Any) -> Any:
        m = a * x[:, None, None]
        for k in range(links):
            m = np.tanh(m @ (a / (1 + k)))  # another matrix in each link
        return m.sum((1, 2))

    x = np.random.default_rng(1).uniform(0.5, 1, 40)
    J = ft.spjacobian(f, method="direct")
    np.testing.assert_allclose(J(x).toarray(), ft.jacfwd(f)(x), rtol=1e-12, atol=1e-14)
    (problem,) = J._problems.values()
    assert problem.direct is not None
    products = [u for u in problem.direct.extraction.order if u.op is Ops.MUL and u.ndim > 2]
    assert (not products) == taken


def test_a_rule_of_the_user_is_kept() -> None:
    """A part with its own derivative is no matrix product to be taken apart."""

    @ft.custom_jvp
    def twice(m: Any) -> Any:
        return m @ m

    @twice.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (m,), (t,) = primals, tangents
        return m @ m, 3.0 * t @ m

    a = np.random.default_rng(0).uniform(-1, 1, (30, 2, 2))

    def f(x: Any) -> Any:
        return ft.vmap(lambda m: np.linalg.det(m) * twice(m)[0, 0])(a * x.reshape(30, 1, 1))

    x = np.random.default_rng(1).uniform(0.5, 1, 30)
    np.testing.assert_allclose(ft.spjacobian(f)(x).toarray(), ft.jacfwd(f)(x), rtol=1e-11, atol=1e-12)


def test_no_cells() -> None:
    a = np.zeros((0, 3, 3))
    f = lambda x: np.linalg.det(a * x[0]).sum() + x[1] ** 2  # noqa: E731
    np.testing.assert_array_equal(ft.sphessian(f)(np.ones(2)).toarray(), [[0, 0], [0, 2]])
