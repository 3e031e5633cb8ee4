"""Solvers of CasADi with compiled programs: the points that they find with CasADi's own expressions."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans._lazy import LazyModule
from functrans.backend.runtime.toolchain import find_compiler

CASADI = pytest.mark.skipif(importlib.util.find_spec("casadi") is None, reason="CasADi is not installed")
N = 8
QP: dict[str, Any] = {"qpsol": "qrqp", "qpsol_options": {"print_iter": False, "print_header": False}}
OPTIONS: dict[str, dict[str, Any]] = {
    "ipopt": {"ipopt.print_level": 0, "ipopt.sb": "yes"},
    "sqpmethod": QP | {"print_header": False, "print_iteration": False, "print_status": False},
    "fatrop": {"fatrop.print_level": 0},
    "uno": {},
}


def cost(x: Any, p: Any) -> Any:
    return ((1 - x[:-1]) ** 2).sum() + p[0] * ((x[1:] - x[:-1] ** 2) ** 2).sum()


def pairs(x: Any, p: Any) -> Any:
    return x[1:] * x[:-1] * p[1]


def own(casadi: Any) -> dict[str, Any]:
    """The same program of CasADi's."""
    x, p = casadi.MX.sym("x", N), casadi.MX.sym("p", 2)
    f = casadi.sumsqr(1 - x[:-1]) + p[0] * casadi.sumsqr(x[1:] - x[:-1] ** 2)
    return {"x": x, "p": p, "f": f, "g": x[1:] * x[:-1] * p[1]}


@CASADI
@pytest.mark.parametrize("solver", OPTIONS)
def test_the_same_point_in_as_many_iterations(solver: str) -> None:
    casadi = importlib.import_module("casadi")
    options = {"print_time": False} | OPTIONS[solver]
    ours = ft.nlp(cost, pairs).casadi(np.zeros(N), np.zeros(2), solver=solver, **options)
    theirs = casadi.nlpsol("theirs", solver, own(casadi), options)
    for p in ([100.0, 1.0], [10.0, 2.0]):  # one solver, other parameters
        bounds = {"x0": 0.1, "p": p, "lbg": -1.0, "ubg": 0.5, "ubx": 0.9}
        found, wanted = ours(**bounds), theirs(**bounds)
        for name in ("x", "f", "g", "lam_x", "lam_g", "lam_p"):
            np.testing.assert_allclose(np.array(found[name]), np.array(wanted[name]), rtol=1e-6, atol=1e-7)
        if "iter_count" in theirs.stats():
            assert ours.stats()["iter_count"] <= theirs.stats()["iter_count"]


@CASADI
def test_without_constraints_or_parameters() -> None:
    for solver in ("ipopt", "sqpmethod", "uno"):
        options = {"print_time": False} | OPTIONS[solver]
        found = ft.nlp(lambda x: ((x - 1) ** 4).sum() + (x**2).sum()).casadi(np.zeros(3), solver=solver, **options)()
        assert abs(float(found["f"]) - 3 * 0.2890) < 1e-3
    one = ft.nlp(lambda x: x[0] ** 2, lambda x: x.sum()).casadi(np.zeros(1), **OPTIONS["ipopt"])(lbg=2.0)
    assert abs(float(one["x"]) - 2) < 1e-6


@CASADI
def test_a_library_of_nlpsol(tmp_path: Path) -> None:
    casadi = importlib.import_module("casadi")
    library = ft.nlp(cost, pairs).export(tmp_path / "nlp.c", np.zeros(N), np.zeros(2), target="ipopt").compile()
    options = {"print_time": False} | OPTIONS["ipopt"]
    bounds = {"x0": 0.1, "p": [100.0, 1.0], "lbg": -1.0, "ubg": 0.5}
    found = casadi.nlpsol("s", "ipopt", str(library), options)(**bounds)
    wanted = casadi.nlpsol("s", "ipopt", own(casadi), options)(**bounds)
    np.testing.assert_allclose(np.array(found["x"]), np.array(wanted["x"]), rtol=1e-7)


@CASADI
def test_a_solver_that_casadi_does_not_have() -> None:
    with pytest.raises(ft.ArgumentValueError, match=r"solver=.nosuch. of casadi.*ipopt.*pip install casadi"):
        ft.nlp(cost, pairs).casadi(np.zeros(N), np.zeros(2), solver="nosuch")


def test_without_casadi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "casadi", None)
    module = importlib.import_module("functrans.programs.casadi")
    monkeypatch.setattr(module, "casadi", LazyModule("casadi"))
    with pytest.raises(ModuleNotFoundError, match=r"casadi is needed here.*: pip install casadi"):
        ft.nlp(cost, pairs).casadi(np.zeros(N), np.zeros(2))


_MAIN = r"""
#include <stdio.h>
#include "IpStdCInterface.h"
#include "nlp.h"
int main(void) {
  static double work[100000], x[8], low[8], high[8], under[7], over[7], p[2] = {100.0, 1.0}, value;
  struct nlp_data data = {p, work};
  int n, m, jac, hess;
  nlp_eval_sizes(&n, &m, &jac, &hess);
  for (int k = 0; k < n; k++) { x[k] = 0.1; low[k] = -2e19; high[k] = 0.9; }
  for (int k = 0; k < m; k++) { under[k] = -1; over[k] = 0.5; }
  IpoptProblem problem = CreateIpoptProblem(n, low, high, m, under, over, jac, hess, 0, nlp_eval_f, nlp_eval_g,
                                            nlp_eval_grad_f, nlp_eval_jac_g, nlp_eval_h);
  AddIpoptIntOption(problem, "print_level", 0);
  AddIpoptStrOption(problem, "sb", "yes");
  if (IpoptSolve(problem, x, 0, &value, 0, 0, 0, &data) != Solve_Succeeded) return 1;
  FreeIpoptProblem(problem);
  for (int k = 0; k < n; k++) printf("%.17g\n", x[k]);
  return 0;
}
"""


@CASADI
def test_ipopt_from_c(tmp_path: Path) -> None:
    """IPOPT's own header and library, which the wheel of CasADi has."""
    casadi = importlib.import_module("casadi")
    place = Path(casadi.__file__).parent
    header, library = place / "include" / "coin-or", place / "libipopt.so.3"
    if not (header / "IpStdCInterface.h").exists() or not library.exists():
        pytest.skip("this CasADi brings no IPOPT to link with")
    made = ft.nlp(cost, pairs).export(tmp_path / "nlp.c", np.zeros(N), np.zeros(2), target="ipopt")
    (tmp_path / "main.c").write_text(_MAIN)
    command = [find_compiler().command[0], "-O1", f"-I{header}", tmp_path / "main.c", made.path, library,
               f"-Wl,-rpath,{place}", "-Wl,--allow-shlib-undefined", "-lm", "-o", tmp_path / "main"]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    done = subprocess.run([str(tmp_path / "main")], check=True, capture_output=True, text=True)
    options = {"print_time": False} | OPTIONS["ipopt"]
    solver = casadi.nlpsol("s", "ipopt", own(casadi), options)
    wanted = solver(x0=0.1, p=[100.0, 1.0], lbg=-1.0, ubg=0.5, ubx=0.9)
    np.testing.assert_allclose(np.array(done.stdout.split(), float), np.array(wanted["x"]).ravel(), rtol=1e-7)
