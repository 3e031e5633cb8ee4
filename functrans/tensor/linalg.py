"""Matrices in the last two axes: solves, determinants, Cholesky factors, powers; and norms."""

from __future__ import annotations

import operator
from math import inf, prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    DtypeError,
    LinAlgError,
    ShapeError,
    UnsupportedError,
    at_user_line,
)
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.linalg import DTYPES, QUIET
from functrans.ops.origin import mark
from functrans.ops.uop import UOp
from functrans.tensor import reduce
from functrans.tensor.compose import where
from functrans.tensor.contract import matmul
from functrans.tensor.create import eye
from functrans.tensor.elementwise import call
from functrans.tensor.handle import kept
from functrans.tensor.lift import broadcast_shape, is_weak, lift
from functrans.tensor.meanings import imag_part, real_part
from functrans.tensor.reduce import normal_axes, normal_axis
from functrans.tensor.shape import expand_dims, integer, option


def square(name: str, a: UOp) -> UOp:
    """A as matrices of a dtype that LAPACK has; LinAlgError unless the last two axes are alike."""
    if a.ndim < 2 or a.sized[-1] != a.sized[-2]:
        raise LinAlgError(f"{name}: a has shape {a.shape}{at_user_line()}; expected square matrices, in the last axes")
    return B.cast(a, lapack_dtype(name, a.dtype))


def lapack_dtype(name: str, *given: DType) -> DType:
    """The dtype of LAPACK that numbers of the given dtypes are computed in."""
    common = np.result_type(*(d.numpy if d.kind in "fc" else np.float64 for d in given))
    dtype = dtypes.from_numpy(common)
    if dtype not in DTYPES:
        raise DtypeError(f"{name} of {dtype.name}{at_user_line()}: LAPACK has no such numbers; convert to float32")
    return dtype


def solve(a: UOp, b: UOp) -> UOp:
    """X of a x = b: b a vector, or matrices whose axes in front broadcast with those of a."""
    a = square("solve", a)
    n = a.sized[-1]
    dtype = lapack_dtype("solve", a.dtype, b.dtype)
    a, b = B.cast(a, dtype), B.cast(b, dtype)
    if b.ndim == 0 or b.sized[0 if b.ndim == 1 else -2] != n:
        raise ShapeError(
            f"solve: b has shape {b.shape} for matrices of shape {a.shape}{at_user_line()}; expected ({n},) or "
            f"(..., {n}, k)"
        )
    columns = B.reshape(b, (n, 1)) if b.ndim == 1 else b
    lead = broadcast_shape([a.sized[:-2], columns.sized[:-2]], f"solve: a of {a.shape} and b of {b.shape}")
    x = B.solve(B.broadcast(a, (*lead, n, n)), B.broadcast(columns, (*lead, n, columns.sized[-1])))
    mark(x)
    return B.reshape(x, (*lead, n)) if b.ndim == 1 else x


def inv(a: UOp) -> UOp:
    """The inverse, as the solution for the columns of the identity."""
    a = square("inv", a)
    return solve(a, eye(a.sized[-1], dtype=a.dtype.numpy))


def det(a: UOp) -> UOp:
    """The determinant."""
    return B.det(square("det", a))


def slogdet(a: UOp) -> tuple[UOp, UOp]:
    """The sign of the determinant and the logarithm of its size; 0 and -inf where a is singular."""
    a = square("slogdet", a)
    return UOp(Ops.SLOGDET, a.dtype, (a,), 0), UOp(Ops.SLOGDET, dtypes.real_of(a.dtype), (a,), 1)


def cholesky(a: UOp, upper: bool = False) -> UOp:
    """The triangular factor, from the triangle of a that it fills."""
    a = square("cholesky", a)
    node = UOp(Ops.CHOLESKY, a.dtype, (adjoint(a) if upper else a,))
    mark(node)
    return adjoint(node) if upper else node


def adjoint(x: UOp) -> UOp:
    """The conjugate transpose."""
    y = transposed(x)
    return B.alu(Ops.CONJ, y) if y.dtype.kind == "c" else y


def eigh(a: UOp, upper: str) -> tuple[UOp, UOp]:
    """Eigenvalues in ascending order and eigenvectors of a Hermitian matrix, from one of its triangles."""
    a = square("eigh", a)
    option("eigh: UPLO", upper, ("L", "U", "l", "u"))
    if upper in ("U", "u"):
        a = adjoint(a)
    return B.eigh(a, 0), B.eigh(a, 1)


