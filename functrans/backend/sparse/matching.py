"""Which row is the pivot of which column, where the diagonal has holes: a matching, near the diagonal if it can be.

A symmetric pattern is matched in cycles of two where possible, rows that exchange their pivots: with both eliminated
one behind the other the fill is that of a symmetric elimination with pivots of two rows.

Sources: Duff and Pralet, Strategies for scaling and pivoting for sparse symmetric indefinite problems, SIAM J. Matrix
Anal. Appl. 27 (2005); where values are known, Duff and Koster, On algorithms for permuting large entries to the
diagonal of a sparse matrix, SIAM J. Matrix Anal. Appl. 22 (2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse, scipy_sparse_csgraph
from functrans.errors import LinAlgError, at_user_line

__all__ = ["Matching", "by_values", "matchings"]

Indices = NDArray[Any]
_SHOWN = 8
_MOST = 100_000  # places that are weighed: matching by weights is not linear in them


Matching = tuple[Indices, list[list[int]] | None]


def matchings(rows: Indices, cols: Indices, n: int, symmetric: bool) -> list[Matching]:
    """Some choices of the row of the pivot of each column, and of the groups of columns to eliminate together, all
    others being alone. Which is best, their fill says.

    Raises LinAlgError for a pattern with which every matrix is singular, naming the rows.
    """
    full = np.zeros(n, bool)
    full[rows[rows == cols]] = True
    if full.all():
        return [(np.arange(n), None)]
    a = scipy_sparse.csr_array((np.ones(len(rows)), (rows, cols)), shape=(n, n))
    a.sum_duplicates()
    found = _pairs(a, full) if symmetric else []
    if not found:
        found = [np.asarray(scipy_sparse_csgraph.maximum_bipartite_matching(a, perm_type="row"), np.int64)]
    if (found[0] < 0).any():
        raise singular_pattern(found[0], n)
    return [_grouped(row_of, full) for row_of in found] if symmetric else [(row_of, None) for row_of in found]


def by_values(rows: Indices, cols: Indices, n: int, symmetric: bool, values: NDArray[np.float64]) -> list[Matching]:
    """The pivots whose product is the largest, each measured by its column; none where that has no such matching."""
    given = values != 0
    row, col, size = rows[given], cols[given], np.abs(values[given])
    largest = np.zeros(n)
    np.maximum.at(largest, col, size)
    # a weight of zero would be no place at all
    weights = scipy_sparse.csr_array((1 + np.log(largest[col]) - np.log(size), (row, col)), shape=(n, n))
    try:
        of, partner = scipy_sparse_csgraph.min_weight_full_bipartite_matching(weights)
    except ValueError:  # there is none
        return []
    row_of = np.empty(n, np.int64)
    row_of[partner] = of
    full = np.zeros(n, bool)
    full[row[row == col]] = True
    return [_grouped(row_of, full) if symmetric else (row_of, None)]


def _grouped(row_of: Indices, full: NDArray[np.bool_]) -> Matching:
    groups = [part for cycle in _cycles(row_of) for part in _parts(cycle, full)]
    for group in groups:
        row_of[group] = [*group[1:], group[0]]
    return row_of, [g for g in groups if len(g) > 1]


def singular_pattern(row_of: Indices, n: int) -> LinAlgError:
    """The error of a pattern without a full matching: the rows that no column is left for."""
    left = np.setdiff1d(np.arange(n), row_of)
    shown = ", ".join(map(str, left[:_SHOWN])) + (", ..." if len(left) > _SHOWN else "")
    return LinAlgError(
        f"the pattern is structurally singular{at_user_line()}: whatever the values, at most {n - len(left)} of {n} "
        f"rows are independent; no pivot is left for row{'s' if len(left) > 1 else ''} {shown}"
    )


def _pairs(a: Any, full: NDArray[np.bool_]) -> list[Indices]:
    """Each row without a diagonal entry exchanged with one that it meets and that has one; nothing where that fails.

    Once with the nearest in number, all in all, as what belongs together is often numbered in one order, once with
    those that meet most others, and once with any: none is best for all patterns, and fill may differ by half.
    """
    holes, whole = np.flatnonzero(~full), np.flatnonzero(full)
    meet = a[holes][:, whole].tocoo()
    if len(holes) > len(whole) or meet.nnz > _MOST:
        return []
    degrees = np.diff(a.indptr)[whole[meet.col]]
    found = []
    for apart in (np.abs(holes[meet.row] - whole[meet.col]), 1 + degrees.max(initial=0) - degrees, 1 + 0 * degrees):
        weights = scipy_sparse.csr_array((apart.astype(float), (meet.row, meet.col)), shape=meet.shape)
        try:
            _, partner = scipy_sparse_csgraph.min_weight_full_bipartite_matching(weights)
        except ValueError:  # there is none
            return []
        row_of = np.arange(len(full))
        row_of[holes], row_of[whole[partner]] = whole[partner], holes
        found.append(row_of)
    return found


def _cycles(row_of: Indices) -> list[list[int]]:
    seen = np.zeros(len(row_of), bool)
    found = []
    for start in np.flatnonzero(row_of != np.arange(len(row_of))).tolist():
        cycle = []
        k = start
        while not seen[k]:
            seen[k] = True
            cycle.append(k)
            k = int(row_of[k])
        if cycle:
            found.append(cycle)
    return found


def _parts(cycle: list[int], full: NDArray[np.bool_]) -> list[list[int]]:
    """A cycle cut into pairs, and one alone that has a diagonal entry; as it is where there is none."""
    if len(cycle) % 2:
        alone = next((k for k, v in enumerate(cycle) if full[v]), None)
        if alone is None:
            return [cycle]
        return [[cycle[alone]], *_parts(cycle[alone + 1 :] + cycle[:alone], full)]
    return [cycle[k : k + 2] for k in range(0, len(cycle), 2)]
