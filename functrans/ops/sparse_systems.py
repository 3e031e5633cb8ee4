"""Systems of equations with sparse matrices of one pattern: steps that run between the kernels.

A matrix is the line of its entries, shape (nnz,), at places that the argument knows. SPFACTOR gives the entries of its
triangular factors, with the inverse of each pivot in place of the pivot; SPSOLVE takes the entries of the matrix, those
of its factors and right-hand sides, or, where a program is made, no factors: these are then computed on the way.

The pivots are chosen with the pattern, not by values, so factors may be inaccurate, or not be there: a solution is
checked, and comes from SuperLU, which chooses by values, where it fails.

The meanings here are an oracle: factors row by row, solutions by SuperLU, which do not read them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._lazy import scipy_sparse, scipy_sparse_linalg
from functrans._records import record, replace
from functrans.config import config
from functrans.errors import LinAlgError
from functrans.ops.axes import Axes, same_arg
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, like_all, register
from functrans.ops.origin import line_of
from functrans.ops.uop import Shape, UOp

Array = np.ndarray[Any, Any]
Indices = np.ndarray[Any, np.dtype[np.int32]]


@record(eq=False)
class Symbolic:
    """What is known of a factorization without values: positions, the order of elimination, and the pattern of L + U.

    Attributes
    ----------
    n : int
        Rows and columns.
    rows, cols : int32 arrays
        The place of each entry of the matrix.
    row_order, col_order : int32 arrays
        Which row and column of the matrix each one of L U is.
    indptr, indices : int32 arrays
        The places of the entries of L (without its ones) and U, row by row, columns ascending.
    diagonal : int32 array
        Where in ``indices`` the pivot of each row stands.
    entries : int32 array
        Where in ``indices`` each entry of the matrix stands.
    definite : bool
        Whether a pivot that is not positive is refused.
    symmetric : bool
        Whether the matrix equals its transpose in the order of elimination too: L is then U with its rows divided by
        the pivots.
    key : str
        Equal for equal ones.
    """

    n: int
    rows: Indices
    cols: Indices
    row_order: Indices
    col_order: Indices
    indptr: Indices
    indices: Indices
    diagonal: Indices
    entries: Indices
    definite: bool
    symmetric: bool
    key: str

    @property
    def nnz(self) -> int:
        """Entries of the matrix."""
        return len(self.rows)

    @property
    def fill(self) -> int:
        """Entries of the factors, the pivots once."""
        return len(self.indices)

    @cached_property
    def products(self) -> int:
        """Multiplications of a factorization: for each entry of L, that with the pivot and those with a row of U, or,
        of a symmetric matrix, with the part of it from the same column on.
        """
        below = self.indices < self._rows
        met = self.indices[below]
        first = self.above[below] if self.symmetric else self.diagonal[met] + 1
        return int((self.indptr[1:][met] - first + 1).sum())

    @cached_property
    def above(self) -> Indices:
        """For each entry of the factors of a symmetric matrix the place of that with row and column exchanged."""
        if not self.symmetric:
            return np.zeros(1, np.int32)
        places = self._rows.astype(np.int64) * self.n + self.indices
        return np.searchsorted(places, self.indices.astype(np.int64) * self.n + self._rows).astype(np.int32)

    @property
    def _rows(self) -> Indices:
        """The row of each entry of the factors."""
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.indptr))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbolic) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<{self.n} rows, {self.nnz} entries, {self.fill} in L + U>"


@record
class Solving:
    """The argument of a SPSOLVE: with the matrix or, if ``turned``, with its transpose.

    ``quiet``: a matrix that is singular gives NaN, and nobody is told.
    """

    symbolic: Symbolic
    turned: bool
    quiet: bool = False

    @property
    def key(self) -> str:
        """Equal for equal ones."""
        return f"{self.symbolic.key} {self.turned} {self.quiet}"


@record
class Determining:
    """The argument of a SPSLOGDET: the part of the result, 0 for the sign and 1 for the logarithm."""

    symbolic: Symbolic
    part: int

    @property
    def key(self) -> str:
        """Equal for equal ones."""
        return f"{self.symbolic.key} {self.part}"


def _lines(node: UOp, symbolic: Symbolic) -> str | None:
    values = node.src[0]
    if values.dtype != dtypes.float64 or values.ndim < 1 or values.sized[-1] != symbolic.nnz:
        return f"entries {values.shape} {values.dtype.name}; expected float64 and {symbolic.nnz} in the last axis"
    return None


def _factor_check(node: UOp) -> str | None:
    return _lines(node, node.arg)


def _solve_check(node: UOp) -> str | None:
    values, *between, b = node.src
    symbolic: Symbolic = node.arg.symbolic
    lead = values.sized[:-1]
    factors = between[0] if between else None
    if factors is not None and factors.shape != (*lead, symbolic.fill):
        return f"factors of shape {factors.shape}; expected {(*lead, symbolic.fill)}"
    if b.ndim != len(lead) + 2 or b.sized[:-1] != (*lead, symbolic.n):
        return f"right-hand sides of shape {b.shape}; expected {(*lead, symbolic.n)} and columns"
    return _lines(node, symbolic)


def _slogdet_check(node: UOp) -> str | None:
    values, factors = node.src
    symbolic: Symbolic = node.arg.symbolic
    if factors.shape != (*values.sized[:-1], symbolic.fill):
        return f"factors of shape {factors.shape}; expected {(*values.sized[:-1], symbolic.fill)}"
    return _lines(node, symbolic)


def _factor_shape(node: UOp) -> Shape:
    return (*node.src[0].sized[:-1], node.arg.fill)


def factors(symbolic: Symbolic, values: Array) -> Array:
    """The entries of L, of U, and the inverse pivots, of each line of ``values``: row by row (Doolittle), no pivoting.

    A pivot of zero gives what division by zero gives. About as many products as `operations` counts.
    """
    s = symbolic
    made = np.zeros((*values.shape[:-1], s.fill))
    np.add.at(made.T, s.entries, values.T)  # places that are given twice add up
    place = np.zeros(s.n, np.int64)
    for i in range(s.n):
        start, end, own = s.indptr[i], s.indptr[i + 1], s.diagonal[i]
        place[s.indices[start:end]] = np.arange(start, end)
        for p in range(start, own):
            k = s.indices[p]
            made[..., p] *= made[..., s.diagonal[k]]
            after = np.arange(s.diagonal[k] + 1, s.indptr[k + 1])
            made[..., place[s.indices[after]]] -= made[..., p, None] * made[..., after]
        made[..., own] = 1 / made[..., own]
    return made


def _factor(node: UOp, values: Array) -> Array:
    with np.errstate(all="ignore"):
        made = factors(node.arg, values)
    if node.arg.definite:
        refuse_indefinite(node, indefinite(node.arg, values, made), made)
    return made


def indefinite(symbolic: Symbolic, values: Array, made: Array) -> Array:
    """Which matrices have pivots that are not positive, and no NaN themselves."""
    return np.asarray(~(made[..., symbolic.diagonal] > 0).all(-1) & np.isfinite(values).all(-1))


def refuse_indefinite(node: UOp, bad: Array, made: Array) -> None:
    """Raise LinAlgError for the first matrix that has no Cholesky factors, or fill its factors with NaN."""
    if bad.any():
        if config.linalg_errors == "raise":
            raise LinAlgError(f"Cholesky: the matrix{_place(bad)} is not positive definite{line_of(node)}")
        made[bad] = np.nan


def _place(bad: Array) -> str:
    if bad.ndim == 0:
        return ""
    where = tuple(int(i) for i in np.unravel_index(int(bad.argmax()), bad.shape))
    return f" at batch index {where[0] if len(where) == 1 else where}"


def one_solution(symbolic: Symbolic, values: Array, b: Array, turned: bool) -> Array | None:
    """The solution by SuperLU, which chooses pivots by size; None of a singular matrix, NaN of one that holds NaN.

    b has shape (n, k). Refined until each row of the residual is as small as rounding lets it be, or no longer shrinks.
    """
    finite = np.isfinite(b).all(0)
    if not np.isfinite(values).all() or not finite.any():
        return np.full_like(b, np.nan)
    if symbolic.n == 0:
        return b.copy()
    places = (symbolic.cols, symbolic.rows) if turned else (symbolic.rows, symbolic.cols)
    a = scipy_sparse.csc_array((values, places), shape=(symbolic.n, symbolic.n))
    try:
        lu = scipy_sparse_linalg.splu(a)
    except RuntimeError:  # exactly singular
        return None
    x = np.full_like(b, np.nan)
    right = b[:, finite]
    with np.errstate(all="ignore"):
        best = lu.solve(right)
        error = backward_error(a, best, right)
        for _ in range(3):
            if not (error > TOLERANCE).any():
                break
            better = best + lu.solve(right - a @ best)
            found = backward_error(a, better, right)
            take = found < error
            best, error = np.where(take, better, best), np.where(take, found, error)
    if not (error <= LARGEST).all():
        return None
    x[:, finite] = best
    return x


TOLERANCE = 1e-14
"""The componentwise backward error up to which a solution counts as exact."""
LARGEST = 1e-10
"""That of a solution by SuperLU beyond which the matrix counts as singular."""


def backward_error(a: Any, x: Array, b: Array) -> Array:
    """Of each column the largest row of abs(b - A x) over abs(A) abs(x) + abs(b).

    Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), section 7.2.
    """
    size = abs(a) @ abs(x) + abs(b)
    left = abs(b - a @ x)
    return np.asarray(np.max(np.divide(left, size, out=np.zeros_like(left), where=left != 0), 0))


def solved(node: UOp, values: Array, b: Array, one: Callable[[Array, Array], Array | None]) -> Array:
    """Each system by ``one``; where that finds none, LinAlgError naming the first, or NaN."""
    lead = np.broadcast_shapes(values.shape[:-1], b.shape[:-2])
    given = np.broadcast_to(values, (*lead, values.shape[-1])), np.broadcast_to(b, (*lead, *b.shape[-2:]))
    x = np.empty(given[1].shape)
    bad = np.zeros(lead, bool)
    for lane in np.ndindex(*lead):
        found = one(given[0][lane], given[1][lane])
        bad[lane] = found is None
        x[lane] = np.nan if found is None else found
    if bad.any() and not node.arg.quiet and config.linalg_errors == "raise":
        raise singular(node, bad)
    return x


def singular(node: UOp, bad: Array, besides: str = "") -> LinAlgError:
    """The error of the first matrix of those that have no solution."""
    return LinAlgError(f"spsolve: the matrix{_place(bad)} is singular{besides}{line_of(node)}")


def _solve(node: UOp, values: Array, *rest: Array) -> Array:
    s: Solving = node.arg
    return solved(node, values, rest[-1], lambda v, r: one_solution(s.symbolic, v, r, s.turned))


def one_logarithm(symbolic: Symbolic, values: Array) -> tuple[float, float]:
    """Sign and logarithm of the size of the determinant, by SuperLU."""
    if not np.isfinite(values).all():
        return np.nan, np.nan
    if symbolic.n == 0:
        return 1.0, 0.0
    a = scipy_sparse.csc_array((values, (symbolic.rows, symbolic.cols)), shape=(symbolic.n, symbolic.n))
    try:
        lu = scipy_sparse_linalg.splu(a)
    except RuntimeError:  # exactly singular
        return 0.0, -np.inf
    pivots = lu.U.diagonal()
    turn = parity(lu.perm_r) * parity(lu.perm_c)
    return float(turn * np.prod(np.sign(pivots))), float(np.log(np.abs(pivots)).sum())


def parity(order: Array) -> int:
    """The sign of a permutation."""
    seen, sign = np.zeros(len(order), bool), 1
    for start in range(len(order)):
        length, k = 0, start
        while not seen[k]:
            seen[k] = True
            k, length = int(order[k]), length + 1
        sign = -sign if length and length % 2 == 0 else sign
    return sign


def _slogdet(node: UOp, values: Array, factored: Array) -> Array:
    symbolic, part = node.arg.symbolic, node.arg.part
    found = np.empty(values.shape[:-1])
    for lane in np.ndindex(*found.shape):
        found[lane] = one_logarithm(symbolic, values[lane])[part]
    return found


def spfactor(values: UOp, symbolic: Symbolic) -> UOp:
    """The factors of a matrix."""
    return UOp(Ops.SPFACTOR, values.dtype, (values,), symbolic)


def spsolve(values: UOp, factored: UOp, b: UOp, solving: Solving) -> UOp:
    """The solution for each column of b."""
    return UOp(Ops.SPSOLVE, values.dtype, (values, factored, b), solving)


def spslogdet(values: UOp, factored: UOp, symbolic: Symbolic, part: int) -> UOp:
    """Of the determinant the sign (part 0) or the logarithm of its size (part 1)."""
    return UOp(Ops.SPSLOGDET, values.dtype, (values, factored), Determining(symbolic, part))


def _solve_turned(node: UOp, ct: UOp, k: int) -> UOp:
    values, factored, _ = node.src
    return spsolve(values, factored, ct, replace(node.arg, turned=not node.arg.turned))


_AXES = Axes(lambda node, axis: axis if axis < node.src[0].ndim - 1 else None, same_arg)
register(
    OpDef(Ops.SPFACTOR, "host", "the triangular factors of a sparse matrix, given by its entries", _factor_shape,
          _factor, axes=_AXES, check=_factor_check, typed=like_all, by="C")
)  # fmt: skip
register(
    OpDef(Ops.SPSOLVE, "host", "x of a x = b for a sparse a, its factors and each column of b",
          lambda n: n.src[-1].shape, _solve, axes=_AXES, linear=lambda n: (len(n.src) - 1,), transpose=_solve_turned,
          check=_solve_check, typed=like_all, by="C")
)  # fmt: skip
register(
    OpDef(Ops.SPSLOGDET, "host", "of the determinant of a sparse matrix the sign (0) or the logarithm (1)",
          lambda n: n.src[0].sized[:-1], _slogdet, axes=_AXES, check=_slogdet_check, typed=like_all,
          by="C")
)  # fmt: skip
