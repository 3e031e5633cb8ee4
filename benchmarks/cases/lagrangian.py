"""The Hessian of the Lagrangian of an optimal control problem: the bicycle's multiple shooting, half the squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, aligned, load
from benchmarks.cases import bicycle
from benchmarks.cases.sparse_common import InOrder, called, compiled
from benchmarks.handwritten import limit

STEP = 1e-30
ROWS = np.repeat(range(4), (1, 2, 3, 4))  # of the lower triangle by angle, speed, acceleration, steering
COLS = np.array([0, 0, 1, 0, 1, 2, 0, 1, 2, 3])


def inputs(size: int) -> tuple[Array, Array]:
    (flat,) = bicycle.inputs(size)
    return flat, np.random.default_rng(1).normal(size=4 * size)


def objective(flat: Any) -> Any:
    return 0.5 * (flat * flat).sum()


def gradient(z: Array, lam: Array) -> Array:
    """The derivatives of -lam . step by the last four components of stages, by hand."""
    angle, v, a, wheel = (z[:, k] for k in range(2, 6))
    h, base = bicycle.H, bicycle.WHEELBASE
    turn, slope = np.tan(wheel) / base, (1.0 + np.tan(wheel) ** 2) / base
    r = -lam[:, 2]
    found = np.stack([0 * v, h * turn * r, 0.5 * h * h * turn * r, h * (v + 0.5 * h * a) * slope * r])
    for weight, d, c, e in ((1, 0, 0, 0), (2, h / 2, h / 2, 0), (2, h / 2, h / 2, h / 2), (1, h, h, h / 2)):
        w, u = v + d * a, v + e * a
        phi = angle + c * u * turn
        p = -weight * h / 6 * (lam[:, 0] * np.cos(phi) + lam[:, 1] * np.sin(phi))
        q = -weight * h / 6 * (lam[:, 1] * np.cos(phi) - lam[:, 0] * np.sin(phi))
        found = found + np.stack([w * q, p + w * q * c * turn, d * p + w * q * c * e * turn, w * q * c * u * slope])
    return found


def reference(flat: Array, lam: Array) -> Array:
    """The lower triangle row by row: second derivatives by the complex step of the first."""
    z, lam = flat.reshape(-1, 6), lam.reshape(-1, 4)[:-1]
    values = np.ones((len(z), 12))
    for column in range(4):
        moved = z[:-1].astype(complex)
        moved[:, 2 + column] += STEP * 1j
        change = gradient(moved, lam).imag / STEP
        for k in np.flatnonzero(COLS == column):
            values[:-1, 2 + k] = change[ROWS[k]] + (ROWS[k] == column)
    return np.concatenate([values[:-1].ravel(), np.ones(6)])


def ours(flat: Array, lam: Array) -> Run:
    """functrans: the values, into a buffer that holds the constant ones."""
    hessian = load("functrans").lagrangian_hessian(objective, bicycle.shooting(np, None))
    out = hessian.empty_values(flat, lam)
    return lambda: hessian.values(flat, lam, out=out)


def handwritten(flat: Array, lam: Array) -> Run:
    values = aligned(reference(flat, lam))
    return limit("lagrangian", [flat, lam, values], [flat.size // 6], values)


def casadi(flat: Array, lam: Array) -> Run:
    """CasADi: its Hessian of the Lagrangian, SX, run by the interpreter."""
    ca = load("casadi")
    x, duals = ca.SX.sym("x", flat.size), ca.SX.sym("l", lam.size)
    entries = np.array([x[k] for k in range(flat.size)], dtype=object)
    gaps = ca.vertcat(*bicycle.shooting(np, None)(entries))
    found = ca.triu(ca.hessian(0.5 * ca.sumsqr(x) + ca.dot(duals, gaps), x)[0])
    function = ca.Function("values", [x, duals], [found])
    out = np.zeros(function.nnz_out(0))
    buffer, evaluate = function.buffer()
    buffer.set_arg(0, flat.data)
    buffer.set_arg(1, lam.data)
    buffer.set_res(0, out.data)
    kept = function, buffer, flat, lam

    def run() -> Array:
        evaluate()
        return out if kept else out[:0]

    rows, cols = map(np.asarray, function.sparsity_out(0).get_triplet())
    return InOrder(run, cols, rows)


def casadi_map(flat: Array, lam: Array) -> Run:
    """CasADi: the C of one stage, mapped over all by hand; the last stage is constant."""
    ca = load("casadi")
    z = ca.SX.sym("z", 10)  # a stage and its multipliers
    entries = np.array([z[k] for k in range(6)], dtype=object)
    step = ca.vertcat(*bicycle.step(np, entries))
    lagrangian = 0.5 * ca.sumsqr(z[:6]) - ca.dot(z[6:], step)
    found = ca.triu(ca.hessian(lagrangian, z)[0][:6, :6])  # by columns: the lower triangle by rows
    count = flat.size // 6 - 1
    stage = ca.Function("stage", [z], [ca.vertcat(*found.nonzeros())])
    mapped = compiled(ca, stage.map("values", "serial", count, [], []))
    stages = np.concatenate([flat.reshape(-1, 6)[:-1], lam.reshape(-1, 4)[:-1]], axis=1).ravel()
    run = called(mapped, stages, 12 * count)
    return lambda: np.concatenate([run(), np.ones(6)])


CASES = (
    Case(
        name="lagrangian",
        title="Hessian of the Lagrangian, bicycle, 2000 stages, lower triangle",
        table="sparse",
        inputs=inputs,
        reference=reference,
        size=2000,
        small=9,
        bar=1.5,
        sides={"ours": ours, "limit": handwritten, "casadi": casadi, "casadi-map": casadi_map},
        needs="lagrangian_hessian",
    ),
)
