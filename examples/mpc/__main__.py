"""Run the closed loops: ``python -m examples.mpc [car|quadrotor] [clocked]``; what a step took.

With ``clocked`` the program keeps to the clock, a hundred periods a second. ``python -m examples.mpc long`` times one
step over 2 000 stages of the car instead, from what it drove in twenty seconds.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import functrans as ft
from examples.mpc.control import PERIOD, RACE, TASKS
from examples.mpc.run import build, drive, run
from examples.mpc.sqp import step

LONG = 2000


def loop(name: str, arguments: list[str]) -> bool:
    """Run one; whether its plan was met in the end."""
    task = TASKS[name]
    with tempfile.TemporaryDirectory() as here:
        found = run(build(task, Path(here)), task, *(a for a in arguments if a == "clocked"))
    least, middle, most = np.percentile(found.micros, [0, 50, 99])
    print(f"{name}: {task.stages} stages, {len(found.states)} periods; a step of SQP takes {middle:.0f} us, "
          f"{least:.0f} at least, {most:.0f} in 99 of 100 periods")  # fmt: skip
    print(f"  shortened steps: {(found.reports[:, 2] < 1).mean():.1%}, gap at the end {found.reports[-1, 0]:.0e}")
    return bool(found.reports[-1, 0] < 0.1)


def long_steps(stages: int = LONG) -> tuple[list[tuple[float, ...]], list[float]]:
    """Improve what the car drove by steps over it: gap, change and length of each; seconds of calls at the end."""
    quiet = (0.0,) * RACE.control.states
    driven = drive(replace(RACE, seconds=(stages + 1) * PERIOD, schedule=RACE.schedule[:1], push=quiet, noise=quiet))
    xs, us = driven.states[: stages + 1], driven.controls[:stages]
    p = np.reshape(RACE.schedule[0][1], (-1, RACE.control.width))

    def stepped(xs: Any, us: Any, p: Any) -> tuple[Any, ...]:
        found = step(RACE.control, xs, us, p)
        return found.xs, found.us, found.gap, found.change, found.length

    with tempfile.TemporaryDirectory() as here:
        path = Path(here) / "long.c"
        made = ft.export_c(stepped, xs, us, p, name="long_step", path=path, derivatives=(), arch="native")
        call = ft.load_c(made.compile(), "long_step")
    reports, times = [], []
    for _ in range(20):
        xs, us, *report = call(xs, us, p)
        reports.append(tuple(map(float, report)))
    for _ in range(300):
        begin = perf_counter()
        call(xs, us, p)
        times.append(perf_counter() - begin)
    return reports, times


def converged(reports: list[tuple[float, ...]]) -> bool:
    """Whether the last step left no gap and was not shortened."""
    gap, _, length = reports[-1]
    return gap < 1e-5 and length == 1


def long() -> bool:
    """Print steps over what the car drove, and what one call takes; whether they converge."""
    reports, times = long_steps()
    for k, (gap, change, length) in enumerate(reports):
        print(f"step {k:2}: gap {gap:.0e}, change {change:.0e}, length {length:g}")
    median, least = 1e6 * np.median(times), 1e6 * min(times)
    print(f"car, {LONG} stages: one step of SQP takes {median:.0f} us, {least:.0f} at least")
    return converged(reports)


def main(arguments: list[str]) -> int:
    """Run what is asked for; 0 if all went well."""
    if "long" in arguments:
        return 0 if long() else 1
    names = [a for a in arguments if a in TASKS] or list(TASKS)
    failed = [name for name in names if not loop(name, arguments)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
