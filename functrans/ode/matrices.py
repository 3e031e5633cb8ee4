"""What steps of implicit methods compute with matrices: sums of a mass matrix and derivatives of f, and their inverses.

Dense matrices are arrays. Sparse ones share one pattern, the union of those of both and the diagonal; where a step
solves for all of its stages, the pattern is that of blocks of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans._records import record
from functrans.implicit import dense
from functrans.ops import build as B
from functrans.tensor.constants import IntArray
from functrans.tensor.core import Tensor
from functrans.tensor.factor import Factor, quiet_solution
from functrans.tensor.sparse import SparseMatrix, sparse
from functrans.transforms.custom import stop_gradient


@record
class Dense:
    """Arrays of shape (n, n). A mass that is None is the identity."""

    size: int
    dtype: np.dtype[Any]

    def times(self, mass: Any, v: Any) -> Any:
        """``mass @ v``."""
        return v if mass is None else mass @ v

    def minus(self, mass: Any, scale: Any, slope: Any) -> Any:
        """``mass - scale * slope``."""
        return (fnp.eye(self.size, dtype=self.dtype) if mass is None else mass) - scale * slope

    def spread(self, a: Any) -> Any:
        """A matrix in the form of all of them."""
        return a

    def scaled(self, scale: Any, a: Any) -> Any:
        """``scale * a``."""
        return scale * a

    def part(self, null: Any, v: Any) -> Any:
        """Of a vector what belongs to algebraic equations."""
        return null @ v

    def with_part(self, mass: Any, null: Any, slope: Any) -> Any:
        """The mass with the derivatives of algebraic equations where it has nothing."""
        return mass + null @ slope

    def blocks(self, rows: Sequence[Sequence[Any]]) -> Any:
        """A matrix of matrices."""
        return fnp.concatenate([fnp.concatenate(row, 1) for row in rows])

    def zero(self, dtype: np.dtype[Any]) -> Any:
        """A matrix of zeros."""
        return fnp.zeros((self.size, self.size), dtype)

    def are_kept(self, inverses: Any) -> bool:
        """Whether inverses are worth the memory, from one step to the next."""
        return self.size > dense.SMALL

    def inverse(self, a: Any) -> Any:
        """What `applied` takes for the inverse of a matrix, which counts as a constant."""
        return dense.factored(a)

    def applied(self, inverse: Any, v: Any) -> Any:
        """The inverse times a vector; NaN or infinities where the matrix is singular."""
        return dense.applied(inverse, v)

    def pair_inverse(self, real: Any, turned: Any) -> Any:
        """What `pair_applied` takes for the inverse of ``[[real, -turned], [turned, real]]``."""
        return dense.factored_pair(real, turned)

    def pair_applied(self, inverse: Any, v: Any) -> Any:
        """That inverse times a vector."""
        return dense.applied_pair(inverse, v)

    def solved(self, a: Any, b: Any) -> Any:
        """The x of ``a @ x = b``, with derivatives of any order."""
        return dense.solved(a, b)

    def solved_before(self, a: Any, b: Any) -> Any:
        """The same before a loop, where lanes get what they get alone."""
        return dense.solved_by_loop(a, b)


@record
class Sparse:
    """Matrices of n rows with entries at ``rows`` and ``cols``, the diagonal among them, in the order of rows."""

    size: int
    rows: IntArray
    cols: IntArray

    def spread(self, a: SparseMatrix) -> SparseMatrix:
        """A matrix with some of these entries, with all of them."""
        places = self.rows * self.size + self.cols
        own = a._places.rows * self.size + a._places.cols
        order = np.argsort(own)
        at = np.searchsorted(own[order], places)
        found = np.append(own[order], -1)[at] == places
        source = np.where(found, np.append(order, 0)[at], len(own))
        return self._matrix(fnp.concatenate([fnp.asarray(a.values), np.zeros(1, a.dtype)])[source])

    def times(self, mass: Any, v: Any) -> Any:
        """``mass @ v``."""
        return v if mass is None else mass @ v

    def minus(self, mass: Any, scale: Any, slope: Any) -> Any:
        """``mass - scale * slope``."""
        of_mass = (self.rows == self.cols).astype(slope.dtype) if mass is None else mass.values
        return self._matrix(of_mass - scale * slope.values)

    def scaled(self, scale: Any, a: Any) -> Any:
        """``scale * a``."""
        return self._matrix(scale * a.values)

    def part(self, null: Any, v: Any) -> Any:
        """Of a vector what belongs to algebraic equations."""
        return null * v

    def with_part(self, mass: Any, null: Any, slope: Any) -> Any:
        """The mass with the derivatives of algebraic equations where it has nothing."""
        return self._matrix(mass.values + null[self.rows] * slope.values)

    def blocks(self, rows: Sequence[Sequence[Any]]) -> Any:
        """A matrix of matrices."""
        places, n = range(len(rows)), self.size
        row = np.concatenate([self.rows + i * n for i in places for _ in places])
        col = np.concatenate([self.cols + j * n for _ in places for j in places])
        values = fnp.concatenate([a.values for part in rows for a in part])
        order = np.lexsort((col, row))
        return sparse(values[order], (row[order], col[order], (n * len(rows),) * 2))

    def zero(self, dtype: np.dtype[Any]) -> Any:
        """A matrix of zeros."""
        return self._matrix(fnp.zeros((len(self.rows),), dtype))

    def are_kept(self, inverses: Any) -> bool:
        """Whether inverses are worth the memory, from one step to the next."""
        found = tree.leaves(inverses, lambda x: isinstance(x, Factor))
        return not all(f._symbolic.is_light for f in found)

    def inverse(self, a: Any) -> Any:
        """What `applied` takes for the inverse of a matrix: its factors, which count as constants."""
        return stop_gradient(a.factor())

    def applied(self, inverse: Any, v: Any) -> Any:
        """The inverse times a vector; NaN or infinities where the matrix is singular."""
        return quiet_solution(inverse, v)

    def pair_inverse(self, real: Any, turned: Any) -> Any:
        """What `pair_applied` takes for the inverse of ``[[real, -turned], [turned, real]]``."""
        return self.inverse(self.blocks([[real, self.scaled(-1.0, turned)], [turned, real]]))

    def pair_applied(self, inverse: Any, v: Any) -> Any:
        """That inverse times a vector."""
        return self.applied(inverse, v)

    def solved(self, a: Any, b: Tensor) -> Any:
        """The x of ``a @ x = b``, with derivatives of any order."""
        return b if B.const_value(b.uop) == 0 else quiet_solution(a.factor(), b)

    def solved_before(self, a: Any, b: Tensor) -> Any:
        """The same before a loop."""
        return self.solved(a, b)

    def _matrix(self, values: Any) -> SparseMatrix:
        return sparse(values, (self.rows, self.cols, (self.size,) * 2))


Matrices = Dense | Sparse


def sparse_matrices(n: int, *given: SparseMatrix) -> Sparse:
    """Those of n rows that have room for the given ones and for a diagonal."""
    own = np.arange(n, dtype=np.int64) * (n + 1)
    places = np.unique(np.concatenate([own, *(a._places.rows * n + a._places.cols for a in given)]))
    return Sparse(n, places // n, places % n)
