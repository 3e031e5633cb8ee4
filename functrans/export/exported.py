"""`export_c`: a function and its derivatives as one C file and a header."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from functrans.errors import ArgumentValueError, UnsupportedError, at_user_line
from functrans.export.derivatives import DERIVATIVES, check_derivatives, derivatives_of
from functrans.export.file import Exported, File, check_path
from functrans.export.names import check_name
from functrans.export.problem import Problem
from functrans.export.values import Routine

__all__ = ["export_c"]

_INTEGERS = {"plain": ("int", "long long int"), "casadi": ("long long int", "int"), "acados": ("int",)}


def export_c(
    f: Callable[..., Any], *specs: Any, name: str, path: str | os.PathLike[str], abi: str = "plain",
    integer: str | None = None, derivatives: Iterable[str] = DERIVATIVES, arch: str = "portable",
) -> Exported:  # fmt: skip
    """Write a function and its derivatives as C that stands alone: one file, and a header beside it.

    Parameters
    ----------
    f : function of arrays and pytrees of them; what it closes over is frozen in the file
    *specs : arrays, `ShapeDtype` or pytrees of them
        What the arguments are like; their leaves, in order, are the arguments of the C function.
    name : str
        Of the C function, and with a prefix of its derivatives; each symbol of the file contains it.
    path : str or path
        The C file, which ends on ``.c``; the header ends on ``.h``.
    abi : "plain", "casadi" or "acados"
        Plain: flat row-major arrays of their own types, then memory to work in and its size in doubles. CasADi: that
        of its external functions, matrices by columns, float64 alone. acados: the same with ``int`` and ``void *mem``.
    integer : "int" or "long long int", optional
        The type of integers in patterns and of counts; else that of the interface: ``int``, for CasADi
        ``long long int``.
    derivatives : some of "jac", "fwd1", "adj1", "jac_adj1", "fwd1_adj1"
        Sparse Jacobians; the change along a direction; the gradient of weighted results; its sparse derivatives; its
        change along a direction, which is not exported unless it is named.
    arch : "portable" or "native"
        For any machine, number by number; or with the vectors of this one, two to five times as fast. The latter is
        refused by compilers that write for a machine without them.

    Returns
    -------
    Exported
        `Exported.compile` makes a shared library of it, which `load_c` calls.

    Raises
    ------
    ArgumentError, ArgumentValueError
        ``name`` is no C identifier or has a meaning in C; the path or an option; specs that f does not take; nothing
        to differentiate.
    DtypeError
        A leaf that the interface has no type for.
    UnsupportedError
        What cannot stand alone, with the op and its line: steps of a library between kernels, thread domains, run-time
        integers; for CasADi arrays of more than two axes.

    Notes
    -----
    The C functions return 0, or 1 where a pointer is NULL, 2 where the memory is too small, 3 where a matrix was
    refused or an iteration did not converge (the results are then NaN there). They allocate nothing and have no state:
    threads may call them at once, each with memory of its own. Results must not overlap arguments.

    Examples
    --------
    >>> import numpy as np, functrans as ft, tempfile
    >>> with tempfile.TemporaryDirectory() as here:
    ...     spec = ft.ShapeDtype((3,))
    ...     made = ft.export_c(lambda x: x[1:] * x[:-1], spec, name="pairs", path=here + "/pairs.c")
    ...     library = made.compile()
    ...     made.functions
    ...     ft.load_c(library, "pairs")(np.array([1.0, 2.0, 3.0]))
    ...     ft.load_c(library, "jac_pairs")(np.array([1.0, 2.0, 3.0]))
    ('pairs', 'jac_pairs', 'fwd1_pairs', 'adj1_pairs', 'jac_adj1_pairs')
    array([2., 6.])
    array([2., 1., 3., 2.])

    Source: the interface of CasADi's code generation (Andersson et al., Mathematical Programming Computation 11, 2019).
    """
    check_name(name)
    path, wanted = check_path(path), check_derivatives(derivatives)
    kind = _integer(abi, integer)
    file = File(path, name, arch, kind, {"plain": None, "casadi": "int ", "acados": "void *"}[abi])
    problem = Problem(f, specs, abi != "plain")
    file.add(Routine(name, problem.inputs, problem.outputs, problem), problem.what)
    try:
        for routine in derivatives_of(problem, name, wanted):
            file.add(routine, problem.what)
    except UnsupportedError as error:
        raise UnsupportedError(
            f"{error.message}; asked for by derivatives={wanted!r} of export_c: give ('jac', 'fwd1'), which take no "
            "reverse mode, or () for the function alone"
        ) from error
    return file.write()


def _integer(abi: object, integer: object) -> str:
    """The type of integers in the file."""
    if abi not in _INTEGERS:
        raise ArgumentValueError(f"abi={abi!r} of export_c{at_user_line()}; expected one of {', '.join(_INTEGERS)}")
    allowed = _INTEGERS[str(abi)]
    if integer is not None and integer not in allowed:
        raise ArgumentValueError(
            f"integer={integer!r} of export_c with abi={abi!r}{at_user_line()}; expected one of {', '.join(allowed)}"
        )
    return allowed[0] if integer is None else str(integer)
