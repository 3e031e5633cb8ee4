"""Dense systems of equations in the bodies of loops: small ones written out, larger ones by a loop over columns.

A singular matrix gives NaN or infinities and raises nothing: whoever iterates sees that nothing converges.
"""

from __future__ import annotations

from typing import Any

import functrans.numpy as fnp
from functrans.implicit.linear_solve import custom_linear_solve
from functrans.ops import build as B
from functrans.ops.linalg import QUIET
from functrans.tensor.core import Tensor
from functrans.transforms.loops.while_loop import fori_loop

WRITTEN_OUT = 8
"""The largest matrices that a body may solve with by SOLVE; larger ones would be steps of LAPACK, which it may not."""


def solved(a: Tensor, b: Tensor) -> Tensor:
    """The x of ``a @ x = b``, b of shape (n,), with derivatives of any order. Zeros that show give zeros that show."""
    if B.const_value(b.uop) == 0:
        return b
    return _written_out(a, b[:, None])[:, 0] if a.shape[0] <= WRITTEN_OUT else solved_by_loop(a, b)


def solved_by_loop(a: Tensor, b: Tensor) -> Tensor:
    """The same by a loop over columns, with the bits that lanes get where no loop is around it too: a small matrix by
    itself would be one of LAPACK's.
    """
    found: Tensor = custom_linear_solve(
        lambda x: a @ x,
        b,
        lambda _, b: _eliminated(a, b[:, None])[:, 0],
        lambda _, b: _eliminated(a.T, b[:, None])[:, 0],
    )
    return found


def inverse(a: Tensor) -> Tensor:
    """The inverse of a matrix, which counts as a constant: for iterations that correct what it lacks."""
    one = fnp.eye(a.shape[0], dtype=a.dtype)
    return _written_out(a, one) if a.shape[0] <= WRITTEN_OUT - 2 else _eliminated(a, one)


def _written_out(a: Tensor, b: Tensor) -> Tensor:
    return Tensor.from_uop(B.solve(a.uop, b.uop, QUIET))


def _eliminated(a: Tensor, b: Tensor) -> Any:
    """By elimination above and below the diagonal, with the largest pivot of each column.

    Source: Golub and Van Loan, Matrix Computations, 4th edition, section 3.4.
    """
    n = a.shape[0]
    rows = fnp.arange(n)

    def column(j: Any, m: Any) -> Any:
        here = m[:, j]
        p = fnp.argmax(fnp.where(rows >= j, abs(here), -1.0))
        pivot, other = m[p] / m[p, j], m[j]
        m = m.at[p].set(other)
        factors = fnp.where(rows == p, here[j], here)
        left = m - fnp.where(rows == j, 0.0, factors)[:, None] * pivot
        return fnp.where((rows == j)[:, None], pivot, left)

    return fori_loop(0, n, column, fnp.concatenate([a, b], axis=1))[:, n:]