def svd(a: UOp, full_matrices: bool) -> tuple[UOp, UOp, UOp]:
    """The factors u, s and vh of a = u s vh, singular values in descending order."""
    a = matrices("svd", a)
    lead, (m, n) = a.sized[:-2], a.sized[-2:]
    if full_matrices and m != n and 0 not in lead:
        raise UnsupportedError(
            f"svd of shape {a.shape} with full_matrices=True{at_user_line()}; write svd(a, full_matrices=False)"
        )
    if full_matrices and m != n:  # of no matrices, the factors have no elements
        return B.full((*lead, m, m), a.dtype, 0), B.svd(a, 1), B.full((*lead, n, n), a.dtype, 0)
    return B.svd(a, 0), B.svd(a, 1), B.svd(a, 2)


def qr(a: UOp, mode: str) -> tuple[UOp, UOp]:
    """The reduced factors q and r."""
    a = matrices("qr", a)
    if mode == "raw":
        raise UnsupportedError(f"qr: mode 'raw' is not built{at_user_line()}; write mode='reduced'")
    if mode not in ("reduced", "complete", "r"):
        raise ArgumentValueError(f"qr: mode is {mode!r}{at_user_line()}; expected 'reduced', 'complete' or 'r'")
    if mode == "complete" and a.sized[-2] > a.sized[-1]:
        raise UnsupportedError(f"qr of shape {a.shape} with mode='complete'{at_user_line()}; write mode='reduced'")
    return B.qr(a, 0), B.qr(a, 1)


def matrix_rank(a: UOp, tol: Any, rtol: Any) -> UOp:
    """How many singular values are above tol, or above rtol times the largest."""
    if a.ndim < 2:
        return B.cast(reduce.any_(call(np.not_equal, a, 0)), dtypes.int64)
    s = svd(a, False)[1]
    m, n = a.sized[-2:]
    level = float(np.finfo(s.dtype.numpy).eps * max(m, n)) if rtol is None else rtol
    if s.sized[-1] == 0:
        return B.cast(reduce.sum_(s, -1), dtypes.int64)
    of_each = level if tol is None else tol
    if not is_weak(of_each):  # one of each matrix
        of_each = expand_dims(lift(of_each), -1)
    bound = call(np.multiply, reduce.max_(s, -1, True), of_each) if tol is None else of_each
    return reduce.sum_(call(np.greater, s, bound), -1)


def matrices(name: str, a: UOp) -> UOp:
    """A as matrices of a dtype that LAPACK has; LinAlgError for an array of fewer than two axes."""
    if a.ndim < 2:
        raise LinAlgError(f"{name}: a has shape {a.shape}{at_user_line()}; expected matrices in the last two axes")
    return B.cast(a, lapack_dtype(name, a.dtype))


