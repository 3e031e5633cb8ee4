"""What CasADi's solvers look for in the library of a nonlinear program: names, arguments and results.

Read off CasADi 3.8.2: ``nlpsol(...).get_function()`` of a program of its own. What is not here asks for a function in
two forms under one name (feasiblesqpmethod), or with options that no library takes (uno).
"""

from __future__ import annotations

Signature = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The name, in which braces stand for that of the program; arguments; results."""

POINT, LAGRANGIAN = ("x", "p"), ("x", "p", "lam_f", "lam_g")
_F, _G = ("{}_f", POINT, ("f",)), ("{}_g", POINT, ("g",))
_JACOBIAN = ("{}_jac_g", POINT, ("g", "jac_g_x"))
_QUADRATIC = (
    ("{}_fg", POINT, ("f", "g")), ("{}_jac_fg", POINT, ("f", "grad_f_x", "g", "jac_g_x")),
    ("{}_hess_l", LAGRANGIAN, ("hess_gamma_x_x",)),
)  # fmt: skip

SOLVERS: dict[str, tuple[Signature, ...]] = {
    "ipopt": (_F, _G, ("{}_grad_f", POINT, ("f", "grad_f_x")), _JACOBIAN,
              ("{}_hess_l", LAGRANGIAN, ("triu_hess_gamma_x_x",))),
    "sqpmethod": _QUADRATIC,
    "qrsqp": _QUADRATIC,
    "fatrop": (_F, _G, ("{}_grad_f", POINT, ("grad_f_x",)), _JACOBIAN,
               ("{}_hess_l", LAGRANGIAN, ("grad_gamma_x", "hess_gamma_x_x"))),
}  # fmt: skip


def signatures(solver: str) -> tuple[Signature, ...]:
    """All functions of a solver: the program itself, its own ones, and what finds multipliers at the end."""
    last = ("{}_grad", LAGRANGIAN, ("f", "g", "grad_gamma_x", "grad_gamma_p"))
    return ("{}", POINT, ("f", "g")), *SOLVERS[solver], last
