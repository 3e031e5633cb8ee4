"""The kinematic bicycle by RK4: the constraints of multiple shooting, and stage Jacobians in one batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.case import Array, Build, Case, Run, aligned, load
from benchmarks.cases.sparse_common import InOrder, Ours, asdex, called, casadi, compiled, matrix
from benchmarks.handwritten import limit

H, WHEELBASE = 0.05, 2.5


def inputs(size: int) -> tuple[Array]:
    """States x, y, angle, speed and controls acceleration, steering of so many stages, stage by stage."""
    draw = np.random.default_rng(0)
    scale = np.array([10.0, 10.0, 1.0, 3.0, 1.0, 0.3])
    return ((draw.normal(size=(size, 6)) * scale + (0.0, 0.0, 0.0, 5.0, 0.0, 0.0)).reshape(-1),)


def step(np: Any, z: Any) -> list[Any]:
    """The next states of stages of shape (..., 6), one array for each component."""
    x, y, angle, speed, pedal, wheel = (z[..., k] for k in range(6))
    turn = np.tan(wheel) / WHEELBASE

    def slope(angle: Any, speed: Any) -> tuple[Any, Any, Any]:
        return speed * np.cos(angle), speed * np.sin(angle), speed * turn

    a = slope(angle, speed)
    b = slope(angle + 0.5 * H * a[2], speed + 0.5 * H * pedal)
    c = slope(angle + 0.5 * H * b[2], speed + 0.5 * H * pedal)
    d = slope(angle + H * c[2], speed + H * pedal)
    moved = [H / 6.0 * (a[k] + 2.0 * (b[k] + c[k]) + d[k]) for k in range(3)]
    return [x + moved[0], y + moved[1], angle + moved[2], speed + H * pedal]


def shooting(np: Any, _: Any) -> Any:
    """What is zero on a trajectory: each state less the step from the one before, then the first state."""

    def f(flat: Any) -> Any:
        z = flat.reshape(-1, 6)
        gaps = z[1:, :4] - np.stack(step(np, z[:-1]), axis=-1)
        return np.concatenate([gaps.reshape(-1), z[0, :4]])

    return f


def batch(np: Any, _: Any) -> Any:
    """All steps, stage by stage."""
    return lambda flat: np.stack(step(np, flat.reshape(-1, 6)), axis=-1).reshape(-1)


def stages(z: Array) -> tuple[Array, Array, Array]:
    """Row, column and values (K, 16) of the stage Jacobians, by the complex step."""
    rows = np.repeat(range(4), (5, 5, 4, 2))
    cols = np.array([0, 2, 3, 4, 5, 1, 2, 3, 4, 5, 2, 3, 4, 5, 3, 4])
    values = np.empty((len(z), rows.size))
    for column in range(6):
        moved = z.astype(complex)
        moved[:, column] += 1e-30j
        change = np.stack(step(np, moved), axis=-1).imag / 1e-30
        for k in np.flatnonzero(cols == column):
            values[:, k] = change[:, rows[k]]
    return rows, cols, values


def jacobian(flat: Array) -> Any:
    z = flat.reshape(-1, 6)
    rows, cols, values = stages(z[:-1])
    first = np.arange(len(z) - 1)[:, None]
    parts = [
        ((4 * first + rows).ravel(), (6 * first + cols).ravel(), -values.ravel()),
        ((4 * first + range(4)).ravel(), (6 * (first + 1) + range(4)).ravel(), np.ones(4 * first.size)),
        (4 * first.size + np.arange(4), np.arange(4), np.ones(4)),
    ]
    joined = [np.concatenate(part) for part in zip(*parts)]
    return matrix(joined[0], joined[1], joined[2], (4 * len(z), flat.size))


def of_shooting(flat: Array) -> Any:
    return jacobian(flat).data


def of_batch(flat: Array) -> Array:
    return stages(flat.reshape(-1, 6))[2].ravel()


def by_hand(reference: Any, name: str) -> Build:
    def build(flat: Array) -> Run:
        values = aligned(reference(flat))
        return limit("bicycle", [flat, values], [flat.size // 6], values, name=name)

    return build


def casadi_map(flat: Array) -> Run:
    """CasADi: the C of the Jacobian of one stage, mapped over all."""
    ca = load("casadi")
    z = ca.SX.sym("z", 6)
    entries = np.array([z[k] for k in range(6)], dtype=object)
    found = ca.jacobian(ca.vertcat(*step(np, entries)), z).T  # by rows
    count = flat.size // 6
    stage = ca.Function("stage", [z], [ca.vertcat(*found.nonzeros())])
    mapped = compiled(ca, stage.map("values", "serial", count, [], []))
    return InOrder(called(mapped, flat, 16 * count), np.arange(16 * count), np.zeros(16 * count))


def case(stages: int, bar: float, **more: Build) -> Case:
    limit_of = by_hand(of_shooting, "limit_shooting")
    sides: dict[str, Build] = {"ours": Ours(shooting), "limit": limit_of, "casadi": casadi(shooting)}
    return Case(f"bicycle-{stages}", f"optimal control, kinematic bicycle, RK4, multiple shooting, {stages} stages",
                "sparse", inputs, of_shooting, stages, 7, bar, {**sides, **more})  # fmt: skip


CASES = (
    case(200, 1.5, **{"casadi-c": casadi(shooting, in_c=True), "asdex": asdex(shooting)}),
    case(2000, 1.3, asdex=asdex(shooting)),
    Case(
        name="bicycle-batch",
        title="10 000 bicycle stage Jacobians in one batch",
        table="sparse",
        inputs=inputs,
        reference=of_batch,
        size=10_000,
        small=37,
        bar=1.3,
        sides={
            "ours": Ours(batch),
            "limit": by_hand(of_batch, "limit"),
            "casadi-map": casadi_map,
            "asdex": asdex(batch),
        },
    ),
)
