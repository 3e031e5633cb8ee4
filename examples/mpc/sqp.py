"""One step of sequential quadratic programming for optimal control, in functions that functrans traces.

The problem: states x[0..N] and controls u[0..N-1] with

    minimize    sum |residual(x[k], u[k], p)|^2 / 2 + barrier(-limits(x[k], u[k], p)),  with u = 0 in the last term
    subject to  x[k + 1] = advance(x[k], u[k]),  x[0] measured.

The Hessian is that of Gauss and Newton, so the quadratic problem of a step is convex and has one solution: Riccati's
recursion backward, a roll-out forward. Rao, Wright and Rawlings (1998), Application of interior-point methods to model
predictive control; the barrier is Feller and Ebenbauer's (2017), Relaxed logarithmic barrier function based MPC.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import functrans as ft
import functrans.numpy as fnp

ARMIJO, SHORTEST = 1e-4, 1e-6


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

    def stage(self, x: Any, u: Any, p: Any) -> tuple[Any, Any, Any]:
        """The state after the stage, residuals and limits."""
        return self.advance(x, u), self.residual(x, u, p), self.limits(x, u, p)

    def wall(self, room: Any) -> tuple[Any, Any]:
        """The barrier's slope and its curvature, of each limit."""
        near, t = room < self.relaxed, self.relaxed
        inverse = 1 / np.where(near, t, room)
        return -self.barrier * inverse * np.where(near, 2 - room / t, 1.0), self.barrier * inverse * inverse

    def costs(self, residuals: Any, rooms: Any) -> Any:
        """The cost of a stage; the logarithm is one, of the product."""
        near, t = rooms < self.relaxed, self.relaxed
        off = np.where(near, rooms / t - 2, -1.0)
        walls = 0.5 * (off * off - 1).sum() - np.log(np.where(near, t, rooms).prod())
        return 0.5 * (residuals * residuals).sum() + self.barrier * walls


@dataclass(frozen=True)
class Step:
    """What a step of SQP did: the new plan, the largest gap and change of a control, the length taken."""

    xs: Any
    us: Any
    gap: Any
    change: Any
    length: Any


def merit(c: Control, xs: Any, us: Any, last: Any, p: Any) -> tuple[Any, Any]:
    """The cost of a plan, and the sum of its gaps."""

    def each(x: Any, u: Any, after: Any) -> tuple[Any, Any]:
        end, residuals, rooms = c.stage(x, u, p)
        return c.costs(residuals, rooms), np.abs(end - after).sum()

    costs, gaps = ft.vmap(each)(xs, us, np.concatenate([xs[1:], last[None]]))
    rest = 0 * us[0]
    return costs.sum() + c.costs(c.residual(last, rest, p), c.limits(last, rest, p)), gaps.sum()


def linearize(c: Control, x: Any, u: Any, p: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Of one stage: its end and the derivatives of that, its cost and the gradient and Hessian of that.

    The matrices that are summed are written out, nonzero by nonzero: each product is one of numbers that are there.
    """

    def joined(w: Any, p: Any) -> Any:
        return fnp.concatenate(c.stage(w[: c.states], w[c.states :], p))

    w, n, size = np.concatenate([x, u]), c.states, c.states + c.controls
    jacobian = ft.spjacobian(joined, method="direct")
    rows = entries(jacobian.pattern(ft.ShapeDtype((size,)), ft.ShapeDtype(p.shape)), jacobian.values(w, p))
    end, residuals, rooms = c.stage(x, u, p)
    slope, curve = c.wall(rooms)
    forces = [*residuals, *slope]
    weights = [1.0] * len(residuals) + list(curve)
    gradient: list[Any] = [0.0] * size
    hessian: list[list[Any]] = [[0.0] * size for _ in range(size)]
    for row, force, weight in zip(rows[n:], forces, weights, strict=True):
        for i, v in row.items():
            gradient[i] = gradient[i] + v * force
            for j, other in row.items():
                if j <= i:
                    hessian[i][j] = hessian[i][j] + weight * v * other
    J = fnp.stack([fnp.stack([row.get(i, 0.0) + 0 * w[0] for i in range(size)]) for row in rows[:n]])
    H = fnp.stack([fnp.stack([hessian[max(i, j)][min(i, j)] + 0 * w[0] for j in range(size)]) for i in range(size)])
    return end, J, c.costs(residuals, rooms), fnp.stack([g + 0 * w[0] for g in gradient]), H


def entries(pattern: ft.SparsityPattern, values: Any) -> list[dict[int, Any]]:
    """The nonzeros of a Jacobian, row by row, by their columns."""
    rows: list[dict[int, Any]] = [{} for _ in range(pattern.shape[0])]
    for k, (i, j) in enumerate(zip(pattern.rows, pattern.cols, strict=True)):
        rows[int(i)][int(j)] = values[k]
    return rows


def step(c: Control, xs: Any, us: Any, p: Any) -> Step:
    """A step from the plan xs of (N + 1, states) and us of (N, controls), whose xs[0] stays."""
    n = c.states
    ends, J, costs, g, H = ft.vmap(lambda x, u: linearize(c, x, u, p))(xs[:-1], us)
    gaps = ends - xs[1:]
    _, _, cost, slope, last = linearize(c, xs[-1], 0 * us[0], p)

    def backward(after: Any, stage: Any) -> Any:
        P, q = after
        J, H, g, gap = stage
        M, h = H + J.T @ (P @ J), g + J.T @ (P @ gap + q)
        gain = -np.linalg.solve(M[n:, n:], np.concatenate([M[n:, :n], h[n:, None]], axis=1))
        K, k = gain[:, :n], gain[:, n]
        P = M[:n, :n] + M[:n, n:] @ K
        return (0.5 * (P + P.T), h[:n] + M[:n, n:] @ k), (K, k, *after)

    _, (K, k, P, q) = ft.scan(backward, (last[:n, :n], slope[:n]), (J, H, g, gaps), reverse=True)

    def forward(dx: Any, stage: Any) -> Any:
        J, H, g, gap, K, k, P, q = stage
        du = k + K @ dx
        dw = np.concatenate([dx, du])
        after = J @ dw + gap
        return after, (after, du, g @ dw, np.abs(P @ after + q).max())

    dlast, (dxs, dus, slopes, prices) = ft.scan(forward, 0 * xs[0], (J, H, g, gaps, K, k, P, q))
    dxs = np.concatenate([0 * xs[:1], dxs])

    missed = np.abs(gaps).sum()
    weight = 2 * prices.max()
    now = costs.sum() + cost + weight * missed
    slope = slopes.sum() + slope[:n] @ dlast - weight * missed

    def too_long(at: Any) -> Any:
        length, value = at
        return (value > now + ARMIJO * length * slope + 1e-12 * np.abs(now)) & (length > SHORTEST)

    def tried(length: Any) -> Any:
        cost, missed = merit(c, (xs + length * dxs)[:-1], us + length * dus, xs[-1] + length * dlast, p)
        return cost + weight * missed

    def shorter(at: Any) -> Any:
        length = 0.5 * at[0]
        return length, tried(length)

    length, _ = ft.while_loop(too_long, shorter, (1.0, tried(1.0)))
    return Step(xs + length * dxs, us + length * dus, np.abs(gaps).max(), np.abs(dus).max(), length)
