"""Column and row coloring: which columns of a sparse matrix may share one directional derivative.

Columns that meet in no row are structurally orthogonal.  If all columns of one color are, one product
``J @ (colors == k)`` holds each of their entries unmixed (Curtis, Powell and Reid, 1974).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from functrans.errors import SparsityError
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.greedy import cyclic, first_fit, saturation
from functrans.transforms.sparse.orders import Incidence, Order, ordered
from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["color_columns", "color_rows"]

ORDERS = ("auto", *get_args(Order), "cyclic", "saturation")
_Attempt: TypeAlias = Callable[[int, int], NDArray[np.int32] | None]  # of the least and the limit of colors
_VISITS = 16_000_000  # visits of pairs in a row, some ten nanoseconds each, that "auto" spends


def color_columns(pattern: SparsityPattern, order: str = "auto") -> Coloring:
    """Color the columns so that no two of a color share a row, with few colors.

    Greedy: each column in turn takes the first color that its rows have not seen.  `order` is one of `ordered`
    ("natural", left to right, is exact on banded matrices), or "saturation" (next the column with most colors
    around it: exact on plane stencils).  Not greedy is "cyclic", column j modulo the least number that serves
    (good on stencils in space).  "auto" tries one after the other until no row allows fewer colors, and takes the
    best.  Empty columns get color 0.

    Raises SparsityError for an unknown order.  The cost is linear in the nonzeros (for each 64 colors) for
    "natural"; for the others in the sum of squared row lengths, and "auto" tries fewer of them where that is large.

    Method: Gebremedhin, Manne and Pothen, What color is your Jacobian? SIAM Review 47 (2005), algorithm
    3.1 and section 7.

    >>> tridiagonal = SparsityPattern([0, 0, 1, 1, 1, 2, 2], [0, 1, 0, 1, 2, 1, 2], (3, 3))
    >>> color_columns(tridiagonal).colors.tolist()
    [0, 1, 2]
    """
    return Coloring(_color(pattern.with_format("csc"), order), "column")


def color_rows(pattern: SparsityPattern, order: str = "auto") -> Coloring:
    """Color the rows so that no two of a color share a column; as `color_columns` of the transpose.

    >>> color_rows(SparsityPattern([0, 1, 2], [0, 0, 1], (3, 2))).colors.tolist()
    [0, 1, 0]
    """
    return Coloring(_color(pattern.with_format("csr").transpose().with_format("csc"), order), "row")


def _color(pattern: SparsityPattern, order: str) -> NDArray[np.int32]:
    """Colors of the columns of a pattern in csc format."""
    if order not in ORDERS:
        raise SparsityError(f"order is {order!r}; use one of {', '.join(map(repr, ORDERS))}")
    num_rows, num_cols = pattern.shape
    filled = np.flatnonzero(np.diff(pattern.indptr)).astype(np.int32)
    row_counts = np.bincount(pattern.rows, minlength=num_rows)
    # Columns of the fullest row all need their own color, so no coloring has fewer.
    fewest = int(row_counts.max(initial=0))
    if fewest == len(filled):
        colors = np.zeros(num_cols, np.int32)
        colors[filled] = np.arange(fewest)
        return colors
    best: NDArray[np.int32] | None = None
    for attempt in _attempts(pattern, order, row_counts, filled):
        found = attempt(fewest, num_cols + 1 if best is None else int(best.max()) + 1)
        if found is not None:
            colors = np.zeros(num_cols, np.int32)
            colors[filled] = np.unique(found[filled], return_inverse=True)[1]
            best = colors if best is None or colors.max() < best.max() else best
        if best is not None and best.max() + 1 == fewest:
            break
    assert best is not None  # only "auto" asks for fewer colors than it has
    return best


def _attempts(
    pattern: SparsityPattern, order: str, row_counts: NDArray[np.intp], filled: NDArray[np.int32]
) -> Iterator[_Attempt]:
    """The engines that `order` stands for, cheapest first, each made ready when its turn comes."""
    by_row = pattern.with_format("csr")
    incidence = Incidence(pattern.indptr, pattern.indices, by_row.indptr, by_row.indices)
    attempts: dict[str, _Attempt] = {
        "natural": lambda fewest, limit: first_fit(incidence, filled),
        "cyclic": lambda fewest, limit: cyclic(by_row.indptr, by_row.indices, pattern.shape[1], fewest, limit),
        "saturation": lambda fewest, limit: saturation(incidence, filled),
    }
    for name in ("dynamic_largest_first", "largest_first", "smallest_last", "incidence_degree"):
        attempts[name] = partial(_in_order, incidence, filled, name)
    if order != "auto":
        yield attempts[order]
        return
    visits = int(np.square(row_counts).sum())
    yield from list(attempts.values())[: 1 + _VISITS // max(visits, 1)]


def _in_order(
    incidence: Incidence, filled: NDArray[np.int32], order: str, fewest: int, limit: int
) -> NDArray[np.int32]:
    sequence = ordered(incidence, order)
    return first_fit(incidence, sequence[np.isin(sequence, filled)])  # empty columns take no part
