"""Gaussian elimination with partial pivoting, written out: the largest element of a column, the first of equal ones,
is its pivot, as in LAPACK, and rows change places by selection.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), section 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from functrans.backend.dense.elements import Rows, both, either, elements, joined, larger, less, no, size_of
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

SCALING = 2.0**100  # of pivots whose inverse overflows
FAR, UNIT = 2.0**300, 2.0**600  # of numbers that are scaled, and by what: products of two are no larger than 2^948
LIMITS = np.finfo(np.float64)


@dataclass
class Pivot:
    """A pivot with its inverse, which is that of ``scale`` times the pivot and NaN of zero, and which row below was
    exchanged for its own, if any.
    """

    value: UOp
    inverse: UOp
    scale: UOp
    taken: list[UOp]

    def divides(self, x: UOp) -> UOp:
        """X over the pivot."""
        return B.mul(B.mul(x, self.scale), self.inverse)


@dataclass
class Eliminated:
    """Upper triangular rows, right-hand sides for them, and a pivot a column."""

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
        taken = _exchange(rows, j)
        top = pivot(rows[j][j], taken)
        pivots.append(top)
        for i in range(j + 1, n):
            factor = top.divides(rows[i][j])
            for c in range(j + 1, len(rows[i])):
                rows[i][c] = less(rows[i][c], factor, rows[j][c])
    return Eliminated([r[:n] for r in rows], [r[n:] for r in rows], pivots)


def _exchange(rows: Rows, j: int) -> list[UOp]:
    """Exchange row j for the one below with the largest element in column j, if that is larger."""
    n = len(rows)
    largest, better = size_of(rows[j][j]), []
    for i in range(j + 1, n):
        here = size_of(rows[i][j])
        better.append(larger(here, largest))
        largest = B.where(better[-1], here, largest)
    taken = [x if k == len(better) - 1 else both(x, no(reduce(either, better[k + 1 :]))) for k, x in enumerate(better)]
    for c in range(j, len(rows[j])):
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
    zero = B.eq(value, B.like(value, 0))
    inverse = B.where(zero, B.like(value, np.nan), B.recip(B.mul(value, scale)))
    return Pivot(value, inverse, scale, taken)


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
    product = B.mul(*values) if len(values) == 2 else _product(values) if len(values) > 2 else values[0]
    return B.where(found.singular, B.like(product, 0), _turned(found, product)), None


def _product(values: list[UOp]) -> UOp:
    """A product parts of which may over- or underflow: numbers and parts far from one are scaled, and it is counted
    how often.
    """
    product, far = _scaled(values[0])
    for k, value in enumerate(values[1:]):
        if k:  # both factors of the first product are scaled already
            product, more = _scaled(product)
            far = B.add(far, more)
        near, more = _scaled(value)
        product, far = B.mul(product, near), B.add(far, more)
    for k in range(4):  # what is farther is infinite, or zero
        large, small = B.lt(B.like(far, k), far), B.lt(far, B.like(far, -k))
        product = B.mul(product, _chosen(large, small, UNIT, 1 / UNIT, product))
    return product


def _scaled(x: UOp) -> tuple[UOp, UOp]:
    """X, divided or multiplied by a unit where it is far from one, and how many units are missing then."""
    large, small = B.lt(B.like(x, FAR), size_of(x)), B.lt(size_of(x), B.like(x, 1 / FAR))
    return B.mul(x, _chosen(large, small, 1 / UNIT, UNIT, x)), B.sub(_chosen(large, small, 2.0, 0.0, x), B.like(x, 1))


def _chosen(large: UOp, small: UOp, of_large: float, of_small: float, like: UOp) -> UOp:
    """A number for what is large, one for what is small, and 1 for all else."""
    return B.where(large, B.like(like, of_large), B.where(small, B.like(like, of_small), B.like(like, 1)))


def logarithm(node: UOp) -> tuple[UOp, None]:
    """SLOGDET: the sign of the determinant, or the logarithm of its size."""
    found = eliminated(elements(node.src[0]), [[] for _ in range(node.src[0].sized[-1])])
    values = [p.value for p in found.pivots]
    if node.arg == 1:
        total = _logarithm(values)
        return B.where(found.singular, B.like(total, -np.inf), total), None
    one = B.like(values[0], 1)
    sign = _turned(found, one)
    for v in values:
        sign = B.where(B.lt(v, B.like(v, 0)), B.neg(sign), sign)
    return B.where(found.singular, B.like(sign, 0), sign), None


def _logarithm(values: list[UOp]) -> UOp:
    return reduce(B.add, (B.alu(Ops.LOG, size_of(v)) for v in values))


def _turned(found: Eliminated, x: UOp) -> UOp:
    """X with the sign of the permutation."""
    for p in found.pivots:
        if p.taken:
            x = B.where(reduce(either, p.taken), B.neg(x), x)
    return x
