"""LU factors with exchanges of rows, as a loop over columns: what is behind `lu_factor`, `lu_solve` and `lu`."""

from __future__ import annotations

from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans import dtypes
from functrans.errors import ArgumentValueError, DtypeError, ShapeError, at_user_line
from functrans.numpy._wrap import of
from functrans.tensor import systems
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.transforms.loops.while_loop import fori_loop
from functrans.transforms.vmap import vmap

__all__ = ["eliminated", "factors", "solution"]


def eliminated(a: Any, name: str) -> tuple[Tensor, Tensor]:
    """Both factors in one matrix, and the row that each row was exchanged with, of the matrices of a."""
    matrix = _matrices(a, name)
    *batch, m, n = matrix.shape
    if not matrix.size:
        return matrix, fnp.zeros((*batch, min(m, n)), dtype=np.int64)
    if not batch:
        lu, pivots = _columns(matrix)
        return lu, pivots
    lu, pivots = vmap(_columns)(fnp.reshape(matrix, (-1, m, n)))
    return fnp.reshape(lu, (*batch, m, n)), fnp.reshape(pivots, (*batch, min(m, n)))


def factors(a: Any, name: str) -> tuple[Tensor, Tensor, Tensor]:
    """Rows p, and l and u, so that ``a == (l @ u)[p]``."""
    lu, pivots = eliminated(a, name)
    m, n = lu.shape[-2:]
    k = min(m, n)
    lower = fnp.tril(lu[..., :, :k], -1) + np.eye(m, k, dtype=lu.dtype)
    return fnp.argsort(_order(pivots, m), axis=-1), lower, fnp.triu(lu[..., :k, :])


def solution(lu: Any, pivots: Any, b: Any, trans: Any) -> Tensor:
    """The x of ``a @ x = b``, of the transposed or adjoint a, by the two triangles that `eliminated` made of a."""
    if not isinstance(trans, int) or trans not in (0, 1, 2):
        raise ArgumentValueError(f"lu_solve: trans is {trans!r}{at_user_line()}; expected 0, 1 or 2")
    matrix, right = of(lift(lu)), lift(b)
    n = matrix.shape[-1]
    if matrix.ndim < 2 or matrix.shape[-2] != n:
        raise ShapeError(f"lu_solve: factors of shape {matrix.shape}{at_user_line()}; expected square ones")
    columns, order = of(systems.columns("lu_solve", right, n)), _order(of(lift(pivots)), n)

    def half(b: Tensor, lower: bool) -> Tensor:
        return of(systems.triangular(lift(matrix), lift(b), trans, lower, lower, "lu_solve"))

    if trans == 0:
        x = half(half(_taken(columns, order), True), False)
    else:
        x = _taken(half(half(columns, False), True), fnp.argsort(order, axis=-1))
    return x[..., 0] if right.ndim == 1 else x


def _matrices(a: Any, name: str) -> Tensor:
    node = lift(a)
    if node.dtype == dtypes.float16:
        raise DtypeError(f"{name}: float16{at_user_line()}; expected float32, float64 or complex numbers")
    matrix = of(node)
    if matrix.ndim < 2:
        raise ShapeError(f"{name}: shape {matrix.shape}{at_user_line()}; expected matrices (..., m, n)")
    return matrix if node.dtype.kind in "fc" else matrix.astype(np.float64)


def _columns(a: Any) -> Any:
    m, n = a.shape
    i, j, steps = np.arange(m), np.arange(n), np.arange(min(m, n))

    def step(k: Any, state: Any) -> Any:
        lu, pivots = state
        p = fnp.argmax(fnp.where(i < k, -1.0, _size(fnp.take(lu, k, axis=1))))
        lu = fnp.take(lu, fnp.where(i == k, p, fnp.where(i == p, k, i)), axis=0)
        column, row = fnp.take(lu, k, axis=1), fnp.take(lu, k, axis=0)
        pivot = fnp.take(row, k)
        below = i > k
        ratio = fnp.where(below, column / fnp.where(pivot == 0, 1, pivot), 0)[:, None]
        rest = fnp.where(below[:, None] & (j > k), lu - ratio * row, lu)
        return fnp.where(below[:, None] & (j == k), ratio, rest), fnp.where(steps == k, p, pivots)

    return fori_loop(0, min(m, n), step, (a, fnp.zeros(min(m, n), dtype=np.int64)))


def _size(x: Any) -> Any:
    """What LAPACK compares: of complex numbers the sum of the sizes of both parts."""
    return fnp.abs(fnp.real(x)) + fnp.abs(fnp.imag(x)) if x.dtype.kind == "c" else fnp.abs(x)


def _order(pivots: Tensor, m: int) -> Tensor:
    """The numbers of the rows of a in the order of the rows of its factors."""
    i = np.arange(m)

    def ordered(pivots: Any) -> Any:
        def step(k: Any, order: Any) -> Any:
            p = fnp.take(pivots, k)
            return fnp.take(order, fnp.where(i == k, p, fnp.where(i == p, k, i)))

        return fori_loop(0, pivots.shape[0], step, fnp.asarray(i))

    *batch, k = pivots.shape
    if not pivots.size:
        return fnp.broadcast_to(i, (*batch, m))
    if not batch:
        return of(lift(ordered(pivots)))
    return fnp.reshape(vmap(ordered)(fnp.reshape(pivots, (-1, k))), (*batch, m))


def _taken(b: Tensor, order: Tensor) -> Tensor:
    if order.ndim == 1:
        return fnp.take(b, order, axis=-2)
    batch = np.broadcast_shapes(b.shape[:-2], order.shape[:-1])
    n, k = b.shape[-2:]
    rows = fnp.broadcast_to(order[..., None], (*batch, n, k))
    return fnp.take_along_axis(fnp.broadcast_to(b, (*batch, n, k)), rows, axis=-2)
