"""Sparse systems in the bodies of loops and branches: the C texts, in the words of `codegen/matrices.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from functrans.backend.sparse.native import text_of
from functrans.backend.sparse.residual import Residual
from functrans.backend.sparse.steps import REFINED
from functrans.backend.sparse.straight import kernels
from functrans.ops.routines import Routine
from functrans.ops.sparse_systems import Symbolic

__all__ = ["call", "templates"]

WRITTEN = 3_000
"""Products of a factorization up to which it is written out: a second of the compiler."""
_OWN = re.compile(r"\b(matrix_sparse|sparse_(?:factor|substitute|residual|solve|refined)\d*)(?=_Y\()")

_LINE = 32  # numbers of a table in a line


def templates(routine: Routine) -> list[str]:
    """The C function, and before it what it calls and the pattern as tables: these once, whatever the lanes."""
    s = _symbolic(routine)
    if s.products > WRITTEN:
        systems = text_of("systems.c").replace("/* KERNELS */", text_of("loops.c"))
        return [text_of("pattern.c"), _tables(routine), systems, text_of("body.c")]
    written = kernels(s, Residual.of(s, routine.transposed), routine.transposed)
    systems = text_of("systems.c").replace("/* KERNELS */", written) + text_of("body.c")
    return [text_of("pattern.c"), _tables(routine), _OWN.sub(rf"\1_{_name(routine)}", systems)]


def call(routine: Routine, suffix: str, arrays: Sequence[str]) -> str:
    """The call of it, for vectors whose functions have names that end so."""
    own = f"_{_name(routine)}" if _symbolic(routine).products <= WRITTEN else ""
    numbers = f"&sparse_{_name(routine)}, {int(routine.transposed)}, {REFINED}, {routine.columns}"
    return f"matrix_sparse{own}_{suffix}({', '.join(arrays)}, {numbers});"


def _symbolic(routine: Routine) -> Symbolic:
    assert routine.symbolic is not None
    return routine.symbolic


def _name(routine: Routine) -> str:
    return f"{_symbolic(routine).key[:16]}{'t' if routine.transposed else ''}"


def _tables(routine: Routine) -> str:
    s, name = _symbolic(routine), f"sparse_{_name(routine)}"
    r = Residual.of(s, routine.transposed)
    whole: list[tuple[str, NDArray[Any]]] = [
        ("indptr", s.indptr), ("indices", s.indices), ("diagonal", s.diagonal), ("entries", s.entries),
        ("above", s.above), ("row_order", s.row_order), ("col_order", s.col_order), ("starts", r.starts), ("at", r.at),
        ("across", r.across),
    ]  # fmt: skip
    made = [f"static const int {name}_{part}[] = {{{_lines(map(str, a.tolist()))}}};" for part, a in whole]
    numbers = _lines(map(float.hex, r.tolerance.tolist()))
    made.append(f"static const double {name}_tolerance[] = {{{numbers}}};")
    parts = ", ".join(f"{name}_{part}" for part in [*(part for part, _ in whole), "tolerance"])
    made.append(f"static const sparse_pattern {name} = {{{s.n}, {s.nnz}, {s.fill}, {int(s.symmetric)}, {parts}}};")
    return "\n".join(made)


def _lines(numbers: Iterable[str]) -> str:
    found = list(numbers)
    return ",\n".join(",".join(found[k : k + _LINE]) for k in range(0, len(found), _LINE))
