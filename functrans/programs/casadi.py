"""CasADi's solvers for a nonlinear program, whose functions are compiled C."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from functrans._lazy import casadi
from functrans.backend.runtime.cache import end_workspace
from functrans.backend.runtime.scratch import make_directory
from functrans.errors import ArgumentValueError, at_user_line
from functrans.export.program import export_program
from functrans.export.solvers import SOLVERS

Function = Callable[..., Any]


def casadi_solver(f: Function, g: Function, specs: Sequence[Any], solver: str, options: dict[str, Any]) -> Any:
    """What `NonlinearProgram.casadi` does."""
    if not casadi.has_nlpsol(solver):
        raise ArgumentValueError(
            f"solver={solver!r} of casadi: CasADi {casadi.__version__} finds no such plugin of nlpsol{at_user_line()}; "
            f"{', '.join(SOLVERS)} are among those of pip install casadi"
        )
    directory = make_directory("functrans-nlp-")
    try:
        target = solver if solver in SOLVERS else "functions"
        made = export_program(f, g, Path(directory, "nlp.c"), specs, "nlp", target, "native")
        library = str(made.compile())
        if target == "functions":
            return casadi.nlpsol("nlp", solver, _expressions(library, made.functions), options)
        return casadi.nlpsol("nlp", solver, library, options)
    finally:
        end_workspace(directory, os.getpid())  # it stays loaded


def _expressions(library: str, names: Sequence[str]) -> dict[str, Any]:
    """The program as expressions of external functions."""
    f = casadi.external("nlp_f", library)
    x, p = casadi.MX.sym("x", f.size1_in(0)), casadi.MX.sym("p", f.size1_in(1))
    program = {"x": x, "p": p, "f": f(x, p)}
    return program | ({"g": casadi.external("nlp_g", library)(x, p)} if "nlp_g" in names else {})
