"""Matrices of bands: element (i, j) in row ``above + i - j`` and column j, as in LAPACK and SciPy."""

from __future__ import annotations

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


def shifted(x: UOp, by: int, axis: int) -> UOp:
    """Element j + by in place of element j along an axis, zero where there is none."""
    n, axis = x.sized[axis], axis % x.ndim
    by = max(-n, min(n, by))
    widths = tuple((max(-by, 0), max(by, 0)) if k == axis else (0, 0) for k in range(x.ndim))
    first = max(by, 0)
    bounds = tuple((first, first + n) if k == axis else (0, d) for k, d in enumerate(x.sized))
    return B.shrink(B.pad(x, widths), bounds)


def row(bands: UOp, k: int) -> UOp:
    """One band, without the axis of bands."""
    lead, n = bands.sized[:-2], bands.sized[-1]
    return B.reshape(B.shrink(bands, (*((0, d) for d in lead), (k, k + 1), (0, n))), (*lead, n))


def product(bands: UOp, x: UOp, below: int, above: int) -> UOp:
    """The matrix times x, band by band."""
    total = None
    for r in range(below + above + 1):
        band = row(bands, r)
        term = B.mul(B.broadcast(B.reshape(band, (*band.sized, 1)), x.sized), x)
        term = shifted(term, above - r, -2)
        total = term if total is None else B.add(total, term)
    assert total is not None
    return total


def transposed_bands(bands: UOp, below: int, above: int) -> UOp:
    """The bands of the transposed matrix, of which ``below`` are above the diagonal."""
    rows = [shifted(row(bands, below + above - r), r - below, -1) for r in range(below + above + 1)]
    return B.stack(tuple(rows), bands.ndim - 2)


def both_bands(lower: UOp) -> UOp:
    """All bands of a Hermitian matrix, from those below its diagonal."""
    k = lower.sized[-2] - 1
    upper = [shifted(row(lower, e), -e, -1) for e in range(k, 0, -1)]
    if lower.dtype.kind == "c":
        upper = [B.alu(Ops.CONJ, x) for x in upper]
    return B.stack((*upper, *(row(lower, e) for e in range(k + 1))), lower.ndim - 2)


def lower_bands(upper: UOp) -> UOp:
    """The bands below the diagonal of a Hermitian matrix, from those above it."""
    k = upper.sized[-2] - 1
    rows = [shifted(row(upper, k - e), e, -1) for e in range(k + 1)]
    return B.stack(tuple(B.alu(Ops.CONJ, x) if x.dtype.kind == "c" else x for x in rows), upper.ndim - 2)


def real_diagonal(lower: UOp) -> UOp:
    """The bands below the diagonal of a Hermitian matrix, the imaginary parts of which nobody reads on the diagonal."""
    if lower.dtype.kind != "c":
        return lower
    first, *others = (row(lower, e) for e in range(lower.sized[-2]))
    real = B.cast(UOp(Ops.REAL, dtypes.real_of(lower.dtype), (first,)), lower.dtype)
    return B.stack((real, *others), lower.ndim - 2)
