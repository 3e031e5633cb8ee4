"""A C file and its header in the making: functions are traced into it one by one, and it is written at the end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from functrans import tree
from functrans._records import record
from functrans.backend import late as backend
from functrans.errors import ArgumentValueError, DtypeError, at_user_line
from functrans.export import late
from functrans.export.building import build
from functrans.export.values import Entry, Part, Routine
from functrans.trace import ShapeDtype, trace_function

__all__ = ["Exported", "File", "check_path"]

_ARCHITECTURES = ("portable", "native")


@record
class Exported:
    """A C file and its header; made by `export_c`.

    Attributes
    ----------
    path, header : where they are
    functions : the names of the functions in them

    Examples
    --------
    >>> import functrans as ft, tempfile
    >>> with tempfile.TemporaryDirectory() as here:
    ...     made = ft.export_c(lambda x: 2 * x, ft.ShapeDtype((3,)), name="twice", path=here + "/twice.c")
    ...     made.path.name, made.header.name, made.functions[0]
    ('twice.c', 'twice.h', 'twice')
    """

    path: Path
    header: Path
    functions: tuple[str, ...]

    def compile(self) -> Path:
        """Compile into a shared library beside the file, with the flags of the library's own code; its path.

        Raises CompilerNotFound, CompileError.
        """
        return build(self.path)


class File:
    """What is written at the end: prototypes, constants and kernels, functions that are seen.

    ``memory`` is the type of the last argument of CasADi's functions, None in the plain interface.
    """

    def __init__(self, path: Path, name: str, arch: str, integer: str, memory: str | None) -> None:
        self.path, self.name, self.integer, self.memory = path, name, integer, memory
        if arch not in _ARCHITECTURES:
            listed = ", ".join(_ARCHITECTURES)
            raise ArgumentValueError(f"arch={arch!r} of an exported file{at_user_line()}; expected one of {listed}")
        self.target = backend.target.native() if arch == "native" else backend.target.PORTABLE
        self.unit = late.text.Unit(name, self.target)
        self.includes = ["#include <stddef.h>"]
        self.header: list[str] = []
        self.seen: list[str] = []
        self.names: list[str] = []

    def compute(self, routine: Routine, what: str) -> int:
        """Trace a routine and add what computes it, ``NAME_run``; the bytes of memory that it works in."""
        leaves = [ShapeDtype(_stored(v, self.memory), v.dtype) for v in routine.inputs if not v.void]
        traced = trace_function(routine.run, leaves, tree.flatten((tuple(leaves), {}))[1], what)
        for v, found in zip([v for v in routine.outputs if not v.void], traced.outputs, strict=True):
            if found.dtype.numpy != v.dtype or found.size != v.size:
                stored = f"{found.size} numbers of {found.dtype.numpy.name}"
                raise DtypeError(f"{v.name} of {what} is {stored}{at_user_line()}; expected {v.size} of {v.dtype.name}")
        return self.unit.add(routine, backend.standalone.standalone(traced.outputs, traced.params, what, self.target))

    def show(self, entry: Entry, parts: Sequence[Part]) -> None:
        """Let a function be seen from outside, in the interface of the file; in the plain one it has one part."""
        self.names.append(entry.name)
        if self.memory is None:
            self.header += late.plain.prototypes(entry, self.integer)
            self.seen += late.plain.functions(entry, self.unit, parts[0].work, self.integer)
        else:
            self.header += late.casadi.prototypes(entry, self.integer, self.memory)
            self.seen += late.casadi.functions(entry, parts, self.unit, self.integer, self.memory)

    def add(self, routine: Routine, what: str) -> None:
        """A routine that is computed, and seen as it is."""
        sides = [tuple(k for k, v in enumerate(side) if not v.void) for side in (routine.inputs, routine.outputs)]
        self.show(routine, [Part(routine.name, self.compute(routine, what), sides[0], sides[1])])

    def write(self) -> Exported:
        """The two files. Raises ArgumentValueError where they cannot be written."""
        guard, include, prototypes = f"{self.name.upper()}_H", "\n".join(self.includes), "\n".join(self.header)
        opened, closed = '#ifdef __cplusplus\nextern "C" {\n#endif', "#ifdef __cplusplus\n}\n#endif"
        head = self.path.with_suffix(".h")
        parts = [f"#ifndef {guard}\n#define {guard}\n{include}", opened, prototypes, closed, "#endif"]
        body = [include, prototypes, self.unit.text(), *self.seen]
        try:
            head.write_text("\n".join(parts) + "\n", encoding="utf-8")
            self.path.write_text("\n\n".join(body) + "\n", encoding="utf-8")
        except OSError as error:
            text = f"path={str(self.path)!r} of an exported file cannot be written: {error}{at_user_line()}"
            raise ArgumentValueError(text) from error
        return Exported(self.path, head, tuple(self.names))


def _stored(v: Any, memory: str | None) -> tuple[int, ...]:
    shape: tuple[int, ...] = v.shape if memory is None else (v.size,)
    return shape


def check_path(path: str | os.PathLike[str]) -> Path:
    """Where the C file goes. Raises ArgumentValueError where it does not end on .c, or there is no such directory."""
    file = Path(path)
    if file.suffix != ".c":
        raise ArgumentValueError(f"path={str(path)!r} of an exported file does not end on .c{at_user_line()}")
    if not file.parent.is_dir():
        text = f"path={str(path)!r} of an exported file: there is no directory {file.parent}{at_user_line()}"
        raise ArgumentValueError(text)
    return file
