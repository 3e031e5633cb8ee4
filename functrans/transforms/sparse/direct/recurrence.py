"""Sensitivities of what a loop carries: their patterns, and the sums of products that take them a round further.

Each round of a loop is linear in small changes: ``new = A carry + B element + C constants``. What the carry depends on
is known by two matrices: by constants and by what it began with, all rounds together; and by the elements of sequences,
for each lag, which is how many rounds ago an element was read. Their patterns are fixed points of that of a round.

Source: sensitivities by forward accumulation, Griewank and Walther, Evaluating Derivatives (2008), chapter 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans._lazy import scipy_sparse
from functrans._records import record
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import UOp
from functrans.transforms.sparse.powers import powers

Ids = NDArray[np.int64]
MANY = 8  # products of one sum that are written down, each for all sums; more of them are added one by one


@record
class Entries:
    """The nonzeros of a matrix, row by row."""

    rows: Ids
    cols: Ids
    shape: tuple[int, int]

    @staticmethod
    def of(matrix: Any) -> Entries:
        """Those of a boolean sparse matrix."""
        matrix = matrix.tocsr()
        matrix.eliminate_zeros()
        matrix.sort_indices()
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        return Entries(rows, matrix.indices.astype(np.int64), matrix.shape)

    @property
    def keys(self) -> Ids:
        """Row and column as one number, ascending."""
        return self.rows * self.shape[1] + self.cols

    @property
    def matrix(self) -> Any:
        """The pattern as a boolean sparse matrix."""
        ones = np.ones(len(self.rows), np.bool_)
        return scipy_sparse.csr_array((ones, (self.rows, self.cols)), self.shape)

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, rows: tuple[int, int], cols: tuple[int, int], counted: NDArray[np.bool_]) -> tuple[Entries, Ids]:
        """The nonzeros of a window, in columns that count, and which of all they are."""
        inside = (rows[0] <= self.rows) & (self.rows < rows[1]) & (cols[0] <= self.cols) & (self.cols < cols[1])
        inside &= counted[self.cols]
        at = np.flatnonzero(inside)
        shape = rows[1] - rows[0], cols[1] - cols[0]
        return Entries(self.rows[at] - rows[0], self.cols[at] - cols[0], shape), at

    def places(self, others: Entries) -> Ids:
        """Where each of the nonzeros of a matrix of this shape is among those of this one, which has them all."""
        return np.searchsorted(self.keys, others.keys)


def kept(step: Entries, begin: Entries, rounds: int) -> Entries:
    """The pattern of ``S`` in all rounds of ``S = step S + begin`` from ``S = begin`` on."""
    return Entries.of(_union(powers(step.matrix, begin.matrix, rounds + 1, begin.matrix).items))


def lagging(step: Entries, begin: Entries, rounds: int) -> tuple[Entries, int]:
    """The pattern of ``step^lag begin`` for any lag, and the number of lags for which that is not empty."""
    found = powers(step.matrix, begin.matrix, rounds)
    return Entries.of(_union(found.items)), min(found.first, rounds) if found.ends else rounds


def _union(matrices: Sequence[Any]) -> Any:
    total = matrices[0]
    for m in matrices[1:]:
        total = total + m
    return total


class Chain(NamedTuple):
    """Sums of products: element ``to[k]`` is the sum of ``left[first[k]] * right[second[k]]``; ``to`` ascends."""

    first: Ids
    second: Ids
    to: Ids
    size: int

    def of(self, left: UOp, right: UOp) -> UOp | None:
        """The sums: of vectors a vector; of a right with columns one with these columns. None where there are none."""
        if not len(self.to) or not right.size:
            return None
        times = np.bincount(self.to, minlength=self.size)
        most = int(times.max())
        if most > MANY:
            products = B.mul(_spread(taken(left, self.first), right.sized[1:]), taken(right, self.second))
            base = B.full((self.size, *right.sized[1:]), right.dtype, 0)
            return B.scatter(base, products, (B.inside(buffer(self.to), self.size),), "add")
        rank = np.arange(len(self.to)) - np.repeat(np.cumsum(times) - times, times)
        total: UOp | None = None
        for r in range(most):
            first, second = np.full((2, self.size), -1)
            here = np.flatnonzero(rank == r)
            first[self.to[here]], second[self.to[here]] = self.first[here], self.second[here]
            product = B.mul(_spread(taken(left, first), right.sized[1:]), taken(right, second))
            product = chosen(product, first >= 0)
            total = product if total is None else B.add(total, product)
        return total


def chain(left: Entries, at: Ids, right: Entries, result: Entries) -> Chain:
    """The products ``left @ right`` at the nonzeros of the result; ``at``: where those of the left are stored."""
    starts = np.searchsorted(right.rows, np.arange(right.shape[0] + 1))
    counts = starts[left.cols + 1] - starts[left.cols]
    first = np.repeat(np.arange(len(left)), counts)
    second = np.arange(len(first)) + np.repeat(starts[left.cols] - np.cumsum(counts) + counts, counts)
    to = np.searchsorted(result.keys, left.rows[first] * result.shape[1] + right.cols[second])
    order = np.argsort(to, kind="stable")
    return Chain(at[first[order]], second[order], to[order], len(result))


def taken(x: UOp, at: Ids) -> UOp:
    """The elements of the first axis at known places; of those that are nowhere (-1) any."""
    n = x.sized[0]
    at = np.maximum(at, 0)
    if len(at) and np.array_equal(at, np.arange(at[0], at[0] + len(at))):
        return B.shrink(x, ((int(at[0]), int(at[0]) + len(at)), *((0, m) for m in x.sized[1:])))
    return B.gather(x, B.inside(buffer(at.astype(np.int64)), n))


def chosen(x: UOp, there: NDArray[np.bool_]) -> UOp:
    """Elements of the first axis, zero where there are none: by a choice, for what is not read may be infinite."""
    if there.all():
        return x
    # a number and not a bool: of the size of what it chooses, as vectors want it
    mask = buffer(there.astype(x.dtype.numpy))
    return B.where(_spread(B.lt(B.like(mask, 0), mask), x.sized[1:]), x, B.like(x, 0))


def _spread(x: UOp, shape: tuple[int, ...]) -> UOp:
    """A vector repeated along further axes."""
    return B.broadcast(B.reshape(x, (*x.sized, *(1 for _ in shape))), (*x.sized, *shape))


def common(kinds: list[DType]) -> DType:
    """The dtype that holds numbers of all of these."""
    return dtypes.from_numpy(np.result_type(*(d.numpy for d in kinds)))
