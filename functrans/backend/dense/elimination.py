"""Gaussian elimination with partial pivoting, written out: the largest element of a column, the first of equal ones,
is its pivot, as in LAPACK, and rows change places by selection. Each element is computed once, from what it was and
all products that are subtracted from it.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 3.2.9 and 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from functrans.backend.dense.elements import Rows, both, either, elements, joined, larger, no, size_of, without
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

SCALING = 2.0**100  # of pivots whose inverse overflows
LIMITS = np.finfo(np.float64)


@dataclass
class Pivot:
    """A pivot with its inverse, which is that of ``scale`` times the pivot, and which row below was exchanged for its
    own, if any.
    """

    value: UOp
    inverse: UOp
    scale: UOp
    taken: list[UOp]

    def divides(self, x: UOp) -> UOp:
        """X over the pivot, NaN over zero."""
        zero = B.eq(self.value, B.like(self.value, 0))
        return B.mul(B.mul(x, self.scale), B.where(zero, B.like(self.value, np.nan), self.inverse))

    def factor(self, x: UOp) -> UOp:
        """What of the pivot's row is to be subtracted from that of x, no larger one; of an infinite pivot nothing."""
        zero = B.like(x, 0)
        return B.where(B.eq(self.inverse, zero), zero, B.mul(B.mul(x, self.scale), self.inverse))


@dataclass
class Eliminated:
    """Rows, triangular from the diagonal on, right-hand sides for them, and a pivot a column."""

    upper: Rows
    right: Rows
    pivots: list[Pivot]

    @property
    def singular(self) -> UOp:
        """Whether a pivot is zero."""
        return reduce(either, (B.eq(p.value, B.like(p.value, 0)) for p in self.pivots))


def eliminated(a: Rows, b: Rows) -> Eliminated:
    """The matrix and its right-hand sides after elimination. About n^3/3 + n^2 k products, and selections."""
    rows = [[*x, *y] for x, y in zip(a, b, strict=True)]
    n = len(rows)
    pivots = []
    for j in range(n):
        for i in range(j, n):
            rows[i][j] = _rest(rows, i, j, j)
        taken = _exchange(rows, j)
        pivots.append(pivot(rows[j][j], taken))
        for i in range(j + 1, n):
            rows[i][j] = pivots[j].factor(rows[i][j])
        for c in range(j + 1, len(rows[j])):
            rows[j][c] = _rest(rows, j, c, j)
    return Eliminated([r[:n] for r in rows], [r[n:] for r in rows], pivots)


def _rest(rows: Rows, i: int, c: int, count: int) -> UOp:
    """What is left of an element after so many pivots, of whose columns factors are in the place."""
    return without(rows[i][c], rows[i][:count], [rows[k][c] for k in range(count)])


def _exchange(rows: Rows, j: int) -> list[UOp]:
    """Exchange row j for the one below with the largest element in column j, if that is larger."""
    n = len(rows)
    largest, better = size_of(rows[j][j]), []
    for i in range(j + 1, n):
        here = size_of(rows[i][j])
        better.append(larger(here, largest))
        largest = B.where(better[-1], here, largest)
    taken = [x if k == len(better) - 1 else both(x, no(reduce(either, better[k + 1 :]))) for k, x in enumerate(better)]
    for c in range(len(rows[j])):
        top = new = rows[j][c]
        for k, (found, chosen) in enumerate(zip(better, taken, strict=True), j + 1):
            new = B.where(found, rows[k][c], new)
            rows[k][c] = B.where(chosen, top, rows[k][c])
        rows[j][c] = new
    return taken


def pivot(value: UOp, taken: list[UOp]) -> Pivot:
    """A pivot with its inverse."""
    small = B.lt(size_of(value), B.like(value, float(LIMITS.tiny)))
    scale = B.where(small, B.like(value, SCALING), B.like(value, 1))
    return Pivot(value, B.recip(B.mul(value, scale)), scale, taken)


def solution(node: UOp) -> tuple[UOp, UOp]:
    """SOLVE: what it is, and whether the matrix is singular; NaN where it is."""
    a, b = node.src
    found = eliminated(elements(a), elements(b))
    return joined(_substituted(found), b.sized), found.singular


def _substituted(found: Eliminated) -> Rows:
    """The solutions of the triangular systems."""
    x: Rows = [[] for _ in found.upper]
    for i in reversed(range(len(x))):
        for c, total in enumerate(found.right[i]):
            for j in range(i + 1, len(x)):
                total = B.sub(total, B.mul(found.upper[i][j], x[j][c]))
            x[i].append(found.pivots[i].divides(total))
    return x


def determinant(node: UOp) -> tuple[UOp, None]:
    """DET: the product of the pivots."""
    found = eliminated(elements(node.src[0]), [[] for _ in range(node.src[0].sized[-1])])
    values = [p.value for p in found.pivots]
    product = _product(values)
    turned = _turns(found)
    product = B.where(_odd(turned), B.neg(product), product) if turned else product
    return B.where(found.singular, B.like(product, 0), product), None


def _product(values: list[UOp]) -> UOp:
    """The product; always the largest and the smallest number are multiplied, so that a part over- or underflows only
    where the whole does.
    """
    while len(values) > 2:
        least, most, between = _ordered(values)
        values = [*between, B.mul(least, most)]
    return reduce(B.mul, values)


def _ordered(values: list[UOp]) -> tuple[UOp, UOp, list[UOp]]:
    """The smallest and the largest of numbers, and those between."""
    pairs = [_in_order(a, b) for a, b in zip(values[::2], values[1::2], strict=False)]
    (least, most), between = pairs[0], []
    for low, high in pairs[1:]:
        least, one = _in_order(least, low)
        other, most = _in_order(most, high)
        between += [one, other]
    if len(values) % 2:
        least, one = _in_order(least, values[-1])
        one, most = _in_order(one, most)
        between.append(one)
    return least, most, between


def _in_order(a: UOp, b: UOp) -> tuple[UOp, UOp]:
    """Two numbers, the smaller one first; where one is NaN, both as they are."""
    wrong = larger(size_of(a), size_of(b))
    return B.where(wrong, b, a), B.where(wrong, a, b)


def logarithm(node: UOp) -> tuple[UOp, None]:
    """SLOGDET: the sign of the determinant, or the logarithm of its size."""
    found = eliminated(elements(node.src[0]), [[] for _ in range(node.src[0].sized[-1])])
    values = [p.value for p in found.pivots]
    if node.arg == 1:
        total = reduce(B.add, (B.alu(Ops.LOG, size_of(v)) for v in values))
        return B.where(found.singular, B.like(total, -np.inf), total), None
    one = B.like(values[0], 1)
    sign = B.where(_odd([*_turns(found), *(B.lt(v, B.like(v, 0)) for v in values)]), B.neg(one), one)
    return B.where(found.singular, B.like(sign, 0), sign), None


def _turns(found: Eliminated) -> list[UOp]:
    """For each pivot whose row may be another one, whether it is."""
    return [reduce(either, p.taken) for p in found.pivots if p.taken]


def _odd(conditions: Sequence[UOp]) -> UOp:
    """Whether an odd number of conditions hold."""
    return reduce(partial(B.alu, Ops.XOR), conditions)
