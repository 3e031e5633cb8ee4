"""Builders of the sides of a sparse Jacobian: one function of a flat vector, given to several libraries.

``f(np, segments)`` makes the function for a namespace and a segment sum ``segments(values, ids, count)``. Every side
gives the values in the order of CSR with sorted columns; what a library has in another order is put in order outside
of the timing.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.case import Array, Build, Run, load

Make = Callable[[Any, Any], Callable[[Any], Any]]


class InOrder:
    """A run whose values are in the order of ``rows`` and ``cols``; read, they are in the order of CSR."""

    def __init__(self, run: Run, rows: Any, cols: Any) -> None:
        self._run, self._order = run, np.lexsort((np.asarray(cols), np.asarray(rows)))

    def repeat(self, times: int) -> None:
        for _ in range(times):
            self._run()

    def __call__(self) -> Array:
        return np.asarray(self._run())[self._order]


def matrix(rows: Any, cols: Any, values: Any, shape: tuple[int, int]) -> Any:
    """A CSR matrix with sorted columns of entries that may repeat, explicit zeros kept."""
    result = sparse.coo_array((values, (rows, cols)), shape=shape).tocsr()
    result.sum_duplicates()
    result.sort_indices()
    return result


def bincount(values: Any, ids: Array, count: int) -> Any:
    return np.bincount(ids, weights=values, minlength=count)


class Ours:
    """functrans: the values are written into a buffer that holds the constant ones."""

    transform = "spjacobian"

    def __init__(self, make: Make) -> None:
        self._make = make

    @property
    def function(self) -> Callable[[Any], Any]:
        """The function."""
        return self._make(np, bincount)

    def __call__(self, x: Array) -> Run:
        jacobian = getattr(load("functrans"), self.transform)(self.function)
        out = jacobian.empty_values(x)
        return lambda: jacobian.values(x, out=out)


def asdex(f: Make) -> Build:
    """asdex: detection, coloring and compressed Jacobian in JAX; the values alone."""

    def build(x: Array) -> Run:
        jax, library = load("jax"), load("asdex")
        g = f(jax.numpy, jax.ops.segment_sum)
        there = jax.numpy.asarray(x)
        coloring = library.jacobian_coloring(g, there)
        compressed = library.compressed_jacobian_from_coloring(g, coloring)
        values = jax.jit(lambda y: library.decompress_data(compressed(y), coloring))
        return InOrder(lambda: values(there).block_until_ready(), coloring.sparsity.rows, coloring.sparsity.cols)

    return build


def sparsejac(f: Make, pattern: Callable[[Array], Any]) -> Build:
    """sparsejac: the pattern is given."""

    def build(x: Array) -> Run:
        jax, library = load("jax"), load("sparsejac")
        known = pattern(x)
        ones = load("jax.experimental.sparse").BCOO.from_scipy_sparse(sparse.csr_matrix(known))
        g = f(jax.numpy, jax.ops.segment_sum)
        jacobian = library.jacfwd(g, ones)
        values = jax.jit(lambda y: jacobian(y).data)
        there = jax.numpy.asarray(x)
        rows, cols = np.asarray(ones.indices).T
        return InOrder(lambda: values(there).block_until_ready(), rows, cols)

    return build


def in_turn(values: Any, ids: Array, count: int) -> Any:
    """A segment sum of expressions, one after the other."""
    result: list[Any] = [0.0] * count
    for k, value in zip(ids, values):
        result[k] = result[k] + value
    return np.array(result, dtype=object)


class Symbolic:
    """NumPy for arrays of CasADi's scalar expressions."""

    def __init__(self, ca: Any) -> None:
        self._of = {"where": (ca.if_else, 3), "minimum": (ca.fmin, 2), "maximum": (ca.fmax, 2), "abs": (ca.fabs, 1)}

    def __getattr__(self, name: str) -> Any:
        if name not in self._of:
            return getattr(np, name)
        of, arguments = self._of[name]
        return np.frompyfunc(of, arguments, 1)


def casadi(f: Make, *, in_c: bool = False) -> Build:
    """CasADi: SX, its interpreter or the C that it writes, called with buffers that are bound once."""

    def build(x: Array) -> Run:
        ca = load("casadi")
        symbol = ca.SX.sym("x", x.size)
        entries = np.array([symbol[k] for k in range(x.size)], dtype=object)
        found = ca.jacobian(ca.vertcat(*f(Symbolic(ca), in_turn)(entries)), symbol)
        function = ca.Function("values", [symbol], [found])
        pattern = function.sparsity_out(0)
        if in_c:
            function = compiled(ca, function)
        return InOrder(called(function, x, pattern.nnz()), *map(np.asarray, pattern.get_triplet()))

    return build


def called(function: Any, x: Array, count: int) -> Run:
    """A CasADi function of one argument with its buffers bound; whoever calls keeps all of them alive."""
    out = np.zeros(count)
    buffer, evaluate = function.buffer()
    buffer.set_arg(0, x.data)
    buffer.set_res(0, out.data)
    kept = function, buffer, x

    def run() -> Array:
        evaluate()
        return out if kept else out[:0]

    return run


def compiled(ca: Any, function: Any) -> Any:
    """A function named "values" as the C that CasADi writes for it."""
    with tempfile.TemporaryDirectory(prefix="benchmark") as directory:
        writer = ca.CodeGenerator("values.c")
        writer.add(function)
        writer.generate(f"{directory}/")
        library = Path(directory) / "values.so"
        flags = ["-O3", "-march=native", "-fPIC", "-shared"]
        subprocess.run(["gcc", *flags, f"{directory}/values.c", "-lm", "-o", str(library)], check=True)
        return ca.external("values", str(library))
