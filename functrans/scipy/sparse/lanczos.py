"""MINRES: the least residual in a Krylov space of a symmetric matrix, by three-term recurrences."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans.scipy.sparse.iterations import BREAKDOWN, Apply, norm
from functrans.transforms.loops.while_loop import while_loop


class _State(NamedTuple):
    """Solution, the last two directions, the last two vectors of Lanczos and the preconditioned one, the recurrence,
    and sums for the norms of the matrix.
    """

    x: Any
    w: Any
    w_before: Any
    r_before: Any
    r: Any
    y: Any
    beta_before: Any
    beta: Any
    delta_bar: Any
    epsilon: Any
    phi_bar: Any
    cosine: Any
    sine: Any
    squares: Any
    largest: Any
    smallest: Any
    reason: Any
    count: Any


_GOING, _SOLVED, _STUCK, _LIMIT = 0, 1, 2, 3


def minimal_residuals(product: Apply, b: Any, x0: Any, precondition: Apply, rtol: Any, maxiter: int) -> Any:
    """For symmetric matrices. It ends by SciPy's tests: of the residual over the norms of matrix and solution,
    and of the product of both over the norm of the matrix.

    Source: Paige and Saunders, Solution of sparse indefinite systems of linear equations (1975).
    """
    eps = float(np.finfo(b.dtype).eps)
    r = b - product(x0)
    y = precondition(r)
    square = (r * y).sum()
    first = fnp.sqrt(square)  # NaN for a preconditioner that is not positive
    zero, zeros = fnp.zeros((), b.dtype), fnp.zeros_like(b)

    def goes_on(s: _State) -> Any:
        return s.reason == _GOING

    def iterate(s: _State) -> _State:
        v = s.y / s.beta
        y = product(v)
        y = y - fnp.where(s.count > 0, s.beta / fnp.where(s.count > 0, s.beta_before, 1.0), 0.0) * s.r_before
        alpha = (v * y).sum()
        r_new = y - (alpha / s.beta) * s.r
        y_new = precondition(r_new)
        beta = fnp.sqrt((r_new * y_new).sum())
        squares = s.squares + alpha * alpha + s.beta * s.beta + beta * beta
        delta = s.cosine * s.delta_bar + s.sine * alpha
        gamma_bar = s.sine * s.delta_bar - s.cosine * alpha
        epsilon, delta_bar = s.sine * beta, -s.cosine * beta
        root = fnp.sqrt(gamma_bar * gamma_bar + delta_bar * delta_bar)
        of_gradient = s.phi_bar * root
        gamma = fnp.maximum(fnp.sqrt(gamma_bar * gamma_bar + beta * beta), eps)
        cosine, sine = gamma_bar / gamma, beta / gamma
        phi, phi_bar = cosine * s.phi_bar, sine * s.phi_bar
        w = (v - s.epsilon * s.w_before - delta * s.w) / gamma
        x = s.x + phi * w
        largest, smallest = fnp.maximum(s.largest, gamma), fnp.minimum(s.smallest, gamma)
        of_matrix, of_x = fnp.sqrt(squares), norm(x)
        test1 = phi_bar / (of_matrix * of_x)
        test2 = of_gradient / (s.phi_bar * of_matrix)
        near = (test1 <= rtol) | (test2 <= rtol) | (1 + test1 <= 1) | (1 + test2 <= 1)
        near = near | (of_matrix * of_x * eps >= first)
        stuck = (largest / smallest >= 0.1 / eps) | ~fnp.isfinite(phi_bar)
        late = s.count + 1 >= maxiter
        reason = fnp.where(near, _SOLVED, fnp.where(stuck, _STUCK, fnp.where(late, _LIMIT, _GOING)))
        return _State(
            x, w, s.w, s.r, r_new, y_new, s.beta, beta, delta_bar, epsilon, phi_bar, cosine, sine, squares, largest,
            smallest, reason, s.count + 1,
        )  # fmt: skip

    begins = fnp.where(first > 0, _GOING if maxiter else _LIMIT, fnp.where(first == 0, _SOLVED, _STUCK))
    begun = _State(
        x0, zeros, zeros, zeros, r, y, zero, first, zero, zero, first, zero - 1, zero, zero, zero,
        zero + float(np.finfo(b.dtype).max), begins.astype(np.int64), fnp.zeros((), np.int64),
    )  # fmt: skip
    end = while_loop(goes_on, iterate, begun)
    unsolved = fnp.where(end.reason == _LIMIT, end.count, BREAKDOWN)
    return end.x, fnp.where(end.reason == _SOLVED, 0, unsolved).astype(np.int64)
