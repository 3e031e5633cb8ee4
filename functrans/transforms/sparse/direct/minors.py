"""Determinants and adjugates of small matrices as sums of products of their elements, which terms carry.

They are polynomials, so nothing is divided by and no pivot is looked for; minors that several products have in common
are computed once. By how the elements of a cell are computed nothing is said about those of another.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.direct.spaces import SHORT

_Minors = dict[tuple[tuple[int, ...], tuple[int, ...]], UOp]


def written_out(roots: Sequence[UOp]) -> list[UOp]:
    """The same values, without determinants and adjugates of small real matrices. Linear in the graph."""
    new: dict[UOp, UOp] = {}
    for u in toposort(roots):
        if u.op in (Ops.DET, Ops.ADJUGATE) and u.dtype.kind == "f" and _is_short(u.src[0].sized[-1]):
            (a,) = substitute([u.src[0]], new)
            new[u] = _determinant(a) if u.op is Ops.DET else _adjugate(a)
    return substitute(roots, new) if new else list(roots)


def _is_short(n: int) -> bool:
    """Whether the products of all minors are no more than a cell may have elements: up to four rows."""
    return 0 < n and n * 2 ** (n - 1) <= SHORT**2


def _determinant(a: UOp) -> UOp:
    rows = tuple(range(a.sized[-1]))
    return _minor(_elements(a), rows, rows)


def _adjugate(a: UOp) -> UOp:
    n = a.sized[-1]
    known = _elements(a)
    every = tuple(range(n))
    rows = []
    for i in every:
        row = []
        for j in every:
            minor = _minor(known, _without(every, j), _without(every, i))
            row.append(B.neg(minor) if (i + j) % 2 else minor)
        rows.append(B.stack(tuple(row), a.ndim - 2))
    return B.stack(tuple(rows), a.ndim - 2)


def _elements(a: UOp) -> _Minors:
    """Each element as the minor that it is, and the empty one."""
    *front, n, _ = a.sized
    whole = tuple((0, k) for k in front)
    one = B.full(tuple(front), a.dtype, 1)
    found: _Minors = {((), ()): one}
    for i in range(n):
        for j in range(n):
            found[(i,), (j,)] = B.reshape(B.shrink(a, (*whole, (i, i + 1), (j, j + 1))), tuple(front))
    return found


def _minor(known: _Minors, rows: tuple[int, ...], cols: tuple[int, ...]) -> UOp:
    """By the first row (Laplace)."""
    if (rows, cols) not in known:
        total: UOp | None = None
        for k, col in enumerate(cols):
            part = B.mul(known[rows[:1], (col,)], _minor(known, rows[1:], _without(cols, col)))
            total = part if total is None else B.sub(total, part) if k % 2 else B.add(total, part)
        assert total is not None
        known[rows, cols] = total
    return known[rows, cols]


def _without(of: tuple[int, ...], one: int) -> tuple[int, ...]:
    return tuple(k for k in of if k != one)