def transposed(x: UOp) -> UOp:
    """The last two axes exchanged."""
    if x.ndim < 2:
        raise ShapeError(f"a matrix is expected, and given is an array of shape {x.shape}{at_user_line()}")
    return B.permute(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def matrix_power(a: UOp, n: Any) -> UOp:
    """The n-th power by squaring; a negative one of the inverse."""
    if a.ndim < 2 or a.sized[-1] != a.sized[-2]:
        raise LinAlgError(f"matrix_power: a has shape {a.shape}{at_user_line()}; expected square matrices")
    try:
        exponent = operator.index(n)
    except TypeError as error:
        raise ArgumentError(f"matrix_power: the exponent is {n!r}; expected an integer{at_user_line()}") from error
    if exponent == 0:
        return B.broadcast(eye(a.sized[-1], dtype=a.dtype.numpy), a.sized)
    if exponent < 0:
        a, exponent = inv(a), -exponent
    power: UOp | None = None
    while exponent:
        if exponent & 1:
            power = a if power is None else matmul(power, a)
        exponent >>= 1
        a = matmul(a, a) if exponent else a
    assert power is not None
    return power


def multi_dot(arrays: list[UOp]) -> UOp:
    """The product of several matrices in the order that costs least; the first and last may be vectors."""
    if len(arrays) < 2:
        raise ArgumentValueError(f"multi_dot: {len(arrays)} arrays{at_user_line()}; expected at least two")
    ends = {k: a.ndim == 1 for k, a in ((0, arrays[0]), (-1, arrays[-1]))}
    if any(a.ndim != 2 for a in arrays[1:-1]) or any(a.ndim not in (1, 2) for a in (arrays[0], arrays[-1])):
        raise LinAlgError(f"multi_dot of shapes {[a.shape for a in arrays]}{at_user_line()}; expected matrices")
    parts = list(arrays)
    parts[0] = B.reshape(parts[0], (1, parts[0].size)) if ends[0] else parts[0]
    parts[-1] = B.reshape(parts[-1], (parts[-1].size, 1)) if ends[-1] else parts[-1]
    sizes = [parts[0].sized[0], *(p.sized[1] for p in parts)]
    y = _chain(parts, _splits(sizes), 0, len(parts) - 1)
    return B.reshape(y, y.sized[int(ends[0]) : 2 - int(ends[-1])])


def _splits(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Where to divide each stretch of a chain of products (Cormen et al., section 14.2)."""
    n = len(sizes) - 1
    cost = {(i, i): 0 for i in range(n)}
    split: dict[tuple[int, int], int] = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            options = [(cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)]
            cost[i, j], split[i, j] = min(options)
    return split


def _chain(parts: list[UOp], split: dict[tuple[int, int], int], i: int, j: int) -> UOp:
    if i == j:
        return parts[i]
    k = split[i, j]
    return matmul(_chain(parts, split, i, k), _chain(parts, split, k + 1, j))


def cond(x: UOp, order: Any) -> UOp:
    """The norm of x times that of its inverse; infinite where there is none."""
    order = None if order is None else _order(order)
    if 0 in x.sized[-2:]:
        raise LinAlgError(f"cond of shape {x.shape}{at_user_line()}: it is not defined of empty matrices")
    if order in (None, 2, -2):
        s = svd(x, False)[1]
        high, low = (reduce.max_(s, -1), reduce.min_(s, -1))
        ratio = B.div(low, high) if order == -2 else B.div(high, low)
        return B.where(call(np.equal, high, 0), B.full(high.sized, high.dtype, inf), ratio)
    x = square("cond", x)
    axes = (x.ndim - 2, x.ndim - 1)
    inverse = B.solve(x, B.broadcast(eye(x.sized[-1], dtype=x.dtype.numpy), x.sized), QUIET)
    mark(inverse)
    product = B.mul(norm(x, order, axes), norm(inverse, order, axes))
    given = reduce.any_(call(np.isnan, x), axes)
    return where(call(np.greater, call(np.isnan, product), given), B.like(product, inf), product)


def tensorsolve(a: UOp, b: UOp, axes: Any = None) -> UOp:
    """X of tensordot(a, x, x.ndim) = b."""
    if axes is not None:
        if not isinstance(axes, (tuple, list)):
            raise ArgumentError(f"tensorsolve: axes are {axes!r}{at_user_line()}; expected a tuple of integers")
        moved = [normal_axis(k, a.ndim) for k in axes]
        a = B.permute(a, (*(k for k in range(a.ndim) if k not in moved), *moved))
    shape = a.sized[b.ndim :]
    if prod(shape) != b.size or prod(a.sized[: b.ndim]) != b.size:
        raise LinAlgError(f"tensorsolve: a of shape {a.shape} is no square map to b of shape {b.shape}{at_user_line()}")
    x = solve(B.reshape(a, (b.size, b.size)), B.reshape(b, (b.size,)))
    return B.reshape(x, shape)


def tensorinv(a: UOp, ind: Any) -> UOp:
    """The inverse of a as a map from its last axes to its first ``ind``."""
    k = integer(ind, "ind")
    if k <= 0:
        raise ArgumentValueError(f"tensorinv: ind is {k}{at_user_line()}; expected a positive integer")
    rows, cols = a.sized[:k], a.sized[k:]
    if prod(rows) != prod(cols):
        raise LinAlgError(f"tensorinv: a of shape {a.shape} is no square map at ind={k}{at_user_line()}")
    return B.reshape(inv(B.reshape(a, (prod(rows), prod(cols)))), (*cols, *rows))


def norm(x: UOp, order: Any = None, axis: Any = None, keepdims: bool = False) -> UOp:
    """NumPy's norm: of all elements, of vectors along an axis, of matrices in two axes."""
    keepdims = kept(keepdims, None)
    x = x if x.dtype.kind in "fc" else B.cast(x, dtypes.float64)
    if axis is None:
        flat = order is None or (order in ("fro", "f") and x.ndim == 2) or (order == 2 and x.ndim == 1)
        axes = tuple(range(x.ndim))
        if not flat and x.ndim not in (1, 2):
            raise ShapeError(f"norm with ord={order!r} of shape {x.shape}{at_user_line()}; give axis=")
        if flat:
            return vector_norm(x, 2, axes, keepdims)
    else:
        axes = tuple(normal_axis(k, x.ndim) for k in (axis if isinstance(axis, (tuple, list)) else (axis,)))
        normal_axes(axes, x.ndim)
    if len(axes) == 1:
        return vector_norm(x, 2 if order is None else order, axes, keepdims)
    if len(axes) != 2:
        raise ShapeError(f"norm over axes {axes}{at_user_line()}; expected one or two axes")
    return _matrix_norm(x, "fro" if order is None else order, axes[0], axes[1], keepdims)


def vector_norm(x: UOp, order: Any, axes: tuple[int, ...], keepdims: bool) -> UOp:
    """The norm of all elements of some axes as one vector; its derivative at the origin is 0."""
    keepdims = kept(keepdims, None)
    order = _order(order)
    if isinstance(order, str):
        raise ArgumentValueError(f"norm: ord={order!r} is no norm of vectors{at_user_line()}")
    x = x if x.dtype.kind in "fc" else B.cast(x, dtypes.float64)
    if order == 2:
        return root(reduce.sum_(_squares(x), axes, keepdims=keepdims), 0.5)
    size = call(np.absolute, x)
    if order in (inf, -inf):
        return _extreme(size, order, axes, keepdims)
    if order == 0:
        return reduce.sum_(B.cast(call(np.not_equal, x, 0), size.dtype), axes, keepdims=keepdims)
    if order == 1:
        return reduce.sum_(size, axes, keepdims=keepdims)
    power = float(order)
    return root(reduce.sum_(call(np.power, size, power), axes, keepdims=keepdims), 1 / power)


def _order(order: Any) -> Any:
    """The kind of norm: a number or a text; ArgumentError for what is neither."""
    if isinstance(order, np.ndarray) and order.ndim == 0:
        order = order.item()
    if not isinstance(order, (int, float, str, np.integer, np.floating)):
        raise ArgumentError(f"norm: ord is {order!r}{at_user_line()}; expected a number or a name")
    return order


def _extreme(sizes: UOp, order: float, axes: tuple[int, ...], keepdims: bool) -> UOp:
    """The largest of numbers that are not negative, 0 of none; of a negative order the smallest."""
    if order < 0:
        return reduce.min_(sizes, axes, keepdims)
    return reduce.max_(sizes, axes, keepdims, 0 if any(sizes.sized[k] == 0 for k in axes) else None)


def _squares(x: UOp) -> UOp:
    re, im = real_part(x), imag_part(x)
    return B.mul(re, re) if x.dtype.kind != "c" else B.add(B.mul(re, re), B.mul(im, im))


def root(total: UOp, power: float) -> UOp:
    """A power of a sum of sizes, whose derivative at zero is zero rather than infinite."""
    if power < 0:
        return call(np.power, total, power)
    nothing = call(np.equal, total, 0)
    inside = where(nothing, B.like(total, 1), total)
    return where(nothing, total, call(np.sqrt, inside) if power == 0.5 else call(np.power, inside, power))


def _matrix_norm(x: UOp, order: Any, row: int, col: int, keepdims: bool) -> UOp:
    order = _order(order)
    if order in ("fro", "f"):
        return vector_norm(x, 2, tuple(sorted((row, col))), keepdims)
    if order not in (1, -1, 2, -2, "nuc", inf, -inf):
        raise ArgumentValueError(
            f"norm: ord={order!r} is no norm of matrices{at_user_line()}; expected 'fro', 'nuc', 1, 2, inf, or a "
            "number negated"
        )
    if order in (2, -2, "nuc"):
        return _spectral(x, order, row, col, keepdims)
    over, then = (row, col) if order in (1, -1) else (col, row)
    sums = reduce.sum_(call(np.absolute, x), over, keepdims=True)
    best = _extreme(sums, order, (then,), True)
    if keepdims:
        return best
    return B.reshape(best, tuple(d for k, d in enumerate(best.sized) if k not in (row, col)))


def _spectral(x: UOp, order: Any, row: int, col: int, keepdims: bool) -> UOp:
    """Norms by singular values: the largest, the smallest, their sum."""
    rest = tuple(k for k in range(x.ndim) if k not in (row, col))
    s = svd(B.permute(x, (*rest, row, col)), False)[1]
    best = reduce.sum_(s, -1) if order == "nuc" else _extreme(s, order, (s.ndim - 1,), False)
    return B.reshape(best, tuple(1 if k in (row, col) else d for k, d in enumerate(x.sized))) if keepdims else best
