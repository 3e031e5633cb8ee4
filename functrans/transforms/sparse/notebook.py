"""Sparse derivatives, their plans and colorings as HTML, which fits into any page of a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from functrans._lazy import html

if TYPE_CHECKING:
    from functrans.transforms.sparse.coloring import Coloring
    from functrans.transforms.sparse.function import SparseFunction
    from functrans.transforms.sparse.plan import Plan
    from functrans.transforms.sparse.problem import Problem

MAX_LINES = 20  # of a table


def of_plan(plan: Plan) -> str:
    """The plan: how, for what matrices, at what cost, and each note as a paragraph."""
    title, *rest = str(plan).split("\n")
    notes = [f"note: {n}" for n in plan.notes]
    facts = [line.strip() for line in rest if line.strip() not in notes]
    return _block(title, [[fact] for fact in facts], plan.notes)


def of_coloring(coloring: Coloring) -> str:
    """The coloring, and how many columns or rows each color has."""
    counts = np.bincount(coloring.colors[coloring.colors >= 0], minlength=coloring.num_colors)
    rows = [["color", "lines"], *([str(k), str(n)] for k, n in enumerate(counts.tolist()))]
    left = len(rows) - MAX_LINES - 1
    return _block(repr(coloring), rows[: MAX_LINES + 1], [f"and {left} more"] if left > 0 else [])


def of_function(function: SparseFunction, problems: Sequence[Problem]) -> str:
    """The function and each signature it was traced for; nothing is detected or planned for it."""
    rows = [["arguments", "matrices", "values"], *map(_signature, problems)]
    drawn = [p.to_svg() for q in problems[:1] if "patterns" in vars(q) for p in q.patterns]
    return _block(repr(function), rows if problems else [], []) + "".join(f"<figure>{svg}</figure>" for svg in drawn)


def _signature(problem: Problem) -> list[str]:
    arguments = ", ".join(f"{p.dtype.name}{list(p.sized)}" for p in problem.params)
    known = problem.patterns if "patterns" in vars(problem) else []
    matrices = [f"{p.shape[0]} x {p.shape[1]}, {p.nnz} nonzeros" for p in known]
    if "choice" not in vars(problem):
        method = "not planned yet"
    else:
        method = "compressed" if problem.direct is None else "by blocks" if problem.direct.multiplied else "direct"
    return [arguments, "; ".join(matrices) or "not detected yet", method]


def _block(title: str, rows: Iterable[Sequence[str]], notes: Iterable[str]) -> str:
    cells = ("".join(f"<td>{html.escape(c)}</td>" for c in row) for row in rows)
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    below = "".join(f"<p>{html.escape(n)}</p>" for n in notes)
    return f"<div><p><code>{html.escape(title)}</code></p><table>{table}</table>{below}</div>"
