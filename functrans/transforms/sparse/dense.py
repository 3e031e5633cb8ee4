"""Colorings of rows and columns that take the dense rows (or columns) apart and color the rest one-sidedly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from functrans.transforms.sparse.onesided import color_columns, color_rows
from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["Both", "dense_apart", "ranked"]

Indices: TypeAlias = NDArray[np.int32]


class Both(NamedTuple):
    """A coloring of rows and columns: colors of each side from 0, -1 for none; which nonzeros are read from rows."""

    rows: Indices
    cols: Indices
    by_row: NDArray[np.bool_]
    steps: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...] = ()

    @property
    def total(self) -> int:
        """The number of colors."""
        return int(self.rows.max(initial=-1)) + int(self.cols.max(initial=-1)) + 2


def ranked(labels: NDArray[np.integer]) -> Indices:
    """The same classes numbered from 0; -1 stays."""
    distinct, number = np.unique(labels, return_inverse=True)
    return np.asarray(number - int(len(distinct) > 0 and distinct[0] < 0), np.int32)


def dense_apart(pattern: SparsityPattern) -> Iterator[Both]:
    """Entries of the fullest rows read from rows, all others from columns; and the same the other way around.

    A product with a column's direction mixes up entries in the rows taken apart, and nothing is read there. As many
    rows are taken apart as make their number and the fullest row of the rest small together.

    Source: the partitions of Coleman and Verma, SIAM J. Sci. Comput. 19 (1998).

    >>> rest = list(range(1, 5))
    >>> arrow = SparsityPattern([0] * 5 + rest + rest, [0, *rest, *rest] + [0] * 4, (5, 5))
    >>> [both.total for both in dense_apart(arrow)]
    [3, 3]
    """
    for by_row in (_fullest(pattern.rows, pattern.shape[0]), ~_fullest(pattern.cols, pattern.shape[1])):
        here = SparsityPattern(pattern.rows[by_row], pattern.cols[by_row], pattern.shape)
        rest = SparsityPattern(pattern.rows[~by_row], pattern.cols[~by_row], pattern.shape)
        rows, cols = color_rows(here).colors, color_columns(rest).colors
        used_rows = np.bincount(here.rows, minlength=len(rows)) > 0
        used_cols = np.bincount(rest.cols, minlength=len(cols)) > 0
        yield Both(ranked(np.where(used_rows, rows, -1)), ranked(np.where(used_cols, cols, -1)), by_row)


def _fullest(lines: Indices, count: int) -> NDArray[np.bool_]:
    """Which entries lie in the lines (rows or columns) to be taken apart."""
    filled = np.bincount(lines, minlength=count)
    ordered = np.argsort(-filled, kind="stable")
    fullest_left = np.append(filled[ordered], 0)
    apart = np.zeros(count, np.bool_)
    apart[ordered[: int(np.argmin(np.arange(count + 1) + fullest_left))]] = True
    return np.asarray(apart[lines])
