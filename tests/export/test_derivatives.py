"""Derivatives beside a function: against dense ones, block by block, in both layouts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sps

import functrans as ft
from functrans.export.derivatives import PRODUCTS
from functrans.testing import random_programs
from tests.export.samples import elementwise, exported, normal, riccati


def turned(x: Any, a: Any, p: Any) -> Any:
    y = a @ x
    return np.sin(y) * p + x[:2], np.outer(y, x), (x @ x) * p


def mixed(x: Any, k: Any, w: Any) -> Any:
    return x[k] * w * w, k + 1, np.sin(x)


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "elementwise": (elementwise, (normal(4), {"a": normal(3), "b": np.float64(0.3)})),
    "turned": (turned, (normal(3), normal(2, 3), np.float64(0.7))),
    "one": (lambda x: x[1:] * x[:-1], (normal(5),)),
    "matrix": (lambda x: np.exp(x) * x.T[0, 0], (normal(3, 2),)),
    "mixed": (mixed, (normal(4), np.int64(2), np.float64(1.5))),
    "loop": (lambda x: ft.scan(lambda c, _: (np.sin(c) * x, c.sum()), x, None, length=4), (normal(3),)),
}


class Flat:
    """A function of the vector of all float leaves, in an order, and its value as one."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], order: str) -> None:
        self.f, self.order = f, order
        self.leaves, self.tree = ft.tree.flatten(args)
        self.leaves = list(map(np.asarray, self.leaves))
        self.floats = [k for k, x in enumerate(self.leaves) if x.dtype.kind == "f"]
        self.inputs = [self.leaves[k] for k in self.floats]
        self.outputs = [y for y in map(np.asarray, ft.tree.leaves(f(*args))) if y.dtype.kind == "f"]
        self.point = self.joined(self.inputs)

    def joined(self, arrays: Any) -> Any:
        """Arrays as one vector."""
        return np.concatenate([self._flat(a) for a in arrays])

    def _flat(self, a: Any) -> Any:
        return (a.T if self.order == "F" and len(a.shape) == 2 else a).reshape(-1)

    def __call__(self, z: Any) -> Any:
        given: list[Any] = list(self.leaves)
        start = 0
        for k, x in zip(self.floats, self.inputs, strict=True):
            part = z[start : start + x.size]
            start += x.size
            turns = self.order == "F" and x.ndim == 2
            given[k] = part.reshape(x.shape[::-1]).T if turns else part.reshape(x.shape)
        results = ft.tree.leaves(self.f(*self.tree.unflatten(given)))
        real = [y for y in results if np.dtype(str(y.dtype)).kind == "f"]
        return np.concatenate([self._flat(y) for y in real])

    def blocks(self, matrix: Any, rows: Any, columns: Any) -> list[Any]:
        """A dense matrix in blocks."""
        down, across = (np.cumsum([0, *(a.size for a in arrays)]) for arrays in (rows, columns))
        each = [(k, j) for k in range(len(rows)) for j in range(len(columns))]
        return [matrix[slice(*down[k : k + 2]), slice(*across[j : j + 2])] for k, j in each]


def dense(f: Any, values: Any, k: int, shape: tuple[int, int]) -> Any:
    """Result k of an exported function as a matrix."""
    ends, indices = f.pattern(k)
    kind = sps.csr_array if f.abi == "plain" else sps.csc_array
    return kind((values[k], indices, ends), shape=shape).toarray()


INTEGERS = {"mixed"}  # which the plain interface alone has


