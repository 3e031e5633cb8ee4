"""One step of sequential quadratic programming for optimal control, in functions that functrans traces.

The problem: states x[0..N] and controls u[0..N-1] with

    minimize    sum |residual(x[k], u[k], p)|^2 / 2 + barrier(limits(x[k], u[k], p)),  with u = 0 in the last term
    subject to  x[k + 1] = advance(x[k], u[k]),  x[0] measured.

The Hessian is that of Gauss and Newton, so the quadratic problem of a step is convex and has one solution: Riccati's
recursion backward, a roll-out forward. Rao, Wright and Rawlings (1998), Application of interior-point methods to model
predictive control; the barrier is Feller and Ebenbauer's (2017), Relaxed logarithmic barrier function based MPC; the
line search is that of Nocedal and Wright (2006), Numerical Optimization, chapter 18.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
    times,
    total,
    transposed,
)

ARMIJO, SHORTEST, ROUNDING = 1e-4, 1e-6, 1e-12


@dataclass(frozen=True)
class Control:
    """An optimal control problem, by what happens in one stage.

    ``advance(x, u)`` is the state a period later; ``residual(x, u, p)`` are the numbers whose squares are the cost;
    ``limits(x, u, p)`` are to be positive. ``barrier`` weighs their logarithms, ``relaxed`` is where these go over into
    parabolas, so that a state outside of the limits has a finite cost too.
    """

    name: str
    states: int
    controls: int
    advance: Callable[[Any, Any], Any]
    residual: Callable[[Any, Any, Any], Any]
    limits: Callable[[Any, Any, Any], Any]
    barrier: float = 5e-2
    relaxed: float = 5e-2

    def wall(self, room: Any) -> tuple[Any, Any]:
        """The barrier's slope and curvature of one limit."""
        near, t = room < self.relaxed, self.relaxed
        inverse = 1 / np.where(near, t, room)
        return -self.barrier * inverse * np.where(near, 2 - room * (1 / t), 1.0), self.barrier * inverse * inverse

    def cost(self, residuals: Any, rooms: Any) -> Any:
        """The cost of a stage. Sums are written out, and the logarithm is one, of the product."""
        t, parabolas, inside = self.relaxed, [], 1.0
        for room in rooms:
            off = np.where(room < t, room * (1 / t) - 2, -1.0)
            parabolas.append(0.5 * (off * off - 1))
            inside = inside * np.maximum(room, t)
        squares = total(r * r for r in residuals)
        return 0.5 * squares + self.barrier * (total(parabolas) - np.log(inside))


def linearize(c: Control, x: Any, u: Any, p: Any) -> tuple[Any, Any, Matrix, Vector, Matrix]:
    """Of one stage: its end, its cost, the derivatives of its end, the gradient and the Hessian of its cost."""

    def joined(w: Any, p: Any) -> Any:
        x, u = w[: c.states], w[c.states :]
        return np.concatenate([c.advance(x, u), c.residual(x, u, p), c.limits(x, u, p)])

    size = c.states + c.controls
    jacobian = ft.spjacobian(joined, method="direct")
    pattern = jacobian.pattern(ft.ShapeDtype((size,)), ft.ShapeDtype(p.shape))
    values, rows = jacobian.values(np.concatenate([x, u]), p), [[None] * size for _ in range(pattern.shape[0])]
    for k, (i, j) in enumerate(zip(pattern.rows, pattern.cols, strict=True)):
        rows[i][j] = values[k]
    J, rest = rows[: c.states], rows[c.states :]
    residuals, rooms = c.residual(x, u, p), c.limits(x, u, p)
    walls = [c.wall(room) for room in rooms]
    forces = [*residuals, *(slope for slope, _ in walls)]
    pulled = [*rest[: len(residuals)], *([times(v, w[1]) for v in row] for row, w in zip(rest[len(residuals) :], walls))]
    gradient = [dot(column(rest, i), forces) for i in range(size)]
    H = [[dot(column(rest, i), column(pulled, j)) for j in range(i + 1)] for i in range(size)]
    return c.advance(x, u), c.cost(residuals, rooms), J, gradient, H


