"""Exported functions inside acados's own wrappers, where its headers and libraries are."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime.toolchain import find_compiler
from tests.export.samples import exported

HEADER = Path("include", "acados", "utils", "external_function_generic.h")
X, U = np.array([0.3, -0.7, 1.1]), np.array([0.4])


def installed() -> Path:
    """Where acados is: as its own variables say, or inside of a Python package of that name."""
    places = [Path(os.environ[name]) for name in ("ACADOS_INSTALL_DIR", "ACADOS_SOURCE_DIR") if name in os.environ]
    found = importlib.util.find_spec("acados")
    places += [Path(p, "install") for p in found.submodule_search_locations or ()] if found else []
    for place in places:
        if (place / HEADER).exists():
            return place
    pytest.skip("acados is not installed")


def model(x: Any, u: Any) -> Any:
    """The state a step later."""
    return np.stack([x[0] + 0.1 * x[1], x[1] + 0.1 * (u[0] - np.sin(x[0])), x[2] * u[0]])


# the Jacobians, one as a column-major matrix, one as a matrix of BLASFEO; the control is a part of a vector
CASADI = """
  external_function_casadi made;
  made.casadi_fun = &jac_f; made.casadi_work = &jac_f_work;
  made.casadi_sparsity_in = &jac_f_sparsity_in; made.casadi_sparsity_out = &jac_f_sparsity_out;
  made.casadi_n_in = &jac_f_n_in; made.casadi_n_out = &jac_f_n_out;
  external_function_casadi_assign(&made, calloc(1, external_function_casadi_calculate_size(&made OPTIONS)));
  void *in[] = {x, &control, 0};
  ext_fun_arg_t given[] = {COLMAJ, BLASFEO_DVEC_ARGS, IGNORE_ARGUMENT}, wanted[] = {COLMAJ, BLASFEO_DMAT};
  struct blasfeo_dmat second;
  blasfeo_allocate_dmat(3, 1, &second);
  void *out[] = {y, &second};
  made.evaluate(&made, given, in, wanted, out);
  blasfeo_unpack_dmat(3, 1, &second, 0, 0, y + 9, 3);
"""
# acados's generic kind: a few lines around f
GENERIC = """
  external_function_param_generic made;
  made.fun = &step;
  external_function_param_generic_assign(&made, calloc(1, external_function_param_generic_calculate_size(&made, 0 OPTIONS)));
  struct blasfeo_dvec next;
  blasfeo_allocate_dvec(3, &next);
  struct blasfeo_dvec_args after = {&next, 0};
  void *in[] = {x, &control}, *out[] = {&after};
  ext_fun_arg_t given[] = {COLMAJ, BLASFEO_DVEC_ARGS}, wanted[] = {BLASFEO_DVEC_ARGS};
  made.evaluate(&made, given, in, wanted, out);
  blasfeo_unpack_dvec(3, &next, 0, y, 1);
"""  # noqa: E501
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "blasfeo_common.h"
#include "blasfeo_d_aux.h"
#include "blasfeo_d_aux_ext_dep.h"
#include "acados/utils/external_function_generic.h"
#include "f.h"
int step(void **in, void **out, void *parameters) {
  struct blasfeo_dvec_args *u = in[1], *next = out[0];
  double control, y[3], *results[] = {y}, work[100];
  const double *args[] = {in[0], &control};
  (void)parameters;
  blasfeo_unpack_dvec(1, u->x, u->xi, &control, 1);
  int status = f(args, results, 0, work, 0);
  blasfeo_pack_dvec(3, y, 1, next->x, next->xi);
  return status;
}
int main(void) {
  double x[] = {0.3, -0.7, 1.1}, u[] = {9.0, 9.0, 0.4}, y[12] = {0};
  struct blasfeo_dvec vector;
  blasfeo_allocate_dvec(3, &vector);
  blasfeo_pack_dvec(3, u, 1, &vector, 0);
  struct blasfeo_dvec_args control = {&vector, 2};
  DECLARED
  BODY
  for (int k = 0; k < COUNT; k++) printf("%.17g\\n", y[k]);
  return 0;
}
"""


def dense(jac: Any, k: int, values: Any) -> Any:
    """A Jacobian of three rows of the interface, by columns."""
    starts, rows = jac.pattern(k)
    columns = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    full = np.zeros((3, len(starts) - 1))
    full[rows, columns] = values
    return full


@pytest.mark.parametrize("kind", ["casadi", "generic"])
def test_acados_gets_the_same_numbers(kind: str, tmp_path: Path) -> None:
    place = installed()
    _, library = exported(model, (X, U), tmp_path, abi="acados", derivatives=("jac",))
    f, jac = ft.load_c(library, "f"), ft.load_c(library, "jac_f")
    wanted = [f(X, U)] if kind == "generic" else [dense(jac, k, made) for k, made in enumerate(jac(X, U))]
    newer = "external_function_opts" in (place / HEADER).read_text()
    declared = "external_function_opts options; external_function_opts_set_to_default(&options);" if newer else ""
    body = GENERIC if kind == "generic" else CASADI
    text = MAIN.replace("BODY", body.replace(" OPTIONS", ", &options" if newer else "")).replace("DECLARED", declared)
    (tmp_path / "main.c").write_text(text.replace("COUNT", str(sum(m.size for m in wanted))))
    include, lib = place / "include", place / "lib"
    command = [find_compiler().command[0], "-Wall", "-Wextra", "-Werror=incompatible-pointer-types", f"-I{tmp_path}",
               f"-I{include}", f"-I{include}/blasfeo/include", tmp_path / "main.c", library, f"-L{lib}", "-lacados",
               "-lhpipm", "-lblasfeo", "-Wl,--allow-shlib-undefined", "-lm",
               "-o", tmp_path / "main"]  # fmt: skip
    built = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    environment = {**os.environ, "LD_LIBRARY_PATH": str(lib)}
    done = subprocess.run([str(tmp_path / "main")], check=True, capture_output=True, text=True, env=environment)
    assert np.array_equal(np.array(done.stdout.split(), float), np.concatenate([m.ravel("F") for m in wanted]))
