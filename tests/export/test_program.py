"""A nonlinear program as C: each function of a solver against the library, IPOPT's own functions from a C program."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sps

import functrans as ft
from functrans.backend.runtime.toolchain import find_compiler
from functrans.export.solvers import SOLVERS, signatures
from tests.export.test_casadi import Raw

RNG = np.random.default_rng(3)
X, P = RNG.uniform(0.5, 1.5, 6), RNG.uniform(0.5, 1.5, 2)
Case = tuple[Callable[..., Any], "Callable[..., Any] | None", tuple[Any, ...]]


def cost(x: Any, p: Any) -> Any:
    return p[0] * (x**4).sum() + (np.sin(x[1:]) * x[:-1]).sum() + p[1]


def bends(x: Any, p: Any) -> Any:
    return np.sin(x[1:]) * x[:-1] ** 2 * p[1]


def tree_cost(x: Any, p: Any) -> Any:
    return (x["a"] ** 2).sum() * x["b"] + (p[0] @ x["a"]).sum() * p[1]


def tree_bends(x: Any, p: Any) -> Any:
    return {"u": p[0] @ x["a"] * x["b"], "v": x["b"] ** 2 - p[1]}


CASES: dict[str, Case] = {
    "parameters": (cost, bends, (X, P)),
    "none": (lambda x: (x**3).sum(), lambda x: x[1:] * x[:-1], (X,)),
    "unconstrained": (lambda x, p: (p[0] * x**4).sum() + x[0] * x[5] * p[1], None, (X, P)),
    "one variable": (lambda x: np.exp(x[0]), lambda x: np.stack([x[0] ** 2]), (X[:1],)),
    "scalar constraint": (lambda x: x @ x, lambda x: x.sum() ** 2, (X,)),
    "linear": (lambda x: x.sum(), lambda x: x[1:] - x[:-1], (X,)),
    "trees": (tree_cost, tree_bends, ({"a": X[:3], "b": np.float64(0.7)}, (RNG.normal(size=(2, 3)), np.float64(0.3)))),
}


def flattened(tree: Any) -> Any:
    """The leaves in one vector."""
    return np.concatenate([np.zeros(0), *(np.ravel(leaf) for leaf in ft.tree.leaves(tree))])


class Wanted:
    """What the functions of a file should be, by the names of CasADi, from the library's own transforms."""

    def __init__(self, case: Case) -> None:
        f, g, args = case
        self.leaves, self.tree = ft.tree.flatten(args)
        self.x, self.p = flattened(args[0]), flattened(args[1:])
        self.f, self.g = f, g

    def args(self, z: Any) -> tuple[Any, ...]:
        """The arguments of f and g in a vector of all numbers."""
        ends = np.cumsum([0, *(np.size(leaf) for leaf in self.leaves)]).tolist()
        parts = [z[a:b].reshape(np.shape(v)) for a, b, v in zip(ends[:-1], ends[1:], self.leaves, strict=True)]
        found: tuple[Any, ...] = self.tree.unflatten(parts)
        return found

    def of_f(self, z: Any) -> Any:
        return self.f(*self.args(z))

    def of_g(self, z: Any) -> Any:
        leaves = [] if self.g is None else ft.tree.leaves(self.g(*self.args(z)))
        return np.concatenate([leaf.reshape(-1) for leaf in leaves]) if leaves else np.zeros(0)

    def all(self, lam_f: float, lam: Any) -> dict[str, Any]:
        z, n = np.concatenate([self.x, self.p]), len(self.x)
        gamma = lambda z: lam_f * self.of_f(z) + (lam @ self.of_g(z) if len(lam) else 0.0)  # noqa: E731
        hessian = np.asarray(ft.hessian(gamma)(z))[:n, :n]
        jacobian = np.asarray(ft.jacfwd(self.of_g)(z))[:, :n] if self.g is not None else np.zeros((0, n))
        whole = np.asarray(ft.grad(gamma)(z))
        return {
            "f": self.of_f(z), "g": self.of_g(z), "grad_f_x": np.asarray(ft.grad(self.of_f)(z))[:n],
            "jac_g_x": jacobian, "hess_gamma_x_x": hessian, "triu_hess_gamma_x_x": np.triu(hessian),
            "grad_gamma_x": whole[:n], "grad_gamma_p": whole[n:],
        }  # fmt: skip


def size_of_g(case: Case) -> int:
    return 0 if case[1] is None else sum(np.size(v) for v in ft.tree.leaves(case[1](*case[2])))


