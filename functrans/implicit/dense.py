"""Dense systems of equations in the bodies of loops.

A singular matrix gives NaN or infinities and raises nothing: whoever iterates sees that nothing converges.
"""

from __future__ import annotations

import numpy as np

import functrans.numpy as fnp
from functrans import dtypes
from functrans.implicit.linear_solve import custom_linear_solve
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.linalg import QUIET
from functrans.ops.loops import region, results
from functrans.ops.routines import Kind, Routine
from functrans.tensor.core import Tensor
from functrans.transforms.custom import stop_gradient
from functrans.transforms.loops.while_loop import fori_loop

SMALL = 20
"""Rows of a matrix whose inverse is found rather than its factors, as the product is sooner done; of a complex one that
is a real one of twice as many rows, as lanes have those side by side.
"""


def solved(a: Tensor, b: Tensor) -> Tensor:
    """The x of ``a @ x = b``, b of shape (n,), with derivatives of any order. Zeros that show give zeros that show."""
    return b if B.const_value(b.uop) == 0 else _solution(a, b[:, None])[:, 0]


def solved_by_loop(a: Tensor, b: Tensor) -> Tensor:
    """The same in the body of a loop of one round, with the bits that lanes get where no loop is around it: one matrix
    by itself would be LAPACK's.
    """
    found: Tensor = custom_linear_solve(lambda x: a @ x, b, lambda _, b: _once(a, b), lambda _, b: _once(a.T, b))
    return found


def factored(a: Tensor) -> tuple[Tensor, ...]:
    """What `applied` takes for the inverse of a matrix, which counts as a constant: its factors, or itself."""
    n = a.shape[0]
    if n <= SMALL:
        return (_solution(a, fnp.eye(n, dtype=a.dtype)),)
    lu, rows, *_, flag = _routine(Routine(Kind.LU, n, n), stop_gradient(a.T))  # rows of factors are columns of a
    return lu, rows, flag


def applied(factors: tuple[Tensor, ...], b: Tensor) -> Tensor:
    """The solution with a matrix that is factored, b of shape (n,)."""
    if len(factors) == 1:
        return factors[0] @ b
    lu, rows, flag = factors
    (x,) = _routine(Routine(Kind.AFTER_LU, b.shape[0], 1, transposed=True), lu, rows, stop_gradient(b)[:, None])
    found: Tensor = fnp.where(flag, np.nan, x[:, 0]).astype(b.dtype)
    return found


def factored_pair(real: Tensor, turned: Tensor) -> tuple[Tensor, ...]:
    """The same of the matrix of two times as many rows that is ``[[real, -turned], [turned, real]]``: large ones are
    factored as a complex matrix, in half the time.
    """
    n = real.shape[0]
    if n <= SMALL:
        return factored(fnp.block([[real, -turned], [turned, real]]))
    planes = stop_gradient(fnp.stack([real.T, turned.T, turned.T]))
    lu, rows, flag = _routine(Routine(Kind.COMPLEX_LU, n), planes)
    return lu, rows, flag


def applied_pair(factors: tuple[Tensor, ...], b: Tensor) -> Tensor:
    """The solution with such a matrix, b of shape (2 n,)."""
    if len(factors) == 1 or factors[0].ndim == 2:
        return applied(factors, b)
    lu, rows, flag = factors
    pair = stop_gradient(b).reshape(2, b.shape[0] // 2, 1)
    (x,) = _routine(Routine(Kind.AFTER_COMPLEX_LU, b.shape[0] // 2, 1), lu, rows, pair)
    found: Tensor = fnp.where(flag, np.nan, x.reshape(-1)).astype(b.dtype)
    return found


def _routine(routine: Routine, *given: Tensor) -> list[Tensor]:
    sources = [B.cast(x.uop, dtypes.float64) for x in given]
    return [Tensor.from_uop(x) for x in results(region(Ops.ROUTINE, sources, routine))]


def _solution(a: Tensor, b: Tensor) -> Tensor:
    return Tensor.from_uop(B.solve(a.uop, b.uop, QUIET))


def _once(a: Tensor, b: Tensor) -> Tensor:
    found: Tensor = fori_loop(0, 1, lambda _, x: _solution(a, x[:, None])[:, 0], b)
    return found
