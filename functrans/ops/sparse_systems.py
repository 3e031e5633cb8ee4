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
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._records import record, replace
from functrans.config import config
from functrans.errors import LinAlgError
from functrans.ops.axes import Axes, same_arg
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, like_all, register
from functrans.ops.origin import line_of
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.superlu import one_inverse, one_logarithm, one_solution
from functrans.ops.uop import Shape, UOp

Array = np.ndarray[Any, Any]
NEGATIVE = 2
"""The part of a SPSLOGDET that counts eigenvalues."""


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
    """The argument of a SPSLOGDET: the part of the result, 0 for the sign, 1 for the logarithm, and 2 for how many
    eigenvalues are negative, of a symmetric matrix.
    """

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


def _factored_check(node: UOp) -> str | None:
    values, factors = node.src
    symbolic: Symbolic = node.arg if node.op is Ops.SPINVERSE else node.arg.symbolic
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
            raise refused(node, bad)
        made[bad] = np.nan


def _place(bad: Array) -> str:
    if bad.ndim == 0:
        return ""
    where = tuple(int(i) for i in np.unravel_index(int(bad.argmax()), bad.shape))
    return f" at batch index {where[0] if len(where) == 1 else where}"


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


def refused(node: UOp, bad: Array, besides: str = "") -> LinAlgError:
    """The error of the first matrix of those that an op on sparse matrices refuses."""
    if node.op is Ops.SPFACTOR:
        return LinAlgError(f"Cholesky: the matrix{_place(bad)} is not positive definite{line_of(node)}")
    if node.op is Ops.SPSLOGDET and node.arg.part == NEGATIVE:
        wrong = "is singular, or needs pivots that are chosen by size"
        return LinAlgError(f"inertia: the matrix{_place(bad)} {wrong}{besides}{line_of(node)}")
    return singular(node, bad, besides)


def _solve(node: UOp, values: Array, *rest: Array) -> Array:
    s: Solving = node.arg
    return solved(node, values, rest[-1], lambda v, r: one_solution(s.symbolic, v, r, s.turned))


def _slogdet(node: UOp, values: Array, factored: Array) -> Array:
    symbolic, part = node.arg.symbolic, node.arg.part
    found = np.empty(values.shape[:-1])
    for lane in np.ndindex(*found.shape):
        own = values[lane]
        found[lane] = _negative(symbolic, own) if part == NEGATIVE else one_logarithm(symbolic, own)[part]
    return without_inertia(node, found, np.isnan(found) & np.isfinite(values).all(-1)) if part == NEGATIVE else found


def _negative(symbolic: Symbolic, values: Array) -> float:
    """How many eigenvalues are negative; NaN of a matrix that is singular or not finite."""
    dense = np.zeros((symbolic.n, symbolic.n))
    dense[symbolic.rows, symbolic.cols] = values
    if not np.isfinite(dense).all():
        return np.nan
    found = np.linalg.eigvalsh(dense)
    least = symbolic.n * np.finfo(float).eps * np.abs(found).max(initial=0.0)
    return np.nan if (np.abs(found) <= least).any() else float((found < 0).sum())


def negatives(symbolic: Symbolic, made: Array) -> Array:
    """By the factors of symmetric matrices how many eigenvalues are negative: of two rows with one pivot one where its
    determinant is.
    """
    assert symbolic.twins is not None
    twin, beside = symbolic.twins
    numbers, pivots = np.arange(symbolic.n), np.sign(made[..., symbolic.diagonal])
    first = numbers[twin > numbers]
    between = np.where(beside[first] < 0, 1, 2 * (made[..., beside[first]] < 0))
    both = np.where(pivots[..., first] * pivots[..., twin[first]] > 0, 1, between)
    return np.asarray((pivots[..., twin == numbers] < 0).sum(-1) + both.sum(-1), float)


def without_inertia(node: UOp, found: Array, bad: Array) -> Array:
    """Counts, NaN where pivots do not say what they are; LinAlgError for the first such matrix."""
    if bad.any() and config.linalg_errors == "raise":
        raise refused(node, bad)
    return np.where(bad, np.nan, found)


def _inverse(node: UOp, values: Array, factored: Array) -> Array:
    found, bad = np.empty(values.shape), np.zeros(values.shape[:-1], bool)
    for lane in np.ndindex(*bad.shape):
        one = one_inverse(node.arg, values[lane])
        found[lane], bad[lane] = np.nan if one is None else one, one is None
    if bad.any() and config.linalg_errors == "raise":
        raise refused(node, bad)
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


def spinverse(values: UOp, factored: UOp, symbolic: Symbolic) -> UOp:
    """Of the transposed inverse the entries at the places of the matrix."""
    return UOp(Ops.SPINVERSE, values.dtype, (values, factored), symbolic)


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
    OpDef(Ops.SPSLOGDET, "host", "of the determinant of a sparse matrix the sign (0) or the logarithm (1), or how many "
          "eigenvalues are negative (2)",
          lambda n: n.src[0].sized[:-1], _slogdet, axes=_AXES, check=_factored_check, typed=like_all,
          by="C")
)  # fmt: skip
register(
    OpDef(Ops.SPINVERSE, "host", "of the transposed inverse of a sparse matrix the entries at its places",
          lambda n: n.src[0].shape, _inverse, axes=_AXES, check=_factored_check, typed=like_all, by="C")
)  # fmt: skip
