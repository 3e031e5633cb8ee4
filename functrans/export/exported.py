"""`export_c`: a function and its derivatives as one C file and a header."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from functrans import tree
from functrans.backend.standalone import standalone
from functrans.errors import ArgumentError, ArgumentValueError, at_user_line
from functrans.export import plain
from functrans.export.building import build
from functrans.export.derivatives import DERIVATIVES, check_derivatives, derivatives_of
from functrans.export.names import check_name
from functrans.export.problem import Problem
from functrans.export.text import Unit
from functrans.export.values import Routine
from functrans.trace import trace_function

__all__ = ["Exported", "export_c"]


@dataclass(frozen=True)
class Exported:
    """A C file and its header; made by `export_c`.

    Attributes
    ----------
    path, header : where they are
    functions : the names of the functions in them
    """

    path: Path
    header: Path
    functions: tuple[str, ...]

    def compile(self) -> Path:
        """Compile into a shared library beside the file, with the flags of the library's own code; its path.

        Raises CompilerNotFound, CompileError.
        """
        return build(self.path)


def export_c(
    f: Callable[..., Any], *specs: Any, name: str, path: str | os.PathLike[str], abi: str = "plain",
    integer: str | None = None, derivatives: Iterable[str] = DERIVATIVES,
) -> Exported:  # fmt: skip
    """Write a function as C."""
    check_name(name)
    wanted = check_derivatives(tuple(derivatives))
    file = _file(path)
    problem = Problem(f, specs, False)
    integer = integer or "int"
    unit = Unit(name)
    seen: list[str] = []
    header: list[str] = []
    routines = [Routine(name, problem, problem.inputs, problem.outputs)]
    routines += derivatives_of(problem, name, wanted, problem.by_columns)
    for r in routines:
        leaves = [problem.spec(v) for v in r.inputs if not v.void]
        traced = trace_function(r.run, leaves, tree.flatten((tuple(leaves), {}))[1], problem.what)
        work = unit.add(r, standalone(traced.outputs, traced.params, problem.what))
        header += plain.prototypes(r, integer)
        seen += plain.functions(r, unit, work, integer)
    guard = f"{name.upper()}_H"
    opened, closed = '#ifdef __cplusplus\nextern "C" {\n#endif', "#ifdef __cplusplus\n}\n#endif"
    include, prototypes = "#include <stddef.h>", "\n".join(header)
    texts = [f"#ifndef {guard}\n#define {guard}\n{include}", opened, prototypes, closed, "#endif"]
    head = file.with_suffix(".h")
    head.write_text("\n".join(texts) + "\n")
    file.write_text("\n\n".join([include, prototypes, unit.text(), *seen]) + "\n")
    return Exported(file, head, tuple(r.name for r in routines))


def _file(path: str | os.PathLike[str]) -> Path:
    file = Path(path)
    if file.suffix != ".c":
        raise ArgumentValueError(f"path={str(path)!r} of export_c does not end on .c{at_user_line()}")
    if not file.parent.is_dir():
        raise ArgumentValueError(f"path={str(path)!r} of export_c: there is no directory {file.parent}{at_user_line()}")
    return file
