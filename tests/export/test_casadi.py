"""The interface of CasADi and acados: its own functions read by cffi, and CasADi itself where it is installed."""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path
from typing import Any

import cffi
import numpy as np
import pytest

import functrans as ft
from tests.export.samples import exported, normal

INTEGERS = {"casadi": "long long int", "acados": "int"}
CASADI = pytest.mark.skipif(importlib.util.find_spec("casadi") is None, reason="CasADi is not installed")


def system(x: Any, a: Any) -> Any:
    return a @ x * x[:2], x @ x


class Raw:
    """A library of the interface as a solver sees it."""

    def __init__(self, library: Path, name: str, abi: str) -> None:
        self.ffi, i = cffi.FFI(), INTEGERS[abi]
        memory = "void *" if abi == "acados" else "int"
        self.ffi.cdef(f"""
            int {name}(const double **, double **, {i} *, double *, {memory});
            {i} {name}_n_in(void); {i} {name}_n_out(void);
            const char *{name}_name_in({i}); const char *{name}_name_out({i});
            const {i} *{name}_sparsity_in({i}); const {i} *{name}_sparsity_out({i});
            int {name}_work({i} *, {i} *, {i} *, {i} *);
            int {name}_checkout(void); void {name}_release(int);
        """)
        self.library, self.name, self.integer, self.none = self.ffi.dlopen(str(library)), name, i, memory != "int"

    def __getattr__(self, end: str) -> Any:
        return getattr(self.library, f"{self.name}_{end}")

    def names(self, side: str) -> list[str]:
        count = getattr(self, f"n_{side}")()
        return [self.ffi.string(getattr(self, f"name_{side}")(k)).decode() for k in range(count)]

    def sizes(self) -> list[int]:
        found = [self.ffi.new(f"{self.integer} *") for _ in range(4)]
        assert self.work(*found) == 0
        return [int(n[0]) for n in found]

    def call(self, args: list[Any], results: list[Any]) -> int:
        def pointers(arrays: list[Any], kind: str) -> Any:
            none = self.ffi.NULL
            return self.ffi.new(kind, [none if a is None else self.ffi.cast("double *", a.ctypes.data) for a in arrays])

        work = np.full(self.sizes()[3], np.nan)
        given, made = pointers(args, "const double *[]"), pointers(results, "double *[]")
        memory = self.ffi.NULL if self.none else 0
        f = getattr(self.library, self.name)
        return int(f(given, made, self.ffi.NULL, self.ffi.cast("double *", work.ctypes.data), memory))

    def sparsity(self, side: str, k: int) -> list[int]:
        start = getattr(self, f"sparsity_{side}")(k)
        columns = start[1]
        if start[2] == 1:
            return [start[0], columns, 1]
        return [start[i] for i in range(3 + columns + start[2 + columns])]


@pytest.mark.parametrize("abi", INTEGERS)
def test_what_a_solver_reads(abi: str, tmp_path: Path) -> None:
    made, library = exported(system, (normal(3), normal(2, 3)), tmp_path, abi=abi)
    assert made.functions == ("f", "jac_f", "fwd1_f", "adj1_f", "jac_adj1_f")
    f, jac, fwd, adj, second = (Raw(library, n, abi) for n in made.functions)
    assert (f.names("in"), f.names("out")) == (["x", "a"], ["y_0", "y_1"])
    assert [f.sparsity("in", k) for k in range(2)] == [[3, 1, 1], [2, 3, 1]]
    assert [f.sparsity("out", k) for k in range(2)] == [[2, 1, 1], [1, 1, 1]]
    assert jac.names("in") == ["x", "a", "out_y_0", "out_y_1"]
    assert jac.sparsity("in", 2) == [2, 1, 0, 0]
    assert jac.names("out") == ["jac_y_0_x", "jac_y_0_a", "jac_y_1_x", "jac_y_1_a"]
    assert jac.sparsity("out", 0) == [2, 3, 0, 2, 4, 6, 0, 1, 0, 1, 0, 1]
    assert jac.sparsity("out", 1) == [2, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 0, 1, 0, 1]  # a by columns
    assert jac.sparsity("out", 3) == [1, 6, *[0] * 7]
    assert fwd.names("in") == ["x", "a", "out_y_0", "out_y_1", "fwd_x", "fwd_a"]
    assert adj.names("in") == ["x", "a", "out_y_0", "out_y_1", "adj_y_0", "adj_y_1"]
    assert adj.names("out") == ["adj_x", "adj_a"]
    assert second.names("in") == [*adj.names("in"), "out_adj_x", "out_adj_a"]
    assert len(second.names("out")) == 2 * 6
    assert second.names("out")[2:5] == ["jac_adj_x_out_y_0", "jac_adj_x_out_y_1", "jac_adj_x_adj_y_0"]
    assert second.sparsity("out", 2) == [3, 2, 0, 0, 0]
    assert f.sizes()[:3] == [2, 2, 0] and f.checkout() == 0 and f.release(0) is None
    assert f.sparsity_in(7) == f.ffi.NULL and f.name_out(7) == f.ffi.NULL