# each case for each solver, and either with the vectors of this machine for every other one
EXPORTED = [(case, solver, ("portable", "native")[(k + j) % 2])
            for k, case in enumerate(CASES) for j, solver in enumerate(SOLVERS)]  # fmt: skip


@pytest.mark.parametrize("case, solver, arch", EXPORTED)
def test_functions_of_solvers(case: str, solver: str, arch: str, tmp_path: Path) -> None:
    f, g, args = CASES[case]
    wanted, lam = Wanted(CASES[case]), RNG.normal(size=size_of_g(CASES[case]))
    made = ft.nlp(f, g).export(tmp_path / "nlp.c", *args, target=solver, arch=arch)
    assert made.functions == tuple(name.format("nlp") for name, _, _ in signatures(solver))
    library, values = made.compile(), wanted.all(1.5, lam)
    given = {"x": wanted.x, "p": wanted.p, "lam_f": 1.5, "lam_g": lam}
    for name, inputs, outputs in signatures(solver):
        function = ft.load_c(library, name.format("nlp"))
        assert [v.name for v in function.inputs] == list(inputs)
        assert [v.name for v in function.outputs] == list(outputs)
        found = function(*(given[v] for v in inputs))
        for k, (output, value) in enumerate(zip(outputs, found if len(outputs) > 1 else (found,), strict=True)):
            pattern = function.pattern(k)
            if np.ndim(values[output]) == 2:
                assert pattern is not None or np.size(value) == values[output].size
            if pattern is not None and np.ndim(values[output]) == 2:
                value = sps.csc_array((value, pattern[1], pattern[0]), shape=values[output].shape).toarray()
            np.testing.assert_allclose(value, values[output], rtol=1e-12, atol=1e-13, err_msg=f"{name} {output}")


def test_patterns_are_those_of_the_library(tmp_path: Path) -> None:
    problem = ft.nlp(cost, bends, triangle="upper", format="csc")
    library = problem.export(tmp_path / "nlp.c", X, P, target="ipopt").compile()
    lam = RNG.normal(size=5)
    for name, k, pattern in (
        ("nlp_jac_g", 1, problem.jacobian.pattern(X, P)), ("nlp_hess_l", 0, problem.hessian.pattern(X, lam, 1.0, P)),
    ):  # fmt: skip
        found = ft.load_c(library, name).pattern(k)
        np.testing.assert_array_equal(found[0], pattern.indptr)
        np.testing.assert_array_equal(found[1], pattern.indices)


def test_functions_for_expressions(tmp_path: Path) -> None:
    made = ft.nlp(cost, bends).export(tmp_path / "own.c", X, P, name="own")
    prefixes = ("", "jac_", "fwd1_", "adj1_", "jac_adj1_", "fwd1_adj1_")
    assert made.functions == tuple(f"{p}own_{v}" for v in "fg" for p in prefixes)
    library = made.compile()
    np.testing.assert_allclose(ft.load_c(library, "own_f")(X, P), cost(X, P), rtol=1e-14)
    np.testing.assert_allclose(ft.load_c(library, "own_g")(X, P), bends(X, P), rtol=1e-14)
    adjoint = ft.load_c(library, "adj1_own_g")(X, P, np.ones(5))
    np.testing.assert_allclose(adjoint[0], ft.grad(lambda x: bends(x, P).sum())(X), rtol=1e-12)
    alone = ft.nlp(lambda x: x @ x).export(tmp_path / "alone.c", X, name="alone")
    assert alone.functions == tuple(f"{p}alone_f" for p in prefixes)


RESULTS: dict[str, tuple[Callable[..., Any], Callable[..., Any], list[float]]] = {
    "no objective": (lambda x: 0, lambda x: x * 2, [2.0, 2.0, 2.0]),
    "single precision": (lambda x: x.astype(np.float32).sum(), lambda x: x.astype(np.float32) / 2, [0.5, 0.5, 0.5]),
    "integers": (lambda x: x @ x, lambda x: np.arange(3), [0.0, 1.0, 2.0]),
    "truths": (lambda x: x @ x, lambda x: x > 0, [1.0, 1.0, 1.0]),
    "several": (lambda x: x @ x, lambda x: (x[0], 3, np.arange(2)), [1.0, 3.0, 0.0, 1.0]),
    "a list": (lambda x: x @ x, lambda x: [x[0] + 1, 2.0], [2.0, 2.0]),
}


