"""ROUTINE: an algorithm on matrices that compiled code has as a function with loops of its own.

It stands among loops and branches because it is treated as one: its sources are those of one lane, and RESULT takes its
results apart. Every number is float64, every flag, true where LAPACK refuses the matrix, a boolean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._members import Enum
from functrans._records import record
from functrans.ops.enums import Ops
from functrans.ops.function import Function, Spec
from functrans.ops.linalg import adjugate
from functrans.ops.opdef import OpDef, no_shape, register
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.sparse_systems import factors, indefinite, negatives
from functrans.ops.superlu import one_inverse, one_solution
from functrans.ops.uop import UOp

Array = np.ndarray[Any, Any]


class Kind(Enum):
    """What a routine does, of a matrix of n rows and right-hand sides of m columns.

    SOLVE        a, b: x, flag.
    LU           a: both factors in one matrix, row numbers of the exchanged rows, the pivots, the sign of the
                 determinant, the determinant, flag. With no columns nobody reads the first two, which are anything.
    AFTER_LU     factors, row numbers, b: x. ``transposed``: with the transposed matrix.
    ADJUGATE     a: the transposed matrix of cofactors, by exchanges of rows and columns.
    COMPLEX_LU   planes of real and imaginary parts, and one to fill: both factors, row numbers, flag; by panels.
    AFTER_COMPLEX_LU  these two, planes of b: planes of the transposed system's x.
    COMPLEX_SOLVE   planes of a and of b: those of x, flag.
    COMPLEX_DET  planes of a: what is left of them, the parts of the determinant, those of a number that it is so
                 often 2^500 times, how often, flag.
    COMPLEX_CHOLESKY  planes of a: those of l, flag.
    CHOLESKY     a: l, flag.
    TRIANGULAR   t, b: x, flag; of t the triangle that is read is all that counts.
    BANDED       bands, b: x, flag, by elimination with exchanges.
    POSITIVE     lower bands of a positive definite matrix, b: x, flag.
    QR           a, n by m: r, q.
    EIGENVALUES  a symmetric matrix, of which the lower triangle is read: the eigenvalues, ascending, flag.
    EIGEN        the same: the eigenvectors as columns, the eigenvalues, flag.
    SVD          a, n by m, n not above m, that is l^T diag(s) r: r, s, l, flag.
    SINGULAR_VALUES  the same: s, flag.
    SPARSE       the entries of a sparse matrix of a pattern that is known, b: x, flag. ``transposed``: as above.
    SPARSE_FACTOR   the entries, an array to fill: the factors, flag.
    SPARSE_SOLVE    the entries, their factors, b: x, flag.
    SPARSE_PIVOTS   the entries, their factors, ones: the inverse pivots, the sign of the determinant, how many
                 eigenvalues are negative where the matrix is symmetric, flag.
    SPARSE_INVERSE  the entries, their factors, an array to fill: the transposed inverse at the same places, flag.
    """

    SOLVE = "solve"
    LU = "lu"
    AFTER_LU = "after_lu"
    COMPLEX_LU = "complex_lu"
    AFTER_COMPLEX_LU = "after_complex_lu"
    COMPLEX_SOLVE = "complex_solve"
    COMPLEX_DET = "complex_det"
    COMPLEX_CHOLESKY = "complex_cholesky"
    ADJUGATE = "adjugate"
    CHOLESKY = "cholesky"
    TRIANGULAR = "triangular"
    BANDED = "banded"
    POSITIVE = "positive"
    QR = "qr"
    EIGENVALUES = "eigenvalues"
    EIGEN = "eigen"
    SVD = "svd"
    SINGULAR_VALUES = "singular_values"
    SPARSE = "sparse"
    SPARSE_FACTOR = "sparse_factor"
    SPARSE_SOLVE = "sparse_solve"
    SPARSE_PIVOTS = "sparse_pivots"
    SPARSE_INVERSE = "sparse_inverse"


@record
class Routine:
    """The argument of a ROUTINE.

    ``lower``, ``transposed``, ``unit``: which triangle, of which matrix, with ones on its diagonal. ``below`` and
    ``above``: how many bands there are beside the diagonal. ``panel``: of a matrix so large that lanes do not
    have it side by side, the columns that are eliminated at a time at most. ``symbolic``: the pattern of a sparse
    matrix, and how it is factored.
    """

    kind: Kind
    rows: int
    columns: int = 0
    lower: bool = False
    transposed: bool = False
    unit: bool = False
    below: int = 0
    above: int = 0
    panel: int = 0
    symbolic: Symbolic | None = None

    functions: tuple[Function, ...] = ()
    extends: None = None

    @property
    def facts(self) -> tuple[Any, ...]:
        """What there is of it."""
        pattern = self.symbolic.key if self.symbolic is not None else None
        flags = self.lower, self.transposed, self.unit
        return self.kind, self.rows, self.columns, *flags, self.below, self.above, self.panel, pattern

    def over(self, rewrite: Callable[[Function], Function]) -> Routine:
        """Itself: it has no body."""
        return self

    @property
    def sources(self) -> tuple[Spec, ...]:
        """Shapes and dtypes of what it takes."""
        n, f = self.rows, dtypes.float64
        matrix, right = ((n, n), f), ((n, self.columns), f)
        if self.symbolic is not None:
            values, factors = ((self.symbolic.nnz,), f), ((self.symbolic.fill,), f)
            return {
                Kind.SPARSE: (values, right), Kind.SPARSE_FACTOR: (values, factors),
                Kind.SPARSE_SOLVE: (values, factors, right), Kind.SPARSE_PIVOTS: (values, factors, ((n,), f)),
                Kind.SPARSE_INVERSE: (values, factors, values),
            }[self.kind]  # fmt: skip
        bands, planes, pair = ((self.below + self.above + 1, n), f), ((3, n, n), f), ((2, n, self.columns), f)
        both = (2, n, n), f
        return {
            Kind.SOLVE: (matrix, right), Kind.LU: (matrix,), Kind.AFTER_LU: (matrix, ((n,), f), right),
            Kind.CHOLESKY: (matrix,), Kind.ADJUGATE: (matrix,), Kind.TRIANGULAR: (matrix, right),
            Kind.BANDED: (bands, right), Kind.POSITIVE: (bands, right), Kind.QR: (right,), Kind.SVD: (right,),
            Kind.SINGULAR_VALUES: (right,), Kind.EIGENVALUES: (matrix,), Kind.EIGEN: (matrix,),
            Kind.COMPLEX_LU: (planes,), Kind.AFTER_COMPLEX_LU: (planes, ((n,), f), pair),
            Kind.COMPLEX_SOLVE: (both, pair), Kind.COMPLEX_DET: (both,), Kind.COMPLEX_CHOLESKY: (both,),
        }[self.kind]  # fmt: skip

    @property
    def results(self) -> tuple[Spec, ...]:
        """Shapes and dtypes of what it makes."""
        n, f, least = self.rows, dtypes.float64, min(self.rows, self.columns)
        matrix, right, number, flag = ((n, n), f), ((n, self.columns), f), ((), f), ((), dtypes.bool_)
        values = ((n,), f)
        return {
            Kind.LU: (matrix, values, values, number, number, flag), Kind.AFTER_LU: (right,),
            Kind.CHOLESKY: (matrix, flag), Kind.ADJUGATE: (matrix,), Kind.EIGENVALUES: (values, flag),
            Kind.SINGULAR_VALUES: (values, flag), Kind.EIGEN: (matrix, values, flag),
            Kind.SVD: (right, values, matrix, flag),
            Kind.QR: (((least, self.columns), f), ((n, least), f)), Kind.COMPLEX_LU: (((3, n, n), f), values, flag),
            Kind.AFTER_COMPLEX_LU: (((2, n, self.columns), f),), Kind.SPARSE_PIVOTS: (values, number, number, flag),
            Kind.COMPLEX_SOLVE: (self.sources[-1], flag), Kind.COMPLEX_CHOLESKY: (self.sources[-1], flag),
            Kind.COMPLEX_DET: (self.sources[-1], ((2,), f), ((2,), f), number, flag),
            Kind.SPARSE_FACTOR: (self.sources[-1], flag), Kind.SPARSE_INVERSE: (self.sources[-1], flag),
        }.get(self.kind, (right, flag))  # fmt: skip

    @property
    def work(self) -> int:
        """Numbers of the array that it works in, besides those that it is given and makes."""
        if self.symbolic is not None:
            return self.symbolic.fill * (2 if self.kind is Kind.SPARSE_INVERSE else 1) + 5 * self.rows
        wide = {
            Kind.AFTER_LU: self.columns, Kind.BANDED: 2 * self.below + self.above + 1, Kind.ADJUGATE: self.rows,
            Kind.EIGEN: self.rows, Kind.SVD: self.rows + self.columns, Kind.SOLVE: self.panel, Kind.LU: self.panel,
            Kind.CHOLESKY: self.panel, Kind.COMPLEX_LU: 3 * self.panel + 1, Kind.AFTER_COMPLEX_LU: 2 * self.columns,
            Kind.COMPLEX_SOLVE: 3, Kind.COMPLEX_DET: 3, Kind.COMPLEX_CHOLESKY: 1,
        }.get(self.kind, 0)  # fmt: skip
        return self.rows * wide

    @property
    def operations(self) -> int:
        """About how many multiply-adds it takes."""
        n, m, width = self.rows, self.columns, self.below + self.above + 1
        if self.symbolic is not None:
            factoring = {Kind.SPARSE: 1, Kind.SPARSE_FACTOR: 1, Kind.SPARSE_INVERSE: 2}.get(self.kind, 0)
            return factoring * self.symbolic.products + m * (self.symbolic.fill + self.symbolic.nnz)
        if self.kind in (Kind.BANDED, Kind.POSITIVE):
            return n * width * (self.below + m + 1)
        if self.kind is Kind.ADJUGATE:
            return 2 * n**3
        if times := _TIMES.get(self.kind):
            return times * n * n * max(n, m)
        if self.kind in (Kind.COMPLEX_LU, Kind.COMPLEX_SOLVE, Kind.COMPLEX_DET, Kind.COMPLEX_CHOLESKY):
            return 4 * n**3 // 3 + 4 * n * n * m
        if self.kind is Kind.AFTER_COMPLEX_LU:
            return 4 * n * n * m
        factoring = n**3 // 3 if self.kind in (Kind.SOLVE, Kind.LU, Kind.CHOLESKY) else 0
        return factoring + n * n * (m + 1)

    def wrong(self, node: UOp) -> str | None:
        """What is wrong with a node of it, or None."""
        given = tuple((s.sized, s.dtype) for s in node.src)
        return None if given == self.sources else f"sources {given}; expected {self.sources}"

    def run(self, call: object, sources: Sequence[Array]) -> list[Array]:
        """The results, by NumPy, for one lane: the oracle."""
        with np.errstate(all="ignore"):
            return _MEANINGS[self.kind](self, *(np.array(s) for s in sources))


def _flagged(refused: bool, x: Array) -> list[Array]:
    return [np.full_like(x, np.nan) if refused else x, np.asarray(refused)]


def _solve(r: Routine, a: Array, b: Array) -> list[Array]:
    lu, rows, _, _, _, flag = _lu(r, a)
    return _flagged(bool(flag), _after_lu(r, lu, rows, b)[0])


def _lu(r: Routine, a: Array) -> list[Array]:
    n, rows, sign = r.rows, np.arange(float(r.rows)), 1.0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            p = i if abs(a[i, k]) > abs(a[p, k]) else p
        if p != k:
            a[[k, p]], rows[[k, p]], sign = a[[p, k]], rows[[p, k]], -sign
        if a[k, k] != 0:
            a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k, k + 1 :]
    pivots = a.diagonal().copy()
    singular = bool((pivots == 0).any())
    turned = 0.0 if singular else sign * (-1.0) ** np.sum(pivots < 0)
    return [a, rows, pivots, np.asarray(turned), np.asarray(sign * np.prod(pivots)), np.asarray(singular)]


def _after_lu(r: Routine, lu: Array, rows: Array, b: Array) -> list[Array]:
    order = rows.astype(int)
    if not r.transposed:
        return [_substituted(lu, _substituted(lu, b[order], True, True), False, False)]
    x = np.empty_like(b)
    x[order] = _substituted(lu.T, _substituted(lu.T, b, True, False), False, True)
    return [x]


def _substituted(t: Array, b: Array, lower: bool, unit: bool) -> Array:
    n, x = len(t), np.array(b)
    for j in range(n) if lower else reversed(range(n)):
        if not unit:
            x[j] /= t[j, j]
        rest = slice(j + 1, n) if lower else slice(0, j)
        x[rest] -= t[rest, j, None] * x[j]
    return x


def _complex_lu(r: Routine, planes: Array) -> list[Array]:
    a, n = planes[0] + 1j * planes[1], r.rows
    rows = np.arange(float(n))
    for k in range(n):
        p = k + int(np.argmax(abs(a[k:, k].real) + abs(a[k:, k].imag)))
        a[[k, p]], rows[[k, p]] = a[[p, k]], rows[[p, k]]
        a[k + 1 :, k] = a[k + 1 :, k] / a[k, k] if a[k, k] != 0 else 0
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k, k + 1 :]
    return [np.stack([a.real, a.imag, -a.imag]), rows, np.asarray((a.diagonal() == 0).any())]


def _after_complex_lu(r: Routine, lu: Array, rows: Array, b: Array) -> list[Array]:
    t, x = (lu[0] + 1j * lu[1]).T, np.empty(b.shape[1:], complex)
    x[rows.astype(int)] = _substituted(t, _substituted(t, b[0] + 1j * b[1], True, False), False, True)
    return [np.stack([x.real, x.imag])]


def _complex_solve(r: Routine, planes: Array, b: Array) -> list[Array]:
    lu, rows, flag = _complex_lu(r, planes)
    order, t, right = rows.astype(int), lu[0] + 1j * lu[1], b[0] + 1j * b[1]
    x = _substituted(t, _substituted(t, right[order], True, True), False, False)
    return _flagged(bool(flag), np.stack([x.real, x.imag]))


def _complex_det(r: Routine, planes: Array) -> list[Array]:
    lu, _, flag = _complex_lu(r, planes)
    sign, size = np.linalg.slogdet(planes[0] + 1j * planes[1])
    times = 0.0 if flag else np.round(size / np.log(2.0**500))
    scaled = sign * np.exp(size - times * np.log(2.0**500))
    det = sign * np.exp(size)
    return [lu[:2], *(np.stack([x.real, x.imag]) for x in (det, scaled)), np.asarray(times), flag]


def _complex_cholesky(r: Routine, planes: Array) -> list[Array]:
    try:
        found = np.linalg.cholesky(planes[0] + 1j * planes[1])
    except np.linalg.LinAlgError:
        return _flagged(True, planes)
    return _flagged(False, np.stack([found.real, found.imag]))


def _triangular(r: Routine, t: Array, b: Array) -> list[Array]:
    x = _substituted(t.T if r.transposed else t, b, r.lower != r.transposed, r.unit)
    return _flagged(not r.unit and bool((t.diagonal() == 0).any()), x)


def _cholesky(r: Routine, a: Array) -> list[Array]:
    refused = False
    for k in range(r.rows):
        refused |= bool(a[k, k] <= 0)
        a[k, k] = np.sqrt(a[k, k])
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k + 1 :, k]
    return _flagged(refused, np.tril(a))


def of_bands(bands: Array, above: int) -> Array:
    """The matrix of bands, element (i, j) of which is in row ``above + i - j`` and column j."""
    n = bands.shape[-1]
    i, j = np.indices((n, n))
    row = above + i - j
    inside = (row >= 0) & (row < len(bands))
    return np.where(inside, bands[np.where(inside, row, 0), j], 0.0)


def _adjugate(r: Routine, a: Array) -> list[Array]:
    return [adjugate(a)]


def _banded(r: Routine, bands: Array, b: Array) -> list[Array]:
    return _solve(r, of_bands(bands, r.above), b)


def _positive(r: Routine, bands: Array, b: Array) -> list[Array]:
    lower, refused = _cholesky(r, of_bands(bands, 0))
    return _flagged(bool(refused), _substituted(lower.T, _substituted(lower, b, True, False), False, False))


def _qr(r: Routine, a: Array) -> list[Array]:
    q, upper = np.linalg.qr(a)
    return [upper, q]


def _eigenvalues(r: Routine, a: Array) -> list[Array]:
    return [np.linalg.eigvalsh(a), np.asarray(False)]


def _eigen(r: Routine, a: Array) -> list[Array]:
    values, vectors = np.linalg.eigh(a)
    return [vectors, values, np.asarray(False)]


def _svd(r: Routine, a: Array) -> list[Array]:
    left, s, right = np.linalg.svd(a, full_matrices=False)
    return [right, s, left.T, np.asarray(False)]


def _sparse_factor(r: Routine, values: Array, made: Array) -> list[Array]:
    s = r.symbolic
    assert s is not None
    made = factors(s, values)
    return _flagged(s.definite and bool(indefinite(s, values, made)), made)


def _sparse_solve(r: Routine, values: Array, made: Array, b: Array) -> list[Array]:
    return _sparse(r, values, b)


def _sparse_pivots(r: Routine, values: Array, made: Array, ones: Array) -> list[Array]:
    s = r.symbolic
    assert s is not None
    pivots = made[s.diagonal]
    refused = not np.isfinite(pivots).all()
    counts = s.parity * np.prod(np.sign(pivots)), np.nan if s.twins is None else negatives(s, made)
    return [*(_flagged(refused, np.asarray(x))[0] for x in (pivots, *counts)), np.asarray(refused)]


def _sparse_inverse(r: Routine, values: Array, made: Array, found: Array) -> list[Array]:
    assert r.symbolic is not None
    one = one_inverse(r.symbolic, values)
    return _flagged(one is None, found if one is None else one)


def _sparse(r: Routine, values: Array, b: Array) -> list[Array]:
    assert r.symbolic is not None
    x = one_solution(r.symbolic, values, b, r.transposed)
    return _flagged(x is None, b if x is None else x)


_TIMES = {Kind.QR: 2, Kind.EIGENVALUES: 1, Kind.EIGEN: 5, Kind.SVD: 20, Kind.SINGULAR_VALUES: 5}
_MEANINGS: dict[Kind, Callable[..., list[Array]]] = {
    Kind.SOLVE: _solve, Kind.LU: _lu, Kind.AFTER_LU: _after_lu, Kind.CHOLESKY: _cholesky,
    Kind.TRIANGULAR: _triangular, Kind.ADJUGATE: _adjugate, Kind.BANDED: _banded, Kind.POSITIVE: _positive,
    Kind.QR: _qr, Kind.EIGENVALUES: _eigenvalues, Kind.EIGEN: _eigen, Kind.SVD: _svd,
    Kind.SINGULAR_VALUES: lambda _, a: _flagged(False, np.linalg.svd(a, compute_uv=False)),
    Kind.SPARSE: _sparse, Kind.SPARSE_FACTOR: _sparse_factor,
    Kind.SPARSE_SOLVE: _sparse_solve, Kind.SPARSE_PIVOTS: _sparse_pivots, Kind.SPARSE_INVERSE: _sparse_inverse,
    Kind.COMPLEX_LU: _complex_lu, Kind.AFTER_COMPLEX_LU: _after_complex_lu,
    Kind.COMPLEX_SOLVE: _complex_solve, Kind.COMPLEX_DET: _complex_det, Kind.COMPLEX_CHOLESKY: _complex_cholesky,
}  # fmt: skip


def _check(node: UOp) -> str | None:
    wrong: str | None = node.arg.wrong(node)
    return wrong


register(OpDef(Ops.ROUTINE, "region", "an algorithm on matrices, with loops of its own", no_shape, check=_check,
               typed=lambda n: n.dtype == dtypes.void))  # fmt: skip