@pytest.mark.parametrize("abi", INTEGERS)
def test_null_is_zero_and_not_wanted(abi: str, tmp_path: Path) -> None:
    x, a = normal(3), normal(2, 3)
    _, library = exported(system, (x, a), tmp_path, abi=abi, derivatives=())
    f, columns = Raw(library, "f", abi), np.asfortranarray(a).ravel("K")
    first, second = np.full(2, np.nan), np.full(1, np.nan)
    assert f.call([x, columns], [first, second]) == 0
    np.testing.assert_allclose(first, a @ x * x[:2], rtol=1e-14)
    np.testing.assert_allclose(second, x @ x, rtol=1e-14)
    alone = np.full(1, np.nan)
    assert f.call([x, columns], [None, alone]) == 0
    assert alone == second
    assert f.call([x, None], [first, None]) == 0
    assert first.tolist() == [0, 0]
    assert f.call([None, None], [None, second]) == 0
    assert second.tolist() == [0]


def test_what_is_not_wanted_disturbs_nothing(tmp_path: Path) -> None:
    def f(x: Any) -> Any:
        y, ys = ft.scan(lambda c, _: (np.sin(c) * x, c * x), x, None, length=4)
        return ys, np.linalg.solve(np.outer(x, x) + 3 * np.eye(3), y), y, ys.sum(0)

    x = normal(3)
    _, library = exported(f, (x,), tmp_path, abi="casadi", derivatives=())
    raw, sizes = Raw(library, "f", "casadi"), [12, 3, 3, 3]
    whole = [np.empty(n) for n in sizes]
    assert raw.call([x], whole) == 0
    for wanted in itertools.product([False, True], repeat=4):
        some = [np.empty(n) if w else None for n, w in zip(sizes, wanted, strict=True)]
        assert raw.call([x], some) == 0
        for a, b in zip(some, whole, strict=True):
            assert a is None or np.array_equal(a, b)


def test_a_refused_matrix_fails_the_evaluation(tmp_path: Path) -> None:
    _, library = exported(np.linalg.solve, (np.eye(2), np.ones(2)), tmp_path, abi="casadi", derivatives=())
    f = Raw(library, "f", "casadi")
    assert f.call([np.eye(2), np.ones(2)], [np.empty(2)]) == 0
    assert f.call([np.zeros((2, 2)), np.ones(2)], [np.empty(2)]) == 3


def rosenbrock(x: Any) -> Any:
    return ((1 - x[:-1]) ** 2).sum() + 100 * ((x[1:] - x[:-1] ** 2) ** 2).sum()


@CASADI
def test_casadi_solves_with_it(tmp_path: Path) -> None:
    casadi = importlib.import_module("casadi")
    n = 4

    def problem(x: Any) -> Any:
        return rosenbrock(x), x[1:] * x[:-1]

    _, library = exported(problem, (np.zeros(n),), tmp_path, abi="casadi")
    own = casadi.external("f", str(library))
    x = casadi.MX.sym("x", n)
    y, g = own(x)
    bounds = {"lbg": -1.0, "ubg": 0.5}
    options = {"ipopt.print_level": 0, "print_time": False}
    solved = casadi.nlpsol("s", "ipopt", {"x": x, "f": y, "g": g}, options)(x0=0.1, **bounds)
    z = casadi.MX.sym("z", n)
    f = casadi.sumsqr(1 - z[:-1]) + 100 * casadi.sumsqr(z[1:] - z[:-1] ** 2)
    wanted = casadi.nlpsol("t", "ipopt", {"x": z, "f": f, "g": z[1:] * z[:-1]}, options)(x0=0.1, **bounds)
    np.testing.assert_allclose(np.array(solved["x"]), np.array(wanted["x"]), rtol=1e-6, atol=1e-8)


@CASADI
def test_casadi_has_its_derivatives(tmp_path: Path) -> None:
    casadi = importlib.import_module("casadi")
    x, a = normal(3), normal(2, 3)
    _, library = exported(system, (x, a), tmp_path, abi="casadi")
    f = casadi.external("f", str(library))
    s, t = casadi.MX.sym("x", 3), casadi.MX.sym("a", 2, 3)
    jacobian = casadi.Function("j", [s, t], [casadi.jacobian(f(s, t)[0], s)])
    np.testing.assert_allclose(np.array(jacobian(x, a)), ft.jacfwd(lambda x: system(x, a)[0])(x), rtol=1e-13)
