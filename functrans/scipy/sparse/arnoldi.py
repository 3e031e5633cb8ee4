"""GMRES: the least residual in a Krylov space, begun anew after some iterations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans.scipy.sparse.iterations import Apply, info_of, norm
from functrans.transforms.loops.while_loop import fori_loop, while_loop


class _Cycle(NamedTuple):
    """A basis of the space (a row each), the triangular factor of the Hessenberg matrix by columns, the rotations that
    make it so, the residual in their basis, and its norm.
    """

    basis: Any
    factor: Any
    cosines: Any
    sines: Any
    rest: Any
    residual: Any
    k: Any


def least_residuals(
    product: Apply, b: Any, x0: Any, precondition: Apply, limit: Any, maxiter: int, restart: int
) -> Any:
    """``maxiter`` cycles of ``restart`` iterations. The preconditioner is applied from the right.

    Source: Saad and Schultz (1986); Saad, Iterative Methods for Sparse Linear Systems, algorithms 6.11 and 9.5, with
    Gram and Schmidt's method applied twice.
    """
    none = fnp.zeros((), np.int64)

    def goes_on(s: Any) -> Any:
        _, _, residual, count = s
        return (residual > limit) & (count < maxiter) & fnp.isfinite(residual)

    def again(s: Any) -> Any:
        x, r, _, count = s
        x = x + precondition(_change(_cycle(product, precondition, r, limit, restart)))
        r = b - product(x)
        return x, r, norm(r), count + 1

    r = b - product(x0)
    x, _, residual, count = while_loop(goes_on, again, (x0, r, norm(r), none))
    return x, info_of(residual, limit, count, maxiter)


def _cycle(product: Apply, precondition: Apply, r: Any, limit: Any, m: int) -> _Cycle:
    size = norm(r)
    dtype = r.dtype
    rest = fnp.zeros((m + 1,), dtype).at[0].set(size)
    basis = fnp.zeros((m + 1, r.shape[0]), dtype).at[0].set(r / size)
    turns = fnp.zeros((m,), dtype)
    begun = _Cycle(basis, fnp.eye(m, dtype=dtype), turns, turns, rest, size, fnp.zeros((), np.int64))

    def goes_on(s: _Cycle) -> Any:
        return (s.residual > limit) & (s.k < m) & fnp.isfinite(s.residual)

    def iterate(s: _Cycle) -> _Cycle:
        w = product(precondition(s.basis[s.k]))
        h = s.basis @ w
        w = w - h @ s.basis
        more = s.basis @ w
        w = w - more @ s.basis
        length = norm(w)

        def turn(i: Any, column: Any) -> Any:
            a, b = column[i], column[i + 1]
            c, d = s.cosines[i], s.sines[i]
            return column.at[i].set(c * a + d * b).at[i + 1].set(c * b - d * a)

        column = fori_loop(0, s.k, turn, (h + more).at[s.k + 1].set(length))
        a, b = column[s.k], column[s.k + 1]
        size = fnp.sqrt(a * a + b * b)
        cosine, sine = a / size, b / size
        inner = fnp.where(fnp.arange(m) < s.k, column[:m], 0.0).at[s.k].set(size)
        rest = s.rest[s.k]
        return _Cycle(
            s.basis.at[s.k + 1].set(w / fnp.where(length == 0, 1.0, length)), s.factor.at[s.k].set(inner),
            s.cosines.at[s.k].set(cosine), s.sines.at[s.k].set(sine),
            s.rest.at[s.k].set(cosine * rest).at[s.k + 1].set(-sine * rest), abs(sine * rest), s.k + 1,
        )  # fmt: skip

    return while_loop(goes_on, iterate, begun)  # type: ignore[no-any-return]


def _change(s: _Cycle) -> Any:
    """What the space adds to x: the triangular system from its last row, one of the identity where there is none."""
    m = s.factor.shape[0]
    rest = fnp.where(fnp.arange(m) < s.k, s.rest[:m], 0.0)

    def row(i: Any, y: Any) -> Any:
        j = m - 1 - i
        done = (s.factor[:, j] * y).sum() - s.factor[j, j] * y[j]
        return y.at[j].set((rest[j] - done) / s.factor[j, j])

    return fori_loop(0, m, row, fnp.zeros_like(rest)) @ s.basis[:m]
