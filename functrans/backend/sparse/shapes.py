"""The factorization written out for each shape of a row: patterns that repeat themselves have few of them.

Blocks of rows (blocks.py) have one shape where as many entries stand left of their pivots and behind them, entries of
the matrix at the same places among them, and their pivots change the same places. They are the same statements on other
numbers, which a table has: a problem of two thousand stages has the code of one of twenty. The same operations in the
same order as those of factor.c, so the same bits.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._recent import keep, recall
from functrans._records import record
from functrans.backend.sparse import straight
from functrans.backend.sparse.blocks import Blocks
from functrans.backend.sparse.symbolic import spread
from functrans.ops.sparse_pattern import Symbolic

__all__ = ["Shapes", "chosen", "kernel"]

Indices = NDArray[Any]
_KEPT = 128
_known: OrderedDict[str, Shapes] = OrderedDict()


@record(eq=False)
class Shapes:
    """The shapes of a pattern.

    Parameters
    ----------
    blocks : lists of numbers
        The rows of a block of each shape.
    table : int32 array
        What the code reads: for each block in turn the number of its shape, then for each of its rows the right-hand
        side, the entries of the matrix that the row begins with, and for each of its pivots its row, where that stands
        in the factors, and of a symmetric matrix where the column of the row begins in that of the pivot.
    products : int
        Of the code; where they are too many, what they are at the least.
    """

    blocks: list[list[int]]
    table: Indices
    products: int

    @staticmethod
    def of(s: Symbolic) -> Shapes:
        """Those of a pattern; worked out once."""
        found = recall(_known, s.key)
        return found or keep(_known, s.key, _made(s), _KEPT)


def chosen(s: Symbolic, alone: bool) -> Shapes | None:
    """Those of a pattern whose rows are more code together than is written out, and whose shapes are not."""
    most = straight.QUICK if alone else straight.MOST
    if s.products <= most or Blocks.of(s).places is None:
        return None
    found = Shapes.of(s)
    return found if found.products <= most else None


def _made(s: Symbolic) -> Shapes:
    blocks, n = Blocks.of(s), s.n
    ptr, own, numbers = s.indptr.astype(np.int64), s.diagonal.astype(np.int64), np.arange(n)
    lower = own - ptr[:-1]
    of = np.repeat(np.arange(len(blocks.rows) - 1), np.diff(blocks.rows))  # the block of each row
    row = np.repeat(numbers, lower)
    below = spread(ptr[:-1], lower)
    pivot = s.indices[below].astype(np.int64)
    begin = s.above[below].astype(np.int64) if s.symmetric else own[pivot] + 1
    products = np.bincount(of[row], ptr[pivot + 1] - begin + 1, len(blocks.rows) - 1)
    given = np.repeat(numbers, np.diff(blocks.given))
    glance = np.stack([lower, np.diff(ptr), np.diff(blocks.given)], 1)
    first = blocks.rows[:-1]
    least = np.unique(np.concatenate([products[:, None].astype(np.int64), glance[first]], 1), axis=0)[:, 0].sum()
    if least > straight.MOST:
        return Shapes([], np.zeros(0, np.int32), int(least))
    # which segments each block has: as many pivots as are left of its first row
    pivots = np.cumsum((blocks.segments & 3) + 1)
    segment = np.searchsorted(np.cumsum(lower[first]), pivots)
    assert blocks.places is not None
    whole, starts = _joined(len(first), [
        (of, glance), (of[given], blocks.place[:, None]), (segment, blocks.segments[:, None]),
        (np.repeat(segment, blocks.segments >> 2), blocks.places[:, None]),
    ])  # fmt: skip
    found: dict[bytes, int] = {}
    text, ends = whole.tobytes(), pairwise((starts * whole.itemsize).tolist())
    of_block = np.array([found.setdefault(text[a:b], len(found)) for a, b in ends], np.int64)
    kept = np.unique(of_block, return_index=True)[1]
    of_pivot = np.stack([pivot, own[pivot], *[begin] * s.symmetric], 1)
    lines, rows = _joined(n, [(numbers, s.row_order[:, None]), (given, blocks.entry[:, None]), (row, of_pivot)])
    table, _ = _joined(len(first), [
        (np.arange(len(first)), of_block[:, None]), (np.repeat(of, np.diff(rows)), lines[:, None]),
    ])  # fmt: skip
    members = [list(range(*blocks.rows[k : k + 2].tolist())) for k in kept.tolist()]
    return Shapes(members, table, int(products[kept].sum()))


def _joined(count: int, parts: Iterable[tuple[Indices, Indices]]) -> tuple[NDArray[np.int32], Indices]:
    """For each of so many what the parts have of it, one behind the other, and where each begins; a part says what each
    of its lines is of, in ascending order.
    """
    given = [(np.bincount(of, minlength=count) * lines.shape[1], lines) for of, lines in parts]
    starts = np.concatenate([[0], np.cumsum(sum(counts for counts, _ in given))]).astype(np.int64)
    whole, at = np.empty(starts[-1], np.int32), starts[:-1]
    for counts, lines in given:
        whole[spread(at, counts)] = lines.ravel()
        at = at + counts
    return whole, starts


def kernel(s: Symbolic, shapes: Shapes) -> str:
    """What stands in the place of factor.c."""
    head = "static __attribute__((noinline)) IN_ORDER void sparse_shape{}_Y("
    head += "const int *at, const W *restrict a, const V *restrict b, V *lu, V *restrict y, int i, V *z) {{"
    functions, cases = [], []
    for number, rows in enumerate(shapes.blocks):
        lines, at, size = [head.format(number)], 1, 0
        for k, row in enumerate(rows):
            made, at = _statements(s, row, at, size, k)
            lines, size = [*lines, *made], size + int(s.indptr[row + 1] - s.indptr[row])
        functions.append("\n".join([*lines, "}"]))
        call = f"sparse_shape{number}_Y(at, a, b, lu, y, i, z);"
        cases.append(f"case {number}: {call} at += {at}; z += {size}; i += {len(rows)}; break;")
    return "\n".join([
        *functions,
        "static void sparse_factor_Y(const sparse_pattern *s, const W *restrict a, const V *restrict b, V *lu,",
        "V *restrict y, V *w) {", "const int *at = s->shapes;", "V *z = lu;", "(void)w;",
        "for (int i = 0; i < s->n;) {", "switch (*at) {", *cases, "}", "}", "}", "",
    ])  # fmt: skip


def _statements(s: Symbolic, i: int, at: int, size: int, k: int) -> tuple[list[str], int]:
    """Of a row, the k-th of its block, and the place in the table behind its numbers; ``at`` is the first one's, and
    ``size`` entries of the factors are before it.
    """
    first, own, end = int(s.indptr[i]), int(s.diagonal[i] - s.indptr[i]), int(s.indptr[i + 1])
    index = s.indices[first:end].tolist()
    place = {c: p for p, c in enumerate(index)}
    blocks = Blocks.of(s)
    given = blocks.place[blocks.given[i] : blocks.given[i + 1]].tolist()
    entry = {p: at + 1 + e for e, p in enumerate(given)}
    row = range(own if s.symmetric else 0, end - first)
    lines = [f"{{ V t = b[at[{at}]];"]
    lines += [f"V w{p} = {f'WIDE(a[at[{entry[p]}]])' if p in entry else 'SAME(0)'};" for p in row]
    at += 1 + len(given)
    for p, c in enumerate(index[:own]):
        begin = int(s.above[first + p]) if s.symmetric else int(s.diagonal[c]) + 1
        lines.append(f"const V *const u{p} = lu + at[{at + 1}];")
        if s.symmetric:
            lines.append(f"const V *const h{p} = lu + at[{at + 2}];")
            lines.append(f"const V w{p} = h{p}[0] * u{p}[0]; z[{size + p}] = w{p};")
        else:
            lines.append(f"w{p} *= u{p}[0];")
        lines.append(f"t = LESS(w{p}, y[at[{at}]], t);")
        row_of = f"h{p}[" if s.symmetric else f"u{p}[1 + "
        for q, d in enumerate(s.indices[begin : s.indptr[c + 1]].tolist()):
            lines.append(f"w{place[d]} = LESS(w{p}, {row_of}{q}], w{place[d]});")
        at += 2 + s.symmetric
    lines += [f"z[{size + p}] = {'SAME(1) / ' * (p == own)}w{p};" for p in row]
    return [*lines, f"y[i + {k}] = t; }}"], at
