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
from examples.mpc import riccati
from examples.mpc.matrices import Matrix, Vector, column, dot, times, total
from examples.quadrotor import wall

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
    width: int  # of a row of p
    advance: Callable[[Any, Any], Any]
    residual: Callable[[Any, Any, Any], Any]
    limits: Callable[[Any, Any, Any], Any]
    bounds: tuple[tuple[float, ...], tuple[float, ...]]  # of the controls: what the machine is given at the most
    barrier: float = 5e-2
    relaxed: float = 2e-2
    jacobian: str = "direct"  # of advance: entry by entry, or "compressed" where entries are many
    written: bool = True  # whether the matrices of a stage are written out

    def wall(self, room: Any) -> tuple[Any, Any]:
        """The barrier's slope and curvature of one limit."""
        return wall(room, self.barrier, self.relaxed)

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
    size, w = c.states + c.controls, np.concatenate([x, u])

    def advance(w: Any) -> Any:
        return c.advance(w[: c.states], w[c.states :])

    def costs(w: Any, p: Any) -> Any:
        return np.concatenate([part(w[: c.states], w[c.states :], p) for part in (c.residual, c.limits)])

    J = jacobian(ft.spjacobian(advance, method=c.jacobian), w)
    rows = jacobian(ft.spjacobian(costs, method="direct"), w, p)
    residuals, rooms = c.residual(x, u, p), c.limits(x, u, p)
    walls = [c.wall(room) for room in rooms]
    forces = [*residuals, *(slope for slope, _ in walls)]
    bent = [times(v, curve) for row, (_, curve) in zip(rows[len(residuals) :], walls, strict=True) for v in row]
    weighted = [*rows[: len(residuals)], *(bent[k : k + size] for k in range(0, len(bent), size))]
    gradient = [dot(column(rows, i), forces) for i in range(size)]
    hessian = [[dot(column(rows, i), column(weighted, j)) for j in range(i + 1)] for i in range(size)]
    return c.advance(x, u), c.cost(residuals, rooms), J, gradient, hessian


def jacobian(of: ft.SparseFunction, *args: Any) -> Matrix:
    """A sparse Jacobian by the first argument, written out."""
    pattern, values = of.pattern(*(ft.ShapeDtype(a.shape) for a in args)), of.values(*args)
    rows: Matrix = [[None] * pattern.shape[1] for _ in range(pattern.shape[0])]
    for k, (i, j) in enumerate(zip(pattern.rows, pattern.cols, strict=True)):
        rows[i][j] = values[k]
    return rows


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
    if c.written:
        ends, costs, *stages = ft.vmap(lambda x, u: linearize(c, x, u, p))(xs[:-1], us)
    else:
        ends, costs, *stages = ft.vmap(lambda x, u: riccati.packed(*linearize(c, x, u, p)))(xs[:-1], us)
    _, cost, *last = linearize(c, xs[-1], np.zeros(c.controls), p)
    gaps = ends - xs[1:]
    solve = riccati.written if c.written else riccati.dense
    dxs, dus, down, price = solve(c.states, stages, gaps, last)
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
