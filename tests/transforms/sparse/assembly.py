"""Random programs that add up elements of meshes, and a hunt over as many as one likes.

Elements of several orders at once, in any order, with nodes met twice, nodes met never, matrices full of zeros, no
elements at all; energies (second derivatives) and residuals (first ones); in whole arrays, by components, with products
of matrices and determinants, or lane by lane.

    python -m tests.transforms.sparse.assembly 10000         seeds 0 to 9999
    python -m tests.transforms.sparse.assembly 500 4000      seeds 4000 to 4499
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

import functrans as ft
from functrans import tree
from functrans.ops.interpret import interpret
from functrans.ops.source import param
from functrans.transforms.forward import push_forward

Array = NDArray[Any]


class Assembly:
    """A function of a vector, by the number of its seed: an energy, or a residual of as many elements."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.seed, self.is_energy = seed, bool(rng.random() < 0.6)
        self.nodes, self.width = int(rng.integers(2, 12)), int(rng.integers(1, 4))
        self.groups = [self._group(rng) for _ in range(int(rng.integers(1, 4)))]
        self.x = rng.uniform(-1, 1, self.nodes * self.width)
        self.own = bool(rng.random() < 0.3)

    def _group(self, rng: np.random.Generator) -> dict[str, Any]:
        count, order = int(rng.choice([0, 1, 2, 7, 40])), int(rng.integers(1, 5))
        ends = rng.integers(0, self.nodes, (count, order))
        if rng.random() < 0.4 and order <= self.nodes:  # no node twice in one element
            ends = rng.permuted(np.tile(np.arange(self.nodes), (count, 1)), axis=1)[:, :order]
        if rng.random() < 0.2 and count:
            ends = ends[rng.integers(0, count, count)]  # elements that are there several times
        shape = (count, order, int(rng.integers(1, 4)))
        matrix = np.where(rng.random(shape) < rng.choice([0.0, 0.4, 0.7]), 0.0, rng.uniform(-1, 1, shape))
        how = str(rng.choice(["arrays", "components", "einsum", "lanes"]))
        law = str(rng.choice(["square", "smooth", "kink", "product"]))
        return {"ends": ends, "matrix": matrix, "weight": rng.uniform(0.5, 2, count), "how": how, "law": law}

    def __call__(self, x: Any) -> Any:
        """The energy, or the residual at each unknown."""
        u = np.reshape(x, (self.nodes, self.width))
        parts = [self._of(u, g) for g in self.groups]
        if self.is_energy:
            total = sum((np.sum(p) for p in parts), np.sum(0.5 * x * x) if self.own else 0.0 * np.sum(x))
            return total
        found = np.sin(x) if self.own else 0.0 * x
        for p, g in zip(parts, self.groups, strict=True):
            for a in range(g["ends"].shape[1]):
                at = g["ends"][:, a]
                for i in range(self.width):
                    share = p * (1.0 + a) + u[at, i] * g["weight"]
                    found = found + _spread(np.bincount(at, weights=share, minlength=self.nodes), i, self.width)
        return found

    def _of(self, u: Any, g: dict[str, Any]) -> Any:
        ends, matrix, weight = g["ends"], g["matrix"], g["weight"]
        if g["how"] == "lanes":

            def one(end: Any, b: Any, w: Any) -> Any:
                return w * _law(np.reshape(b.T @ u[end], (1, b.shape[1], self.width)), g["law"])[0]

            return ft.vmap(one)(ends, matrix, weight) if len(ends) else weight
        if g["how"] == "einsum":
            f = np.einsum("eak,eai->eki", matrix, u[ends])
        elif g["how"] == "arrays":
            f = sum(matrix[:, a, :, None] * u[ends[:, a]][:, None, :] for a in range(ends.shape[1]))
        else:
            rows = []
            for k in range(matrix.shape[2]):
                row = [sum(matrix[:, a, k] * u[ends[:, a], i] for a in range(ends.shape[1])) for i in range(self.width)]
                rows.append(np.stack(row, 1))
            f = np.stack(rows, 1)
        return weight * _law(f, g["law"])


def _law(f: Any, law: str) -> Any:
    """A number for each matrix of a stack of them."""
    square = (f * f).sum((1, 2))
    if law == "square":
        return square
    if law == "smooth":
        return np.log(1.5 + square) + np.tanh(f[:, 0, 0])
    if law == "kink":
        return np.where(f[:, 0, 0] > 0, square * f[:, 0, 0], np.abs(f[:, 0, -1]) * square)
    n = min(f.shape[1], f.shape[2])
    return np.exp(0.3 * np.linalg.det(f[:, :n, :n])) + square * square


def _spread(column: Any, i: int, width: int) -> Any:
    """A number for each node as the i-th of its unknowns."""
    return (column[:, None] * (np.arange(width) == i)).reshape(-1)


def matrices(program: Assembly, method: str) -> tuple[Array, Array, Any]:
    """The sparse matrix by the graph alone, the dense one by a tangent for each unknown, and the problem."""
    J = (ft.sphessian if program.is_energy else ft.spjacobian)(program, method=method)
    leaves, treedef = tree.flatten(((program.x,), {}))
    problem = J._problem(leaves, treedef)
    at = dict(zip(problem.params, map(np.asarray, leaves), strict=True))
    values: dict[Any, Array] = {}  # of the program itself, which no direction changes
    (data,) = interpret(problem.values, at)
    (source,) = problem.inputs
    direction = param(source.sized, source.dtype)
    (tangent,) = push_forward(problem.outputs, {source: direction})
    dense = np.zeros((program.x.size, program.x.size))
    interpret(problem.outputs, at, values)
    if tangent is not None:
        for j, unit in enumerate(np.eye(program.x.size)):
            dense[:, j] = np.reshape(interpret([tangent], {direction: unit}, dict(values))[0], -1)
    return problem.patterns[0].to_scipy(data).toarray(), dense, problem


def check(seed: int, method: str) -> Any:
    """Compare a program's matrices; the problem, to see what it took."""
    program = Assembly(seed)
    have, want, problem = matrices(program, method)
    np.testing.assert_allclose(have, want, rtol=1e-11, atol=1e-11 * np.abs(want).max(initial=1), err_msg=f"seed {seed}")
    return problem


def hunt(count: int, first: int = 0) -> None:
    """Check so many programs by both methods that have terms, and say which are wrong."""
    wrong = 0
    for seed in range(first, first + count):
        if seed % 100 == 0:
            sys.stderr.write(f"seed {seed}, {wrong} wrong so far\n")
        for method in ("direct", "auto"):
            try:
                check(seed, method)
            except Exception as error:  # whatever it is, the hunt goes on and reports it
                wrong += 1
                sys.stderr.write(f"seed {seed}, {method}: {type(error).__name__}: {str(error)[:300]}\n")
    sys.stderr.write(f"{count} programs, {wrong} wrong\n")


if __name__ == "__main__":
    hunt(*map(int, sys.argv[1:]))
