"""A sparse system in the body of a loop or branch, written out as ops on its elements.

Where no step can be taken between kernels there is no SuperLU either: a solution whose residual is not small after one
step of refinement is NaN, and a flag is set.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from functrans.backend.dense.elements import both, either, joined, no, size_of
from functrans.backend.sparse.residual import Residual
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.sparse_systems import Symbolic
from functrans.ops.uop import UOp

__all__ = ["solution", "statements"]

Column = list[UOp]


def statements(node: UOp) -> int:
    """About how many statements a SPSOLVE becomes."""
    s: Symbolic = node.arg.symbolic
    columns: int = node.src[-1].sized[-1]
    return 2 * s.products + columns * (4 * s.fill + 8 * s.nnz + 4 * s.n)


def solution(node: UOp) -> tuple[UOp, UOp]:
    """SPSOLVE of one system: what it is, and whether it was not found."""
    values, b = node.src[0], node.src[-1]
    s, turned = node.arg.symbolic, node.arg.turned
    a = [B.reshape(B.shrink(values, ((k, k + 1),)), ()) for k in range(s.nnz)]
    lu = _factored(s, a)
    residual = Residual.of(s, turned)
    found, wrong = [], []
    for c in range(b.sized[1]):
        right = [B.reshape(B.shrink(b, ((i, i + 1), (c, c + 1))), ()) for i in range(s.n)]
        x = _solved(s, lu, right, turned)
        left, good = _left(residual, a, x, right)
        more = _solved(s, lu, left, turned)
        x = [B.where(good, old, B.add(old, by)) for old, by in zip(x, more, strict=True)]
        _, good = _left(residual, a, x, right)
        found.append([B.where(good, v, B.like(v, np.nan)) for v in x])
        wrong.append(both(no(good), _finite([*a, *right])))
    rows = [[column[i] for column in found] for i in range(s.n)]
    return joined(rows, b.sized), reduce(either, wrong)


def _factored(s: Symbolic, a: Column) -> Column:
    """Entries of L and U, inverse pivots in the place of pivots: the steps of loops.c."""
    given = dict(zip(s.entries.tolist(), a, strict=True))
    ptr, indices, diagonal = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist()
    zero = B.like(a[0], 0)
    lu = [given.get(p, zero) for p in range(s.fill)]
    for i in range(s.n):
        place = {indices[p]: p for p in range(ptr[i], ptr[i + 1])}
        for p in range(ptr[i], diagonal[i]):
            k = indices[p]
            lu[p] = B.mul(lu[p], lu[diagonal[k]])
            for q in range(diagonal[k] + 1, ptr[k + 1]):
                at = place[indices[q]]
                lu[at] = B.sub(lu[at], B.mul(lu[p], lu[q]))
        lu[diagonal[i]] = B.recip(lu[diagonal[i]])
    return lu


def _solved(s: Symbolic, lu: Column, right: Column, turned: bool) -> Column:
    first, last = (s.col_order, s.row_order) if turned else (s.row_order, s.col_order)
    y = [right[k] for k in first.tolist()]
    (_substituted_turned if turned else _substituted)(s, lu, y)
    x = list(y)
    for k, value in zip(last.tolist(), y, strict=True):
        x[k] = value
    return x


def _substituted(s: Symbolic, lu: Column, y: Column) -> None:
    ptr, indices, diagonal = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist()
    for i in range(s.n):
        for p in range(ptr[i], diagonal[i]):
            y[i] = B.sub(y[i], B.mul(lu[p], y[indices[p]]))
    for i in reversed(range(s.n)):
        for p in range(diagonal[i] + 1, ptr[i + 1]):
            y[i] = B.sub(y[i], B.mul(lu[p], y[indices[p]]))
        y[i] = B.mul(y[i], lu[diagonal[i]])


def _substituted_turned(s: Symbolic, lu: Column, y: Column) -> None:
    ptr, indices, diagonal = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist()
    for i in range(s.n):
        y[i] = B.mul(y[i], lu[diagonal[i]])
        for p in range(diagonal[i] + 1, ptr[i + 1]):
            y[indices[p]] = B.sub(y[indices[p]], B.mul(lu[p], y[i]))
    for i in reversed(range(s.n)):
        for p in range(ptr[i], diagonal[i]):
            y[indices[p]] = B.sub(y[indices[p]], B.mul(lu[p], y[i]))


def _left(r: Residual, a: Column, x: Column, right: Column) -> tuple[Column, UOp]:
    """The residual, and whether each row of it is as small as rounding makes it."""
    starts, at, across, tolerance = r.starts.tolist(), r.at.tolist(), r.across.tolist(), r.tolerance.tolist()
    found, good = [], []
    for i, b in enumerate(right):
        terms = [B.mul(a[at[p]], x[across[p]]) for p in range(*starts[i : i + 2])]
        bound = reduce(B.add, map(size_of, terms), size_of(b))
        found.append(reduce(B.sub, terms, b))
        good.append(B.alu(Ops.CMPLE, size_of(found[i]), B.mul(bound, B.like(bound, tolerance[i]))))
    return found, reduce(both, good)


def _finite(numbers: Column) -> UOp:
    total = reduce(B.add, map(size_of, numbers))
    return B.lt(total, B.like(total, np.inf))
