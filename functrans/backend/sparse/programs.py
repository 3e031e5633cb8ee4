"""The factorization of one system, and its substitutions, as programs: lists of tasks without loops or branches inside.

Loops over the rows of a pattern are short ones, two or three rounds, whose ends a processor cannot foretell: each costs
as much as ten products. A task has a kind, which says its rows, pivots and columns, so that all of it is written
out, and numbers, the places it works on. Tasks of one kind follow each other as far as what they wait for lets them.
Rows and pivots are together as in blocks.py, and columns that are next to each other in vectors, so that a product
reads fewer numbers than it would by itself.

In every element products are subtracted in the order of the pivots, so bits are those of the loops.

Method: list scheduling, Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969).
"""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._recent import keep, recall
from functrans.backend.policy import LINE_BYTES
from functrans.backend.runtime.library import Entry
from functrans.backend.runtime.native import native
from functrans.backend.sparse.blocks import TOGETHER, Blocks
from functrans.backend.sparse.native import text_of
from functrans.ops.sparse_pattern import Symbolic

__all__ = ["kernel", "programs"]

Program = NDArray[Any]
_KEPT = 64
_LONGEST = 8  # products of a task of a substitution
_WIDTHS = (1, 2, 4, 8, 0)  # columns of a task of a factorization, 0 for a number of eights
_known: OrderedDict[str, list[Program]] = OrderedDict()


class _Which(IntEnum):
    """The programs, as programs.c numbers them."""

    FACTOR = 0
    FORWARD = 1
    BACKWARD = 2


def programs(s: Symbolic) -> list[Program]:
    """Those of a pattern, worked out once: of its factorization, and of the substitutions with L and with U.

    Each is how many runs of tasks there are, the kind and number of tasks of each run, and the numbers of all tasks.
    None at all where they would take more memory than the factors of eight systems, or where there is no compiler.
    """
    found = recall(_known, s.key)
    if found is not None:
        return found
    text = text_of("programs.c").replace("/* KINDS */", text_of("kinds.c"))
    entry = native(text, "the order of sparse eliminations")
    most = LINE_BYTES * s.fill // 4
    made = [] if entry is None else [_made(s, which, entry, most) for which in _Which]
    kept = [p for p in made if p is not None]
    return keep(_known, s.key, kept if len(kept) == len(_Which) else [], _KEPT)


