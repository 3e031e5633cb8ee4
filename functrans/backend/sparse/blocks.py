"""What is worked out together when a sparse matrix is factored: two rows of one structure, several pivots of one.

Of a row of L, pivots with numbers one after the other whose rows of U are the same, but for the pivots themselves, are
a segment: each element that they change is loaded and stored once for all of them. Where a row and the next one have
the same structure, each element of U is loaded once for both. In every element products are subtracted in the order of
the pivots, so bits depend on neither.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._recent import keep, recall
from functrans._records import record
from functrans.backend.policy import LINE_BYTES
from functrans.backend.sparse.symbolic import spread
from functrans.ops.sparse_pattern import Symbolic

__all__ = ["TABLES", "Blocks", "kernel"]

Indices = NDArray[Any]
TABLES = "rows", "segments", "places", "given", "entry", "place"
"""The tables of Blocks, in the order of pattern.c."""
TOGETHER = 4
"""Pivots of a segment at the most: with two rows their multipliers fill a quarter of 32 registers."""
_KEPT = 128
_known: OrderedDict[str, Blocks] = OrderedDict()


@record(eq=False)
class Blocks:
    """The rows of a factorization in blocks of one or two, and the segments of each in order.

    Parameters
    ----------
    rows : int32 array
        The first row of each block, and n.
    segments : int32 array
        Four times how many elements of a row each segment changes behind its pivots, plus its pivots less one.
    places : int32 array, or None
        Where in the row these elements stand, one segment behind the other; None where there are too many to keep: they
        are found by going along the row.
    given : int32 array
        For each row which of ``entry`` are its entries.
    entry, place : int32 arrays
        Entries of the matrix, and where in their rows of the factors they stand; of a symmetric one those of U.
    """

    rows: Indices
    segments: Indices
    places: Indices | None
    given: Indices
    entry: Indices
    place: Indices

    @staticmethod
    def of(s: Symbolic) -> Blocks:
        """Those of a pattern; worked out once."""
        found = recall(_known, s.key)
        return found or keep(_known, s.key, _made(s), _KEPT)


def _made(s: Symbolic) -> Blocks:
    none = np.zeros(0, np.int32)
    if s.n == 0:
        return Blocks(np.zeros(1, np.int32), none, none, none, none, none)
    n, ptr, own, index = s.n, s.indptr.astype(np.int64), s.diagonal.astype(np.int64), s.indices
    lower, upper = own - ptr[:-1], ptr[1:] - own - 1
    linked = np.zeros(n + 1, bool)  # whether a row of U is the next one and its diagonal
    linked[: n - 1] = _next(s, own, upper, upper[:-1] == upper[1:] + 1)
    paired = np.zeros(n + 1, bool)
    same = linked[: n - 1] & (lower[1:] == lower[:-1] + 1)
    same[same] &= index[own[1:][same] - 1] == np.flatnonzero(same)
    paired[: n - 1] = _equal(index, ptr[:-2], ptr[1:-1], lower[:-1], same)
    rows = np.flatnonzero(~_second(paired[:n]))
    # entries of L of the first rows of blocks, and where segments begin among them
    entries = spread(ptr[rows], lower[rows])
    k = index[entries].astype(np.int64)
    goes_on = np.zeros(len(k), bool)
    goes_on[1:] = (k[1:] == k[:-1] + 1) & linked[k[:-1]]
    goes_on[(np.cumsum(lower[rows]) - lower[rows])[lower[rows] > 0]] = False
    start = np.flatnonzero(~goes_on)
    run = start[np.cumsum(~goes_on) - 1] if len(k) else start
    begin = np.flatnonzero((np.arange(len(k)) - run) % TOGETHER == 0)
    pivots = np.diff(np.append(begin, len(k)))
    last = k[begin] + pivots - 1
    row = np.repeat(rows, lower[rows])[begin]
    behind = s.above[entries[begin + pivots - 1]].astype(np.int64) if s.symmetric else own[last] + 1
    counts = ptr[last + 1] - behind
    places = None
    if 4 * counts.sum() <= LINE_BYTES * s.fill:  # no more than factors of eight systems
        keys = np.repeat(np.arange(n, dtype=np.int64), np.diff(ptr)) * n + index
        columns = index[spread(behind, counts)]
        places = np.searchsorted(keys, np.repeat(row, counts) * n + columns) - np.repeat(ptr[row], counts)
    at = s.entries.astype(np.int64)
    of = np.searchsorted(ptr, at, "right") - 1
    order = np.argsort(of, kind="stable")
    if s.symmetric:
        order = order[at[order] >= own[of[order]]]
    given = np.concatenate([[0], np.cumsum(np.bincount(of[order], minlength=n))])
    found = [np.append(rows, n), 4 * counts + pivots - 1, given, order, (at - ptr[of])[order]]
    a, b, c, d, e = (np.ascontiguousarray(x, np.int32) for x in found)
    return Blocks(a, b, None if places is None else np.ascontiguousarray(places, np.int32), c, d, e)


def _next(s: Symbolic, own: Indices, upper: Indices, asked: Indices) -> Indices:
    """Whether a row of U is the diagonal of the next one and what is behind it."""
    asked = asked.copy()
    asked[asked] &= s.indices[own[:-1][asked] + 1] == np.flatnonzero(asked) + 1
    return _equal(s.indices, own[:-1] + 2, own[1:] + 1, upper[1:], asked)


def _equal(index: Indices, first: Indices, second: Indices, counts: Indices, asked: Indices) -> Indices:
    """Where asked for, whether so many indices from two places on are the same; False elsewhere."""
    where = np.flatnonzero(asked)
    counts = counts[where]
    differ = index[spread(first[where], counts)] != index[spread(second[where], counts)]
    asked = asked.copy()
    asked[where] = np.bincount(np.repeat(np.arange(len(where)), counts)[differ], minlength=len(where)) == 0
    return asked


def _second(paired: Indices) -> Indices:
    """Which rows are the second ones of blocks, of those that may stand in one with the next."""
    at = np.arange(len(paired))
    begin = np.maximum.accumulate(np.where(paired & ~np.append(False, paired[:-1]), at, 0))
    chosen = paired & ((at - begin) % 2 == 0)
    return np.append(False, chosen[:-1])


def kernel(template: str, searched: bool, symmetric: bool | None = None) -> str:
    """The C of factor.c, with the functions of segments.

    ``searched``: places are found by going along the row. Of symmetric matrices alone, of others alone, or of both.
    """
    kinds = [symmetric] if symmetric is not None else [False, True]
    sizes = [(m, r, half) for half in kinds for r in (1, 2) for m in range(1, TOGETHER + 1)]
    text = template.replace("/* SEGMENTS */", "\n".join(_segment(*size, searched) for size in sizes))
    for r, name in (1, "ONE ROW"), (2, "TWO ROWS"):
        steps = [_steps(r, half, searched) for half in kinds]
        text = text.replace(name, f"if (s->symmetric) {steps[1]} else {steps[0]}" if len(steps) > 1 else steps[0])
    return text


def _steps(r: int, half: bool, searched: bool) -> str:
    given = "lu, w, at, count, s->diagonal + c[at]"
    given += ", s->above + first + at" * half
    given += ", c, s->indices + s->indptr[c[at] + {m}] - count" if searched else ", x"
    labels = [*(f"case {m}" for m in range(TOGETHER - 1)), "default"]
    calls = [f"{_name(m, r, half)}({given.format(m=m)}); at += {m}; break;" for m in range(1, TOGETHER + 1)]
    cases = [f"{label}: {call}" for label, call in zip(labels, calls, strict=True)]
    return "\n".join(["{", "switch (*segment & 3) {", *cases, "}", *["x += count;"] * (not searched), "}"])


def _name(m: int, r: int, half: bool) -> str:
    return f"sparse_{'half' if half else 'part'}{m}{r}_Y"


def _segment(m: int, r: int, half: bool, searched: bool) -> str:
    """m pivots, the first one at a place of r rows."""
    rows, pivots = range(r), range(m)
    given = "const V *restrict lu, V *restrict w, int at, int count, const int *own" + ", const int *above" * half
    given += ", const int *c, const int *x" if searched else ", const int *x"
    lines = [f"static inline void {_name(m, r, half)}({given}) {{"]
    lines += [f"const V *const u{j} = lu + {'above' if half else 'own'}[{j}];" for j in pivots]
    for i in rows:
        for j in pivots:
            place = f"w[{r} * (at + {j}) + {i}]"
            lines.append(f"V l{i}{j} = {f'u{j}[{i}]' if half else place};")
            lines += [f"l{i}{j} = LESS(l{i}{g}, u{g}[{j - g}], l{i}{j});" for g in range(j) if not half]
            lines.append(f"l{i}{j} *= {f'lu[own[{j}]]' if half else f'u{j}[0]'}; {place} = l{i}{j};")
    lines += ["int e = at;"] * searched
    lines.append("for (int q = 0; q < count; q++) {")
    lines += ["while (c[e] != x[q]) e++;"] * searched
    lines.append(f"V *const z = w + {r} * {'e' if searched else 'x[q]'};")
    lines += [f"V z{i} = z[{i}];" for i in rows]
    for j in pivots:
        lines.append(f"const V t{j} = u{j}[q + {0 if half else m - j}];")
        lines += [f"z{i} = LESS(l{i}{j}, t{j}, z{i});" for i in rows]
    lines += [f"z[{i}] = z{i};" for i in rows]
    return "\n".join([*lines, "}", "}"])
