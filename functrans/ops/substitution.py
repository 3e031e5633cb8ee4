"""Systems of equations of matrices that are triangular or of bands: what LAPACK solves without a full elimination.

Row ``above + i - j`` and column j of bands are element (i, j) of a matrix, as in LAPACK and SciPy; of a positive
definite one the lower bands alone are there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.ops.banded import transposed_bands
from functrans.ops.build import alu
from functrans.ops.enums import Ops
from functrans.ops.factors import substituted
from functrans.ops.linalg import host, matrices_check, solve_check, turned
from functrans.ops.uop import UOp

Array = np.ndarray[Any, Any]


def _each(step: Any, node: UOp, bands: Array, b: Array) -> Array:
    """A step for each matrix of a batch."""
    lead = np.broadcast_shapes(bands.shape[:-2], b.shape[:-2])
    given = [np.broadcast_to(a, (*lead, *a.shape[-2:])) for a in (bands, b)]
    found = np.empty(given[1].shape, b.dtype)
    for lane in np.ndindex(*lead):
        found[lane] = step(node, *(np.array(g[lane]) for g in given))
    return found


def _banded(node: UOp, bands: Array, x: Array) -> Array:
    """Elimination with exchanges of rows: row i holds columns i - below to i + above + below."""
    below, above = node.arg
    n, wide = bands.shape[-1], 2 * below + above + 1
    rows = np.zeros((n, wide), bands.dtype)
    for r in range(below + above + 1):
        columns = np.arange(max(0, above - r), min(n, n + above - r))
        rows[columns + r - above, below + above - r] = bands[r, columns]
    for k in range(n):
        last, some = min(k + below, n - 1), min(below + above + 1, n - k)
        column = [abs(rows[i, below - (i - k)]) for i in range(k, last + 1)]
        p = k + int(np.argmax(column))
        top = rows[k, below : below + some]
        if rows[p, below - (p - k)] == 0:
            raise np.linalg.LinAlgError("singular matrix")
        if p != k:
            other = rows[p, below - (p - k) : below - (p - k) + some]
            top[:], other[:] = other.copy(), top.copy()
            x[[k, p]] = x[[p, k]]
        for i in range(k + 1, last + 1):
            start = below - (i - k)
            f = rows[i, start] / top[0]
            rows[i, start : start + some] -= f * top
            x[i] -= f * x[k]
    for j in reversed(range(n)):
        x[j] /= rows[j, below]
        for i in range(max(0, j - below - above), j):
            x[i] -= rows[i, below + j - i] * x[j]
    return x


def _positive(node: UOp, bands: Array, x: Array) -> Array:
    """Cholesky's factorization in bands."""
    below, n = bands.shape[0] - 1, bands.shape[-1]
    for k in range(n):
        d = bands[0, k].real
        if d <= 0:
            raise np.linalg.LinAlgError("not positive definite")
        some = min(below, n - 1 - k)
        bands[: some + 1, k] /= np.sqrt(d)
        x[k] /= bands[0, k]
        for e in range(1, some + 1):
            for g in range(1, e + 1):
                bands[e - g, k + g] -= bands[e, k] * np.conj(bands[g, k])
            x[k + e] -= bands[e, k] * x[k]
    for k in reversed(range(n)):
        for e in range(1, min(below, n - 1 - k) + 1):
            x[k] -= np.conj(bands[e, k]) * x[k + e]
        x[k] /= bands[0, k]
    return x


def _bands_check(node: UOp) -> str | None:
    a, b = node.src
    wrong = matrices_check(node)
    if wrong is not None:
        return wrong
    below, above = node.arg
    ok = a.sized[-2] == below + above + 1 and b.ndim == a.ndim and b.sized[:-1] == (*a.sized[:-2], a.sized[-1])
    return None if ok else f"right-hand sides of shape {b.shape} for bands of shape {a.shape}, {below} below"


def _triangular_turned(node: UOp, ct: UOp, k: int) -> UOp:
    lower, unit = node.arg
    return UOp(node.op, node.dtype, (turned(node.src[0]), ct), (not lower, unit))


def _banded_turned(node: UOp, ct: UOp, k: int) -> UOp:
    return UOp(node.op, node.dtype, (transposed_bands(node.src[0], *node.arg), ct), node.arg[::-1])


def _positive_turned(node: UOp, ct: UOp, k: int) -> UOp:
    bands = node.src[0]
    return node.replace((alu(Ops.CONJ, bands) if bands.dtype.kind == "c" else bands, ct))


def _right_shape(node: UOp) -> tuple[int, ...]:
    return node.src[1].sized


host(
    Ops.TRIANGULAR, "x of t x = b, t triangular; arg: whether it is the lower triangle, and with ones on the diagonal",
    _right_shape, lambda n, t, b: substituted(t, b, *n.arg), "is singular", solve_check, _triangular_turned,
)  # fmt: skip
host(
    Ops.BANDED, "x of a x = b, a matrix of so many bands below and above (arg) its diagonal", _right_shape,
    lambda n, a, b: _each(_banded, n, a, b), "is singular", _bands_check, _banded_turned,
)  # fmt: skip
host(
    Ops.POSITIVE, "x of a x = b, a positive definite, of its lower bands (arg: how many below, and 0)", _right_shape,
    lambda n, a, b: _each(_positive, n, a, b), "is not positive definite", _bands_check, _positive_turned,
)  # fmt: skip
