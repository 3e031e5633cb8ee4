"""What is exported: the controller, one call a period; the machine it moves; and what they are to do, as C data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import functrans as ft
from examples import quadrotor
from examples.mpc import models
from examples.mpc.sqp import Control, step

SUBSTEPS = 4


@dataclass(frozen=True)
class Task:
    """A closed loop: the problem, its horizon, where it begins, parameters from some times on, a disturbance.

    ``guess`` is the control that the first plan begins with; ``push`` is added to the machine's rates, and the
    controller does not know of it.
    """

    control: Control
    rate: Any
    stages: int
    period: float
    start: tuple[float, ...]
    guess: tuple[float, ...]
    schedule: tuple[tuple[float, tuple[float, ...]], ...]
    push: tuple[float, ...]
    noise: tuple[float, ...]
    seconds: float


def controller(task: Task, state: Any, xs: Any, us: Any, p: Any, part: Any) -> tuple[Any, Any, Any, Any]:
    """The control, the new plan, and a report: gap, change, length. The plan is moved on by a part of a stage first."""
    c = task.control
    after = np.concatenate([xs[1:], c.advance(xs[-1], us[-1])[None]])
    held = np.concatenate([us[1:], us[-1:]])
    xs, us = xs + part * (after - xs), us + part * (held - us)
    found = step(c, np.concatenate([state[None], xs[1:]]), us, p)
    u = np.clip(found.us[0], *(np.array(b) for b in c.bounds))
    return u, found.xs, found.us, ft.numpy.stack([found.gap, found.change, found.length])


def plant(task: Task, state: Any, u: Any, push: Any) -> Any:
    """The machine, PERIOD later."""
    move = quadrotor.runge_kutta(lambda x, u: task.rate(x, u) + push, PERIOD / SUBSTEPS)
    return ft.fori_loop(0, SUBSTEPS, lambda _, x: move(x, u), state)


PERIOD = 0.01
RACE = Task(
    models.CAR, models.car_rate, stages=200, period=models.CAR_PERIOD,
    start=(0.0, 0.0, 0.0, 2.0, 0.0), guess=(0.0, 0.0),
    schedule=((0.0, (6.0, -0.25, 16.0, -0.35)), (6.0, (6.0, -0.25, 25.0, -0.3))),
    push=(0.0, 0.05, 0.0, 0.0, 0.0), noise=(0.01, 0.01, 0.005, 0.02, 0.002), seconds=14.0,
)  # fmt: skip
FLIGHT = Task(
    models.QUADROTOR, quadrotor.rate, stages=100, period=models.QUADROTOR_PERIOD,
    start=tuple(quadrotor.START.tolist()), guess=tuple(quadrotor.HOVER.tolist()),
    schedule=tuple((t, (*goal, *quadrotor.BALL.tolist())) for t, goal in quadrotor.GOALS),
    push=(0.0, 0.0, 0.0, 0.3, 0.2, -0.1) + 7 * (0.0,), noise=3 * (0.01,) + 10 * (0.002,), seconds=quadrotor.END,
)  # fmt: skip
TASKS = {"car": RACE, "quadrotor": FLIGHT}


def export(task: Task, directory: Path, arch: str = "native") -> list[Path]:
    """Write controller.c, plant.c, their headers, and task.h; the C files."""
    c, wanted = task.control, task.schedule[0][1]
    state, u = ft.ShapeDtype((c.states,)), ft.ShapeDtype((c.controls,))
    p = ft.ShapeDtype((len(wanted) // c.width, c.width))
    plan = ft.ShapeDtype((task.stages + 1, c.states)), ft.ShapeDtype((task.stages, c.controls))

    def run(state: Any, xs: Any, us: Any, p: Any, part: Any) -> Any:
        return controller(task, state, xs, us, p, part)

    def move(state: Any, control: Any, push: Any) -> Any:
        return plant(task, state, control, push)

    made = [
        ft.export_c(run, state, *plan, p, ft.ShapeDtype(()), name="controller", path=directory / "controller.c",
                    derivatives=(), arch=arch),
        ft.export_c(move, state, u, state, name="plant", path=directory / "plant.c", derivatives=()),
    ]  # fmt: skip
    (directory / "task.h").write_text(header(task), encoding="utf-8")
    return [m.path for m in made]


def header(task: Task) -> str:
    """The task as C data."""

    def row(values: Any) -> str:
        return "{" + ", ".join(repr(float(v)) for v in values) + "}"

    c = task.control
    counts = {"STATES": c.states, "CONTROLS": c.controls, "STAGES": task.stages, "GIVEN": len(task.schedule[0][1]),
              "CHANGES": len(task.schedule), "PERIODS": round(task.seconds / PERIOD)}  # fmt: skip
    schedule = ", ".join(row((t, *p)) for t, p in task.schedule)
    arrays = {"start[STATES]": row(task.start), "guess[CONTROLS]": row(task.guess), "push[STATES]": row(task.push),
              "noise[STATES]": row(task.noise), "schedule[CHANGES][1 + GIVEN]": f"{{{schedule}}}"}  # fmt: skip
    lines = [f"#define {k} {v}" for k, v in counts.items()]
    lines += [f"#define PERIOD {PERIOD!r}", f"#define PART {PERIOD / task.period!r}"]
    lines += [f"static const double {name} = {text};" for name, text in arrays.items()]
    return "\n".join(lines) + "\n"