@pytest.mark.parametrize(
    ("name", "abi"), [(n, a) for n in CASES for a in ("plain", "casadi", "acados") if a == "plain" or n not in INTEGERS]
)
def test_against_dense_ones(name: str, abi: str, tmp_path: Path) -> None:
    f, args = CASES[name]
    made, library = exported(f, args, tmp_path, abi=abi, derivatives=PRODUCTS)
    get = {n.removesuffix("_f"): ft.load_c(library, n) for n in made.functions}
    flat = Flat(f, args, "C" if abi == "plain" else "F")
    point = flat.leaves
    jacobian = ft.jacfwd(flat)(flat.point)

    def tupled(values: Any) -> tuple[Any, ...]:
        return values if isinstance(values, tuple) else (values,)

    def close(a: Any, b: Any) -> None:
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)

    values = tupled(get["jac"](*point))
    for k, block in enumerate(flat.blocks(jacobian, flat.outputs, flat.inputs)):
        close(dense(get["jac"], values, k, block.shape), block)
    directions = [normal(*x.shape) for x in flat.inputs]
    close(flat.joined(map(np.asarray, tupled(get["fwd1"](*point, *directions)))), jacobian @ flat.joined(directions))
    weights = [normal(*y.shape) for y in flat.outputs]
    w = flat.joined(weights)
    close(flat.joined(map(np.asarray, tupled(get["adj1"](*point, *weights)))), jacobian.T @ w)
    hessian = ft.hessian(lambda z: flat(z) @ w)(flat.point)
    second, h = tupled(get["jac_adj1"](*point, *weights)), get["jac_adj1"]
    found = {v.name: k for k, v in enumerate(h.outputs)}
    names = [v.name for v in h.inputs]
    x = [n for n, leaf in zip(names, point, strict=False) if leaf.dtype.kind == "f"]
    blocks = flat.blocks(hessian, flat.inputs, flat.inputs)
    for (a, b), block in zip(((a, b) for a in x for b in x), blocks, strict=True):
        k = found[f"jac_adj_{a}_{b}"]
        close(dense(h, second, k, block.shape), block)
    moved = [normal(*y.shape) for y in flat.outputs]
    product = get["fwd1_adj1"](*point, *weights, *directions, *moved)
    wanted = hessian @ flat.joined(directions) + jacobian.T @ flat.joined(moved)
    close(flat.joined(map(np.asarray, tupled(product))), wanted)
    if abi != "plain":
        weighted = [n for n in names if n.startswith("adj_")]
        blocks = flat.blocks(jacobian.T, flat.inputs, flat.outputs)
        for (a, b), block in zip(((a, b) for a in x for b in weighted), blocks, strict=True):
            close(dense(h, second, found[f"jac_adj_{a}_{b}"], block.shape), block)


def test_patterns_are_those_of_the_library(tmp_path: Path) -> None:
    x = normal(30)

    def g(x: Any) -> Any:
        return x[1:] * x[:-1] ** 2

    _, library = exported(g, (x,), tmp_path, derivatives=("jac", "jac_adj1"))
    jac, second = ft.load_c(library, "jac_f"), ft.load_c(library, "jac_adj1_f")
    wanted = ft.spjacobian(g)(x)
    for a, b in zip(jac.pattern(), (wanted.indptr, wanted.indices), strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(jac(x), wanted.data)
    lam = normal(29)
    hessian = ft.sphessian(lambda x: (lam * g(x)).sum())(x)
    for a, b in zip(second.pattern(), (hessian.indptr, hessian.indices), strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_allclose(second(x, lam), hessian.data, rtol=1e-13, atol=1e-15)


def test_a_controller_step_exports_whole(tmp_path: Path) -> None:
    args = (normal(3, 3) / 2, normal(3, 2), np.eye(3), np.eye(2))
    made, library = exported(riccati, args, tmp_path, derivatives=("fwd1", "adj1"))
    assert made.functions == ("f", "fwd1_f", "adj1_f")
    primal = ft.load_c(library, "f")(*args)
    weights = [normal(*y.shape) for y in primal]
    wanted = ft.vjp(riccati, *args)[1](tuple(weights))
    for a, b in zip(ft.load_c(library, "adj1_f")(*args, *weights), wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("seed", "which"), [(3, 7), (11, 15)], ids=["loops as functions", "booleans of each round"])
def test_programs_that_failed_once(seed: int, which: int, tmp_path: Path) -> None:
    f, args = list(random_programs(which + 1, seed, smooth=True, pieces=False))[which]
    made, library = exported(f, args, tmp_path)
    assert len(made.functions) == 5
    wanted = ft.jit(f)(*args)
    weights = tuple(normal(*np.shape(y)) for y in wanted)
    got = ft.load_c(library, "adj1_f")(*args, *weights)
    for a, b in zip(got if isinstance(got, tuple) else (got,), ft.vjp(f, *args)[1](weights), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kinds", [(np.float32, np.float64), (np.float64, np.float32)])
def test_two_precisions(kinds: tuple[Any, Any], tmp_path: Path) -> None:
    """Blocks of one matrix are of the types that the header says; the numbers are exact in both."""

    def f(x: Any, w: Any) -> Any:
        return x * w * w, x.astype(np.float32) * 2, w.sum()

    args = np.array([1, 2, 3], kinds[0]), np.array([4, 5, 6], kinds[1])
    made, library = exported(f, args, tmp_path)
    get = {n.removesuffix("_f"): ft.load_c(library, n) for n in made.functions}
    jac, (x, w) = get["jac"](*args), args
    assert [(v.dtype, v.shape) for v in jac] == [(v.dtype, v.shape) for v in get["jac"].outputs]
    for value, wanted in zip(jac, [w * w, 2 * x * w, [2, 2, 2], [], [], [1, 1, 1]], strict=True):
        np.testing.assert_array_equal(value, wanted)
    weights = [np.ones_like(y) for y in f(*args)]
    second = get["jac_adj1"](*args, *weights)
    for value, wanted in zip(second, [[], 2 * w, 2 * w, 2 * x], strict=True):
        np.testing.assert_array_equal(value, wanted)
