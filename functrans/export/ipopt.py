"""The functions that IPOPT's C interface calls (IpStdCInterface.h, from version 3.14 on), for a nonlinear program.

They call what computes the functions of CasADi's IPOPT. The upper triangle of the Hessian by columns is the lower one
by rows, which IPOPT wants.
"""

from __future__ import annotations

import numpy as np

from functrans.export.file import File
from functrans.export.values import Pattern

__all__ = ["add"]

_HEADER = """\
/* For CreateIpoptProblem: sizes, and what IPOPT calls. Its user_data points to {parameters} parameters and to memory of
   {name}_eval_work() doubles. */
struct {name}_data {{ const double *p; double *work; }};
void {name}_eval_sizes(int *n, int *m, int *nele_jac, int *nele_hess);
size_t {name}_eval_work(void);
bool {name}_eval_f(int n, double *x, bool new_x, double *obj_value, void *user_data);
bool {name}_eval_g(int n, double *x, bool new_x, int m, double *g, void *user_data);
bool {name}_eval_grad_f(int n, double *x, bool new_x, double *grad_f, void *user_data);
bool {name}_eval_jac_g(int n, double *x, bool new_x, int m, int nele_jac, int *iRow, int *jCol, double *values,
  void *user_data);
bool {name}_eval_h(int n, double *x, bool new_x, double obj_factor, int m, double *lambda, bool new_lambda,
  int nele_hess, int *iRow, int *jCol, double *values, void *user_data);"""

_BODY = """\
void {name}_eval_sizes(int *n, int *m, int *nele_jac, int *nele_hess) {{
  *n = {unknowns};
  *m = {constraints};
  *nele_jac = {jacobian};
  *nele_hess = {hessian};
}}

size_t {name}_eval_work(void) {{ return {work}; }}

bool {name}_eval_f(int n, double *x, bool new_x, double *obj_value, void *user_data) {{
  const struct {name}_data *data = user_data;
  const void *in[] = {{x, data->p}};
  void *out[] = {{obj_value}};
  (void)new_x;
  return n == {unknowns} && {given}!{name}_f_run(in, out, (char *)data->work);
}}

bool {name}_eval_g(int n, double *x, bool new_x, int m, double *g, void *user_data) {{
  const struct {name}_data *data = user_data;
  const void *in[] = {{x, data->p}};
  void *out[] = {{g}};
  (void)new_x;
  return n == {unknowns} && m == {constraints} && {given}!{name}_g_run(in, out, (char *)data->work);
}}

bool {name}_eval_grad_f(int n, double *x, bool new_x, double *grad_f, void *user_data) {{
  const struct {name}_data *data = user_data;
  const void *in[] = {{x, data->p}};
  void *out[] = {{grad_f}};
  (void)new_x;
  return n == {unknowns} && {given}!{name}_grad_f_x_run(in, out, (char *)data->work);
}}

bool {name}_eval_jac_g(int n, double *x, bool new_x, int m, int nele_jac, int *iRow, int *jCol, double *values,
    void *user_data) {{
  const struct {name}_data *data = user_data;
  (void)new_x;
  if (n != {unknowns} || m != {constraints} || nele_jac != {jacobian}) return 0;
  if (!values) {{
    for (int k = 0; k < {jacobian}; k++) {{ iRow[k] = {jacobian_rows}[k]; jCol[k] = {jacobian_columns}[k]; }}
    return 1;
  }}
  const void *in[] = {{x, data->p}};
  void *out[] = {{values}};
  return {given}!{name}_jac_g_x_run(in, out, (char *)data->work);
}}

bool {name}_eval_h(int n, double *x, bool new_x, double obj_factor, int m, double *lambda, bool new_lambda,
    int nele_hess, int *iRow, int *jCol, double *values, void *user_data) {{
  const struct {name}_data *data = user_data;
  (void)new_x;
  (void)new_lambda;
  if (n != {unknowns} || m != {constraints} || nele_hess != {hessian}) return 0;
  if (!values) {{
    for (int k = 0; k < {hessian}; k++) {{ iRow[k] = {hessian_rows}[k]; jCol[k] = {hessian_columns}[k]; }}
    return 1;
  }}
  const void *in[] = {{x, data->p, &obj_factor, lambda}};
  void *out[] = {{values}};
  return {given}!{name}_triu_hess_gamma_x_x_run(in, out, (char *)data->work);
}}"""


def add(file: File, parameters: int, patterns: tuple[Pattern, Pattern], work: int) -> None:
    """Add IPOPT's functions; the patterns are those of the Jacobian and of the Hessian's upper triangle, by columns."""
    jacobian, upper = patterns
    index = [
        file.unit.integers(numbers, "int")
        for numbers in (jacobian.indices.tolist(), _columns(jacobian), _columns(upper), upper.indices.tolist())
    ]
    facts = {
        "name": file.name, "parameters": parameters, "unknowns": jacobian.shape[1], "constraints": jacobian.shape[0],
        "jacobian": jacobian.nnz, "hessian": upper.nnz, "work": work, "given": "data->p && " if parameters else "",
        "jacobian_rows": index[0], "jacobian_columns": index[1], "hessian_rows": index[2], "hessian_columns": index[3],
    }  # fmt: skip
    file.includes.append("#include <stdbool.h>")
    file.header.append(_HEADER.format(**facts))
    file.seen.append(_BODY.format(**facts))


def _columns(pattern: Pattern) -> list[int]:
    """The column of each entry."""
    found: list[int] = np.repeat(np.arange(pattern.shape[1]), np.diff(pattern.indptr)).tolist()
    return found