def _made(s: Symbolic, which: _Which, entry: Entry, most: int) -> Program | None:
    """A program; None if its tasks have more than ``most`` numbers."""
    blocks = Blocks.of(s)
    none: Program = np.empty(0, np.int32)
    counted = np.zeros(4, np.int64)
    elements = s.fill if which is _Which.FACTOR else s.n
    given: list[Program] = [counted, s.indptr, s.indices, s.diagonal, s.above, blocks.rows, blocks.segments]
    given += [s.row_order, s.col_order, np.empty(elements, np.int32)]
    sizes = [int(which), s.n, int(s.symmetric), len(blocks.rows) - 1, elements]
    entry([*given, *[none] * 11], [*sizes, 0])
    tasks, numbers, edges, _ = counted.tolist()
    if numbers > most:
        return None
    lengths: list[int] = [tasks, tasks + 1, numbers, edges, edges, tasks + 1, tasks + 1, edges]
    lengths += [tasks, 2 * tasks, numbers]
    arrays = [np.empty(length, np.int32) for length in lengths]
    entry([*given, *arrays], [*sizes, 1])
    runs = 2 * int(counted[3])
    return np.concatenate([np.array([runs // 2], np.int32), arrays[-2][:runs], arrays[-1]])


def kernel(written: str = "") -> str:
    """The C that stands in the place of factor.c, unless the factorization is written out, and of substitutions.c."""
    blocks = [(r, m) for r in (1, 2) for m in range(1, TOGETHER + 1)]
    tasks = [_update(r, m, w) for r, m in blocks for w in range(len(_WIDTHS))]
    tasks += [make(r, m) for make in (_divide, _copy) for r, m in blocks] + [_PIVOT]
    rows = [_forward(m, first) for first in (True, False) for m in range(_LONGEST + 1) if first or m]
    rows += [_backward(m, first, True) for first in (True, False) for m in range(_LONGEST + 1) if first or m]
    rows += [_backward(_LONGEST, first, False) for first in (True, False)]
    factor = written or _run("eliminate", "double *restrict f", tasks) + text_of("programmed.c")
    run = _run("substitute", "const double *restrict f, const double *restrict from, double *restrict to", rows)
    return text_of("kinds.c") + run + factor + text_of("programmed_solutions.c")


_Task = tuple[str, int, list[str]]  # its kind, how many numbers it has, and what it does with those at `at`


def _run(name: str, given: str, tasks: list[_Task]) -> str:
    """The function that goes through a program."""
    lines = [f"static void sparse_{name}(const int *program, {given}) {{"]
    lines += ["const int *at = program + 1 + 2 * program[0];"]
    lines += ["for (int run = 0; run < program[0]; run++) {", "int left = program[2 + 2 * run];"]
    lines.append("switch (program[1 + 2 * run]) {")
    for kind, size, body in tasks:
        lines += [f"case {kind}: for (; left > 0; left--, at += {size}) {{", *body, "} break;"]
    return "\n".join([*lines, "}", "}", "}", ""])


def _update(r: int, m: int, width: int) -> _Task:
    """Columns of r rows less the products of m pivots with rows of U."""
    size = 2 * r + m + (width == len(_WIDTHS) - 1)
    body = [f"double *const z{i} = f + at[{i}]; const double *const l{i} = f + at[{r + i}];" for i in range(r)]
    body += [f"const double *const u{j} = f + at[{2 * r + j}];" for j in range(m)]
    columns = _WIDTHS[width]
    if not columns:
        body.append(f"for (int q = 0; q < 8 * at[{size - 1}]; q += 8) {{")
    vector, read = (f"ft_f64x{min(columns or 8, 4)}", "q + " if not columns else "")
    for part in range(0, columns or 8, 4):
        at, end = f"{read}{part}", f"_{part}"
        load = "{}[{}]" if columns == 1 else f"*(const {vector}p *)({{}} + {{}})"
        kind = "double" if columns == 1 else vector
        less, same = ("number_less", "") if columns == 1 else (f"ft_fnma_{vector[3:]}", f"ft_splat_{vector[3:]}")
        body += [f"{kind} s{i}{end} = {load.format(f'z{i}', at)};" for i in range(r)]
        for j in range(m):
            body.append(f"const {kind} t{j}{end} = {load.format(f'u{j}', at)};")
            body += [f"s{i}{end} = {less}(t{j}{end}, {same}(l{i}[{j}]), s{i}{end});" for i in range(r)]
        store = load.replace("const ", "")
        body += [f"{store.format(f'z{i}', at)} = s{i}{end};" for i in range(r)]
    return f"UPDATE({r}, {m}, {width})", size, [*body, *["}"] * (not columns)]


def _divide(r: int, m: int) -> _Task:
    """m elements of L of r rows, of pivots with rows of U that are the same but for these pivots."""
    body = [f"double *const l{i} = f + at[{i}];" for i in range(r)]
    body += [f"const double *const u{j} = f + at[{r + j}];" for j in range(m)]
    for i in range(r):
        for j in range(m):
            body.append(f"double v{i}{j} = l{i}[{j}];")
            body += [f"v{i}{j} = number_less(v{i}{g}, u{g}[{j - g}], v{i}{j});" for g in range(j)]
            body.append(f"v{i}{j} *= u{j}[0];")
    body += [f"l{i}[{j}] = v{i}{j};" for i in range(r) for j in range(m)]
    return f"DIVIDE({r}, {m})", r + m, body


def _copy(r: int, m: int) -> _Task:
    """The same of a symmetric matrix, from the elements of U."""
    body = [f"f[at[{i}] + {j}] = f[at[{r + j}] + {i}] * f[at[{r + m + j}]];" for i in range(r) for j in range(m)]
    return f"COPY({r}, {m})", r + 2 * m, body


_PIVOT: _Task = "PIVOT", 1, ["f[*at] = 1 / f[*at];"]


def _forward(m: int, first: bool) -> _Task:
    """An unknown less m products with entries of L; the first time from the right-hand side."""
    body = ["double t = from[at[1]];" if first else "double t = to[at[0]];"]
    body.append(f"const double *const l = f + at[{1 + first}];")
    body += [f"t = number_less(l[{j}], to[at[{2 + first + j}]], t);" for j in range(m)]
    return f"FORWARD{'' if first else '_ON'} + {m}", 2 + first + m, [*body, "to[at[0]] = t;"]


def _backward(m: int, first: bool, ends: bool) -> _Task:
    """An unknown less m products with entries of U, from the last one on; in the end times the inverse pivot."""
    body = ["double t = from[at[1]];" if first else "double t = to[at[0]];"]
    body.append(f"const double *const u = f + at[{1 + first}];")
    body += [f"t = number_less(u[-{j}], to[at[{2 + first + ends + j}]], t);" for j in range(m)]
    body.append(f"to[at[0]] = t * f[at[{2 + first}]];" if ends else "to[at[0]] = t;")
    kind = f"BACKWARD{'' if first else '_ON'} + {m}" if ends else f"BACKWARD_{'PART' if first else 'MORE'}"
    return kind, 2 + first + ends + m, body
