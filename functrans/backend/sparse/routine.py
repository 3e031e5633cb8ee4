"""Sparse systems in the bodies of loops and branches: the C texts, in the words of `codegen/matrices.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from functrans.backend.sparse import blocks, straight
from functrans.backend.sparse.native import text_of
from functrans.backend.sparse.residual import REFINED, Residual
from functrans.ops.routines import Kind, Routine
from functrans.ops.sparse_pattern import Symbolic

__all__ = ["call", "templates"]

_OWN = re.compile(r"\b(matrix_sparse(?:_factor)?|sparse_(?:factor|finish|part|half)\d*)(?=_Y\()")
"""What differs by pattern."""

_FACTORING = frozenset({Kind.SPARSE, Kind.SPARSE_FACTOR})
_LINE = 32  # numbers of a table in a line


def templates(routine: Routine) -> list[str]:
    """The C function, and before it what it calls and the pattern as tables: these once, whatever the lanes."""
    s = _symbolic(routine)
    head = [text_of("pattern.c"), _tables(routine), text_of("substitutions.c") + text_of("systems.c")]
    head[-1] += text_of("inverse.c") + text_of("given.c")
    if routine.kind not in _FACTORING:
        return head
    if s.products > straight.QUICK:
        factor = blocks.kernel(text_of("factor.c"), blocks.Blocks.of(s).places is None) + text_of("finish.c")
    else:
        factor = straight.kernel(s)
    own = _OWN.sub(rf"\1{_form(routine)}", factor + text_of("body.c"))
    return [*head, own]


def call(routine: Routine, suffix: str, arrays: Sequence[str]) -> str:
    """The call of it, for vectors whose functions have names that end so."""
    s, solving = _symbolic(routine), [int(routine.transposed), REFINED, routine.columns]
    numbers = {
        Kind.SPARSE: solving, Kind.SPARSE_SOLVE: solving, Kind.SPARSE_FACTOR: [int(s.definite)],
        Kind.SPARSE_PIVOTS: [s.parity], Kind.SPARSE_INVERSE: [],
    }[routine.kind]  # fmt: skip
    given = [*arrays, f"&sparse_{_name(routine)}", *map(str, numbers)]
    form = _form(routine) if routine.kind in _FACTORING else ""
    return f"matrix_{routine.kind.value}{form}_{suffix}({', '.join(given)});"


def _form(routine: Routine) -> str:
    """The end of the names of functions of one pattern, or of all whose factors are made alike."""
    s = _symbolic(routine)
    if s.products <= straight.QUICK:
        return f"_{_name(routine)}"
    return "_searched" if blocks.Blocks.of(s).places is None else ""


def _symbolic(routine: Routine) -> Symbolic:
    assert routine.symbolic is not None
    return routine.symbolic


def _name(routine: Routine) -> str:
    """Of the tables: which there are depends on the kind."""
    end = {Kind.SPARSE_PIVOTS: "p", Kind.SPARSE_INVERSE: "i"}.get(routine.kind, "t" * routine.transposed)
    return f"{_symbolic(routine).key[:16]}{end}"


def _tables(routine: Routine) -> str:
    s, name = _symbolic(routine), f"sparse_{_name(routine)}"
    r = Residual.of(s, routine.transposed)
    whole: dict[str, NDArray[Any] | None] = {
        "indptr": s.indptr, "indices": s.indices, "diagonal": s.diagonal, "above": s.above,
        "row_order": s.row_order, "col_order": s.col_order, "starts": r.starts, "at": r.at, "across": r.across,
        "lines": r.lines,
    }  # fmt: skip
    written = s.products <= straight.QUICK
    found = blocks.Blocks.of(s)
    whole |= {part: None if written else getattr(found, part) for part in blocks.TABLES}
    inverse = routine.kind is Kind.SPARSE_INVERSE
    whole["entries"] = s.entries if inverse else None
    whole |= dict.fromkeys(("factor", "forward", "backward", "shapes"))  # between kernels alone
    columns, twins = s.columns if inverse else None, s.twins if routine.kind is Kind.SPARSE_PIVOTS else None
    for names, pair in ((("columns", "below"), columns), (("twins", "beside"), twins)):
        whole |= dict(zip(names, pair or (None, None), strict=True))
    made = [
        f"static const int {name}_{part}[] = {{{_lines(map(str, a.tolist()))}}};"
        for part, a in whole.items()
        if a is not None and len(a)
    ]
    numbers = _lines(map(float.hex, r.tolerance.tolist()))
    made.append(f"static const double {name}_tolerance[] = {{{numbers}}};")
    parts = ", ".join(f"{name}_{part}" if a is not None and len(a) else "0" for part, a in whole.items())
    numbers = f"{s.n}, {s.nnz}, {s.fill}, {int(s.symmetric)}, {len(found.rows) - 1}"
    made.append(f"static const sparse_pattern {name} = {{{numbers}, {parts}, {name}_tolerance}};")
    return "\n".join(made)


def _lines(numbers: Iterable[str]) -> str:
    found = list(numbers)
    return ",\n".join(",".join(found[k : k + _LINE]) for k in range(0, len(found), _LINE))