@pytest.mark.covering(1)
@pytest.mark.parametrize("case", RESULTS)
@pytest.mark.parametrize("target", ["ipopt", "functions"])
def test_results_of_other_types(case: str, target: str, tmp_path: Path) -> None:
    f, g, wanted = RESULTS[case]
    library = ft.nlp(f, g).export(tmp_path / "nlp.c", np.ones(3), target=target).compile()
    at = np.ones(3), np.zeros(0)
    assert ft.load_c(library, "nlp_g")(*at).tolist() == wanted
    assert ft.load_c(library, "nlp_f")(*at) == (0 if case == "no objective" else 3)


def test_what_is_not_wanted_is_not_computed(tmp_path: Path) -> None:
    """Constraints that cannot be computed do not hinder the objective."""
    program = ft.nlp(lambda x: x @ x, lambda x: np.linalg.solve(np.outer(x, x) * x[0], x))
    nlp = Raw(program.export(tmp_path / "nlp.c", X, target="ipopt").compile(), "nlp", "casadi")
    f, g, x = np.empty(1), np.empty(len(X)), np.zeros(len(X))
    assert nlp.call([x, None], [f, None]) == 0 and f[0] == 0
    assert nlp.call([x, None], [f, g]) == 3
    assert nlp.call([x, None], [None, None]) == 0


_DRIVER = r"""
#include <stdio.h>
#include "nlp.h"
typedef bool (*Eval_F_CB)(int n, double *x, bool new_x, double *obj_value, void *user_data);
typedef bool (*Eval_Grad_F_CB)(int n, double *x, bool new_x, double *grad_f, void *user_data);
typedef bool (*Eval_G_CB)(int n, double *x, bool new_x, int m, double *g, void *user_data);
typedef bool (*Eval_Jac_G_CB)(int n, double *x, bool new_x, int m, int nele_jac, int *iRow, int *jCol, double *values,
                              void *user_data);
typedef bool (*Eval_H_CB)(int n, double *x, bool new_x, double obj_factor, int m, double *lambda, bool new_lambda,
                          int nele_hess, int *iRow, int *jCol, double *values, void *user_data);
static void print(const char *name, const double *v, int n) {
  printf("%s", name);
  for (int k = 0; k < n; k++) printf(" %.17g", v[k]);
  printf("\n");
}
static void places(const char *name, const int *v, int n) {
  printf("%s", name);
  for (int k = 0; k < n; k++) printf(" %d", v[k]);
  printf("\n");
}
int main(void) {
  Eval_F_CB eval_f = nlp_eval_f;
  Eval_Grad_F_CB eval_grad_f = nlp_eval_grad_f;
  Eval_G_CB eval_g = nlp_eval_g;
  Eval_Jac_G_CB eval_jac_g = nlp_eval_jac_g;
  Eval_H_CB eval_h = nlp_eval_h;
  static double work[10000], x[100], lam[100], p[100], out[1000];
  static int rows[1000], cols[1000];
  struct nlp_data data = {p, work};
  int n, m, jac, hess, np;
  nlp_eval_sizes(&n, &m, &jac, &hess);
  if (nlp_eval_work() > 10000 || scanf("%d", &np) != 1) return 2;
  for (int k = 0; k < n; k++) if (scanf("%lf", &x[k]) != 1) return 3;
  for (int k = 0; k < np; k++) if (scanf("%lf", &p[k]) != 1) return 3;
  for (int k = 0; k < m; k++) if (scanf("%lf", &lam[k]) != 1) return 3;
  if (!eval_f(n, x, 1, out, &data)) return 4;
  print("f", out, 1);
  if (!eval_grad_f(n, x, 0, out, &data)) return 5;
  print("gradient", out, n);
  if (!eval_g(n, x, 0, m, out, &data)) return 6;
  print("g", out, m);
  if (!eval_jac_g(n, 0, 0, m, jac, rows, cols, 0, &data)) return 7;
  places("jacobian_rows", rows, jac);
  places("jacobian_cols", cols, jac);
  if (!eval_jac_g(n, x, 0, m, jac, 0, 0, out, &data)) return 8;
  print("jacobian", out, jac);
  if (!eval_h(n, 0, 0, 1.5, m, 0, 0, hess, rows, cols, 0, &data)) return 9;
  places("hessian_rows", rows, hess);
  places("hessian_cols", cols, hess);
  if (!eval_h(n, x, 0, 1.5, m, lam, 1, hess, 0, 0, out, &data)) return 10;
  print("hessian", out, hess);
  struct nlp_data none = {0, work};
  if (eval_f(n + 1, x, 1, out, &data) || eval_h(n, x, 0, 1.5, m, lam, 1, hess + 1, 0, 0, out, &data)) return 11;
  return eval_f(n, x, 1, out, &none) == (np > 0) ? 12 : 0;
}
"""


