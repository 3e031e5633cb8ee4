"""One sparse system, its pattern known, against KLU that factors anew with the pivots of a factorization before.

KLU is called as its own library, which the package klujax contains. Both are called from Python for each system.
"""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, load
from benchmarks.cases.common import ours
from benchmarks.cases.sparse_systems import CONTROL, GRIDS, System, found, inputs, one_by_one

ORDERING, COMMON = 44, 512  # where klu_common has its ordering (0 is AMD, 1 COLAMD), and bytes that it fits in


def one(system: System, size: int) -> tuple[Array, Array]:
    """Entries of the matrix, 10 % off, and a right-hand side."""
    values, b = inputs(system, size)
    return values[0], b[0]


def reference(system: System, values: Array, b: Array) -> Any:
    return one_by_one(system, values[None], b[None])[0]


def solve(system: System, ft: Any) -> Any:
    A = found(system)
    return lambda v, b: ft.sparse(v, A).factor(nominal=A.data).solve(b)


class Klu:
    """Factorizations with one pattern, numbers in the order of columns."""

    def __init__(self, system: System, values: Array, b: Array) -> None:
        library = ctypes.CDLL(load("klujax_cpp").__file__)
        sparse, A = load("scipy.sparse"), found(system)
        columns = sparse.csc_array(sparse.csr_array((np.arange(A.nnz), A.indices, A.indptr), A.shape))
        n = ctypes.c_int32(A.shape[0])
        self.right, self.x = b, np.empty_like(b)
        self._arrays = [a.astype(np.int32) for a in (columns.indptr, columns.indices)] + [values[columns.data]]
        at = [ctypes.c_void_p(a.ctypes.data) for a in self._arrays]
        common = (ctypes.c_char * COMMON)()
        library.klu_defaults(common)
        ctypes.c_int32.from_buffer(common, ORDERING).value = int(system.ordering == "COLAMD")
        for name in ("klu_analyze", "klu_factor"):
            getattr(library, name).restype = ctypes.c_void_p
        plan = ctypes.c_void_p(library.klu_analyze(n, at[0], at[1], common))
        factors = ctypes.c_void_p(library.klu_factor(*at, plan, common))
        if not factors:
            raise ValueError("KLU finds the matrix singular")
        self._refactor = partial(library.klu_refactor, *at, plan, factors, common)
        self._solve = partial(library.klu_solve, plan, factors, n, 1, ctypes.c_void_p(self.x.ctypes.data), common)

    def __call__(self) -> Array:
        self._refactor()
        self.x[:] = self.right
        self._solve()
        return self.x


def klu(system: System, values: Array, b: Array) -> Run:
    return Klu(system, values, b)


def case(system: System, data: str = "") -> Case:
    return Case(
        name=f"spsolve-one-{system.name}", title=f"one sparse system {system.title}, against KLU", table="sparse",
        inputs=partial(one, system), reference=partial(reference, system), size=1, small=1, bar=1 / 2,
        against="klu", tolerance=1e-6, data=data,
        sides={"ours": ours(partial(solve, system)), "klu": partial(klu, system)},
    )  # fmt: skip


CASES = tuple(case(system) for system in (*GRIDS, *CONTROL))
