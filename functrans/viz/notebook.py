"""Fragments of HTML that a notebook shows for a value: tables, and text that is folded away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from functrans._lazy import html

SHOWN = 5  # rows or columns at each end of an array


def block(title: str, *parts: str) -> str:
    """Parts below a title."""
    return f"<div><p><code>{html.escape(title)}</code></p>{''.join(parts)}</div>"


def code(text: str) -> str:
    """Text as it is."""
    return f"<pre>{html.escape(text)}</pre>"


def folded(title: str, text: str) -> str:
    """Text behind a title that opens it."""
    return f"<details><summary>{html.escape(title)}</summary>{code(text)}</details>"


def table(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """A table; every cell is escaped."""
    names = "".join(f"<th>{html.escape(str(h))}</th>" for h in head)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(str(c))}</td>' for c in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def numbers(x: np.ndarray[Any, Any]) -> str:
    """A vector as one row, a matrix as rows, with the ends of long axes alone; more axes as NumPy prints them."""
    if x.ndim not in (1, 2) or not x.size:
        return code(np.array2string(x, separator=", "))
    matrix = np.atleast_2d(x)
    rows, columns = map(_ends, matrix.shape)
    cells = [["⋯" if None in (r, c) else _cell(matrix[r, c]) for c in columns] for r in rows]
    labels = ["" if r is None or x.ndim == 1 else str(r) for r in rows]
    head = ["", *("⋯" if c is None else str(c) for c in columns)]
    return table(head, ([label, *row] for label, row in zip(labels, cells, strict=True)))


def _ends(n: int) -> list[Any]:
    """Places along an axis; None for those that are left out."""
    return list(range(n)) if n <= 2 * SHOWN + 1 else [*range(SHOWN), None, *range(n - SHOWN, n)]


def _cell(x: Any) -> str:
    return f"{x:.6g}" if x.dtype.kind in "fc" else str(x)
