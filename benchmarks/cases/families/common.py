"""What the rows of a family share: one function of a flat vector for every library, three sizes, and the reference.

The reference of a Jacobian are complex steps of the same function in NumPy, a color at a time; that of a Hessian is
functrans by products with directions, where there is no C by hand to hold it against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Build, Case, Run, load
from benchmarks.cases.sparse_common import InOrder, Make, Ours, Symbolic, asdex, called, casadi

STEP = 1e-40


class Complex:
    """NumPy for complex steps: the sign of a number is that of its real part."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def abs(x: Any) -> Any:
        return np.where(np.real(x) < 0, -x, x)


def segments(values: Any, ids: Array, count: int) -> Array:
    """Segment sums of complex numbers."""
    result = np.zeros(count, values.dtype)
    np.add.at(result, ids, values)
    return result


def steps(make: Make, x: Array) -> Array:
    """The values of the Jacobian in the order of CSR: complex steps along the columns of a color at once."""
    pattern = load("functrans").spjacobian(Ours(make).function).pattern(x)
    f = make(Complex(), segments)
    rows, cols = pattern.rows, pattern.cols
    values = np.zeros(len(rows))
    color = colored(rows, cols, x.size)
    for k in range(int(color.max(initial=-1)) + 1):
        found = np.asarray(f(x + 1j * STEP * (color == k))).imag / STEP
        here = color[cols] == k
        values[here] = found[rows[here]]
    return values


def colored(rows: Array, cols: Array, count: int) -> Array:
    """Colors of columns, no two of one color with an entry in one row: the first that is free."""
    by_col, by_row = np.argsort(cols, kind="stable"), np.argsort(rows, kind="stable")
    of_col = np.split(rows[by_col], np.searchsorted(cols[by_col], np.arange(1, count)))
    of_row = np.split(cols[by_row], np.searchsorted(rows[by_row], np.arange(1, int(rows.max(initial=0)) + 1)))
    color = np.full(count, -1)
    for j in range(count):
        taken = {int(color[m]) for i in of_col[j] for m in of_row[i]}
        color[j] = next(k for k in range(count + 1) if k not in taken)
    return color


class OursHessian(Ours):
    """functrans: the Hessian of a scalar function, all entries."""

    transform = "sphessian"


def products(make: Make, x: Array) -> Array:
    """The values of the Hessian by products with directions."""
    found: Array = np.asarray(load("functrans").sphessian(Ours(make).function, method="compressed").values(x))
    return found


def casadi_hessian(make: Make) -> Build:
    """CasADi: SX, the whole Hessian, its interpreter."""

    def build(x: Array) -> Run:
        ca = load("casadi")
        symbol = ca.SX.sym("x", x.size)
        entries = np.array([symbol[k] for k in range(x.size)], dtype=object)
        found = ca.hessian(make(Symbolic(ca), None)(entries), symbol)[0]
        function = ca.Function("values", [symbol], [found])
        pattern = function.sparsity_out(0)
        return InOrder(called(function, x, pattern.nnz()), *map(np.asarray, pattern.get_triplet()))

    return build


def asdex_hessian(make: Make) -> Build:
    """asdex: the whole Hessian, compressed, in JAX."""

    def build(x: Array) -> Run:
        jax, library = load("jax"), load("asdex")
        g = make(jax.numpy, jax.ops.segment_sum)
        there = jax.numpy.asarray(x)
        coloring = library.hessian_coloring(g, there)
        compressed = library.compressed_hessian_from_coloring(g, coloring)
        values = jax.jit(lambda y: library.decompress_data(compressed(y), coloring))
        return InOrder(lambda: values(there).block_until_ready(), coloring.sparsity.rows, coloring.sparsity.cols)

    return build


class Places:
    """Where entries stand among the values of a CSR matrix that has just those of some rows and columns."""

    def __init__(self, rows: Array, cols: Array, shape: tuple[int, int]) -> None:
        self._keys, self._columns = np.unique(rows.ravel().astype(np.int64) * shape[1] + cols.ravel()), shape[1]
        self.count = len(self._keys)

    def of(self, rows: Array, cols: Array) -> Array:
        """The places, as the integers that C reads."""
        found: Array = np.searchsorted(self._keys, rows.astype(np.int64) * self._columns + cols)
        return found.astype(np.int32)


def family(
    name: str, title: str, make: Make, inputs: Callable[[int], tuple[Array]], sizes: Mapping[str, int], small: int,
    handwritten: Callable[[Array], Run] | None = None, *, hessian: bool = False, symbolic: str = "",
) -> tuple[Case, ...]:  # fmt: skip
    """The rows of a family: what is made by hand and CasADi where there is such a thing, asdex and functrans.

    symbolic : the largest of the sizes at which CasADi's expressions are made
    """
    found = []
    for label, size in sizes.items():
        sides: dict[str, Build] = {"ours": OursHessian(make) if hessian else Ours(make)}
        if handwritten is not None:
            sides["limit"] = handwritten
        if symbolic and size <= sizes[symbolic]:
            sides["casadi"] = casadi_hessian(make) if hessian else casadi(make)
        sides["asdex"] = asdex_hessian(make) if hessian else asdex(make)
        found.append(
            Case(f"{name}-{label.replace(' ', '')}", f"{title}: {label}", "families", inputs,
                 partial(products if hessian else steps, make), size, small, 1.5, sides, tolerance=1e-11)
        )  # fmt: skip
    return tuple(found)
