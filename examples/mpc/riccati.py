"""The quadratic problem of a step: Riccati's recursion backward in time, a roll-out forward.

A stage is the derivatives of its end, the gradient and the Hessian of its cost, and its gap. The solution is the
changes of states and controls, the slope of the cost along them, and the largest multiplier. There are two forms: for
few states matrices are written out, number by number; for more they are arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import functrans as ft
import functrans.numpy as fnp
from examples.mpc.matrices import (
    Matrix,
    Vector,
    apply,
    column,
    dot,
    filled,
    lower,
    minus,
    mirrored,
    product,
    solve,
    symmetric,
    total,
    transposed,
)
from examples.quadrotor import riccati


def written(n: int, stages: Any, gaps: Any, last: Any) -> tuple[Any, Any, Any, Any]:
    """The solution for n states; each entry of a matrix is an array over the stages."""
    (J, g, H), (_, slope, hessian) = stages, last
    gap = [gaps[:, i] for i in range(n)]
    slope = filled([slope])[0][:n]
    _, (K, k, P, q) = ft.scan(backward, (filled(hessian[:n]), slope), (J, g, H, gap), reverse=True)

    def forward(dx: Vector, stage: Any) -> Any:
        J, gap, K, k = stage
        du = [-total(pair) for pair in zip(k, apply(K, dx), strict=True)]
        after = [total(pair) for pair in zip(apply(J, [*dx, *du]), gap, strict=True)]
        return after, (after, du)

    end, (dxs, dus) = ft.scan(forward, [0.0] * n, (J, gap, K, k))

    def prices(dx: Vector, du: Vector, after: Vector, g: Vector, P: Matrix, q: Vector) -> Any:
        price = [abs(total(pair)) for pair in zip(apply(mirrored(P), after), q, strict=True)]
        return dot(g, [*dx, *du]), fnp.stack(price).max()

    before = [np.concatenate([np.zeros(1), d[:-1]]) for d in dxs]
    slopes, price = ft.vmap(prices)(before, dus, dxs, g, P, q)
    changes = np.concatenate([np.zeros((1, n)), fnp.stack(dxs, axis=1)])
    return changes, fnp.stack(dus, axis=1), slopes.sum() + dot(slope, end), price.max()


def backward(after: tuple[Matrix, Vector], stage: Any) -> Any:
    """The cost to go after a stage, P and q, becomes that before it, and the feedback of the control."""
    (P, q), (J, g, H, gap) = (mirrored(after[0]), after[1]), stage
    n, size = len(P), len(g)
    PJ, pull, columns = product(P, J), [total(pair) for pair in zip(apply(P, gap), q, strict=True)], transposed(J)
    M = symmetric(size, lambda i, j: total([H[i][j], dot(columns[i], column(PJ, j))]))
    h = [total([g[i], dot(columns[i], pull)]) for i in range(size)]
    gains = solve([row[n:] for row in M[n:]], [*(row[n:] for row in M[:n]), h[n:]])
    K, k = transposed(gains[:n]), gains[n]
    before = symmetric(n, lambda i, j: minus(M[i][j], dot(M[i][n:], column(K, j))))
    slope = [minus(h[i], dot(M[i][n:], k)) for i in range(n)]
    return (lower(before), slope), (K, k, *after)


def packed(end: Any, cost: Any, J: Matrix, gradient: Vector, hessian: Matrix) -> tuple[Any, Any, Any, Any, Any]:
    """A stage with matrices as arrays."""

    def array(rows: Matrix) -> Any:
        return fnp.stack([fnp.stack([v + 0 * cost for v in row]) for row in filled(rows)])

    return end, cost, array(J), array([gradient])[0], array(mirrored(hessian))


def dense(n: int, stages: Any, gaps: Any, last: Any) -> tuple[Any, Any, Any, Any]:
    """The solution for n states, of arrays of matrices."""
    (J, g, H), (_, slope, hessian) = stages, packed(0.0, 0.0, *last)[2:]

    changes, dus, P, q = riccati(J, g, H, gaps, (hessian[:n, :n], slope[:n]))
    dxs = changes[1:]
    slopes = (g * np.concatenate([changes[:-1], dus], axis=1)).sum()
    price = ft.vmap(lambda P, dx, q: np.abs(P @ dx + q).max())(P, dxs, q).max()
    return changes, dus, slopes + slope[:n] @ dxs[-1], price