def shell(*command: str | Path, given: str = "") -> str:
    done = subprocess.run(list(map(str, command)), input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
    return done.stdout


@pytest.mark.parametrize("case", CASES)
def test_a_c_program_calls_what_ipopt_calls(case: str, tmp_path: Path) -> None:
    f, g, args = CASES[case]
    wanted, lam = Wanted(CASES[case]), RNG.normal(size=size_of_g(CASES[case]))
    made = ft.nlp(f, g).export(tmp_path / "nlp.c", *args, target="ipopt")
    (tmp_path / "main.c").write_text(_DRIVER)
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-Wno-aggressive-loop-optimizations"]
    program = tmp_path / "main"
    shell(find_compiler().command[0], *flags, tmp_path / "main.c", made.path, "-lm", "-o", program)
    numbers = " ".join(map(repr, [len(wanted.p), *map(float, (*wanted.x, *wanted.p, *lam))]))
    lines = [line.split() for line in shell(program, given=numbers).splitlines()]
    found = {line[0]: np.array(line[1:], float) for line in lines}
    values, n = wanted.all(1.5, lam), len(wanted.x)

    def close(a: Any, b: Any) -> None:
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-13)

    def matrix(name: str, shape: tuple[int, int]) -> Any:
        places = found[f"{name}_rows"].astype(int), found[f"{name}_cols"].astype(int)
        assert len(set(zip(*map(tuple, places), strict=True))) == len(places[0])
        return sps.coo_array((found[name], places), shape=shape).toarray()

    close(found["f"], [values["f"]])
    close(found["gradient"], values["grad_f_x"])
    close(found["g"], values["g"])
    close(matrix("jacobian", (len(lam), n)), values["jac_g_x"])
    close(matrix("hessian", (n, n)), np.tril(values["hess_gamma_x_x"]))


def test_the_text_is_clean(tmp_path: Path) -> None:
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O1"]
    for target in ("functions", *SOLVERS):
        made = ft.nlp(cost, bends).export(tmp_path / "nlp.c", X, P, target=target)
        shell(find_compiler().command[0], *flags, "-c", made.path, "-o", tmp_path / "nlp.o")


def test_only_machines_with_the_vectors_compile_them(tmp_path: Path) -> None:
    made = ft.export_c(lambda x: np.sin(x) * x, np.ones(64), name="f", path=tmp_path / "f.c", arch="native")
    np.testing.assert_allclose(ft.load_c(made.compile(), "f")(np.ones(64)), np.sin(np.ones(64)), rtol=1e-14)
    wanted = re.search(r"^#if !defined\((\w+)\)", made.path.read_text(), re.MULTILINE)
    if wanted is None:  # narrow vectors are everywhere
        return
    command = [find_compiler().command[0], "-c", f"-U{wanted[1]}", made.path, "-o", tmp_path / "f.o"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode and "compile this file there, with -march=native" in done.stderr


def test_refusals(tmp_path: Path) -> None:
    def go(error: type[Exception], text: str, problem: Any, *specs: Any, **options: Any) -> None:
        with pytest.raises(error, match=text):
            problem.export(tmp_path / "nlp.c", *specs, **options)

    problem = ft.nlp(cost, bends)
    go(ft.ArgumentValueError, "target='knitro' of an exported nlp.*functions, ipopt", problem, X, P, target="knitro")
    go(ft.ArgumentValueError, "arch='arm' of an exported file.*portable, native", problem, X, P, arch="arm")
    go(ft.ArgumentValueError, "name='2' of export_c is no C identifier", problem, X, P, name="2")
    go(ft.ArgumentError, "exported for an x of some shape", problem)
    go(ft.DtypeError, r"argument p of the nlp of cost and bends is int64.*float64 alone", problem, X, np.arange(2))
    go(ft.ArgumentError, "the objective .*must return one number", ft.nlp(lambda x: x * x), X)
    go(ft.DtypeError, "in the nlp of .* is complex128.*real numbers", ft.nlp(lambda x: x @ x, lambda x: x * 1j), X)
    assert not list(tmp_path.iterdir())