def backward(after: tuple[Matrix, Vector], stage: Any) -> Any:
    """Riccati's recursion: the cost to go after a stage (P, q) becomes that before it, and the control's feedback."""
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


def direction(c: Control, ends: Any, stages: Any, last: Any) -> tuple[Any, Any, Any, Any, Any]:
    """The solution of the quadratic problem: changes of states and controls; slope of the cost, largest multiplier."""
    (J, g, H), gaps, (slope, hessian) = stages, ends, last
    n = c.states
    stage = (J, g, H, [gaps[:, i] for i in range(n)])
    _, (K, k, P, q) = ft.scan(backward, (filled(hessian[:n]), filled([slope])[0][:n]), stage, reverse=True)

    def forward(dx: Vector, stage: Any) -> Any:
        J, gap, K, k = stage
        du = [-total(pair) for pair in zip(k, apply(K, dx), strict=True)]
        after = [total(pair) for pair in zip(apply(J, [*dx, *du]), gap, strict=True)]
        return after, (after, du)

    zero = [0.0] * n
    end, (dxs, dus) = ft.scan(forward, zero, (J, stage[3], K, k))

    def prices(before: Vector, du: Vector, after: Vector, g: Vector, P: Matrix, q: Vector) -> Any:
        price = [abs(total(pair)) for pair in zip(apply(mirrored(P), after), q, strict=True)]
        return dot(g, [*before, *du]), fnp.stack(price).max()

    befores = [np.concatenate([np.zeros(1), d[:-1]]) for d in dxs]
    slopes, price = ft.vmap(prices)(befores, dus, dxs, g, P, q)
    down = slopes.sum() + total(times(a, b) for a, b in zip(slope[:n], end, strict=True))
    rows = fnp.stack(dxs, axis=1)
    return np.concatenate([np.zeros((1, n)), rows]), fnp.stack(dus, axis=1), down, price.max(), None


@dataclass(frozen=True)
class Step:
    """What a step of SQP did: the new plan, the largest gap and change of a control, the length taken."""

    xs: Any
    us: Any
    gap: Any
    change: Any
    length: Any


def merit(c: Control, xs: Any, us: Any, p: Any, weight: Any) -> Any:
    """The cost of a plan, and its gaps times a weight."""

    def each(x: Any, u: Any, after: Any) -> Any:
        gaps = total(abs(a - b) for a, b in zip(c.advance(x, u), after, strict=True))
        return c.cost(c.residual(x, u, p), c.limits(x, u, p)) + weight * gaps

    rest = np.zeros(c.controls)
    return ft.vmap(each)(xs[:-1], us, xs[1:]).sum() + c.cost(c.residual(xs[-1], rest, p), c.limits(xs[-1], rest, p))


def step(c: Control, xs: Any, us: Any, p: Any) -> Step:
    """A step from the plan xs of (N + 1, states) and us of (N, controls), whose xs[0] stays."""
    ends, costs, *stages = ft.vmap(lambda x, u: linearize(c, x, u, p))(xs[:-1], us)
    _, cost, _, slope, hessian = linearize(c, xs[-1], np.zeros(c.controls), p)
    gaps = ends - xs[1:]
    dxs, dus, down, price, _ = direction(c, gaps, stages, (slope, hessian))
    missed, weight = np.abs(gaps).sum(), 2 * price
    now, down = costs.sum() + cost + weight * missed, down - weight * missed

    def tried(length: Any) -> Any:
        return merit(c, xs + length * dxs, us + length * dus, p, weight)

    def too_long(at: Any) -> Any:
        length, value = at
        return (value > now + ARMIJO * length * down + ROUNDING * np.abs(now)) & (length > SHORTEST)

    def shorter(at: Any) -> Any:
        return 0.5 * at[0], tried(0.5 * at[0])

    length, _ = ft.while_loop(too_long, shorter, (1.0, tried(1.0)))
    return Step(xs + length * dxs, us + length * dus, np.abs(gaps).max(), np.abs(dus).max(), length)
