"""Sparse systems in the bodies of loops and branches: the C texts, in the words of `codegen/matrices.py`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numpy.typing import NDArray

from functrans.backend.sparse.native import text_of
from functrans.backend.sparse.residual import Residual
from functrans.backend.sparse.steps import REFINED
from functrans.ops.routines import Routine

__all__ = ["arguments", "templates"]

_LINE = 32  # numbers of a table in a line


def templates(routine: Routine) -> list[str]:
    """What `arguments` names and calls, the pattern as tables: once, whatever the lanes."""
    systems = text_of("systems.c").replace("/* KERNELS */", text_of("loops.c"))
    return [text_of("pattern.c"), _tables(routine), systems, text_of("body.c")]


def arguments(routine: Routine) -> list[str]:
    """The last arguments of the C function."""
    return [f"&{_name(routine)}", str(int(routine.transposed)), str(REFINED), str(routine.columns)]


def _name(routine: Routine) -> str:
    assert routine.symbolic is not None
    return f"sparse_{routine.symbolic.key[:16]}{'t' if routine.transposed else ''}"


def _tables(routine: Routine) -> str:
    s, name = routine.symbolic, _name(routine)
    assert s is not None
    r = Residual.of(s, routine.transposed)
    whole: list[tuple[str, NDArray[Any]]] = [
        ("indptr", s.indptr), ("indices", s.indices), ("diagonal", s.diagonal), ("entries", s.entries),
        ("row_order", s.row_order), ("col_order", s.col_order), ("starts", r.starts), ("at", r.at),
        ("across", r.across),
    ]  # fmt: skip
    made = [f"static const int {name}_{part}[] = {{{_lines(map(str, a.tolist()))}}};" for part, a in whole]
    numbers = _lines(map(float.hex, r.tolerance.tolist()))
    made.append(f"static const double {name}_tolerance[] = {{{numbers}}};")
    parts = ", ".join(f"{name}_{part}" for part in [*(part for part, _ in whole), "tolerance"])
    made.append(f"static const sparse_pattern {name} = {{{s.n}, {s.nnz}, {s.fill}, {parts}}};")
    return "\n".join(made)


def _lines(numbers: Iterable[str]) -> str:
    found = list(numbers)
    return ",\n".join(",".join(found[k : k + _LINE]) for k in range(0, len(found), _LINE))
