"""From a pattern to its symbolic factorization: pivots, order of elimination and pattern of the factors."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import hashlib
from functrans._recent import keep, recall
from functrans.backend.sparse.balance import balanced
from functrans.backend.sparse.matching import Matching, by_values, matchings
from functrans.backend.sparse.nominal import work
from functrans.backend.sparse.ordering import minimum_degree
from functrans.backend.sparse.symbolic import elimination_tree, factor_pattern
from functrans.errors import ArgumentValueError, SparsityError, at_user_line
from functrans.ops.sparse_pattern import Symbolic

__all__ = ["KINDS", "ORDERINGS", "symbolic"]

Indices = NDArray[Any]
KINDS = ("auto", "lu", "ldl", "cholesky")
ORDERINGS = ("auto", "amd", "natural")
_KEPT = 64
_plans: OrderedDict[str, Symbolic] = OrderedDict()


def symbolic(
    rows: Indices, cols: Indices, n: int, kind: str = "auto", ordering: str = "auto",
    nominal: NDArray[np.float64] | None = None,
) -> Symbolic:  # fmt: skip
    """The symbolic factorization of an n x n matrix with entries at the given places, each once.

    With ``nominal`` entries pivots are those with which such a matrix takes least work, refinement included.

    Time and memory about linear in the entries of the factors.

    Raises
    ------
    ArgumentValueError
        An unknown kind or ordering.
    SparsityError
        A kind that needs a symmetric pattern, or a full diagonal, for one that has not.
    LinAlgError
        A pattern with which every matrix is singular.
    """
    if kind not in KINDS or ordering not in ORDERINGS:
        wrong, known = (kind, KINDS) if kind not in KINDS else (ordering, ORDERINGS)
        raise ArgumentValueError(f"{wrong!r} is none of {', '.join(map(repr, known))}{at_user_line()}")
    name = repr((n, kind, ordering)).encode()
    at = [np.ascontiguousarray(x, np.int32) for x in (rows, cols)]
    values = [] if nominal is None else [nominal]
    key = hashlib.sha256(b"".join([name, *(x.tobytes() for x in at + values)])).hexdigest()
    found = recall(_plans, key)
    return found or keep(_plans, key, _analysed(at[0], at[1], n, kind, ordering, key, nominal), _KEPT)


def _analysed(
    rows: Indices, cols: Indices, n: int, kind: str, ordering: str, key: str, nominal: NDArray[np.float64] | None
) -> Symbolic:
    places = rows.astype(np.int64) * n + cols
    symmetric = np.array_equal(np.sort(places), np.sort(cols.astype(np.int64) * n + rows))
    if kind in ("ldl", "cholesky") and not symmetric:
        raise SparsityError(
            f"kind={kind!r} is for symmetric matrices, and the pattern is not{at_user_line()}; use 'lu'"
        )
    choices = matchings(rows, cols, n, symmetric)
    if kind == "cholesky" and choices[0][1] is not None:
        raise SparsityError(
            f"kind='cholesky' needs positive numbers on the diagonal, which has no entry in rows "
            f"{np.setdiff1d(np.arange(n), rows[rows == cols])[:8].tolist()}{at_user_line()}"
        )
    if nominal is not None and kind != "cholesky":
        more = by_values(rows, cols, n, symmetric, nominal)
        choices += [m for m in more if not any(np.array_equal(m[0], c[0]) for c in choices)]
    made = [_with_pivots(rows, cols, n, choice, kind, ordering, key) for choice in choices]
    if nominal is None or len(made) == 1:
        return min(made, key=lambda s: s.products)
    return min(made, key=lambda s: (work(s, nominal), s.products))


def _with_pivots(
    rows: Indices, cols: Indices, n: int, pivots: Matching, kind: str, ordering: str, key: str
) -> Symbolic:
    row_of, groups = pivots
    column_of = np.empty(n, np.int64)
    column_of[row_of] = np.arange(n)  # which pivot a row belongs to
    at = column_of[rows]
    order = np.arange(n) if ordering == "natural" else _ordered(at, cols.astype(np.int64), n, groups)
    position = np.empty(n, np.int64)
    position[order] = np.arange(n)
    if ordering != "natural":
        order = order[balanced(*elimination_tree(position[at], position[cols], n))]
        position[order] = np.arange(n)
    row, col = position[at], position[cols]
    indptr, indices, diagonal = factor_pattern(row, col, n)
    by_place = np.repeat(np.arange(n, dtype=np.int64), np.diff(indptr)) * n + indices
    entries = np.searchsorted(by_place, row * n + col)
    arrays = [
        np.ascontiguousarray(x, np.int32)
        for x in (rows, cols, row_of[order], order, indptr, indices, diagonal, entries)
    ]
    for array in arrays:
        array.flags.writeable = False
    mirrored = kind in ("ldl", "cholesky")
    symmetric = mirrored and np.array_equal(arrays[2], arrays[3])
    a, b, c, d, e, f, g, h = arrays
    return Symbolic(n, a, b, c, d, e, f, g, h, kind == "cholesky", symmetric, mirrored, key)


def _ordered(rows: Indices, cols: Indices, n: int, groups: list[list[int]] | None) -> Indices:
    """Columns in order of elimination, those of a group one behind the other."""
    lead = np.arange(n)
    for group in groups or ():
        lead[group] = group[0]
    leaders, vertex = np.unique(lead, return_inverse=True)
    a, b = vertex[rows], vertex[cols]
    edges = np.unique(np.concatenate([a * n + b, b * n + a])[np.tile(a != b, 2)])
    weights = np.bincount(vertex, minlength=len(leaders))
    order = minimum_degree(edges // max(n, 1), edges % max(n, 1), len(leaders), weights)
    if groups is None:
        return order
    members = {group[0]: group for group in groups}
    return np.array([k for v in leaders[order].tolist() for k in members.get(v, [v])], np.int64)
